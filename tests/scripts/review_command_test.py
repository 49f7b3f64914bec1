"""`salotto review`: text in 80 columns in both languages, JSON whose sums are exact, a page that
needs nothing else, and refusals.

    review_command_test.py SALOTTO SOURCE_ROOT
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

from tap import case, done

SALOTTO, TOP = (os.path.abspath(a) for a in sys.argv[1:3])
GAMES = ("doors", "favor", "traps", "louis")
WORK = tempfile.mkdtemp()
SECRETS = {
    "en": {"doors": "can infer the identity:", "favor": "can infer the identity:",
           "traps": "can infer how many traps lie face down:",
           "louis": "can infer which chip the missions ask for most:"},
    "it": {"doors": "può dedurre l'identità:", "favor": "può dedurre l'identità:",
           "traps": "può dedurre quante trappole sono coperte:",
           "louis": "può dedurre quale gettone le missioni chiedono di più:"},
}


def run(*args, text="", lang="en"):
    return subprocess.run([SALOTTO, *args], input=text, env=dict(os.environ, LANGUAGE=lang),
                          text=True, capture_output=True)


def record(game):
    path = os.path.join(WORK, game)
    if not os.path.exists(path):
        got = run("watch", game, "--plain", "--speed", "0", "--seed", "5", "--bot", "regular",
                  "--name", "0=Anna", "--name", "1=Bruno", "--record", path)
        assert got.returncode == 0, got.stderr
    return path


def parts(number):
    return round(number * 1000000)


def check_json(game):
    got = run("review", record(game), "--json", "--playouts", "8")
    assert got.returncode == 0 and got.stderr == "", got.stderr
    review = json.loads(got.stdout)
    assert review["game"] == game and review["total"] == len(review["steps"]), review["total"]
    for seat in range(review["players"]):
        moved = sum(parts(s[what][seat]) for s in review["steps"] for what in ("luck", "hidden", "play"))
        assert moved == parts(review["result"][seat]) - parts(review["start"][seat])
        mine = review["seats"][seat]
        assert moved == sum(parts(mine[what]) for what in ("luck", "hidden", "play", "others")), mine
    for step in review["steps"]:
        nothing = [0] * review["players"]  # luck is of draws alone
        assert step["hidden" if step["kind"] == "draw" else "luck"] == nothing, step
        if "weighed" in step:
            assert step["mixed"] == (game != "louis"), step
            if game == "favor":
                assert abs(sum(w["often"] for w in step["weighed"]) - 1) < 1e-4, step
            values = [w["value"] for w in step["weighed"]]
            assert values == sorted(values, reverse=True), step
            assert step["action"] in [w["action"] for w in step["weighed"]], step
    assert [s["name"] for s in review["seats"]] == ["Anna", "Bruno"]
    for seat, mine in enumerate(review["seats"]):
        assert all(e["say"] and e["rule"].startswith(game + ".") for e in mine["earned"]), mine["earned"]
        astray = [s["step"] for s in review["steps"] if s.get("seat") == seat and
                  min([b["bits"] for b in s.get("beliefs", []) if b["model"] == "habit"], default=0) <= -0.25]
        assert mine["bluffs"] == astray, (mine["bluffs"], astray)
    with open(record(game), encoding="utf-8") as f:
        piped = run("review", "-", "--json", "--playouts", "8", text=f.read())
    assert piped.stdout == got.stdout


def check_stream():
    """Every step is a line of its own, between the head and the end."""
    got = run("review", record("traps"), "--json", "--playouts", "4")
    lines = got.stdout.splitlines()
    review = json.loads(got.stdout)
    assert len(lines) == review["total"] + 3, len(lines)
    for n, line in enumerate(lines[1:-2]):
        assert json.loads(line.rstrip(","))["step"] == n, line


def check_text(lang):
    for game in GAMES:
        got = run("review", record(game), "--playouts", "4", lang=lang)
        assert got.returncode == 0 and got.stderr == "", got.stderr
        long = [line for line in got.stdout.splitlines() if len(line) > 80]
        assert not long, long[0]
        assert "Anna" in got.stdout and "{" not in got.stdout, game
        word = {"en": "Summary", "it": "Riepilogo"}[lang]
        assert word in got.stdout, got.stdout[-500:]
        text = " ".join(got.stdout.split())
        point = {"en": r"\.", "it": ","}[lang]
        bits = re.findall(r"\(([^()]*) bits?\)\.", text)
        assert bits and all(re.fullmatch(r"[+−]\d+" + point + r"\d\d", b) for b in bits), bits[:5]
        told = re.findall(r"(?:[^ ]+ \d+ → \d+ %,? )+\([+−]", text)
        assert len(told) == len(bits) and all(t.count("*") == 1 for t in told), told[:5]
        secret, chip = SECRETS[lang][game], {"en": "sceptre", "it": "scettro"}[lang]
        assert secret in text and (game != "louis" or f" {chip} " in text.replace("*", "")), secret
        assert not [line for line in got.stdout.splitlines() if line.endswith(". ")]
        broken = [line for line in got.stdout.splitlines() if line and (not line.strip() or line.lstrip().startswith("%"))]
        assert not broken, broken[0]
        told = {"en": r"Told the others [+−]\d+\.\d\d bits", "it": r"Ha rivelato agli altri [+−]\d+,\d\d bit"}[lang]
        assert len(re.findall(told, text)) == 2, text[-500:]
        title, optimal, master = {"en": ("Candidates", "optimal play", "the master"),
                                  "it": ("Alternative", "gioco ottimale", "maestro")}[lang]
        best = master if game == "favor" else optimal
        number = r"\d+" + point + r"\d %"
        one = rf"[^;±]+? {number} ± {number}(?:, {best} {number})?"
        listed = re.findall(rf"{title}: {one}(?:; {one}){{1,5}}\.", text)
        assert len(listed) == text.count(f"{title}: ") > 5, (len(listed), text.count(f"{title}: "))
        assert (best in text) == (game != "louis") and (optimal in text) == (game in ("doors", "traps")), game
        came = {"en": r"Where the (?:tokens|points) came from: ([^.]*)\.",
                "it": r"Da dove vengono i (?:segnalini|punti): ([^.]*)\."}[lang]
        earned = re.findall(came, text)
        assert len(earned) == 2 and all(re.fullmatch(r"(?:[^,+−]+(?:, [^,+−]+)* [+−]\d+(?:, )?)+", e) for e in earned), earned


def check_seat():
    everybody = run("review", record("traps"), "--playouts", "4").stdout
    one = run("review", record("traps"), "--playouts", "4", "--seat", "1").stdout
    moves = re.compile(r"(?m)^ *\d+\. (Anna|Bruno): ")
    assert set(moves.findall(everybody)) == {"Anna", "Bruno"}
    assert set(moves.findall(one.partition("Summary")[0])) == {"Bruno"}
    whole = json.loads(run("review", record("traps"), "--playouts", "4", "--json").stdout)
    alone = json.loads(run("review", record("traps"), "--playouts", "4", "--json", "--seat", "1").stdout)
    assert alone == {**whole, "steps": [s for s in whole["steps"] if s.get("seat") in (None, 1)]}, alone
    got = run("review", record("traps"), "--seat", "2")
    assert got.returncode == 1 and "no seat 2" in got.stderr, got


def check_known(game, text):
    """A position in which one seat alone is known."""
    assert len(text.splitlines()) > 3, text
    if game in ("doors", "favor"):
        assert len(re.findall(r"You are the (?:Red|Blue) (?:Lady|Tiger)", text)) == 1, text


def check_page(*seat):
    for game in GAMES:
        path = os.path.join(WORK, game + ".html")
        got = run("review", record(game), "--playouts", "4", "--html", path, *seat)
        assert got.returncode == 0 and got.stdout == "", got
        with open(path, encoding="utf-8") as f:
            text = f.read()
        page = xml.etree.ElementTree.fromstring(text.partition("\n")[2])
        curves = [e for e in page.iter() if e.tag.endswith("polyline")]
        assert len(curves) == 2, len(curves)
        outside = re.findall(r'(?:src|href)="(?!#)[^"]*"|url\(|<script|@import', text)
        assert not outside, outside
        ids = set(re.findall(r'id="(s\d+)"', text))
        links = set(re.findall(r'href="#(s\d+)"', text))
        assert links and links <= ids, links - ids
        rows = [e for e in page.iter() if e.tag.endswith("tbody") and e.get("id")]
        for row in rows:  # each decision with a choice has the one that was played, and what was known
            if list(row.iter("{*}ul")):
                assert len(list(row.iter("{*}b"))) == 1, row.get("id")
                (known,) = row.iter("{*}pre")
                check_known(game, "".join(known.itertext()))
        assert " came from" in text, game
        bluffs = re.search(r'Bluffs that worked</th><td class="n">(\d+)</td><td class="n">(\d+)</td>', text)
        listed = text.partition("<h2>Bluffs that worked</h2>")[2].partition("<h2>")[0].count("<li><a")
        assert listed == (int(bluffs[2]) if seat else int(bluffs[1]) + int(bluffs[2])), (game, bluffs, listed)
        assert "played best" in text or "deserved" in text, game
        assert "add up to the result" in text and "Told the others" in text, game
    assert run("review", record("traps"), "--playouts", "4", "--html", "-").stdout.startswith("<!DOCTYPE")


def check_refusals():
    path = os.path.join(WORK, "unfinished")
    got = run("play", "doors", "--seed", "5", "--option", "first=0", "--bot", "regular", "--plain",
              text=f"take BL\nsave {path}\nquit\n")
    assert os.path.exists(path), got
    for arguments in ((path,), (path, "--json"), (path, "--html", path + ".html")):
        got = run("review", *arguments)
        assert got.returncode == 1 and got.stdout == "", got
        assert "not over" in got.stderr and got.stderr.count("\n") == 1, got.stderr
    assert not os.path.exists(path + ".html")
    assert run("review", "/nowhere").returncode == 1
    assert run("review", "-", text="nonsense").returncode == 1
    for wrong in ((), ("a", "b"), ("a", "--seat", "x"), ("a", "--playouts", "0"), ("a", "--no"),
                  ("a", "--json", "--html", "b"), ("--calibrate", "chess"), ("--levels", "doors", "--bot", "nobody"),
                  ("--calibrate", "doors", "--players", "3"), ("--calibrate", "doors", "--option", "goal"),
                  ("--calibrate", "doors", "--option", "goal=7")):
        assert run("review", *wrong).returncode == 2, wrong


def check_studies():
    got = run("review", "--calibrate", "traps", "--games", "5", "--playouts", "4")
    assert got.returncode == 0 and "Mean distance" in got.stdout, got
    short, long = (run("review", "--calibrate", "doors", "--option", f"goal={goal}", "--games", "20", "--playouts", "4",
                       "--json").stdout for goal in (5, 15))
    asked = [sum(b[0] for b in json.loads(text)["bins"]) for text in (short, long)]
    assert asked[0] < asked[1], asked
    got = run("review", "--levels", "traps", "--games", "2", "--playouts", "4",
              "--bot", "random", "--bot", "regular")
    for game in GAMES:
        got = run("review", "--hints", game, "--games", "300" if game in ("favor", "traps") else "100")
        assert got.returncode == 0 and "; 0 contradict themselves" in got.stdout, got
        hints, told = map(int, re.match(r"(\d+) hints, (\d+) of them from the master;", got.stdout).groups())
        assert told == (0 if game == "louis" else hints), got
    for other in (("--option", "days=1"), ("--players", "3")):  # the master has not learnt that
        got = run("review", "--hints", "favor", "--games", "5", *other)
        assert got.returncode == 0 and "5 hints, 0 of them from the master;" in got.stdout, got
    got = run("review", "--levels", "favor", "--games", "1", "--playouts", "4", "--bot", "hint", "--bot", "random")
    assert re.search(r"(?m)^hint +100\.00 .* 100\.0$", got.stdout), got
    got = run("review", "--levels", "traps", "--games", "2", "--playouts", "4",
              "--bot", "random", "--bot", "regular")
    assert re.search(r"(?m)^random +\d", got.stdout) and re.search(r"(?m)^regular +\d", got.stdout), got


for name in GAMES:
    case(f"review.json: {name}", lambda name=name: check_json(name))
case("review.stream: a line a step", check_stream)
for language in ("en", "it"):
    case(f"review.text: {language}", lambda language=language: check_text(language))
case("review.seat: one seat alone", check_seat)
case("review.page: needs nothing else", check_page)
case("review.page: of one seat, every link leads somewhere", check_page, "--seat", "1")
case("review.refused: games in play, nonsense", check_refusals)
case("review.studies: calibration and levels", check_studies)
done()
