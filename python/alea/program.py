"""The program `alea` as a function, with players that are written in Python."""
from __future__ import annotations

import importlib
import sys
from typing import Sequence, Type, Union

from . import _alea
from .player import Player, _name_of


def main(*arguments: str) -> int:
    """Runs the program `alea` with these arguments and returns its exit status.

    Registered players can be named in every command: in matches, tournaments and
    `serve`.  It prints as the program does, and an interrupt ends the process.

    >>> main("perft", "no-such-game", "--depth", "1")
    2
    """
    sys.stdout.flush()
    sys.stderr.flush()
    return _alea.main(("alea", *arguments))


def serve(player: Union[str, Type[Player]], port: int = 9147, *arguments: str,
          sandbox: str = "off") -> int:
    """Plays for a GGP game manager over HTTP, as `alea serve` does.

    `player` is a name or a subclass of Player; `arguments` are options of
    `alea serve`, such as "--bind", "0.0.0.0" or "--exit-after", "1".  The sandbox
    is off unless it is asked for ("auto", "required"): in it, Python can import
    nothing and read no file.
    """
    return main("serve", "--player", _name_of(player), "--port", str(port), "--sandbox", sandbox,
                *arguments)


def run_module(words: Sequence[str]) -> int:
    """python3 -m alea [--with MODULE]... COMMAND...: the program with players of one's own.

    Each MODULE is imported first; what it registers can be named as a player.
    """
    words = list(words)
    while words[:1] == ["--with"]:
        if len(words) < 2:
            print("python3 -m alea: --with wants the name of a module", file=sys.stderr)
            return 2
        sys.path.insert(0, "")
        importlib.import_module(words[1].removesuffix(".py"))
        words = words[2:]
    return main(*words)
