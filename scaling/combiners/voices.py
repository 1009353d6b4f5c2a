"""Which engines speak to which question, from run.yaml and gates.yaml: those whose target is the question's truth, and those that
gates.yaml says it needs."""

import plain_yaml
from judged_cases import Voice, sets_of


def needed_by(gates, question):
    """Names of the engines that gates.yaml needs for the question or one of its findings."""
    for key, engines in (gates.get("needed") or {}).items():
        if key == question.name or key.startswith(question.name + "."):
            yield from engines if isinstance(engines, list) else [engines]


def find_voices(gates_file, engines, questions, classes, copies=None):
    """For each question its voices, in the order of `engines` (entries of run.yaml). `classes`: of each engine that judges classes.
    `copies`: of an engine that was trained once more the one whose copy it is."""
    gates = plain_yaml.read(gates_file)
    found = []
    for question in questions:
        truth = (gates.get("truth") or {}).get(question.name) or {}
        needed, voices = set(needed_by(gates, question)), []
        for engine in engines:
            name = str(engine["name"])
            speaks = str(engine["target"]) == str(truth.get("column")) or (copies or {}).get(name, name) in needed
            sets = sets_of(classes[name], question, truth.get("findings")) if speaks and name in classes else None
            if sets is not None:
                voices.append(Voice(name, sets))
        found.append(voices)
    return found
