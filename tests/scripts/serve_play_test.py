"""Play at the server over real sockets: words, help, clocks, what comes after.

    serve_play_test.py SALOTTO SOURCE_ROOT
"""
import hashlib
import json
import os
import random
import re
import subprocess
import sys
import time

from parlour import Guest, Server
from tap import case, done
from witness import truth

SALOTTO = os.path.abspath(sys.argv[1])
RNG = random.Random(15)
MOVES_MAX = 120  # of one game in these tests; long games stop there


def sit_down(game, players, langs=(), watchers=(), options=None, **more):
    """Guests at all seats, each listening in a language, and watchers."""
    host = Guest(SERVER, "Host")
    table = host.must("create", game=game, players=players, options=options or {}, **more)["table"]
    host.close()
    langs = list(langs) + [None] * (players - len(langs))
    seats = [Guest(SERVER, f"Guest {i}") for i in range(players)]
    rail = [Guest(SERVER, f"Watcher {i}") for i in range(len(watchers))]
    for g, lang in zip(seats + rail, langs + list(watchers)):
        g.must("join", table=table, **({"lang": lang} if lang else {}))
    for i, g in enumerate(seats):
        g.must("sit", table=table, seat=i)
    for g in seats + rail:
        g.last = g.hear("moved", kind="start")
    return table, seats, rail


def one_move(table, seats, rail):
    """A random legal move, heard by everybody; false if the game is over."""
    news = seats[0].last
    if news["state"]["over"]:
        return False
    seat = RNG.choice(news["state"]["to_act"])
    action = RNG.choice(seats[seat].last["legal"])
    got = seats[seat].ask("act", table=table, seq=news["seq"], action=action)
    while got.get("code") == "slow-down":
        time.sleep(0.2)
        got = seats[seat].ask("act", table=table, seq=news["seq"], action=action)
    assert got["op"] == "done", got
    seq = got["seq"]
    for g in seats + rail:
        g.last = g.hear("moved", seq=seq)
    return True


def play_out(guest, table):
    """One seat's random moves until the game is over; others play as they do."""
    news = guest.must("join", table=table)
    while not news["state"]["over"]:
        if news["seat"] in news["state"]["to_act"]:
            got = guest.ask("act", table=table, seq=news["seq"], action=RNG.choice(news["legal"]))
            if got["op"] == "error":  # somebody moved meanwhile, or it was too fast
                assert got["code"] in ("late", "slow-down", "not-your-turn", "game-over"), got
                time.sleep(0.2)
                news = guest.must("join", table=table)
                continue
        known = news["seq"]
        while news["seq"] <= known:
            news = guest.hear("moved", table=table)


# ---- Words ---------------------------------------------------------------------

def told_in_words(guest):
    """{number of an event: its sentence} of all that the guest was told."""
    said = {}
    for text in guest.heard:
        m = json.loads(text)
        if "words" not in m:
            assert "prompt" not in m and "position" not in m and "legal_say" not in m
            continue
        assert len(m["words"]) == len(m["events"]), text
        for event, word in zip(m["events"], m["words"]):
            assert word["text"] and set(word) <= {"text", "rule"}, word
            assert said.setdefault(event["n"], word) == word
            assert word["rule"] == event.get("reason", word["rule"]), (word, event)
        assert m["prompt"] and m["position"], text
        assert ("legal_say" in m) == ("legal" in m)
        if "legal" in m:
            assert len(m["legal_say"]) == len(m["legal"]) and all(m["legal_say"])
    return said


def words_of(game, players):
    """Every sentence: parallel to the facts, and where a seat sees no more of
    an event than the rail does, it is told no more than the rail is."""
    table, seats, rail = sit_down(game, players, ["en"] * players, ["en", "it", None])
    count = 0
    while count < MOVES_MAX and one_move(table, seats, rail):
        count += 1
    _, events = truth(SALOTTO, SERVER.moves(table), players)
    watching = told_in_words(rail[0])
    hidden = 0
    for seat, g in enumerate(seats):
        said = told_in_words(g)
        assert set(said) == set(watching) == set(range(len(events[seat])))
        for mine, public in zip(events[seat], events[None]):
            n = mine["n"]
            others = [events[s][n] for s in range(players)]
            if mine == public and any(o != public for o in others):
                hidden += 1
                assert said[n] == watching[n], (mine, said[n], watching[n])
    assert hidden > 0, "nothing was hidden in this game"
    italian = told_in_words(rail[1])
    assert set(italian) == set(watching)
    assert sum(italian[n] != watching[n] for n in italian) > len(italian) // 2
    assert not told_in_words(rail[2])
    for g in seats + rail:
        g.close()


def names_in_sentences():
    host = Guest(SERVER, "Bea")
    table = host.must("create", game="traps", players=4, lang="it",
                      seats=["open", "novice", "novice", "regular"])["table"]
    host.must("sit", table=table, seat=0)
    host.last = host.hear("moved", kind="start")
    rail = Guest(SERVER, "Watcher")
    seen = rail.must("join", table=table, since=0, lang="en")
    text = seen["position"] + seen["prompt"] + "".join(w["text"] for w in seen["words"])
    for name in ("Bea", "Lilla", "Beppe", "Ettore"):
        assert name in text, (name, text)
    assert "Seat " not in text and "Player " not in text, text


def languages():
    a = Guest(SERVER)
    assert a.code("lang") == "bad-request"
    assert a.code("lang", lang="xx") == "bad-request"
    assert a.code("lang", lang=7) == "bad-request"
    assert a.code("create", game="doors", players=2, lang="xx") == "bad-request"
    table, (x, y), _ = sit_down("doors", 2, ["it", "en"], options={"first": 0})
    seq = x.last["seq"]
    english = y.ask("act", table=table, seq=seq, action="take RL")
    assert english["code"] == "not-your-turn" and "Guest 0" in english["message"], english
    for g, words in ((x, "it"), (y, "en")):
        got = g.ask("why", table=table, action="end")
        assert got["legal"] is False and "message" in got, (words, got)
    mine = x.ask("why", table=table, action="end")
    assert mine["rule"] == "doors.turn.phase" and mine["code"] == "illegal"
    theirs = x.ask("act", table=table, seq=seq, action="end")
    assert theirs["op"] == "error" and theirs["message"] == mine["message"]
    x.must("lang", lang="en")
    plain = x.ask("why", table=table, action="end")
    assert plain["rule"] == mine["rule"] and plain["message"] != mine["message"]
    assert x.ask("why", table=table, action=x.last["legal"][0])["legal"] is True
    assert x.ask("why", table=table, action="fly")["code"] == "bad-action"
    assert x.code("why", table=table) == "bad-request"
    assert a.code("why", table=table, action="end") == "not-seated"
    assert x.must("join", table=table)["seq"] == seq, "asking changes nothing"
    x.must("lang", lang=None)
    assert "words" not in x.must("join", table=table)
    assert "words" in y.must("join", table=table)


# ---- Help ----------------------------------------------------------------------

def hints():
    table, (a, b), (w,) = sit_down("doors", 2, ["it"], ["en"], {"first": 0})
    assert a.last["rated"] is True and a.last["hints"] is True
    seq = a.last["seq"]
    got = a.must("hint", table=table)
    assert got["op"] == "hint" and got["table"] == table
    assert got["action"] in a.last["legal"] and got["say"], got
    for c in got["candidates"]:
        assert c["action"] in a.last["legal"] and 0 <= c["value"] <= 1 and 0 <= c["share"] <= 1
    news = b.hear("moved", kind="hint")
    assert news["by"] == 0 and news["rated"] is False, "everybody knows that it was asked for"
    assert not any('"op":"hint"' in m for m in b.heard + w.heard), "only who asked is told"
    assert b.code("hint", table=table) == "not-your-turn"
    assert w.code("hint", table=table) == "not-seated"
    codes = [m.get("code") for m in a.burst("hint", 40, table=table)]
    assert "slow-down" in codes, codes
    a.must("act", table=table, seq=seq, action=got["action"])
    for more in ({"hints": False}, {"rated": True}):
        table, (a, b), _ = sit_down("doors", 2, options={"first": 0}, **more)
        assert a.last["hints"] is False
        assert a.code("hint", table=table) == "not-allowed"
    assert b.code("create", game="doors", players=2, rated=True, hints=True) == "bad-request"
    assert b.code("create", game="doors", players=2, rated=True, undo=True) == "bad-request"


def undo():
    table, seats, (w,) = sit_down("traps", 3, [], ["en"])
    a, b, _ = seats
    start = a.last
    assert a.code("undo", table=table) == "bad-request"
    assert w.code("undo", table=table, seq=start["seq"]) == "not-seated"
    assert a.code("undo", table=table, seq=start["seq"]) == "no-undo"
    seq = a.must("act", table=table, seq=start["seq"], action=start["legal"][0])["seq"]
    assert a.code("undo", table=table, seq=start["seq"]) == "late"
    assert b.code("undo", table=table, seq=seq) == "no-undo"
    a.must("undo", table=table, seq=seq)
    assert a.code("undo", table=table, seq=seq) == "late", "doubled: nothing more goes back"
    for g in seats + [w]:
        news = g.hear("moved", kind="undo")
        assert news["events"][-1]["event"] == "undone" and news["rated"] is False
        assert news["state"]["to_act"] == [0, 1, 2]
        seen = json.dumps([json.loads(m) for m in g.heard if '"kind":"act"' in m][-1]["events"])
        card = start["legal"][0].split()[1]
        assert g is a or card not in seen, "what was laid and taken back stays hidden"
    again = a.must("join", table=table)
    assert sorted(again["legal"]) == sorted(start["legal"])
    SERVER.kill()
    SERVER.start()
    back = Guest(SERVER, cookie=a.cookie)
    now = back.must("join", table=table, since=0)
    assert now["legal"] == again["legal"] and now["next"] == again["next"]
    table, (a, b, _), _ = sit_down("traps", 3, undo=False)
    seq = a.must("act", table=table, seq=a.last["seq"], action=a.last["legal"][0])["seq"]
    assert a.code("undo", table=table, seq=seq) == "not-allowed"


# ---- Clocks and absence --------------------------------------------------------

def clocks():
    host = Guest(SERVER)
    for bad in (7, {}, {"kind": "move"}, {"kind": "move", "seconds": 0}, {"kind": "never"},
                {"kind": "game", "seconds": 60, "increment": -1}, {"kind": "slow", "days": 0}):
        assert host.code("create", game="doors", players=2, clock=bad) == "bad-request", bad
    for rule in ({"kind": "move", "seconds": 3600}, {"kind": "slow", "days": 3},
                 {"kind": "game", "seconds": 3000, "increment": 5}):
        table, (a, b), _ = sit_down("doors", 2, options={"first": 0}, clock=rule)
        whole = 1000 * rule.get("seconds", 86400 * rule.get("days", 0))
        clock = a.must("join", table=table)["clock"]
        assert clock["rule"] == rule and clock["running"] == [0], clock
        assert whole // 2 < clock["left"][0] <= whole and clock["left"][1] == whole
        a.must("act", table=table, seq=a.last["seq"], action=a.last["legal"][0])
        news = b.hear("moved", kind="act")
        while news["state"]["to_act"] == [0]:
            a.must("act", table=table, seq=news["seq"], action="end")
            news = b.hear("moved", kind="act")
        assert news["clock"]["running"] == [1] and "rule" not in news["clock"]
    assert host.must("create", game="doors", players=2)["clock"] is None
    assert host.must("create", game="doors", players=2, clock=None)["clock"] is None


def away_and_back():
    """A person who does not act is replaced by a bot and comes back; the
    restart in between changes nothing."""
    table, (a, b), _ = sit_down("doors", 2, options={"first": 0}, stand_in="random",
                                clock={"kind": "move", "seconds": 1})
    news = b.hear("moved", kind="away")
    assert news["by"] == 0 and news["seats"][0]["away"] and news["seats"][0]["kind"] == "person"
    assert news["clock"]["left"][0] is None
    assert b.hear("moved", kind="act")["by"] == 0, "the stand-in plays"
    assert a.hear("moved", kind="away")["seat"] == 0, "who is away still sees their own cards"
    # Bea's time runs out as well, and then bots may have ended the game meanwhile.
    assert a.code("act", table=table, seq=0, action="end") in ("not-allowed", "game-over")
    SERVER.kill()
    SERVER.start()
    a, b = (Guest(SERVER, cookie=g.cookie) for g in (a, b))
    seen = a.must("join", table=table)
    b.must("join", table=table)
    assert seen["seats"][0]["away"] and seen["seat"] == 0
    if a.ask("back", table=table).get("code") != "game-over":
        assert "away" not in b.hear("moved", kind="back")["seats"][0]
        assert a.code("back", table=table) in ("not-allowed", "game-over")


def closed_time():
    """While the server is closed no clock runs."""
    rule = {"kind": "game", "seconds": 3000}  # less than the hour that will have passed
    table, (a, _), _ = sit_down("doors", 2, options={"first": 0}, clock=rule)
    SERVER.kill()
    with SERVER.database() as db:  # as if it had happened long ago
        db.execute("UPDATE move SET at = at - 3600000 WHERE room = ?", (table,))
        db.execute("UPDATE heartbeat SET at = at - 3600000")
    SERVER.start()
    a = Guest(SERVER, cookie=a.cookie)
    seen = a.must("join", table=table)
    if seen["seq"] < 4:  # open, sit, sit, start; then the server woke
        seen = a.hear("moved", kind="woke")
    assert 1500000 < seen["clock"]["left"][0] <= 3000000, seen["clock"]
    assert seen["clock"]["running"] == [0] and "away" not in seen["seats"][0]


def presence():
    table, (a, b), (w,) = sit_down("doors", 2, [], [None])
    assert all(s["connected"] for s in w.must("join", table=table)["seats"])
    tab = Guest(SERVER, cookie=a.cookie)
    tab.must("join", table=table)
    a.close()
    tab.must("lobby")
    tab.close()
    for g in (b, w):
        gone = g.hear("presence", connected=False)
        assert gone["table"] == table and gone["seat"] == 0
    assert not w.must("join", table=table)["seats"][0]["connected"]
    Guest(SERVER, cookie=a.cookie).must("join", table=table)
    assert b.hear("presence")["connected"] is True


# ---- Fair deals ----------------------------------------------------------------

def pledge(part):
    return hashlib.blake2b(bytes.fromhex(part), digest_size=32).hexdigest()


def checked(record):
    """What `salotto verify` says of a record that it accepts."""
    path = os.path.join(SERVER.folder, "checked.salotto")
    with open(path, "w", encoding="utf-8") as f:
        f.write(record)
    got = subprocess.run([SALOTTO, "verify", path], stdout=subprocess.PIPE, text=True,
                         env=dict(os.environ, LANGUAGE="en"))
    assert got.returncode in (0, 3), got  # a game that has just begun proves nothing yet
    return got.stdout


def pledges():
    """Hashes first, then the parts; nobody's part is told before all hashes are."""
    parts = [os.urandom(32).hex() for _ in range(3)]
    a, b, c = (Guest(SERVER, n) for n in ("Anna", "Bea", "Cleo"))
    table = a.must("create", game="traps", players=4, seats=["open"] * 3 + ["novice"])["table"]
    for g in (b, c):
        g.must("join", table=table)
    for seat, g in enumerate((a, b, c)):
        bad = g.code("sit", table=table, seat=seat, part_hash="zz")
        assert bad == "bad-request"
        assert g.code("sit", table=table, seat=seat, part=parts[seat],
                      part_hash=pledge(parts[seat])) == "bad-request"
        assert g.code("part", table=table, part=parts[seat]) == "not-seated"
        g.must("sit", table=table, seat=seat, part_hash=pledge(parts[seat]))
        if seat < 2:
            assert g.code("part", table=table, part=parts[seat]) == "not-allowed"
    asked = [g.hear("reveal") for g in (a, b, c)]
    assert asked[0]["hashes"] == [*map(pledge, parts), None] and asked[0]["table"] == table
    assert a.must("join", table=table)["revealing"] is True
    assert a.code("leave", table=table) == "not-allowed"
    assert a.code("part", table=table, part=parts[1]) == "bad-request", "not what was pledged"
    assert a.code("part", table=table, part="z" * 64) == "bad-request"
    assert a.code("part", table=table) == "bad-request"
    for part in parts:
        assert not any(part in m for g in (a, b, c) for m in g.heard)
    a.must("part", table=table, part=parts[0])
    SERVER.kill()
    SERVER.start()
    a, b, c = (Guest(SERVER, cookie=g.cookie) for g in (a, b, c))
    seen = a.must("join", table=table)
    assert seen["revealing"] and seen["seats"][0]["part"] == parts[0]
    b.must("part", table=table, part=parts[1])
    c.must("part", table=table, part=parts[2])
    assert a.hear("moved", kind="start")
    record = a.must("record", table=table)["record"]
    for seat, part in enumerate(parts):
        assert f"\npart {seat} {part}\n" in record
        assert f"\npledge {seat} {pledge(part)}\n" in record
        assert f"The random part of seat {seat} is the one it had pledged." in checked(record)
    assert f"\npart 3 {'0' * 64}\n" in record


def withheld():
    """Who does not tell its part in time has zeros, and the record says so."""
    server = Server(SALOTTO, "--reveal-seconds", "0.5")
    a, b = Guest(server), Guest(server)
    part = "ab" * 32
    table = a.must("create", game="doors", players=2)["table"]
    b.must("join", table=table)
    a.must("sit", table=table, seat=0, part_hash=pledge(part))
    b.must("sit", table=table, seat=1, part="cd" * 32)  # told at once, as ever
    assert a.hear("reveal")["hashes"] == [pledge(part), None]
    assert a.hear("moved", kind="start")
    record = a.must("record", table=table)["record"]
    assert f"\npart 0 {'0' * 64}\npart 1 {'cd' * 32}\npledge 0 {pledge(part)}\n" in record
    said = checked(record)
    assert "Seat 0 pledged a random part and did not reveal it: zeros were used." in said
    assert a.code("part", table=table, part=part) == "not-allowed"
    assert server.stop() == 0


# ---- Invitations and rematches -------------------------------------------------

def invited():
    a, b, c = (Guest(SERVER, n) for n in ("Anna", "Bea", "Cleo"))
    made = a.must("create", game="traps", players=3, seats=["open", "invited", "invited"])
    table, key = made["table"], made["key"]
    assert len(key) == 16 and [s["kind"] for s in made["seats"]] == ["open", "invited", "invited"]
    assert "key" not in b.must("join", table=table)
    assert "key" not in a.must("join", table=table), "it is told once"
    assert "key" not in a.must("create", game="doors", players=2)
    assert key not in json.dumps(b.must("lobby"))
    assert b.code("sit", table=table, seat=1) == "not-allowed"
    assert b.code("sit", table=table, seat=1, key="a" * 16) == "not-allowed"
    assert b.code("sit", table=table, seat=1, key=7) == "bad-request"
    b.must("sit", table=table, seat=1, key=key)
    a.must("sit", table=table, seat=0)
    b.must("leave", table=table)
    assert c.must("join", table=table)["seats"][1] == {"kind": "invited"}
    c.must("sit", table=table, seat=1, key=key)
    b.must("sit", table=table, seat=2, key=key)
    assert a.hear("moved", kind="start")
    assert not any(key in m for m in b.heard + c.heard)


def rematch():
    table, (a, b), (w,) = sit_down("doors", 2, [], [None], {"first": 0}, listed=False,
                                   clock={"kind": "slow", "days": 2})
    assert a.code("rematch", table=table) == "not-started"
    assert w.code("rematch", table=table) == "not-seated"
    while one_move(table, [a, b], [w]):
        pass
    answer = a.ask("rematch", table=table)
    assert answer["op"] == "done", answer
    asked = [g.hear("moved", kind="rematch") for g in (a, b, w)]
    assert not any("rematch" in m for m in asked), "a table where nobody can sit down yet"
    told = [g.hear("rematch") for g in (a, b, w)]
    next_ = told[0]["next"]
    assert all(m == {"op": "rematch", "table": table, "next": next_} for m in told)
    new = b.must("join", table=next_)
    while new["seats"][1]["kind"] != "person":
        new = b.hear("moved", table=next_)
    assert new["seats"][1]["name"] == "Guest 0", "one seat further"
    assert new["seats"][0]["kind"] == "invited" and new["seats"][0]["name"] == "Guest 1"
    assert new["before"] == table and new["clock"]["rule"] == {"kind": "slow", "days": 2}
    assert not new["listed"] and new["options"]["first"] == 0
    assert w.code("sit", table=next_, seat=0) == "not-allowed"
    assert b.code("rematch", table=table, part_hash="zz") == "bad-request"
    assert b.must("rematch", table=table, part_hash=pledge("ab" * 32))["next"] == next_
    assert b.hear("reveal", table=next_)["hashes"] == [pledge("ab" * 32), None]
    b.must("part", table=next_, part="ab" * 32)
    assert b.hear("moved", kind="start", table=next_)["seat"] == 0
    assert a.must("rematch", table=table)["next"] == next_
    assert w.must("join", table=table)["rematch"] == next_
    heads = [m for m in SERVER.moves(table) if m[2] == "rematch"]
    assert len(heads) == 1 and heads[0][3] == next_


def rematch_survives():
    """The old table's move is durable, the new table is not there yet."""
    table, (a, b), _ = sit_down("doors", 2)
    while one_move(table, [a, b], []):
        pass
    SERVER.kill()
    with SERVER.database() as db:
        seq = db.execute("SELECT max(seq) + 1 FROM move WHERE room = ?", (table,)).fetchone()[0]
        db.execute("INSERT INTO move (room, seq, at, seat, kind, text)"
                   " VALUES (?, ?, 0, 0, 'rematch', ?)", (table, seq, "b" * 16))
    SERVER.start()
    a, b = (Guest(SERVER, cookie=g.cookie) for g in (a, b))
    for g in (a, b):
        while "next" not in (answer := g.must("rematch", table=table)):
            time.sleep(0.1)  # it is being opened; not too many questions
        assert answer["next"] == "b" * 16, answer
    new = a.must("join", table="b" * 16)
    while not new["started"]:
        new = a.hear("moved", table="b" * 16)
    assert new["seat"] == 1


# ---- After the game ------------------------------------------------------------

def get(path, cookie=None):
    status, headers, body = SERVER.request("GET", path, None, {"Cookie": cookie} if cookie else {})
    if headers["Content-Type"] == "application/json":
        body = json.loads(body)
    return status, body


def all_steps(table, query):
    """The steps of a replay, however many requests it takes."""
    steps, start = [], 0
    while start is not None:
        status, body = get(f"/api/replay/{table}?{query}&from={start}")
        assert status == 200, body
        steps += body["steps"]
        start = body["next"]
    return steps


def replays_of(game, players):
    """A replay from a seat's knowledge is, move by move, what the seat was told
    then; the open one shows everything; both after a restart, too."""
    table, seats, (w,) = sit_down(game, players, ["en"] * players, ["en"])
    status, body = get(f"/api/replay/{table}?seat=0")
    assert status == 403 and body["error"]["code"] == "not-allowed", "not while it is played"
    assert "seed" not in get(f"/api/record/{table}")[1]
    while one_move(table, seats, [w]):
        pass
    told, events = truth(SALOTTO, SERVER.moves(table), players)
    for restart in (False, True):
        if restart:
            SERVER.kill()
            SERVER.start()
        for viewer, g in [*enumerate(seats), (None, w)]:
            heard = {m["seq"]: m for m in map(json.loads, g.heard)
                     if m["op"] == "moved" and "state" in m}
            steps = all_steps(table, "lang=en" + (f"&seat={viewer}" if viewer is not None else ""))
            assert [s["n"] for s in steps] == sorted(k for k, v in told if v == viewer)
            for s in steps:
                then = heard[s["n"]]
                assert s["state"] == told[s["n"], viewer][0] == then["state"]
                for key in ("events", "words", "prompt", "position"):
                    assert s[key] == then[key], (key, s, then)
                if s["kind"] == "act":
                    shown = s["action"]
                    mine = [m for m in SERVER.moves(table) if m[0] == s["n"]][0]
                    assert shown in (None, mine[3]) and (shown or s["by"] != viewer)
                    hidden = "??" in json.dumps([e for e in s["events"] if e.get("seat") == s["by"]
                                                 and e["event"] in ("placed", "built")])
                    assert not (hidden and shown), s
    everything = all_steps(table, "seat=open&lang=it")
    assert all(s["action"] for s in everything if s["kind"] == "act")
    assert "??" not in json.dumps([s["events"] for s in everything])
    status, record = get(f"/api/record/{table}")
    assert status == 200 and "\nover " in record and "\nseed " in record
    acts = [line for line in record.splitlines() if re.match(r"\d+ ", line)]
    assert everything[-1]["actions"] == len(acts), "the steps count the actions of the record"
    assert [s["actions"] for s in everything if s["kind"] == "act"] == list(range(1, len(acts) + 1))
    path = os.path.join(SERVER.folder, "replayed.salotto")
    with open(path, "w", encoding="utf-8") as f:
        f.write(record)
    assert subprocess.run([SALOTTO, "verify", path], stdout=subprocess.PIPE).returncode == 0


def replay_manners():
    a = Guest(SERVER)
    table = a.must("create", game="doors", players=2, seats=["open", "novice"],
                   spectators=False)["table"]
    assert get(f"/api/record/{table}", a.cookie)[0] == 403, "who has not sat there is a stranger"
    a.must("sit", table=table, seat=0)
    assert get(f"/api/record/{table}", a.cookie)[0] in (200, 409)
    a.hear("moved", kind="start")
    assert get(f"/api/record/{table}", a.cookie)[0] == 200
    assert get(f"/api/record/{table}")[0] == 403
    assert get(f"/api/replay/{table}?seat=0")[0] == 403
    assert get("/api/record/" + "a" * 16)[0] == 404
    assert get("/api/replay/" + "a" * 16)[1]["error"]["message"] == "There is no such table."
    assert get("/api/record/short")[0] == 404
    assert get(f"/api/replay/{table}?lang=xx")[0] == 400
    waiting = a.must("create", game="doors", players=2)["table"]
    assert get(f"/api/record/{waiting}")[0] == 409
    over = finished(["open", "novice"])[0]
    assert get(f"/api/replay/{over}?seat=5")[0] == 400
    assert get(f"/api/replay/{over}?seat=zebra")[1]["seat"] is None


def finished(seats, game="doors", guest=None, **more):
    """A game of one guest against bots, played to its end: (table, guest, result)."""
    g = guest or Guest(SERVER, "Rita")
    table = g.must("create", game=game, players=len(seats), seats=seats, **more)["table"]
    g.must("sit", table=table, seat=0)
    g.hear("moved", kind="start", table=table)
    play_out(g, table)
    return table, g, g.hear("result", table=table)


def histories_and_leaders():
    assert get("/api/history")[0] == 401 and get("/api/mine")[0] == 401
    assert get("/api/leaders")[0] == 400 and get("/api/leaders?game=chess")[0] == 400
    _, g, result = finished(["open", "novice"], hints=False)
    assert not result["rated"] and result["unrated"] == "asked", "bots, and nobody asked for it"
    g = Guest(SERVER, cookie=SERVER.account("Rita the rated"))
    table, g, result = finished(["open", "novice"], guest=g, rated=True)
    assert result["rated"] and sorted(s["place"] for s in result["seats"]) == [1, 2]
    mine = result["seats"][0]
    assert mine["before"] == 1500 and mine["after"] != 1500
    _, history = get("/api/history", g.cookie)
    game = history["games"][0]
    assert game["table"] == table and game["game"] == "doors" and game["seat"] == 0
    assert game["seats"][0]["after"] == mine["after"] and game["seats"][0]["you"] is True
    assert game["seats"][1]["bot"] == "novice" and "name" not in game["seats"][1]
    assert history["next"] is None
    again, _, _ = finished(["open", "novice"], guest=g, rated=False)
    _, history = get("/api/history", g.cookie)
    assert [x["table"] for x in history["games"]] == [again, table]
    assert history["games"][0]["rated"] is False and "after" not in history["games"][0]["seats"][0]
    _, rest = get(f"/api/history?before={history['games'][0]['n']}", g.cookie)
    assert [x["table"] for x in rest["games"]] == [table]
    _, leaders = get("/api/leaders?game=doors", g.cookie)
    assert leaders["you"]["rating"] == mine["after"] and leaders["you"]["games"] == 1
    assert "novice" in [x["bot"] for x in leaders["bots"]]
    while True:  # the lists are kept for some seconds
        _, leaders = get("/api/leaders?game=doors")
        assert leaders["you"] is None
        mine = [x for x in leaders["leaders"] if x["person"] == g.me["person"]]
        if mine:
            break
        time.sleep(0.5)
    assert mine[0]["name"] == "Rita the rated" and "novice" in [x["bot"] for x in leaders["bots"]]


def helped_is_not_rated():
    g = Guest(SERVER)
    table = g.must("create", game="doors", players=2, seats=["open", "novice"],
                   options={"first": 0})["table"]
    g.must("sit", table=table, seat=0)
    g.hear("moved", kind="start")
    g.must("hint", table=table)
    play_out(g, table)
    assert g.hear("result")["rated"] is False


def who_resigns_has_lost():
    table, (a, b, c), _ = sit_down("traps", 3, stand_in="random")
    for g in (a, b):
        g.must("resign", table=table)
    play_out(c, table)
    seats = c.hear("result")["seats"]
    assert [s["place"] for s in seats] == [2, 2, 1] and seats[0]["gone"] and not seats[2]["gone"]


def results_survive():
    """The last move is durable, the result is not: it is written on waking."""
    table, g, result = finished(["open", "novice"])
    SERVER.kill()
    with SERVER.database() as db:
        n, = db.execute("SELECT n FROM result WHERE room = ?", (table,)).fetchone()
        db.execute("DELETE FROM result_seat WHERE n = ?", (n,))
        db.execute("DELETE FROM result WHERE n = ?", (n,))
    SERVER.start()
    again = Guest(SERVER, cookie=g.cookie)
    assert again.must("lobby")
    while not (games := get("/api/history", g.cookie)[1]["games"]):
        time.sleep(0.1)
    assert games[0]["table"] == table and games[0]["seats"][0]["place"] == \
        result["seats"][0]["place"]
    assert len(games) == 1


def my_tables():
    table, (a, b), _ = sit_down("doors", 2, options={"first": 0})
    for got in (a.must("mine")["tables"], get("/api/mine", a.cookie)[1]["tables"]):
        assert [(t["table"], t["seat"], t["asked"]) for t in got] == [(table, 0, True)]
        assert got[0]["seats"][1]["name"] == "Guest 1"
    assert b.must("mine")["tables"][0]["asked"] is False
    while one_move(table, [a, b], []):
        pass
    assert a.must("mine")["tables"] == []


def lobby():
    """Who waits stands before who plays, and the list is never an old one."""
    table, _, _ = sit_down("doors", 2)
    a = Guest(SERVER)
    made = a.must("create", game="traps", players=2)["table"]
    rows = {t["table"]: t for t in a.must("lobby")["tables"]}
    order = list(rows)
    assert order.index(made) < order.index(table) and rows[table]["started"]
    a.must("sit", table=made, seat=0)
    rows = {t["table"]: t for t in a.must("lobby")["tables"]}
    assert rows[made]["seats"][0]["kind"] == "person"
    a.must("leave", table=made)
    a.close()
    b = Guest(SERVER)
    while made in [t["table"] for t in b.must("lobby")["tables"]]:
        time.sleep(0.1)  # until it is seen that nobody waits there


def bots_for_free_seats():
    """Who sits at a table may give a free seat to a bot; when none is free it begins."""
    a, b = Guest(SERVER), Guest(SERVER)
    table = a.must("create", game="traps", players=3, seats=["open", "invited", "open"])["table"]
    b.must("join", table=table)
    assert b.code("bot", table=table, seat=1, level="novice") == "not-seated"
    a.must("sit", table=table, seat=0)
    for seat, level in ((3, "novice"), (-1, "novice"), ("1", "novice"), (1, "genius"), (1, None)):
        assert a.code("bot", table=table, seat=seat, level=level) == "bad-request", (seat, level)
    assert a.code("bot", table=table, seat=0, level="novice") == "seat-taken"
    for seat in (1, 2):
        a.must("bot", table=table, seat=seat, level="novice")
    seats = b.hear("moved", table=table, kind="start")["seats"]
    assert [s["kind"] for s in seats] == ["person", "bot", "bot"], seats
    assert a.code("bot", table=table, seat=1, level="expert") == "seat-taken"


def closes():
    assert SERVER.stop() == 0, SERVER.logged()[-3000:]


SERVER = Server(SALOTTO, "--pace", "1000")  # how fast one may ask is not what this looks at
try:
    for name, count in (("doors", 2), ("favor", 3), ("traps", 3), ("louis", 3)):
        case(f"words of {name}: parallel to the facts, and no more than they tell",
             words_of, name, count)
    case("people and bots are called by their names", names_in_sentences)
    case("each connection is spoken to in its language, refusals too", languages)
    case("hints: only for who is asked, told to nobody else, and never rated", hints)
    case("undo: a durable move that shows nobody what was taken back", undo)
    case("clocks by move, by game and slow", clocks)
    case("away past the clock: a bot plays, and the person comes back", away_and_back)
    case("no clock runs while the server is closed", closed_time)
    case("who comes and goes", presence)
    case("bots for free seats, from who sits there", bots_for_free_seats)
    case("parts are pledged before they are told, and the record shows it", pledges)
    case("a part that is not told in time is zeros", withheld)
    case("invited seats need the key, which is told once", invited)
    case("a rematch: one table, everybody one seat further", rematch)
    case("a rematch survives a crash between two tables", rematch_survives)
    for name, count in (("doors", 2), ("favor", 3), ("traps", 3), ("louis", 2)):
        case(f"a replay of {name} shows a seat what it knew then, and no more",
             replays_of, name, count)
    case("records and replays: who may see them, and what is not there", replay_manners)
    case("results, histories, ratings and leaders", histories_and_leaders)
    case("what was helped is not rated", helped_is_not_rated)
    case("who resigns has lost to who stayed", who_resigns_has_lost)
    case("a result survives a crash", results_survive)
    case("the lobby", lobby)
    case("my tables, and whose turn it is", my_tables)
    case("the server closes in order", closes)
finally:
    if SERVER.process.poll() is None:
        SERVER.kill()
done()
