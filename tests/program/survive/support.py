"""What the tests of survival share: runs that are made to fail, and what they must leave behind."""

import json
import os
import pathlib
import time

import h5py
import pytest
from conftest import hiple, mpirun, status

ENGINES = ("alpha", "beta", "gamma")


def alone(*words, **more):
    return hiple(*words, **more)


def ranks(count):
    return lambda *words: mpirun(count, *words, options=("--enable-recovery",))


def prepare(study, *lines, epochs=4):
    """A checkpoint after every epoch, of four steps; and more lines for run.yaml."""
    study.write_run(epochs=epochs)
    text = study.file.read_text().replace("early_stop: 0}", "early_stop: 0, checkpoint_every: 1}")
    study.file.write_text(text + "".join(line + "\n" for line in lines))


def undisturbed(study, name="undisturbed"):
    """A run that nothing happens to, in a directory of its own."""
    result = hiple("run", study.file, "--output", study.root / name)
    assert result.returncode == 0, result.stdout + result.stderr
    return study.root / name


def data_of(path):
    """All data sets of a file, as bytes; of a checkpoint everything that training goes on from."""
    found = {}
    with h5py.File(path) as file:
        file.visititems(lambda name, node: found.update({name: node[()].tobytes()}) if isinstance(node, h5py.Dataset) else None)
    return found


def assert_same_results(one, other, engines=ENGINES):
    """Bit by bit: judgments, and weights and moments of the finished checkpoints."""
    for name in engines:
        assert data_of(one / "judgments" / f"{name}.h5") == data_of(other / "judgments" / f"{name}.h5"), name
        first, second = (data_of(at / "engines" / name / "checkpoint.h5") for at in (one, other))
        for data in ("weights", "first_moment", "second_moment", "best"):
            assert first[data] == second[data], (name, data)


def attempts(directory, engine):
    """{number: [lines]} of attempts.jsonl."""
    found = {}
    for line in (directory / "engines" / engine / "attempts.jsonl").read_text().splitlines():
        record = json.loads(line)
        found.setdefault(record["attempt"], []).append(record)
    return found


def failure(directory, engine):
    return json.loads((directory / "engines" / engine / "FAILED").read_text())


def result_of(directory, engine):
    return json.loads((directory / "engines" / engine / "result.json").read_text())


def missing(directory):
    return [entry["engine"] for entry in status(directory)["missing"]]


def wait_for(condition, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.01)
    pytest.fail("it did not come to it")


def command_line(process):
    try:
        return pathlib.Path(f"/proc/{process}/cmdline").read_bytes().decode(errors="replace").split("\0")
    except OSError:
        return []


def processes():
    """(process, parent, command line) of all that are alive."""
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        words = command_line(entry.name)
        if fields[0] != "Z" and words:
            yield int(entry.name), int(fields[1]), words


def engine_processes(directory):
    """{process: engine} of the processes that train engines of a run."""
    return {process: words[words.index("--engine") + 1] for process, _, words in processes()
            if "--attempt" in words and str(directory) in words}


def spawners_of(directory):
    """The spawners whose child trains an engine of the run."""
    trainers = engine_processes(directory)
    return {parent for process, parent, _ in processes() if process in trainers}


def busy_seconds(process):
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
