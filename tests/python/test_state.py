"""Games and states: against `alea simulate`, step by step, and what is refused."""
import copy
import json
import os
import pathlib
import random
import subprocess
import tempfile
import unittest

import alea

ALEA = os.environ["ALEA"]
GAMES = ["tictactoe", "connect-four", "breakthrough", "blind-tictactoe", "kuhn-poker",
         "backgammon", "rock-paper-scissors", "nim", "toss-tictactoe", "matching-pennies"]
FULL = os.environ.get("ALEA_FULL") == "1"


def random_play(game, seed, most):
    """The states of a play as `alea simulate --json` writes them, and its joint moves."""
    draw, state, seen, moves = random.Random(seed), game.state(), [], []
    while True:
        legal = [state.legal_moves(role) for role in game.roles]
        seen.append({
            "step": state.depth, "state": state.fluents(),
            "legal": {name: sorted(own) for name, own in zip(game.roles, legal)},
            "terminal": state.terminal,
            "sees": {name: state.percepts(name) for name in game.roles if state.percepts(name)}})
        if state.terminal or state.depth == most:
            return seen, moves, state
        moves.append([draw.choice(own) for own in legal])
        state.apply(*moves[-1])


def simulate(name, moves):
    text = "\n".join(" ".join(joint) for joint in moves)
    run = subprocess.run([ALEA, "simulate", name, "--moves", "-", "--json"], input=text, text=True,
                         capture_output=True, check=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


class Conformance(unittest.TestCase):
    def test_random_play_equals_simulate(self):
        for name in alea.shipped_games() if FULL else GAMES:
            with self.subTest(game=name):
                game = alea.Game(name)
                mine, moves, state = random_play(game, name, 30)
                program = simulate(name, moves)
                self.assertEqual(len(mine), len(program))
                for own, other in zip(mine, program):
                    for key in ("step", "state", "terminal"):
                        self.assertEqual(own[key], other[key])
                    if not own["terminal"]:
                        legal = {role: sorted(own) for role, own in other["legal"].items()}
                        self.assertEqual(own["legal"], legal)
                    sees = {role: texts for role, texts in other["sees"].items() if texts}
                    self.assertEqual(own["sees"], sees)
                if state.terminal:
                    self.assertEqual(dict(zip(game.roles, state.goals)), program[-1]["goals"])

    def test_undo_returns_everything(self):
        for name in ("connect-four", "blind-tictactoe"):
            game = alea.Game(name)
            state, trail = game.state(seed=5), []
            while not state.terminal:
                trail.append((state.hash, state.fluents(), [state.percepts(r) for r in game.roles]))
                state.apply()
            while trail:
                state.undo()
                self.assertEqual((state.hash, state.fluents(),
                                  [state.percepts(r) for r in game.roles]), trail.pop())
            with self.assertRaises(alea.AleaError) as caught:
                state.undo()
            self.assertEqual(caught.exception.status, alea.Status.NONE)

    def test_clone_and_save(self):
        game = alea.Game("reversi")
        state = game.state(seed=1)
        for _ in range(20):
            state.apply()
        other, third = copy.copy(state), game.state()
        third.load(state.save())
        self.assertEqual((other.hash, other.depth), (state.hash, state.depth))
        self.assertEqual((third.hash, third.depth), (state.hash, 0))
        state.apply()
        self.assertNotEqual(other.hash, state.hash)
        other.apply()  # the clone draws the same numbers
        self.assertEqual(other.hash, state.hash)
        third.set_fluents(state.fluents())
        self.assertEqual(third.hash, state.hash)
        other.reset()
        other.copy_from(state)
        self.assertEqual((other.hash, other.last), (state.hash, state.last))

    def test_same_seed_same_play(self):
        game = alea.Game("backgammon")
        self.assertEqual(game.state(seed=9).play_out(), game.state(seed=9).play_out())
        hashes = set()
        for seed in range(5):
            state = game.state(seed=seed)
            state.play_out()
            hashes.add(state.hash)
        self.assertGreater(len(hashes), 1)


class Refusals(unittest.TestCase):
    def refused(self, status, call, *arguments, **keywords):
        with self.assertRaises(alea.AleaError) as caught:
            call(*arguments, **keywords)
        self.assertEqual(caught.exception.status, status)
        return caught.exception

    def test_games(self):
        self.refused(alea.Status.USAGE, alea.Game, "no-such-game")
        self.refused(alea.Status.USAGE, alea.Game, "tictactoe", engine="steam")
        error = self.refused(alea.Status.INPUT, alea.Game.from_text, "(role white\n(", "bad.kif")
        self.assertEqual(error.diagnostics[0].file, "bad.kif")
        self.assertGreater(error.diagnostics[0].line, 0)
        self.assertIn("bad.kif:", str(error))
        with self.assertRaises(TypeError):
            alea.Game()
        with self.assertRaises(ValueError):
            alea.Game("a\0b")

    def test_moves(self):
        state = alea.Game("tictactoe").state()
        before = state.hash
        self.refused(alea.Status.INPUT, state.apply, "(mark 1 1)", "(mark 1 1)")
        self.refused(alea.Status.INPUT, state.apply, "(mark 7 7)", "noop")
        self.refused(alea.Status.INPUT, state.apply, 10 ** 6, 0)
        self.refused(alea.Status.USAGE, state.apply, -1, 0)
        self.refused(alea.Status.USAGE, state.apply, 2 ** 80, 0)
        self.refused(alea.Status.USAGE, state.legal, 2)
        self.refused(alea.Status.USAGE, state.legal, "zplayer")
        for wrong in ((1,), (1, 2, 3), (1.5, 2), ([],), ("\ud800", "noop")):
            with self.assertRaises((TypeError, UnicodeEncodeError)):
                state.apply(*wrong)
        self.assertEqual(state.hash, before)
        state.play_out()
        self.refused(alea.Status.USAGE, state.apply)
        self.assertEqual(state.legal(0), [])

    def test_positions(self):
        state = alea.Game("tictactoe").state()
        good = state.save()
        for bad in (b"", good[:-1], good + b"x", b"\xff" * len(good)):
            self.refused(alea.Status.INPUT, state.load, bad)
        self.refused(alea.Status.INPUT, state.load, alea.Game("nim").state().save())
        self.refused(alea.Status.INPUT, state.set_fluents, ["(cell 9 9 b)"])
        self.refused(alea.Status.USAGE, state.copy_from, alea.Game("tictactoe").state())
        with self.assertRaises(TypeError):
            state.set_fluents([1])
        toss = alea.Game("toss-bounce")
        self.assertIn(alea.Kind.REWRITING, toss.kind)
        self.refused(alea.Status.UNSUPPORTED, toss.state().save)
        self.refused(alea.Status.UNSUPPORTED, toss.batch, 10)

    def test_play_wants_one_mover(self):
        state = alea.Game("rock-paper-scissors").state()
        self.refused(alea.Status.USAGE, state.play, "rock")

    def test_no_open_files(self):
        """A number would be somebody's open file, which is read to its end and closed."""
        own = os.open(os.devnull, os.O_RDONLY)
        with self.assertRaises(TypeError):
            alea.Game.from_path(own)
        os.close(own)  # it is still open

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "own.kif"
            path.write_text("(role solo) (legal solo wait) terminal (goal solo 100)")
            for game in (alea.Game(str(path)), alea.Game.from_path(path)):
                self.assertTrue(game.state().terminal)
                self.assertEqual(game.state().goals, (100,))


unittest.main()
