"""The thyroid study over time, of a few months: it uses the program alone, tells no month before it is answered, and touches no engine."""

import csv
import json
import sys

import h5py
import pytest

import study as studies

sys.path.insert(0, str(studies.SOURCE / "scaling" / "study"))
import over_time  # noqa: E402  (its folder is known from here on)
from over_time_cases import Records, law_answers  # noqa: E402
from over_time_monolith import ALL, PART  # noqa: E402

MONTHS = 4


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("over_time") / "study"
    over_time.main([str(folder), "--input", str(studies.published("thyroid0387", "thyroid0387.data")), "--months", str(MONTHS)])
    return folder


@pytest.fixture(scope="module")
def result(folder):
    return json.loads((folder / "over_time.json").read_text())


def rows_of(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_a_month_is_answered_before_it_is_told(folder, result):
    months = [row["month"] for row in result["months"]]
    assert months == ["1986-02", "1986-03", "1986-04", "1986-07"] and [row["learned"] for row in result["months"]][0] == 5580
    told = {int(row["case"]) for month in months[:-1] for row in rows_of(folder / "evidence" / f"{month}.csv")}
    assert len(told) == sum(row["revised"]["cases"] for row in result["months"][:-1]) and not (folder / "evidence" / f"{months[-1]}.csv").exists()
    for row in result["months"][1:]:
        table = rows_of(folder / "monolith" / row["month"] / "cases.csv")
        learned, asked = ([each for each in table if each[PART] == part] for part in ("train", "test"))
        assert len(learned) == row["learned"] and len(asked) == row["monolith"]["cases"]
        assert all(each[ALL] for each in learned) and not any(each[ALL] for each in asked)
        assert max(int(each["case"]) for each in learned) < min(int(each["case"]) for each in asked)


def test_counts_are_those_of_the_files(folder, result):
    """Of the law as written: decisions of the run before anything was accepted."""
    file = folder / "configs/thyroid/run.yaml"
    assert "gates:" not in file.read_text()
    records = Records(file, folder / "runs/data/thyroid.csv", ["1984", "1985"])
    answers = law_answers(folder / "runs/thyroid", records.questions)
    assert len(answers) == 9172
    last = result["months"][-1]
    cases = [int(row["case"]) for row in rows_of(folder / "monolith" / last["month"] / "cases.csv") if row[PART] == "test"]
    assert records.measured(cases, answers) == last["revised"]  # nothing was accepted since
    for who in over_time.WHO:
        for row in result["months"]:
            part = row[who]
            assert part["right"] + part["wrong"] + part["open"] == part["cases"] and part["right"] / part["cases"] > 0.7
        assert result["together"][who]["cases"] == sum(row[who]["cases"] for row in result["months"])
    assert all(row[who]["open"] <= 2 for row in result["months"] for who in ("monolith", "once"))  # ages that cannot be
    assert "year" not in result["monolith"]["features"] and "TSH" in result["monolith"]["features"]


def test_rules_are_revised_and_engines_are_not(folder, result):
    assert result["engines_unchanged"] and result["engine_files"] == 14
    steps = [row for row in result["months"] if "accepted" in row]
    assert len(steps) == MONTHS - 1 and all(sum(row["verdicts"].values()) > 20 for row in steps)
    accepted = [each for row in steps for each in row["accepted"]]
    history = studies.hiple("revise", folder / "runs/thyroid", "--history")
    assert all(each["summary"] in history for each in accepted)
    assert [each["revision"] for each in accepted] == list(range(1, len(accepted) + 1))
    for row in steps:  # who was revised was contradicted that month, or by what was accepted before
        assert not row["accepted"] or row["contradicted"]
    with h5py.File(folder / "runs/thyroid/decisions.h5") as file:
        assert len(file["case_id"]) == 9172
    studies.hiple("replay", folder / "runs/thyroid")


def test_seconds_of_both_sides_are_of_this_run(result):
    for row in result["months"][:-1]:
        for side in ("law_seconds", "monolith_seconds"):
            assert row[side]["wall"] > 0 and row[side]["cpu"] > 0
        assert row["law_seconds"]["wall"] >= sum(part["wall"] for part in row["parts"].values()) - 1e-6
    assert result["first_seconds"]["law"]["wall"] > 0


def test_table_and_figures_are_there(folder, result):
    assert (folder / "over_time.png").stat().st_size > 10000 and (folder / "over_time.svg").read_text().count("<path") > 20
    assert [row["month"] for row in rows_of(folder / "over_time.csv")] == [row["month"] for row in result["months"]]
