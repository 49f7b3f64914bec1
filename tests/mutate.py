#!/usr/bin/env python3
"""Breaks the source and sees that the tests notice.

    tests/mutate.py GAME [RULE...]     breaks each rule of a game in turn
    tests/mutate.py server [TEST...]   breaks what the tests of the server claim
    tests/mutate.py --random N [--seed S] [--in PATH...] [--function PART...]
                                       N random changes of operators and numbers
                                       anywhere in src, or in each of these folders
                                       and files, or only in functions whose name
                                       has one of these parts

tests/mutations/GAME.txt holds, for each rule id, a change of src/games/GAME.c
(or of the file named by a line `file NAME` in the block) that breaks the rule:

    @ doors.guess.wrong
    -exact text that occurs once in the file
    +what to put in its place

tests/mutations/server.txt has the same for the server: each block names a test
and the beginning of a case, `@ ratings: forty games`, and must say its file; it
is guarded when that case fails.

The rule counts as guarded when a test named after it fails, in the vectors, in
GAME_test or in the battery. A random change is killed when any test of its part
of the source fails; the survivors are listed at the end, to be looked at: some
change nothing that could be seen. Works in a copy; the tree is not touched. Ends
with status 1 if a rule is not guarded or has no mutation, or a change survives.
"""
import argparse
import glob
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("CCACHE_NOHASHDIR", "1")  # every copy has another name


def quiet(command, cwd, **more):
    return subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace",
                          **more)


def copy_tree(work):
    """A copy of the tree with a build of its own, without pages."""
    tree = os.path.join(work, "salotto")
    shutil.copytree(TOP, tree, ignore=shutil.ignore_patterns("build*", ".git", "node_modules"))
    setup = quiet(["meson", "setup", "build", "-Dtests=true", "-Dweb=false",
                   "-Dbuildtype=debugoptimized", "-Db_ndebug=false"], tree)
    if setup.returncode:
        sys.exit(setup.stdout)
    return tree


def write(path, text):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


# ---- Rules of a game -----------------------------------------------------------

def read_blocks(path):
    blocks = []
    with open(path, encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            line = line.rstrip("\n")
            if line.startswith("@ "):
                blocks.append({"rule": line[2:].strip(), "file": None, "pairs": []})
            elif line.startswith("file "):
                blocks[-1]["file"] = line[5:].strip()
            elif line.startswith("-"):
                blocks[-1]["pairs"].append([line[1:], ""])
            elif line.startswith("+"):
                blocks[-1]["pairs"][-1][1] = line[1:]
            elif line.strip() and not line.startswith("#"):
                sys.exit(f"{path}:{number}: this line is not understood")
    return blocks


def file_of(block, game):
    return os.path.join("src/games", block["file"] or f"{game}.c")


def broken_by(block, text):
    """(the text with the change made, None), or (None, what is not there once)."""
    for old, new in block["pairs"]:
        if text.count(old) != 1:
            return None, old
        text = text.replace(old, new)
    return text, None


def failures(tree, game):
    """Names of the failing cases, or None when the build breaks."""
    build = quiet(["ninja", "-C", "build", "tests/vectors", "tests/battery",
                   f"tests/{game}_test"], tree)
    if build.returncode:
        return None
    env = dict(os.environ, CMOCKA_MESSAGE_OUTPUT="TAP")
    out = ""
    for command in (["build/tests/vectors", f"tests/vectors/{game}.txt"],
                    [f"build/tests/{game}_test"],
                    ["build/tests/battery", game, "tests/games/signatures"]):
        try:
            run = quiet(command, tree, timeout=1200, env=env)
            out += run.stdout
            if run.returncode < 0 or "Assertion" in run.stdout:
                out += f"not ok - died: {command[0]}\n"
        except subprocess.TimeoutExpired:
            out += f"not ok - hangs: {command[0]}\n"
        named = [l for l in out.splitlines() if l.startswith("not ok")]
        if named:
            return named  # the first layer that notices is enough
    return []


def verdict_on(rule, names):
    if names is None:
        return "NO BUILD"
    if any(rule in n or "died" in n for n in names):
        return "guarded"  # by its name, or an assertion names the place
    return "ELSEWHERE" if names else "UNNOTICED"


def break_rules(game, only):
    blocks = read_blocks(os.path.join(TOP, f"tests/mutations/{game}.txt"))
    bad = 0
    with tempfile.TemporaryDirectory() as work:
        tree = copy_tree(work)
        if failures(tree, game) != []:
            sys.exit("the tests must pass before a rule is broken")
        for b in blocks:
            if only and b["rule"] not in only:
                continue
            path = os.path.join(tree, file_of(b, game))
            with open(path, encoding="utf-8") as f:
                good = f.read()
            broken, unclear = broken_by(b, good)
            verdict = f"UNCLEAR '{unclear}' in" if unclear else None
            if not unclear:
                write(path, broken)
                verdict = verdict_on(b["rule"], failures(tree, game))
                write(path, good)
            bad += verdict != "guarded"
            print(f"{verdict} {b['rule']}", flush=True)
    ids = quiet([os.path.join(TOP, "build/salotto"), "rules", game, "--ids"], TOP)
    if ids.returncode == 0 and not only:
        for rule in sorted(set(ids.stdout.split()) - {b["rule"] for b in blocks}):
            print(f"NO MUTATION {rule}")
            bad += 1
    return 1 if bad else 0


# ---- Claims of the server ------------------------------------------------------

def run_test(tree, test):
    """What a test says; it and all that it has started end with it."""
    script = f"tests/scripts/{test}_test.py"
    unit = not os.path.exists(os.path.join(tree, script))
    command = [f"build/tests/{test}_test"] if unit else ["python3", script, "build/salotto", "."]
    run = subprocess.Popen(command, cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                           text=True, errors="replace", start_new_session=True,
                           env=dict(os.environ, CMOCKA_MESSAGE_OUTPUT="TAP"))
    try:
        return run.communicate(timeout=900)[0]
    except subprocess.TimeoutExpired:
        return "not ok - hangs"
    finally:
        try:
            os.killpg(run.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def claim_verdict(tree, test, words):
    unit = os.path.exists(os.path.join(tree, f"tests/server/{test}_test.c"))
    if quiet(["ninja", "-C", "build", f"tests/{test}_test" if unit else "salotto"], tree).returncode:
        return "NO BUILD"
    failed = [line for line in run_test(tree, test).splitlines() if line.startswith("not ok")]
    if any(words in line or "hangs" in line for line in failed):
        return "guarded"
    return "ELSEWHERE" if failed else "UNNOTICED"


def break_claims(only):
    blocks = read_blocks(os.path.join(TOP, "tests/mutations/server.txt"))
    bad = 0
    with tempfile.TemporaryDirectory() as work:
        tree = copy_tree(work)
        for b in blocks:
            test, words = b["rule"].split(": ", 1)
            if only and test not in only:
                continue
            path = os.path.join(tree, b["file"])
            with open(path, encoding="utf-8") as f:
                good = f.read()
            broken, unclear = broken_by(b, good)
            verdict = f"UNCLEAR '{unclear}' in" if unclear else None
            if not unclear:
                write(path, broken)
                verdict = claim_verdict(tree, test, words)
                write(path, good)
            bad += verdict != "guarded"
            print(f"{verdict} {b['rule']}", flush=True)
    return 1 if bad else 0


# ---- Random changes ------------------------------------------------------------

HANGS_AFTER = 900  # seconds

SWAPS = [(r" == ", " != "), (r" != ", " == "), (r" < ", " <= "), (r" <= ", " < "),
         (r" > ", " >= "), (r" >= ", " > "), (r" && ", " || "), (r" \|\| ", " && "),
         (r" \+ ", " - "), (r" - ", " + "), (r" \* ", " + "), (r" \+= ", " -= "),
         (r" -= ", " += "), (r"\btrue\b", "false"), (r"\bfalse\b", "true"),
         (r"(?<=[(\[ ])!(?=[a-z(])", ""), (r"(?<=[(\[, ])0(?=[;,)\]])", "1"),
         (r"(?<=[(\[, ])1(?=[;,)\]])", "2"), (r"\bcontinue;", "break;")]

# The tests that could notice, by the beginning of the path; the quick ones first.
GUARDS = [
    ("src/core", ["text", "buffer", "fair", "rng", "catalogue", "table", "vectors-doors", "cli", "referee"]),
    ("src/games/doors", ["vectors-doors", "rules-doors", "tensor", "batch", "battery-doors"]),
    ("src/games/favor", ["vectors-favor", "rules-favor", "tensor", "batch", "battery-favor"]),
    ("src/games/traps", ["vectors-traps", "rules-traps", "tensor", "batch", "battery-traps"]),
    ("src/games/louis", ["vectors-louis", "rules-louis", "tensor", "batch", "battery-louis"]),
    ("src/games/court", ["court", "vectors-louis", "rules-louis", "cli", "courts"]),
    ("src/games", ["cfr", "battery-null", "vectors-doors"]),
    ("src/table", ["table", "shortage", "information", "ask", "vectors-doors", "vectors-traps", "battery-null", "referee", "cli"]),
    ("src/review", ["review", "ask", "review_command"]),
    ("src/bots", ["heuristics-", "temper", "search", "ending-favor", "ask", "caps-", "battery-null", "arena"]),
    ("src/arena", ["arena-figures", "arena-opponents", "arena"]),
    ("src/batch", ["batch", "shortage"]),
    ("src/solve/favor/", ["solve_favor"]),
    ("src/solve/traps/", ["solve_traps", "caps-traps", "battery-traps"]),
    ("src/solve/doors/", ["solve", "solve_doors", "policy", "doors-s"]),
    ("src/solve", ["cfr", "solve"]),
    ("src/server", ["clock", "crew", "frames", "glicko", "hash", "names", "request", "results", "room", "store",
                    "sqlite", "serve", "serve_play", "people", "operate", "edges", "access", "moderation", "endings",
                    "courts", "profile", "serve_review", "memory"]),
    ("src/terminal", ["terminal"]),
    ("src/cli/arena", ["arena"]),
    ("src/cli/review", ["review_command", "terminal"]),
    ("src/cli/join", ["join"]),
    ("src/cli/link", ["join"]),
    ("src/cli/local", ["terminal"]),
    ("src/cli/play", ["play", "cli", "words", "terminal"]),
    ("src/cli/verify", ["verify"]),
    ("src/cli/referee", ["referee", "plugin"]),
    ("src/cli", ["cli", "referee", "words", "manuals", "verify", "play", "plugin", "schema", "operate", "terminal"]),
]


def guards_of(path, names):
    wanted = next(g for start, g in GUARDS if path.startswith(start))
    return [n for w in wanted for n in names if n == w or (w.endswith("-") and n.startswith(w))]


def code_only(text):
    """The text with comments, strings and directives blanked, as long as before."""
    def blank(m):
        return re.sub(r"[^\n]", " ", m.group())
    text = re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])\'', blank, text,
                  flags=re.S)
    text = re.sub(r"^[ \t]*#(?:\\\n|[^\n])*", blank, text, flags=re.M)
    return re.sub(r"\bassert\([^;]*;", blank, text)


def only_functions(code, parts):
    """The code with all but these functions blanked; a function ends with a brace in the first column."""
    def blank(m):
        name = re.search(r"(\w+)\(", m.group())
        keep = name and any(part in name.group(1) for part in parts)
        return m.group() if keep else re.sub(r"[^\n]", " ", m.group())
    return re.sub(r".*?(?:^\}[^\n]*$|\Z)", blank, code, flags=re.S | re.M)


def changes_in(tree, place, functions):
    """All (path, from, to, new text) that are to choose from."""
    out = []
    place = os.path.join(tree, place)
    for path in sorted(glob.glob(os.path.join(place, "**/*.c"), recursive=True)) or [place]:
        short = os.path.relpath(path, tree)
        if "/gpu/" in short or not any(short.startswith(start) for start, _ in GUARDS):
            continue  # no test here has a graphics card
        with open(path, encoding="utf-8") as f:
            code = code_only(f.read())
        if functions:
            code = only_functions(code, functions)
        for old, new in SWAPS:
            out += [(short, m.start(), m.end(), new) for m in re.finditer(old, code)]
    return out


def tests_in(tree):
    """{name: (what it needs built, its command, its environment)}"""
    def told(what):
        with open(os.path.join(tree, "build/meson-info", f"intro-{what}.json"), encoding="utf-8") as f:
            return json.load(f)
    build = os.path.join(tree, "build")
    made = {t["id"]: [os.path.relpath(f, build) for f in t["filename"]] for t in told("targets")}
    return {t["name"]: ([f for d in t["depends"] for f in made[d]], t["cmd"], t["env"])
            for t in told("tests")}


def fails(tree, command, env):
    """Whether a test fails, dies or hangs; it and all that it has started end with the first case."""
    run = subprocess.Popen(command, cwd=os.path.join(tree, "build"), stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL, text=True, errors="replace",
                           start_new_session=True, env=dict(os.environ, **env))
    def end():
        try:
            os.killpg(run.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    hangs = threading.Timer(HANGS_AFTER, end)
    hangs.start()
    try:
        return any(line.startswith("not ok") for line in run.stdout) or run.wait() != 0
    finally:
        hangs.cancel()
        end()
        run.wait()


def killed(tree, guards, tests):
    """The test that fails, or ""; None when it does not compile."""
    for name in guards:
        needed, command, env = tests[name]
        if quiet(["ninja", "-C", "build", *needed], tree).returncode:
            return None
        if fails(tree, command, env):
            return name
    return ""


def try_change(tree, change, tests):
    path, start, end, new = change
    full = os.path.join(tree, path)
    with open(full, encoding="utf-8") as f:
        good = f.read()
    write(full, good[:start] + new + good[end:])
    try:
        verdict = killed(tree, guards_of(path, tests), tests)
    finally:
        write(full, good)
    number = good.count("\n", 0, start) + 1
    line = good.splitlines()[number - 1].strip()
    where = f"{path}:{number}: '{good[start:end].strip()}' -> '{new.strip()}' in: {line}"
    return verdict, where


def break_at_random(count, seed, places, functions):
    rng = random.Random(seed)
    survivors, tried, proven = [], 0, set()
    with tempfile.TemporaryDirectory() as work:
        tree = copy_tree(work)
        if quiet(["ninja", "-C", "build"], tree).returncode:
            sys.exit("the source must build before it is broken")
        tests, chosen = tests_in(tree), []
        for place in places:
            changes = changes_in(tree, place, functions)
            if not changes:
                sys.exit(f"there is nothing to change in {place}")
            chosen += rng.sample(changes, min(count, len(changes)))
        for change in chosen:
            verdict, where = try_change(tree, change, tests)
            if verdict and verdict not in proven:
                if killed(tree, [verdict], tests) != "":
                    sys.exit(f"{verdict} fails without any change")
                proven.add(verdict)
            print(f"{'no build' if verdict is None else verdict or 'SURVIVED':12} {where}",
                  flush=True)
            tried += verdict is not None
            if verdict == "":
                survivors.append(where)
    print(f"{len(survivors)} of {tried} changes survived (seed {seed})")
    for where in survivors:
        print(f"  {where}")
    return 1 if survivors else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?")
    parser.add_argument("rule", nargs="*")
    parser.add_argument("--random", type=int, metavar="N")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--in", dest="places", nargs="+", default=["src"], metavar="PATH")
    parser.add_argument("--function", nargs="+", default=[], metavar="PART")
    wish = parser.parse_args()
    if wish.random and not wish.game:
        return break_at_random(wish.random, wish.seed, wish.places, wish.function)
    if wish.game == "server" and not wish.random:
        return break_claims(set(wish.rule))
    if wish.game and not wish.random:
        return break_rules(wish.game, set(wish.rule))
    parser.error("name a game, or --random N")


if __name__ == "__main__":
    sys.exit(main())
