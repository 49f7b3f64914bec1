"""Many games stepped together."""
from __future__ import annotations

from . import _engine
from .arrays import numbers, zeros


class VecEnv:
    """`count` games of one kind. Each waits for the decision of one seat; `step` plays one action in
    every game and writes what comes next into the same arrays, which belong to this object:

    ============= ==================== ==========================================================
    `seat`        [count]              who is asked
    `observation` [count, size]        what that seat sees (include/salotto/tensor.h)
    `mask`        [count, actions]     1 where an action is legal
    `reward`      [count, players]     0; at a game's end the winners share 1, the others -1
    `over`        [count]              1 where this step ended a game; it has started anew
    ============= ==================== ==========================================================

    The same seed gives the same games for any number of threads.
    """

    def __init__(self, game: str, count: int, players: int | None = None, seed: int = 0,
                 threads: int = 1, **options):
        info = {g["id"]: g for g in _engine.games()}.get(game)
        if info is None:
            raise _engine.Refused(f"There is no game '{game}'.")
        self.players = info["players_min"] if players is None else players
        self.count = count
        self.action_count = info["action_count"]
        self.observation_size = info["observation_size"]
        self._batch = _engine.Batch(game, count, self.players, options, seed, threads)
        self.seat = zeros((count,), "int32")
        self.observation = zeros((count, self.observation_size), "float32")
        self.mask = zeros((count, self.action_count), "uint8")
        self.reward = zeros((count, self.players), "float32")
        self.over = zeros((count,), "uint8")
        self._batch.bind(self.seat, self.observation, self.mask, self.reward, self.over)
        self._choice = zeros((count,), "int32")

    def reset(self) -> None:
        """Starts every game anew."""
        self._batch.reset()

    def step(self, actions) -> None:
        """Plays actions[i] in game i; if one is not legal, Refused, and nothing is played."""
        self._batch.step(numbers(actions, "int32"))

    def random_actions(self):
        """A uniformly random legal action for each game; the array is used again."""
        self._batch.choose(self._choice)
        return self._choice

    def play_random(self, steps: int) -> int:
        """Plays so many random decisions in every game; how many in all."""
        return self._batch.random(steps)
