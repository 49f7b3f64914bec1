"""The command lines of README and docs that are marked as runnable do what they say, and every link
leads to a file, and there to a heading.

    docs_test.py SALOTTO TOP

In the fence of a block, after the language:

    run           its lines are run by a shell, one after another; each must end well
    file=NAME     the block is a file of that name for the blocks after it

In a `jsonl run` block, what stands after "> " is a request to the referee and after "< " its reply, lines
that go on are indented, and "…" stands for anything; blanks do not count.

In a `console run` block, commands begin with "$ " and what follows is what they print; a line "…" stands
for any lines, and "…" inside a line for anything; what stands after "> " is typed. The blocks of one document share a folder, in which
`build/salotto`, `examples` and so on are found as in the sources, and `salotto` is on the path.
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

from tap import case, done

SALOTTO, TOP = (os.path.abspath(a) for a in sys.argv[1:3])
BLOCK = re.compile(r"^```(\w+) ([^\n]+)\n(.*?)^```$", re.M | re.S)
LINKED = ("docs", "examples", "python", "share", "src", "tests")


def blocks(path):
    with open(path, encoding="utf-8") as f:
        text = f.read()
    return [(kind, words.split(), body) for kind, words, body in BLOCK.findall(text)]


def run(command, work, typed=""):
    env = dict(os.environ, LANGUAGE="en", LC_ALL="C.UTF-8", HOME=work, XDG_STATE_HOME=work,
               PATH=os.path.join(work, "build") + ":" + os.environ["PATH"])
    got = subprocess.run(["sh", "-euc", command], cwd=work, env=env, text=True, input=typed,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert got.returncode == 0, f"{command}\n{got.stdout}"
    return got.stdout


def pattern(lines):
    """What was shown, as a regular expression."""
    parts = [r"(?:.*\n)*?" if line == "…" else ".*?".join(map(re.escape, line.split("…"))) + r"\n"
             for line in lines]
    return re.compile("".join(parts))


def converse(body, work):
    for part in re.split(r"^\$ ", body, flags=re.M)[1:]:
        command, *shown = part.rstrip("\n").split("\n")
        printed = run(command, work, "".join(line[2:] + "\n" for line in shown if line.startswith("> ")))
        assert pattern(shown).fullmatch(printed), f"$ {command}\nprints:\n{printed}\nand not:\n" + "\n".join(shown)


def squeezed(text):
    return re.sub(r"\s+", "", text)


def talk(body, work):
    """A conversation with the referee."""
    parts = re.split(r"^([<>]) ", body, flags=re.M)[1:]
    lines = {mark: [t for m, t in zip(parts[::2], parts[1::2]) if m == mark] for mark in "<>"}
    replies = run("salotto referee", work, "".join(re.sub(r"\n\s*", "", q) + "\n" for q in lines[">"])).splitlines()
    assert len(replies) == len(lines["<"]), replies
    for shown, reply in zip(lines["<"], replies):
        wanted = ".*?".join(map(re.escape, squeezed(shown).split("…")))
        assert re.fullmatch(wanted, squeezed(reply)), f"{reply}\nand not:\n{shown}"


def follow(path):
    with tempfile.TemporaryDirectory(prefix="salotto-docs-") as work:
        os.mkdir(os.path.join(work, "build"))
        os.symlink(SALOTTO, os.path.join(work, "build", "salotto"))
        for name in LINKED:
            os.symlink(os.path.join(TOP, name), os.path.join(work, name))
        for kind, words, body in blocks(path):
            name = next((w[len("file="):] for w in words if w.startswith("file=")), None)
            if name:
                with open(os.path.join(work, name), "w", encoding="utf-8") as f:
                    f.write(body)
            elif "run" in words and kind == "console":
                converse(body, work)
            elif "run" in words and kind == "jsonl":
                talk(body, work)
            elif "run" in words:
                run(body, work)


def has_runnable(path):
    return any("run" in words for _, words, _ in blocks(path))


def prose(path):
    """A document without its blocks of code."""
    with open(path, encoding="utf-8") as f:
        return re.sub(r"^```.*?^```$", "", f.read(), flags=re.M | re.S)


def headings(path):
    """The names by which a document's headings can be linked to."""
    text = prose(path)
    words = (re.sub(r"[^\w\- ]", "", h.strip().lower()).replace(" ", "-") for h in re.findall(r"^#+ (.*)$", text, re.M))
    return {*words, *re.findall(r'<a id="([^"]+)"', text)}


def check_links(path):
    for link in re.findall(r"\]\(([^)\s]+)\)", prose(path)):
        name, _, heading = link.partition("#")
        target = os.path.join(os.path.dirname(path), name) if name else path
        if "://" not in link:
            assert os.path.exists(target), f"{link} is not there"
            assert not heading or heading in headings(target), f"{link}: there is no such heading"


DOCUMENTS = sorted(p for where in ("*.md", "docs/*.md", "docs/rules/*.md", "tests/*/*.md")
                   for p in glob.glob(os.path.join(TOP, where)))
for page in DOCUMENTS:
    case(f"the links of {os.path.relpath(page, TOP)}", check_links, page)
PAGES = [p for p in DOCUMENTS if has_runnable(p)]
assert PAGES, "no document has a runnable block"
for page in PAGES:
    case(f"the commands of {os.path.relpath(page, TOP)}", follow, page)
done()
