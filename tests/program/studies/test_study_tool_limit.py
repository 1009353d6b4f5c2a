"""The milling study when a tool's limit is lowered by its maker: the rule is contradicted, the moved limit accepted, no engine touched."""

import sys

import pytest

import study as studies

sys.path.insert(0, str(studies.SOURCE / "scaling" / "study"))
import tool_limit  # noqa: E402  (its folder is known from here on)


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    return tool_limit.study(tmp_path_factory.mktemp("tool") / "study")


def test_the_rule_of_the_old_limit_is_contradicted_and_no_other(result):
    assert result["contradicted"] == ["LOAD-WITHIN"]
    evidence, = result["rule"]["evidence"]
    assert evidence["verdict"] == "CONTRADICTED" and evidence["upper"] < result["rule"]["required"]


def test_the_moved_limit_is_proposed_with_what_it_shows_on_evidence_held_out(result):
    best = next(each for each in result["proposals"] if each["id"] == result["accepted"]["proposal"])
    assert best["kind"] == "threshold" and best["changed"] == ["LOAD-OVER", "LOAD-WITHIN"]
    assert all(shown["shown"] and shown["lower"] >= shown["required"] and shown["cases"] > 50 for shown in best["shown"])
    assert "12500 [min.N.m]" in result["law"] or "12500 [N.m.min]" in result["law"], result["law"]
    assert "13000 [" not in result["law"].partition("rules:")[2].partition("STRAIN-1")[0]


def test_what_nobody_was_told_is_decided_rightly_by_it(result):
    assert result["before"]["wrong"] > 5 and result["after"]["wrong"] <= 1
    assert result["after"]["right"] > result["before"]["right"]


def test_no_engine_is_touched_and_only_the_cone_is_decided_again(result):
    assert result["engines_unchanged"] and result["engine_files"] == 8
    accepted = result["accepted"]
    assert 0 < accepted["derived_again"] < accepted["cases"] / 50
    assert accepted["root"] != accepted["parent_root"]
