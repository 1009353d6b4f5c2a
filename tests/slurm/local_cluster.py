"""A Slurm cluster on this machine, for tests: slurm/local/cluster.sh and Slurm's own commands, with what they say as data."""

import os
import pathlib
import shutil
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from launching import PATIENCE, ROOT  # noqa: E402

SCRIPT = ROOT / "slurm" / "local" / "cluster.sh"
PROGRAMS = ("slurmctld", "slurmd", "munged", "sbatch", "unshare", "nsenter")


def missing():
    """Why there can be no cluster here; nothing if there can."""
    if os.geteuid() != 0:
        return "not root: a Slurm cluster cannot be started; run the tests as root"
    path = os.environ["PATH"] + ":/usr/sbin:/sbin"
    absent = [name for name in PROGRAMS if not shutil.which(name, path=path)]
    return f"no {', '.join(absent)}: install what jobs/packages-tests.txt names" if absent else None


class Cluster:
    def __init__(self, root, environment):
        self.root = pathlib.Path(root)
        self.environment = {**environment, "SLURM_CONF": str(self.root / "etc" / "slurm.conf")}

    def script(self, *words, check=True):
        result = subprocess.run([str(SCRIPT), "-r", str(self.root), *map(str, words)], capture_output=True, text=True, timeout=PATIENCE)
        assert not check or result.returncode == 0, result.stdout + result.stderr
        return result

    def command(self, *words, check=True, **more):
        result = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=PATIENCE,
                                env={**self.environment, **more})
        assert not check or result.returncode == 0, f"{words}: {result.stdout}{result.stderr}"
        return result

    def sbatch(self, *words, **more):
        """The new job's number."""
        return self.command("sbatch", "--parsable", *words, **more).stdout.strip()

    def job(self, number):
        """What Slurm knows of a job (of the first that has the number, for an array): "JobState", "ExitCode", "NodeList" ..."""
        line = self.command("scontrol", "--oneliner", "show", "job", number).stdout.splitlines()[0]
        return dict(word.split("=", 1) for word in line.split() if "=" in word)

    def running_seconds(self, number):
        """How long a job has been running."""
        hours, minutes, seconds = map(int, self.job(number)["RunTime"].split("-")[-1].split(":"))
        return 3600 * hours + 60 * minutes + seconds

    def wait(self, number, states):
        """Waits for one of the states, and returns what Slurm then knows of the job."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            job = self.job(number)
            if job["JobState"] in states:
                return job
            time.sleep(0.2)
        raise AssertionError(f"job {number} is {job['JobState']} ({job.get('Reason')}), not {states}, after {PATIENCE} s")

    def ended(self, number):
        """Waits until the job is over, and returns its exit status."""
        job = self.wait(number, ("COMPLETED", "FAILED", "NODE_FAIL", "CANCELLED", "TIMEOUT", "BOOT_FAIL", "OUT_OF_MEMORY"))
        status, signal = job["ExitCode"].split(":")
        return int(status) or (128 + int(signal) if signal != "0" else 0)

    def start_now(self, number):
        """A job that is queued again waits for two minutes, for its former nodes to be clean; a test does not."""
        self.wait(number, ("PENDING",))
        time.sleep(2)
        self.command("scontrol", "update", f"JobId={number}", "StartTime=now")

    def nodes(self):
        lines = self.command("sinfo", "--noheader", "-N", "-p", "main", "-o", "%N %t").stdout.split("\n")
        return dict(line.split() for line in lines if line)

    def clean(self):
        """Ends all jobs and brings every node back, for the next test."""
        self.command("scancel", "--user=root", check=False)
        for node in self.nodes():
            self.script("node", node)
        end = time.monotonic() + PATIENCE
        while set(self.nodes().values()) != {"idle"} or self.command("squeue", "--noheader").stdout:
            assert time.monotonic() < end, f"{self.nodes()} {self.command('squeue').stdout}"
            time.sleep(0.2)
