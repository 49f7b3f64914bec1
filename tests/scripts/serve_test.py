"""The server over real sockets: whole games with every message checked, bad
clients, restarts.

    serve_test.py SALOTTO SOURCE_ROOT
"""
import json
import os
import random
import re
import socket
import subprocess
import sys
import threading
import time

from parlour import CAP, PASSWORD, Closed, Guest, Server, dial, frame, handshake, wait_for
from tap import case, done
from witness import truth

SALOTTO = os.path.abspath(sys.argv[1])
MOVES_MAX = 150  # of one game in these tests; long games stop there
RNG = random.Random(14)


# ---- Whole games ---------------------------------------------------------------

KNOWN = {"op", "re", "id", "table", "seq", "kind", "by", "game", "players", "seats", "listed",
         "spectators", "chat", "said", "commitment", "started", "seat", "next", "legal_count",
         "options", "levels", "hints", "undo", "practice", "may_undo", "may_rewind", "rated",
         "unrated", "clock", "stand_in", "connected", "protocol", "you", "games", "bots",
         "tables", "code", "rule", "message"}


def check_heard(heard, seat, told, all_events):
    """Every message this viewer got: what is about cards is exactly what the
    referee shows that seat, and there is nothing else in it."""
    seen = 0
    for text in heard:
        m = json.loads(text)
        if "state" in m:
            assert m["seat"] == seat, m
            state, legal = told[m["seq"], seat]
            assert m.pop("state") == state, (text, state)
            assert m.pop("legal", None) == legal, text
            events = m.pop("events")
            assert events == all_events[seat][m["next"] - len(events):m["next"]], text
            seen += 1
        assert set(m) <= KNOWN, set(m) - KNOWN
        rest = json.dumps({k: v for k, v in m.items() if k not in ("id", "table", "message")})
        assert not re.search(r'"(RL|BL|RT|BT|BR|LT|\?\?|seed|key)"', rest), rest
    return seen


def seat_all(game, players, options=None, spectators=1, **more):
    host = Guest(SERVER, "Host")
    table = host.must("create", game=game, players=players, options=options or {}, **more)
    guests = [Guest(SERVER, f"Guest {i}") for i in range(players)]
    watchers = [Guest(SERVER, f"Watcher {i}") for i in range(spectators)]
    host.close()
    for g in guests + watchers:
        assert g.must("join", table=table["table"])["commitment"] == table["commitment"]
    for i, g in enumerate(guests):
        g.must("sit", table=table["table"], seat=i)
    news = [g.hear("moved", kind="start") for g in guests + watchers]
    return table, guests, watchers, news[0]


def play_on(table, everybody, guests, news):
    """Random legal moves, each heard by everybody, to the end or the limit."""
    for _ in range(MOVES_MAX):
        if news["state"]["over"]:
            break
        seat = RNG.choice(news["state"]["to_act"])
        mine = guests[seat].last if seat else news
        action = RNG.choice(mine["legal"])
        done_ = guests[seat].must("act", table=table, seq=news["seq"], action=action)
        assert done_["seq"] == news["seq"] + 1
        for g in everybody:
            g.last = g.hear("moved", seq=done_["seq"])
        news = guests[0].last
    return news["state"]["over"]


def whole_game(game, players):
    table, guests, watchers, news = seat_all(game, players)
    for g in guests:
        g.last = g.must("join", table=table["table"])
    over = play_on(table["table"], guests + watchers, guests, news)
    record = watchers[0].must("record", table=table["table"])["record"]
    moves = SERVER.moves(table["table"])
    told, events = truth(SALOTTO, moves, players)
    for seat, g in [*enumerate(guests), *((None, w) for w in watchers)]:
        assert check_heard(g.heard[:-1] if seat is None else g.heard, seat, told, events) > 1
        g.close()
    assert "\nseed " not in record and f"commit {table['commitment']}" in record
    path = os.path.join(SERVER.folder, "open.salotto")
    with open(path, "w", encoding="utf-8") as f:
        f.write(record)
    got = subprocess.run([SALOTTO, "verify", path], stdout=subprocess.PIPE, text=True)
    # Before the first shuffle is over nothing is proven, and nothing is wrong.
    assert got.returncode in ((0,) if over else (0, 3)) and table["commitment"] in got.stdout, got
    assert ("\nover " in record) == over


def own_parts():
    part = "ab" * 32
    host = Guest(SERVER)
    table = host.must("create", game="doors", players=2, seats=["open", "novice"])["table"]
    assert host.code("sit", table=table, seat=0, part="zz") == "bad-request"
    host.must("sit", table=table, seat=0, part=part)
    host.last = host.hear("moved", kind="start")
    for _ in range(200):
        while not (host.last["state"]["over"] or 0 in host.last["state"]["to_act"]):
            host.last = host.hear("moved")
        if host.last["state"]["over"]:
            break
        host.must("act", table=table, seq=host.last["seq"], action=RNG.choice(host.last["legal"]))
        host.last = host.hear("moved")
    record = host.must("record", table=table)["record"]
    assert f"\npart 0 {part}\n" in record and "\nover " in record
    path = os.path.join(SERVER.folder, "parts.salotto")
    with open(path, "w", encoding="utf-8") as f:
        f.write(record)
    assert subprocess.run([SALOTTO, "verify", path], stdout=subprocess.PIPE).returncode == 0


# ---- Manners at the table ------------------------------------------------------

def doors(**more):
    """Two at a table of Doors, seat 0 to act."""
    table, guests, watchers, news = seat_all("doors", 2, {"first": 0}, **more)
    return table["table"], guests, watchers, news


def reconnects():
    table, (a, b), _, news = doors()
    first = Guest(SERVER, cookie=a.cookie)
    whole = first.must("join", table=table, since=0)
    assert whole["seat"] == 0 and len(whole["events"]) == whole["next"]
    known, seen = news["next"], list(news["events"])
    a.close()
    seq = b.must("join", table=table)["seq"]
    first.must("act", table=table, seq=seq, action=whole["legal"][0])
    b.must("act", table=table, seq=seq + 1, action=b.hear("moved", seq=seq + 1)["legal"][0])
    again = Guest(SERVER, cookie=a.cookie)
    rest = again.must("join", table=table, since=known)
    assert [e["n"] for e in rest["events"]] == list(range(known, rest["next"]))
    seen += rest["events"]
    assert seen == again.must("join", table=table, since=0)["events"]
    assert again.must("join", table=table)["events"] == []
    assert again.must("join", table=table, since=10**9)["events"] == []
    assert again.code("join", table=table, since=-1) == "bad-request"


def two_tabs():
    table, (a, b), _, news = doors()
    tab = Guest(SERVER, cookie=a.cookie)
    tab.must("join", table=table)
    a.must("act", table=table, seq=news["seq"], action=news["legal"][0])
    assert tab.hear("moved", seq=news["seq"] + 1)["seat"] == 0
    assert a.hear("moved", seq=news["seq"] + 1)["seat"] == 0
    assert tab.code("act", table=table, seq=news["seq"], action=news["legal"][0]) == "late"
    a.close()
    assert tab.must("leave", table=table)["op"] == "done"
    b.close()


def doubled_and_late():
    table, (a, b), (w,), news = doors()
    seq, action = news["seq"], news["legal"][0]
    for _ in range(5):  # all at once, before any answer
        a.send(op="act", id="x", table=table, seq=seq, action=action)
    answers = [a.read() for _ in range(6)]
    assert [m["op"] for m in answers].count("done") == 1, answers
    assert [m.get("code") for m in answers].count("late") == 4, answers
    assert a.code("act", table=table, seq=seq, action=action) == "late"
    assert a.code("act", table=table, seq=seq + 50, action=action) == "late"
    assert a.code("act", table=table, seq=seq + 1, action=action) == "not-your-turn"
    assert b.code("act", table=table, seq=seq + 1, action="fly") == "bad-action"
    assert b.code("act", table=table, seq=seq + 1, action="end") == "illegal"
    assert b.code("act", table=table, seq=seq + 1) == "bad-request"
    assert w.code("act", table=table, seq=seq + 1, action=action) == "not-seated"
    assert w.code("act", table=table, seq=seq + 1, seat=1, action="discard RL") == "not-seated"
    kinds = [kind for _, _, kind, _ in SERVER.moves(table)]
    assert kinds == ["open", "sit", "sit", "start", "act"], kinds


def at_the_same_time():
    """Several seats are asked at once in Traps: nobody's answer is late because
    another's came first."""
    table, guests, _, news = seat_all("traps", 3)
    assert news["state"]["to_act"] == [0, 1, 2]
    for g in guests:
        g.last = g.must("join", table=table["table"])
    for g in guests:
        g.send(op="act", id="p", table=table["table"], seq=news["seq"],
               action=g.last["legal"][0])
    for g in guests:
        assert g.hear("done", id="p")
    g = guests[0]
    assert g.code("act", table=table["table"], seq=news["seq"], action=g.last["legal"][0]) == "late"


def tables_and_seats():
    a, b, c = (Guest(SERVER, n) for n in ("Anna", "Bea", "Cleo"))
    assert a.code("create", game="chess", players=2) == "unknown-game"
    assert a.code("create", game="doors", players=3) == "bad-request"
    assert a.code("create", game="doors", players=2, options={"first": 7}) == "bad-option"
    assert a.code("create", game="doors", players=2, options={"x": 1}) == "bad-option"
    assert a.code("create", game="doors", players=2, seats=["open"]) == "bad-request"
    assert a.code("create", game="doors", players=2, seats=["open", "god"]) == "bad-request"
    assert a.code("create", game="doors", players=2, listed="no") == "bad-request"
    t = a.must("create", game="doors", players=2, listed=False, spectators=False,
               seed="00" * 32)
    id_ = t["table"]
    assert json.loads(SERVER.moves(id_)[0][3])["seed"] != "00" * 32, "nobody chooses the seed"
    assert id_ not in [x["table"] for x in b.must("lobby")["tables"]]
    assert b.code("join", table="a" * 16) == "no-table"
    assert b.code("join", table=7) == "bad-request"
    for g in (b, c):
        g.must("join", table=id_)
    assert b.code("sit", table=id_, seat=2) == "bad-request"
    b.must("sit", table=id_, seat=0)
    assert b.code("sit", table=id_, seat=1) == "seat-taken"
    assert c.code("sit", table=id_, seat=0) == "seat-taken"
    assert b.code("resign", table=id_) == "not-started"
    assert b.code("act", table=id_, seq=1, action="end") == "not-started"
    b.must("leave", table=id_)
    b.must("sit", table=id_, seat=1)
    a.must("sit", table=id_, seat=0)
    assert c.hear("left")["table"] == id_
    assert c.code("join", table=id_) == "not-allowed"
    assert c.code("record", table=id_) == "not-allowed"
    assert b.code("sit", table=id_, seat=0) == "seat-taken"
    assert all("state" not in json.loads(m) for m in c.heard)
    listed = a.must("create", game="favor", players=4, seats=["open"] * 3 + ["novice"])
    found = [x for x in b.must("lobby")["tables"] if x["table"] == listed["table"]]
    assert found[0]["seats"][3] == {"kind": "bot", "level": "novice"}


def bots_and_resigning():
    a = Guest(SERVER)
    t = a.must("create", game="traps", players=4, seats=["random", "novice", "regular", "open"],
               stand_in="random")["table"]
    a.must("sit", table=t, seat=3)
    news = a.hear("moved", kind="start")
    a.must("resign", table=t)
    news = a.hear("moved", kind="resign")
    assert news["seats"][3]["kind"] == "bot" and news["seats"][3]["level"] == "random"
    assert news["seat"] is None and "legal" not in news
    while not news["state"]["over"]:
        news = a.hear("moved")
    assert a.code("resign", table=t) == "not-seated"


def talk():
    table, (a, b), (w, v), _ = doors(spectators=2)
    a.must("chat", table=table, text="Good evening")
    for g in (b, w, v):
        assert g.hear("said")["text"] == "Good evening"
    w.must("chat", table=table, text="He has the tiger")
    assert v.hear("said")["seat"] is None
    for text in ("", " x", "x" * 301, "a\nb", "\u202eabc", 7):
        assert b.code("chat", table=table, text=text) == "bad-request"
    codes = [m.get("code") for m in b.burst("chat", 40, table=table, text="spam")]
    assert codes.count("slow-down") >= 5, codes
    a.must("lobby")
    assert not any("has the tiger" in m for m in a.heard + b.heard)
    # Who comes back is told what was said, as far as it was said to them.
    heard = {g: [m["text"] for m in g.must("join", table=table)["said"]] for g in (a, w)}
    assert heard[w][:2] == ["Good evening", "He has the tiger"] and "He has the tiger" not in heard[a]
    assert heard[a][0] == "Good evening" and set(heard[a][1:]) == {"spam"}
    # What was said before the game began was said to everybody, also by who sat down after it.
    early = a.must("create", game="doors", players=2)["table"]
    b.must("join", table=early)
    wait_for(lambda: b.ask("chat", table=early, text="Is there a seat?")["op"] == "done")  # after all that spam
    for seat, g in enumerate((a, b)):
        g.must("sit", table=early, seat=seat)
    b.hear("moved", kind="start")
    assert [m["text"] for m in a.must("join", table=early)["said"]] == ["Is there a seat?"]
    quiet = a.must("create", game="doors", players=2, chat=False)["table"]
    assert a.code("chat", table=quiet, text="hm") == "not-allowed"
    assert v.code("chat", table=quiet, text="not here") == "not-allowed"


# ---- Strangers -----------------------------------------------------------------

def status_of(reply):
    found = re.match(rb"HTTP/1\.1 (\d{3}) ", reply)
    return int(found.group(1)) if found else None


def wrong_door():
    cookie = SERVER.cookie("Anna")
    for want, kwargs in ((403, {"origin": "http://evil.example"}), (403, {"origin": "null"}),
                         (403, {"Origin": None}), (401, {"Cookie": None}),
                         (401, {"Cookie": "salotto=" + "A" * 43}),
                         (401, {"Cookie": cookie[:-1] + ("A" if cookie[-1] != "A" else "B")}),
                         (401, {"Cookie": "salotto=" + "A" * 400}),
                         (400, {"Sec_WebSocket_Version": "8"}),
                         (400, {"Sec_WebSocket_Key": "short"}),
                         (400, {"Upgrade": "h2c"}), (400, {"Connection": "close"})):
        request, _ = handshake(SERVER, cookie, **kwargs)
        got = SERVER.raw(request)
        assert status_of(got) == want, (kwargs, got)
    for what in ("guest", "account", "enter", "name", "password", "push", "court", "face", "revoke", "forget", "delete"):
        status, _, _ = SERVER.request("POST", f"/api/{what}", '{"name":"Eve"}',
                                     {"Origin": "http://evil.example", "Cookie": cookie})
        assert status == 403, what


def names_and_sessions():
    for body in ("", "x", "[]", "{}", '{"name":7}', '{"name":""}', '{"name":" "}',
                 '{"name":"a\\u0000"}', '{"name":"a\\u202eb"}', json.dumps({"name": "x" * 25}),
                 '{"name":"a","name":"b"}', '{"name":"\\n"}'):
        assert SERVER.request("POST", "/api/guest", body)[0] == 400, body
    status, headers, body = SERVER.request("POST", "/api/guest", json.dumps({"name": "Zoë 猫"}))
    assert status == 200 and json.loads(body)["you"]["name"] == "Zoë 猫"
    cookie = headers["Set-Cookie"]
    assert "; HttpOnly" in cookie and "; SameSite=Lax" in cookie
    cookie = cookie.split(";")[0]
    token = cookie.split("=")[1]
    assert SERVER.request("GET", "/api/me", None, {"Cookie": cookie})[0] == 200
    guest = Guest(SERVER, cookie=cookie)
    assert SERVER.request("POST", "/api/forget", "", {"Cookie": cookie})[0] == 200
    try:
        while True:
            guest.read()
    except Closed as e:
        assert e.code == 1008
    assert SERVER.request("GET", "/api/me", None, {"Cookie": cookie})[0] == 401
    assert SERVER.request("POST", "/api/forget", "", {"Cookie": cookie})[0] == 401
    with open(os.path.join(SERVER.folder, "data", "salotto.db"), "rb") as f, \
            open(os.path.join(SERVER.folder, "data", "salotto.db-wal"), "rb") as w:
        assert token.encode() not in f.read() + w.read(), "tokens are kept as hashes"


def accounts():
    server = Server(SALOTTO)

    post, secret = server.post, PASSWORD
    anna = server.cookie("Anna")
    person = json.loads(server.request("GET", "/api/me", None, {"Cookie": anna})[2])["you"]
    assert post("/api/account", password=secret)[0] == 401
    assert post("/api/account", anna, password="short")[0] == 400
    assert post("/api/account", anna, password="x" * 201)[0] == 400
    assert post("/api/account", anna)[0] == 400
    status, body, anna = post("/api/account", anna, password=secret)
    assert (status, body) == (200, {"ok": True, "you": person, "account": True})
    assert post("/api/account", anna, password=secret)[0] == 409
    assert post("/api/guest", name="aNNA")[0] == 409, "only its account has the name"
    assert post("/api/enter", name="Anna")[0] == 400
    wrong = post("/api/enter", name="Anna", password=secret + "s")
    assert wrong[0] == 403 and not wrong[2]
    assert post("/api/enter", name="Nobody", password=secret) == wrong
    assert post("/api/forget", anna)[0] == 200
    server.kill()
    server.start()
    status, body, cookie = post("/api/enter", name="anna", password=secret)
    assert status == 200 and body["you"] == person and cookie != anna
    g = Guest(server, cookie=cookie)
    assert g.me == person
    g.close()
    codes = [post("/api/enter", name="Anna", password="wrong" * 2)[0] for _ in range(3)]
    assert codes == [403] * 3, codes
    assert server.stop() == 0
    for name in os.listdir(os.path.join(server.folder, "data")):
        with open(os.path.join(server.folder, "data", name), "rb") as f:
            assert secret.encode() not in f.read()
    assert secret not in server.logged()


GET = b"GET /healthz HTTP/1.1\r\nHost: a\r\n"


def http_tricks():
    for want, request in (
            (400, b"hello\r\n\r\n"), (400, b"\x00" * 50 + b"\r\n\r\n"),
            (400, b"GET /healthz HTTP/1.1\r\n\r\n"),
            (400, b"GET /healthz HTTP/1.1\r\nHost : a\r\n\r\n"),
            (400, GET + b"Host: b\r\n\r\n"), (400, GET + b"X: a\r\n b\r\n\r\n"),
            (400, GET + b"X: a\x01b\r\n\r\n"), (400, GET + b"X\x00: a\r\n\r\n"),
            (400, GET + b"Content-Length: 1\r\nContent-Length: 1\r\n\r\na"),
            (400, GET + b"Content-Length: -1\r\n\r\n"),
            (400, GET + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
            (411, GET + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
            (413, b"POST /api/guest HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n"),
            (413, b"POST /api/guest HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n"),
            (431, GET + b"X: " + b"a" * 9000 + b"\r\n\r\n"),
            (431, b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\nHost: a\r\n\r\n"),
            (431, GET + b"".join(b"X%d: a\r\n" % i for i in range(70)) + b"\r\n"),
            (431, GET + b"".join(b"X: a\r\n" for i in range(3000)) + b"\r\n"),
            (404, b"GET /%2e%2e/etc/passwd HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"),
            (405, b"DELETE /ws HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"),
            (200, GET + b"Connection: close\r\n\r\n"),
            (200, b"GET /healthz HTTP/1.1\r\nX:\r\nHost:a\r\nConnection:  close \r\n\r\n"),
            (400, b"GET /healthz HTTP/1.1\r\nHost: a\r\nX:\r\nHost:\r\n\r\n"),
            (200, b"GET /healthz HTTP/1.0\r\n\r\n"),
            (200, (GET + b"\r\n") * 20)):  # ahead of the answer: one, then closed
        got = SERVER.raw(request)
        assert status_of(got) == want, (want, request[:80], got[:300])
        assert got.count(b"HTTP/1.1 ") == 1, got
    rng = random.Random(3)
    for _ in range(60):
        request = bytearray(GET + b"Connection: close\r\n\r\n")
        for _ in range(rng.randrange(1, 5)):
            request[rng.randrange(len(request))] = rng.randrange(256)
        with dial(SERVER.port) as s:
            s.sendall(bytes(request))
    head = b"HEAD /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    assert SERVER.raw(head).endswith(b"\r\n\r\n")
    assert SERVER.request("GET", "/healthz")[2] == "ok\n"


def closed_with(data):
    """The code with which a WebSocket is closed that sends these bytes."""
    g = Guest(SERVER, cookie=COOKIE)
    g.socket.sendall(data)
    try:
        while True:
            g.read()
    except Closed as e:
        return e.code


def bad_frames():
    for want, data in (
            (1002, frame(1, b"{}", mask=False)), (1002, frame(1, b"{}", rsv=4)),
            (1002, frame(3, b"")), (1002, frame(9, b"x" * 126)),
            (1002, frame(0, b"x")), (1002, frame(9, b"", fin=False)),
            (1002, frame(1, b"x", fin=False) + frame(1, b"x")),
            (1007, frame(1, b"\xff\xfe")), (1007, frame(1, b"\xed\xa0\x80")),
            (1003, frame(2, b"{}")), (1009, frame(1, b"x" * 8193)),
            (1009, frame(1, b"x" * 8000, fin=False) + frame(0, b"x" * 8000)),
            (1009, b"\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xffabcdefgh"),
            (1002, b"\x81\xfe\x00\x05abcdhello"), (1002, frame(8, b"\x03")),
            (1002, b"\x81\xff" + bytes(6) + b"\x01\x00abcd"),
            (1002, frame(8, b"\x03\xed")), (1007, frame(8, b"\x03\xe8\xff")),
            (1007, frame(1, b"\xc0\xaf")), (1007, frame(1, b"\xf4\x90\x80\x80")),
            (1007, frame(1, b"\xe2\x82", fin=False) + frame(0, b"")),
            (1000, frame(8, b"\x03\xe8")), (4999, frame(8, b"\x13\x87"))):
        code = closed_with(data)
        assert code == want, (want, data[:40], code)
    g = Guest(SERVER, cookie=COOKIE)  # a character may lie in two fragments
    whole = json.dumps({"op": "lobby", "id": "è"}, ensure_ascii=False).encode()
    cut = whole.index(b"\xc3") + 1
    g.socket.sendall(frame(1, whole[:cut], fin=False) + frame(0, whole[cut:]))
    assert g.hear("lobby", id="è")
    g = Guest(SERVER, cookie=COOKIE)
    whole = json.dumps({"op": "lobby", "id": 1}).encode()
    g.socket.sendall(frame(1, whole[:5], fin=False) + frame(9, b"hi") +
                     frame(0, whole[5:9], fin=False) + frame(0, whole[9:]))
    assert g.read_frame() == (10, b"hi")
    assert g.hear("lobby", id=1)
    for byte in frame(1, whole):
        g.socket.sendall(bytes([byte]))
    assert g.hear("lobby", id=1)


def bad_messages():
    g = Guest(SERVER, cookie=COOKIE)
    for text, code in (("", "bad-json"), ("{", "bad-json"), ("[" * 4000, "bad-json"),
                       ('{"op":"lobby","op":"lobby"}', "bad-json"), ("7", "bad-json"),
                       ('{"op":"\\u0000"}', "bad-json"), ("[]", "bad-request"),
                       ("{}", "bad-request"), ('{"op":7}', "bad-request"),
                       ('{"op":"fly"}', "bad-request"), ('{"op":"join"}', "bad-request"),
                       ('{"op":"lobby","id":{}}', "bad-request"),
                       (json.dumps({"op": "lobby", "id": "x" * 200}), "bad-request"),
                       ('{"op":"join","table":"' + "x" * 7000 + '"}', "no-table")):
        g.socket.sendall(frame(1, text.encode()))
        assert g.read()["code"] == code, text[:60]


def floods():
    g = Guest(SERVER, cookie=COOKIE)
    other = Guest(SERVER, "Calm")
    try:
        g.socket.sendall(frame(1, b'{"op":"lobby"}') * 1000)
        while True:
            g.read()
    except (Closed, ConnectionError) as e:
        assert getattr(e, "code", 1008) in (1008, None), e
    assert any('"slow-down"' in m for m in g.heard)
    pings = Guest(SERVER, cookie=COOKIE)
    try:
        pings.socket.sendall(frame(9, b"") * 2000)
        while True:
            pings.read()
    except (Closed, ConnectionError) as e:
        assert getattr(e, "code", 1008) in (1008, None), e
    assert other.must("lobby")


def rss():
    with open(f"/proc/{SERVER.process.pid}/status", encoding="utf-8") as f:
        return int(re.search(r"VmRSS:\s+(\d+)", f.read()).group(1)) * 1024


def slow_reader():
    """A guest who asks and never reads is not read from any more; the others
    notice nothing and the memory stays."""
    host = Guest(SERVER, "Host")
    for _ in range(8):
        host.must("create", game="favor", players=4)
    slow = [Guest(SERVER, cookie=COOKIE) for _ in range(10)]
    before = rss()
    for s in slow:
        s.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        for _ in range(95):
            s.send(op="lobby")
    for _ in range(20):
        host.must("lobby")
    assert rss() - before < 64 << 20
    for s in slow:
        s.close()


# ---- Time, signals, trouble ----------------------------------------------------

def trickle():
    """A request must be whole in time, however it trickles; a WebSocket that
    does not answer pings is closed, one that does is not."""
    with dial(QUICK.port) as s:
        try:
            s.sendall(b"GET / HTTP/1.1\r\nX: ")
            while True:  # ends when the server has closed
                s.sendall(b"x")
                time.sleep(0.1)
        except ConnectionError:
            pass
    silent = Guest(QUICK)
    alive = Guest(QUICK)
    for _ in range(2):
        opcode, payload = alive.read_frame()
        assert opcode == 9
        alive.socket.sendall(frame(10, payload))
    assert alive.must("lobby")
    try:
        while True:
            silent.read_frame()
    except Closed:
        pass


def store_locked():
    a = Guest(SERVER)
    table = a.must("create", game="doors", players=2, options={"first": 0})["table"]
    other = SERVER.database()
    other.isolation_level = None
    other.execute("BEGIN IMMEDIATE")
    assert a.code("sit", table=table, seat=0) == "store"
    assert a.code("create", game="doors", players=2) == "store"
    assert SERVER.request("POST", "/api/guest", '{"name":"Eve"}')[0] == 503
    other.execute("ROLLBACK")
    other.close()
    a.must("sit", table=table, seat=0)
    assert [k for _, _, k, _ in SERVER.moves(table)] == ["open", "sit"]


def store_changed_by_another():
    """Somebody else has appended a move: this server writes nothing more and says
    so, before a number is given twice. Started again it goes on from that move."""
    server = Server(SALOTTO)
    a, b = Guest(server), Guest(server)
    table = a.must("create", game="doors", players=2, options={"first": 0})["table"]
    a.must("sit", table=table, seat=0)
    b.must("sit", table=table, seat=1)
    news = a.hear("moved", kind="start")
    db = server.database()
    with db:
        db.execute("INSERT INTO move (room, seq, at, seat, kind, text)"
                   " VALUES (?, ?, 0, 0, 'act', ?)", (table, news["seq"] + 1, news["legal"][0]))
    db.close()
    assert a.code("act", table=table, seq=news["seq"], action=news["legal"][-1]) == "store"
    wait_for(lambda: server.request("GET", "/readyz")[0] == 503)
    assert "another program has written into the store" in server.logged()
    server.kill()
    server.start()
    again = Guest(server, cookie=b.cookie).must("join", table=table)
    assert again["seq"] == news["seq"] + 1 and again["state"]["to_act"] == [1], again
    Guest(server, cookie=b.cookie).must("act", table=table, seq=again["seq"], action=again["legal"][0])
    assert [m[0] for m in server.moves(table)] == list(range(news["seq"] + 3))
    server.stop()


def one_server_a_folder():
    got = subprocess.run([SALOTTO, "serve", "--listen", "127.0.0.1:0", "--data",
                          os.path.join(SERVER.folder, "data")], stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True, timeout=CAP)
    assert got.returncode == 1 and "another server" in got.stderr, got


def terminated():
    server = Server(SALOTTO)
    a = Guest(server)
    table = a.must("create", game="traps", players=3, seats=["open", "expert", "expert"])["table"]
    a.must("sit", table=table, seat=0)
    news = a.hear("moved", kind="start")
    a.send(op="act", id="last", table=table, seq=news["seq"], action=news["legal"][0])
    status = []
    t = threading.Thread(target=lambda: status.append(server.stop()))
    t.start()
    codes = []
    try:
        while True:
            codes.append(a.read())
    except Closed as e:
        assert e.code == 1001, e
    t.join()
    assert status == [0], (status, server.logged()[-3000:])
    assert [m for m in codes if m["op"] == "closing"], codes
    acknowledged = [m["seq"] for m in codes if m["op"] == "done"]
    assert set(acknowledged) <= {m[0] for m in server.moves(table)}


def figures_and_logs():
    f = SERVER.figures()
    for name in ("salotto_moves_total", "salotto_requests_total", "salotto_refusals_total",
                 "salotto_store_batches_total", "salotto_people", "salotto_move_seconds_count"):
        assert f[name] > 0, name
    text = SERVER.logged()
    for line in text.splitlines():
        assert json.loads(line)["level"] in ("info", "warning", "error"), line
    with SERVER.database() as db:
        rooms = [r for r, in db.execute("SELECT DISTINCT room FROM move")]
    assert not [r for r in rooms if r in text], "an id opens a table"
    assert not re.search(r"\b(RL|BL|RT|BT|BR|LT)\b|seed|salotto=", text)
    assert '"event":"blamed"' in text


def closes():
    for h in (SERVER, QUICK):
        assert h.stop() == 0, h.logged()[-3000:]


SERVER = Server(SALOTTO)
QUICK = Server(SALOTTO, "--timeout", "4", "--ping", "4")
COOKIE = SERVER.cookie("Tester")
try:
    hello = json.loads(Guest(SERVER, cookie=COOKIE).heard[0])
    for offer in hello["games"]:
        case(f"a whole game of {offer['game']}: each seat and spectator is told what it may know",
             whole_game, offer["game"], min(offer["players"][1], 3))
    case("a person's own part is in the deal, and the record is sound", own_parts)
    case("who comes back gets what it missed", reconnects)
    case("two tabs of one person", two_tabs)
    case("doubled, late and foreign moves are refused", doubled_and_late)
    case("answers to one question at the same time", at_the_same_time)
    case("tables, seats, invitations, spectators", tables_and_seats)
    case("bots play on for who resigns", bots_and_resigning)
    case("talk: players and spectators apart, not too fast", talk)
    case("wrong origin, forged cookie, unsound handshake", wrong_door)
    case("names and sessions", names_and_sessions)
    case("accounts: a password instead of the cookie", accounts)
    case("tricks with HTTP are refused", http_tricks)
    case("bad frames get their close codes", bad_frames)
    case("bad messages get an answer", bad_messages)
    case("floods are stopped, others go on", floods)
    case("who does not read costs nobody anything", slow_reader)
    case("slow requests and silent WebSockets are closed", trickle)
    case("a store that is locked: refused, then it goes on", store_locked)
    case("a store that somebody else has changed", store_changed_by_another)
    case("one server for one folder", one_server_a_folder)
    case("SIGTERM: people are told, moves on their way are kept", terminated)
    case("figures and logs, without secrets", figures_and_logs)
    case("both servers close in order", closes)
finally:
    for h in (SERVER, QUICK):
        if h.process.poll() is None:
            h.kill()
done()
