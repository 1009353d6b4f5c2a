"""The root of decisions, from its description alone (docs/law.md): what a person with h5py and hashlib can check."""

import hashlib
import itertools

LEAF = 4096
NO_INDEX = 65535
NO_RULE = 2**32 - 1


def _number(value):
    return int(value).to_bytes(8, "little")


def _text(value):
    data = value.encode()
    return _number(len(data)) + data


def _sha256(data):
    return hashlib.sha256(data).digest()


def _coded(digests):
    different = sorted(set(digests))
    width = 1 if len(different) <= 256 else 2
    places = {digest: place.to_bytes(width, "little") for place, digest in enumerate(different)}
    return _number(len(different)) + b"".join(different) + b"".join(places[digest] for digest in digests)


def _leb128(value):
    data = b""
    while value > 0x7F:
        data += bytes([value & 0x7F | 0x80])
        value >>= 7
    return data + bytes([value])


def _ids(cases):
    return b"".join([_number(case) for case in cases[:1]] + [_leb128(b - a) for a, b in zip(cases, cases[1:])])


def _tree(leaves):
    if len(leaves) == 1:
        return leaves[0]
    left = 1
    while 2 * left < len(leaves):
        left *= 2
    return _sha256(b"\1" + _tree(leaves[:left]) + _tree(leaves[left:]))


def _leaf(cases):
    data = b"\0" + _number(len(cases)) + _ids([case for case, _ in cases])
    for rows in zip(*(rows for _, rows in cases)):  # of one question
        data += _coded([_sha256(b"".join(map(_text, row[1:6])) + _number(row[6])) for row in rows])
    return _sha256(data + _coded([_sha256(_number(rows[0][7]) + b"".join(map(_text, sorted(rows[0][8])))) for _, rows in cases]))


def root(rows):
    """rows: (case id, question, status, reason, finding, rule@version, flags, rounds, consulted engines), names as texts."""
    cases = [(case, list(rows)) for case, rows in itertools.groupby(sorted(rows), lambda row: row[0])]
    leaves = [_leaf(cases[i:i + LEAF]) for i in range(0, len(cases), LEAF)]
    return (_tree(leaves) if leaves else _sha256(b"")).hex()


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
                   "" if rule == NO_RULE else rules[rule], flags, int(table["rounds"][row]), consulted)
