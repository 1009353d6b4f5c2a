"""What the tests of the study share: the programs, and the folders of its Python sources."""

import pathlib
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from launching import BIN, OPEN_MPI, PATIENCE, ROOT, environment  # noqa: E402

for folder in ("study", "network"):
    sys.path.insert(0, str(ROOT / "scaling" / folder))


def scaling(*words, ranks=0, timeout=PATIENCE):
    """`hiple-scaling ...`, under mpirun where `ranks` are given."""
    command = ["mpirun", "-n", str(ranks)] if ranks else []
    return subprocess.run([*command, str(BIN / "hiple-scaling"), *map(str, words)], capture_output=True, text=True, timeout=timeout,
                          env=environment(), check=False)


@pytest.fixture(scope="session")
def single(tmp_path_factory):
    """The monolith on one rank: its record and weights."""
    from oracle import SHAPE
    from scaling_case import Result

    result = Result(tmp_path_factory.mktemp("single"), 1, "--strategy", "single", *SHAPE)
    return result.record, result.weights()


@pytest.fixture
def counted_messages(monkeypatch):
    """Open MPI's monitoring: a record then has what really left each rank."""
    monkeypatch.setitem(OPEN_MPI, "OMPI_MCA_pml_monitoring_enable", "1")
