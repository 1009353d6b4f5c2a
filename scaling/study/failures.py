"""What nodes that fail cost a run: failures drawn from an exponential distribution, a seed and nothing else. Under a shared objective every rank goes back to
the last checkpoint; an engine goes back alone."""

import math

import numpy as np

from claims_simulated import of

MTTF = 5 * 365 * 86400.0  # of a node, seconds
RESTART = 60.0            # until a lost node's work begins again
CHECKPOINT = 10.0         # to write one
LENGTH = 7 * 86400.0      # of the training
DRAWS, SEED = 200, 20261130
HEAD = ("ranks", "failures in a run", "shared objective: lost, median [5 %, 95 %]", "engines: lost by the slowest", "engines: lost rank-seconds")


def interval_of_checkpoints(nodes):
    """Young (CACM 1974): what loses least to checkpoints and failures together."""
    return math.sqrt(2 * CHECKPOINT * MTTF / nodes)


def lost_together(generator, nodes):
    """Seconds by which the run of a shared objective is longer."""
    every = interval_of_checkpoints(nodes)
    failures = generator.poisson(LENGTH * nodes / MTTF)
    return LENGTH / every * CHECKPOINT + failures * RESTART + generator.uniform(0, every, failures).sum()


def lost_apart(generator, nodes):
    """Seconds by which each engine's training is longer."""
    every = interval_of_checkpoints(nodes)  # as often as together: the slowest engine counts
    failures = generator.poisson(LENGTH / MTTF, nodes)
    lost = np.full(nodes, LENGTH / every * CHECKPOINT)
    for node in np.flatnonzero(failures):
        lost[node] += failures[node] * RESTART + generator.uniform(0, every, failures[node]).sum()
    return lost


def rows(lines):
    generator = np.random.default_rng(SEED)
    for nodes in sorted(of(lines, "run", "hiple")):
        together = np.array([lost_together(generator, nodes) for _ in range(DRAWS)]) / LENGTH
        apart = [lost_apart(generator, nodes) for _ in range(DRAWS)]
        slowest, mean = np.array([each.max() for each in apart]) / LENGTH, np.array([each.mean() for each in apart]) / LENGTH
        words = lambda values: f"{100 * np.median(values):.2f} % [{100 * np.quantile(values, 0.05):.2f}, {100 * np.quantile(values, 0.95):.2f}]"
        yield nodes, f"{LENGTH * nodes / MTTF:.3g}", words(together), words(slowest), words(mean)
