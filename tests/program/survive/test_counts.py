"""Numbers of engines, ranks and cases at the edges of what makes sense."""

import random
import time

import h5py
import pytest
from conftest import MODEL, hiple, mpirun, status
from support import engine_processes, result_of


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
    result = mpirun(4, "run", study.file)
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


@pytest.mark.parametrize("rows", [0, 1])
def test_so_few_cases_are_judged_and_decided(study, rows):
    """By engines that were trained on others."""
    assert hiple("run", study.file).returncode == 0
    study.write_table(rows, study.root / "few.csv")
    result = hiple("judge", study.file, "--engine", "beta", "--cases", study.root / "few.csv", "--out", study.root / "few.h5")
    assert result.returncode == 0, result.stderr
    with h5py.File(study.root / "few.h5") as file:
        assert len(file["case_id"]) == len(file["label"]) == rows


def test_three_cases_for_four_engines(study):
    study.write_table(3)
    write_engines(study, 1)
    result = mpirun(4, "run", study.file)
    assert result.returncode == 3, result.stdout + result.stderr
    record = status(study.directory)
    assert record["cases"] == 3 and len(record["missing"]) == record["engines"] == 4
    assert all("row" in entry["reason"] or "case" in entry["reason"] for entry in record["missing"]), record
    assert record["abstained"] + record["escalated"] + record["decided"] == 9


SHARDS = (1, 10, 1000, 1001)


@pytest.mark.parametrize("run", [hiple, lambda *words: mpirun(5, *words)], ids=["alone", "5 ranks"])
def test_shards_of_very_different_sizes(study, run):
    """Column a says whose a row is. Engines that have too few rows are named, and the others are as they would be without them."""
    numbers = random.Random(3)
    rows = [(shard, numbers.gauss(0, 2), numbers.choice(["red", "green"])) for shard, count in enumerate(SHARDS) for _ in range(count)]
    with open(study.root / "cases.csv", "w") as file:
        file.write("record,a,b,kind,x,y,z\n")
        for record, (shard, b, kind) in enumerate(rows, 1):
            y = "low" if b < -1 else "high" if b > 1 else "middle"
            file.write(f"{record},{shard},{b:.4f},{kind},{str(b > 0).lower()},{y},{str(b > 0.5).lower()}\n")
    text = study.file.read_text()
    entries = "".join(f"  - name: of{count}\n    target: x\n    features: [b, kind]\n    cases: 'within(a, {shard}, 0.5)'\n" + MODEL % 3
                      for shard, count in enumerate(SHARDS))
    study.file.write_text(text.replace("law: law.yaml\n", entries + "law: law.yaml\n").replace("b > -3 [mm]", "a >= 2"))
    study.replace("law.yaml", "members: [alpha, beta, gamma]",
                  "members: [alpha, beta, gamma, %s]" % ", ".join(f"of{count}" for count in SHARDS))
    result = run("run", study.file)
    record = status(study.directory)
    named = {entry["engine"]: entry["reason"] for entry in record["missing"]}
    assert result.returncode == 3 and record["cases"] == len(rows), result.stderr
    assert "of1" in named and set(named) <= {"of1", "of10"} and all("row" in reason for reason in named.values()), named
    for count in (1000, 1001):
        parts = result_of(study.directory, f"of{count}")["rows"]
        assert sum(parts.values()) == count
        with h5py.File(study.directory / "judgments" / f"of{count}.h5") as file:
            assert len(file["case_id"]) == len(rows) and (file["status"][:] == 0).any()
