"""Wrong rules that are known to be wrong are found, the sooner the more wrong they are; right ones are not called wrong."""

import json
import subprocess
import sys

import pytest
import wrong_rules


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wrong") / "study"
    wrong_rules.main([str(folder), "--rows", "3000", "--repeat", "2", "--looks", "100", "400", "1600"])
    return json.loads((folder / "wrong_rules.json").read_text())


def test_what_is_planted_is_as_wrong_as_it_is_said_to_be(result):
    planted = {rule: share for rule, share in result["precisions"].items() if rule.startswith("W-")}
    assert len(planted) >= 20
    for rule, share in planted.items():
        assert abs(share - float(rule.rsplit("-", 1)[1])) < 0.08, (rule, share)
    assert len(result["rules"]["right"]) >= 15 and not any(rule.startswith("W-") for rule in result["rules"]["right"])
    every = [rule for rules in result["rules"].values() for rule in rules]
    assert sorted(every) == sorted(result["precisions"])


def test_the_more_wrong_the_sooner_found_and_right_rules_are_left_alone(result):
    share = lambda look, group: look[group]["count"] / look[group]["n"]
    last = result["looks"][-1]
    assert share(last, "under 0.60") == 1 and share(last, "0.60 to 0.80") > 0.5
    for earlier, later in zip(result["looks"], result["looks"][1:]):
        for group in result["rules"]:
            assert earlier[group]["count"] <= later[group]["count"]
    for look in result["looks"]:
        assert share(look, "under 0.60") >= share(look, "0.60 to 0.80") >= share(look, "0.80 to 0.90")
        assert look["right"]["count"] == 0 and look["orders_with_a_false_alarm"] == 0


def test_the_table_has_a_line_a_look(result):
    lines = wrong_rules.table(result).splitlines()
    assert len(lines) == 3 + len(result["looks"]) and lines[-1].startswith("| 1600 | ") and lines[-1].endswith("| 0 of 2 |")


def test_what_it_refuses(tmp_path):
    (tmp_path / "file").write_text("")
    for words, said in (([tmp_path], "is not empty"), ([tmp_path / "new", "--looks", "5", "5"], "--looks ascend"),
                        ([tmp_path / "new", "--repeat", "0"], "--repeat is at least 1")):
        done = subprocess.run([sys.executable, wrong_rules.__file__, *map(str, words)], capture_output=True, text=True)
        assert done.returncode == 2 and said in done.stderr
