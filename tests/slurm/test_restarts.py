"""What a cluster does to a run: it takes nodes away for others, ends jobs at their time limit, loses nodes and ranks. What was saved
is not trained again, what was lost is named, and where every engine finishes the decisions are those of an undisturbed run."""

import json
import os
import signal
import stat

import pytest
from conftest import BIN, ROOT, status

SLURM = ROOT / "slurm"
ENGINES = ("alpha", "beta", "gamma")

# At a job's first start the engine alpha stands still as soon as it has saved something, so that the cluster's doing meets it half
# way through on any machine; told to end, it wakes up and is told.
STANDING = """\
#!/bin/bash
if [ "$1" != train ] || {{ [ "$4" != alpha ] && [ "$4" != 2/3 ]; }} || [ "${{SLURM_RESTART_COUNT:-0}}" != 0 ]; then exec {hiple} "$@"; fi
{hiple} "$@" &
child=$!
family() {{ local other; for other in $(pgrep -P "$2"); do family "$1" "$other"; done; kill "-$1" "$2"; }} # who trains is its grandchild
until [ -e {checkpoint} ]; do sleep 0.05; done
family STOP $child
touch {mark}
trap 'kill -TERM $child; family CONT $child' TERM
while status=0; wait $child || status=$?; kill -0 $child 2>/dev/null; do :; done
exit $status
"""


class Standing:
    """A study whose engine alpha stands still at its first start."""

    def __init__(self, study, directory):
        self.study, self.directory = study, directory
        self.mark = directory.parent / (directory.name + ".stands")
        self.programs = directory.parent / (directory.name + ".bin")
        self.programs.mkdir()
        script = self.programs / "hiple"
        script.write_text(STANDING.format(hiple=BIN / "hiple", checkpoint=directory / "engines/alpha/checkpoint.h5", mark=self.mark))
        script.chmod(script.stat().st_mode | stat.S_IXUSR)
        self.file = directory.parent / (directory.name + ".yaml")
        self.file.write_text(study.file.read_text().replace(f"output: {study.directory}", f"output: {directory}"))

    def submit(self, *options):
        """The array, and the law behind it; returns when alpha stands still and the others are done."""
        study = self.study
        more = {"HIPLE_BIN_DIR": str(self.programs)}
        job = study.submit("--array=0-2", *options, SLURM / "array.sbatch", self.file, *ENGINES, **more)
        law = study.submit(f"--dependency=afterany:{job}", SLURM / "integrate.sbatch", self.file, **more)
        study.wait_for(lambda: self.mark.exists() and self.tasks(job) == [0])
        return job, law

    def tasks(self, job):
        """Those of an array that are not over."""
        lines = self.study.cluster.command("squeue", "--noheader", "--array", "-j", job, "-o", "%K").stdout.split()
        return sorted(map(int, lines))

    def task(self, job):
        """The number of alpha's own job."""
        tasks = self.study.cluster.command("squeue", "--noheader", "--array", "-j", job, "-o", "%A %K").stdout.split("\n")
        return next(line.split()[0] for line in tasks if line.endswith(" 0"))

    def log(self):
        return self.study.engine_log("alpha", self.directory)

    def went_on(self):
        log = self.log()
        return log.count(", process ") == 2 and "(restart 1)" in log


@pytest.fixture
def standing(study):
    study.work(epochs=8000)
    return Standing(study, study.root / "kept")


def test_preempted_tasks_go_on(standing):
    study, cluster = standing.study, standing.study.cluster
    job, law = standing.submit()
    task = standing.task(job)
    urgent = study.submit("-p", "high", "-N3", "--exclusive", "--wrap", "sleep 1")
    assert cluster.ended(urgent) == 0
    cluster.start_now(task)
    assert cluster.ended(law) == 0, study.log(law)
    assert status(standing.directory)["root"] == study.undisturbed()
    assert standing.went_on(), standing.log()


def test_the_time_limit_ends_a_task_that_goes_on(standing):
    study, cluster = standing.study, standing.study.cluster
    job, law = standing.submit("--time=1:00:00", "--signal=B:USR1@40")
    task = standing.task(job)
    # The limit comes near once alpha stands, however long that took: in 20 to 79 seconds, of which the last 40 are told.
    cluster.command("scontrol", "update", f"JobId={task}", f"TimeLimit={(cluster.running_seconds(task) + 79) // 60}")
    cluster.start_now(task)
    assert cluster.ended(law) == 0, study.log(law)
    assert "the time limit is near: queueing job" in study.log(task)
    assert status(standing.directory)["root"] == study.undisturbed()
    assert standing.went_on(), standing.log()


def test_a_node_dies(standing):
    """Its task starts again on another node; without --requeue the law does without it. No other task notices."""
    study, cluster = standing.study, standing.study.cluster
    job, law = standing.submit()
    task = standing.task(job)
    node = cluster.job(task)["NodeList"]
    lost = Standing(study, study.root / "lost")
    lost_job, lost_law = lost.submit("--no-requeue", "-w", node)
    cluster.script("killnode", node)

    assert cluster.ended(lost_law) == 3, study.log(lost_law)
    result = status(lost.directory)
    assert result["state"] == "partial" and [entry["engine"] for entry in result["missing"]] == ["alpha"]

    cluster.start_now(task)
    assert cluster.ended(law) == 0, study.log(law)
    assert cluster.job(task)["NodeList"] != node
    assert standing.went_on(), standing.log()
    assert status(standing.directory)["root"] == study.undisturbed()


@pytest.mark.parametrize("launcher", ["srun", "mpirun"])
def test_an_mpi_job_near_its_time_limit_goes_on(study, launcher):
    """The signal that Slurm sends ahead of the limit, sent at once."""
    study.work(epochs=20000)
    job = study.submit("-n4", "-N2", SLURM / f"{launcher}.sbatch", study.file)
    study.wait_for((study.directory / "engines" / "alpha" / "checkpoint.h5").exists)
    study.cluster.command("scancel", "--batch", "--signal=USR1", job)
    study.cluster.start_now(job)
    assert study.cluster.ended(job) == 0, study.log(job)
    assert f"queueing job {job} again" in study.log(job)
    assert "(restart 1)" in study.engine_log("alpha")
    assert status(study.directory)["root"] == study.undisturbed()


def rank_of(cluster, study, engine):
    """The number of the rank that trains an engine, as this process sees it: by what it was started with."""
    lock = json.loads((study.directory / "engines" / engine / "LOCK").read_text())
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = open(f"/proc/{number}/cmdline").read().split("\0")
            inside = open(f"/proc/{number}/status").read().split("NSpid:")[1].split("\n")[0].split()[-1]
            variables = open(f"/proc/{number}/environ").read().split("\0")
        except (OSError, IndexError):
            continue
        here = f"SLURM_CONF={cluster.root}/etc/slurm.conf" in variables
        if here and int(inside) == lock["process"] and words[0].endswith("hiple-run") and str(study.file) in words:
            return int(number)
    raise AssertionError(f"no process for {lock}")


@pytest.mark.parametrize("launcher", ["srun", "mpirun"])
def test_a_node_dies_under_one_mpi_job(study, launcher):
    """Long before the deadline: the integrator hears nothing of the node's rank any more. alpha, the smallest, is on the third rank,
    which shares no node with the script or the integrator."""
    study.replace("run.yaml", "deadline: 1h", "deadline: 1d, lost_after: 5s")
    job = study.submit("-n4", "-N3", SLURM / f"{launcher}.sbatch", study.file, "--inject",
                       "engine=alpha,step=1,kind=slow:1000000")
    study.wait_for(lambda: len(list(study.directory.glob("judgments/*.h5"))) == 2 and "alpha" in study.begun())
    node = json.loads((study.directory / "engines" / "alpha" / "LOCK").read_text())["host"]
    others = {json.loads(path.read_text())["host"] for path in study.directory.glob("heartbeats/*") if path.name != "2"}
    assert node not in others, (node, others)
    study.cluster.script("killnode", node)
    study.wait_for((study.directory / "STATUS").exists)
    result = status(study.directory)
    assert [entry["engine"] for entry in result["missing"]] == ["alpha"]
    assert result["missing"][0]["reason"] == f"lost: rank 2 on host {node} gave no sign of life for 5 s (integrate.lost_after)"
    assert study.cluster.ended(job) == 3, study.log(job)


def test_a_node_dies_under_tasks_without_mpi(standing):
    """Its engine is named, nobody else notices, and the job ends by itself. Submitted again, it goes on from the checkpoint."""
    study, cluster = standing.study, standing.study.cluster
    words = ("-n3", "-N3", SLURM / "tasks.sbatch", standing.file)
    job = study.submit(*words, HIPLE_BIN_DIR=str(standing.programs))
    study.wait_for(lambda: standing.mark.exists() and len(list(standing.directory.glob("judgments/*.h5"))) == 2)
    node = json.loads((standing.directory / "engines" / "alpha" / "LOCK").read_text())["host"]
    assert node != cluster.job(job)["BatchHost"]
    cluster.script("killnode", node)
    assert cluster.ended(job) == 3, study.log(job)
    assert [entry["engine"] for entry in status(standing.directory)["missing"]] == ["alpha"]
    cluster.script("node", node)
    again = study.submit(*words)
    assert cluster.ended(again) == 0, study.log(again)
    assert status(standing.directory)["root"] == study.undisturbed()
    assert standing.log().count(", process ") == 2, standing.log()


@pytest.mark.parametrize("launcher", ["srun", "mpirun"])
def test_a_rank_dies(study, launcher):
    """srun ends the step with it, mpirun never ends: either way the others' results are decided on, and the job ends."""
    study.write_run(slow=("alpha",), deadline="1d, lost_after: 10s")
    job = study.submit("-n4", "-N2", SLURM / f"{launcher}.sbatch", study.file)
    study.wait_for(lambda: len(list(study.directory.glob("judgments/*.h5"))) == 2 and "alpha" in study.begun())
    os.kill(rank_of(study.cluster, study, "alpha"), signal.SIGKILL)
    assert study.cluster.ended(job) == 3, study.log(job)
    result = status(study.directory)
    assert result["state"] == "partial" and [entry["engine"] for entry in result["missing"]] == ["alpha"]
