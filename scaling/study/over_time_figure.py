"""The figure of the study over time: what is right, wrong and left open, what becomes of rules, and what a month costs."""

import itertools

from matplotlib.ticker import MaxNLocator

from style import BLACK, BLUE, GREEN, ORANGE, RED, plt, save

LOOK = {"revised": ("law, revised", dict(color=BLUE, marker="D")),
        "written": ("law as written", dict(color=GREEN, marker="o", linestyle="--", markerfacecolor="none", markersize=8)),
        "monolith": ("monolith, trained each month", dict(color=RED, marker="X")),
        "once": ("monolith, trained once", dict(color=ORANGE, marker="v", linestyle="--")),
        "surest": ("monolith each month: as many\nas the law decides, its surest", dict(color=BLACK, marker="s", linestyle=":"))}


def lines(axis, rows, what, whose, total=False):
    """Of each month's records the share that is so; or how many were so up to then."""
    for who in whose:
        name, look = LOOK[who]
        counts = [row[who][what] for row in rows]
        values = list(itertools.accumulate(counts)) if total else [n / row["revised"]["cases"] for n, row in zip(counts, rows)]
        axis.plot(range(len(rows)), values, linewidth=1.4, label=name, **look)


def rules(axis, rows):
    """How many rules have been contradicted so far, and how many revisions accepted."""
    steps = [(place, row) for place, row in enumerate(rows) if "accepted" in row]
    at = [place for place, _ in steps]
    seen = list(itertools.accumulate((set(row["contradicted"]) for _, row in steps), set.union))
    axis.step(at, [len(each) for each in seen], where="mid", color=RED, marker="X", label="contradicted so far")
    axis.step(at, list(itertools.accumulate(len(row["accepted"]) for _, row in steps)), where="mid", color=BLUE, marker="D",
              label="revisions accepted so far")
    axis.plot(at, [row["verdicts"]["SUPPORTED"] for _, row in steps], color=GREEN, marker="o", linestyle="--", label="supported in that month")
    axis.yaxis.set_major_locator(MaxNLocator(integer=True))


def seconds(axis, rows):
    steps = [(place, row) for place, row in enumerate(rows) if "accepted" in row]
    for side, name, look in (("law", "law", dict(color=BLUE, marker="D")), ("monolith", "monolith trained anew", dict(color=RED, marker="X"))):
        for kind, style, what in (("wall", "-", "by the clock"), ("cpu", ":", "of processors")):
            axis.plot([place for place, _ in steps], [row[f"{side}_seconds"][kind] for _, row in steps], linestyle=style, linewidth=1.4,
                      label=f"{name}, {what}", **look)
    axis.set_ylim(bottom=0)


def draw(result, path):
    """Writes PNG and SVG."""
    rows = result["months"]
    figure, grid = plt.subplots(2, 3, figsize=(12, 7.6))
    axes = list(grid.flat)
    lines(axes[0], rows, "right", ("revised", "written", "monolith", "once"))
    axes[0].set(title="every question right", ylabel="share of the month's records", ylim=(0.6, 1))
    lines(axes[1], rows, "wrong", ("revised", "written", "monolith", "surest"))
    axes[1].set(title="decided, and not all right", ylim=(0, None))
    lines(axes[2], rows, "open", ("revised", "written", "monolith"))
    axes[2].set(title="left open, or to a person", ylim=(-0.005, None))
    lines(axes[3], rows, "missed", ("revised", "written", "monolith", "once"), total=True)
    axes[3].set(title=f"critical findings missed in silence so far, of {result['together']['revised']['critical']}", ylabel="number")
    axes[3].yaxis.set_major_locator(MaxNLocator(integer=True))
    rules(axes[4], rows)
    axes[4].set(title="rules")
    seconds(axes[5], rows)
    axes[5].set(title="seconds spent on what the month told")
    names = [row["month"][2:] for row in rows]
    for axis in axes:
        axis.title.set_fontsize(9.5)
        axis.set_xticks(range(len(rows)), names, rotation=60)
        axis.set_xlim(-0.4, len(rows) - 0.6)
        axis.legend(fontsize=8, ncol=2, loc="upper center", bbox_to_anchor=(0.5, -0.2))
    least, most = min(row["revised"]["cases"] for row in rows), max(row["revised"]["cases"] for row in rows)
    figure.suptitle(f"each month's {least} to {most} records are answered by what was known before it began", fontsize=9, x=0.01, ha="left",
                    color="0.4")
    save(figure, path)
