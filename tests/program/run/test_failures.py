"""What goes wrong in one engine, one rank or one run stays there, is named, and can be gone on from."""

import json
import os
import resource
import signal
import subprocess
import time

import h5py
import pytest
from conftest import BIN, PATIENCE, busy_seconds, environment, hiple, holder, mpirun, start, status, wait_for

SURVIVE = ("--enable-recovery",)


def modified(study):
    return {name: (study.directory / "judgments" / f"{name}.h5").stat().st_mtime_ns for name in ("alpha", "beta", "gamma")}


@pytest.mark.parametrize("run", [lambda *words: hiple(*words), lambda *words: mpirun(3, *words)], ids=["alone", "ranks"])
def test_a_failed_engine_is_named_and_the_rest_decided(study, run):
    study.replace("run.yaml", "b > -3 [mm]", "b > 1000 [mm]")  # no rows are left
    result = run("run", study.file)
    assert result.returncode == 3, result.stderr
    assert status(study.directory)["state"] == "partial"
    assert [missing["engine"] for missing in status(study.directory)["missing"]] == ["gamma"]
    assert "gamma" in result.stdout
    assert "rows" in (study.directory / "engines" / "gamma" / "FAILED").read_text()
    with h5py.File(study.directory / "decisions.h5") as file:
        assert len(file["case_id"]) == 240
    shown = hiple("status", study.directory)
    assert shown.returncode == 3 and "gamma" in shown.stdout
    assert hiple("explain", study.directory, "--case", 7).returncode == 0


def test_a_target_of_one_class(study):
    study.replace("run.yaml", "b > -3 [mm]", "b > 1 [mm]")
    study.replace("run.yaml", "target: z", "target: y")  # always high there
    study.replace("law.yaml", 'gamma.label == "true"', 'gamma.label == "high"')
    result = hiple("run", study.file)
    assert result.returncode == 3, result.stdout + result.stderr
    assert "class" in status(study.directory)["missing"][0]["reason"]


def test_the_deadline_passes(study):
    study.write_run(slow=("beta",), deadline="3s")
    result = mpirun(4, "run", study.file)
    assert result.returncode == 3, result.stdout + result.stderr
    missing = status(study.directory)["missing"]
    assert [entry["engine"] for entry in missing] == ["beta"]
    assert "deadline" in missing[0]["reason"]
    # Its time is not lost: the next run goes on from the checkpoint, and the others are not trained again.
    assert (study.directory / "engines" / "beta" / "checkpoint.h5").exists()


def test_finished_engines_are_not_trained_again(study):
    assert mpirun(3, "run", study.file).returncode == 0
    before = modified(study)
    again = mpirun(4, "run", study.file)
    assert again.returncode == 0 and again.stderr.count("finished before, kept") == 3, again.stderr
    assert modified(study) == before
    assert mpirun(4, "run", study.file, "--fresh").returncode == 0
    after = modified(study)
    assert all(after[name] != before[name] for name in before)


def test_new_data_and_damaged_judgments_are_trained_again(study):
    assert hiple("run", study.file).returncode == 0
    root = status(study.directory)["root"]
    before = modified(study)
    judgments = study.directory / "judgments" / "beta.h5"
    judgments.write_bytes(judgments.read_bytes()[:1000])
    result = hiple("integrate", study.file)
    assert result.returncode == 3 and "beta" in result.stdout
    result = hiple("run", study.file)
    assert result.returncode == 0, result.stderr
    assert status(study.directory)["root"] == root
    assert modified(study)["alpha"] == before["alpha"]
    for damage in (lambda path: path.write_text("x"), lambda path: path.unlink()):
        damage(study.directory / "engines" / "beta" / "result.json")
        result = hiple("run", study.file)
        assert result.returncode == 0, result.stderr
        assert status(study.directory)["root"] == root
    study.write_table(200)
    stale = hiple("integrate", study.file)
    assert stale.returncode == 3 and "other data" in stale.stdout
    refused = mpirun(3, "run", study.file)
    assert refused.returncode == 2 and "changed: the rows" in refused.stderr
    assert mpirun(3, "run", study.file, "--fresh").returncode == 0
    with h5py.File(study.directory / "decisions.h5") as file:
        assert len(file["case_id"]) == 200


def test_a_second_run_in_the_same_directory_is_refused(study):
    study.write_run(slow=("beta",))
    first = start(3, "run", study.file)
    try:
        wait_for(lambda: holder(study.directory / "engines" / "beta" / "LOCK"))
        for second in (hiple("run", study.file), hiple("run", study.file, "--fresh"), mpirun(2, "run", study.file)):
            assert second.returncode == 2
            assert "in use by process" in second.stderr
        assert "goes on" in hiple("status", study.directory).stdout
    finally:
        workers = [holder(study.directory / "LOCK"), holder(study.directory / "engines" / "beta" / "LOCK")]
        first.terminate()
        first.communicate(timeout=PATIENCE)
    wait_for(lambda: not [worker for worker in workers if os.path.exists(f"/proc/{worker}")])
    # What is left of it are locks of processes that are gone: they keep nobody out.
    study.write_run()
    again = hiple("run", study.file, "--fresh")
    assert again.returncode == 0, again.stderr


def test_a_different_run_in_the_same_directory_is_refused(study):
    assert hiple("run", study.file).returncode == 0
    before = modified(study)
    study.write_run(epochs=5)
    for refused in (hiple("run", study.file), mpirun(2, "run", study.file)):
        assert refused.returncode == 2
        assert "engines.alpha.train.epochs: was 4, is 5" in refused.stderr
    assert modified(study) == before
    assert hiple("run", study.file, "--fresh").returncode == 0
    # A new law is no different run: it decides again on the same judgments.
    kept = modified(study)
    study.replace("law.yaml", "a > 1.5", "a > 1.2")
    assert hiple("run", study.file).returncode == 0
    assert modified(study) == kept


def test_a_directory_with_other_files_is_left_alone(study):
    study.directory.mkdir()
    (study.directory / "thesis.txt").write_text("precious")
    result = hiple("run", study.file, "--fresh")
    assert result.returncode == 2 and "holds other files" in result.stderr
    assert [path.name for path in study.directory.iterdir()] == ["thesis.txt"]


def test_a_rank_that_is_killed_costs_its_own_engines(study):
    study.write_run(slow=("beta",))
    run = start(4, "run", study.file, options=SURVIVE)
    process = wait_for(lambda: holder(study.directory / "engines" / "beta" / "LOCK"))
    wait_for(lambda: (study.directory / "engines" / "beta" / "identity").exists())
    os.kill(process, signal.SIGKILL)
    wait_for(lambda: (study.directory / "STATUS").exists())
    run.communicate(timeout=PATIENCE)
    assert status(study.directory)["state"] == "partial"
    missing = status(study.directory)["missing"]
    assert [entry["engine"] for entry in missing] == ["beta"] and "is gone" in missing[0]["reason"]
    # Nobody knows what the lost rank called: no green certificate, however quiet the others were.
    certificate = json.loads((study.directory / "certificate.json").read_text())
    assert certificate["verdict"] == "incomplete" and len(certificate["missing"]) == 1
    study.write_run()
    again = hiple("run", study.file, "--output", study.root / "other")
    assert again.returncode == 0


def test_the_integrator_waits_without_burning_a_core(study):
    study.write_run(slow=("beta",), deadline="30s")
    run = start(2, "run", study.file)
    process = wait_for(lambda: holder(study.directory / "LOCK"))
    wait_for(lambda: (study.directory / "engines" / "beta" / "identity").exists())

    time.sleep(1)
    before, start_time = busy_seconds(process), time.monotonic()
    time.sleep(4)
    share = (busy_seconds(process) - before) / (time.monotonic() - start_time)
    run.terminate()
    run.communicate(timeout=PATIENCE)
    assert share < 0.05, f"{share:.1%} of a core"


def test_copies_without_pmi_are_refused(study):
    result = hiple("run", study.file, SLURM_NTASKS="4", SLURM_PROCID="1", SLURM_STEP_NUM_TASKS="4")
    assert result.returncode == 2
    assert "4 copies" in result.stderr and "--mpi=pmix" in result.stderr
    assert not study.directory.exists()


def test_a_disk_that_is_full(study):
    # No file may grow beyond 3 kB.
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))
    result = subprocess.run([str(BIN / "hiple"), "run", str(study.file)], capture_output=True, text=True, timeout=PATIENCE,
                            env=environment(), preexec_fn=limit)
    assert result.returncode == 1, result.stderr
    assert "engine alpha failed" in result.stderr and "File too large" in result.stderr.splitlines()[-1]
    assert status(study.directory)["state"] == "failed"
    assert not list(study.directory.rglob("*.tmp.*"))
    assert hiple("run", study.file).returncode == 0


def test_moved_gates_and_laws_are_told(study):
    assert ", settled 2" in hiple("run", study.file).stdout
    study.replace("law.yaml", "a > 1.5", "a > 1.2")
    for again in (hiple("integrate", study.file), hiple("run", study.file)):
        assert "CHANGED since the run started" in again.stdout
    assert "CHANGED" not in hiple("run", study.file, "--fresh").stdout


def test_nobody_reads_the_summary(study):
    pipe = '"$0" run "$1" 2>/dev/null | true'
    subprocess.run(["bash", "-c", pipe, f"{BIN}/hiple", study.file], env=environment(), timeout=PATIENCE, check=True)
    wait_for(lambda: (study.directory / "STATUS").exists())
    assert status(study.directory)["state"] == "complete"
