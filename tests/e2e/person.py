#!/usr/bin/env python3
"""A person at a terminal: five kinds of game, an analysis, Ctrl-C, and the terminal left as it was.

    tests/e2e/person.py --alea build/alea
"""
import argparse
import os
import re
import signal
import sys
import tempfile
import time

from terminal import Session

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


def plain(text):
    """What is left on the screen: no colours, and of lines that were written over the last one."""
    text = re.sub("\033\\[[0-9;?]*[A-Za-z]", "", text).replace("\r\n", "\n")
    return "\n".join(line.rsplit("\r", 1)[-1] for line in text.split("\n"))


def narrow(alea):
    """Nothing is wider than the terminal, and only positions that matter are drawn."""
    s = Session(alea, "play", "chinese-checkers", "--sims", "5", "--seed", "1", columns=50)
    shown = s.expect("(.*)red> ").group(1)
    for typed in ("help", "moves", "nothing of the kind"):
        s.type(typed + "\r")
        shown += s.expect("(.*)red> ").group(1)
    wide = [line for line in plain(shown).split("\n") if len(line) > 50]
    if wide:
        sys.exit(f"wider than 50 columns: {wide}")
    s.type("noop\r")  # then both others move
    shown = plain(s.expect("(.*)red> ").group(1))
    if "red: noop" not in shown or "blue: " not in shown:
        sys.exit(f"moves are missing: {shown}")
    if shown.count("a b c d e f g h i j k l m") != 2:
        sys.exit(f"not one board after the own move and one before the next: {shown}")
    s.end(typing="quit\r")


def colourless(alea):
    """Where there is no colour, what is new on the board stands in brackets."""
    s = Session(alea, "play", "tictactoe", "--sims", "50", "--seed", "1", "--color", "never")
    s.expect("xplayer> ")
    s.type("mark 2 2\r")
    shown = s.expect(r"\[x\](.*)\[o\]").group()
    if "\033[1;33m" in shown:
        sys.exit(f"coloured all the same: {shown}")
    s.expect("xplayer> ")
    s.end(typing="quit\r")


def seated(alea, command):
    """A human in a match knows no more than in 'play'; the end shows everything."""
    s = Session(alea, command, "battleship", "--player", "human", "--player", "random", "--time", "5")
    s.expect("left> ")
    s.type("1\r")
    shown = s.expect(r"step 1 (.*?)left> ").group(1)
    if "\033[1;33ms" not in shown:
        sys.exit(f"what is new is not coloured: {shown}")
    shown = plain(shown)
    if "right:" in shown:
        sys.exit(f"the move of the other is shown: {shown}")
    known = re.search(r"ship left(.*)ship right(.*)shot left", shown, re.DOTALL)
    if " s " not in known.group(1) or " s " in known.group(2) or "?" not in known.group(2):
        sys.exit(f"not what the role knows: {shown}")
    s.type("quit\r")
    s.expect("aborted at step 1:")
    s.end(4)
    s = Session(alea, command, "kuhn-poker", "--player", "human", "--player", "random", "--time", "5")
    for _ in range(3):
        if s.expect("first> |result:").group() == "result:":
            break
        s.type("1\r")
    else:
        s.expect("result:")
    s.end()


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
    s = Session(alea, "best", "connect-four", "--sims", "3000", "--player", "uct", "--lines", "2",
                columns=50)
    s.expect(r"main line\r\n *\d+ +\d+\.\d+ +\d+ +\(drop \d\)\r\n +\(drop \d\)  \(drop \d\)")
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
    narrow(alea)
    colourless(alea)
    seated(alea, "host")
    seated(alea, "match")
    two_people(alea)
    analysis(alea)


main()
