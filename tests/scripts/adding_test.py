"""docs/adding-a-game.md to the letter: its lines are run in a copy of the tree, which
must then build, and the new game pass its tests and be played.

    adding_test.py SOURCE_ROOT
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

from tap import case, done

TOP = os.path.abspath(sys.argv[1])
WORK = tempfile.mkdtemp(prefix="salotto-adding-")
TREE = os.path.join(WORK, "salotto")
# Objects of the same source are the same, wherever it lies.
ENV = dict(os.environ, CCACHE_BASEDIR=WORK, CCACHE_NOHASHDIR="1", LANGUAGE="en",
           CMOCKA_MESSAGE_OUTPUT="TAP",
           SALOTTO_POLICY=os.path.join(TOP, "share/doors.policy"))


def run(*command, **more):
    return subprocess.run(command, cwd=TREE, env=ENV, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, **more)


def must(*command, **more):
    got = run(*command, **more)
    assert got.returncode == 0, (command, got.stdout[-3000:])
    return got.stdout


def not_source(folder, names):
    return [n for n in names if n in (".git", "node_modules", "data")
            or os.path.exists(os.path.join(folder, n, "build.ninja"))]


def copy():
    shutil.copytree(TOP, TREE, ignore=not_source)
    with open(os.path.join(TREE, "docs/adding-a-game.md"), encoding="utf-8") as f:
        lines = re.search(r"^```sh\n(.*?)^```$", f.read(), re.M | re.S).group(1)
    must("sh", "-e", "-c", lines)
    assert "null" not in open(os.path.join(TREE, "src/games/lanterns.c"), encoding="utf-8").read()


def build():
    """Without pages, which another test builds with one game more."""
    must("meson", "setup", "b", "-Dtests=true", "-Dweb=false", "-Dbuildtype=debug",
         "-Dwerror=true")
    must("ninja", "-C", "b", "salotto", "tests/vectors", "tests/battery", "tests/lanterns_test")


def tests():
    out = must("b/tests/vectors", "tests/vectors/lanterns.txt") + must("b/tests/lanterns_test")
    assert out.count("ok ") >= 3, out
    with open(os.path.join(TREE, "tests/games/signatures"), "a", encoding="utf-8") as f:
        f.write(must("b/tests/battery", "lanterns", "--sign"))
    out = must("b/tests/battery", "lanterns", "tests/games/signatures")
    assert "not ok" not in out and out.count("\nok ") > 20, out


def mutations():
    """What the lines say about breaking it fits the source that they make."""
    sys.path.insert(0, os.path.join(TREE, "tests"))
    import mutate
    blocks = mutate.read_blocks(os.path.join(TREE, "tests/mutations/lanterns.txt"))
    assert [b["rule"] for b in blocks] == must("b/salotto", "rules", "lanterns", "--ids").split()
    for b in blocks:
        with open(os.path.join(TREE, mutate.file_of(b, "lanterns")), encoding="utf-8") as f:
            assert mutate.broken_by(b, f.read())[1] is None, b


def plays():
    assert "Show your coin, or not." in must("b/salotto", "--help")
    assert "`lanterns.win` Everyone who showed heads wins" in must("b/salotto", "rules", "lanterns")
    out = must("b/salotto", "play", "lanterns", "--seed", "1", "--bot", "expert",
               input="show\n")
    assert "You show " in out and "The game is over." in out, out
    out = must("b/salotto", "arena", "--game", "lanterns", "--games", "8", "--bot", "novice",
               "--bot", "regular", "--bot", "expert:sims=20")
    assert "Lanterns" in out, out


try:
    case("the lines are run", copy)
    case("it builds", build)
    case("vectors, rules and battery pass", tests)
    case("its mutations fit", mutations)
    case("it is played in the terminal and in the arena", plays)
finally:
    shutil.rmtree(WORK, ignore_errors=True)
done()
