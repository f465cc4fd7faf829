#!/usr/bin/env python3
"""Every player of `alea players` twice with the same seed and simulations: the same bytes.

    tests/e2e/same_bytes.py --alea build/alea [--sims N]

Two processes a match, so that nothing that differs between processes (addresses, clocks, the
order of threads) can be in a record.  The flagship plays with three threads, too.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

# One with everything in the open, one with chance and things hidden, one where all move at once.
GAMES = {"tictactoe": 2, "monty-hall": 1, "matching-pennies": 2}
TOSS_GAMES = {"toss-tictactoe": 2, "toss-gale": 2, "toss-contest": 2}


def play(alea, game, player, count, sims):
    players = [player] + ["random"] * (count - 1)
    command = [alea, "match", game, "--sims", str(sims), "--seed", "11", "--step-cap", "40", "--json"]
    for text in players:
        command += ["--player", text]
    run = subprocess.run(command, capture_output=True)
    return run.returncode, run.stdout, run.stderr.decode(errors="replace")


def learn(alea, game, path):
    """An evaluation, poor but quickly made."""
    subprocess.run([alea, "learn", game, "--rounds", "1", "--plays", "3", "--iterations", "100",
                    "--out", str(path)], check=True, stdout=subprocess.DEVNULL)
    return path


def contests(alea, names, folder):
    for name in names + ["alea:threads=3"]:
        if not name.startswith("toss-"):
            yield from ((name, game, count) for game, count in GAMES.items())
            continue
        for game, count in TOSS_GAMES.items():
            evaluated = name == "toss-uct-eval"
            eval_of = f":eval={learn(alea, game, folder / game)}" if evaluated else ""
            yield name + eval_of, game, count


def compare(options, names, folder):
    bad = count = 0
    for player, game, seats in contests(options.alea, names, folder):
        one = play(options.alea, game, player, seats, options.sims)
        two = play(options.alea, game, player, seats, options.sims)
        count += 1
        if one[0] != 0 or one[1] != two[1] or not one[1]:
            bad += 1
            what = f"exit status {one[0]}: {one[2]}" if one[0] else "two records differ"
            print(f"{player} in {game}: {what}")
    return bad, count


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--alea", required=True)
    parser.add_argument("--sims", type=int, default=40)
    options = parser.parse_args()
    listed = json.loads(subprocess.check_output([options.alea, "players", "--json"]))
    names = [player["name"] for player in listed]
    with tempfile.TemporaryDirectory() as folder:
        bad, count = compare(options, names, pathlib.Path(folder))
    print(f"{len(names)} players, {count} pairs of matches, {bad} differ or failed")
    return 1 if bad or count < 3 * len(names) else 0


if __name__ == "__main__":
    sys.exit(main())
