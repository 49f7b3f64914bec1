"""How the server ends, hears of changes, and tells that something is wrong.

    endings_test.py SALOTTO SOURCE_ROOT
"""
import json
import os
import resource
import signal
import socket
import sys
import tempfile
import threading
import time

from parlour import Guest, House
from tap import case, done

SALOTTO = os.path.abspath(sys.argv[1])


def wait_for(condition):
    while not condition():
        time.sleep(0.02)


def events(house, name):
    """The lines of the log about such an event."""
    lines = [json.loads(t) for t in house.logged().splitlines() if t.startswith("{")]
    return [e for e in lines if e["event"] == name]


# ---- SIGTERM -------------------------------------------------------------------

def ends_whatever_bots_think():
    """Bots that may think for 48 seconds, thinking and waiting in line; somebody
    who asked one for advice; somebody whose move is on its way. All are told, and
    the server is gone long before a bot would have been."""
    house = House(SALOTTO, "--bot-seconds", "60", "--bot-tables", "50")
    g = Guest(house)
    for _ in range(8):
        table = g.must("create", game="louis", players=4, seats=["expert"] * 4)["table"]
        g.hear("moved", table=table, kind="start")
    mine = g.must("create", game="doors", players=2, seats=["open", "expert"],
                  options={"first": 0})["table"]
    g.must("sit", table=mine, seat=0)
    g.hear("moved", table=mine, kind="start")
    g.send(op="hint", table=mine)
    g.hear("moved", table=mine, kind="hint")
    house.process.send_signal(signal.SIGTERM)
    g.hear("closing")
    assert house.process.wait(timeout=600) == 0
    assert events(house, "closed")


# ---- SIGHUP --------------------------------------------------------------------

def reads_again():
    """Limits, welcome and log level are read again; games go on; a file with a
    mistake changes nothing and is named in the log."""
    folder = tempfile.mkdtemp(prefix="salotto-endings-")
    config = os.path.join(folder, "conf")

    def write(text):
        with open(config, "w", encoding="utf-8") as f:
            f.write(text)

    write("tables = 1\nwelcome = Buonasera\nlog-level = info\n")
    house = House(SALOTTO, "--config", config)
    g = Guest(house, "Anna")
    hello = json.loads(g.heard[0])
    assert hello["welcome"] == "Buonasera", hello
    g.must("create", game="doors", players=2)
    assert g.code("create", game="doors", players=2) == "full"
    write("tables = 3\nwelcome = Good evening & welcome\nlog-level = warning\nlisten = 127.0.0.1:1\n")
    house.process.send_signal(signal.SIGHUP)
    wait_for(lambda: events(house, "reloaded"))
    assert g.must("create", game="doors", players=2), "the same connection"
    sessions = len(events(house, "session"))
    late = Guest(house, "Bea")
    assert json.loads(late.heard[0])["welcome"] == "Good evening & welcome"
    assert len(events(house, "session")) == sessions, "the log says less"
    write("tables = 9\nnonsense\n")
    house.process.send_signal(signal.SIGHUP)
    wait_for(lambda: events(house, "not-reloaded"))
    g.must("create", game="doors", players=2)
    assert g.code("create", game="doors", players=2) == "full", "nothing has changed"
    assert house.stop() == 0
    assert not events(house, "closing"), "only warnings are told now"


def hangup_without_config():
    house = House(SALOTTO)
    house.process.send_signal(signal.SIGHUP)
    wait_for(lambda: events(house, "reloaded"))
    assert house.request("GET", "/healthz")[0] == 200
    assert house.stop() == 0


# ---- Troubles ------------------------------------------------------------------

def store_fails():
    """A disk that takes nothing more: the log, the figures and /readyz say so,
    and say when it is over, without anybody playing."""
    house = House(SALOTTO)
    assert house.request("GET", "/readyz")[0] == 200
    assert house.figures()["salotto_store_failing"] == 0
    house.cookie("Anna")
    wal = os.path.join(house.folder, "data", "salotto.db-wal")
    pid = house.process.pid
    _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (min(4096, os.path.getsize(wal)), hard))
    assert house.request("POST", "/api/guest", '{"name":"Eve"}')[0] == 503
    wait_for(lambda: house.request("GET", "/readyz")[0] == 503)
    assert "store" in house.request("GET", "/readyz")[2]
    assert house.figures()["salotto_store_failing"] == 1
    assert house.request("GET", "/healthz")[0] == 200, "it need not be started again"
    failing = events(house, "store-failing")
    assert len(failing) == 1 and failing[0]["level"] == "error" and failing[0]["why"], failing
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (hard, hard))
    wait_for(lambda: house.request("GET", "/readyz")[0] == 200)
    assert house.figures()["salotto_store_failing"] == 0
    assert len(events(house, "store-well")) == 1
    assert house.stop() == 0


def descriptors_run_out():
    """When no more connections can be opened, /readyz and /metrics can still be
    asked, people are told, and those inside play on."""
    house = House(SALOTTO)
    g = Guest(house)
    pid = house.process.pid
    open_now = len(os.listdir(f"/proc/{pid}/fd"))
    soft, hard = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (open_now + 40, hard))
    idle = [socket.create_connection(("127.0.0.1", house.port)) for _ in range(30)]
    wait_for(lambda: house.request("GET", "/readyz")[0] == 503)
    assert "descriptors" in house.request("GET", "/readyz")[2]
    status, _, body = house.request("GET", "/api/me")
    assert status == 503 and json.loads(body)["error"]["code"] == "full", (status, body)
    figures = house.figures()
    assert figures["salotto_out_of_descriptors"] == 1
    assert figures["process_max_fds"] == open_now + 40
    g.must("lobby")
    assert len(events(house, "out-of-descriptors")) == 1
    for s in idle:
        s.close()
    wait_for(lambda: house.request("GET", "/readyz")[0] == 200)
    assert house.figures()["salotto_out_of_descriptors"] == 0
    assert house.request("GET", "/api/me")[0] == 401
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (soft, hard))
    assert house.stop() == 0


def waits_too_long():
    """A request that waits for the store for too long is answered."""
    house = House(SALOTTO, "--timeout", "0.4")
    got = []
    db = house.database()
    db.execute("BEGIN IMMEDIATE")
    t = threading.Thread(target=lambda: got.append(
        house.raw(b"POST /api/guest HTTP/1.1\r\nHost: a\r\nContent-Length: 12\r\n\r\n"
                  b'{"name":"A"}')))
    t.start()
    t.join()
    db.rollback()
    db.close()
    assert got[0].startswith(b"HTTP/1.1 503 "), got
    assert b'"code":"busy"' in got[0] and b"Retry-After:" in got[0], got
    house.cookie("Later")
    assert house.stop() == 0


case("SIGTERM ends it, whatever the bots think", ends_whatever_bots_think)
case("SIGHUP: limits, welcome and log level are read again", reads_again)
case("SIGHUP without a file does no harm", hangup_without_config)
case("a store that fails is told everywhere, and when it is well again", store_fails)
case("running out of descriptors is told, and those inside play on", descriptors_run_out)
case("a request that waited too long is answered with 503", waits_too_long)
done()
