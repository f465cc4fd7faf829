"""Steps 100,000 games at once: python3 step_many.py [GAME]"""
import sys
import time

import numpy as np

import alea

COUNT = 100_000
game = alea.Game(sys.argv[1] if len(sys.argv) > 1 else "connect-four")
batch = game.batch(COUNT, seed=1)
start, steps, goals = time.perf_counter(), 0, np.zeros(len(game.roles))
while batch.playing:
    steps += batch.playing
    batch.step()                         # every role at random
    goals += batch.rewards.sum(axis=0)   # of the games that this step ended
seconds = time.perf_counter() - start
for role, mean in zip(game.roles, goals / COUNT):
    print(f"{role}: {mean:.1f} of 100 on average")
print(f"{steps / seconds / 1e6:.1f} million states a second")
