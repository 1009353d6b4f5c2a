"""A study on a CUDA device, as a user runs it. Label gpu: skipped where there is none."""

import json

import pytest
from conftest import hiple, status

HAS_DEVICE = bool(json.loads(hiple("devices", "--json").stdout)["devices"])
pytestmark = pytest.mark.skipif(not HAS_DEVICE, reason="no CUDA device is visible here")


@pytest.mark.parametrize("isolation", ["process", "rank"])
def test_every_engine_trains_on_the_device(study, isolation):
    study.replace("run.yaml", "    model:", "    device: cuda\n    model:")
    study.replace("run.yaml", "law: law.yaml", f"isolation: {isolation}\nlaw: law.yaml")
    done = hiple("run", study.file)
    assert done.returncode == 0, done.stderr
    assert status(study.directory)["state"] == "complete"
    for name in ("alpha", "beta", "gamma"):
        result = json.loads((study.directory / "engines" / name / "result.json").read_text())
        assert result["training"]["device"] == "cuda"
        assert "gets device 0" in (study.directory / "engines" / name / "log.txt").read_text()


def test_two_runs_come_to_the_same_root(study):
    roots = []
    for name in ("one", "two"):
        done = hiple("run", study.file, "--output", study.root / name)
        assert done.returncode == 0, done.stderr
        roots.append(status(study.root / name)["root"])
    assert roots[0] == roots[1]
