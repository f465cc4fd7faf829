"""Threads share a game; an object that two threads use at once says so."""
import threading
import unittest

import alea


class Threads(unittest.TestCase):
    def test_own_states_and_batches(self):
        game = alea.Game("connect-four")
        single = [self.work(game, seed) for seed in range(4)]
        results = [None] * 4

        def run(seed):
            results[seed] = self.work(game, seed)

        threads = [threading.Thread(target=run, args=(seed,)) for seed in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(results, single)

    def work(self, game, seed):
        goals = []
        for i in range(50):
            goals.append(game.state(seed=100 * seed + i).play_out())
        batch = game.batch(1000, seed=seed)
        for _ in range(10):
            batch.step()
        return goals, int(batch.fluent_bits.sum() % 2 ** 32), batch.play_out().sum()

    def test_same_batch_is_refused_or_waits(self):
        batch = alea.Game("reversi").batch(20000, seed=1)
        outcomes = []

        def run():
            for _ in range(20):
                try:
                    batch.step()
                    outcomes.append("done")
                except alea.AleaError as error:
                    outcomes.append(error.status.name)

        threads = [threading.Thread(target=run) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(outcomes), 60)
        self.assertGreater(outcomes.count("done"), 0)
        self.assertLessEqual(set(outcomes), {"done", "USAGE"})
        batch.step()  # and it is whole afterwards


unittest.main()
