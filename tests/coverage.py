#!/usr/bin/env python3
"""What the tests have run, by folder: coverage.py BUILD

Reads what a build with -Db_coverage=true has left, with gcov, and prints how many
lines and branches of src were run. A server that a test kills writes its counters
first (counted_kill.c). A line or branch counts once, however many programs
have it; branches that only the compiler sees (exceptions) do not exist in C.
"""
import collections
import glob
import json
import os
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
AT_ONCE = 64  # files for one gcov


def reports(build):
    """Every file's report from every object that was run."""
    found = sorted(glob.glob(os.path.join(build, "**/*.gcda"), recursive=True))
    for i in range(0, len(found), AT_ONCE):
        out = subprocess.run(["gcov", "--json-format", "--stdout", "-b", *found[i:i + AT_ONCE]],
                             cwd=build, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                             text=True).stdout
        for line in filter(None, out.splitlines()):
            yield from json.loads(line)["files"]


def source(build, name):
    path = os.path.relpath(os.path.realpath(os.path.join(build, name)), TOP)
    return path if path.startswith("src/") and path.endswith((".c", ".h")) else None


def collect(build):
    """{file: ({line: run}, {(line, branch): run})}"""
    files = collections.defaultdict(lambda: (collections.Counter(), collections.Counter()))
    for report in reports(build):
        path = source(build, report["file"])
        if not path:
            continue
        lines, branches = files[path]
        for line in report["lines"]:
            lines[line["line_number"]] += line["count"]
            for i, branch in enumerate(line["branches"]):
                branches[line["line_number"], i] += branch["count"]
    return files


def share(counts):
    run = sum(n > 0 for n in counts)
    return f"{100 * run / len(counts):6.1f} %" if counts else "       -"


def row(name, files):
    lines = [n for c, _ in files for n in c.values()]
    branches = [n for _, c in files for n in c.values()]
    print(f"{name:22} {len(lines):7} {share(lines)} {len(branches):9} {share(branches)}")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    files = collect(os.path.abspath(sys.argv[1]))
    if not files:
        sys.exit("coverage.py: no test has run in this build")
    print(f"{'folder':22} {'lines':>7} {'run':>8} {'branches':>9} {'run':>8}")
    folders = collections.defaultdict(list)
    for path, counts in files.items():
        folders[os.path.dirname(path)].append(counts)
    for folder in sorted(folders):
        row(folder, folders[folder])
    server = [c for path, c in files.items() if path.startswith("src/server/")]
    if server:
        row("src/server, all of it", server)
    row("all", list(files.values()))


if __name__ == "__main__":
    main()
