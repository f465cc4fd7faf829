#!/usr/bin/env python3
"""Matches on a machine that is busy with something else: who is late, illegal or too large?

  bench/load.py ALEA CORPUS                      500 matches over 50 games at 0.2 s a move
  bench/load.py ALEA CORPUS --minutes 15         as many of them as fit
  bench/load.py ALEA CORPUS --sims 50 --busy 0   no clock; for builds with sanitizers

CORPUS holds games/*.kif and manifest.tsv.  Games of all kinds (players, chance, simultaneous
moves, percepts) take turns; those that need more than --ready seconds before a match begins are
passed over.  Every match is one process.  Records tell of illegal moves (IL), late replies (TO, no
grace) and players that failed (CE); the operating system tells how large the process was.  It
may have what a match without any tree has, the memory of both trees, and --slack.
Exit status 0: nothing found; 1: something was; 77: no corpus.
"""
import argparse
import collections
import csv
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import threading
import time

PLAYER_TAGS = ("1p", "2p", "np")


def kind_of(row):
    tags = row["tags"].split(",")
    players = next(tag for tag in tags if tag in PLAYER_TAGS)
    flags = [name for name, present in (("simultaneous", "simultaneous" in tags),
                                        ("chance", row["has_random"] == "1"),
                                        ("sees", row["has_sees"] == "1")) if present]
    return " ".join([players] + flags)


def run(command, seconds):
    """Standard output, exit status (None: killed after 'seconds') and peak memory in MB."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen([str(word) for word in command], stdout=out, stderr=errors)
        timer = threading.Timer(seconds, process.kill)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        late = not timer.is_alive()
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        errors.seek(0)
        text = errors.read().decode(errors="replace")
        return out.read(), None if late else process.returncode, usage.ru_maxrss / 1024, text


def is_fine(status, text):
    """Over, or cut at the step cap."""
    return status == 0 or status == 4 and "(the limit is --step-cap)" in text


def match(options, game, players, seed, cap, budget, seconds):
    command = [options.alea, "match", game["path"], "--json", "--grace", 0, "--seed", seed,
               "--step-cap", cap, "--ground-seconds", options.ready, "--start", options.start] + budget
    for player in players:
        command += ["--player", player]
    return run(command, seconds)


def order_of(options):
    """All games, the kinds taking turns."""
    kinds = collections.defaultdict(list)
    with open(options.corpus / "manifest.tsv", encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if not re.search(options.only, row["name"]):
                continue
            count = int(row["roles"]) - int(row["has_random"])
            game = {"name": row["name"], "path": options.corpus / row["file"], "kind": kind_of(row),
                    "count": count}
            kinds[game["kind"]].append(game)
    generator = random.Random(options.seed)
    for games in kinds.values():
        generator.shuffle(games)
    while any(kinds.values()):
        for kind in sorted(kinds):
            if kinds[kind]:
                yield kinds[kind].pop()


def choose_games(options):
    games = []
    for game in order_of(options):
        if len(games) == options.games:
            break
        start = time.monotonic()
        _, status, memory, text = match(options, game, ["legal"] * game["count"], 1, 3, ["--sims", 1],
                                        4 * options.ready + 5)
        if is_fine(status, text) and time.monotonic() - start <= options.ready:
            game["base"] = memory
            games.append(game)
    return games


class Found:
    def __init__(self):
        self.problems = []
        self.matches = self.moves = self.cut = 0
        self.worst = self.largest = 0.0
        self.kinds = collections.Counter()
        self.longest = ""

    def note(self, game, seed, what):
        self.problems.append((game["name"], seed, what))
        print(f"{game['name']}, seed {seed}: {what}", flush=True)

    def read(self, options, game, seed, record):
        for step, errors in enumerate(record["errors"]):
            for role, error in enumerate(errors):
                if error:
                    taken = record.get("moveSeconds", [])
                    spent = f" after {taken[step - 1][role]:.3f} s" if 0 < step <= len(taken) else ""
                    self.note(game, seed, f"step {step}, {record['players'][role]}: {error}{spent}")
        self.moves += sum(len(row) for row in record["moves"])
        self.cut += not record["isCompleted"]
        for row in record.get("moveSeconds", []):
            if max(row) > self.worst:
                self.worst, self.longest = max(row), game["name"]


def play(options, games, found):
    end = time.monotonic() + 60 * options.minutes if options.minutes else float("inf")
    pair = [options.first, options.second]
    budget = ["--sims", options.sims] if options.sims else ["--time", options.time]
    most = options.step_cap * (options.time + 0.1) * 4 + 8 * options.start + 60
    for number in range(options.matches):
        if time.monotonic() > end:
            break
        game, turn = games[number % len(games)], number // len(games)
        players = [pair[(i + turn) % 2] for i in range(game["count"])]
        seed = options.seed + number
        out, status, memory, text = match(options, game, players, seed, options.step_cap, budget, most)
        found.matches += 1
        found.kinds[game["kind"]] += 1
        if not is_fine(status, text):
            found.note(game, seed, f"exit status {status}: {text.strip()[:600]}")
            continue
        found.read(options, game, seed, json.loads(out))
        above = memory - game["base"]
        found.largest = max(found.largest, above)
        bound = options.memory * game["count"] + options.slack
        if options.slack and above > bound:
            found.note(game, seed, f"{above:.0f} MB above a match without trees; {bound} are allowed")


def busy(count):
    return [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]


def report(options, games, found, load):
    clock = f"{options.sims} simulations" if options.sims else f"{options.time} s"
    print(f"{found.matches} matches over {min(len(games), found.matches)} games, {clock} a move, "
          f"{options.first} and {options.second}; {found.moves} moves, {found.cut} matches cut at "
          f"{options.step_cap} steps")
    print(", ".join(f"{kind}: {count}" for kind, count in sorted(found.kinds.items())))
    if not options.sims:
        print(f"slowest reply {found.worst:.3f} s ({found.longest})")
    print(f"at most {found.largest:.0f} MB above a match without trees")
    print(f"{options.busy} busy loops; load average {load[0]:.1f} before, {os.getloadavg()[0]:.1f} after")
    print(f"{len(found.problems)} problems")


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("alea", type=pathlib.Path)
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--matches", type=int, default=500)
    parser.add_argument("--minutes", type=float, default=0, help="start no match after that; 0: all")
    parser.add_argument("--time", type=float, default=0.2, help="seconds a move")
    parser.add_argument("--start", type=float, default=1, help="seconds before the first move")
    parser.add_argument("--sims", type=int, default=0, help="simulations a move, in place of time")
    parser.add_argument("--step-cap", type=int, default=1000)
    parser.add_argument("--busy", type=int, default=2, help="loops that load the machine meanwhile")
    parser.add_argument("--ready", type=float, default=3, help="seconds a game may need to get ready")
    parser.add_argument("--memory", type=int, default=64, help="MB of each tree")
    parser.add_argument("--slack", type=int, default=64, help="MB besides; 0: do not look at memory")
    parser.add_argument("--first", default="alea")
    parser.add_argument("--second", default="uct")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="regular expression that names of games match")
    options = parser.parse_args()
    for which in ("first", "second"):
        text = getattr(options, which)
        joint = "," if ":" in text else ":"
        setattr(options, which, f"{text}{joint}memory={options.memory}M")
    return options


def main():
    options = read_options()
    if not (options.corpus / "manifest.tsv").exists():
        print(f"no corpus at {options.corpus}")
        return 77
    games = choose_games(options)
    found, load = Found(), os.getloadavg()
    loops = busy(options.busy)
    try:
        play(options, games, found)
    finally:
        for loop in loops:
            loop.kill()
    report(options, games, found, load)
    return 1 if found.problems else 0


if __name__ == "__main__":
    sys.exit(main())
