"""`hiple report`: one page, of runs that came to their end and of those that did not."""

import json
import os

import markup
from conftest import hiple, mpirun


def report(directory, *words):
    """The page, and what must hold of it."""
    result = hiple("report", directory, *words)
    assert result.returncode == 0, result.stderr
    return markup.check((directory / "report.html").read_text())


def said(page):
    return " ".join(" ".join(page.text).split())


def test_of_a_run_on_ranks(study):
    assert mpirun(3, "run", study.file).returncode == 0
    text = said(report(study.directory))
    assert "complete" in text and "240 cases were asked 3 questions each" in text
    status = json.loads((study.directory / "STATUS").read_text())
    assert f"Of 720 answers {status['decided']} were decided" in text
    for part in ("What each rank did", "Every call of MPI", "synchronisation-free", "Rank-seconds", "the busiest first, in all 240 cases",
                 "How case"):
        assert part in text, part
    # Without gates there is neither a verdict nor an empty picture.
    assert "Not here: gates. run.yaml names no gates" in text and "Not here: boundaries. run.yaml names no gates" in text


def test_counts_what_rules_did(study):
    assert hiple("run", study.file).returncode == 0
    page = report(study.directory)
    fired = next(table for table in page.tables if "the busiest first" in table["caption"])
    text = said(page)
    assert fired["rows"] >= 5
    # Five rules, a default for each of the three questions, each either fired or not.
    never = [table for table in page.tables if "that never fired" in table["caption"]]
    assert fired["row_heads"] + sum(table["row_heads"] for table in never) == 8
    assert "X-2" in text and "a is very high" in text


def test_shows_as_many_cases_as_asked_for_and_says_of_how_many(study):
    assert hiple("run", study.file).returncode == 0
    page = report(study.directory, "--cases", 5)
    assert sum(name.startswith("case-") and name != "case-list" for name in page.ids) == 5
    assert "Cases shown here" in said(page)
    first = (study.directory / "report.html").read_text()
    report(study.directory, "--cases", 5)
    again = (study.directory / "report.html").read_text()
    shown = [line for line in first.splitlines() if "data-case" in line]
    assert shown and shown == [line for line in again.splitlines() if "data-case" in line]
    assert sum(name.startswith("case-") and name != "case-list" for name in report(study.directory, "--cases", 0).ids) == 0


def test_of_engines_that_were_trained_one_by_one_says_why_there_is_no_ledger(study):
    for engine in ("alpha", "beta", "gamma"):
        assert hiple("train", study.file, "--engine", engine).returncode == 0
    assert hiple("integrate", study.file).returncode == 0
    text = said(report(study.directory))
    assert "complete" in text and "3 of 3 engines judged." in text and "synchronisation-free" in text
    assert "Not here: the time line of the ranks. There is no ledger.h5" in text
    assert "Not here: the ledger of MPI. There is no ledger.h5" in text


def test_of_a_partial_run_names_who_is_missing(study):
    assert hiple("run", study.file, "--inject", "engine=beta,step=3,kind=throw").returncode == 3
    text = said(report(study.directory))
    assert "partial" in text and "2 of 3 engines judged; missing: beta" in text
    assert "Failed:" in text


def test_of_a_run_whose_engines_have_trained_only(study):
    for engine in ("alpha", "beta"):
        assert hiple("train", study.file, "--engine", engine).returncode == 0
    text = said(report(study.directory))
    assert "not integrated" in text
    assert "Not here: decisions. The run has made none" in text and "Not here: decisions to browse." in text


def test_of_a_run_whose_table_was_changed_keeps_what_is_known(study):
    assert hiple("run", study.file).returncode == 0
    study.write_table(100)
    text = said(report(study.directory))
    assert "240 cases were asked 3 questions each" in text
    assert "is not the table that the decisions were made from" in text


def test_what_people_wrote_is_text_whatever_it_holds(study):
    title = "<script>alert(1)</script>&\"Ω" + "x" * 300
    study.replace("law.yaml", "title: a is high", f"title: '{title}'")
    assert hiple("run", study.file).returncode == 0
    assert title in said(report(study.directory))


def test_output_and_what_is_refused(study):
    result = hiple("report", study.root / "nowhere")
    assert result.returncode == 2 and "holds no run" in result.stderr
    assert hiple("run", study.file).returncode == 0
    page = study.root / "a page.html"
    assert hiple("report", study.directory, "--output", page).returncode == 0
    assert markup.check(page.read_text()) and not (study.directory / "report.html").exists()
    assert [path for path in study.root.iterdir() if ".tmp" in path.name or path.name.startswith(".a page")] == []
    result = hiple("report", study.directory, "--cases", 1001)
    assert result.returncode == 2 and "a page shows at most 1000" in result.stderr
    result = hiple("report", study.directory, "--output", study.root / "no folder" / "page.html")
    assert result.returncode != 0 and "page.html" in result.stderr


def test_without_graphviz_says_that_no_graph_is_drawn(study):
    assert hiple("run", study.file).returncode == 0
    assert hiple("report", study.directory, PATH=os.fspath(study.root)).returncode == 0
    text = said(markup.check((study.directory / "report.html").read_text()))
    assert "Not here: drawn graphs." in text and "install graphviz" in text
