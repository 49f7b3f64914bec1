"""People and their data: names, passwords, sessions, export, deletion, and what
goes by itself.

    people_test.py SALOTTO SOURCE_ROOT
"""
import json
import os
import sys
import time

from parlour import PASSWORD, Guest, Server, wait_for
from tap import case, done

SALOTTO = os.path.abspath(sys.argv[1])
DAY = 86400 * 1000


def get(path, cookie, server=None):
    status, _, text = (server or SERVER).request("GET", path, None, {"Cookie": cookie})
    return status, json.loads(text)


def post(path, cookie="", agent="tests", **body):
    """Asked again while there were too many."""
    while (got := SERVER.post(path, cookie, {"User-Agent": agent}, **body))[0] == 429:
        time.sleep(0.1)
    return got


def account(name):
    status, _, fresh = post("/api/account", SERVER.cookie(name), password=PASSWORD)
    assert status == 200
    return fresh


def rows(sql, *values, server=None):
    db = (server or SERVER).database()
    try:
        return db.execute(sql, values).fetchall()
    finally:
        db.close()


# ---- Names and passwords -------------------------------------------------------

def guest_renames():
    cookie = SERVER.cookie("Anna")
    assert post("/api/name", name="Bea")[0] == 401
    for name in ("", " ", "x" * 25, 7, None, "a\u202eb"):
        assert post("/api/name", cookie, name=name)[0] == 400, name
    status, body, _ = post("/api/name", cookie, name="Bea")
    assert status == 200 and body["you"]["name"] == "Bea" and body["account"] is False
    assert get("/api/me", cookie)[1]["you"] == body["you"]
    assert Guest(SERVER, cookie=cookie).me["name"] == "Bea"
    assert rows("SELECT name FROM person WHERE id = ?", body["you"]["person"]) == [("Bea",)]


def account_renames():
    """The name is how one comes in: it needs the password, and is one's own."""
    cookie, _ = account("Carla"), account("Dora")
    assert get("/api/me", cookie)[1]["account"] is True
    assert post("/api/name", cookie, name="Ella")[0] == 403
    assert post("/api/name", cookie, name="Ella", password="wrong password")[0] == 403
    assert post("/api/name", cookie, name="dORA", password=PASSWORD)[0] == 409
    assert post("/api/name", cookie, name="Ella", password=PASSWORD)[0] == 200
    assert post("/api/enter", name="Carla", password=PASSWORD)[0] == 403
    assert post("/api/enter", name="ella", password=PASSWORD)[0] == 200
    assert post("/api/name", cookie, name="ELLA", password=PASSWORD)[0] == 200
    assert post("/api/account", SERVER.cookie("Carla"), password=PASSWORD)[0] == 200, "it is free"


LIKE_PAOLA = ("paola", "\u0420aola", "Paol\u0430", "P\u0430ol\u0430", "\uff30aola", "\u03a1aola",
              "PAOLA", "Pa0la", "Paola\ufe0f", " Paola ")


def names_that_look_alike():
    """No account and no guest can be taken for somebody's account."""
    cookie = account("Paola")
    for name in LIKE_PAOLA:
        assert post("/api/guest", name=name)[0] == 409, name
        mine = SERVER.cookie("Quinta")
        status, body, _ = post("/api/name", mine, name=name)
        assert status == 409 and body["error"]["code"] == "name-taken", (name, body)
        assert get("/api/me", mine)[1]["you"]["name"] == "Quinta"
    accounts = account("\u00c9mile"), account("Ivo")
    for name in ("\u00e9mile", "E\u0301mile", "lvo", "1vo", "IVO"):
        assert post("/api/guest", name=name)[0] == 409, name
    for name in ("Pa\u034fola", "Pa\u200bola", "Paola\u2066", "Pa\u00adola", "\u202ealoaP", "\u3164"):
        assert post("/api/guest", name=name)[0] == 400, name
    # An account may write its own name otherwise, and takes no other.
    assert post("/api/name", cookie, name="PAOLA", password=PASSWORD)[0] == 200
    assert post("/api/name", cookie, name="lvo", password=PASSWORD)[0] == 409
    assert post("/api/name", accounts[1], name="paola", password=PASSWORD)[0] == 409
    assert post("/api/name", cookie, name="Ramona", password=PASSWORD)[0] == 200
    assert post("/api/guest", name="\u0420aola")[0] == 200, "it is free again"
    # Names are kept in one form, and found by any.
    assert post("/api/guest", name="\uff33\uff41ra  Maria ")[1]["you"]["name"] == "Sara Maria"
    assert post("/api/enter", name="E\u0301mile", password=PASSWORD)[0] == 200


def accounts_take_names_from_guests():
    """Who carried the name as a guest has another one from then on."""
    first, second = SERVER.cookie("Teresa"), SERVER.cookie("T\u0435resa")
    third = account("Teresa")
    for guest in (first, second):
        you = get("/api/me", guest)[1]["you"]
        assert you["name"] == f"Guest {you['person']}", you
        wait_for(lambda: rows("SELECT name FROM person WHERE id = ?", you["person"])
                 == [(you["name"],)])
        assert post("/api/account", guest, password=PASSWORD)[0] == 200, "that one is theirs"
    assert get("/api/me", third)[1]["you"]["name"] == "Teresa"
    # The same for guests from before that was looked at, and accounts that were alike stay.
    old, other = SERVER.cookie("Ursula"), account("Vera")
    assert SERVER.stop() == 0
    db = SERVER.database()
    with db:
        db.execute("UPDATE person SET name = 'VERA' WHERE name = 'Ursula'")
        for table in ("person", "account"):
            db.execute(f"UPDATE {table} SET name = 'Ter\u0435sa' WHERE name = 'Vera'")
            db.execute(f"UPDATE {table} SET name = 'VERA' WHERE name = 'Ramona'")
    db.close()
    SERVER.start()
    you = get("/api/me", old)[1]["you"]
    assert you["name"] == f"Guest {you['person']}", you
    assert get("/api/me", other)[1]["you"]["name"] == "Ter\u0435sa"
    for name in ("Teresa", "Ter\u0435sa", "vera"):
        assert post("/api/enter", name=name, password=PASSWORD)[0] == 200, name
        assert post("/api/guest", name=name)[0] == 409


def new_password():
    """The old one is needed; every other session ends, and its WebSockets."""
    here = account("Fanny")
    there = post("/api/enter", name="Fanny", password=PASSWORD)[2]
    mine, other = Guest(SERVER, cookie=here), Guest(SERVER, cookie=there)
    new = "battery staple"
    assert post("/api/password", SERVER.cookie("Guest"), old=PASSWORD, password=new)[0] == 409
    assert post("/api/password", here, old=PASSWORD)[0] == 400
    assert post("/api/password", here, old=PASSWORD, password="short")[0] == 400
    assert post("/api/password", here, old="wrong password", password=new)[0] == 403
    status, _, here = post("/api/password", here, old=PASSWORD, password=new)
    assert status == 200
    assert other.gone() == 1008
    assert get("/api/me", there)[0] == 401 and get("/api/me", here)[0] == 200
    assert mine.must("lobby")
    assert post("/api/enter", name="Fanny", password=PASSWORD)[0] == 403
    SERVER.kill()
    SERVER.start()
    assert post("/api/enter", name="Fanny", password=PASSWORD)[0] == 403
    assert post("/api/enter", name="Fanny", password=new)[0] == 200
    assert get("/api/me", there)[0] == 401


# ---- Sessions ------------------------------------------------------------------

def sessions():
    here = account("Gina")
    tabs = [post("/api/enter", agent=f"browser {i}", name="Gina", password=PASSWORD)[2]
            for i in range(3)]
    status, body = get("/api/sessions", here)
    assert status == 200 and len(body["sessions"]) == 4, body
    assert [s["here"] for s in body["sessions"]].count(1) == 1
    names = {s["agent"]: s["session"] for s in body["sessions"]}
    assert set(names) >= {"browser 0", "browser 1", "browser 2"}, names
    assert here.split("=")[1] not in json.dumps(body)
    watched = Guest(SERVER, cookie=tabs[1])
    assert post("/api/revoke", here, session=names["browser 1"])[0] == 200
    assert watched.gone() == 1008
    assert get("/api/me", tabs[1])[0] == 401
    assert [get("/api/me", c)[0] for c in (here, tabs[0], tabs[2])] == [200] * 3
    assert post("/api/revoke", here, session=names["browser 1"])[0] == 404
    stranger = SERVER.cookie("Stranger")
    assert post("/api/revoke", stranger, session=names["browser 0"])[0] == 404
    for body in ({}, {"session": "x"}, {"session": 7}, {"others": False},
                 {"session": names["browser 0"], "others": True}):
        assert post("/api/revoke", here, **body)[0] == 400, body
    assert post("/api/revoke", here, others=True)[0] == 200
    assert [get("/api/me", c)[0] for c in (here, tabs[0], tabs[2])] == [200, 401, 401]
    assert get("/api/me", stranger)[0] == 200


def sessions_live_on():
    """One that is used is renewed; one that is not ends after 180 days."""
    server = Server(SALOTTO)
    used, idle = server.cookie("Used"), server.cookie("Idle")
    for c in (used, idle):  # who has played stays
        g = Guest(server, cookie=c)
        g.must("sit", table=g.must("create", game="doors", players=2)["table"], seat=0)
        g.close()
    assert server.stop() == 0
    now = int(time.time() * 1000)
    db = server.database()
    with db:
        db.execute("UPDATE session SET at = ?, seen = ? WHERE person = 1",
                   (now - 400 * DAY, now - 179 * DAY))
        db.execute("UPDATE session SET at = ?, seen = ? WHERE person = 2",
                   (now - 400 * DAY, now - 181 * DAY))
    db.close()
    server.start()
    assert get("/api/me", idle, server)[0] == 401
    status, headers, _ = server.request("GET", "/api/me", None, {"Cookie": used})
    assert status == 200 and "Max-Age=15552000" in headers["Set-Cookie"]
    assert headers["Set-Cookie"].startswith(used)
    wait_for(lambda: rows("SELECT person FROM session WHERE seen > ?", now - DAY,
                          server=server) == [(1,)])
    wait_for(lambda: rows("SELECT count(*) FROM session", server=server) == [(1,)])
    assert rows("SELECT name FROM person ORDER BY id", server=server) == [("Used",), ("Idle",)]
    assert server.stop() == 0


def guests_go():
    """A guest who never sat at a table goes after a week; who has an account or
    has played does not."""
    server = Server(SALOTTO)
    cookies = [server.cookie("Idler"), server.cookie("Player"), server.account("Keeper"),
               server.cookie("Fresh"), server.cookie("Last")]
    g = Guest(server, cookie=cookies[1])
    g.must("sit", table=g.must("create", game="doors", players=2)["table"], seat=0)
    g.close()
    assert server.stop() == 0
    db = server.database()
    now = int(time.time() * 1000)
    with db:
        db.execute("UPDATE session SET seen = ? WHERE person IN (1, 2, 3)", (now - 8 * DAY,))
        db.execute("UPDATE session SET seen = ? WHERE person = 4", (now - 6 * DAY,))
    db.close()
    server.start()
    def names():
        return rows("SELECT name FROM person ORDER BY id", server=server)
    wait_for(lambda: ("Idler",) not in names())
    assert names() == [("Player",), ("Keeper",), ("Fresh",), ("Last",)]
    wait_for(lambda: server.figures()["salotto_people"] == 4)
    assert [get("/api/me", c, server)[0] for c in cookies] == [401, 200, 200, 200, 200]
    assert server.stop() == 0


# ---- All about me, and deletion -------------------------------------------------

def played(cookie):
    """A table with a bot, one move made by that person."""
    g = Guest(SERVER, cookie=cookie)
    table = g.must("create", game="doors", players=2, seats=["open", "random"],
                   options={"first": 0})["table"]
    g.must("sit", table=table, seat=0, part="ab" * 32)
    news = g.hear("moved", kind="start")
    g.must("act", table=table, seq=news["seq"], action=news["legal"][0])
    return g, table, news["legal"][0]


def export():
    cookie, other = account("Hanna"), SERVER.cookie("Other")
    g, table, action = played(cookie)
    g.close()
    assert SERVER.request("GET", "/api/export")[0] == 401
    status, body = get("/api/export", cookie)
    data = body["data"]
    assert status == 200 and data["you"]["name"] == "Hanna", body
    assert data["account"][0]["name"] == "Hanna" and "secret" not in data["account"][0]
    assert len(data["session"]) == 1
    assert [(s["table"], s["seat"], s["part"]) for s in data["seats"]] == [(table, 0, "ab" * 32)]
    assert [(m["table"], m["text"]) for m in data["moves"]] == [(table, action)], data["moves"]
    text = json.dumps(data)
    assert "argon2" not in text and "seed" not in text and cookie.split("=")[1] not in text
    assert get("/api/export", other)[1]["data"]["seats"] == []


def deletion():
    """Account, sessions and name go; the game goes on with a bot, and stays."""
    cookie = account("Ida Unique")
    person = get("/api/me", cookie)[1]["you"]["person"]
    g, table, _ = played(cookie)
    watcher = Guest(SERVER, "Watcher")
    watcher.must("join", table=table)
    waiting = g.must("create", game="favor", players=3)["table"]
    g.must("sit", table=waiting, seat=1)
    db = SERVER.database()
    with db:  # a game that is over, with its rating
        db.execute("INSERT INTO result VALUES (1, 'x', 'doors', 0, 1)")
        db.execute("INSERT INTO result_seat VALUES (1, 0, ?, '', 'Ida Unique', 1, 9, 0, 0, 0, 1)",
                   (person,))
        db.execute("INSERT INTO rating VALUES ('doors', ?, '', 1500, 50, 0.06, 1, 0)", (person,))
    db.close()
    assert len(get("/api/export", cookie)[1]["data"]["result_seat"]) == 1
    assert post("/api/delete")[0] == 401
    assert post("/api/delete", cookie)[0] == 403
    assert post("/api/delete", cookie, password="wrong password")[0] == 403
    status, _, cleared = post("/api/delete", cookie, password=PASSWORD)
    assert status == 200 and cleared == "salotto="
    assert g.gone() == 1008
    assert watcher.hear("moved", kind="resign")["seats"][0]["kind"] == "bot"
    assert get("/api/me", cookie)[0] == 401
    assert post("/api/enter", name="Ida Unique", password=PASSWORD)[0] == 403
    assert [k for _, _, k, _ in SERVER.moves(waiting)] == ["open", "sit", "leave"]
    assert rows("SELECT person, name FROM result_seat WHERE n = 1") == [(person, "")]
    assert not rows("SELECT * FROM result_seat WHERE name = 'Ida Unique'")
    for name in ("session", "account", "rating"):
        assert rows(f"SELECT * FROM {name} WHERE person = ?", person) == []
    assert rows("SELECT name FROM person WHERE id = ?", person) == [("",)]
    assert not [t for t, in rows("SELECT text FROM move") if "Ida Unique" in t]
    seats = watcher.must("join", table=table)["seats"]
    assert seats[0].get("name") is None, seats
    SERVER.kill()
    SERVER.start()
    seats = Guest(SERVER).must("join", table=table)["seats"]
    assert seats[0]["kind"] == "bot" and not seats[0].get("name"), seats
    fresh = Guest(SERVER, "Fresh")
    assert fresh.me["person"] > person
    assert "Ida Unique" not in SERVER.logged()


def guest_deletion():
    cookie = SERVER.cookie("Brief")
    assert post("/api/delete", cookie)[0] == 200
    assert get("/api/me", cookie)[0] == 401
    assert not rows("SELECT * FROM person WHERE name = 'Brief'")


def closes():
    assert SERVER.stop() == 0, SERVER.logged()[-3000:]


SERVER = Server(SALOTTO)
try:
    case("a guest takes another name", guest_renames)
    case("an account takes another name, with its password", account_renames)
    case("names that look alike belong to one account", names_that_look_alike)
    case("the name of an account is no guest's", accounts_take_names_from_guests)
    case("a new password ends all other sessions", new_password)
    case("sessions are listed and revoked", sessions)
    case("sessions live while they are used, and expire", sessions_live_on)
    case("guests who never played go after a week", guests_go)
    case("export: all that is stored about me, and no secret", export)
    case("deleting an account: account and name go, games stay", deletion)
    case("a guest deletes everything", guest_deletion)
    case("the server closes in order", closes)
finally:
    if SERVER.process.poll() is None:
        SERVER.kill()
done()
