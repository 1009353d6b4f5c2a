"""Engines that judge only what the law asks for: the same decisions as where every engine judges every case, for every number of
ranks and in every way to run; and what becomes of the run where one of them fails."""

import json
import os
import signal

import h5py
import numpy as np
import pytest
from conftest import PATIENCE, hiple, mpirun, start, status, wait_for

ENGINES = ("alpha", "beta", "gamma")


@pytest.fixture
def dense(study):
    """The directory of a run in which every engine judges every case; the study's own judges on demand."""
    study.route()
    result = hiple("run", study.file, "--output", study.root / "dense")
    assert result.returncode == 0, result.stderr
    assert "judgments made: 720 of 720 (100.00 %)" in result.stdout
    study.on_demand()
    return study.root / "dense"


def root(directory):
    return status(directory)["root"]


def statuses(directory, engine):
    with h5py.File(directory / "judgments" / f"{engine}.h5") as file:
        return file["status"][...]


def consulted(directory):
    """[cases, engines]: whether the engine was consulted."""
    with h5py.File(directory / "decisions.h5") as file:
        bits = file["consulted"][:, 0]
        return np.array([(bits >> e) & 1 for e in range(len(file["engines/name"]))], dtype=bool).T


def check_cost(directory):
    """Judged is what was consulted, and nothing else; and that is not everything."""
    asked = np.array([statuses(directory, engine) != 3 for engine in ENGINES]).T
    assert (asked == consulted(directory)).all()
    assert status(directory)["judgments"] == asked.sum() < 0.8 * asked.size


def same_judgments(directory, dense):
    """What was judged is what the same engine says where it judges everything, bit by bit."""
    for engine in ENGINES:
        with h5py.File(directory / "judgments" / f"{engine}.h5") as some, h5py.File(dense / "judgments" / f"{engine}.h5") as all_:
            asked = some["status"][...] != 3
            for name in ("label", "confidence", "probability", "typicality", "status"):
                assert some[name][...][asked].tobytes() == all_[name][...][asked].tobytes(), (engine, name)
            assert np.isnan(some["confidence"][...][~asked]).all() and (some["label"][...][~asked] == 65535).all()


@pytest.mark.parametrize("ranks", [0, 1, 2, 4, 9])
def test_the_same_decisions(study, dense, ranks):
    result = mpirun(ranks, "run", study.file) if ranks else hiple("run", study.file)
    assert result.returncode == 0, result.stdout + result.stderr
    assert root(study.directory) == root(dense)
    assert f"judgments made on demand: {status(study.directory)['judgments']} of 720" in result.stdout
    check_cost(study.directory)
    same_judgments(study.directory, dense)
    assert list((study.directory / "requests").glob("*")) == []
    assert hiple("replay", study.directory).returncode == 0
    # Engines were asked after they were trained, and not trained again.
    logs = [(study.directory / "engines" / engine / "log.txt").read_text() for engine in ENGINES]
    assert sum("more cases that the law asks about" in log for log in logs) >= 2
    assert all(len((study.directory / "engines" / engine / "progress.jsonl").read_text().splitlines()) <= 2 for engine in ENGINES)


@pytest.mark.parametrize("isolation", ["process", "rank"])
def test_no_call_to_mpi_while_training_or_judging(study, dense, isolation):
    study.file.write_text(study.file.read_text() + f"isolation: {isolation}\n")
    result = mpirun(4, "run", study.file)
    assert result.returncode == 0, result.stdout + result.stderr
    assert root(study.directory) == root(dense)
    certificate = json.loads((study.directory / "certificate.json").read_text())
    assert certificate["verdict"] == "synchronisation-free" and certificate["steps"] > 0
    with h5py.File(study.directory / "ledger.h5") as file:
        calls = file["calls"]
        seen = {(rank, phase.decode(), function.decode()): count for rank, phase, function, count in
                zip(calls["rank"][:].tolist(), calls["phase"][:], calls["function"][:], calls["calls"][:].tolist())}
    assert not [call for call in seen if call[1] in ("train", "judge", "write")]
    # The integrator asks from rank to rank, those who are asked hear it and say when they have judged: point to point.
    assert seen[3, "wait", "MPI_Isend"] >= 2
    assert sum(seen[rank, "notify", "MPI_Isend"] >= 2 for rank in range(3)) >= 2
    assert any((rank, "wait", "MPI_Recv") in seen for rank in range(3))
    collective = [call for call in seen if call[1] not in ("init", "finalize") and call[2] not in
                  ("MPI_Isend", "MPI_Test", "MPI_Iprobe", "MPI_Recv", "MPI_Wtime", "MPI_Error_string")]
    assert collective == []


def answer(study, *engines):
    for engine in engines:
        result = hiple("judge", study.directory, "--engine", engine, "--requests")
        assert result.returncode == 0, result.stderr


def integrate_until_decided(study, engines=ENGINES):
    """Of an array: how often the law asked."""
    for asked in range(10):
        result = hiple("integrate", study.file)
        if result.returncode != 5:
            return asked, result
        assert "Nothing is decided yet" in result.stdout and not (study.directory / "STATUS").exists()
        answer(study, *engines)
    raise AssertionError("the law asks without end")


def train(study):
    for engine in ENGINES:
        assert hiple("train", study.file, "--engine", engine).returncode == 0


def test_an_array_with_written_requests(study, dense):
    train(study)
    first = hiple("integrate", study.file)
    assert first.returncode == 5, first.stdout + first.stderr
    requests = sorted(path.stem for path in (study.directory / "requests").glob("*.h5"))
    assert requests
    for name in requests:
        with h5py.File(study.directory / "requests" / f"{name}.h5") as file:
            ids = file["case_id"][...]
            assert file.attrs["format"] == "hiple request" and file.attrs["engine"] == name
            assert (statuses(study.directory, name)[ids - 1] == 3).all()
            assert f"  {name}: {len(ids)} cases" in first.stdout
    told = hiple("status", study.directory)
    assert "the law asks about" in told.stdout and told.returncode == 5
    # Any task of the array answers; a second `hiple train` does too, and one that is asked nothing does nothing.
    assert hiple("train", study.directory, "--engine", requests[0]).returncode == 0
    assert not (study.directory / "requests" / f"{requests[0]}.h5").exists()
    asked, result = integrate_until_decided(study)
    assert result.returncode == 0 and asked >= 1, result.stdout
    assert root(study.directory) == root(dense)
    check_cost(study.directory)
    assert list((study.directory / "requests").glob("*")) == []


def test_integrate_judges_here_where_it_is_told_to(study, dense):
    train(study)
    result = hiple("integrate", study.file, "--judge")
    assert result.returncode == 0, result.stderr
    assert root(study.directory) == root(dense)
    check_cost(study.directory)


def test_a_new_law_asks_for_what_it_lacks(study, dense):
    assert hiple("run", study.file).returncode == 0
    before = status(study.directory)["judgments"]
    study.replace("law.yaml", "engines: [beta]}", "engines: [beta, gamma]}")
    result = hiple("integrate", study.file)
    assert result.returncode == 5, result.stdout
    assert hiple("replay", study.directory).returncode == 2  # nothing is decided
    _, result = integrate_until_decided(study)
    assert result.returncode == 0 and status(study.directory)["judgments"] > before
    again = hiple("integrate", study.file, "--output", dense)
    assert again.returncode == 0 and root(dense) == root(study.directory)


def test_a_law_that_would_ask_for_more_cannot_be_compared(study, dense):
    assert hiple("run", study.file).returncode == 0
    law, new = study.root / "law.yaml", study.root / "law-new.yaml"
    new.write_text(law.read_text().replace("a > 1.5", "a > 1.4"))
    assert hiple("law", "diff", law, new, "--run", study.directory).returncode == 0
    new.write_text(law.read_text().replace("engines: [beta]}", "engines: [beta, gamma]}"))
    result = hiple("law", "diff", law, new, "--run", study.directory)
    assert result.returncode == 2 and "judgments that they did not make" in result.stderr
    assert hiple("law", "diff", law, new, "--run", dense).returncode == 0


def test_a_dense_law_does_not_pass_over_what_was_not_judged(study, dense):
    """`hiple integrate` alone, after the setting was changed: what is not asked is not taken for unavailable."""
    assert hiple("run", study.file).returncode == 0
    study.replace("run.yaml", ", judging: on_demand", "")
    study.replace("law.yaml", "engines: [beta]}", "engines: [beta, gamma]}")
    result = hiple("integrate", study.file)
    assert result.returncode == 5 and "  gamma: " in result.stdout, result.stdout
    assert hiple("integrate", study.file, "--judge").returncode == 0
    assert hiple("integrate", study.file, "--output", dense).returncode == 0
    assert root(study.directory) == root(dense)


def test_what_was_judged_on_demand_is_completed_where_it_is_to_be_dense(study, dense):
    assert hiple("run", study.file).returncode == 0
    study.replace("run.yaml", ", judging: on_demand", "")
    result = hiple("run", study.file)
    assert result.returncode == 0 and "judgments made: 720 of 720" in result.stdout
    assert root(study.directory) == root(dense)
    for engine in ENGINES:
        with h5py.File(study.directory / "judgments" / f"{engine}.h5") as a, h5py.File(dense / "judgments" / f"{engine}.h5") as b:
            assert a["probability"][...].tobytes() == b["probability"][...].tobytes()


def without_gamma(study, dense):
    """The root of a dense run in which gamma has failed."""
    study.replace("run.yaml", ", judging: on_demand", "")
    result = hiple("run", study.file, "--output", study.root / "without", "--inject", "engine=gamma,step=1,kind=nan")
    assert result.returncode == 3, result.stderr
    study.on_demand()
    return root(study.root / "without")


@pytest.mark.parametrize("ranks, kind", [(0, "throw"), (0, "kill"), (4, "kill")])
def test_an_engine_that_fails_when_it_is_asked(study, dense, ranks, kind):
    expected = without_gamma(study, dense)
    study.file.write_text(study.file.read_text() + "restarts: 1\n")
    words = ("run", study.file, "--inject", f"engine=gamma,at=request,kind={kind}")
    result = mpirun(ranks, *words) if ranks else hiple(*words)
    record = status(study.directory)
    assert record["state"] == "partial" and [entry["engine"] for entry in record["missing"]] == ["gamma"], result.stderr
    assert "failed when it was asked to judge more" in record["missing"][0]["reason"]
    assert root(study.directory) == expected
    if not ranks:
        assert result.returncode == 3
    # What it judged before is kept, and the next time it is asked again.
    assert hiple("run", study.file).returncode == 0
    assert root(study.directory) == root(dense)


def test_a_failure_that_is_made_good(study, dense):
    result = mpirun(4, "run", study.file, "--inject", "engine=gamma,at=request,kind=kill,attempt=2")
    assert result.returncode == 0, result.stderr
    assert root(study.directory) == root(dense)


def test_an_array_task_that_fails(study, dense):
    expected = without_gamma(study, dense)
    study.file.write_text(study.file.read_text() + "restarts: 0\n")
    train(study)
    for _ in range(10):
        result = hiple("integrate", study.file)
        if result.returncode != 5:
            break
        answer(study, "alpha", "beta")
        asked = (study.directory / "requests" / "gamma.h5").exists()
        failed = hiple("train", study.file, "--engine", "gamma", "--inject", "engine=gamma,at=request,kind=exit")
        assert failed.returncode == (1 if asked else 0), failed.stderr
    assert result.returncode == 3 and root(study.directory) == expected


def test_an_array_task_that_never_comes(study, dense):
    """Its request is left three times, and then the law does without it."""
    expected = without_gamma(study, dense)
    train(study)
    asked, result = integrate_until_decided(study, ("alpha", "beta"))
    assert result.returncode == 3 and asked >= 3
    assert "was asked 3 times to judge more" in status(study.directory)["missing"][0]["reason"]
    assert root(study.directory) == expected


def test_a_request_of_other_data_is_refused(study, dense):
    train(study)
    assert hiple("integrate", study.file).returncode == 5
    (study.directory / "requests" / "gamma.h5").write_bytes(b"no request")
    result = hiple("judge", study.file, "--engine", "gamma", "--requests")
    assert result.returncode == 2 and "requests/gamma.h5" in result.stderr
    assert hiple("integrate", study.file, "--judge").returncode == 0  # asks again
    assert root(study.directory) == root(dense)


def test_a_rank_that_dies_when_it_is_asked(study, dense):
    """Its engine's process is in the rank itself: nobody is left to say so."""
    expected = without_gamma(study, dense)
    study.file.write_text(study.file.read_text() + "isolation: rank\n")
    mpirun(4, "run", study.file, "--inject", "engine=gamma,at=request,kind=kill", options=("--enable-recovery",))
    record = status(study.directory)
    assert record["state"] == "partial" and root(study.directory) == expected
    assert "lost when it was asked to judge more" in record["missing"][0]["reason"]


def test_the_integrator_dies_while_it_waits(study, dense):
    """The others end, and `hiple integrate` goes on from the files."""
    run = start(4, "run", study.file, "--inject", "engine=gamma,at=request,kind=stop", options=("--enable-recovery",))
    wait_for(lambda: list((study.directory / "requests").glob("gamma.h5")))
    holder = json.loads((study.directory / "LOCK").read_text())
    os.kill(holder["process"], signal.SIGKILL)
    said = run.communicate(timeout=PATIENCE)[0]
    assert not (study.directory / "STATUS").exists(), said
    result = hiple("integrate", study.file, "--judge")
    assert result.returncode == 0, result.stderr
    assert root(study.directory) == root(dense)


def test_options_that_do_not_go_together(study):
    assert hiple("run", study.file).returncode == 0
    for words in (("--requests", "--cases", "cases.csv", "--out", "x.h5"), (), ("--cases", "cases.csv"), ("--out", "x.h5")):
        assert hiple("judge", study.directory, "--engine", "alpha", *words).returncode == 2, words
    study.file.write_text(study.file.read_text().replace("quorum: all}", "quorum: all, judging: on-demand}"))
    result = hiple("check", study.file)
    assert result.returncode == 2 and 'did you mean "on_demand"' in result.stderr, result.stderr
