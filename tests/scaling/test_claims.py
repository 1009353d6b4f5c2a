"""Verdicts on made-up worlds: each claim must be able to hold, to fail, and to stay open."""

import json

import pytest
import records
import sample
from claims import FAILS, HOLDS, NOT_SHOWN, judge
from plan import BadInput
from points import base_of, make_points, select


def verdicts(folder):
    return {verdict.id: verdict for verdict in judge(make_points(records.load(folder)))}


def world(**changes):
    made = sample.World()
    for name, value in changes.items():
        setattr(made, name, value)
    return made


def test_all_hold_where_the_world_is_so(tmp_path):
    found = verdicts(sample.sample(tmp_path))
    assert {name: verdict.verdict for name, verdict in found.items()} == {
        "C1": NOT_SHOWN, **dict.fromkeys(("C3", "C4", "C5", "C6", "C7", "C8", "C9", "C19"), HOLDS)}


@pytest.mark.parametrize("changes,claim,word", [
    ({"ddp_bytes": 1.03}, "C3", "by Open MPI's monitoring the ranks sent 1.03"),
    ({"ddp_bytes": 1.2, "monitored": False}, "C3", "the formula says"),
    ({"ddp_silent": True}, "C3", "not every rank took part"),
    ({"headers": 1.3}, "C3", "the formula says"),
    ({"last_rank": 0.5, "headers": 1.3}, "C3", "a rank sent only"),
    ({"ddp_speed": 0.3}, "C4", "The step was halved in: ddp_"),
    ({"hiple_calls": 1}, "C9", "1 MPI calls"),
    ({"certified": False}, "C9", "certificate missing"),
    ({"hiple_calls": 1}, "C5", "contradicts"),
    ({"straggler_reaches_others": True}, "C19", "times as long"),
    ({"zero3_volume": 1.0}, "C6", "a rank sent 0.66"),
    ({"zero2_holds": 1.25}, "C6", "a rank holds 1.25 times what the table says"),
    ({"ddp_silent": True}, "C6", "not every rank took part"),
    ({"ddp_silent": True}, "C7", "contradicts"),
    ({"chosen": 8}, "C7", "contradicts"),
    ({"pipeline_loss": 2e-5}, "C8", "a loss differs by 2e-05"),
    ({"pipeline_loss": float("nan")}, "C8", "a loss differs by nan"),
])
def test_each_claim_can_fail(tmp_path, changes, claim, word):
    verdict = verdicts(sample.sample(tmp_path, world(**changes)))[claim]
    assert verdict.verdict == FAILS
    assert any(word in sentence for sentence in verdict.sentences)


@pytest.mark.parametrize("changes,claim,word", [
    ({"divided": ("zero1", "zero3")}, "C6", "launches of zero2"),
    ({"monitored": False}, "C6", "nobody counted"),
    ({"divided": ()}, "C7", "launches of moe"),
    ({"divided": ("tp",)}, "C8", "launches of pp"),
])
def test_what_was_not_measured_is_not_shown(tmp_path, changes, claim, word):
    verdict = verdicts(sample.sample(tmp_path, world(**changes)))[claim]
    assert verdict.verdict == NOT_SHOWN
    assert any(word in sentence for sentence in verdict.sentences)


def test_a_mixtures_share_is_that_of_its_choices(tmp_path):
    folder = sample.sample(tmp_path)
    from claims_divided import active_share
    launch = next(launch for launch in records.load(folder) if launch.record["strategy"] == "moe")
    dense = 65 * 272 + 273 * 8 + 273 * 16
    assert active_share(launch) == pytest.approx((dense + (96304 - dense) / 4) / 96304)


def test_a_blind_ledger_shows_nothing(tmp_path):
    verdict = verdicts(sample.sample(tmp_path, world(ddp_silent=True)))["C9"]
    assert verdict.verdict == NOT_SHOWN
    assert any("proves nothing" in sentence for sentence in verdict.sentences)


def test_noise_leaves_open_what_it_hides(tmp_path):
    found = verdicts(sample.sample(tmp_path, world(noise=0.9)))
    assert found["C19"].verdict == NOT_SHOWN and found["C9"].verdict == HOLDS


DRIFT = {"drift": lambda block: 1 + (3 * block) % 8}  # up to eight times slower, from one block to the next


def test_a_machine_that_drifts_hides_nothing_within_blocks(tmp_path):
    found = verdicts(sample.sample(tmp_path, world(**DRIFT)))
    # Over links nothing is in blocks, but there the difference is larger than any drift.
    on_one_host = [sentence for sentence in found["C4"].sentences if "link none" in sentence]
    assert on_one_host and all("times (in 8 blocks)" in sentence for sentence in on_one_host)
    assert found["C19"].verdict == HOLDS


def test_within_blocks_a_claim_can_fail_too(tmp_path):
    assert verdicts(sample.sample(tmp_path / "a", world(**DRIFT, straggler_reaches_others=True)))["C19"].verdict == FAILS
    assert verdicts(sample.sample(tmp_path / "b", world(**DRIFT, ddp_speed=0.3)))["C4"].verdict == FAILS


def test_what_is_in_no_common_block_is_compared_with_both_intervals(tmp_path):
    made = world(**DRIFT)
    lines = [made.launch(one, 100 * number + block) for block in range(1, 9) for number, one in enumerate(made.study())]
    found = verdicts(sample.write(tmp_path, lines))
    assert found["C19"].verdict == NOT_SHOWN and "not in common blocks" in found["C19"].sentences[0]


def test_blocks_of_two_files_do_not_meet(tmp_path):
    """Jobs for one rank count each number their blocks from 1."""
    made = world(**DRIFT)
    lines = [made.launch(one, block) for block in range(1, 9) for one in made.study()]
    folder = sample.write(tmp_path, [line for line in lines if line["configuration"]["ranks"] == 1])
    more = [line for line in lines if line["configuration"]["ranks"] > 1]
    (folder / "records-b.jsonl").write_text("".join(json.dumps(line) + "\n" for line in more))
    found = verdicts(folder)
    assert "not in common blocks" in found["C4"].sentences[0] and found["C19"].verdict == HOLDS


def test_too_few_launches_show_no_time(tmp_path):
    found = verdicts(sample.sample(tmp_path, launches=3))
    assert found["C4"].verdict == found["C19"].verdict == NOT_SHOWN
    assert found["C3"].verdict == found["C9"].verdict == HOLDS


def test_a_study_of_one_strategy_shows_nothing(tmp_path):
    made = sample.World()
    alone = [made.configuration("single")]
    found = verdicts(sample.write(tmp_path, [made.launch(alone[0])], alone))
    assert {verdict.verdict for verdict in found.values()} == {NOT_SHOWN}


def test_shared_cores_give_no_time(tmp_path):
    points = make_points(records.load(sample.sample(tmp_path, world(cores=1))))
    assert all(not point.is_timed for point in points if point.ranks > 1)
    found = {verdict.id: verdict.verdict for verdict in judge(points)}
    assert found["C4"] == found["C19"] == NOT_SHOWN
    assert found["C3"] == HOLDS, "a count needs no core of its own"


def test_without_hosts_no_bytes_are_shown(tmp_path):
    made = world(monitored=False)
    one = made.configuration("ddp", ranks=2)
    verdict = verdicts(sample.write(tmp_path, [made.launch(one)], [one]))["C3"]
    assert verdict.verdict == NOT_SHOWN and "no interface counted" in verdict.sentences[0]


def test_one_meter_is_enough(tmp_path):
    found = verdicts(sample.sample(tmp_path, world(monitored=False)))["C3"]
    assert found.verdict == HOLDS and not any("monitoring" in sentence for sentence in found.sentences)


def test_the_base_case_has_the_same_rows(tmp_path):
    points = make_points(records.load(sample.sample(tmp_path)))
    [ddp] = select(points, name="ddp overlap", batch=256, ranks=2)
    assert base_of(points, ddp).batch == 256 and base_of(points, ddp).ranks == 1


def test_results_of_two_revisions_are_not_mixed(tmp_path):
    sample.sample(tmp_path)
    other = world(revision="def456")
    (tmp_path / "records-b.jsonl").write_text(json.dumps(other.launch(other.configuration("single"))) + "\n")
    with pytest.raises(BadInput) as error:
        records.load(tmp_path)
    for name in ("abc123", "def456", "records.jsonl:1", "records-b.jsonl:1"):
        assert name in str(error.value)


def test_a_record_of_another_program_is_refused(tmp_path):
    line = sample.World().launch(sample.World().configuration("single"))
    line["record"]["metadata"]["revision"] = "other"
    with pytest.raises(BadInput, match="other.*abc123"):
        records.load(sample.write(tmp_path, [line]))


@pytest.mark.parametrize("text", ["{", '{"format": "x", "version": 1}', '{"format": "hiple scaling launch", "version": 2}'])
def test_a_damaged_line_is_named(tmp_path, text):
    (tmp_path / "records.jsonl").write_text(text + "\n")
    with pytest.raises(BadInput, match="records.jsonl:1"):
        records.load(tmp_path)


def test_an_empty_folder_is_refused(tmp_path):
    with pytest.raises(BadInput, match="no launches"):
        records.load(tmp_path)
