"""A table: a game that is kept, checked and looked at afterwards."""
from __future__ import annotations

import json
from typing import Any

from . import _engine


class Table:
    """One game from the first card to the last, dealt so that anybody can check it.

        >>> table = salotto.Table("doors", seed=7)
        >>> while table.to_act():
        ...     seat = table.to_act()[0]
        ...     table.act(seat, table.ask(seat, "regular"))
        >>> table.review()["seats"][0]["accuracy"]
    """

    def __init__(self, game: str, players: int | None = None, seed: int | None = None, **options: Any):
        info = {g["id"]: g for g in _engine.games()}.get(game)
        if info is None:
            raise _engine.Refused(f"There is no game '{game}'.")
        self._table = _engine.Table(game, info["players_min"] if players is None else players, options,
                                    seed)

    @classmethod
    def load(cls, record: str) -> "Table":
        """The table of a record (docs/records.md), every line checked."""
        table = cls.__new__(cls)
        table._table = _engine.Table(None, 0, None, None, record)
        return table

    def record(self, secret: bool = True) -> str:
        """The game as text; without `secret` only what everybody may see."""
        return self._table.record(secret)

    def to_act(self) -> list[int]:
        """The seats that are asked; empty when the game is over."""
        return self._table.to_act()

    def winners(self) -> list[int]:
        return self._table.winners()

    def legal(self, seat: int) -> list[str]:
        return self._table.legal(seat)

    def act(self, seat: int, action: str) -> None:
        """Plays an action in the notation; what the rules forbid is Refused with a sentence."""
        self._table.act(seat, action)

    def undo(self, seat: int) -> None:
        """Takes back the seat's last action, if nobody has learned anything from it."""
        self._table.undo(seat)

    def view(self, seat: int = -1) -> dict:
        """What a seat (-1: a spectator) is told: `state`, `events`, `words`, `legal` and more."""
        return json.loads(self._table.tell(seat))

    def ask(self, seat: int, level: str, simulations: int = 0, seconds: float = 0.0, luck: int = 0) -> str:
        """What a bot would do there; it remembers the deal as the seat does."""
        return self._table.ask(seat, level, simulations, seconds, luck)

    def review(self, playouts: int = 0) -> dict:
        """A game that is over: luck, errors, what gave one away (docs/review.md)."""
        return json.loads(self._table.review(playouts))
