"""Risk over coverage of every way to decide, and beside it the critical findings that are missed in silence."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "study"))
from style import BLACK, BLUE, GREEN, ORANGE, PURPLE, RED, SKY, YELLOW, legend_below, panels, save  # noqa: E402

LOOKS = {
    "the law": dict(color=BLACK, linewidth=2.4, zorder=5),
    "law, all engines": dict(color="0.55", linewidth=2.4, linestyle=(0, (1, 1)), zorder=4),
    "law on a random cut": dict(color="0.45", linestyle=(0, (4, 2, 1, 2))),
    "majority": dict(color=ORANGE),
    "log-odds vote": dict(color=ORANGE, linestyle="--"),
    "stacking": dict(color=RED, linewidth=1.8),
    "learned gate": dict(color=RED, linestyle="--"),
    "Dempster-Shafer": dict(color=GREEN),
    "Yager": dict(color=GREEN, linestyle="--"),
    "conformal by class": dict(color=PURPLE),
    "guaranteed risk": dict(color=SKY),
    "monolith": dict(color=BLUE, linewidth=1.8),
    "a network a question": dict(color=BLUE, linestyle="--"),
}
MARKS = dict(zip(LOOKS, "oDXsv^<>Ph*pd"))


def draw(curves, path, caption):
    """`curves`: of each way (coverage, risk, critical missed). Writes PNG and SVG."""
    figure, axes = panels(2, 5.0, 3.9)
    for name, (coverage, risk, missed) in curves.items():
        if not len(coverage):
            continue
        look = {"linewidth": 1.2, "color": YELLOW, **LOOKS.get(name, {})}
        kept = coverage >= min(0.1, coverage[-1])  # the first few cases jump
        for axis, values in zip(axes, (risk, missed)):
            axis.plot(coverage[kept], values[kept], label=name, marker=MARKS.get(name, "."), markevery=[-1], markersize=5.5, **look)
    ends = [risk[-1] for _, risk, _ in curves.values() if len(risk)]
    axes[0].set(xlabel="coverage: accepted whole, of all cases", ylabel="wrong, of those accepted", ylim=(0, 1.3 * max([*ends, 0.001])))
    axes[1].set(xlabel="coverage: accepted whole, of all cases", ylabel="missed in silence, of critical cases", ylim=(-0.004, None))
    for axis in axes:
        axis.set_xlim(0, 1.03)
    legend_below(figure, axes)
    figure.suptitle(caption, fontsize=8, x=0.01, ha="left", y=-0.02, color="0.4")
    save(figure, path)
