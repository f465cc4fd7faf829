"""Batches through Python beside the same in C (build/bench/api_bench), in turns.

    PYTHONPATH=build/python python3 bench/python_batch.py [--games G,G] [--states N] [--rounds N]

CPU seconds of the calls alone, which are the same in both: api_bench writes its
positions and actions to a file.  Each figure is the median over the rounds with the
least and the greatest, and the last column is Python's median over C's.  A step of
one state follows, in microseconds.
"""
import argparse
import json
import pathlib
import random
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


def in_c(name, options, path):
    words = [options.build / "bench/api_bench", name, str(options.states), str(options.seconds), path]
    run = subprocess.run(words, text=True, capture_output=True, check=True).stdout
    return {what.strip(): float(rate) for what, rate in
            re.findall(r"^  (.{44}) +([0-9]+) states/s", run, re.M)}


def compare(name, options):
    """Per use the pairs of rates, Python's and C's, of all rounds."""
    game, found = alea.Game(name), {}
    for _ in range(options.rounds):
        with tempfile.NamedTemporaryFile() as file:
            c = in_c(name, options, file.name)
            record = read_record(game, options.states, file.name)
        for use, (chosen, keep) in USES.items():
            mine = measure(game, record, chosen, keep, options.seconds)
            found.setdefault(use, []).append((mine, c[use]))
        found.setdefault("playouts to the end", []).append(
            (playouts(game, options.states, options.seconds), c["playouts to the end"]))
    return found


def count(name):
    """What a thousand games come to after 20 random steps: the same on every machine."""
    batch = alea.Game(name).batch(1000, seed=1, keep=["legal", "observation"])
    for _ in range(20):
        batch.step()
    return [batch.playing, int(batch.legal.sum()), int(batch.observation.sum())]


def random_plays(state, seed, least=2000):
    """Whole plays, as pairs of moves: more steps than a processor learns by heart."""
    rng, plays = random.Random(seed), []
    while sum(map(len, plays)) < least:
        state.reset()
        plays.append([])
        while not state.terminal:
            plays[-1].append([rng.choice(state.legal(role)) for role in (0, 1)])
            state.apply(*plays[-1][-1])
    return plays


def single(name, rounds):
    """Microseconds of State.apply with numbers, of legal and of terminal."""
    state = alea.Game(name).state(seed=3)
    plays = random_plays(state, 3)
    samples = {"apply": [], "legal": [], "terminal": []}
    for _ in range(rounds):
        start = time.process_time()
        for _ in range(5):
            for play in plays:
                state.reset()
                for first, second in play:
                    state.apply(first, second)
        samples["apply"].append((time.process_time() - start) / 5 / sum(map(len, plays)))
        state.reset()
        for what, call in (("legal", lambda: state.legal(0)), ("terminal", lambda: state.terminal)):
            start = time.process_time()
            for _ in range(20000):
                call()
            samples[what].append((time.process_time() - start) / 20000)
    return samples


def middle(column, scale, digits):
    return (f"{statistics.median(column) * scale:.{digits}f} "
            f"[{min(column) * scale:.{digits}f}, {max(column) * scale:.{digits}f}]")


def write_tables(options):
    print("| game | what | Python, M states/s | C, M states/s | share |\n|---|---|---|---|---|")
    for name in options.games:
        for use, pairs in compare(name, options).items():
            mine, c = zip(*pairs)
            print(f"| {name} | {use} | {middle(mine, 1e-6, 1)} | {middle(c, 1e-6, 1)} | "
                  f"{statistics.median(mine) / statistics.median(c):.0%} |", flush=True)
    print("\n| game | apply, µs | legal, µs | terminal, µs |\n|---|---|---|---|")
    for name in options.games:
        cells = [middle(each, 1e6, 2) for each in single(name, options.rounds).values()]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


def write_json(options):
    """For tools/bench."""
    batches = [{"game": name, "what": use, "states": options.states,
                "python": round(statistics.median(p for p, _ in pairs)),
                "c": round(statistics.median(c for _, c in pairs))}
               for name in options.games for use, pairs in compare(name, options).items()]
    steps = [{"game": name, **{what: round(statistics.median(each) * 1e6, 2)
                               for what, each in single(name, options.rounds).items()}}
             for name in options.games]
    print(json.dumps({"batches": batches, "steps": steps,
                      "counts": {f"batch of {name}": count(name) for name in options.games}}))


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--games", type=lambda text: text.split(","),
                    default=["connect-four", "reversi", "chess"])
parser.add_argument("--states", type=int, default=100000)
parser.add_argument("--rounds", type=int, default=5)
parser.add_argument("--seconds", type=float, default=0.2)
parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
parser.add_argument("--json", action="store_true")
arguments = parser.parse_args()
(write_json if arguments.json else write_tables)(arguments)
