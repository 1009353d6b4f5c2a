"""Names with quotes, line ends, other scripts and three hundred characters, and numbers at the edge: through a whole run, or
refused at their place."""

import csv
import json

import h5py
import pytest
from conftest import hiple, status
from hostile import refused

NAMES = {
    "quotes": 'a "quoted" \'name\'',
    "a comma": "a, b; c",
    "UTF-8": "größe 漢字 é 🦥",
    "long": "x" * 300,
    "markup": "<img src=x onerror=alert(1)>&amp;<!--",
    "template": "{a} {{b}} %s $HOME `id`",
    "blanks": " a  b ",
    "right to left": "\u202egnitset",
}


def yaml_text(text):
    return json.dumps(text, ensure_ascii=False)


def rename(study, name, value):
    """Column b is called so, and a category's value."""
    rows = list(csv.reader((study.root / "cases.csv").open(newline="")))
    rows[0][2] = name
    for row in rows[1:]:
        row[3] = value if row[3] == "green" else row[3]
    with (study.root / "cases.csv").open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    study.replace("schema.yaml", "name: b,", f"name: {yaml_text(name)},")
    study.replace("schema.yaml", "[red, green]", f"[red, {yaml_text(value)}]")
    text = (study.root / "run.yaml").read_text().replace("features: [b, a]", f"features: [{yaml_text(name)}, a]")
    text = text.replace("[a, b, kind]", f"[a, {yaml_text(name)}, kind]").replace("    cases: 'b > -3 [mm]'\n", "")
    (study.root / "run.yaml").write_text(text)


def condition(study, old, new):
    """Changes a condition, which stands in single quotes."""
    study.replace("law.yaml", old, new.replace("'", "''"))


@pytest.mark.parametrize("kind", NAMES)
def test_a_whole_run(study, kind):
    name = NAMES[kind]
    rename(study, name, name)
    if "`" in name:  # no condition can name it
        condition(study, " and b < 0 [mm]", "")
    else:
        condition(study, "b < 0 [mm]", f"`{name}` < 0 [mm]")
    text = name.replace("\\", "\\\\").replace('"', '\\"')
    condition(study, 'kind == "red"', f'kind != "{text}"')
    result = hiple("run", study.file)
    assert result.returncode in (0, 4), result.stdout + result.stderr
    assert status(study.directory)["state"] == "complete"
    assert "identical" in hiple("replay", study.directory).stdout
    assert hiple("integrate", study.directory).returncode == 0
    explained = hiple("explain", study.directory, "--case", 3, "--json")
    assert explained.returncode == 0 and json.loads(explained.stdout)
    assert hiple("report", study.directory).returncode == 0
    assert "<img src=x onerror" not in (study.directory / "report.html").read_text()
    judged = hiple("judge", study.file, "--engine", "beta", "--cases", study.root / "cases.csv", "--out", study.root / "new.h5")
    assert judged.returncode == 0, judged.stderr
    with h5py.File(study.directory / "engines" / "beta" / "checkpoint.h5") as file:
        assert name in list(file["features/name"].asstr())


@pytest.mark.parametrize("name", ["two\nlines", "a\tb", "", "\x07", "../../etc/passwd", "a/b", "."])
def test_names_that_no_file_can_hold(study, name):
    rename(study, name, "green")
    result = refused("check", study.file, file="schema.yaml:5:12: ", said="cannot be a column's name", study=study)
    assert "\x07" not in result.stderr


@pytest.mark.parametrize("name", ["a b", "../x", "a/b", "x" * 65, "größe", "a\nb", "", "and", "-x"])
def test_names_of_engines_are_names_of_files(study, name):
    study.replace("run.yaml", "name: alpha", f"name: {yaml_text(name)}")
    refused("check", study.file, file="run.yaml:10:", study=study)


def first_b(study, text):
    rows = list(csv.reader((study.root / "cases.csv").open(newline="")))
    rows[1][2] = text
    with (study.root / "cases.csv").open("w", newline="") as file:
        csv.writer(file).writerows(rows)


@pytest.mark.parametrize("text", ["inf", "-inf", "Infinity", "nan", "NaN", "1e999", "-1e999", "0x10", "1,5", "1e", "+1", "１", "1 ", "--1", "1e5e5"])
def test_cells_that_are_no_number(study, text):
    first_b(study, text)
    refused("run", study.file, file="cases.csv:2:", study=study)


@pytest.mark.parametrize("text", ["5e-324", "-2.2250738585072009e-308", "1e-400", "-0.0", "1.7976931348623157e308", "-1.7976931348623157e308"])
def test_cells_at_the_edge_are_numbers(study, text):
    first_b(study, text)
    result = hiple("run", study.file)
    if text == "1e-400" and result.returncode == 2:  # less than any number that there is
        assert "cases.csv:2:" in result.stderr
        return
    assert result.returncode in (0, 4), result.stdout + result.stderr
    assert status(study.directory)["state"] == "complete"
    with h5py.File(study.directory / "judgments" / "beta.h5") as file:
        judged = file["status"][...] == 0
        for name in ("confidence", "probability", "typicality"):
            values = file[name][...][judged]
            assert ((values >= 0) & (values <= 1)).all(), name
