"""How figures look: colours that colour-blind readers tell apart (Okabe and Ito 2008), a marker beside each colour, and the same
name in the same look in every figure."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (the backend is chosen first)

BLACK, ORANGE, SKY, GREEN, YELLOW, BLUE, RED, PURPLE = ("#000000", "#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00",
                                                        "#CC79A7")
LOOK = {
    "single": dict(color=BLACK, marker="s"),
    "ddp overlap": dict(color=RED, marker="o"),
    "ddp naive": dict(color=ORANGE, marker="v", markersize=8, markerfacecolor="none"),
    "zero1": dict(color=GREEN, marker="^"),
    "zero2": dict(color=GREEN, marker="<"),
    "zero3": dict(color=GREEN, marker=">"),
    "tp": dict(color=SKY, marker="P"),
    "pp": dict(color=SKY, marker="X"),
    "moe": dict(color=PURPLE, marker="*"),
    "localsgd average": dict(color=YELLOW, marker="h"),
    "localsgd diloco": dict(color=YELLOW, marker="p"),
    "hiple": dict(color=BLUE, marker="D"),
}
LINK_LOOK = [dict(color=GREEN, marker="o"), dict(color=PURPLE, marker="^"), dict(color=SKY, marker="v"), dict(color=ORANGE, marker="P")]
BOUND = dict(color="0.45", linestyle=":", linewidth=1.2)
IDEAL = dict(color="0.45", linestyle="--", linewidth=1.2)

plt.rcParams.update({"font.size": 9, "axes.grid": True, "grid.color": "0.9", "axes.axisbelow": True, "legend.frameon": False,
                     "svg.hashsalt": "hiple", "figure.constrained_layout.use": True, "savefig.dpi": 150, "lines.markersize": 5,
                     "axes.spines.top": False, "axes.spines.right": False})


def panels(count, width=3.3, height=3.0):
    """A row of panels, two rows where there are more than four; those left over are empty."""
    columns = min(count, 4) if count != 5 else 3
    rows = -(-count // columns)
    figure, axes = plt.subplots(rows, columns, figsize=(max(width * columns, 5.2), height * rows), squeeze=False)
    for axis in axes.flat[count:]:
        axis.set_visible(False)
    return figure, list(axes.flat[:count])


def legend_below(figure, axes):
    """One legend for all panels, each name once."""
    found = {}
    for axis in axes:
        for handle, label in zip(*axis.get_legend_handles_labels()):
            found.setdefault(label, handle)
    figure.legend(found.values(), found.keys(), loc="lower center",
                  ncol=min(4 if figure.get_figwidth() > 8 else 2, max(1, len(found))), bbox_to_anchor=(0.5, 1.0))


def curve(axis, xs, estimates, scale=1.0, **look):
    """Medians, and their intervals as bars; a median without an interval has a hollow marker."""
    medians = [scale * value.median for value in estimates]
    low = [scale * (value.median - (value.low if value.has_interval else value.median)) for value in estimates]
    high = [scale * ((value.high if value.has_interval else value.median) - value.median) for value in estimates]
    hollow = any(not value.has_interval for value in estimates)
    style = {"linewidth": 1.4, "capsize": 3, **look, **({"markerfacecolor": "white"} if hollow else {})}
    axis.errorbar(xs, medians, yerr=[low, high], **style)


def short_count(value):
    """1e4, 96k, 9.7M: the size of a network."""
    if value >= 1e6:
        return f"{value / 1e6:.3g} M"
    return f"{value / 1e3:.3g} k" if value >= 1e3 else str(value)


def save(figure, path):
    """PNG and SVG; no date in them, so that the same data make the same files."""
    figure.savefig(path.with_suffix(".png"), bbox_inches="tight", metadata={"Software": None})
    figure.savefig(path.with_suffix(".svg"), bbox_inches="tight", metadata={"Date": None})
    plt.close(figure)
