"""The examples beside the rules of both studies: every rule was seen to fire, to be silent and, where it can be, to be unknown.
They are read by the executable reference of the law, with which the program's own reading is compared elsewhere."""

import importlib.util
import os
import pathlib

import pytest
import yaml

SOURCE = pathlib.Path(os.environ["HIPLE_SOURCE_DIR"])
KINDS = {"real": "real", "integer": "int", "category": "text", "boolean": "bool"}
EXPECTED = {"fires": True, "silent": False, "unknown": None, "defeated": True}  # `hiple law test` looks at who defeats it


def load_reference():
    folder = pathlib.Path(os.environ.get("HIPLE_DESIGN_DIR") or SOURCE.parent / "shared" / "design")
    path = folder / "law_reference.py"
    if not path.is_file():
        pytest.skip(f"NOT TESTED: the rules' examples: no {path}; set HIPLE_DESIGN_DIR")
    spec = importlib.util.spec_from_file_location("law_reference", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def read(study, name):
    return yaml.safe_load((SOURCE / "configs" / study / name).read_text())


def load_law(reference, study):
    law, schema, run = read(study, "law.yaml"), read(study, "schema.yaml"), read(study, "run.yaml")
    columns = {c["name"]: {"type": KINDS[c["type"]], **({"range": c["range"]} if "range" in c else {})}
               for c in schema["columns"] if c.get("role", "input") == "input"}
    classes = {c["name"]: c["values"] for c in schema["columns"] if c.get("role") == "label"}
    engines = {e["name"]: {"classes": classes[e["target"]]} for e in run["engines"]}
    critical = {c.pop("finding"): c for c in read(study, "critical.yaml")["findings"]}
    text = {key: law[key] for key in ("questions", "rules", "laws", "links")}
    return reference.Law({"columns": columns, "engines": engines, "critical": critical, "panels": [{"name": "root", "members": list(engines)}], **text})


def judgment(classes, example):
    if example is None:
        return {"status": "absent"}
    probability = {name: float(example.get(name, 0)) for name in classes}
    assert abs(sum(probability.values()) - 1) < 1e-6, f"the probabilities of {example} do not add up to 1"
    return {"status": "judged", "label": max(probability, key=probability.get), "probability": probability, "typicality": 0.5}


@pytest.mark.parametrize("study", ["milling", "thyroid"])
def test_examples(study):
    reference = load_reference()
    law = load_law(reference, study)
    problems = []
    for rule in read(study, "law.yaml")["rules"]:
        tests = rule.get("tests", {})
        if not {"fires", "silent"} <= set(tests):
            problems.append(f"{rule['id']} lacks examples")
        for kind, examples in tests.items():
            for example in examples:
                unknown = set(example) - set(law.columns) - set(law.engines)
                assert not unknown, f"{rule['id']}: {unknown} is neither a column nor an engine"
                columns = {name: False for name, column in law.columns.items() if column["type"] == "bool"}
                columns.update({k: v for k, v in example.items() if k in law.columns})
                judge = lambda engine: judgment(law.engines[engine]["classes"], example.get(engine))
                view = reference.View(law, columns, set(law.engines), judge, False, {})
                truth, causes = view.read(law.rules[rule["id"]]["when"].tree)
                if truth is not EXPECTED[kind]:
                    problems.append(f"{rule['id']}: {example} should be {kind}, is {truth} {sorted(causes)}")
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("study", ["milling", "thyroid"])
def test_every_rule_says_why(study):
    law = read(study, "law.yaml")
    for entry in law["rules"] + law["laws"]:
        assert entry.get("title") and entry.get("because"), entry["id"]
    for link in law["links"]:
        assert link.get("because"), link["id"]
