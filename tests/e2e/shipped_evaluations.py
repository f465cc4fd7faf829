#!/usr/bin/env python3
"""tools/shipped-evaluations: its list is what ships, and it makes the same file twice.  What ships
can be gone on from, and is written as it was where nothing better is learnt.

    tests/e2e/shipped_evaluations.py --alea build/alea
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TOOL = ROOT / "tools" / "shipped-evaluations"


def make(alea, folder, *more):
    folder.mkdir()
    subprocess.run([sys.executable, str(TOOL), "--alea", alea, "--out", str(folder), *more], check=True)
    return {path.name: path.read_bytes() for path in folder.glob("*.eval")}


def go_on(alea, game):
    path = ROOT / "games" / f"{game}.eval"
    done = subprocess.run([alea, "learn", game, "--from", str(path), "--network", "20", "--seconds", "0",
                           "--form", "short"], check=True, capture_output=True)
    return done.stdout == path.read_bytes()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--alea", required=True)
    alea = parser.parse_args().alea
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        one = make(alea, folder / "one", "--only", "breakthrough", "--plays", "600")
        two = make(alea, folder / "two", "--only", "breakthrough", "--plays", "600")
        if one != two or len(one) != 1:
            return "two files from the same seed differ"
        listed = subprocess.run([sys.executable, str(TOOL), "--alea", alea, "--list"], check=True,
                                capture_output=True, text=True).stdout.split()
    for game in ("breakthrough", "connect-four"):
        if not go_on(alea, game):
            return f"{game}: twenty positions changed what ships"
    shipped = sorted(path.stem for path in (ROOT / "games").glob("*.eval"))
    return 0 if shipped == listed else f"games/ has {shipped}, and the list {listed}"


if __name__ == "__main__":
    sys.exit(main())
