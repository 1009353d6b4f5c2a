"""The results of tests that claims rest on: every status of CTest, and tests that are not there."""

import claims_tests
import pytest
import suite
from plan import BadInput

JUNIT = """<testsuite>
 <testcase name="a" status="run"/>
 <testcase name="b" status="fail"><failure message=""/></testcase>
 <testcase name="c" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/></testcase>
</testsuite>"""


def test_statuses(tmp_path):
    (tmp_path / "junit.xml").write_text(JUNIT)
    assert suite.statuses(tmp_path / "junit.xml") == {"a": "passed", "b": "failed", "c": "skipped"}


def test_a_folder_without_tests_is_refused(tmp_path):
    with pytest.raises(BadInput, match="no build with tests"):
        suite.run(tmp_path, ["layers.includes"])


def test_every_test_that_a_claim_rests_on_is_there(monkeypatch):
    """By the files that register them: a claim must not rest on a test that nobody has."""
    from conftest import ROOT
    registered = "\n".join(path.read_text() for folder in ("tests",) for path in (ROOT / folder).rglob("*") if path.name in ("CMakeLists.txt", "program_tests.cmake"))
    assert [name for name in claims_tests.every_test() if f"hiple_pytest({name} " not in registered] == []
