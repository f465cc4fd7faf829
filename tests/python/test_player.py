"""Agents, players written in Python, matches, tournaments, and serving a manager."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import alea

ALEA = os.environ["ALEA"]

# A module as somebody would write it; also what the programs below load.
MODULE = '''
import alea

class Winner(alea.Player):
    "Wins where it can, and plays its first move elsewhere."
    def choose(self, state, budget):
        for move in state.legal(self.role):
            joint = [None] * len(self.game.roles)
            joint[self.role] = move
            state.apply(*joint)
            won = state.terminal and state.goal(self.role) == 100
            state.undo()
            if won:
                return move
        return state.legal(self.role)[0]

alea.register(Winner)
'''
exec(MODULE)  # pylint: disable=exec-used


class Agents(unittest.TestCase):
    def test_same_seed_same_moves(self):
        game = alea.Game("connect-four")
        plays = []
        for _ in range(2):
            state, agents = game.state(seed=1), [alea.Agent("uct", game, role, seed=7) for role in (0, 1)]
            for agent in agents:
                agent.start(sims=1)
            while not state.terminal:
                state.apply(*(agent.think(sims=30) for agent in agents))
                for agent in agents:
                    agent.follow(state)
            plays.append((state.hash, state.depth))
        self.assertEqual(plays[0], plays[1])

    def test_stop_from_another_thread(self):
        game = alea.Game("breakthrough")
        agent = alea.Agent("uct", game, 0, seed=1)
        agent.start()
        seen = []
        for report in agent.analyse(every=0.05):
            seen.append(report)
            if report.sims > 200:
                break
        self.assertTrue(seen[-1].choices)
        self.assertIn(seen[-1].choices[0].move, game.moves(0))
        start = time.monotonic()
        threading.Timer(0.2, agent.stop).start()
        self.assertIn(agent.think(seconds=60), game.state().legal_moves(0))
        self.assertLess(time.monotonic() - start, 30)

    def test_busy(self):
        agent = alea.Agent("uct", alea.Game("breakthrough"), 0)
        agent.start()
        before = agent.analysis().sims
        refused = []

        def meddle():
            while agent.analysis().sims <= before:  # it thinks now
                time.sleep(0.02)
            try:
                agent.think(sims=1)
            except alea.AleaError as error:
                refused.append(error.status)
            agent.stop()

        thread = threading.Thread(target=meddle)
        thread.start()
        agent.think(seconds=20)
        thread.join()
        self.assertEqual(refused, [alea.Status.USAGE])

    def test_refusals(self):
        game = alea.Game("tictactoe")
        with self.assertRaises(alea.AleaError) as caught:
            alea.Agent("nobody", game, 0)
        self.assertEqual(caught.exception.status, alea.Status.USAGE)
        self.assertTrue(caught.exception.diagnostics)
        for wrong in (("uct:c=x", game, 0), ("uct", game, 2), ("uct", game, "zplayer")):
            with self.assertRaises(alea.AleaError):
                alea.Agent(*wrong)
        with self.assertRaises(alea.AleaError):
            alea.Agent("uct", game, 0).follow(game.state())


class Guests(unittest.TestCase):
    def test_match(self):
        game = alea.Game("tictactoe")
        seen = []
        results = [alea.play_match(game, ["winner", "random"], sims=1, seed=seed) for seed in range(20)]
        self.assertTrue(all(r.completed and r.faults == 0 for r in results))
        self.assertGreater(sum(r.goals[0] for r in results), 20 * 70)
        again = alea.play_match(game, [Winner, "random"], sims=1, seed=3, step=lambda s: seen.append(s))
        self.assertEqual(again.record["moves"], results[3].record["moves"])
        self.assertEqual(len(seen), again.steps + 1)
        self.assertTrue(seen[-1].terminal)
        self.assertEqual(seen[-1].goals, again.goals)
        ended = alea.play_match(game, ["winner", "random"], sims=1, step=lambda s: s.depth < 2)
        self.assertFalse(ended.completed)
        self.assertEqual(ended.goals, (None, None))

    def test_hidden_information(self):
        class Guesser(alea.Player):
            "Plays legally without seeing."
            def choose(self, state, budget):
                legal = state.legal_moves(self.role)
                return self.random.choice(legal)
        for seed in range(3):
            result = alea.play_match(alea.Game("blind-tictactoe"), [Guesser, "random"], sims=1, seed=seed)
            self.assertTrue(result.completed)
            self.assertEqual(result.faults, 0)

    def test_the_game_ends_with_the_match(self):
        kept = {}

        class Keeper(alea.Player):
            "Keeps what it must not."
            def choose(self, state, budget):
                kept.update(state=state, game=self.game, stop=budget.stop, own=self.game.state(),
                            picture=state.draw())
                with self_test.assertRaises(alea.AleaError):
                    self.game.batch(10)
                return state.legal(self.role)[0]

        self_test = self
        alea.play_match(alea.Game("tictactoe"), [Keeper, "random"], sims=1)
        for call in (lambda: kept["state"].terminal, lambda: kept["own"].apply(), lambda: kept["game"].roles,
                     lambda: kept["game"].state(), lambda: kept["state"].clone(),
                     lambda: kept["game"].moves(0), lambda: kept["own"].draw(),
                     lambda: kept["game"].fluents(), lambda: kept["game"].percepts()):
            with self.assertRaises(alea.AleaError):
                call()
        self.assertTrue(kept["stop"]())

    def test_exceptions(self):
        class Broken(alea.Player):
            "Fails."
            def choose(self, state, budget):
                raise KeyError("choose")

        class Unborn(alea.Player):
            "Cannot be made."
            def __init__(self, *arguments):
                raise KeyError("init")

        class Cheat(alea.Player):
            "Makes moves that are not legal."
            def choose(self, state, budget):
                return "noop"

        game = alea.Game("tictactoe")
        for player in (Broken, Unborn):
            with self.assertRaises(KeyError):
                alea.play_match(game, [player, "random"], sims=1)
        with self.assertRaises(KeyError):
            alea.play_match(game, ["random", "random"], sims=1, step=lambda state: {}["x"])
        class Asker(alea.Player):
            "Asks another player, which fails."
            def choose(self, state, budget):
                own = alea.Game("tictactoe")
                agent = alea.Agent("broken-too", own, 0)
                agent.start()
                return agent.think(sims=1)

        alea.register(Broken, "broken-too")
        with self.assertRaisesRegex(KeyError, "choose"):
            alea.play_match(game, [Asker, "random"], sims=1)
        with self.assertRaises(NotImplementedError):
            alea.play_match(game, [alea.Player, "random"], sims=1)
        result = alea.play_match(game, [Cheat, "random"], sims=1, seed=1)
        self.assertTrue(result.completed)
        self.assertGreater(result.faults, 0)
        with self.assertRaises(alea.AleaError):
            alea.register(Cheat, "uct")
        with self.assertRaises(alea.AleaError):
            alea.register(Cheat, "a b")
        with self.assertRaises(alea.AleaError):
            alea.play_match(game, ["random"], sims=1)


class Interrupts(unittest.TestCase):
    def test_interrupt_ends_a_match(self):
        code = ("import alea, os, signal, threading\n"
                "signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's & ignores it\n"
                "threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
                "try:\n    alea.play_match(alea.Game('breakthrough'), ['uct', 'uct'], time=0.3)\n"
                "except KeyboardInterrupt:\n    print('interrupted')\n")
        run = subprocess.run([sys.executable, "-c", code], text=True, capture_output=True,
                             timeout=60, check=False)
        self.assertEqual(run.stdout, "interrupted\n", run.stderr)


class Program(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)
        (self.path / "winner.py").write_text(MODULE)
        self.command = [sys.executable, "-m", "alea", "--with", "winner"]

    def tearDown(self):
        self.folder.cleanup()

    def test_tournament(self):
        (self.path / "own.yaml").write_text(
            "name: own\nseed: 1\ngames: [tictactoe]\nplayers: [winner, random]\n"
            "budget: {sims: 1}\nmatches: 60\n")
        run = subprocess.run([*self.command, "tournament", "own.yaml"], cwd=self.path, text=True,
                             capture_output=True, timeout=120, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("60 of 60 matches are stored", run.stdout)
        report = subprocess.run([ALEA, "report", "own.db"], cwd=self.path, text=True,
                                capture_output=True, check=True).stdout
        score = re.search(r"\| winner \|[^|]*\| *([0-9.]+)", report)
        self.assertIsNotNone(score, report)
        self.assertGreater(float(score.group(1)), 57, report)

    def test_serve(self):
        with subprocess.Popen([sys.executable, "-c", MODULE + "alea.serve('winner', 0, '--exit-after', '1')"],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
            try:
                address = None
                for line in server.stdout:
                    found = re.search(r"http://[0-9.:]+", line)
                    if found:
                        address = found.group(0)
                        break
                self.assertIsNotNone(address)
                host = subprocess.run([ALEA, "host", "tictactoe", "--player", address, "--player", "legal",
                                       "--start", "3", "--time", "3", "--json"], text=True,
                                      capture_output=True, timeout=120, check=True)
                record = json.loads(host.stdout.splitlines()[-1])
                self.assertTrue(record["isCompleted"])
                self.assertEqual(record["goalValues"], [100, 0])
                self.assertFalse(any(any(errors) for errors in record["errors"]), record["errors"])
                server.stdout.read()
                self.assertEqual(server.wait(timeout=60), 0)
            finally:
                server.kill()


unittest.main()
