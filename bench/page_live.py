#!/usr/bin/env python3
"""What telling opinions costs a search: CPU seconds of one hint with two programs, in turns.

    bench/page_live.py OFTEN NEVER [--pairs 15]

OFTEN is built with `look_every` (src/page/table_run.c) a hundredth of what it is, 0.0025 s, and NEVER with a million.  The
hint is asked for at the first position, with a fixed number of simulations and a stream open.  Printed are the mean of
the differences of the pairs with its 95 % interval, and what a hundredth of it, the opinions that are told in truth, is
in percent of the search.
"""
import argparse
import math
import pathlib
import statistics
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests" / "e2e"))
from page import Page, is_mine  # noqa: E402

TICKS = 100
T95 = {10: 2.262, 15: 2.145, 20: 2.093}


def processes(root):
    """CPU seconds of all processes below one."""
    rows = {}
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        rows[int(stat.parent.name)] = int(fields[1]), (int(fields[11]) + int(fields[12])) / TICKS
    below = {root}
    for _ in range(4):
        below |= {pid for pid, (parent, _) in rows.items() if parent in below}
    return {pid: rows[pid][1] for pid in below - {root}}


def read_all(connection):
    try:
        while connection.recv(1 << 16):
            pass
    except OSError:
        pass


def hint(alea, game, player, level):
    page = Page(alea)
    try:
        idle = set(processes(page.process.pid))
        table = page.open(game=game, level=level, players={}, player=player)
        page.wait(table, is_mine)
        threading.Thread(target=read_all, args=(page.stream(table),), daemon=True).start()
        mine = set(processes(page.process.pid)) - idle
        before = sum(processes(page.process.pid)[pid] for pid in mine)
        assert page.wish(table, do="hint")[0] == 200
        return sum(processes(page.process.pid)[pid] for pid in mine) - before
    finally:
        page.process.kill()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("often")
    parser.add_argument("never")
    parser.add_argument("--pairs", type=int, default=15, choices=sorted(T95))
    options = parser.parse_args()
    for game, player, level in (("chess", "uct", 4), ("connect-four", "uct", 7), ("hex", "uct", 6)):
        pairs = [(hint(options.often, game, player, level), hint(options.never, game, player, level)) for _ in range(options.pairs)]
        differences = [a - b for a, b in pairs]
        mean, usual = statistics.mean(differences), statistics.mean(b for _, b in pairs)
        half = T95[options.pairs] * statistics.stdev(differences) / math.sqrt(options.pairs)
        print(f"{game}, level {level}: {usual:.3f} s, {mean:+.3f} ± {half:.3f} s a hundred times as often, "
              f"slower by {mean / usual:.2f} ± {half / usual:.2f} %", flush=True)


if __name__ == "__main__":
    main()
