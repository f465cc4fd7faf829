#!/usr/bin/env python3
"""A match goes on beside hostile clients: no move is lost, memory is flat, INFO is answered.

    tests/e2e/hostile_clients.py --alea build/alea

20 clients and 600 requests; 200 and 10,000 with ALEA_FULL=1 in the environment.
"""
import argparse
import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time

FULL = os.environ.get("ALEA_FULL") == "1"
CLIENTS, REQUESTS = (200, 10000) if FULL else (20, 600)
MOST_INFO = 1.0 if FULL else 5.0  # seconds; make check runs on busy machines
MOST_GROWTH = 64 * 1024  # kB
RULES = ("(role r) (init (n 0)) (<= (legal r go) (true (n ?x))) (<= (legal r stay) (true (n ?x))) "
         "(<= (next (n 0)) (true (n 0))) (goal r 50) (<= terminal (true (n 1)))")


def post(message):
    return f"POST / HTTP/1.0\r\nContent-Length: {len(message)}\r\n\r\n{message}".encode()


def ask(port, request, seconds=60.0, slow=False):
    """The body of the reply; '' where the connection was closed."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=seconds) as connection:
            connection.sendall(request[:len(request) // 2] if slow else request)
            reply = b""
            while part := connection.recv(65536):
                reply += part
        return reply.partition(b"\r\n\r\n")[2].decode()
    except OSError:
        return ""


def attack(rng):
    """A request that nobody should send, and whether it stays half-sent."""
    kind = rng.randrange(9)
    if kind == 0:
        return post("( PLAY m ((go)) )" + "x" * 5), False
    if kind == 1:
        return post("( START other r ( " + RULES + " ) 1 1)"), False
    if kind == 2:
        return post("( PLAY nobody " + "(" * 2000 + ")" * 2000 + " )"), False
    if kind == 3:
        return rng.randbytes(rng.randrange(1, 400)), False
    if kind == 4:
        return post("( START big r ( " + "(p " + "a " * 20000 + ") ) 1 1)"), False
    if kind == 5:
        return b"POST / HTTP/1.0\r\nContent-Length: 99999999999\r\n\r\n", False
    if kind == 6:
        return b"GET /" + b"%28" * 3000 + b" HTTP/1.0\r\n\r\n", False
    if kind == 7:
        return post("( ABORT nothing )"), False
    return post("( INFO )") * 3, True


class Attack(threading.Thread):
    def __init__(self, port, number, requests):
        super().__init__(daemon=True)
        self.port, self.rng, self.requests = port, random.Random(number), requests

    def run(self):
        for _ in range(self.requests):
            request, slow = attack(self.rng)
            ask(self.port, request, 0.3 if slow else 10, slow)


def resident(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        return int(re.search(r"VmRSS:\s+(\d+)", file.read()).group(1))


def check(condition, what):
    if not condition:
        sys.exit(what)


def play(port, pid, threads):
    """Plays while the clients attack; the slowest INFO, the moves, and the growth of memory."""
    slowest, moves, grown, first = 0.0, 0, 0, 0
    message = "( PLAY m NIL )"
    while any(thread.is_alive() for thread in threads):
        start = time.monotonic()
        answer = ask(port, post("( INFO )"))
        slowest = max(slowest, time.monotonic() - start)
        check("( name alea ) ( status busy )" in answer, f"INFO is answered with {answer!r}")
        move = ask(port, post(message))
        check(move in ("go", "stay"), f"move {moves} is {move!r}")
        message = f"( PLAY m ({move}) )"
        moves += 1
        first = first or (resident(pid) if moves == 5 else 0)
        grown = max(grown, resident(pid) - first) if first else 0
    return slowest, moves, grown


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--alea", required=True)
    process = subprocess.Popen([parser.parse_args().alea, "serve", "--port", "0", "--player", "uct", "--sims", "200"],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        port = int(process.stdout.readline().decode().rsplit(":", 1)[1])
        check(ask(port, post(f"( START m r ( {RULES} ) 2 30)")) == "ready", "the match does not start")
        threads = [Attack(port, number, REQUESTS // CLIENTS) for number in range(CLIENTS)]
        for thread in threads:
            thread.start()
        slowest, moves, grown = play(port, process.pid, threads)
        print(f"{REQUESTS} requests by {CLIENTS} clients, {moves} moves, INFO within {slowest:.2f} s, "
              f"memory grew by {grown} kB")
        check(moves >= 3, "the match does not go on")
        check(slowest < MOST_INFO, f"INFO takes {slowest:.2f} s")
        check(grown < MOST_GROWTH, f"memory grows by {grown} kB")
        check(ask(port, post("( STOP m NIL )")) == "done", "the match does not end")
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)
    check(process.returncode == 0, f"the server ends with {process.returncode}")


main()
