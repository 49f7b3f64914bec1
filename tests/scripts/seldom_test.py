"""Sentences that come only when something is short, broken or slow, in Italian: no files left to open, a
terminal that is too large, a policy without answers, a server that stops, a table that has moved on.

    seldom_test.py SALOTTO SOURCE_ROOT
"""
import json
import os
import pty
import re
import resource
import signal
import socket
import sqlite3
import struct
import subprocess
import sys
import tempfile
import threading

from parlour import Guest, Server
from seen import assert_says, is_said, note
from tap import case, done

SALOTTO, TOP = (os.path.abspath(a) for a in sys.argv[1:3])
WORK = tempfile.TemporaryDirectory(prefix="salotto-seldom-")
ENV = dict(os.environ, LANGUAGE="it", XDG_STATE_HOME=WORK.name, XDG_CONFIG_HOME=WORK.name)


def path(name, text=None):
    where = os.path.join(WORK.name, name)
    if text is not None:
        with open(where, "wb") as f:
            f.write(text)
    return where


def run(*args, text="", **more):
    return subprocess.run([SALOTTO, *args], input=text, env=ENV, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False, **more).stdout


class Terminal:
    """The program at a terminal."""

    def __init__(self, *args, **env):
        self.ours, theirs = pty.openpty()
        self.process = subprocess.Popen([SALOTTO, *args], env=dict(ENV, **env), stdin=theirs, stdout=theirs, stderr=theirs)
        os.close(theirs)
        self.said = ""

    def hear(self, message):
        while not is_said(self.said, message):
            try:
                self.said += os.read(self.ours, 65536).decode(errors="replace")
            except OSError:  # the other end is closed
                break
        assert_says(self.said, message)

    def type(self, line):
        os.write(self.ours, line.encode() + b"\n")

    def end(self):
        self.process.kill()
        self.process.wait()
        os.close(self.ours)


# A program that never answers has 35 s; all else is tried meanwhile.
SILENT = subprocess.Popen([SALOTTO, "play", "doors", "--plain", "--seed", "1", "--option", "first=1", "--bot", "cmd:sleep 600"],
                          env=ENV, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def never_answers():
    got, _ = SILENT.communicate("quit\n")
    assert_says(got, "too late")


def no_files_left():
    """The pipes to a program need more files than the process may open."""
    for most in range(6, 12):
        got = run("arena", "--game", "doors", "--games", "2", "--threads", "1", "--bot", "cmd:cat", "--bot", "random",
                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (most, most)))
        if is_said(got, "the machine cannot start another program."):
            return
    raise AssertionError(got)


def too_large():
    """A window that ncurses cannot manage."""
    run("play", "doors", "--plain", "--seed", "1", "--record", path("game"), text="quit\n")
    for args in (["play", "doors"], ["replay", path("game")]):
        t = Terminal(*args, TERM="xterm", LINES="100000", COLUMNS="100000")
        t.hear("the terminal cannot be used.")
        t.end()


def broken_policy():
    """A policy of Traps that can be read; the last round has no answers, the one before it has them all."""
    with open(os.path.join(TOP, "share", "traps.policy"), "rb") as f:
        data = bytearray(f.read()[:-8])
    last = 8 + 4 * 25 + 2 * 25 * 8 + 4  # behind the mark and what rounds are worth: a cut and a size for each
    sizes = [struct.unpack_from("<I", data, at)[0] for at in (last - 16, last)]
    struct.pack_into("<I", data, last - 16, sum(sizes))
    struct.pack_into("<I", data, last, 0)
    total = 0xcbf29ce484222325 ^ len(data)
    for byte in data:
        total = (total ^ byte) * 0x100000001b3 % (1 << 64)
        total ^= total >> 29
    got = run("exploit", "traps", path("traps", bytes(data) + total.to_bytes(8, "little")), "--round", "4-4")
    assert_says(got, "%s: the policy has an invalid answer, or memory ran out.")


def last_round():
    """A round that is quick to check, and what its lines say."""
    got = run("exploit", "traps", "--round", "4-4")
    for message in ("%s  the first player by the policy gets at least %+.5f\\n",
                    "%s  the second player by the policy gives at most %+.5f\\n",
                    "%s  exploitability %.5f, both players together\\n"):
        assert_says(got, message)


def long_names():
    """A store of an older version, and no room for the name of the copy that is kept of it."""
    server = Server(SALOTTO)
    server.stop()
    data = os.path.join(server.folder, "data")
    with sqlite3.connect(os.path.join(data, "salotto.db")) as db:
        db.execute("DELETE FROM schema_version WHERE version > 1")
    for dots in range(2030, 2042):
        got = run("admin", "--data", "./" * dots + ".", "migrate", cwd=data)
        if is_said(got, "the name of the store is too long."):
            return
    raise AssertionError(got)


def many_courts():
    """The registry of courts is full."""
    court = run("court", "show", "--json").strip()
    requests = [{"op": "new", "game": "louis", "players": 2, "options": {"court": court.replace("Louvois", f"Louvois {n}")}}
                for n in range(1025)]
    got = run("referee", text="".join(json.dumps(r) + "\n" for r in requests)).splitlines()
    assert "too many different courts" in got[-1], got[-1]
    note("salotto referee", json.loads(got[-1]))
    assert json.loads(got[1022])["ok"], got[1022]


def open_pile():
    """A court that gives out intrigue cards until their open pile is shuffled again."""
    court = run("court", "show", "--json")
    for reward in ("gold", "shield", "influence_card"):
        court = re.sub(f'"reward":"{reward}","amount":\\d', '"reward":"intrigue_card","amount":1', court)
    got = run("watch", "louis", "--plain", "--players", "4", "--seed", "2", "--bot", "random", "--speed", "0", "--option",
              "court=" + path("court.json", court.encode()))
    assert_says(got, "The intrigue cards are shuffled again.")


def unlike_copy():
    """A store that does not keep what is written into it, here by a trigger."""
    old, new = Server(SALOTTO), Server(SALOTTO)
    Guest(old, "Anna")
    stores = []
    for server in old, new:
        server.stop()
        stores.append(os.path.join(server.folder, "data", "salotto.db"))
    with sqlite3.connect(stores[1]) as db:
        db.execute("CREATE TRIGGER forgetful AFTER INSERT ON person BEGIN UPDATE person SET name = 'Bea'; END")
    got = run("admin", "migrate", *(f"sqlite:{store}" for store in stores))
    assert_says(got, "the copy is not the same as the original")
    with sqlite3.connect(stores[1]) as db:
        assert db.execute("SELECT count(*) FROM person").fetchone() == (0,)


def late_close(stopped):
    """A server that does nothing for a while, and closes the table when it goes on."""
    server, anna, table, asked = stopped
    got, _ = asked.communicate()
    assert_says(got, "The server has not closed the table yet; it will.")
    server.process.send_signal(signal.SIGCONT)
    assert anna.hear("moved", kind="end")["table"] == table
    server.stop()


def stop_and_close():
    """It has ten seconds; all else is tried meanwhile."""
    server = Server(SALOTTO)
    anna = Guest(server, "Anna")
    table = anna.must("create", game="doors", players=2)["table"]
    server.process.send_signal(signal.SIGSTOP)
    asked = subprocess.Popen([SALOTTO, "admin", "--data", os.path.join(server.folder, "data"), "close", table], env=ENV,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return server, anna, table, asked


def no_further():
    """The open record of a game in play ends where the next card would be drawn."""
    server = Server(SALOTTO)
    anna = Guest(server, "Anna")
    table = anna.must("create", game="louis", players=2, seats=["open", "random"])["table"]
    anna.must("sit", table=table, seat=0)
    anna.hear("moved", kind="start")
    got = run("replay", "--plain", path("open.salotto", server.read(f"/api/record/{table}")[2].encode()))
    assert_says(got, "Cards are being drawn.")
    server.stop()


def damaged_move():
    """A finished game in the store with a move that cannot be: its record and its replay say so."""
    server = Server(SALOTTO)
    anna, bea = Guest(server, "Anna"), Guest(server, "Bea")
    table = anna.must("create", game="doors", players=2, options={"first": 0})["table"]
    for seat, guest in enumerate((anna, bea)):
        guest.must("sit", table=table, seat=seat)
    start = anna.hear("moved", kind="start")
    anna.must("act", table=table, seq=start["seq"], action=start["legal"][0])
    bea.must("resign", table=table)
    run("admin", "--data", os.path.join(server.folder, "data"), "close", table)
    server.stop()
    with server.database() as db:
        db.execute("UPDATE move SET text = 'dance' WHERE room = ? AND kind = 'act'", (table,))
    server.start()
    for what in "record", "replay":
        status, _, body = server.read(f"/api/{what}/{table}", {"Accept-Language": "it"})
        assert status == 503, (what, status, body)
        assert_says(body, "This record cannot be read.")
    server.stop()


class Relay:
    """Between a program and its server; it can hold back what the server says, and tells when it is asked
    meanwhile."""

    def __init__(self):
        self.open, self.asked = threading.Event(), threading.Event()
        self.open.set()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.origin, self.to = f"http://127.0.0.1:{self.listener.getsockname()[1]}", None
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            ours, _ = self.listener.accept()
            theirs = socket.create_connection(("127.0.0.1", self.to))
            for a, b, held in ((ours, theirs, False), (theirs, ours, True)):
                threading.Thread(target=self.pass_on, args=(a, b, held), daemon=True).start()

    def pass_on(self, a, b, held):
        try:
            while piece := a.recv(65536):
                if held:
                    self.open.wait()
                b.sendall(piece)
                if not held and not self.open.is_set():
                    self.asked.set()
            b.shutdown(socket.SHUT_WR)
        except OSError:
            pass


def moved_on():
    """Somebody answers an auction that was undone, and has not heard of it yet."""
    relay = Relay()
    server = Server(SALOTTO, "--public-url", relay.origin)
    server.origin, relay.to = relay.origin, server.port
    anna = Guest(server, "Anna")
    table = anna.must("create", game="favor", players=2, options={"first": 0})["table"]
    anna.must("sit", table=table, seat=0)
    gino = Terminal("join", f"{relay.origin}/t/{table}", "--plain", "--name", "Gino")
    seq = anna.hear("moved", kind="start")["seq"]
    seq = anna.must("act", table=table, seq=seq, action="auction")["seq"]
    gino.hear("Bid {number} gem")
    relay.open.clear()
    anna.must("undo", table=table, seq=seq)
    gino.type("pass")
    relay.asked.wait()
    relay.open.set()
    gino.hear("The table had already changed: look, and choose again.")
    gino.end()
    server.stop()


def closing():
    """A question to a server that stops, while the disk is slow."""
    server = Server(SALOTTO)
    anna = Guest(server, "Anna")
    table = anna.must("create", game="doors", players=2)["table"]
    anna.must("lang", lang="it")
    with sqlite3.connect(os.path.join(server.folder, "data", "salotto.db"), isolation_level=None) as db:
        db.execute("BEGIN IMMEDIATE")
        anna.send(op="sit", id=7, table=table, seat=0)
        server.process.terminate()
        anna.hear("closing")
        got = anna.ask("lobby")
        db.execute("ROLLBACK")
    assert got["code"] == "closing", got
    assert_says(got["message"], "The server is restarting; come back in a moment.")
    server.stop()


STOPPED = stop_and_close()
case("no files left for a program", no_files_left)
case("a window that is too large", too_large)
case("a policy with invalid answers", broken_policy)
case("a round that is quick to check", last_round)
case("a store with a long name", long_names)
case("too many courts", many_courts)
case("a pile that is shuffled again", open_pile)
case("a copy that is not the same", unlike_copy)
case("a record that goes no further", no_further)
case("a record with a damaged move", damaged_move)
case("a table that has moved on", moved_on)
case("a server that stops", closing)
case("a server that closes a table late", late_close, STOPPED)
case("a program that never answers", never_answers)
done()
