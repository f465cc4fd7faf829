#!/usr/bin/env python3
"""Files that the options of a served player name: read in the sandbox, or complained about.

    tests/e2e/serve_files.py --alea build/alea

A server that plays something else than it was told, without a word, is the fault that is looked
for: each case must end in the evaluation's own move, in a refused START whose reason is sent and
logged, or in a server that does not start.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
WISHED = "(cell 5 3 white)"          # what the evaluation wants more than anything else,
MOVES = {"(move 4 2 5 3)", "(move 5 2 5 3)", "(move 6 2 5 3)"}  # and what leads there
FAR_OFF = 900000


class Server:
    def __init__(self, alea, player, *options):
        self.process = subprocess.Popen([alea, "serve", "--port", "0", "--player", player, *options],
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        line = self.process.stdout.readline()
        self.url = line.split()[-1] if "listens at" in line else None
        self.said = line

    def ask(self, message):
        """Status and text of the answer."""
        try:
            with urllib.request.urlopen(self.url, message.encode(), timeout=60) as reply:
                return reply.status, reply.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def end(self):
        """Everything that was logged, and the exit status."""
        if self.url is not None:
            self.process.terminate()
        self.said += self.process.stdout.read()
        return self.said, self.process.wait(60)


def rules_of(game):
    text = re.sub(";.*", "", (ROOT / "games" / f"{game}.kif").read_text())
    return " ".join(text.split())


def start(game, role):
    return f"( START m {role} ( {rules_of(game)} ) 20 10 )"


def evaluation(alea, path):
    """One that looks at a single cell."""
    subprocess.run([alea, "learn", "breakthrough", "--playouts", "500", "--out", str(path)], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    lines = path.read_text().splitlines()
    head, own = lines[:2], [line for line in lines if line.endswith(WISHED)][:1]
    number = own[0].split()[1] if own else sys.exit(f"{WISHED} is not in the evaluation")
    roles = [f"role {role} plays 1 games 0 base 0 loud 0" for role in (0, 1)]
    text = "\n".join(head + roles[:1] + [f"fluent {number} {FAR_OFF} {WISHED}"] + roles[1:]) + "\n"
    path.write_text(text)
    return text


def plays_by_it(alea, path, *options):
    server = Server(alea, f"ab:eval={path},depth=1", *options)
    ready, move = server.ask(start("breakthrough", "white")), server.ask("( PLAY m NIL )")
    log, status = server.end()
    if ready != (200, "ready") or move[1] not in MOVES or status != 0 or "alone" in log:
        sys.exit(f"with {options} the evaluation is not played by: {ready} {move} {status}\n{log}")


def refuses(alea, path, reason, game="breakthrough", role="white", change=lambda: None):
    """The reason is sent and logged, and there is no match."""
    server = Server(alea, f"ab:eval={path}")
    change()
    answer, info = server.ask(start(game, role)), server.ask("( INFO )")
    log, status = server.end()
    if answer[0] not in (400, 500) or reason not in answer[1] or "available" not in info[1]:
        sys.exit(f"a START with '{reason}' is answered {answer}, then {info}\n{log}")
    if not re.search(f"^m refused: .*{re.escape(reason)}", log, re.M) or status != 0:
        sys.exit(f"'{reason}' is not logged:\n{log}")


def does_not_start(alea, player, reason, expected, *options):
    log, status = Server(alea, player, *options).end()
    if reason not in log or status != expected:
        sys.exit(f"{player} {options}: exit status {status}, not {expected} with '{reason}':\n{log}")


def try_files(alea, folder):
    path, bad = folder / "own.eval", folder / "bad.eval"
    text = evaluation(alea, path)
    for mode in ("auto", "off"):
        plays_by_it(alea, path, "--sandbox", mode)
    refuses(alea, path, "learnt for other rules", "tictactoe", "xplayer")
    for wrong, reason in [(text[:20], "expected 'rules FINGERPRINT'"),
                          (text.replace(str(FAR_OFF), "nan"), "expected 'fluent NUMBER SCORE NAME'"),
                          (text.replace(str(FAR_OFF), "99999999999999999999"), "out of range"),
                          (text.replace("fluent ", "fluent 40000000"), "no such fluent"),
                          (text[:-5], "expected 'role N"), ("", "no evaluation"), (text + "\0", "byte 0")]:
        bad.write_text(wrong)
        refuses(alea, bad, reason)
    os.chmod(bad, 0o600)
    bad.write_text(text)
    # Another file in its place is one that the server was never told of: here it cannot be read.
    if has_landlock(alea, bad):
        refuses(alea, bad, "cannot be read", change=lambda: (bad.unlink(), bad.write_text(text)))
    refuses(alea, path, "cannot be read", change=path.unlink)


def has_landlock(alea, path):
    """Whether the kernel closes the file system; if not, the server says so."""
    server = Server(alea, f"ab:eval={path}")
    server.ask("( INFO )")
    return "Landlock" not in server.end()[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--alea", required=True)
    alea = os.path.abspath(parser.parse_args().alea)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        try_files(alea, folder)
        does_not_start(alea, f"ab:eval={folder}/none", "cannot be read", 5)
        does_not_start(alea, f"ab:eval={folder}", "no file", 5)
        os.mkfifo(folder / "pipe")
        does_not_start(alea, f"ab:eval={folder}/pipe", "no file", 5)
        cache = f"mac-ucb:cache=keep,cache-file={folder}/cache"
        does_not_start(alea, cache, "--sandbox off", 2)
        server = Server(alea, cache, "--sandbox", "off")
        answer = server.ask(start("tictactoe", "xplayer"))
        log, _ = server.end()
        if answer != (200, "ready") or not (folder / "cache").exists():
            sys.exit(f"without the sandbox no cache is written: {answer}\n{log}")


main()
