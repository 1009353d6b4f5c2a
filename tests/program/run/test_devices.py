"""Which device a process trains on, and what becomes of a run where there is none, as a user sees it. What needs a device is
among the tests of label gpu; here every place is told by `hiple devices --assume`, which assumes so many."""

import json
import os

import pytest
from conftest import hiple, mpirun

HIDDEN = {"CUDA_VISIBLE_DEVICES": "-1"}


def place(assumed, **variables):
    done = hiple("devices", "--json", "--assume", assumed, **variables)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["place"]


def open_mpi(local_rank, local_size, size):
    return {"OMPI_COMM_WORLD_RANK": str(local_rank), "OMPI_COMM_WORLD_SIZE": str(size),
            "OMPI_COMM_WORLD_LOCAL_RANK": str(local_rank), "OMPI_COMM_WORLD_LOCAL_SIZE": str(local_size)}


def slurm(local_rank, tasks, **more):
    return {"SLURM_PROCID": str(local_rank), "SLURM_NTASKS": str(tasks), "SLURM_STEP_NUM_TASKS": str(tasks),
            "SLURM_LOCALID": str(local_rank), "SLURM_STEP_TASKS_PER_NODE": str(tasks), "SLURM_NODEID": "0", **more}


def test_each_rank_of_a_host_takes_its_own():
    assert [place(4, **open_mpi(rank, 4, 8))["device"] for rank in range(4)] == [0, 1, 2, 3]
    assert [place(4, **slurm(rank, 4))["device"] for rank in range(4)] == [0, 1, 2, 3]
    assert place(4)["device"] == 0


def test_a_device_of_its_own_for_each_task_is_number_zero():
    found = [place(1, **slurm(rank, 8, SLURM_GPUS_PER_TASK="1")) for rank in range(8)]
    assert {(one["device"], one["sharing"], one["notice"]) for one in found} == {(0, 1, "")}


def test_eight_ranks_on_one_device_share_it_with_a_notice():
    found = place(1, **slurm(5, 8))
    assert (found["device"], found["sharing"]) == (0, 8) and "8 ranks of this host train on 1 device" in found["notice"]
    text = hiple("devices", "--assume", 1, **slurm(5, 8))
    assert "process 5 of 8 on this host trains on device 0" in text.stdout and "share its memory" in text.stdout


def test_a_script_that_chose_says_out_of_how_many():
    assert place(1, **open_mpi(2, 4, 8), HIPLE_DEVICES_OF_HOST="4")["notice"] == ""
    assert place(1, **open_mpi(2, 4, 8), HIPLE_DEVICES_OF_HOST="2")["sharing"] == 2
    done = hiple("devices", HIPLE_DEVICES_OF_HOST="none", CUDA_VISIBLE_DEVICES="-1")
    assert done.returncode == 0
    done = hiple("devices", "--assume", 1, HIPLE_DEVICES_OF_HOST="none")
    assert done.returncode == 2 and "HIPLE_DEVICES_OF_HOST=none is no number of devices" in done.stderr


def test_none_is_visible():
    done = hiple("devices", **HIDDEN)
    assert done.returncode == 0 and "none is visible" in done.stdout
    assert "no CUDA device is visible (CUDA_VISIBLE_DEVICES=-1): engines train on the processor" in done.stdout


@pytest.mark.parametrize("ranks", [0, 4], ids=["alone", "under mpirun"])
def test_without_a_device_the_processor_trains_and_says_so_once(study, ranks, monkeypatch):
    monkeypatch.setitem(os.environ, "CUDA_VISIBLE_DEVICES", "-1")
    done = mpirun(ranks, "run", study.file) if ranks else hiple("run", study.file)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("engines train on the processor") == 1
    result = json.loads((study.directory / "engines" / "alpha" / "result.json").read_text())
    assert result["training"]["device"] == "cpu"


def test_nothing_is_said_where_no_engine_would_use_one(study):
    study.replace("run.yaml", "    model:", "    device: cpu\n    model:")
    assert study.file.read_text().count("device: cpu") == 3
    done = hiple("run", study.file, **HIDDEN)
    assert done.returncode == 0 and "processor" not in done.stderr


@pytest.mark.parametrize("ranks", [0, 4], ids=["alone", "under mpirun"])
def test_an_engine_that_wants_a_device_is_refused_before_anything_starts(study, ranks, monkeypatch):
    monkeypatch.setitem(os.environ, "CUDA_VISIBLE_DEVICES", "-1")
    study.replace("run.yaml", "    domain: beta\n", "    domain: beta\n    device: cuda\n")
    done = mpirun(ranks, "run", study.file) if ranks else hiple("run", study.file)
    assert done.returncode == 2, done.stderr
    assert "run.yaml:16:5: engine beta: device cuda, and there is none" in done.stderr
    assert "no CUDA device is visible" in done.stderr or "built without CUDA" in done.stderr
    assert "device: auto" in done.stderr
    assert not study.directory.exists()


def test_a_task_that_wants_a_device_is_refused_and_its_neighbours_are_not(study):
    study.replace("run.yaml", "    domain: beta\n", "    domain: beta\n    device: cuda\n")
    assert hiple("train", study.file, "--engine", "alpha", **HIDDEN).returncode == 0
    done = hiple("train", study.file, "--engine", "beta", **HIDDEN)
    assert done.returncode == 2 and "engine beta: device cuda, and there is none" in done.stderr
    assert not (study.directory / "engines" / "beta").exists()


def test_checking_needs_no_device(study):
    """A study for a cluster is checked and submitted where there is none."""
    study.replace("run.yaml", "    domain: beta\n", "    domain: beta\n    device: cuda\n")
    assert hiple("check", study.file, **HIDDEN).returncode == 0
    assert not study.directory.exists()
