"""Play at the server over real sockets: words, help, clocks, what comes after.

    serve_play_test.py SALOTTO SOURCE_ROOT
"""
import json
import os
import random
import sys

from parlour import Guest, House
from tap import case, done
from witness import truth

SALOTTO = os.path.abspath(sys.argv[1])
RNG = random.Random(15)
MOVES_MAX = 120  # of one game in these tests; long games stop there


def sit_down(game, players, langs=(), watchers=(), options=None, **more):
    """Guests at all seats, each listening in a language, and watchers."""
    host = Guest(HOUSE, "Host")
    table = host.must("create", game=game, players=players, options=options or {}, **more)["table"]
    host.close()
    langs = list(langs) + [None] * (players - len(langs))
    seats = [Guest(HOUSE, f"Guest {i}") for i in range(players)]
    rail = [Guest(HOUSE, f"Watcher {i}") for i in range(len(watchers))]
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
    seq = seats[seat].must("act", table=table, seq=news["seq"], action=action)["seq"]
    for g in seats + rail:
        g.last = g.hear("moved", seq=seq)
    return True


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
            assert len(m["legal_say"]) == min(len(m["legal"]), 200) and all(m["legal_say"])
    return said


def words_of(game, players):
    """Every sentence: parallel to the facts, and where a seat sees no more of
    an event than the rail does, it is told no more than the rail is."""
    table, seats, rail = sit_down(game, players, ["en"] * players, ["en", "it", None])
    count = 0
    while count < MOVES_MAX and one_move(table, seats, rail):
        count += 1
    _, events = truth(SALOTTO, HOUSE.moves(table), players)
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
    host = Guest(HOUSE, "Bea")
    table = host.must("create", game="traps", players=4, lang="it",
                      seats=["open", "novice", "novice", "regular"])["table"]
    host.must("sit", table=table, seat=0)
    host.last = host.hear("moved", kind="start")
    rail = Guest(HOUSE, "Watcher")
    seen = rail.must("join", table=table, since=0, lang="en")
    text = seen["position"] + seen["prompt"] + "".join(w["text"] for w in seen["words"])
    for name in ("Bea", "Novice 2", "Novice 3", "Regular"):
        assert name in text, (name, text)
    assert "Seat " not in text and "Player " not in text, text


def languages():
    a = Guest(HOUSE)
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
    codes = [a.ask("hint", table=table).get("code") for _ in range(6)]
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
    HOUSE.kill()
    HOUSE.start()
    back = Guest(HOUSE, cookie=a.cookie)
    now = back.must("join", table=table, since=0)
    assert now["legal"] == again["legal"] and now["next"] == again["next"]
    table, (a, b, _), _ = sit_down("traps", 3, undo=False)
    seq = a.must("act", table=table, seq=a.last["seq"], action=a.last["legal"][0])["seq"]
    assert a.code("undo", table=table, seq=seq) == "not-allowed"


# ---- Clocks and absence --------------------------------------------------------

def clocks():
    host = Guest(HOUSE)
    for bad in (7, {}, {"kind": "move"}, {"kind": "move", "seconds": 0}, {"kind": "never"},
                {"kind": "game", "seconds": 60, "increment": -1}, {"kind": "slow", "days": 0}):
        assert host.code("create", game="doors", players=2, clock=bad) == "bad-request", bad
    for rule in ({"kind": "move", "seconds": 60}, {"kind": "slow", "days": 3},
                 {"kind": "game", "seconds": 300, "increment": 5}):
        table, (a, b), _ = sit_down("doors", 2, options={"first": 0}, clock=rule)
        whole = 1000 * rule.get("seconds", 86400 * rule.get("days", 0))
        clock = a.must("join", table=table)["clock"]
        assert clock["rule"] == rule and clock["running"] == [0], clock
        assert whole - 30000 < clock["left"][0] <= whole and clock["left"][1] == whole
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
    assert a.code("act", table=table, seq=0, action="end") == "not-allowed"
    HOUSE.kill()
    HOUSE.start()
    a, b = (Guest(HOUSE, cookie=g.cookie) for g in (a, b))
    seen = a.must("join", table=table)
    b.must("join", table=table)
    assert seen["seats"][0]["away"] and seen["seat"] == 0
    if not seen["state"]["over"]:
        a.must("back", table=table)
        assert "away" not in b.hear("moved", kind="back")["seats"][0]
        assert a.code("back", table=table) in ("not-allowed", "game-over")


def closed_time():
    """While the house is closed no clock runs."""
    rule = {"kind": "game", "seconds": 100}
    table, (a, _), _ = sit_down("doors", 2, options={"first": 0}, clock=rule)
    HOUSE.kill()
    with HOUSE.database() as db:  # as if it had happened long ago
        db.execute("UPDATE move SET at = at - 3600000 WHERE room = ?", (table,))
        db.execute("UPDATE house SET alive = alive - 3600000")
    HOUSE.start()
    a = Guest(HOUSE, cookie=a.cookie)
    seen = a.must("join", table=table)
    if seen["seq"] < 4:  # open, sit, sit, start; then the house woke
        seen = a.hear("moved", kind="woke")
    assert 80000 < seen["clock"]["left"][0] <= 100000, seen["clock"]
    assert seen["clock"]["running"] == [0] and "away" not in seen["seats"][0]


def presence():
    table, (a, b), (w,) = sit_down("doors", 2, [], [None])
    assert all(s["connected"] for s in w.must("join", table=table)["seats"])
    tab = Guest(HOUSE, cookie=a.cookie)
    tab.must("join", table=table)
    a.close()
    tab.must("lobby")
    tab.close()
    for g in (b, w):
        gone = g.hear("presence", connected=False)
        assert gone["table"] == table and gone["seat"] == 0
    assert not w.must("join", table=table)["seats"][0]["connected"]
    Guest(HOUSE, cookie=a.cookie).must("join", table=table)
    assert b.hear("presence")["connected"] is True


# ---- Invitations and rematches -------------------------------------------------

def invited():
    a, b, c = (Guest(HOUSE, n) for n in ("Anna", "Bea", "Cleo"))
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
    told = [g.hear("rematch") for g in (a, b, w)]
    next_ = told[0]["next"]
    assert all(m == {"op": "rematch", "table": table, "next": next_} for m in told)
    new = b.must("join", table=next_)
    while new["seats"][1]["kind"] != "person":
        new = b.hear("moved", table=next_)
    assert new["seats"][1]["name"] == "Guest 0", "one seat further"
    assert new["seats"][0]["kind"] == "invited" and new["seats"][0]["name"] == "Guest 1"
    assert new["before"] == table and new["clock"]["rule"] == {"kind": "slow", "days": 2}
    assert not new["listed"] and new["options"] == {"first": 0}
    assert w.code("sit", table=next_, seat=0) == "not-allowed"
    assert b.must("rematch", table=table)["next"] == next_
    assert b.hear("moved", kind="start", table=next_)["seat"] == 0
    assert a.must("rematch", table=table)["next"] == next_
    assert w.must("join", table=table)["rematch"] == next_
    heads = [m for m in HOUSE.moves(table) if m[2] == "rematch"]
    assert len(heads) == 1 and heads[0][3] == next_


def rematch_survives():
    """The old table's move is durable, the new table is not there yet."""
    table, (a, b), _ = sit_down("doors", 2)
    while one_move(table, [a, b], []):
        pass
    HOUSE.kill()
    with HOUSE.database() as db:
        seq = db.execute("SELECT max(seq) + 1 FROM move WHERE room = ?", (table,)).fetchone()[0]
        db.execute("INSERT INTO move VALUES (?, ?, 0, 0, 'rematch', ?)", (table, seq, "b" * 16))
    HOUSE.start()
    a, b = (Guest(HOUSE, cookie=g.cookie) for g in (a, b))
    assert a.must("rematch", table=table)["next"] == "b" * 16
    assert b.must("rematch", table=table)["next"] == "b" * 16
    while a.ask("join", table="b" * 16)["op"] == "error":
        pass
    new = a.must("join", table="b" * 16)
    while not new["started"]:
        new = a.hear("moved", table="b" * 16)
    assert new["seat"] == 1


def closes():
    assert HOUSE.stop() == 0, HOUSE.logged()[-3000:]


HOUSE = House(SALOTTO)
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
    case("no clock runs while the house is closed", closed_time)
    case("who comes and goes", presence)
    case("invited seats need the key, which is told once", invited)
    case("a rematch: one table, everybody one seat further", rematch)
    case("a rematch survives a crash between two tables", rematch_survives)
    case("the house closes in order", closes)
finally:
    if HOUSE.process.poll() is None:
        HOUSE.kill()
done()
