"""How fast Python is here, in one run: single steps beside the referee's pipe, and batches.

    python3 python/examples/speed.py path/to/salotto [SECONDS]

Ratios tell more than rates: those swing with the machine.
"""
import json
import subprocess
import sys
import time

import salotto


def rate(work, seconds: float) -> float:
    """How much of it is done in a second, the best of three runs."""
    best = 0.0
    for _ in range(3):
        done, start = 0, time.perf_counter()
        while time.perf_counter() - start < seconds / 3:
            done += work()
        best = max(best, done / (time.perf_counter() - start))
    return best


def pipe_steps(program: str, seconds: float) -> float:
    """Decisions of Doors through `salotto referee`: legal, then act."""
    referee = subprocess.Popen([program, "referee"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(**request) -> dict:
        referee.stdin.write(json.dumps(request).encode() + b"\n")
        referee.stdin.flush()
        return json.loads(referee.stdout.readline())

    state = {"over": True}

    def step() -> int:
        nonlocal state
        if state["over"]:
            state = ask(op="new", game="doors", players=2)["state"]
        seat = state["to_act"][0]
        legal = ask(op="legal", seat=seat)["actions"]
        state = ask(op="act", seat=seat, action=legal[len(legal) // 2])["state"]
        return 1
    found = rate(step, seconds)
    referee.stdin.close()
    referee.wait()
    return found


def single_steps(seconds: float) -> float:
    """The same by the module: legal actions, apply, chance."""
    game = salotto.load_game("doors")
    state = game.new_initial_state(1)
    state.sample_chance()

    def step() -> int:
        nonlocal state
        if state.is_terminal():
            state = game.new_initial_state(1)
            state.sample_chance()
        legal = state.legal_actions()
        state.apply_action(legal[len(legal) // 2])
        state.sample_chance()
        return 1
    return rate(step, seconds)


def batch_steps(game: str, seconds: float) -> float:
    """Random decisions in 1024 games, observations and masks written after each."""
    games = salotto.VecEnv(game, 1024, seed=1)
    return rate(lambda: games.play_random(1), seconds)


def main(program: str, seconds: float) -> None:
    pipe, single = pipe_steps(program, seconds), single_steps(seconds)
    print(f"referee pipe   {pipe:12,.0f} steps/s")
    print(f"single steps   {single:12,.0f} steps/s, {single / pipe:.1f} times the pipe")
    for game in salotto.games():
        print(f"VecEnv {game:7} {batch_steps(game, seconds):12,.0f} steps/s with observations and masks")


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 3.0)
