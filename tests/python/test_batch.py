"""Batches: equal to states step by step, arrays in place, and what is refused."""
import unittest

import numpy as np

import alea

GAMES = ["tictactoe", "connect-four", "breakthrough", "backgammon", "rock-paper-scissors", "nim"]


def choose(batch, draw):
    """A legal action per state and role, drawn by NumPy; -1 in terminal states."""
    actions = np.full((batch.count, len(batch.game.roles)), alea.RANDOM, np.int32)
    for role in range(len(batch.game.roles)):
        legal = batch.legal_of(role)
        weights = draw.random(legal.shape) * legal
        actions[:, role] = np.where(legal.any(axis=1), weights.argmax(axis=1), alea.RANDOM)
    return actions


class EqualToStates(unittest.TestCase):
    def test_step_by_step(self):
        for name in GAMES:
            with self.subTest(game=name):
                self.compare(alea.Game(name), 70, 60)

    def compare(self, game, count, steps):
        draw, batch = np.random.default_rng(1), game.batch(count)
        states = [game.state() for _ in range(count)]
        for _ in range(steps):
            actions = choose(batch, draw)
            batch.step(actions)
            self.assertFalse(batch.refused.any())
            for i, state in enumerate(states):
                ended = not state.terminal
                if ended:
                    state.apply(*actions[i].tolist())
                ended = ended and state.terminal
                self.look(batch, i, state, ended)
            if not batch.playing:
                break
        bits = np.frombuffer(b"".join(s.bits() for s in states), np.uint64).reshape(count, -1)
        self.assertTrue((bits == batch.fluent_bits).all())

    def look(self, batch, i, state, ended):
        self.assertEqual(bool(batch.terminated[i]), state.terminal)
        wanted = [goal or 0 for goal in state.goals] if ended else [0] * len(state.game.roles)
        self.assertEqual(batch.rewards[i].tolist(), wanted)
        for role in range(len(state.game.roles)):
            self.assertEqual(np.flatnonzero(batch.legal_of(role)[i]).tolist(),
                             sorted(state.legal(role)))

    def test_percepts(self):
        for name in ("kuhn-poker", "blind-tictactoe", "battleship"):
            with self.subTest(game=name):
                self.compare_percepts(alea.Game(name), 30, 12)

    def compare_percepts(self, game, count, steps):
        draw, batch = np.random.default_rng(2), game.batch(count, percepts=True)
        states = [game.state() for _ in range(count)]
        for _ in range(steps):
            actions = choose(batch, draw)
            batch.step(actions)
            first, numbers = batch.percepts
            self.assertEqual((len(first), int(first[-1])), (count * len(game.roles) + 1, len(numbers)))
            for i, state in enumerate(states):
                over = state.terminal
                if not over:
                    state.apply(*actions[i].tolist())
                for role in game.roles:
                    self.assertEqual(batch.told(i, role), [] if over else state.percepts(role))
        self.assertFalse(batch.playing and game.label == "kuhn-poker")
        with self.assertRaisesRegex(alea.AleaError, "percepts=True"):
            game.batch(1).percepts  # pylint: disable=expression-not-assigned

    def test_views_agree(self):
        batch = alea.Game("reversi").batch(700, seed=3)
        for _ in range(15):
            batch.step()
        fluents = batch.observation
        self.assertTrue((batch.observation_floats == fluents).all())
        for bits, flat in ((batch.fluent_bits, fluents), (batch.legal_bits, batch.legal)):
            columns = np.arange(flat.shape[1])
            unpacked = bits[:, columns // 64] >> (columns % 64).astype(np.uint64) & np.uint64(1)
            self.assertTrue((unpacked == flat).all())
        i = np.arange(batch.count)[:, None]
        f = np.arange(fluents.shape[1])[None, :]
        planes = batch.planes[i // 512, f, i % 512 // 64] >> (i % 64).astype(np.uint64)
        self.assertTrue(((planes & np.uint64(1)) == fluents).all())

    def test_kept_equals_asked(self):
        game = alea.Game("breakthrough")
        kept = game.batch(600, seed=2, auto_reset=True,
                          keep=["legal", "observation", "legal_bits", "fluent_bits",
                                "observation_floats"])
        asked = game.batch(600, seed=2, auto_reset=True)
        ended = 0
        for _ in range(80):
            kept.step()
            asked.step()
            ended += int(kept.terminated.sum())
            for name in ("flags", "rewards", "legal", "observation", "legal_bits", "fluent_bits"):
                self.assertTrue((getattr(kept, name) == getattr(asked, name)).all(), name)
        self.assertGreater(ended, 0)
        self.assertEqual(kept.playing, 600)


class Arrays(unittest.TestCase):
    def test_shared_memory(self):
        batch = alea.Game("tictactoe").batch(10, seed=1, keep=["legal", "observation"])
        legal, observation, planes = batch.legal, batch.observation, batch.planes
        before = observation.copy(), planes.copy()
        batch.step()
        self.assertIs(batch.legal, legal)
        self.assertIs(batch.observation, observation)
        self.assertFalse((before[0] == observation).all())
        self.assertFalse((before[1] == planes).all())
        self.assertFalse(planes.flags.owndata)
        with self.assertRaises(ValueError):
            planes[0] = 0
        del batch
        self.assertTrue(planes.any())  # the array keeps the batch alive

    def test_dlpack(self):
        """Other libraries take the arrays as they are: no copy, and the next step shows there."""
        batch = alea.Game("connect-four").batch(300, seed=3, keep=["legal", "observation"])
        arrays = {"observation": batch.observation, "legal": batch.legal.view(np.uint8),
                  "observation_floats": batch.observation_floats, "rewards": batch.rewards,
                  "legal_bits": batch.legal_bits, "fluent_bits": batch.fluent_bits, "flags": batch.flags}
        taken = {}
        for name, array in arrays.items():
            self.assertEqual(array.__dlpack_device__(), (1, 0), name)  # kDLCPU
            taken[name] = np.from_dlpack(array)
            self.assertTrue(np.shares_memory(taken[name], array), name)
        before = taken["observation"].copy(), taken["legal"].copy()
        for _ in range(20):
            batch.step()
        self.assertFalse((taken["observation"] == before[0]).all())
        self.assertFalse((taken["legal"] == before[1]).all())
        self.assertTrue((taken["observation"] == batch.observation).all())
        del batch, arrays
        self.assertTrue(taken["observation"].any())  # the memory stays

    def test_reset_load_playout(self):
        game = alea.Game("connect-four")
        batch = game.batch(100, seed=4)
        start = batch.fluent_bits.copy()
        batch.step()
        which = np.arange(100) % 2 == 0
        batch.reset(which)
        same = (batch.fluent_bits == start).all(axis=1)
        self.assertTrue((same == which).all())
        goals = batch.play_out()
        self.assertEqual(goals.shape, (100, 2))
        self.assertTrue((goals.sum(axis=1) == 100).all())
        self.assertGreater(batch.played, 100 * 6)
        batch.load(start)
        self.assertTrue((batch.fluent_bits == start).all())
        again = game.batch(100, seed=4)
        again.step()
        again.reset(which)
        self.assertTrue((again.play_out() == goals).all())

    def test_refused(self):
        batch = alea.Game("tictactoe").batch(600)
        actions = np.full((600, 2), -1)
        actions[5, 1] = 0
        actions[7, 0] = 10 ** 6
        batch.step(actions)
        self.assertEqual(np.flatnonzero(batch.refused).tolist(), [5, 7])
        for wrong in (np.zeros((600, 3)), np.zeros(5), "x"):
            with self.assertRaises((ValueError, TypeError)):
                batch.step(wrong)
        # Numbers that 32 bits do not hold were cut off, and another move was made.
        for far in (2 ** 32, 2 ** 63 - 1, -2 ** 32, 2 ** 64 - 1):
            there = alea.Game("tictactoe").batch(2)
            there.step(np.array([[far, far], [0, 0]], np.int64 if far < 2 ** 63 else np.uint64))
            self.assertTrue(there.refused[0], far)
        there = alea.Game("tictactoe").batch(2)
        for wrong in (np.full((2, 2), -1.0), [[0.5, -1], [-1, -1]], [[float("nan")] * 2] * 2, [[None] * 2] * 2,
                      [[10 ** 30, -1], [-1, -1]]):
            with self.assertRaises(TypeError):
                there.step(wrong)
        for out in (np.zeros((2, 2), np.int32), np.zeros((2, 2)), np.zeros(4, np.float32)):
            with self.assertRaises(ValueError):
                there.play_out(out)
        for out in (np.zeros((4, 2), np.float32)[::2], np.zeros((2, 2), np.float32).T):
            if not out.flags.c_contiguous:
                with self.assertRaises((ValueError, BufferError)):
                    there.play_out(out)
        fixed = np.zeros((2, 2), np.float32)
        fixed.setflags(write=False)
        with self.assertRaises((ValueError, BufferError)):
            there.play_out(fixed)
        for wrong in (there.observation, there.fluent_bits.astype(np.float64), there.legal):
            with self.assertRaises(TypeError):
                there.load(wrong)
        with self.assertRaises(ValueError):
            batch.reset([True])
        with self.assertRaises(alea.AleaError):
            batch.load(batch.fluent_bits, first=1)
        with self.assertRaises(alea.AleaError):
            batch.load(np.full((1, batch.fluent_bits.shape[1]), 2 ** 64 - 1, np.uint64))
        with self.assertRaises(alea.AleaError):
            batch.load([alea.Game("nim").state()])
        for wrong in ({"seed": -1}, {"seed": 2 ** 64}, {"steps": 2 ** 32}):
            with self.assertRaises(OverflowError):
                batch.game.batch(2, **wrong)
        with self.assertRaises(alea.AleaError):
            batch.game.batch(-1)
        with self.assertRaises(alea.AleaError):
            batch.game.batch(2, keep=["lgeal"])
        with self.assertRaises(ValueError):
            batch._step(None, np.zeros(3, np.uint8), *[None] * 6)
        with self.assertRaises(TypeError):
            batch._step(None)
        empty = batch.game.batch(0)
        empty.step()
        self.assertEqual((len(empty), empty.playing, empty.legal.shape[0]), (0, 0, 0))
        self.assertEqual(empty.planes.shape[0], 0)


unittest.main()
