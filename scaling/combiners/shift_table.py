"""The table of the shifts, as text."""

from table_text import aligned, number

FIGURES = (("coverage", "decided whole"), ("exact", "exact set right, of all"), ("wrong", "decided and wrong, of all"),
           ("silent", "critical missed in silence"))


def share(entry, figure):
    return number(entry[figure]["count"] / entry[figure]["n"]) if entry and entry[figure]["n"] else "-"


def shifts_text(rows, coverage, new):
    """One block a figure: a line a scenario, a column a way to decide. `new`: (finding, {way: what became of its cases})."""
    ways = list(dict.fromkeys(row["way"] for row in rows))
    scenarios = list(dict.fromkeys(row["scenario"] for row in rows))
    found = {(row["scenario"], row["way"]): row for row in rows}
    blocks = ["Each rival leaves open what is under a threshold that was settled on held-out training cases, where the law decides "
              f"{coverage:.3f} of the cases. -: networks on all columns hear no engine, so that nothing changes for them."]
    for figure, head in FIGURES:
        lines = [[head, *ways]]
        lines += [[scenario, *(share(found.get((scenario, way)), figure) for way in ways)] for scenario in scenarios]
        blocks.append(aligned(lines))
    named, outcomes = new
    lines = [[f"cases of {named}", "right", "wrong", "left open or escalated", "missed in silence", "of"]]
    lines += [[way, *(str(outcome[key]) for key in ("right", "wrong", "open", "silent", "n"))] for way, outcome in outcomes.items()]
    return "\n\n".join([*blocks, aligned(lines)]) + "\n"
