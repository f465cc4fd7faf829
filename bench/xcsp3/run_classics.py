#!/usr/bin/env python3
"""Runs the models of classics.py and prints a Markdown table.

  bench/xcsp3/run_classics.py [--alea FILE] [--limit SECONDS] [--option TEXT] [--write DIR]
                              [--answers FILE] [--below SECONDS] [NAME...]

CPU seconds of whole processes.  --option hands words to alea solve, such as
"--learning none".  Answers are compared with those that classics.py knows and,
with --answers, with that file; a difference ends with exit status 1.  --below
leaves out instances whose time in the file is larger, unless ALEA_FULL is set in
the environment.
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from classics import SET, text_of
from run import alea, read_options


def expected(name, answers):
    """What the literature says, and what was found before; None where nothing is known."""
    goal, known, _ = SET[name]
    if goal == "count" and known == 0:
        return "0"
    if known is not None:
        return str(known)
    return answers[name][0] if name in answers else None


def main():
    options, answers, folder, names = read_options(__doc__, SET, "--option")
    wrong = decided = 0
    total = 0.0
    print("| instance | goal | answer | CPU s |\n|---|---|---|---|")
    for name in names:
        path = os.path.join(folder, name + ".xml")
        with open(path, "w", encoding="ascii") as file:
            file.write(text_of(name))
        answer, seconds = alea(options.alea, path, SET[name][0], options.limit, options.option.split())
        wanted = expected(name, answers)
        bad = (answer is not None or options.below is not None) and wanted is not None and answer != wanted
        decided += answer is not None
        wrong += bad
        total += seconds
        print(f"| {name} | {SET[name][0]} | {answer or '-'} | {seconds:.2f} |{' WRONG, not ' + wanted if bad else ''}",
              flush=True)
        if not options.write:
            os.unlink(path)
    print(f"\n{decided} of {len(names)} decided, {total:.1f} s, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
