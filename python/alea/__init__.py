"""alea: plays any game described by its rules.

>>> import alea
>>> game = alea.Game("connect-four")
>>> state = game.state(seed=1)
>>> state.play("(drop 4)")
>>> sum(state.play_out())
100
"""
from __future__ import annotations

from ._alea import shipped_games
from ._alea import version as __version__
from .batch import RANDOM, Batch
from .device import DeviceArray, DeviceBatch
from .errors import AleaError, Diagnostic, Status
from .game import Game, Kind, State
from .player import (Agent, Analysis, Budget, Choice, MatchResult, Player, play_match, register)
from .program import main, serve
from .solver import ProblemKind, Solution, solve

__all__ = ["Agent", "AleaError", "Analysis", "Batch", "Budget", "Choice", "DeviceArray", "DeviceBatch",
           "Diagnostic", "Game", "Kind", "MatchResult", "Player", "ProblemKind", "RANDOM", "Solution",
           "State", "Status", "main", "play_match", "register", "serve", "shipped_games", "solve",
           "__version__"]
