#!/usr/bin/env python3
"""Breaks each rule of a game in turn and sees that its tests notice.

    tests/mutate.py GAME [RULE...]

tests/mutations/GAME.txt holds, for each rule id, a change of src/games/GAME.c
(or of the file named by a line `file NAME` in the block) that breaks the rule:

    @ doors.guess.wrong
    -exact text that occurs once in the file
    +what to put in its place

The rule counts as guarded when a test named after it fails, in the vectors, in
GAME_test or in the battery. Works in a copy; the tree is not touched. Ends with
status 1 if a rule is not guarded or has no mutation.
"""
import os
import shutil
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


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


def quiet(command, cwd, **more):
    return subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace",
                          **more)


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
            run = quiet(command, tree, timeout=120, env=env)
            out += run.stdout
            if run.returncode < 0 or "Assertion" in run.stdout:
                out += f"not ok - died: {command[0]}\n"
        except subprocess.TimeoutExpired:
            out += f"not ok - hangs: {command[0]}\n"
        named = [l for l in out.splitlines() if l.startswith("not ok")]
        if named:
            return named  # the first layer that notices is enough
    return []


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    game, only = sys.argv[1], set(sys.argv[2:])
    blocks = read_blocks(os.path.join(TOP, f"tests/mutations/{game}.txt"))
    bad = 0
    with tempfile.TemporaryDirectory() as work:
        tree = os.path.join(work, "salotto")
        shutil.copytree(TOP, tree, ignore=shutil.ignore_patterns("build*", ".git"))
        setup = quiet(["meson", "setup", "build", "-Dtests=true",
                       "-Dbuildtype=debugoptimized", "-Db_ndebug=false"], tree)
        if setup.returncode:
            sys.exit(setup.stdout)
        if failures(tree, game) != []:
            sys.exit("the tests must pass before a rule is broken")
        for b in blocks:
            if only and b["rule"] not in only:
                continue
            path = os.path.join(tree, "src/games", b["file"] or f"{game}.c")
            with open(path, encoding="utf-8") as f:
                good = f.read()
            broken = good
            for old, new in b["pairs"]:
                if broken.count(old) != 1:
                    print(f"UNCLEAR  {b['rule']}: '{old}' occurs "
                          f"{broken.count(old)} times")
                    bad += 1
                    break
                broken = broken.replace(old, new)
            else:
                with open(path, "w", encoding="utf-8") as f:
                    f.write(broken)
                names = failures(tree, game)
                with open(path, "w", encoding="utf-8") as f:
                    f.write(good)
                if names is None:
                    verdict = "NO BUILD"
                elif any(b["rule"] in n for n in names):
                    verdict = "guarded "
                elif any("died" in n for n in names):
                    verdict = "guarded "  # an assertion names the place
                elif names:
                    verdict = "ELSEWHERE"
                else:
                    verdict = "UNNOTICED"
                bad += verdict not in ("guarded ",)
                print(f"{verdict} {b['rule']}", flush=True)
    ids = quiet([os.path.join(TOP, "build/salotto"), "rules", game, "--ids"], TOP)
    if ids.returncode == 0 and not only:
        for rule in sorted(set(ids.stdout.split()) - {b["rule"] for b in blocks}):
            print(f"NO MUTATION {rule}")
            bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
