"""Sixty-four ranks on one machine: one line an event, whatever the number of ranks."""

import collections
import re

from conftest import mpirun, status
from test_counts import write_engines

RANKS = 64


def test_one_line_an_event(study):
    write_engines(study, RANKS - 4)
    result = mpirun(RANKS, "run", study.file, timeout=800)
    assert result.returncode == 0, result.stderr[-3000:]
    assert status(study.directory)["state"] == "complete" and status(study.directory)["engines"] == RANKS - 1
    lines = [line for line in result.stderr.splitlines() if line.strip()]
    told = collections.Counter(re.findall(r"info: engine (\S+): done", result.stderr))
    assert len(told) == RANKS - 1 and set(told.values()) == {1}
    progress = [line for line in lines if " engines done, " in line]
    events = collections.Counter(re.sub(r"^[0-9:]+ ", "", line) for line in lines if line not in progress)
    said = collections.Counter(re.sub(r"^\[rank \d+\] ", "", event) for event in events.elements() if " engine " not in event)
    assert set(said.values()) <= {1}, "what is no engine's is said once, not by every rank"
    assert set(events.values()) == {1}, events.most_common(3)
    assert len(progress) <= RANKS
    logs = [path.read_text().splitlines() for path in study.directory.glob("engines/*/log.txt")]
    assert len(logs) == RANKS - 1
    for log in logs:
        assert sum("): begins: " in line for line in log) == sum("): done in " in line for line in log) == 1, log
