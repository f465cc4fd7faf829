#!/usr/bin/env python3
"""The flagship of now against the flagship of before, match by match, over as many sittings as it takes.

    python3 bench/strength/before.py --time 0.25 --matches 100 --minutes 120    plays what is missing
    python3 bench/strength/before.py --table                                    prints what there is
    python3 bench/strength/before.py --older PROGRAM --minutes 60               against a program that was built from an older commit

The flagship of before is the tree alone: no rivals, no evaluation, no floor under the visits, the same exploration where
boards are filled as elsewhere.  Every match has 10 s of CPU time before the first move; one of the roles, which the seed
says, plays the flagship of now, and each other role is an opponent that it scores against.  Results are appended to
before.tsv beside this file as they come, so that Ctrl-C loses nothing; a row is one match, with the commit of the program
that played it, and --table --version COMMIT counts that commit's alone.  The game with the fewest matches is next.

With --player and --against others play.  With --older the flagship of that program plays instead, engine and all: both
programs are then behind `alea serve`, do not think while others do, and have the wall clock, so one match at a time
should run on a machine that does nothing else; results go to older.tsv.  Clocks of the protocol are whole seconds: of
longer ones both use a part only.
"""
import argparse
import collections
import concurrent.futures
import contextlib
import json
import math
import pathlib
import re
import subprocess
import sys
import threading
import time

from results import add_row, rows_of, score_of, text_of

HERE = pathlib.Path(__file__).resolve().parent
BEFORE = "alea:rival=off,eval=off,floor=0,refute=off,filled=0.3"
START = 10
FEW = ["breakthrough", "knight-through", "chess", "english-draughts", "checkers", "chinese-checkers", "skirmish"]
TWELVE = ["hex", "knight-through", "quarto", "pentago", "ttcc4", "copolymer", "kaseklau", "connect-four-simultaneous",
          "majorities", "reversi", "breakthrough-suicide", "reversi-suicide"]
GAMES = {"few": FEW, "twelve": TWELVE, "all": list(dict.fromkeys(FEW + TWELVE))}
COLUMNS = ["game", "time", "seed", "version", "won", "drawn", "lost"]
FAULTS = ["late", "late_before"]  # replies of either side that the runner replaced, with --older
choosing = threading.Lock()


def clocks_of(options):
    """The clocks before the first move and for a move, and the part of both that is used."""
    if options.older is None:
        return START, options.time, 1
    seconds = math.ceil(options.time)
    effort = options.time / seconds
    return math.ceil(START / effort), seconds, effort


@contextlib.contextmanager
def served(program, seed, effort):
    """The address of a program's flagship."""
    command = [program, "serve", "--player", f"alea:effort={effort:g}", "--port", "0", "--quiet", "--sandbox", "off", "--margin", "0.02",
               "--seed", str(seed)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        yield re.search(r"http://[0-9.:]+", process.stdout.readline())[0]
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def opponents(options, others, seed):
    """Who plays: the flagship of now, and each of the others."""
    if options.older is None:
        yield options.player, [options.against] * others
        return
    effort = clocks_of(options)[2]
    with contextlib.ExitStack() as stack:
        own = stack.enter_context(served(options.alea, seed, effort))
        yield own, [stack.enter_context(served(options.older, seed + i, effort)) for i in range(others)]


def play(options, game, seed):
    """The row of a match."""
    roles = sum(role != "random" for role in info(options.alea, game)["roles"])
    own = seed % roles
    start, seconds, _ = clocks_of(options)
    command = [options.alea, "match", game, "--start", start, "--time", seconds, "--seed", seed, "--json"]
    command += ["--cpu"] if options.older is None else []
    with opponents(options, roles - 1, seed) as (now, before):
        before = iter(before)
        for role in range(roles):
            command += ["--player", now if role == own else next(before)]
        return row_of(command, game, options.time, seed, own)


def row_of(command, game, seconds, seed, own):
    """What came of a match."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{game}, seed {seed}: {done.stderr.strip()}")
    record = json.loads(done.stdout)
    players = [i for i, role in enumerate(record["roles"]) if role != "random"]
    goals = [record["goals"][record["roles"][i]] for i in players]
    faults = [sum(step[i] != "" for step in record["errors"] if step) for i in players]
    others = [goal for role, goal in enumerate(goals) if role != own]
    return {"game": game, "time": seconds, "seed": seed, "won": sum(goals[own] > goal for goal in others),
            "drawn": sum(goals[own] == goal for goal in others), "lost": sum(goals[own] < goal for goal in others),
            "late": faults[own], "late_before": sum(faults) - faults[own]}


infos = {}


def info(alea, game):
    if game not in infos:
        done = subprocess.run([alea, "info", game, "--json"], capture_output=True, text=True, check=True)
        infos[game] = json.loads(done.stdout)
    return infos[game]


class Series:
    """What is to be played, until there is enough of it or time is over."""

    def __init__(self, options):
        self.options, self.end = options, time.time() + 60 * options.minutes
        self.counts, self.seed = collections.Counter(), options.seed
        for row in rows_of(options.results):
            if float(row["time"]) == options.time:
                self.counts[row["game"]] += 1
                self.seed = max(self.seed, int(row["seed"]) + 1)
        self.seeds = collections.defaultdict(lambda: self.seed)

    def next(self):
        with choosing:
            open_games = [game for game in self.options.games if self.counts[game] < self.options.matches]
            if not open_games or time.time() >= self.end:
                return None
            game = min(open_games, key=lambda game: self.counts[game])
            seed = self.seeds[game]
            self.counts[game] += 1
            self.seeds[game] += 1
            return game, seed

    def work(self):
        while (unit := self.next()) is not None:
            row = play(self.options, *unit)
            columns = COLUMNS + (FAULTS if self.options.older else [])
            add_row(self.options.results, columns, {**row, "version": self.options.version})
            print(f"{row['game']} {row['seed']}: {row['won']}, {row['drawn']}, {row['lost']}", flush=True)


def print_table(path, version):
    sums = collections.defaultdict(collections.Counter)
    for row in rows_of(path):
        if version not in (None, row["version"]):
            continue
        total = sums[float(row["time"]), row["game"]]
        total["matches"] += 1
        for column in COLUMNS[4:] + FAULTS:
            total[column] += int(row.get(column, 0))
    for seconds in sorted({key[0] for key in sums}):
        print(f"\n| {seconds:g} s a move | matches | score | won, drawn, lost |\n|---|---|---|---|")
        for game in GAMES["all"] + sorted({key[1] for key in sums} - set(GAMES["all"])):
            row = sums.get((seconds, game))
            if row:
                late = f" ({row['late']} and {row['late_before']} replies late)" if row["late"] + row["late_before"] else ""
                print(f"| {game} | {row['matches']} | {text_of(row)} | {row['won']}, {row['drawn']}, {row['lost']}{late} |")
        means = [score_of(sums[seconds, game])[0] for game in TWELVE if (seconds, game) in sums]
        if len(means) == len(TWELVE):
            print(f"| mean of the twelve | | {sum(means) / len(means):.0f} | |")


def commit():
    done = subprocess.run(["git", "rev-parse", "--short=8", "HEAD"], capture_output=True, text=True, check=True, cwd=HERE)
    return done.stdout.strip()


def read_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--alea", default="build/alea")
    parser.add_argument("--games", default="all", help="few, twelve, all, or names with commas between them")
    parser.add_argument("--player", default="alea", help="another one in the place of the flagship of now")
    parser.add_argument("--against", default=BEFORE, help="another one in the place of that of before")
    parser.add_argument("--time", type=float, default=0.25, help="seconds of CPU time for a move")
    parser.add_argument("--matches", type=int, default=100, help="of each game, those of before included")
    parser.add_argument("--minutes", type=float, default=1e9, help="after which no match is begun")
    parser.add_argument("--jobs", type=int, help="matches at a time; 2, or 1 with --older")
    parser.add_argument("--older", help="an older program, whose flagship is the opponent")
    parser.add_argument("--seed", type=int, default=1000, help="of the first match, where there is none")
    parser.add_argument("--results", type=pathlib.Path, help="before.tsv, or older.tsv with --older")
    parser.add_argument("--table", action="store_true", help="play nothing")
    parser.add_argument("--version", help="of the program: the commit that is checked out, or with --table any, unless given")
    options = parser.parse_args()
    if not options.table:
        options.version = options.version or commit()
    options.jobs = options.jobs or (2 if options.older is None else 1)
    options.results = options.results or HERE / ("before.tsv" if options.older is None else "older.tsv")
    options.games = GAMES.get(options.games) or options.games.split(",")
    return options


def main():
    options = read_options()
    if not options.table:
        series = Series(options)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for done in [pool.submit(series.work) for _ in range(options.jobs)]:
                done.result()
    print_table(options.results, options.version if options.table else None)


if __name__ == "__main__":
    sys.exit(main())
