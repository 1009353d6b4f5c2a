"""Order and number of launches."""

import pytest
from conftest import ROOT  # noqa: F401
from schedule import Schedule


def plan(count=4, least=6, most=10, time_limit=100):
    rule = {"least": least, "most": most, "width": 0.05}
    return {"time_limit": time_limit, "configurations": [{"id": f"c{i}", "repetitions": rule} for i in range(count)]}


def run(schedule, value):
    names = []
    for entry in schedule:
        names.append(entry["id"])
        schedule.note(entry["id"], value(entry["id"], names.count(entry["id"])))
    return names


def test_steady_values_take_the_fewest_launches():
    names = run(Schedule(plan(), 1), lambda name, time: 1.0)
    assert len(names) == 4 * 6


def test_unsteady_values_take_the_most_and_no_more():
    names = run(Schedule(plan(), 1), lambda name, time: float(time))
    assert len(names) == 4 * 10


def test_only_the_unsteady_go_on():
    names = run(Schedule(plan(), 1), lambda name, time: float(time) if name == "c2" else 1.0)
    assert [names.count(f"c{i}") for i in range(4)] == [6, 6, 10, 6]


def test_each_round_has_everyone_in_another_order():
    names = run(Schedule(plan(8), 5), lambda name, time: 1.0)
    rounds = [names[i:i + 8] for i in range(0, 48, 8)]
    assert all(sorted(one) == sorted(rounds[0]) for one in rounds)
    assert len({tuple(one) for one in rounds}) > 1


def test_the_seed_settles_the_order():
    first, second, other = (run(Schedule(plan(8), seed), lambda name, time: 1.0) for seed in (5, 5, 6))
    assert first == second != other


def test_what_fails_twice_is_left():
    schedule, names = Schedule(plan(2), 1), []
    for entry in schedule:
        names.append(entry["id"])
        if entry["id"] == "c0":
            schedule.note_failure("c0")
        else:
            schedule.note("c1", 1.0)
    assert names.count("c0") == 2 and names.count("c1") == 6


def test_a_launch_on_shared_cores_counts_but_has_no_time():
    names = run(Schedule(plan(1), 1), lambda name, time: None)
    assert len(names) == 6


def test_time_is_limited():
    now = [0.0]
    schedule = Schedule(plan(time_limit=10), 1, clock=lambda: now[0])
    names = []
    for entry in schedule:
        names.append(entry["id"])
        schedule.note(entry["id"], 1.0)
        now[0] += 3
    assert len(names) == 4 and schedule.is_out_of_time


@pytest.mark.parametrize("least", [1, 2])
def test_counts_need_no_interval(least):
    names = run(Schedule(plan(1, least=least, most=least), 1), lambda name, time: float(time))
    assert len(names) == least
