"""The root of decisions, from its description alone (docs/law.md): what a person with h5py and hashlib can check."""

import hashlib

HASHED_FLAGS = 1 | 2 | 4 | 8 | 32  # all but gate_closed
BLOCK = 4096
NO_INDEX = 65535


def _number(value):
    return int(value).to_bytes(8, "little")


def _text(value):
    data = value.encode()
    return _number(len(data)) + data


def _sha256(data):
    return hashlib.sha256(data).digest()


def _tree(leaves):
    if len(leaves) == 1:
        return leaves[0]
    left = 1
    while 2 * left < len(leaves):
        left *= 2
    return _sha256(b"\1" + _tree(leaves[:left]) + _tree(leaves[left:]))


def root(rows):
    """rows: (case id, question, status, reason, finding, rule@version, flags, rounds, consulted engines), names as texts."""
    records = []
    for case, question, status, reason, finding, rule, flags, rounds, engines in sorted(rows):
        answer = b"".join(map(_text, (question, status, reason, finding, rule))) + _number(flags & HASHED_FLAGS)
        path = _number(rounds) + b"".join(map(_text, sorted(engines)))
        records.append(_number(case) + _sha256(answer) + _sha256(path))
    blocks = [b"".join(records[i:i + BLOCK]) for i in range(0, len(records), BLOCK)]
    return (_tree([_sha256(b"\0" + block) for block in blocks]) if blocks else _sha256(b"")).hex()


def rows_of(file):
    """The decisions of an open decisions.h5, with every index replaced by its name."""
    texts = lambda name: list(file[name].asstr()[...])
    questions, engines, statuses, reasons = map(texts, ("questions", "engines/name", "names/status", "names/reason"))
    findings = [texts("findings/" + question) for question in questions]
    rules = [f"{name}@{version}" for name, version in zip(texts("law/rules/id"), file["law/rules/version"][...])]
    table = {name: file[name][...] for name in ("status", "reason", "finding", "rule", "flags", "rounds", "consulted")}
    for row, case in enumerate(file["case_id"][...]):
        consulted = [e for i, e in enumerate(engines) if int(table["consulted"][row, i // 64]) >> (i % 64) & 1]
        for q, question in enumerate(questions):
            status, reason, finding, rule, flags = (int(table[k][row, q]) for k in ("status", "reason", "finding", "rule", "flags"))
            yield (int(case), question, statuses[status], reasons[reason], "" if finding == NO_INDEX else findings[q][finding],
                   "" if rule == NO_INDEX else rules[rule], flags, int(table["rounds"][row]), consulted)
