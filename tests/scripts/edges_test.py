"""What an attack on the server found at its edges, each over real sockets.

    edges_test.py SALOTTO SOURCE_ROOT
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

from parlour import CAP, Guest, Server, handshake, wait_for
from tap import case, done

SALOTTO = os.path.abspath(sys.argv[1])


def run(*args, lang="en"):
    return subprocess.run([SALOTTO, *args], env=dict(os.environ, LANGUAGE=lang), text=True,
                          capture_output=True, timeout=CAP)


def clocks_do_not_overflow():
    """Seconds that do not fit once multiplied are refused, and the server lives on."""
    server = Server(SALOTTO)
    g = Guest(server)
    for clock in ({"kind": "move", "seconds": 2 ** 62}, {"kind": "slow", "days": 2 ** 62},
                  {"kind": "game", "seconds": 60, "increment": 2 ** 62},
                  {"kind": "game", "seconds": -2 ** 62}, {"kind": "slow", "days": 2 ** 63 - 1}):
        assert g.code("create", game="doors", players=2, clock=clock) == "bad-request", clock
    assert g.must("create", game="doors", players=2, clock={"kind": "slow", "days": 30})
    assert server.stop() == 0, server.logged()[-2000:]


def the_lock_follows_the_file():
    """No other name of a store that is open gets past its lock."""
    server = Server(SALOTTO)
    store = os.path.join(server.folder, "data", "salotto.db")
    other = tempfile.mkdtemp(prefix="salotto-edges-")
    links = os.path.join(server.folder, "link.db"), os.path.join(server.folder, "hard.db")
    os.symlink(store, links[0])
    os.link(store, links[1])

    def refused(path):
        got = run("serve", "--listen", "127.0.0.1:0", "--data", other, "--store", f"sqlite:{path}")
        assert got.returncode == 1 and "another server has it open" in got.stderr, (path, got)

    for path in (store, *links):
        refused(path)
    moved = os.path.join(server.folder, "data", "moved.db")
    os.rename(store, moved)
    refused(moved)
    os.rename(moved, store)
    got = run("admin", "--data", os.path.join(server.folder, "data"), "ratings")
    assert got.returncode == 1 and "another server" in got.stderr, got
    assert Guest(server).must("lobby") and server.stop() == 0
    again = Server(SALOTTO, data=server.folder)  # it is free now
    assert again.stop() == 0
    got = run("admin", "--data", os.path.join(other, "nowhere"), "migrate")
    assert got.returncode == 1 and not os.path.exists(os.path.join(other, "nowhere")), got
    shutil.rmtree(other)


def public_urls_are_normalised():
    """Whatever way the address is written, pages of that origin are let in, and no others."""
    for url, origin in (("HTTPS://Play.Example.ORG/", "https://play.example.org"),
                        ("https://play.example.org:443", "https://play.example.org"),
                        ("http://parlour.lan:80/a/b", "http://parlour.lan"),
                        ("http://[FE80::1]:8014", "http://[fe80::1]:8014"),
                        ("https://salotto.per\u00f2.it", "https://salotto.xn--per-ena.it")):
        server = Server(SALOTTO, "--public-url", url)
        server.origin = origin
        cookie = server.cookie("Anna")
        for named, status in ((origin, b"101"), (origin + ":1", b"403"), ("null", b"403"),
                              ("http://evil.example", b"403")):
            request, _ = handshake(server, cookie, origin=named)
            with Guest.dial(Dialler(server)) as s:
                s.sendall(request)
                got = s.recv(4096)
            assert got.startswith(b"HTTP/1.1 " + status), (url, named, got[:80])
        assert server.stop() == 0
    for url in ("play.example.org", "ftp://a", "https://", "https://a:99999", "http://u@a",
                "http://a b", "https://a?b"):
        got = run("serve", "--listen", "127.0.0.1:0", "--public-url", url)
        assert got.returncode == 2 and "--public-url" in got.stderr, (url, got)


class Dialler:
    def __init__(self, server):
        self.server, self.timeout = server, 15


def undo_has_an_end():
    """Who does and undoes the same for ever is stopped, and the table can be read."""
    server = Server(SALOTTO, "--pace", "5000")
    a, b = Guest(server, "Anna"), Guest(server, "Bruno")
    table = a.must("create", game="traps", players=2)["table"]
    b.must("join", table=table)
    a.must("sit", table=table, seat=0)
    b.must("sit", table=table, seat=1)
    news = a.hear("moved", kind="start", table=table)
    for undone in range(102):  # a card is laid face down, and taken back
        seq = a.must("act", table=table, seq=news["seq"], action=news["legal"][0])["seq"]
        got = a.ask("undo", table=table, seq=seq)
        if got["op"] == "error":
            break
        news = a.hear("moved", table=table, kind="undo")
    assert undone == 100 and got["code"] == "no-undo" and "allowed" in got["message"], (undone, got)
    a.must("resign", table=table)
    a.hear("result", table=table)
    status, _, text = server.request("GET", f"/api/record/{table}")
    assert status == 200 and text.endswith("over 1\n"), text[-200:]
    assert server.request("GET", f"/api/replay/{table}")[0] == 200
    assert server.stop() == 0


def what_is_beside_the_game_has_an_end():
    """Somebody sits down and stands up thousands of times: then nothing beside the game is
    taken any more, the game is played to its end, and all of it can be read."""
    server = Server(SALOTTO, "--pace", "5000")
    a, b = Guest(server, "Anna"), Guest(server, "Bruno")
    table = a.must("create", game="traps", players=2)["table"]
    a.must("sit", table=table, seat=0)
    assert server.stop() == 0
    db = server.database()
    with db:
        seq, at, text = db.execute("SELECT seq, at, text FROM move WHERE room = ? AND kind = 'sit'",
                                   (table,)).fetchone()
        sit = json.dumps(dict(json.loads(text), person=b.me["person"], name="Bruno"))
        db.executemany(
            "INSERT INTO move (room, seq, at, seat, kind, text) VALUES (?, ?, ?, 1, ?, ?)",
            [(table, seq + n, at, *(("sit", sit) if n % 2 else ("leave", "")))
             for n in range(1, 3999)])
    db.close()
    server.start()
    a, b = (Guest(server, cookie=g.cookie) for g in (a, b))
    for g in (a, b):
        g.must("join", table=table)
    b.must("sit", table=table, seat=1)  # the four thousandth
    news = a.hear("moved", kind="start", table=table)
    seq = a.must("act", table=table, seq=news["seq"], action=news["legal"][0])["seq"]
    got = a.ask("undo", table=table, seq=seq)
    assert got["op"] == "error" and got["code"] == "full" and "Open another one" in got["message"], got
    a.must("resign", table=table)
    a.hear("result", table=table)
    for again in (False, True):
        status, _, text = server.request("GET", f"/api/record/{table}")
        assert status == 200 and text.endswith("over 1\n"), text[-200:]
        status, _, text = server.request("GET", f"/api/replay/{table}")
        assert status == 200 and json.loads(text)["steps"][-1]["kind"] == "resign", text[:200]
        if not again:
            server.kill()
            server.start()
    assert Guest(server, cookie=a.cookie).must("join", table=table)["state"]["over"]
    assert server.stop() == 0


def a_damaged_store_says_so():
    folder = tempfile.mkdtemp(prefix="salotto-edges-")
    store = os.path.join(folder, "salotto.db")

    def says(words, lang):
        before = open(store, "rb").read()
        got = run("serve", "--listen", "127.0.0.1:0", "--data", folder, lang=lang)
        assert got.returncode == 1 and got.stderr.count("\n") == 1, got
        assert words in got.stderr and folder in got.stderr, got.stderr
        assert "malformed" not in got.stderr and "file is not" not in got.stderr.replace(
            "this file is not", ""), got.stderr
        assert open(store, "rb").read() == before, "it was changed"

    with open(store, "wb") as f:
        f.write(os.urandom(100000))
    says("this file is not a store", "en")
    says("questo file non è un archivio", "it")
    os.remove(store)
    server = Server(SALOTTO)
    assert Guest(server).must("create", game="doors", players=2) and server.stop() == 0
    shutil.copy(os.path.join(server.folder, "data", "salotto.db"), store)
    with open(store, "rb+") as f:
        f.seek(100)
        f.write(b"\xab" * (os.path.getsize(store) - 100))
    says("it is damaged. Nothing was changed", "en")
    says("è danneggiato", "it")
    shutil.rmtree(folder)


def the_lobby_is_fair():
    """One who opens many tables is stopped, and pushes nobody out of the list."""
    server = Server(SALOTTO, "--pace", "5000")
    quiet = Guest(server, "Quiet")
    mine = quiet.must("create", game="doors", players=2)["table"]
    quiet.must("sit", table=mine, seat=0)
    loud = [Guest(server, f"Loud {i}") for i in range(25)]
    for g in loud:
        for n in range(10):
            g.must("create", game="traps", players=6)
        got = g.ask("create", game="traps", players=6)
        assert got["op"] == "error" and got["code"] == "full" and "Ten tables" in got["message"], got
        # Games that begin at once are not among them.
        assert g.must("create", game="doors", players=2, seats=["random", "random"])
    late = Guest(server, "Late")
    other = late.must("create", game="favor", players=3)["table"]
    for g in (quiet, late):
        tables = [t["table"] for t in g.must("lobby")["tables"] if not t["started"]]
        assert len(tables) == 200, len(tables)
        assert mine in tables[:27] and other in tables[:27], (tables.index(mine), len(tables))
    # When a table has begun there is room for another; it is remembered after a fall.
    server.kill()
    server.start()
    g = Guest(server, cookie=loud[0].cookie)
    assert g.code("create", game="traps", players=6) == "full"
    assert server.stop() == 0


def a_game_that_was_over():
    """One that was over long before a restart is closed soon after it; one that was just over is not."""
    server, tables = Server(SALOTTO), []
    for _ in range(2):
        a, b = Guest(server, "A"), Guest(server, "B")
        tables.append(a.must("create", game="doors", players=2)["table"])
        for seat, g in enumerate((a, b)):
            g.must("sit", table=tables[-1], seat=seat)
        a.must("resign", table=tables[-1])
        a.close(), b.close()
    server.kill()
    with server.database() as db:
        db.execute("UPDATE move SET at = at - 3600000 WHERE room = ?", (tables[0],))
    server.start()

    def closed(table):
        return server.moves(table)[-1][2] == "end"

    def check():
        wait_for(lambda: closed(tables[0]))
        assert not closed(tables[1])
        assert server.stop() == 0
    return check


was_over = a_game_that_was_over()  # it takes a while, and the others need not wait
case("seconds of a clock that do not fit", clocks_do_not_overflow)
case("the lock follows the file, not its name", the_lock_follows_the_file)
case("the public URL is normalised", public_urls_are_normalised)
case("undo has an end, and the table can be read", undo_has_an_end)
case("what happens beside the game has an end, and the table can be read",
     what_is_beside_the_game_has_an_end)
case("a damaged store says what is wrong and what to do", a_damaged_store_says_so)
case("the lobby lists fairly, and nobody opens tables without end", the_lobby_is_fair)
case("a game that was over long before a restart is closed soon after it", was_over)
done()
