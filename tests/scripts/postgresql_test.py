"""A parlour in PostgreSQL: the same as in a file, and it moves from one to the other
and back with games in play.

    postgresql_test.py SALOTTO SOURCE_ROOT
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

from cluster import OWNER, Cluster, psql
from parlour import Guest, Limit, Server, begin
from tap import case, done

SALOTTO = os.path.abspath(sys.argv[1])
os.environ["SALOTTO_TEST_HASH_MS"] = "1"  # hashes that cost little
CLUSTER = Cluster()
WORK = tempfile.mkdtemp(prefix="salotto-postgresql-")


def salotto(*args):
    return subprocess.run([SALOTTO, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, env=dict(os.environ, LANGUAGE="en"))


def account(server, name):
    return Guest(server, name, server.account(name))


def guess(server):
    """A wrong password."""
    status, body, _ = server.post("/api/enter", name="Nobody", password="wrong password")
    assert status == 403, body
    return True


def play(table, guests, moves):
    """So many moves, or until the game is over."""
    while moves > 0 and not guests[0].last["state"]["over"]:
        moves -= 1
        g = next(g for g in guests if g.last["legal"])
        seq = g.must("act", table=table, seq=g.last["seq"], action=g.last["legal"][0])["seq"]
        for other in guests:
            other.last = other.hear("moved", table=table, seq=seq)
    if guests[0].last["state"]["over"]:
        guests[0].hear("result", table=table)  # it is in the store


def answers(server, cookie):
    """All that the store says about one person, but for when it was last asked."""
    told = {}
    for path in ("/api/history", "/api/leaders?game=doors", "/api/sessions", "/api/export",
                 "/api/profile?person=1"):
        status, _, body = server.read(path, {"Cookie": cookie})
        assert status == 200, (path, status, body)
        told[path] = json.loads(re.sub(r'"seen":\d+', '"seen":0', body))
    return told


def rejoin(server, guests, table):
    for g in guests:
        g.server = server
        g.connect()
        g.last = g.must("join", table=table)


def moved(source, target):
    got = salotto("admin", "migrate", source, target)
    assert got.returncode == 0, got
    return re.search(r"(\d+) rows were moved; their hash is (\w+) on both sides", got.stdout).groups()


def there_and_back():
    """From a file into PostgreSQL and into another file: what is told is the same, the game in
    play goes on each time, and limits count on."""
    first, second = os.path.join(WORK, "first.db"), os.path.join(WORK, "second.db")
    address = CLUSTER.database()
    server = Server(SALOTTO, "--store", f"sqlite:{first}")
    guests = [account(server, "Anna"), account(server, "Élise")]
    over = begin(guests, rounds=1)
    play(over, guests, 1000)
    table = begin(guests, rounds=1)
    play(table, guests, 3)
    before = answers(server, guests[0].cookie)
    wrong = [Limit(server, "wrong-from", "127.0.0.1", 0.1)]
    for _ in range(10):
        guess(server)
    wrong[0].read_last()
    refused = salotto("admin", "migrate", f"sqlite:{first}", address)
    assert refused.returncode == 1 and "another server has it open" in refused.stderr, refused
    assert server.stop() == 0
    print("#", moved(f"sqlite:{first}", address))
    again = salotto("admin", "migrate", f"sqlite:{first}", address)
    assert again.returncode == 1 and "not empty" in again.stderr, again

    server = Server(SALOTTO, "--store", address)
    assert answers(server, guests[0].cookie) == before
    wrong.append(wrong[0].at_another(server))
    wrong[1].counts_on(lambda: guess(server))
    wrong[1].read_last()
    rejoin(server, guests, table)
    play(table, guests, 3)
    assert server.stop() == 0
    there = psql(address, "SELECT count(*) FROM move")
    assert moved(address, f"sqlite:{second}") == moved(address, f"sqlite:{second}.again")

    server = Server(SALOTTO, "--store", f"sqlite:{second}")
    wrong[1].at_another(server).counts_on(lambda: guess(server))
    rejoin(server, guests, table)
    play(table, guests, 1000)
    after = answers(server, guests[0].cookie)
    assert len(after["/api/history"]["games"]) == len(before["/api/history"]["games"]) + 1
    assert server.stop() == 0
    for store in (address, f"sqlite:{second}"):
        got = salotto("admin", "--store", store, "check")
        assert got.returncode == 0 and "intact" in got.stdout, got
    assert f"moves: {there}." in salotto("admin", "--store", address, "check").stdout


def of_every_version():
    """A server brings the schema up to date, whatever version it was, and the game in play goes on."""
    address = CLUSTER.database()
    server = Server(SALOTTO, "--store", address)
    guests = [account(server, "Anna"), Guest(server, "Bruno")]
    table = begin(guests, rounds=1)
    play(table, guests, 3)
    assert server.stop() == 0
    newest = int(psql(address, "SELECT max(version) FROM schema_version"))
    check = psql(address, "SELECT pg_get_functiondef('check_lease'::regproc)")
    assert "FOR KEY SHARE" in check, check
    taken_back = {2: "DROP TABLE progress", 3: check.replace("FOR KEY SHARE", "FOR SHARE"),
                  4: "ALTER TABLE server DROP COLUMN secret", 5: "DROP TABLE allowance, review"}
    assert newest == max(taken_back), "say here how the newest step is taken back"
    for version in range(newest - 1, 0, -1):
        for step in range(newest, version, -1):
            psql(address, taken_back[step])
        psql(address, f"DELETE FROM schema_version WHERE version > {version}")
        server = Server(SALOTTO, "--store", address)
        rejoin(server, guests, table)
        play(table, guests, 1 if version > 1 else 1000)
        assert psql(address, "SELECT max(version) FROM schema_version") == str(newest), version
        assert psql(address, "SELECT count(*) FROM progress") == "0"
        assert psql(address, "SELECT count(*) FROM review") == "0"
        assert len(psql(address, "SELECT secret FROM server")) == 64
        assert psql(address, "SELECT pg_get_functiondef('check_lease'::regproc)") == check
        assert server.stop() == 0
    assert guests[0].last["state"]["over"], version


def backed_up():
    """By PostgreSQL's own means, while a game is played: a dump, and a copy of the whole
    cluster with its write-ahead log. The game goes on from either."""
    address = CLUSTER.database()
    server = Server(SALOTTO, "--store", address)
    guests = [account(server, "Anna"), Guest(server, "Bruno")]
    table = begin(guests, rounds=1)
    play(table, guests, 3)
    seq = guests[0].last["seq"]
    dump = os.path.join(CLUSTER.folder, "dump")
    CLUSTER.run("pg_dump", "-h", CLUSTER.folder, "-U", OWNER, "-Fc", "-f", dump,
                urllib.parse.urlsplit(address).path[1:])
    copy = os.path.join(CLUSTER.folder, "copy")
    CLUSTER.run("pg_basebackup", "-h", CLUSTER.folder, "-U", OWNER, "-D", copy, "-X", "stream",
                "-c", "fast")
    play(table, guests, 3)
    assert server.stop() == 0

    restored = CLUSTER.database()
    CLUSTER.run("pg_restore", "-h", CLUSTER.folder, "-U", OWNER, "-d",
                urllib.parse.urlsplit(restored).path[1:], dump)
    goes_on(restored, guests, table, seq)
    CLUSTER.stop()
    shutil.rmtree(CLUSTER.data())
    os.rename(copy, CLUSTER.data())
    CLUSTER.start()
    goes_on(address, guests, table, seq)


def goes_on(address, guests, table, seq):
    got = salotto("admin", "--store", address, "check")
    assert got.returncode == 0 and "intact" in got.stdout, got
    server = Server(SALOTTO, "--store", address)
    rejoin(server, guests, table)
    assert guests[0].last["seq"] == seq, guests[0].last
    play(table, guests, 1000)
    assert server.stop() == 0


def starts_again_at_once():
    """Ended or killed and started again while the lease in the store still names its address: it
    does not hand on to itself; who comes waits, and is answered."""
    address = CLUSTER.database()
    server = Server(SALOTTO, "--store", address)
    cookie = server.cookie("Anna")
    for end in (server.stop, server.kill):
        end()
        server.start()
        status, _, body = server.request("GET", "/api/me", None, {"Cookie": cookie})
        assert status == 200, (end, status, body)
    assert server.stop() == 0


def administered():
    """What an operator does works there as it does on a file."""
    address = CLUSTER.database()
    server = Server(SALOTTO, "--store", address)
    anna, bruno = account(server, "Anna"), Guest(server, "Bruno")
    table = begin([anna, bruno], rounds=1)

    def admin(*words):
        got = salotto("admin", "--store", address, *words)
        assert got.returncode == 0, (words, got)
        return got.stdout
    assert table in admin("list") and "in play" in admin("list")
    assert "Anna" in admin("list", "people") and "account" in admin("list", "people")
    assert "within seconds" in admin("mute", "ANNA", "--why", "noise")
    assert "noise" in admin("list", "mutes")
    admin("unmute", "anna")
    admin("reset-name", "Anna")
    assert f"Guest {anna.me['person']}" in admin("list", "people")
    copy = os.path.join(WORK, "copy.db")
    assert copy in admin("backup", copy)  # while people play
    assert "intact" in salotto("admin", "--store", f"sqlite:{copy}", "check").stdout
    assert salotto("admin", "--store", address, "ratings").returncode == 1  # it is served
    assert "closed" in admin("close", table[:6])
    assert "version" in admin("migrate")
    assert server.stop() == 0
    admin("ratings")
    admin("ban", "192.0.2.0/24", "--why", "floods")
    assert "192.0.2.0/24" in admin("list", "bans")
    admin("unban", "192.0.2.0/24")
    assert "intact" in admin("check")
    assert "reset-name" in admin("list", "log")


def refused():
    """What is wrong is said, and no password with it."""
    nobody = f"postgresql://somebody:secret@/nowhere?host={CLUSTER.folder}"
    got = salotto("serve", "--listen", "127.0.0.1:0", "--data", WORK, "--store", nobody)
    assert got.returncode == 1 and "somebody" in got.stderr and "secret" not in got.stderr, got
    address = CLUSTER.database()
    psql(address, "CREATE TABLE schema_version (version int);"
                  "INSERT INTO schema_version VALUES (99)")
    for command in (("serve", "--listen", "127.0.0.1:0", "--data", WORK), ("admin", "list")):
        got = salotto(command[0], "--store", address, *command[1:])
        assert got.returncode == 1 and "newer version" in got.stderr, got


case("a parlour moves into PostgreSQL and back, with a game in play", there_and_back)
case("a store of every version before, with a game in play", of_every_version)
case("pg_dump and pg_basebackup while people play, and back", backed_up)
case("a server that starts again at once does not hand on to itself", starts_again_at_once)
case("salotto admin on PostgreSQL", administered)
case("what cannot be opened is refused", refused)
done()
