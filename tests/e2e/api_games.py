"""Every game that ships, played at random through the states of libalea.so, must be what `alea
simulate` makes of the same moves: fluents, legal moves, goals, percepts, the end.

    api_games.py --alea ALEA --player API_SIMULATE

With ALEA_FULL=1 in the environment all games and longer plays; otherwise those that open quickly.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SLOW = {"amazons", "amazons-torus", "checkers", "chess", "chess-200", "chinese-checkers", "english-draughts",
        "connect-four-20x20", "copolymer", "free-for-all", "pickomino", "shmup", "skirmish", "sudoku",
        "toss-gomoku-15", "ttcc4", "war", "yahtzee", "backgammon", "battleship", "toss-breakthrough", "toss-gomoku",
        "toss-connect-four", "toss-pawns", "gomoku", "hex", "kaseklau", "leduc-poker", "mastermind", "pacman",
        "pacman-shared", "pentago", "quarto", "tictac-chess", "bomberman", "battlebrushes", "cant-stop",
        "liars-dice", "awale", "dots-and-boxes-suicide", "orchard", "schnappt-hubi"}


def run(*words):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=600, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def differences(ours, theirs, roles):
    """What differs between a state of the library and one of `alea simulate`."""
    for key in ("state", "terminal"):
        if ours[key] != theirs[key]:
            yield key, ours[key], theirs[key]
    for index, role in enumerate(roles):
        pairs = [(ours["legal"][index], theirs["legal"].get(role, [])),
                 (ours["goals"][index], theirs["goals"].get(role, -1))]
        if "sees" in theirs:
            pairs.append((ours["sees"][index], theirs["sees"].get(role, [])))
        for mine, other in pairs:
            if mine != other:
                yield role, mine, other


def check(game, arguments, folder, steps):
    moves = folder / f"{game}.moves"
    ours = run(arguments.player, game, 1, steps, moves)
    theirs = run(arguments.alea, "simulate", game, "--moves", moves, "--json")
    roles = list(theirs[0]["legal"])
    found = [] if len(ours) == len(theirs) else [("states", len(ours), len(theirs))]
    for mine, other in zip(ours, theirs):
        found += list(differences(mine, other, roles))
    for what, mine, other in found[:3]:
        print(f"{game}: {what}: {mine} instead of {other}")
    return not found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--alea", required=True)
    parser.add_argument("--player", required=True)
    arguments = parser.parse_args()
    full = os.environ.get("ALEA_FULL") == "1"
    names = [entry["name"] for entry in run(arguments.alea, "games", "--json")[0]]
    games = [name for name in names if full or name not in SLOW]
    with tempfile.TemporaryDirectory() as folder:
        good = [check(game, arguments, pathlib.Path(folder), 500 if full else 30) for game in games]
    print(f"{sum(good)} of {len(good)} games are the same")
    return 0 if all(good) and good else 1


sys.exit(main())
