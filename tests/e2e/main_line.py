#!/usr/bin/env python3
"""The main lines of 'alea best' are plays: each is replayed with 'alea simulate', and where it is
proved, the game is over after it and the goal is the value.

    tests/e2e/main_line.py --alea build/alea
"""
import argparse
import json
import subprocess
import sys

# Game, player, simulations, and whether some line must be proved.
CASES = [
    ("tictactoe", "alea", 3000, True),
    ("tictactoe", "sancho-like", 6000, True),
    ("tictactoe", "mac-ucb", 2000, True),
    ("tictactoe", "mac-ucb-sym", 2000, False),
    ("nim", "alea", 20000, True),
    ("connect-four", "alea", 2000, False),
    ("hanoi", "alea", 500, True),
    ("free-for-all", "grave", 500, False),
    ("prisoners-dilemma", "uct", 500, False),
    ("tictactoe-2x2", "uct", 500, False),
    ("tictactoe-2x2", "mac-ucb", 500, False),
    ("toss-tictactoe", "alea", 200, False),
    ("toss-tictactoe", "toss-uct", 2000, False),
    ("toss-connect-four", "toss-uct", 500, False),
    ("toss-contest", "toss-uct", 500, False),
    ("toss-gale", "toss-uct", 300, False),
    ("toss-cat-and-mouse", "toss-uct", 3000, False),
]


def run(*command, text=None):
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.returncode}: {done.stderr}")
    return done.stdout


def lines_of(found):
    yield found.get("line"), found.get("line_proved"), found["value"], found["best"]
    for move in found["moves"]:
        yield move.get("line"), move.get("line_proved"), move["value"], move["move"]


def replay(alea, game, line):
    """The last state of the play."""
    text = "".join(step + "\n" for step in line)
    out = run(alea, "simulate", game, "--moves", "-", "--json", text=text)
    states = [json.loads(row) for row in out.splitlines()]
    if len(states) != len(line) + 1:
        sys.exit(f"{game}: {len(states)} states after {line}")
    return states[-1]


def check(alea, game, player, sims, must_prove):
    found = json.loads(run(alea, "best", game, "--player", player, "--sims", str(sims),
                           "--lines", "4", "--json"))
    longest, proved = 0, 0
    if found["moves"][0]["move"] != found["best"]:
        sys.exit(f"{game}: the best move is not the first of the list")
    for line, line_proved, value, move in lines_of(found):
        if not line:
            sys.exit(f"{player} on {game}: {move} has no line")
        if move not in line[0]:
            sys.exit(f"{game}: the line of {move} begins with {line[0]}")
        last = replay(alea, game, line)
        longest = max(longest, len(line))
        if not line_proved:
            continue
        proved += 1
        goal = last["goals"].get(found["role"])
        if not last["terminal"] or abs(goal - value) > 1e-6:
            sys.exit(f"{player} on {game}: proved {value}, but {goal} after {line}")
    if longest < 2:
        sys.exit(f"{player} on {game}: no line goes on")
    if must_prove and not proved:
        sys.exit(f"{player} on {game}: nothing is proved")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--alea", required=True)
    alea = parser.parse_args().alea
    for case in CASES:
        check(alea, *case)
    # Nobody knows what the others know, and flat players look no further.
    for game, player in (("battleship", "alea"), ("tictactoe", "mc")):
        found = json.loads(run(alea, "best", game, "--player", player, "--sims", "50", "--json"))
        if any(line for line, *_ in lines_of(found)):
            sys.exit(f"{player} on {game} has a line")


main()
