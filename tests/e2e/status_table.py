#!/usr/bin/env python3
"""One exit status for each kind of failure, in every command and for every option that its help names.

    tests/e2e/status_table.py --alea build/alea

Every number, size and word that an option takes is given a wrong value: 2.  Every file that is read
is missing: 5; every file that is written is in a folder that is not there: 5; output to a full disk:
5.  An option that takes a file and is in no table here fails the test.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

PLAYERS = ["--player", "random", "--player", "random"]
# A job of every command that is over soon.
JOBS = {
    "games": [],
    "check": ["nim", "--deep", "0"],
    "info": ["nim", "--plays", "1", "--scsp-seconds", "0", "--symmetry-seconds", "0"],
    "show": ["nim"],
    "simulate": ["nim"],
    "perft": ["nim", "--depth", "1"],
    "bench": ["nim", "--playouts", "5"],
    "players": [],
    "best": ["nim", "--sims", "5"],
    "play": ["nim", "--sims", "5"],
    "match": ["nim", "--sims", "5", *PLAYERS],
    "tournament": ["event.yaml", "--workers", "1"],
    "report": ["event.db"],
    "experiment": ["--list"],
    "host": ["nim", "--time", "1", *PLAYERS],
    "solve": ["--model", "p3"],
    "translate": ["nim"],
    "learn": ["toss-tictactoe", "--plays", "1", "--iterations", "5"],
}
SERVERS = {"serve": ["--port", "0"], "web": ["--port", "0"]}
JOBS.update(SERVERS)
# Options that read a file, in a job where the file matters.
EVALUATED = ["toss-tictactoe", "--player", "toss-uct-eval"]
READ = {
    ("show", "moves"): ["nim"],
    ("show", "record"): ["nim"],
    ("simulate", "moves"): ["nim"],
    ("best", "moves"): ["nim"],
    ("best", "eval"): EVALUATED,
    ("play", "eval"): EVALUATED,
    ("match", "eval"): [*EVALUATED, "--player", "random", "--sims", "5"],
    ("host", "sign"): JOBS["host"],
    ("learn", "from"): ["nim", "--network", "5"],
}
WRITE = {
    ("web", "events"): JOBS["web"],
    ("check", "play"): JOBS["check"],
    ("show", "svg"): ["nim"],
    ("tournament", "db"): JOBS["tournament"],
    ("report", "html"): JOBS["report"],
    ("report", "csv"): JOBS["report"],
    ("report", "svg"): JOBS["report"],
    ("experiment", "db"): ["E7", "--workers", "1", "--matches", "1"],
    ("experiment", "html"): ["E1"],
    ("experiment", "values"): ["E1"],
    ("host", "save"): JOBS["host"],
    ("solve", "svg"): JOBS["solve"],
    ("solve", "save"): ["--model", "connect:4:3"],
    ("translate", "output"): JOBS["translate"],
    ("learn", "out"): JOBS["learn"],
    ("learn", "picture"): ["tictactoe", "--playouts", "10", "--games", "0"],
}
# Files that the job at hand does not touch.
OTHER = {("experiment", "results"), ("experiment", "svg")}
FILES = {"FILE", "PREFIX", "KEYS", "FOLDER"}
TEXTS = {"P", "ROLE", "NAME", "TAG", "URL", "ADDRESS", "HOST", "PLAYER", "V,V,..."}
EVENT = "name: A small event\ngames: [tictactoe]\nplayers: [random, legal]\nbudget: {sims: 5}\nmatches: 2\n"
OPTION = re.compile(r"  --([a-z-]+)(?: ([A-Z][A-Z,.]*|[a-z0-9-]+(?:\|[a-z0-9-]+)+))?(?:  |$)")


class Table:
    def __init__(self, alea, folder):
        self.alea, self.folder, self.count = alea, folder, 0

    def run(self, expected, *words, output=subprocess.DEVNULL):
        done = subprocess.run([self.alea, *words], cwd=self.folder, stdin=subprocess.DEVNULL,
                              stdout=output, stderr=subprocess.PIPE, timeout=120)
        self.count += 1
        message = done.stderr.decode("utf-8", "replace").strip()
        if done.returncode != expected:
            sys.exit(f"alea {' '.join(words)}: status {done.returncode}, not {expected}: {message}")
        if expected > 1 and not message:
            sys.exit(f"alea {' '.join(words)}: status {expected} without a word")
        return message

    def options(self, command):
        help_text = subprocess.run([self.alea, command, "--help"], capture_output=True, text=True,
                                   check=True).stdout
        found = [match.groups() for match in map(OPTION.match, help_text.splitlines()) if match]
        by_hand = subprocess.run([self.alea, "help", command], capture_output=True, text=True)
        if by_hand.stdout != help_text:
            sys.exit(f"'help {command}' differs from '{command} --help'")
        return found


def check_option(table, command, name, value):
    job = JOBS[command]
    key = (command, name)
    if value is None:
        table.run(2, command, *job, f"--{name}=perhaps")  # a flag takes no value
    elif key in READ:
        message = table.run(5, command, *READ[key], f"--{name}", "none/file")
        if "none/file" not in message:
            sys.exit(f"{command} --{name}: the message does not name the file: {message}")
        if name != "moves":
            table.run(3, command, *READ[key], f"--{name}", "event.yaml")
    elif key in WRITE:
        message = table.run(5, command, *WRITE[key], f"--{name}", "none/file")
        if "none/file" not in message:
            sys.exit(f"{command} --{name}: the message does not name the file: {message}")
    elif value in FILES and key not in OTHER:
        sys.exit(f"{command} --{name}: is a file, and in no table of this test")
    elif value not in TEXTS and value not in FILES:
        message = table.run(2, command, *job, f"--{name}", "x?")
        if f"--{name}" not in message:
            sys.exit(f"{command} --{name}: the message does not name it: {message}")
    if value is not None:
        table.run(2, command, *job, f"--{name}")  # the value is missing


def check_command(table, command):
    job = JOBS[command]
    if command not in ("games", "players"):
        table.run(2, command, *job, "one", "too", "many")
    message = table.run(2, command, *job, "--no-such-option")
    if "no-such-option" not in message or f"alea {command} --help" not in message:
        sys.exit(f"{command}: no help with a wrong option: {message}")
    for name, value in table.options(command):
        check_option(table, command, name, value)
    if command not in SERVERS and command != "play":
        with open("/dev/full", "w") as full:
            table.run(5, command, *job, output=full)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--alea", required=True)
    alea = os.path.abspath(parser.parse_args().alea)
    listed = subprocess.run([alea, "--help"], capture_output=True, text=True, check=True).stdout
    commands = re.findall(r"^  ([a-z]+) {2,}\S", listed.split("commands:")[1], re.MULTILINE)
    if not set(commands) <= set(JOBS):
        sys.exit(f"commands without a job: {set(commands) - set(JOBS)}")
    with tempfile.TemporaryDirectory() as folder:
        table = Table(alea, folder)
        with open(os.path.join(folder, "event.yaml"), "w") as file:
            file.write(EVENT)
        table.run(0, "tournament", *JOBS["tournament"])
        report = subprocess.run([alea, "report", "event.db"], cwd=folder, capture_output=True,
                                text=True, check=True).stdout
        if not report.startswith("# A small event\n"):
            sys.exit(f"the report is not titled by the tournament's name: {report[:80]}")
        for command in commands:
            check_command(table, command)
    print(f"{table.count} commands")


main()
