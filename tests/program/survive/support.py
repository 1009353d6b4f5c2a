"""What the tests of survival share: runs that are made to fail, and what they must leave behind."""

import contextlib
import json
import os
import pathlib
import subprocess
import time

import h5py
from conftest import BIN, environment, hiple, mpirun, status

ENGINES = ("alpha", "beta", "gamma")


def alone(*words, **more):
    return hiple(*words, **more)


def begin(*words, **more):
    """The same, going on in the background."""
    return subprocess.Popen([str(BIN / "hiple"), *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            env=environment(**more))


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


def assert_same_judgments(one, other, engine):
    assert data_of(one / "judgments" / f"{engine}.h5") == data_of(other / "judgments" / f"{engine}.h5"), engine


def assert_same_results(one, other, engines=ENGINES):
    """Bit by bit: judgments, and weights and moments of the finished checkpoints."""
    for name in engines:
        assert_same_judgments(one, other, name)
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


@contextlib.contextmanager
def memory_group(limit):
    """A memory cgroup of so many bytes, as a scheduler makes for a job: what to call in a new process, so that it is in it. Nothing
    where none can be made here."""
    version_1 = pathlib.Path("/sys/fs/cgroup/memory")
    root, name = (version_1, "memory.limit_in_bytes") if version_1.is_dir() else (pathlib.Path("/sys/fs/cgroup"), "memory.max")
    group = root / f"hiple-test-{os.getpid()}"
    try:
        group.mkdir()
    except OSError:
        yield None
        return
    try:
        (group / name).write_text(str(limit))
        yield lambda: (group / "cgroup.procs").write_text(str(os.getpid()))
    except OSError:
        yield None
    finally:
        for _ in range(100):
            try:
                group.rmdir()
                break
            except OSError:  # somebody in it is about to end
                time.sleep(0.1)
