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

from parlour import Guest, Server, wait_for
from tap import case, done

SALOTTO = os.path.abspath(sys.argv[1])


def events(server, name):
    """The lines of the log about such an event."""
    lines = [json.loads(t) for t in server.logged().splitlines() if t.startswith("{")]
    return [e for e in lines if e["event"] == name]


# ---- SIGTERM -------------------------------------------------------------------

def ends_whatever_bots_think():
    """Bots that may think for 48 seconds, thinking and waiting in line; somebody
    who asked one for advice; somebody whose move is on its way. All are told, and
    the server is gone long before a bot would have been."""
    server = Server(SALOTTO, "--bot-seconds", "60", "--bot-tables", "50")
    g = Guest(server)
    for _ in range(8):
        table = g.must("create", game="louis", players=4, seats=["expert"] * 4)["table"]
        g.hear("moved", table=table, kind="start")
    mine = g.must("create", game="doors", players=2, seats=["open", "expert"],
                  options={"first": 0})["table"]
    g.must("sit", table=mine, seat=0)
    g.hear("moved", table=mine, kind="start")
    g.send(op="hint", table=mine)
    g.hear("moved", table=mine, kind="hint")
    server.process.send_signal(signal.SIGTERM)
    g.hear("closing")
    assert server.process.wait(timeout=600) == 0
    assert events(server, "closed")


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
    server = Server(SALOTTO, "--config", config)
    g = Guest(server, "Anna")
    hello = json.loads(g.heard[0])
    assert hello["welcome"] == "Buonasera", hello
    g.must("create", game="doors", players=2)
    assert g.code("create", game="doors", players=2) == "full"
    write("tables = 3\nwelcome = Good evening & welcome\nlog-level = warning\nlisten = 127.0.0.1:1\n")
    server.process.send_signal(signal.SIGHUP)
    wait_for(lambda: events(server, "reloaded"))
    assert g.must("create", game="doors", players=2), "the same connection"
    sessions = len(events(server, "session"))
    late = Guest(server, "Bea")
    assert json.loads(late.heard[0])["welcome"] == "Good evening & welcome"
    assert len(events(server, "session")) == sessions, "the log says less"
    write("tables = 9\nnonsense\n")
    server.process.send_signal(signal.SIGHUP)
    wait_for(lambda: events(server, "not-reloaded"))
    g.must("create", game="doors", players=2)
    assert g.code("create", game="doors", players=2) == "full", "nothing has changed"
    assert server.stop() == 0
    assert not events(server, "closing"), "only warnings are told now"


def hangup_without_config():
    server = Server(SALOTTO)
    server.process.send_signal(signal.SIGHUP)
    wait_for(lambda: events(server, "reloaded"))
    assert server.request("GET", "/healthz")[0] == 200
    assert server.stop() == 0


# ---- Troubles ------------------------------------------------------------------

def store_fails():
    """A disk that takes nothing more: the log, the figures and /readyz say so,
    and say when it is over, without anybody playing."""
    server = Server(SALOTTO)
    assert server.request("GET", "/readyz")[0] == 200
    assert server.figures()["salotto_store_failing"] == 0
    server.cookie("Anna")
    wal = os.path.join(server.folder, "data", "salotto.db-wal")
    pid = server.process.pid
    _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (min(4096, os.path.getsize(wal)), hard))
    assert server.request("POST", "/api/guest", '{"name":"Eve"}')[0] == 503
    wait_for(lambda: server.request("GET", "/readyz")[0] == 503)
    assert "store" in server.request("GET", "/readyz")[2]
    assert server.figures()["salotto_store_failing"] == 1
    assert server.request("GET", "/healthz")[0] == 200, "it need not be started again"
    failing = events(server, "store-failing")
    assert len(failing) == 1 and failing[0]["level"] == "error" and failing[0]["why"], failing
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (hard, hard))
    wait_for(lambda: server.request("GET", "/readyz")[0] == 200)
    assert server.figures()["salotto_store_failing"] == 0
    assert len(events(server, "store-well")) == 1
    assert server.stop() == 0


def descriptors_run_out():
    """When no more connections can be opened, /readyz and /metrics can still be
    asked, people are told, and those inside play on."""
    server = Server(SALOTTO)
    g = Guest(server)
    pid = server.process.pid
    open_now = len(os.listdir(f"/proc/{pid}/fd"))
    soft, hard = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (open_now + 40, hard))
    idle = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(30)]
    wait_for(lambda: server.request("GET", "/readyz")[0] == 503)
    assert "descriptors" in server.request("GET", "/readyz")[2]
    status, _, body = server.request("GET", "/api/me")
    assert status == 503 and json.loads(body)["error"]["code"] == "full", (status, body)
    figures = server.figures()
    assert figures["salotto_out_of_descriptors"] == 1
    assert figures["process_max_fds"] == open_now + 40
    g.must("lobby")
    assert len(events(server, "out-of-descriptors")) == 1
    for s in idle:
        s.close()
    wait_for(lambda: server.request("GET", "/readyz")[0] == 200)
    assert server.figures()["salotto_out_of_descriptors"] == 0
    assert server.request("GET", "/api/me")[0] == 401
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (soft, hard))
    assert server.stop() == 0


def waits_too_long():
    """A request that waits for the store for too long is answered."""
    server = Server(SALOTTO, "--timeout", "0.4")
    got = []
    db = server.database()
    db.execute("BEGIN IMMEDIATE")
    t = threading.Thread(target=lambda: got.append(
        server.raw(b"POST /api/guest HTTP/1.1\r\nHost: a\r\nContent-Length: 12\r\n\r\n"
                  b'{"name":"A"}')))
    t.start()
    t.join()
    db.rollback()
    db.close()
    assert got[0].startswith(b"HTTP/1.1 503 "), got
    assert b'"code":"busy"' in got[0] and b"Retry-After:" in got[0], got
    server.cookie("Later")
    assert server.stop() == 0


case("SIGTERM ends it, whatever the bots think", ends_whatever_bots_think)
case("SIGHUP: limits, welcome and log level are read again", reads_again)
case("SIGHUP without a file does no harm", hangup_without_config)
case("a store that fails is told everywhere, and when it is well again", store_fails)
case("running out of descriptors is told, and those inside play on", descriptors_run_out)
case("a request that waited too long is answered with 503", waits_too_long)
done()
