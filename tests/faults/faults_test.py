"""Two servers on one PostgreSQL, people who play through both, and what can go wrong.

    faults_test.py SALOTTO SOURCE_ROOT          each fault once
    faults_test.py SALOTTO SOURCE_ROOT MINUTES  one after the other in a random order, for so
                                                long, at 8 times as many tables
    faults_test.py SALOTTO SOURCE_ROOT MINUTES TABLES   so many tables of Doors at a time, people
                                                who think for five seconds, a process killed
                                                every minute; memory must not grow

People come back through any server that says something and play on through every fault; so do those who watch tables
of bots, and after every fault the server that waits thinks for the one that serves. Then: every move that
anybody was told is made is in the log as it was told, and once; every view that anybody was
shown is what the referee shows that seat in that position, so no card in it that the game
hides; nobody has lost time on their clock; 'salotto admin check' plays every table again.
How long the tables stood still after each fault is printed. By the database's clock a server
that takes over has the lease within five seconds of the last sign of life of the other, and
one that is handed over to within three.
"""
import atexit
import collections
import functools
import http.client
import itertools
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

SALOTTO, TOP = (os.path.abspath(a) for a in sys.argv[1:3])
MINUTES = float(sys.argv[3]) if len(sys.argv) > 3 else 0
AT_ONCE = int(sys.argv[4]) if len(sys.argv) > 4 else 0
sys.path[:0] = [os.path.join(TOP, "tests", name) for name in ("scripts", "faults")]
from cluster import OWNER, Cluster, Database, psql  # noqa: E402
from parlour import Closed, Guest, Limit, Server, wait_for  # noqa: E402
from tap import case, done  # noqa: E402
from weather import Line, Weather, build  # noqa: E402

ORIGIN = "http://parlour.test"
os.environ["SALOTTO_TEST_HASH_MS"] = "1"  # hashes that cost little
CLUSTER = Cluster(durable=True)
WEATHER = build(CLUSTER.folder)
CLUSTER_WEATHER = Weather(WEATHER, os.path.join(CLUSTER.folder, "weather"))
CLUSTER.stop()
CLUSTER.env = CLUSTER_WEATHER.env
CLUSTER.start()
STORE = CLUSTER.database()
RNG = random.Random(22)
with open(os.path.join(TOP, "src", "server", "store", "lease.h"), encoding="utf-8") as header:
    LEASE = int(re.search(r"LEASE_MS = (\d+)", header.read()).group(1)) / 1000
TAKEOVER = LEASE + 2  # seconds from the last renewal of a server that is gone until another has the lease
AFTER = 12  # moves that are made after a fault before the next one
CLOCK = {"kind": "move", "seconds": 3600}  # less than clocks jump
JUMP = 7200  # seconds
SLOW = 0.2 if MINUTES else 0.05  # seconds
# Game, people, bots, tables that they play one after the other.
PARTIES = (("doors", 2, 0, 12), ("traps", 2, 1, 4), ("favor", 2, 1, 2))
# People who watch tables of bots: more of them than a server has threads to think with.
WATCHERS = 0 if AT_ONCE else 4
if AT_ONCE:
    PARTIES = (("doors", 2, 0, 2 + int(MINUTES) * 4 // 5),) * AT_ONCE  # one takes about two minutes
elif MINUTES:
    PARTIES *= 8


class OneOfTwo(Server):
    """A server that shares its store: it reaches the database by one line, and the other
    server reaches it by another. In a soak, where no line is cut and this process has much to
    do, they reach each other by themselves."""

    def __init__(self):
        self.to_store = Line(os.path.join(CLUSTER.folder, ".s.PGSQL.5432"))
        self.to_peer = Line()
        self.peer = f"127.0.0.1:{self.to_peer.port}"
        folder = tempfile.mkdtemp(prefix="salotto-serve-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        self.weather = Weather(WEATHER, os.path.join(folder, "weather"))
        name = urllib.parse.urlsplit(STORE).path
        by_line = (f"postgresql://{OWNER}@127.0.0.1:{self.to_store.port}{name}", "--peer", self.peer)
        super().__init__(SALOTTO, "--store", *((STORE,) if AT_ONCE else by_line), "--public-url", ORIGIN, "--pace", "5000",
                         "--per-address", "10000", "--bot-tables", "1000", "--trust-proxy",
                         "--bot-threads", "1", "--bot-seconds", "0.1",
                         data=folder, env=self.weather.env)

    def opens(self):
        ok = super().opens()
        self.origin, self.to_peer.target = ORIGIN, self.port
        if AT_ONCE:
            self.peer = f"127.0.0.1:{self.port}"
        return ok

    def database(self):
        return Database(STORE)

    def lines(self, event):
        """How often it has logged that."""
        return self.logged().count(f'"{event}"')


SERVERS = [OneOfTwo(), OneOfTwo()]


def lease_at():
    """The address of who serves, or "". A lease that would count for too long does not count: the
    clock of the database was set back, and somebody is about to take it over."""
    return psql(STORE, f"SELECT address FROM server WHERE until BETWEEN now() AND now() + interval '{LEASE + 1} s'")


TOOK = []  # how long it took to take over from servers that were gone


def takes_over(server, since):
    """How many seconds after that it has the lease. The database itself waits for it, before it is renewed."""
    told = psql(STORE, f"""DO $$ BEGIN
        WHILE NOT EXISTS (SELECT FROM server WHERE address = '{server.peer}') LOOP
          PERFORM pg_sleep(0.01);
        END LOOP;
        RAISE NOTICE '%', (SELECT extract(epoch FROM until - '{since}') FROM server); END $$""")
    took = float(told.split()[1])
    print(f"# the lease was taken {took:.1f} s after it was last renewed")
    return took


def last_renewed(server, before=None):
    """When the lease of that server would be out; that of the next is later by as much as it was
    taken after this was renewed. Or `before`, if it is gone already."""
    return psql(STORE, f"SELECT until FROM server WHERE address = '{server.peer}'") or before


def has_lease(server):
    wait_for(lambda: lease_at() == server.peer)


def holder():
    """Who serves, and who hands on."""
    found = []

    def is_known():
        address = lease_at()
        found[:] = [s for s in SERVERS if address == s.peer]
        return found
    wait_for(is_known)
    return found[0], next(s for s in SERVERS if s is not found[0])


# ---- People ------------------------------------------------------------------------

class Caller(Guest):
    """A guest who hangs up on a server that says nothing: it may have been stopped."""

    def dial(self):
        s = super().dial()
        s.settimeout(4)
        return s


class Player(threading.Thread):
    """Plays at its seats through whatever happens, one table after the other; notes what
    was acknowledged, and what it was shown."""

    def __init__(self, cookie, tables, stop):
        super().__init__(daemon=True)
        self.cookie, self.tables, self.stop = cookie, tables, stop
        self.acknowledged, self.shown = [], []
        self.trouble = None
        self.rng = random.Random(cookie)
        self.server = self.silent = None

    def call(self):
        """At any server but one that has just said nothing, to which a balancer would send nobody."""
        self.server = self.rng.choice([s for s in SERVERS if s is not self.silent])
        self.silent = None
        return Caller(self.server, cookie=self.cookie)

    def run(self):
        tables = iter(self.tables)
        table = next(tables, None)
        while not self.stop.is_set() and table:
            try:
                self.visit(table)
                table = next(tables, None)
            except TimeoutError:
                self.silent = self.server
            except (Closed, OSError):
                time.sleep(0.05)
            except AssertionError as e:  # a handshake cut short is none
                if "HTTP/1.1" in str(e) and "HTTP/1.1 503 " not in str(e):
                    self.trouble = e
                time.sleep(0.05)
            except Exception as e:  # told by the test
                self.trouble = e
                return

    def visit(self, table):
        g = self.call()
        news = g.must("join", table=table)
        while not self.stop.is_set():
            while "state" not in news:
                news = g.hear("moved", table=table)
            self.shown.append((table, news["seq"], news["seat"], json.dumps(news["state"])))
            if news["state"]["over"]:
                break
            if news["legal"]:
                self.stop.wait(5 if AT_ONCE else 0)
                action = self.rng.choice(news["legal"])
                got = g.ask("act", table=table, seq=news["seq"], action=action)
                if got["op"] == "done":
                    self.acknowledged.append((table, got["seq"], news["seat"], action))
                elif got["code"] == "store":  # once more, perhaps at the other server
                    g.close()
                    raise Closed()
            news = g.hear("moved", table=table)
        g.close()


class Watcher(Player):
    """Watches bots, one table after the other, and notes what was played; with `None` for the
    action, which it may not have been told."""

    def __init__(self, cookie, stop):
        super().__init__(cookie, itertools.repeat("of its own"), stop)
        self.table = None

    def visit(self, _):
        g = self.call()
        if not self.table:
            self.table = g.must("create", game="traps", players=3, seats=["expert"] * 3)["table"]
        news = g.ask("join", table=self.table)
        while not self.stop.is_set() and news.get("code") != "no-table":
            if "state" in news and news["state"]["over"]:
                break
            news = g.hear("moved", table=self.table)
            if news["kind"] == "act":
                self.acknowledged.append((self.table, news["seq"], news["by"], None))
        self.table = None
        g.close()


def seat_party(game, people, bots, tables):
    home = f"10.0.{len(TABLES) // 250 % 250}.{len(TABLES) % 250}"  # nobody comes too often
    cookies = [SERVERS[n % 2].cookie(f"P{n}", X_Forwarded_For=home) for n in range(people)]
    guests = [Guest(SERVERS[n % 2], cookie=c) for n, c in enumerate(cookies)]
    ids = []
    for n in range(tables):
        ids.append(guests[n % people].must(
            "create", game=game, players=people + bots,
            seats=["open"] * people + ["random"] * bots, clock=CLOCK)["table"])
        for seat, g in enumerate(guests):
            g.must("sit", table=ids[-1], seat=seat)
    for g in guests:
        g.close()
    return cookies, ids


def told(players):
    return sum(len(p.acknowledged) for p in players)


def play_on(players, moves):
    """Until the players have been told of so many moves more, or have nothing left."""
    wanted = told(players) + moves
    wait_for(lambda: told(players) >= wanted or not any(p.is_alive() for p in players))


def all_play_on():
    """The same for each party, one move."""
    before = [told(party) for party in PARTIES_AT_PLAY]
    for party, was in zip(PARTIES_AT_PLAY, before):
        wait_for(lambda: told(party) > was or not any(p.is_alive() for p in party))


def thoughts(what):
    """Of whoever serves: so many were "lent", or "returned"."""
    try:
        return holder()[0].figures()[f"salotto_thoughts_{what}_total"]
    except (KeyError, OSError, http.client.HTTPException):
        return 0  # it has just begun, or ended


def think_elsewhere():
    """Until the server that waits has thought for the other."""
    was = thoughts("lent")
    wait_for(lambda: not WATCHERS or 0 < thoughts("lent") != was)


# ---- What goes wrong -----------------------------------------------------------------

def server_falls():
    """kill -9 of the one that serves; it starts again beside the other."""
    serving, other = holder()
    since = last_renewed(serving)
    serving.kill()
    TOOK.append(takes_over(other, last_renewed(serving, since)))
    serving.start()


def other_falls():
    """kill -9 of the one that hands on."""
    _, other = holder()
    other.kill()
    other.start()


def other_is_stopped():
    """SIGSTOP of the one that hands on, while it thinks for the other: its thoughts are thought
    there. It comes back, and lends its thread again."""
    _, other = holder()
    think_elsewhere()
    was = thoughts("returned")
    other.process.send_signal(signal.SIGSTOP)
    wait_for(lambda: thoughts("returned") > was)
    all_play_on()
    other.process.send_signal(signal.SIGCONT)


def answers_are_damaged():
    """What the one that hands on has thought arrives with a wrong bit: it is thought again."""
    serving, _ = holder()
    think_elsewhere()
    was = thoughts("returned")
    serving.to_peer.noisy = True
    wait_for(lambda: thoughts("returned") > was + 1)
    all_play_on()
    serving.to_peer.noisy = False


def server_is_stopped():
    """SIGSTOP of the one that serves, until the other has taken over and moves were made
    there; then it comes back, believing that it still serves."""
    serving, other = holder()
    was, since = serving.lines("lease-lost"), last_renewed(serving)
    serving.process.send_signal(signal.SIGSTOP)
    TOOK.append(takes_over(other, last_renewed(serving, since)))
    play_on(PLAYERS, 4)
    serving.process.send_signal(signal.SIGCONT)
    wait_for(lambda: serving.lines("lease-lost") > was)


def database_falls():
    """kill -9 of all of PostgreSQL; it starts again."""
    CLUSTER.kill()
    time.sleep(0.5)
    CLUSTER.start()


def connections_are_cut():
    """Every connection to the database, at once."""
    psql(STORE, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE application_name = 'salotto'")


def server_is_replaced():
    """SIGTERM of the one that serves: people are told, and the other takes over at once.
    A new one starts in its place."""
    serving, other = holder()
    waited = other.lines("was out")
    replace(serving, other)
    assert other.lines("was out") == waited, "it was to be given up, not to run out"


def replace(serving, other):
    since = last_renewed(serving)
    assert serving.stop() == 0
    takes_over(other, since)
    serving.start()


def both_are_replaced():
    """SIGTERM of both, one after the other: the second is told while it takes over."""
    serving, other = holder()
    assert serving.stop() == 0
    has_lease(other)
    assert other.stop() == 0
    serving.start()
    other.start()


def turns_away(server):
    """Whether it answers that it cannot help. Who comes while it steps down waits, or is dropped."""
    try:
        return server.request("GET", "/readyz")[0] == 503
    except (OSError, http.client.HTTPException):
        return False


def server_is_cut_off():
    """Nothing gets from the one that serves to the database and back; the other takes over, and
    this one says so to who comes. What was on its way arrives after moves were made there."""
    serving, other = holder()
    was, since = serving.lines("lease-lost"), last_renewed(serving)
    serving.to_store.cut()
    TOOK.append(takes_over(other, last_renewed(serving, since)))
    play_on(PLAYERS, 4)
    wait_for(lambda: serving.lines("lease-lost") > was and turns_away(serving))
    serving.to_store.mend()
    wait_for(lambda: serving.lines("lease-lost") > was)


def servers_are_parted():
    """Nothing gets from one server to the other: who is at the wrong one is hung up on, or told, and
    comes to the right one, for both still reach the database (more in parted_test.py)."""
    serving, other = holder()
    serving.to_peer.cut()
    all_play_on()
    wait_for(lambda: turns_away(other) or lease_at() != serving.peer)
    serving.to_peer.mend()


def lines_are_slow():
    """Everything between servers and database takes longer, and nobody loses the lease; then
    the server that serves falls, and the other takes over."""
    serving, other = holder()
    was = serving.lines("lease-lost")
    for s in SERVERS:
        s.to_store.delay = s.to_peer.delay = SLOW
    all_play_on()
    assert holder()[0] is serving and serving.lines("lease-lost") == was
    serving.kill()
    has_lease(other)
    all_play_on()
    for s in SERVERS:
        s.to_store.delay = s.to_peer.delay = 0
    serving.start()


def disk_is_full():
    """The database can make no file longer: moves are refused until there is room again; whoever
    serves goes on serving for longer than a lease counts, and tables can be seen."""
    serving, other = holder()
    was, since = serving.lines("store-failing"), last_renewed(serving)
    lost = serving.lines("lease-lost")
    CLUSTER_WEATHER.disk_is_full(True)
    wait_for(lambda: serving.lines("store-failing") > was)
    wait_for(lambda: psql(STORE, f"SELECT until - '{since}' > interval '{LEASE} s' FROM server"
                                 f" WHERE address = '{serving.peer}'") == "t")
    for server in (serving, other):
        g = Guest(server, cookie=PLAYERS[0].cookie)
        assert "state" in g.must("join", table=TABLES[0])
        g.close()
    CLUSTER_WEATHER.disk_is_full(False)
    play_on(PLAYERS, 1)
    assert holder()[0] is serving and serving.lines("lease-lost") == lost


def log_is_full():
    """The database has no room for its own log: it falls; and starts when there is some."""
    CLUSTER_WEATHER.disk_is_full(True)
    while not CLUSTER.is_gone():
        try:
            psql(STORE, "SELECT pg_switch_wal()")
        except AssertionError:
            time.sleep(0.1)  # it is falling
    CLUSTER_WEATHER.disk_is_full(False)
    CLUSTER.start()


def clocks_jump():
    """All clocks by hours, one server's ahead and the other's back; another server takes
    over, and that of the database jumps back."""
    for s, way in zip(SERVERS, (1, -1)):
        s.weather.clock_is_ahead(way * JUMP)
    CLUSTER_WEATHER.clock_is_ahead(JUMP)
    play_on(PLAYERS, 4)
    replace(*holder())
    play_on(PLAYERS, 4)
    CLUSTER_WEATHER.clock_is_ahead(-JUMP)
    play_on(PLAYERS, 4)
    replace(*holder())
    play_on(PLAYERS, 4)
    for w in (CLUSTER_WEATHER, *(s.weather for s in SERVERS)):
        w.clock_is_ahead(0)


FAULTS = (disk_is_full, log_is_full, server_falls, other_falls, server_is_stopped, database_falls,
          other_is_stopped, answers_are_damaged, connections_are_cut, server_is_replaced, both_are_replaced, server_is_cut_off,
          servers_are_parted, lines_are_slow, clocks_jump)


def fault(which):
    began = time.monotonic()
    which()
    after = time.monotonic()
    all_play_on()
    print(f"# {which.__name__}: {after - began:.1f} s, then a move at every table within"
          f" {time.monotonic() - after:.1f} s")
    think_elsewhere()
    play_on(PLAYERS, AFTER)


def memory():
    """Of both servers, in megabytes."""
    pages = 0
    for s in SERVERS:
        with open(f"/proc/{s.process.pid}/statm", encoding="utf-8") as f:
            pages += int(f.read().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def soak():
    used = []
    for minute in range(int(MINUTES)):
        ends = time.monotonic() + 60
        fault(RNG.choice((server_falls, other_falls, database_falls)))
        STOP.wait(ends - time.monotonic())
        used.append(memory())
        print(f"# minute {minute + 1}: {used[-1]:.0f} MB, {told(PLAYERS)} moves", flush=True)
    third = max(1, len(used) // 3)
    assert max(used[-third:]) <= 1.25 * max(used[:third]), used


# ---- What somebody else goes on with ----------------------------------------------------

def steadily(server, method, path, address, **body):
    """The status of a request, made again until somebody who serves has answered it; the text; and
    how often it was made."""
    for asked in itertools.count(1):
        try:
            status, _, text = server.request(method, path, json.dumps(body) if body else None,
                                             {"X-Forwarded-For": address, "Origin": ORIGIN})
        except (OSError, http.client.HTTPException):
            status = 503
        if status != 503:
            return status, text, asked
        time.sleep(0.05)


def limits_count_on():
    """Wrong passwords before the fall count after it, and so does what an address has made."""
    serving, other = holder()
    wrong = Limit(other, "wrong-from", "10.250.0.1", 0.1)
    makes = Limit(other, "makes", "10.250.0.2", 0.5)

    def guess():
        status, _, asked = steadily(other, "POST", "/api/enter", "10.250.0.1", name="Nobody",
                                    password="wrong password")
        return asked if status == 403 else 0

    def make():
        status, _, asked = steadily(other, "POST", "/api/guest", "10.250.0.2", name="Many")
        return asked if status == 200 else 0

    while guess():
        pass
    while make():
        pass
    for limit in (wrong, makes):
        limit.read_last()
    serving.kill()
    has_lease(other)
    wrong.is_at(21, guess)
    makes.is_at(100, make)
    serving.start()


def reviewed(what, table):
    return psql(STORE, f"SELECT count(*) FROM {what} WHERE room = '{table}'") != "0"


def review_is_begun():
    """The table of a review that waits for bots that think, and that was asked for. If it is done
    too soon, another."""
    table = None
    while not table or not reviewed("review", table):
        if table and not reviewed("progress", table):
            continue
        cookies, (table,) = seat_party("doors", 2, 0, 1)
        guests = [Guest(SERVERS[0], cookie=c) for c in cookies]
        news = [g.must("join", table=table) for g in guests]
        while not news[0].get("started"):
            news = [g.must("join", table=table) for g in guests]
        guests[0].must("resign", table=table)
        guests[0].hear("result", table=table)
        for g in guests:
            g.close()
        assert steadily(SERVERS[1], "GET", f"/api/review/{table}", "10.250.0.3")[0] == 200
    return table


def review_falls():
    """A review is under way, and the server that computes it falls."""
    serving, other = holder()
    table = review_is_begun()
    serving.kill()
    has_lease(other)
    serving.start()
    REVIEWS.append(table)


def review_is_told(table):
    """The whole of it. A server that has taken over since computes it once more."""
    status, text, _ = steadily(SERVERS[0], "GET", f"/api/review/{table}", "10.250.0.3")
    answer = json.loads(text)
    assert status == 200, answer
    return "seats" in answer and answer["done"] == answer["total"]


def reviews_are_done():
    """By whoever has taken over, without being asked for again."""
    for table in REVIEWS:
        wait_for(lambda one=table: reviewed("progress", one) and not reviewed("review", one))
        wait_for(lambda one=table: review_is_told(one))


# ---- What must hold ------------------------------------------------------------------

def taken_over_in_time():
    """A machine that is busy at one of these moments may be later then, but not at all of them."""
    assert min(TOOK) <= TAKEOVER, TOOK


def referee(requests):
    text = "".join(json.dumps(r) + "\n" for r in requests)
    out = subprocess.run([SALOTTO, "referee"], input=text, stdout=subprocess.PIPE, text=True,
                         check=True)
    replies = [json.loads(line) for line in out.stdout.splitlines()]
    assert all(r["ok"] for r in replies), [r for r in replies if not r["ok"]]
    return replies


def nothing_is_lost():
    """What was acknowledged is in the log, as it was and once."""
    stored = set()
    for table, moves in log().items():
        assert [m[0] for m in moves] == list(range(len(moves))), table
        stored |= {(table, seq, seat, known) for seq, seat, kind, text in moves if kind == "act"
                   for known in (text, None)}
    acknowledged = [a for p in PLAYERS for a in p.acknowledged]
    assert len(acknowledged) == len(set(acknowledged))
    assert set(acknowledged) <= stored, set(acknowledged) - stored
    assert len(acknowledged) >= AFTER * len(FAULTS), len(acknowledged)
    print(f"# {len(acknowledged)} moves were acknowledged")


def nobody_was_charged():
    """For the time that a clock has jumped, or that nobody served."""
    for table, moves in log().items():
        assert not [m for m in moves if m[2] == "away"], table


@functools.cache
def log():
    """The moves of every table, once everybody has played."""
    tables = collections.defaultdict(list)
    for room, *move in Database(STORE).execute("SELECT room, seq, seat, kind, text FROM move"
                                               " ORDER BY room, seq").fetchall():
        tables[room].append(move)
    return tables


def views_are_right():
    """Every view was what the referee shows that seat there."""
    seen, shown = 0, {}
    for p in PLAYERS:
        for table, seq, seat, state in p.shown:
            shown.setdefault((table, seq), []).append((seat, state))
    for table, moves in log().items():
        head = json.loads(moves[0][3])
        requests, expected = [], []
        for seq, seat, kind, text in moves:
            if kind == "start":
                requests.append({"op": "new", "game": head["game"], "players": head["players"],
                                 "options": head["options"], "seed": head["seed"]})
            elif kind == "act":
                requests.append({"op": "act", "seat": seat, "action": text})
            for viewer, state in shown.get((table, seq), []) if requests else ():
                expected.append((len(requests), json.loads(state)))
                requests.append({"op": "view", "seat": viewer})
        replies = referee(requests) if expected else []
        for at, state in expected:
            assert replies[at]["state"] == state, (table, at, replies[at]["state"], state)
        seen += len(expected)
    print(f"# {seen} views were compared")


def histories_are_sound():
    for s in SERVERS:
        assert s.stop() == 0
    got = subprocess.run([SALOTTO, "admin", "--store", STORE, "check"], stdout=subprocess.PIPE,
                         text=True, env=dict(os.environ, LANGUAGE="en"))
    assert got.returncode == 0 and "intact" in got.stdout, got.stdout


def people_were_well():
    STOP.set()
    for p in PLAYERS:
        p.join()
    assert not [p.trouble for p in PLAYERS if p.trouble], [p.trouble for p in PLAYERS]


STOP = threading.Event()
PLAYERS, TABLES, PARTIES_AT_PLAY, REVIEWS = [], [], [], []
for party in PARTIES:
    with_cookies, with_tables = seat_party(*party)
    TABLES += with_tables
    PARTIES_AT_PLAY.append([Player(c, with_tables, STOP) for c in with_cookies])
    PLAYERS += PARTIES_AT_PLAY[-1]
WATCHING = [Watcher(SERVERS[n % 2].cookie(f"W{n}"), STOP) for n in range(WATCHERS)]
PARTIES_AT_PLAY += [[w] for w in WATCHING]
PLAYERS += WATCHING
for player in PLAYERS:
    player.start()
play_on(PLAYERS, AFTER)
for one in () if AT_ONCE else FAULTS:
    case(re.sub(r"\s+", " ", one.__doc__.split(";")[0].split(",")[0].rstrip(".")), fault, one)
until = time.monotonic() + 60 * MINUTES
while not AT_ONCE and time.monotonic() < until and any(p.is_alive() for p in PLAYERS):
    fault(RNG.choice(FAULTS))
if AT_ONCE:
    case("a process is killed every minute, and memory does not grow", soak)
if not AT_ONCE:
    case("limits count on where another server serves", limits_count_on)
    case("a server falls in a review", review_falls)
case("another server takes over within five seconds", taken_over_in_time)
case("people play through all of it", people_were_well)
case("reviews are done by who has taken over", reviews_are_done)
case("no acknowledged move is lost or doubled", nothing_is_lost)
case("nobody has run out of time", nobody_was_charged)
case("no view shows what it must not", views_are_right)
case("histories are sound", histories_are_sound)
done()
