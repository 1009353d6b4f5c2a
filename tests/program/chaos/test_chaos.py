"""Two dozen runs of chaos.py, with a fixed seed; jobs/chaos.sh makes 200."""

import chaos


def test_killed_at_random_moments():
    outcomes = chaos.main(runs=24, seed=20261130)
    assert all(outcome.good for outcome in outcomes), [outcome for outcome in outcomes if not outcome.good]
    hit = [victim for outcome in outcomes for victim in outcome.hit]
    assert len(hit) >= 12 and {"engine", "spawner"} <= set(hit)
    assert sum(outcome.resumed for outcome in outcomes) > 0
