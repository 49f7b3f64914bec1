"""Salotto for Python: four games of hidden cards as environments for learning.

    >>> import salotto
    >>> env = salotto.make("doors")             # PettingZoo's AEC interface
    >>> vec = salotto.VecEnv("doors", 1024)     # many games in one call
    >>> game = salotto.load_game("favor", players=3)   # OpenSpiel's words

Nothing but the standard library is needed; with numpy the arrays are numpy's, and share their
memory with the engine.
"""
from ._engine import Refused, games as _games, version as __version__
from .aec import AECEnv
from .gym import SingleAgentEnv
from .spiel import CHANCE, TERMINAL, Game, State, load_game
from .table import Table
from .vec import VecEnv

__all__ = ["AECEnv", "CHANCE", "Game", "Refused", "SingleAgentEnv", "State", "TERMINAL", "Table", "VecEnv",
           "games", "load_game", "make", "make_single"]


def games() -> dict[str, dict]:
    """What there is: by id the title, players, options, sizes of actions and observations."""
    return {g["id"]: g for g in _games()}


def make(game: str, players: int | None = None, **options) -> AECEnv:
    """An environment for several agents, as PettingZoo's AEC interface has it."""
    return AECEnv(game, players, **options)


def make_single(game: str, players: int | None = None, seat: int = 0, opponent: str = "regular",
                **options) -> SingleAgentEnv:
    """An environment for one agent against Salotto's bots, as Gymnasium has it."""
    return SingleAgentEnv(game, players, seat=seat, opponent=opponent, **options)
