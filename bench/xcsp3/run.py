#!/usr/bin/env python3
"""Runs the set of XCSP3 problems and prints a Markdown table.

  bench/xcsp3/run.py [--alea FILE] [--gecode FILE] [--limit SECONDS] [--write DIR]
                     [--answers FILE] [--below SECONDS] [NAME...]

Without --gecode only Alea runs.  CPU seconds of whole processes.  --write also
keeps the instances, as XCSP3 and FlatZinc.  With --answers every answer is
compared with that file, and a difference or a missing answer ends with exit
status 1; --below leaves out instances whose time there is larger, unless
ALEA_FULL is set in the environment.
"""
import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from problems import SET, make


def timed(command, limit):
    """Output and CPU seconds; None for the output where the limit was reached."""
    def cap():
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 2))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          preexec_fn=cap, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return (done.stdout if done.returncode >= 0 and seconds < limit else None), seconds


def alea(program, file, goal, limit, more=()):
    option = {"first": [], "count": ["--count"]}.get(goal, ["--best"])
    text, seconds = timed([program, "solve", file, "--json", *option, *more], limit)
    if text is None:
        return None, seconds
    status = re.search(r'"status":"(\w+)"', text)
    if status is None:
        return "error: " + text.strip(), seconds
    if status[1] not in ("sat", "unsat"):
        return None, seconds
    if goal == "count":
        return re.search(r'"solutions":(\d+)', text)[1], seconds
    if goal == "first" or status[1] == "unsat":
        return status[1], seconds
    return re.search(r'"value":(-?\d+)', text)[1], seconds


def gecode(program, file, goal, limit):
    flags = ["-a", "-s"] if goal != "first" else ["-s"]
    text, seconds = timed([program, *flags, file], limit)
    if text is None:
        return None, seconds
    if "Error" in text or "%%" not in text:
        return "error: " + text.strip()[:200], seconds
    if goal == "count":
        return re.search(r"solutions: *=? *(\d+)|solutions=(\d+)", text)[0].split("=")[-1].split()[-1], seconds
    if "UNSATISFIABLE" in text:
        return "unsat", seconds
    if goal == "first":
        return "sat", seconds
    return re.findall(r"objective = array1d\(1\.\.1, *\[(-?\d+)\]\)", text)[-1], seconds


def read_answers(path):
    with open(path, encoding="ascii") as file:
        rows = [line.split() for line in file if line.strip() and not line.startswith("#")]
    return {row[0]: (row[1], float(row[2])) for row in rows}


def read_options(description, known, own):
    """The options of both benches: (options, answers, folder, names); 'own' is the option of one alone."""
    parser = argparse.ArgumentParser(description=description,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--alea", default="build/alea")
    parser.add_argument(own, default="")
    parser.add_argument("--limit", type=float, default=15)
    parser.add_argument("--write")
    parser.add_argument("--answers")
    parser.add_argument("--below", type=float)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    answers = read_answers(options.answers) if options.answers else {}
    folder = options.write or tempfile.mkdtemp()
    os.makedirs(folder, exist_ok=True)
    names = options.names or list(known)
    if options.below is not None and os.environ.get("ALEA_FULL"):
        options.below, options.limit = 1e9, 100
    if options.below is not None:
        names = [n for n in names if n in answers and answers[n][1] <= options.below]
    return options, answers, folder, names


def main():
    options, answers, folder, names = read_options(__doc__, SET, "--gecode")
    wrong = decided = 0
    total = {"ours": 0.0, "theirs": 0.0, "shared": 0.0}
    print("| instance | goal | answer | Alea: CPU s | Gecode | Gecode: CPU s |\n|---|---|---|---|---|---|")
    for name in names:
        model = make(name)
        xml, fzn = os.path.join(folder, name + ".xml"), os.path.join(folder, name + ".fzn")
        with open(xml, "w", encoding="ascii") as file:
            file.write(model.xcsp3())
        with open(fzn, "w", encoding="ascii") as file:
            file.write(model.flatzinc())
        ours, seconds = alea(options.alea, xml, model.goal, options.limit)
        theirs, their_seconds = None, 0.0
        if options.gecode:
            theirs, their_seconds = gecode(options.gecode, fzn, model.goal, options.limit)
        total["ours"] += seconds
        decided += ours is not None
        if theirs is not None:
            total["theirs"] += their_seconds
            total["shared"] += seconds
        bad = ours is not None and theirs is not None and ours != theirs
        if name in answers:
            bad = bad or ours != answers[name][0]
        wrong += bad
        print(f"| {name} | {model.goal} | {ours or '-'} | {seconds:.2f} | "
              f"{(theirs or '-') if options.gecode else ''} | "
              f"{format(their_seconds, '.2f') if options.gecode else ''} |{' WRONG' if bad else ''}",
              flush=True)
        if not options.write:
            os.unlink(xml)
            os.unlink(fzn)
    print(f"\n{decided} of {len(names)} decided, {total['ours']:.1f} s; where Gecode decides: "
          f"Alea {total['shared']:.1f} s, Gecode {total['theirs']:.1f} s; {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
