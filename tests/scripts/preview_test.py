"""What links to the pages show where they are shared: title, words, picture.

    preview_test.py SALOTTO SOURCE_ROOT
"""
import html
import os
import re
import struct
import subprocess
import sys
import time

from parlour import PASSWORD, Guest, Server
from tap import case, done

SALOTTO = os.path.abspath(sys.argv[1])
PUBLIC = "https://games.example"
SERVER = Server(SALOTTO, "--public-url", PUBLIC)
SERVER.origin = PUBLIC


def preview(path, lang="en"):
    """The tags of a page, by their names; and its title as "title"."""
    status, head, page = SERVER.request("GET", path, None, {"Accept-Language": lang})
    assert status == 200 and "Accept-Language" in head["Vary"], (status, head)
    tags = re.findall(r'<meta (?:property|name)="([\w:]+)" content="([^"]*)" />', page)
    titles = re.findall(r"<title>(.*?)</title>", page)
    assert len(titles) == 1 and len(tags) == len({k for k, _ in tags if k != "theme-color"}), (titles, tags)
    return {"title": html.unescape(titles[0]), **{k: html.unescape(v) for k, v in tags}}


def table(guest, game="doors", **more):
    return guest.must("create", game=game, players=2, **more)["table"]


def check_invitation():
    anna = Guest(SERVER, "Anna <b>&\"Co")
    t = table(anna, listed=False)
    anna.must("sit", table=t, seat=0)
    got = preview(f"/t/{t}?key=abc")
    assert got["title"] == got["og:title"] == "Anna <b>&\"Co invites you to Doors", got
    assert got["og:url"] == f"{PUBLIC}/t/{t}", got
    assert got["og:image"] == f"{PUBLIC}/previews/doors.png", got
    assert got["description"] == got["og:description"] and "collect" in got["description"], got
    it = preview(f"/t/{t}", "fr, it-IT;q=0.9, en;q=0.3")
    assert it["og:title"] == "Anna <b>&\"Co ti invita a Doors", it
    assert it["og:description"] != got["og:description"], it
    assert preview(f"/t/{t}", "it;q=0.2, en-GB")["og:title"] == got["og:title"]
    raw = SERVER.request("GET", f"/t/{t}")[2]
    assert "<b>" not in raw and '&"' not in raw, raw
    # Once they play it is nobody's invitation any more, and says nothing of the game's course.
    bruno = Guest(SERVER, "Bruno")
    bruno.must("sit", table=t, seat=1)
    anna.hear("moved", kind="start")
    first = preview(f"/t/{t}")
    assert first["title"] == "A game of Doors" and "Anna" not in str(first), first
    anna.must("resign", table=t)
    over = preview(f"/t/{t}")
    assert over == first, over


def check_ended_table():
    anna, bruno = Guest(SERVER, "Carla"), Guest(SERVER, "Dario")
    t = table(anna, spectators=False)
    anna.must("sit", table=t, seat=0)
    bruno.must("sit", table=t, seat=1)
    anna.hear("moved", kind="start")
    anna.must("resign", table=t)
    anna.hear("result")
    subprocess.run([SALOTTO, "admin", "close", t, "--data", os.path.join(SERVER.folder, "data")],
                   check=True, stdout=subprocess.DEVNULL)
    while SERVER.read(f"/api/table/{t}")[0] == 200:
        time.sleep(0.05)
    for path in (f"/t/{t}", f"/replay/{t}?step=3"):
        got = preview(path)
        assert got["og:title"] == "Replay of Doors" and "previews/doors.png" in got["og:image"], got
        assert "Carla" not in str(got) and "Dario" not in str(got), got
    assert preview("/replay/" + "a" * 16)["og:title"] == "Salotto"


def check_other_pages():
    for path, title, picture in (
            ("/", "Salotto", "salotto"), ("/rules/traps", "Rules of Traps", "traps"),
            ("/learn/favor", "Learn Favor by playing", "favor"), ("/new/louis", "Louis XIV", "louis"),
            ("/problems/traps/3", "Problems of Traps", "traps"),
            ("/play/doors?id=1", "Doors", "doors"), ("/leaders/doors", "Leaderboard of Doors", "doors"),
            ("/rules/none", "Salotto", "salotto"), ("/t/short", "Salotto", "salotto"), ("/me", "Salotto", "salotto"),
            ('/rules/"><script>', "Salotto", "salotto")):
        got = preview(path)
        assert got["og:title"] == title, (path, got)
        assert got["og:image"] == f"{PUBLIC}/previews/{picture}.png", (path, got)
    assert preview("/rules/doors", "it")["og:title"] == "Regole di Doors"


def check_pictures():
    import http.client
    for name in ("doors", "favor", "traps", "louis", "salotto"):
        c = http.client.HTTPConnection("127.0.0.1", SERVER.port)
        c.request("GET", f"/previews/{name}.png")
        r = c.getresponse()
        body = r.read()
        c.close()
        assert r.status == 200 and r.getheader("Content-Type") == "image/png", name
        assert r.getheader("Cross-Origin-Resource-Policy") == "cross-origin"
        assert body[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", body[16:24]) == (1200, 630), name
    assert SERVER.request("GET", "/")[1]["Cross-Origin-Resource-Policy"] == "same-origin"


case("an invitation names who invites and the game, in the reader's language", check_invitation)
case("a table that has ended is a replay of its game, and names nobody", check_ended_table)
case("other pages say what they are about", check_other_pages)
def check_profile():
    anna = Guest(SERVER, "Livia")
    path = f"/p/{anna.me['person']}"
    assert preview(path)["og:title"] == "Salotto", "a guest has no profile"
    assert SERVER.post("/api/account", anna.cookie, password=PASSWORD)[0] == 200
    assert preview(path)["og:title"] == "Livia plays at Salotto"
    assert preview("/p/x")["og:title"] == preview("/p/999999")["og:title"] == "Salotto"


case("a profile names its owner, who has an account", check_profile)
case("the pictures are there, and other sites may show them", check_pictures)
SERVER.stop()
done()
