#!/bin/sh
# The sizes of fifteen games as constraint networks, as the table of scsp.md:
# ours by both encoders beside the published ones.
#
#   bench/scsp.sh [build/alea]
alea=${1:-build/alea}
python3 - "$alea" <<'PY'
import json
import subprocess
import sys

# Game here, and variables, largest domain, constraints, seconds as published
# (Constraints 21, 2016, table 2).
GAMES = [
    ("awale", 19, 37, 73, 94), ("backgammon", 76, 768, 86, 347),
    ("bomberman", 145, 64, 42, 31), ("cant-stop", 16, 1296, 409, 248),
    ("checkers", 86, 262144, 52, 43), ("chess", 71, 4096, 50, 76),
    ("chinese-checkers", 103, 192, 87, 54), ("hex", 22, 6561, 27, 91),
    ("kaseklau", 18, 7776, 106, 35), ("orchard", 9, 146410, 40, 12),
    ("reversi", 81, 65, 29, 51), ("pacman", 93, 64, 22, 36),
    ("pickomino", 29, 1679616, 223, 172), ("tictactoe", 19, 18, 37, 0),
    ("yahtzee", 12, 30, 8862, 182)]


def cell(sizes):
    return "{vars} / {max_domain:.0f} / {constraints}".format(**sizes)


def row(found):
    if found is None:
        return "-", "-", "-"
    return cell(found["before"]), cell(found["after"]), "%.2f" % found["seconds"]


print("| game | published | s | `paper` before | after | s | `ground` before | after | s |")
print("|---|---|---:|---|---|---:|---|---|---:|")
for name, *paper in GAMES:
    out = subprocess.run([sys.argv[1], "info", name, "--plays", "0", "--symmetry-seconds", "0",
                          "--scsp-seconds", "900", "--json"], capture_output=True, text=True)
    scsp = json.loads(out.stdout)["scsp"] or {"paper": None, "ground": None}
    cells = [name, "%d / %d / %d" % tuple(paper[:3]), str(paper[3])]
    print("| " + " | ".join(cells + list(row(scsp["paper"])) + list(row(scsp["ground"]))) + " |",
          flush=True)
PY
