#!/usr/bin/env python3
"""The order of the symmetry group of every rulesheet in a folder, and what it cost.

  bench/symmetry.py build/bench/symmetry_bench FOLDER [LOG] > TABLE.md    (FOLDER holds *.kif)

Grounding the rules as written is part of the time: 5 s of CPU a game for both.  A game that has a
line in LOG is not measured again.
"""
import pathlib
import statistics
import subprocess
import sys

SECONDS = 5


def measure(bench, path):
    run = subprocess.run([bench, str(path), str(SECONDS)], capture_output=True, text=True)
    line = run.stdout.rstrip("\n")
    return line if line else "0\t0\t0\t0\t0\t-\tended by signal %d" % -run.returncode


def read_log(name):
    if name is None or not pathlib.Path(name).exists():
        return {}
    return dict(line.rstrip("\n").split("\t", 1) for line in open(name))


def collect(bench, folder, log_name):
    known = read_log(log_name)
    for path in sorted(pathlib.Path(folder).glob("*.kif")):
        if path.stem not in known:
            known[path.stem] = measure(bench, path)
            if log_name is not None:
                with open(log_name, "a") as log:
                    log.write(path.stem + "\t" + known[path.stem] + "\n")
        order, generators, points, instances, seconds, rules, why = known[path.stem].split("\t")
        yield (path.stem, float(order), int(generators), int(points), int(instances),
               float(seconds), rules, why)


def main():
    bench, folder = sys.argv[1:3]
    rows = list(collect(bench, folder, sys.argv[3] if len(sys.argv) > 3 else None))
    found = [row for row in rows if row[1] > 0]
    split = sum(1 for row in found if row[6] == "split")
    print(f"{len(found)} of {len(rows)} groups found within {SECONDS} s, "
          f"{sum(1 for row in found if row[1] > 1)} of them not trivial, {split} of them in the "
          f"split rules. Median of all games {statistics.median(row[5] for row in rows):.3f} s, "
          f"{sum(1 for row in rows if row[5] <= SECONDS)} games within {SECONDS} s.\n")
    print("| game | order | generators | points | instances | rules | s | |")
    print("|---|---:|---:|---:|---:|---|---:|---|")
    for name, order, generators, points, instances, seconds, rules, why in rows:
        size = f"{order:.10g}" if order > 0 else "–"
        print(f"| {name} | {size} | {generators} | {points} | {instances} | {rules} | "
              f"{seconds:.2f} | {'' if order > 0 else why} |")


if __name__ == "__main__":
    main()
