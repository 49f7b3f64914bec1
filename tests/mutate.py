#!/usr/bin/env python3
"""Breaks the source and sees that the tests notice.

    tests/mutate.py GAME [RULE...]     breaks each rule of a game in turn
    tests/mutate.py server [TEST...]   breaks what the tests of the server claim
    tests/mutate.py --random N [--seed S] [--quick] [--in PATH...] [--function PART...]
                                       N random changes of operators and numbers
                                       anywhere in src, or in each of these folders
                                       and files, or only in functions whose name
                                       has one of these parts
    tests/mutate.py --at PATH:LINE... [--quick]
                                       all such changes on these lines

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
of the source fails. All changes meet the quick tests first; those that survive
then meet the slow ones, or not with --quick. A test that takes ten times as long as
usual hangs. The survivors are listed at the end (Ctrl-C and SIGTERM are ends, too),
to be looked at: some change nothing that could be seen.
Works in a copy; the tree is not touched. Ends with status 1 if a rule is not
guarded or has no mutation, or a change survives.
"""
import argparse
import contextlib
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
import time

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("CCACHE_NOHASHDIR", "1")  # every copy has another name


def quiet(command, cwd, **more):
    return subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace",
                          **more)


def copy_tree(work, *options):
    """A copy of the tree with a build of its own, without pages."""
    tree = os.path.join(work, "salotto")
    shutil.copytree(TOP, tree, ignore=shutil.ignore_patterns("build*", ".git", "node_modules"))
    setup = quiet(["meson", "setup", "build", "-Dtests=true", "-Dweb=false",
                   "-Dbuildtype=debugoptimized", "-Db_ndebug=false", *options], tree)
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


def is_guarded(tree, block, path, judge):
    """Makes the change of a block, says what `judge` finds, and takes it back."""
    path = os.path.join(tree, path)
    with open(path, encoding="utf-8") as f:
        good = f.read()
    broken, unclear = broken_by(block, good)
    if unclear:
        verdict = f"UNCLEAR '{unclear}' in"
    else:
        write(path, broken)
        verdict = judge()
        write(path, good)
    print(f"{verdict} {block['rule']}", flush=True)
    return verdict == "guarded"


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
            bad += not is_guarded(tree, b, file_of(b, game), lambda: verdict_on(b["rule"], failures(tree, game)))
    ids = quiet([os.path.join(TOP, "build/salotto"), "rules", game, "--ids"], TOP)
    if ids.returncode == 0 and not only:
        for rule in sorted(set(ids.stdout.split()) - {b["rule"] for b in blocks}):
            print(f"NO MUTATION {rule}")
            bad += 1
    return 1 if bad else 0


# ---- Claims of the server ------------------------------------------------------

ENDS_WITHIN = 60  # seconds for a test that was told to end: it stops servers, terminals and databases


def end_test(run):
    """As Ctrl-C would, for what it has started elsewhere; then all that is left in its session."""
    run.send_signal(signal.SIGINT)
    try:
        run.wait(timeout=ENDS_WITHIN)
    except subprocess.TimeoutExpired:
        pass
    try:
        os.killpg(run.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    run.wait()


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
        end_test(run)


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
            bad += not is_guarded(tree, b, b["file"], lambda: claim_verdict(tree, test, words))
    return 1 if bad else 0


# ---- Random changes ------------------------------------------------------------

HANGS_AFTER = 900  # seconds, before it is known how long the test takes; it is told as one that hangs

SWAPS = [(r" == ", " != "), (r" != ", " == "), (r" < ", " <= "), (r" <= ", " < "),
         (r" > ", " >= "), (r" >= ", " > "), (r" && ", " || "), (r" \|\| ", " && "),
         (r" \+ ", " - "), (r" - ", " + "), (r" \* ", " + "), (r" \+= ", " -= "),
         (r" -= ", " += "), (r"\btrue\b", "false"), (r"\bfalse\b", "true"),
         (r"(?<=[(\[ ])!(?=[a-z(])", ""), (r"(?<=[(\[, ])0(?=[;,)\]])", "1"),
         (r"(?<=[(\[, ])1(?=[;,)\]])", "2"), (r"\bcontinue;", "break;")]

# The tests that could notice, by the beginning of the path; the quick ones first.
GUARDS = [
    ("src/core", ["text", "buffer", "fair", "rng", "catalogue", "table", "vectors-doors", "cli", "referee"]),
    ("src/games/doors", ["vectors-doors", "rules-doors", "tensor", "batch", "ask", "battery-doors"]),
    ("src/games/favor", ["vectors-favor", "rules-favor", "tensor", "batch", "ask", "battery-favor"]),
    ("src/games/traps", ["vectors-traps", "rules-traps", "tensor", "batch", "ask", "battery-traps"]),
    ("src/games/louis", ["vectors-louis", "rules-louis", "tensor", "batch", "ask", "battery-louis"]),
    ("src/games/court", ["court", "vectors-louis", "rules-louis", "cli", "courts"]),
    ("src/games", ["cfr", "vectors-null", "battery-null", "vectors-doors"]),
    ("src/table", ["table", "shortage", "information", "ask", "vectors-doors", "vectors-traps", "battery-null", "referee", "cli"]),
    ("src/review", ["review", "ask", "review_command"]),
    ("src/bots/master", ["solve_traps", "ending-favor", "policy", "caps-", "arena"]),
    ("src/bots", ["heuristics-", "temper", "search", "arena-opponents", "ending-favor", "ask", "caps-", "battery-null",
                  "arena"]),
    ("src/arena", ["arena-figures", "arena-opponents", "arena"]),
    ("src/batch", ["batch", "shortage"]),
    ("src/solve/favor/", ["solve_favor", "ending-favor"]),
    ("src/solve/traps/", ["solve_traps", "caps-traps", "battery-traps"]),
    ("src/solve/doors/", ["solve", "explore", "solve_doors", "policy", "doors-s"]),
    ("src/solve", ["cfr", "solve"]),
    ("src/server/store/postgres", ["store-postgresql", "results-postgresql", "postgresql"]),
    ("src/server/store/lease", ["faults"]),
    ("src/server/forward", ["faults"]),
    ("src/server/lend", ["lend"]),
    ("src/server", ["clock", "crew", "frames", "glicko", "hash", "limits", "mind", "names", "request",
                    "results", "room", "sealed", "store",
                    "sqlite", "serve", "serve_play", "people", "operate", "edges", "access", "moderation", "endings",
                    "courts", "profile", "push", "ratings", "serve_review", "memory"]),
    ("src/terminal", ["terminal"]),
    ("src/cli/arena", ["arena"]),
    ("src/cli/review", ["review_command", "terminal"]),
    ("src/cli/problems", ["problems"]),
    ("src/cli/join", ["join"]),
    ("src/cli/link", ["join"]),
    ("src/cli/local", ["terminal"]),
    ("src/cli/play", ["play", "cli", "words", "terminal"]),
    ("src/cli/verify", ["verify"]),
    ("src/cli/referee", ["referee", "plugin"]),
    ("src/cli", ["cli", "referee", "words", "manuals", "verify", "play", "plugin", "schema", "operate", "terminal"]),
]


# Those that take long; all others are quick.
SLOW = ("access", "arena", "battery-", "caps-", "courts", "edges", "endings", "faults", "join", "lend", "memory", "moderation",
        "operate", "people", "plugin", "policy", "profile", "push", "ratings", "review_command", "schema", "serve", "solve_doors",
        "terminal")


def named(name, wanted):
    return name == wanted or (wanted.endswith("-") and name.startswith(wanted))


def is_slow(name):
    return name.startswith("serve_") or any(named(name, slow) for slow in SLOW)


def guards_of(path, names, slow):
    wanted = next(g for start, g in GUARDS if path.startswith(start))
    return [n for w in wanted for n in names if named(n, w) and is_slow(n) == slow]


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


def fails(tree, command, env, limit):
    """"fails" (or dies), "hangs" or ""; it and all that it has started end with the first case."""
    run = subprocess.Popen(command, cwd=os.path.join(tree, "build"), stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL, text=True, errors="replace",
                           start_new_session=True, env=dict(os.environ, **env))
    hangs = threading.Event()

    def late():
        hangs.set()
        end_test(run)
    timer = threading.Timer(limit, late)
    timer.start()
    try:
        if any(line.startswith("not ok") for line in run.stdout):
            return "hangs" if hangs.is_set() else "fails"
        failed = run.wait() != 0
        return "hangs" if hangs.is_set() else "fails" if failed else ""
    finally:
        timer.cancel()
        end_test(run)


def described(tree, change):
    path, start, end, new = change
    with open(os.path.join(tree, path), encoding="utf-8") as f:
        good = f.read()
    number = good.count("\n", 0, start) + 1
    line = good.splitlines()[number - 1].strip()
    return f"{path}:{number}: '{good[start:end].strip()}' -> '{new.strip()}' in: {line}"


def choose(tree, rng, count, places, functions):
    chosen = []
    for place in places:
        changes = changes_in(tree, place, functions)
        if not changes:
            sys.exit(f"there is nothing to change in {place}")
        chosen += rng.sample(changes, min(count, len(changes)))
    return chosen


def at_lines(tree, lines):
    """All changes on lines that are named as compilers do: src/core/text.c:12."""
    chosen = []
    for place in lines:
        path, number = place.rsplit(":", 1)
        with open(os.path.join(tree, path), encoding="utf-8") as f:
            text = f.read()
        found = [c for c in changes_in(tree, path, []) if text.count("\n", 0, c[1]) + 1 == int(number)]
        if not found:
            sys.exit(f"there is nothing to change at {place}")
        chosen += found
    return chosen


@contextlib.contextmanager
def changed(tree, change):
    path, start, end, new = change
    full = os.path.join(tree, path)
    with open(full, encoding="utf-8") as f:
        good = f.read()
    write(full, good[:start] + new + good[end:])
    try:
        yield
    finally:
        write(full, good)


class Trials:
    """What has become of each change so far."""

    def __init__(self, tree, chosen):
        self.tree, self.tests = tree, tests_in(tree)
        self.left, self.untried, self.tried = list(chosen), [], 0
        self.sound = {}  # whether a test passes without any change
        self.took = {}  # seconds of a test that has passed

    def try_test(self, name):
        """How the test fails, or ""; None when it does not compile."""
        needed, command, env = self.tests[name]
        if quiet(["ninja", "-C", "build", *needed], self.tree).returncode:
            return None
        begun = time.monotonic()
        how = fails(self.tree, command, env, 60 + 10 * self.took[name] if name in self.took else HANGS_AFTER)
        if not how:
            self.took[name] = max(time.monotonic() - begun, self.took.get(name, 0))
        return how

    def is_sound(self, name):
        """A test that also fails without any change says nothing."""
        if name not in self.sound:
            self.sound[name] = self.try_test(name) == ""
            if not self.sound[name]:
                print(f"{name} fails without any change, and says nothing", flush=True)
        return self.sound[name]

    def killer(self, change, slow):
        """The test that fails and how, or ""; None when it does not compile."""
        for name in guards_of(change[0], self.tests, slow):
            if not self.sound.get(name, True):
                continue
            with changed(self.tree, change):
                how = self.try_test(name)
            if how is None:
                return None
            if how and self.is_sound(name):
                return name if how == "fails" else f"{name} ({how})"
        return ""

    def meet(self, slow):
        """The changes that are left meet the quick tests, or the slow ones."""
        waiting, self.left = self.left, []
        for i, change in enumerate(waiting):
            try:
                verdict = self.killer(change, slow)
            except KeyboardInterrupt:
                self.untried = waiting[i:]
                raise
            print(f"{'no build' if verdict is None else verdict or '-':12} {described(self.tree, change)}",
                  flush=True)
            self.tried += verdict is not None and not slow
            if verdict == "":
                self.left.append(change)

    def tell(self):
        print(f"{len(self.left)} of {self.tried} changes survived")
        for change in self.left:
            print(f"  {described(self.tree, change)}")
        for change in self.untried:
            print(f"  not tried: {described(self.tree, change)}")


def break_all(choice, slow_too):
    """`choice` says, for a tree, which changes are to be tried."""
    with tempfile.TemporaryDirectory() as work:
        tree = copy_tree(work)
        if quiet(["ninja", "-C", "build"], tree).returncode:
            sys.exit("the source must build before it is broken")
        trials = Trials(tree, choice(tree))
        try:
            trials.meet(slow=False)
            if slow_too:
                print(f"{len(trials.left)} of {trials.tried} have survived the quick tests", flush=True)
                trials.meet(slow=True)
        except KeyboardInterrupt:
            print("interrupted")
        trials.tell()
        return 1 if trials.left else 0


def break_at_random(wish):
    print(f"seed {wish.seed}", flush=True)
    return break_all(lambda tree: choose(tree, random.Random(wish.seed), wish.random, wish.places, wish.function),
                     not wish.quick)


def main():
    for ends in (signal.SIGINT, signal.SIGTERM):  # also where a shell's "&" ignores the first
        signal.signal(ends, signal.default_int_handler)
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?")
    parser.add_argument("rule", nargs="*")
    parser.add_argument("--random", type=int, metavar="N")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--at", nargs="+", default=[], metavar="PATH:LINE")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--in", dest="places", nargs="+", default=["src"], metavar="PATH")
    parser.add_argument("--function", nargs="+", default=[], metavar="PART")
    wish = parser.parse_args()
    if wish.at and not wish.game:
        return break_all(lambda tree: at_lines(tree, wish.at), not wish.quick)
    if wish.random and not wish.game:
        return break_at_random(wish)
    if wish.game == "server" and not wish.random:
        return break_claims(set(wish.rule))
    if wish.game and not wish.random:
        return break_rules(wish.game, set(wish.rule))
    parser.error("name a game, --random N, or --at PATH:LINE")


if __name__ == "__main__":
    sys.exit(main())
