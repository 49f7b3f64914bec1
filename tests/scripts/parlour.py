"""A server to test and guests to visit it: starts `salotto serve` on a free port
and speaks HTTP and WebSocket to it with the standard library alone."""
import atexit
import base64
import collections
import copy
import functools
import hashlib
import http.client
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import struct
import subprocess
import tempfile
import time

from cluster import Database, new_database
from seen import note
from shapes import message_problem
from tap import KILL


CAP = 600  # seconds after which something hangs; nothing else is measured by it
PASSWORD = "correct horse"  # of accounts


class Closed(Exception):
    """The other side has closed; `code` is that of the WebSocket, or None."""

    def __init__(self, code=None):
        super().__init__(f"closed with {code}")
        self.code = code


class Limit:
    """What a server has counted of one limit, as its store has it: how much was used, and when. In
    a second so much of it is forgotten."""

    def __init__(self, server, what, of, forgets):
        self.server, self.forgets = server, forgets
        if re.fullmatch(r"[\d.]+", of):  # an address of IPv4
            of = "00" * 10 + "ffff" + bytes(map(int, of.split("."))).hex()
        else:  # a name
            of = hashlib.blake2b(of.lower().encode(), digest_size=16).hexdigest()
        self.name = f"{what}:{of}"
        self.used, self.at = 0, 0

    def read(self):
        """False: it is not there, or as it was when it was last read."""
        with self.server.database() as db:
            row = db.execute("SELECT used, at FROM allowance WHERE name = ?", (self.name,)).fetchone()
        was, (self.used, self.at) = self.at, row or (0, 0)
        return bool(row) and self.at != was

    def read_last(self, address="10.9.0.1"):
        """Once all that was counted until now is in the store: as one is that is counted later,
        for a name that nobody has."""
        name = f"Nobody {time.monotonic_ns() % 10 ** 12}"
        status, _, body = self.server.request(
            "POST", "/api/enter", json.dumps({"name": name, "password": "wrong password"}),
            {"X-Forwarded-For": address})
        assert status == 403, body
        wait_for(Limit(self.server, "wrong-for", name, 0.1).read)
        self.read()
        assert self.used > 0

    def at_another(self, server):
        """The same at a server that counts on."""
        other = copy.copy(self)
        other.server = server
        return other

    def counts_on(self, use):
        """Uses one more: it comes on top of what was counted before, less what was forgotten
        since, however long that took. `use` says how often it has asked, where a server that falls
        may have counted a request that it did not answer; or 0: it is refused."""
        used, at = self.used, self.at
        asked = int(use())
        if asked:
            wait_for(self.read)
            left = max(0, used - (self.at - at) / 1000 * self.forgets)
            assert 0.5 < self.used - left < asked + 0.5, (self.name, used, self.used, left, asked)

    def is_at(self, most, use):
        """The same where all is used up: so one more is refused, unless enough was forgotten."""
        used, at = self.used, self.at
        self.counts_on(use)
        forgotten = (self.at - at) / 1000 * self.forgets
        assert self.at == at or used + 1 - forgotten <= most, (self.name, used, forgotten)


def wait_for(condition):
    """Waits for what must come; who runs the tests knows when it hangs."""
    while not condition():
        time.sleep(0.02)


class Server:
    """A server in a folder of its own; it can be killed and started again."""

    def __init__(self, salotto, *options, data=None, env=None):
        self.salotto, self.options, self.env = salotto, options, env or {}
        self.folder = data or tempfile.mkdtemp(prefix="salotto-serve-")
        if not data:
            atexit.register(shutil.rmtree, self.folder, ignore_errors=True)
        self.log = open(os.path.join(self.folder, "log"), "ab+")
        self.process = None
        self.port = 0
        self.store = None
        if cluster := os.environ.get("SALOTTO_TEST_CLUSTER"):
            self.store = new_database(cluster, f"s{os.getpid()}_{time.monotonic_ns()}")
            self.options = ("--store", self.store, *options)
        self.start()

    def start(self):
        """On the port it had before, if it had one. A guest that knocks while the
        server is down can get hold of it for a moment."""
        until = time.monotonic() + CAP
        while not self.opens():
            self.process.wait()
            self.process.stdout.close()
            assert self.port and time.monotonic() < until, self.logged()[-2000:]
            time.sleep(0.05)

    def opens(self):
        # Guests that are busy elsewhere answer no ping, and a slow machine is no bad client.
        command = [self.salotto, "serve", "--listen", f"127.0.0.1:{self.port}",
                   "--data", os.path.join(self.folder, "data"),
                   "--bot-seconds", "0", "--ping", str(CAP), "--timeout", str(CAP),
                   *self.options]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=self.log, text=True,
            env={**os.environ, "LANGUAGE": "en", **self.env})
        line = self.process.stdout.readline()
        if not line:
            return False
        found = re.fullmatch(r"Listening on http://127\.0\.0\.1:(\d+)\n", line)
        assert found, (line, self.logged()[-2000:])
        self.port = int(found.group(1))
        self.origin = f"http://127.0.0.1:{self.port}"
        return True

    def kill(self):
        self.process.send_signal(KILL)
        self.process.wait()
        self.process.stdout.close()

    def stop(self):
        """SIGTERM; the exit status."""
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(timeout=CAP)
        self.process.stdout.close()
        return status

    def logged(self):
        self.log.flush()
        with open(self.log.name, encoding="utf-8") as f:
            return f.read()

    def database(self):
        named = [b for a, b in zip(self.options, self.options[1:]) if a == "--store"]
        where = self.store or (named or [os.path.join(self.folder, "data", "salotto.db")])[0]
        if where.startswith("postgresql:"):
            return Database(where)
        return sqlite3.connect(where.removeprefix("sqlite:"))

    def moves(self, table):
        with self.database() as db:
            return db.execute("SELECT seq, seat, kind, text FROM move WHERE room = ?"
                              " ORDER BY seq", (table,)).fetchall()

    def request(self, method, path, body=None, headers=None):
        """(status, headers, body) of one request."""
        c = http.client.HTTPConnection("127.0.0.1", self.port, timeout=CAP)
        c.request(method, path, body, headers or {})
        r = c.getresponse()
        answer = r.status, dict(r.getheaders()), r.read().decode()
        c.close()
        return answer

    def ask(self, *request):
        """The same, asked again while there were too many."""
        while (answer := self.request(*request))[0] == 429:
            time.sleep(0.1)
        return answer

    def read(self, path, headers=None):
        return self.ask("GET", path, None, headers)

    def post(self, path, cookie="", headers=None, **body):
        """(status, answer, cookie) of a request with these values as its body."""
        status, answered, text = self.request("POST", path, json.dumps(body),
                                              {"Cookie": cookie, **(headers or {})})
        return status, json.loads(text), answered.get("Set-Cookie", "").split(";")[0]

    def raw(self, data):
        """What comes back for some bytes, until the server closes."""
        with dial(self.port) as s:
            try:
                s.sendall(data)
                got = b""
                while more := s.recv(65536):
                    got += more
            except ConnectionError:
                pass
            return got

    def cookie(self, name, **more):
        """A new guest's; `more` are further headers, as X_Forwarded_For."""
        headers = {"Origin": self.origin, **{k.replace("_", "-"): v for k, v in more.items()}}
        status, headers, body = self.ask("POST", "/api/guest", json.dumps({"name": name}), headers)
        assert status == 200, (status, body)
        return headers["Set-Cookie"].split(";")[0]

    def account(self, name, password=PASSWORD):
        """The cookie of a new one."""
        status, answer, cookie = self.post("/api/account", self.cookie(name), password=password)
        assert status == 200, answer
        return cookie

    def figures(self):
        text = self.request("GET", "/metrics")[2]
        return {k: float(v) for k, v in re.findall(r"^(\w+) ([\d.]+)$", text, re.M)}


def dial(port, **more):
    """A socket to that port. Where nobody listens, a socket can by chance get the
    very port that it calls, and is connected with itself."""
    s = socket.create_connection(("127.0.0.1", port), CAP, **more)
    if s.getsockname() == s.getpeername():
        s.close()
        raise ConnectionRefusedError
    return s


def frame(opcode, payload, fin=True, mask=True, rsv=0):
    head = bytes([(0x80 if fin else 0) | rsv << 4 | opcode])
    n, bit = len(payload), 0x80 if mask else 0
    if n < 126:
        head += bytes([bit | n])
    elif n < 1 << 16:
        head += bytes([bit | 126]) + struct.pack(">H", n)
    else:
        head += bytes([bit | 127]) + struct.pack(">Q", n)
    if not mask:
        return head + payload
    key = os.urandom(4)
    return head + key + bytes(b ^ key[i % 4] for i, b in enumerate(payload))


def handshake(server, cookie, origin=None, **other):
    headers = {"Host": server.origin.split("://")[1], "Upgrade": "websocket",
               "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
               "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(),
               "Origin": server.origin if origin is None else origin, "Cookie": cookie}
    headers.update({k.replace("_", "-"): v for k, v in other.items()})
    lines = "".join(f"{k}: {v}\r\n" for k, v in headers.items() if v is not None)
    return f"GET /ws HTTP/1.1\r\n{lines}\r\n".encode(), headers["Sec-WebSocket-Key"]


@functools.cache
def message_schema(salotto):
    """What messages look like, as the program says."""
    printed = subprocess.run([salotto, "schema", "messages"], check=True, stdout=subprocess.PIPE)
    return json.loads(printed.stdout)["messages"]


class Guest:
    """One WebSocket of one person. Keeps every byte it was sent."""

    def __init__(self, server, name="Anna", cookie=None, **more):
        self.server, self.name, self.more = server, name, more
        self.cookie = cookie or server.cookie(name, **more)
        self.heard = []  # every message as text
        self.inbox = collections.deque()
        self.number = 0
        self.connect()

    def dial(self):
        return dial(self.server.port)

    def connect(self):
        self.socket = self.dial()
        self.buffer = b""
        self.inbox.clear()
        request, key = handshake(self.server, self.cookie, **self.more)
        self.socket.sendall(request)
        while b"\r\n\r\n" not in self.buffer:
            self.fill()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        assert head.startswith(b"HTTP/1.1 101 "), head
        accept = hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode())
        assert base64.b64encode(accept.digest()) in head
        self.me = self.hear("hello")["you"]
        if os.environ.get("SALOTTO_SEEN"):  # for tools/seen: everything is said in words
            self.must("lang", lang="en")

    def fill(self):
        try:
            more = self.socket.recv(65536)
        except ConnectionError:
            more = b""
        if not more:
            raise Closed()
        self.buffer += more

    def need(self, n):
        while len(self.buffer) < n:
            self.fill()

    def read_frame(self):
        self.need(2)
        opcode, n, at = self.buffer[0] & 15, self.buffer[1], 2
        assert self.buffer[0] & 0x80 and not n & 0x80, "whole frames, not masked"
        if n == 126:
            self.need(4)
            n, at = struct.unpack(">H", self.buffer[2:4])[0], 4
        elif n == 127:
            self.need(10)
            n, at = struct.unpack(">Q", self.buffer[2:10])[0], 10
        self.need(at + n)
        payload, self.buffer = self.buffer[at:at + n], self.buffer[at + n:]
        return opcode, payload

    def read(self):
        """The next message."""
        if self.inbox:
            return self.inbox.popleft()
        while True:
            opcode, payload = self.read_frame()
            if opcode == 8:
                self.close()
                raise Closed(struct.unpack(">H", payload[:2])[0] if payload else None)
            if opcode == 9:
                self.socket.sendall(frame(10, payload))
            elif opcode == 1:
                self.heard.append(payload.decode("utf-8"))
                m = json.loads(payload)
                assert not (found := message_problem(message_schema(self.server.salotto), m)), found
                note("salotto serve", m)
                return m

    def hear(self, op, **facts):
        """The next message of that op; what comes before it is skipped."""
        while True:
            m = self.read()
            if m["op"] == op and all(m.get(k) == v for k, v in facts.items()):
                return m

    def send(self, **message):
        self.socket.sendall(frame(1, json.dumps(message).encode()))

    def ask(self, op, **message):
        """The answer to a request; what else comes waits in the inbox."""
        self.number += 1
        self.send(op=op, id=self.number, **message)
        aside = []
        while True:
            m = self.read()
            if m.get("id") == self.number:
                self.inbox.extendleft(reversed(aside))
                return m
            aside.append(m)

    def burst(self, op, count, **message):
        """The answers to the same request, sent so many times at once."""
        first = self.number + 1
        self.number += count
        self.socket.sendall(b"".join(
            frame(1, json.dumps({"op": op, "id": first + i, **message}).encode())
            for i in range(count)))
        answers, aside = {}, []
        while len(answers) < count:
            m = self.read()
            if isinstance(m.get("id"), int) and m["id"] >= first:
                answers[m["id"]] = m
            else:
                aside.append(m)
        self.inbox.extendleft(reversed(aside))
        return [answers[first + i] for i in range(count)]

    def must(self, op, **message):
        got = self.ask(op, **message)
        assert got["op"] != "error", got
        return got

    def code(self, op, **message):
        """The code of the refusal that this must get."""
        got = self.ask(op, **message)
        assert got["op"] == "error", got
        return got["code"]

    def gone(self):
        """The code with which the server closes; what comes before it is skipped."""
        try:
            while True:
                self.read()
        except Closed as e:
            return e.code

    def close(self):
        self.socket.close()


def begin(people, bots=(), game="doors", **more):
    """A table where these people sit, and then these bots. Everybody has heard how it starts, as `last`."""
    table = people[0].must("create", game=game, players=len(people) + len(bots),
                           seats=["open"] * len(people) + list(bots), **more)["table"]
    for n, g in enumerate(people):
        g.must("join", table=table)
        g.must("sit", table=table, seat=n)
    for g in people:
        g.last = g.hear("moved", kind="start", table=table)
    return table
