"""The environments for learning: shapes, rewards, and equality with plain states."""
import unittest

import numpy as np

import alea
from alea import pgx_style, vector


class Vector(unittest.TestCase):
    def test_against_states(self):
        """What the learner sees is a position where it has a choice; rewards are goals."""
        for name, role in (("connect-four", "yellow"), ("backgammon", 0), ("tictactoe", 1)):
            game = alea.Game(name)
            env = vector.VectorEnv(game, 40, role, seed=3)
            draw = np.random.default_rng(2)
            observation, info = env.reset(seed=5)
            ended = 0
            for _ in range(60):
                mask = info["action_mask"]
                self.assertTrue((mask.sum(axis=1) > 1).all())
                state = game.state()
                names = game.fluents()
                state.set_fluents([names[f] for f in np.flatnonzero(observation[7])])
                self.assertFalse(state.terminal)
                self.assertEqual(sorted(state.legal(env.role)), np.flatnonzero(mask[7]).tolist())
                actions = (draw.random(mask.shape) * mask).argmax(axis=1)
                observation, reward, over, truncated, info = env.step(actions)
                self.assertTrue((reward[over] == info["goals"][over, env.role] / 50 - 1).all())
                self.assertTrue((reward[~over] == 0).all())
                self.assertFalse(truncated.any())
                ended += int(over.sum())
            self.assertGreater(ended, 0, name)

    def test_reproducible_and_truncated(self):
        runs = []
        for _ in range(2):
            env = vector.VectorEnv("breakthrough", 30, max_steps=5)
            _, info = env.reset(seed=9)
            trace, cut = [], 0
            for _ in range(12):
                observation, _, _, truncated, info = env.step(info["action_mask"].argmax(axis=1))
                trace.append(observation.sum(axis=0).tolist())
                cut += int(truncated.sum())
            runs.append(trace)
            self.assertEqual(cut, 60)
        self.assertEqual(runs[0], runs[1])

    def test_opponents_and_refusals(self):
        seen = []

        def first(env, role):
            seen.append(role)
            return env.batch.legal_of(role).argmax(axis=1)

        env = vector.VectorEnv("tictactoe", 5, opponents=first)
        env.reset(seed=1)
        env.step(np.ones(5, int))
        self.assertEqual(set(seen), {1})
        with self.assertRaises(alea.AleaError):
            env.step(np.ones(5, int))  # marked already
        with self.assertRaises(alea.AleaError):
            env.step([0])
        self.assertIn("x", env.render())
        self.assertIn("<svg", env.render(mode="svg"))
        self.assertTrue(env.action_space.contains(env.action_space.sample()))
        self.assertTrue(env.observation_space.contains(env.batch.observation))

    def test_parallel(self):
        env = vector.ParallelEnv("rock-paper-scissors")
        _, infos = env.reset(seed=1)
        with self.assertRaises(alea.AleaError):
            env.step({env.agents[0]: 10 ** 6})
        rewards = {}
        while env.agents:
            actions = {name: env.action_space(name).sample(infos[name]["action_mask"])
                       for name in env.agents}
            _, rewards, over, _, infos = env.step(actions)
        self.assertTrue(all(over.values()))
        self.assertEqual(len(rewards), 2)


class PgxStyle(unittest.TestCase):
    def test_play_equals_states(self):
        game = alea.Game("reversi")
        env = pgx_style.make(game, 20)
        state, draw = env.init(seed=1), np.random.default_rng(4)
        mirror = game.state()
        while not state.terminated.all():
            mask = state.legal_action_mask
            self.assertTrue((mask.any(axis=1) == ~state.terminated).all())
            action = (draw.random(mask.shape) * mask).argmax(axis=1)
            if not state.terminated[3]:
                joint = [None, None]
                joint[state.current_player[3]] = int(action[3])
                mirror.apply(*joint)
            ended = state.terminated.copy()
            state = env.step(state, action)
            self.assertEqual(bool(state.terminated[3]), mirror.terminal)
            if state.terminated[3] and not ended[3]:
                self.assertEqual(state.rewards[3].tolist(), [goal / 50 - 1 for goal in mirror.goals])
        self.assertTrue((state.current_player == -1).all())

    def test_refusals(self):
        env = pgx_style.make("tictactoe", 2)
        state = env.step(env.init(), [1, 1])
        with self.assertRaises(alea.AleaError):
            env.step(state, (~state.legal_action_mask).argmax(axis=1))
        with self.assertRaises(alea.AleaError):
            env.step(state, [0])
        with self.assertRaises(alea.AleaError):
            pgx_style.make("rock-paper-scissors", 2).init()


unittest.main()
