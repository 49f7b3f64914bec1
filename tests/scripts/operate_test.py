"""The server as its operator meets it: options and the config file, what is said
when it cannot start, addresses, and salotto admin.

    operate_test.py SALOTTO SOURCE_ROOT
"""
import fcntl
import json
import os
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time

from parlour import CAP, PASSWORD, Guest, Server, begin, dial, handshake
from tap import case, done

SALOTTO, TOP = (os.path.abspath(a) for a in sys.argv[1:3])
WORK = tempfile.mkdtemp(prefix="salotto-operate-")


def path(name):
    return os.path.join(WORK, name)


def write(name, text):
    with open(path(name), "w", encoding="utf-8") as f:
        f.write(text)
    return path(name)


def salotto(*args, lang="en"):
    return subprocess.run([SALOTTO, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, timeout=CAP, env=dict(os.environ, LANGUAGE=lang))


# ---- Options -------------------------------------------------------------------

def config_file():
    """The file is read, comments and blanks are not, and the command line goes
    before it."""
    data = path("from-file")
    config = write("server.conf", f"# a server\n\n  data = {data}  \n"
                   "public-url=https://play.example.org/parlour\n"
                   "trust-proxy = yes\nbot-seconds = 0\nconnections = 7\n")
    server = Server(SALOTTO, "--config", config)  # which has a --data of its own
    assert not os.path.exists(data) and os.path.exists(os.path.join(server.folder, "data"))
    headers = server.request("POST", "/api/guest", '{"name":"A"}',
                            {"Origin": "https://play.example.org"})
    assert headers[0] == 200 and "; Secure" in headers[1]["Set-Cookie"], headers
    assert server.request("POST", "/api/guest", '{"name":"A"}', {"Origin": server.origin})[0] == 403
    assert server.stop() == 0


def config_errors():
    for line, word in (("colour = blue", "'colour'"), ("data", "name = value"),
                       ("listen = a:b", "'a:b'"), ("ping = soon", "'soon'"),
                       ("trust-proxy = maybe", "'maybe'"), ("= x", "''"),
                       ("store = postgres:x", "'postgres:x'"), ("data =", "''")):
        config = write("bad.conf", f"# fine\nping = 20\n{line}\n")
        got = salotto("serve", "--config", config)
        assert got.returncode == 2 and f"{config}, line 3: " in got.stderr, (line, got)
        assert word in got.stderr and got.stderr.count("\n") == 1, (line, got)
    got = salotto("serve", "--config", path("nowhere"))
    assert got.returncode == 1 and path("nowhere") in got.stderr, got


def store_elsewhere():
    store = path("elsewhere.db")
    server = Server(SALOTTO, "--store", f"sqlite:{store}")
    Guest(server).must("create", game="doors", players=2)
    with sqlite3.connect(store) as db:
        assert db.execute("SELECT count(*) FROM move").fetchone() == (1,)
    got = salotto("serve", "--listen", "127.0.0.1:0", "--data", path("other"), "--store",
                  f"sqlite:{store}")
    assert got.returncode == 1 and "another server" in got.stderr and store in got.stderr, got
    assert server.stop() == 0


def its_pace():
    """A server may be slower or faster than others: five seconds' worth come at once."""
    for pace in (2, 1000):
        server = Server(SALOTTO, "--pace", str(pace))
        g = Guest(server)
        codes = [m.get("code") for m in g.burst("lobby", min(5 * pace, 400) + 5)]
        assert codes[:min(5 * pace, 400)] == [None] * min(5 * pace, 400), codes
        assert ("slow-down" in codes) == (pace == 2), codes
        assert server.stop() == 0
    server = Server(SALOTTO, "--pace", "1")
    Guest(server).must("create", game="doors", players=2)
    assert server.stop() == 0
    assert salotto("serve", "--pace", "0").returncode == 2


def help_tells_all():
    text = salotto("serve", "--help").stdout
    for name in ("listen", "data", "store", "public-url", "trust-proxy", "config", "connections",
                 "per-address", "tables", "pace", "bot-seconds", "reveal-seconds", "timeout", "ping",
                 "bot-threads", "bot-tables", "welcome", "log-level"):
        assert f"--{name} " in text, name
    assert "Examples:" in text


# ---- What keeps it from starting -----------------------------------------------

def cannot_start():
    with socket.create_server(("127.0.0.1", 0)) as s:
        port = s.getsockname()[1]
        got = salotto("serve", "--listen", f"127.0.0.1:{port}", "--data", path("busy"))
        assert got.returncode == 1 and "address already in use" in got.stderr, got
        assert str(port) in got.stderr
    file = write("a-file", "no folder")
    got = salotto("serve", "--listen", "127.0.0.1:0", "--data", file + "/data")
    assert got.returncode == 1 and "Not a directory" in got.stderr, got
    got = salotto("serve", "--listen", "127.0.0.1:0", "--data", "/proc/salotto")
    assert got.returncode == 1 and "/proc/salotto: the store" in got.stderr, got


def newer_store():
    server = Server(SALOTTO)
    assert server.stop() == 0
    with server.database() as db:
        db.execute("INSERT INTO schema_version VALUES (999)")
    got = salotto("serve", "--listen", "127.0.0.1:0", "--data",
                  os.path.join(server.folder, "data"))
    assert got.returncode == 1 and "newer version" in got.stderr, got


# ---- Tables --------------------------------------------------------------------

def bots_play(guest):
    """A table whose game is over, with its result written; the guest is still there."""
    table = guest.must("create", game="doors", players=2, seats=["random"] * 2)["table"]
    guest.hear("result", table=table)
    return table


def tables_at_once():
    """A server has so many tables and no more. While there is room, a table stays
    when its game is over and everybody has left; when the server is more than half
    full it makes room, but no other does."""
    server = Server(SALOTTO, "--tables", "4")
    g = Guest(server)
    first = bots_play(g)
    g.must("leave", table=first)
    waiting = g.must("create", game="doors", players=2)["table"]
    time.sleep(1)
    assert g.must("join", table=first)["state"]["over"]
    second = bots_play(g)
    third = g.must("create", game="traps", players=3)["table"]
    assert g.code("create", game="doors", players=2) == "full"
    g.must("leave", table=third)
    time.sleep(1)
    assert g.code("create", game="doors", players=2) == "full", "nobody has left a game that is over"
    g.must("leave", table=second)
    while server.figures()["salotto_tables"] == 4:
        time.sleep(0.05)
    assert g.code("join", table=second) == "no-table"
    for table in (first, waiting, third):
        g.must("join", table=table)
    g.must("create", game="doors", players=2)
    assert server.stop() == 0


# ---- Addresses -----------------------------------------------------------------

def per_address():
    """One address has so many connections and no more; the log says so a few
    times and not each time; another address has its own."""
    server = Server(SALOTTO, "--per-address", "5")
    cookie, guests = server.cookie("Anna"), []
    while len(guests) < 5:
        try:
            guests.append(Guest(server, cookie=cookie))
        except AssertionError as e:  # the connection that brought the cookie still counts
            assert b" 429 " in e.args[0], e
    for _ in range(200):
        got = server.raw(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
        assert got.startswith(b"HTTP/1.1 429 ") or got == b"", got
    with dial(server.port, source_address=("127.0.0.2", 0)) as s:
        s.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        assert s.recv(100).startswith(b"HTTP/1.1 200 ")
    guests.pop().close()
    guests[0].must("lobby")
    while not server.raw(b"GET /healthz HTTP/1.0\r\n\r\n").startswith(b"HTTP/1.1 200 "):
        time.sleep(0.05)
    lines = server.logged().count("too many connections")
    assert 1 <= lines <= 100, lines
    assert server.stop() == 0


def behind_a_proxy():
    """With --trust-proxy the last address that is forwarded is the client's."""
    server = Server(SALOTTO, "--trust-proxy", "--per-address", "2")

    def knock(s, address):
        s.sendall(f"GET /healthz HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: {address}\r\n\r\n"
                  .encode())
        got = b""
        while not got.endswith((b"ok\n", b"}")):
            got += s.recv(4096)
        return got.split(b" ")[1]

    sockets = [dial(server.port) for _ in range(4)]
    assert [knock(s, "1.1.1.1, 192.0.2.7") for s in sockets[:3]] == [b"200", b"200", b"429"]
    assert knock(sockets[3], "192.0.2.7, 1.1.1.1") == b"200"
    assert knock(sockets[0], "2001:db8:1:2::3") == b"200"  # it gives its old place back
    assert knock(sockets[3], "192.0.2.7") == b"200"
    assert knock(sockets[3], "x" * 300) == b"200"
    for s in sockets:
        s.close()
    assert server.stop() == 0


# ---- Figures and logs ----------------------------------------------------------

def documented():
    with open(os.path.join(TOP, "docs", "operating.md"), encoding="utf-8") as f:
        return f.read()


def figures():
    """Every figure has a kind and a word of explanation, and is in the docs."""
    server = Server(SALOTTO)
    g = Guest(server, "Anna")
    table = g.must("create", game="doors", players=2, seats=["open", "random"])["table"]
    g.must("sit", table=table, seat=0)
    g.hear("moved", kind="start")
    text = server.request("GET", "/metrics")[2]
    names = re.findall(r"^# TYPE (\w+) (?:counter|gauge|histogram)$", text, re.M)
    assert names == re.findall(r"^# HELP (\w+) .+$", text, re.M) and len(names) > 15, text
    for line in text.splitlines():
        assert re.fullmatch(r"# .+|\w+(\{\w+=\"[^\"]+\"\})? [\d.]+", line), line
    for name in names:
        assert f"`{name}`" in documented(), name
    f = server.figures()
    assert f["salotto_tables"] == f["salotto_tables_in_play"] == f["salotto_people"] == 1, f
    assert f["salotto_moves_total"] >= 3 and f["process_resident_memory_bytes"] > 1e6, f
    assert server.stop() == 0


def example(name):
    with open(os.path.join(TOP, "share", "operate", name), encoding="utf-8") as f:
        return f.read()


def dashboard():
    """What Grafana is to draw is there, and all of it has a place."""
    board = json.loads(example("grafana.json"))
    server = Server(SALOTTO)
    told = set(re.findall(r"^(\w+)[ {]", server.request("GET", "/metrics")[2], re.M))
    assert server.stop() == 0
    drawn = set()
    for panel in board["panels"]:
        for target in panel["targets"]:
            drawn |= set(re.findall(r"\b((?:salotto|process)_\w+)", target["expr"]))
    assert len(drawn) > 15 and drawn <= told, drawn - told
    places = [tuple(sorted(p["gridPos"].items())) for p in board["panels"]]
    assert len(set(places)) == len(places) == len({p["id"] for p in board["panels"]})


def examples():
    """The files for two servers name options, files and each other as they are."""
    known = set(re.findall(r"--([a-z-]+)", salotto("serve", "--help").stdout))
    compose, unit = example("compose.yaml"), example("salotto@.service")
    used = set(re.findall(r" --([a-z-]+)", " ".join(re.findall(
        r"^ +--.*|^ExecStart=.*", compose + unit, re.M))))
    used |= set(re.findall(r"^([a-z-]+) =", example("salotto-two.conf"), re.M))
    assert {"store", "peer", "config", "listen"} <= used <= known, used - known
    for name in re.findall(r"share/operate/(Containerfile)|\./(Caddyfile\.\w+):", compose):
        example("".join(name))
    for service in ("one", "two"):
        assert f"\n  {service}:\n" in compose and f"--peer {service}:8014" in compose
        assert f"{service}:8014" in example("Caddyfile.two")


def libraries():
    """What the program needs is installed in the container, but for what every system has."""
    needed = set(re.findall(r"NEEDED +(lib\w+)", subprocess.run(
        ["objdump", "-p", SALOTTO], text=True, stdout=subprocess.PIPE).stdout))
    needed -= {"libc", "libm", "libtinfo", "libasan", "libtsan", "libubsan", "libmpi", "libstdc", "libgcc_s"}
    package = {"libicuuc": "libicu", "libicui18n": "libicu", "libcrypto": "libssl"}
    assert "libpq" in needed, needed
    missing = [n for n in needed if f" {package.get(n, n)}" not in example("Containerfile")]
    assert not missing, missing


def logs():
    """Lines of JSON with documented events, and nothing in them that is anybody's
    secret: no token, password, table, name, word of a chat, move or card."""
    server = Server(SALOTTO)
    cookie = server.account("Anna Unlikely", "secret unlikely")
    a, b = Guest(server, cookie=cookie), Guest(server, "Bea Unlikely")
    table = begin([a, b], options={"first": 0})
    a.must("chat", table=table, text="chatter unlikely")
    for _ in range(30):
        for g in (a, b):
            news = g.must("join", table=table)
            if news["legal"]:
                g.must("act", table=table, seq=news["seq"], action=news["legal"][0])
    server.request("POST", "/api/enter", '{"name":"Anna Unlikely","password":"wrong unlikely"}')
    server.raw(b"\x00\x01 unlikely")
    b.socket.sendall(b"\xff" * 40)
    told(server, "ban", "1", "--why", "reason unlikely")
    a.gone()
    assert server.stop() == 0
    text = server.logged()
    events = set()
    for line in text.splitlines():
        m = json.loads(line)
        assert set(m) <= {"time", "level", "event", "address", "why", "url", "origin", "table",
                          "act", "who"}, m
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", m["time"]), m
        events.add(m["event"])
    assert events >= {"listening", "session", "blamed", "admin", "closing", "closed"}, events
    for event in events:
        assert f"`{event}`" in documented(), event
    secrets = [table, cookie.split("=")[1], b.cookie.split("=")[1], "unlikely", "seed"]
    secrets += [t for _, _, kind, t in server.moves(table) if kind == "act"]
    assert not [s for s in secrets if s.lower() in text.lower()]
    assert not re.search(r"\b(RL|BL|RT|BT|BR|LT)\b", text)


# ---- salotto admin -------------------------------------------------------------

def admin(server, *args):
    return salotto("admin", "--data", os.path.join(server.folder, "data"), *args)


def told(server, *args):
    got = admin(server, *args)
    assert got.returncode == 0 and not got.stderr, got
    return got.stdout


def refused(server, *args, word):
    got = admin(server, *args)
    assert got.returncode == 1 and word in got.stderr, got


def lists():
    server = Server(SALOTTO)
    cookie = server.account("Anna")
    a, b = Guest(server, cookie=cookie), Guest(server, "Bea")
    table = begin([a, b], options={"first": 0})
    waiting = b.must("create", game="favor", players=3)["table"]
    for open_ in (True, False):
        text = told(server, "list")
        assert text == told(server, "list", "tables")
        assert re.search(rf"^{table}\s+doors\s+2\s+4\s.*in play$", text, re.M), text
        assert re.search(rf"^{waiting}\s+favor\s+3\s+1\s.*waiting$", text, re.M), text
        text = told(server, "list", "people")
        assert re.search(r"^\s+1\s+1\s+1 .*account +Anna$", text, re.M), text
        assert re.search(r"^\s+2\s+1\s+1 .*guest +Bea$", text, re.M), text
        if open_:
            assert server.stop() == 0
    assert admin(server, "list", "cats").returncode == 2
    assert admin(server).returncode == 2 and admin(server, "dance").returncode == 2
    assert admin(server, "close").returncode == 2


def closes_tables():
    """An open server closes the table itself and tells the people there; in a
    closed one it is as if it had."""
    server = Server(SALOTTO)
    a, b = Guest(server, "Anna"), Guest(server, "Bea")
    first, second = begin([a, b], options={"first": 0}), begin([a, b], options={"first": 0})
    refused(server, "close", "zzzz", word="begins like this")
    refused(server, "close", "", word="begins like this")
    assert "closed" in told(server, "close", first)
    assert a.hear("moved", table=first, kind="end")
    assert b.code("join", table=first) == "no-table"
    assert b.must("join", table=second)
    refused(server, "close", first, word="begins like this")
    assert server.stop() == 0
    assert "closed" in told(server, "close", second[:8])
    server.start()
    b = Guest(server, "Bea")
    assert b.code("join", table=second) == "no-table"
    assert [k for _, _, k, _ in server.moves(second)][-2:] == ["start", "end"]
    assert server.stop() == 0


def bans_people():
    """Who is banned is sent away from an open server, and a bot plays on."""
    server = Server(SALOTTO)
    cookie = server.account("Anna")
    a, b = Guest(server, cookie=cookie), Guest(server, "Bea")
    table = begin([a, b], options={"first": 0})
    refused(server, "ban", "Zoe", word="neither an address")
    refused(server, "ban", "99", word="neither an address")
    refused(server, "unban", "anna", word="no such ban")
    assert "within seconds" in told(server, "ban", "anna", "--why", "rude")
    assert a.gone() == 1008
    assert b.hear("moved", table=table, kind="resign")["by"] == 0
    assert handshaken(server, cookie) == 403
    assert server.post("/api/enter", name="Anna", password=PASSWORD)[0] == 403
    for what in ("guest", "account", "name", "password", "push", "court", "face"):
        assert server.request("POST", f"/api/{what}", '{"name":"X"}', {"Cookie": cookie})[0] == 403, what
    assert server.request("GET", "/api/export", None, {"Cookie": cookie})[0] == 200
    assert "rude" in told(server, "list", "bans")
    assert "Anna *\n" in told(server, "list", "people")
    server.kill()
    server.start()
    while handshaken(server, cookie) != 403:  # until it has looked
        time.sleep(0.05)
    told(server, "unban", "1")
    while handshaken(server, cookie) != 101:
        time.sleep(0.05)
    assert server.post("/api/enter", name="Anna", password=PASSWORD)[0] == 200
    assert told(server, "list", "bans").count("\n") == 1
    assert server.stop() == 0


def handshaken(server, cookie):
    request, _ = handshake(server, cookie)
    with dial(server.port) as s:
        s.sendall(request)
        return int(s.recv(100).split(b" ")[1])


def bans_addresses():
    server = Server(SALOTTO, "--trust-proxy")

    def knock(address):
        return server.request("POST", "/api/guest", '{"name":"X"}',
                             {"X-Forwarded-For": address})[0]

    told(server, "ban", "192.0.2.0/24")
    told(server, "ban", "2001:db8::1")
    for banned in ("192.0.2.77", "2001:db8::1"):  # each is read when the server next looks
        while knock(banned) != 403:
            time.sleep(0.05)
    assert knock("192.0.3.77") == 200 and knock("2001:db8:0:1::1") == 200
    assert knock("2001:db8::2") == 403, "who has one address has its /64"
    refused(server, "ban", "192.0.2.0/33", word="neither")
    told(server, "unban", "192.0.2.0/24")
    while knock("192.0.2.77") != 200:
        time.sleep(0.05)
    assert server.stop() == 0


def backs_up():
    """A copy made while people play is whole, and a server can open with it."""
    server = Server(SALOTTO)
    g = Guest(server, "Anna")
    table = g.must("create", game="doors", players=2, seats=["open", "random"])["table"]
    g.must("sit", table=table, seat=0)
    news = g.hear("moved", kind="start")
    told_of = []
    for n in range(3):
        copy = path(f"copy-{n}.db")
        for _ in range(4):
            while not (news["state"]["over"] or 0 in news["state"]["to_act"]):
                news = g.hear("moved")
            if news["state"]["over"]:
                break
            told_of.append(g.must("act", table=table, seq=news["seq"],
                                  action=news["legal"][0])["seq"])
            news = g.hear("moved", seq=told_of[-1])
        assert copy in told(server, "backup", copy)
        assert os.stat(copy).st_mode & 0o077 == 0, "it holds seeds"
        with sqlite3.connect(copy) as db:
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            seqs = {s for s, in db.execute("SELECT seq FROM move WHERE room = ?", (table,))}
        assert set(told_of) <= seqs
    refused(server, "backup", copy, word="File exists")
    refused(server, "backup", path("no/such/folder"), word="no/such/folder")
    assert server.stop() == 0
    again = Server(SALOTTO, "--store", f"sqlite:{copy}")
    assert Guest(again).must("join", table=table)["seq"] >= told_of[-1]
    assert again.stop() == 0


def migrates():
    """An old store is looked at, refused by the other tasks, copied, and brought
    up to date; never under a running server."""
    data = path("old")
    os.mkdir(data)
    store = os.path.join(data, "salotto.db")
    with sqlite3.connect(store) as db:
        db.executescript(FIRST_VERSION)
    db.close()

    def old(*args):
        return salotto("admin", "--data", data, *args)

    got = old("list")
    assert got.returncode == 1 and "migrate" in got.stderr, got
    got = old("migrate", "--check")
    assert got.returncode == 1 and "version 1" in got.stdout, got
    got = old("migrate")
    assert got.returncode == 0 and store + ".version-1" in got.stdout, got
    got = old("migrate")
    assert got.returncode == 0 and "as it should" in got.stdout, got
    assert "Anna" in old("list", "people").stdout
    with sqlite3.connect(store + ".version-1") as db:
        assert db.execute("SELECT max(version) FROM schema_version").fetchone() == (1,)
    got = salotto("admin", "--data", path("nowhere"), "list")
    assert got.returncode == 1 and "No such file" in got.stderr, got
    with sqlite3.connect(store) as db:
        db.execute("DELETE FROM schema_version WHERE version > 1")
    db.close()
    with open(store, "rb+") as f:
        fcntl.flock(f, fcntl.LOCK_EX)
        os.remove(store + ".version-1")
        got = old("migrate")
        assert got.returncode == 1 and "another server" in got.stderr, got


def migrates_games_in_play():
    """Games in play go on from a store of the first version, and those that were
    over are there."""
    server = Server(SALOTTO)
    g = Guest(server, "Anna")
    waiting = g.must("create", game="doors", players=2, seats=["open", "random"])["table"]
    g.must("sit", table=waiting, seat=0)
    news = g.hear("moved", kind="start", table=waiting)
    over = g.must("create", game="favor", players=2, seats=["random", "random"])["table"]
    while not g.hear("moved", table=over)["state"]["over"]:
        pass
    assert server.stop() == 0
    db = server.database()
    rows = db.execute("SELECT room, seq, at, seat, kind, text FROM move"
                      " ORDER BY room, seq").fetchall()
    db.close()
    data = path("in-play")
    os.mkdir(data)
    with sqlite3.connect(os.path.join(data, "salotto.db")) as old:
        old.executescript(FIRST_VERSION)
        old.executemany("INSERT INTO move VALUES (?, ?, ?, ?, ?, ?)", rows)
    old.close()
    got = salotto("admin", "--data", data, "migrate")
    assert got.returncode == 0, got
    got = salotto("admin", "--data", data, "check")
    assert "Tables played again: 2;" in got.stdout and "intact" in got.stdout, got
    again = Server(SALOTTO, "--data", data)
    seen = Guest(again, "Bea").must("join", table=waiting)
    assert seen["seq"] >= news["seq"] and not seen["state"]["over"], seen
    assert Guest(again, "Cleo").must("join", table=over)["state"]["over"]
    assert again.stop() == 0
    with sqlite3.connect(os.path.join(data, "salotto.db")) as now:
        kept = now.execute("SELECT room, seq, at, seat, kind, text FROM move"
                           " ORDER BY room, seq").fetchall()
    now.close()
    assert set(rows) <= set(kept)


FIRST_VERSION = """
CREATE TABLE schema_version (version INTEGER NOT NULL) STRICT;
INSERT INTO schema_version VALUES (1);
CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
CREATE TABLE session (hash BLOB PRIMARY KEY, person INTEGER NOT NULL REFERENCES person (id),
  at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE move (room TEXT NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL,
  seat INTEGER NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL,
  PRIMARY KEY (room, seq)) STRICT, WITHOUT ROWID;
CREATE INDEX move_end ON move (room) WHERE kind = 'end';
INSERT INTO person VALUES (1, 'Anna', 0);
"""


def checks():
    """A sound store is said to be; a move that is missing, illegal or nobody's
    is found, and the table named."""
    server = Server(SALOTTO)
    g = Guest(server, "Anna")
    tables = []
    for _ in range(3):
        tables.append(g.must("create", game="doors", players=2,
                             seats=["random", "random"])["table"])
        while not g.hear("moved", table=tables[-1])["state"]["over"]:
            pass
    text = told(server, "check")
    assert "Tables played again: 3;" in text and "intact" in text, text
    assert server.stop() == 0
    db = server.database()
    with db:
        db.execute("DELETE FROM move WHERE room = ? AND seq = 5", (tables[0],))
        db.execute("UPDATE move SET text = 'take XX' WHERE room = ? AND seq = 5", (tables[1],))
    db.close()
    got = admin(server, "check")
    assert got.returncode == 1 and "intact" not in got.stdout, got
    assert f"table {tables[0]}: a move is missing" in got.stdout, got
    assert f"table {tables[1]}: " in got.stdout and f"table {tables[2]}" not in got.stdout, got


def rates_again():
    """From the results alone, in a closed server; what is spoilt comes right."""
    server = Server(SALOTTO)
    g = Guest(server, cookie=server.account("Anna"))
    for _ in range(3):
        table = g.must("create", game="doors", players=2, seats=["open", "novice"],
                       rated=True)["table"]
        g.must("sit", table=table, seat=0)
        news = g.hear("moved", kind="start", table=table)
        own = 0
        while own < 4 and not news["state"]["over"]:  # enough to be a game
            if news["legal"]:
                own += 1
                g.must("act", table=table, seq=news["seq"], action=news["legal"][0])
            news = g.hear("moved", table=table)
        g.ask("resign", table=table)
        assert g.hear("result", table=table)["rated"]
    ratings = "SELECT game, person, bot, rating, deviation, games FROM rating ORDER BY bot"
    seats = "SELECT n, seat, before, after FROM result_seat ORDER BY n, seat"
    got = admin(server, "ratings")
    assert got.returncode == 1 and "another server" in got.stderr, got
    assert server.stop() == 0
    db = server.database()
    before = db.execute(ratings).fetchall(), db.execute(seats).fetchall()
    assert len(before[0]) == 2 and before[0][0][3] != before[0][1][3], before
    with db:
        db.execute("UPDATE rating SET rating = 3000, games = 99 WHERE bot = 'novice'")
        db.execute("DELETE FROM rating WHERE bot = ''")
        db.execute("UPDATE result_seat SET after = 1000 WHERE n = 2")
    assert "recalculated" in told(server, "ratings")
    assert (db.execute(ratings).fetchall(), db.execute(seats).fetchall()) == before
    db.close()


try:
    case("a config file, under the command line", config_file)
    case("errors in the config file name file and line", config_errors)
    case("a store outside the data folder, locked there", store_elsewhere)
    case("a server has its own pace", its_pace)
    case("--help tells every option", help_tells_all)
    case("port in use, no folder: a clear word", cannot_start)
    case("a store of a newer version is refused", newer_store)
    case("tables are bounded, and make room", tables_at_once)
    case("connections of one address are bounded", per_address)
    case("figures are explained and documented", figures)
    case("the dashboard draws what there is", dashboard)
    case("examples for two servers hang together", examples)
    case("the container has every library that the program needs", libraries)
    case("logs have documented events and no secrets", logs)
    case("admin list: tables and people", lists)
    case("admin close: tables, in an open server and a closed one", closes_tables)
    case("admin ban: people are sent away", bans_people)
    case("admin ban: addresses and networks", bans_addresses)
    case("admin backup: whole copies while people play", backs_up)
    case("admin migrate: an old store, with a copy", migrates)
    case("games in play go on from an old store", migrates_games_in_play)
    case("admin check: what is sound and what is not", checks)
    case("admin ratings: all of them from the results", rates_again)
    case("behind a proxy the forwarded address counts", behind_a_proxy)
finally:
    shutil.rmtree(WORK, ignore_errors=True)
done()
