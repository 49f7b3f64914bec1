"""Learns Doors from nothing, in about a minute on one core, and prints the curve.

    python3 python/examples/learn.py [SECONDS]

A linear policy on the observation, trained by policy gradient (REINFORCE) on many games at once: the
learner has seat 0, seat 1 plays at random. Each line is the share of games that the learner won since
the line before.
"""
import sys
import time

import numpy as np
import salotto


def main(seconds: float) -> None:
    games = salotto.VecEnv("doors", 512, seed=1)
    weights = np.zeros((games.observation_size, games.action_count), np.float32)
    traces = np.zeros((games.count, *weights.shape), np.float32)
    random, baseline = np.random.default_rng(1), 0.0
    won = ended = steps = 0
    start = shown = time.process_time()
    while time.process_time() - start < seconds:
        actions = games.random_actions().copy()
        mine = np.flatnonzero(games.seat == 0)
        seen = games.observation[mine]
        logits = np.where(games.mask[mine] == 1, seen @ weights, -1e9)
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        draw = random.random((len(mine), 1))
        actions[mine] = np.minimum((chances.cumsum(axis=1) < draw).sum(axis=1),
                                   games.action_count - 1)
        legal = games.mask[mine, actions[mine]] == 1
        actions[mine[~legal]] = games.mask[mine[~legal]].argmax(axis=1)
        chances = -chances
        chances[np.arange(len(mine)), actions[mine]] += 1
        traces[mine] += seen[:, :, None] * chances[:, None, :]
        games.step(actions)
        over = np.flatnonzero(games.over)
        for i in over:
            reward = games.reward[i, 0]
            weights += 0.01 * (reward - baseline) * traces[i]
            baseline += 0.002 * (reward - baseline)
            won += reward > 0
        traces[over] = 0
        ended += len(over)
        steps += games.count
        if time.process_time() - shown > seconds / 10:
            shown = time.process_time()
            print(f"{shown - start:5.0f} s  {steps / 1e6:5.1f} M steps  "
                  f"{100 * won / max(ended, 1):5.1f} % won of {ended} games", flush=True)
            won = ended = 0


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 60.0)
