"""Profiles: what anybody may know of an account, and the face it has chosen.

    profile_test.py SALOTTO SOURCE_ROOT
"""
import json
import os
import sys

from parlour import PASSWORD, Guest, Server, begin
from tap import case, done

SALOTTO = os.path.abspath(sys.argv[1])
SERVER = Server(SALOTTO, "--pace", "5000")


def account(name):
    return Guest(SERVER, name, SERVER.account(name))


def profile(person, cookie=""):
    status, _, text = SERVER.read(f"/api/profile?person={person}", {"Cookie": cookie} if cookie else {})
    return status, json.loads(text)


def game(seats, loser, bots=(), moves=0):
    """A game of Doors that `loser` resigns after so many decisions of each person."""
    table = begin(seats, bots)
    made = [0] * len(seats)
    while min(made) < moves:
        for n, g in enumerate(seats):
            if g.last["legal"]:
                made[n] += len(g.last["legal"]) > 1
                seq = g.must("act", table=table, seq=g.last["seq"], action=g.last["legal"][0])["seq"]
                for other in seats:
                    other.last = other.hear("moved", table=table, seq=seq)
                break
    assert not seats[0].last["state"]["over"]
    loser.must("resign", table=table)
    for g in seats:
        g.hear("result", table=table)
    return table


def check_results():
    anna, bruno, carla = account("Anna"), account("Bruno"), Guest(SERVER, "Carla")
    a = anna.me["person"]
    assert profile(a)[1]["results"] == [], profile(a)
    tables = [game([anna, bruno], bruno, moves=4) for _ in range(3)]
    tables.append(game([anna, bruno], anna, moves=4))
    tables.append(game([bruno, anna], bruno))
    tables.append(game([anna, carla], carla))
    tables += [game([anna], anna, ["novice"]), game([anna], anna, ["novice"]), game([anna], anna, ["expert"])]
    tables.append(game([anna, carla], carla))
    for cookie in ("", anna.cookie, carla.cookie):  # the same for everybody
        status, got = profile(a, cookie)
        assert status == 200 and (got["person"], got["name"], got["face"]) == (a, "Anna", 0), got
        assert got["results"] == [
            {"game": "doors", "against": "expert", "games": 1, "won": 0, "drawn": 0},
            {"game": "doors", "against": "novice", "games": 2, "won": 0, "drawn": 0},
            {"game": "doors", "against": "people", "games": 7, "won": 6, "drawn": 0}], got["results"]
        assert got["streaks"] == [{"game": "doors", "longest": 3, "now": 1}], got["streaks"]
        assert [p["game"] for p in got["curve"]] == ["doors"] * 4, got["curve"]
        up, down = [p["rating"] for p in got["curve"]][:3], got["curve"][3]["rating"]
        assert 1500 < up[0] < up[1] < up[2] and down < up[2], got["curve"]
        assert got["ratings"][0]["rating"] == down and got["ratings"][0]["games"] == 4, got
        # The id of a table is its key, and results name nobody else.
        text = json.dumps(got)
        assert not any(t in text for t in tables) and "Bruno" not in text and "Carla" not in text, text


def check_company_of_several():
    """People and bots, or bots of two levels: mixed; a shared first place is drawn."""
    dora = account("Dora")
    d = dora.me["person"]
    db = SERVER.database()
    with db:
        for room, seats in (("x1", [(d, "", 1), (0, "novice", 2), (0, "expert", 3)]),
                            ("x2", [(d, "", 1), (0, "novice", 2), (999, "", 1)]),
                            ("x3", [(d, "", 1), (0, "novice", 1), (0, "novice", 3)])):
            n = db.execute("INSERT INTO result (room, game, at, rated) VALUES (?, 'traps', 1, 0)", (room,)).lastrowid
            for seat, (person, bot, place) in enumerate(seats):
                db.execute("INSERT INTO result_seat (n, seat, person, bot, name, place, score, gone, before, after)"
                           " VALUES (?, ?, ?, ?, '', ?, 0, 0, 0, 0)", (n, seat, person, bot, place))
    db.close()
    got = profile(d)[1]
    assert got["results"] == [
        {"game": "traps", "against": "mixed", "games": 2, "won": 1, "drawn": 1},
        {"game": "traps", "against": "novice", "games": 1, "won": 0, "drawn": 1}], got
    assert got["streaks"] == [{"game": "traps", "longest": 1, "now": 0}] and got["curve"] == [], got


def check_nobody():
    guest = Guest(SERVER, "Elsa")
    for person in (guest.me["person"], 0, 999999):
        assert profile(person)[0] == 404, person
    for person in ("", "x", "-1", "1%20OR%201=1"):
        assert profile(person)[0] == 400, person


def check_face():
    fia, gino = account("Fia"), Guest(SERVER, "Gino")
    assert SERVER.post("/api/face", gino.cookie, face=3)[0] == 409, "guests have none"
    assert SERVER.post("/api/face", "", face=3)[0] == 401
    for wrong in (-1, 25, "3", None, 1.5):
        assert SERVER.post("/api/face", fia.cookie, face=wrong)[0] == 400, wrong
    status, got, _ = SERVER.post("/api/face", fia.cookie, face=7)
    assert status == 200 and got["you"]["face"] == 7, got
    person = fia.me["person"]
    table = fia.must("create", game="doors", players=2)["table"]
    fia.must("sit", table=table, seat=0)
    gino.must("sit", table=table, seat=1)
    seats = gino.must("join", table=table)["seats"]
    assert seats[0]["face"] == 7 and "face" not in seats[1], seats
    SERVER.kill()
    SERVER.start()
    assert profile(person)[1]["face"] == 7
    seats = json.loads(SERVER.read(f"/api/table/{table}")[2])["seats"]
    assert seats[0]["face"] == 7, seats
    assert SERVER.post("/api/face", fia.cookie, face=0)[0] == 200
    assert "face" not in json.loads(SERVER.read("/api/me", {"Cookie": fia.cookie})[2])["you"]
    assert SERVER.post("/api/face", fia.cookie, face=24)[0] == 200
    # Whoever goes takes the profile along.
    assert SERVER.post("/api/delete", fia.cookie, password=PASSWORD)[0] == 200
    assert profile(person)[0] == 404


case("results by opponent, streaks and ratings of real games", check_results)
case("mixed company, and first places that are shared", check_company_of_several)
case("guests and strangers have no profile", check_nobody)
case("a face is chosen by accounts, shown at tables, kept, and deleted", check_face)
SERVER.stop()
done()
