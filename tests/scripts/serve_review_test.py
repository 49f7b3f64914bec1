"""Reviews by the server: of finished games alone, for who may look, as far as they are computed.

    serve_review_test.py SALOTTO SOURCE_ROOT
"""
import json
import os
import subprocess
import sys
import time

from parlour import Guest, Server, wait_for
from tap import case, done

SALOTTO = os.path.abspath(sys.argv[1])
SERVER = Server(SALOTTO)


def ask(table, guest=None, server=SERVER, **query):
    """Status and answer; waits while there were too many requests."""
    words = "&".join(f"{k}={v}" for k, v in query.items())
    status, _, body = server.read(f"/api/review/{table}?{words}",
                                  {"Cookie": guest.cookie} if guest else None)
    return status, json.loads(body)


def whole(table, guest=None, server=SERVER, **query):
    """The review, in as many requests as it takes."""
    steps, since = [], 0
    while True:
        status, answer = ask(table, guest, server, since=since, **query)
        assert status == 200 and answer["ok"], (status, answer)
        assert answer["next"] == since + len(answer["steps"]) <= answer["done"], answer
        steps += answer["steps"]
        since = answer["next"]
        if "seats" in answer:
            return dict(answer, steps=steps)
        time.sleep(0.05)


def begin(game, names=("Anna", "Bruno"), server=SERVER, **more):
    """The table and its people."""
    guests = [Guest(server, name) for name in names]
    table = guests[0].must("create", game=game, players=len(names), **more)["table"]
    for seat, guest in enumerate(guests):
        guest.must("sit", table=table, seat=seat)
    for guest in guests:
        guest.must("join", table=table)
    return table, *guests


def play(table, guests, actions):
    for _ in range(actions):
        told = [g.must("join", table=table) for g in guests]
        while not told[0].get("started"):
            time.sleep(0.1)  # the server counts requests
            told = [g.must("join", table=table) for g in guests]
        if told[0]["state"]["over"]:
            return
        seat = told[0]["state"]["to_act"][0]
        guests[seat].must("act", table=table, seq=told[seat]["seq"], action=told[seat]["legal"][0])


def long_game(server, actions):
    """A finished table whose review takes a while. Some deals end within so many actions."""
    table, *pair = begin("louis", server=server)
    play(table, pair, actions)
    if not pair[0].must("join", table=table)["state"]["over"]:
        pair[0].must("resign", table=table)
        pair[0].hear("result")
    for guest in pair:
        guest.close()
    return table


def parts(number):
    return round(number * 1000000)


def check_finished(game):
    table, anna, bruno = begin(game)
    play(table, (anna, bruno), 3)
    anna.must("resign", table=table)
    anna.hear("result")
    review = whole(table)
    assert review["game"] == game and review["total"] == len(review["steps"]), review["total"]
    assert review["result"] == [0, 1] and review["steps"][-1]["kind"] == "resigned"
    for seat in (0, 1):
        moved = sum(parts(s[what][seat]) for s in review["steps"] for what in ("luck", "hidden", "play"))
        assert moved == parts(review["result"][seat]) - parts(review["start"][seat])
    assert sum(s["kind"] == "move" for s in review["steps"]) == 3
    assert [s["name"] for s in review["seats"]] == ["Anna", "Bruno"]
    assert whole(table, anna) == review, "once computed it stays"
    assert "abbandona" in whole(table, lang="it")["steps"][-1]["words"][-1]
    assert ask(table, lang="xx")[0] == 400


def check_progress():
    """What is kept of a reviewed game: for who sat there alone; export and deletion take it along."""
    table, anna, bruno = begin("traps")
    play(table, (anna, bruno), 4)
    anna.must("resign", table=table)
    anna.hear("result")
    review = whole(table)

    def progress(guest):
        status, _, body = SERVER.read("/api/progress", {"Cookie": guest.cookie} if guest else None)
        return status, json.loads(body)

    while not progress(anna)[1]["games"]:
        time.sleep(0.05)
    for seat, guest in enumerate((anna, bruno)):
        (game,) = progress(guest)[1]["games"]
        of = review["seats"][seat]
        assert (game["table"], game["game"], game["players"]) == (table, "traps", 2), game
        assert (game["accuracy"], game["luck"], game["won"]) == (of["accuracy"], of["luck"], seat), game
        assert (game["roles"], game["mistakes"]) == (of["roles"], of["mistakes"]), game
        assert sum(r["decisions"] for r in game["roles"]) <= of["decisions"], game
    assert progress(Guest(SERVER, "Carla"))[1]["games"] == []
    assert progress(None)[0] == 401
    _, _, body = SERVER.read("/api/export", {"Cookie": anna.cookie})
    assert [row["room"] for row in json.loads(body)["data"]["progress"]] == [table]


def check_in_play(game):
    """Whoever asks, and however far the game is: refused, and nothing told."""
    table, anna, bruno = begin(game)
    carla = Guest(SERVER, "Carla")
    for _ in range(3):
        for guest in (None, anna, bruno, carla):
            status, answer = ask(table, guest)
            assert status == 403, (status, answer)
            assert set(answer) <= {"ok", "code", "message", "error"}, answer
        play(table, (anna, bruno), 1)


def check_private():
    table, anna, bruno = begin("traps", spectators=False)
    play(table, (anna, bruno), 1)
    bruno.must("resign", table=table)
    bruno.hear("result")
    review = whole(table, anna)
    assert review["result"] == [1, 0]
    assert ask(table, Guest(SERVER, "Carla"))[0] == ask(table)[0] == 403, "also when it is there"


def check_record(table, guest):
    """The record of a finished game is reviewed by the command as by the server; both are told."""
    status, _, record = SERVER.read(f"/api/record/{table}", {"Cookie": guest.cookie})
    assert status == 200 and "seed" in record, record
    got = subprocess.run([SALOTTO, "review", "-", "--json"], input=record, text=True, capture_output=True, check=True)
    review, alone = whole(table, guest), json.loads(got.stdout)

    def measured(r):
        return [{k: v for k, v in s.items() if k not in ("words", "say", "weighed")} for s in r["steps"]]

    assert measured(alone) == measured(review)
    for seat, (mine, told) in enumerate(zip(alone["seats"], review["seats"])):
        assert {**mine, "name": ""} == {**told, "name": ""}, seat
    return review, record


def replayed(table, guest):
    """What a replay says was done, and how many actions stood then."""
    status, _, body = SERVER.read(f"/api/replay/{table}?seat=open", {"Cookie": guest.cookie})
    assert status == 200, body
    return [(s["kind"], s["actions"]) for s in json.loads(body)["steps"]]


def check_clock():
    """Time is up for everybody, and bots end the game."""
    table, anna, _ = begin("doors", clock={"kind": "move", "seconds": 1}, options={"goal": "5"})
    anna.hear("result")
    review, _ = check_record(table, anna)
    assert [s["kind"] for s in review["steps"]].count("resigned") == 0 and sorted(review["result"]) == [0, 1]
    steps = replayed(table, anna)
    assert [kind for kind, _ in steps].count("away") == 2, steps
    assert steps[-1] == ("act", sum(s["kind"] == "move" for s in review["steps"])), steps[-1]


def check_left():
    """At a larger table a bot plays on for whoever resigns, here for all."""
    table, *guests = begin("traps", ("Anna", "Bruno", "Carla"))
    for guest in guests:
        guest.must("resign", table=table)
    guests[0].hear("result")
    review, record = check_record(table, guests[0])
    assert "resign" not in record and review["players"] == 3 and sum(review["result"]) > 0.99
    assert [kind for kind, _ in replayed(table, guests[0])].count("resign") == 3


def check_undone():
    """What was taken back is no step of a review; a replay shows it."""
    table, anna, bruno = begin("traps", undo=True)
    seen = anna.must("join", table=table)
    while not seen.get("started"):
        time.sleep(0.1)
        seen = anna.must("join", table=table)
    cards = seen["legal"]
    seq = anna.must("act", table=table, seq=seen["seq"], action=cards[0])["seq"]
    seq = anna.must("undo", table=table, seq=seq)["seq"]
    anna.must("act", table=table, seq=seq, action=cards[-1])
    anna.must("resign", table=table)
    anna.hear("result")
    review, record = check_record(table, anna)
    assert f"\n0 {cards[-1]}\n" in record and f"\n0 {cards[0]}\n" not in record and record.endswith("resign 0\nover 1\n")
    assert [s.get("action") for s in review["steps"][1:]] == [cards[-1], None]
    assert [s["kind"] for s in review["steps"]] == ["draw", "move", "resigned"]
    assert replayed(table, bruno) == [("start", 0), ("act", 1), ("undo", 0), ("act", 1), ("resign", 1)]


def check_limited():
    """Two at a time for an address: a third is refused, which changes nothing, and begins when it is asked for
    again after one of them is done. A fast machine may be done before the third is asked for: then once more."""
    server = Server(SALOTTO, "--bot-threads", "1")
    for _ in range(20):
        tables = [long_game(server, 12) for _ in range(3)]
        told = {table: ask(table, None, server) for table in tables}
        refused = [table for table, (status, _) in told.items() if status != 200]
        if refused:
            break
        for table in tables:
            whole(table, None, server)
    assert refused, "the third is never refused"
    status, answer = told[refused[0]]
    assert refused == tables[2:] and status == 503 and answer["error"]["code"] == "busy", (refused, status, answer)
    first = [whole(table, None, server) for table in tables[:2]]
    wait_for(lambda: ask(refused[0], None, server)[0] == 200)
    assert whole(refused[0], None, server)["seats"]
    assert [whole(table, None, server) for table in tables[:2]] == first, "what was computed stays"
    assert server.stop() == 0


def check_nowhere():
    assert ask("a" * 16)[0] == 404
    for path in ("/api/review/", "/api/review/short", "/api/review/" + "a" * 17):
        assert SERVER.read(path)[0] == 404, path


def check_going_on():
    """One that was asked for and is not done when the server ends or is killed is done by the next,
    without being asked for again."""
    server = Server(SALOTTO)

    def rows(what):
        with server.database() as db:
            return [tuple(r) for r in db.execute(f"SELECT room FROM {what}").fetchall()]

    def begun_when(end):
        """A table whose review had begun, and was not done, when the server had come to its end; a
        fast one may be done first."""
        while True:
            table = long_game(server, 60)
            assert ask(table, None, server)[0] == 200
            wait_for(lambda: (table,) in rows("review") + rows("progress"))
            end()
            if (table,) not in rows("progress"):
                return table
            server.start()

    for end in (server.stop, server.kill):
        table = begun_when(end)
        assert rows("review") == [(table,)]
        server.start()
        wait_for(lambda: (table,) in rows("progress"))
        wait_for(lambda: rows("review") == [])
        answer = ask(table, None, server)[1]
        assert answer["done"] == answer["total"] and "seats" in answer, "it was there already"
    assert server.stop() == 0


for name in ("doors", "favor", "traps", "louis"):
    case(f"review.server: a finished game of {name}", check_finished, name)
for name in ("doors", "favor", "traps", "louis"):
    case(f"review.leak: a game of {name} in play cannot be reviewed by anybody", check_in_play, name)
case("review.private: for who sat there alone", check_private)
case("review.clock: a game whose players' time was up", check_clock)
case("review.left: a game of three whom all have left", check_left)
case("review.undone: a game with a move taken back", check_undone)
case("review.limited: two at a time for an address, a third when it asks again", check_limited)
case("review.nowhere: no such table", check_nowhere)
case("progress: for the person alone", check_progress)
case("review.going-on: the server ends or is killed, and the next finishes it", check_going_on)
case("review.stop: the server closes with reviews kept", lambda: SERVER.stop() == 0 or 1 / 0)
done()
