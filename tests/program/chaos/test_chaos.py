"""A few runs of chaos.py, with a fixed seed; jobs/chaos.sh makes 200."""

import chaos


def test_killed_at_random_moments():
    counts = chaos.main(runs=16, seed=20261130)
    assert sum(counts.values()) >= 8
    assert counts.get("engine", 0) > 0
