"""The planted study: what a partition's figures say when it is whole, and when something is taken away from it."""

import sys

import pytest

import study as studies

sys.path.insert(0, str(studies.SOURCE / "scaling" / "study"))
import planted  # noqa: E402  (its folder is known from here on)

DOMAINS = [4]  # more by jobs/planted.sh: docs/studies.md has their figures


@pytest.fixture(scope="module", params=DOMAINS, ids=lambda domains: f"{domains} domains")
def result(request, tmp_path_factory):
    pytest.importorskip("sklearn", reason="NOT TESTED: the planted study: python3-sklearn is not there")
    return planted.study(tmp_path_factory.mktemp("planted") / "world", request.param)


def ratio(part):
    return part["count"] / part["n"]


def test_a_whole_partition_is_trusted(result):
    assert result["whole"]["trusted"], result["whole"]["verdicts"]
    assert ratio(result["whole"]["exact"]) > 0.85


def test_links_find_what_sits_between_domains(result):
    """C15."""
    home = next(point for point in result["whole"]["cost_curve"] if point["name"] == "home")
    assert home["recall"] == 0
    assert result["whole"]["cbr_by_links"]["lower"] > 0.95
    assert result["no_links"]["cbr"]["upper"] < 0.6 and result["no_links"]["verdicts"]["cbr"] == "FAIL"
    assert result["no_links"]["found"]["upper"] < result["whole"]["found"]["lower"]
    assert result["whole"]["cost"] < 0.6 if result["domains"] == 4 else result["whole"]["cost"] < 0.25


def test_one_link_less_keeps_the_average_and_fails_its_boundary(result):
    """C18: the average hides it the better, the more domains there are."""
    boundary = result["one_link_less"]["boundary"]
    assert result["boundary"]["verdict"] == "PASS" and boundary["verdict"] == "FAIL"
    assert boundary["recall"]["upper"] < 0.6
    assert result["one_link_less"]["verdicts"]["boundaries"] == "FAIL" and not result["one_link_less"]["trusted"]
    lost = ratio(result["whole"]["exact"]) - ratio(result["one_link_less"]["exact"])
    assert lost < 0.2 / result["domains"]


def test_a_random_cut_fails(result):
    """C17."""
    assert not result["random_cut"]["trusted"]
    assert {"found", "cost"} & {name for name, verdict in result["random_cut"]["verdicts"].items() if verdict == "FAIL"}
    assert ratio(result["random_cut"]["exact"]) < ratio(result["whole"]["exact"]) - 0.2


def test_no_planted_conflict_is_decided(result):
    """C13. Where one of the two abstains, there is no conflict to be seen."""
    found = result["conflicts"]
    assert found["all_spoke"] >= 50 and found["decided_though_all_spoke"] == 0
    assert found["decided"] <= 0.03 * found["n"]
    assert found["conflict"] >= found["all_spoke"], "the reason is the conflict"


def test_a_copy_does_not_count_twice(result):
    """The copy sees what its engine sees: counted as a voice of its own it outvotes the witness, which is right as often."""
    counted = result["counted_twice"]
    assert counted["decided"] > 0.9 * counted["n"]
    assert 0.3 < counted["wrong"] / counted["decided"] < 0.7


def test_strange_cases_are_not_decided_where_stacking_answers(result):
    """C14, on planted data: it tests the instruments."""
    strange = result["stacking"]["strange_answered"]
    assert strange["law"]["n"] >= 30
    assert ratio(strange["law"]) < 0.1 and ratio(result["strange"]) < 0.1
    assert ratio(strange["stacking"]) > 0.4
    ordinary = result["stacking"]["ordinary_right"]
    assert ratio(ordinary["stacking"]) > 0.9, "a rival that knows its trade"


def test_the_table_shows_every_figure(result):
    lines = planted.table([result]).splitlines()
    assert len(lines) == 2 + len(planted.ROWS)
    assert lines[0] == f"| domains | {result['domains']} |"
