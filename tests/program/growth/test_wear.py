"""A domain that moves away from its engine is told, with the engine's name and since when; one that stays is not."""

import json
import random

import pytest

from conftest import LAW, RULES, Study, hiple
from growing import added, copy_of, write


def make(root, shift):
    """Three thousand cases in the order of their ids; from case 2001 on `b` lies elsewhere by `shift`, and only beta reads it."""
    study = Study(root)
    numbers = random.Random(9)
    rows = ["record,a,b,kind,x,y,z"]
    for record in range(1, 3001):
        a, b = round(numbers.gauss(0, 1), 4), round(numbers.gauss(0, 2), 4)
        y = "low" if b < -1 else "high" if b > 1 else "middle"
        shown = b + shift if record > 2000 else b
        rows.append(f"{record},{a},{round(shown, 4)},{numbers.choice(['red', 'green'])},{str(a > 0.3).lower()},{y},{str(a > 0).lower()}")
    (root / "cases.csv").write_text("\n".join(rows) + "\n")
    study.write_run(engines=("alpha", "beta"), epochs=4)
    study.replace("run.yaml", "    features: [b, a]\n", "    features: [b]\n    cases: 'b > -1000 [mm]'\n")
    (root / "law.yaml").write_text(LAW.replace(", gamma]", "]") + "".join(RULES[:4]))
    # Trained on the first cases, watched in the later ones.
    period = [line + (",period" if i == 0 else ",early" if i <= 900 else ",late") for i, line in enumerate(rows)]
    (root / "cases.csv").write_text("\n".join(period) + "\n")
    with (root / "schema.yaml").open("a") as schema:
        schema.write("  - {name: period, type: category, values: [early, late]}\n")
    study.replace("run.yaml", "split: {test: 0.3}", "split: {column: period, train: [early], test: [late]}")
    done = hiple("run", study.file)
    assert done.returncode == 0, done.stdout + done.stderr
    return study


def wear(study, *options, status):
    done = hiple("wear", study.file, "--json", *options)
    assert done.returncode == status, f"{done.returncode}\n{done.stdout}{done.stderr}"
    return {e["engine"]: {s["signal"]: s for s in e["signals"]} | {"worn": e["worn"]} for e in json.loads(done.stdout)["engines"]}


@pytest.fixture(scope="module")
def moved(tmp_path_factory):
    return make(tmp_path_factory.mktemp("moved"), 9)


@pytest.fixture(scope="module")
def steady(tmp_path_factory):
    return make(tmp_path_factory.mktemp("steady"), 0)


def test_the_engine_whose_domain_moved_is_told_and_since_when(moved):
    told = wear(moved, status=1)
    assert told["beta"]["worn"] and not told["alpha"]["worn"]
    signal = told["beta"]["typicality"]
    assert signal["shown"] and 1900 <= int(signal["since"].split()[1]) <= 2100
    assert signal["cases"] == 2100 == sum(w["cases"] for w in signal["windows"]) and len(signal["windows"]) == 21
    assert signal["against"] == sum(w["against"] for w in signal["windows"])
    text = hiple("wear", moved.file).stdout
    assert "WORN since case 2" in text or "WORN since case 19" in text
    assert "beta is worn: its domain has moved away; train it anew" in text and "alpha is worn" not in text
    assert "alpha, evidence: not measured: the run names no evidence" in text


def test_a_domain_that_stays_shows_no_wear(steady):
    told = wear(steady, status=0)
    assert [told[e]["worn"] for e in ("alpha", "beta")] == [False, False]
    for engine in ("alpha", "beta"):
        signal = told[engine]["typicality"]
        assert 0.05 < signal["allowed"] < 0.2 and signal["against"] / signal["cases"] < signal["allowed"]
    assert wear(steady, "--window", "7", status=0)["alpha"]["worn"] is False


def test_evidence_against_one_engines_judgments(steady, tmp_path):
    study = copy_of(steady, tmp_path)
    study.replace("run.yaml", "law: law.yaml\n", "law: law.yaml\nevidence: evidence.h5\n")
    rows = []
    for line in (study.root / "cases.csv").read_text().splitlines()[1:]:
        record, a, b, _, _, y, _, _ = line.split(",")
        rows += [f"{record},y,{'low' if y == 'low' else 'high' if y == 'high' else 'none'},,lee,2026-01-01,1"]
        truth = "high" if a != "?" and float(a) > 0.3 else "none"
        late = int(record) > 2500
        rows += [f"{record},x,{'none' if late else truth},,lee,2026-01-01,1"]
    added(study, write(study, "labs.csv", *rows))
    done = hiple("integrate", study.file)
    assert done.returncode == 0, done.stderr
    told = wear(study, "--by", "record", status=1)
    signal = told["alpha"]["evidence"]
    assert told["alpha"]["worn"] and signal["shown"] and not told["beta"]["worn"]
    assert 2300 <= int(signal["since"].split()[1]) <= 2600 and signal["allowed"] == pytest.approx(0.1)
    assert not told["alpha"]["typicality"]["shown"]
    assert "alpha is worn, or rules that read it are wrong" in hiple("wear", study.file).stdout


def test_orders_that_are_none(steady, tmp_path):
    done = hiple("wear", steady.file, "--by", "record")
    assert done.returncode == 0 and "order     by record, 100 cases a window" in done.stdout
    for column, said in (("kind", "cases cannot be ordered by kind"), ("bb", "no column bb")):
        done = hiple("wear", steady.file, "--by", column)
        assert done.returncode == 2 and said in done.stderr
    done = hiple("wear", tmp_path)
    assert done.returncode == 2
    study = Study(tmp_path)
    done = hiple("wear", study.file)
    assert done.returncode == 2 and "holds no decisions" in done.stderr


def test_cases_without_a_place_in_the_order_are_left_out_and_counted(steady):
    told = json.loads(hiple("wear", steady.file, "--by", "a", "--json").stdout)
    assert told["by"] == "a" and told["unordered"] == 0
    windows = told["engines"][1]["signals"][0]["windows"]
    assert [float(w["from"]) for w in windows] == sorted(float(w["from"]) for w in windows)
