"""Batches through Python beside the same in C (build/bench/api_bench), in turns.

    PYTHONPATH=build/python python3 bench/python_batch.py [--games G,G] [--states N] [--rounds N]

CPU seconds of the calls alone; choosing the actions is not counted.  Each figure
is the median over the rounds with the least and the greatest, and the last column
is Python's median over C's.  A step of one state follows, in microseconds.
"""
import argparse
import pathlib
import re
import statistics
import subprocess
import time

import numpy as np

import alea

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROWS = 500  # states whose actions are chosen together
USES = {"random moves, flags and rewards": (False, []),
        "given actions, flags and rewards": (True, []),
        "given actions, legal and fluents as bits": (True, ["legal_bits", "fluent_bits"]),
        "given actions, legal and fluents as bytes": (True, ["legal", "observation"])}


def choose(batch, draw):
    """A legal move of each role in each state: the first after a place drawn for some rows."""
    actions = np.full((batch.count, len(batch.game.roles)), -1, np.int32)
    for role in range(len(batch.game.roles)):
        legal = batch.legal_of(role)
        for first in range(0, batch.count, ROWS):
            rows = legal[first:first + ROWS]
            place = draw.integers(legal.shape[1])
            later = rows[:, place:].argmax(axis=1) + place
            found = rows[np.arange(len(rows)), later]
            actions[first:first + ROWS, role] = np.where(found, later, rows.argmax(axis=1))
    return actions


def measure(game, states, chosen, keep, seconds, most):
    """States per CPU second."""
    batch, draw = game.batch(states, seed=1, auto_reset=True, keep=keep), np.random.default_rng(1)
    for _ in range(30):
        batch.step()
    spent, steps = 0.0, 0
    while spent < seconds and steps < most:
        actions = choose(batch, draw) if chosen else None
        start = time.thread_time()
        batch.step(actions)
        spent += time.thread_time() - start
        steps += 1
    return steps * states / spent


def playouts(game, states, seconds):
    batch, spent, steps = game.batch(states, seed=1), 0.0, 0
    while spent < seconds:
        start = time.thread_time()
        batch.play_out()
        spent += time.thread_time() - start
        steps += batch.played
    return steps / spent


def in_c(name, states, seconds):
    run = subprocess.run([ROOT / "build/bench/api_bench", name, str(states), str(seconds)],
                         text=True, capture_output=True, check=True).stdout
    return {what.strip(): float(rate) for what, rate in
            re.findall(r"^  (.{44}) +([0-9]+) states/s", run, re.M)}


def table(name, states, rounds, seconds):
    game, found = alea.Game(name), {}
    most = 10 if game.batch(1).legal.shape[1] > 1000 else 1000
    for _ in range(rounds):
        c = in_c(name, states, seconds)
        for use, (chosen, keep) in USES.items():
            mine = measure(game, states, chosen, keep, seconds, most if chosen else 10 ** 9)
            found.setdefault(use, []).append((mine, c[use]))
        found.setdefault("playouts to the end", []).append(
            (playouts(game, states, seconds), c["playouts to the end"]))
    for use, pairs in found.items():
        cells = []
        for column in zip(*pairs):
            cells.append(f"{statistics.median(column) / 1e6:.1f} M "
                         f"[{min(column) / 1e6:.1f}, {max(column) / 1e6:.1f}]")
        share = statistics.median(p for p, _ in pairs) / statistics.median(c for _, c in pairs)
        print(f"| {name} | {use} | {cells[0]} | {cells[1]} | {share:.0%} |", flush=True)


def single(name, rounds):
    """Microseconds of State.apply with numbers, of legal and of terminal."""
    game = alea.Game(name)
    state, play = game.state(seed=3), []
    while not state.terminal:
        play.append([state.legal(role)[len(play) % len(state.legal(role))] for role in (0, 1)])
        state.apply(*play[-1])
    samples = {"apply": [], "legal": [], "terminal": []}
    for _ in range(rounds):
        start = time.process_time()
        for _ in range(300):
            state.reset()
            for first, second in play:
                state.apply(first, second)
        samples["apply"].append((time.process_time() - start) / 300 / len(play))
        state.reset()
        for what, call in (("legal", lambda: state.legal(0)), ("terminal", lambda: state.terminal)):
            start = time.process_time()
            for _ in range(20000):
                call()
            samples[what].append((time.process_time() - start) / 20000)
    cells = [f"{statistics.median(s) * 1e6:.2f} [{min(s) * 1e6:.2f}, {max(s) * 1e6:.2f}]"
             for s in samples.values()]
    print(f"| {name} | {' | '.join(cells)} |", flush=True)


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--games", default="connect-four,reversi,chess")
parser.add_argument("--states", type=int, default=100000)
parser.add_argument("--rounds", type=int, default=3)
parser.add_argument("--seconds", type=float, default=0.3)
options = parser.parse_args()
print("| game | what | Python, states/s | C, states/s | share |\n|---|---|---|---|---|")
for each in options.games.split(","):
    table(each, options.states, options.rounds, options.seconds)
print("\n| game | apply, µs | legal, µs | terminal, µs |\n|---|---|---|---|")
for each in options.games.split(","):
    single(each, options.rounds)
