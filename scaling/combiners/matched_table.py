"""The table of a study: each way to decide, as it decides by itself and at the same coverages, with paired tests against the law."""

from figures_of import MISSES, at_coverage, bound, forced, measure, own, paired, risk_curve

COVERAGES = (1.0, 0.95, 0.90, 0.80)
LAW, FLAT, CUT = "the law", "law, all engines", "law on a random cut"
SURE = 0.05  # probability under which a paired test tells two apart


def row(name, at, decided, truth, law):
    """One row, as JSON holds it: counts, cases and exact bounds; `against` compares exact sets with the law's."""
    figures = measure(decided, truth)
    entry = {"way": name, "at": at}
    for figure, value in figures.items():
        if figure != "questions":
            entry[figure] = {"count": value.count, "n": value.n, "bound": bound(value, figure in MISSES)}
    entry["questions"] = [{"count": value.count, "n": value.n} for value in figures["questions"]]
    if law is not None:
        test = paired(decided, law, truth)
        entry["against"] = {"better": test.better, "worse": test.worse, "p": test.p}
    return entry


def ways_of(law, flat, answers, cut):
    """{name: (Decided as it is, Decided that can be ordered)}"""
    ways = {LAW: (law, law)}
    if flat is not None:
        ways[FLAT] = (flat, flat)
    ways.update({name: (own(each), forced(each)) for name, each in answers.items()})
    if cut is not None:
        ways[CUT] = (cut, cut)
    return ways


def matched_rows(ways, truth):
    law = ways[LAW]
    rows = [row(name, "own", each[0], truth, law[0] if name != LAW else None) for name, each in ways.items()]
    for coverage in COVERAGES:
        level = at_coverage(law[1], coverage)
        rows += [row(name, coverage, at_coverage(each[1], coverage), truth, level if name != LAW else None)
                 for name, each in ways.items()]
    return rows


def curves(ways, truth):
    return {name: risk_curve(each[1], truth) for name, each in ways.items()}


def sentences(rows):
    """Who has more cases right than the law, in plain words; and who cannot be told from it."""
    said = []
    for at in ("own", *COVERAGES):
        level = [each for each in rows if each["at"] == at]
        law = next(each for each in level if each["way"] == LAW)
        where = "As each decides by itself" if at == "own" else f"At coverage {at:.2f}"
        compared = [each for each in level if "against" in each and each["way"] != CUT]
        told_apart = [each for each in compared if each["against"]["p"] < SURE]
        ahead = lambda each: each["against"]["better"] > each["against"]["worse"]
        more = lambda each: each["exact"]["count"] > law["exact"]["count"]
        torn = [each for each in told_apart if ahead(each) != more(each)]  # the test is of clusters, which differ in size
        better = [each for each in told_apart if ahead(each) and each not in torn]
        worse = [each for each in told_apart if each not in better + torn]
        same = [each for each in compared if each not in told_apart]
        end = law["coverage"]["count"] / law["coverage"]["n"]
        short = at != "own" and law["coverage"]["count"] < round(at * law["coverage"]["n"])
        reach = f" (the law ends at {end:.3f}; what it leaves open is not right)" if short else ""
        name = lambda each: f"{each['way']} ({each['exact']['count']}, p {each['against']['p']:.2g})"
        text = f"{where}{reach}, the law has {law['exact']['count']} of {law['exact']['n']} right."
        text += f" BETTER than the law: {', '.join(map(name, better))}." if better else " Nobody is better than the law."
        text += f" Worse: {', '.join(map(name, worse))}." if worse else ""
        text += f" Better by clusters and worse by cases, or the reverse: {', '.join(map(name, torn))}." if torn else ""
        text += f" Not told apart: {', '.join(map(name, same))}." if same else ""
        said.append(text)
    return said
