"""Games and their states."""
from __future__ import annotations

import enum
import functools
import html
import os
from typing import TYPE_CHECKING, Any, Literal, Optional, Union, overload

from . import _alea
from .errors import AleaError, Diagnostic, Status

if TYPE_CHECKING:
    from .batch import Batch
    from .device import DeviceBatch

Role = Union[int, str]
Move = Union[int, str, None]


class Kind(enum.IntFlag):
    """What sort of game it is; a sum."""
    CHANCE = 1
    PERCEPTS = 2
    REWRITING = 4
    NETWORK = 8


class Game(_alea.Game):
    """Rules that were read, checked and turned into an engine.

    `name` is that of a game that ships, or a path to a rulesheet: GDL, or a
    rewriting game if it ends in .toss.  `engine` is one of "auto", "net", "lanes"
    and "prover"; `seconds` and `memory` (bytes) limit the making of the engine.

    A game never changes: threads may share it.

    >>> game = Game("tictactoe")
    >>> game
    <alea.Game tictactoe: xplayer, oplayer>
    >>> game.kind
    <Kind.NETWORK: 8>
    """

    @classmethod
    def from_text(cls, text: str, label: str = "rules.kif", **options: Any) -> "Game":
        """A game from rules in memory; `label` stands for the file in diagnostics.

        >>> Game.from_text("(role solo) (legal solo wait) terminal (goal solo 100)").roles
        ('solo',)
        """
        return cls(label, text=text, **options)

    @classmethod
    def from_path(cls, path: "os.PathLike[str] | str", **options: Any) -> "Game":
        """A game from a file, even if a game that ships has the same name."""
        name = os.fspath(path)  # a number would be an open file, which is not ours
        with open(name, encoding="utf-8", errors="surrogateescape") as file:
            text = file.read()
        return cls.from_text(text, name, **options)

    @functools.cached_property
    def kind(self) -> Kind:
        """What sort of game it is: chance, percepts, rewriting, network."""
        return Kind(self._kind)

    @functools.cached_property
    def diagnostics(self) -> list[Diagnostic]:
        """What reading the rules had to say, warnings for a game that is."""
        return [Diagnostic(**entry) for entry in self._diagnostics]

    def role(self, role: Role) -> int:
        """The number of a role that is given by name or number.

        >>> Game("tictactoe").role("oplayer")
        1
        """
        if isinstance(role, str):
            if role not in self.roles:
                raise AleaError(f"{self.label} has no role {role!r}", Status.USAGE)
            return self.roles.index(role)
        if not 0 <= role < len(self.roles):
            raise AleaError(f"{self.label} has {len(self.roles)} roles, numbered from 0", Status.USAGE)
        return int(role)

    def state(self, seed: int = 0) -> "State":
        """A state at the initial position.

        >>> Game("tictactoe").state().play_out() in [(100, 0), (0, 100), (50, 50)]
        True
        """
        return State(self, seed=seed)

    @overload
    def batch(self, count: int, *, device: Optional[Literal["cpu"]] = None, **options: Any) -> "Batch": ...

    @overload
    def batch(self, count: int, *, device: str, **options: Any) -> "Batch | DeviceBatch": ...

    def batch(self, count: int, *, device: Optional[str] = None, **options: Any) -> "Batch | DeviceBatch":
        """Many states at the initial position, stepped at once: see Batch.

        With `device="cuda"`, or "cuda:1", the states lie on a GPU: see DeviceBatch.

        >>> Game("tictactoe").batch(1000, seed=1).play_out().sum()
        100000.0
        """
        from .batch import Batch
        from .device import DeviceBatch
        if device is None or device == "cpu":
            return Batch(self, count, **options)
        return DeviceBatch(self, count, device=device, **options)

    @functools.cached_property
    def _picture(self) -> "_alea.Picture":
        return _alea.Picture(self)

    def __repr__(self) -> str:
        return f"<alea.Game {self.label}: {', '.join(self.roles)}>"


class State(_alea.State):
    """A position that moves lead on from.

    A state belongs to one thread at a time.  What is drawn at random follows from
    `seed`.

    >>> state = Game("tictactoe").state()
    >>> state.play("(mark 2 2)")
    >>> state.turn
    ('oplayer',)
    >>> state.apply(None, None)         # both at random; xplayer has one choice
    >>> state.depth
    2
    >>> state.undo()
    >>> state
    <alea.State of tictactoe after 1 step>
    """
    game: Game

    @property
    def turn(self) -> tuple[str, ...]:
        """The roles that have a choice here; chance is one of them where it has."""
        return tuple(name for role, name in enumerate(self.game.roles) if len(self.legal(role)) > 1)

    def play(self, move: Move) -> None:
        """Plays a move for the one role whose turn it is.

        All others do the only thing they can.  Where nobody has a choice, the
        move is that of the first role that may make it.
        """
        roles = range(len(self.game.roles))
        choices = [role for role in roles if len(self.legal(role)) > 1]
        if not choices and not self.terminal:
            choices = [role for role in roles if self._can_play(role, move)][:1]
        if len(choices) > 1:
            names = ", ".join(self.game.roles[role] for role in choices)
            raise AleaError(f"{names} move at once here; use apply with one move each",
                            Status.USAGE)
        self.apply(*(move if role in choices else None for role in roles))

    def _can_play(self, role: int, move: Move) -> bool:
        try:
            return self.is_legal(role, move)
        except AleaError:
            return False

    def holds(self, fluent: str) -> bool:
        """Whether a fluent holds here.

        >>> Game("tictactoe").state().holds("(cell 1 1 b)")
        True
        """
        return " ".join(fluent.lower().split()) in self.fluents()

    def draw(self, ascii: bool = False) -> str:
        """The position as text, in box-drawing characters or plain ASCII.

        >>> print(Game("tictactoe").state().draw(ascii=True).splitlines()[0].strip())
        +-------+
        """
        return self.game._picture.draw(self, ascii, None)

    def svg(self, title: str = "") -> str:
        """The position as an SVG document.

        >>> Game("tictactoe").state().svg().startswith("<svg")
        True
        """
        return self.game._picture.draw(self, False, title or self.game.label)

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_html_(self) -> str:
        caption = html.escape(repr(self))
        return f"<figure>{self.svg()}<figcaption>{caption}</figcaption></figure>"

    def __str__(self) -> str:
        return self.draw()

    def __copy__(self) -> "State":
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> "State":
        return self.clone()

    def __repr__(self) -> str:
        what = "step" if self.depth == 1 else "steps"
        end = ", terminal" if self.terminal else ""
        return f"<alea.State of {self.game.label} after {self.depth} {what}{end}>"
