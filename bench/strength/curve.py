#!/usr/bin/env python3
"""Strength against seconds of learning, a point at a time, over as many sittings as it takes.

    python3 bench/strength/curve.py breakthrough linear --amounts 2000,20000,200000,2000000 --seeds 1,2,3,4,5
    python3 bench/strength/curve.py breakthrough network --amounts 10000,100000 --seeds 1,2,3,4,5 --against games/breakthrough.eval
    python3 bench/strength/curve.py breakthrough gpu --amounts 100000 --seeds 1,2,3,4,5 --threads 16 --learn
    python3 bench/strength/curve.py --table                                     prints what there is

Linear evaluations learn from so many random plays, networks from so many positions that searches value, and thirty times
as many of games, or with a GPU a thousand times as many, beside a linear evaluation of 200,000 plays.  The amount is
counted, so that what is learnt can be repeated, and the time that it took is measured: CPU time, with a GPU the wall's.
Then `ab` with it plays `ab` with the linear evaluation of 200,000 plays and seed 0, or with that of a file, whose
checksum is noted, at equal positions for a move.  Results are appended to curve.tsv beside this file; what is there is
not made again.

With --learn nothing is played: files come from a machine with a GPU, their seconds beside them, and are played elsewhere.
"""
import argparse
import collections
import hashlib
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

from results import add_row, rows_of, score_of, text_of

HERE = pathlib.Path(__file__).resolve().parent
PLAYS = 200000
CUT = 4  # the exit status where a match was not over after so many steps; it does not count
COLUMNS = ["game", "kind", "amount", "seed", "against", "seconds", "kept", "matches", "won", "drawn", "lost"]


def learn(options, kind, amount, seed, out):
    """Learns into a file; the seconds that it took, which are kept beside it."""
    plays, network = (amount, 0) if kind == "linear" else (PLAYS, amount)
    command = [options.alea, "learn", options.game, "--playouts", plays, "--network", network, "--seconds", 0,
               "--seed", seed, "--threads", options.threads, "--form", "short", "--out", out]
    if kind == "gpu":
        command.append("--gpu")
    began = time.monotonic()
    with open(os.devnull, "wb") as nowhere:
        process = subprocess.Popen([str(word) for word in command], stdout=nowhere, stderr=nowhere)
        _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}: status {status}")
    seconds = time.monotonic() - began if kind == "gpu" else usage.ru_utime + usage.ru_stime
    out.with_suffix(".seconds").write_text(f"{seconds:.1f}\n", encoding="utf-8")
    return seconds


def play(options, one, other):
    """Won, drawn and lost by the first evaluation."""
    player = f"ab:opening=4,nodes={options.positions},eval="
    command = [options.alea, "match", options.game, "--player", player + str(one), "--player", player + str(other),
               "--matches", options.matches, "--rotate", "--sims", 10 ** 8, "--seed", 100, "--step-cap", 300, "--json"]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode not in (0, CUT):
        raise RuntimeError(f"{options.game}: {done.stderr.strip()}")
    counts = collections.Counter()
    for line in done.stdout.splitlines():
        record = json.loads(line)
        if not record["isCompleted"]:
            continue
        goals = {record["players"][role]: record["goals"][name] for role, name in enumerate(record["roles"])}
        own, against = goals[player + str(one)], goals[player + str(other)]
        counts["won" if own > against else "lost" if own < against else "drawn"] += 1
    return counts


def opponent(options):
    """The evaluation that the others play against."""
    if options.against != "linear":
        return pathlib.Path(options.against)
    base = options.files / f"{options.game}-linear-{PLAYS}-0.eval"
    if not base.exists():
        learn(options, "linear", PLAYS, 0, base)
    return base


def name_of(against):
    """What stands in the table for it: files change."""
    if against == "linear":
        return against
    path = pathlib.Path(against)
    return f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()[:8]}"


def learnt(options, amount, seed):
    """The file of a point, which is learnt if it is not there, and the seconds that it took."""
    out = options.files / f"{options.game}-{options.kind}-{amount}-{seed}.eval"
    timed = out.with_suffix(".seconds")
    if out.exists() and timed.exists():
        return out, float(timed.read_text(encoding="utf-8"))
    return out, learn(options, options.kind, amount, seed, out)


def measure(options, amount, seed):
    if options.kind == "linear" and seed == 0:
        raise RuntimeError("the linear evaluation of seed 0 is what the others play against")
    out, seconds = learnt(options, amount, seed)
    if options.learn:
        return
    counts = play(options, out, opponent(options))
    kept = options.kind == "linear" or "network" in out.read_text(encoding="utf-8")
    row = {"game": options.game, "kind": options.kind, "amount": amount, "seed": seed, "against": name_of(options.against),
           "seconds": f"{seconds:.1f}", "kept": "yes" if kept else "no", "matches": sum(counts.values())}
    row.update({column: counts[column] for column in COLUMNS[-3:]})
    add_row(options.results, COLUMNS, row)
    print(f"{options.game} {options.kind} {amount}, seed {seed}: {seconds:.1f} s, {text_of(row)}", flush=True)


def print_table(path):
    points = collections.defaultdict(list)
    for row in rows_of(path):
        points[row["game"], row["kind"], row["against"], int(row["amount"])].append(row)
    print("| game | learnt | amount | seconds | against | seeds | score of each | mean |\n|---|---|---|---|---|---|---|---|")
    for (game, kind, against, amount), rows in sorted(points.items()):
        rows.sort(key=lambda row: int(row["seed"]))
        scores = ", ".join(f"{score_of(row)[0]:.0f}" + ("" if row["kept"] == "yes" else " (no network kept)") for row in rows)
        seconds = [float(row["seconds"]) for row in rows]
        total = {column: sum(int(row[column]) for row in rows) for column in COLUMNS[-3:]}
        print(f"| {game} | {kind} | {amount:,} | {statistics.median(seconds):.0f} | {against} | {', '.join(row['seed'] for row in rows)} "
              f"| {scores} | {text_of(total)} |")


def read_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?")
    parser.add_argument("kind", nargs="?", choices=["linear", "network", "gpu"])
    parser.add_argument("--alea", default="build/alea")
    parser.add_argument("--amounts", default="100000", help="plays or positions, with commas between them")
    parser.add_argument("--seeds", default="1", help="with commas between them")
    parser.add_argument("--against", default="linear", help="linear, or the file of an evaluation")
    parser.add_argument("--matches", type=int, default=60)
    parser.add_argument("--positions", type=int, default=5000, help="for a move")
    parser.add_argument("--threads", type=int, default=1, help="of learning")
    parser.add_argument("--learn", action="store_true", help="play nothing")
    parser.add_argument("--files", type=pathlib.Path, default=pathlib.Path("build/curve"), help="folder of evaluations")
    parser.add_argument("--results", type=pathlib.Path, default=HERE / "curve.tsv")
    parser.add_argument("--table", action="store_true", help="learn nothing")
    options = parser.parse_args()
    if not options.table and options.kind is None:
        parser.error("a game and 'linear', 'network' or 'gpu' are needed")
    return options


def main():
    options = read_options()
    if not options.table:
        options.files.mkdir(parents=True, exist_ok=True)
        rows = rows_of(options.results)
        done = {tuple(row[column] for column in COLUMNS[:5]) for row in rows}
        for amount in options.amounts.split(","):
            for seed in options.seeds.split(","):
                if (options.game, options.kind, amount, seed, name_of(options.against)) not in done:
                    measure(options, int(amount), int(seed))
    print_table(options.results)


if __name__ == "__main__":
    sys.exit(main())
