"""What the tests of the study share: the programs, and the folders of its Python sources."""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(os.environ["HIPLE_SOURCE_DIR"])
BIN = pathlib.Path(os.environ["HIPLE_BIN_DIR"])
for folder in ("study", "network"):
    sys.path.insert(0, str(ROOT / "scaling" / folder))

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


def environment(**more):
    """This environment without what a launcher around the tests may have left in it."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("OMPI_", "PMIX_", "PMI_", "SLURM_"))}
    return {**clean, **OPEN_MPI, **more}


def scaling(*words, ranks=0, timeout=120):
    """`hiple-scaling ...`, under mpirun where `ranks` are given."""
    command = ["mpirun", "-n", str(ranks)] if ranks else []
    return subprocess.run([*command, str(BIN / "hiple-scaling"), *map(str, words)], capture_output=True, text=True, timeout=timeout,
                          env=environment(), check=False)
