"""Order and number of launches."""

import pytest
import sample
from conftest import ROOT  # noqa: F401
from records import Launch
from schedule import Schedule


def plan(count=4, least=6, most=10):
    """Networks of their own: nothing is compared with anything."""
    world, rule = sample.World(), {"least": least, "most": most, "width": 0.05}
    return {"configurations": [{**world.configuration("single", network=f"4-{8 + i}-2"), "id": f"c{i}", "repetitions": rule} for i in range(count)]}


def compared(most=10):
    """Of two networks: one rank, two ranks of ddp, of ddp with a slow rank, and of engines."""
    world, found = sample.World(), []
    for network in ("4-8-2", "4-9-2"):
        found += [world.configuration("single", network=network), world.configuration("ddp", network=network, ranks=2),
                  world.configuration("ddp", network=network, ranks=2, straggler="1:2"),
                  world.configuration("hiple", network=network, ranks=2, batch=256, scaling=("weak",))]
    return {"configurations": [{**entry, "repetitions": {"least": 6, "most": most, "width": 0.05}} for entry in found]}


def launch(turn, value, shares_cores=False):
    """One launch whose steps take `value` seconds; none where it failed."""
    ranks = turn.configuration["ranks"]
    record = None if value is None else {"step_seconds": [value], "per_rank": [{"step_seconds": [value]}] * ranks, "oversubscribed": False}
    return Launch({"configuration": turn.configuration, "block": turn.block, "record": record, "launch": {"shares_cores": shares_cores}}, "r")


def run(schedule, value, **more):
    turns = []
    for turn in schedule:
        turns.append(turn)
        name = turn.configuration["id"]
        schedule.note(launch(turn, value(name, sum(t.configuration["id"] == name for t in turns)), **more))
    return turns


def names(turns):
    return [turn.configuration["id"] for turn in turns]


def make(plan_, seed=1, end=float("inf"), **more):
    return Schedule(plan_, seed, end, **more)


def test_steady_values_take_the_fewest_launches():
    assert len(run(make(plan()), lambda name, time: 1.0)) == 4 * 6


def test_unsteady_values_take_the_most_and_no_more():
    assert len(run(make(plan()), lambda name, time: float(time))) == 4 * 10


def test_only_the_unsteady_go_on():
    found = names(run(make(plan()), lambda name, time: float(time) if name == "c2" else 1.0))
    assert [found.count(f"c{i}") for i in range(4)] == [6, 6, 10, 6]


def test_each_round_has_everyone_in_another_order():
    turns = run(make(plan(8), 5), lambda name, time: 1.0)
    rounds = [names(turn for turn in turns if turn.round == number) for number in range(1, 7)]
    assert all(sorted(one) == sorted(rounds[0]) for one in rounds)
    assert len({tuple(one) for one in rounds}) > 1


def test_the_seed_settles_the_order():
    first, second, other = (names(run(make(plan(8), seed), lambda name, time: 1.0)) for seed in (5, 5, 6))
    assert first == second != other


def test_what_fails_twice_is_left():
    found = names(run(make(plan(2)), lambda name, time: None if name == "c0" else 1.0))
    assert found.count("c0") == 2 and found.count("c1") == 6


def test_a_launch_on_shared_cores_counts_but_has_no_time():
    assert len(run(make(plan(1)), lambda name, time: float(time), shares_cores=True)) == 6


def test_time_is_limited():
    now = [0.0]
    schedule, turns = make(plan(), end=10, clock=lambda: now[0]), []
    for turn in schedule:
        turns.append(turn)
        schedule.note(launch(turn, 1.0))
        now[0] += 3
    assert len(turns) == 4 and schedule.is_out_of_time


@pytest.mark.parametrize("least", [1, 2])
def test_counts_need_no_interval(least):
    assert len(run(make(plan(1, least=least, most=least)), lambda name, time: float(time))) == least


def test_what_is_compared_follows_one_another_in_a_shuffled_block():
    turns = run(make(compared()), lambda name, time: 1.0)
    orders = []
    for block in dict.fromkeys(turn.block for turn in turns):
        mine = [i for i, turn in enumerate(turns) if turn.block == block]
        assert mine == list(range(mine[0], mine[0] + 4)), "nothing comes between"
        assert len({turns[i].configuration["network"] for i in mine}) == 1
        orders.append(tuple(turns[i].configuration["strategy"] for i in mine))
    assert len(orders) == 2 * 6 and len(set(orders)) > 2


def test_a_ratio_that_is_not_narrow_takes_both_sides_on():
    """Each time is steady enough, the ratio of ddp to one rank is not; that to the launch with a slow rank, in step with it, is."""
    def value(name, time):
        if "4-9-2" in name or name.startswith("hiple"):
            return 1.0
        return 1.0 + 0.04 * ((time + name.startswith("ddp")) % 2)
    found = names(run(make(compared(most=20)), value))
    ids = [entry["id"] for entry in compared()["configurations"]]
    assert [found.count(name) for name in ids] == [20, 20, 6, 6] + [6, 6, 6, 6]


def test_a_side_that_fails_lets_the_other_stop():
    found = names(run(make(compared()), lambda name, time: None if name.startswith("single") else 1.0))
    assert {found.count(name) for name in found if not name.startswith("single")} == {6}


def test_an_earlier_session_counts_and_its_blocks_are_not_used_again():
    first = make(compared())
    turns = []
    for turn in first:
        turns.append(turn)
        if len(turns) > 20:
            break
        first.note(launch(turn, 1.0))
    second = make(compared())
    for turn in turns[:20]:
        second.note(launch(turn, 1.0))
    later = run(second, lambda name, time: 1.0)
    assert len(later) == 8 * 6 - 20 and min(turn.block for turn in later) > max(turn.block for turn in turns[:20])
