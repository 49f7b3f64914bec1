"""tests/seen.txt: where each message of the catalogue was seen. For tools/seen and its test."""
import os
import re

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
KNOWN = os.path.join(TOP, "tests", "seen.txt")


def messages():
    """The messages of the catalogue, as they stand there."""
    found, inside = [], False
    with open(os.path.join(TOP, "po", "it.po"), encoding="utf-8") as f:
        for line in f:
            text = re.match(r'(?:(msgid) )?"(.*)"$', line)
            if text and text.group(1):
                found.append(text.group(2))
                inside = True
            elif text and inside:
                found[-1] += text.group(2)
            else:
                inside = False
    return [m for m in found if m]


def read_known():
    """message -> where it was seen, or '!' and why it cannot be."""
    known = {}
    with open(KNOWN, encoding="utf-8") as f:
        for line in f.read().splitlines():
            if line and not line.startswith("#"):
                where, message = line.split("\t", 1)
                known[message] = where
    return known
