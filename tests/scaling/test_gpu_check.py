"""gpu_check.sh where there is no GPU: every line says NOT RUN, no figure is shown, and a bundle says the same."""

import os
import re
import subprocess
import sys

import pytest

from launching import BIN, PATIENCE, ROOT

SCRIPT = ROOT / "scaling" / "gpu_check.sh"
HIDDEN = {**os.environ, "CUDA_VISIBLE_DEVICES": "-1"}


def run(*words, **more):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=PATIENCE, env={**HIDDEN, **more})


def expect_not_run(done):
    assert done.returncode == 77, done.stdout + done.stderr
    title, head, *lines = done.stdout.splitlines()
    assert title.startswith("NOT RUN: ") and head.split() == ["what", "bar", "measured", "met"]
    assert len(lines) == 10
    for line in lines:
        assert line.split()[-1] == "-" and "NOT RUN" in line
        assert not re.search(r"steps/s|GB/s|passed|yes", line)


@pytest.fixture
def table():
    return [sys.executable, ROOT / "scaling" / "gpu_check_table.py", "--bin", BIN, "--peers", ROOT / "scaling" / "peers"]


def test_without_a_gpu_nothing_is_claimed(table):
    expect_not_run(run(*table))


def test_a_bundle_runs_by_itself(tmp_path):
    if not (BIN / "hiple-bench-cuda").exists():
        pytest.skip("built without CUDA: there is nothing to bundle")
    bundle = tmp_path / "bundle.tar.gz"
    done = run(SCRIPT, "-b", BIN.parent, "-m", bundle)
    assert done.returncode == 0, done.stderr
    assert bundle.stat().st_size <= 64 << 20
    run("tar", "-C", tmp_path, "-xzf", bundle)
    expect_not_run(run(tmp_path / "hiple-gpu" / "gpu_check.sh"))
    done = run(tmp_path / "hiple-gpu" / "bin" / "hiple-bench-cuda", "--case", "32-64-64-8:64")
    assert done.returncode == 1 and "CUDA: cudaSetDevice: " in done.stderr


def test_wrong_words_are_refused():
    assert run(SCRIPT, "--what").returncode == 2
    assert run(SCRIPT, "run.yaml").returncode == 2


def test_figures_that_miss_a_bar_end_in_failure(table, tmp_path):
    """With programs that answer as those on a device would: the table shows their figures, and a bar that is missed is told."""
    answers = {
        "hiple": '{"cuda": true, "devices": [{"index": 0, "name": "Card"}], "place": {"notice": ""}}',
        "test_engine": "[  PASSED  ] 2 tests.",
        "hiple-bench-cuda": '{"adam": {"adam_bytes_per_second": 8e11, "copy_bytes_per_second": 1e12, "share": 0.8}, "results": ['
                            + ", ".join(['{"median_steps_per_second": 1000, "at_once_steps_per_second": 20, '
                                         '"one_after_another_steps_per_second": 1, "ratio": 20}'] * 3) + "]}",
        "python": "",
    }
    for name, text in answers.items():
        program = tmp_path / name
        program.write_text(f"#!/bin/sh\n{'exit 1' if name == 'python' else f'''cat <<'END'{chr(10)}{text}{chr(10)}END'''}\n")
        program.chmod(0o755)
    words = [*table[:3], tmp_path, *table[4:], "--python", tmp_path / "python", "--output", tmp_path]
    done = run(*words)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "800 GB/s of 1000 GB/s: 0.800" in done.stdout and done.stdout.count("NO\n") == 1
    assert "20 and 1 steps/s: 20.00 times" in done.stdout and "PyTorch NOT RUN" in done.stdout
    assert (tmp_path / "adam.txt").read_text().startswith('{"adam"')
