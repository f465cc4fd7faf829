"""Constraint problems: plain, stochastic and strategic."""
from __future__ import annotations

import enum
import os
from typing import NamedTuple, Optional, Union

from . import _alea
from .errors import AleaError, Status


class ProblemKind(enum.IntEnum):
    """What sort of problem it is."""
    PLAIN = 0
    STRATEGIC = 1
    STOCHASTIC = 2
    PROCESS = 3


class Solution(NamedTuple):
    """What was found.

    `status` is OK (there is a solution, the first side wins, the value was found),
    NO (there is none, which is proved) or LIMIT (the time was over).  `assignment`
    is the last and best solution of a plain problem, `assignments` are all that
    were asked for, and `value` is that of the objective or of the best policy.
    """
    status: Status
    kind: ProblemKind
    value: Optional[float]
    assignment: Optional[dict[str, Union[int, str]]]
    assignments: list[dict[str, Union[int, str]]]
    count: int  # type: ignore[assignment]  # as the field of the C struct; tuples have it too
    nodes: int

    def __bool__(self) -> bool:
        return self.status == Status.OK


_AIMS = {"first": 0, "all": 1, "best": 2}


def _named(names: list[str], values: list[int], text: str) -> dict[str, Union[int, str]]:
    """One value per variable; the words of symbolic values are in the text."""
    words = dict(part.split("=", 1) for part in text.split() if "=" in part)
    made: dict[str, Union[int, str]] = {}
    for name, value in zip(names, values):
        word = words.get(name, str(value))
        made[name] = value if word == str(value) else word
    return made


def solve(source: "str | os.PathLike[str]", *, text: Optional[str] = None, aim: str = "first",
          seconds: float = 0, seed: int = 0, solutions: int = 0, horizon: int = 0) -> Solution:
    """Solves a problem from a file in XCSP3 or JSON, or from `text`.

    With `text`, `source` stands for the file in diagnostics.  `aim` is "first",
    "all" (with `solutions`: at most so many) or "best"; `horizon` is the number of
    transitions of a process.

    >>> xml = '''<instance format="XCSP3" type="CSP">
    ... <variables><var id="x">1..3</var><var id="y">1..3</var></variables>
    ... <constraints><intension>eq(add(x,y),6)</intension></constraints></instance>'''
    >>> solve("sum.xml", text=xml).assignment
    {'x': 3, 'y': 3}
    """
    if aim not in _AIMS:
        raise AleaError(f"there is no aim {aim!r}, only {', '.join(_AIMS)}", Status.USAGE)
    status, kind, count, value, nodes, names, found = _alea.solve(
        os.fspath(source), text, _AIMS[aim], seconds, seed, solutions, horizon)
    assignments = [_named(names, values, words) for values, words in found]
    return Solution(Status(status), ProblemKind(kind), value,
                    assignments[-1] if assignments else None, assignments, count, nodes)
