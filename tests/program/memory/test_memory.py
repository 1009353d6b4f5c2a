"""A run under valgrind, from its table to its decisions, and what is done with it afterwards: no byte is read that is not there or was
never written, and none is lost. Everything happens in one process, so that valgrind sees all of it."""

import os
import pathlib
import shutil
import subprocess

import pytest
from conftest import BIN, PATIENCE, environment, status

PASSED_OVER = pathlib.Path(os.environ["HIPLE_SOURCE_DIR"]) / "tests" / "sanitize" / "valgrind.txt"
FOUND = 9

pytestmark = pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not here (Debian's package valgrind)")


def watched(*words):
    command = ["valgrind", "--quiet", f"--error-exitcode={FOUND}", "--leak-check=full", "--errors-for-leak-kinds=definite",
               f"--suppressions={PASSED_OVER}", "--num-callers=25", str(BIN / "hiple"), *map(str, words)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, env=environment())
    assert "== " not in result.stderr and result.returncode in (0, 4), result.stdout + result.stderr
    return result


def test_a_run_and_what_is_asked_of_it(study):
    study.route()
    study.write_run(epochs=1)
    study.replace("run.yaml", "law: law.yaml\n", "isolation: rank\nlaw: law.yaml\n")
    watched("run", study.file)
    assert status(study.directory)["state"] == "complete"
    watched("explain", study.directory, "--case", 3)
    watched("replay", study.directory)
    watched("report", study.directory)
