"""Batches: many states of one game, stepped at once, as NumPy arrays."""
from __future__ import annotations

from typing import Any, Iterable, Optional

import numpy as np
import numpy.typing as npt

from . import _alea
from .errors import AleaError, Status
from .game import Game, State

RANDOM = -1  #: an action: one of the legal moves, uniformly

Bools = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]
Words = npt.NDArray[np.uint64]

# The arrays that the library fills, in the order of alea_batch_arrays.
_NAMES = ("flags", "rewards", "legal", "legal_bits", "observation", "observation_floats",
          "fluent_bits")


def array_shapes(roles: int, count: int, moves: int, move_words: int, fluents: int,
                 fluent_words: int) -> dict[str, tuple[tuple[int, ...], Any]]:
    """Shape and type of each array of `count` states; the others are widths of its rows."""
    return {"flags": ((count,), np.uint8),
            "rewards": ((count, roles), np.float32),
            "legal": ((count, moves), np.bool_),
            "legal_bits": ((count, move_words), np.uint64),
            "observation": ((count, fluents), np.uint8),
            "observation_floats": ((count, fluents), np.float32),
            "fluent_bits": ((count, fluent_words), np.uint64)}


def action_numbers(actions: Any) -> npt.NDArray[np.int32]:
    """Actions as the library takes them.  A number that is too large stays one: it is that of no move."""
    array = np.asarray(actions)
    if array.size and array.dtype.kind not in "iub":
        raise TypeError(f"actions are whole numbers of at most 64 bits, not {array.dtype}")
    if array.dtype != np.int32:
        limits = np.iinfo(np.int32)
        array = np.clip(array, limits.min, limits.max)
    return np.ascontiguousarray(array, np.int32)


def positions(game: Game, states: "Iterable[State] | Words", words: int) -> Words:
    """Positions as the library takes them: States of the game, or rows of `fluent_bits`."""
    if not isinstance(states, np.ndarray):
        states = list(states)
        if any(state.game is not game for state in states):
            raise AleaError("only states of the same Game can be loaded", Status.USAGE)
        states = np.frombuffer(b"".join(state.bits() for state in states), np.uint64)
    if states.dtype != np.uint64:
        raise TypeError(f"positions are uint64, as fluent_bits has them, not {states.dtype}")
    return np.ascontiguousarray(states, np.uint64).reshape(-1, words)


def goal_room(count: int, roles: int, out: Optional[Floats]) -> Floats:
    """An array for the goals of playouts: `out`, if it is such a one."""
    goals = np.empty((count, roles), np.float32) if out is None else out
    if goals.dtype != np.float32 or goals.shape != (count, roles):
        raise ValueError(f"out must be float32 {(count, roles)}, not {goals.dtype} {goals.shape}")
    return goals


def told_texts(game: Game, first: Words, numbers: npt.NDArray[np.uint32], state: int,
               role: "int | str") -> list[str]:
    """The percepts of one role in one state as texts, sorted."""
    k = state * len(game.roles) + game.role(role)
    texts = game.percepts()
    return sorted(texts[number] for number in numbers[int(first[k]):int(first[k + 1])])


def insist(refused: Bools, where: str) -> None:
    """Raises an error if an action was refused; `where` has the legal ones."""
    if refused.any():
        raise AleaError(f"not legal: the actions of {int(refused.sum())} games, the first of them "
                        f"game {int(refused.argmax())}; see {where}", Status.INPUT)


class Batch(_alea.Batch):
    """`count` states of a game with a network, stepped at once.

    Results are NumPy arrays whose memory the library fills itself: nothing is
    copied, and the same array holds the next results after the next step.  Copy
    what must stay.  Arrays that are named in `keep` are filled by each step, which
    is quickest; the others when they are first asked for after a step.

    flags               uint8 [count]: 1 terminal, 2 refused, or their sum
    rewards             float32 [count, roles]: goals of games that the step ended
    legal               bool [count, moves]: the moves of all roles side by side
    legal_bits          uint64 [count, words]: the same as bits
    observation         uint8 [count, fluents]: 1 where a fluent holds
    observation_floats  float32 [count, fluents]: the same as 1.0 and 0.0
    fluent_bits         uint64 [count, words]: the same as bits

    With `auto_reset` a state that ends begins again at once; `flags` and `rewards`
    are then those of the game that ended.  `steps` limits `play_out` (10,000).  With
    `percepts` each step also finds what it tells the roles, in games with hidden
    information.

    >>> batch = Game("tictactoe").batch(1000, seed=1)
    >>> while batch.playing:
    ...     batch.step()
    >>> bool(batch.terminated.all())
    True

    A batch belongs to one thread at a time; other threads may run during a step.
    """
    game: Game

    def __new__(cls, game: Game, count: int, *, seed: int = 0, auto_reset: bool = False,
                steps: int = 0, percepts: bool = False, keep: Iterable[str] = ()) -> "Batch":
        return super().__new__(cls, game, count, seed=seed, auto_reset=auto_reset, steps=steps,
                               percepts=percepts)

    def __init__(self, game: Game, count: int, *, seed: int = 0, auto_reset: bool = False,
                 steps: int = 0, percepts: bool = False, keep: Iterable[str] = ()):
        self.count = self._sizes()[0]
        self.auto_reset = bool(auto_reset)
        self._shapes = array_shapes(len(game.roles), *self._sizes())
        self._arrays: dict[str, npt.NDArray[Any]] = {}
        self._fresh: set[str] = set()
        self._kept = {"flags", "rewards"}
        for name in keep:
            if name not in self._shapes:
                raise AleaError(f"keep: there is no array {name!r}, only {', '.join(_NAMES)}",
                                Status.USAGE)
            self._kept.add(name)
        self._outputs = [self._array(name) if name in self._kept else None for name in _NAMES]
        self._look(*self._outputs)
        self._fresh = set(self._kept)

    def _array(self, name: str) -> npt.NDArray[Any]:
        if name not in self._arrays:
            shape, dtype = self._shapes[name]
            self._arrays[name] = np.zeros(shape, dtype)
        return self._arrays[name]

    def _seen(self, name: str) -> npt.NDArray[Any]:
        """The array of this name, filled."""
        array = self._array(name)
        if name not in self._fresh:
            self._look(*(array if other == name else None for other in _NAMES))
            self._fresh.add(name)
        return array

    # ---- playing ----

    def step(self, actions: Any = None) -> None:
        """Plays one joint move in every state that is not terminal.

        `actions` has one number per state and role: that of a move of the role, or
        -1 for one drawn at random; without it all are drawn.  Where a move is not
        legal the state stays and is `refused`.

        >>> batch = Game("tictactoe").batch(2)
        >>> mark = batch.game.move_number("xplayer", "(mark 1 1)")
        >>> batch.step([[mark, -1], [-1, -1]])
        >>> batch.step([[mark, -1], [-1, -1]])         # it is the other's turn
        >>> batch.refused.tolist()
        [True, False]
        """
        if actions is not None:
            actions = action_numbers(actions)
        self._step(actions, *self._outputs)
        self._fresh = set(self._kept)

    def reset(self, which: Optional[Any] = None) -> None:
        """Back to the initial position: all states, or those where `which` is true."""
        if which is not None:
            which = np.ascontiguousarray(which, np.bool_)
        self._reset(which)
        self._look(*self._outputs)
        self._fresh = set(self._kept)

    def play_out(self, out: Optional[Floats] = None) -> Floats:
        """Plays a random game to its end from every state, without moving the states.

        Returns float32 [count, roles]: the goals, -1 for states that are terminal
        or whose game did not end; `out`, if given, is such an array to be filled.
        `played` is then the number of joint moves made.

        >>> batch = Game("tictactoe").batch(100, seed=1)
        >>> goals = batch.play_out()
        >>> batch.play_out(goals) is goals
        True
        """
        goals = goal_room(self.count, len(self.game.roles), out)
        self.played = self._play_out(goals)
        return goals

    def load(self, states: "Iterable[State] | Words", first: int = 0) -> None:
        """Moves states first, first + 1, ... to given positions.

        Positions are States of the same game, or uint64 [count, words] in the
        layout of `fluent_bits`.

        >>> game = Game("tictactoe")
        >>> state = game.state()
        >>> state.play("(mark 2 2)")
        >>> batch = game.batch(3)
        >>> batch.load([state], first=1)
        >>> batch.legal.sum(axis=1).tolist()
        [10, 9, 10]
        """
        states = positions(self.game, states, self._shapes["fluent_bits"][0][1])
        self._load(first, len(states), states)
        self._look(*self._outputs)
        self._fresh = set(self._kept)

    # ---- results ----

    @property
    def flags(self) -> Bytes:
        return self._seen("flags")

    @property
    def terminated(self) -> Bools:
        """bool [count]: terminal; with `auto_reset`: it was, and has begun again."""
        return (self.flags & 1).view(np.bool_)

    @property
    def refused(self) -> Bools:
        """bool [count]: an action of the last step was not legal."""
        refused: Bools = (self.flags & 2) != 0
        return refused

    @property
    def rewards(self) -> Floats:
        return self._seen("rewards")

    @property
    def legal(self) -> Bools:
        return self._seen("legal")

    @property
    def legal_bits(self) -> Words:
        return self._seen("legal_bits")

    @property
    def observation(self) -> Bytes:
        return self._seen("observation")

    @property
    def observation_floats(self) -> Floats:
        return self._seen("observation_floats")

    @property
    def fluent_bits(self) -> Words:
        return self._seen("fluent_bits")

    @property
    def planes(self) -> Words:
        """The positions as the batch keeps them: uint64 [blocks, fluents, 8], read only.

        Fluent f of state i is bit i % 64 of planes[i // 512, f, i % 512 // 64].
        """
        fluents = self._shapes["observation"][0][1]
        if not fluents or not self.count:
            return np.zeros((0, fluents, 8), np.uint64)
        lender: Any = self  # NumPy's hints do not know who else has the buffer protocol
        return np.frombuffer(lender, np.uint64).reshape(-1, fluents, 8)

    @property
    def percepts(self) -> tuple[Words, npt.NDArray[np.uint32]]:
        """What the last step told the roles: arrays `first` and `numbers`.

        With k = state * len(game.roles) + role, that role was told in that state
        numbers[first[k]:first[k + 1]], numbers for `Game.percepts()`.  States that were
        terminal or did not move are told nothing; one that began again, what ended its
        last game.  The arrays are copies; the batch must be made with `percepts=True`.

        >>> batch = Game("monty-hall").batch(3, seed=1, percepts=True)
        >>> for _ in range(3):
        ...     batch.step()
        >>> first, numbers = batch.percepts
        >>> len(first), len(numbers)
        (7, 6)
        """
        first, numbers = self._percepts()
        return np.frombuffer(first, np.uint64), np.frombuffer(numbers, np.uint32)

    def told(self, state: int, role: "int | str") -> list[str]:
        """The percepts of one role in one state as texts: as `State.percepts`.

        >>> batch = Game("monty-hall").batch(3, seed=1, percepts=True)
        >>> for _ in range(3):
        ...     batch.step()
        >>> batch.told(0, "candidate")
        ['(opened 1)', '(phase decide)']
        """
        first, numbers = self.percepts
        return told_texts(self.game, first, numbers, range(self.count)[state], role)

    def legal_of(self, role: "int | str") -> Bools:
        """bool [count, moves of the role]: a view of `legal`."""
        number = self.game.role(role)
        return self.legal[:, self.first_moves[number]:self.first_moves[number + 1]]

    def __len__(self) -> int:
        return self.count

    def __repr__(self) -> str:
        return f"<alea.Batch of {self.game.label}: {self.count} states, {self.playing} playing>"
