"""`hiple submit`: its scripts, as they are, on a real cluster; and what it refuses."""

import json
import re

import pytest
from conftest import BIN, status

AWKWARD = """it's "the" 100 % run; $(false)"""


def submit(study, *words, code=0, **more):
    result = study.cluster.command(BIN / "hiple", "submit", study.file, *words, check=False, **more)
    assert result.returncode == code, result.stdout + result.stderr
    return result


def jobs(result):
    return re.findall(r"^job (\d+):", result.stdout, re.MULTILINE)


def logs(directory):
    return "".join(f"== {path.name}\n{path.read_text()}" for path in directory.glob("slurm/*.log"))


def test_an_array_in_a_folder_with_an_awkward_name(study):
    directory = study.root / AWKWARD
    engines, law = jobs(submit(study, "--output", directory, "--time", "10"))
    assert study.cluster.ended(law) == 0, logs(directory)
    assert status(directory)["root"] == study.undisturbed()
    assert sorted(path.name for path in directory.glob("slurm/*.log")) == sorted([f"{engines}_{i}.log" for i in range(3)] + [f"{law}.log"])
    assert json.loads((directory / "slurm" / "jobs.json").read_text()) == {"jobs": [engines, law]}
    # Nothing is trained again, and the law decides once more.
    engines, law = jobs(submit(study, "--output", directory))
    assert study.cluster.ended(law) == 0 and "finished before, kept" in logs(directory)


def test_an_array_that_judges_on_demand(study):
    directory = study.root / AWKWARD
    study.route()
    root = study.undisturbed()
    study.on_demand()
    first = jobs(submit(study, "--output", directory, "--time", "10"))
    study.wait_for(lambda: (directory / "STATUS").exists())
    result = status(directory)
    assert result["root"] == root and result["judgments"] < 720, logs(directory)
    assert json.loads((directory / "slurm" / "jobs.json").read_text())["jobs"] != first
    assert list((directory / "requests").glob("*.h5")) == []


@pytest.mark.parametrize("launch", ["srun", "mpirun"])
def test_one_mpi_job_by_a_site_file(study, launch):
    site = study.root / "site.yaml"
    site.write_text(f"site: 1\npartition: main\ntime: 00:10:00\ngpus_per_task: 1\nlaunch: {launch}\nenvironment: {{NOTE: it's here}}\n")
    (job,) = jobs(submit(study, "--mode", "job", "--site", site))
    assert study.cluster.ended(job) == 0, logs(study.directory)
    assert status(study.directory)["root"] == study.undisturbed()
    given = [study.devices(name) for name in ("alpha", "beta", "gamma")]
    assert None not in given and len(set(given)) == 3, given
    described = study.cluster.job(job)
    assert described["JobName"] == "hiple-tiny" and described["TimeLimit"] == "00:10:00" and described["Requeue"] == "1"


def test_one_job_without_mpi(study):
    (job,) = jobs(submit(study, "--mode", "tasks", "--ntasks", "2"))
    assert study.cluster.ended(job) == 0, logs(study.directory)
    assert status(study.directory)["root"] == study.undisturbed()


def test_fewer_tasks_than_engines(study):
    engines, law = jobs(submit(study, "--ntasks", "2"))
    assert study.cluster.ended(law) == 0, logs(study.directory)
    assert study.cluster.command("scontrol", "show", "job", engines).stdout.count("ArrayTaskId=") == 2
    assert status(study.directory)["root"] == study.undisturbed()


def test_a_dry_run_touches_nothing(study):
    text = submit(study, "--dry-run", "--output", study.root / AWKWARD, PATH="/usr/bin/nowhere").stdout
    assert not (study.root / AWKWARD).exists()
    assert "#SBATCH --array=0-2" in text and "--dependency=afterany:NUMBER" in text
    assert text.count("#!/usr/bin/env bash") == 2


def test_jobs_that_are_still_queued_keep_others_out(study):
    study.cluster.wait(study.submit("-N3", "--exclusive", "--wrap", "sleep 300"), ("RUNNING",))
    engines, law = jobs(submit(study))
    again = submit(study, code=2)
    assert f"scancel {engines} {law}" in again.stderr
    study.cluster.command("scancel", engines, law)
    assert len(jobs(submit(study, "--mode", "job"))) == 1


def test_what_slurm_refuses_is_said(study):
    result = submit(study, "--partition", "nowhere", code=1)
    assert "refused by Slurm" in result.stderr and "partition" in result.stderr
    assert not study.cluster.command("squeue", "--noheader").stdout


@pytest.mark.parametrize("words, text", [
    (["--time", "soon"], "no time limit"), (["--ntasks", "9"], "--ntasks"), (["--ntasks", "0"], "--ntasks"),
    (["--gpus-per-task", "-1"], "--gpus-per-task"), (["--partition", "a b"], "partition"), (["--account", ""], "account"),
    (["--mode", "both"], "--mode"), (["--site", "/no/such/file"], "/no/such/file"), (["--launch", "ssh"], "--launch"),
    (["--output", "back\\slash"], "backslash"), (["--time", "5", "--site", "SITE"], "SITE:2:1")])
def test_bad_input_starts_nothing(study, words, text):
    site = study.root / "site.yaml"
    site.write_text("site: 1\npartitoin: main\n")
    words = [word.replace("SITE", str(site)) for word in words]
    result = submit(study, *words, code=2)
    assert text.replace("SITE", str(site)) in result.stderr
    assert not study.directory.exists() and not study.cluster.command("squeue", "--noheader").stdout


def test_no_slurm_here(study, tmp_path):
    assert "no sbatch" in submit(study, code=2, PATH=str(tmp_path)).stderr
    assert not study.directory.exists()
