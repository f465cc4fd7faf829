"""Batches through Python beside the same in C (build/bench/api_bench), in turns.

    PYTHONPATH=build/python python3 bench/python_batch.py [--games G,G] [--states N] [--rounds N]

CPU seconds of the calls alone, which are the same in both: api_bench writes its
positions and actions to a file.  Each figure is the median over the rounds with the
least and the greatest, and the last column is Python's median over C's.  A step of
one state follows, in microseconds.
"""
import argparse
import pathlib
import re
import statistics
import subprocess
import tempfile
import time

import numpy as np

import alea

ROOT = pathlib.Path(__file__).resolve().parent.parent
USES = {"random moves, flags and rewards": (False, []),
        "given actions, flags and rewards": (True, []),
        "given actions, legal and fluents as bits": (True, ["legal_bits", "fluent_bits"]),
        "given actions, legal and fluents as bytes": (True, ["legal", "observation"])}


def read_record(game, states, path):
    """Where the steps begin, and their actions: what api_bench wrote."""
    words = game.batch(1).fluent_bits.shape[1]
    start = np.fromfile(path, np.uint64, states * words).reshape(states, words)
    return start, np.fromfile(path, np.int32, offset=start.nbytes).reshape(-1, states, len(game.roles))


def measure(game, record, chosen, keep, seconds):
    """States per CPU second."""
    start, steps = record
    batch = game.batch(len(start), seed=1, auto_reset=True, keep=keep)
    batch.step()
    spent, states = 0.0, 0
    while spent < seconds:
        batch.load(start)
        begun = time.thread_time()
        for actions in steps:
            batch.step(actions if chosen else None)
        spent += time.thread_time() - begun
        states += len(steps) * len(start)
        assert not batch.refused.any()
    return states / spent


def playouts(game, states, seconds):
    batch, spent, steps = game.batch(states, seed=1), 0.0, 0
    goals = batch.play_out()
    while spent < seconds:
        start = time.thread_time()
        batch.play_out(goals)
        spent += time.thread_time() - start
        steps += batch.played
    return steps / spent


def in_c(name, states, seconds, path):
    run = subprocess.run([ROOT / "build/bench/api_bench", name, str(states), str(seconds), path],
                         text=True, capture_output=True, check=True).stdout
    return {what.strip(): float(rate) for what, rate in
            re.findall(r"^  (.{44}) +([0-9]+) states/s", run, re.M)}


def table(name, states, rounds, seconds):
    game, found = alea.Game(name), {}
    for _ in range(rounds):
        with tempfile.NamedTemporaryFile() as file:
            c = in_c(name, states, seconds, file.name)
            record = read_record(game, states, file.name)
        for use, (chosen, keep) in USES.items():
            mine = measure(game, record, chosen, keep, seconds)
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
parser.add_argument("--rounds", type=int, default=5)
parser.add_argument("--seconds", type=float, default=0.2)
options = parser.parse_args()
print("| game | what | Python, states/s | C, states/s | share |\n|---|---|---|---|---|")
for each in options.games.split(","):
    table(each, options.states, options.rounds, options.seconds)
print("\n| game | apply, µs | legal, µs | terminal, µs |\n|---|---|---|---|")
for each in options.games.split(","):
    single(each, options.rounds)
