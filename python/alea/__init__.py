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
from .errors import AleaError, Diagnostic, Status
from .game import Game, Kind, State

__all__ = ["AleaError", "Batch", "Diagnostic", "Game", "Kind", "RANDOM", "State", "Status",
           "shipped_games", "__version__"]
