#!/usr/bin/env python3
"""Kills tournaments and looks whether anything is lost or comes twice.

    tests/e2e/kill.py --alea build/alea [--mpi] [--kills N]

An undisturbed run with simulation budgets is the reference.  Then the same
tournament is started again and again while its processes get SIGKILL at random
moments: workers, from which it must recover by itself, and the leader (or,
under mpirun, a rank or mpirun itself), after which the same command must go
on.  In the end both databases must agree row for row but for times.
"""
import argparse
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

DESCRIPTION = """
name: kill
seed: 5
games: [tictactoe, {game: connect-four, matches: %d}, {game: orchard, matches: %d}]
players: [uct, {name: eager, player: "uct:c=0.4"}, random]
budget: {sims: 150}
matches: %d
"""
# Everything but times, and who played.
QUERIES = [
    "SELECT name, rules, seats FROM games ORDER BY 1",
    "SELECT * FROM pairings ORDER BY id",
    "SELECT id, pairing, number, seed, rotation, done, completed, score, steps, faults, engine,"
    " version FROM matches ORDER BY id",
    "SELECT match, role, name, entrant, player, goal, statistics FROM seats ORDER BY 1, 2",
    "SELECT match, step, role, move, error FROM moves ORDER BY 1, 2, 3",
]
SKIP = 77


def contents(path):
    database = sqlite3.connect(path)
    found = [database.execute(query).fetchall() for query in QUERIES]
    state = database.execute("PRAGMA integrity_check").fetchall()
    database.close()
    if state != [("ok",)]:
        sys.exit(f"{path}: {state}")
    return found


def processes(marker):
    """pid: parent of every process whose command line holds 'marker'."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            command = (entry / "cmdline").read_bytes()
            status = (entry / "stat").read_text()
        except OSError:
            continue
        fields = status.rsplit(")", 1)[1].split()
        if marker.encode() in command and fields[0] != "Z":
            found[int(entry.name)] = int(fields[1])
    return found


def kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
        return True
    except ProcessLookupError:
        return False


def wait_until_gone(marker, what):
    deadline = time.monotonic() + 20
    while processes(marker):
        if time.monotonic() > deadline:
            sys.exit(f"processes outlive {what}: {processes(marker)}")
        time.sleep(0.02)


class Tournament:
    def __init__(self, alea, folder, mpi):
        self.database = str(folder / "killed.db")
        self.command = [alea, "tournament", str(folder / "kill.yaml"), "--db", self.database,
                        "--workers", "1" if mpi else "2"]
        if mpi:
            self.command = ["mpirun", "-n", "3", "--oversubscribe", "--allow-run-as-root",
                            *self.command]
        self.mpi = mpi

    def start(self):
        return subprocess.Popen(self.command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def workers(self, top):
        """Processes that play: the deepest of the tree."""
        found = processes(self.database)
        return [pid for pid, parent in found.items() if pid != top and parent in found
                and pid not in found.values() and (not self.mpi or found[parent] != parent
                                                   and parent != top)]

    def heads(self, top):
        """Whose death ends the run: the leader; under mpirun it and the ranks."""
        found = processes(self.database)
        return [top] + [pid for pid, parent in found.items() if self.mpi and parent == top]


def finish(run, heads):
    """Waits for a run whose head was killed; 1 when it had to be helped.

    mpirun of Open MPI 4.1 was seen to wait for ever when a rank was killed while
    the job was starting; an operator would do the same."""
    try:
        run.communicate(timeout=20)
        return 0
    except subprocess.TimeoutExpired:
        for pid in heads:
            kill(pid)
        run.communicate()
        return 1


def second_leader(tournament):
    run = subprocess.run(tournament.command, capture_output=True, text=True)
    if run.returncode != 5 or "another tournament is writing" not in run.stderr:
        sys.exit(f"a second leader was let in: {run.returncode} {run.stdout} {run.stderr}")


def disturb(tournament, kills, rng):
    """Runs to the end with 'kills' deaths of the leader; counts what died."""
    heads = workers = helped = 0
    tried_second = tournament.mpi
    while True:
        run = tournament.start()
        deadline = time.monotonic() + rng.uniform(0.15, 0.6) + (0.6 if tournament.mpi else 0)
        while run.poll() is None and (heads >= kills or time.monotonic() < deadline):
            time.sleep(rng.uniform(0.02, 0.15))
            victims = tournament.workers(run.pid)
            if victims and workers < 3 * kills and kill(rng.choice(victims)):
                workers += 1
        if not tried_second and run.poll() is None:
            second_leader(tournament)
            tried_second = True
        if run.poll() is None:
            candidates = tournament.heads(run.pid)
            heads += kill(rng.choice(candidates))
            helped += finish(run, candidates)
            wait_until_gone(tournament.database, "the leader")
            continue
        output = run.communicate()[0].decode()
        if run.returncode != 0:
            sys.exit(f"exit status {run.returncode}: {output}")
        if helped:
            print(f"mpirun hung {helped} times after a rank was killed, and was killed too")
        return heads, workers


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--alea", required=True)
    parser.add_argument("--mpi", action="store_true")
    parser.add_argument("--kills", type=int, default=20 if os.environ.get("ALEA_FULL") else 3)
    parser.add_argument("--seed", type=int, default=None)
    options = parser.parse_args()
    if not pathlib.Path("/proc/self/stat").exists():
        print("skipped: no /proc here")
        return SKIP
    if options.mpi and shutil.which("mpirun") is None:
        print("skipped: mpirun is not installed")
        return SKIP
    alea = str(pathlib.Path(options.alea).resolve())
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(10**6)
    many = options.kills
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        # Long enough for so many deaths on an idle machine; jobs of MPI live longer.
        matches = (600 if options.mpi else 150) * many
        (folder / "kill.yaml").write_text(DESCRIPTION % (4 * many, 4 * many, matches))
        subprocess.run([alea, "tournament", str(folder / "kill.yaml"), "--db",
                        str(folder / "whole.db")], check=True, stdout=subprocess.DEVNULL)
        tournament = Tournament(alea, folder, options.mpi)
        heads, workers = disturb(tournament, many, random.Random(seed))
        reference, found = contents(folder / "whole.db"), contents(tournament.database)
    print(f"seed {seed}: {heads} leaders and {workers} workers killed, "
          f"{len(reference[2])} matches, {len(reference[4])} moves")
    for query, one, two in zip(QUERIES, reference, found):
        if one != two:
            print(f"differs: {query}\n  {len(one)} and {len(two)} rows")
            return 1
    if any(not row[5] for row in reference[2]):
        print("not all matches are done")
        return 1
    if heads == 0 or workers == 0:
        print("nothing was killed: the tournament is too short for this machine")
        return 1
    return 0


sys.exit(main())
