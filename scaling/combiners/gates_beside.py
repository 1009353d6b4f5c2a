"""The gates of a study's partition beside those of the control, a random cut; and of a gate that is undecided, how many cases it would
take to settle it, were the rate to stay as it is."""

import math
import re

from bounds import lower_bound, upper_bound
from table_text import aligned, number

MOST = 10**9
OPEN = "NOT_EVALUABLE"


def breaks(rate, n, at_most, threshold):
    """Whether n cases at this rate prove that the threshold is not kept to."""
    return lower_bound(rate * n, n) > threshold if at_most else upper_bound(rate * n, n) < threshold


def keeps(rate, n, at_most, threshold):
    return upper_bound(rate * n, n) <= threshold if at_most else lower_bound(rate * n, n) >= threshold


def settled_from(rate, at_most, threshold):
    """(verdict, cases): so many cases at this rate would do. None where no number would."""
    verdict, proves = ("FAIL", breaks) if (rate > threshold if at_most else rate < threshold) else ("PASS", keeps)
    if not proves(rate, MOST, at_most, threshold):
        return None
    low, high = 0, MOST
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if proves(rate, middle, at_most, threshold) else (middle, high)
    return verdict, high


def counted(gate):
    """(count, of, what): clusters, where the bounds are theirs. None of a mean."""
    found = re.search(r"clusters (\d+)/(\d+)", gate["counts"]) or re.fullmatch(r"(\d+)/(\d+)", gate["counts"])
    if found is None or int(found[2]) == 0:
        return None
    return int(found[1]), int(found[2]), "clusters" if "clusters" in gate["counts"] else "cases"


def to_settle(gate):
    """In words, of a gate that is undecided; empty of any other."""
    if gate["verdict"] != OPEN:
        return ""
    counts = counted(gate)
    if counts is None:
        return "nothing to measure" if gate["value"] is None or math.isnan(gate["value"]) else ""
    count, of, what = counts
    settled = settled_from(count / of, gate["at_most"], gate["threshold"])
    return f"{settled[0]} from {settled[1]} {what} at this rate" if settled else "no number of cases at this rate"


def cells(gate):
    if gate is None:
        return ["-", "-"]
    value, limit = (float("nan") if gate[key] is None else gate[key] for key in ("value", "bound"))
    return [f"{gate['counts']} {number(value)}, {'at most' if gate['at_most'] else 'at least'} {number(limit)}", gate["verdict"]]


def gates_text(law, cut):
    """One line a gate, from two reports of `hiple gates`."""
    of_cut = {gate["gate"]: gate for gate in cut["gates"]}
    lines = [["gate", "threshold", "the law", "verdict", "to settle it", "law on a random cut", "verdict", "to settle it"]]
    for gate in law["gates"]:
        other = of_cut.get(gate["gate"])
        limit = f"{'<=' if gate['at_most'] else '>='} {number(gate['threshold'])}"
        lines.append([gate["gate"], limit, *cells(gate), to_settle(gate), *cells(other), to_settle(other) if other else ""])
    return aligned(lines)


def cut_sentence(cut, against):
    """What the control's report says, precisely. `against`: its exact sets beside the law's, from the table."""
    failed = [gate["gate"] for gate in cut["gates"] if gate["verdict"] == "FAIL"]
    undecided = [gate["gate"] for gate in cut["gates"] if gate["verdict"] == OPEN]
    passed = [gate["gate"] for gate in cut["gates"] if gate["verdict"] == "PASS"]
    said = f"The random cut is {'TRUSTED: these gates do not tell it from a real partition' if cut['trusted'] else 'not trusted'}. "
    said += f"FAIL: {', '.join(failed)}. " if failed else "No gate FAILs it. "
    said += f"Undecided, which is not passed: {', '.join(undecided)}. " if undecided else ""
    said += f"PASS: {', '.join(passed)}. " if passed else ""
    return said + (f"Cases right here alone {against['better']}, by the law alone {against['worse']} (p {against['p']:.2g}).")
