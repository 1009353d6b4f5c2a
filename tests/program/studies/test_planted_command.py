"""`hiple data generate planted` as a user types it: what it makes works at once, and what is wrong is said before anything is made."""

import resource
import signal

import h5py
import pytest
from conftest import hiple


def generate(folder, *words, **more):
    return hiple("data", "generate", "planted", *words, folder, **more)


def test_what_it_makes_is_a_study(tmp_path):
    folder = tmp_path / "world"
    result = generate(folder, "--domains", 5, "--rows", 400, "--seed", 3, "--correlated", 2)
    assert result.returncode == 0, result.stderr
    assert "400 rows, 5 domains, 9 engines" in result.stdout
    result = hiple("check", folder / "run.yaml")
    assert result.returncode == 0, result.stdout + result.stderr
    result = hiple("law", "test", folder / "law.yaml")
    assert result.returncode == 0, result.stdout + result.stderr
    result = hiple("law", "check", folder / "law.yaml")
    assert result.returncode == 0, result.stdout + result.stderr


def test_tables_of_both_formats_and_any_number_of_rows_agree(tmp_path):
    for name, words in {"h5": ["--rows", 500], "csv": ["--rows", 200, "--format", "csv"], "again": ["--rows", 500]}.items():
        assert generate(tmp_path / name, "--domains", 4, "--missing", 0.2, *words).returncode == 0
    with h5py.File(tmp_path / "h5" / "cases.h5") as one, h5py.File(tmp_path / "again" / "cases.h5") as two:
        for name in one["columns"]:
            assert (one[f"columns/{name}"][...] == two[f"columns/{name}"][...]).all()
        lines = (tmp_path / "csv" / "cases.csv").read_text().splitlines()
        names = lines[0].split(",")
        assert len(lines) == 201 and names[0] == "case" and set(names[1:]) == set(one["columns"])
        at = names.index("d002_a")
        for row, line in enumerate(lines[1:]):
            cell = line.split(",")[at]
            assert (cell == "") == (one["cells/d002_a"][row] == 1)
            assert cell == "" or float(cell) == one["columns/d002_a"][row]


@pytest.mark.parametrize("words, expected", [
    (["--domains", "0"], "--domains is 0"),
    (["--domains", "3"], "choose from 4 to 256"),
    (["--domains", "1000000000"], "--domains is 1000000000"),
    (["--domains", "-4"], "--domains"),
    (["--rows", "0"], "--rows is 0"),
    (["--rows", "99999999999999"], "--rows is 99999999999999"),
    (["--correlated", "17"], "there are 16 domains"),
    (["--missing", "1"], "--missing is 1"),
    (["--missing", "nan"], "--missing"),
    (["--cross", "0.7", "--critical", "0.2"], "leave under a tenth"),
    (["--ood", "lots"], "--ood"),
    (["--conflict", "0.99"], "more than all test cases"),
    (["--seed", "18446744073709551615"], "--seed"),
    (["--format", "xml"], "--format"),
], ids=lambda value: " ".join(value) if isinstance(value, list) else "")
def test_bad_input(tmp_path, words, expected):
    folder = tmp_path / "world"
    result = generate(folder, *words)
    assert result.returncode == 2, result.stdout + result.stderr
    assert expected in result.stderr
    assert not folder.exists()


def test_a_folder_that_holds_something_is_left_alone(tmp_path):
    (tmp_path / "note").write_text("mine")
    result = generate(tmp_path, "--rows", 10)
    assert result.returncode == 2 and "is there already" in result.stderr and str(tmp_path) in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["note"]
    result = generate(tmp_path / "note", "--rows", 10)
    assert result.returncode == 2 and (tmp_path / "note").read_text() == "mine"
    result = hiple("data", "generate", "planted")
    assert result.returncode == 2 and "FOLDER" in result.stderr


@pytest.mark.parametrize("form", ["h5", "csv"])
def test_a_disk_that_fills_up_leaves_nothing(tmp_path, form):
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))

    folder = tmp_path / "world"
    result = generate(folder, "--domains", 32, "--rows", 20000, "--format", form, preexec_fn=limit)
    assert result.returncode == 1, result.stdout + result.stderr
    assert "cases." + form in result.stderr
    assert not folder.exists()
