"""Gymnasium's interface for one agent; the other seats are Salotto's bots.

Gymnasium itself is not needed. Where it is installed, the class is one of its environments.
"""
from __future__ import annotations

from .arrays import mask
from .spaces import Box, Discrete
from .spiel import Game

try:
    from gymnasium import Env as _Base
except ImportError:
    class _Base:
        def reset(self, *, seed: int | None = None, options: dict | None = None) -> None:
            """Gymnasium's seeds a generator of its own."""


class SingleAgentEnv(_Base):
    metadata = {"render_modes": ["ansi"]}

    def __init__(self, game: str, players: int | None = None, seat: int = 0,
                 opponent: str = "regular", simulations: int = 200,
                 render_mode: str | None = None, **options):
        self._game = Game(game, players, **options)
        if not 0 <= seat < self._game.num_players():
            raise ValueError(f"there is no seat {seat}")
        self.render_mode = render_mode
        self._seat, self._opponent, self._simulations = seat, opponent, simulations
        self.action_space = Discrete(self._game.num_distinct_actions())
        self.observation_space = Box(float("-inf"), float("inf"),
                                     (self._game.observation_tensor_size(),), "float32")
        self._seed = 0

    @property
    def unwrapped(self) -> "SingleAgentEnv":
        return self

    def reset(self, *, seed: int | None = None, options: dict | None = None):
        super().reset(seed=seed)
        self._seed = self._seed + 1 if seed is None else seed
        self._state = self._game.new_initial_state(self._seed)
        self._others()
        return self._look()

    def step(self, action: int):
        self._state.apply_action(int(action))
        self._others()
        over = self._state.is_terminal()
        reward = self._state.player_return(self._seat) if over else 0.0
        observation, info = self._look()
        return observation, reward, over, False, info

    def action_masks(self):
        """1 where an action is legal; nowhere once the game is over."""
        return mask(self._game.num_distinct_actions(), self._state.legal_actions(self._seat))

    def _others(self) -> None:
        self._state.sample_chance()
        while not self._state.is_terminal() and self._state.current_player() != self._seat:
            self._state.apply_action(self._state.ask_bot(self._opponent, self._simulations))
            self._state.sample_chance()

    def _look(self):
        return self._state.observation_tensor(self._seat), {"action_mask": self.action_masks()}

    def render(self) -> str:
        return str(self._state.observation(self._seat))

    def close(self) -> None:
        pass
