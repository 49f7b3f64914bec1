"""Questions to the store stop no move: exports, histories, replays beside a game.

    reads_test.py SALOTTO SOURCE_ROOT
"""
import json
import os
import socket
import sys
import time

from parlour import Guest, Server
from tap import case, done

SALOTTO = os.path.abspath(sys.argv[1])
MANY = 60000
ROOM = "p" * 16


def plant(server, person):
    """A long game of that person, in a store that nobody serves."""
    db = server.database()
    with db:
        def add(seq, seat, kind, text):
            return db.execute("INSERT INTO move (room, seq, at, seat, kind, text)"
                              " VALUES (?, ?, 0, ?, ?, ?)", (ROOM, seq, seat, kind, text)).lastrowid
        rows = [add(0, -1, "open", "{}"), add(1, 0, "sit", json.dumps({"person": person}))]
        rows += [add(2 + i, 0, "act", "x" * 200) for i in range(MANY)]
        rows.append(add(2 + MANY, -1, "end", ""))
        db.execute("INSERT INTO game VALUES (?, ?)", (ROOM, json.dumps(rows)))
    db.close()


def export(cookie):
    """A connection that has asked for an export, and takes little at a time."""
    s = socket.socket()
    s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    s.settimeout(60)
    s.connect(("127.0.0.1", SERVER.port))
    s.sendall(f"GET /api/export HTTP/1.1\r\nHost: a\r\nCookie: {cookie}\r\n\r\n".encode())
    return s


def head_of(s):
    got = b""
    while b"\r\n\r\n" not in got:
        more = s.recv(1024)
        assert more, got
        got += more
    head, rest = got.split(b"\r\n\r\n", 1)
    lines = head.decode().split("\r\n")
    fields = dict(line.lower().split(": ", 1) for line in lines[1:])
    return int(lines[0].split()[1]), fields, rest


def status_of(path, cookie):
    status, _, text = SERVER.request("GET", path, None, {"Cookie": cookie})
    return status, text


def play_some(count):
    """So many moves of a person, each acknowledged."""
    g = Guest(SERVER, "Mover")
    made = 0
    while made < count:
        table = g.must("create", game="doors", players=2, seats=["open", "random"])["table"]
        g.must("sit", table=table, seat=0)
        news = g.hear("moved", kind="start", table=table)
        while made < count and not news["state"]["over"]:
            if 0 in news["state"]["to_act"]:
                seq = g.must("act", table=table, seq=news["seq"], action=news["legal"][0])["seq"]
                made += 1
                news = g.hear("moved", table=table, seq=seq)
            else:
                news = g.hear("moved", table=table)
    g.close()
    return table


def export_beside_moves():
    s = export(COOKIE)
    status, fields, rest = head_of(s)
    size = int(fields["content-length"])
    assert status == 200 and size > 200 * MANY, (status, size)
    # It cannot have been sent: nobody has taken it. Until then everything goes on.
    status, text = status_of("/api/export", COOKIE)
    assert status == 429 and "One export at a time" in text, (status, text)
    table = play_some(20)
    assert status_of("/api/history", COOKIE)[0] == 200
    assert status_of("/api/leaders?game=doors", COOKIE)[0] == 200
    status, text = status_of(f"/api/record/{table}", COOKIE)
    assert status == 200, (status, text)
    assert status_of("/api/sessions", COOKIE)[0] == 200
    other = SERVER.cookie("Other")
    status, text = status_of("/api/export", other)
    assert status == 200 and json.loads(text)["data"]["moves"] == []
    while len(rest) < size:
        more = s.recv(1 << 20)
        assert more, (len(rest), size)
        rest += more
    s.close()
    moves = json.loads(rest)["data"]["moves"]
    assert len(moves) == MANY and {m["table"] for m in moves} == {ROOM}
    assert [m["seq"] for m in moves] == list(range(2, 2 + MANY))


def gone_before_the_answer():
    """Who goes away does not keep others, or themselves, from asking again."""
    for _ in range(3):
        export(COOKIE).close()
    while status_of("/api/export", COOKIE)[0] != 200:
        time.sleep(0.1)
    play_some(3)


def busy():
    """More than may wait are told so, and served later."""
    line = [export(SERVER.cookie("Waiter")) for _ in range(30)]
    play_some(3)
    for s in line:
        status, fields, rest = head_of(s)
        assert status in (200, 503), status
        s.close()
    play_some(1)


def failing():
    """What cannot be read is refused, and moves go on; when it can be read again, it is."""
    db = SERVER.database()
    with db:
        db.execute("ALTER TABLE rating RENAME TO elsewhere")
    status, text = status_of("/api/leaders?game=doors", COOKIE)
    assert status == 503 and json.loads(text)["error"]["code"] == "store", (status, text)
    play_some(3)
    assert status_of("/readyz", COOKIE)[0] == 200
    with db:
        db.execute("ALTER TABLE elsewhere RENAME TO rating")
    db.close()
    assert status_of("/api/leaders?game=doors", COOKIE)[0] == 200


SERVER = Server(SALOTTO)
COOKIE = SERVER.cookie("Anna")
try:
    me = json.loads(status_of("/api/me", COOKIE)[1])["you"]["person"]
    assert SERVER.stop() == 0
    plant(SERVER, me)
    SERVER.start()
    case("a huge export stops no move, and comes whole", export_beside_moves)
    case("an export whose client has gone is given up", gone_before_the_answer)
    case("many exports at once stop no move", busy)
    case("a read that fails fails nobody's move", failing)
finally:
    SERVER.kill()
done()
