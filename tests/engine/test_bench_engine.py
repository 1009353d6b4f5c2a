"""hiple-bench-engine: its output keeps its format, and its training agrees with PyTorch's where that is installed."""
import json
import os
import pathlib
import subprocess

import pytest

PROGRAM = pathlib.Path(os.environ["HIPLE_BIN_DIR"]) / "hiple-bench-engine"
PEER = pathlib.Path(os.environ["HIPLE_SOURCE_DIR"]) / "scaling/peers/pytorch_engine.py"


@pytest.fixture(autouse=True)
def program_is_built():
    if not PROGRAM.exists():
        pytest.skip("hiple-bench-engine is not built (HIPLE_BENCHMARKS=OFF)")


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False)


def test_output_format():
    done = run("--case", "4-8-3:16", "--repetitions", "2", "--seconds", "0.001")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["metadata"].keys() == {"program", "compiler", "build_type", "flags", "clock", "threads", "created"}
    [result] = report["results"]
    assert result.keys() == {"case", "parameters", "steps_per_second", "median_steps_per_second", "product_gflops",
                             "warm_up_step_us", "parts"}
    assert result["parameters"] == 4 * 8 + 8 + 8 * 3 + 3
    assert len(result["steps_per_second"]) == 2
    assert result["parts"].keys() == {"load_us", "forward_us", "loss_us", "backward_us", "adam_us"}


def test_output_format_of_judging():
    done = run("--case", "4-8-3:16", "--repetitions", "2", "--seconds", "0.001", "--judging", "--threads", "2")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["metadata"]["threads"] == 2
    [result] = report["results"]
    assert result.keys() == {"case", "parameters", "batches_per_second", "median_batches_per_second"}
    assert len(result["batches_per_second"]) == 2


@pytest.mark.parametrize("case", ["", "4-8-3", "4:16", "4-x-3:16", "4-0-3:16", "4-8-3:-1", "4-8-3:16:1"])
def test_a_wrong_case_is_named(case):
    done = run("--case", case)
    assert done.returncode == 2
    assert f"'{case}'" in done.stderr and "32-64-64-8:64" in done.stderr


def python_with_torch():
    candidates = [os.environ.get("HIPLE_PEER_PYTHON"), PROGRAM.parent.parent / "peers/pytorch/bin/python",
                  pathlib.Path(os.environ["HIPLE_SOURCE_DIR"]) / "build/peers/pytorch/bin/python", "/usr/bin/python3"]
    for python in filter(None, candidates):
        if os.path.exists(python) and subprocess.run([python, "-c", "import torch"], capture_output=True, check=False).returncode == 0:
            return python
    return None


def test_losses_agree_with_pytorch():
    python = python_with_torch()
    if python is None:
        pytest.skip("no Python with PyTorch: scaling/peers/install_pytorch.sh build/peers/pytorch makes one, "
                    "or HIPLE_PEER_PYTHON names one")
    done = subprocess.run([python, PEER, PROGRAM, "32-64-64-8:64", "64-256-256-16:256"], capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stdout + done.stderr
