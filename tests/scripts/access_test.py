"""Nobody is stopped by others: bots' time is shared out, limits count the right
thing, cookies and tokens are bound to what they allow.

    access_test.py SALOTTO SOURCE_ROOT
"""
import json
import os
import resource
import sys
import threading

from parlour import PASSWORD, Closed, Guest, Limit, Server, wait_for
from tap import case, done

SALOTTO = os.path.abspath(sys.argv[1])
os.environ["SALOTTO_TEST_HASH_MS"] = "1"  # hashes that cost little, but for one case
OTHER = "battery staple"


def server_with_hashes(ms, *options):
    """Each hash takes as long as that."""
    os.environ["SALOTTO_TEST_HASH_MS"] = str(ms)
    server = Server(SALOTTO, *options)
    os.environ["SALOTTO_TEST_HASH_MS"] = "1"
    return server


def post(server, path, cookie="", address="", **body):
    """(status, answer, cookie) of a request from that address."""
    headers = {"User-Agent": "tests"}
    if address:
        headers["X-Forwarded-For"] = address
    return server.post(path, cookie, headers, **body)


def get(server, path, cookie="", address="10.0.0.1"):
    return server.request("GET", path, None, {"Cookie": cookie, "X-Forwarded-For": address})


def account(server, name, address="10.0.0.1"):
    cookie = server.cookie(name, X_Forwarded_For=address)
    status, body, fresh = post(server, "/api/account", cookie, address, password=PASSWORD)
    assert status == 200, body
    return fresh or cookie


def enter(server, name, password, address):
    return post(server, "/api/enter", address=address, name=name, password=password)


def bots_only(guest, game="louis", players=4, level="expert", **more):
    return guest.must("create", game=game, players=players, seats=[level] * players,
                      **more)["table"]


def is_quiet(figures):
    """No bot thinks, and no move is on its way."""
    return figures["salotto_work_open"] == 0 and figures["salotto_store_waiting"] == 0


# ---- Bots ----------------------------------------------------------------------

def unwatched_bots_stop():
    """A table where only bots sit stops when nobody looks on, and goes on when
    somebody does."""
    server = Server(SALOTTO)
    owner, other = Guest(server, "Owner"), Guest(server, "Other")
    left = bots_only(owner, level="novice")
    owner.hear("moved", table=left, kind="act")
    owner.close()
    wait_for(lambda: server.figures()["salotto_open_websockets"] == 1)
    wait_for(lambda: is_quiet(server.figures()))
    before = len(server.moves(left))
    watched = bots_only(other, level="novice")
    for _ in range(30):
        other.hear("moved", table=watched, kind="act")
    assert len(server.moves(left)) == before
    assert server.moves(left)[-1][2] == "act", "it is not over"
    other.must("join", table=left)
    other.hear("moved", table=left, kind="act")
    assert server.stop() == 0


# One thread for all bots, that takes 10 ms for each.
SCARCE = ("--bot-threads", "1", "--bot-seconds", "0", "--bot-tables", "50", "--pace", "100")


def moves_meanwhile(guest, tables):
    """How many moves are made at those tables during twenty of a guest's own."""
    mine = bots_only(guest)
    guest.hear("moved", table=mine, kind="start")
    start = sum(len(guest.server.moves(t)) for t in tables)
    for _ in range(20):
        guest.hear("moved", table=mine, kind="act")
    return sum(len(guest.server.moves(t)) for t in tables) - start


def shares_are_fair():
    """One person's thirty tables do not hold up another's one: served in turn,
    there would be thirty moves of theirs for each."""
    server = Server(SALOTTO, *SCARCE)
    greedy, modest = Guest(server, "Greedy"), Guest(server, "Modest")
    many = [bots_only(greedy) for _ in range(30)]
    assert moves_meanwhile(modest, many) < 300
    assert server.stop() == 0


def addresses_share_too():
    """Many guests of one address together get no more than one of another."""
    server = Server(SALOTTO, *SCARCE, "--trust-proxy")
    crowd = [Guest(server, f"Guest {n}", X_Forwarded_For="10.0.0.9") for n in range(30)]
    many = [bots_only(g) for g in crowd]
    alone = Guest(server, "Alone", X_Forwarded_For="10.0.0.8")
    assert moves_meanwhile(alone, many) < 300
    assert server.stop() == 0


def tables_with_bots_are_capped():
    server = Server(SALOTTO, "--bot-tables", "3", "--bot-seconds", "60")
    g = Guest(server)
    for _ in range(3):
        bots_only(g)
    got = g.ask("create", game="louis", players=4, seats=["expert"] * 4)
    assert got["op"] == "error" and got["code"] == "full" and "bots" in got["message"], got
    g.must("create", game="doors", players=2)  # people may always meet
    Guest(server, "Another").must("create", game="doors", players=2, seats=["open", "expert"])
    assert server.stop() == 0


def passwords_do_not_wait_for_bots():
    """While bots think on all their threads, somebody signs in."""
    server = Server(SALOTTO, "--bot-seconds", "60")
    account(server, "Anna")
    g = Guest(server, "Owner")
    tables = [bots_only(g) for _ in range(9)]
    for t in tables:
        g.hear("moved", table=t, kind="start")
    assert enter(server, "Anna", PASSWORD, "10.0.0.1")[0] == 200
    assert not any(kind == "act" for t in tables for _, _, kind, _ in server.moves(t))
    assert server.stop() == 0, "and nobody waits for them at the end"


# ---- Sessions ------------------------------------------------------------------

def token_changes():
    """With an account, or a new password, comes a new token; the old one is
    worth nothing, and what it had opened stays open."""
    server = Server(SALOTTO)
    old = server.cookie("Anna")
    g = Guest(server, cookie=old)
    status, _, new = post(server, "/api/account", old, password=PASSWORD)
    assert status == 200 and new.startswith("salotto=") and new != old, (old, new)
    assert get(server, "/api/me", old)[0] == 401 and get(server, "/api/me", new)[0] == 200
    g.must("lobby")
    status, _, newer = post(server, "/api/password", new, old=PASSWORD, password=OTHER)
    assert status == 200 and newer.startswith("salotto=") and newer != new
    assert get(server, "/api/me", new)[0] == 401 and get(server, "/api/me", newer)[0] == 200
    g.must("lobby")
    server.kill()
    server.start()
    assert [get(server, "/api/me", c)[0] for c in (old, new, newer)] == [401, 401, 200]
    assert post(server, "/api/forget", newer)[0] == 200
    assert server.stop() == 0


def session_ends_by_its_new_name():
    """The WebSocket that the old token has opened ends with the session."""
    server = Server(SALOTTO)
    old = server.cookie("Anna")
    g = Guest(server, cookie=old)
    new = post(server, "/api/account", old, password=PASSWORD)[2]
    assert post(server, "/api/forget", new)[0] == 200
    try:
        while True:
            g.read()
    except Closed as e:
        assert e.code == 1008, e.code
    assert server.stop() == 0


def host_cookie():
    server = Server(SALOTTO, "--public-url", "https://play.example.org", "--trust-proxy")
    server.origin = "https://play.example.org"
    status, headers, _ = server.request("POST", "/api/guest", '{"name":"Anna"}')
    line = headers["Set-Cookie"]
    assert status == 200 and line.startswith("__Host-salotto="), line
    assert "; Secure" in line and "; Path=/;" in line and "Domain" not in line, line
    token = line.split(";")[0].split("=")[1]
    assert get(server, "/api/me", f"__Host-salotto={token}")[0] == 200
    assert get(server, "/api/me", f"salotto={token}")[0] == 401, "another site could have set it"
    assert server.stop() == 0
    plain = Server(SALOTTO)
    assert plain.cookie("Anna").startswith("salotto=")
    assert plain.stop() == 0


def no_memory_is_no_wrong_password():
    del os.environ["SALOTTO_TEST_HASH_MS"]
    server = Server(SALOTTO)
    os.environ["SALOTTO_TEST_HASH_MS"] = "1"
    account(server, "Anna")
    pid = server.process.pid
    with open(f"/proc/{pid}/statm", encoding="ascii") as f:
        size = int(f.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    _, hard = resource.prlimit(pid, resource.RLIMIT_AS)
    resource.prlimit(pid, resource.RLIMIT_AS, (size + (24 << 20), hard))  # a hash takes 64 MiB
    for name in ("Anna", "Nobody"):
        status, body, _ = enter(server, name, PASSWORD, "10.0.0.1")
        assert status == 503 and body["error"]["code"] == "no-memory", (name, status, body)
    resource.prlimit(pid, resource.RLIMIT_AS, (hard, hard))
    assert enter(server, "Anna", PASSWORD, "10.0.0.1")[0] == 200
    assert server.stop() == 0


# ---- Who asks ------------------------------------------------------------------

def address_of(server, lines):
    """The address that the server believes a request has."""
    seen = server.logged().count('"session"')
    head = "".join(f"X-Forwarded-For: {line}\r\n" for line in lines)
    got = server.raw((f"POST /api/guest HTTP/1.1\r\nHost: a\r\n{head}Connection: close\r\n"
                     'Content-Length: 12\r\n\r\n{"name":"A"}').encode())
    assert got.startswith(b"HTTP/1.1 200"), got
    wait_for(lambda: server.logged().count('"session"') > seen)
    found = [json.loads(line) for line in server.logged().splitlines() if '"session"' in line]
    return found[-1]["address"]


def hops():
    """The address that the last trusted proxy has seen, whatever else is said."""
    table = {
        "--trust-proxy": [
            (["192.0.2.1"], "192.0.2.1"),
            (["6.6.6.6, 192.0.2.1"], "192.0.2.1"),
            (["6.6.6.6", "192.0.2.1"], "192.0.2.1"),
            (["192.0.2.1:4711"], "192.0.2.1"),
            (["[2001:db8::7]:443"], "2001:db8::7"),
            (["[2001:db8::7]"], "2001:db8::7"),
            (["2001:db8::7"], "2001:db8::7"),
            (["6.6.6.6, unknown"], "127.0.0.1"),
            (["192.0.2.1:"], "127.0.0.1"),
            (["x" * 300], "127.0.0.1"),
            ([], "127.0.0.1")],
        "--trust-proxy=2": [
            (["6.6.6.6, 192.0.2.1, 10.0.0.2"], "192.0.2.1"),
            (["6.6.6.6, 192.0.2.1:99", "10.0.0.2"], "192.0.2.1"),
            (["6.6.6.6", "[2001:db8::9]:1,10.0.0.2"], "2001:db8::9"),
            (["192.0.2.1"], "192.0.2.1")],
    }
    for option, rows in table.items():
        server = Server(SALOTTO, option)
        for lines, address in rows:
            got = address_of(server, lines)
            assert got == address, (option, lines, got)
        assert server.stop() == 0
    server = Server(SALOTTO, "--trust-proxy", "2")
    assert address_of(server, ["192.0.2.1, 10.0.0.2"]) == "192.0.2.1"
    assert server.stop() == 0
    server = Server(SALOTTO)
    assert address_of(server, ["192.0.2.1"]) == "127.0.0.1", "nobody is trusted"
    assert server.stop() == 0


def networks_of_six():
    """A household has 2^64 addresses of IPv6, and counts as one."""
    server = Server(SALOTTO, "--trust-proxy")
    codes = [post(server, "/api/guest", address=f"2001:db8:1:1::{n:x}", name="Many")[0]
             for n in range(1, 116)]
    assert 429 in codes and set(codes) == {200, 429}, codes
    assert post(server, "/api/guest", address="2001:db8:1:2::1", name="Neighbour")[0] == 200
    wrong = [enter(server, "Nobody", OTHER, f"2001:db8:1:3::{n:x}")[0] for n in range(1, 41)]
    assert 429 in wrong and wrong[0] == 403, wrong
    assert server.stop() == 0


# ---- Passwords -----------------------------------------------------------------

def wrong_until_slow(server, name, address):
    """What an address is told that has given too many wrong passwords."""
    for _ in range(60):
        status, body, _ = enter(server, name, "wrong password", address)
        if status != 403:
            return status, body
        assert body["error"]["message"] == "Wrong name or password.", body
    return None


def wrong_passwords_slow_down():
    """The address is slowed down, the same for names that exist and names that
    do not; the owner, elsewhere, comes in."""
    server = Server(SALOTTO, "--trust-proxy")
    account(server, "Anna")
    real = wrong_until_slow(server, "Anna", "10.1.0.1")
    unreal = wrong_until_slow(server, "Nobody", "10.1.0.2")
    assert real and unreal and real == unreal, (real, unreal)
    assert real[0] == 429 and real[1]["error"]["code"] == "slow-down", real
    assert enter(server, "Anna", PASSWORD, "10.0.0.1")[0] == 200
    # Right ones do not count: somebody may sign in as often as they like.
    assert [enter(server, "Anna", PASSWORD, "10.0.0.1")[0] for _ in range(15)] == [200] * 15
    assert server.stop() == 0


def many_addresses_do_not_lock_out():
    """However many guess at one name, whoever knows the password comes in."""
    server = Server(SALOTTO, "--trust-proxy")
    account(server, "Anna")
    codes = {enter(server, "Anna", "wrong password", f"10.2.{n // 3}.1")[0] for n in range(18)}
    assert codes == {403}, codes
    assert enter(server, "Anna", PASSWORD, "10.3.0.1")[0] == 200
    assert server.stop() == 0


def all_names_are_the_same():
    """An account and a name that nobody has: the same answer to the byte, the same
    work, from the first wrong password until the address is refused."""
    server = Server(SALOTTO, "--trust-proxy")
    account(server, "Anna")

    def attempt(name, address):
        before = server.figures()["salotto_passwords_total"]
        status, headers, text = server.request(
            "POST", "/api/enter", json.dumps({"name": name, "password": "wrong password"}),
            {"X-Forwarded-For": address})
        hashed = server.figures()["salotto_passwords_total"] - before
        return status, sorted((k, v) for k, v in headers.items() if k != "Date"), text, hashed

    def until_refused(name, address):
        got = [attempt(name, address)]
        while got[-1][0] == 403 and len(got) < 100:
            got.append(attempt(name, address))
        return got

    real, unreal = until_refused("Anna", "10.5.0.1"), until_refused("Bnna", "10.5.0.2")
    for got in (real, unreal):
        assert len(got) > 20 and all(g == real[0] for g in got[:-1]), got
    assert real[0][0] == 403 and real[0][-1] == 1, real[0]
    assert real[-1] == unreal[-1] and real[-1][0] == 429 and real[-1][-1] == 0, (real, unreal)
    assert server.stop() == 0


class Flood:
    """Wrong passwords for a name, all at once, one from each address."""

    def __init__(self, server, name, addresses):
        self.codes = []
        self.threads = [threading.Thread(target=self.guess, args=(server, name, address))
                        for address in addresses]
        for t in self.threads:
            t.start()

    def guess(self, server, name, address):
        self.codes.append(enter(server, name, "wrong password", address)[0])

    def wait(self):
        for t in self.threads:
            t.join()
        return sorted(self.codes)


def known_here_comes_first():
    """Twelve addresses guess at a name, a second each on one thread; its owner, who has
    signed in from home before, is in before they are through."""
    server = server_with_hashes(1000, "--trust-proxy")
    account(server, "Anna", "10.0.0.1")
    assert enter(server, "Anna", PASSWORD, "10.0.0.1")[0] == 200
    flood = Flood(server, "Anna", [f"10.6.{n}.1" for n in range(12)])
    wait_for(lambda: server.figures()["salotto_work_open"] + len(flood.codes) == 12)
    assert enter(server, "Anna", PASSWORD, "10.0.0.1")[0] == 200
    assert len(flood.codes) < 11, "she had to wait for all of them"
    assert flood.wait() == [403] * 12
    assert server.stop() == 0


def an_address_has_its_bound():
    """Who sends more passwords at once than there is room for is refused at once and
    clearly, and another address is not."""
    server = server_with_hashes(500, "--trust-proxy")
    account(server, "Anna", "10.0.0.1")
    flood = Flood(server, "Anna", ["10.6.0.1"] * 20)
    wait_for(lambda: 429 in flood.codes)
    assert enter(server, "Anna", PASSWORD, "10.0.0.2")[0] == 200
    codes = flood.wait()
    assert set(codes) == {403, 429}, codes
    status, body, _ = enter(server, "Anna", PASSWORD, "10.0.0.1")
    assert status == 200, body
    assert server.stop() == 0


def work_is_counted():
    """What bots and passwords are asked for and have not answered: told as it is, and
    nothing when all is quiet."""
    server = server_with_hashes(2000, "--trust-proxy", "--bot-seconds", "60")

    def figure(count):
        wait_for(lambda: server.figures()["salotto_work_open"] == count)

    figure(0)
    g = Guest(server, "Owner")
    tables = [bots_only(g) for _ in range(3)]
    figure(3)
    flood = Flood(server, "Nobody", [f"10.7.{n}.1" for n in range(5)])
    wait_for(lambda: server.figures()["salotto_work_open"] + len(flood.codes) == 8)
    assert len(flood.codes) < 5, "passwords that wait were not counted"
    flood.wait()
    figure(3)
    assert server.figures()["salotto_passwords_total"] == 5
    for t in tables:
        assert [kind for _, _, kind, _ in server.moves(t)][-1] == "start"
    assert server.stop() == 0, "what is open is ended"
    server = server_with_hashes(1)
    g = Guest(server, "Owner")
    t = bots_only(g, game="doors", players=2, level="novice")
    while not g.hear("moved", table=t)["state"]["over"]:
        pass
    wait_for(lambda: is_quiet(server.figures()))
    figures = server.figures()
    acts = sum(kind == "act" for _, _, kind, _ in server.moves(t))
    assert figures["salotto_thoughts_total"] == acts, (figures, acts)
    assert server.stop() == 0


# ---- What outlives the server ------------------------------------------------------

def limits_outlive():
    """Ended or killed, the server counts on where it was: wrong passwords from an address and for
    a name, and what an address has made; and then forgets them."""
    server = Server(SALOTTO, "--trust-proxy")
    wrong = Limit(server, "wrong-from", "10.8.0.1", 0.1)
    makes = Limit(server, "makes", "10.8.0.2", 0.5)

    def guess():
        return enter(server, "Nobody", "wrong password", "10.8.0.1")[0] == 403

    def make():
        return post(server, "/api/guest", address="10.8.0.2", name="Many")[0] == 200

    while guess():
        pass
    while make():
        pass
    for end in (server.stop, server.kill, server.kill):
        for limit in (wrong, makes):
            limit.read_last()
        end()
        server.start()
        wrong.is_at(21, guess)
        makes.is_at(100, make)
    assert server.stop() == 0


def names_of_limits():
    """What is in the store of a limit says no more than which, and of whom; nothing is there
    that is forgotten within seconds."""
    server = Server(SALOTTO, "--trust-proxy")
    for n in range(3):
        get(server, "/api/leaders?game=doors", address="10.8.0.3")
        assert enter(server, "Nobody", "wrong password", "10.8.0.4")[0] == 403
    address = Limit(server, "wrong-from", "10.8.0.4", 0.1)
    address.read_last("10.8.0.4")
    with server.database() as db:
        names = [name for name, in db.execute("SELECT name FROM allowance").fetchall()]
    kinds = {n.split(":")[0] for n in names}
    assert {"wrong-for", "wrong-from"} <= kinds <= {"wrong-for", "wrong-from", "makes"}, names
    assert address.name in names and not any("Nobody" in n for n in names), names
    assert not any(n.endswith("0a080003") for n in names), names
    assert server.stop() == 0


# ---- Reads ---------------------------------------------------------------------

def reads_are_limited():
    server = Server(SALOTTO, "--trust-proxy")
    cookie = server.cookie("Anna", X_Forwarded_For="10.0.0.1")
    for n, path in enumerate(("/api/leaders?game=doors", "/api/history", "/api/mine",
                              "/api/record/aaaaaaaaaaaaaaaa", "/api/replay/aaaaaaaaaaaaaaaa")):
        address = f"10.4.0.{n}"
        codes = []
        while 429 not in codes and len(codes) < 2000:
            status, headers, _ = get(server, path, cookie, address)
            codes.append(status)
        assert codes[-1] == 429 and len(codes) > 50, (path, len(codes), codes[-1])
        assert int(headers["Retry-After"]) >= 1
        assert get(server, path, cookie, "10.4.1.1")[0] != 429, "another address may"
        assert get(server, "/healthz", cookie, address)[0] == 200
    assert server.stop() == 0


case("a table of bots that nobody watches stops", unwatched_bots_stop)
case("bots' time is shared out by person", shares_are_fair)
case("bots' time is shared out by address", addresses_share_too)
case("so many tables with bots a person, and a clear word", tables_with_bots_are_capped)
case("passwords do not wait for bots, nor does the end", passwords_do_not_wait_for_bots)
case("the token changes with the rights", token_changes)
case("a session ends by its new token", session_ends_by_its_new_name)
case("under https the cookie is bound to the host", host_cookie)
case("out of memory is not a wrong password", no_memory_is_no_wrong_password)
case("the address is what the last trusted proxy saw", hops)
case("IPv6 counts by /64", networks_of_six)
case("wrong passwords slow down, whether the name exists or not", wrong_passwords_slow_down)
case("guesses from many addresses do not lock the owner out", many_addresses_do_not_lock_out)
case("a name that exists and one that does not are told and worked on alike",
     all_names_are_the_same)
case("a name that has signed in from there before does not wait for a flood", known_here_comes_first)
case("an address has only so many passwords checked at once", an_address_has_its_bound)
case("what bots and passwords are asked for is counted", work_is_counted)
case("limits count on after the server was stopped or killed", limits_outlive)
case("of limits the store has what counts for longer", names_of_limits)
case("reads are limited", reads_are_limited)
done()
