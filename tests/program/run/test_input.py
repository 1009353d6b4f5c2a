"""Wrong input: every problem with its place, exit status 2, and nothing is created."""

import os

import pytest
from conftest import hiple, mpirun

TYPOS = [
    ("run.yaml", "features: [b, a]", "features: [bb, a]", ["run.yaml:19:16", "bb"]),
    ("run.yaml", "features: [b, a]", "features: [b, x]", ["run.yaml:19:19", "role label"]),
    ("run.yaml", "target: y", "target: yy", ["run.yaml:18:13", "yy"]),
    ("run.yaml", "target: y", "target: kind", ["run.yaml:18:13", "role input"]),
    ("run.yaml", "b > -3 [mm]", "bb > -3 [mm]", ["run.yaml:26:13", "bb"]),
    ("run.yaml", "b > -3 [mm]", "b > -3 [kg]", ["run.yaml:26:", "kg"]),
    ("run.yaml", "b > -3 [mm]", "x", ["run.yaml:26:13", "label"]),
    ("run.yaml", "lr: 1e-2", "learning: 1e-2", ["run.yaml:15:", "learning"]),
    ("run.yaml", "seed: 11", "seed: 11\nseed: 12", ["run.yaml:4:1", "seed"]),
    ("run.yaml", "schema.yaml", "scheme.yaml", ["run.yaml:7:11", "scheme.yaml is not there", "no such file"]),
    ("run.yaml", "table: cases.csv", "table: case.csv", ["run.yaml:6:10", "case.csv is not there", "hiple data --help"]),
    ("run.yaml", "law: law.yaml", "law: laws.yaml", ["run.yaml:", "laws.yaml is not there"]),
    ("run.yaml", "law: law.yaml", "law: .", ["run.yaml:", "is a folder"]),
    ("schema.yaml", "type: real, unit", "type: reel, unit", ["schema.yaml:5:", "reel"]),
    ("schema.yaml", "name: kind", "name: sort", ["sort"]),
    ("law.yaml", "alpha.label", "alfa.label", ["law.yaml:11:", "alpha"]),
    ("law.yaml", '"high"', '"hihg"', ["law.yaml:13:", "high"]),
    ("law.yaml", "then: y.low", "then: y.lo", ["law.yaml:14:", "low"]),
    ("cases.csv", "record,a,b", "record,a,bb", ["cases.csv:1:", "bb"]),
]


@pytest.mark.parametrize("file, right, wrong, expected", TYPOS, ids=[f"{t[0]}-{t[2][:20]}" for t in TYPOS])
def test_typos(study, file, right, wrong, expected):
    study.replace(file, right, wrong)
    for command in ("check", "run"):
        result = hiple(command, study.file)
        assert result.returncode == 2, result.stdout + result.stderr
        for words in expected:
            assert words in result.stderr
        assert not study.directory.exists()


def test_the_line_is_shown_with_a_caret(study):
    study.replace("run.yaml", "features: [b, a]", "features: [bb, a]")
    first, line, caret = hiple("check", study.file).stderr.splitlines()[:3]
    assert "run.yaml:19:16: " in first
    assert line.startswith("  19 | ") and line[caret.index("^"):].startswith("bb, a]")


def test_under_mpirun_the_problem_is_told_once(study):
    study.replace("run.yaml", "features: [b, a]", "features: [bb, a]")
    result = mpirun(4, "run", study.file)
    assert result.returncode == 2
    assert result.stderr.count("run.yaml:19:16") == 1
    assert not study.directory.exists()


@pytest.mark.parametrize("table, expected", [
    ("", "cases.csv"),
    ("record,a,b,kind,x,y,z\n", "run.yaml:8"),
    ("record,a,b,kind,x,y,z\n1,0.5,frog,red,true,low,true\n", "cases.csv:2:"),
    ("record,a,b,kind,x,y,z\n1,0.5,1,red,true,low\n", "cases.csv:2"),
    ("record,a,b,kind,x,y,z\n1,0.5,1,red,true,low,true\n1,0.5,1,red,true,low,true\n", "cases.csv:3"),
], ids=["empty", "no rows", "no number", "a field less", "an id twice"])
def test_tables_that_cannot_be_read(study, table, expected):
    (study.root / "cases.csv").write_text(table)
    result = hiple("run", study.file)
    assert result.returncode == 2, result.stdout + result.stderr
    assert expected in result.stderr
    assert not study.directory.exists()


@pytest.mark.parametrize("words, expected", [
    ([], "subcommand"),
    (["rum"], 'did you mean "run"'),
    (["run"], "RUN"),
    (["run", "nowhere.yaml"], "nowhere.yaml"),
    (["check", "nowhere.yaml", "--ranks", "0"], "ranks"),
    (["status", "nowhere"], "nowhere"),
    (["integrate", "nowhere.yaml"], "nowhere.yaml"),
])
def test_wrong_commands(words, expected):
    result = hiple(*words)
    assert result.returncode == 2, result.stdout + result.stderr
    assert expected in result.stderr


def test_a_run_that_never_was(study):
    assert hiple("explain", study.file, "--case", 1).returncode == 2
    assert hiple("status", study.directory).returncode == 2
    assert hiple("judge", study.file, "--engine", "alpha", "--cases", study.root / "cases.csv", "--out",
                 study.root / "o.h5").returncode == 2


def test_check_tells_the_plan(study):
    result = hiple("check", study.file, "--ranks", 3)
    assert result.returncode == 0
    assert "ranks 0 to 1 train, rank 2 decides" in result.stdout
    assert not study.directory.exists()


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["run", "--help"], ["data", "generate", "milling", "--help"]])
def test_help_and_version(words):
    result = hiple(*words)
    assert result.returncode == 0 and result.stdout


def test_a_study_is_never_taken_for_a_run(study):
    before = study.file.read_text()
    for command in ("run", "integrate"):
        for more in ((), ("--fresh",)) if command == "run" else ((),):
            result = hiple(command, study.file, "--output", study.root, *more)
            assert result.returncode == 2, result.stdout + result.stderr
            assert "holds other files" in result.stderr
    assert study.file.read_text() == before


@pytest.mark.parametrize("number", ["-1", "010", "1e3", "1.5", "99999999999999999999", "", "0x10"])
def test_numbers_on_the_command_line_are_what_they_say(tmp_path, number):
    table = tmp_path / "table.csv"
    result = hiple("data", "generate", "milling", "--rows", number, "--output", table)
    assert result.returncode == 2 and "--rows" in result.stderr
    result = hiple("explain", tmp_path, "--case", number)
    assert result.returncode == 2 and "--case" in result.stderr
    assert not table.exists()


def test_commands_that_do_not_exist_are_named_with_the_nearest():
    assert 'hiple: no command "chekc" (did you mean "check"?)' in hiple("chekc").stderr
    result = hiple("data", "generate", "millng")
    assert result.returncode == 2
    assert 'hiple data generate: no command "millng" (did you mean "milling"?)' in result.stderr


def test_judgments_never_replace_another_file(study):
    assert hiple("run", study.file).returncode in (0, 4)
    cases = study.root / "cases.csv"
    before = cases.read_bytes()
    judge = ("judge", study.file, "--engine", "alpha", "--cases", cases, "--out")
    for out, expected in ((cases, "holds no judgments"), (study.root / "nowhere" / "a.h5", "is no folder"), ("", "--out")):
        result = hiple(*judge, out)
        assert result.returncode == 2, result.stdout + result.stderr
        assert expected in result.stderr
    assert cases.read_bytes() == before
    for _ in range(2):  # its own file it may write anew
        assert hiple(*judge, study.root / "new.h5").returncode == 0


def test_a_named_pipe_is_refused_and_not_waited_for(study):
    table = study.root / "cases.csv"
    content = table.read_bytes()
    assert hiple("run", study.file).returncode in (0, 4)
    table.unlink()
    os.mkfifo(table)
    result = hiple("check", study.file)
    assert result.returncode == 2 and "is no regular file" in result.stderr
    table.unlink()
    table.write_bytes(content)
    pipe = study.root / "pipe.csv"
    os.mkfifo(pipe)
    result = hiple("judge", study.file, "--engine", "alpha", "--cases", pipe, "--out", study.root / "new.h5")
    assert result.returncode == 2 and "is no regular file" in result.stderr
