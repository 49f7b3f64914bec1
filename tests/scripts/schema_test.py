"""What `salotto schema` prints: the pages' types are made of it, and what is said fits it. Messages
are held against it by parlour.py, in every test with a server.

    schema_test.py SALOTTO SOURCE_ROOT
"""
import json
import os
import random
import subprocess
import sys

from shapes import message_problem, problem
from tap import case, done

SALOTTO, TOP = os.path.abspath(sys.argv[1]), sys.argv[2]
PRINTED = subprocess.run([SALOTTO, "schema"], check=True, stdout=subprocess.PIPE).stdout
SCHEMA = json.loads(PRINTED)


def types_are_fresh():
    made = subprocess.run([os.path.join(TOP, "tools", "types")], input=PRINTED, check=True,
                          stdout=subprocess.PIPE).stdout.decode()
    with open(os.path.join(TOP, "web", "src", "schema.ts"), encoding="utf-8") as f:
        kept = f.read()
    for old, new in zip(kept.splitlines(), made.splitlines()):
        assert old == new, f"build/salotto schema | tools/types >web/src/schema.ts:\n{old}\n{new}"
    assert kept == made


def play(game, players, seed):
    """A game by the referee, at random; every state and event that a seat is told."""
    rng = random.Random(seed)
    referee = subprocess.Popen([SALOTTO, "referee"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(op, **more):
        referee.stdin.write(json.dumps({"op": op, **more}).encode() + b"\n")
        referee.stdin.flush()
        answer = json.loads(referee.stdout.readline())
        assert answer["ok"], answer
        return answer

    ask("new", game=game, players=players, seed=seed)
    told = 0
    while True:
        viewer = rng.randrange(players)
        yield "state", (state := ask("view", seat=viewer)["state"])
        events = ask("events", seat=viewer, since=told)
        yield from (("event", e) for e in events["events"])
        told += len(events["events"])
        if state["over"]:
            break
        seat = rng.choice(state["to_act"])
        ask("act", seat=seat, action=rng.choice(ask("legal", seat=seat)["actions"]))
    referee.stdin.close()
    assert referee.wait() == 0
    referee.stdout.close()


def facts_fit(game):
    shape = SCHEMA["games"][game]
    low, high = {"doors": (2, 2), "favor": (2, 4), "traps": (2, 6), "louis": (2, 4)}[game]
    count = 0
    for players in (low, high):
        for what, value in play(game, players, 1000 + players):
            of = shape["state"] if what == "state" else shape["events"].get(value["event"])
            assert of, f"the event {value['event']} is not known"
            assert not (found := problem(of, value, what)), found
            count += 1
    assert count > 20


def misfits_are_found():
    shape = {"a": "int", "b?": ["string|null"], "c": {"|": [{"*": "real"}, "null"]}}
    for value in ({"a": 1, "c": None}, {"a": 1, "b": ["x", None], "c": {"x": 1.5}}):
        assert problem(shape, value) is None
    for value in (7, {"c": None}, {"a": True, "c": None}, {"a": 1.5, "c": None},
                  {"a": 1, "b": "x", "c": None}, {"a": 1, "b": [1], "c": None},
                  {"a": 1, "c": {"x": "y"}}, {"a": 1, "c": None, "d": 1}):
        assert problem(shape, value), value
    assert problem("'x'|'y'", "z") and not problem("'x'|'y'", "y")
    left = {"op": "left", "table": "t"}
    assert message_problem(SCHEMA["messages"], left) is None
    for message in ({"op": "gone"}, {"op": "left"}, {**left, "why": "x"}, {**left, "table": 1}):
        assert message_problem(SCHEMA["messages"], message), message


def one_game():
    only = json.loads(subprocess.run([SALOTTO, "schema", "doors"], check=True,
                                     stdout=subprocess.PIPE).stdout)
    assert only == {"games": {"doors": SCHEMA["games"]["doors"]}}
    for wrong in (["chess"], ["doors", "doors"]):
        ran = subprocess.run([SALOTTO, "schema", *wrong], stderr=subprocess.PIPE,
                             stdout=subprocess.PIPE)
        assert ran.returncode == 2 and ran.stderr, wrong


case("the types of the pages are made of what the program prints", types_are_fresh)
for name in SCHEMA["games"]:
    case(f"states and events fit: {name}", facts_fit, name)
case("what does not fit is found", misfits_are_found)
case("of one game, and no other", one_game)
done()
