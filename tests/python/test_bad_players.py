"""Players of others that fail, hang, answer nonsense, fork or end the process: in matches,
tournaments and for a manager."""
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request

import alea

MODULE = '''
import alea, os, sys, time

def player(name):
    """Registers a class with this 'choose'."""
    def make(choose):
        alea.register(type(name, (alea.Player,), {"choose": choose, "__doc__": name}), name)
        return choose
    return make

def last(self, state):
    legal = state.legal_moves(self.role)
    return "(go mine)" if "(go mine)" in legal else legal[-1]

@player("once")
def once(self, state, budget):
    if not self.history:
        raise ValueError("not yet")
    return last(self, state)

@player("forks")
def forks(self, state, budget):
    os.fork()
    return last(self, state)

@player("hangs")
def hangs(self, state, budget):
    time.sleep(1000)

@player("leaves")
def leaves(self, state, budget):
    os._exit(0)

@player("exits")
def exits(self, state, budget):
    sys.exit("by itself")

@player("floods")
def floods(self, state, budget):
    for _ in range(1000):
        print("\\x1b[31m" * 100, file=sys.stderr)
    return last(self, state)

@player("strays")
def strays(self, state, budget):
    state.play_out()
    return 0
'''
RULES = ("(role a) (role b) (init (turn 1)) (s 1 2) (s 2 3) (s 3 4) (n 1) (n 2) (n mine) (n 3) (<= (legal a (go ?n)) (n ?n)) "
         "(legal b noop) (<= (next (turn ?y)) (true (turn ?x)) (s ?x ?y)) (<= terminal (true (turn 4))) "
         "(goal a 100) (goal b 0)")


class Answers(unittest.TestCase):
    """What is no move is a fault, and the match goes on; what is no text at all is an exception."""

    def test_no_moves(self):
        game = alea.Game("tictactoe")
        for number, answer in enumerate((None, 9, 10, 4294967295, "noop", "(mark 1 1")):
            class Odd(alea.Player):
                "Answers the same for ever."
                def choose(self, state, budget):
                    return self.fixed
            Odd.fixed = answer
            alea.register(Odd, f"odd-{number}")
            try:
                result = alea.play_match(game, [f"odd-{number}", "random"], sims=1, seed=1)
                self.assertTrue(result.completed and result.faults > 0, answer)
            except alea.AleaError as error:
                self.assertIn("no move", str(error))

    def test_texts_with_a_zero(self):
        """They were cut off there, and what was left was played."""
        game, state = alea.Game("tictactoe"), alea.Game("tictactoe").state()

        class Zero(alea.Player):
            "A legal move, and then something."
            def choose(self, state, budget):
                return state.legal_moves(self.role)[0] + "\0)"

        for call in (lambda: alea.play_match(game, [Zero, "random"], sims=1),
                     lambda: alea.play_match(game, ["random\0", "random"], sims=1),
                     lambda: state.apply("(mark 1 1)\0", None), lambda: state.set_fluents(["(cell 1 1 b)\0"]),
                     lambda: alea.main("perft", "tictactoe\0", "--depth", "1")):
            with self.assertRaises(ValueError):
                call()


class Programs(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)
        (self.path / "bad.py").write_text(MODULE)
        self.command = [sys.executable, "-m", "alea", "--with", "bad"]

    def run_program(self, *words):
        return subprocess.run([*self.command, *words], cwd=self.path, text=True, capture_output=True,
                              timeout=300, check=False)

    def tournament(self, player, matches, budget):
        (self.path / "bad.yaml").write_text(f"name: bad\nseed: 1\ngames: [tictactoe]\nplayers: [{player}, random]\n"
                                            f"budget: {budget}\nmatches: {matches}\n")
        return self.run_program("tournament", "bad.yaml", "--workers", "2")

    def test_tournaments(self):
        for player, stored in (("once", 6), ("exits", 6), ("floods", 6), ("strays", 6), ("forks", 6), ("leaves", 0)):
            with self.subTest(player=player):
                (self.path / "bad.db").unlink(missing_ok=True)
                run = self.tournament(player, 6, "{sims: 1}")
                self.assertEqual(run.returncode, 0 if stored else 1, run.stderr[-2000:])
                self.assertIn(f"{stored} of 6 matches are stored", run.stdout + run.stderr)

    def test_a_player_that_hangs_does_not_hold_the_tournament(self):
        start = time.monotonic()
        run = self.tournament("hangs", 1, "{time: 0.1, grace: 0}")
        self.assertLess(time.monotonic() - start, 120)
        self.assertEqual(run.returncode, 1)
        self.assertIn("a player did not come back from its move", run.stderr)

    def test_a_fork_plays_no_second_match(self):
        run = self.run_program("match", "tictactoe", "--player", "forks", "--player", "random", "--sims", "1")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(run.stdout.count("result:"), 1, run.stdout)

    def serve(self, player):
        """Two moves for a manager; the answers and the log."""
        with subprocess.Popen([*self.command, "serve", "--player", player, "--port", "0", "--sandbox", "off"],
                              cwd=self.path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
            try:
                url = re.search(r"http://\S+", server.stdout.readline())[0]
                answers = []
                for message in (f"(START m a ({RULES}) 2 2)", "(PLAY m NIL)", "(PLAY m ((go 1) noop))"):
                    with urllib.request.urlopen(url, message.encode(), timeout=60) as reply:
                        answers.append(reply.read().decode())
                server.terminate()
                # A copy of the server that lives on keeps this open, and the test would wait for ever.
                log = server.communicate(timeout=60)[0]
                return answers, log
            finally:
                server.kill()

    def test_one_failure_is_one_move(self):
        answers, log = self.serve("once")
        self.assertNotEqual(answers[1], "(go mine)", log)
        self.assertEqual(answers[2], "(go mine)", log)
        self.assertEqual(log.count("was played for"), 1, log)

    def test_a_fork_serves_nobody(self):
        answers, log = self.serve("forks")
        self.assertEqual(answers, ["ready", "(go mine)", "(go mine)"], log)

    def test_a_player_that_hangs_is_named(self):
        answers, log = self.serve("hangs")
        self.assertTrue(all(re.fullmatch(r"\(go \w+\)", answer) for answer in answers[1:]), answers)
        self.assertEqual(log.count("its player is late"), 2, log)


unittest.main()
