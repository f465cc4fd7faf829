#!/usr/bin/env python3
"""Games of one role: which goals do players reach in ten seconds a game?

  bench/solo.py ALEA CORPUS                       alea and uct, all games, a match each
  bench/solo.py ALEA CORPUS --matches 3 --jobs 2  three matches each, two at a time
  bench/solo.py ALEA CORPUS --keep FILE           keeps what was played, goes on where it stopped

CORPUS holds games/*.kif and manifest.tsv.  Half of the time is the start clock; the other half
is shared by as many moves as the longest of --random random games had.  All clocks are CPU time.
A goal is reached where a match ends with 100.
Exit status 0: all was played; 1: a player broke off; 77: no corpus.
"""
import argparse
import concurrent.futures
import csv
import json
import math
import pathlib
import re
import subprocess
import sys


def games_of(options):
    with open(options.corpus / "manifest.tsv", encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            alone = int(row["roles"]) - int(row["has_random"]) == 1
            if alone and re.search(options.only, row["name"]):
                yield {"name": row["name"], "path": options.corpus / row["file"],
                       "chance": row["has_random"] == "1"}


def records(options, game, player, *budget):
    command = [options.alea, "match", game["path"], "--json", "--player", player, *budget]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{game['name']}, {player}: {done.stderr.strip()}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def goal_of(record):
    own = next(goal for role, goal in record["goals"].items() if role != "random")
    return own if record["isCompleted"] else 0


def play(options, game, player, seed):
    half = options.seconds / 2
    found = records(options, game, player, "--cpu", "--start", half, "--time",
                    f"{half / game['steps']:.4f}", "--seed", seed)
    return goal_of(found[0])


def longest(options, game):
    found = records(options, game, "random", "--sims", 1, "--matches", options.random)
    return max(len(record["moves"]) for record in found)


def interval(values):
    """Half of the 95 % interval of the mean."""
    if len(values) < 2:
        return math.nan
    mean = sum(values) / len(values)
    return 1.96 * math.sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1) / len(values))


class Kept:
    """Goals by game, player and seed; in a file too, where one is named."""

    def __init__(self, path):
        self.path, self.goals = path, {}
        if path and path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                *key, goal = json.loads(line)
                self.goals[tuple(key)] = goal

    def add(self, key, goal):
        self.goals[key] = goal
        if self.path:
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(json.dumps([*key, goal]) + "\n")


def play_all(options, games, kept):
    """Plays what is not kept yet; how many matches failed."""
    failed, seeds = 0, range(options.seed, options.seed + options.matches)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for game, steps in zip(games, pool.map(lambda game: longest(options, game), games)):
            game["steps"] = max(1, steps)
        open_keys = {}
        for seed in seeds:
            for player in options.player:
                for game in games:
                    key = (game["name"], player, seed)
                    if key not in kept.goals:
                        open_keys[pool.submit(play, options, game, player, seed)] = key
        for number, future in enumerate(concurrent.futures.as_completed(open_keys), 1):
            try:
                kept.add(open_keys[future], future.result())
            except RuntimeError as error:
                failed += 1
                print(error, file=sys.stderr)
            if sys.stderr.isatty():
                print(f"\r{number} of {len(open_keys)} matches", end="", file=sys.stderr)
    return failed


def table(options, games, kept):
    print("| game |" + "".join(f" {player} |" for player in options.player))
    print("|---|" + "---|" * len(options.player))
    for game in games:
        cells = [[kept.goals.get((game["name"], player, options.seed + number))
                  for number in range(options.matches)] for player in options.player]
        print(f"| {game['name']} |" + "".join(" " + " ".join(map(str, cell)) + " |" for cell in cells))


def summary(options, games, kept, what):
    print(f"\n{len(games)} games {what}:")
    for player in options.player:
        goals, reached = [], []
        for number in range(options.matches):
            row = [kept.goals.get((game["name"], player, options.seed + number), 0) for game in games]
            goals.append(sum(row) / max(1, len(row)))
            reached.append(sum(goal == 100 for goal in row))
        count = len(goals)
        print(f"  {player}: goal reached in {sum(reached) / count:.1f} ± {interval(reached):.1f} games, "
              f"{sum(goals) / count:.1f} ± {interval(goals):.1f} points")


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("alea", type=pathlib.Path)
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("--player", action="append", help="default: alea and uct")
    parser.add_argument("--seconds", type=float, default=10, help="of CPU time a game")
    parser.add_argument("--matches", type=int, default=1, help="of each player in each game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--random", type=int, default=20, help="random games that tell how many moves there are")
    parser.add_argument("--jobs", type=int, default=1, help="matches at a time")
    parser.add_argument("--only", default="", help="regular expression that names of games match")
    parser.add_argument("--keep", type=pathlib.Path, help="file of what was played")
    options = parser.parse_args()
    options.player = options.player or ["alea", "uct"]
    return options


def main():
    options = read_options()
    if not (options.corpus / "manifest.tsv").exists():
        print(f"no corpus at {options.corpus}")
        return 77
    games, kept = list(games_of(options)), Kept(options.keep)
    failed = play_all(options, games, kept)
    table(options, games, kept)
    summary(options, [game for game in games if not game["chance"]], kept, "without chance")
    summary(options, games, kept, "in all")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
