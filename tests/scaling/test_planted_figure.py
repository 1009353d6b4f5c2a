"""The planted study's record and figure, of results made by hand: worlds that were made are not made again."""

import json
import sys

import planted
import pytest


def part(count, n):
    return {"count": count, "n": n}


def result(domains, rivals):
    of_cross, verdicts = part(190, 200), {"cbr": "PASS"}
    summary = {"cbr": of_cross, "cbr_by_links": of_cross, "cost": 0.1, "exact": part(900, 1000), "coverage": part(950, 1000), "found": of_cross,
               "silent": part(1, 100), "strict": part(1, 100), "verdicts": verdicts, "trusted": True, "cost_curve": [{"name": "home", **part(0, 200)}]}
    conflicts = {"n": 50, "decided": 1, "wrong": 1, "conflict": 49, "all_spoke": 49, "decided_though_all_spoke": 0}
    made = {"domains": domains, "engines": domains + 2, "rows": 2000, "generated_seconds": 1.0, "run_seconds": 2.0, "whole": summary,
            "boundary": {"recall": part(99, 100)}, "conflicts": conflicts, "counted_twice": {**conflicts, "decided": 50, "wrong": 25},
            "strange": part(0, 20), "no_links": summary, "one_link_less": {**summary, "boundary": {"recall": part(30, 100)}},
            "random_cut": summary}
    return {**made, **({"stacking": {"strange_answered": {"stacking": part(12, 20)}}} if rivals else {})}


@pytest.fixture
def made(monkeypatch):
    """The domains of the worlds that were made."""
    worlds = []

    def study(folder, domains, rows, seed, rivals):
        folder.mkdir()
        worlds.append((domains, seed))
        return result(domains, rivals)

    monkeypatch.setattr(planted, "study", study)
    monkeypatch.setattr(planted, "hiple", lambda *words: "hiple 1\nrevision  abc\n")
    return worlds


def run(monkeypatch, folder, *words):
    monkeypatch.setattr(sys, "argv", ["planted.py", str(folder), *words])
    planted.main()


def test_a_world_is_made_once(monkeypatch, tmp_path, made, capsys):
    run(monkeypatch, tmp_path, "--domains", "4", "16", "--seed", "7")
    run(monkeypatch, tmp_path, "--domains", "4", "16", "64", "--seed", "7")
    assert made == [(4, 7), (16, 7), (64, 7)]
    assert [each["domains"] for each in json.loads((tmp_path / "planted.json").read_text())["worlds"]] == [4, 16, 64]
    assert "| domains | 4 | 16 | 64 |" in capsys.readouterr().out
    run(monkeypatch, tmp_path, "--domains", "4", "--seed", "8")
    monkeypatch.setattr(planted, "hiple", lambda *words: "hiple 2\nrevision  def\n")
    run(monkeypatch, tmp_path, "--domains", "4", "--seed", "8")
    assert made[3:] == [(4, 8), (4, 8)], "another seed and another program make it anew"


def test_the_figure_is_drawn_with_and_without_rivals(monkeypatch, tmp_path, made):
    run(monkeypatch, tmp_path, "--domains", "4", "64", "--rivals-up-to", "16")
    for ending in ("png", "svg"):
        assert (tmp_path / f"planted.{ending}").stat().st_size > 20000
