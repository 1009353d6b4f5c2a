"""A cluster for the tests of one file, and the tiny study of tests/program with a folder for Slurm's output."""

import importlib.util
import os
import re
import sys

import pytest
from local_cluster import ROOT, Cluster, missing


def load(name, path):
    module = importlib.util.module_from_spec(importlib.util.spec_from_file_location(name, path))
    sys.modules[name] = module
    module.__spec__.loader.exec_module(module)
    return module


program = load("program_helpers", ROOT / "tests" / "program" / "conftest.py")
BIN = program.BIN
hiple = program.hiple
status = program.status
wait_for = program.wait_for


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    reason = missing()
    if reason:
        pytest.skip("NO SLURM TESTS: " + reason)
    root = tmp_path_factory.mktemp("cluster") / "slurm"
    one = Cluster(root, program.environment(HIPLE_ROOT=str(ROOT), HIPLE_BIN_DIR=str(BIN)))
    one.script("start", "-w", os.getpid())  # ends with this process, whatever ends that
    yield one
    one.script("stop")
    assert not root.exists()


class SlurmStudy(program.Study):
    """An engine takes part of a second, or, with `work`, some seconds in which it saves itself often."""

    def __init__(self, root, cluster):
        super().__init__(root)
        self.cluster = cluster
        self.logs = root / "logs"
        self.logs.mkdir()

    def submit(self, *words, **more):
        return self.cluster.sbatch("--output", self.logs / "%j.log", *words, **more)

    def log(self, number):
        return (self.logs / f"{number}.log").read_text()

    def work(self, epochs):
        self.write_run(epochs=epochs)
        self.file.write_text(self.file.read_text().replace("early_stop: 0", "early_stop: 0, checkpoint_every: 200"))

    def engine_log(self, name, directory=None):
        return ((directory or self.directory) / "engines" / name / "log.txt").read_text()

    def devices(self, name, directory=None):
        """Host and devices that an engine's process was given."""
        found = re.findall(r"host (\S+), .*visible devices (\S+)", self.engine_log(name, directory))
        return found[-1] if found else None

    def begun(self):
        """Engines whose training has begun."""
        return sorted(path.parent.name for path in self.directory.glob("engines/*/identity"))

    wait_for = staticmethod(wait_for)

    def undisturbed(self):
        """The root of the same run, done alone."""
        result = hiple("run", self.file, "--output", self.root / "undisturbed")
        assert result.returncode == 0, result.stderr
        return status(self.root / "undisturbed")["root"]


@pytest.fixture
def study(tmp_path, cluster):
    yield SlurmStudy(tmp_path, cluster)
    cluster.clean()
