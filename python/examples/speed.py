"""How fast Python is here, in one run: single steps beside the referee's pipe, and batches.

    python3 python/examples/speed.py path/to/salotto [SECONDS]

In steps for each second of processor time, that of the referee's process included: what else the machine
does is left out. Rates still swing with the machine; ratios of one run tell more.
"""
import json
import resource
import subprocess
import sys

import salotto


def spent() -> float:
    """Processor time of this process and of those it has started and waited for, in seconds."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in used)


def steps_for(work, seconds: float) -> int:
    """How many steps are done before this process has used so many seconds."""
    done, end = 0, spent() + seconds
    while spent() < end:
        done += sum(work() for _ in range(20))
    return done


def rate(measure, seconds: float) -> float:
    """Steps a second; the best of three runs."""
    best = 0.0
    for _ in range(3):
        start = spent()
        done = measure(seconds / 3)
        best = max(best, done / (spent() - start))
    return best


def pipe_steps(program: str, seconds: float) -> int:
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
    done = steps_for(step, seconds)
    referee.stdin.close()
    referee.wait()  # its time counts from here on
    return done


def single_steps(seconds: float) -> int:
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
    return steps_for(step, seconds)


def batch_steps(game: str, seconds: float) -> int:
    """Random decisions in 1024 games, observations and masks written after each."""
    games = salotto.VecEnv(game, 1024, seed=1)
    return steps_for(lambda: games.play_random(1), seconds)


def chosen_steps(game: str, seconds: float) -> int:
    """The same in two calls, as a learner has it: the actions, then the step."""
    games = salotto.VecEnv(game, 1024, seed=1)

    def step() -> int:
        games.step(games.random_actions())
        return games.count
    return steps_for(step, seconds)


def main(program: str, seconds: float) -> None:
    pipe = rate(lambda s: pipe_steps(program, s), seconds)
    single = rate(single_steps, seconds)
    print(f"referee pipe   {pipe:12,.0f} steps/s")
    print(f"single steps   {single:12,.0f} steps/s, {single / pipe:.1f} times the pipe")
    for game in salotto.games():
        many, chosen = (rate(lambda s: steps(game, s), seconds) for steps in (batch_steps, chosen_steps))
        print(f"VecEnv {game:7} {many:12,.0f} steps/s with observations and masks; {chosen:,.0f} by step(actions)")


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 3.0)
