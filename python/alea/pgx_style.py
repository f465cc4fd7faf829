"""init and step on batches, in the shape of Pgx.

A state here is what a learning loop wants to know of many games at once.  It is
not a value: there is one, its arrays are those of the batch and change with each
step.  Copy what must stay.

>>> import numpy as np
>>> env = make("connect-four", 3)
>>> state = env.init(seed=1)
>>> state.legal_action_mask.shape, state.current_player.tolist()
((3, 8), [0, 0, 0])
>>> while not state.terminated.all():
...     action = np.where(state.terminated, 0, state.legal_action_mask.argmax(axis=1))
...     state = env.step(state, action)
>>> state.rewards.sum(axis=1).tolist()
[0.0, 0.0, 0.0]
"""
from __future__ import annotations

from typing import Any, NamedTuple, Union

import numpy as np
import numpy.typing as npt

from .batch import RANDOM, Bools, Bytes, Floats, action_numbers, insist
from .errors import AleaError, Status
from .game import Game


class BatchState(NamedTuple):
    """Arrays over the games of a batch; the first axis is the game."""
    current_player: npt.NDArray[np.int32]  #: who has the choice; -1 where the game is over
    observation: Bytes             #: uint8 [games, fluents]
    legal_action_mask: Bools       #: bool [games, actions], of the current player
    rewards: Floats                #: float32 [games, players]: 1 for a win, -1 for a loss, at the end
    terminated: Bools              #: bool


class Env:
    """Games of players who take turns: one action per game and step.

    Actions are numbers of moves, those of all players from 0 on, so that a policy
    has one set of outputs.  Chance plays by itself.  Where nobody has a choice, the
    only joint move is made by any action.  A terminal game stays.
    """

    def __init__(self, game: Union[str, Game], count: int):
        self.game = Game(game) if isinstance(game, str) else game
        self.count = count
        self.players = [role for role in range(len(self.game.roles)) if role != self.game.random_role]
        probe = self.game.batch(1)
        self.num_players = len(self.players)
        self.num_actions = max(probe.legal_of(role).shape[1] for role in self.players)
        self.observation_shape = probe.observation.shape[1:]

    def init(self, seed: int = 0) -> BatchState:
        """All games at their beginning."""
        self._batch = self.game.batch(self.count, seed=seed, keep=["legal", "observation"])
        self._rewards = np.zeros((self.count, self.num_players), np.float32)
        return self._state()

    def step(self, state: BatchState, action: Any) -> BatchState:
        """The current player of each game plays; others do the only thing they can."""
        action = action_numbers(action)
        if action.shape != (self.count,):
            raise AleaError(f"{self.count} actions are needed, not an array of shape {action.shape}",
                            Status.USAGE)
        joint = np.full((self.count, len(self.game.roles)), RANDOM, np.int32)
        for player, role in enumerate(self.players):
            turn = state.current_player == player
            joint[turn, role] = action[turn]
        before = state.terminated.copy()
        self._batch.step(joint)
        insist(self._batch.refused, "legal_action_mask")
        ended = self._batch.terminated & ~before
        self._rewards[:] = 0
        self._rewards[ended] = self._batch.rewards[ended][:, self.players] / 50 - 1
        return self._state()

    def _state(self) -> BatchState:
        batch = self._batch
        counts = np.stack([batch.legal_of(role).sum(axis=1) for role in self.players], axis=1)
        if ((counts > 1).sum(axis=1) > 1).any():
            raise AleaError(f"players of {self.game.label} choose at once; use alea.Batch",
                            Status.UNSUPPORTED)
        terminated = batch.terminated
        current = np.where(terminated, -1, counts.argmax(axis=1)).astype(np.int32)
        mask = np.zeros((self.count, self.num_actions), np.bool_)
        for player, role in enumerate(self.players):
            turn = current == player
            legal = batch.legal_of(role)
            mask[turn, :legal.shape[1]] = legal[turn]
        return BatchState(current, batch.observation, mask, self._rewards, terminated)


def make(game: Union[str, Game], count: int) -> Env:
    """An environment of `count` games.

    >>> make("tictactoe", 2).num_actions
    10
    """
    return Env(game, count)
