#!/usr/bin/env python3
"""Adds up what the tests said: summary.py TESTLOG.json FUZZ.tap

Prints every case that failed with the notes before it, then one closing line
`N passed, N failed`. A program that died or printed no case counts as failed.
"""
import json
import os
import sys


def read_tap(name, text):
    """(passed, failed, lines to show) of one program's output."""
    passed = failed = 0
    notes, shown = [], []
    for line in text.splitlines():
        if line.startswith("ok "):
            passed += 1
            notes = []
        elif line.startswith("not ok "):
            failed += 1
            shown += [f"{name}: {line}"] + [f"    {n}" for n in notes[-12:]]
            notes = []
        elif line.strip() and not line.startswith("1.."):
            notes.append(line)
    return passed, failed, shown, notes


def programs(log, fuzz):
    if os.path.exists(log):
        with open(log, encoding="utf-8", errors="replace") as f:
            for line in f:
                t = json.loads(line)
                died = t["result"] not in ("OK", "EXPECTEDFAIL")
                yield t["name"], t.get("stdout", ""), t.get("stderr", ""), died
    with open(fuzz, encoding="utf-8", errors="replace") as f:
        text = f.read()
    if text:
        yield "fuzz", text, "", False


def main():
    passed = failed = 0
    for name, out, err, died in programs(sys.argv[1], sys.argv[2]):
        ok, bad, shown, notes = read_tap(name, out)
        if (died and not bad) or ok + bad == 0:
            bad += 1
            shown += [f"{name}: the program failed"]
            shown += [f"    {n}" for n in (notes + err.splitlines())[-25:]]
        passed += ok
        failed += bad
        for line in shown:
            print(line)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
