"""What people and administrators can do about others: reports with the chat of
the table, mute, name reset; all of it through salotto admin, and logged.

    moderation_test.py SALOTTO SOURCE_ROOT
"""
import json
import os
import re
import subprocess
import sys

from parlour import CAP, PASSWORD, Guest, Server, wait_for
from tap import case, done

SALOTTO = os.path.abspath(sys.argv[1])


def admin(*args, lang="en", server=None):
    return subprocess.run(
        [SALOTTO, "admin", "--data", os.path.join((server or SERVER).folder, "data"), *args],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=CAP,
        env=dict(os.environ, LANGUAGE=lang))


def done_by(*args, **more):
    got = admin(*args, **more)
    assert got.returncode == 0, got
    return got.stdout


def meeting(*names):
    """A table with those people at it."""
    people = [Guest(SERVER, n) for n in names]
    table = people[0].must("create", game="favor", players=4)["table"]
    for seat, g in enumerate(people):
        if seat:
            g.must("join", table=table)
        g.must("sit", table=table, seat=seat)
    return table, people


def rows(sql, *values):
    db = SERVER.database()
    try:
        return db.execute(sql, values).fetchall()
    finally:
        db.close()


def may_chat(guest, table):
    return guest.ask("chat", table=table, text="hello")["op"] == "done"


# ---- Reports -------------------------------------------------------------------

def report():
    """A report has who, about whom, why, and what was said at the table, before
    and after; other tables' chat is not kept."""
    table, (anna, bea) = meeting("Anna", "Bea Rude")
    quiet, (carla, _) = meeting("Carla", "Dora")
    carla.must("chat", table=quiet, text="nothing to see")
    bea.must("chat", table=table, text="you play like a fool")
    anna.hear("said")
    assert not rows("SELECT * FROM chat"), "what nobody reports is not kept"
    anna.must("report", table=table, person=bea.me["person"], text="insults")
    bea.must("chat", table=table, text="and I say it again")
    wait_for(lambda: len(rows("SELECT * FROM chat")) == 2)
    listed = done_by("list", "reports")
    assert "Bea Rude" in listed and "insults" in listed, listed
    number = re.search(r"^ *(\d+) ", listed, re.M).group(1)
    text = done_by("report", number)
    for word in ("Anna", "Bea Rude", "insults", "you play like a fool", "and I say it again",
                 table[:6]):
        assert word in text, (word, text)
    assert "nothing to see" not in text
    italian = done_by("report", number, lang="it")
    assert "you play like a fool" in italian and italian != text
    done_by("resolve", number)
    assert "insults" not in done_by("list", "reports")
    assert admin("resolve", number).returncode == 1
    assert admin("report", "999").returncode == 1
    assert not [e for e in SERVER.logged().splitlines() if "fool" in e or "insults" in e]


def report_is_checked():
    table, (anna, bea) = meeting("Anna", "Bea")
    stranger = Guest(SERVER, "Stranger")
    assert stranger.code("report", table=table, person=bea.me["person"],
                         text="x") == "not-allowed"
    assert anna.code("report", table=table, person=bea.me["person"]) == "bad-request"
    assert anna.code("report", table=table, person=bea.me["person"],
                     text="x" * 301) == "bad-request"
    assert anna.code("report", table=table, person="Bea", text="x") == "bad-request"
    assert anna.code("report", table=table, person=anna.me["person"],
                     text="me") == "bad-request"
    assert anna.code("report", table=table, person=999999, text="x") == "bad-request"
    codes = [anna.ask("report", table=table, person=bea.me["person"], text="again").get("code")
             for _ in range(12)]
    assert codes[0] is None and codes[-1] == "slow-down", codes


# ---- Mute, names ---------------------------------------------------------------

def mute():
    table, (_, bea) = meeting("Anna", "Bea")
    assert may_chat(bea, table)
    who = str(bea.me["person"])
    assert "Muted" in done_by("mute", who, "--why", "spam")
    wait_for(lambda: bea.ask("chat", table=table, text="let me").get("code") == "muted")
    bea.must("lobby")  # they may play on
    assert "spam" in done_by("list", "mutes")
    SERVER.kill()
    SERVER.start()
    bea.connect()
    bea.must("join", table=table)
    wait_for(lambda: bea.ask("chat", table=table, text="hello").get("code") == "muted")
    done_by("unmute", who)
    wait_for(lambda: may_chat(bea, table))
    assert admin("unmute", who).returncode == 1
    assert admin("mute", "nobody of that name").returncode == 1


def name_reset():
    """A name that nobody should have to read is gone everywhere, for guests and for
    accounts, at once and after a restart."""
    table, (anna, bea) = meeting("Anna", "Vile Name")
    person = bea.me["person"]
    assert SERVER.post("/api/account", bea.cookie, password=PASSWORD)[0] == 200
    done_by("reset-name", "Vile Name", "--why", "offensive")
    new = f"Guest {person}"
    wait_for(lambda: anna.must("join", table=table)["seats"][1]["name"] == new)
    wait_for(lambda: SERVER.post("/api/enter", name=new, password=PASSWORD)[0] == 200)
    assert SERVER.post("/api/enter", name="Vile Name", password=PASSWORD)[0] == 403
    assert "Vile Name" not in done_by("list", "people")
    assert not [t for t, in rows("SELECT text FROM move") if "Vile Name" in t]
    SERVER.kill()
    SERVER.start()
    assert Guest(SERVER).must("join", table=table)["seats"][1]["name"] == new


def all_is_logged():
    log = done_by("list", "log")
    for word in ("mute", "unmute", "reset-name", "resolve", "spam", "offensive"):
        assert word in log, (word, log)
    # Also what is done as soon as the server is open, and nothing from before twice.
    SERVER.kill()
    SERVER.start()
    done_by("ban", "192.0.2.7", "--why", "floods")
    done_by("unban", "192.0.2.7")
    log = done_by("list", "log")
    assert log.count("192.0.2.7") == 2 and "floods" in log, log
    wait_for(lambda: '"act":"unban"' in SERVER.logged())
    told = [json.loads(t) for t in SERVER.logged().splitlines() if '"admin"' in t]
    assert [e["act"] for e in told if e.get("who") == "192.0.2.7"] == ["ban", "unban"], told
    assert [e.get("act") for e in told].count("resolve") == 1, told
    assert {"mute", "unmute", "reset-name", "ban"} <= {e.get("act") for e in told}, told


def in_a_closed_server():
    """All of it without a server."""
    assert SERVER.stop() == 0
    done_by("mute", "1", "--why", "later")
    done_by("reset-name", "1")
    done_by("unmute", "1")
    assert "Guest 1" in done_by("list", "people")


SERVER = Server(SALOTTO)
try:
    case("a report has the chat of its table", report)
    case("who may report, and what", report_is_checked)
    case("whoever is muted plays on in silence", mute)
    case("a name is reset everywhere", name_reset)
    case("all that was done is logged", all_is_logged)
    case("it works in a closed server", in_a_closed_server)
finally:
    if SERVER.process.poll() is None:
        SERVER.kill()
done()
