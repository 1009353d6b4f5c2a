"""The scaling study as slurm/scaling.sbatch runs it: an array over rank counts, then the job that collects and draws."""

import json

from conftest import ROOT

SLURM = ROOT / "slurm"
STUDY = """\
study: 1
name: small
time_limit: 30min
launch_limit: 10min
repetitions: {least: 2, most: 2}
blocks:
  - {name: base, strategies: single, networks: [4-8-3, 8-16-3], ranks: 1, batch: 8, steps: 3, scaling: [weak, strong]}
  - {name: two, strategies: [ddp, hiple], networks: [4-8-3, 8-16-3], ranks: 2, batch: 8, steps: 3, scaling: [weak, strong]}
  - {name: over a link, strategies: ddp, networks: 4-8-3, ranks: 2, batch: 8, steps: 3, links: 1gbit}
"""


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_an_array_over_rank_counts_and_the_job_that_draws(study, tmp_path):
    file, results = tmp_path / "small.yaml", tmp_path / "results"
    file.write_text(STUDY)
    job = study.submit("--array=1,2", "--ntasks=2", SLURM / "scaling.sbatch", file, results)
    # afterany, as in the documentation: what one task could not measure is said by the page, and no reason not to draw.
    draw = study.submit(f"--dependency=afterany:{job}", SLURM / "scaling_draw.sbatch", results)
    assert study.cluster.ended(draw) == 0, study.log(draw)

    alone, two = lines(results / "records-ranks1.jsonl"), lines(results / "records-ranks2.jsonl")
    assert len(alone) == 2 * 2 and {line["configuration"]["ranks"] for line in alone} == {1}
    assert len(two) == 2 * (2 * 2 * 2) and {line["configuration"]["ranks"] for line in two} == {2}
    for line in alone + two:
        assert line["record"], line["launch"]
        assert set(line["record"]["hosts"]) <= {"node1", "node2", "node3"}
        assert line["configuration"]["link"] == "none"
    sessions = [json.loads((results / f"session-ranks{ranks}.json").read_text()) for ranks in (1, 2)]
    assert [session["launcher"] for session in sessions] == ["srun", "srun"]
    assert not any(session["out_of_time"] or session["interrupted"] or session["failed"] for session in sessions)
    assert [len(session["skipped"]) for session in sessions] == [0, 1]
    assert sorted(path.name for path in (results / "micro").iterdir()) == ["alone-after.json", "alone.json", "ranks2.json"]

    page = (results / "report.md").read_text()
    assert "20 launches of 10 configurations" in page and "SKIPPED: 1 configuration, because no links here" in page
    assert "| C9 |" in page and "### C9: HOLDS" in page and "### C3: HOLDS" in page
    assert "### C4: NOT SHOWN" in page, "two launches show no time"
    for name in ("weak", "strong", "exposed", "ceilings"):
        for kind in ("png", "svg"):
            assert (results / "figures" / f"{name}.{kind}").stat().st_size > 5000


def test_a_task_without_an_array_is_refused(study, tmp_path):
    job = study.submit(SLURM / "scaling.sbatch", tmp_path / "small.yaml", tmp_path / "results")
    assert study.cluster.ended(job) != 0
    assert "submit it as an array over rank counts" in study.log(job)
