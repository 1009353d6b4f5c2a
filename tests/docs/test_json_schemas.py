"""The JSON Schemas that editors use accept what the loaders accept, and refuse what no loader takes."""
import copy
import json
import os
import pathlib
import re
import subprocess

import jsonschema
import pytest
import yaml

SOURCE = pathlib.Path(os.environ["HIPLE_SOURCE_DIR"])
BIN = pathlib.Path(os.environ["HIPLE_BIN_DIR"])
REFERENCE = SOURCE / "docs/reference"
KINDS = ["run", "schema", "law", "critical", "gates"]
LOADERS = {
    "run": ["src/config/run_config.cpp", "src/config/engine_config.cpp", "src/config/model_config.cpp", "src/config/command_config.cpp"],
    "schema": ["src/table/schema_load.cpp"],
    "law": ["src/law/loader.cpp", "src/law/loader_frame.cpp", "src/law/loader_laws.cpp", "src/law/loader_panels.cpp",
            "src/law/loader_rules.cpp", "src/law/given_judgment.cpp"],
    "gates": ["src/gate/gates_config.cpp"],
}


class Yaml12(yaml.SafeLoader):
    """As editors read YAML: version 1.2, where a date and `no` are texts, and 1e-3 is a number."""


Yaml12.yaml_implicit_resolvers = {}
for tag, pattern, first in [("bool", r"^(true|false)$", "tf"), ("int", r"^-?[0-9]+$", "-0123456789"), ("null", r"^(~|null|)$", ["~", "n", ""]),
                            ("float", r"^-?[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?$", "-0123456789")]:
    Yaml12.add_implicit_resolver("tag:yaml.org,2002:" + tag, re.compile(pattern), list(first))
Yaml12.add_constructor("tag:yaml.org,2002:float", lambda loader, node: float(node.value))


def load(path):
    return yaml.load(path.read_text(encoding="utf-8"), Yaml12)


def schema_of(kind):
    return json.loads((BIN.parent / "share/hiple/json-schema" / f"{kind}.json").read_text(encoding="utf-8"))


def problems(kind, document):
    validator = jsonschema.Draft202012Validator(schema_of(kind))
    return [f"{'/'.join(str(p) for p in e.absolute_path)}: {e.message}" for e in validator.iter_errors(document)]


def properties(schema):
    """Every key that a schema knows anywhere, with what it says of it."""
    if isinstance(schema, list):
        for inner in schema:
            yield from properties(inner)
    elif isinstance(schema, dict):
        for key, value in schema.get("properties", {}).items():
            yield key, value
            yield from properties(value)
        for key, value in schema.items():
            if key != "properties":
                yield from properties(value)


@pytest.mark.parametrize("kind", KINDS)
def test_what_loaders_take_is_valid(kind):
    jsonschema.Draft202012Validator.check_schema(schema_of(kind))
    files = [*SOURCE.glob(f"configs/*/{kind}.yaml"), *REFERENCE.glob(f"*/{kind}.yaml")]
    assert len(files) >= 4
    for path in files:
        assert problems(kind, load(path)) == [], path


@pytest.mark.parametrize("kind", LOADERS)
def test_every_key_that_a_loader_asks_for_is_known(kind):
    known = {key for name in [kind, "critical"] for key, _ in properties(schema_of(name))}
    asked = set()
    for name in LOADERS[kind]:
        text = (SOURCE / name).read_text(encoding="utf-8")
        asked |= set(re.findall(r'\b(?:map_?|inner|reader_?|valid|lists)(?:\.|->)(?:text|texts|boolean|integer|real|choice|duration|find|require)\(\s*"(\w+)"', text))
    assert len(asked) > 5
    assert asked - known == set()


@pytest.mark.parametrize("kind", KINDS)
def test_every_key_is_described(kind):
    found = list(properties(schema_of(kind)))
    assert len(found) >= 3
    assert [key for key, value in found if not value.get("description")] == []


def maps_of(document):
    """Every map in a document, outer ones first."""
    if isinstance(document, dict):
        yield document
    for inner in document.values() if isinstance(document, dict) else document if isinstance(document, list) else []:
        yield from maps_of(inner)


def test_a_key_that_no_loader_knows_is_refused():
    document = load(REFERENCE / "full/run.yaml")
    for number, _ in enumerate(maps_of(document)):
        changed = copy.deepcopy(document)
        inner = list(maps_of(changed))[number]
        if "OMP_NUM_THREADS" in inner:
            continue  # names of the user's own
        inner["epoch"] = 3
        assert problems("run", changed), inner


@pytest.mark.parametrize("path, value", [
    (("seed",), "seven"), (("seed",), -1), (("engines", 0, "train", "epochs"), 0), (("engines", 0, "train", "lr"), "fast"),
    (("engines", 0, "model", "dropout"), 1.5), (("engines", 0, "device"), "gpu"), (("isolation",), "thread"), (("time_limit",), "8 hours"),
    (("engines",), {"wear": {}}), (("data", "split", "test"), {"a": 1})])
def test_a_wrong_value_is_refused_as_the_loader_refuses_it(path, value, tmp_path):
    document = load(REFERENCE / "full/run.yaml")
    inner = document
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    assert problems("run", document)
    assert_refused(document, tmp_path)


def assert_refused(document, folder):
    (folder / "run.yaml").write_text(yaml.safe_dump(document), encoding="utf-8")
    result = subprocess.run([BIN / "hiple", "check", folder / "run.yaml"], capture_output=True, text=True, timeout=300)
    assert result.returncode == 2
    return result.stderr


@pytest.mark.parametrize("key", schema_of("run")["required"])
def test_a_required_key_is_one_that_the_loader_cannot_do_without(key, tmp_path):
    document = load(REFERENCE / "least/run.yaml")
    assert problems("run", document) == []
    del document[key]
    assert problems("run", document)
    assert f'lacks the key "{key}"' in assert_refused(document, tmp_path)
