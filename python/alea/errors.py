"""What the library reports: statuses, diagnostics and the one exception."""
from __future__ import annotations

import enum
from typing import Any, Iterable, NamedTuple, Optional


class Status(enum.IntEnum):
    """Why a call failed; the numbers of libalea and of the exit statuses of `alea`."""
    OK = 0
    NO = 1
    USAGE = 2
    INPUT = 3
    LIMIT = 4
    SYSTEM = 5
    NONE = 6
    UNSUPPORTED = 7


class Diagnostic(NamedTuple):
    """One thing that is wrong, or suspicious, in an input.

    `code` is a stable word for programs, `message` a sentence for people; `line`
    and `column` count from 1, and 0 means that there is no place.
    """
    file: Optional[str]
    line: int
    column: int
    severity: str
    code: str
    message: str

    def __str__(self) -> str:
        place = self.file or ""
        if self.line:
            place += f":{self.line}:{self.column}"
        parts = [place] if place else []
        return ": ".join([*parts, self.severity, f"{self.message} [{self.code}]"])


class AleaError(Exception):
    """Raised for everything that the library refuses.

    >>> import alea
    >>> try:
    ...     alea.Game.from_text("(role white")
    ... except alea.AleaError as error:
    ...     print(error.status.name, len(error.diagnostics) > 0)
    INPUT True
    """
    status: Status
    diagnostics: list[Diagnostic]

    def __init__(self, message: str, status: int = Status.USAGE,
                 diagnostics: Optional[Iterable[dict[str, Any]]] = None):
        self.status = Status(status)
        self.diagnostics = [Diagnostic(**entry) for entry in diagnostics or ()]
        errors = [str(entry) for entry in self.diagnostics if entry.severity == "error"]
        super().__init__("\n  ".join([message, *errors[:5]]))
