"""tests/seen.txt: where each message of the catalogue was seen. For tools/seen, its test, and the tests
that read what a program says, in Italian or without a language."""
import os
import re

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
KNOWN = os.path.join(TOP, "tests", "seen.txt")


def note(command, reply):
    """Keeps the sentence of a refusal that a program has answered with, if tools/seen asks for it."""
    folder = os.environ.get("SALOTTO_SEEN")
    error = reply.get("error") or reply
    if not folder or not isinstance(error, dict) or not isinstance(error.get("message"), str):
        return
    path = os.path.join(folder, f"{os.getpid()}.{command.split()[-1]}")
    new = not os.path.exists(path)
    with open(path, "a", encoding="utf-8") as f:
        escaped = error["message"].replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        f.write((command + "\n" if new else "") + escaped + "\n")


def translations():
    """Each message of the catalogue as it stands there -> in Italian; of a plural the first form."""
    found, part, message = {}, None, ""
    with open(os.path.join(TOP, "po", "it.po"), encoding="utf-8") as f:
        for line in f:
            text = re.match(r'(?:(\w+(?:\[\d\])?) )?"(.*)"$', line)
            part = (text.group(1) or part) if text else None
            if part == "msgid":
                message = text.group(2) if text.group(1) else message + text.group(2)
            elif part in ("msgstr", "msgstr[0]") and message:
                found[message] = found.get(message, "") + text.group(2)
    return found


def messages():
    """The messages of the catalogue, as they stand there."""
    return list(translations())


def read_known():
    """message -> where it was seen."""
    known = {}
    with open(KNOWN, encoding="utf-8") as f:
        for line in f.read().splitlines():
            if line and not line.startswith("#"):
                where, message = line.split("\t", 1)
                known[message] = where
    return known


TRANSLATED = translations()


def is_said(got, message):
    """Whether a message of the catalogue stands in the output, in Italian, however its lines are broken."""
    text = TRANSLATED[message].replace("\\n", "\n").replace('\\"', '"')
    parts = re.split(r"%%|%[-+.0-9]*z?l?[a-z]|\{\w+\}|\[[^]]*\|[^]]*\]", text)
    return re.search(r".*".join(r"\s+".join(map(re.escape, part.split(" "))) for part in (p.strip("\n") for p in parts)),
                     got, re.S)


def assert_says(got, message):
    assert is_said(got, message), f"{TRANSLATED[message]!r} is not in:\n{got}"
