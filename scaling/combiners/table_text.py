"""Tables as text and CSV."""

import csv

HEADS = (("coverage", "coverage"), ("exact", "exact set"), ("wrong", "wrong"), ("risk", "of decided"), ("claimed", "cross claimed"),
         ("found", "cross found"), ("silent", "critical silent"), ("strict", "or dropped"))


def number(value):
    return f"{value:.3f}".replace("0.", ".", 1) if value == value and value < 1 else ("-" if value != value else f"{value:.3f}")


def cell(share, with_bound=False):
    if share["n"] == 0:
        return "-"
    text = number(share["count"] / share["n"])
    return f"{share['count']}/{share['n']} {text}" + (f" ({number(share['bound'])})" if with_bound else "")


def aligned(lines):
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    justified = [[text.ljust(width) if i == 0 else text.rjust(width) for i, (text, width) in enumerate(zip(line, widths))]
                 for line in lines]
    return "\n".join("  ".join(line).rstrip() for line in justified)


def matched_text(rows, questions):
    """One block of lines a coverage: counts, shares, and for critical misses the exact upper bound; then right answers a question."""
    blocks = []
    for at in dict.fromkeys(each["at"] for each in rows):
        level = [each for each in rows if each["at"] == at]
        title = f"at coverage {at:.2f}" if at != "own" else "as each decides by itself"
        lines = [[title, *(head for _, head in HEADS), "better", "worse", "p"]]
        for each in level:
            against = each.get("against")
            test = [str(against["better"]), str(against["worse"]), f"{against['p']:.2g}"] if against else ["", "", ""]
            lines.append([each["way"], *(cell(each[key], key in ("silent", "strict")) for key, _ in HEADS), *test])
        blocks.append(aligned(lines))
        lines = [["  right, by question", *questions]]
        right = lambda share: number(share["count"] / share["n"]) if share["n"] else "-"
        lines += [["  " + each["way"], *map(right, each["questions"])] for each in level]
        blocks.append(aligned(lines))
    return "\n\n".join(blocks)


def write_csv(path, rows, questions):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        keys = [key for key, _ in HEADS]
        writer.writerow(["way", "at", *(f"{key}_{part}" for key in keys for part in ("count", "n", "bound")),
                         *(f"right_{name}" for name in questions), "better", "worse", "p"])
        for each in rows:
            against = each.get("against", {})
            writer.writerow([each["way"], each["at"], *(each[key][part] for key in keys for part in ("count", "n", "bound")),
                             *(share["count"] for share in each["questions"]), *(against.get(key, "") for key in ("better", "worse", "p"))])
