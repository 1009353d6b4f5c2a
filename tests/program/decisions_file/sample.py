"""The decisions of tests/law/sample_decisions.hpp, as rows of names."""

STATUSES = ["decide", "abstain", "escalate"]
REASONS = ["none", "law", "critical_not_excluded", "conflict", "possible_defeater", "blocked", "no_rule", "contradicted_by_evidence"]
FINDINGS = [["decreased", "none"], ["hyper", "hypo", "none"]]
RULES = ["A-1@1", "F-1@3", "state.default@1"]


def rows(cases, questions=2):
    for row in range(cases):
        engines = [e for i, e in enumerate(["hypo", "nti"]) if row % 4 >> i & 1]
        for q in range(questions):
            kind = (row + q) % 7
            status = 0 if kind == 0 else 1 if row % 2 == 0 else 2
            yield (10 * row + row % 3, ["binding", "state"][q], STATUSES[status], REASONS[kind],
                   FINDINGS[q][row % 2] if kind == 0 else "", "" if kind == 6 else RULES[row % 3], row % 64 & ~16, row % 4, engines)
