"""The figure of the planted study: what a partition's figures say over the number of its domains, with exact bounds."""

import pathlib
import sys

from matplotlib.ticker import NullLocator

from style import BLACK, BLUE, GREEN, ORANGE, RED, panels, save

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "combiners"))
from bounds import lower_bound, upper_bound  # noqa: E402  (its folder is known from here on)


def share(part):
    """(share, lower, upper): one-sided bounds at 95 %."""
    count, n = part["count"], part["n"]
    return count / n, lower_bound(count, n), upper_bound(count, n)


def at(curve, name):
    return next(point for point in curve if point["name"] == name)


# Of each panel its title and lines: (name, colour, marker, which share of a world's result; nothing where it was not measured).
PANELS = (
    ("who must be asked is asked", (
        ("home and links", BLUE, "D", lambda r: r["whole"]["cbr_by_links"]),
        ("law without links", ORANGE, "v", lambda r: r["no_links"]["cbr"]),
        ("home engines alone", BLACK, "s", lambda r: at(r["whole"]["cost_curve"], "home")))),
    ("every answer of a case right", (
        ("whole", BLUE, "D", lambda r: r["whole"]["exact"]),
        ("one link less", GREEN, "o", lambda r: r["one_link_less"]["exact"]),
        ("law without links", ORANGE, "v", lambda r: r["no_links"]["exact"]),
        ("random cut", RED, "X", lambda r: r["random_cut"]["exact"]))),
    ("recall of the boundary that loses its link", (
        ("whole", BLUE, "D", lambda r: r["boundary"]["recall"]),
        ("one link less", GREEN, "o", lambda r: r["one_link_less"]["boundary"]["recall"]))),
    ("what must not be answered, and is", (
        ("conflicts, by the law", BLUE, "D", lambda r: {"count": r["conflicts"]["decided"], "n": r["conflicts"]["n"]}),
        ("conflicts, a copy counted as a voice", ORANGE, "v", lambda r: {"count": r["counted_twice"]["decided"], "n": r["counted_twice"]["n"]}),
        ("unlike any case before, by the law", GREEN, "o", lambda r: r["strange"]),
        ("the same, by stacking", RED, "X", lambda r: r["stacking"]["strange_answered"]["stacking"] if "stacking" in r else None))),
)


def draw(results, path):
    """Writes PNG and SVG."""
    figure, axes = panels(len(PANELS), 3.1, 3.4)
    for axis, (title, lines) in zip(axes, PANELS):
        for place, (name, colour, marker, select) in enumerate(lines):
            found = [(r["domains"] * 1.05 ** (place - 1), *share(select(r))) for r in results if select(r)]  # side by side
            if not found:
                continue
            xs, middle, low, high = zip(*found)
            errors = [[m - l for m, l in zip(middle, low)], [h - m for m, h in zip(middle, high)]]
            axis.errorbar(xs, middle, yerr=errors, color=colour, marker=marker, linewidth=1.3, capsize=2.5, label=name)
        domains = [r["domains"] for r in results]
        axis.set_xscale("log")
        axis.xaxis.set_minor_locator(NullLocator())
        axis.set_xticks(domains, [str(each) for each in domains])
        axis.set_title(title, fontsize=9.5)
        axis.set(xlabel="domains", ylim=(-0.03, 1.03), xlim=(min(domains) / 1.4, max(domains) * 1.4))
        axis.legend(fontsize=8, loc="upper left", bbox_to_anchor=(0, -0.18))
    axes[0].set_ylabel("share of test cases")
    figure.suptitle("bars: exact bounds at 95 %", fontsize=8, x=0.01, ha="left", color="0.4")
    save(figure, path)
