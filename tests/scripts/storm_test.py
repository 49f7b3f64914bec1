"""The server in a storm: killed again and again under load, bad clients of every
kind, a disk that takes no more. Whoever behaves must notice nothing.

    storm_test.py SALOTTO SOURCE_ROOT
"""
import json
import os
import random
import re
import resource
import socket
import sys
import threading
import time

from parlour import Closed, Guest, Server, dial, frame, handshake
from tap import case, done
from witness import referee, replay

SALOTTO = os.path.abspath(sys.argv[1])
# Sanitizers keep what was freed for a while; little of it, or memory cannot be looked at.
os.environ["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=4"
KILLS = 50
CALM_MB = 48  # what the memory may grow by in one case


# ---- kill -9 -------------------------------------------------------------------

class Player(threading.Thread):
    """Plays at its seats through every restart, one table after the other; notes
    what was acknowledged."""

    def __init__(self, server, cookie, tables, stop):
        super().__init__()
        self.server, self.cookie, self.tables, self.stop = server, cookie, tables, stop
        self.acknowledged = []
        self.trouble = None
        self.rng = random.Random(cookie)

    def run(self):
        at = 0
        while not self.stop.is_set() and at < len(self.tables):
            try:
                self.visit(self.tables[at])
                at += 1
            except (Closed, OSError):
                time.sleep(0.01)
            except AssertionError as e:  # a handshake cut short is none
                if "HTTP/1.1" in str(e):
                    self.trouble = e
                time.sleep(0.01)
            except Exception as e:  # told by the test
                self.trouble = e
                return

    def visit(self, table):
        g = Guest(self.server, cookie=self.cookie)
        news = g.must("join", table=table)
        while not self.stop.is_set():
            while "state" not in news:
                news = g.hear("moved")
            if news["state"]["over"]:
                break
            if news["legal"]:
                action = self.rng.choice(news["legal"])
                got = g.ask("act", table=table, seq=news["seq"], action=action)
                if got["op"] == "done":
                    self.acknowledged.append((table, got["seq"], news["seat"], action))
            news = g.hear("moved")
        g.close()


def seat_party(server, game, people, bots, tables):
    """Some people who will play that many tables of a game, one after the other."""
    cookies = [server.cookie(f"P{n}") for n in range(people)]
    guests = [Guest(server, cookie=c) for c in cookies]
    ids = []
    for n in range(tables):
        host = guests[n % people]
        ids.append(host.must("create", game=game, players=people + bots,
                             seats=["open"] * people + ["random"] * bots)["table"])
        for seat, g in enumerate(guests):
            g.must("sit", table=ids[-1], seat=seat)
    for g in guests:
        g.close()
    return cookies, ids


def moves_made(players, count):
    """Waits until the players have been told of that many moves more, or have
    nothing left to play."""
    def told():
        return sum(len(p.acknowledged) for p in players)

    wanted = told() + count
    while told() < wanted and any(p.is_alive() for p in players):
        time.sleep(0.001)


def killed():
    server = Server(SALOTTO)
    stop = threading.Event()
    rng = random.Random(5)
    players, tables = [], []
    for game, people, bots, count in (("doors", 2, 0, 12), ("doors", 2, 0, 12),
                                      ("favor", 3, 0, 4), ("traps", 2, 1, 8)):
        cookies, ids = seat_party(server, game, people, bots, count)
        tables += ids
        players += [Player(server, c, ids, stop) for c in cookies]
    for p in players:
        p.start()
    for _ in range(KILLS):
        moves_made(players, rng.randrange(2, 20))
        server.kill()
        server.start()
    moves_made(players, 20)
    stop.set()
    server.kill()
    for p in players:
        p.join()
    assert not [p.trouble for p in players if p.trouble], [p.trouble for p in players]
    total = 0
    for table in tables:
        moves = server.moves(table)
        assert [m[0] for m in moves] == list(range(len(moves))), table
        stored = {(table, seq, seat, text) for seq, seat, kind, text in moves if kind == "act"}
        acknowledged = [a for p in players for a in p.acknowledged if a[0] == table]
        assert len(acknowledged) == len(set(acknowledged)) and set(acknowledged) <= stored
        total += len(acknowledged)
        referee(SALOTTO, [request for _, request in replay(moves)])
    assert total > 2 * KILLS, total
    server.start()
    for table, cookie in {t: p.cookie for p in players for t in p.tables}.items():
        goes_on(server, cookie, table)
    assert server.stop() == 0


def goes_on(server, cookie, table):
    """The table is as the store has it, and if the game is not over it has a
    seat that is asked."""
    stored = len(server.moves(table))
    g = Guest(server, cookie=cookie)
    news = g.must("join", table=table)
    assert news["seq"] >= stored - 1, (news["seq"], stored)
    assert news["state"]["over"] or news["state"]["to_act"]
    if news["legal"]:
        g.must("act", table=table, seq=news["seq"], action=news["legal"][0])
    g.close()


# ---- Bad clients ---------------------------------------------------------------

def rss(server):
    with open(f"/proc/{server.process.pid}/status", encoding="utf-8") as f:
        return int(re.search(r"VmRSS:\s+(\d+)", f.read()).group(1)) / 1024


class Calm:
    """Two people at a table, who must notice nothing of what others do."""

    def __init__(self, server):
        self.guests = [Guest(server, f"Calm {i}") for i in range(2)]
        self.new_table()

    def new_table(self):
        self.table = self.guests[0].must("create", game="doors", players=2,
                                         options={"first": 0})["table"]
        for i, g in enumerate(self.guests):
            g.must("join", table=self.table)
            g.must("sit", table=self.table, seat=i)
        self.news = [g.hear("moved", kind="start") for g in self.guests]

    def move(self):
        for g, news in zip(self.guests, self.news):
            if news["legal"]:
                got = g.must("act", table=self.table, seq=news["seq"], action=news["legal"][0])
                break
        self.news = [g.hear("moved", seq=got["seq"]) for g in self.guests]
        if self.news[0]["state"]["over"]:
            self.new_table()


def blames(server):
    return [json.loads(line)["why"] for line in server.logged().splitlines()
            if '"blamed"' in line]


def storm(name, attack, *words, server=None):
    """A case: an attack by so many connections, each of which is to be logged
    once, with one of these words; the calm go on, the memory stays."""

    def weather():
        where, calm = (QUICK, QUICK_CALM) if server else (SERVER, CALM)
        calm.move()
        before, memory = len(blames(where)), rss(where)
        connections = attack(where, calm)
        calm.move()
        if words and connections:
            while len(blames(where)) - before < connections:
                time.sleep(0.02)
        new = blames(where)[before:]
        if connections is None:
            assert 1 <= len(new) <= 100, new
        else:
            assert len(new) == (connections if words else 0), (connections, new)
        assert all(any(w in why for w in words) for why in new), new
        assert rss(where) - memory < CALM_MB, (memory, rss(where))

    case(name, weather)


def insist(guest, data):
    """Sends as long as it is listened to."""
    try:
        for part in data:
            guest.socket.sendall(part)
    except ConnectionError:
        pass


def malformed(server, calm):
    bad = [frame(1, b"{}", mask=False), frame(1, b"{}", rsv=4), frame(3, b""),
           frame(9, b"x" * 126), frame(0, b"x"), frame(1, b"\xff\xfe")]
    for data in bad:
        g = Guest(server, cookie=COOKIE)
        g.socket.sendall(data + frame(1, b'{"op":"lobby"}') * 50)
        assert g.gone() in (1002, 1007, None)
        calm.move()
    return len(bad)


def oversized(server, calm):
    for _ in range(2):
        g = Guest(server, cookie=COOKIE)
        insist(g, [frame(1, b"x" * 60000)] * 500)
        assert g.gone() in (1009, None)
        g = Guest(server, cookie=COOKIE)
        insist(g, [frame(1, b"x" * 4000, fin=False)] + [frame(0, b"x" * 4000, fin=False)] * 5000)
        assert g.gone() in (1009, None)
        calm.move()
    return 4


def not_http(server, calm):
    rng = random.Random(8)
    for _ in range(3):
        with dial(server.port) as s:
            try:
                for _ in range(50):
                    s.sendall(rng.randbytes(5000))
                while s.recv(4096):
                    pass
            except ConnectionError:
                pass
        calm.move()
    return 3


def slow_requests(server, calm):
    """Forty that trickle a header each: all are closed, though none is silent."""
    sockets = [dial(server.port) for _ in range(40)]
    for s in sockets:
        s.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n")
    while sockets:
        for s in list(sockets):
            try:
                s.sendall(b"X: a\r\n")
            except ConnectionError:
                s.close()
                sockets.remove(s)
        time.sleep(0.1)
        calm.move()
    return 0


def slow_frames(server, calm):
    """A message that begins and trickles is not waited for."""
    slow = [Guest(server, f"Slow {i}") for i in range(5)]
    for g in slow:
        g.socket.sendall(b"\x81\xfe\x1f\x00abcd")
    while any(g.socket for g in slow):
        for g in slow:
            try:
                if g.socket:
                    g.socket.sendall(b"x")
            except OSError:
                g.socket = None
        time.sleep(0.1)
        calm.move()
    return len(slow)


def wrong_origin(server, calm):
    for _ in range(3):
        request, _ = handshake(server, COOKIE, origin="https://evil.example")
        assert server.raw(request + b"\r\n" * 20).startswith(b"HTTP/1.1 4")
    calm.move()
    return 3


def forged_cookies(server, calm):
    rng = random.Random(9)
    for i in range(100):
        token = "".join(rng.choice("abcdefghijklmnop-_ABCDEF0123456789") for _ in range(43))
        request, _ = handshake(server, f"salotto={token}")
        with dial(server.port) as s:
            s.sendall(request)
            assert s.recv(12) == b"HTTP/1.1 401"
        if i % 20 == 0:
            calm.move()
    return 0


def other_seats(server, calm):
    """Nobody moves for another, whatever the message says."""
    table, news = calm.table, calm.news
    mover = 0 if news[0]["legal"] else 1
    action, seq = news[mover]["legal"][0], news[mover]["seq"]
    other, stranger = calm.guests[1 - mover], Guest(server, "Stranger")
    stranger.must("join", table=table)
    for more in ({}, {"seat": mover}, {"by": mover}, {"person": calm.guests[mover].me["person"]}):
        assert other.code("act", table=table, seq=seq, action=action, **more) == "not-your-turn"
        assert stranger.code("act", table=table, seq=seq, action=action, **more) == "not-seated"
    for op in ("resign", "leave"):
        stranger.ask(op, table=table, seat=mover)
    assert len(server.moves(table)) == seq + 1
    stranger.close()
    return 0


class Recorder(Guest):
    """Keeps the bytes it sends."""

    def connect(self):
        super().connect()
        self.said = b""

    def send(self, **message):
        data = frame(1, json.dumps(message).encode())
        self.said += data
        self.socket.sendall(data)


def replayed(server, calm):
    """Old messages, byte for byte, on a new connection of the same person."""
    g = Recorder(server, "Echo")
    table = g.must("create", game="doors", players=2, seats=["open", "random"],
                   options={"first": 0})["table"]
    g.must("sit", table=table, seat=0)
    news = g.hear("moved", kind="start")
    while not (news["state"]["over"] or len(g.said) > 1500):
        if news["legal"]:
            g.must("act", table=table, seq=news["seq"], action=news["legal"][0])
        news = g.hear("moved")
    while not (news["state"]["over"] or news["legal"]):
        news = g.hear("moved")
    before = server.moves(table)
    for _ in range(3):
        again = Guest(server, cookie=g.cookie)
        again.socket.sendall(g.said)
        again.must("lobby")
        answers = [json.loads(m) for m in again.heard]
        late = [m for m in answers if m.get("re") in ("act", "sit")]
        assert late and all(m["op"] == "error" for m in late), late
        again.close()
    assert server.moves(table) == before
    g.close()
    return 0


def message_flood(server, calm):
    for _ in range(2):
        g = Guest(server, cookie=COOKIE)
        insist(g, [frame(1, b'{"op":"lobby"}') * 100] * 20)
        assert g.gone() in (1008, None)
        calm.move()
    return 2


def ping_flood(server, calm):
    for _ in range(2):
        g = Guest(server, cookie=COOKIE)
        insist(g, [frame(9, b"x" * 100) * 100] * 50)
        assert g.gone() in (1008, None)
        calm.move()
    return 2


def guest_flood(server, calm):
    """New people of one address: so many, and then not so fast."""
    codes = []
    while codes.count(429) < 10:
        codes.append(server.request("POST", "/api/guest", '{"name":"Many"}')[0])
    assert codes.count(200) > 10 and set(codes) == {200, 429}, codes
    calm.move()
    return 0


def connection_flood(server, calm):
    """More connections than there is room for: those inside stay."""
    sockets = []
    for _ in range(300):
        sockets.append(dial(server.port))
    calm.move()
    for s in sockets:
        s.close()
    while server.figures().get("salotto_open_connections", 99) > 20:  # or it is refused, too
        time.sleep(0.05)
    return None  # as often as the log is patient


def never_reads(server, calm):
    """Who asks and does not read what it gets is not read from any more."""
    slow = [Guest(server, cookie=COOKIE) for _ in range(5)]
    for g in slow:
        g.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        for _ in range(90):
            g.send(op="lobby")
    for _ in range(5):
        calm.move()
    for g in slow:
        g.close()
    return 0


# ---- A disk that takes no more --------------------------------------------------

def disk_full():
    """No write goes through, by a limit on the size of files: moves are refused,
    nobody is told anything, bots wait too; then there is room again, and both
    tables go on where they were."""
    server = Server(SALOTTO)
    calm = Calm(server)
    calm.move()
    watcher = Guest(server, "Watcher")
    bots = watcher.must("create", game="louis", players=4, seats=["random"] * 4)["table"]
    news = watcher.hear("moved", table=bots)
    seq = len(server.moves(calm.table))
    wal = os.path.join(server.folder, "data", "salotto.db-wal")
    _, hard = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE,
                     (min(4096, os.path.getsize(wal)), hard))
    mover = calm.guests[0] if calm.news[0]["legal"] else calm.guests[1]
    mine = calm.news[0] if calm.news[0]["legal"] else calm.news[1]
    move = {"table": calm.table, "seq": mine["seq"], "action": mine["legal"][0]}
    for _ in range(5):
        answer = mover.ask("act", **move)
        assert answer.get("code") == "store" and answer["message"], answer
        assert watcher.code("create", game="doors", players=2) == "store"
    assert server.request("POST", "/api/guest", '{"name":"Eve"}')[0] == 503
    assert server.request("GET", "/healthz")[0] == 200
    assert len(server.moves(calm.table)) == seq
    stalled = server.moves(bots)
    assert server.figures()["salotto_store_failures_total"] > 0
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (hard, hard))
    assert mover.ask("act", **move)["op"] == "done"
    for g in calm.guests:
        assert g.hear("moved")["seq"] == seq, "the next they hear of is that move"
    while len(server.moves(bots)) == len(stalled):
        news = watcher.hear("moved", table=bots)
    server.kill()
    server.start()
    assert Guest(server).must("join", table=calm.table)["seq"] == seq
    assert server.stop() == 0


def closes():
    for h in (SERVER, QUICK):
        assert h.stop() == 0, h.logged()[-3000:]


case(f"kill -9 under load, {KILLS} times: nothing acknowledged is lost, nothing doubled", killed)
SERVER = Server(SALOTTO)
QUICK = Server(SALOTTO, "--timeout", "5")
CALM, QUICK_CALM = Calm(SERVER), Calm(QUICK)
COOKIE = SERVER.cookie("Tester")
try:
    storm("malformed frames", malformed, "no sound WebSocket")
    storm("oversized messages and fragments", oversized, "no sound WebSocket")
    storm("bytes that are not HTTP", not_http, "this is not HTTP")
    storm("requests that trickle", slow_requests, server="quick")
    storm("messages that trickle", slow_frames, "trickles", server="quick")
    storm("wrong origin", wrong_origin, "somebody else", "before the handshake")
    storm("forged cookies", forged_cookies)
    storm("moves for other seats", other_seats)
    storm("old messages replayed", replayed)
    storm("a flood of messages", message_flood, "a flood of messages", "a flood of frames")
    storm("a flood of pings", ping_flood, "a flood of frames")
    storm("clients that never read", never_reads)
    storm("a flood of connections", connection_flood, "too many connections")
    storm("a flood of new guests", guest_flood)
    case("a full disk: moves wait, then the tables go on", disk_full)
    case("both servers close in order", closes)
finally:
    for h in (SERVER, QUICK):
        if h.process.poll() is None:
            h.kill()
done()
