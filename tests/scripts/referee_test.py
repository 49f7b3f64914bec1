"""The referee from outside, as docs/protocol.md promises it.

    referee_test.py SALOTTO SOURCE_ROOT
"""
import json
import os
import random
import subprocess
import sys

from seen import note
from tap import case, done

SALOTTO = os.path.abspath(sys.argv[1])
DOORS = {"op": "new", "game": "doors", "players": 2, "seed": 7, "options": {"first": 0}}


class Referee:
    def __enter__(self):
        self.p = subprocess.Popen([SALOTTO, "referee"], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE)
        return self

    def __exit__(self, *_):
        self.p.stdin.close()
        self.status = self.p.wait(timeout=600)
        self.p.stdout.close()

    def raw(self, line):
        self.p.stdin.write(line if isinstance(line, bytes) else line.encode())
        self.p.stdin.write(b"\n")
        self.p.stdin.flush()
        reply = json.loads(self.p.stdout.readline())
        note("salotto referee", reply)
        return reply

    def __call__(self, op=None, **fields):
        request = dict(op) if isinstance(op, dict) else {"op": op}
        request.update(fields)
        return self.raw(json.dumps(request))

    def ok(self, *args, **fields):
        reply = self(*args, **fields)
        assert reply["ok"] is True, reply
        return reply

    def refused(self, code, *args, **fields):
        reply = self(*args, **fields)
        assert reply["ok"] is False and reply["error"]["code"] == code, reply
        assert reply["error"]["message"], reply
        return reply["error"]


def games():
    with Referee() as r:
        listed = r.ok("games")["games"]
        assert listed
        for g in listed:
            low, high = g["players"]
            assert 2 <= low <= high and isinstance(g["options"], dict)
            for option in g["options"].values():
                assert "values" in option and "default" in option
        return [g["id"] for g in listed], {g["id"]: g for g in listed}


def bad_json():
    with Referee() as r:
        for line in (b"x", b"{", b'{"op":"games",}', b"{'op':1}", b'{"a":1,"a":2}',
                     b'{"op":"\xff\xfe"}', b'{"op":"a\\u0000b"}', b"\x00",
                     b'{"op":"games"} x', b'{"n":99999999999999999999}',
                     b'{"n":-9223372036854775809}', b'{"n":1e999}',
                     b"[" * 65 + b"]" * 65, b'{"a":' * 65 + b"1" + b"}" * 65,
                     b'{"op":"\x01"}', b'"' + b"y" * 1048575 + b'"'):
            reply = r.raw(line)
            assert reply["error"]["code"] == "bad-json", (line[:60], reply)
            assert reply["error"]["rule"] is None and "id" not in reply
        assert r.raw(b'{"op":"state"}')["error"]["code"] == "no-table"


def limits():
    with Referee() as r:
        deep = "[" * 63 + "]" * 63
        assert r.raw('{"op":"games","x":%s}' % deep)["ok"]
        line = b'{"op":"games","pad":"' + b"y" * (1048576 - 23) + b'"}'
        assert len(line) == 1048576
        assert r.raw(line)["ok"]
        assert r.raw(line[:-2] + b'y"}')["error"]["code"] == "bad-json"
        assert r.raw('{"op":"games"}\r')["ok"]
    out = subprocess.run([SALOTTO, "referee"], stdout=subprocess.PIPE,
                         input=b'\n  \t \r\n{"op":"games"}\n\n{"op":"state"}')
    assert out.returncode == 0 and out.stdout.count(b"\n") == 2


def bad_requests():
    with Referee() as r:
        for line in ("1", "null", '"x"', "[]", "{}", '{"op":1}', '{"op":"dance"}',
                     '{"op":"new"}', '{"op":"new","game":7,"players":2}',
                     '{"op":"new","game":"doors"}',
                     '{"op":"new","game":"doors","players":"2"}',
                     '{"op":"new","game":"doors","players":3}',
                     '{"op":"new","game":"doors","players":2.0}',
                     '{"op":"new","game":"doors","players":18446744073709551615}',
                     '{"op":"new","game":"doors","players":2,"seed":-1}',
                     '{"op":"new","game":"doors","players":2,"seed":1.5}',
                     '{"op":"new","game":"doors","players":2,"seed":"12"}',
                     '{"op":"new","game":"doors","players":2,"options":[]}',
                     '{"op":"load"}', '{"op":"load","record":null}',
                     '{"op":"act","seat":0}', '{"op":"act","action":"end"}',
                     '{"op":"act","seat":"0","action":"end"}',
                     '{"op":"act","seat":null,"action":"end"}',
                     '{"op":"view"}', '{"op":"view","seat":"x"}',
                     '{"op":"legal"}', '{"op":"legal","seat":null}',
                     '{"op":"events","seat":0,"since":-1}',
                     '{"op":"events","seat":0,"since":"a"}'):
            reply = r.raw(line)
            assert reply["error"]["code"] == "bad-request", (line, reply)


def no_table():
    with Referee() as r:
        for request in ({"op": "state"}, {"op": "view", "seat": 0},
                        {"op": "legal", "seat": 0}, {"op": "save"},
                        {"op": "act", "seat": 0, "action": "end"},
                        {"op": "events", "seat": None}):
            r.refused("no-table", request)


def order_of_refusals():
    with Referee() as r:
        r.ok(DOORS)
        r.refused("bad-request", "act", seat=2, action="nonsense")
        r.refused("bad-request", "act", seat=-1, action="take RL")
        r.refused("bad-request", "view", seat=2)
        r.refused("bad-request", "legal", seat=99999999999)
        r.refused("not-your-turn", "act", seat=1, action="nonsense")
        r.refused("bad-action", "act", seat=0, action="nonsense")
        r.refused("bad-action", "act", seat=0, action="bid 3")
        error = r.refused("illegal", "act", seat=0, action="end")
        assert error["rule"] == "doors.turn.phase"
        assert r("legal", seat=1)["actions"] == []


def identity_is_repeated():
    with Referee() as r:
        for raw in ("7", '"a"', "null", "[1,{\"b\":[]}]", "18446744073709551615",
                    "1.50", "true", '{"id":2}', '"\\u00e8 \\" \\\\"'):
            for op in ("games", "dance", "state"):
                reply = r.raw('{"id":%s,"op":"%s"}' % (raw, op))
                assert reply["id"] == json.loads(raw), (raw, reply)
        reply = r.raw('{"op":"games","\\u0069d":5}')
        assert reply["id"] == 5


def seeds():
    with Referee() as r:
        a = r.ok(DOORS)
        assert len(a["seed"]) == 64 and int(a["seed"], 16) == 7
        b = r.ok(DOORS, seed=a["seed"])
        assert a["state"] == b["state"] and a["seed"] == b["seed"]
        big = r.ok(DOORS, seed=2**64 - 1)
        assert int(big["seed"], 16) == 2**64 - 1
        near = r.ok(DOORS, seed=2**63 - 1)
        assert int(near["seed"], 16) == 2**63 - 1 and near["state"] != big["state"]
        assert r.ok(DOORS, seed=None)["seed"] != r.ok(DOORS, seed=None)["seed"]
        assert r.refused("bad-request", DOORS, seed=[1])
        reply = r.raw('{"op":"new","game":"doors","players":2,"seed":18446744073709551616}')
        assert reply["error"]["code"] == "bad-json"


def options():
    with Referee() as r:
        for bad in ({"first": 2}, {"first": -1}, {"first": "0"}, {"first": 0.0},
                    {"first": True}, {"color": 1}, {"first": []}, {"": 1}):
            r.refused("bad-option", DOORS, options=bad)
        r.refused("no-table", "state")
        assert r.ok(DOORS, options={"first": 1})["state"]["options"] == \
            {"first": 1, "goal": "10", "memory": "on"}
        drawn = {r.ok(DOORS, options=None, seed=i)["state"]["options"]["first"]
                 for i in range(20)}
        assert drawn == {0, 1}
        r.refused("unknown-game", "new", game="chess", players=2)


def deals():
    with Referee() as r:
        r.ok(DOORS)
        before = r.ok("state")
        for bad in ({}, "x", [1], [[]], [{"hands": []}], [{"deck": "RL"}],
                    [{"deck": ["XX"]}], [{"deck": [1]}], [{"deck": [["RL"]]}],
                    [{"deck": ["BR", "BR"]}], [{"deck": ["RL"] * 4}],
                    [{"deck": ["RL", "??"]}], [{"deck": [None]}],
                    [{"identities": []}], [{"identities": ["RT"]}],
                    [{"identities": ["RT", "RT"]}], [{"identities": ["RT", "BR"]}],
                    [{"identities": ["RT", "BL", "RL"]}],
                    [{}, {"deck": ["XX"]}], [{}] * 30 + [{"nope": []}]):
            r.refused("bad-deal", DOORS, deal=bad)
        assert r.ok("state") == before
        state = r.ok(DOORS, deal=[{"identities": ["RT", "BL"],
                                   "deck": ["BR", "LT", "RL", "RL", "BT"]}])["state"]
        assert state["offer"] == ["RL", "RL", "BR", "LT"]
        assert state["identities"] == ["RT", "BL"]
        reply = r.ok("act", seat=0, action="take BR")
        assert reply["state"]["collection"] == ["BR"]
        assert [e["event"] for e in reply["events"]] == ["taken", "refilled"]
        assert reply["events"][1]["card"] == "BT"
        r.ok(DOORS, deal=None)
        r.ok(DOORS, deal=[])


def views_hide():
    with Referee() as r:
        r.ok(DOORS, deal=[{"identities": ["RT", "BL"]}])
        assert r.ok("view", seat=0)["state"]["identities"] == ["RT", "??"]
        assert r.ok("view", seat=1)["state"]["identities"] == ["??", "BL"]
        assert r.ok("view", seat=None)["state"]["identities"] == ["??", "??"]
        for seat in (0, 1, None):
            text = json.dumps([r.ok("view", seat=seat), r.ok("events", seat=seat)])
            for word in ("seed", "record", "deal\""):
                assert word not in text


def play_random(r, game, players, seed):
    """Plays a whole game at random; checks each reply on the way."""
    rng = random.Random(seed)
    state = r.ok("new", game=game, players=players, seed=seed)["state"]
    actions, events = [], len(r.ok("events", seat=None)["events"])
    while not state["over"]:
        assert state["to_act"] and state["winners"] == []
        seat = rng.choice(state["to_act"])
        legal = r.ok("legal", seat=seat)["actions"]
        action = rng.choice(legal)
        reply = r.ok("act", seat=seat, action=action)
        actions.append([seat, action])
        for n, event in enumerate(reply["events"], events):
            assert event["n"] == n
        events += len(reply["events"])
        state = reply["state"]
        assert state["log_length"] == len(actions)
    return state, actions


def whole_game(game, players):
    with Referee() as r:
        state, actions = play_random(r, game, players, players)
        assert state["winners"] and state["phase"] == "over"
        for seat in range(players):
            assert r.ok("legal", seat=seat)["actions"] == []
        r.refused("game-over", "act", seat=0, action="nonsense")
        r.refused("bad-request", "act", seat=players, action="nonsense")
        everything = r.ok("state")["state"]
        assert r.ok("view", seat=None)["state"] == everything
        record = r.ok("save")["record"]
        assert record["actions"] == actions
        stream = r.ok("events", seat=None)["events"]
        assert r.ok("events", seat=None, since=len(stream))["events"] == []
        assert r.ok("events", seat=None, since=10**15)["events"] == []
        assert r.ok("events", seat=None, since=3)["events"] == stream[3:]
        assert stream[-1]["event"] == "game_over"
        r.ok("new", game=game, players=players, seed=1)
        assert r.ok("load", record=record)["state"] == everything
        assert r.ok("events", seat=None)["events"] == stream


def load_refuses():
    with Referee() as r:
        r.ok(DOORS)
        action = r.ok("legal", seat=0)["actions"][0]
        r.ok("act", seat=0, action=action)
        good = r.ok("save")["record"]
        before = r.ok("state")

        def broken(**change):
            record = dict(good)
            record.update(change)
            return {k: v for k, v in record.items() if v is not ...}
        for bad in (1, "x", [], {}, broken(game="chess"), broken(game=...),
                    broken(players=7), broken(players=...), broken(seed="zz"),
                    broken(seed=...), broken(options=3), broken(options={"x": 1}),
                    broken(deal=7), broken(deal=[{"x": 1}]), broken(actions=...),
                    broken(actions=7), broken(actions=[1]), broken(actions=[[0]]),
                    broken(actions=[["0", "take RL"]]), broken(actions=[[0, "end"]]),
                    broken(actions=[[9, "end"]]), broken(actions=[[0, "xyzzy"]]),
                    broken(actions=good["actions"] * 2)):
            r.refused("bad-record", "load", record=bad)
            assert r.ok("state") == before, bad
        r.ok("load", record=good)


def deals_go_on_after_load():
    deal = [{"identities": ["RT", "BL"], "deck": ["RL", "RL", "BL", "BL", "RT"]},
            {"identities": ["BT", "RL"], "deck": ["BR", "LT", "RL", "RL"]}]
    with Referee() as r:
        r.ok(DOORS, deal=deal)
        r.ok("act", seat=0, action="take RL")
        record = r.ok("save")["record"]
        r.ok(DOORS, seed=3)
        r.ok("load", record=record)
        r.ok("act", seat=1, action="discard RT")
        state = r.ok("act", seat=1, action="guess tiger")["state"]
        assert state["identities"] == ["BT", "RL"]
        assert state["offer"] == ["RL", "RL", "BR", "LT"]


def quits():
    with Referee() as r:
        assert r.raw('{"op":"quit","id":4}') == {"ok": True, "id": 4}
        assert r.p.wait(timeout=600) == 0
    with Referee() as r:
        r.ok("games")
    assert r.status == 0


def ahead():
    lines = b"".join(b'{"op":"state","id":%d}\n' % i for i in range(2000))
    out = subprocess.run([SALOTTO, "referee"], input=lines, stdout=subprocess.PIPE)
    ids = [json.loads(line)["id"] for line in out.stdout.splitlines()]
    assert ids == list(range(2000))


def garbage():
    rng = random.Random(5)
    lines = []
    seeds = [json.dumps(DOORS), '{"op":"act","seat":0,"action":"take RL"}',
             '{"op":"load","record":{}}', '{"op":"events","seat":null,"since":0}']
    for _ in range(3000):
        line = bytearray(rng.choice(seeds).encode())
        for _ in range(rng.randrange(4)):
            line[rng.randrange(len(line))] = rng.randrange(256)
        lines.append(bytes(line).replace(b"\n", b"?"))
    out = subprocess.run([SALOTTO, "referee"], input=b"\n".join(lines),
                         stdout=subprocess.PIPE)
    assert out.returncode == 0
    assert len(out.stdout.splitlines()) == len(lines)
    for line in out.stdout.decode("utf-8").splitlines():
        json.loads(line)


def several_tables():
    with Referee() as r:
        r.ok(DOORS)
        r.ok("new", game="favor", players=3, seed=1, table="a")
        r.ok("new", game="traps", players=4, seed=1, table="b")
        assert [r.ok("state", **t)["state"]["game"] for t in ({}, {"table": "a"}, {"table": "b"})] == \
            ["doors", "favor", "traps"]
        r.refused("no-table", "state", table="c")
        for bad in ("", "x" * 41, 7, []):
            r.refused("bad-request", "state", table=bad)
        r.ok("close", table="a")
        r.refused("no-table", "state", table="a")
        for i in range(62):
            r.ok(DOORS, table=str(i))
        r.refused("bad-request", DOORS, table="one too many")
        r.ok("close")
        r.refused("no-table", "state")
        assert r.ok("state", table="61")["state"]["game"] == "doors"
        record = r.ok("save", table="b")["record"]
        assert r.ok("load", record=record, table="0")["state"]["game"] == "traps"


def one_round_trip():
    """`for` tells a seat its own view and choices, and nothing more."""
    with Referee() as r:
        r.ok(DOORS, deal=[{"identities": ["RT", "BL"]}])
        action = r.ok("legal", seat=0)["actions"][0]
        reply = r("act", seat=0, action=action, **{"for": 1})
        assert reply["ok"] and reply["state"] == r.ok("view", seat=1)["state"]
        assert reply["state"]["identities"] == ["??", "BL"]
        assert reply["actions"] == r.ok("legal", seat=1)["actions"] != []
        reply = r("act", seat=1, action=reply["actions"][0], **{"for": None})
        assert reply["actions"] == [] and reply["state"] == r.ok("view", seat=None)["state"]
        r.refused("bad-request", "act", seat=1, action="end", **{"for": 2})
        r.refused("bad-request", "act", seat=1, action="end", **{"for": "x"})


def undo():
    with Referee() as r:
        r.ok("new", game="favor", players=2, seed=1, options={"first": 0})
        before = r.ok("state")["state"]
        r.refused("no-undo", "undo", seat=0)
        r.ok("act", seat=0, action="auction")
        r.refused("no-undo", "undo", seat=1)
        reply = r.ok("undo", seat=0)
        assert reply["state"] == before and reply["events"][-1]["event"] == "undone"
        r.refused("bad-request", "undo", seat=2)


def asks_bots(game, players):
    with Referee() as r:
        state = r.ok("new", game=game, players=players, seed=3)["state"]
        seat = state["to_act"][0]
        legal = r.ok("legal", seat=seat)["actions"]
        for level in ("random", "novice", "regular", "expert"):
            asked = {"seat": seat, "level": level, "simulations": 20, "luck": 5, "policy": True}
            reply = r.ok("bot", **asked)
            assert reply["action"] in legal
            assert [p["action"] for p in reply["policy"]] == legal
            assert abs(sum(p["chance"] for p in reply["policy"]) - 1) < 1e-3
            assert r.ok("bot", **asked) == reply, "the same luck, the same answer"
        assert r.ok("state")["state"] == state
        assert "regular" in r.refused("bad-request", "bot", seat=seat, level="god")["message"]
        r.refused("bad-request", "bot", seat=seat, level="novice", simulations=0)
        other = [s for s in range(players) if s not in state["to_act"]]
        if other:
            r.refused("not-your-turn", "bot", seat=other[0], level="novice")


def samples(game, players):
    """Worlds show the seat what the table shows it."""
    with Referee() as r:
        r.ok("new", game=game, players=players, seed=3)
        for _ in range(4):
            seat = r.ok("state")["state"]["to_act"][0]
            r.ok("act", seat=seat, action=r.ok("legal", seat=seat)["actions"][0])
        for seat in [None, *range(players)]:
            view = r.ok("view", seat=seat)["state"]
            worlds = r.ok("sample", seat=seat, count=8, luck=2)["worlds"]
            assert 1 <= len(worlds) <= 8 and abs(sum(w["weight"] for w in worlds) - 1) < 1e-3
            for w in worlds:
                assert_fits(view, w["state"])
        r.refused("bad-request", "sample", seat=0, count=33)
        r.refused("bad-request", "sample", seat=0, count="x")


def assert_fits(seen, world):
    """Wherever something is seen it is the same; hidden cards are some card."""
    if isinstance(seen, dict):
        for key, value in seen.items():
            assert_fits(value, world[key])
    elif isinstance(seen, list) and "??" not in seen:
        assert len(seen) == len(world)
        for a, b in zip(seen, world):
            assert_fits(a, b)
    elif isinstance(seen, list):
        assert len(seen) == len(world) and "??" not in world
    elif seen is not None and seen != "??":
        assert seen == world, (seen, world)


def tensors():
    with Referee() as r:
        r.ok(DOORS)
        reply = r.ok("tensor", seat=0)
        assert len(reply["observation"]) == 78 and len(reply["information"]) == 742
        assert reply["information"][:78] == reply["observation"]
        assert len(reply["actions"]) == len(set(reply["numbers"])) == len(reply["numbers"])
        other = r.ok("tensor", seat=1)
        assert other["actions"] == [] and other["observation"] != reply["observation"]
        assert "numbers" not in r.ok("tensor", seat=None)
        packed = r.ok("view", seat=0, packed=True)["packed"]
        assert packed.split(":")[1] == "doors" and "packed" not in r.ok("view", seat=0)


def court_in_force():
    with Referee() as r:
        r.ok("new", game="louis", players=2, seed=1)
        court = r.ok("options")["files"]["court"]
        assert len(court["tiles"]) == 12
        court["tiles"][0]["red"]["n"] = 5
        r.ok("new", game="louis", players=2, seed=1, options={"court": json.dumps(court)})
        got = r.ok("options")
        assert got["options"]["court"] == "given"
        assert got["files"]["court"]["tiles"][0]["red"]["n"] == 5
        r.ok(DOORS)
        assert r.ok("options")["files"] == {}


def helpful():
    with Referee() as r:
        for request, words in (
                ({**DOORS, "players": 5}, "Doors is for 2 players, not 5."),
                ({**DOORS, "players": 10**9}, "Doors is for 2 players."),
                ({**DOORS, "game": "favor", "players": 9}, "Favor is for 2 to 4 players"),
                ({**DOORS, "game": "chess"}, "games"),
                ({**DOORS, "options": {"first": "0"}}, "The option first is the number of a seat."),
                ({**DOORS, "options": {"goal": 5}}, "The option goal is a text."),
                ({"op": "load", "record": {"version": 2, "seed": 1}}, "reads version 1")):
            reply = r(request)
            assert reply["ok"] is False and words in reply["error"]["message"], reply
        for line, words in (("{", "ends too early"), ('{"a":1,"a":2}', "stands twice"),
                            ('{"op":"a"} x', "follows after"), ("x", "does not belong")):
            message = r.raw(line)["error"]["message"]
            assert words in message and "token" not in message, message


case("games lists every game", games)
case("several tables, each by its name", several_tables)
case("act answers for a seat in one round trip", one_round_trip)
case("undo", undo)
case("a position as numbers, and packed", tensors)
case("the court in force", court_in_force)
case("refusals say what to do, in our own words", helpful)
for name, players in (("doors", 2), ("favor", 3), ("traps", 2), ("louis", 2)):
    case(f"{name}: asks bots", asks_bots, name, players)
    case(f"{name}: samples worlds", samples, name, players)
case("bad-json for whatever is not JSON", bad_json)
case("lines to 1 MiB and 64 levels are read", limits)
case("bad-request for what has the wrong shape", bad_requests)
case("no-table before the first new", no_table)
case("refusals in their order", order_of_refusals)
case("the id is repeated as it was", identity_is_repeated)
case("seeds are numbers or hex and make the same table again", seeds)
case("options are checked", options)
case("deals are checked and used", deals)
case("views hide what the seat may not see", views_hide)
case("load refuses what is not sound and keeps the table", load_refuses)
case("a loaded table goes on with its deal", deals_go_on_after_load)
case("quit and the end of input", quits)
case("requests may be sent ahead", ahead)
case("random damage never crashes it", garbage)
for name, info in games()[1].items():
    for count in range(info["players"][0], info["players"][1] + 1):
        case(f"{name}: a whole game of {count}, saved and loaded",
             whole_game, name, count)
done()
