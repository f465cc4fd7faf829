"""Plays a game at random and draws its end: python3 play_out.py [GAME]"""
import sys

import alea

game = alea.Game(sys.argv[1] if len(sys.argv) > 1 else "connect-four")
state = game.state(seed=1)
while not state.terminal:
    state.apply()
print(state)
for role, goal in zip(game.roles, state.goals):
    print(f"{role}: {goal}")
