"""The study as a user runs it: a small one from end to end, going on after an interruption, and what is refused."""

import json
import os
import shutil
import signal
import subprocess
import uuid

import hosts
import pytest
from conftest import BIN, ROOT, environment
from launching import PATIENCE, wait_for

SMOKE = ROOT / "scaling/studies/smoke.yaml"
TINY = """\
study: 1
name: tiny
time_limit: 10min
launch_limit: 2min
repetitions: {least: 1, most: 1}
blocks:
  - {name: one, strategies: single, networks: 4-8-3, ranks: 1, batch: 8, steps: 3}
  - {name: two, strategies: [ddp, hiple], networks: 4-8-3, ranks: 2, batch: 8, steps: 3}
"""


def run(*words, timeout=PATIENCE, **more):
    return subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=timeout, env=environment(**more), check=False)


def study(*words, **more):
    return run(ROOT / "jobs/scaling.sh", *words, HIPLE_BIN_DIR=str(BIN), **more)


def lines(folder, name="records.jsonl"):
    return [json.loads(line) for line in (folder / name).read_text().splitlines()]


@pytest.fixture
def tiny(tmp_path):
    path = tmp_path / "tiny.yaml"
    path.write_text(TINY)
    return path


def test_smoke_from_end_to_end(tmp_path):
    results = tmp_path / "results"
    reason = hosts.reason_against()
    if reason:
        print(f"SKIPPED the links: {reason}")
    done = study(SMOKE, "--results", results)
    assert done.returncode == (3 if reason else 0), done.stderr
    assert done.stdout.strip() == str(results)
    plan = json.loads((results / "plan.json").read_text())
    wanted = {entry["id"] for entry in plan["configurations"] if not reason or entry["link"] == "none"}
    assert {line["configuration"]["id"] for line in lines(results)} == wanted
    page = (results / "report.md").read_text()
    assert ("SKIPPED" in page) == bool(reason)
    for name in ("strong", "traffic", "disturbance", "makespan", "ceilings"):
        assert (results / "figures" / f"{name}.png").is_file()
    assert "| C9 |" in page and "HOLDS" in page
    for path in results.rglob("*.json*"):
        assert str(ROOT) not in path.read_text(), f"{path}: a record holds the path of the checkout"


def test_what_is_measured_counts(tiny, tmp_path):
    results = tmp_path / "results"
    assert study(tiny, "--results", results, "--without-ceilings").returncode == 0
    first = lines(results)
    assert len(first) == 3
    (results / "records.jsonl").write_text("".join(json.dumps(line) + "\n" for line in first[:2]))
    assert study(tiny, "--results", results, "--without-ceilings").returncode == 0
    assert [line["configuration"]["id"] for line in lines(results)[:2]] == [line["configuration"]["id"] for line in first[:2]]
    assert len(lines(results)) == 3


def marked(mark):
    """Processes that carry a mark in their environment."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/environ", "rb") as file:
                if f"HIPLE_TEST_MARK={mark}".encode() in file.read().split(b"\0"):
                    found.append(int(name))
        except OSError:
            continue
    return found


def count_lines(path):
    """Lines that are written to their end: the last one may be on its way."""
    return path.read_bytes().count(b"\n") if path.exists() else 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_an_interrupted_study_leaves_nothing_behind_and_goes_on(tiny, tmp_path, number):
    """Ended by the process number of jobs/scaling.sh alone, in the middle of a launch, on made-up hosts where there can be some."""
    results, mark = tmp_path / "results", uuid.uuid4().hex
    links = "none" if hosts.reason_against() else "1gbit"
    tiny.write_text(TINY.replace("least: 1, most: 1", "least: 1000, most: 1000").replace("ranks: 2,", f"ranks: 2, links: {links},")
                    .replace("batch: 8, steps: 3", "batch: 8, steps: 20000"))
    job = subprocess.Popen([ROOT / "jobs/scaling.sh", tiny, "--results", results, "--without-ceilings"], stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, env=environment(HIPLE_BIN_DIR=str(BIN), HIPLE_TEST_MARK=mark), start_new_session=True)
    try:
        wait_for(lambda: count_lines(results / "records.jsonl") >= 3)
        wait_for(lambda: any(os.path.basename(os.readlink(f"/proc/{pid}/exe")) == "hiple-scaling" for pid in marked(mark)
                             if os.path.exists(f"/proc/{pid}/exe")))
        os.kill(job.pid, number)
        assert job.wait(timeout=PATIENCE) == 1
        wait_for(lambda: not marked(mark))
        assert not [name for name, owner in (hosts.namespaces() if links != "none" else []) if owner == job.pid]
    finally:
        for pid in marked(mark):
            os.kill(pid, signal.SIGKILL)
    kept = lines(results)
    assert len(kept) >= 3 and json.loads((results / "session.json").read_text())["interrupted"]
    assert study("--draw", results).returncode == 0
    assert "Interrupted: 3 configurations" in (results / "report.md").read_text()
    # The same command goes on, here for as long as it is given.
    given = 3  # seconds; on a machine that others load, a launch may take more
    while len(lines(results)) == len(kept) and given < PATIENCE:
        again = study(tiny, "--results", results, "--without-ceilings", "--time-limit", f"{given}s")
        assert again.returncode == 3 and "out of time" in again.stderr
        given *= 3
    assert lines(results)[:len(kept)] == kept and len(lines(results)) > len(kept)
    assert [line["order"] for line in lines(results)] == list(range(1, len(lines(results)) + 1))


def test_a_study_says_how_long_it_takes(tiny, tmp_path):
    done = study(tiny, "--results", tmp_path / "results", "--without-ceilings", "--time-limit", "90s")
    assert done.returncode == 0, done.stderr
    assert "3 configurations; the 3 launches that are needed at least take about" in done.stderr
    assert "(90 s from the start)" in done.stderr


def test_a_study_whose_time_is_up_before_its_first_launch(tiny, tmp_path):
    done = study(tiny, "--results", tmp_path / "results", "--without-ceilings", "--time-limit", "0.001s")
    assert done.returncode == 3 and "out of time: 3 configurations" in done.stderr and "nothing was measured" in done.stderr
    assert study(tiny, "--results", tmp_path / "results", "--without-ceilings").returncode == 0


def test_another_study_in_the_same_folder_is_refused(tiny, tmp_path):
    results = tmp_path / "results"
    assert study(tiny, "--results", results, "--without-ceilings").returncode == 0
    tiny.write_text(TINY.replace("steps: 3", "steps: 4"))
    done = study(tiny, "--results", results, "--without-ceilings")
    assert done.returncode == 2 and "another study file" in done.stderr


def test_another_revision_in_the_same_folder_is_refused(tiny, tmp_path):
    results = tmp_path / "results"
    assert study(tiny, "--results", results, "--without-ceilings").returncode == 0
    changed = [{**line, "revision": "0123456789ab"} for line in lines(results)]
    for line in changed:
        line["record"]["metadata"]["revision"] = "0123456789ab"
    (results / "records.jsonl").write_text("".join(json.dumps(line) + "\n" for line in changed))
    done = study(tiny, "--results", results, "--without-ceilings")
    assert done.returncode == 2 and "0123456789ab" in done.stderr and "not mixed" in done.stderr


def test_ceilings_of_another_revision_are_refused(tiny, tmp_path):
    """A session that was interrupted before its first launch, and a program that was built again."""
    results = tmp_path / "results"
    (results / "micro").mkdir(parents=True)
    (results / "micro/alone.json").write_text(json.dumps({"ranks": 1, "metadata": {"revision": "0123456789ab"}, "series": []}))
    done = study(tiny, "--results", results)
    assert done.returncode == 2 and "micro/alone.json: of revision 0123456789ab" in done.stderr and "not mixed" in done.stderr
    assert not (results / "records.jsonl").exists()


def test_a_wrong_study_starts_nothing(tiny, tmp_path):
    tiny.write_text(TINY.replace("ranks: 2", "ranks: 3"))
    done = study(tiny, "--results", tmp_path / "results")
    assert done.returncode == 2
    assert "tiny.yaml:8:" in done.stderr and "do not divide among 3 ranks" in done.stderr
    tiny.write_text(TINY.replace("ranks: 1", "ranks: 2"))
    done = study(tiny, "--results", tmp_path / "results")
    assert done.returncode == 2 and "single on 2 ranks" in done.stderr and "tiny.yaml:7:" in done.stderr
    assert not (tmp_path / "results").exists()


def test_a_launch_that_fails_is_recorded(tiny, tmp_path):
    """A program that refuses every measurement: nothing is passed over in silence."""
    folder = tmp_path / "bin"
    folder.mkdir()
    wrapper = folder / "hiple-scaling"
    wrapper.write_text(f'#!/bin/bash\nif [ "$1" = measure ]; then echo "it broke" >&2; exit 1; fi\nexec {BIN}/hiple-scaling "$@"\n')
    wrapper.chmod(0o755)
    results = tmp_path / "results"
    done = run(ROOT / "jobs/scaling.sh", tiny, "--results", results, "--without-ceilings", HIPLE_BIN_DIR=str(folder))
    assert done.returncode == 3, done.stderr
    assert [line["record"] for line in lines(results)] == [None] * 6, "each twice, and then no more"
    assert (results / "report.md").read_text().count("FAILED: ") == 6


def test_an_array_over_rank_counts_and_its_collector(tiny, tmp_path):
    """What the batch files start, without Slurm: two tasks, then the job behind them."""
    results = tmp_path / "results"
    for ranks in (1, 2):
        done = run("bash", ROOT / "slurm/scaling.sbatch", tiny, results, HIPLE_ROOT=str(ROOT), HIPLE_BIN_DIR=str(BIN),
                   SLURM_ARRAY_TASK_ID=str(ranks))
        assert done.returncode == 0, done.stderr
        assert {line["configuration"]["ranks"] for line in lines(results, f"records-ranks{ranks}.jsonl")} == {ranks}
    done = run("bash", ROOT / "slurm/scaling_draw.sbatch", results, HIPLE_ROOT=str(ROOT))
    assert done.returncode == 0, done.stderr
    assert "3 launches of 3 configurations" in (results / "report.md").read_text()


@pytest.mark.parametrize("words", [(), ("--draw",), ("--help",)])
def test_usage(words):
    done = study(*words)
    assert done.returncode == 2 and "jobs/scaling.sh STUDY.yaml" in done.stderr


@pytest.mark.parametrize("words,said", [
    (("nowhere.yaml", "--results", "r"), "nowhere.yaml"), ((SMOKE, "--host", "a/b"), "a/b"),
    ((SMOKE, "--host", "here", "--results", "r"), "one of the two"), ((SMOKE, "--ranks", 7, "--results", "r"), "rank counts: 1, 2"),
    (("--draw", "/nowhere"), "no folder of results"), ((SMOKE, "--results", "r", "--time-limit", "soon"), "'soon' is no duration"),
    ((SMOKE, "--results", "r", "--time-limit", "0s"), "above zero")])
def test_wrong_options_are_refused(words, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run(ROOT / "jobs/scaling.sh", *words, HIPLE_BIN_DIR=str(BIN))
    assert done.returncode == 2 and said in done.stderr


@pytest.mark.parametrize("script", ["jobs/scaling.sh", "slurm/scaling.sbatch", "slurm/scaling_draw.sbatch", "scaling/network/hiple-enter"])
def test_scripts_parse(script):
    assert run("bash", "-n", ROOT / script).returncode == 0
    if shutil.which("shellcheck"):
        done = run("shellcheck", ROOT / script)
        assert done.returncode == 0, done.stdout


def test_the_proof_is_a_study():
    done = run(BIN / "hiple-scaling", "plan", ROOT / "scaling/studies/proof.yaml", "--json")
    assert done.returncode == 0, done.stderr
    plan = json.loads(done.stdout)
    assert {entry["link"] for entry in plan["configurations"]} == {"none", "10mbit", "100mbit", "1gbit"}
    assert {entry["ranks"] for entry in plan["configurations"]} == {1, 2, 3, 4}
