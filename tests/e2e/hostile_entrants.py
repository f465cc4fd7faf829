#!/usr/bin/env python3
"""Players elsewhere whose answers attack the one who asks.

    tests/e2e/hostile_entrants.py --alea build/alea [--unlimited]

A row of the table is what an entrant sends for every PLAY: headers, lines or bodies without an
end, redirections, lengths that cannot be, bytes that a terminal would obey.  The match goes on
without it, each answer is a fault, memory stays what it is, and nobody else is called.  With
--unlimited memory is not looked at, which sanitizers need.
"""
import argparse
import pathlib
import re
import socket
import subprocess
import sys
import threading
import time

MOST_KB = 64000
MOST_SECONDS = 60
OK = b"HTTP/1.0 200 OK\r\n"
# What begins an answer, and what follows for ever.
ANSWERS = {
    "long headers without end": (OK, b"X-A: " + b"y" * 60000 + b"\r\n"),
    "short headers without end": (OK, b"X: y\r\n" * 10000),
    "a line without end": (b"", b"H" * 100000),
    "interim answers without end": (b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 1000),
    "a body without end": (OK + b"\r\n", b"(" * 100000),
    "a redirection": (b"HTTP/1.0 302 Found\r\nLocation: http://127.0.0.1:%d/\r\nContent-Length: 0\r\n\r\n", b""),
    "a redirection to a file": (b"HTTP/1.0 301 Moved\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n", b""),
    "a question for a password": (b"HTTP/1.0 401 No\r\nWWW-Authenticate: Basic realm=x\r\nContent-Length: 0\r\n\r\n", b""),
    "a huge piece": (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nxxxx", b""),
    "a length below zero": (OK + b"Content-Length: -1\r\n\r\nnoop", b""),
    "a length above all": (OK + b"Content-Length: 99999999999999999999\r\n\r\nfly", b""),
    "packed bytes": (OK + b"Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\n\x1f\x8b\x08\x00", b""),
    "terminal escapes": (OK + b"Content-Length: 8\r\n\r\n\x1b]0;x\x07\x1b[", b""),
}
QUIET = {b"INFO": b"( ( name x ) ( status available ) )", b"START": b"ready", b"STOP": b"done", b"ABORT": b"done"}


def listen(answer):
    """The port at which each connection is answered, in a thread of its own."""
    door = socket.socket()
    door.bind(("127.0.0.1", 0))
    door.listen(64)

    def accept():
        while True:
            connection = door.accept()[0]
            threading.Thread(target=answer, args=(connection,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return door.getsockname()[1]


def entrant(first, rest):
    def answer(connection):
        with connection:
            try:
                verb = re.search(rb"\( *(INFO|START|PLAY|STOP|ABORT)", connection.recv(1 << 16))[1]
                if verb in QUIET:
                    connection.sendall(OK + b"Content-Length: %d\r\n\r\n%s" % (len(QUIET[verb]), QUIET[verb]))
                    return
                connection.sendall(first)
                while rest:
                    connection.sendall(rest)
            except (OSError, TypeError):
                pass

    return listen(answer)


def host(alea, port):
    """Exit status, output and the most memory of a match against the entrant at a port."""
    process = subprocess.Popen([alea, "host", "tictactoe", "--player", f"http://127.0.0.1:{port}", "--player", "random",
                                "--time", "2", "--start", "2"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    end, most = time.monotonic() + MOST_SECONDS, 0
    while process.poll() is None and time.monotonic() < end:
        try:
            found = re.search(r"VmHWM:\s+(\d+)", pathlib.Path(f"/proc/{process.pid}/status").read_text())
            most = max(most, int(found[1]) if found else 0)
        except OSError:
            pass
        time.sleep(0.01)
    if process.poll() is None:
        process.kill()
    return process.wait(), process.stdout.read(), most


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--alea", required=True)
    parser.add_argument("--unlimited", action="store_true")
    arguments = parser.parse_args()
    called = []
    trap = listen(called.append)
    for what, (first, rest) in ANSWERS.items():
        first = first.replace(b"%d", b"%d" % trap)
        status, output, most = host(arguments.alea, entrant(first, rest))
        print(f"{what}: status {status}, {most} KB", flush=True)
        assert status == 0, (what, status, output)
        assert b"fault at step 1 of xplayer" in output, (what, output)
        assert not re.search(rb"[^\n -~]", output), (what, output)
        assert arguments.unlimited or most < MOST_KB, (what, most)
        assert not called, f"{what}: somebody else was called"


sys.exit(main())
