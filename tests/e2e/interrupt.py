#!/usr/bin/env python3
"""Ctrl-C keeps what is done: every command that works for a while, in a real pseudo-terminal.

    tests/e2e/interrupt.py --alea build/alea
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

from terminal import Session

LIMIT = 4  # exit status
CTRL_C = "\003"


def interrupt(alea, *command, working, kept, stopped="alea: stopped"):
    """Waits until it works, presses Ctrl-C, and expects what is kept, in this order."""
    s = Session(alea, *command)
    s.expect(working)
    s.type(CTRL_C)
    for pattern in (kept, stopped):
        s.expect(pattern)
    s.end(LIMIT)


def matches(alea):
    interrupt(alea, "match", "breakthrough", "--player", "uct", "--player", "random", "--time",
              "0.2", working=r"step 1 .*\n", kept=r"aborted at step \d+:  \w+ \(uct\)",
              stopped="stopped after 0 of 1 matches")
    # A record is JSON and is complete up to the step at which it was aborted.
    s = Session(alea, "match", "chess", "--player", "random", "--player", "uct", "--time", "600",
                "--json")
    s.expect("playing: [1-9]")
    s.type(CTRL_C)
    record = json.loads(s.expect(r"({\"matchId.*})\r\n").group(1))
    s.end(LIMIT)
    if not record["isAborted"] or record["isCompleted"]:
        sys.exit(f"not aborted: {record}")
    if len(record["states"]) != len(record["moves"]) + 1:
        sys.exit("the record has a move without a state")
    if len(record["errors"]) != len(record["states"]) or any(map(any, record["errors"])):
        sys.exit(f"whoever was stopped has made a fault: {record['errors']}")
    # A series says how it stands, and prints the tallies so far.
    interrupt(alea, "match", "tictactoe", "--player", "uct", "--player", "random", "--sims", "500",
              "--matches", "1000000", working=r"playing \d+ of 1000000, \d+-\d+: \d+ s",
              kept=r"uct .* won, \d+ drawn, \d+ lost", stopped=r"stopped after \d+ of 1000000")


def records(alea):
    """Progress waits while a record is printed, however slowly the terminal takes it."""
    s = Session(alea, "match", "chess", "--player", "random", "--player", "random", "--matches", "1000",
                "--json")
    end = time.monotonic() + 5
    while time.monotonic() < end:
        s.read(0.2, most=1000)
        time.sleep(0.01)
    for line in s.text.split("\r\n"):
        record = line.partition("{\"matchId")[2]
        if "playing" in record:
            sys.exit(f"progress in the midst of a record: {record[record.index('playing') - 99:][:200]!r}")
    if "playing" not in s.text:
        sys.exit("no progress was shown")
    s.type(CTRL_C)
    s.expect("stopped after")
    s.end(LIMIT)


def counts(alea, folder):
    interrupt(alea, "bench", "breakthrough", "--seconds", "600", working="playing: 1 of 600 s",
              kept=r"breakthrough .* states/s .* playouts/s", stopped="stopped after [12]")
    interrupt(alea, "bench", "breakthrough", "--seconds", "600", "--threads", "2", "--json",
              working="playing: 1 of 600 s", kept=r'"playouts":[1-9]\d+')
    interrupt(alea, "perft", "chess", "--depth", "20", working=r"depth  2 .* s\r\n", kept="",
              stopped="stopped before the end")
    interrupt(alea, "info", "amazons", "--seconds", "600", "--plays", "1000000",
              working="playing: 1 of 600 s", kept=r"length .*[1-9]\d* plays.*engine")
    path = os.path.join(folder, "moves.txt")
    with open(path, "w") as file:
        file.write("---\n" * 1000000)
    interrupt(alea, "simulate", "nim", "--moves", path, working="step 0", kept="",
              stopped="stopped after step 0")


def learning(alea, folder):
    path = os.path.join(folder, "learnt.eval")
    interrupt(alea, "learn", "toss-tictactoe", "--plays", "100000", "--iterations", "50",
              "--out", path, working=r"learning round 1, game \d+, \d+ examples", kept="",
              stopped="what was learnt so far is saved")
    done = subprocess.run([alea, "best", "toss-tictactoe", "--player", "toss-uct-eval", "--eval",
                           path, "--sims", "20", "--json"], capture_output=True)
    if done.returncode:
        sys.exit(f"what was learnt is of no use: {done.stderr}")


def ruler(marks, length):
    """A Golomb ruler: easy to find, hard to prove the shortest."""
    differences = " ".join(f"sub(x[{j}],x[{i}])" for j in range(marks) for i in range(j))
    ordered = " ".join(f"<intension> lt(x[{i}],x[{i + 1}]) </intension>" for i in range(marks - 1))
    return (f'<instance format="XCSP3" type="COP"><variables><array id="x" size="[{marks}]"> '
            f'0..{length} </array></variables><constraints><intension> eq(x[0],0) </intension>'
            f'{ordered}<allDifferent> {differences} </allDifferent></constraints><objectives>'
            f'<minimize> x[{marks - 1}] </minimize></objectives></instance>')


def solving(alea, folder):
    path = os.path.join(folder, "ruler.xml")
    with open(path, "w") as file:
        file.write(ruler(14, 300))
    interrupt(alea, "solve", path, working=r"\d+\.\d\d s  value \d+.*\n.*\d+\.\d\d s  value \d+",
              kept=r"x\[0\]=0 .*limit\r\nvalue \d+, the best so far\r\n.* s CPU, .* s wall")
    # No policy is complete before all states are solved.
    interrupt(alea, "solve", "--model", "orchard:6:10:9", working=r"\d+ nodes, ",
              kept="no policy is wholly known so far.*limit")
    # Nothing but the object where JSON is asked for, also at a terminal; the line that says how
    # far it is goes to standard error.
    s = Session(alea, "solve", path, "--json")
    s.expect(r"nodes, depth \d+, best \d+, ")
    s.type(CTRL_C)
    shown = s.expect(r"(.*)\r\n.*alea: stopped").group(1).split("\033[K")[-1]
    found = json.loads(shown)
    s.end(LIMIT)
    marks = [found["assignment"][f"x[{i}]"] for i in range(14)]
    gaps = [b - a for i, a in enumerate(marks) for b in marks[i + 1:]]
    if found["status"] != "limit" or found["optimal"] or found["value"] != marks[-1]:
        sys.exit(f"not the best so far: {found}")
    if len(set(gaps)) != len(gaps) or min(gaps) <= 0:
        sys.exit(f"no solution: {marks}")
    # Piped, nothing is said on the way.
    with open(path, "w") as file:
        file.write(ruler(6, 40))
    done = subprocess.run([alea, "solve", path], capture_output=True, text=True)
    if done.returncode or "value 17, optimal" not in done.stdout or "s  value" in done.stdout:
        sys.exit(f"the shortest ruler of six marks: {done.stdout}{done.stderr}")


def twice(alea):
    """The second Ctrl-C ends the program at once: formulas are sought after the first."""
    s = Session(alea, "learn", "toss-breakthrough", "--plays", "100000", "--iterations", "30",
                "--variables", "3", "--literals", "6", "--support", "0.0001", "--threshold", "1")
    s.expect(r"learning round 1, game \d+, \d\d\d+ examples")
    s.type(CTRL_C)
    time.sleep(1)
    s.type(CTRL_C)
    start = time.monotonic()
    s.end(LIMIT)
    if time.monotonic() - start > 5:
        sys.exit("the second Ctrl-C took its time")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--alea", required=True)
    alea = os.path.abspath(parser.parse_args().alea)
    with tempfile.TemporaryDirectory() as folder:
        matches(alea)
        records(alea)
        counts(alea, folder)
        learning(alea, folder)
        solving(alea, folder)
        twice(alea)


main()
