#!/usr/bin/env python3
"""The order of the symmetry group of every rulesheet in a folder, and the time it took.

  bench/symmetry.py ALEA FOLDER > TABLE.md    (FOLDER holds *.kif)

Grounding the rules as written is part of the time; 5 s a game.
"""
import json
import pathlib
import statistics
import subprocess
import sys

SECONDS = 5


def measure(alea, path):
    command = [alea, "info", str(path), "--plays", "0", "--states", "0", "--scsp-seconds", "0",
               "--symmetry-seconds", str(SECONDS), "--ground-seconds", "30", "--json"]
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=120)
        facts = json.loads(run.stdout)
        return facts.get("symmetries"), facts["seconds"].get("symmetry", 0)
    except (subprocess.TimeoutExpired, ValueError, KeyError):
        return None, 0


def main():
    alea, folder = sys.argv[1:3]
    rows = []
    for path in sorted(pathlib.Path(folder).glob("*.kif")):
        order, seconds = measure(alea, path)
        rows.append((path.stem, order, seconds))
        print(f"\r{len(rows)} {path.stem:40}", end="", file=sys.stderr)
    found = [seconds for _, order, seconds in rows if order]
    print(f"{len(found)} of {len(rows)} groups found, median {statistics.median(found):.3f} s, "
          f"{sum(1 for _, order, _ in rows if order and order > 1)} not trivial\n")
    print("| game | order | seconds |\n|---|---:|---:|")
    for name, order, seconds in rows:
        print(f"| {name} | {order if order else '–'} | {seconds:.2f} |")


if __name__ == "__main__":
    main()
