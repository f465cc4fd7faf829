#!/usr/bin/env python3
"""An event between players elsewhere that misbehave, and whose processes die.

    tests/e2e/event.py --alea build/alea [--matches N] [--seed N]

Entrants: servers of ours, one of which is killed and comes back; and players
made here that answer junk, answer late, hang, or go away and come back.  The
scheduler is killed with SIGKILL, too, and the event continued.  In the end every
match is stored once and whole, no entrant ever had two matches at a time, and
the memory of the server that was never killed does not grow when everything is
played a second time.

With ALEA_FULL=1 there are 300 matches, of games of the corpus as well, if it is
there.
"""
import argparse
import atexit
import json
import os
import pathlib
import random
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

SHIPPED = ["tictactoe", "nim", "connect-four", "kuhn-poker", "rock-paper-scissors",
           "blind-tictactoe", "token-game", "breakthrough", "leduc-poker", "quarto"]
CORPUS = pathlib.Path(__file__).resolve().parents[2].parent / "shared" / "corpus"
MOST_GROWTH_KB = 12000


class Fake(threading.Thread):
    """A player that treats every PLAY in its own way; START and INFO get what they want."""

    def __init__(self, way, seed):
        super().__init__(daemon=True)
        self.way, self.rng = way, random.Random(seed)
        self.socket, self.port = None, 0
        self.listen()
        self.lock = threading.Lock()
        self.running, self.overlaps, self.plays = set(), 0, 0
        self.start()

    def listen(self):
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(("127.0.0.1", self.port))
        self.socket.listen(64)
        self.port = self.socket.getsockname()[1]

    def run(self):
        while True:
            if self.way == "away" and self.plays % 7 == 6:
                self.plays += 1
                self.socket.close()
                time.sleep(self.rng.uniform(0.5, 2))
                with self.lock:
                    self.running.clear()
                self.listen()
            connection, _ = self.socket.accept()
            threading.Thread(target=self.answer, args=(connection,), daemon=True).start()

    def answer(self, connection):
        try:
            with connection:
                connection.settimeout(10)
                text = b""
                while not self.complete(text):
                    piece = connection.recv(65536)
                    if not piece:
                        return
                    text += piece
                body = text.split(b"\r\n\r\n", 1)[1].decode()
                reply = self.reply(body.split())
                if reply is None:
                    return
                connection.sendall(b"HTTP/1.0 200 OK\r\nContent-type: text/acl\r\n"
                                   b"Content-length: %d\r\n\r\n%s" % (len(reply), reply))
        except OSError:
            pass

    @staticmethod
    def complete(text):
        head, gap, body = text.partition(b"\r\n\r\n")
        length = re.search(rb"Content-Length: (\d+)", head)
        return bool(gap) and length is not None and len(body) >= int(length.group(1))

    def reply(self, words):
        verb, match = words[1].upper(), words[2]
        if verb == "INFO":
            return b"( ( name %s ) ( status %s ) )" % (
                self.way.encode(), b"busy" if self.running else b"available")
        with self.lock:
            if verb == "START":
                self.overlaps += bool(self.running - {match})
                self.running.add(match)
                return b"ready"
            if verb in ("STOP", "ABORT"):
                self.running.discard(match)
                return b"done"
            self.plays += 1
        return self.play()

    def play(self):
        if self.way == "hang":
            time.sleep(4)
            return None
        if self.way == "late" and self.rng.random() < 0.5:
            time.sleep(1.6)
        if self.way == "junk":
            return self.rng.choice([b"((((", b"(fly 9 9)", b"", b"\xff\x00x", b"x" * 100000, b"noop"])
        return b"noop"


class Server:
    """`alea serve` at a port that stays the same."""

    def __init__(self, alea, player, folder):
        self.log = folder / f"{player}-{random.random()}.log"
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.command = [alea, "serve", "--port", str(self.port), "--player", player, "--idle", "1"]
        self.process = None
        atexit.register(self.kill)
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stdout=open(self.log, "ab"),
                                        stderr=subprocess.STDOUT)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def memory(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status).group(1))


def choose_games(count, rng):
    games = list(SHIPPED)
    if os.environ.get("ALEA_FULL") and (CORPUS / "manifest.tsv").exists():
        for line in (CORPUS / "manifest.tsv").read_text().splitlines()[1:]:
            fields = line.split("\t")
            if "2p" in fields[-1].split() + fields[-1].split(",") and int(fields[6]) < 6000 \
                    and "slow-reference" not in fields[-1] and "error" not in fields[-1] \
                    and "big-" not in fields[-1]:
                games.append(str(CORPUS / fields[1]) if (CORPUS / fields[1]).exists()
                             else str(CORPUS / "games" / fields[1]))
    rng.shuffle(games)
    return games[:count]


def describe(games, ports, matches):
    players = "\n".join(f'  - {{name: {name}, player: "http://127.0.0.1:{port}"}}'
                        for name, port in ports.items())
    names = "\n".join(f"  - {game}" for game in games)
    return (f"name: event\nseed: 3\ngames:\n{names}\nplayers:\n{players}\n"
            f"budget: {{start: 1, time: 1, grace: 0.2}}\nmatches: {matches}\nstep-cap: 30\n"
            f"wait: 0.3\nforfeit-after: 2\nground-seconds: 5\nrounds: round-robin\n")


def run(command, kills, steady, flaky, rng):
    """Runs the event to its end; kills the scheduler 'kills' times, and 'flaky' now and then.

    Returns the memory of 'steady' now and then."""
    memory = []
    while True:
        event = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        end = time.monotonic() + rng.uniform(2, 5)
        while event.poll() is None and (kills == 0 or time.monotonic() < end):
            time.sleep(rng.uniform(0.2, 1))
            memory.append(steady.memory())
            if rng.random() < 0.2:
                flaky.kill()
                time.sleep(rng.uniform(0, 1))
                flaky.start()
        if event.poll() is None:
            event.kill()
            event.communicate()
            kills -= 1
            continue
        out, err = event.communicate()
        if event.returncode != 0:
            sys.exit(f"exit status {event.returncode}: {out}{err}")
        print(out)
        return memory


def stop(alea, folder, fakes):
    """SIGTERM ends an event soon, and every player elsewhere is told that its match is over."""
    for fake in fakes.values():
        fake.running.clear()
    event = subprocess.Popen([alea, "tournament", str(folder / "event.yaml"), "--db",
                              str(folder / "stopped.db"), "--workers", "3", "--watch-port", "0"],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    address = re.search(r"http://127.0.0.1:(\d+)", event.stderr.readline())
    deadline = time.monotonic() + 20
    while not any(fake.running for fake in fakes.values()) and time.monotonic() < deadline:
        time.sleep(0.05)
    seen = {}
    while "standings" not in seen and time.monotonic() < deadline:
        with urllib.request.urlopen(address.group(0), timeout=10) as page:
            seen = json.load(page)
    if len(seen.get("standings", [])) != len(fakes) + 2:
        return [f"spectators see {seen}"]
    start = time.monotonic()
    event.terminate()
    event.communicate()
    seconds = time.monotonic() - start
    problems = []
    if event.returncode != 4:
        problems.append(f"SIGTERM gave exit status {event.returncode}")
    if seconds > 5:  # a second, on a machine that has nothing else to do
        problems.append(f"SIGTERM took {seconds:.1f} s")
    time.sleep(0.2)
    left = [way for way, fake in fakes.items() if fake.running and way != "away"]
    if left:
        problems.append(f"{left} still play after SIGTERM")
    print(f"SIGTERM: {seconds:.2f} s")
    return problems


def check(database, planned):
    db = sqlite3.connect(database)
    problems = []
    for what, query in {
            "matches that are not done": "SELECT count(*) FROM matches WHERE done IS NOT 1",
            "matches without seats": "SELECT count(*) FROM matches WHERE (SELECT count(*) FROM"
            " seats WHERE match=id AND entrant >= 0) != 2",
            "matches whose moves are missing": "SELECT count(*) FROM matches WHERE steps *"
            " (SELECT count(*) FROM seats WHERE match=id) != (SELECT count(*) FROM moves"
            " WHERE match=id AND step > 0)",
            "scores that are missing": "SELECT count(*) FROM matches WHERE completed=1 AND"
            " (score IS NULL OR score NOT IN (0, 0.5, 1))"}.items():
        count = db.execute(query).fetchone()[0]
        if count:
            problems.append(f"{count} {what}")
    stored = db.execute("SELECT count(*) FROM matches").fetchone()[0]
    if stored != planned:
        problems.append(f"{stored} matches instead of {planned}")
    faults = dict(db.execute("SELECT substr(error, 1, 2), count(*) FROM moves WHERE error NOT NULL"
                             " GROUP BY 1"))
    # `nil` says that no move was found in time: the machine is slow.
    bad = db.execute(
        "SELECT game, error, count(*) FROM moves JOIN seats USING (match, role) JOIN matches ON matches.id=match JOIN"
        " pairings ON pairing=pairings.id WHERE error LIKE 'IL%' AND error != 'IL nil' AND"
        " CASE entrant WHEN 0 THEN first ELSE second END = 'steady' GROUP BY game, error").fetchall()
    if bad:
        problems.append(f"bad moves of the server that is never killed: {bad}")
    return problems, stored, faults


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--alea", required=True)
    full = bool(os.environ.get("ALEA_FULL"))
    parser.add_argument("--matches", type=int, default=300 if full else 30)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if not pathlib.Path("/proc/self/status").exists():
        print("skipped: no /proc here")
        return 77
    rng = random.Random(options.seed)
    alea = str(pathlib.Path(options.alea).resolve())
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        steady, flaky = Server(alea, "legal", folder), Server(alea, "random", folder)
        fakes = {way: Fake(way, options.seed) for way in ("junk", "late", "hang", "away")}
        ports = {"steady": steady.port, "flaky": flaky.port,
                 **{way: fake.port for way, fake in fakes.items()}}
        pairs = len(ports) * (len(ports) - 1) // 2
        games = choose_games(-(-options.matches // (2 * pairs)), rng)
        (folder / "event.yaml").write_text(describe(games, ports, 1))
        time.sleep(0.5)
        problems, peaks = [], []
        for part in (1, 2):  # the same matches twice: what the first needs is no growth
            database = folder / f"event{part}.db"
            memory = run([alea, "tournament", str(folder / "event.yaml"), "--db", str(database),
                          "--workers", "3"], 1, steady, flaky, rng)
            peaks.append(max(memory))
            found, stored, faults = check(database, pairs * len(games))
            problems += found
            print(f"seed {options.seed}, part {part}: {stored} matches of {len(games)} games, "
                  f"faults {faults}, server {peaks[-1]} KB")
            if not {"FF", "TO", "IL"} <= set(faults):
                problems.append(f"nobody misbehaved as planned: {faults}")
        problems += stop(alea, folder, fakes)
        steady.kill()
        flaky.kill()
    # A scheduler that was killed leaves its match; nobody else may overlap.
    overlaps = sum(fake.overlaps for fake in fakes.values())
    if overlaps:
        problems.append(f"{overlaps} matches began while another was running")
    if peaks[1] - peaks[0] > MOST_GROWTH_KB:
        problems.append(f"the server grew from {peaks[0]} to {peaks[1]} KB")
    for problem in problems:
        print("problem:", problem)
    return 1 if problems else 0


signal.signal(signal.SIGPIPE, signal.SIG_IGN)
sys.exit(main())
