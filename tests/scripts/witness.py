"""What a seat may know: the moves of a table, played again at the referee."""
import json
import subprocess


def referee(salotto, requests):
    text = "".join(json.dumps(r) + "\n" for r in requests)
    out = subprocess.run([salotto, "referee"], input=text, stdout=subprocess.PIPE, text=True,
                         check=True)
    replies = [json.loads(line) for line in out.stdout.splitlines()]
    assert all(r["ok"] for r in replies), [r for r in replies if not r["ok"]]
    return replies


def replay(moves):
    """The requests that play these moves again at the referee."""
    head = json.loads(moves[0][3])
    for seq, seat, kind, text in moves:
        if kind == "start":
            yield seq, {"op": "new", "game": head["game"], "players": head["players"],
                        "options": head["options"], "seed": head["seed"]}
        elif kind == "act":
            yield seq, {"op": "act", "seat": seat, "action": text}


def truth(salotto, moves, players):
    """What the referee shows each viewer: the state and the legal actions by
    (number of the move, viewer), and all events by viewer."""
    viewers = [None, *range(players)]
    requests, where = [], {}
    for seq, request in replay(moves):
        requests.append(request)
        for viewer in viewers:
            where[seq, viewer] = len(requests)
            requests.append({"op": "view", "seat": viewer})
            if viewer is not None:
                requests.append({"op": "legal", "seat": viewer})
    replies = referee(salotto, requests + [{"op": "events", "seat": v} for v in viewers])
    told = {key: (replies[n]["state"], replies[n + 1].get("actions"))
            for key, n in where.items()}
    events = {v: r["events"] for v, r in zip(viewers, replies[-len(viewers):])}
    return told, events
