#!/usr/bin/env python3
"""Databases of results where something is in the way.

    tests/e2e/disk.py --alea build/alea

A disk that is full: what is printed is what is stored.  A second scheduler that
comes through a link is refused.  A finished database is read by somebody who can
write nothing there.
"""
import argparse
import os
import pathlib
import re
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time

DESCRIPTION = """
name: disk
games: [tictactoe]
players: [uct, random]
budget: {sims: %d}
matches: %d
"""


def fail(text):
    sys.exit(f"problem: {text}")


def stored(path):
    database = sqlite3.connect(path)
    count = database.execute("SELECT count(*) FROM matches WHERE done=1").fetchone()[0]
    if database.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
        fail(f"{path} is damaged")
    database.close()
    return count


def full_disk(alea, folder):
    """A limit on the size of files stands for the disk; SIGXFSZ is ignored here and there."""
    (folder / "full.yaml").write_text(DESCRIPTION % (50, 3000))
    command = [alea, "tournament", str(folder / "full.yaml"), "--workers", "1"]
    size = 1_200_000
    run = subprocess.run(command, capture_output=True, text=True, restore_signals=False,
                         preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)))
    found = re.search(r"disk: (\d+) of 3000 matches are stored", run.stdout)
    if run.returncode != 5 or found is None or "error" not in run.stderr:
        fail(f"a full disk gave {run.returncode}: {run.stdout}{run.stderr}")
    count = stored(folder / "full.db")
    if int(found.group(1)) != count or count == 0:
        fail(f"{found.group(1)} matches are printed, {count} are stored")
    print(f"full disk: {count} matches printed and stored")
    subprocess.run(command, check=True, capture_output=True)
    if stored(folder / "full.db") != 3000:
        fail("with room again the tournament does not go on")


def second_scheduler(alea, folder):
    (folder / "two.yaml").write_text(DESCRIPTION % (200, 100000))
    (folder / "link.db").symlink_to(folder / "two.db")
    command = [alea, "tournament", str(folder / "two.yaml"), "--workers", "1", "--db"]
    # The first one comes through the link, too: it makes the file behind it.
    first = subprocess.Popen([*command, str(folder / "link.db")], stdout=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 20
        while not (folder / "two.db-wal").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        for name in ("two.db", "link.db"):
            run = subprocess.run([*command, str(folder / name)], capture_output=True, text=True)
            if run.returncode != 5 or "another tournament is writing" not in run.stderr:
                fail(f"a second scheduler was let in: {run.returncode} {run.stderr}")
    finally:
        first.terminate()
        first.wait()
    print("a second scheduler is refused, through a link or not")


def read_only(alea, folder):
    place = folder / "finished"
    place.mkdir()
    (folder / "done.yaml").write_text(DESCRIPTION % (5, 4))
    subprocess.run([alea, "tournament", str(folder / "done.yaml"), "--db", str(place / "done.db")],
                   check=True, capture_output=True)
    (place / "done.db-lock").unlink()
    expected = subprocess.run([alea, "report", str(place / "done.db")], check=True,
                              capture_output=True, text=True).stdout
    os.chmod(place / "done.db", 0o444)
    os.chmod(place, 0o555)
    os.chmod(folder, 0o755)
    # root may write everywhere, so somebody else reads.
    somebody = {"user": 65534, "group": 65534, "extra_groups": []} if os.getuid() == 0 else {}
    run = subprocess.run([alea, "report", str(place / "done.db")], capture_output=True, text=True,
                         **somebody)
    os.chmod(place, 0o755)
    if run.returncode == 126 or "Permission denied" in run.stderr:
        print("skipped: somebody else may not run the program")
        return
    if run.returncode != 0 or run.stdout != expected:
        fail(f"report on a read-only folder: {run.returncode} {run.stderr}")
    print("a finished database is read where nothing can be written")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--alea", required=True)
    alea = str(pathlib.Path(parser.parse_args().alea).resolve())
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        full_disk(alea, folder)
        second_scheduler(alea, folder)
        read_only(alea, folder)
    return 0


sys.exit(main())
