"""Learns to play tic-tac-toe from batches, with NumPy alone, in a few seconds.

The policy is linear in the position and the action: the probability of a legal
move follows the exponential of its score.  After each batch of games the scores
of the moves that were played rise with the reward (REINFORCE with a baseline).
"""
import numpy as np

from alea.vector import VectorEnv

GAMES, UPDATES, RATE = 2000, 120, 2.0


def choose(weights, observation, mask, draw):
    """Probabilities, and a move of each game drawn from them."""
    scores = np.where(mask, observation @ weights, -1e9)
    odds = np.exp(scores - scores.max(axis=1, keepdims=True))
    odds /= odds.sum(axis=1, keepdims=True)
    ahead = odds.cumsum(axis=1) < draw.random((len(odds), 1))
    return odds, np.minimum(ahead.sum(axis=1), mask.shape[1] - 1)


def gather(env, weights, draw):
    """One game in each of the environments: what was seen and done, and its reward."""
    observation, info = env.reset()
    open_games = np.ones(env.num_envs, bool)
    reward, seen = np.zeros(env.num_envs), []
    while open_games.any():
        mask = info["action_mask"] != 0
        features = np.hstack([observation, np.ones((env.num_envs, 1))]).astype(np.float32)
        odds, action = choose(weights, features, mask, draw)
        seen.append((features, odds, action, open_games.copy()))
        observation, won, over, _, info = env.step(action)
        reward[open_games & over] = won[open_games & over]
        open_games &= ~over
    return seen, reward


def improve(weights, seen, reward):
    advantage = reward - reward.mean()
    for features, odds, action, counted in seen:
        push = -odds
        push[np.arange(len(action)), action] += 1
        push *= (advantage * counted)[:, None]
        weights += RATE * features.T @ push / len(action)


def main():
    env = VectorEnv("tictactoe", GAMES, role="xplayer", seed=1)
    draw = np.random.default_rng(1)
    weights = np.zeros((env.single_observation_space.shape[0] + 1, env.single_action_space.n))
    for update in range(UPDATES + 1):
        seen, reward = gather(env, weights, draw)
        if update % 40 == 0:
            print(f"after {update * GAMES:6d} games: won {np.mean(reward == 1):.0%}, "
                  f"lost {np.mean(reward == -1):.0%} against random")
        improve(weights, seen, reward)
    return np.mean(reward == 1)


if __name__ == "__main__":
    main()
