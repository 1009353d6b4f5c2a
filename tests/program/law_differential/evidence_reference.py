"""The design's reference of the law, with evidence: one case at a time, slow and obvious.

The reference knows no evidence. To it evidence.NAME is one more column, `evidence__NAME`, with a range, and sources that contradict one
another are a value outside of it. What is left to say here is what becomes of a decision that evidence about the case contradicts.
"""

import re

MISSING, CONTRADICTORY = object(), object()


def plain_name(text):
    """evidence.NAME as the reference can read it."""
    return re.sub(r"\bevidence ?\. ?(\w+)", r"evidence__\1", text)


def design_cause(cause):
    """The reference's cause as the product names it."""
    return cause.replace("invalid:evidence__", "contradictory:evidence.").replace("missing:evidence__", "missing:evidence.")


def renamed(value):
    """A law's data with evidence under the reference's names."""
    if isinstance(value, dict):
        return {plain_name(key): renamed(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [renamed(inner) for inner in value]
    return plain_name(value) if isinstance(value, str) else value


def said_of(law, question, columns):
    """What evidence says of a question: a finding, MISSING or CONTRADICTORY."""
    value = columns.get("evidence__" + question)
    if value is None:
        return MISSING
    return value if value in law.questions[question]["findings"] else CONTRADICTORY


def heeded(reference, law, question, answer, panel, plain):
    """The answer to a question where evidence is heeded: a decision that it does not say is not made, and a critical finding that it
    says is not dropped in silence."""
    said, is_of = said_of(law, question, plain.columns), lambda finding: finding.partition(".")[0] == question
    called = any(e.get("escalate") == question and plain.read(e["when"].tree)[0] is not False for e in law.laws)
    contradicted = answer["status"] == "DECIDE" and said is not MISSING and said != answer["finding"]
    if called or (answer["status"] == "DECIDE" and not contradicted):
        return answer
    answer, to = dict(answer), set(answer["to"])
    suspected = lambda finding: plain.read(law.critical[finding]["suspect"].tree)[0] is True
    if contradicted:
        why = {f"invalid:evidence__{question}"} if said is CONTRADICTORY else set()
        answer.update(status="ABSTAIN", reason="contradicted_by_evidence", finding=None, firm=False, causes=answer["causes"] | why)
        when, _, _ = reference.stands(law, {*law.subtree(panel), None}, plain)
        for ident, (value, _) in when.items():
            finding = law.rules[ident]["then"]
            if finding in law.critical and is_of(finding) and (value is True or (value is None and suspected(finding))):
                to.add(law.critical[finding]["to"])
    for finding, critical in law.critical.items():
        if is_of(finding) and (finding == f"{question}.{said}" or (said is CONTRADICTORY and suspected(finding))):
            to.add(critical["to"])
    answer.update(to=sorted(to), status="ESCALATE" if to else answer["status"])
    return answer


def extend(reference):
    """Puts it into the reference: Condition and Law take evidence, and resolve heeds it where the law's text says `heeds`."""
    resolve, Condition, Law = reference.resolve, reference.Condition, reference.Law

    class EvidentCondition(Condition):
        def __init__(self, law, text, *rest, **more):
            super().__init__(law, plain_name(text), *rest, **more)

    class EvidentLaw(Law):
        def __init__(self, text):
            self.heeds = text.get("heeds", False)
            super().__init__(renamed(text))

    def resolve_with_evidence(law, panel, plain, careful):
        answers = resolve(law, panel, plain, careful)
        if law.heeds:
            answers = {question: heeded(reference, law, question, answer, panel, plain) for question, answer in answers.items()}
        return answers

    reference.resolve, reference.Condition, reference.Law = resolve_with_evidence, EvidentCondition, EvidentLaw
    return reference
