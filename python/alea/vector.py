"""A vectorised environment in the shape of Gymnasium's VectorEnv.

Nothing but NumPy is needed: the spaces below describe themselves with the
attributes of Gymnasium's (`shape`, `dtype`, `n`, `nvec`, `low`, `high`, `sample`,
`contains`), which is all that programs for learning look at.
"""
from __future__ import annotations

from typing import Any, Callable, Optional, Union

import numpy as np
import numpy.typing as npt

from .batch import RANDOM, action_numbers, insist
from .errors import AleaError, Status
from .game import Game, Role

Array = npt.NDArray[Any]
Agents = dict[str, Any]  # by the name of the agent


class Discrete:
    """The numbers 0 .. n-1."""

    def __init__(self, n: int, seed: Optional[int] = None):
        self.n, self.shape, self.dtype = n, (), np.dtype(np.int64)
        self._random = np.random.default_rng(seed)

    def sample(self, mask: Optional[Array] = None) -> int:
        """One of them, uniformly; only of those where `mask` is not 0."""
        return int(self._random.choice(self.n if mask is None else np.flatnonzero(mask)))

    def contains(self, value: Any) -> bool:
        return np.ndim(value) == 0 and 0 <= int(value) < self.n

    def __repr__(self) -> str:
        return f"Discrete({self.n})"


class MultiDiscrete:
    """A row of numbers, each below its own bound."""

    def __init__(self, nvec: Any, seed: Optional[int] = None):
        self.nvec = np.asarray(nvec, np.int64)
        self.shape, self.dtype = self.nvec.shape, self.nvec.dtype
        self._random = np.random.default_rng(seed)

    def sample(self) -> Array:
        return self._random.integers(self.nvec)

    def contains(self, value: Any) -> bool:
        value = np.asarray(value)
        return value.shape == self.shape and bool(((value >= 0) & (value < self.nvec)).all())

    def __repr__(self) -> str:
        return f"MultiDiscrete of shape {self.shape}"


class MultiBinary:
    """Arrays of zeros and ones."""

    def __init__(self, shape: Any, seed: Optional[int] = None):
        self.shape = tuple(int(size) for size in np.atleast_1d(shape))
        self.n, self.low, self.high, self.dtype = self.shape, 0, 1, np.dtype(np.uint8)
        self._random = np.random.default_rng(seed)

    def sample(self) -> Array:
        return self._random.integers(2, size=self.shape, dtype=np.uint8)

    def contains(self, value: Any) -> bool:
        value = np.asarray(value)
        return value.shape == self.shape and bool(np.isin(value, (0, 1)).all())

    def __repr__(self) -> str:
        return f"MultiBinary{self.shape}"


STAY = -2  # an action that no move has, so that the batch refuses it and the game stays

Opponent = Callable[["VectorEnv", int], Array]


class VectorEnv:
    """`num_envs` games at once; one role learns, the others are given.

    `opponents` is None for random moves, or a function of this environment and a
    role's number that returns an action per game: a number of a move of that role,
    or -1 for one drawn at random.  Where the learner must wait (it has one legal
    move), the others go on by themselves until it has a choice or the game ends,
    unless `skip_forced` is False.

    Rewards are goals divided by 50, less 1: a win is 1, a loss -1.  A game that ends
    begins again at once; the step that ended it reports reward and termination,
    and the observation of the new game.

    >>> env = VectorEnv("tictactoe", 4, role="xplayer")
    >>> env.action_space, env.single_observation_space
    (MultiDiscrete of shape (4,), MultiBinary(29,))
    >>> observation, info = env.reset(seed=1)
    >>> observation.shape, info["action_mask"].shape
    ((4, 29), (4, 10))
    >>> observation, reward, terminated, truncated, info = env.step([1, 2, 3, 4])
    """
    metadata: dict[str, Any] = {"render_modes": ["ansi", "svg"], "autoreset_mode": "same-step"}

    def __init__(self, game: Union[str, Game], num_envs: int, role: Role = 0, *,
                 opponents: Optional[Opponent] = None, seed: int = 0, max_steps: int = 0,
                 skip_forced: bool = True):
        self.game = Game(game) if isinstance(game, str) else game
        self.num_envs, self.role, self.opponents = num_envs, self.game.role(role), opponents
        self.max_steps, self.skip_forced = max_steps, skip_forced
        self._make(seed)
        moves = self.batch.legal_of(self.role).shape[1]
        fluents = self.batch.observation.shape[1]
        self.single_action_space = Discrete(moves, seed)
        self.action_space = MultiDiscrete([moves] * num_envs, seed)
        self.single_observation_space = MultiBinary(fluents, seed)
        self.observation_space = MultiBinary((num_envs, fluents), seed)

    def _make(self, seed: int) -> None:
        self.batch = self.game.batch(self.num_envs, seed=seed, keep=["legal", "observation"])
        self._steps = np.zeros(self.num_envs, np.int64)

    def reset(self, *, seed: Optional[int] = None,
              options: Optional[dict[str, Any]] = None) -> tuple[Array, dict[str, Any]]:
        """All games begin; a seed makes what follows reproducible."""
        if seed is not None:
            self._make(seed)
        self.batch.reset()
        self._steps[:] = 0
        self._advance(np.zeros((self.num_envs, len(self.game.roles)), np.float32))
        return self.batch.observation, self._info()

    def step(self, actions: Any) -> tuple[Array, Array, Array, Array,
                                          dict[str, Any]]:
        """One move of the learner in each game, and what follows until its next.

        Returns observations, rewards, terminated, truncated and info; info has
        "action_mask" and "goals", those of games that ended.
        """
        actions = action_numbers(actions)
        if actions.shape != (self.num_envs,):
            raise AleaError(f"{self.num_envs} actions are needed, not an array of shape "
                            f"{actions.shape}", Status.USAGE)
        goals = np.zeros((self.num_envs, len(self.game.roles)), np.float32)
        terminated = self._play(actions, goals)
        self._steps += 1
        truncated = np.zeros(self.num_envs, np.bool_)
        if self.max_steps:
            truncated = (self._steps >= self.max_steps) & ~terminated
        if self.skip_forced:
            terminated |= self._advance(goals, terminated | truncated)
            truncated &= ~terminated
        over = terminated | truncated
        if over.any():
            self.batch.reset(over)
            self._steps[over] = 0
            self._advance(np.zeros_like(goals))
        rewards = np.where(terminated, goals[:, self.role] / 50 - 1, 0).astype(np.float32)
        return self.batch.observation, rewards, terminated, truncated, {
            **self._info(), "goals": goals}

    def _play(self, own: Any, goals: Array) -> Array:
        """One joint move; games where `own` is STAY stay as they are."""
        joint = np.full((self.num_envs, len(self.game.roles)), RANDOM, np.int32)
        for role in range(len(self.game.roles)):
            if role != self.role and role != self.game.random_role and self.opponents is not None:
                joint[:, role] = action_numbers(self.opponents(self, role))
        joint[:, self.role] = own
        before = self.batch.terminated
        self.batch.step(joint)
        ended = self.batch.terminated & ~before
        goals[ended] = self.batch.rewards[ended]
        insist(self.batch.refused & (joint[:, self.role] != STAY), "info['action_mask']")
        return ended

    def _advance(self, goals: Array, still: Optional[Array] = None) -> Array:
        """Plays on where the learner has no choice; returns which games ended."""
        ended = np.zeros(self.num_envs, np.bool_)
        while self.skip_forced:
            waiting = (self.batch.legal_of(self.role).sum(axis=1) == 1) & ~self.batch.terminated
            if still is not None:
                waiting &= ~still
            if not waiting.any():
                break
            ended |= self._play(np.where(waiting, RANDOM, STAY), goals)
        return ended

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.batch.legal_of(self.role).astype(np.int8)}

    def render(self, index: int = 0, mode: str = "ansi") -> str:
        """One of the games as text or SVG."""
        state = self.game.state()
        names = self.game.fluents()
        state.set_fluents([names[f] for f in np.flatnonzero(self.batch.observation[index])])
        return state.svg() if mode == "svg" else state.draw()

    def close(self) -> None:
        """There is nothing to close; for programs that expect it."""


class ParallelEnv:
    """One game in the shape of PettingZoo's ParallelEnv: dicts by the names of roles.

    All roles act at each step, with their one legal move where they wait; chance
    plays by itself.

    >>> env = ParallelEnv("tictactoe")
    >>> observations, infos = env.reset(seed=1)
    >>> env.agents
    ['xplayer', 'oplayer']
    >>> while env.agents:
    ...     actions = {name: env.action_space(name).sample(infos[name]["action_mask"])
    ...                for name in env.agents}
    ...     observations, rewards, terminations, truncations, infos = env.step(actions)
    >>> sum(rewards.values())
    0.0
    """

    def __init__(self, game: Union[str, Game], seed: int = 0):
        self.game = Game(game) if isinstance(game, str) else game
        self.possible_agents = [name for role, name in enumerate(self.game.roles)
                                if role != self.game.random_role]
        self._make(seed)
        self._spaces = {name: Discrete(self.batch.legal_of(name).shape[1], seed)
                        for name in self.possible_agents}
        self._observation_space = MultiBinary(self.batch.observation.shape[1], seed)
        self.agents: list[str] = []

    def _make(self, seed: int) -> None:
        self.batch = self.game.batch(1, seed=seed, keep=["legal", "observation"])

    def action_space(self, agent: str) -> Discrete:
        return self._spaces[agent]

    def observation_space(self, agent: str) -> MultiBinary:
        return self._observation_space

    def reset(self, seed: Optional[int] = None,
              options: Optional[dict[str, Any]] = None) -> tuple[Agents, Agents]:
        if seed is not None:
            self._make(seed)
        self.batch.reset()
        self.agents = list(self.possible_agents)
        return self._observations(), self._infos()

    def step(self, actions: dict[str, int]) -> tuple[Agents, Agents, Agents, Agents, Agents]:
        joint = np.full((1, len(self.game.roles)), RANDOM, np.int32)
        for name, action in actions.items():
            joint[0, self.game.role(name)] = action_numbers(action)
        self.batch.step(joint)
        insist(self.batch.refused, "infos[agent]['action_mask']")
        over = bool(self.batch.terminated[0])
        agents = self.agents
        rewards = {name: float(self.batch.rewards[0, self.game.role(name)] / 50 - 1) if over else 0.0
                   for name in agents}
        result = (self._observations(), rewards, {name: over for name in agents},
                  {name: False for name in agents}, self._infos())
        if over:
            self.agents = []
        return result

    def _observations(self) -> dict[str, Array]:
        return {name: self.batch.observation[0].copy() for name in self.agents}

    def _infos(self) -> dict[str, dict[str, Array]]:
        return {name: {"action_mask": self.batch.legal_of(name)[0].astype(np.int8)}
                for name in self.agents}
