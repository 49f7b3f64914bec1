"""TAP for the test scripts: case(name, function) runs and reports; a failing
assert is a failed case."""
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


def done():
    print(f"1..{_count}")
    sys.exit(1 if _failed else 0)
