#!/usr/bin/env python3
"""SIGTERM ends every command soon, whatever it is doing, and what was done is kept.

    tests/e2e/terminate.py --alea build/alea

Each command is started on a job that would take hours; the signal comes half a second later.
Commands with something to keep end in good order, the others by the signal.
"""
import argparse
import http.client
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

# A billion legal moves: hours for the prover, and more memory than there is for the grounder.
DIGITS = "".join(f"(d {i})" for i in range(10))
MOVE = " ".join(f"?{i}" for i in range(9))
BODY = " ".join(f"(d ?{i})" for i in range(9))
ENDLESS = (f"(role r) {DIGITS} (init a) (<= (legal r (m {MOVE})) (true a) {BODY}) (<= (next a) (true a)) "
           "(goal r 1) (<= terminal (true b))")
EVENT = """
games: [chess]
players: ["uct", "uct:c=1"]
budget: {time: 1000}
matches: 100000
"""

BY_SIGNAL = -signal.SIGTERM
# The command, and the statuses with which it may end.
JOBS = [
    ("check endless.kif --strict", (BY_SIGNAL, 0, 1)),
    ("info endless.kif", (BY_SIGNAL,)),
    ("show endless.kif", (BY_SIGNAL,)),
    ("simulate endless.kif --engine prover --memory 0", (4, BY_SIGNAL)),
    ("perft chess --depth 9", (4, BY_SIGNAL)),
    ("bench chess --seconds 1000", (4, BY_SIGNAL)),
    ("best chess --time 1000", (0, BY_SIGNAL)),
    ("play endless.kif --engine prover", (BY_SIGNAL,)),
    ("match chess --player uct --player uct --time 1000 --start 1", (4, BY_SIGNAL)),
    ("solve --model connect:7x6:4", (4,)),
    ("translate chess --to scsp", (BY_SIGNAL,)),
    ("learn toss-breakthrough --plays 100000 --seconds 0", (4, BY_SIGNAL)),
    ("experiment E1 --scale full", (BY_SIGNAL, 4)),
    ("tournament event.yaml --workers 1", (4,)),
    ("host chess --player uct --player uct --time 1000 --start 1000", (0, 1, 4, BY_SIGNAL)),
    ("host connect-four --player mc --player mc --time 1000 --start 1", (0, 1, 4)),
    ("serve --port 0", (0,)),
]
MOST = float(os.environ.get("ALEA_PATIENCE", "10"))  # one second where the machine is idle


def ask(port, message):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("POST", "/", message)
    answer = connection.getresponse().read().decode()
    connection.close()
    return answer


def keep_busy(process):
    """A server whose match grounds and whose fallback looks for a billion moves."""
    line = process.stdout.readline().decode()
    port = int(line.rsplit(":", 1)[1])
    ask(port, f"( START m r ( {ENDLESS} ) 1 100)")


def run(alea, folder, job, allowed):
    words = job.split()
    process = subprocess.Popen([alea] + words, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL)
    if words[0] == "serve":
        keep_busy(process)
    try:
        process.wait(0.5)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGTERM)
    start = time.monotonic()
    try:
        process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        process.kill()
        sys.exit(f"alea {job} does not end after SIGTERM")
    seconds = time.monotonic() - start
    print(f"{seconds:6.2f} s, status {process.returncode:3}: alea {job}")
    if process.returncode not in allowed:
        sys.exit(f"alea {job} ends with {process.returncode}, not with one of {allowed}")
    if seconds > MOST:
        sys.exit(f"alea {job} ends {seconds:.1f} s after SIGTERM")


def check_store(folder):
    """The database is sound and no match is stored twice."""
    with sqlite3.connect(os.path.join(folder, "event.db")) as store:
        if store.execute("pragma integrity_check").fetchone()[0] != "ok":
            sys.exit("the database of the tournament is damaged")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--alea", required=True)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    alea = os.path.abspath(arguments.alea)
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("endless.kif", ENDLESS), ("event.yaml", EVENT)):
            with open(os.path.join(folder, name), "w", encoding="ascii") as file:
                file.write(text)
        for job, allowed in JOBS:
            if job.startswith(arguments.only):
                run(alea, folder, job, allowed)
        if os.path.exists(os.path.join(folder, "event.db")):
            check_store(folder)


main()
