"""Programs that build on the library: public headers alone under every standard and compiler, and
the examples, compiled and run from an installed prefix.

    consumer_test.py SALOTTO SOURCE_ROOT
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

from tap import case, done

SALOTTO, TOP = (os.path.abspath(a) for a in sys.argv[1:3])
BUILD = os.path.dirname(SALOTTO)
WORK = tempfile.mkdtemp(prefix="salotto-consumer-")
HEADERS = sorted(os.path.basename(h) for h in glob.glob(os.path.join(TOP, "include/salotto/*.h")))
SANITIZE = []


def run(*command, **more):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)


def check_headers(compiler, standard):
    """Each header alone, all in one call of the compiler."""
    end = "cc" if "++" in standard else "c"
    files = []
    for name in HEADERS:
        files.append(os.path.join(WORK, name[:-1] + end))
        with open(files[-1], "w", encoding="utf-8") as f:
            f.write(f"#include <salotto/{name}>\n")
    got = run(compiler, "-std=" + standard, "-fsyntax-only", "-Wall", "-Wextra", "-pedantic", "-Werror",
              "-I" + os.path.join(TOP, "include"), *files)
    assert got.returncode == 0, got.stdout[:3000]


def check_names():
    """Whatever a header defines has the prefix; nothing but the standard's types is used."""
    for name in HEADERS:
        with open(os.path.join(TOP, "include/salotto", name), encoding="utf-8") as f:
            text = f.read()
        odd = [m for m in re.findall(r"^#define (\w+)", text, re.M) if not m.startswith(("SAL_", "SALOTTO_"))]
        assert not odd, (name, odd)
        assert "__int128" not in text, name
        assert len(re.match(r"/\*.*?\*/", text, re.S)[0]) > 40, f"{name} does not say what it is for"


def install():
    got = run("meson", "install", "-C", BUILD, "--no-rebuild", "--destdir", os.path.join(WORK, "root"))
    assert got.returncode == 0, got.stdout
    for folder, _, names in os.walk(os.path.join(WORK, "root")):
        if "salotto.pc" in names:
            return folder
    raise AssertionError("no salotto.pc was installed")


def flags(folder, *words):
    with open(os.path.join(folder, "salotto.pc"), encoding="utf-8") as f:
        prefix = f.readline().strip().split("=")[1]
    got = subprocess.run(["pkg-config", f"--define-variable=prefix={WORK}/root{prefix}", *words, "salotto"],
                         env={**os.environ, "PKG_CONFIG_PATH": folder}, stdout=subprocess.PIPE, text=True)
    assert got.returncode == 0
    return got.stdout.split()


def compile_example(folder, name):
    program = os.path.join(WORK, name)
    got = run("cc", "-std=c17", "-Wall", "-Wextra", "-Werror", *SANITIZE, os.path.join(TOP, "examples", name + ".c"),
              *flags(folder, "--cflags", "--libs"), "-o", program)
    assert got.returncode == 0, got.stdout
    return program


def check_example(folder, name, said, *command):
    """An example says what it should; it is run by a command where it is not one to run alone."""
    program = compile_example(folder, name)
    environment = {**os.environ, "LD_LIBRARY_PATH": os.path.dirname(folder), "ASAN_OPTIONS": "detect_leaks=1"}
    got = run(*(command or [program]), env=environment)
    assert got.returncode == 0 and re.search(said, got.stdout), got.stdout


def check_uninstalled():
    """Before installing, too, only public headers are found."""
    folder = os.path.join(BUILD, "meson-uninstalled")
    got = run("pkg-config", "--cflags", "salotto", env={**os.environ, "PKG_CONFIG_PATH": folder})
    assert got.returncode == 0, got.stdout
    for path in re.findall(r"-I(\S+)", got.stdout):
        inside = os.path.join(os.path.realpath(TOP), "src")
        assert not os.path.realpath(path).startswith(inside), got.stdout


case("public headers define only names with the prefix", check_names)
for compiler, standards in (("gcc", ("c11", "c17")), ("clang", ("c11", "c17")),
                            ("g++", ("c++11", "c++17", "c++20")),
                            ("clang++", ("c++11", "c++17", "c++20"))):
    for standard in standards:
        case(f"each public header alone: {compiler} -std={standard}", check_headers, compiler, standard)
def check_reference():
    """Every function of the headers has its place in the reference, and every link leads somewhere."""
    folder = os.path.join(WORK, "api")
    got = run(sys.executable, os.path.join(TOP, "tools/api"), folder)
    assert got.returncode == 0, got.stdout
    pages = {}
    for path in glob.glob(os.path.join(folder, "*.html")):
        with open(path, encoding="utf-8") as f:
            pages[os.path.basename(path)] = f.read()
    for name, text in pages.items():
        for page, anchor in re.findall(r'href="([\w.]*)#(\w+)"', text):
            assert f'id="{anchor}"' in pages[page or name], (name, page, anchor)
    for name in HEADERS:
        with open(os.path.join(TOP, "include/salotto", name), encoding="utf-8") as f:
            code = re.sub(r"/\*.*?\*/", "", f.read(), flags=re.S)
        for function in re.findall(r"\b(sal_\w+)\(", code):
            assert f'#{function}"' in pages["index.html"], (name, function)


case("the reference has every function, and its links lead somewhere", check_reference)
case("no private headers before installing", check_uninstalled)
needs = run("ldd", os.path.join(BUILD, "libsalotto.so")).stdout
if "asan" in needs:
    SANITIZE += ["-fsanitize=address,undefined"]
prefix = install()
case("example: a table", check_example, prefix, "evening", r"You take the .*\n(.*\n)*You win the game")
case("example: bots, chances, beliefs", check_example, prefix, "ask", r"The expert: take .*\n\d+ worlds fit")
case("example: learning from batches", check_example, prefix, "learn", r"\d+ games ended; 78 numbers are seen, 742")
case("example: a bot for the arena that thinks with the library", check_example, prefix, "rollout",
     r'"whole":2,', SALOTTO, "arena", "--game", "doors", "--games", "2", "--seed", "1", "--bot", "random",
     "--bot", "cmd:" + os.path.join(WORK, "rollout"), "--move-time", "600000", "--json")
shutil.rmtree(WORK)
done()
