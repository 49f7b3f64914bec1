"""What counts for ratings, and what resigning does, over real sockets.

    ratings_test.py SALOTTO SOURCE_ROOT
"""
import hashlib
import json
import os
import subprocess
import sys
import time

from parlour import PASSWORD, Guest, Server, begin
from tap import case, done

SALOTTO = os.path.abspath(sys.argv[1])
SERVER = Server(SALOTTO, "--pace", "5000")


def account(name, server=None):
    server = server or SERVER
    return Guest(server, name, server.account(name))


def get(path, cookie=""):
    status, _, body = SERVER.request("GET", path, None, {"Cookie": cookie} if cookie else {})
    return status, json.loads(body) if body.startswith("{") else body


def rating(g):
    return get("/api/leaders?game=doors", g.cookie)[1]["you"]


def play(table, seats, moves):
    """So many moves of each of these people, or until the game is over."""
    made = [0] * len(seats)
    while min(made) < moves and not seats[0].last["state"]["over"]:
        for n, g in enumerate(seats):
            if g.last["legal"] and not g.last["state"]["over"]:
                made[n] += len(g.last["legal"]) > 1
                seq = g.must("act", table=table, seq=g.last["seq"],
                             action=g.last["legal"][0])["seq"]
                for other in seats:
                    other.last = other.hear("moved", table=table, seq=seq)
                break
        else:  # a bot's turn
            for g in seats:
                g.last = g.hear("moved", table=table)


def result(table, *people):
    all_ = [g.hear("result", table=table) for g in people]
    assert all(r == all_[0] for r in all_)
    return all_[0]


def forty_games_against_own_guests():
    """The attack: an account wins game after game against guests of its own."""
    rita = account("Rita")
    guests = [Guest(SERVER, f"Rita's guest {i}") for i in range(4)]
    for i in range(40):
        other = guests[i % 4]
        table = begin([rita, other])
        play(table, [rita, other], 4 if i < 4 else 0)
        other.must("resign", table=table)
        got = result(table, rita, other)
        assert got["rated"] is False and got["unrated"] == "guests", got
        assert [s["place"] for s in got["seats"]] == [1, 2], got
    assert rating(rita) is None
    with SERVER.database() as db:
        assert db.execute("SELECT count(*) FROM rating WHERE person = ?",
                          (rita.me["person"],)).fetchone() == (0,)


def forty_games_against_an_own_account():
    """With a second account instead: after a few in a day they do not count."""
    paul, dummy = account("Paul"), account("Paul's other")
    counted, gains = 0, []
    for i in range(40):
        table = begin([paul, dummy])
        play(table, [paul, dummy], 4 if i < 10 else 0)
        if not paul.last["state"]["over"]:
            dummy.must("resign", table=table)
        got = result(table, paul, dummy)
        dummy.must("leave", table=table)
        counted += got["rated"]
        if got["rated"]:
            gains.append(abs(got["seats"][0]["after"] - got["seats"][0]["before"]))
        else:
            assert got["unrated"] in ("repeated", "short"), got
    assert counted == 6, counted
    assert gains[5] < gains[2] / 3, gains
    assert rating(paul)["games"] == 6 and rating(paul)["rating"] < 2145 - 200, rating(paul)


def resigning_at_once_is_no_game():
    a, b = account("Ada"), account("Bob")
    table = begin([a, b])
    b.must("resign", table=table)
    got = result(table, a, b)
    assert got["rated"] is False and got["unrated"] == "short", got
    assert rating(a) is None and rating(b) is None


def bots_only_if_asked():
    a = account("Cleo")
    for asked in (None, True):
        table = begin([a], bots=["novice"], **({"rated": True} if asked else {}))
        assert a.last["rated"] is bool(asked)
        play(table, [a], 4)
        if not a.last["state"]["over"]:
            a.must("resign", table=table)
        got = result(table, a)
        assert got["rated"] is bool(asked) and got.get("unrated") == (None if asked else "asked")
    assert rating(a)["games"] == 1


def resigning_ends_a_game_of_two():
    """The table, its words in both languages, the history, the record and the ratings agree."""
    a, b = account("Dora"), account("Ezio")
    table = begin([a, b])
    for g, lang in ((a, "en"), (b, "it")):
        g.must("join", table=table, lang=lang)
    play(table, [a, b], 4)
    over = a.last["state"]["over"]
    assert not over, "the game ended before anybody could resign"
    a.must("resign", table=table)
    said = {"en": "You resign. Ezio wins the game.", "it": "Dora abbandona. Vinci la partita."}
    for g, lang in ((a, "en"), (b, "it")):
        news = g.hear("moved", table=table, kind="resign")
        assert news["by"] == 0 and news["state"]["over"] and news["state"]["winners"] == [1], news
        assert news["state"]["to_act"] == [] and news["legal"] == []
        assert news["events"][-1] == {"n": news["events"][-1]["n"], "event": "resigned", "seat": 0}
        assert news["words"][-1]["text"] == said[lang] == news["prompt"], news["words"]
        assert [s["kind"] for s in news["seats"]] == ["person", "person"]
    got = result(table, a, b)
    assert got["rated"] and [s["place"] for s in got["seats"]] == [2, 1], got
    assert [s["gone"] for s in got["seats"]] == [False, False]
    assert got["seats"][0]["after"] < 1500 < got["seats"][1]["after"]
    assert b.code("act", table=table, seq=news["seq"], action="take RL") == "game-over"
    assert a.code("undo", table=table, seq=news["seq"]) in ("game-over", "late")
    assert b.code("resign", table=table) == "game-over"
    for g, seat in ((a, 0), (b, 1)):
        game = get("/api/history", g.cookie)[1]["games"][0]
        assert game["table"] == table and [s["place"] for s in game["seats"]] == [2, 1], game
    text = get(f"/api/record/{table}")[1]
    assert text.endswith("\nresign 0\nover 1\n"), text[-200:]
    checked = subprocess.run([SALOTTO, "verify", "--json", "-"], input=text, text=True,
                             capture_output=True)
    verdict = json.loads(checked.stdout)
    assert checked.returncode == 0 and verdict["over"] and verdict["winners"] == [1], verdict
    _, replay = get(f"/api/replay/{table}?lang=it")
    last = replay["steps"][-1]
    assert last["kind"] == "resign" and last["by"] == 0 and last["state"]["winners"] == [1], last
    assert last["words"][-1]["text"] == "Dora abbandona. Ezio vince la partita.", last["words"]
    # It is the same after a fall, and both can have their rematch.
    SERVER.kill()
    SERVER.start()
    a, b = Guest(SERVER, cookie=a.cookie), Guest(SERVER, cookie=b.cookie)
    again = a.must("join", table=table)
    assert again["state"]["winners"] == [1] and again["state"]["over"], again["state"]
    assert b.must("join", table=table)["state"]["winners"] == [1]
    a.must("rematch", table=table)
    next_ = b.hear("rematch", table=table)["next"]
    b.must("rematch", table=table)
    a.must("join", table=next_)
    while not a.must("join", table=next_)["started"]:
        time.sleep(0.05)


def who_leaves_for_good_has_resigned():
    a, b = account("Fred"), account("Gina")
    table = begin([a, b])
    status, body, _ = SERVER.post("/api/delete", a.cookie, password=PASSWORD)
    assert status == 200, body
    news = b.hear("moved", table=table, kind="resign")
    assert news["state"]["over"] and news["state"]["winners"] == [1]
    assert news["seats"][0]["kind"] == "bot"


def a_part_withheld_is_not_rated():
    """Who pledged and does not reveal has zeros, the table says who, and nobody gains."""
    server = Server(SALOTTO, "--pace", "5000", "--reveal-seconds", "0.3")
    a, b = people = [account(name, server) for name in ("Hugo", "Iris")]
    table = a.must("create", game="doors", players=2, rated=True)["table"]
    b.must("join", table=table)
    parts = [os.urandom(32) for _ in people]
    for n, g in enumerate(people):
        hash_ = hashlib.blake2b(parts[n], digest_size=32).hexdigest()
        g.must("sit", table=table, seat=n, part_hash=hash_)
    a.hear("reveal", table=table)
    a.must("part", table=table, part=parts[0].hex())
    for g in people:
        g.last = g.hear("moved", kind="start", table=table)
    assert a.last["rated"] is False
    seats = a.must("join", table=table)["seats"]
    assert seats[0]["part"] == parts[0].hex() and "part" not in seats[1] and seats[1]["part_hash"]
    play(table, people, 4)
    if not a.last["state"]["over"]:
        b.must("resign", table=table)
    got = a.hear("result", table=table)
    assert got["rated"] is False and got["unrated"] == "withheld", got
    record = server.request("GET", f"/api/record/{table}")[2]
    verdict = json.loads(subprocess.run([SALOTTO, "verify", "--json", "-"], input=record, text=True,
                                        capture_output=True).stdout)
    assert verdict["verdict"] == "proven" and verdict["withheld"] == [1], verdict
    assert verdict["pledged"] == [0]
    assert server.stop() == 0


case("forty games against own guests give no rating", forty_games_against_own_guests)
case("forty games against another account of one's own: six of them count, and less and less",
     forty_games_against_an_own_account)
case("who resigns in the first moves has not played", resigning_at_once_is_no_game)
case("games against bots count only if that was asked for", bots_only_if_asked)
case("resigning ends a game of two, told the same everywhere", resigning_ends_a_game_of_two)
case("who deletes the account in a game of two has lost it", who_leaves_for_good_has_resigned)
case("with a part withheld a game is not rated", a_part_withheld_is_not_rated)
assert SERVER.stop() == 0
done()
