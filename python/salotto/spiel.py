"""Games and states in OpenSpiel's words: for tree walks, CFR, search."""
from __future__ import annotations

import json

from . import _engine
from .arrays import zeros

CHANCE = -1
TERMINAL = -4
SPECTATOR = -1
DIGEST = 64  # SAL_DIGEST of include/salotto/information.h


class Game:
    def __init__(self, game: str, players: int | None = None, **options):
        info = {g["id"]: g for g in _engine.games()}.get(game)
        if info is None:
            raise _engine.Refused(f"There is no game '{game}'.")
        self._id, self._info, self._options = game, info, options
        self._players = info["players_min"] if players is None else players
        _engine.State(game, self._players, options)  # refuses what cannot be

    def short_name(self) -> str:
        return self._id

    def num_players(self) -> int:
        return self._players

    def num_distinct_actions(self) -> int:
        return self._info["action_count"]

    def observation_tensor_size(self) -> int:
        return self._info["observation_size"]

    def observation_tensor_shape(self) -> list[int]:
        return [self._info["observation_size"]]

    def information_state_tensor_size(self) -> int:
        return self._info["information_size"]

    def information_state_tensor_shape(self) -> list[int]:
        return [self._info["information_size"]]

    def max_game_length(self) -> int:
        """0: there is no bound."""
        return self._info["longest"]

    def min_utility(self) -> float:
        return -1.0

    def max_utility(self) -> float:
        return 1.0

    def utility_sum(self) -> float:
        return 0.0

    def max_chance_outcomes(self) -> int:
        return 64

    def new_initial_state(self, seed: int = 0) -> "State":
        return State(self, _engine.State(self._id, self._players, self._options, seed))

    def state_like(self, packed: str, seed: int = 0) -> "State":
        """A random state that looks like a view: `packed` of the arena's and the referee's messages
        (docs/arena.md), from a game of as many players."""
        return State(self, _engine.State(self._id, self._players, self._options, seed).suppose(packed))


class State:
    """One position. Chance is a player: walk `chance_outcomes`, or call `sample_chance`."""

    def __init__(self, game: Game, state: _engine.State):
        self._game, self._state = game, state

    def get_game(self) -> Game:
        return self._game

    def clone(self) -> "State":
        return State(self._game, self._state.clone())

    def current_player(self) -> int:
        seat = self._state.asked()
        return TERMINAL if seat == -2 else seat

    def is_terminal(self) -> bool:
        return self._state.asked() == -2

    def is_chance_node(self) -> bool:
        return self._state.asked() == CHANCE

    def is_player_node(self) -> bool:
        return self._state.asked() >= 0

    def is_simultaneous_node(self) -> bool:
        """Never: where several are asked at once they answer in turn, and see nothing of each other."""
        return False

    def num_players(self) -> int:
        return self._game.num_players()

    def num_distinct_actions(self) -> int:
        return self._game.num_distinct_actions()

    def legal_actions(self, player: int | None = None) -> list[int]:
        if player is not None and player != self.current_player():
            return []
        if self.is_chance_node():
            return list(range(len(self._state.outcomes())))
        return sorted(self._state.legal())

    def legal_actions_mask(self) -> list[int]:
        mask = [0] * self._game.num_distinct_actions()
        for action in self._state.legal():
            mask[action] = 1
        return mask

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(i, p) for i, (_, p) in enumerate(self._state.outcomes())]

    def apply_action(self, action: int) -> None:
        if self.is_chance_node():
            self._state.draw(action)
        else:
            self._state.apply(action)

    def child(self, action: int) -> "State":
        after = self.clone()
        after.apply_action(action)
        return after

    def sample_chance(self) -> None:
        """Plays chance until a player is asked or the game is over."""
        self._state.sample()

    def action_to_string(self, action: int) -> str:
        if self.is_chance_node():
            return self._state.outcomes()[action][0]
        return self._state.text(action)

    def string_to_action(self, text: str) -> int:
        return self._state.parse(text)

    def returns(self) -> list[float]:
        return self._state.returns()

    def rewards(self) -> list[float]:
        """The same: nothing is paid before the end."""
        return self.returns()

    def player_return(self, player: int) -> float:
        return self.returns()[player]

    def scores(self) -> list[int]:
        return self._state.scores()

    def observation_tensor(self, player: int | None = None):
        seat = self.current_player() if player is None else player
        out = zeros((self._game.observation_tensor_size(),), "float32")
        self._state.observe(seat, out)
        return out

    def information_state_tensor(self, player: int | None = None):
        """What a player of perfect memory knows (include/salotto/information.h)."""
        seat = self.current_player() if player is None else player
        out = zeros((self._game.information_state_tensor_size(),), "float32")
        self._state.inform(seat, out)
        return out

    def information_state_string(self, player: int | None = None) -> str:
        """A short key for what a player of perfect memory knows: for tables of CFR and the like."""
        seat = self.current_player() if player is None else player
        start = self._game.observation_tensor_size()
        bits = self.information_state_tensor(seat)[start:start + DIGEST]
        return f"{seat}:{sum(1 << i for i, bit in enumerate(bits) if bit):016x}"

    def observation_string(self, player: int | None = None) -> str:
        """What a player sees, as JSON (docs/protocol.md)."""
        return self._state.facts(self.current_player() if player is None else player)

    def __str__(self) -> str:
        return self._state.facts(SPECTATOR)

    def history(self) -> list[tuple[int, str]]:
        """The steps so far, chance as player -1, in the notation."""
        return self._state.history()

    def bot_policy(self, level: str, simulations: int = 0, seconds: float = 0.0
                   ) -> list[tuple[int, float, float | None]]:
        """All legal actions with how likely a bot does them, and what they are worth to it."""
        return self._state.policy(level, simulations, seconds)

    def observation(self, player: int) -> dict:
        """What a player sees, as the protocol tells it (docs/protocol.md); -1: a spectator."""
        return json.loads(self._state.facts(player))

    def resample(self, player: int) -> "State":
        """A random state that looks the same to the player."""
        return State(self._game, self._state.resample(player))

    def ask_bot(self, level: str, simulations: int = 0, seconds: float = 0.0) -> int:
        """What a bot of Salotto would do for the player whose turn it is."""
        return self._state.ask(level, simulations, seconds)


def load_game(game: str, players: int | None = None, **options) -> Game:
    return Game(game, players, **options)
