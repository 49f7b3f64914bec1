"""`salotto verify` against records that are right, unproven and forged, and the script of
docs/fair-deals.md, which knows nothing of ours, over the same records.

    verify_test.py SALOTTO SOURCE_ROOT
"""
import json
import os
import re
import subprocess
import sys
import tempfile

from tap import case, done

SALOTTO, TOP = (os.path.abspath(a) for a in sys.argv[1:3])
GAMES = {"doors": (2,), "favor": (2, 4), "traps": (2, 3, 6), "louis": (2, 3, 4)}
PROVEN, WRONG, UNPROVEN = 0, 1, 3
WORK = tempfile.mkdtemp()
SCRIPT = os.path.join(WORK, "redeal.py")


def run(*args, text="", lang="en"):
    return subprocess.run([SALOTTO, *args], input=text, env=dict(os.environ, LANGUAGE=lang),
                          text=True, capture_output=True)


def write(text, name="record"):
    path = os.path.join(WORK, name)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    return path


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def verify(text):
    """Status and verdict, the same from a file, from standard input and in words."""
    path = write(text)
    got = run("verify", "--json", path)
    assert got.stderr == "", got
    verdict = json.loads(got.stdout)
    piped = run("verify", "-", "--json", text=text)
    assert (piped.returncode, piped.stdout) == (got.returncode, got.stdout), piped
    for lang in ("en", "it"):
        said = run("verify", path, lang=lang)
        assert said.returncode == got.returncode, said
        if got.returncode == WRONG:
            assert said.stdout == "" and said.stderr.count("\n") == 1, said
    assert got.returncode == {"proven": 0, "unproven": 3, "wrong": 1}[verdict["verdict"]]
    return got.returncode, verdict


def stranger(text):
    """What the script of the page makes of it: proven, not proven; or None and its complaint."""
    got = subprocess.run([sys.executable, SCRIPT, write(text)], text=True, capture_output=True)
    said = re.match(r"(\d+) draws proven, (\d+) not proven", got.stdout)
    if got.returncode == 0 and said:
        return int(said[1]), int(said[2])
    assert got.returncode == 1 and re.match(r"line \d+: ", got.stderr), got
    return None, got.stderr


def game(name, players, *lines):
    """The record of a whole game among bots, set up by these lines of a record."""
    head = ["salotto record 2", f"game {name}", f"players {players}", *lines]
    if not any(line.startswith("seed ") for line in lines):
        head.append("seed " + os.urandom(32).hex())
    start, end = write("\n".join(head) + "\n", "start"), os.path.join(WORK, "end")
    if os.path.exists(end):
        os.remove(end)
    got = run("play", "--load", start, "--people", "0", "--bot", "random", "--record", end)
    assert got.returncode == 0, got
    return read(end)


def without(text, *words):
    return "".join(line + "\n" for line in text.splitlines() if line.split()[0] not in words)


def both_agree(name):
    for players in GAMES[name]:
        text = game(name, players)
        status, verdict = verify(text)
        assert status == PROVEN, verdict
        draws = text.count("\n= ")
        assert draws > 5 and verdict["draws"]["proven"] == draws, verdict
        assert stranger(text) == (draws, 0)
        parts = [os.urandom(32).hex() for _ in range(players)]
        text = game(name, players, *(f"part {s} {p}" for s, p in enumerate(parts)))
        assert verify(text)[1]["parts"] == players
        assert stranger(text) == (text.count("\n= "), 0)


def deals_are_no_proof(name):
    deal = {"doors": "deal 1 deck 0 RL RL BL BL RT", "favor": "deal 2 deck 0 BR LT",
            "traps": "deal 1 doors 0 BT", "louis": "deal 1 influence 0 J J J"}[name]
    text = game(name, 2, deal)
    status, verdict = verify(text)
    fixed = len(deal.split()) - 4
    assert status == UNPROVEN and verdict["draws"]["fixed"] == fixed, verdict
    draws = text.count("\n= ")
    assert stranger(text) == (draws - fixed, fixed)


def another_court():
    with open(os.path.join(TOP, "src", "games", "court.json"), encoding="utf-8") as f:
        court = json.load(f)
    court["counts"].update(influence_per_character=1, influence_jokers=9, shields_per_kind=7)
    court["money_cards"][1] = court["money_cards"][4]
    court["missions"].reverse()
    text = game("louis", 4, "option court " + json.dumps(court))
    assert verify(text)[0] == PROVEN
    assert "\npile " in text, "no reshuffle in a whole game with few cards"
    assert stranger(text) == (text.count("\n= "), 0)


def nothing_fits_without_keys(name):
    """Without seed and keys nothing is proven, whatever commitment is there."""
    text = game(name, 2)
    bare = without(text, "seed")
    draws = text.count("\n= ")
    for commitment in (None, "ab" * 32):
        forged = without(bare, "commit")
        if commitment:
            forged = forged.replace("players 2\n", f"players 2\ncommit {commitment}\n")
        status, verdict = verify(forged)
        assert status == UNPROVEN and verdict["draws"]["unchecked"] == draws, verdict
        assert verdict["commitment"] == commitment and verdict["keys"] == 0
        assert verdict["draws"]["proven"] == 0
        said = run("verify", write(forged)).stdout
        assert " fit" not in said and "Not checked" in said and "not proven" in said, said
        assert stranger(forged) == (0, draws)
    # A seed without a commitment could have been picked afterwards.
    status, verdict = verify(without(text, "commit"))
    assert status == UNPROVEN and verdict["draws"]["recomputed"] == draws, verdict
    assert verdict["draws"]["proven"] == 0


def forged_draws(name):
    """Any draw that is swapped for a card that could have come is found at its own line, with
    the card that was due."""
    text = game(name, 2)
    lines = text.splitlines()
    draws = [i for i, line in enumerate(lines) if line.startswith("= ")]
    pile = lambda i: lines[i].split()[2:4]
    tried = 0
    for i in draws[:: max(1, len(draws) // 6)]:
        card = lines[i].split()[1]
        other = next((lines[k].split()[1] for k in draws if pile(k)[1] == pile(i)[1] and
                      lines[k].split()[1] != card), None)
        if other is None:
            continue
        forged = lines[:]
        forged[i] = f"= {other} " + " ".join(lines[i].split()[2:])
        status, verdict = verify("\n".join(forged) + "\n")
        assert status == WRONG and verdict["line"] == i + 1, (verdict, i + 1, forged[i])
        assert verdict["due"] == card and f"Line {i + 1}: " in verdict["message"], verdict
        assert f" {card}, not {other}" in verdict["message"], verdict
        nothing, complaint = stranger("\n".join(forged) + "\n")
        assert nothing is None and complaint.startswith(f"line {i + 1}:"), complaint
        tried += 1
    assert tried >= 3, tried
    at = draws[len(draws) // 2]
    status, verdict = verify("\n".join(lines[:at] + lines[at + 1:]) + "\n")
    assert status == WRONG and at < verdict["line"] <= at + 2, (verdict, at)
    status, verdict = verify("\n".join(lines[:at] + [lines[at]] + lines[at:]) + "\n")
    assert status == WRONG and verdict["line"] in (at + 2, at + 3), (verdict, at)


def forged_keys():
    text = game("doors", 2)
    seed = re.search(r"^seed (\w+)$", text, re.M)[1]
    other = ("0" if seed[0] != "0" else "1") + seed[1:]
    status, verdict = verify(text.replace(seed, other))
    number = 1 + [line.split()[0] for line in text.splitlines()].index("commit")
    assert status == WRONG and verdict["line"] == number, verdict
    assert stranger(text.replace(seed, other))[0] is None


def first_version():
    """Records of the first version, without addresses, are as good as before."""
    text = re.sub(r"^(= \S+) .*$", r"\1", without(game("louis", 3), "pile"), flags=re.M)
    text = text.replace("salotto record 2", "salotto record 1")
    assert verify(text)[0] == PROVEN


def misuse():
    for args in ((), ("a", "b"), ("--nope", "a"), ("--json",)):
        assert run("verify", *args).returncode == 2, args
    got = run("verify", "--json", "-", text="\0")
    assert got.returncode == 1 and json.loads(got.stdout)["line"] is None, got


with open(os.path.join(TOP, "docs", "fair-deals.md"), encoding="utf-8") as page:
    write(re.search(r"```python\n(.*?)```", page.read(), re.S)[1], "redeal.py")
for each in GAMES:
    case(f"{each}: verify and the page's script prove every draw", both_agree, each)
    case(f"{each}: a deal that was fixed is no proof", deals_are_no_proof, each)
    case(f"{each}: without keys nothing is said to fit", nothing_fits_without_keys, each)
    case(f"{each}: a forged draw is found where it stands", forged_draws, each)
case("Louis XIV with another court", another_court)
case("a forged seed is found", forged_keys)
case("records of the first version are read", first_version)
case("verify: misuse", misuse)
done()
