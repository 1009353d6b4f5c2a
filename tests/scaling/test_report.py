"""Figures and page: from whole data, from little, and from data in which something went wrong."""

import json
import subprocess

import judged
import pytest
import report
import sample
from conftest import ROOT, scaling
from figures import FIGURES
from points import Point
from study_files import StudyFiles
from style import LOOK

STUDY = ROOT / "scaling/study/study.py"


def page_of(folder):
    files = StudyFiles(folder)
    return report.page(files, judged.judge(files), [])


def draw(folder):
    return subprocess.run(["/usr/bin/python3", STUDY, "draw", folder], capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    folder = sample.sample(tmp_path_factory.mktemp("results"), session={
        "skipped": [{"id": "x", "reason": "no links here"}], "out_of_time": True, "unsettled": ["a", "b"]})
    with open(folder / "records.jsonl", "a", encoding="utf-8") as file:
        line = sample.World().launch(sample.World().configuration("single"))
        line["record"], line["launch"]["error"] = None, "it\nbroke"
        file.write(json.dumps(line) + "\n")
    done = draw(folder)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_is_there(drawn, name):
    png, svg = (drawn / "figures" / f"{name}.{kind}" for kind in ("png", "svg"))
    assert png.read_bytes().startswith(b"\x89PNG") and png.stat().st_size > 5000
    text = svg.read_text()
    assert "<svg" in text and text.count("<path") > 10
    assert f"figures/{name}.png" in (drawn / "report.md").read_text()


def test_the_page_says_what_went_wrong(drawn):
    page = (drawn / "report.md").read_text()
    for word in ("SKIPPED: 1 configuration, because no links here", "Out of time: 2 configurations", "FAILED: single_64-272-272-16", "broke",
                 "more ranks than cores: used for counts and bytes, for no time"):
        assert word in page


def test_the_page_holds_the_absolute_base_case(drawn):
    rows = [line for line in (drawn / "report.md").read_text().splitlines() if line.startswith("| ddp overlap | 64-272-272-16 | 128 ")]
    assert rows and all("not measured" not in row and "[" in row.split("|")[9] for row in rows)


def test_the_page_says_where_independence_does_not_help(drawn):
    page = (drawn / "report.md").read_text()
    part = page[page.index("## Where independence does not help"):page.index("## What was not measured")]
    for word in ("Makespan", "rank-seconds", "A single engine is not made faster"):
        assert word in part


def test_the_same_data_make_the_same_files(drawn):
    before = {path: path.read_bytes() for path in [*(drawn / "figures").iterdir(), drawn / "report.md", drawn / "verdicts.json"]}
    assert before == {path: path.read_bytes() for path in report.write(drawn)}


def test_little_data_make_a_page_that_says_so(tmp_path):
    made = sample.World()
    alone = [made.configuration("single")]
    folder = sample.write(tmp_path, [made.launch(alone[0])], alone)
    (folder / "micro/alone.json").unlink()
    (folder / "micro/10mbit.json").unlink()
    assert draw(folder).returncode == 0
    page = (folder / "report.md").read_text()
    assert page.count("Not drawn:") == len(FIGURES) and page.count("**NOT SHOWN**") == 20
    assert list((folder / "figures").iterdir()) == []


def test_a_page_that_fails_says_fails(tmp_path):
    made = sample.World()
    made.hiple_calls = 3
    folder = sample.sample(tmp_path, made)
    page = page_of(folder)
    assert "each rank | **FAILS** |" in page and "### C9: FAILS" in page


def test_a_busy_machine_is_named(tmp_path):
    made = sample.World()
    made.load = 20.0
    folder = sample.sample(tmp_path, made)
    assert "**The machine was not idle**" in page_of(folder)


def test_a_time_under_its_bound_is_named(tmp_path):
    folder = sample.sample(tmp_path)
    slow = sample.micro()
    for series in slow["series"]:
        for point in series["points"]:
            point["seconds"] = [1e6 * value for value in point["seconds"]]
    (folder / "micro/alone.json").write_text(json.dumps(slow))
    assert "bound nothing" in page_of(folder)
    assert "bound nothing" not in page_of(sample.sample(tmp_path / "right"))


def test_ceilings_of_another_revision_are_refused(tmp_path):
    folder = sample.sample(tmp_path)
    other = sample.micro()
    other["metadata"]["revision"] = "def456"
    (folder / "micro/alone.json").write_text(json.dumps(other))
    done = draw(folder)
    assert done.returncode == 2 and "abc123" in done.stderr and "def456 in micro/alone.json" in done.stderr


def test_mixed_results_are_refused(tmp_path):
    folder = sample.sample(tmp_path)
    other = sample.World()
    other.revision = "def456"
    (folder / "records-b.jsonl").write_text(json.dumps(other.launch(other.configuration("single"))) + "\n")
    done = draw(folder)
    assert done.returncode == 2 and "abc123" in done.stderr and "def456" in done.stderr


def test_every_strategy_has_a_look():
    """All are in this study; a figure of a strategy without one cannot be drawn."""
    plan = scaling("plan", "--json", ROOT / "scaling/studies/strategies.yaml")
    assert plan.returncode == 0, plan.stderr
    configurations = json.loads(plan.stdout)["configurations"]
    assert {Point(one).name for one in configurations} | {"ddp naive"} == set(LOOK)
