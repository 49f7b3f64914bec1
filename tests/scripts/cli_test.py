"""The program as a person meets it: help, errors, play, save, verify.

    cli_test.py SALOTTO SOURCE_ROOT
"""
import json
import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile

from tap import case, done

SALOTTO, TOP = (os.path.abspath(a) for a in sys.argv[1:3])
STATE = tempfile.mkdtemp(prefix="salotto-cli-")
COMMANDS = ("play", "rules", "referee", "verify", "serve", "admin", "court", "bench", "arena",
            "solve", "exploit", "explore", "join", "watch", "replay", "review", "problems", "schema", "notices")


def run(*args, text="", lang="en", **more):
    env = dict(os.environ, LANGUAGE=lang, XDG_STATE_HOME=STATE)
    return subprocess.run([SALOTTO, *args], input=text, env=env, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)


def helped():
    got = run("--help")
    assert got.returncode == 0 and not got.stderr
    for name in COMMANDS:
        assert re.search(rf"^  {name} ", got.stdout, re.M), name
        one = run(name, "--help")
        assert one.returncode == 0 and f"salotto {name}" in one.stdout, name
        assert run(name, "--help", lang="it").stdout != one.stdout, name
    assert re.fullmatch(r"salotto \d+\.\d+\.\d+\n", run("--version").stdout)


def misused():
    for args in ((), ("dance",), ("play",), ("play", "chess"), ("play", "doors", "x"),
                 ("play", "doors", "--players", "7"), ("play", "doors", "--seed", "x"),
                 ("play", "doors", "--people", "3"), ("play", "doors", "--seed", "9" * 30),
                 ("play", "doors", "--seconds", "0"), ("play", "doors", "--bogus"),
                 ("play", "doors", "--option", "first=9"),
                 ("play", "doors", "--option", "first"),
                 ("play", "doors", "--bot", "nobody"), ("play", "doors", "--lang", "xx"),
                 ("play", "doors", "--load", "x"), ("rules",), ("rules", "chess"),
                 ("rules", "doors", "doors.nope"), ("rules", "doors", "a", "b"),
                 ("verify",), ("verify", "a", "b"), ("court",), ("court", "dance"),
                 ("court", "check"), ("court", "show", "a", "b"), ("bench", "--game", "chess"),
                 ("bench", "x"), ("bench", "--seconds", "no"), ("referee", "x"),
                 ("solve",), ("solve", "doors"), ("solve", "favor", "--all"),
                 ("solve", "doors", "--offer", "RL,RL,RL,RL"),
                 ("solve", "doors", "--offer", "RL,BL,RT"),
                 ("solve", "doors", "--offer", "RL;BL"),
                 ("solve", "doors", "--all", "--offer", "RL,BL,RT,BT"),
                 ("solve", "doors", "--all", "--until", "x"),
                 ("solve", "doors", "--all", "--worth", "1,2,3,4,5,6"),
                 ("solve", "doors", "--all", "--worth", "6,4,-1,-2,-3"),
                 ("solve", "doors", "--all", "--threads", "0"), ("exploit",),
                 ("exploit", "--offer", "RL,RL,RL,BR", "--score", "10-0"),
                 ("exploit", "--offer", "RL,RL,RL,BR", "--side", "both"),
                 ("exploit", "--offer", "RL,RL,RL,BR", "--worth", "6,4,-1,-2,-3,-5"),
                 ("exploit", "book"), ("exploit", "book", "--offer", "RL"),
                 ("explore",), ("explore", "favor"), ("explore", "doors"), ("explore", "doors", "RL,XX"),
                 ("explore", "doors", "RL,BL,RT,BR", "--score", "10-0"),
                 ("serve", "x"), ("serve", "--bogus"), ("serve", "--listen"),
                 ("serve", "--listen", "a:b"), ("serve", "--listen", "99999"),
                 ("serve", "--public-url", "example.org"), ("serve", "--connections", "0"),
                 ("serve", "--bot-seconds", "x"), ("serve", "--data", ""),
                 ("admin",), ("admin", "dance"), ("admin", "ban"), ("admin", "close", "a", "b"),
                 ("admin", "--store", "x", "list"), ("admin", "--bogus")):
        for lang in ("en", "it"):
            got = run(*args, lang=lang)
            assert got.returncode == 2, (args, got)
            if args:
                assert got.stderr.count("\n") == 1 and not got.stdout, (args, got)
                assert "--help" in got.stderr, (args, got)


def failures():
    with tempfile.TemporaryDirectory() as work:
        missing = os.path.join(work, "none")
        broken = os.path.join(work, "broken")
        with open(broken, "w", encoding="utf-8") as f:
            f.write("salotto record 1\ngame doors\nplayers 9\n")
        for args in (("verify", missing), ("verify", broken), ("verify", work),
                     ("play", "--load", missing), ("play", "--load", broken)):
            got = run(*args)
            assert got.returncode == 1 and got.stderr.count("\n") == 1, (args, got)


def first_choices(game, *args, lang="en", people=1):
    """Plays to the end by always taking the first choice."""
    got = run("play", game, "--seed", "5", *args, text="#1\n" * 3000, lang=lang)
    assert got.returncode == 0, got
    assert "\033" not in got.stdout, "escape codes in a pipe"
    for line in got.stdout.splitlines():
        assert len(line) <= 80 or line.startswith("* "), line
    return got.stdout


def plays(game, players):
    for lang in ("en", "it"):
        out = first_choices(game, "--players", str(players), lang=lang)
        assert ("won" if lang == "en" else "vint") in out, out[-600:]
        assert "{" not in out and "|" not in out.replace("| ", "").replace(" |", ""), out
    bots = run("play", game, "--players", str(players), "--people", "0", "--seed", "1")
    assert bots.returncode == 0 and "> " not in bots.stdout


def hot_seat():
    out = run("play", "doors", "--people", "2", "--seed", "5", "--option", "first=0",
              text="\n1\n\n1\n1\n" + "\n1\n1\n" * 50).stdout
    parts = out.split("\n----\n")
    assert len(parts) > 4
    for part in parts[1:]:
        owner = re.match(r"Player (\d), it is your turn", part).group(1)
        assert owner in "12"
        assert part.count("You are the ") >= 1


def commands():
    with tempfile.TemporaryDirectory() as work:
        saved = os.path.join(work, "game.salotto")
        other = os.path.join(work, "letter.txt")
        with open(other, "w", encoding="utf-8") as f:
            f.write("dear friend\n")
        script = ["help", "look", "hint", "why", "why end", "why take ZZ", "rules doors.take.any",
                  "rules nope", "rules", "undo", "save", f"save {other}",
                  f"save {work}/none/x", f"save {saved}", "99", "0", "end", "xyzzy",
                  "x" * 5000, "quit"]
        got = run("play", "doors", "--seed", "5", "--option", "first=0",
                  text="\n".join(script) + "\n")
        assert got.returncode == 0, got
        out = got.stdout
        assert "why ACTION" in out and "doors.turn.phase" in out
        assert "Nothing has been done yet." in out and "Say where" in out
        assert "is not a saved game" in out and f"Saved in {saved}." in out
        assert "There is no choice 99." in out and "Unknown action" in out
        assert "You leave the table." in out
        with open(other, encoding="utf-8") as f:
            assert f.read() == "dear friend\n"
        assert sorted(os.listdir(work)) == ["game.salotto", "letter.txt"]
        checked = run("verify", saved)
        told = re.search(r"^  ([0-9a-f]{64})$", got.stdout, re.M).group(1)
        assert checked.returncode == 0 and told in checked.stdout
        assert "estimate" in out, "the hint tells what it promises"
        kept = os.path.join(work, "kept")
        again = run("play", "--load", saved, "--record", kept, text="#1\n" * 3000)
        assert again.returncode == 0 and "won" in again.stdout
        with open(kept, encoding="utf-8") as f:
            assert "\nover " in f.read()
        assert run("verify", kept).returncode == 0
        os.remove(kept)
        over = run("play", "--load", saved, text=f"1\nsave {saved}\nquit\n")
        assert f"Saved in {saved}." in over.stdout
        with open(saved, encoding="utf-8") as f:
            text = f.read()
        at = text.index("\n= ") + 3
        with open(saved, "w", encoding="utf-8") as f:
            f.write(text[:at] + ("R" if text[at] != "R" else "B") + text[at + 1:])
        assert run("verify", saved).returncode == 1


def speaks_italian():
    out = run("play", "doors", "--seed", "5", "--option", "first=0", lang="it",
              text="why end\nquit\n").stdout
    assert "Sei la " in out or "Sei il" in out, out
    assert "doors.turn.phase" in out and "Only the actions" not in out
    assert run("play", "doors", "--seed", "5", "--lang", "it", text="quit\n",
               lang="en").stdout.count("Offerta") == 1


def memory_aids():
    """What one could remember is listed, unless the table is set up without it."""
    for game, aid in (("doors", "In the deck:"), ("favor", "In the deck:"), ("traps", "shown in earlier rounds:"),
                      ("louis", "Open influence cards:")):
        shown = [run("play", game, "--seed", "5", "--option", "first=0", "--option", f"memory={memory}", "--bot", "random",
                     text="#1\n" * 20 + "quit\n").stdout for memory in ("on", "off")]
        assert aid in shown[0] and aid not in shown[1], (game, shown[1])
        assert [line for line in shown[0].splitlines() if line.startswith("* ")][:20] == [
            line for line in shown[1].splitlines() if line.startswith("* ")][:20], game


def shows_rules(game):
    ids = run("rules", game, "--ids").stdout.split()
    for lang in ("en", "it"):
        text = run("rules", game, "--lang", lang).stdout
        assert "<a id" not in text
        for i in ids:
            assert i in text
            one = run("rules", game, i, "--lang", lang).stdout
            assert one.startswith(f"`{i}`") and one.count("\n") < 20, one
        # The chapters, one after the other, are the whole text from the first of them on.
        chapters = [line.split(None, 1) for line in
                    run("rules", game, "--chapters", "--lang", lang).stdout.splitlines()]
        parts = [run("rules", game, name, "--lang", lang).stdout for name, _ in chapters]
        assert len(parts) > 4 and text.endswith("".join(parts)), (game, lang)
        for (_, heading), part in zip(chapters, parts):
            assert part.startswith(f"## {heading}\n"), (heading, part[:80])


def benches():
    rows = [json.loads(line) for line in
            run("bench", "--json", "--seconds", "0.01").stdout.splitlines()]
    for row in rows:
        assert set(row) == {"name", "value", "low", "unit"} and row["value"] >= row["low"] > 0
    names = {r["name"] for r in rows}
    assert "doors-s.bare_decisions" in names
    for game in games():
        for what in ("playouts", "decisions", "apply_legal_view", "apply_legal_tensor", "table", "json",
                     "referee", "batch", "batch_observed", "state"):
            assert f"{game}.{what}" in names
    assert "doors.decisions_to_own_bare" in names
    with tempfile.TemporaryDirectory() as work:
        old = os.path.join(work, "old.json")
        with open(old, "w", encoding="utf-8") as f:
            f.write('{"name":"doors.state","value":24,"unit":"bytes"}\n')
        again = run("bench", "--json", "--seconds", "0.01", "--game", "doors", "--compare", old)
        rows = {r["name"]: r for r in map(json.loads, again.stdout.splitlines())}
        assert rows["doors.state"]["to_old"] == 2 and "to_old" not in rows["doors.decisions"]
        bad = run("bench", "--compare", os.path.join(work, "none"))
        assert bad.returncode != 0 and "bench --json" in bad.stderr, bad.stderr


def solves_traps():
    """The interval closes in, and all ways in which a round can end make up all rounds."""
    small = ("solve", "traps", "--cut", "1", "--iterations", "64")
    *rows, ends = [json.loads(line) for line in
                   run(*small, "--ends", "--json").stdout.splitlines()]
    assert [r["iteration"] for r in rows] == [8, 16, 32, 64], rows
    assert rows[-1]["exploitability"] < rows[0]["exploitability"] / 2, rows
    for r in rows:
        assert abs(r["high"] - r["low"] - r["exploitability"]) < 3e-6, r
    ways = ("met", "met_trap", "stop", "stop_trap", "two_traps")
    assert abs(sum(sum(ends[w]) for w in ways) - 1) < 1e-3, ends
    assert abs(sum(ends["opened"]) - 1) < 1e-3, ends
    words = run(*small, "--until", "100", "--round", "1-1").stdout.splitlines()
    assert len(words) == 1 and words[0].startswith("1-1, cut 1 "), words
    for args in (("--round", "9-9"), ("--cut", "9"), ("--iterations", "x"), ("more",)):
        assert run("solve", "traps", *args).returncode == 2, args
        assert run("exploit", "traps", "a", "b").returncode == 2
    with tempfile.NamedTemporaryFile() as f:
        f.write(b"no policy")
        f.flush()
        got = run("exploit", "traps", f.name)
        assert got.returncode == 1 and f.name in got.stderr, got


def explores():
    """A place in a round of Doors: chances are all, also in words; what cannot be is refused."""
    line = ("explore", "doors", "RL,BL,RT,BR", "RL:BT", "BL:RT")
    got = json.loads(run(*line, "--json").stdout)
    assert (got["line"], got["place"], got["unit"]) == ("RL,BL,RT,BR RL:BT BL:RT", "say", "tokens"), got
    for i in range(4):
        assert abs(sum(o["chance"][i] for o in got["options"]) - 1) < 1e-3, got
    assert abs(sum(got["collector"]["table"]) - 1) < 1e-5, got
    quick = json.loads(run(*line, "--json", "--quick", "--score", "9-9").stdout)
    assert quick["unit"] == "chance" and quick["options"][0]["worth"] == [None] * 4, quick
    for more, words in (((), "the Guesser guesses"), (("BR",), "comes"), (("guess:red",), "is over"),
                        (("--score", "3-7"), "chance to win"), (("end", "--quick"), "takes a card")):
        text = run(*line, *more)
        assert words in text.stdout and all(len(row) <= 80 for row in text.stdout.splitlines()), text
    assert "hardly ever" in run(*line[:3], "BR:BT", "RL:RT", "RT:BL", "--quick", "--iterations", "8").stdout
    assert "discards a card" in run(*line[:4], "--quick").stdout
    assert "no round can go" in run(*line, "BL").stderr


def notices():
    """The licences of what is inside: in a build with pages those of Preact and wasi-libc too."""
    got = run("notices")
    assert got.returncode == 0 and "MIT" in got.stdout, got
    pages = os.path.isdir(os.path.join(os.path.dirname(SALOTTO), "web", "files"))
    for name, inside in (("Salotto", True), ("preact", pages), ("wasi-libc", pages)):
        assert (f"\n{name}\n" in got.stdout) == inside, name
    assert run("notices", "more").returncode == 2


def makes_policy():
    """A round of a policy is solved again, in a copy of the shipped one; the others stay."""
    shipped = os.path.join(TOP, "share", "traps.policy")
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, "policy")
        shutil.copy(shipped, path)
        small = ("solve", "traps", "--policy", path, "--cut", "0", "--iterations", "8")
        got = run(*small, "--round", "4-4")
        assert got.returncode == 0 and "4-4" in got.stdout, got
        with open(shipped, "rb") as old, open(path, "rb") as new:
            first, second = old.read(), new.read()
        assert first != second
        with open(path, "wb") as f:
            f.write(second[:len(second) // 2])
        got = run(*small, "--round", "4-4")
        assert got.returncode == 1 and path in got.stderr, got
        with open(path, "rb") as f:
            assert f.read() == second[:len(second) // 2], "what was there is written over"


def habits():
    """Who never bluffs loses most; a habit that tells nothing is worth little to the Guesser."""
    wins = {}
    for habit in ("fitting", "half", "foreign", "any"):
        got = json.loads(run("exploit", "--offer", "RL,RL,RL,BR", "--habit", habit, "--json").stdout)
        assert got["habit"] == habit, got
        wins[habit] = got["low"]
        said = run("exploit", "--offer", "RL,RL,RL,BR", "--habit", habit).stdout
        assert f"{got['low']:+.5f}" in " ".join(said.split()), (said, got)
    assert wins["fitting"] < wins["half"] < wins["any"] and wins["foreign"] < wins["half"], wins
    assert run("exploit", "--offer", "RL,RL,RL,BR", "--habit", "none").returncode == 2


def takes():
    """What the master takes first is a chance for each card of the offer, for each identity."""
    rows = [json.loads(line) for line in run("solve", "doors", "--takes").stdout.splitlines()]
    assert len({r["offer"] for r in rows}) == 15 and len(rows) % 4 == 0, rows
    kinds = ("RL", "BL", "RT", "BT", "BR", "LT")
    for r in rows:
        assert abs(sum(r["takes"]) - 1) < 0.004, r
        for kind, chance in zip(kinds, r["takes"]):
            assert chance == 0 or kind in r["offer"].split(","), r


LATE = ("solve", "doors", "--offer", "RL,BL,RT,BR", "--collection", "RL,RT",
        "--discards", "BL,BT", "--json")


def solves():
    rows = [json.loads(line) for line in
            run(*LATE, "--iterations", "100", "--threads", "1").stdout.splitlines()]
    assert rows[-1]["iteration"] == 100 and rows[-1]["exploitability"] < 0.1
    for row in rows:
        assert abs(row["high"] - row["low"] - row["exploitability"]) < 2e-6
    halves = run(*LATE, "--iterations", "100", "--worth", "3,2,-.5,-1,-1.5,-2.5")
    half = json.loads(halves.stdout.splitlines()[-1])
    assert abs(2 * half["low"] - rows[-1]["low"]) < 0.01, (half, rows[-1])
    sooner = run(*LATE, "--until", "0.2").stdout.splitlines()
    assert 0.2 >= json.loads(sooner[-1])["exploitability"]
    assert json.loads(sooner[-1])["iteration"] < 100


def keeps():
    with tempfile.TemporaryDirectory() as work:
        whole = run(*LATE, "--iterations", "40").stdout.splitlines()[-1]
        for count in ("24", "40"):
            got = run(*LATE, "--iterations", count, "--keep", work)
            assert got.returncode == 0, got
        last = json.loads(got.stdout.splitlines()[-1])
        assert last["low"] == json.loads(whole)["low"], (last, whole)
        name, = os.listdir(work)
        path = os.path.join(work, name)
        with open(path, "rb") as f:
            good = bytearray(f.read())
        for place in (0, 5, 10, len(good) // 2, len(good) - 1):
            bad = bytearray(good)
            bad[place] ^= 16
            with open(path, "wb") as f:
                f.write(bad)
            got = run(*LATE, "--iterations", "48", "--keep", work)
            assert got.returncode == 1 and "damaged" in got.stderr, (place, got)


def books():
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, "book")
        got = run(*LATE, "--iterations", "100", "--book", path)
        row = json.loads(got.stdout.splitlines()[-1])
        checked = json.loads(run("exploit", path, *LATE[2:]).stdout)
        assert abs(checked["low"] - row["low"]) < 1e-4, (row, checked)
        other = run("exploit", path, "--offer", "BL,BL,BL,LT", "--collection", "RL,RT",
                    "--discards", "RL,BT")
        assert other.returncode == 1 and "no answer" in other.stderr, other
        with open(path, "r+b") as f:
            f.seek(40)
            f.write(b"x")
        got = run("exploit", path, *LATE[2:])
        assert got.returncode == 1 and "damaged" in got.stderr, got


def courts():
    court = os.path.join(TOP, "src", "games", "court.json")
    got = run("court", "check", court)
    assert got.returncode == 0 and got.stdout == f"{court}: valid.\n", got
    built_in = run("court", "show")
    assert built_in.returncode == 0 and "Colbert" in built_in.stdout
    assert run("court", "show", court).stdout == built_in.stdout
    assert run("court", "show", lang="it").stdout != built_in.stdout
    for line in built_in.stdout.splitlines():
        assert len(line) <= 80, line
    with open(court, encoding="utf-8") as f:
        values = json.load(f)
    for m in values["missions"]:
        assert re.search(rf"^ *{m['id']} +{m['tier']} +{' '.join(m['cost'])} ", built_in.stdout, re.M), m
    values["tiles"][2]["red"] = {"type": "beg", "n": 3}
    values["setup"]["rounds"] = 9
    with tempfile.TemporaryDirectory() as work:
        mine = os.path.join(work, "mine.json")
        with open(mine, "w", encoding="utf-8") as f:
            json.dump(values, f)
        got = run("court", "check", mine)
        assert got.returncode == 1 and not got.stderr, got
        assert got.stdout == (
            f"{mine}: setup.rounds: this is not a whole number from 1 to 8.\n"
            f"{mine}: tiles[2].red.type: this must be one of: most, pay, min.\n"), got.stdout
        for args in (("court", "show", mine), ("court", "check", work + "/none"),
                     ("court", "show", work + "/none")):
            got = run(*args)
            assert got.returncode == 1 and "salotto: " in got.stderr, (args, got)
        got = run("play", "louis", "--option", f"court={mine}")
        assert got.returncode == 2 and "setup.rounds" in got.stderr, got
        values["tiles"][2]["red"] = {"type": "most"}
        values["setup"].update(rounds=4, gold=17)
        with open(mine, "w", encoding="utf-8") as f:
            json.dump(values, f)
        got = run("play", "louis", "--option", f"court={mine}", "--seed", "1", text="quit\n")
        assert got.returncode == 0 and re.search(r"^A .* 17 ", got.stdout, re.M), got.stdout


# Two players who hold intrigue cards, before tile 1 of round 2.
INTRIGUE = """salotto record 1
game louis
players 2
option favorita off
option first 0
seed %064x
deal 1 influence 0 12 1 1 2 2 12 3 3 4 4 5 5 6 6 7 8 8 10 10 J 9 11 J J J 7 9 11 J J
deal 1 intrigue 0 5 3
0 play 12 12:2
1 play 12 12:2
0 recover 1
1 recover 3
0 recover 1
1 recover 3
0 recover 2
1 recover 4
0 done
1 done
1 recover 8
0 recover 9
1 recover 8
0 recover 11
1 recover 10
0 recover J
1 recover 10
0 recover J
""" % 7


def passes_all():
    with tempfile.TemporaryDirectory() as work:
        saved = os.path.join(work, "intrigue.salotto")
        with open(saved, "w", encoding="utf-8") as f:
            f.write(INTRIGUE)
        out = run("play", "--load", saved, "--people", "2",
                  text="\npass all\n\npass all\nquit\n").stdout
        assert out.count("hold no intrigue card for this tile") == 2, out
        assert "cannot complete a mission, but you may trade one" in out, out
        # not where nobody may pass, and not at another step
        out = run("play", "--load", saved, "--people", "2",
                  text="\npass all\n\npass\n\npass\nquit\n").stdout
        assert out.count("hold no intrigue card for this tile") == 4, out
        out = run("play", "louis", "--option", "favorita=off", "--seed", "1",
                  text="pass all\nquit\n").stdout
        assert "louis.influence.no-pass" in out, out
        assert "an influence card. (5 times)" in out, out


def narrow():
    """What solvers print fits 80 columns, in both languages."""
    for lang in ("en", "it"):
        for command in (LATE[:-1] + ("--iterations", "40"),
                        ("solve", "traps", "--cut", "0", "--iterations", "16")):
            got = run(*command, lang=lang)
            assert got.returncode == 0 and got.stdout and not got.stderr, got
            assert all(len(line) <= 80 for line in got.stdout.splitlines()), got.stdout


def shown_on_terminal(*command):
    """What a command shows on a terminal until it has said how long it has been at it."""
    host, guest = pty.openpty()
    p = subprocess.Popen([SALOTTO, *command], stdout=guest, stderr=guest,
                         env=dict(os.environ, LANGUAGE="en"))
    os.close(guest)
    shown = b""
    while not re.search(rb"\d:\d\d:\d\d", shown):
        shown += os.read(host, 4096)  # its end is an error: it has shown nothing
    p.kill()
    p.wait()
    os.close(host)
    return shown


def pager():
    """On a terminal a book goes to the pager, headings, bold words and codes struck twice, slanted words
    underlined, as in a manual page."""
    host, guest = pty.openpty()
    p = subprocess.Popen([SALOTTO, "rules", "louis", "--lang", "it"], stdin=guest, stdout=guest, stderr=guest,
                         env=dict(os.environ, PAGER="cat"))
    os.close(guest)
    shown = b""
    try:
        while piece := os.read(host, 65536):
            shown += piece
    except OSError:  # the other end is closed
        pass
    assert p.wait() == 0
    os.close(host)
    text = shown.decode().replace("\r\n", "\n")
    twice = "".join(c + "\b" + c for c in "Luigi") + " " + "".join(c + "\b" + c for c in "XIV") + "\n"
    assert text.startswith(twice), text[:80]
    assert "é\bé" in text  # a letter of two bytes
    plain = run("rules", "louis", lang="it").stdout
    assert "".join("_\b" + c for c in "valore") in text and "".join(c + "\b" + c for c in "louis.end.score") in text
    unmarked = [line if line.startswith("[") else re.sub("^#+ ", "", line).replace("*", "").replace(
        "`", " " if line.startswith("|") else "") for line in plain.split("\n")]
    assert re.sub("(.)\b\\1|_\b", r"\1", text) == "\n".join(unmarked)


def progress():
    """Before there is any result, a line says what goes on."""
    assert b"Solving Traps" in shown_on_terminal("solve", "traps", "--iterations", "100000")
    assert b"best second player" in shown_on_terminal("exploit", "traps")
    assert b"RL,BL,RT,BR" in shown_on_terminal(*LATE[:-1], "--iterations", "100000")


def standard_input():
    """`-` wherever a file is read."""
    path = os.path.join(STATE, "one.salotto")
    run("play", "doors", "--seed", "5", "--bot", "random", "--record", path, text="#1\nquit\n")
    with open(path, encoding="utf-8") as f:
        record = f.read()
    assert run("verify", "-", text=record).returncode == 0
    assert "Step" in run("replay", "-", "--all", text=record).stdout
    loaded = run("play", "--load", "-", text=record).stdout
    assert "Round 1" in loaded, loaded
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, "book")
        run(*LATE, "--iterations", "40", "--book", path)
        with open(path, "rb") as f:
            got = subprocess.run([SALOTTO, "exploit", "-", *LATE[2:]], stdin=f, text=True,
                                 stdout=subprocess.PIPE)
        assert "low" in json.loads(got.stdout)


def full_disk():
    with open("/dev/full", "w", encoding="utf-8") as full:
        got = subprocess.run([SALOTTO, "rules", "doors"], stdout=full,
                             stderr=subprocess.PIPE, text=True)
    assert got.returncode == 1 and "cannot be written" in got.stderr


def games():
    reply = json.loads(run("referee", text='{"op":"games"}\n').stdout)
    return {g["id"]: g["players"] for g in reply["games"]}


case("help for everything, in both languages", helped)
case("what is not understood: one sentence, status 2", misused)
case("what fails: one sentence, status 1", failures)
for name, (low, high) in games().items():
    for count in range(low, high + 1):
        case(f"play {name} with {count} to the end, in both languages",
             plays, name, count)
    case(f"rules {name}", shows_rules, name)
case("rules on a terminal", pager)
case("memory aids can be switched off", memory_aids)
case("two people at one keyboard: the screen is handed over", hot_seat)
case("commands at the table: help, why, rules, undo, save, quit", commands)
case("everything in Italian", speaks_italian)
case("court files: check, show, play", courts)
case("passing for the rest of a round", passes_all)
case("bench rows", benches)
case("notices", notices)
case("explore a round of Doors", explores)
case("solve a round of Traps", solves_traps)
case("solve a round of a policy of Traps again", makes_policy)
case("exploit people's habits", habits)
case("solve tells what the master takes first", takes)
case("solve from the third card", solves)
case("solve, stop and go on; a damaged file is refused", keeps)
case("a book, and its check", books)
case("solvers fit 80 columns", narrow)
case("solvers tell from the first second what they do", progress)
case("- is standard input", standard_input)
case("a full disk is reported", full_disk)
shutil.rmtree(STATE)
done()
