"""The benchmark of the law says what it measured in a form that stays, and all its ways of deciding decide alike."""

import json
import os
import subprocess

import pytest

BENCH = os.path.join(os.environ["HIPLE_BIN_DIR"], "hiple-bench-law")
SMALL = {"--cases": "9000", "--scalar-cases": "50", "--judged-cases": "5000", "--sizes": "200,400", "--repeat": "3", "--stream-cases": "300000"}
LITTLE = {"judged_cases": "0", "sizes": "0", "repeat": "1", "stream_cases": "0"}


def bench(**options):
    options = SMALL | {"--" + name.replace("_", "-"): value for name, value in options.items()}
    run = subprocess.run([BENCH, *sum(([name, value] for name, value in options.items()), [])], capture_output=True, text=True,
                         check=False, timeout=200)
    return run, json.loads(run.stdout) if run.returncode == 0 else None


def form(value):
    """Names and types, without the values."""
    if isinstance(value, dict):
        return {name: form(entry) for name, entry in value.items()}
    if isinstance(value, list):
        return [form(value[0])] if value else []
    return "number" if isinstance(value, (int, float)) and not isinstance(value, bool) else type(value).__name__


MEASURED = {"seconds": ["number"], "median_seconds": "number", "cases": "number", "cases_per_second": "number"}


def test_form():
    run, result = bench()
    assert run.returncode == 0, run.stderr
    assert form(result) == {
        "format": "str", "version": "number", "program": "str", "compiler": "str", "build_type": "str", "flags": "str", "created": "str",
        "clock": "str", "instruction_set": "str", "instruction_sets": ["str"],
        "law": {"rules": "number", "atoms": "number", "columns": "number", "questions": "number", "missing": "number"},
        "memory": {"decide": MEASURED, "decide_2_threads": MEASURED, "threads_ratio": "number", "evaluate": MEASURED, "root_hash": MEASURED,
                   "inputs_hash": MEASURED, "scalar": MEASURED, "root": "str",
                   "circuit": {"gates": "number", "leaves": "number", "planes": "number"}},
        "sizes": [{**MEASURED, "rules": "number", "compile_seconds": "number", "nanoseconds_per_case_and_rule": "number"}],
        "files": {**MEASURED, "engines": "number"},
        "stream": {**MEASURED, "file_bytes": "number", "peak_memory_bytes": "number"},
    }
    assert result["format"] == "hiple bench law" and result["version"] == 1
    assert [len(entry["seconds"]) for entry in result["sizes"]] == [3, 3]
    for entry in (result["memory"]["decide"], *result["sizes"], result["files"]):
        assert entry["median_seconds"] == sorted(entry["seconds"])[1] > 0


def test_every_instruction_set_decides_alike():
    roots = set()
    for name in bench(**LITTLE)[1]["instruction_sets"]:
        run, result = bench(**LITTLE, instruction_set=name)
        assert run.returncode == 0 and result["instruction_set"] == name
        roots.add(result["memory"]["root"])
    assert len(roots) == 1


@pytest.mark.parametrize("name, value", [("instruction_set", "Z80"), ("cases", "some")])
def test_what_it_cannot_do_is_refused(name, value):
    run, _ = bench(**{name: value})
    assert run.returncode > 0 and value in run.stderr + run.stdout
