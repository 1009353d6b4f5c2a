"""What all tests of programs share: where the programs are, and an environment in which a launcher starts them."""

import os
import pathlib
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
BIN = pathlib.Path(os.environ["HIPLE_BIN_DIR"])

# As root, with more ranks than cores, on the loopback interface only (Open MPI 4.1).
OPEN_MPI = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "OMPI_MCA_btl_base_warn_component_unused": "0",
    "OMPI_MCA_btl_tcp_if_include": "lo",
    "OMPI_MCA_oob_tcp_if_include": "lo",
}
# Seconds after which what a test waits for hangs. Far above what anything takes: how fast a machine is, no test judges.
PATIENCE = 600
LAUNCHER = ("OMPI_", "PMIX_", "PMI_", "SLURM_")


def environment(**more):
    """This environment without what a launcher around the tests may have left in it."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(LAUNCHER)}
    return {**clean, **OPEN_MPI, **more}


def wait_for(condition, seconds=PATIENCE):
    """Polls until a condition is something, and returns what it is; fails after a while, for a test that would hang says nothing."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError("it did not come to it")
