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

from parlour import CAP, Closed, Guest, House, dial, handshake
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
    config = write("house.conf", f"# a house\n\n  data = {data}  \n"
                   "public-url=https://play.example.org/parlour\n"
                   "trust-proxy = yes\nbot-seconds = 0\nconnections = 7\n")
    house = House(SALOTTO, "--config", config)  # which has a --data of its own
    assert not os.path.exists(data) and os.path.exists(os.path.join(house.folder, "data"))
    headers = house.request("POST", "/api/guest", '{"name":"A"}',
                            {"Origin": "https://play.example.org"})
    assert headers[0] == 200 and "; Secure" in headers[1]["Set-Cookie"], headers
    assert house.request("POST", "/api/guest", '{"name":"A"}', {"Origin": house.origin})[0] == 403
    assert house.stop() == 0


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
    house = House(SALOTTO, "--store", f"sqlite:{store}")
    Guest(house).must("create", game="doors", players=2)
    with sqlite3.connect(store) as db:
        assert db.execute("SELECT count(*) FROM move").fetchone() == (1,)
    got = salotto("serve", "--listen", "127.0.0.1:0", "--data", path("other"), "--store",
                  f"sqlite:{store}")
    assert got.returncode == 1 and "another server" in got.stderr and store in got.stderr, got
    assert house.stop() == 0


def its_pace():
    """A house may be slower or faster than others: five seconds' worth come at once."""
    for pace in (2, 1000):
        house = House(SALOTTO, "--pace", str(pace))
        g = Guest(house)
        codes = [m.get("code") for m in g.burst("lobby", min(5 * pace, 400) + 5)]
        assert codes[:min(5 * pace, 400)] == [None] * min(5 * pace, 400), codes
        assert ("slow-down" in codes) == (pace == 2), codes
        assert house.stop() == 0
    house = House(SALOTTO, "--pace", "1")
    Guest(house).must("create", game="doors", players=2)
    assert house.stop() == 0
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
    house = House(SALOTTO)
    assert house.stop() == 0
    with house.database() as db:
        db.execute("INSERT INTO schema_version VALUES (999)")
    got = salotto("serve", "--listen", "127.0.0.1:0", "--data",
                  os.path.join(house.folder, "data"))
    assert got.returncode == 1 and "newer version" in got.stderr, got


# ---- Tables --------------------------------------------------------------------

def bots_play(guest):
    """A table whose game is over, with its result written; the guest is still there."""
    table = guest.must("create", game="doors", players=2, seats=["random"] * 2)["table"]
    guest.hear("result", table=table)
    return table


def tables_at_once():
    """A house has so many tables and no more. While there is room, a table stays
    when its game is over and everybody has left; when the house is more than half
    full it makes room, but no other does."""
    house = House(SALOTTO, "--tables", "4")
    g = Guest(house)
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
    while house.figures()["salotto_tables"] == 4:
        time.sleep(0.05)
    assert g.code("join", table=second) == "no-table"
    for table in (first, waiting, third):
        g.must("join", table=table)
    g.must("create", game="doors", players=2)
    assert house.stop() == 0


# ---- Addresses -----------------------------------------------------------------

def per_address():
    """One address has so many connections and no more; the log says so a few
    times and not each time; another address has its own."""
    house = House(SALOTTO, "--per-address", "5")
    cookie, guests = house.cookie("Anna"), []
    while len(guests) < 5:
        try:
            guests.append(Guest(house, cookie=cookie))
        except AssertionError as e:  # the connection that brought the cookie still counts
            assert b" 429 " in e.args[0], e
    for _ in range(200):
        got = house.raw(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
        assert got.startswith(b"HTTP/1.1 429 ") or got == b"", got
    with dial(house.port, source_address=("127.0.0.2", 0)) as s:
        s.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        assert s.recv(100).startswith(b"HTTP/1.1 200 ")
    guests.pop().close()
    guests[0].must("lobby")
    while not house.raw(b"GET /healthz HTTP/1.0\r\n\r\n").startswith(b"HTTP/1.1 200 "):
        time.sleep(0.05)
    lines = house.logged().count("too many connections")
    assert 1 <= lines <= 100, lines
    assert house.stop() == 0


def behind_a_proxy():
    """With --trust-proxy the last address that is forwarded is the client's."""
    house = House(SALOTTO, "--trust-proxy", "--per-address", "2")

    def knock(s, address):
        s.sendall(f"GET /healthz HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: {address}\r\n\r\n"
                  .encode())
        got = b""
        while not got.endswith((b"ok\n", b"}")):
            got += s.recv(4096)
        return got.split(b" ")[1]

    sockets = [dial(house.port) for _ in range(4)]
    assert [knock(s, "1.1.1.1, 192.0.2.7") for s in sockets[:3]] == [b"200", b"200", b"429"]
    assert knock(sockets[3], "192.0.2.7, 1.1.1.1") == b"200"
    assert knock(sockets[0], "2001:db8:1:2::3") == b"200"  # it gives its old place back
    assert knock(sockets[3], "192.0.2.7") == b"200"
    assert knock(sockets[3], "x" * 300) == b"200"
    for s in sockets:
        s.close()
    assert house.stop() == 0


# ---- Figures and logs ----------------------------------------------------------

def documented():
    with open(os.path.join(TOP, "docs", "operating.md"), encoding="utf-8") as f:
        return f.read()


def figures():
    """Every figure has a kind and a word of explanation, and is in the docs."""
    house = House(SALOTTO)
    g = Guest(house, "Anna")
    table = g.must("create", game="doors", players=2, seats=["open", "random"])["table"]
    g.must("sit", table=table, seat=0)
    g.hear("moved", kind="start")
    text = house.request("GET", "/metrics")[2]
    names = re.findall(r"^# TYPE (\w+) (?:counter|gauge|histogram)$", text, re.M)
    assert names == re.findall(r"^# HELP (\w+) .+$", text, re.M) and len(names) > 15, text
    for line in text.splitlines():
        assert re.fullmatch(r"# .+|\w+(\{\w+=\"[^\"]+\"\})? [\d.]+", line), line
    for name in names:
        assert f"`{name}`" in documented(), name
    f = house.figures()
    assert f["salotto_tables"] == f["salotto_tables_in_play"] == f["salotto_people"] == 1, f
    assert f["salotto_moves_total"] >= 3 and f["process_resident_memory_bytes"] > 1e6, f
    assert house.stop() == 0


def logs():
    """Lines of JSON with documented events, and nothing in them that is anybody's
    secret: no token, password, table, name, word of a chat, move or card."""
    house = House(SALOTTO)
    cookie = account(house, "Anna Unlikely", "secret unlikely")
    a, b = Guest(house, cookie=cookie), Guest(house, "Bea Unlikely")
    table = doors(house, a, b)
    a.hear("moved", kind="start")
    a.must("chat", table=table, text="chatter unlikely")
    for _ in range(30):
        for g in (a, b):
            news = g.must("join", table=table)
            if news["legal"]:
                g.must("act", table=table, seq=news["seq"], action=news["legal"][0])
    house.request("POST", "/api/enter", '{"name":"Anna Unlikely","password":"wrong unlikely"}')
    house.raw(b"\x00\x01 unlikely")
    b.socket.sendall(b"\xff" * 40)
    told(house, "ban", "1", "--why", "reason unlikely")
    gone(a)
    assert house.stop() == 0
    text = house.logged()
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
    secrets += [t for _, _, kind, t in house.moves(table) if kind == "act"]
    assert not [s for s in secrets if s.lower() in text.lower()]
    assert not re.search(r"\b(RL|BL|RT|BT|BR|LT)\b", text)


# ---- salotto admin -------------------------------------------------------------

def admin(house, *args):
    return salotto("admin", "--data", os.path.join(house.folder, "data"), *args)


def told(house, *args):
    got = admin(house, *args)
    assert got.returncode == 0 and not got.stderr, got
    return got.stdout


def refused(house, *args, word):
    got = admin(house, *args)
    assert got.returncode == 1 and word in got.stderr, got


def gone(guest):
    """The code with which a WebSocket is closed."""
    try:
        while True:
            guest.read()
    except Closed as e:
        return e.code


def account(house, name, password="correct horse"):
    status, headers, _ = house.request("POST", "/api/account", json.dumps({"password": password}),
                                       {"Cookie": house.cookie(name)})
    assert status == 200
    return headers["Set-Cookie"].split(";")[0]


def doors(house, *guests):
    table = guests[0].must("create", game="doors", players=2, options={"first": 0})["table"]
    for i, g in enumerate(guests):
        g.must("join", table=table)
        g.must("sit", table=table, seat=i)
    return table


def lists():
    house = House(SALOTTO)
    cookie = account(house, "Anna")
    a, b = Guest(house, cookie=cookie), Guest(house, "Bea")
    table = doors(house, a, b)
    a.hear("moved", kind="start")
    waiting = b.must("create", game="favor", players=3)["table"]
    for open_ in (True, False):
        text = told(house, "list")
        assert text == told(house, "list", "tables")
        assert re.search(rf"^{table}\s+doors\s+2\s+4\s.*in play$", text, re.M), text
        assert re.search(rf"^{waiting}\s+favor\s+3\s+1\s.*waiting$", text, re.M), text
        text = told(house, "list", "people")
        assert re.search(r"^\s+1\s+1\s+1 .*account +Anna$", text, re.M), text
        assert re.search(r"^\s+2\s+1\s+1 .*guest +Bea$", text, re.M), text
        if open_:
            assert house.stop() == 0
    assert admin(house, "list", "cats").returncode == 2
    assert admin(house).returncode == 2 and admin(house, "dance").returncode == 2
    assert admin(house, "close").returncode == 2


def closes_tables():
    """An open house closes the table itself and tells the people there; in a
    closed one it is as if it had."""
    house = House(SALOTTO)
    a, b = Guest(house, "Anna"), Guest(house, "Bea")
    first, second = doors(house, a, b), doors(house, a, b)
    refused(house, "close", "zzzz", word="begins so")
    refused(house, "close", "", word="begins so")
    assert "closed" in told(house, "close", first)
    assert a.hear("moved", table=first, kind="end")
    assert b.code("join", table=first) == "no-table"
    assert b.must("join", table=second)
    refused(house, "close", first, word="begins so")
    assert house.stop() == 0
    assert "closed" in told(house, "close", second[:8])
    house.start()
    b = Guest(house, "Bea")
    assert b.code("join", table=second) == "no-table"
    assert [k for _, _, k, _ in house.moves(second)][-2:] == ["start", "end"]
    assert house.stop() == 0


def bans_people():
    """Who is banned is sent away from an open house, and a bot plays on."""
    house = House(SALOTTO)
    cookie = account(house, "Anna")
    a, b = Guest(house, cookie=cookie), Guest(house, "Bea")
    table = doors(house, a, b)
    refused(house, "ban", "Zoe", word="neither an address")
    refused(house, "ban", "99", word="neither an address")
    refused(house, "unban", "anna", word="no such ban")
    assert "within seconds" in told(house, "ban", "anna", "--why", "rude")
    assert gone(a) == 1008
    assert b.hear("moved", table=table, kind="resign")["by"] == 0
    assert handshaken(house, cookie) == 403
    body = json.dumps({"name": "Anna", "password": "correct horse"})
    assert house.request("POST", "/api/enter", body)[0] == 403
    assert house.request("POST", "/api/name", '{"name":"X"}', {"Cookie": cookie})[0] == 403
    assert house.request("GET", "/api/export", None, {"Cookie": cookie})[0] == 200
    assert "rude" in told(house, "list", "bans")
    assert "Anna *\n" in told(house, "list", "people")
    house.kill()
    house.start()
    while handshaken(house, cookie) != 403:  # until it has looked
        time.sleep(0.05)
    told(house, "unban", "1")
    while handshaken(house, cookie) != 101:
        time.sleep(0.05)
    assert house.request("POST", "/api/enter", body)[0] == 200
    assert told(house, "list", "bans").count("\n") == 1
    assert house.stop() == 0


def handshaken(house, cookie):
    request, _ = handshake(house, cookie)
    with dial(house.port) as s:
        s.sendall(request)
        return int(s.recv(100).split(b" ")[1])


def bans_addresses():
    house = House(SALOTTO, "--trust-proxy")

    def knock(address):
        return house.request("POST", "/api/guest", '{"name":"X"}',
                             {"X-Forwarded-For": address})[0]

    told(house, "ban", "192.0.2.0/24")
    told(house, "ban", "2001:db8::1")
    for banned in ("192.0.2.77", "2001:db8::1"):  # each is read when the house next looks
        while knock(banned) != 403:
            time.sleep(0.05)
    assert knock("192.0.3.77") == 200 and knock("2001:db8:0:1::1") == 200
    assert knock("2001:db8::2") == 403, "who has one address has its /64"
    refused(house, "ban", "192.0.2.0/33", word="neither")
    told(house, "unban", "192.0.2.0/24")
    while knock("192.0.2.77") != 200:
        time.sleep(0.05)
    assert house.stop() == 0


def backs_up():
    """A copy made while people play is whole, and a house can open with it."""
    house = House(SALOTTO)
    g = Guest(house, "Anna")
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
        assert copy in told(house, "backup", copy)
        assert os.stat(copy).st_mode & 0o077 == 0, "it holds seeds"
        with sqlite3.connect(copy) as db:
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            seqs = {s for s, in db.execute("SELECT seq FROM move WHERE room = ?", (table,))}
        assert set(told_of) <= seqs
    refused(house, "backup", copy, word="File exists")
    refused(house, "backup", path("no/such/folder"), word="no/such/folder")
    assert house.stop() == 0
    again = House(SALOTTO, "--store", f"sqlite:{copy}")
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
    house = House(SALOTTO)
    g = Guest(house, "Anna")
    waiting = g.must("create", game="doors", players=2, seats=["open", "random"])["table"]
    g.must("sit", table=waiting, seat=0)
    news = g.hear("moved", kind="start", table=waiting)
    over = g.must("create", game="favor", players=2, seats=["random", "random"])["table"]
    while not g.hear("moved", table=over)["state"]["over"]:
        pass
    assert house.stop() == 0
    db = house.database()
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
    assert "Tables played again: 2;" in got.stdout and "sound" in got.stdout, got
    again = House(SALOTTO, "--data", data)
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
    house = House(SALOTTO)
    g = Guest(house, "Anna")
    tables = []
    for _ in range(3):
        tables.append(g.must("create", game="doors", players=2,
                             seats=["random", "random"])["table"])
        while not g.hear("moved", table=tables[-1])["state"]["over"]:
            pass
    text = told(house, "check")
    assert "Tables played again: 3;" in text and "sound" in text, text
    assert house.stop() == 0
    db = house.database()
    with db:
        db.execute("DELETE FROM move WHERE room = ? AND seq = 5", (tables[0],))
        db.execute("UPDATE move SET text = 'take XX' WHERE room = ? AND seq = 5", (tables[1],))
    db.close()
    got = admin(house, "check")
    assert got.returncode == 1 and "sound" not in got.stdout, got
    assert f"table {tables[0]}: a move is missing" in got.stdout, got
    assert f"table {tables[1]}: " in got.stdout and f"table {tables[2]}" not in got.stdout, got


def rates_again():
    """From the results alone, in a closed house; what is spoilt comes right."""
    house = House(SALOTTO)
    g = Guest(house, cookie=account(house, "Anna"))
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
    got = admin(house, "ratings")
    assert got.returncode == 1 and "another server" in got.stderr, got
    assert house.stop() == 0
    db = house.database()
    before = db.execute(ratings).fetchall(), db.execute(seats).fetchall()
    assert len(before[0]) == 2 and before[0][0][3] != before[0][1][3], before
    with db:
        db.execute("UPDATE rating SET rating = 3000, games = 99 WHERE bot = 'novice'")
        db.execute("DELETE FROM rating WHERE bot = ''")
        db.execute("UPDATE result_seat SET after = 1000 WHERE n = 2")
    assert "recalculated" in told(house, "ratings")
    assert (db.execute(ratings).fetchall(), db.execute(seats).fetchall()) == before
    db.close()


try:
    case("a config file, under the command line", config_file)
    case("errors in the config file name file and line", config_errors)
    case("a store outside the data folder, locked there", store_elsewhere)
    case("a house has its own pace", its_pace)
    case("--help tells every option", help_tells_all)
    case("port in use, no folder: a clear word", cannot_start)
    case("a store of a newer version is refused", newer_store)
    case("tables are bounded, and make room", tables_at_once)
    case("connections of one address are bounded", per_address)
    case("figures are explained and documented", figures)
    case("logs have documented events and no secrets", logs)
    case("admin list: tables and people", lists)
    case("admin close: tables, in an open house and a closed one", closes_tables)
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
