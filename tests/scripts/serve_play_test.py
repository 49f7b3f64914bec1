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


def closes():
    assert HOUSE.stop() == 0, HOUSE.logged()[-3000:]


HOUSE = House(SALOTTO)
try:
    for name, count in (("doors", 2), ("favor", 3), ("traps", 3), ("louis", 3)):
        case(f"words of {name}: parallel to the facts, and no more than they tell",
             words_of, name, count)
    case("people and bots are called by their names", names_in_sentences)
    case("each connection is spoken to in its language, refusals too", languages)
    case("the house closes in order", closes)
finally:
    if HOUSE.process.poll() is None:
        HOUSE.kill()
done()
