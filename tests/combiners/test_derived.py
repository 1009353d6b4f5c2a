"""What derived runs are made of: YAML that is passed on as typed, tables with other rows and columns, folds, the monolith's size."""

import h5py
import numpy as np
import plain_yaml
import pytest
from derived_runs import fold_numbers
from rival_network import input_width
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
    assert table.case_id.tolist() == [7, 8, 9] and table.inputs() == ["a", "sick", "kind"]
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


def test_the_width_of_inputs():
    columns = [{"name": "a", "type": "real"}, {"name": "s", "type": "boolean"}, {"name": "k", "type": "category", "values": list("abcde")}]
    assert input_width(columns, ["a", "s", "k"]) == 2 + 2 + 3


def test_who_speaks_to_a_question(tmp_path):
    (tmp_path / "gates.yaml").write_text("gates: 1\ntruth:\n  state: {column: state}\nneeded:\n  state: hypo\n  state.high: [hyper]\n")
    engines = [{"name": "hyper", "target": "hyper"}, {"name": "hyper_copy", "target": "hyper"}, {"name": "hypo", "target": "hypo"},
               {"name": "nti", "target": "illness"}, {"name": "broad", "target": "state"}]
    classes = {"hyper": ("none", "high"), "hyper_copy": ("none", "high"), "hypo": ("none", "low"), "nti": ("none", "ill"), "broad": ("none", "high", "low")}
    voices = find_voices(tmp_path / "gates.yaml", engines, [STATE], classes)
    assert [voice.engine for voice in voices[0]] == ["hyper", "hyper_copy", "hypo", "broad"]
    assert voices[0][3].sets.tolist() == np.eye(3, dtype=bool).tolist()
