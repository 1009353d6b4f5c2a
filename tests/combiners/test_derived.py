"""What derived runs are made of: YAML that is passed on as typed, tables with other rows and columns, folds, the monolith's size."""

from types import SimpleNamespace

import h5py
import numpy as np
import plain_yaml
import pytest
from derived_runs import fold_numbers, hiple
from network_cost import products_of, stack
from preparation import Preparation
from random_cut import CUT, cut_of
from rival_network import entry, input_width, network, readable
from row_table import BadTable, RowTable, read_table
from voices import find_voices
from conftest import STATE

SCHEMA = """\
schema: 1
columns:
  - {name: record, type: integer, role: id}
  - {name: a, type: real, missing: ["?"]}
  - {name: sick, type: boolean, "true": [t], "false": [f]}
  - {name: kind, type: category, values: [red, green]}
  - {name: note, role: ignore}
  - {name: x, type: boolean, role: label}
"""
CSV = "record,a,sick,kind,note,x\n7,1.5,t,red,n1,true\n8,?,f,green,\"a, b\",false\n9,0.1,t,red,,true\n"


@pytest.fixture
def table(tmp_path):
    (tmp_path / "schema.yaml").write_text(SCHEMA)
    (tmp_path / "cases.csv").write_text(CSV)
    return read_table(tmp_path / "cases.csv", tmp_path / "schema.yaml")


def test_yaml_is_passed_on_as_typed(tmp_path):
    text = "lr: 1e-3\nodd: 010\nword: yes\nquoted: \"1\"\nlist: [a, 'b: c', 2]\nengines:\n  - {name: n, cases: 'T > 6 [mU/L]'}\ntitle: a, and b [c]\ndate: 2026-11-30\n"
    (tmp_path / "in.yaml").write_text(text)
    plain_yaml.write(tmp_path / "out.yaml", plain_yaml.read(tmp_path / "in.yaml"))
    written = (tmp_path / "out.yaml").read_text()
    for line in ("lr: 1e-3", "odd: 010", "word: yes", 'quoted: "1"', 'list: [a, "b: c", 2]', '  - {"name": n, "cases": "T > 6 [mU/L]"}', 'title: "a, and b [c]"', "date: 2026-11-30"):
        assert line in written.splitlines(), written
    assert plain_yaml.read(tmp_path / "out.yaml") == plain_yaml.read(tmp_path / "in.yaml")


def test_rows_and_columns(table, tmp_path):
    assert table.case_id.tolist() == [7, 8, 9] and [each["name"] for each in table.inputs()] == ["a", "sick", "kind"]
    more = table.take([0, 2]).followed_by(table.take([1]).renumbered(100)).with_column("part", ["p", "q", "p"], type="category", values=["p", "q"], role="label")
    more.write(tmp_path / "made")
    again = read_table(tmp_path / "made" / "cases.csv", tmp_path / "made" / "schema.yaml")
    assert again.rows == more.rows and again.case_id.tolist() == [7, 9, 108] and again.column("part") == ["p", "q", "p"]
    with pytest.raises(BadTable, match="a name of the comparison's"):
        more.with_column("part", [])


def test_blanked_cells_are_inputs_alone(table):
    many = RowTable(table.columns, table.rows * 500, table.schema)
    blanked = many.blanked(0.3, np.random.default_rng(1))
    assert all(new[0] == old[0] and new[4:] == old[4:] for new, old in zip(blanked.rows, many.rows))
    empty = np.mean([[cell == "" for cell in row[1:4]] for row in blanked.rows])
    assert empty == pytest.approx(0.3, abs=0.03)
    assert many.rows[0][1] == "1.5", "the table itself stays"
    spared = many.blanked(0.3, np.random.default_rng(1), {"kind"})
    assert spared.column("kind") == many.column("kind") and all(spared.column(name) == blanked.column(name) for name in ("a", "sick"))


def test_a_table_without_ids_is_refused(table):
    schema = {**table.schema, "columns": table.schema["columns"][1:]}
    with pytest.raises(BadTable, match="role id"):
        RowTable(table.columns[1:], [row[1:] for row in table.rows], schema)


def test_hdf5_reads_as_csv_does(table, tmp_path):
    with h5py.File(tmp_path / "cases.h5", "w") as file:
        file["case_id"] = np.array([7, 8, 9], np.uint64)
        for name, values, cells in (("a", [1.5, 0.0, 0.1], [0, 1, 0]), ("sick", np.array([1, 0, 1], np.uint8), [0, 0, 0]),
                                    ("kind", np.array([0, 1, 0], np.int32), [0, 0, 0]), ("x", np.array([1, 0, 1], np.uint8), [0, 0, 2])):
            file[f"columns/{name}"], file[f"cells/{name}"] = values, np.array(cells, np.uint8)
        file["values/kind"] = ["red", "green"]
    read = read_table(tmp_path / "cases.h5", tmp_path / "schema.yaml")
    assert read.columns == ["record", "a", "sick", "kind", "x"]
    assert read.rows == [["7", "1.5", "t", "red", "true"], ["8", "", "f", "green", "false"], ["9", "0.1", "t", "red", "invalid"]]


def test_folds_keep_groups_together(table):
    many = RowTable(table.columns, [[str(n), *table.rows[n % 3][1:]] for n in range(90)], table.schema).with_column("run", [n // 9 for n in range(90)])
    numbers = fold_numbers(many, "run", 5, seed=1)
    assert all(len(set(numbers[9 * run:9 * run + 9])) == 1 for run in range(10))
    assert np.bincount(numbers).tolist() == [18] * 5
    assert np.bincount(fold_numbers(many, "", 4, seed=1)).max() == 23


SERIES = """\
schema: 1
columns:
  - {name: cycle, type: integer, role: id}
  - {name: P, type: real, unit: bar, length: 12}
  - {name: oil, type: real, missing: ["?"]}
  - {name: state, type: category, values: [good, bad], role: label}
"""


def series_table(tmp_path, rows=40):
    """A table as `hiple data convert` leaves it: one column a point."""
    (tmp_path / "schema.yaml").write_text(SERIES)
    random = np.random.default_rng(2)
    with h5py.File(tmp_path / "cases.h5", "w") as file:
        file["case_id"] = np.arange(rows, dtype=np.uint64)
        for name in [*(f"P_{point:02}" for point in range(12)), "oil"]:
            file[f"columns/{name}"], file[f"cells/{name}"] = random.normal(size=rows), np.zeros(rows, np.uint8)
        file["columns/state"], file["cells/state"] = np.arange(rows, dtype=np.int32) % 2, np.zeros(rows, np.uint8)
        file["values/state"] = ["good", "bad"]
    return read_table(tmp_path / "cases.h5", tmp_path / "schema.yaml")


def test_a_series_is_its_points(tmp_path):
    table = series_table(tmp_path)
    assert table.columns == ["cycle", *(f"P_{point:02}" for point in range(12)), "oil", "state"]
    table.write(tmp_path / "made")
    again = read_table(tmp_path / "made" / "cases.csv", tmp_path / "made" / "schema.yaml")
    assert again.rows == table.rows and [each["name"] for each in again.inputs()] == ["P", "oil"]
    blanked = RowTable(table.columns, table.rows * 50, table.schema).blanked(0.3, np.random.default_rng(1))
    empty = np.array([[cell == "" for cell in row] for row in blanked.rows])
    assert not empty[:, [0, -1]].any() and empty[:, 1:-1].mean(axis=0) == pytest.approx([0.3] * 13, abs=0.04)


def test_a_cut_deals_series_among_those_that_read_series():
    columns = [{"name": name, "type": "real", "length": "60"} for name in ("P", "Q", "R")] + [{"name": name, "type": "real"} for name in "abcd"]
    columns.append({"name": "M", "type": "real", "length": "4"})
    engines = [{"name": "one", "features": ["P", "Q"], "cases": "true"}, {"name": "two", "features": ["P", "a", "R"], "cases": "a > 1"},
               {"name": "three", "features": ["b", "M_1"], "cases": "true"}]
    cut = cut_of(engines, columns, np.random.default_rng(1))
    read = [set(each["features"]) for each in cut]
    assert read[0] | read[1] >= {"P", "Q", "R"} and read[0] <= {"P", "Q", "R"} and read[2] <= {"a", "b", "M_1"}
    assert sorted(name for each in read for name in each) == ["M_1", "P", "Q", "R", "a", "b"], "each is dealt once"
    assert [each["cases"] for each in cut] == [f"(true) and {CUT} == 0", f"(a > 1) and {CUT} == 1", f"(true) and {CUT} == 2"]
    few = cut_of([{**engines[0], "features": ["P"]}, {**engines[1], "features": ["P"]}], columns, np.random.default_rng(1))
    assert [each["features"] for each in few] == [["P"], ["P"]], "nobody is left without"


def test_the_width_of_inputs():
    columns = [{"name": "a", "type": "real"}, {"name": "s", "type": "boolean"}, {"name": "k", "type": "category", "values": list("abcde")}]
    assert input_width(columns) == 2 + 2 + 3
    assert input_width([{"name": "P", "type": "real", "length": "12"}]) == 24


def test_a_convolution_costs_its_weights_at_each_place():
    """60 points of 2 numbers: 28 places of 16 * (5 * 2 + 1) weights, then 12 places of 8 * (5 * 16 + 1)."""
    layers = [{"channels": 16, "kernel": 5, "stride": 2}, {"channels": 8, "kernel": 5, "stride": 2}]
    assert list(stack(layers, 2, 60)) == [(28, 176), (12, 648)]


CONVOLVED = """\
hiple: 1
name: series
seed: 1
as_of: 2026-11-30
data: {table: cases.h5, schema: schema.yaml, split: {test: 0.2}}
engines:
  - name: net
    target: state
    features: [P, oil]
    model: {type: conv1d, convolutions: [{channels: 4, kernel: 3, stride: 2}, {channels: 6, kernel: 2}], pool: none, hidden: [16]}
    train: {epochs: 2, batch: 8}
law: law.yaml
output: run
"""
LAW = "law: 1\nname: series\nschema: schema.yaml\nquestions: [{name: state, findings: [good, bad], default: good}]\nrules: [{id: R, when: 'net.label == \"bad\"', then: state.bad}]\nroute: {home: [{engines: [net]}]}\n"


@pytest.fixture
def trained(tmp_path):
    """(directory of a run whose one engine is trained, its table)"""
    series_table(tmp_path, 200)
    with h5py.File(tmp_path / "cases.h5", "a") as file:
        file.attrs.update({"format": "hiple table", "version": 1})
    table = read_table(tmp_path / "cases.h5", tmp_path / "schema.yaml")
    table.write(tmp_path)
    (tmp_path / "run.yaml").write_text(CONVOLVED.replace("cases.h5", "cases.csv"))
    (tmp_path / "law.yaml").write_text(LAW)
    hiple("train", tmp_path / "run.yaml", "--engine", "net", "--output", tmp_path / "run")
    return tmp_path / "run", table


def test_a_network_on_all_columns_convolves_as_engines_do(trained, tmp_path):
    """Its products are those that the program reckons with, and its own entry is one that the program trains."""
    directory, table = trained
    with h5py.File(directory / "engines" / "net" / "checkpoint.h5") as file:
        weights = file["weights"].shape[0]
    assert products_of(directory, "net") == weights + 4 * 4 * (3 * 2 + 1) + 3 * 6 * (2 * 4 + 1), "5 places, then 4"
    like = plain_yaml.read(directory / "run.yaml")["engines"][0]
    plan = network(directory, ["net"], like, table.inputs(), 2, 100)
    assert plan["features"] == ["P", "oil"] and plan["hidden"] >= 16 and plan["epochs"] >= 1
    run = plain_yaml.read(directory / "run.yaml")
    plain_yaml.write(tmp_path / "all.yaml", {**run, "engines": [*run["engines"], entry(plan, like, "monolith", "state")]})
    hiple("train", tmp_path / "all.yaml", "--engine", "monolith", "--output", tmp_path / "all")
    assert products_of(tmp_path / "all", "monolith") >= products_of(directory, "net")


def test_columns_that_divide_the_rows_are_not_read():
    """What tells the parts, or the groups that stay together, has values in the test part that no training row has."""
    columns = [{"name": name, "type": "integer"} for name in ("year", "ward", "age")]
    names = lambda split: [each["name"] for each in readable(columns, split)]
    assert names({"test": "0.3"}) == ["year", "ward", "age"]
    assert names({"column": "year", "train": ["1984"], "test": ["1986"]}) == ["ward", "age"]
    assert names({"column": "year", "train": ["1984"], "test": ["1986"], "group": "ward"}) == ["age"]
    assert names({"test": "0.3", "group": "ward"}) == ["year", "age"]


@pytest.mark.parametrize("divides", [{"column": "oil", "train": ["1"], "test": ["2"]}, {"test": "0.2", "group": "oil"}])
def test_every_network_is_prepared_without_what_divides_the_rows(trained, divides):
    directory, table = trained
    run = plain_yaml.read(directory / "run.yaml")
    run["data"]["split"] = {**run["data"]["split"], **divides}
    study = SimpleNamespace(directory=directory, run=run, engines=run["engines"])
    labels = {("monolith", "all"): ["good", "bad"] * 100, ("monolith_state", "all_state"): ["good", "bad"] * 100}
    entries, plans = Preparation.networks(SimpleNamespace(study=study, training=table), labels)
    assert [each["features"] for each in entries] == [["P"], ["P"]]
    assert {name: plan["features"] for name, plan in plans.items()} == {"monolith": ["P"], "monolith_state": ["P"]}


def test_a_copy_takes_no_name_that_is_there():
    study = SimpleNamespace(engines=[{"name": "pump"}, {"name": "pump_copy"}, {"name": "oil"}, {"name": "oil_again"}])
    names = [Preparation.free_name(SimpleNamespace(study=study), engine) for engine in ("pump", "oil")]
    assert names == ["pump_again", "oil_again_again"]


def test_who_speaks_to_a_question(tmp_path):
    (tmp_path / "gates.yaml").write_text("gates: 1\ntruth:\n  state: {column: state}\nneeded:\n  state: hypo\n  state.high: [hyper]\n")
    engines = [{"name": "hyper", "target": "hyper"}, {"name": "hyper_again", "target": "hyper"}, {"name": "hypo", "target": "hypo"},
               {"name": "nti", "target": "illness"}, {"name": "broad", "target": "state"}]
    classes = {"hyper": ("none", "high"), "hyper_again": ("none", "high"), "hypo": ("none", "low"), "nti": ("none", "ill"), "broad": ("none", "high", "low")}
    voices = find_voices(tmp_path / "gates.yaml", engines, [STATE], classes, {"hyper_again": "hyper"})
    assert [voice.engine for voice in voices[0]] == ["hyper", "hyper_again", "hypo", "broad"]
    assert voices[0][3].sets.tolist() == np.eye(3, dtype=bool).tolist()
