#!/usr/bin/python3
"""Draws what `hiple gates RUN --curves FOLDER` wrote: recall over cost, risk over coverage, reliability of the engines, boundaries.

    scaling/study/trust_figures.py FOLDER [--output FOLDER]
"""

import argparse
import math
import pathlib
import sys

import h5py

from style import BLACK, BLUE, BOUND, GREEN, IDEAL, ORANGE, PURPLE, RED, SKY, legend_below, panels, plt, save

Z = 1.6448536269514722  # one-sided 95 %
LOOKS = [dict(color=BLUE, marker="o"), dict(color=RED, marker="s"), dict(color=GREEN, marker="^"), dict(color=PURPLE, marker="D"),
         dict(color=ORANGE, marker="v"), dict(color=SKY, marker="P"), dict(color=BLACK, marker="X")]
VERDICTS = {"PASS": ("pass", BLUE, "o"), "NOT_EVALUABLE": ("not evaluable", ORANGE, "s"), "FAIL": ("fail", RED, "X"),
            "pooled": ("too few cases, pooled", SKY, "^")}
NAMES = {"home": "home engines alone", "links": "home engines and links", "as decided": "as the law decides", "all": "every engine"}
MOST_BOUNDARIES = 30


def columns(group):
    return {name: list(values.asstr()[...]) if values.dtype.kind in "SO" else values[...] for name, values in group.items()}


def wilson(count, n):
    """Ends of an interval for a picture (Wilson 1927)."""
    rate, whole = count / n, 1 + Z * Z / n
    center, spread = rate + Z * Z / (2 * n), Z * math.sqrt(rate * (1 - rate) / n + Z * Z / (4 * n * n))
    return (center - spread) / whole, (center + spread) / whole


def cost(file):
    """Recall over cost: each way to choose engines, and asking at random."""
    data = columns(file["cost"])
    rows = list(zip(data["name"], data["cost"], data["recall"], data["count"], data["n"]))
    own = [row for row in rows if row[0] != "chance" and row[2] == row[2]]
    if not own:
        return "no case crosses a boundary"
    figure, (axis,) = panels(1, 6.2, 4.2)
    chance = [row for row in rows if row[0] == "chance"]
    if chance:
        axis.plot([row[1] for row in chance], [row[2] for row in chance], label="engines asked at random", **IDEAL)
    path = [row for row in own if row[0] != "links"]  # from round to round
    axis.plot([row[1] for row in path], [row[2] for row in path], color="0.6", linewidth=1.2, zorder=1)
    for (name, x, y, count, n), look in zip(own, LOOKS * len(own)):
        low, high = wilson(count, n)
        axis.errorbar(x, y, yerr=[[max(0, y - low)], [max(0, high - y)]], linestyle="none", linewidth=1.2, capsize=3, markersize=6.5,
                      label=f"{NAMES.get(name, name)}: cost {x:.2f}, recall {int(count)}/{int(n)}", **look)
    basis = file.attrs["basis"]
    axis.set(xlabel="cost: mean share of engines asked", xlim=(0, 1.03), ylim=(-0.03, 1.05),
             ylabel="cross-boundary recall" + (" (flat decision given)" if basis == "counterfactual" else ""))
    legend_below(figure, [axis])
    return figure


def risk(file):
    """Risk over coverage: of what is accepted, and of all."""
    group, data = file["risk"], columns(file["risk"])
    if not len(data["accepted"]):
        return "no case was decided whole"
    n = data["n"][0]
    coverage = data["accepted"] / n
    figure, axes = panels(2, 4.2, 3.4)
    for axis, values, name, area in ((axes[0], data["wrong"] / data["accepted"], "wrong of those accepted", "aurc"),
                                     (axes[1], data["wrong"] / n, "accepted and wrong, of all", "augrc")):
        axis.plot(coverage, values, color=BLUE, linewidth=1.4, label="surest first, by the least sure engine asked")
        axis.plot(coverage[-1], values[-1], color=RED, marker="o", linestyle="none", label="all that the law decides")
        axis.axvline(coverage[-1], label="the rest is left open: abstained or escalated", **BOUND)
        axis.set(xlabel=f"coverage, of {int(n)} cases", ylabel=name, xlim=(0, 1.02), title=f"{area.upper()} {group.attrs[area]:.4f}")
        settled = values[coverage >= min(0.02, coverage[-1])]  # a first case that is wrong is a risk of 1
        axis.set_ylim(0, 1.2 * max(settled.max(), 1 / n))
    legend_below(figure, axes)
    return figure


def reliability(file):
    """How often an engine is right that says so surely: a panel an engine; the area of a point is its share of the judgments."""
    data = columns(file["reliability"])
    engines = list(dict.fromkeys(data["engine"]))
    shown = [name for name in engines if any(c for e, c in zip(data["engine"], data["count"]) if e == name)]
    if not shown:
        return "no engine judged a test case"
    columns_of = 4 if len(shown) > 3 else len(shown)
    rows = -(-len(shown) // columns_of)
    figure, axes = plt.subplots(rows, columns_of, figsize=(max(2.7 * columns_of, 5.2), 2.7 * rows), squeeze=False, sharex=True, sharey=True)
    for axis in axes.flat[len(shown):]:
        axis.set_visible(False)
    for axis, name in zip(axes.flat, shown):
        bins = [(c, r, s) for e, c, r, s in zip(data["engine"], data["count"], data["right"], data["confidence"]) if e == name and c]
        total = sum(count for count, _, _ in bins)
        axis.plot([0, 1], [0, 1], label="as sure as right", **IDEAL)
        xs, ys = [s / c for c, _, s in bins], [r / c for c, r, _ in bins]
        ends = [wilson(r, c) for c, r, _ in bins]
        axis.errorbar(xs, ys, yerr=[[max(0, y - low) for y, (low, _) in zip(ys, ends)], [max(0, high - y) for y, (_, high) in zip(ys, ends)]],
                      color=BLUE, linestyle="none", linewidth=1, capsize=2, alpha=0.7)
        axis.scatter(xs, ys, s=[16 + 160 * c / total for c, _, _ in bins], color=BLUE, alpha=0.75, edgecolor="white", linewidth=0.5,
                     label="judgments of one confidence, with a Wilson interval", zorder=3)
        axis.set_title(f"{name}: {int(total)} judged, error {file['confusion/engines/' + name].attrs['ece']:.3f}", fontsize=8)
        axis.set(xlim=(0, 1.04), ylim=(-0.03, 1.04))
    for axis in axes[:, 0]:
        axis.set_ylabel("right")
    for column in range(columns_of):
        last = [axis for axis in axes[:, column] if axis.get_visible()][-1]
        last.set_xlabel("confidence")
        last.tick_params(labelbottom=True)
    legend_below(figure, axes.flat[:1])
    return figure


def bars(axis, names, data, places, looks):
    """One line a row: share, and its exact bounds."""
    for y, (row, (label, color, marker)) in enumerate(zip(places, looks)):
        share, low, high = data["share"][row], data["lower"][row], data["upper"][row]
        # Where cases are clustered the bounds are of clusters, and the share of cases may lie outside of them.
        axis.plot([low, high], [y, y], color=color, linewidth=1.6)
        axis.plot(share, y, color=color, marker=marker, linestyle="none", label=label)
        axis.text(1.03, y, f"{int(data['count'][row])}/{int(data['n'][row])}", va="center", fontsize=7.5, transform=axis.get_yaxis_transform())
    axis.set_yticks(range(len(places)), [names[row] for row in places], fontsize=8)
    axis.set(xlabel="recall, with one-sided exact bounds at 95 %", xlim=(-0.02, 1.02), ylim=(len(places) - 0.4, -0.6))
    axis.grid(axis="y", visible=False)


def boundaries(file):
    """Recall of each boundary, the worst first; those with too few cases are judged as one."""
    data = columns(file["boundaries"])
    count = min(MOST_BOUNDARIES, len(data["boundary"]))
    if not count:
        return "no case crosses a boundary"
    figure, (axis,) = panels(1, 6.6, 1.3 + 0.24 * count)
    names = [name.replace("->", "→") + (f"\n(waived: {by})" if by else "") for name, by in zip(data["boundary"], data["waived_by"])]
    bars(axis, names, data, range(count), [VERDICTS[verdict] for verdict in data["verdict"][:count]])
    if count < len(data["boundary"]):
        axis.set_title(f"the {count} worst of {len(data['boundary'])}", fontsize=9)
    legend_below(figure, [axis])
    return figure


def levels(file):
    """Recall of the boundaries within each panel."""
    data = columns(file["levels"])
    if not len(data["panel"]):
        return "no boundary lies within a panel"
    order = sorted(range(len(data["panel"])), key=lambda row: (data["level"][row], data["panel"][row]))
    figure, (axis,) = panels(1, 6.0, 1.3 + 0.3 * len(order))
    names = [f"{panel}, level {int(level)}" for panel, level in zip(data["panel"], data["level"])]
    bars(axis, names, data, order, [("boundaries within a panel", BLUE, "o")] * len(order))
    legend_below(figure, [axis])
    return figure


FIGURES = {"cost": cost, "risk": risk, "reliability": reliability, "boundaries": boundaries, "levels": levels}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("curves", type=pathlib.Path, help="the folder that `hiple gates --curves` wrote")
    parser.add_argument("--output", type=pathlib.Path, help="where the figures go; by default the same folder")
    options = parser.parse_args()
    path = options.curves / "curves.h5"
    if not path.is_file():
        print(f"{path}: there is none: make it with `hiple gates RUN --curves {options.curves}`", file=sys.stderr)
        return 2
    output = options.output or options.curves
    output.mkdir(parents=True, exist_ok=True)
    with h5py.File(path) as file:
        for name, draw in FIGURES.items():
            figure = draw(file)
            if isinstance(figure, str):
                print(f"{name}: not drawn: {figure}")
                continue
            if name != "reliability":
                figure.suptitle(f"{file.attrs['run']}, test cases", fontsize=9, x=0.01, ha="left", y=-0.02, color="0.4")
            save(figure, output / name)
            print(output / f"{name}.png")
    return 0


if __name__ == "__main__":
    sys.exit(main())
