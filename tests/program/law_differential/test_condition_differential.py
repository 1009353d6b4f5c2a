"""Conditions alone: the product's own parser, types and evaluation against the reference's.

HIPLE_CONDITION_DIFFERENTIAL: how many worlds (default 500), each with a number of conditions; HIPLE_LAW_SEED: the first seed.
"""

import json
import os
import random
import re
import subprocess

import cases as case_maker
import files
from conditions import Conditions, mutated
from design import load_reference
from evidence_reference import design_cause, renamed
from world import World

WORLDS = int(os.environ.get("HIPLE_CONDITION_DIFFERENTIAL", "500"))
FIRST = int(os.environ.get("HIPLE_LAW_SEED", "0"))
PROBE = os.path.join(os.environ.get("HIPLE_BIN_DIR", ""), "condition_probe")
TRUTHS = {True: "TRUE", False: "FALSE", None: "UNKNOWN"}


def one_panel(rng):
    """A world whose engines all sit in the root: a condition alone knows one panel."""
    world = World(rng)
    world.panels = [{"name": "root", "members": sorted(world.engines)}]
    return world


def conditions_of(reference, seed):
    """(text, request to the probe, what the reference says or None if it refuses) for one world."""
    rng = random.Random(seed)
    world = one_panel(rng)
    law = reference.Law({**world.text, "rules": [], "laws": [], "links": [], "critical": {}})
    cases = case_maker.random_cases(rng, world, 4)
    for case in cases:
        for judgment in case["judgments"].values():
            if rng.random() < 0.15:
                judgment["status"] = "inactive"
    request = files.request(world, cases, "")
    for number in range(12):
        text = Conditions(rng, world).text(rng.choice([0, 1, 2, 3, 4]))
        if number % 2 and "[mU/L]" not in text:  # the reference drops units, right or wrong
            text = mutated(rng, text, world)
        yield text, json.dumps({**json.loads(request), "text": text}), said_by(reference, law, cases, text)


def said_by(reference, law, cases, text):
    try:
        tree = reference.Condition(law, text).tree
        return [read(reference, law, case, tree) for case in cases]
    except (reference.LawError, AttributeError, IndexError, KeyError, TypeError):  # some mistakes it meets while reading only
        return None


def read(reference, law, case, tree):
    active = {engine for engine, judgment in case["judgments"].items() if judgment["status"] != "inactive"}
    plain, careful = (reference.View(law, renamed(case["columns"]), active, case["judgments"].get, c, {}).read(tree) for c in (False, True))
    return {"plain": TRUTHS[plain[0]], "careful": TRUTHS[careful[0]], "causes": sorted(map(design_cause, plain[1]))}


# What the reference takes and the product refuses, by design: more of Python in the text, or what a schema says of a column.
MORE_OF_PYTHON = re.compile("|".join([
    r'" "',                                                                                # texts in a row are joined
    r", [)}]",                                                                             # a comma before the end
    r"(?:^|[(\[{,+*/<>=-]|\b(?:in|and|or|not)) ?\+",                                       # a sign in front of a number
    r"(?<!\w)\.\d",                                                                        # .5
    r"(?:known|min|max|mean|agree|count) \( \(",
    r"\{[^{}]*(?<![\w\"])(?:sex|site)(?![\w\"])",                                        # a column among a set's literals
    r"(?:\.label|\b(?:sex|site)|\") [<>]=?|[<>]=? (?:\"|sex|site|\w+\.label)",           # an order of texts
]))
OF_THE_SCHEMA = re.compile("is never|cannot be converted")


def test_conditions():
    reference = load_reference()
    made = [item for seed in range(FIRST, FIRST + WORLDS) for item in conditions_of(reference, seed)]
    run = subprocess.run([PROBE], input="".join(request + "\n" for _, request, _ in made), capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    problems, refused, taken = [], 0, 0
    for (text, _, wanted), line in zip(made, run.stdout.splitlines(), strict=True):
        got = json.loads(line)
        refused += wanted is None and "error" in got
        taken += wanted is not None and "error" not in got
        if "error" in got and (MORE_OF_PYTHON.search(text) or OF_THE_SCHEMA.search(got["error"])):
            continue
        if (wanted is None) != ("error" in got):
            problems.append(f"{text}\n  the reference {'refuses it' if wanted is None else 'takes it'}, the product says {got}")
        elif wanted is not None and wanted != got["cases"]:
            problems.append(f"{text}\n  the reference says {wanted}\n  the product {got}")
    assert not problems, f"{len(problems)} of {len(made)} differ\n" + "\n".join(problems[:40])
    assert refused > len(made) / 5 and taken > len(made) / 3
