"""Ctrl-C and other signals end long calls: thinking, matches, solving."""
import os
import pathlib
import signal
import sys
import tempfile
import threading
import time
import unittest

import alea

LONG = 60  # seconds that nothing here takes
# Ten pigeons, nine holes: long for a solver that is not told of "all different".
PIGEONS = ('<instance format="XCSP3" type="CSP"><variables><array id="x" size="[14]"> 1..13 </array></variables>'
           '<constraints>' + "".join(f"<intension> ne(x[{i}],x[{j}]) </intension>" for i in range(14) for j in range(i))
           + '</constraints></instance>')


class Interrupt(unittest.TestCase):
    def setUp(self):
        before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's & ignores it
        self.addCleanup(signal.signal, signal.SIGINT, before)

    def during(self, call, number=signal.SIGINT, after=0.2):
        """Runs a call, sends a signal, and returns how many seconds the call took."""
        timer = threading.Timer(after, os.kill, (os.getpid(), number))
        start = time.monotonic()
        timer.start()
        try:
            call()
        finally:
            timer.join()
            self.spent = time.monotonic() - start

    def make_agent(self):
        agent = alea.Agent("uct", alea.Game("connect-four"), 0, seed=1)
        agent.start()
        return agent

    def test_thinking(self):
        agent = self.make_agent()
        before = signal.getsignal(signal.SIGINT)
        with self.assertRaises(KeyboardInterrupt):
            self.during(lambda: agent.think(seconds=LONG))
        self.assertLess(self.spent, LONG / 2)
        self.assertIs(signal.getsignal(signal.SIGINT), before)
        self.assertIn(agent.think(sims=10), agent.game.moves(0))  # it goes on

    def test_a_handler_that_does_not_raise(self):
        agent, heard = self.make_agent(), []
        before = signal.signal(signal.SIGALRM, lambda number, frame: heard.append(number))
        try:
            move = []
            self.during(lambda: move.append(agent.think(seconds=LONG)), signal.SIGALRM)
        finally:
            signal.signal(signal.SIGALRM, before)
        self.assertEqual(heard, [signal.SIGALRM])
        self.assertIn(move[0], agent.game.moves(0))
        self.assertLess(self.spent, LONG / 2)

    def test_an_ignored_signal_is_ignored(self):
        agent = self.make_agent()
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            self.during(lambda: agent.think(seconds=1))
        finally:
            signal.signal(signal.SIGINT, before)
        self.assertGreater(self.spent, 0.5)

    def test_other_threads_are_not_ended(self):
        agent, moves = self.make_agent(), []
        thread = threading.Thread(target=lambda: moves.append(agent.think(seconds=1)))
        thread.start()
        with self.assertRaises(KeyboardInterrupt):
            self.during(lambda: time.sleep(LONG))
        thread.join()
        self.assertEqual(len(moves), 1)

    def test_a_match(self):
        with self.assertRaises(KeyboardInterrupt):
            self.during(lambda: alea.play_match(alea.Game("connect-four"), ["uct", "uct"], time=LONG))
        self.assertLess(self.spent, LONG / 2)

    def test_a_match_in_which_a_player_thinks(self):
        class Thinker(alea.Player):
            "Asks another player, for long."
            def choose(self, state, budget):
                agent = alea.Agent("uct", state.game, self.role, seed=1)
                agent.start()
                return agent.think(seconds=LONG)

        with self.assertRaises(KeyboardInterrupt):
            self.during(lambda: alea.play_match(alea.Game("connect-four"), [Thinker, "random"], sims=1))
        self.assertLess(self.spent, LONG / 2)

    def test_solving(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "pigeons.xml"
            path.write_text(PIGEONS, encoding="utf-8")
            with self.assertRaises(KeyboardInterrupt):
                self.during(lambda: alea.solve(path, aim="all"))
        self.assertLess(self.spent, LONG / 2)


if __name__ == "__main__":
    sys.exit(unittest.main())
