"""TAP for the test scripts: case(name, function) runs and reports; a failing
assert is a failed case. What a failed case has left running ends with the script."""
import atexit
import glob
import os
import signal
import sys
import time
import traceback

# A program that is started inherits what is ignored, and tests send these: under nohup, or behind a
# shell's "&", they would wait for an end that never comes.
for _ignored in (signal.SIGHUP, signal.SIGQUIT):
    signal.signal(_ignored, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)

# Kills at once; where it is counted what was run (tests/counted_kill.c), the counters are written first.
KILL = signal.SIGUSR2 if "SALOTTO_COVERAGE" in os.environ else signal.SIGKILL

_count = 0
_failed = 0


def case(name, function, *args):
    global _count, _failed
    _count += 1
    begun = time.monotonic()
    try:
        function(*args)
        print(f"ok {_count} - {name}", flush=True)
    except Exception:  # every exception is a failed case
        _failed += 1
        for line in traceback.format_exc().splitlines():
            print(f"# {line}")
        print(f"not ok {_count} - {name}", flush=True)
    if os.environ.get("SALOTTO_TIMES"):
        print(f"{time.monotonic() - begun:.1f} s: {name}", file=sys.stderr, flush=True)


def _family():
    """The processes that this one has started, and those that they have."""
    parents = {}
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(path, encoding="utf-8", errors="replace") as f:
                pid, rest = f.read().split(" (", 1)
        except OSError:  # it has just ended
            continue
        parents.setdefault(int(rest.rsplit(") ", 1)[1].split()[1]), []).append(int(pid))
    found = parents.get(os.getpid(), [])
    for pid in found:
        found += parents.get(pid, [])
    return found


@atexit.register
def end_family():
    for pid in _family():
        try:
            os.kill(pid, KILL)
        except ProcessLookupError:
            pass


def done():
    end_family()
    print(f"1..{_count}")
    sys.exit(1 if _failed else 0)
