"""A rank or an engine that stands still stops nobody else: judged by step counters, never by a time."""

import os
import re
import signal
import time

import pytest
from conftest import PATIENCE, start, wait_for
from support import ENGINES, command_line, engine_processes, prepare, processes
from test_restart import step_of


def steps(study):
    """{engine: steps in its checkpoint, which is replaced as a whole after every epoch}."""
    return {name: step_of(study.directory / "engines" / name / "checkpoint.h5") for name in ENGINES}


def begun(study):
    return all((study.directory / "engines" / name / "checkpoint.h5").exists() for name in ENGINES)


def trainer_of(study, engine):
    """The process that trains an engine, as its log says: the rank itself, or the engine's own."""
    log = (study.directory / "engines" / engine / "log.txt").read_text()
    return int(re.findall(r"attempt \d+ \(process (\d+)\): begins", log)[-1])


@pytest.mark.parametrize("isolation", ["rank", "process"])
def test_a_stopped_rank_stops_nobody_else_on_4_ranks(study, isolation):
    prepare(study, f"isolation: {isolation}", epochs=1_000_000)
    run = start(4, "run", study.file)
    stopped = []
    try:
        wait_for(lambda: begun(study) and min(steps(study).values()) > 0)
        trainer = trainer_of(study, "beta")
        program = "hiple-run" if isolation == "rank" else "hiple"
        assert os.path.basename(command_line(trainer)[0]) == program
        # Of a process of its own, the rank that watches it stands still too.
        parents = {process: parent for process, parent, _ in processes()}
        stopped = [trainer] if isolation == "rank" else [parents[parents[trainer]], trainer]
        for process in stopped:
            os.kill(process, signal.SIGSTOP)
        time.sleep(1)  # what was under way is done
        before = steps(study)
        time.sleep(4)
        after = steps(study)
        assert after["beta"] == before["beta"]
        assert after["alpha"] > before["alpha"] + 10 and after["gamma"] > before["gamma"] + 10, (before, after)
        for process in stopped:
            os.kill(process, signal.SIGCONT)
        wait_for(lambda: steps(study)["beta"] > after["beta"])
    finally:
        for process in stopped:
            if os.path.exists(f"/proc/{process}"):
                os.kill(process, signal.SIGCONT)
        run.terminate()
        run.communicate(timeout=PATIENCE)
    wait_for(lambda: not engine_processes(study.directory))
