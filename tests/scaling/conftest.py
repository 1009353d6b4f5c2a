"""What the tests of the study share: the programs, and the folders of its Python sources."""

import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from launching import BIN, PATIENCE, ROOT, environment  # noqa: E402

for folder in ("study", "network"):
    sys.path.insert(0, str(ROOT / "scaling" / folder))


def scaling(*words, ranks=0, timeout=PATIENCE):
    """`hiple-scaling ...`, under mpirun where `ranks` are given."""
    command = ["mpirun", "-n", str(ranks)] if ranks else []
    return subprocess.run([*command, str(BIN / "hiple-scaling"), *map(str, words)], capture_output=True, text=True, timeout=timeout,
                          env=environment(), check=False)
