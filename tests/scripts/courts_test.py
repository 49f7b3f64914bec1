"""Court files of Louis XIV: handed in, checked, played with, shown and verified.

    courts_test.py SALOTTO SOURCE_ROOT
"""
import json
import os
import subprocess
import sys
import tempfile

from parlour import Guest, Server
from tap import case, done

SALOTTO, TOP = os.path.abspath(sys.argv[1]), sys.argv[2]
SERVER = Server(SALOTTO, "--pace", "5000")
with open(os.path.join(TOP, "src/games/court.json"), encoding="utf-8") as f:
    BUILT_IN = f.read()


def other(rounds=1, **more):
    """A court of one's own, as a file that people write."""
    court = json.loads(BUILT_IN)
    court["setup"]["rounds"] = rounds
    court["setup"]["gold"] = 9
    court["tiles"][4]["name"] = "Madame de Paris"
    court.update(more)
    return json.dumps(court, indent=1)


def hand_in(cookie, text, lang="en"):
    status, _, body = SERVER.request("POST", "/api/court", text.encode(),
                                     {"Cookie": cookie, "Accept-Language": lang, "Content-Type": "text/plain"})
    return status, json.loads(body)


def check_faults():
    anna = Guest(SERVER, "Anna").cookie
    assert hand_in("", other())[0] == 401
    status, got = hand_in(anna, '{\n "counts": {},\n "setup": oops\n}')
    assert status == 400 and "line 3" in got["error"]["message"], got
    text = other()
    broken = text.replace('"rounds": 1', '"rounds": 99')
    line = next(i for i, row in enumerate(broken.split("\n"), 1) if '"rounds"' in row)
    status, got = hand_in(anna, broken)
    assert status == 400 and got["error"]["code"] == "bad-option", got
    assert f"line {line}, setup.rounds: " in got["error"]["message"], got
    assert f"riga {line}, setup.rounds: " in hand_in(anna, broken, "it")[1]["error"]["message"]
    court = json.loads(text)
    court["tiles"][2]["red"]["type"] = "steal"
    court["missions"][3]["cost"][1] = "purse"
    broken = json.dumps(court, indent=1)
    rows = broken.split("\n")
    told = hand_in(anna, broken)[1]["error"]["message"].split("\n")
    lines = [next(i for i, row in enumerate(rows, 1) if word in row) for word in ("steal", "purse")]
    assert told[0].startswith(f"line {lines[0]}, tiles[2].red.type: "), told
    assert any(t.startswith(f"line {lines[1]}, missions[3].cost") for t in told), told
    assert hand_in(anna, "")[0] == 400 and hand_in(anna, "[]")[0] == 400
    assert hand_in(anna, other() + "\0")[0] == 400
    assert SERVER.request("POST", "/api/court", " " * 40000, {"Cookie": anna})[0] == 413
    assert SERVER.request("POST", "/api/face", " " * 10000, {"Cookie": anna})[0] == 413, "only for courts"
    # As long as may be, and one byte more.
    for where, most in (("/api/court", 32768), ("/api/face", 4096)):
        for longer in (0, 1):
            status = SERVER.request("POST", where, " " * (most + longer), {"Cookie": anna})[0]
            assert (status == 413) == bool(longer), (where, longer, status)


def play(table, guests):
    """Plays it to its end: everybody takes the first choice."""
    last = [g.must("join", table=table) for g in guests]
    while not last[0]["state"]["over"]:
        n = next(i for i, m in enumerate(last) if m.get("legal"))
        seq = guests[n].must("act", table=table, seq=last[n]["seq"], action=last[n]["legal"][0])["seq"]
        last = [g.hear("moved", table=table, seq=seq) for g in guests]
    return last


def check_table():
    anna, bruno = Guest(SERVER, "Bea"), Guest(SERVER, "Ciro")
    status, got = hand_in(anna.cookie, other())
    assert status == 200 and len(got["court"]) == 16, got
    court = got["court"]
    assert hand_in(bruno.cookie, json.dumps(json.loads(other())))[1]["court"] == court, "the same, written otherwise"
    plan = {"game": "louis", "players": 2, "options": {"court": court}}
    for more in ({"listed": True}, {"rated": True}):
        assert anna.code("create", **plan, **more) == "bad-request", more
    for wrong in ("0" * 16, "/etc/passwd", BUILT_IN[:200], 3, {}):
        assert anna.code("create", **{**plan, "options": {"court": wrong}}) == "bad-option", wrong
    made = anna.must("create", **plan)
    table = made["table"]
    assert not made["listed"] and not made["rated"], made
    assert made["options"]["court"]["setup"]["rounds"] == 1, made["options"]
    assert made["options"]["court"]["tiles"][4]["name"] == "Madame de Paris"
    assert table not in json.dumps(anna.must("lobby"))
    anna.must("sit", table=table, seat=0)
    bruno.must("sit", table=table, seat=1)
    anna.hear("moved", kind="start", table=table)
    state = bruno.must("join", table=table)["state"]
    assert state["gold"] == [9, 9], state["gold"]
    # It is there again after the server fell, and so are the games that are over.
    SERVER.kill()
    SERVER.start()
    anna, bruno = Guest(SERVER, cookie=anna.cookie), Guest(SERVER, cookie=bruno.cookie)
    again = anna.must("join", table=table)
    assert again["options"] == made["options"] and again["state"]["gold"] == [9, 9], again
    last = play(table, [anna, bruno])
    assert last[0]["state"]["round"] == 1, last[0]["state"]
    result = anna.hear("result", table=table)
    assert not result["rated"], result
    shown = json.loads(SERVER.read(f"/api/replay/{table}?seat=0", {"Cookie": anna.cookie})[2])
    assert shown["table"]["options"] == made["options"] and shown["steps"][-1]["state"]["over"], shown["table"]
    record = SERVER.read(f"/api/record/{table}", {"Cookie": anna.cookie})[2]
    assert "Madame de Paris" in record
    with tempfile.NamedTemporaryFile("w", suffix=".salotto") as out:
        out.write(record)
        out.flush()
        told = subprocess.run([SALOTTO, "verify", out.name], capture_output=True, text=True,
                              env=dict(os.environ, LANGUAGE="en"), check=False)
        assert told.returncode == 0 and "every action follows the rules" in told.stdout, told
    told = subprocess.run([SALOTTO, "admin", "check", "--data", os.path.join(SERVER.folder, "data")],
                          capture_output=True, text=True, check=False)
    assert told.returncode == 0, told
    # The rematch is played with the same court.
    anna.must("rematch", table=table)
    next_ = bruno.hear("rematch", table=table)["next"]
    assert bruno.must("join", table=next_)["options"] == made["options"]


def check_limits():
    guest = Guest(SERVER, "Dino")
    statuses = [hand_in(guest.cookie, other(gold=i) if i else "x")[0] for i in range(30)]
    assert 429 in statuses and statuses[0] == 400, statuses
    db = SERVER.database()
    with db:
        db.executemany("INSERT INTO court VALUES (?, '{}', 0)", [(f"{i:016x}",) for i in range(1000)])
    other_ = Guest(SERVER, "Elio")
    status, got = hand_in(other_.cookie, other(rounds=3))
    assert status == 503 and got["error"]["code"] == "full", got
    with db:
        db.execute("DELETE FROM court WHERE text = '{}'")
    db.close()
    assert hand_in(other_.cookie, other(rounds=3))[0] == 200


case("what is wrong with a file is told with its lines, in both languages", check_faults)
case("a private table with its own court, over a restart, replayed and verified", check_table)
case("files are limited, for each person and in all", check_limits)
SERVER.stop()
done()
