"""A bot for `salotto arena` that thinks with the package: flat Monte Carlo, in any game.

    salotto arena --game doors --games 20 --bot novice --bot 'cmd:python3 python/examples/rollout.py'

For each world that looks the same to the seat, each action is played, then the game goes on at random;
the action with the best mean result is the answer. docs/arena.md has the words.
"""
import json
import random
import sys

import salotto

WORLDS, DECISIONS = 20, 300


def result(state: salotto.State, seat: int, dice: random.Random) -> float:
    """What the seat has at the end of a game at random; nothing if that does not end."""
    state.sample_chance()
    for _ in range(DECISIONS):
        if state.is_terminal():
            break
        state.apply_action(dice.choice(state.legal_actions()))
        state.sample_chance()
    return state.player_return(seat)


def choose(game: salotto.Game, seat: int, packed: str, dice: random.Random) -> str:
    world = game.state_like(packed, dice.getrandbits(60))
    value = dict.fromkeys(world.legal_actions(seat), 0.0)
    for _ in range(WORLDS):
        for action in value:
            value[action] += result(world.child(action), seat, dice)
        world = world.resample(seat)
    return world.action_to_string(max(value, key=value.get))


def main() -> None:
    game, seat, dice = None, 0, random.Random(0)
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "new":
            game = salotto.load_game(message["game"], message["players"])
            seat, dice = message["seat"], random.Random(message["seed"])
        elif message["type"] == "move":
            action = choose(game, seat, message["packed"], dice)
            print(json.dumps({"action": action}), flush=True)


if __name__ == "__main__":
    main()
