"""A table file read and written by h5py, and CSV against Python's own reader."""

import csv
import io
import os
import random
import subprocess
from pathlib import Path

import h5py
import numpy as np
import pytest

CHANGE = Path(os.environ["HIPLE_BIN_DIR"]) / "change_table"

SCHEMA = """schema: 1
columns:
  - {name: record, type: integer, role: id}
  - {name: TSH, type: real, unit: mU/L, range: [0, 600], missing: ["?"]}
  - {name: n, type: integer}
  - {name: sex, type: category, values: [F, M, "ä,b"]}
  - {name: sick, type: boolean, "true": [t], "false": [f]}
  - {name: seen, type: date}
"""


def change(folder, table, output, schema=SCHEMA):
    (folder / "schema.yaml").write_text(schema)
    return subprocess.run([CHANGE, folder / "schema.yaml", table, output], capture_output=True, text=True)


def test_h5py_reads_what_we_write(tmp_path):
    (tmp_path / "t.csv").write_text('record,TSH,n,sex,sick,seen\n9,?,-5,"ä,b",t,1970-01-11\n4,7.25,,M,f,\n6,601,9007199254740993,X,,2020-02-29\n')
    assert change(tmp_path, tmp_path / "t.csv", tmp_path / "t.h5").returncode == 0
    with h5py.File(tmp_path / "t.h5") as file:
        assert dict(file.attrs)["format"] in ("hiple table", b"hiple table") and file.attrs["version"] == 1 and file.attrs["complete"] == 1
        assert file["case_id"].dtype == np.uint64 and file["case_id"][:].tolist() == [4, 6, 9]
        assert sorted(file["columns"]) == sorted(file["cells"]) == ["TSH", "n", "seen", "sex", "sick"]
        dtypes = {"TSH": np.float64, "n": np.int64, "sex": np.int32, "sick": np.uint8, "seen": np.int32}
        for name, dtype in dtypes.items():
            assert file["columns"][name].dtype == dtype and file["cells"][name].dtype == np.uint8
        assert file["columns/TSH"][0] == 7.25 and file["cells/TSH"][:].tolist() == [0, 2, 1]
        assert file["columns/n"][1] == 9007199254740993 and file["cells/n"][:].tolist() == [1, 0, 0]
        assert [v.decode() for v in file["values/sex"][:]] == ["F", "M", "ä,b"]
        assert file["columns/sex"][:].tolist() == [1, 0, 2] and file["cells/sex"][:].tolist() == [0, 2, 0]
        assert file["columns/sick"][2] == 1 and file["columns/seen"][2] == 10
        unit, kind = file["columns/TSH"].attrs["unit"], file["columns/sick"].attrs["type"]
        assert unit in ("mU/L", b"mU/L") and kind in ("boolean", b"boolean")


def made_by_h5py(path, **changes):
    """A file as another program would write it, without our chunks and check sums."""
    with h5py.File(path, "w") as file:
        file.attrs["format"], file.attrs["version"], file.attrs["software"], file.attrs["created"] = "hiple table", np.uint32(1), "h5py", "now"
        file["case_id"] = np.array([3, 1], np.uint64)
        columns = {"TSH": ("real", np.array([0.1, np.nan])), "n": ("integer", np.array([1, 2], np.int64)), "sex": ("category", np.array([0, 1], np.int32)),
                   "sick": ("boolean", np.array([1, 0], np.uint8)), "seen": ("date", np.array([0, 1], np.int32))}
        columns.update(changes)
        for name, (kind, values) in columns.items():
            file["columns/" + name] = values
            file["columns/" + name].attrs["type"] = kind
            file["columns/" + name].attrs["unit"] = "mU/L" if name == "TSH" else ""
            file["cells/" + name] = np.array([0, 1], np.uint8)
        file["values/sex"] = np.array(["M", "F"], dtype=h5py.string_dtype())
        file.attrs["complete"] = np.uint8(1)


def test_we_read_what_h5py_writes(tmp_path):
    made_by_h5py(tmp_path / "t.h5")
    result = change(tmp_path, tmp_path / "t.h5", tmp_path / "t.csv")
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "t.csv").read_text() == "record,TSH,n,sex,sick,seen\n1,,,,,\n3,0.1,1,M,t,1970-01-01\n"


@pytest.mark.parametrize("changes", [
    {"TSH": ("real", np.array([1.0, 2.0], np.float32))},
    {"n": ("integer", np.array([1.0, 2.0]))},
    {"sick": ("boolean", np.array([1, 0, 1], np.uint8))},
    {"more": ("real", np.array([1.0, 2.0]))},
    {"sex": ("category", np.array([[0, 1], [1, 0]], np.int32))},
])
def test_what_does_not_fit_is_refused(tmp_path, changes):
    made_by_h5py(tmp_path / "t.h5", **changes)
    result = change(tmp_path, tmp_path / "t.h5", tmp_path / "t.csv")
    assert result.returncode == 2 and "t.h5" in result.stderr, result.stderr
    assert not (tmp_path / "t.csv").exists()


def test_csv_as_python_reads_it(tmp_path):
    """Random texts with quotes, commas and line ends, written by Python's csv and by hand, come back as Python's csv reads them."""
    generator = random.Random(7)
    values = ["a", " a ", "a,b", '"', '""', '"a"', "a\nb", "a\r\nb", "ä€", "x" * 70000, "a;b", "'", "\t", ","]
    schema = "schema: 1\ncolumns:\n  - {name: record, type: integer, role: id}\n"
    quoted = ", ".join('"' + v.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t") + '"' for v in values)
    for name in "xyz":
        schema += f"  - {{name: {name}, type: category, values: [{quoted}]}}\n"
    rows = [[str(i)] + [generator.choice(values + [""]) for _ in "xyz"] for i in range(1, 300)]
    for terminator, quoting in (("\n", csv.QUOTE_MINIMAL), ("\r\n", csv.QUOTE_ALL), ("\r\n", csv.QUOTE_MINIMAL)):
        text = io.StringIO(newline="")
        csv.writer(text, lineterminator=terminator, quoting=quoting).writerows([["record", "x", "y", "z"], *rows])
        (tmp_path / "t.csv").write_bytes(text.getvalue().encode())
        result = change(tmp_path, tmp_path / "t.csv", tmp_path / "out.csv", schema)
        assert result.returncode == 0, result.stderr
        with open(tmp_path / "out.csv", newline="") as file:
            assert list(csv.reader(file))[1:] == rows


def test_csv_that_python_refuses_is_refused(tmp_path):
    """Random bytes: never a crash; and where Python's strict reader sees an error, we see one too."""
    generator = random.Random(8)
    schema = 'schema: 1\ncolumns:\n  - {name: x, type: category, values: [a]}\n  - {name: y, type: category, values: [a]}\n'
    refused = 0
    for _ in range(150):
        body = "".join(generator.choice(['a', ',', '"', '\n', '\r\n', 'a,a\n', '"a",']) for _ in range(generator.randrange(12)))
        (tmp_path / "t.csv").write_bytes(("x,y\n" + body).encode())
        try:
            wrong = any(len(row) not in (0, 2) for row in csv.reader(io.StringIO(body, newline=""), strict=True))
        except csv.Error:
            wrong = True
        result = change(tmp_path, tmp_path / "t.csv", tmp_path / "out.h5", schema)
        assert result.returncode in (0, 2), (body, result.stderr)
        if wrong:
            refused += 1
            assert result.returncode == 2 and "t.csv:" in result.stderr, body
    assert refused > 50
