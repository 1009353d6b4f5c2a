"""Every premise that `hiple explain` prints is evaluated again by the executable reference of the law, on the case as it was written
down, not as the explanation tells it."""

import json
import os
import pathlib
import sys

import pytest
import yaml

from conftest import hiple

SOURCE = pathlib.Path(os.environ["HIPLE_SOURCE_DIR"])
sys.path.insert(0, str(SOURCE / "tests" / "program" / "studies"))
from test_study_rules import judgment, load_law, load_reference, read  # noqa: E402

TRUTHS = {True: "TRUE", False: "FALSE", None: "UNKNOWN"}


def premises(tree):
    """Every atom of a printed tree, and whether each connective follows from its parts."""
    if "parts" not in tree:
        yield tree
        return
    parts = [part["truth"] for part in tree["parts"]]
    if tree["op"] == "not":
        assert tree["truth"] == {"TRUE": "FALSE", "FALSE": "TRUE", "UNKNOWN": "UNKNOWN"}[parts[0]], tree
    else:
        stop = "FALSE" if tree["op"] == "and" else "TRUE"
        other = "TRUE" if stop == "FALSE" else "FALSE"
        assert tree["truth"] == (stop if stop in parts else "UNKNOWN" if "UNKNOWN" in parts else other), tree
    for part in tree["parts"]:
        yield from premises(part)


@pytest.mark.parametrize("study", ["milling", "thyroid"])
def test_every_premise_again(tmp_path, study):
    reference = load_reference()
    law = load_law(reference, study)
    text = read(study, "law.yaml")
    examples = [e for entry in text["rules"] + text["laws"] for kind in entry.get("tests", {}).values() for e in kind]
    checked = 0
    for number, example in enumerate(examples[::7]):
        case = tmp_path / f"{number}.yaml"
        case.write_text(json.dumps(example))
        shown = hiple("explain", SOURCE / "configs" / study / "law.yaml", "--case-file", case, "--json")
        assert shown.returncode == 0, shown.stderr
        columns = {name: False for name, column in law.columns.items() if column["type"] == "bool"}
        columns.update({k: v for k, v in example.items() if k in law.columns})
        given = {name for name in law.engines if name in example and not (name in law.columns and not isinstance(example[name], dict))}
        judge = lambda engine: judgment(law.engines[engine]["classes"], example.get(engine))  # noqa: E731
        active = given | {e for r in json.loads(shown.stdout)["rounds"] for e in r["consulted"]}
        view = reference.View(law, columns, active, judge, False, {})
        for question in json.loads(shown.stdout)["questions"]:
            for entry in question["rules"] + question["laws"]:
                for atom in premises(entry["condition"]) if "condition" in entry else ():
                    value, causes = view.read(reference.Condition(law, atom["text"]).tree)
                    assert TRUTHS[value] == atom["truth"], (example, atom)
                    assert sorted(causes) == atom.get("causes", []), (example, atom, sorted(causes))
                    checked += 1
    assert checked > 100


@pytest.mark.parametrize("study", ["milling", "thyroid"])
def test_what_would_settle_a_question_does(tmp_path, study):
    """The values that are shown are put into the case, which is decided again by the executable reference and by explain."""
    reference = load_reference()
    law = load_law(reference, study)
    path = SOURCE / "configs" / study / "law.yaml"
    text = read(study, "law.yaml")
    examples = [e for entry in text["rules"] + text["laws"] for kind in entry.get("tests", {}).values() for e in kind]
    case, settled = tmp_path / "case.yaml", 0
    for example in examples[::9]:
        case.write_text(json.dumps(example))
        told = json.loads(hiple("explain", path, "--case-file", case, "--json").stdout)
        for question in told["questions"]:
            assert question["settled_by"] is None or question["status"] != "decide"
            for chosen in (question["settled_by"] or {"sets": []})["sets"][:1]:
                values = yaml.safe_load(chosen["values"])
                assert set(values) == set(chosen["what"]) and all(example.get(name) in (None, "abstained", "invalid") for name in values)
                whole = {**example, **values}
                case.write_text(json.dumps(whole))
                again = json.loads(hiple("explain", path, "--case-file", case, "--json").stdout)
                answer = next(a for a in again["questions"] if a["question"] == question["question"])
                assert (answer["status"], answer["finding"]) == ("decide", chosen["decides"]), (example, chosen)
                columns = {name: False for name, column in law.columns.items() if column["type"] == "bool"}
                columns.update({k: v for k, v in whole.items() if k in law.columns})
                home = [name for name in law.engines if name in whole and not (name in law.columns and not isinstance(whole[name], dict))]
                judge = lambda engine: judgment(law.engines[engine]["classes"], whole.get(engine))  # noqa: E731, B023
                by_reference = reference.decide(law, columns, home, judge)["answers"][question["question"]]
                assert (by_reference["status"], by_reference["finding"]) == ("DECIDE", chosen["decides"]), (example, chosen)
                settled += 1
    assert settled > 5


def test_the_case_is_told_as_it_is(tmp_path):
    case = tmp_path / "case.yaml"
    case.write_text(yaml.safe_dump({"rotational_speed": 1300, "torque": 60.5, "power": {"none": 0.25, "failure": 0.75}}))
    told = json.loads(hiple("explain", SOURCE / "configs/milling/law.yaml", "--case-file", case, "--json").stdout)
    assert told["inputs"]["torque"] == {"value": 60.5, "unit": "N.m"}
    assert told["inputs"]["tool_wear"]["value"] is None
    assert told["judgments"]["power"]["probability"] == {"none": 0.25, "failure": 0.75}
    assert told["judgments"]["strain"]["state"] in ("not consulted", "not available")
    text = hiple("explain", SOURCE / "configs/milling/law.yaml", "--case-file", case, "--why-not", "L-POWER").stdout
    assert "WHY NOT L-POWER?" in text and "does not apply" in text
    assert "WHAT COULD SETTLE overstrain_failure" in text and "evidence for it: Matzka 2020: " in text
