"""The scripts of slurm/ on a real cluster: one MPI job by srun and by mpirun, and an array with the law behind it. However the
engines were started, the decisions are those of a run alone."""

import pytest
from conftest import ROOT, status

SLURM = ROOT / "slurm"


@pytest.mark.parametrize("launcher", ["srun", "mpirun"])
def test_one_mpi_job_on_two_nodes(study, launcher):
    job = study.submit("-n4", "-N2", SLURM / f"{launcher}.sbatch", study.file)
    assert study.cluster.ended(job) == 0, study.log(job)
    assert status(study.directory)["root"] == study.undisturbed()
    hosts = {study.engine_log(name).split("host ")[1].split(",")[0] for name in ("alpha", "beta", "gamma")}
    assert hosts < {"node1", "node2", "node3"}


def test_tasks_without_mpi(study):
    """Two tasks for three engines: each trains its share of the plan, and the law follows in the same job."""
    job = study.submit("-n2", "-N2", SLURM / "tasks.sbatch", study.file)
    assert study.cluster.ended(job) == 0, study.log(job)
    assert status(study.directory)["root"] == study.undisturbed()
    hosts = {name: study.engine_log(name).split("host ")[1].split(",")[0] for name in ("alpha", "beta", "gamma")}
    assert len(set(hosts.values())) == 2, hosts


@pytest.mark.parametrize("launcher", ["srun", "mpirun", "tasks"])
def test_an_engine_that_fails_in_one_job_leaves_the_others(study, launcher):
    study.replace("run.yaml", "b > -3 [mm]", "b > 1000 [mm]")  # no rows are left
    job = study.submit("-n4" if launcher != "tasks" else "-n3", "-N2", SLURM / f"{launcher}.sbatch", study.file)
    assert study.cluster.ended(job) == 3, study.log(job)
    assert [entry["engine"] for entry in status(study.directory)["missing"]] == ["gamma"]


def test_an_array_with_the_law_behind_it(study):
    job = study.submit("--array=0-2", SLURM / "array.sbatch", study.file, "alpha", "beta", "gamma")
    law = study.submit(f"--dependency=afterany:{job}", SLURM / "integrate.sbatch", study.file)
    assert study.cluster.ended(law) == 0, study.log(law)
    assert status(study.directory)["root"] == study.undisturbed()


def test_an_array_that_judges_on_demand(study):
    """The law submits the array again, as often as it asks, and itself behind it."""
    study.route()
    root = study.undisturbed()
    study.on_demand()
    engines = ("alpha", "beta", "gamma")
    job = study.submit("--array=0-2", SLURM / "array.sbatch", study.file, *engines)
    law = study.submit(f"--dependency=afterany:{job}", SLURM / "integrate.sbatch", study.file, *engines)
    assert study.cluster.ended(law) == 0, study.log(law)
    assert "the law asks for more judgments" in study.log(law) and not (study.directory / "STATUS").exists()
    study.wait_for(lambda: (study.directory / "STATUS").exists())
    result = status(study.directory)
    assert result["root"] == root and result["judgments"] < 720


def test_an_engine_that_fails_leaves_the_others(study):
    study.replace("run.yaml", "b > -3 [mm]", "b > 1000 [mm]")  # no rows are left
    job = study.submit("--array=0-2", SLURM / "array.sbatch", study.file, "alpha", "beta", "gamma")
    law = study.submit(f"--dependency=afterany:{job}", SLURM / "integrate.sbatch", study.file)
    assert study.cluster.ended(law) == 3, study.log(law)
    result = status(study.directory)
    assert result["state"] == "partial" and [entry["engine"] for entry in result["missing"]] == ["gamma"]
    assert "rows" in result["missing"][0]["reason"]


def test_a_gpu_for_every_task_of_an_array(study):
    study.write_run(slow=("alpha", "beta", "gamma"))  # all at once, for as long as the test looks at them
    job = study.submit("--array=0-2", "-w", "node1", "--gpus-per-task=1", SLURM / "array.sbatch", study.file, "alpha", "beta", "gamma")
    study.wait_for(lambda: len(study.begun()) == 2)
    given = [study.devices(name) for name in study.begun()]
    assert sorted(given) == [("node1", "0"), ("node1", "1")]  # two GPUs, two tasks; the third waits
    study.cluster.command("scancel", job)


def test_wrong_input_ends_before_anything_starts(study):
    study.replace("run.yaml", "target: x", "target: q")
    job = study.submit("-n4", SLURM / "srun.sbatch", study.file)
    assert study.cluster.ended(job) == 2
    assert "run.yaml" in study.log(job) and not study.directory.exists()
