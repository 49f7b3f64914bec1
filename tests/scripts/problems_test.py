"""`salotto problems`: the files that come with the program are sound, making is deterministic and
goes on where it was left, damaged lines are named, a search again tells what did not hold.

    problems_test.py SALOTTO SOURCE_ROOT
"""
import json
import os
import pty
import re
import signal
import subprocess
import sys
import tempfile

from tap import case, done

SALOTTO, TOP = (os.path.abspath(a) for a in sys.argv[1:3])
GAMES = ("doors", "favor", "traps", "louis")
WORK = tempfile.mkdtemp(prefix="salotto-problems-")
FEW = ("--count", "3", "--worlds", "16", "--seed", "4")


def run(*args, lang="en"):
    return subprocess.run([SALOTTO, "problems", *args], env=dict(os.environ, LANGUAGE=lang),
                          text=True, capture_output=True)


def shipped(game):
    return os.path.join(TOP, "share", "problems", f"{game}.jsonl")


def lines_of(path):
    with open(path, encoding="utf-8") as f:
        return [json.loads(line) for line in f]


def check_reason(problem):
    """The numbers that pages say as the reason speak for the best choice."""
    reason = [(kind, *problem[kind]) for kind in ("worlds", "gains", "tells") if kind in problem]
    if not reason:  # how often optimal play does each
        assert problem["weighed"][0][3] > problem["weighed"][problem["other"]][3], problem["n"]
    for kind, here, there in reason:
        told = round(10 * here) < round(10 * there) if kind == "tells" else round(100 * here) > round(100 * there)
        assert told and len(reason) == 1, (problem["n"], reason)


def check_shipped(game):
    """All that the program knows to ask of a file, and what pages rely on besides."""
    got = run(game, "--check", shipped(game))
    assert got.returncode == 0, got.stderr
    head, *problems = lines_of(shipped(game))
    first, *themes = got.stdout.splitlines()
    assert first == f"{len(problems)} problems, all valid.", got.stdout
    assert sum(int(line.split()[0]) for line in themes) == len(problems), themes
    assert len(problems) >= 300, len(problems)
    assert head["game"] == game and head["version"] and head["margin"] == 0.025, head
    assert head["worlds"] >= 300 and head["searches"] == 3, head
    assert len({p["n"] for p in problems}) == len(problems)
    assert len({p["theme"] for p in problems}) >= 4
    for p in problems:
        best = p["weighed"][0][1]
        right = [w for w in p["weighed"] if best - w[1] < head["margin"]]
        assert 0 < len(right) <= len(p["weighed"]) / 2, p["n"]
        assert "\n= " not in p["record"] and "\nseed " in p["record"], p["n"]
        assert p["solved"][0] < 0.75 and p["solved"][2] > 0.1, p["n"]
        known = game == "doors" or (game in ("favor", "traps") and "\nplayers 2\n" in p["record"])
        assert {len(w) for w in p["weighed"]} == {4 if known else 3}, p["n"]
        assert not known or all(w[3] < 0.01 for w in p["weighed"] if w not in right), p["n"]
        check_reason(p)


def check_size():
    assert sum(os.path.getsize(shipped(g)) for g in GAMES) <= 2_000_000


def check_again(game):
    """The same seed gives the same bytes, whole or in two goes; and what was made is sound."""
    whole, parts = (os.path.join(WORK, f"{game}.{kind}") for kind in ("whole", "parts"))
    assert run(game, *FEW, "--keep", whole).returncode == 0
    for count in ("1", "3"):
        got = run(game, *FEW, "--keep", parts, "--count", count)
        assert got.returncode == 0, got.stderr
    with open(whole, "rb") as a, open(parts, "rb") as b:
        first, second = a.read(), b.read()
    # The first go wanted fewer, so that themes could have been full: the files are the same here.
    assert first == second, (first, second)
    got = run(game, "--check", whole)
    assert got.stdout.startswith("3 problems, all valid.\n"), got.stdout + got.stderr
    told = run(game, *FEW, "--json")
    assert told.stdout.encode() == first, told.stdout
    for p in lines_of(whole)[1:]:  # what the seed tells is left out
        kinds = {line.split()[0] for line in p["record"].splitlines() if line}
        assert "seed" in kinds and not kinds & {"=", "pile", "commit", "key"}, p["record"]
    other = run(game, "--count", "3", "--worlds", "16", "--seed", "5", "--json")
    assert other.stdout != told.stdout


def check_text():
    for lang, word in (("en", "The first card"), ("it", "La prima carta")):
        got = run("traps", "--count", "6", "--worlds", "16", "--seed", "1", lang=lang)
        assert got.returncode == 0 and got.stderr == "", got.stderr
        assert word in got.stdout and re.search(r"^  \+ +\d+\.\d %  ", got.stdout, re.M), got.stdout
        assert re.search(rf"^\d+\. {word}, rating \d+$", got.stdout, re.M), got.stdout
        assert max(map(len, got.stdout.splitlines())) <= 80, got.stdout


def damaged(change):
    """A shipped file with its second problem changed; what the program says."""
    path = os.path.join(WORK, "damaged")
    head, first, second = lines_of(shipped("traps"))[:3]
    change(second)
    with open(path, "w", encoding="utf-8") as f:
        f.writelines(json.dumps(line) + "\n" for line in (head, first, second))
    got = run("traps", "--check", path)
    return got.returncode, got.stderr.replace(path, "FILE")


def swap(problem):
    problem["weighed"][0], problem["weighed"][-1] = problem["weighed"][-1], problem["weighed"][0]


def check_damaged():
    """Each thing that a line can have wrong is named."""
    faults = {
        "it has no record": lambda p: p.pop("record"),
        "it is of another game": lambda p: p.update(record=lines_of(shipped("doors"))[1]["record"]),
        "the seat is not asked": lambda p: p.update(seat=5),
        "the list of choices does not fit the position": lambda p: p.update(choices=p["choices"] + 1),
        "a candidate is not legal, or not in its place": swap,
        "right and wrong choices are too close": lambda p: p["weighed"][-1].__setitem__(
            1, p["weighed"][0][1] - 0.03) or p.update(weighed=[p["weighed"][0], p["weighed"][-1]]),
        "the reason cannot be read": lambda p: p.update(other=0),
        "the rating does not fit the shares of the bots": lambda p: p.update(rating=p["rating"] + 50),
        "the theme does not fit": lambda p: p.update(theme="nothing"),
        "it is out of order": lambda p: p.update(n=0),
    }
    for said, change in faults.items():
        got = damaged(change)
        assert got == (1, f"salotto: FILE: line 3 is not a valid problem: {said}.\n"), (said, got)
    def turned(p):  # it would speak against the best choice
        for kind in {"worlds", "gains"} & set(p):
            p[kind].reverse()
    code, said = damaged(turned)
    assert code == 1 and "the reason cannot be read" in said, said
    code, said = damaged(lambda p: p["weighed"][0].__setitem__(0, "bet 500"))
    assert code == 1 and "a candidate is not legal" in said, said
    code, said = damaged(lambda p: p.update(record=p["record"] + "0 dance\n"))
    assert code == 1 and "line 3 is not a valid problem" in said, said


def check_verify():
    """What is kept holds in a search again; what is kept the wrong way round does not."""
    path = os.path.join(WORK, "again")
    head, *problems = lines_of(shipped("traps"))
    clear = next(p for p in problems if len(p["weighed"]) == 2 and p["choices"] == 2
                 and p["weighed"][0][1] - p["weighed"][1][1] > 0.2)
    with open(path, "w", encoding="utf-8") as f:
        f.writelines(json.dumps(line) + "\n" for line in (head, clear))
    got = run("traps", "--verify", path, "--worlds", "200")
    assert got.stdout == "1 of 1 problems held (100.0 %), in 200 worlds.\n", got.stdout + got.stderr
    (a, *_), (b, *_) = clear["weighed"]
    clear["weighed"][0][0], clear["weighed"][1][0] = b, a
    with open(path, "w", encoding="utf-8") as f:
        f.writelines(json.dumps(line) + "\n" for line in (head, clear))
    theme = run("traps", "--check", path).stderr
    if "theme" not in theme:
        got = run("traps", "--verify", path, "--worlds", "200")
        assert got.stdout.startswith(f"Game {clear['n']} did not hold."), got.stdout + got.stderr
        assert "0 of 1 problems held (0.0 %)" in got.stdout, got.stdout
        told = json.loads(run("traps", "--verify", path, "--worlds", "200", "--json").stdout)
        assert told == {"problems": 1, "held": 0, "worlds": 200, "failed": [clear["n"]]}, told


def check_interrupted():
    """Ctrl-C: what was found is in the file, whole; the next run goes on. Progress on a terminal."""
    path = os.path.join(WORK, "stopped")
    mine, theirs = pty.openpty()
    p = subprocess.Popen([SALOTTO, "problems", "traps", "--worlds", "16", "--count", "100000",
                          "--keep", path], env=dict(os.environ, LANGUAGE="en"), stderr=theirs,
                         stdout=subprocess.DEVNULL)
    os.close(theirs)
    said = b""
    while not re.search(rb"Problems: [1-9]\d* of 100000, game \d+", said):
        said += os.read(mine, 4096)
    busy = run("traps", "--worlds", "16", "--count", "100000", "--keep", path)
    assert busy.stderr == f"salotto: {path}: another program is writing to it.\n", busy.stderr
    p.send_signal(signal.SIGINT)
    try:
        while True:
            more = os.read(mine, 4096)
            if not more:
                break
            said += more
    except OSError:  # the terminal is gone with the program
        pass
    os.close(mine)
    assert p.wait() == 130, p.returncode
    assert re.search(rb"interrupted after \d+ problems\.", said), said[-300:]
    found = len(lines_of(path)) - 1
    assert found >= 1
    with open(path, "ab") as f:
        f.write(b'{"n":')  # as a full disk leaves it
    got = run("traps", "--worlds", "16", "--count", str(found + 1), "--keep", path)
    assert got.returncode == 1 or len(lines_of(path)) == found + 2, got.stderr
    other = run("traps", "--worlds", "17", "--keep", path)
    assert other.returncode == 1 and "was made with other settings" in other.stderr, other.stderr


def check_misused():
    for args in ((), ("chess",), ("doors", "x"), ("doors", "--count", "0"), ("doors", "--seed", "x")):
        assert run(*args).returncode == 2, args
    missing = os.path.join(WORK, "nowhere", "x")
    for args in (("--check", missing), ("--verify", missing), ("--keep", missing)):
        assert run("doors", *args).returncode == 1, args


for one in GAMES:
    case(f"{one}: the problems that come with the program are sound", lambda game=one: check_shipped(game))
case("all of them in two megabytes", check_size)
for one in ("favor", "traps"):
    case(f"{one}: the same seed, the same problems, in one go or two", lambda game=one: check_again(game))
case("for people, in both languages", check_text)
case("a damaged line is named with what is wrong", check_damaged)
case("searched again", check_verify)
case("interrupted, gone on with", check_interrupted)
case("misused", check_misused)
done()
