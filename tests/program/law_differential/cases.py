"""Random cases for a World, and what the reference says of them."""

import struct

from evidence_reference import design_cause, renamed

float32 = lambda value: struct.unpack("f", struct.pack("f", value))[0]


def random_cases(rng, world, count):
    """[{"columns": {name: value or None}, "judgments": {engine: ...}}]. Some engines have died: absent in every case."""
    dead = {engine for engine in world.engines if rng.random() < 0.08}
    sparse = rng.choice([0.05, 0.2, 0.5])
    return [{"columns": {name: _evidence(rng, column) if column.get("evidence") else _value(rng, column, sparse)
                         for name, column in world.columns.items()},
             "judgments": {e: {"status": "absent"} if e in dead else _judgment(rng, world.engines[e]["classes"]) for e in world.engines}}
            for _ in range(count)]


def _evidence(rng, column):
    """Often there is none; where its sources contradict one another, a value that cannot be stands for it."""
    kind = rng.random()
    if kind < 0.4:
        return None
    if kind < 0.55:
        return {"bool": 2, "text": "zzz", "int": 1000, "real": -0.5}[column["type"]]
    if column["type"] == "text":
        return rng.choice(column["values"])
    return rng.random() < 0.5 if column["type"] == "bool" else rng.randint(0, 7) if column["type"] == "int" else rng.uniform(0, 7)


def _value(rng, column, sparse):
    if rng.random() < sparse:
        return None
    if column["type"] == "bool":
        return rng.random() < 0.5
    if column["type"] == "text":
        return "zzz" if rng.random() < 0.05 else rng.choice(column["values"])  # not listed: invalid
    if rng.random() < 0.05 and "range" in column:
        return 1000 if column["type"] == "int" else -0.5
    return rng.randint(0, 7) if column["type"] == "int" else rng.choice([0.0, 0.1, 0.5, 1.25, 2.0, 2.7, 3.3, 4.0, 6.1, rng.uniform(0, 7)])


def _judgment(rng, classes):
    status = rng.choices(["judged", "abstained", "invalid", "absent"], [80, 10, 4, 6])[0]
    typicality = float32(rng.choice([0.0, 0.25, 0.5, rng.random()]))
    label = rng.choice(classes)
    confidence = float32(rng.choice([0.375, 0.5, 0.75, 0.9375, 1.0, 0.4 + 0.6 * rng.random()]))
    rest = float32((1 - confidence) / (len(classes) - 1))
    return {"status": status, "label": label, "typicality": typicality,
            "probability": {c: confidence if c == label else rest for c in classes}}


def home_of(reference, law, world, case):
    """The engines of the first entry of the route whose condition is TRUE."""
    view = reference.View(law, renamed(case["columns"]), set(), None, False, {})
    for entry in world.home:
        if "when" not in entry or view.read(reference.Condition(law, entry["when"]).tree)[0] is True:
            return entry["engines"]
    return list(world.engines)


def answer(reference, law, world, case):
    """What the reference decides, in the form of the probe's lines. The reference reports `capped` beside its answers; no answer is firm then."""
    result = reference.decide(law, renamed(case["columns"]), home_of(reference, law, world, case), case["judgments"].get)
    questions = {}
    for name, a in result["answers"].items():
        questions[name] = {"status": a["status"].lower(), "finding": a["finding"], "reason": a["reason"] or "none", "firm": a["firm"] and not result["capped"],
                           "rules": sorted(a["rules"]), "to": a["to"] if a["status"] == "ESCALATE" else [], "causes": sorted(map(design_cause, a["causes"]))}
    return {"questions": questions, **{key: result[key] for key in ("active", "rounds", "broadened", "capped")}}
