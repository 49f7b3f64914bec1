"""Servers that wait lend their threads to the one that serves: to whom, and what becomes of
thoughts that are not answered.

    lend_test.py SALOTTO SOURCE_ROOT
"""
import hashlib
import json
import os
import shutil
import signal
import sys
import tempfile
import time

from cluster import Cluster, psql
from parlour import Guest, Server, dial, wait_for
from tap import case, done

SALOTTO, TOP = (os.path.abspath(a) for a in sys.argv[1:3])
CLUSTER = Cluster()
ORIGIN = "http://parlour.test"
TABLES = 4
with open(SALOTTO, "rb") as program:
    PROGRAM = hashlib.blake2b(program.read(), digest_size=32).digest()


def open_server(store, *options, salotto=SALOTTO):
    server = Server(salotto, "--store", store, "--public-url", ORIGIN, "--bot-threads", "1",
                    "--bot-tables", "100", *options)
    server.origin = ORIGIN
    return server


def watch_bots(server, bot="expert"):
    """Somebody who watches tables of bots, more than one thread can think for."""
    guest = Guest(server)
    for _ in range(TABLES):
        guest.must("create", game="traps", players=3, seats=[bot] * 3)
    return guest


def plays_on(guest, moves=10):
    for _ in range(moves):
        guest.hear("moved")


def secret_of(store):
    wait_for(lambda: psql(store, "SELECT count(*) FROM server") == "1")
    return psql(store, "SELECT secret FROM server")


def proof_of(secret, random, program=PROGRAM):
    return hashlib.blake2b(random.encode() + program, key=secret.encode(), digest_size=32).hexdigest()


class Lender:
    """A program that says it is a server which waits."""

    def __init__(self, server, **headers):
        headers = {"Host": "salotto", "Connection": "Upgrade", "Upgrade": "salotto-lend", **headers}
        lines = "".join(f"{k.replace('_', '-')}: {v}\r\n" for k, v in headers.items() if v is not None)
        self.socket = dial(server.port)
        self.socket.sendall(f"GET /lend HTTP/1.1\r\n{lines}\r\n".encode())
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            assert self.fill(), self.buffer
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        self.status = int(head.split()[1])

    def fill(self):
        """Whether more has come."""
        try:
            more = self.socket.recv(65536)
        except ConnectionError:
            more = b""
        self.buffer += more
        return more

    def letter(self):
        """The size of one, or None: it was dropped."""
        size = self.take(4)
        return size and len(self.take(int.from_bytes(size, "little")))

    def take(self, n):
        while len(self.buffer) < n:
            if not self.fill():
                return None
        got, self.buffer = self.buffer[:n], self.buffer[n:]
        return got

    def says(self, data):
        """Whether it could be said."""
        try:
            self.socket.sendall(data)
        except ConnectionError:
            return False
        return True


def own_lender(server, store):
    random = os.urandom(16).hex()
    return Lender(server, Salotto_Random=random, Salotto_Proof=proof_of(secret_of(store), random))


def greetings():
    """Whoever cannot prove that it is a server of this store finds what is found at any
    other path without anything."""
    store = CLUSTER.database()
    server = open_server(store)
    secret, random = secret_of(store), os.urandom(16).hex()
    right = proof_of(secret, random)
    wrong = {
        "nothing": {},
        "no proof": {"Salotto_Random": random},
        "no random": {"Salotto_Proof": right},
        "another random": {"Salotto_Random": os.urandom(16).hex(), "Salotto_Proof": right},
        "a short random": {"Salotto_Random": random[:-1], "Salotto_Proof": right},
        "a short proof": {"Salotto_Random": random, "Salotto_Proof": right[:-1]},
        "no secret": {"Salotto_Random": random, "Salotto_Proof": hashlib.blake2b(
            random.encode() + PROGRAM, digest_size=32).hexdigest()},
        "another secret": {"Salotto_Random": random, "Salotto_Proof": proof_of("0" * 64, random)},
        "another program": {"Salotto_Random": random,
                            "Salotto_Proof": proof_of(secret, random, bytes(32))},
        "another protocol": {"Salotto_Random": random, "Salotto_Proof": right,
                             "Upgrade": "websocket"},
    }
    for what, headers in wrong.items():
        assert Lender(server, **headers).status == 404, what
    assert server.figures()["salotto_lent_threads"] == 0
    lender = Lender(server, Salotto_Random=random, Salotto_Proof=right)
    assert lender.status == 101
    assert server.figures()["salotto_lent_threads"] == 1
    lender.socket.close()
    wait_for(lambda: server.figures()["salotto_lent_threads"] == 0)
    assert server.stop() == 0
    alone = Server(SALOTTO)  # it has no store that others share
    assert Lender(alone, Salotto_Random=random, Salotto_Proof=right).status == 404
    assert alone.stop() == 0


def no_answers():
    """Too much, something else, nothing: the thought is thought here, and the game goes on."""
    store = CLUSTER.database()
    server = open_server(store, "--bot-seconds", "0.2")
    guest = watch_bots(server)

    def too_much(lender):
        lender.says(bytes(1 << 16))

    def something_else(lender):
        while lender.says(bytes(1)):
            time.sleep(0.001)

    def nothing(_):
        pass

    def before_it_was_asked(lender):
        lender.says(bytes(1))

    for n, answer in enumerate((too_much, something_else, nothing)):
        lender = own_lender(server, store)
        assert lender.letter() > 1000
        answer(lender)
        assert lender.letter() is None, answer
        wait_for(lambda: server.figures()["salotto_thoughts_returned_total"] == n + 1)
        plays_on(guest)
    assert "a lender's answer that is none" in server.logged()
    guest.close()
    wait_for(lambda: server.figures()["salotto_work_open"] == 0)
    lender = own_lender(server, store)
    before_it_was_asked(lender)
    assert lender.letter() is None
    figures = server.figures()
    assert figures["salotto_thoughts_lent_total"] == 0, figures
    assert figures["salotto_thoughts_returned_total"] == 3, figures
    assert server.stop() == 0


def closing():
    """With a thought on its way, which it does not wait for (`crew`: stopped_elsewhere)."""
    store = CLUSTER.database()
    server = open_server(store, "--bot-seconds", "60")
    guest = watch_bots(server)
    lender = own_lender(server, store)
    assert lender.letter() > 1000
    assert server.stop() == 0
    assert lender.letter() is None
    guest.close()


def own_courts():
    """A court that was handed in is known to the server that has read it alone."""
    store = CLUSTER.database()
    server, other = open_server(store, "--bot-seconds", "0.2"), open_server(store)
    guest = Guest(server)
    with open(os.path.join(TOP, "src", "games", "court.json"), encoding="utf-8") as f:
        court = json.load(f)
    court["setup"]["gold"] = 9
    status, _, body = server.request("POST", "/api/court", json.dumps(court),
                                     {"Cookie": guest.cookie, "Origin": ORIGIN})
    assert status == 200, body
    wait_for(lambda: server.figures()["salotto_lent_threads"] == 1)
    for _ in range(TABLES):
        guest.must("create", game="louis", players=2, seats=["expert"] * 2,
                   options={"court": json.loads(body)["court"]})
    plays_on(guest, 40)
    figures = server.figures()
    assert figures["salotto_thoughts_lent_total"] == 0, figures
    for s in (other, server):
        assert s.stop() == 0


def versions():
    """A server lends to one of the very same program, and to no other."""
    store = CLUSTER.database()
    folder = tempfile.mkdtemp(prefix="salotto-lend-")
    another = os.path.join(folder, "salotto")
    shutil.copy(SALOTTO, another)
    with open(another, "ab") as f:
        f.write(b"\0")
    server = open_server(store, "--bot-seconds", "0.2")
    guest = watch_bots(server)
    newer = open_server(store, salotto=another)
    wait_for(lambda: '"not-lent"' in newer.logged())
    assert server.figures()["salotto_lent_threads"] == 0
    same = open_server(store)
    wait_for(lambda: '"lending"' in same.logged())
    wait_for(lambda: server.figures()["salotto_thoughts_lent_total"] > 5)
    assert server.figures()["salotto_lent_threads"] == 1
    plays_on(guest)
    for s in (newer, same, server):
        assert s.stop() == 0
    shutil.rmtree(folder)


def second_lease():
    """A server that has lost the lease and has it again gives its bots time: without, they
    compare nothing."""
    store = CLUSTER.database()
    server, other = (open_server(store, "--bot-seconds", "10") for _ in range(2))

    def has_said(who, event, times):
        wait_for(lambda: who.logged().count(f'"{event}"') == times)
    has_said(other, "waiting", 1)
    server.process.send_signal(signal.SIGSTOP)
    has_said(other, "listening", 1)
    server.process.send_signal(signal.SIGCONT)
    has_said(server, "waiting", 2)
    assert other.stop() == 0
    has_said(server, "listening", 2)
    guest = watch_bots(server)
    wait_for(lambda: server.figures()["salotto_thoughts_total"] >= TABLES)
    figures = server.figures()
    assert figures["salotto_simulations_total"] > figures["salotto_thoughts_total"], figures
    guest.close()
    assert server.stop() == 0


case("only a server of the same store and program may lend", greetings)
case("a thought without an answer is thought here", no_answers)
case("a server closes while others think for it", closing)
case("bots have time again after a second lease", second_lease)
case("what a lender cannot know is not lent", own_courts)
case("servers of different versions do not lend", versions)
done()
