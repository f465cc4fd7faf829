#!/usr/bin/env python3
"""SIGTERM ends every command soon, whatever it is doing, and what was done is kept.

    tests/e2e/terminate.py --alea build/alea [--mpi] [--only WORDS]

A row of the table is a command on a job that would take hours (or a file that takes seconds to
read), the moment at which the signal comes, and the statuses with which it may end: commands with
something to keep end in good order, the others by the signal.  With ALEA_FULL=1 there are rows for
every command in every phase.  For servers a row names the player, the rules and the moment: the
match is aborted then, and all its threads must have ended before the server is told to end, too.
The page ends with whatever was asked of it, and under mpirun all ranks end; in both the results
that were stored are still there.

What is measured is the time from the signal to the end, less the time for which the command was
ready to run and had no core: so a busy machine decides nothing.  ALEA_PATIENCE is the longest time
allowed, in seconds, 1 unless it is set.
"""
import argparse
import atexit
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

# A billion legal moves: hours for the prover, and more memory than there is for the grounder.
DIGITS = "".join(f"(d {i})" for i in range(10))
MOVE = " ".join(f"?{i}" for i in range(9))
BODY = " ".join(f"(d ?{i})" for i in range(9))
ENDLESS = (f"(role r) {DIGITS} (init a) (<= (legal r (m {MOVE})) (true a) {BODY}) (<= (next a) (true a)) "
           "(goal r 1) (<= terminal (true b))")
LONG = "(role r)" + "".join(f"(fact{i} {i})" for i in range(200000))
# Ten pigeons, nine holes, and nothing that sees it at once.
PIGEONS = ('<instance format="XCSP3" type="CSP"><variables><array id="x" size="[14]">0..12</array></variables>'
           "<constraints>" + "".join(f"<intension>ne(x[{i}],x[{j}])</intension>"
                                     for i in range(14) for j in range(i)) + "</constraints></instance>")
EVENT = """
games: [chess]
players: ["uct", "uct:c=1"]
budget: {time: 1000}
matches: 100000
"""
SWISS = "games: [chess, amazons]\nplayers: [uct, mc, alea, random]\nbudget: {time: 1000}\nmatches: 100\nrounds: swiss\n"
QUEENS = ('<instance format="XCSP3" type="CSP"><variables><array id="x" size="[40]">1..40</array></variables><constraints>'
          "<allDifferent>x[]</allDifferent><allDifferent>" +
          " ".join(f"add(x[{i}],{i})" for i in range(40)) + "</allDifferent><allDifferent>" +
          " ".join(f"sub(x[{i}],{i})" for i in range(40)) + "</allDifferent></constraints></instance>")
FILES = {"swiss.yaml": SWISS, "queens.xml": QUEENS, "endless.kif": ENDLESS, "long.kif": LONG, "pigeons.xml": PIGEONS, "event.yaml": EVENT}

BY_SIGNAL = -signal.SIGTERM
ENDS = (BY_SIGNAL, 4)
# When the signal comes, the command, and the statuses with which it may end.
JOBS = [
    (0.5, "check endless.kif --strict", (BY_SIGNAL, 0, 1)),
    (0.5, "info endless.kif", ENDS),
    (0.3, "show endless.kif", ENDS),
    (0.5, "simulate endless.kif --engine prover --memory 0", ENDS),
    (0.5, "perft chess --depth 9", ENDS),
    (0.5, "bench chess --seconds 1000", ENDS),
    (0.5, "best chess --time 1000", (0, 4, BY_SIGNAL)),
    (0.5, "best tictactoe --player mc --time 1000", (0, 4, BY_SIGNAL)),
    (0.5, "play endless.kif --engine prover", ENDS),
    (0.5, "match chess --player uct --player uct --time 1000 --start 1", ENDS),
    (0.5, "solve --model connect:7x6:4", ENDS),
    (0.7, "solve --model connect:7x6:4 --save table", (4, BY_SIGNAL)),
    (0.5, "translate chess --to scsp", ENDS),
    (0.5, "learn toss-breakthrough --plays 100000 --seconds 0", ENDS),
    (0.5, "experiment E1 --scale full", (BY_SIGNAL, 4)),
    (0.5, "tournament event.yaml --workers 1", (4,)),
    (0.5, "host chess --player uct --player uct --time 1000 --start 1000", (0, 1, 4, BY_SIGNAL)),
    (0.5, "host connect-four --player mc --player mc --time 1000 --start 1", (0, 1, 4)),
]
MORE_JOBS = [
    (0.2, "check long.kif", ENDS),
    (0.2, "info long.kif", ENDS),
    (0.7, "info chess", (BY_SIGNAL, 0, 4)),
    (2, "info chess", (BY_SIGNAL, 0, 4)),
    (2, "show chess", (BY_SIGNAL, 0)),
    (2, "bench chess --seconds 1000", ENDS),
    (4, "bench chess --seconds 1000 --engine lanes", ENDS),
    (3, "perft chess --depth 9", ENDS),
    (4, "best chess --player mac-ucb --time 1000", (0, 4, BY_SIGNAL)),
    (8, "best chess --player mac-ucb-sym --time 1000", (0, 4, BY_SIGNAL)),
    (4, "best amazons --time 1000", (0, 4, BY_SIGNAL)),
    (1, "best toss-gomoku --time 1000", (0, 4, BY_SIGNAL)),
    (1, "best toss-gomoku-15 --player toss-uct --time 1000", (0, 4, BY_SIGNAL)),
    (1, "solve pigeons.xml --learning none --restart 0", ENDS),
    (1, "solve --model connect:6:4 --state domains", ENDS),
    (4, "solve --model connect:7x6:4 --save table", (4,)),
    (1, "solve --model orchard:6:10:9 --best --method search --horizon 60", ENDS),
    (1, "solve --equilibrium liars-dice --iterations 100000000 --gap 0", ENDS),
    (1, "solve --equilibrium leduc-poker --iterations 100000000 --gap 0", ENDS),
    (1, "translate chess --to xcsp3", ENDS),
    (2, "learn toss-gomoku --plays 100000 --seconds 0", ENDS),
    (1, "experiment E9 --scale full", (BY_SIGNAL, 4)),
    (1, "experiment E10 --scale full", (BY_SIGNAL, 4)),
    (1, "experiment E12 --scale full", (BY_SIGNAL, 4)),
    (5, "tournament event.yaml --workers 2", (4,)),
    (6, "host chess --player mac-ucb --player mac-ucb --time 1000 --start 1", (0, 1, 4, BY_SIGNAL)),
    (3, "host leduc-poker --player cfr --player cfr --time 1000 --start 1000", (0, 1, 4)),
    (2, "host tictactoe --player http://127.0.0.1:9 --player uct --time 1000 --wait-for-players", (1, 4, 5)),
]
PLAYERS = ["alea", "ab", "uct", "grave", "cfr", "mac-ucb", "mac-ucb-75", "mac-ucb-sym", "fc-ucb", "sancho-like", "mc"]
TOSS_PLAYERS = ["toss-uct-eval", "toss-uct", "toss-mc", "alea"]
SOME = (0, 1, 3, 4, BY_SIGNAL)  # also where a player refuses a game
MORE_JOBS += [(moment, f"best {game} --player {player} --time 1000", SOME)
              for player in PLAYERS for game, moment in (("chess", 1.2), ("gomoku", 2.5), ("amazons", 0.4),
                                                         ("battleship", 1), ("checkers", 1.5))]
MORE_JOBS += [(moment, f"best {game} --player {player} --time 1000", SOME)
              for player in TOSS_PLAYERS for game, moment in (("toss-gomoku-15", 0.1), ("toss-breakthrough", 0.6),
                                                              ("toss-bounce", 1))]
# Every moment of commands that go through many phases: reading, grounding, the network, symmetries,
# stages as clauses, the encoding, the search.
MORE_JOBS += [(moment, job, SOME) for moment in (0.05, 0.15, 0.4, 1, 2, 4) for job in (
    "check chess --deep 1000", "check gomoku --deep 1000", "check toss-gomoku-15 --deep 1000",
    "info chess --seconds 1000 --symmetry-seconds 1000 --scsp-seconds 1000",
    "info gomoku --seconds 1000 --symmetry-seconds 1000 --scsp-seconds 1000",
    "show amazons", "simulate chess --engine net", "perft toss-gomoku-15 --depth 9",
    "translate chess --to scsp --prove-seconds 1000 --sac-seconds 1000",
    "translate amazons --to xcsp3 --prove-seconds 1000 --sac-seconds 1000",
    "translate chess --to ground", "translate connect-four --horizon 9",
    "learn tictactoe --playouts 1000000000 --seconds 0", "learn chess --playouts 1000000000 --games 100 --seconds 0",
    "learn toss-gomoku --plays 3 --iterations 1000 --seconds 0 --variables 3 --literals 4",
    "solve --equilibrium battleship --iterations 100000000 --gap 0 --nodes 1000000000",
    "solve --equilibrium liars-dice --against cfr --sims 100000",
    "solve --equilibrium kuhn-poker --iterations 1000000000 --gap 0",
    "solve --model connect:7x6:4 --plain", "solve --model connect:6:4 --save table6 --table 64M",
    "solve --model tictactoe:2 --strategy --verify --classical", "solve --model orchard:6:10:9 --best",
    "solve queens.xml --all",
    "solve queens.xml --count --method backtrack", "solve queens.xml --sac --simplify --self-check --count",
    "match battleship --player alea --player cfr --time 1000", "match toss-gomoku-15 --player alea --player toss-mc --time 1000",
    "tournament event.yaml --workers 2", "tournament swiss.yaml --workers 2", "experiment E2 --scale full",
    "experiment E11 --scale full", "report large.db", "report large.db --html large.html --svg large",
    "host battleship --player alea --player alea --time 1000 --start 1000",
    "play chess --player alea --time 1000", "games --json")]
# The player, the rules and the moment of ABORT.
MATCHES = [("legal", "endless", 0.3), ("alea", "chess", 0.5)]
MORE_MATCHES = [
    ("alea", "chess", 1), ("alea", "chess", 3), ("uct", "amazons", 2), ("grave", "chinese-checkers", 1.5),
    ("sancho-like", "checkers", 2), ("mac-ucb", "chess", 5), ("mac-ucb-sym", "gomoku", 3),
    ("cfr", "liars-dice", 2), ("cfr", "battleship", 2), ("alea", "backgammon", 1),
]
# What is asked of the page, as path and body; QUICK is its tournament, QUICK_FILE the same for mpirun.
QUICK = {"games": ["tictactoe"], "players": ["random", "legal"], "matches": 1000}
QUICK_FILE = {**QUICK, "matches": 200000, "budget": {"sims": 1}}
PAGES = [
    ("idle", None, None),
    ("with a match", "/api/tables", {"game": "chess", "role": "", "player": "uct", "seconds": 60}),
    ("with a search", "/api/solve", {"model": "connect:7x6:4", "seconds": 600}),
    ("grounding what was uploaded", "/api/tables", {"rules": ENDLESS}),
    ("checking what was uploaded", "/api/check", {"rules": ENDLESS}),
    ("with a tournament", "/api/events", {**QUICK, "name": "quick", "games": ["chess"], "sims": 1}),
]
GAMES = pathlib.Path(__file__).resolve().parents[2] / "games"
FAILURES = []
MOST = float(os.environ.get("ALEA_PATIENCE", "1"))


def ask(port, message):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("POST", "/", message)
    answer = connection.getresponse().read().decode()
    connection.close()
    return answer


def of_threads(pid, file):
    """What the system says in such a file of each thread; threads and processes that end meanwhile are left out."""
    folder = f"/proc/{pid}/task"
    found = {}
    try:
        threads = os.listdir(folder)
    except OSError:
        return found
    for thread in threads:
        try:
            found[thread] = pathlib.Path(folder, thread, file).read_text()
        except OSError:
            pass
    return found


def descendants(pid):
    """A process and all below it."""
    found = [pid]
    for one in found:
        for children in of_threads(one, "children").values():
            found += [int(child) for child in children.split()]
    return found


def waiting(pid):
    """For each thread, the seconds that it was ready to run and had no core."""
    seconds = {}
    for one in descendants(pid):
        for thread, times in of_threads(one, "schedstat").items():
            seconds[thread] = int((times.split() + ["0", "0"])[1]) / 1e9
    return seconds


class Ending:
    """From the moment when a process is told to end."""

    def __init__(self, process):
        self.process, self.start, self.before, self.lost = process, time.monotonic(), waiting(process.pid), 0

    def look(self):
        now = waiting(self.process.pid)
        lost = [seconds - self.before.get(thread, 0) for thread, seconds in now.items()]
        self.lost = max([self.lost] + lost)

    def seconds(self):
        """So long it took, and so long with a core for each thread."""
        total = time.monotonic() - self.start
        return total, max(0, total - self.lost)


def is_running(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def end(process, what, allowed, watched=None, told=None, patience=MOST):
    """Tells a process, or the one below it that is 'told', to end, and waits for it.

    What counts is when all those watched have gone: unless others are named, it and all below it."""
    ending = Ending(process)
    there = process.poll() is None
    watched = watched or descendants(process.pid)
    if there:
        os.kill(told or process.pid, signal.SIGTERM)
    while any(is_running(pid) for pid in watched) and time.monotonic() < ending.start + 60:
        ending.look()
        time.sleep(0.01)
    total, net = ending.seconds()
    try:
        process.wait(10 if total < 60 else 0)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    print(f"{net:6.2f} s ({total:.2f}), status {process.returncode:3}: {what}{'' if there else ' (was over)'}", flush=True)
    if process.returncode not in allowed and there:
        FAILURES.append(f"{what} ends with {process.returncode}, not with one of {allowed}")
    if net > patience:
        FAILURES.append(f"{what} ends {net:.1f} s after SIGTERM")


def run(alea, folder, moment, job, allowed):
    with open(os.path.join(folder, "printed"), "wb") as printed:
        process = subprocess.Popen([alea] + job.split(), cwd=folder, stdin=subprocess.PIPE, stdout=printed,
                                   stderr=subprocess.DEVNULL)
    try:
        process.wait(moment)
    except subprocess.TimeoutExpired:
        pass
    end(process, f"alea {job}", allowed)
    process.stdin.close()


def read_rules(game):
    if game == "endless":
        return ENDLESS, "r"
    lines = (GAMES / f"{game}.kif").read_text().splitlines()
    rules = " ".join(line.split(";")[0] for line in lines)
    words = rules.replace("(", " ").replace(")", " ").lower().split()
    roles = [after for word, after in zip(words, words[1:]) if word == "role" and after[0] not in "?r"]
    return rules, roles[0]


def serve(alea, player, game, moment):
    """A match is aborted and all its threads end; then another begins and the server ends."""
    process = subprocess.Popen([alea, "serve", "--port", "0", "--player", player, "--quiet"], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL)
    port = int(process.stdout.readline().decode().rsplit(":", 1)[1])
    rules, role = read_rules(game)
    start = f"( START m {role} ( {rules} ) 20 10)"
    threads = pathlib.Path(f"/proc/{process.pid}/task")
    ask(port, "( INFO )")
    time.sleep(0.1)
    quiet = len(list(threads.iterdir())) if threads.exists() else 0
    manager = threading.Thread(target=lambda: ask(port, start), daemon=True)
    manager.start()
    time.sleep(moment)
    ending = Ending(process)
    ask(port, "( ABORT m )")
    while quiet and len(list(threads.iterdir())) > quiet and time.monotonic() < ending.start + 60:
        ending.look()
        time.sleep(0.01)
    total, net = ending.seconds()
    print(f"{net:6.2f} s ({total:.2f}), aborted after {moment} s: {player} in {game}", flush=True)
    if net > MOST:
        FAILURES.append(f"{player} in {game} ends {net:.1f} s after ABORT")
    manager.join()
    threading.Thread(target=lambda: ask(port, start), daemon=True).start()
    time.sleep(moment)
    end(process, f"alea serve, {player} in {game}", (0,))


def stored(database):
    """How many matches are stored as played."""
    try:
        with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as store:
            return store.execute("select count(*) from matches where done").fetchone()[0]
    except sqlite3.Error:
        return 0


def wait_until(what, condition, seconds=60):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            sys.exit(f"{what}: nothing of it after {seconds} s")
        time.sleep(0.02)


def check_kept(what, database, before):
    """The database is sound and has at least what was seen in it before the signal."""
    check_store(database)
    if stored(database) < before:
        FAILURES.append(f"{what}: {stored(database)} matches are stored, and {before} were before")


def web(alea, folder, what, path, body):
    """The page is told to end while a request of this kind is being worked on."""
    process = subprocess.Popen([alea, "web", "--port", "0", "--events", folder], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL)
    atexit.register(process.kill)  # where a check fails
    port, token = re.search(rb"http://127.0.0.1:(\d+)/#token=(\w+)", process.stdout.readline()).groups()

    def request():
        connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=60)
        connection.request("POST", path, json.dumps(body), {"X-Alea-Token": token.decode(), "Content-Type": "application/json"})
        connection.getresponse().read()

    quiet = len(descendants(process.pid))
    if path:
        threading.Thread(target=request, daemon=True).start()
        wait_until(f"alea web {what}", lambda: len(descendants(process.pid)) > quiet)
    database, before = os.path.join(folder, "quick.db"), 0
    if path == "/api/events":
        wait_until(f"alea web {what}", lambda: stored(database) > 0)
        before = stored(database)
    time.sleep(0.5)
    end(process, f"alea web {what}", (0,))
    process.stdout.close()
    if before:
        check_kept(f"alea web {what}", database, before)


def cluster(alea, folder, head):
    """A tournament on three ranks, of which the first is told to end and tells the others, or mpirun.

    mpirun waits for a second, tells all, and kills after another what is still there.  It waits a second, too, where it
    sees a rank end with a status that is not 0 while others have not ended yet."""
    what = f"mpirun alea tournament, {head} is told"
    name, database = (os.path.join(folder, f"{head}.{ending}") for ending in ("yaml", "db"))
    with open(name, "w", encoding="ascii") as file:
        json.dump(QUICK_FILE, file)
    process = subprocess.Popen(["mpirun", "-n", "3", "--oversubscribe", "--allow-run-as-root", alea, "tournament", name,
                                "--db", database, "--workers", "1"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    atexit.register(process.terminate)
    wait_until(what, lambda: stored(database) > 0)
    before, ranks = stored(database), descendants(process.pid)[1:]
    if head == "mpirun":
        end(process, what, (1, 4), watched=ranks, patience=MOST + 1)
    else:
        end(process, what, (4,), watched=ranks, told=min(ranks), patience=MOST + 1)
    printed = process.stdout.read().decode()
    check_kept(what, database, before)
    if head != "mpirun" and f" {stored(database)} of " not in printed:
        FAILURES.append(f"{what}: {stored(database)} matches are stored, but it says: {printed}")


def fill_store(alea, folder):
    """A database with so many results that a report of them takes seconds."""
    with open(os.path.join(folder, "small.yaml"), "w", encoding="ascii") as file:
        file.write("games: [tictactoe]\nplayers: [random, legal]\nbudget: {sims: 1}\nmatches: 2\n")
    subprocess.run([alea, "tournament", "small.yaml", "--db", "large.db"], cwd=folder, check=True, capture_output=True)
    with sqlite3.connect(os.path.join(folder, "large.db")) as store:
        for table, number in (("matches", "number"), ("seats", None)):
            columns = [row[1] for row in store.execute(f"pragma table_info({table})")]
            shifted = [f"{column} + 2 * n.n" if column in ("id", "match", number) else column for column in columns]
            store.execute(f"insert into {table} with recursive n(n) as (select 1 union all select n + 1 from n where "
                          f"n < 100000) select {', '.join(shifted)} from {table}, n")


def check_store(database):
    """The database is sound and no match is stored twice."""
    with sqlite3.connect(database) as store:
        if store.execute("pragma integrity_check").fetchone()[0] != "ok":
            sys.exit(f"{os.path.basename(database)} is damaged")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--alea", required=True)
    parser.add_argument("--mpi", action="store_true", help="also rows under mpirun, which the program must know")
    parser.add_argument("--only", default="", help="rows that begin like this")
    arguments = parser.parse_args()
    alea = os.path.abspath(arguments.alea)
    full = bool(os.environ.get("ALEA_FULL"))
    threading.excepthook = lambda _: None  # START is not answered when the server ends
    with tempfile.TemporaryDirectory() as folder:
        for name, text in FILES.items():
            with open(os.path.join(folder, name), "w", encoding="ascii") as file:
                file.write(text)
        if full:
            fill_store(alea, folder)
        for moment, job, allowed in JOBS + (MORE_JOBS if full else []):
            if job.startswith(arguments.only):
                run(alea, folder, moment, job, allowed)
        for player, game, moment in MATCHES + (MORE_MATCHES if full else []):
            if f"serve {player}".startswith(arguments.only):
                serve(alea, player, game, moment)
        for what, path, body in PAGES:
            if f"web {what}".startswith(arguments.only):
                web(alea, folder, what, path, body)
        for head in ("rank-0", "mpirun") if arguments.mpi and shutil.which("mpirun") else ():
            if f"mpirun {head}".startswith(arguments.only):
                cluster(alea, folder, head)
        if os.path.exists(os.path.join(folder, "event.db")):
            check_store(os.path.join(folder, "event.db"))
    if FAILURES:
        sys.exit("\n".join(FAILURES))


main()
