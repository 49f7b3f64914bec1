"""The house in order: layers, headers, rule ids, catalogues, exported names.

    house_test.py SALOTTO SOURCE_ROOT
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
os.chdir(TOP)
COMMON = {"view.redacted", "view.same", "view.structure", "view.spectator",
          "replay.exact"}


def run(*command, **more):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, **more)


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def sources():
    return sorted(p for p in glob.glob("src/**/*.[ch]", recursive=True)
                  if not p.startswith("src/wasm/shim/"))


def games():
    listed = run(SALOTTO, "referee", input='{"op":"games"}\n').stdout
    return re.findall(r'\{"id":"(\w+)"', listed)


def ids(game):
    return run(SALOTTO, "rules", game, "--ids").stdout.split()


# ---- Layers ------------------------------------------------------------------

def layers():
    """Which public headers and folders each folder may include from: the table
    in docs/design.md."""
    table = re.search(r"^```layers\n(.*?)^```", read("docs/design.md"), re.M | re.S)
    assert table, "docs/design.md has no table of layers"
    sets, allowed = {}, {}
    for line in filter(None, table.group(1).splitlines()):
        parts = [p.split() for p in line.split("|")]
        if line.startswith("+"):
            sets[parts[0][0]] = set(parts[1])
        elif parts[0] != ["folder"]:
            (folder,), folders, headers = parts
            public = set()
            for name in headers:
                public |= sets[name] if name.startswith("+") else {name}
            allowed[folder] = (public, set(folders) | {folder})
    return allowed


def folder_of(path):
    return os.path.dirname(path)[len("src/"):]


def included(path, name):
    """The folders that an include without salotto/ can mean."""
    here = os.path.dirname(path)
    if os.path.exists(os.path.join(here, name)):
        return {folder_of(os.path.normpath(os.path.join(here, name)))}
    if name == "games_list.h":
        return {"games"}
    return {folder_of(n) for n in glob.glob(f"src/**/{name}", recursive=True)}


def check_includes():
    allowed = layers()
    for path in sources():
        folder = folder_of(path)
        assert folder in allowed, f"docs/design.md: which includes may {folder} have?"
        public, private = allowed[folder]
        for name in re.findall(r'^\s*#\s*include\s+"([^"]+)"', read(path), re.M):
            if name.startswith("salotto/"):
                assert name[8:-2] in public, f"{path} includes {name}"
            else:
                assert included(path, name) & private, f"{path} includes {name}"


def check_layers_are_all():
    """Every folder with sources is in the table, and no other; and nothing goes
    round in a circle."""
    allowed = layers()
    there = {folder_of(path) for path in sources()}
    assert there == set(allowed), there ^ set(allowed)

    def below(folder, seen):
        for other in allowed[folder][1] - {folder}:
            assert other not in seen, f"{folder} and {other} include each other"
            below(other, seen | {other})
    for folder in allowed:
        below(folder, {folder})


def check_header(path, compiler, language):
    got = run(*compiler, "-fsyntax-only", "-Wall", "-Wextra", "-Werror",
              "-Iinclude", "-x", language, path)
    assert got.returncode == 0, got.stdout


def check_header_says(path):
    """Who may call at once, and who frees what, in the comment that opens it."""
    opening = read(path).split("*/")[0]
    for what in "Threads", "Memory":
        assert re.search(rf"^ \* {what}: \S", opening, re.M), f"{path} does not say '{what}:'"


def check_sql():
    """SQL, and databases, only where the store is."""
    inside = os.path.join("src", "server", "store") + os.sep
    for path in sources():
        if path.startswith("src") and not path.startswith(inside):
            found = re.search(r'sqlite3_|sqlite3\.h|libpq|\bPQ[a-z]|#include "(store/)?sql\.h"|"(SELECT|INSERT|UPDATE|DELETE) ',
                              read(path))
            assert not found, f"{path}: {found[0]}"


def check_exports():
    library = os.path.join(os.path.dirname(SALOTTO), "libsalotto.so")
    names = run("nm", "-D", "--defined-only", library).stdout
    found = [line.split()[-1] for line in names.splitlines()]
    odd = [n for n in found if not n.startswith(("sal_", "_"))]
    if "SALOTTO_COVERAGE" in os.environ:
        odd = [n for n in odd if n != "mangle_path"]  # of libgcov
    assert "sal_table_new" in found and not odd, odd


def check_version():
    """One version, in three places; the change log knows it."""
    version = re.search(r"version: '([\d.]+)'", read("meson.build"))[1]
    minor = ".".join(version.split(".")[:2])
    assert f'#define SAL_VERSION "{version}"' in read("include/salotto/api.h"), version
    assert f'version = "{version}"' in read("python/pyproject.toml"), version
    assert f"soversion: '{minor}'" in read("meson.build"), minor
    assert f"\n## {version} " in read("CHANGELOG.md"), version


def check_length():
    for path in sources() + glob.glob("tests/**/*.c", recursive=True):
        assert read(path).count("\n") <= 1200, f"{path} is too long to read"


def check_format():
    # Versions 14 and 19 agree on it: where they would not, it is written so that they do.
    tool = shutil.which("clang-format")
    assert tool, "clang-format is not installed"
    files = sources() + glob.glob("include/salotto/*.h") + \
        glob.glob("tests/**/*.[ch]", recursive=True) + \
        glob.glob("fuzz/*.c") + glob.glob("examples/*.c")
    got = run(tool, "--dry-run", "-Werror", *files)
    assert got.returncode == 0, got.stdout[:2000]


# ---- Rules -------------------------------------------------------------------

def test_texts():
    names = glob.glob("tests/games/*.c") + glob.glob("tests/vectors/*.txt")
    return {path: read(path) for path in names}


def named_ids(text):
    """Ids in the names of tests: vector headings and quoted C names."""
    found = set()
    for heading in re.findall(r"^== (.*)$", text, re.M):
        found |= set(re.findall(r"[a-z]+(?:\.[a-z0-9-]+)+", heading.split(": ")[0]))
    for name in re.findall(r'\{\s*"((?:[^"\\]|\\.)*(?:"\s*"[^"]*)*)"', text):
        found |= set(re.findall(r"[a-z]+(?:\.[a-z0-9-]+)+", name.split(": ")[0]))
    return found


def check_rules_named(game):
    every = set(ids(game))
    assert len(every) == len(ids(game)) and every, "an id stands twice"
    named = set()
    for text in test_texts().values():
        named |= named_ids(text)
    assert every <= named, f"no test names {sorted(every - named)}"


def check_no_unknown_id():
    known = set(COMMON) | {"null.turn", "null.win"}
    for game in games():
        known |= set(ids(game))
    prefixes = {i.split(".")[0] for i in known}
    for path, text in test_texts().items():
        for name in named_ids(text):
            if name.split(".")[0] in prefixes:
                assert name in known, f"{path} names {name}, which is no rule"


def check_common_named():
    named = set()
    for text in test_texts().values():
        named |= named_ids(text)
    assert COMMON <= named, COMMON - named


def check_mutations(game):
    text = read(f"tests/mutations/{game}.txt")
    broken = set(re.findall(r"^@ (\S+)$", text, re.M))
    assert broken == set(ids(game)), broken ^ set(ids(game))


def check_mutations_apply(game):
    """The text that each of them changes is in the source, once."""
    sys.path.insert(0, "tests")
    import mutate
    for block in mutate.read_blocks(f"tests/mutations/{game}.txt"):
        with open(mutate.file_of(block, game), encoding="utf-8") as f:
            _, unclear = mutate.broken_by(block, f.read())
        assert not unclear, f"{block['rule']}: '{unclear}' is not there just once"


CHAPTERS = ["about", "box", "start", "turn", "scoring", "example", "questions", "summary",
            "variants", "reference"]
MARKS = {"en": r"\*house (?:ruling|value)s?\*", "it": r"\*(?:regola|valor[ei]) della casa\*"}
# Numbers written as words. One is left out, which Italian also has as an article, and six, which
# Italian has as a verb: the books write 6.
NUMBERS = {
    "en": {"two": 2, "twice": 2, "second": 2, "three": 3, "threes": 3, "third": 3, "four": 4,
           "fourth": 4, "five": 5, "fifth": 5, "eight": 8, "ten": 10, "tenth": 10, "twelve": 12},
    "it": {"due": 2, "secondo": 2, "seconda": 2, "tre": 3, "terzo": 3, "quattro": 4, "quarto": 4,
           "cinque": 5, "quinto": 5, "quinta": 5, "otto": 8, "dieci": 10, "decimo": 10, "dodici": 12}}
BOTH = r"\btutt[ei] e due\b"  # Italian for both


def check_rules_text(game, lang):
    text = read(f"docs/rules/{game}.{lang}.md")
    anchors = re.findall(r'^<a id="([^"]+)"></a>\n(.*)$', text, re.M)
    rules = [(a, line) for a, line in anchors if "." in a]
    chapters = [(a, line) for a, line in anchors if "." not in a]
    assert sorted(a for a, _ in rules) == sorted(ids(game)), \
        set(a for a, _ in rules) ^ set(ids(game))
    for anchor, line in rules:
        assert line.startswith(f"`{anchor}` "), line
    assert [a for a, _ in chapters] == CHAPTERS, chapters
    for _, line in chapters:
        assert line.startswith("## "), line
    for line in text.splitlines():
        assert len(line) <= 80 or line.startswith(("<a id", "![")), line
    # A line of a sentence that happens to begin with a number and a full stop would be a list.
    for before, line in zip([""] + text.splitlines(), text.splitlines()):
        assert not re.match(r"\d+\. ", line) or before == "" or before.startswith(" ") or \
            re.match(r"\d+\. ", before), line


def check_players_book(game, lang):
    """Nothing about command lines: the book is for players."""
    text = read(f"docs/rules/{game}.{lang}.md")
    for odd in (r"\bsalotto\b", r"--\w", r"\bopzione `", r"\boption `", r"\.md\b", r"`(?!\w+\.)[a-z]+[ `]"):
        found = re.search(odd, text)
        assert not found, text[max(0, found.start() - 40):found.end() + 40]
    for figure in re.findall(r"\((figures/[^)]*)\)", text):
        assert os.path.exists(f"docs/rules/{figure}"), figure


def said(block, lang):
    """What must be the same in both languages: anchors, codes, figures, marks, numbers, and
    numbers written as words."""
    text = " ".join(block.split())
    figures = re.findall(r"\((figures/[\w-]+)\.\w\w\.svg\)", text)
    text = re.sub(r"\(figures[^)]*\)", "", text)
    anchors, codes = re.findall(r'<a id="([^"]*)"', text), re.findall(r"`([^`]*)`", text)
    marks = len(re.findall(MARKS[lang], text, re.I))
    numbers = sorted(map(int, re.findall(r"\d+", re.sub(r"`[^`]*`|<a id[^>]*>", "", text))))
    words = re.sub(r"`[^`]*`|<a id[^>]*>|" + BOTH, "", text.lower())
    spelled = sorted(NUMBERS[lang][w] for w in re.findall(r"\w+", words) if w in NUMBERS[lang])
    return figures, anchors, codes, marks, numbers, spelled


def check_same_book(game):
    """Paragraph by paragraph, the Italian book says what the English one says."""
    books = {lang: re.split(r"\n\s*\n", read(f"docs/rules/{game}.{lang}.md").strip())
             for lang in MARKS}
    for english, italian in zip(books["en"], books["it"]):
        a, b = said(english, "en"), said(italian, "it")
        assert a == b, f"{english}\n---\n{italian}\n---\n{a}\n{b}"
    assert len(books["en"]) == len(books["it"]), {k: len(v) for k, v in books.items()}


# ---- Words -------------------------------------------------------------------

def catalogue(path):
    """msgid -> list of translations."""
    entries, key, out = [], None, {}
    for line in read(path).splitlines():
        m = re.match(r'(msgid_plural|msgid|msgstr(?:\[\d\])?)? ?"(.*)"$', line)
        if not m:
            continue
        if m.group(1):
            key = m.group(1)
            if key == "msgid":
                entries.append({})
            entries[-1][key] = m.group(2)
        elif entries:
            entries[-1][key] += m.group(2)
    for e in entries:
        source = e["msgid"]
        out[source] = [v for k, v in e.items() if k.startswith("msgstr")]
    out.pop("", None)
    return out


def pages():
    return sorted(glob.glob("web/src/**/*.ts", recursive=True) +
                  glob.glob("web/src/**/*.tsx", recursive=True))


def check_potfiles():
    marked = [p for p in sorted(sources() +
                                glob.glob("include/salotto/*.h"))
              if re.search(r"\b(N_|NN_|SAL_MARK|_|ngettext)\(", read(p))]
    marked += [p for p in pages() if re.search(r'\btn?\("', read(p))]
    listed = read("po/POTFILES").split()
    assert sorted(marked) == sorted(listed), set(marked) ^ set(listed)


def check_catalogue(path):
    with tempfile.TemporaryDirectory() as work:
        pot = os.path.join(work, "now.pot")
        made = run("tools/messages", pot)
        assert made.returncode == 0, made.stdout
        same = run("msgcmp", path, pot)
        assert same.returncode == 0, same.stdout + "\nrun tools/po"
        mine, now = set(catalogue(path)), set(catalogue(pot))
        assert mine == now, f"not used any more: {sorted(mine - now)}; run tools/po"


def check_pages_read():
    """xgettext reads TypeScript as JavaScript: whatever it might miss because of
    a type or a tag is found here by plain search."""
    with tempfile.TemporaryDirectory() as work:
        pot = os.path.join(work, "now.pot")
        made = run("tools/messages", pot)
        assert made.returncode == 0, made.stdout
        known = set(catalogue(pot))
    for path in pages():
        text = read(path)
        for call in re.finditer(r"\btn?\(\s*", text):
            if re.search(r"(function|\.)\s*$", text[:call.start()]):
                continue
            first = re.match(r'"((?:[^"\\]|\\.)*)"\s*([,)])', text[call.end():])
            at = text.count("\n", 0, call.start()) + 1
            assert first, f"{path}:{at}: a message is one text in double quotes"
            assert first.group(1) in known, \
                f"{path}:{at}: xgettext does not see: {first.group(1)}"


def check_places(path):
    for source, translations in catalogue(path).items():
        for t in translations:
            assert t, f"not translated: {source}"
            for pattern in (r"\{\w+\}",):
                a, b = (set(re.findall(pattern, x)) for x in (source, t))
                assert b <= a, f"{source} -> {t}: places differ"
            assert source.count("[") == t.count("[") and \
                source.count("|") == t.count("|"), f"{source} -> {t}"
            assert source.endswith("\\n") == t.endswith("\\n"), f"{source} -> {t}"


def phrases(language):
    return [line[3:].rstrip("\n") for line in open("tests/scripts/words.txt", encoding="utf-8")
            if line.startswith(language + " ")]


def held(language, text):
    """The phrases of words.txt that a text holds, as whole words; a small first letter also as a capital."""
    return [p for p in phrases(language)
            if re.search(r"(?<!\w)(?:" + "|".join(r"\s+".join(map(re.escape, form.split()))
                                                  for form in {p, p[0].upper() + p[1:] if p[0].islower() else p})
                         + r")(?!\w)", text)]


def check_plain_words():
    """No message in either language holds a phrase of words.txt."""
    found = []
    for source, translations in catalogue("po/it.po").items():
        for language, texts in (("en", [source]), ("it", translations)):
            found += [f"{language}: {held(language, text)} in: {text}" for text in texts
                      if held(language, text)]
    assert phrases("en") and phrases("it")
    assert not found, "\n".join(found)


def check_plain_documents():
    """Nor do the documents, the rule books, the public headers and the examples. They speak of variants and
    rulings of the house."""
    found = []
    for path in glob.glob("*.md") + [p for folder in ("docs", "tests", "python", "examples")
                                     for kind in ("md", "py", "c") for p in glob.glob(f"{folder}/**/*.{kind}", recursive=True)
                                     if folder != "tests" or kind == "md"] + \
            glob.glob("share/operate/*") + glob.glob("include/salotto/*.h"):
        language = "it" if path.endswith(".it.md") else "en"
        text = re.sub(r"(?i)variants? of\s+the house|`[^`]*`|<a id[^>]*>", "", read(path))
        if held(language, text):
            found.append(f"{path}: {held(language, text)}")
    assert not found, "\n".join(found)


def source_of_test(name):
    """The source of what `./test NAME` runs, or None."""
    places = {"web": "tests/web/*.mjs", "battery-*": "tests/games/battery*.c", "tsan": "test",
              "bench/attack": "bench/attack", "faults": "tests/faults/faults_test.py",
              "parted": "tests/faults/parted_test.py"}
    found = glob.glob(places.get(name, f"tests/scripts/{name}_test.py")) or glob.glob(
        f"tests/server/{name}_test.c") or glob.glob(name.replace("fuzz-", "fuzz/") + ".c")
    return "".join(map(read, found)) if found else None


def check_claims():
    """Every claim of docs/security.md names a test, and every test and case named there exists."""
    section = read("docs/security.md").split("## Each claim and its test")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (.*) \| (.*) \|$", section, re.M)[1:]
    assert len(rows) > 30, len(rows)
    for claim, tests in rows:
        named = re.findall(r'`([^`]+)`|"([^"]+)"', tests)
        assert named and named[0][0], f"no test is named for: {claim}"
        for test, words in named:
            text = source_of_test(test) if test else text
            assert text, f"there is no test '{test}'"
            assert words in text, f"no such case: {words}"


def check_server_mutations():
    """The text that each of them changes is in the source, and the case that notices exists."""
    sys.path.insert(0, "tests")
    import mutate
    for block in mutate.read_blocks("tests/mutations/server.txt"):
        test, words = block["rule"].split(": ", 1)
        assert words in (source_of_test(test) or ""), f"no such case: {block['rule']}"
        _, unclear = mutate.broken_by(block, read(block["file"]))
        assert not unclear, f"{block['rule']}: '{unclear}' is not there just once"


def check_scripts():
    for path in ("run", "test", ".ci/run", "tools/setup.sh", "tools/embed",
                 "tools/books", "tools/deb", "tools/dist", "tools/messages", "tools/po", "tools/web", "fuzz/run"):
        got = run("sh", "-n", path)
        assert got.returncode == 0, got.stdout


def check_usage():
    """--help of what people call says how it is called, and does nothing: no file of that name comes to be."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("api", "books", "deb", "doors-figures", "doors-policy", "favor-net", "messages", "notices", "po",
                     "problems", "review-figures", "seen", "traps-figures", "traps-policy", "try-proxy",
                     "verify-problems"):
            got = run(os.path.join(TOP, "tools", name), "--help", cwd=folder)
            assert f"tools/{name}" in got.stdout and "Traceback" not in got.stdout, f"tools/{name}: {got.stdout}"
        got = run(os.path.join(TOP, "test"), "--help", cwd=folder)
        assert "./test NAME" in got.stdout and "salotto:" not in got.stdout, got.stdout
        assert not os.listdir(folder) and not glob.glob("share/problems/-*"), os.listdir(folder)


def check_packaging():
    """What the program is linked with, and what its package names for building it."""
    listed = re.search(r'^build_packages="(.*?)"', read("tools/setup.sh"), re.M | re.S)[1]
    linked = {p for p in listed.replace("\\", " ").split() if re.fullmatch(r"lib[\w-]+-dev", p)} - {"libc6-dev"}
    named = set(re.findall(r"lib[\w-]+-dev", read("share/debian/control")))
    assert linked and linked <= named, f"share/debian/control does not name: {sorted(linked - named)}"


case("layers: nobody includes upwards", check_includes)
case("layers: the table names every folder, and has no circle", check_layers_are_all)
for header in sorted(glob.glob("include/salotto/*.h")):
    case(f"{header} compiles alone as C",
         check_header, header, ["cc", "-std=c17"], "c")
    case(f"{header} compiles alone as C++",
         check_header, header, ["c++", "-std=c++17"], "c++")
    case(f"{header} says who may call at once, and who frees what", check_header_says, header)
case("SQL is only in src/server/store", check_sql)
case("the shared library exports only sal_ names", check_exports)
case("one version, and the change log knows it", check_version)
case("no source file is longer than 1200 lines", check_length)
case("the code is formatted", check_format)
case("the five rules of hidden information are named by tests", check_common_named)
case("no test names a rule that does not exist", check_no_unknown_id)
for g in games():
    case(f"{g}: every rule is named by a test", check_rules_named, g)
    case(f"{g}: every rule has a way to break it", check_mutations, g)
    case(f"{g}: and that way is still in the source", check_mutations_apply, g)
    for lang in ("en", "it"):
        case(f"{g}: the rules in '{lang}' have every id and chapter", check_rules_text, g, lang)
        case(f"{g}: the book in '{lang}' is for players", check_players_book, g, lang)
    case(f"{g}: the books in both languages say the same", check_same_book, g)
case("po/POTFILES lists every file with messages", check_potfiles)
case("every message of the pages is found", check_pages_read)
for po in sorted(glob.glob("po/*.po")):
    case(f"{po} is complete", check_catalogue, po)
    case(f"{po} keeps the places of each message", check_places, po)
case("messages use plain words", check_plain_words)
case("documents use plain words", check_plain_documents)
case("every claim on security has its test", check_claims)
case("every mutation of the server still applies", check_server_mutations)
case("the shell scripts parse", check_scripts)
case("tools: --help only says how they are called", check_usage)
case("the Debian package names what the program is linked with", check_packaging)
done()
