"""A study's table as rows of text: to take rows out, add columns, and blank cells. It is written as CSV."""

import csv
import datetime

import h5py
import numpy as np
import plain_yaml


class BadTable(Exception):
    """The table cannot be used; says which and why."""


def points(column):
    """The table's columns for an entry of schema.yaml: itself, or the points of a series, numbered as src/table/series.hpp does."""
    if "length" not in column:
        return [column["name"]]
    length = int(column["length"])
    digits = len(str(length - 1))
    return [f"{column['name']}_{number:0{digits}}" for number in range(length)]


class RowTable:
    def __init__(self, columns, rows, schema):
        self.columns, self.rows, self.schema = columns, rows, schema
        ids = [column["name"] for column in schema["columns"] if column.get("role") == "id"]
        if not ids:
            raise BadTable("the schema has no column with the role id (tables are matched by case ids): give the table ids")
        self.id_at = columns.index(ids[0])
        self.case_id = np.array([int(row[self.id_at]) for row in rows], np.uint64)

    def inputs(self):
        """The schema's entries that engines may read: columns, and series of columns."""
        return [column for column in self.schema["columns"] if column.get("role", "input") == "input"]

    def take(self, rows):
        return RowTable(self.columns, [self.rows[row] for row in rows], self.schema)

    def with_column(self, name, cells, /, **described):
        """One column more; `described` is its entry of schema.yaml."""
        if name in self.columns:
            raise BadTable(f"the table has a column {name} already, which is a name of the comparison's: rename it")
        schema = {**self.schema, "columns": [*self.schema["columns"], {"name": name, **described}]}
        return RowTable([*self.columns, name], [[*row, str(value)] for row, value in zip(self.rows, cells)], schema)

    def blanked(self, share, random, spared=()):
        """The same with this share of the cells of input columns missing, whichever; of a series, points. Columns that are spared stay
        whole, and the cells of all others are the same as if none were."""
        place = {name: number for number, name in enumerate(self.columns)}
        at = [place[name] for column in self.inputs() for name in points(column)]
        rows = [list(row) for row in self.rows]
        for row, lost in zip(rows, random.random((len(rows), len(at))) < share):
            for column in np.flatnonzero(lost):
                if self.columns[at[column]] not in spared:
                    row[at[column]] = ""
        return RowTable(self.columns, rows, self.schema)

    def renumbered(self, offset):
        """Other case ids: each with the offset added."""
        rows = [list(row) for row in self.rows]
        for row, case in zip(rows, self.case_id):
            row[self.id_at] = str(int(case) + offset)
        return RowTable(self.columns, rows, self.schema)

    def followed_by(self, other):
        return RowTable(self.columns, self.rows + other.rows, self.schema)

    def column(self, name):
        at = self.columns.index(name)
        return [row[at] for row in self.rows]

    def write(self, folder):
        """cases.csv and schema.yaml in a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        plain_yaml.write(folder / "schema.yaml", {**self.schema, "header": plain_yaml.Plain("true")})
        with open(folder / "cases.csv", "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(self.columns)
            writer.writerows(self.rows)


def read_csv(path, schema):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    named = str(schema.get("header", "true")) == "true"
    columns = rows.pop(0) if named else [name for column in schema["columns"] for name in points(column)]
    return RowTable(columns, [row for row in rows if row], schema)


def texts(values, cells, column, names):
    """A column of an HDF5 table as a CSV table would have it; a value that is invalid stays so."""
    kind, known = column["type"], cells == 0
    if kind == "boolean":
        words = [column.get("false", ["false"])[0], column.get("true", ["true"])[0]]
    elif kind == "category":
        words = names
    for value, is_known, cell in zip(values, known, cells):
        if not is_known:
            yield "" if cell == 1 else "invalid"
        elif kind in ("boolean", "category"):
            yield words[int(value)]
        elif kind == "date":
            yield (datetime.date(1970, 1, 1) + datetime.timedelta(days=int(value))).isoformat()
        else:
            yield repr(float(value)) if kind == "real" else str(int(value))


def read_h5(path, schema):
    with h5py.File(path) as file:
        kept = [column for column in schema["columns"] if column.get("role") != "ignore"]
        columns, gathered = [], []
        for column in kept:
            if column.get("role") == "id":
                columns.append(column["name"])
                gathered.append([str(int(case)) for case in file["case_id"][...]])
                continue
            for name in points(column):
                names = list(file[f"values/{name}"].asstr()[...]) if column["type"] == "category" else []
                columns.append(name)
                gathered.append(list(texts(file[f"columns/{name}"][...], file[f"cells/{name}"][...], column, names)))
        return RowTable(columns, [list(row) for row in zip(*gathered)], {**schema, "columns": kept})


def read_table(path, schema_path):
    schema = plain_yaml.read(schema_path)
    return (read_h5 if h5py.is_hdf5(path) else read_csv)(path, schema)
