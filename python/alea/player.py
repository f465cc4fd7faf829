"""Players: those that ship, by name, and those written in Python."""
from __future__ import annotations

import json
import random
import re
import threading
from typing import Any, Callable, Iterator, NamedTuple, Optional, Sequence, Type, Union

from . import _alea
from .errors import AleaError, Status
from .game import Game, Kind, Move, Role, State


class Choice(NamedTuple):
    """One move in a player's opinion; `value` is the expected goal, or None."""
    move: str
    visits: int
    value: Optional[float]
    proof: Optional[str]


class Analysis(NamedTuple):
    """What a player thinks of a position; `proof` is "win", "loss", "exact" or None."""
    value: Optional[float]
    proof: Optional[str]
    sims: int
    nodes: int
    choices: list[Choice]


class Agent(_alea.Agent):
    """A player, named with its options, at one role of a game.

    `player` is what `alea players` lists, such as "uct:c=1", or the name of a class
    that was registered.  With simulations alone and a seed it always does the same.

    >>> game = Game("tictactoe")
    >>> agent, state = Agent("uct", game, "xplayer", seed=1), game.state()
    >>> agent.start(sims=100)
    >>> move = agent.think(sims=100)
    >>> move in state.legal_moves("xplayer")
    True
    >>> state.play(move)
    >>> agent.follow(state)
    >>> agent.analysis().choices[0].move in game.moves("xplayer")
    True

    An agent belongs to one thread at a time; `stop` and `analysis` are for all.
    """
    game: Game

    def analysis(self) -> Analysis:
        """The analysis of the last, or present, call of `think`."""
        value, proof, sims, nodes, choices = self._analysis()
        return Analysis(value if value >= 0 else None, proof, sims, nodes,
                        [Choice(move, visits, worth if worth >= 0 else None, proven)
                         for move, visits, worth, proven in choices])

    def analyse(self, *, seconds: float = 0, sims: int = 0,
                every: float = 0.1) -> Iterator[Analysis]:
        """Thinks in the background and yields an analysis every so many seconds.

        The last one is that of the finished search.  Leaving the loop stops the
        search; without a limit that is how it ends.

        >>> agent = Agent("uct", Game("connect-four"), "red", seed=1)
        >>> agent.start()
        >>> reports = list(agent.analyse(sims=500))
        >>> reports[-1].sims >= 500
        True
        """
        if seconds <= 0 and sims == 0:
            seconds = 1e9
        failure: list[BaseException] = []

        def work() -> None:
            try:
                self.think(seconds=seconds, sims=sims)
            except BaseException as error:  # it belongs to the thread that iterates
                failure.append(error)

        thread = threading.Thread(target=work)
        thread.start()
        try:
            while True:
                thread.join(every)
                if not thread.is_alive():
                    break
                yield self.analysis()
        finally:
            while thread.is_alive():  # a stop before it thinks is ignored
                self.stop()
                thread.join(0.01)
        if failure:
            raise failure[0]
        yield self.analysis()

    def __repr__(self) -> str:
        return f"<alea.Agent for {self.game.roles[self.role]} of {self.game.label}>"


class Budget(NamedTuple):
    """How long a player may think; `stop()` is true when the move is wanted."""
    seconds: float
    sims: int
    stop: Callable[[], bool]


class Player:
    """The base of players written in Python: say what `choose` does.

    >>> class Last(Player):
    ...     "Plays the last of its moves."
    ...     def choose(self, state, budget):
    ...         return state.legal(self.role)[-1]
    >>> register(Last, "last")
    >>> play_match(Game("tictactoe"), ["last", "random"], sims=1, seed=1).completed
    True

    `game`, `role`, `random` (a random.Random with the player's seed) and `options`
    (what followed the name and a colon) are there from the beginning; `history`
    has a pair of the own move and the percepts for each step.

    The game belongs to the match, and ends with it.
    """
    game: Game
    role: int
    random: random.Random
    options: str
    history: list[tuple[str, list[str]]]

    def __init__(self, game: Game, role: int, seed: int = 0, options: str = ""):
        self.game, self.role, self.options = game, role, options
        self.random = random.Random(seed)
        self.history = []

    def choose(self, state: State, budget: Budget) -> Move:
        """The move to play, as number or text; `state` is the player's own copy.

        In games with percepts it is a position that the player cannot tell from the
        true one.
        """
        raise NotImplementedError(f"{type(self).__name__} does not say what choose does")

    def observe(self, state: Optional[State], move: str, percepts: list[str]) -> None:
        """Called after each step with the own move; `state` is None where it is hidden."""

    def guess(self, tries: int = 10000) -> State:
        """A position in which the player has made its moves and was told what it was.

        The others' moves are drawn at random, again and again until all percepts
        are right: for short games.
        """
        state = self.game.state(seed=self.random.getrandbits(63))
        for _ in range(tries):
            state.reset()
            for move, percepts in self.history:
                joint: list[Move] = [None] * len(self.game.roles)
                joint[self.role] = move
                try:
                    state.apply(*joint)
                except AleaError:  # not legal, or over, in this guess
                    break
                if state.percepts(self.role) != percepts:
                    break
            else:
                if not state.terminal:
                    return state
        raise AleaError(f"no position fits what was told, in {tries} tries", Status.LIMIT)

    # What the library calls.

    def _think(self, state: Optional[State], seconds: float, sims: int,
               stop: Callable[[], bool]) -> Move:
        return self.choose(self.guess() if state is None else state, Budget(seconds, sims, stop))

    def _observe(self, state: Optional[State], move: str, percepts: list[str]) -> None:
        self.history.append((move, percepts))
        self.observe(state, move, percepts)


_registered: dict[type, str] = {}


def register(player: Type[Player], name: Optional[str] = None) -> None:
    """Makes a class of players known under a name, wherever players are named.

    Without a name it is that of the class in lower case.  It stays until the
    program ends.
    """
    name = name or player.__name__.lower().replace("_", "-")
    summary = (player.__doc__ or "A player written in Python.").strip().splitlines()[0]
    _alea.register(name, summary, player)
    _registered[player] = name


def _name_of(player: Union[str, Type[Player]]) -> str:
    if isinstance(player, str):
        return player
    if player not in _registered:
        register(player, re.sub("[^a-z0-9]", "-", player.__name__.lower()) + f"-{len(_registered)}")
    return _registered[player]


class MatchResult(NamedTuple):
    """How a match ended; `record` is the whole of it, with the keys of ggp-base."""
    completed: bool
    goals: tuple[Optional[int], ...]
    steps: int
    faults: int
    record: dict[str, Any]


def play_match(game: Game, players: "Sequence[str | Type[Player]]", *, time: float = 0,
               sims: int = 0, start: float = 0, seed: int = 0, rotate: int = 0, steps: int = 0,
               step: Optional[Callable[[State], Any]] = None) -> MatchResult:
    """Plays a match between players in the order of roles, none for chance.

    Players are names or subclasses of Player.  `time` (seconds) and `sims` limit a
    move, `start` is for thinking before the first; without limits a move has a
    second.  `step` is called with each position, and ends the match by returning
    False.  What a Python player raises ends the match and is raised here.

    >>> result = play_match(Game("tictactoe"), ["uct", "random"], sims=50, seed=1)
    >>> sum(result.goals), result.faults
    (100, 0)
    """
    names = tuple(_name_of(player) for player in players)
    completed, goals, count, faults, record = _alea.play_match(
        game, names, sims, start, time, seed, rotate, steps, step)
    return MatchResult(completed, goals, count, faults, json.loads(record))
