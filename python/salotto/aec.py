"""PettingZoo's AEC interface: one agent after the other, with action masks.

PettingZoo itself is not needed: the class has the methods and attributes that its documentation
names. Where it is installed, the class is one of its environments.
"""
from __future__ import annotations

from .arrays import mask
from .spaces import Box, Dict, Discrete
from .spiel import Game

try:
    from pettingzoo import AECEnv as _Base
except ImportError:
    _Base = object


class AECEnv(_Base):
    metadata = {"name": "salotto", "is_parallelizable": False, "render_modes": ["ansi"]}

    def __init__(self, game: str, players: int | None = None, render_mode: str | None = None,
                 **options):
        self._game = Game(game, players, **options)
        self.render_mode = render_mode
        self.possible_agents = [f"player_{i}" for i in range(self._game.num_players())]
        n, size = self._game.num_distinct_actions(), self._game.observation_tensor_size()
        self.action_spaces = {a: Discrete(n) for a in self.possible_agents}
        self.observation_spaces = {
            a: Dict({"observation": Box(float("-inf"), float("inf"), (size,), "float32"),
                     "action_mask": Box(0, 1, (n,), "int8")}) for a in self.possible_agents}
        self._seed = 0

    @property
    def unwrapped(self) -> "AECEnv":
        return self

    @property
    def num_agents(self) -> int:
        return len(self.agents)

    @property
    def max_num_agents(self) -> int:
        return len(self.possible_agents)

    def observation_space(self, agent: str):
        return self.observation_spaces[agent]

    def action_space(self, agent: str):
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict | None = None) -> None:
        self._seed = self._seed + 1 if seed is None else seed
        self._state = self._game.new_initial_state(self._seed)
        self._state.sample_chance()
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {a: {} for a in self.agents}
        self.agent_selection = self.possible_agents[self._state.current_player()]

    def observe(self, agent: str) -> dict:
        seat = self.possible_agents.index(agent)
        legal = self._state.legal_actions(seat)
        return {"observation": self._state.observation_tensor(seat),
                "action_mask": mask(self._game.num_distinct_actions(), legal)}

    def last(self, observe: bool = True):
        agent = self.agent_selection
        return (self.observe(agent) if observe else None, self._cumulative_rewards[agent],
                self.terminations[agent], self.truncations[agent], self.infos[agent])

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._bury(agent, action)
            return
        self._state.apply_action(int(action))
        self._cumulative_rewards[agent] = 0.0
        self._state.sample_chance()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if self._state.is_terminal():
            for a, r in zip(self.possible_agents, self._state.returns()):
                self.rewards[a] = r
                self.terminations[a] = True
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[self._state.current_player()]
        for a, r in self.rewards.items():
            self._cumulative_rewards[a] += r

    def _bury(self, agent: str, action: int | None) -> None:
        """An agent whose game is over takes one last step with None, and is gone."""
        if action is not None:
            raise ValueError("when an agent is dead, the only valid action is None")
        self.agents.remove(agent)
        for table in (self._cumulative_rewards, self.terminations, self.truncations,
                      self.infos):
            table.pop(agent, None)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if self.agents:
            self.agent_selection = self.agents[0]

    def agent_iter(self, max_iter: int = 2**63):
        for _ in range(max_iter):
            if not self.agents:
                return
            yield self.agent_selection

    def render(self) -> str:
        return str(self._state.observation(-1))

    def state(self) -> dict:
        """What a spectator sees."""
        return self._state.observation(-1)

    def close(self) -> None:
        pass
