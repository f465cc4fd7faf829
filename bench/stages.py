#!/usr/bin/env python3
"""The log of ALEA_STAGE_LOG (tests/differential/test_stage.c) as a table.

  ALEA_FULL=1 ALEA_STAGE_LOG=LOG build/tests/differential_test_stage; bench/stages.py LOG
"""
import re
import sys

PLAYS = re.compile(r"plays (\d+) states (\d+) arcs (\w+)")
GRAPH = re.compile(r"graph (\d+) states (\d+) arcs (\w+)")


class Tally:
    def __init__(self):
        self.games = self.same = self.states = self.arcs = self.whole = 0
        self.short, self.failed, self.differ = [], [], []

    def add(self, name, verdict, line):
        self.games += 1
        if verdict not in ("same", "DIFFERENT"):
            self.failed.append((name, verdict))
            return
        self.same += verdict == "same"
        if verdict != "same":
            self.differ.append(name)
        for found in PLAYS.findall(line) + GRAPH.findall(line):
            self.states += int(found[0])
            self.arcs += int(found[1])
        plays, graph = PLAYS.search(line), GRAPH.search(line)
        if plays and plays.group(3) != "whole":
            self.short.append(f"{name} ({plays.group(1)})")
        self.whole += graph is not None and graph.group(3) == "whole"


def main():
    sums = {}
    for line in open(sys.argv[1]):
        kind, name, verdict = line.rstrip("\n").split("\t")[:3]
        sums.setdefault(kind, Tally()).add(name.removesuffix(".kif"), verdict, line)
    print("| games, encoder | games | same | different | 1,000 states | whole graphs | states | arcs |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for kind, t in sums.items():
        print(f"| {kind} | {t.games} | {t.same} | {len(t.differ)} | {t.same - len(t.short)} | {t.whole} | "
              f"{t.states:,} | {t.arcs:,} |")
    for kind, t in sums.items():
        if t.short:
            print(f"\n{kind}, fewer states in the time: {', '.join(t.short)}.")
        for verdict in sorted({v for _, v in t.failed}):
            print(f"\n{kind}, {verdict}: {', '.join(n for n, v in t.failed if v == verdict)}.")


if __name__ == "__main__":
    main()
