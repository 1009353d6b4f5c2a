"""All twenty claims from whole results folders: each can hold, fail and stay open; two revisions are refused."""

import json

import judged
import pytest
import sample
import studies
from catalogue import CLAIMS
from plan import BadInput
from study_files import StudyFiles
from verdict import FAILS, HOLDS, NOT_SHOWN

# Mixed precision is trained by no strategy, and nobody counts what a running law holds.
NEVER = {"C1", "C10"}


def verdicts(folder):
    return {verdict.id: verdict for verdict in judged.judge(StudyFiles(folder))}


def whole(folder, **changed):
    return verdicts(studies.everything(sample.sample(folder), **changed))


def test_all_hold_where_the_world_is_so(tmp_path):
    found = whole(tmp_path)
    assert list(found) == list(CLAIMS) == [f"C{number}" for number in range(1, 21)]
    assert {name: verdict.verdict for name, verdict in found.items()} == {name: NOT_SHOWN if name in NEVER else HOLDS for name in CLAIMS}
    assert all(verdict.figure and verdict.interval and verdict.sentences for verdict in found.values())


@pytest.mark.parametrize("changed,claim,word", [
    ({"suite": studies.suite(layers__symbols="failed")}, "C10", "Failed: layers.symbols"),
    ({"tool_limit__tool_limit": studies.tool_limit(unchanged=False)}, "C11", "not all are unchanged"),
    ({"tool_limit__tool_limit": studies.tool_limit(seconds=30.0)}, "C11", "30 s"),
    ({"suite": studies.suite(program__revise="failed")}, "C11", "program.revise"),
    ({"suite": studies.suite(program__add_engine="failed")}, "C12", "program.add_engine"),
    ({"planted__planted": studies.planted(studies.world(decided=1))}, "C13", "1 were decided"),
    ({"thyroid__shifts": studies.shifts(law_wrong=90, law_open=5)}, "C14", "answers 90 wrongly"),
    ({"thyroid__table": studies.table(links_cost=1.0)}, "C15", "at cost 1.000"),
    ({"thyroid__table": studies.table(links=2)}, "C15", "with links 2 / 200"),
    ({"thyroid__table": studies.table(law=60, rival=2)}, "C16", "Misses fewer than the law: stacking (thyroid, 0.95)"),
    ({"planted__planted": studies.planted(studies.world(), studies.world(16, cut="NOT_EVALUABLE"))}, "C17", "16 domains: no gate"),
    ({"planted__planted": studies.planted(studies.world(after="PASS"))}, "C18", "from PASS to PASS"),
    ({"planted__planted": studies.planted(studies.world(right_after=700))}, "C18", "0.2000 fewer"),
    ({"suite": studies.suite(survive__stopped="failed")}, "C19", "survive.stopped"),
    ({"suite": studies.suite(program__law_replay="failed")}, "C20", "program.law_replay"),
])
def test_each_claim_can_fail(tmp_path, changed, claim, word):
    verdict = whole(tmp_path, **changed)[claim]
    assert verdict.verdict == FAILS
    assert any(word in sentence for sentence in verdict.sentences), verdict.sentences


@pytest.mark.parametrize("changed,claim,word", [
    ({"suite": None}, "C20", "Not run here"),
    ({"suite": None}, "C19", "What was measured HOLDS; of a stopped and a dead rank nothing is shown"),
    ({"suite": studies.suite(program__add_engine="skipped")}, "C12", "Not run here: program.add_engine"),
    ({"tool_limit__tool_limit": None}, "C11", "No study of a moved limit"),
    ({"planted__planted": None}, "C13", "No planted world"),
    ({"planted__planted": None}, "C17", "No planted world"),
    ({"planted__planted": None}, "C18", "No planted world"),
    ({"thyroid__shifts": studies.shifts(run="milling")}, "C14", "other data count for nothing here: milling"),
    ({"thyroid__shifts": studies.shifts(law_wrong=5, law_open=52)}, "C14", "leaves 52 open"),
    ({"thyroid__table": studies.table(run="planted")}, "C15", "count for nothing here: planted"),
    ({"thyroid__table": studies.table(run="planted")}, "C16", "count for nothing here: planted"),
    ({"thyroid__table": studies.table(law=3, rival=5)}, "C16", "Not told apart from the law"),
    ({"thyroid__table": studies.table(links=22)}, "C15", "with links 22 / 200"),
])
def test_what_results_leave_open_is_not_shown(tmp_path, changed, claim, word):
    verdict = whole(tmp_path, **changed)[claim]
    assert verdict.verdict == NOT_SHOWN
    assert any(word in sentence for sentence in verdict.sentences), verdict.sentences


def slower_adam(folder, factor, rate=1.0):
    path = folder / "micro/alone.json"
    record = json.loads(path.read_text())
    for series in record["series"]:
        for point in series["points"]:
            point["seconds"] = [value * (factor if series["name"] == "adam" else rate if series["name"] == "multiply_add" else 1.0)
                                for value in point["seconds"]]
    path.write_text(json.dumps(record))
    return folder


def test_the_optimizers_bound_can_fail_and_stay_open(tmp_path):
    assert verdicts(slower_adam(sample.sample(tmp_path / "a"), 2.0))["C2"].verdict == FAILS
    assert verdicts(slower_adam(sample.sample(tmp_path / "b"), 1.0, 10.0))["C2"].verdict == FAILS, "as much arithmetic as the core can do"
    folder = sample.sample(tmp_path / "c")
    (folder / "micro/alone.json").unlink()
    assert verdicts(folder)["C2"].verdict == NOT_SHOWN


def test_memory_that_is_not_as_the_table_says_fails(tmp_path):
    made = sample.World()
    made.zero2_holds = 1.25
    assert verdicts(sample.sample(tmp_path, made))["C1"].verdict == FAILS


@pytest.mark.parametrize("name,record", [
    ("suite", {**studies.suite(), "revision": "def456"}), ("planted__planted", {**studies.planted(), "revision": "def456"}),
    ("thyroid__shifts", {**studies.shifts(), "revision": "def456"})])
def test_two_revisions_are_refused(tmp_path, name, record):
    with pytest.raises(BadInput, match="abc123.*def456"):
        whole(tmp_path, **{name: record})


def test_a_file_that_lacks_something_is_refused_by_name(tmp_path):
    record = studies.tool_limit()
    del record["engines_unchanged"]
    with pytest.raises(BadInput, match="tool_limit.json.*engines_unchanged"):
        whole(tmp_path, tool_limit__tool_limit=record)


def test_a_damaged_file_and_an_empty_folder_are_refused(tmp_path):
    (tmp_path / "x.json").write_text("{")
    with pytest.raises(BadInput, match="x.json: is damaged"):
        StudyFiles(tmp_path)
    (tmp_path / "x.json").unlink()
    with pytest.raises(BadInput, match="no results in it"):
        StudyFiles(tmp_path)
    with pytest.raises(BadInput, match="no folder of results"):
        StudyFiles(tmp_path / "missing")
