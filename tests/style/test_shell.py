"""Every shell script of the project passes shellcheck."""

import os
import pathlib
import subprocess

SOURCE = pathlib.Path(os.environ["HIPLE_SOURCE_DIR"])
FOLDERS = ("jobs", "slurm", "scaling", "tests")


def test_shell_scripts_are_clean():
    scripts = [path for folder in FOLDERS for path in sorted((SOURCE / folder).rglob("*")) if path.suffix in (".sh", ".sbatch")]
    assert len(scripts) > 10
    result = subprocess.run(["shellcheck", "-x", *map(str, scripts)], capture_output=True, text=True, cwd=SOURCE)
    assert result.returncode == 0, result.stdout + result.stderr
