"""An engine whose domain moved away learns from the later rows; the others' files stay byte for byte, and what was learned from tests nobody."""

import csv
import json
import random

import h5py
import pytest

from conftest import LAW, RULES, hiple
from growing import Growing, answers, copy_of, files_of, root_of, works

NEWER = "    learns_also: 'day in [20, 25)'\n"
GATES = """\
gates: 1
truth: {y: {column: y, findings: {low: low, middle: none, high: high}}}
needed: {y: beta}
"""


def make(root):
    """Three thousand cases, a hundred a day. Beta reads `b` alone, which lies elsewhere from day 20 on; alpha never sees it. Both were
    trained on the first nine days."""
    study = Growing(root)
    numbers = random.Random(9)
    rows = ["record,a,b,kind,x,y,z,day"]
    for record in range(3000):
        a, b = round(numbers.gauss(0, 1), 4), round(numbers.gauss(0, 2), 4)
        y = "low" if b < -1 else "high" if b > 1 else "middle"
        shown = round(b + 9, 4) if record >= 2000 else b
        rows.append(f"{record + 1},{a},{shown},{numbers.choice(['red', 'green'])},{str(a > 0.3).lower()},{y},{str(a > 0).lower()},{record // 100}")
    (root / "cases.csv").write_text("\n".join(rows) + "\n")
    with (root / "schema.yaml").open("a") as schema:
        schema.write("  - {name: day, type: integer}\n")
    (root / "law.yaml").write_text(LAW.replace(", gamma]", "]") + "".join(RULES[:4]))
    (root / "gates.yaml").write_text(GATES)
    study.write_run(engines=("alpha", "beta"), epochs=80)
    study.replace("run.yaml", "    features: [b, a]\n", "    features: [b]\n")
    days = lambda some: ", ".join(map(str, some))
    study.replace("run.yaml", "split: {test: 0.3}", f"split: {{column: day, train: [{days(range(9))}], test: [{days(range(9, 30))}]}}")
    study.replace("run.yaml", "law: law.yaml\n", "law: law.yaml\ngates: gates.yaml\n")
    done = hiple("run", study.file)
    assert done.returncode == 0, done.stdout + done.stderr
    return study


def newer(study, entry=NEWER, table="cases.csv"):
    """The run.yaml with what beta is to learn from besides, and another table."""
    text = study.file.read_text().replace("    features: [b]\n", "    features: [b]\n" + entry).replace("table: cases.csv", f"table: {table}")
    study.wanted = study.root / "newer.yaml"
    study.wanted.write_text(text)
    return study.wanted


def with_rows(study, change, name="newer.csv"):
    """A table beside the study's, whose records `change` makes of the study's."""
    with open(study.root / "cases.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    rows = change(rows)
    with open(study.root / name, "w", newline="") as file:
        table = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
    return name


def wear(study, directory=None):
    done = hiple("wear", directory or study.directory, "--by", "day", "--json")
    assert done.returncode in (0, 1), done.stderr
    return {e["engine"]: {s["signal"]: s for s in e["signals"]} | {"worn": e["worn"]} for e in json.loads(done.stdout)["engines"]}


def right_of_beta(study, days):
    """In how many cases of these days it says what is so."""
    with open(study.root / "cases.csv", newline="") as file:
        truth = {int(row["record"]): row["y"] for row in csv.DictReader(file) if int(row["day"]) in days}
    with h5py.File(study.directory / "judgments/beta.h5") as file:
        classes = [*file["classes"].asstr()[...]]
        said = {int(case): classes[label] if label < len(classes) else None for case, label in zip(file["case_id"][...], file["label"][...])}
    return sum(said[case] == y for case, y in truth.items()) / len(truth)


def gated_cases(study, directory=None):
    """Ids of the cases that the gates look at, and of those that all engines trained on."""
    done = hiple("gates", directory or study.directory, "--changed", "--cases", study.root / "gated.h5")
    assert done.returncode in (0, 4), done.stderr
    with h5py.File(study.root / "gated.h5") as file:
        return file["case_id"][...].tolist(), file["training_case_id"][...].tolist()


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    return make(tmp_path_factory.mktemp("aged"))


@pytest.fixture(scope="module")
def grown(finished, tmp_path_factory):
    """(study, what `hiple add-engine` said, what beta got right before)"""
    study = copy_of(finished, tmp_path_factory.mktemp("grown"))
    before = right_of_beta(study, range(25, 30))
    told = json.loads(study.retrain("beta", "--run", newer(study), "--json").stdout)
    return study, told, before


def test_the_worn_engine_learns_from_later_rows_and_the_others_stay(finished, grown):
    study, told, before = grown
    assert wear(finished)["beta"]["worn"] and not wear(finished)["alpha"]["worn"]
    assert told["retrained"] == "beta" and told["learned_besides"] == 500 and not told["labels_changed"]
    assert files_of(study.directory, "alpha") == files_of(finished.directory, "alpha") == files_of(study.directory / "versions/1", "alpha")
    assert files_of(study.directory / "versions/1", "beta") == files_of(finished.directory, "beta")
    assert all(files_of(study.directory, "beta")[name] != old for name, old in files_of(finished.directory, "beta").items())
    parts = json.loads((study.directory / "engines/beta/result.json").read_text())
    assert sum(parts["rows"][part] for part in ("training", "early_stop", "calibration")) == 900 + 500
    assert right_of_beta(study, range(25, 30)) > 0.9 > before + 0.1
    works(study.directory)
    works(study.directory / "versions/1")


def test_wear_is_watched_in_rows_that_it_did_not_learn_from(grown):
    study, _, _ = grown
    after = wear(study)
    assert not after["beta"]["worn"] and not after["alpha"]["worn"]
    assert after["beta"]["typicality"]["cases"] == 1600 and after["alpha"]["typicality"]["cases"] == 2100
    assert wear(study, study.directory / "versions/1")["beta"]["worn"]


def test_no_figure_of_the_gates_rests_on_what_was_learned(finished, grown):
    study, _, _ = grown
    before, training = gated_cases(finished)
    after, still = gated_cases(study)
    assert before == list(range(901, 3001)) and training == still == list(range(1, 901))
    assert after == [case for case in before if not 2001 <= case <= 2500]
    assert "3 000 cases, 1 600 of them test" in (study.directory / "summary.txt").read_text()


def test_it_is_what_a_run_with_that_entry_comes_to(grown, tmp_path):
    study, told, _ = grown
    done = hiple("run", study.wanted, "--output", tmp_path / "whole")
    assert done.returncode == 0, done.stderr
    assert root_of(tmp_path / "whole") == told["root"] == root_of(study.directory)
    again = study.retrain("beta", "--run", study.wanted, "--json")
    assert json.loads(again.stdout)["root"] == told["root"]


def test_the_text_says_from_how_many_rows(finished, tmp_path):
    study = copy_of(finished, tmp_path)
    said = study.retrain("beta", "--run", newer(study)).stdout
    assert "retrained  beta\nlearned    from 500 rows outside the training part\nunchanged  " in said and "labels" not in said


def test_labels_that_have_become_known_since(tmp_path):
    """The run was made when nobody knew yet what became of the cases from day 20 on."""
    root = tmp_path / "study"
    root.mkdir()
    known = make(root)
    full = (root / "cases.csv").read_text()
    study = copy_of(known, tmp_path)
    with_rows(study, lambda rows: [row | ({"y": ""} if int(row["day"]) >= 20 else {}) for row in rows], "cases.csv")
    assert hiple("run", study.file, "--fresh").returncode == 0
    alpha = files_of(study.directory, "alpha")
    refused(study, "engine beta would learn from no further row", "with a known y", options=("--retrain", "beta"), entry=NEWER)
    (study.root / "later.csv").write_text(full)
    told = json.loads(study.retrain("beta", "--run", newer(study, table="later.csv"), "--json").stdout)
    assert told["labels_changed"] and told["learned_besides"] == 500 and files_of(study.directory, "alpha") == alpha
    study.root = root  # what is so
    assert right_of_beta(study, range(25, 30)) > 0.9


def refused(study, *said, options=("--retrain", "beta"), entry=None):
    if entry:
        newer(study, entry)
    before, files = answers(study.directory), files_of(study.directory, "alpha", "beta")
    done = hiple("add-engine", study.directory, *options, "--run", study.wanted)
    assert done.returncode == 2, done.stdout + done.stderr
    for part in said:
        assert part in done.stderr, done.stderr
    assert answers(study.directory) == before and files_of(study.directory, "alpha", "beta") == files
    assert not (study.directory / "versions").exists() and not (study.directory / "LOCK").exists()


@pytest.fixture
def study(finished, tmp_path):
    return copy_of(finished, tmp_path)


def test_fewer_rows_and_more(study):
    newer(study, table=with_rows(study, lambda rows: [row for row in rows if row["record"] not in ("7", "8")]))
    refused(study, f"{study.root}/newer.csv: lacks cases of the run: 7, 8: ", "give the table with all of them")
    newer(study, table=with_rows(study, lambda rows: rows + [rows[0] | {"record": 3001}]))
    refused(study, f"{study.root}/newer.csv: holds cases that the run does not have: 3001: ", "make a run of its own")


def test_a_case_whose_values_changed(study):
    change = lambda column, value: lambda rows: [row | ({column: value} if row["record"] == "17" else {}) for row in rows]
    newer(study, table=with_rows(study, change("b", "0.5")))
    refused(study, "newer.csv: ", "column b is not what engine beta learned from; first in case 17", "a case keeps its values")
    newer(study, table=with_rows(study, change("b", "")))
    refused(study, "first in case 17")
    newer(study, table=with_rows(study, change("day", "12")))
    refused(study, "column day is not what engine beta learned from; first in case 17")
    (study.root / "cases.csv").write_text((study.root / "newer.csv").read_text())  # in place: which case, nobody can tell any more
    newer(study)
    refused(study, "cases.csv: column day is not what engine beta learned from: a case keeps")


def test_another_header(study):
    text = (study.root / "cases.csv").read_text()
    for head, said in (("record,a,b,kind,x,y,z,days", '"days"'), ("record,a,b,kind,x,y,z", 'column "day" is missing'), ("record,a,b,kind,x,y,y,day", '"y"')):
        (study.root / "newer.csv").write_text(head + text[text.index("\n"):])
        newer(study, table="newer.csv")
        refused(study, f"{study.root}/newer.csv:", said)


def test_conditions_that_call_for_nothing_or_too_much(study):
    place = lambda entry: f"{newer(study, entry)}:{study.wanted.read_text().splitlines().index(entry.rstrip()) + 1}:"
    for condition, said in (("day == 3", "engine beta would learn from no further row"), ("day > 40", "would learn from no further row"),
                            ("day >= 9", "would learn from every row of the test part"), ("y == \"low\"", "it is a label"),
                            ("dya >= 20", 'did you mean "day"'), ("day >=", "")):
        refused(study, place(f"    learns_also: '{condition}'\n"), said)


def test_only_who_is_retrained_may_learn_from_more(study):
    newer(study)
    refused(study, 'engines.beta.learns_also is day in [20, 25)', "it was not there", options=("--retrain", "alpha"))
