"""Leaks of hidden cards over real sockets, one named test for each way that
they have leaked elsewhere.

Twins: two tables whose seeds were picked so that one viewer, a seat or the rail,
cannot tell them apart although the hidden cards differ; the referee is the judge.
They are planted in the store, and as long as the judge says that the viewer
knows the same of both, every byte that the server sends that viewer must be the
same too.

    serve_leak_test.py SALOTTO SOURCE_ROOT
"""
import collections
import json
import os
import random
import re
import subprocess
import sys
import time

from parlour import Guest, Server
from tap import case, done

SALOTTO = os.path.abspath(sys.argv[1])
RNG = random.Random(16)
SEEDS = 500     # that are tried for twins
MOVES_MAX = 14  # that twins are followed for
# Players, and how many pairs for each viewer; a draw parts twins, and in Doors
# every action brings one.
GAMES = (("doors", 2, 8), ("favor", 2, 3), ("traps", 3, 5), ("louis", 2, 2))


class Judge:
    """A referee that stays: what each viewer knows of one table."""

    def __init__(self, game, players, seed):
        self.process = subprocess.Popen([SALOTTO, "referee"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        self.ask(op="new", game=game, players=players, seed=seed)

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        reply = json.loads(self.process.stdout.readline())
        assert reply["ok"], (request, reply)
        return reply

    def knows(self, viewer):
        known = [self.ask(op="view", seat=viewer)["state"],
                 self.ask(op="events", seat=viewer)["events"]]
        if viewer is not None:
            known.append(self.ask(op="legal", seat=viewer)["actions"])
        return known

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


def find_twins(game, players, viewer, most):
    """Pairs of seeds that the viewer cannot tell apart."""
    seeds = [f"{s:064x}" for s in range(SEEDS)]
    requests = []
    for seed in seeds:
        requests += [{"op": "new", "game": game, "players": players, "seed": seed},
                     {"op": "view", "seat": viewer}, {"op": "events", "seat": viewer},
                     {"op": "state"}]
    out = subprocess.run([SALOTTO, "referee"], input="".join(json.dumps(r) + "\n" for r in requests),
                         stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    alike = collections.defaultdict(dict)
    for i, seed in enumerate(seeds):
        view, events, state = out[4 * i + 1:4 * i + 4]
        alike[view + events].setdefault(state, seed)
    pairs = [list(a.values())[:2] for a in alike.values() if len(a) > 1]
    assert len(pairs) >= 2, f"too few twins of {game}"
    return pairs[:most]


def head_of(game, players, seed):
    return json.dumps({"game": game, "players": players, "options": {}, "seed": seed})


def plant(tables, people):
    """Tables as if everybody had sat down, in a server that is closed."""
    with SERVER.database() as db:
        for id_, game, players, seed in tables:
            moves = [(-1, "open", head_of(game, players, seed))]
            moves += [(i, "sit", json.dumps({"person": people[i]["person"],
                                             "name": people[i]["name"]}))
                      for i in range(players)]
            moves.append((-1, "start", ""))
            for seq, (seat, kind, text) in enumerate(moves):
                db.execute("INSERT INTO move (room, seq, at, seat, kind, text)"
                           " VALUES (?, ?, ?, ?, ?, ?)", (id_, seq, 1700000000000, seat, kind, text))


class Twins:
    """One pair at the server, and the judges of both."""

    def __init__(self, number, game, players, viewer, seeds):
        self.game, self.players, self.viewer, self.seeds = game, players, viewer, seeds
        self.ids = [f"{side * 4}{number:012d}".replace("0", "z").replace("1", "y")
                    for side in "ab"]

    def open(self, cookies, rail):
        self.judges = [Judge(self.game, self.players, s) for s in self.seeds]
        self.seats = [Guest(SERVER, cookie=c) for c in cookies[:self.players]]
        for g in self.seats:
            for id_ in self.ids:
                g.must("join", table=id_)
        self.eye = Guest(SERVER, cookie=rail if self.viewer is None else cookies[self.viewer])

    def close(self):
        for g in self.seats + [self.eye]:
            g.close()
        for j in self.judges:
            j.close()

    def plain(self, text):
        for id_ in self.ids:
            text = text.replace(id_, "T" * 16)
        text = re.sub(r'"id":\d+', '"id":N', text)
        return re.sub(r'(commitment":"|commit )[0-9a-f]{64}', r"\1C", text)

    def compare(self, what, a, b):
        CHECKED[what] += 1
        if self.plain(a) != self.plain(b):
            DIFFER[what].append((self.game, self.viewer, a, b))
        CHECKED["sizes"] += 1
        if len(re.sub(r'"id":\d+', "", a)) != len(re.sub(r'"id":\d+', "", b)):
            DIFFER["sizes"].append((self.game, self.viewer, len(a), len(b)))

    def both(self, what, op, **message):
        """The same request about each twin must get the same answer."""
        said = []
        for id_ in self.ids:
            answer = self.eye.ask(op, table=id_, **message)
            text = next(m for m in reversed(self.eye.heard)
                        if json.loads(m).get("id") == answer["id"])
            said.append(text)
        self.compare(what, *said)
        return json.loads(said[0])

    def look(self, what):
        return self.both(what, "join", since=0, lang=RNG.choice(["en", "it"]))

    def provoke(self):
        """Refusals: the words that they have, and what they say about hidden
        things."""
        tried = ["fly", "end", "pass", "claim", "guess red", "bid 3", "stop"]
        for judge in self.judges:
            for seat in range(self.players):
                legal = judge.ask(op="legal", seat=seat)["actions"]
                tried += RNG.sample(legal, min(3, len(legal)))
        mine = self.judges[0].ask(op="legal", seat=self.viewer)["actions"] \
            if self.viewer is not None else []
        for action in dict.fromkeys(tried):
            self.both("errors", "why", action=action)
            if action not in mine:  # it must be refused, by the same words
                self.both("errors", "act", seq=self.seq, action=action)

    def stores(self):
        """What else is kept or listed about a table."""
        self.both("stores", "record")
        said = [SERVER.read(f"/api/record/{i}")[2] for i in self.ids]
        self.compare("stores", *said)
        for path in (f"/api/replay/{i}?seat=open" for i in self.ids):
            CHECKED["stores"] += 1
            if SERVER.read(path)[0] != 403:
                DIFFER["stores"].append((self.game, path))
        rows = {t["table"]: json.dumps(t, separators=(",", ":"))
                for t in self.eye.must("lobby")["tables"]}
        self.compare("stores", *(rows[i] for i in self.ids))

    def listen(self, what, **facts):
        """What the viewer hears about each twin."""
        said = {}
        while len(said) < 2:
            m = self.eye.hear("moved", **facts)
            said[m["table"]] = self.eye.heard[-1]
        self.compare(what, *(said[i] for i in self.ids))

    def act(self, seat, actions):
        for id_, action in zip(self.ids, actions):
            g = self.seats[seat]
            got = g.ask("act", table=id_, seq=self.seq, action=action)
            while got.get("code") == "slow-down":
                time.sleep(0.2)
                got = g.ask("act", table=id_, seq=self.seq, action=action)
            assert got["op"] == "done", got
        self.seq += 1

    def step(self):
        """One action in each; false when the viewer can tell them apart."""
        asked = self.judges[0].ask(op="view", seat=self.viewer)["state"]["to_act"]
        if not asked:
            return False
        seat = RNG.choice(asked)
        legal = [j.ask(op="legal", seat=seat)["actions"] for j in self.judges]
        shared = [a for a in legal[0] if a in legal[1]]
        if seat == self.viewer or (shared and RNG.random() < 0.2):
            actions = [RNG.choice(shared)] * 2
        else:
            actions = [RNG.choice(l) for l in legal]
        for j, action in zip(self.judges, actions):
            j.ask(op="act", seat=seat, action=action)
        if self.judges[0].knows(self.viewer) != self.judges[1].knows(self.viewer):
            return False
        hidden = actions[0] != actions[1]
        if hidden and self.game == "traps":
            self.take_back(seat, actions)
        self.act(seat, actions)
        self.listen("log" if hidden else "moves", kind="act", seq=self.seq)
        return True

    def take_back(self, seat, actions):
        """Different cards are laid and taken back, as far as that goes."""
        self.act(seat, actions)
        self.listen("undo", kind="act", seq=self.seq)
        got = [self.seats[seat].ask("undo", table=i, seq=self.seq) for i in self.ids]
        CHECKED["undo"] += 1
        if got[0]["op"] != got[1]["op"]:
            DIFFER["undo"].append((self.game, got))
        if got[0]["op"] == "error":
            raise EOFError  # it stands; the judges have it too
        self.seq += 1
        self.listen("undo", kind="undo", seq=self.seq)

    def watch(self):
        self.seq = self.look("initial")["seq"]
        self.provoke()
        self.stores()
        try:
            for _ in range(MOVES_MAX):
                if not self.step():
                    break
                FOLLOWED[self.game] += 1
                if self.viewer is None:
                    CHECKED["spectator"] += 1
                self.look("reconnect")
        except EOFError:
            pass


def watch_twins():
    cookies = [SERVER.cookie(f"P{i}") for i in range(3)]
    rail = SERVER.cookie("Rail")
    people = [json.loads(SERVER.request("GET", "/api/me", None, {"Cookie": c})[2])["you"]
              for c in cookies]
    pairs = []
    for game, players, most in GAMES:
        for viewer in (None, 0):
            for seeds in find_twins(game, players, viewer, most):
                pairs.append(Twins(len(pairs), game, players, viewer, seeds))
    SERVER.kill()
    plant([(i, t.game, t.players, s) for t in pairs for i, s in zip(t.ids, t.seeds)], people)
    SERVER.start()
    for t in pairs:
        t.open(cookies, rail)
        try:
            t.watch()
        finally:
            t.close()
    for game, _, _ in GAMES:
        assert FOLLOWED[game] > 0, FOLLOWED


def same(what):
    assert CHECKED[what] > 5, (what, CHECKED)
    assert not DIFFER[what], str(DIFFER[what][0])[:2000]


def spectator():
    assert CHECKED["spectator"] > 3, CHECKED
    wrong = [d for k in DIFFER for d in DIFFER[k] if d[1] is None]
    assert not wrong, str(wrong[0])[:2000]


def seeds_cannot_be_guessed():
    g = Guest(SERVER)
    ids = [g.must("create", game="doors", players=2)["table"] for _ in range(8)]
    seeds = [json.loads(SERVER.moves(i)[0][3])["seed"] for i in ids]
    assert len(set(seeds)) == len(set(ids)) == 8
    for digits in seeds:
        assert len(set(digits)) > 8 and not digits.startswith("00000000"), digits
    assert not any(s in m for s in seeds for m in g.heard)


def server_log():
    text = SERVER.logged()
    assert '"event":"listening"' in text
    for action in ("place", "take", "guess", "discard", "reveal", "seed", "bid"):
        assert not re.search(rf"\b{action} ", text), action
    assert not re.search(r"\b(RL|BL|RT|BT|BR|LT)\b", text)
    with SERVER.database() as db:
        for room, in db.execute("SELECT DISTINCT room FROM move"):
            assert room not in text


def closes():
    assert SERVER.stop() == 0, SERVER.logged()[-3000:]


CHECKED = collections.Counter()
FOLLOWED = collections.Counter()
DIFFER = collections.defaultdict(list)
SERVER = Server(SALOTTO, "--pace", "1000")  # how fast one may ask is not what this looks at
try:
    case("twins: tables that differ in hidden cards alone are found and followed", watch_twins)
    for what, name in (
            ("initial", "initial state: who comes to a table"),
            ("reconnect", "state rebuilt on reconnect: who comes back, with all events and words"),
            ("moves", "moves that all see"),
            ("log", "log of secret moves: what others lay face down"),
            ("undo", "undo: what was laid and taken back"),
            ("errors", "error texts: refusals, and why"),
            ("stores", "side stores: record, replay, lobby"),
            ("sizes", "message sizes: as long for one twin as for the other")):
        case(name, same, what)
    case("spectator channel: the rail is told the same of twins", spectator)
    case("guessable seeds: 32 random bytes a table, told to nobody", seeds_cannot_be_guessed)
    case("the server's own log: no moves, cards, seeds or ids", server_log)
    case("the server closes in order", closes)
finally:
    if SERVER.process.poll() is None:
        SERVER.kill()
done()
