"""Nothing passes between a server that waits and the one that serves, though both reach the store:
what those who are connected to the one that waits are told, and when.

    parted_test.py SALOTTO SOURCE_ROOT

Nobody here hangs up by themselves: what ends, the server that waits has ended.
"""
import http.client
import json
import os
import re
import sys

SALOTTO, TOP = (os.path.abspath(a) for a in sys.argv[1:3])
sys.path[:0] = [os.path.join(TOP, "tests", name) for name in ("scripts", "faults")]
from cluster import Cluster, psql  # noqa: E402
from parlour import CAP, Guest, Server, dial, handshake, wait_for  # noqa: E402
from tap import case, done  # noqa: E402
from weather import Line  # noqa: E402

STORE = Cluster().database()
SORRY = "the server that serves does not answer\n"


class Joined(Server):
    """A server that others reach by a line."""

    def __init__(self):
        self.to_peer = Line()
        super().__init__(SALOTTO, "--store", STORE, "--peer", f"127.0.0.1:{self.to_peer.port}",
                         "--public-url", "http://parlour.test", "--bot-threads", "1")

    def opens(self):
        ok = super().opens()
        self.origin, self.to_peer.target = "http://parlour.test", self.port
        return ok

    def lines(self, event):
        return self.logged().count(f'"{event}"')


class Caller:
    """A connection for one request after the other."""

    def __init__(self, server):
        self.http = http.client.HTTPConnection("127.0.0.1", server.port, timeout=CAP)

    def asks(self):
        self.http.request("GET", "/healthz")
        answer = self.http.getresponse()
        return answer.status, answer.read().decode()

    def is_hung_up_on(self):
        return self.http.sock.recv(1) == b""


def answers(server):
    return server.request("GET", "/healthz")[::2]


SERVING = Joined()
wait_for(lambda: psql(STORE, "SELECT count(*) FROM server") == "1")
OTHER = Joined()
wait_for(lambda: answers(OTHER) == (200, "ok\n"))


def those_who_are_there():
    """Whoever waits for something hears that it does not come; whoever waits for others, or for
    nothing, is hung up on. Those at the server that serves notice nothing."""
    at_other, at_serving = Guest(OTHER, "Anna"), Guest(SERVING, "Bea")
    caller, silent = Caller(OTHER), dial(OTHER.port)
    assert caller.asks() == (200, "ok\n")
    SERVING.to_peer.cut()
    assert answers(OTHER) == (503, SORRY)
    assert at_other.gone() is None
    assert caller.is_hung_up_on() and silent.recv(1) == b""
    at_serving.must("create", game="doors", players=2)


def those_who_come():
    """Are told at once, whatever they ask for; health checks too."""
    cookie = SERVING.cookie("Carla")
    for path in ("/readyz", "/api/lobby", "/"):
        assert OTHER.request("GET", path)[::2] == (503, SORRY), path
    status, headers, _ = OTHER.request("POST", "/api/guest", json.dumps({"name": "Dora"}))
    assert status == 503 and headers["Retry-After"] == "1", headers
    assert OTHER.raw(handshake(OTHER, cookie)[0]).startswith(b"HTTP/1.1 503 ")
    assert OTHER.lines("peer-silent") == 1 and not OTHER.lines("peer-answers")


def beginning_so():
    """A server that was parted from the beginning, and has never heard of the other."""
    third = Joined()
    assert answers(third) == (503, SORRY)
    assert third.stop() == 0


def joined_again():
    """It hands on as before, and nobody else has served meanwhile."""
    SERVING.to_peer.mend()
    wait_for(lambda: answers(OTHER) == (200, "ok\n"))
    Guest(OTHER, "Elsa").must("create", game="doors", players=2)
    wait_for(lambda: OTHER.lines("peer-answers") == 1)
    assert OTHER.lines("peer-silent") == 1
    assert SERVING.lines("lease-taken") == 1 and not OTHER.lines("lease-taken")
    for server in (OTHER, SERVING):
        assert server.stop() == 0


def number(path, pattern):
    with open(os.path.join(TOP, path), encoding="utf-8") as source:
        return int(re.search(pattern, source.read()).group(1))


def ten_seconds():
    """From a cut until a page comes back for the second time; and from its end until one does that
    has tried in vain for long, and only through this server: what docs/scale.md adds up."""
    lease = number("src/server/store/lease.h", r"LEASE_MS = (\d+)")
    ask, tick, line = (number("src/server/pulse.h", rf"PULSE_{what}_MS = (\d+)") for what in ("ASK", "TICK", "LINE"))
    most, first = (number("web/src/server.ts", rf"Math\.min\({at} \* 2 \*\* this\.tries") for at in (r"(\d+), \d+", r"\d+, (\d+)"))
    assert lease + ask + tick + 1.3 * 3 * first < 10000
    assert line + 2 * tick + 1.3 * most < 10000


case("those who are at a server that is parted are told", those_who_are_there)
case("those who come there are told at once", those_who_come)
case("a server that is parted from the beginning", beginning_so)
case("the servers are joined again", joined_again)
case("what a cut costs adds up to less than ten seconds", ten_seconds)
done()
