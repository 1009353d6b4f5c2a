"""What may come to the law that nobody wanted: decided rightly, or refused with a reason; never a wrapped number or a dropped case."""

import csv
import shutil
import subprocess

import h5py
import numpy
import pytest

from conftest import Study, hiple, seal, status


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    study = Study(tmp_path_factory.mktemp("study"))
    study.write_run(epochs=1)
    done = hiple("run", study.file)
    assert done.returncode == 0, done.stderr
    return study


@pytest.fixture
def run(trained, tmp_path):
    directory = tmp_path / "out"
    shutil.copytree(trained.directory, directory)
    return directory


ROWS = ("case_id", "label", "confidence", "probability", "typicality", "status")


def change(path, **arrays):
    """Replaces data sets of a judgments file, as if its engine had written them."""
    with h5py.File(path, "r+") as file:
        for name, values in arrays.items():
            del file[name]
            file[name] = values
    seal(path)


def rows(path):
    with h5py.File(path) as file:
        return {name: file[name][...] for name in ROWS}


def decided(directory):
    with h5py.File(directory / "decisions.h5") as file:
        return file["case_id"][...].tolist(), file["status"][...].tolist()


def test_engines_with_other_cases(run):
    """One that lacks every third case, and knows some that the table lacks: every case is decided, and those without it are not
    decided from a neighbour's judgment."""
    before = decided(run)
    alpha = run / "judgments" / "alpha.h5"
    own = rows(alpha)
    kept = {name: values[[i for i in range(240) if i % 3 != 0]] for name, values in own.items()}
    strange = {name: values[:5] for name, values in own.items()} | {"case_id": numpy.array([0, 1000, 2**31, 2**32 + 1, 2**63], "u8")}
    both = {name: numpy.concatenate([kept[name], strange[name]]) for name in ROWS}
    order = numpy.argsort(both["case_id"])
    change(alpha, **{name: values[order] for name, values in both.items()})
    done = hiple("integrate", run)
    assert done.returncode == 0, done.stderr
    cases, answers = decided(run)
    assert cases == before[0] and len(cases) == 240
    assert all(answers[i] == before[1][i] for i in range(240) if i % 3 != 0)
    assert "identical" in hiple("replay", run).stdout


def test_an_engine_with_unknown_classes(run):
    change(run / "judgments" / "alpha.h5", classes=numpy.array([b"false", b"maybe"]))
    done = hiple("integrate", run)
    assert done.returncode == 2
    assert "judgments of alpha: the classes are not those the law was checked against: the file has false, maybe" in done.stderr
    assert status(run)["state"] == "failed" and not (run / "decisions.h5").exists()


@pytest.mark.parametrize("name, spoil, reason", [
    ("twice", lambda r: r | {"case_id": numpy.maximum(r["case_id"], 2)}, "case 2: the ids are not ascending"),
    ("backwards", lambda r: {name: values[::-1] for name, values in r.items()}, "the ids are not ascending"),
    ("class", lambda r: r | {"label": r["label"] + numpy.uint16(7)}, "is no class"),
    ("nan", lambda r: r | {"confidence": r["confidence"] * numpy.float32("nan")}, "a confidence outside 0 to 1"),
])
def test_judgments_that_are_not_sound(run, name, spoil, reason):
    beta = run / "judgments" / "beta.h5"
    change(beta, **spoil(rows(beta)))
    done = hiple("integrate", run)
    assert done.returncode == 3, done.stderr
    (missing,) = status(run)["missing"]
    assert missing["engine"] == "beta" and reason in missing["reason"]
    assert len(decided(run)[0]) == 240


def test_a_corrupt_file(run):
    gamma = run / "judgments" / "gamma.h5"
    content = bytearray(gamma.read_bytes())
    content[len(content) // 2] ^= 1
    gamma.write_bytes(content)
    assert hiple("integrate", run).returncode == 3
    (missing,) = status(run)["missing"]
    assert missing["engine"] == "gamma" and "is damaged" in missing["reason"]


@pytest.mark.parametrize("old, new, reason", [
    ("  - {name: kind, type: category, values: [red, green]}\n", "  - {name: kind, type: category, values: [blue, green]}\n", "red"),
    ("  - {name: b, type: real, unit: mm", "  - {name: b, type: real, unit: kg", "mm"),
    ("  - {name: a, type: real, range: [-10, 10]", "  - {name: aa, type: real, range: [-10, 10]", 'did you mean "aa"?'),
])
def test_a_law_for_another_schema(tmp_path, old, new, reason):
    study = Study(tmp_path)
    study.replace("schema.yaml", old, new)
    done = hiple("run", study.file)
    assert done.returncode == 2 and ".yaml:" in done.stderr and reason in done.stderr
    assert not study.directory.exists()


def test_cases_twice_and_in_any_order(trained, tmp_path):
    study = Study(tmp_path)
    study.write_run(epochs=1)
    table = (study.root / "cases.csv").read_text().splitlines(keepends=True)
    (study.root / "cases.csv").write_text("".join([table[0], *table[:0:-1]]))
    assert hiple("run", study.file).returncode == 0
    assert status(study.directory)["root"] == status(trained.directory)["root"]
    (study.root / "cases.csv").write_text("".join([*table, table[7]]))
    done = hiple("run", study.file, "--fresh")
    assert done.returncode == 2 and "cases.csv:242:1: case id 7 stands twice: the other one is at " in done.stderr


def test_case_ids_beyond_every_narrower_number(trained, tmp_path):
    """Spread to almost 2^64: none is cut, and the answers are those of the same rows under small ids."""
    study = Study(tmp_path)
    study.write_run(epochs=1)
    with open(study.root / "cases.csv", newline="") as file:
        table = list(csv.reader(file))
    for row in table[1:]:
        row[0] = str(int(row[0]) * 2**56 + 2**31)
    with open(study.root / "cases.csv", "w", newline="") as file:
        csv.writer(file).writerows(table)
    assert hiple("run", study.file).returncode == 0
    assert decided(study.directory)[0] == [i * 2**56 + 2**31 for i in range(1, 241)]
    assert "identical" in hiple("replay", study.directory).stdout
    assert str(240 * 2**56 + 2**31) in hiple("explain", study.directory, "--case", 240 * 2**56 + 2**31).stdout


def test_more_rules_than_16_bits_count(trained, run):
    """The last of 65,600 rules is the one that carries."""
    law = trained.root / "law.yaml"
    kept = law.read_text()
    many = "".join(f"  - {{id: M-{i:05}, when: 'a > {100 + i}', then: z.both}}\n" for i in range(65599))
    try:
        law.write_text(kept + many + "  - {id: M-65599, when: 'known(kind)', then: z.both, overrides: []}\n")
        done = hiple("integrate", run)
        assert done.returncode == 0, done.stderr
    finally:
        law.write_text(kept)
    with h5py.File(run / "decisions.h5") as file:
        ids, column = list(file["law/rules/id"].asstr()[...]), list(file["questions"].asstr()[...]).index("z")
        cited = [ids[rule] for rule in file["rule"][:, column]]
        found = list(file["findings/z"].asstr()[...])
        assert {found[finding] for finding in file["finding"][:, column]} == {"both"}
    assert cited.count("M-65599") > 100 and set(cited) <= {"M-65599", "Z-1"}


def test_a_locale_with_a_comma(run, tmp_path):
    locales = tmp_path / "locales"
    locales.mkdir()
    made = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", str(locales / "de_DE.UTF-8")], capture_output=True, text=True)
    comma = {"LOCPATH": str(locales), "LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"}
    shown = subprocess.run(["/usr/bin/python3", "-c", "import locale; locale.setlocale(locale.LC_ALL, ''); print(locale.str(1.5))"],
                           capture_output=True, text=True, env=comma)
    assert shown.stdout == "1,5\n", made.stderr + shown.stderr
    root = status(run)["root"]
    plain, german = hiple("integrate", run), hiple("integrate", run, **comma)
    assert german.returncode == 0 and status(run)["root"] == root
    no_times = lambda text: [line for line in text.splitlines() if " s" not in line]
    assert no_times(german.stdout) == no_times(plain.stdout)
    for words in (("explain", run, "--case", "7"), ("replay", run), ("explain", run, "--case", "7", "--json")):
        assert hiple(*words, **comma).stdout == hiple(*words).stdout
