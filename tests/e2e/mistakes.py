#!/usr/bin/env python3
"""`alea check` on beginners' mistakes: every report at its place with the cure, and no other.

    tests/e2e/mistakes.py --alea build/alea

A file of tests/mistakes says in its first lines what is wrong with it and what must be reported:

    ; mistake: the name of a fluent is misspelt in a condition
    ; expect: 14 warning never-true: did you mean `control`?

A line, a severity and a code, and words that the message must hold; in this order, and nothing
else.  The plays that are reported are replayed by `alea show` and `alea simulate`.  The games that
ship have no mistakes: their rules are looked at, and with ALEA_FULL=1 in the environment they are
searched for plays, too.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MISTAKES = ROOT / "tests" / "mistakes"
LEAST_FILES = 80
# True of these games: the second player of this one can only lose or draw, as the paper means it.
KNOWN = {"tictactoe-2x2": ["never-won"]}


class Check:
    def __init__(self, alea):
        self.alea, self.problems, self.plays = alea, [], 0

    def run(self, *arguments, text=None):
        return subprocess.run([self.alea, *arguments], input=text, capture_output=True, text=True,
                              check=False, cwd=MISTAKES)

    def complain(self, name, what):
        self.problems.append(f"{name}: {what}")

    def file(self, path):
        expected = re.findall(r"^; expect: (\d+) (error|warning) ([a-z-]+): (.*)$",
                              path.read_text(encoding="utf-8"), re.M)
        run = self.run("check", path.name, "--json", "--deep", "5")
        answer = json.loads(run.stdout)
        found = answer["diagnostics"]
        if [(str(d["line"]), d["severity"], d["code"]) for d in found] != \
                [(line, severity, code) for line, severity, code, _ in expected]:
            self.complain(path.name, "expected\n" + "".join(f"    {e}\n" for e in expected) +
                          "  reported\n" + "".join(f"    {d}\n" for d in found))
            return
        for diagnostic, (_, _, code, words) in zip(found, expected):
            if words not in diagnostic["message"]:
                self.complain(path.name, f"{code}: '{words}' is not in '{diagnostic['message']}'")
        errors = any(d["severity"] == "error" for d in found)
        if run.returncode != (1 if errors else 0) or answer["valid"] == errors:
            self.complain(path.name, f"exit status {run.returncode}, valid {answer['valid']}")
        for play in answer["plays"]:
            self.play(path.name, play)
        if answer["plays"] and self.run("check", path.name, "--strict").returncode != 1:
            self.complain(path.name, "--strict accepts what a play shows to be wrong")

    def play(self, name, play):
        """Replays a play and looks at its end."""
        moves = "".join(line + "\n" for line in play["moves"])
        self.plays += 1
        stuck = play["code"] == "not-playable"
        shown = self.run("show", name, "--moves", "-", text=moves)
        if shown.returncode != (3 if stuck else 0):
            self.complain(name, f"show --moves: exit status {shown.returncode}: {shown.stderr}")
        simulated = self.run("simulate", name, "--moves", "-", "--json", text=moves)
        states = [json.loads(line) for line in simulated.stdout.splitlines()]
        last = states[-1]
        right = len(states) == len(play["moves"]) + 1 and {
            "not-playable": lambda: not last["terminal"] and last["legal"][play["role"]] == [] and
            f"at step {len(states)}, but the game is not over" in shown.stderr,
            "endless-play": lambda: last["state"] == states[play["cycle_at"]]["state"] and
            len(states) - 1 > play["cycle_at"],
            "no-goal-at-end": lambda: last["terminal"] and play["role"] not in last["goals"],
            "two-goals-at-end": lambda: last["terminal"],
        }[play["code"]]()
        if not right:
            self.complain(name, f"the play to {play['code']} does not lead there: {play['moves']}")

    def shipped(self, full):
        games = json.loads(self.run("games", "--json").stdout)
        for game in games:
            options = [] if full else ["--deep", "0"]
            run = self.run("check", game["name"], "--json", *options)
            codes = [d["code"] for d in json.loads(run.stdout)["diagnostics"]]
            if run.returncode != 0 or codes != (KNOWN.get(game["name"], []) if full else []):
                self.complain(game["name"], f"a false alarm: {codes}")
        return len(games)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--alea", required=True)
    check = Check(str(pathlib.Path(parser.parse_args().alea).resolve()))
    files = sorted(MISTAKES.glob("*.kif"))
    if len(files) < LEAST_FILES:
        check.complain("tests/mistakes", f"only {len(files)} files")
    for path in files:
        check.file(path)
    if check.plays < 10:
        check.complain("tests/mistakes", f"only {check.plays} plays")
    games = check.shipped(os.environ.get("ALEA_FULL") == "1")
    for problem in check.problems:
        print(problem)
    print(f"{len(files)} mistakes, {check.plays} plays, {games} games that ship, "
          f"{len(check.problems)} problems")
    return 1 if check.problems else 0


sys.exit(main())
