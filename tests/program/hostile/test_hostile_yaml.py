"""run.yaml, schema.yaml, law.yaml and the others as nobody means well: refused at their place, with little memory."""

import pytest
from hostile import refused

DEEP = 20000
LAUGHS = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(f"a{i}: &a{i} [{', '.join(['*a%d' % (i - 1)] * 10)}]\n" for i in range(1, 12))
# Each alias stands for a document that is some levels deep: what is no bomb by its size is one by its depth.
STAIRS = "a0: &a0 x\n" + "".join(f"a{i}: &a{i} {'[' * 90}*a{i - 1}{']' * 90}\n" for i in range(1, 60))
BOMBS = {
    "laughs": (LAUGHS, ":6:40: "),
    "stairs": (STAIRS, ":3:"),
    "in itself": ("a: &a [*a]\n", ":1:8: "),
    "brackets": ("a: " + "[" * DEEP + "\n", ":1:"),
    "braces": ("a: " + "{a: " * DEEP + "\n", ":1:"),
    "steps": ("".join(" " * i + "a:\n" for i in range(2000)), ":"),
    "dashes": ("- " * DEEP + "x\n", ":1:"),
    "one key again and again": ("a: 1\n" * 50000, ":2:1: "),
    "a long key": ("k" * 1_000_000 + ": 1\n", ":1:"),
    "a long text": ("name: " + "x" * 1_000_000 + "\n", ":1:"),
    "no text": ("name: \0\n", ":1:"),
    "no UTF-8": (b"name: \xff\xfe\n", ":1:"),
    "UTF-16": ("name: x\n".encode("utf-16"), ":1"),
    "two documents": ("a: 1\n---\nb: 1\n", ":2:1: "),
    "a tag": ("a: !!python/object:os.system x\n", ":1:4: "),
    "nothing": ("", ": the file is empty"),
    "an anchor for each": ("".join(f"k{i}: &k{i} [1, 2]\n" for i in range(20000)), ":1:1: "),
}


@pytest.mark.parametrize("name", BOMBS)
@pytest.mark.parametrize("file", ["run.yaml", "schema.yaml", "law.yaml", "critical.yaml", "gates.yaml"])
def test_bombs(study, file, name):
    content, place = BOMBS[name]
    if file == "critical.yaml":
        study.replace("law.yaml", "schema: schema.yaml\n", "schema: schema.yaml\ncritical: critical.yaml\n")
    if file == "gates.yaml":
        study.replace("run.yaml", "law: law.yaml\n", "law: law.yaml\ngates: gates.yaml\n")
    (study.root / file).write_bytes(content if isinstance(content, bytes) else content.encode())
    result = refused("check", study.file, file=file + place, study=study)
    assert len(result.stderr) < 20_000_000


CONDITIONS = {
    "parentheses": "(" * DEEP + "true" + ")" * DEEP,
    "negations": "not " * DEEP + "true",
    "minus": "-" * DEEP + "1 < a",
    "a chain": " and ".join(["a > 1"] * 300) + " and aa > 1",
    "a sum": " + ".join(["a"] * 5000) + " > 1",
    "an exponent": "a > 1e999999999",
    "a long number": "a > " + "9" * 100_000,
    "a unit": "b > 1 [m" + "2" * 1000 + "]",
    "units": "b > 1 [" + ".".join(["m"] * 20000) + "]",
    "brackets of units": "b > 1 [" + "(" * DEEP + "m" + ")" * DEEP + "]",
    "an open text": 'kind == "' + "x" * 100_000,
    "an unknown name": "x" * 100_000 + " > 1",
}


@pytest.mark.parametrize("name", CONDITIONS)
def test_conditions(study, name):
    condition = CONDITIONS[name].replace("'", "''")
    study.replace("law.yaml", "when: 'a > 1.5 and kind == \"red\"'", f"when: '{condition}'")
    refused("check", study.file, file="law.yaml:12:", study=study)
