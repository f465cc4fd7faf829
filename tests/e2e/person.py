#!/usr/bin/env python3
"""A person at a terminal: five kinds of game, an analysis, Ctrl-C, and the terminal left as it was.

    tests/e2e/person.py --alea build/alea
"""
import argparse
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import tempfile
import termios
import time

PATIENCE = 60


class Session:
    """A program in a pseudo-terminal."""

    def __init__(self, *command, columns=80):
        self.text = ""
        self.command = " ".join(command[1:])
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.before = termios.tcgetattr(slave)
        self.slave = slave
        self.pid = os.fork()
        if self.pid == 0:
            os.setsid()
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)  # so that Ctrl-C reaches it
            for number in range(3):
                os.dup2(slave, number)
            os.environ.update(TERM="xterm", LC_ALL="C.UTF-8")
            os.environ.pop("NO_COLOR", None)
            os.execv(command[0], command)

    def read(self, seconds):
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self.master, 65536)
        except OSError:
            return False
        self.text += data.decode("utf-8", "replace")
        return bool(data)

    def expect(self, pattern):
        """Waits for the pattern after what was expected before; returns the match."""
        end = time.monotonic() + PATIENCE
        while True:
            match = re.search(pattern, self.text, re.DOTALL)
            if match:
                self.text = self.text[match.end():]
                return match
            if time.monotonic() > end:
                sys.exit(f"no {pattern!r} in {self.text[-2000:]!r}")
            self.read(0.2)

    def type(self, line):
        os.write(self.master, line.encode())

    def end(self, expected=0, typing=""):
        """Waits for the end.  'typing' is typed once a second until then: a key that comes between
        the prompt and the terminal's raw mode is lost."""
        end = time.monotonic() + PATIENCE
        typed = 0
        while time.monotonic() < end:
            if typing and time.monotonic() > typed + 1:
                self.type(typing)
                typed = time.monotonic()
            done, status = os.waitpid(self.pid, os.WNOHANG)
            if done:
                code = os.waitstatus_to_exitcode(status)
                if code != expected:
                    sys.exit(f"ended with {code}, not {expected}: {self.text[-500:]!r}")
                if termios.tcgetattr(self.slave) != self.before:
                    sys.exit("the terminal is not as it was")
                os.close(self.master)
                os.close(self.slave)
                return
            self.read(0.05)
        os.kill(self.pid, signal.SIGKILL)
        sys.exit(f"{self.command} does not end: {self.text[-500:]!r}")


def board_game(alea, folder):
    """Typing, completion, history, a mistake, undo, save, load, a whole game, a rematch."""
    s = Session(alea, "play", "tictactoe", "--sims", "50", "--seed", "1")
    s.expect("three in a row|Three in a row")
    s.expect("xplayer> ")
    s.type("mark 2 2\r")
    s.expect(r"oplayer: \(mark")
    s.expect("\033\\[1;33m")  # what is new is coloured
    s.expect("xplayer> ")
    s.type("mark 2 2\r")
    s.expect("is not legal here: it seems to need .*cell 2 2")
    s.expect("xplayer> ")
    s.type("undo\r")
    s.expect("xplayer> ")
    s.type("\033[A\033[A\r")  # two lines up in the history: the move again
    s.expect(r"oplayer: \(mark")
    s.expect("xplayer> ")
    path = os.path.join(folder, "moves.txt")
    s.type(f"save {path}\r")
    s.expect("saved to")
    s.type("und\t\r")  # completed to undo
    s.expect("xplayer> ")
    s.type(f"load {path}\r")
    s.expect("xplayer> ")
    s.type("hint\r")
    s.expect(r"hint: \(mark \d \d\)")
    for _ in range(5):
        s.type("hint\r")
        move = s.expect(r"hint: (\(mark \d \d\)).*?xplayer> ").group(1)
        s.type(move + "\r")
        if s.expect("xplayer> |the game is over: xplayer \\d+").group().startswith("the game"):
            break
    else:
        sys.exit("tic-tac-toe goes on for ever")
    s.expect("rematch, save FILE or quit> ")
    s.type("rematch\r")
    s.expect("xplayer> ")
    s.type("resign\r")
    s.expect("xplayer resigns")
    s.expect("quit> ")
    s.type("quit\r")
    s.end()


def coordinates(alea):
    """Chess by coordinates; Ctrl-C makes the player move at once."""
    s = Session(alea, "play", "chess", "--time", "600", "--seed", "1")
    s.expect("white> ")
    s.type("e2e4\r")
    time.sleep(1.5)
    s.type("\003")
    s.expect(r"black: \(move")
    s.expect("white> ")
    s.end(typing="quit\r")


def dice(alea):
    """Chance differs from one game to the next, and the seed is told."""
    seeds = set()
    for _ in range(2):
        s = Session(alea, "play", "yahtzee", "--level", "1")
        seeds.add(s.expect(r"--seed (\d+)").group(1))
        s.expect("> ")
        s.type("quit\r")
        s.end()
    if len(seeds) != 2:
        sys.exit("the same seed twice")


def hidden(alea):
    """What is hidden stays hidden until the end."""
    s = Session(alea, "play", "battleship", "--sims", "20", "--seed", "1")
    for _ in range(2):
        s.expect("left> ")
        s.type("1\r")
    shown = s.expect("ship right(.*?)left> ").group(1)
    if re.search(r" s ", shown):
        sys.exit(f"a ship of the other side is shown: {shown}")
    if "?" not in shown:
        sys.exit(f"nothing is unknown: {shown}")
    s.type("resign\r")
    shown = s.expect("ship right(.*)resigns").group(1)
    if not re.search(r" s", shown) or "?" in shown:
        sys.exit(f"at the end not everything is shown: {shown}")
    s.expect("quit> ")
    s.end(typing="\003")  # Ctrl-C at a prompt


def two_people(alea):
    """Two people, a clock, and SIGTERM while one of them thinks."""
    s = Session(alea, "play", "connect-four", "--role", "all", "--clock", "300")
    s.expect("red [45]:[0-9]+> ")
    s.type("d4\r")
    s.expect("yellow [45]:[0-9]+> ")
    s.type("4\r")
    s.expect("red [45]:[0-9]+> ")
    os.kill(s.pid, signal.SIGTERM)
    s.end()


def analysis(alea):
    """The opinion is shown as it changes; Ctrl-C gives the result so far."""
    s = Session(alea, "best", "tictactoe", "--time", "600", "--player", "mc", "--lines", "2")
    s.expect("as it changes")
    s.expect(r"\d+ +\d+\.\d+ +\(mark \d \d\)")
    s.type("\003")
    s.expect(r"best for xplayer: \(mark \d \d\), value .* simulations\)")
    s.expect(r"visits +value +proof")
    s.end()
    # The main line as it changes, no wider than the terminal.
    s = Session(alea, "best", "connect-four", "--time", "600", "--player", "uct", "--lines", "2")
    shown = s.expect(r"\n *\d+ +\d+\.\d+ +(\(drop \d\)  \(drop \d\)[^\r]*)\r").group(1)
    if len(shown) > 52:
        sys.exit(f"the main line is too wide: {shown}")
    s.type("\003")
    s.expect(r"best for red: \(drop \d\)")
    s.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--alea", required=True)
    alea = os.path.abspath(parser.parse_args().alea)
    with tempfile.TemporaryDirectory() as folder:
        board_game(alea, folder)
    coordinates(alea)
    dice(alea)
    hidden(alea)
    two_people(alea)
    analysis(alea)


main()
