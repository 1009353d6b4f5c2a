"""Tables in HDF5 as nobody means well: refused with the file's name, with little memory, and without looking into another file."""

import zlib

import h5py
import numpy as np
import pytest
from conftest import hiple
from hostile import refused

ROWS = 240
KINDS = {"a": "real", "b": "real", "kind": "category", "x": "boolean", "y": "category", "z": "boolean"}
VALUES = {"kind": ["red", "green"], "y": ["low", "middle", "high"]}


def write_table(path):
    """The table of the tiny study as another program would write it: without our checksum."""
    random = np.random.default_rng(3)
    a, b = random.normal(0, 1, ROWS), random.normal(0, 2, ROWS)
    columns = {"a": a.clip(-9, 9), "b": b, "kind": random.integers(0, 2, ROWS).astype("i4"), "x": (a > 0.3).astype("u1"),
               "y": np.where(b < -1, 0, np.where(b > 1, 2, 1)).astype("i4"), "z": ((a > 0) & (b > 0)).astype("u1")}
    with h5py.File(path, "w") as file:
        file.attrs["format"], file.attrs["version"] = "hiple table", np.uint32(1)
        file["case_id"] = np.arange(1, ROWS + 1, dtype="u8")
        for name, kind in KINDS.items():
            file["columns/" + name] = columns[name]
            file["columns/" + name].attrs["type"] = kind
            file["columns/" + name].attrs["unit"] = "mm" if name == "b" else ""
            file["cells/" + name] = np.zeros(ROWS, "u1")
        for name, texts in VALUES.items():
            file["values/" + name] = np.array(texts, dtype=h5py.string_dtype())
        file.attrs["complete"] = np.uint8(1)


@pytest.fixture
def table(study):
    path = study.root / "cases.h5"
    write_table(path)
    study.replace("run.yaml", "table: cases.csv", "table: cases.h5")
    return path


def replaced(file, name, make):
    """Makes a data set anew, with the attributes of the one that was there."""
    attributes = dict(file[name].attrs)
    del file[name]
    made = make()
    for key, value in attributes.items():
        made.attrs[key] = value


def test_the_table_itself_is_read(study, table):
    assert hiple("run", study.file).returncode in (0, 4)


def test_no_other_file_is_opened(study, table):
    """Four ways to name one; the other file is a fine table, so that following would succeed."""
    other = study.root / "other.h5"
    write_table(other)
    raw = study.root / "raw"
    raw.write_bytes(np.zeros(ROWS).tobytes())

    def external_link(file):
        del file["columns/b"]
        file["columns/b"] = h5py.ExternalLink(str(other), "/columns/b")

    def external_folder(file):
        del file["cells"]
        file["cells"] = h5py.ExternalLink(str(other), "/cells")

    def external_storage(file):
        replaced(file, "columns/b", lambda: file.create_dataset("columns/b", (ROWS,), "f8", external=[(str(raw), 0, ROWS * 8)]))

    def virtual(file):
        layout = h5py.VirtualLayout((ROWS,), "f8")
        layout[:] = h5py.VirtualSource(str(other), "columns/b", (ROWS,))
        replaced(file, "columns/b", lambda: file.create_virtual_dataset("columns/b", layout))

    for spoil in (external_link, external_folder, external_storage, virtual):
        write_table(table)
        with h5py.File(table, "r+") as file:
            spoil(file)
        refused("run", study.file, file="cases.h5", said="link" if "link" in spoil.__name__ or "folder" in spoil.__name__ else "another file",
                study=study)


def test_links_in_a_circle_end(study, table):
    def soft_to_itself(file):
        del file["columns/b"]
        file["columns/b"] = h5py.SoftLink("/columns/b")

    def group_in_itself(file):
        file["columns/loop"] = file["columns"]

    def root_as_column(file):
        del file["columns/b"]
        file["columns/b"] = file["/"]

    for spoil in (soft_to_itself, group_in_itself, root_as_column):
        write_table(table)
        with h5py.File(table, "r+") as file:
            spoil(file)
        refused("run", study.file, file="cases.h5", study=study)


@pytest.mark.parametrize("shape, chunks", [((1 << 40,), (1024,)), ((1 << 62,), (1024,)), ((1 << 40, 1 << 20), (16, 16)), ((ROWS, 2, 2), None), ((), None)],
                         ids=["terabytes", "more than addresses", "two dimensions", "three dimensions", "none"])
def test_sizes_that_cannot_be(study, table, shape, chunks):
    with h5py.File(table, "r+") as file:
        replaced(file, "columns/b", lambda: file.create_dataset("columns/b", shape, "f8", chunks=chunks))
    refused("run", study.file, file="cases.h5", said="columns/b", study=study)


def test_all_columns_claim_what_none_holds(study, table):
    with h5py.File(table, "r+") as file:
        for name, kind in [("case_id", "u8")] + [(f"columns/{n}", file[f"columns/{n}"].dtype) for n in KINDS] + [(f"cells/{n}", "u1") for n in KINDS]:
            replaced(file, name, lambda: file.create_dataset(name, (1 << 40,), kind, chunks=(1 << 20,)))
    refused("run", study.file, file="cases.h5", said="are stored", study=study)


def test_a_chunk_much_larger_than_its_values(study, table):
    """A few kilobytes that inflate to a chunk of 4 GB, of which 240 values are wanted."""
    chunk = (1 << 29) - 1
    packed = zlib.compressobj(9)
    stored = b"".join(packed.compress(bytes(1 << 20)) for _ in range(64)) + packed.flush()
    with h5py.File(table, "r+") as file:
        def make():
            made = file.create_dataset("columns/b", (ROWS,), "f8", maxshape=(None,), chunks=(chunk,), compression="gzip")
            made.id.write_direct_chunk((0,), stored)
            return made
        replaced(file, "columns/b", make)
    refused("run", study.file, file="cases.h5", said="in chunks of", study=study)


def test_texts_that_a_thousand_rows_share(study, table):
    """Texts of variable length are named by where they lie: a file of some megabytes in which all rows name one and the same."""
    rows, size = 4096, 4 << 20
    with h5py.File(table, "r+") as file:
        del file["values/kind"]
        made = file.create_dataset("values/kind", (rows,), h5py.string_dtype())
        made[0] = "x" * size
        made[1] = "y"
        file.flush()
        offset = made.id.get_offset()
    with open(table, "r+b") as file:
        file.seek(offset)
        first = file.read(16)
        assert int.from_bytes(first[:4], "little") == size
        file.seek(offset)
        file.write(first * rows)
    refused("run", study.file, file="cases.h5", said="values/kind", study=study)


def test_more_texts_than_a_file_can_name(study, table):
    with h5py.File(table, "r+") as file:
        del file["values/kind"]
        file.create_dataset("values/kind", (1 << 27,), "S1", chunks=(1 << 22,), compression="gzip")[::1 << 22] = b"x"
    refused("run", study.file, file="cases.h5", said="values/kind", study=study)


@pytest.mark.parametrize("name, values", [
    ("columns/b", np.zeros(ROWS, [("p", "f8"), ("q", "f8")])),
    ("columns/b", np.array([b"1.5"] * ROWS)),
    ("columns/b", np.zeros(ROWS, ">f4")),
    ("columns/b", np.zeros(ROWS, "c16")),
    ("columns/kind", np.zeros(ROWS, "u1")),
    ("cells/b", np.full(ROWS, 3, "u1")),
    ("cells/b", np.zeros(ROWS - 1, "u1")),
    ("case_id", np.zeros(ROWS, "u8")),
    ("case_id", np.arange(-1, ROWS - 1)),
    ("values/kind", np.zeros(2)),
    ("values/kind", np.array([[b"red", b"green"]])),
], ids=["compound", "texts", "single", "complex", "narrow codes", "no state", "a cell less", "equal ids", "signed ids", "no texts", "a square of texts"])
def test_values_of_another_kind(study, table, name, values):
    with h5py.File(table, "r+") as file:
        replaced(file, name, lambda: file.create_dataset(name, data=values))
    refused("run", study.file, file="cases.h5", said=name, study=study)


def test_attributes_of_another_kind(study, table):
    for value in (np.arange(3), np.array(["real", "real"], dtype=h5py.string_dtype()), h5py.Empty("S4"), np.bytes_(b"real\xff"), "x" * 60000):
        write_table(table)
        with h5py.File(table, "r+") as file:
            file["columns/b"].attrs.create("type", value)
        refused("run", study.file, file="cases.h5", said="columns/b", study=study)


def test_numbers_at_the_edge(study, table):
    """A denormal is a number; infinities and what is no number are invalid cells, told once and judged as such."""
    with h5py.File(table, "r+") as file:
        file["columns/b"][:6] = [5e-324, -2.2e-308, np.inf, -np.inf, np.nan, -0.0]
    result = hiple("run", study.file)
    assert result.returncode in (0, 3, 4), result.stderr
    with h5py.File(study.directory / "judgments" / "beta.h5") as file:
        assert list(file["status"][:6] == 2) == [False, False, True, True, True, False]
    assert "5e-324" in hiple("explain", study.directory, "--case", 1).stdout
    for number, case in (("-inf", 4), ("inf", 3), ("nan", 5)):
        shown = hiple("explain", study.directory, "--case", case).stdout
        assert number not in shown.lower().replace("invalid", ""), shown
