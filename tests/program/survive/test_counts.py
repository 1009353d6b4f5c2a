"""Numbers of engines, ranks and cases at the edges of what makes sense."""

import time

import h5py
import pytest
from conftest import MODEL, hiple, mpirun, status
from support import engine_processes


def write_engines(study, count, more=""):
    """So many engines that learn the same; the law reads none of them but the first three."""
    study.write_run(epochs=1)
    text = study.file.read_text()
    entries = "".join(f"  - name: e{index}\n    target: x\n    features: [a, kind]\n" + MODEL % 1 for index in range(count))
    study.file.write_text(text.replace("law: law.yaml\n", entries + "law: law.yaml\n") + more)
    study.replace("law.yaml", "members: [alpha, beta, gamma]", "members: [alpha, beta, gamma%s]" %
                  "".join(f", e{index}" for index in range(count)))


def log_lines(result):
    return [line for line in result.stderr.splitlines() if "info: engine " in line]


@pytest.mark.parametrize("isolation, count", [("process", 47), ("rank", 998)])
def test_many_engines_on_four_ranks(study, isolation, count):
    write_engines(study, count, f"isolation: {isolation}\n")
    result = mpirun(4, "run", study.file, timeout=280)
    assert result.returncode == 0, result.stderr[-3000:]
    record = status(study.directory)
    assert record["state"] == "complete" and record["engines"] == count + 3
    assert len(log_lines(result)) == count + 3  # one line an event
    spread = count + 3 > 1000
    judgments = [path.relative_to(study.directory / "judgments") for path in (study.directory / "judgments").rglob("*.h5")]
    assert len(judgments) == count + 3
    assert {len(path.parts) for path in judgments} == {2 if spread else 1}
    assert len(list((study.directory / "engines").iterdir())) <= (256 if spread else count + 3)
    with h5py.File(study.directory / "judgments.h5") as index:
        assert len(index["engines"]) == count + 3
        assert len(index["engines/e7/judgments/case_id"]) == 240
    assert not engine_processes(study.directory)


def test_one_engine_on_sixteen_ranks(study):
    study.write_run(engines=("alpha",))
    study.replace("law.yaml", "members: [alpha, beta, gamma]", "members: [alpha]")
    text = (study.root / "law.yaml").read_text()
    lines = [line for line in text.splitlines() if "beta." not in line and "gamma." not in line]
    (study.root / "law.yaml").write_text("\n".join(lines) + "\n")
    begin = time.monotonic()
    result = mpirun(16, "run", study.file)
    assert result.returncode == 0, result.stderr
    assert status(study.directory)["state"] == "complete"
    assert time.monotonic() - begin < 120
    assert len(log_lines(result)) == 1


@pytest.mark.parametrize("rows", [0, 1])
def test_a_table_that_cannot_be_divided(study, rows):
    study.write_table(rows)
    for run in (lambda *words: hiple(*words), lambda *words: mpirun(4, *words)):
        result = run("run", study.file, "--fresh")
        assert result.returncode == 2, result.stdout + result.stderr
        assert "part" in result.stderr or "row" in result.stderr


def test_three_cases_for_three_engines(study):
    study.write_table(3)
    result = mpirun(4, "run", study.file)
    assert result.returncode == 3, result.stdout + result.stderr
    record = status(study.directory)
    assert record["cases"] == 3 and len(record["missing"]) == 3
    assert record["abstained"] + record["escalated"] + record["decided"] == 9
