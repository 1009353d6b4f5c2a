"""Starting `hiple-scaling measure` once: on this host, on made-up hosts with limited links, or inside an allocation."""

import contextlib
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scaling" / "network"))
import hosts as network  # noqa: E402  (its folder is known from here on)
from plan import program  # noqa: E402

LAUNCHER_VARIABLES = ("OMPI_COMM_", "OMPI_MCA_ess", "OMPI_MCA_orte", "PMIX_", "PMI_")


def is_in_slurm():
    return "SLURM_JOB_ID" in os.environ and shutil.which("srun") is not None


def is_in_allocation():
    """Of Slurm, PBS, LSF or Grid Engine: mpirun then knows the hosts, and this one's cores are not all there are."""
    return any(name in os.environ for name in ("SLURM_JOB_ID", "PBS_NODEFILE", "LSB_HOSTS", "PE_HOSTFILE"))


def run_and_end(words, environment):
    """Runs `timeout ...`. Where this process is told to end meanwhile, so is the launcher, which ends its ranks: subprocess.run would
    kill `timeout` alone and leave them."""
    with subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            output, errors = process.communicate()
        except BaseException:
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=20)
            process.kill()
            raise
    return subprocess.CompletedProcess(words, process.returncode, output, errors)


class Launcher:
    """Knows how ranks are started here. Made-up hosts are kept from one launch to the next of the same link."""

    def __init__(self, plan):
        self.limit = plan["launch_limit"]
        self.open_mpi = plan["open_mpi"]
        self.cores = sorted(os.sched_getaffinity(0))
        self.slurm = is_in_slurm()
        self.allocation = is_in_allocation()
        self.stack = contextlib.ExitStack()
        self.hosts = {}
        self.no_network = None

    def __enter__(self):
        if self.allocation:
            self.no_network = "inside an allocation the links are what they are"
        else:
            self.no_network = network.reason_against()
        return self

    def __exit__(self, *details):
        return self.stack.__exit__(*details)

    def reason_against(self, configuration):
        """Why a configuration cannot be measured here; nothing where it can."""
        if configuration["link"] != "none" and self.no_network:
            return f"no links here: {self.no_network}"
        tasks = int(os.environ.get("SLURM_NTASKS", 0))
        if self.slurm and configuration["ranks"] > tasks:
            return f"the allocation has {tasks} tasks"
        return None

    def _environment(self, configuration):
        clean = {name: value for name, value in os.environ.items() if not name.startswith(LAUNCHER_VARIABLES)}
        clean.update({f"OMPI_MCA_{name}": value for name, value in self.open_mpi.items()})
        clean["OMPI_MCA_btl_base_warn_component_unused"] = "0"
        clean["OMPI_MCA_pml_monitoring_enable"] = "1"
        if os.geteuid() == 0:
            clean.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        if not self.allocation and configuration["ranks"] > len(self.cores):
            clean.update(OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_mpi_yield_when_idle="1")
        return clean

    def _words(self, configuration, command):
        """One host, or an allocation: a core a rank, or none of its own where there are too few."""
        ranks = str(configuration["ranks"])
        if self.slurm:
            return ["srun", "--mpi=pmix", "--ntasks", ranks, "--cpu-bind=cores", *command]
        bind = "core" if self.allocation or configuration["ranks"] <= len(self.cores) else "none"
        return ["mpirun", "-n", ranks, "--bind-to", bind, *command]

    def _network_words(self, hosts, command):
        """A rank a host. Each believes that all cores are its own, so a rank takes the core of its own number."""
        count = len(hosts.names)
        places = ",".join(f"{name}:1" for name in hosts.names)
        words = ["mpirun", "--host", places, "-n", str(count), "--bind-to", "none"]
        if count <= len(self.cores):
            cores = " ".join(map(str, self.cores))
            pin = f'cores=({cores}); exec taskset --cpu-list "${{cores[$OMPI_COMM_WORLD_RANK]}}" "$@"'
            words += ["bash", "-c", pin, "pin"]
        return hosts.enter(0, "exec " + shlex.join([*words, *command]))

    def _hosts(self, configuration):
        key = (configuration["link"], configuration["ranks"])
        if key not in self.hosts:
            self.hosts[key] = self.stack.enter_context(network.Hosts(configuration["ranks"], configuration["link"]))
        return self.hosts[key]

    def launch(self, configuration, words, least_limit=0, name="hiple-scaling"):
        """Runs `words`, a command of hiple-scaling (or of another program `name` like it) without --output, once, for the study's limit of a launch or `least_limit`
        seconds, whichever is longer. Returns (its output file as JSON or None, what the launch itself tells)."""
        limit = max(self.limit, least_limit)
        with tempfile.TemporaryDirectory(prefix="hiple-launch-") as folder:
            output = pathlib.Path(folder) / "record.json"
            command = [str(program(name)), *words, "--output", str(output)]
            environment = self._environment(configuration)
            told = {"link": configuration["link"], "cores": len(self.cores), "load": os.getloadavg()[0],
                    "shares_cores": not self.allocation and configuration["ranks"] > len(self.cores)}
            hosts = None
            if configuration["link"] == "none":
                words = self._words(configuration, command)
            else:
                hosts = self._hosts(configuration)
                environment.update(hosts.environment())
                words = self._network_words(hosts, command)
                before = hosts.counters()
            words = ["timeout", "--kill-after=5", str(limit), *words]
            done = run_and_end(words, environment)
            if hosts:
                told["sent"] = [{name: b[name] - a[name] for name in ("bytes", "packets")} for a, b in zip(before, hosts.counters())]
            told["status"] = done.returncode
            if done.returncode != 0 or not output.is_file():
                if hosts:
                    hosts.end_processes()
                told["error"] = f"no answer in {limit:g} s" if done.returncode in (124, 137) else done.stderr.strip()[-2000:]
                return None, told
            return json.loads(output.read_text()), told
