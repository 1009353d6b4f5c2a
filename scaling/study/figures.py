"""The figures of the study. Each function draws from the points alone and returns a figure, or a sentence that says why there is
nothing to draw. Points on shared cores are in none that shows a time."""

from ceilings import best, link_bound
from claims import formula, wire_ratios
from points import base_of, select
from style import BOUND, IDEAL, LINK_LOOK, LOOK, curve, legend_below, panels, plt, short_count

MS = 1e3


def plain(points, **wanted):
    return select(points, is_timed=True, is_disturbed=False, **wanted)


def link_order(links):
    """Fastest first, and no link before all."""
    units = {"kbit": 1e3, "mbit": 1e6, "gbit": 1e9}
    return sorted(links, key=lambda link: float("-inf") if link == "none" else -float(link[:-4]) * units[link[-4:]])


def fixed_rows(point, kind):
    """What a curve holds fixed: rows a rank, or rows in all."""
    return point.batch / point.ranks if kind == "weak" else point.batch


def curves(points, kind):
    """For every network and number of rows that were measured on more than one rank count: its base case, and its points."""
    groups = {}
    for point in plain(points, link="none"):
        if kind in point.configuration["scaling"]:
            groups.setdefault((point.parameters, point.network, fixed_rows(point, kind)), []).append(point)
    for key in sorted(groups):
        base = select(groups[key], strategy="single")
        if base and len({point.ranks for point in groups[key]}) > 1:
            yield base[0], groups[key]


def scaling_panel(axis, base, chosen):
    """Step time over ranks of every strategy; each curve begins at the base case, which is what all are on one rank."""
    names = [name for name in LOOK if select(chosen, name=name)]
    for number, name in enumerate(names):
        line = sorted(select(chosen, name=name), key=lambda point: point.ranks)
        line = line if line[0].ranks == 1 else [base, *line]
        aside = 0.03 * (number - (len(names) - 1) / 2)  # equal points shall not cover each other
        curve(axis, [point.ranks + aside for point in line], [point.step for point in line], MS, label=name, **LOOK[name])
    ranks = sorted({point.ranks for point in chosen})
    axis.set_title(f"{short_count(base.parameters)} parameters", fontsize=9)
    axis.set_xlabel("ranks")
    axis.set_xticks(ranks)
    axis.set_xlim(min(ranks) - 0.3, max(ranks) + 0.3)
    axis.set_ylabel("step, slowest rank (ms)")
    return ranks


def scaling(points, ceilings, kind):
    """Weak or strong scaling on one host: a panel a network, the ideal line from the base case, and the bound of one core."""
    chosen = list(curves(points, kind))
    if not chosen:
        return f"no {kind} scaling on one host with a core a rank, and its base case"
    figure, axes = panels(len(chosen))
    for axis, (base, mine) in zip(axes, chosen):
        ranks = scaling_panel(axis, base, mine)
        ideal = [MS * base.step.median / (count if kind == "strong" else 1) for count in ranks]
        axis.plot(ranks, ideal, label="ideal, from the base case", **IDEAL)
        bounds = [ceilings.step_bound(base.network, base.batch / (count if kind == "strong" else 1)) for count in ranks]
        if None not in bounds:
            axis.plot(ranks, [MS * bound for bound in bounds], label="bound of a core: multiply-adds and Adam's traffic", **BOUND)
        axis.set_ylim(bottom=0)
    legend_below(figure, axes)
    return figure


def weak(points, ceilings):
    return scaling(points, ceilings, "weak")


def strong(points, ceilings):
    return scaling(points, ceilings, "strong")


def size_and_link(points, ceilings):
    """Step time of two ranks over model size, a curve a link, beside one rank on the same rows."""
    chosen = [point for point in plain(points, name="ddp overlap", ranks=2)
              if base_of(points, point) and "strong" in point.configuration["scaling"]]
    links = link_order({point.link for point in chosen})
    if not chosen:
        return "no ddp on two ranks with the base case of the same rows"
    figure, axes = panels(1, 6.4, 4.4)
    axis = axes[0]
    bases = {point.parameters: base_of(points, point) for point in chosen}
    sizes = sorted(bases)
    curve(axis, sizes, [bases[size].step for size in sizes], MS, label="single: one rank, the same rows", **LOOK["single"])
    for link, look in zip(links, LINK_LOOK):
        line = sorted(select(chosen, link=link), key=lambda point: point.parameters)
        curve(axis, [point.parameters for point in line], [point.step for point in line], MS, label=f"ddp, 2 ranks, {where(link)}", **look)
        if link != "none":
            bounds = [MS * link_bound(link, 2, point.gradient_bytes) for point in line]
            axis.plot([point.parameters for point in line], bounds, color=look["color"], linestyle=":", linewidth=1.2,
                      label=f"bound: the gradient on {link}")
    bound = [ceilings.step_bound(bases[size].network, bases[size].batch) for size in sizes]
    if None not in bound:
        axis.plot(sizes, [MS * value for value in bound], label="bound of one core", **BOUND)
    axis.set(xscale="log", yscale="log", xlabel="parameters", ylabel="step, slowest rank (ms)")
    legend_below(figure, axes)
    return figure


def where(link):
    return "one host" if link == "none" else link


def exposed(points, _):
    """What share of a step the slowest rank spends in communication that nothing hides."""
    chosen = plain(points, strategy="ddp", ranks=2)
    if not chosen:
        return "no ddp on two ranks with a core each"
    links = link_order({point.link for point in chosen})
    figure, axes = panels(1, 6.4, 4.0)
    for link, look in zip(links, LINK_LOOK):
        for variant, dash in (("overlap", "-"), ("naive", "--")):
            line = [point for point in select(chosen, link=link, variant=variant) if "strong" in point.configuration["scaling"]]
            line.sort(key=lambda point: point.parameters)
            if line:
                shares = [point.times(lambda launch: launch.exposed_seconds() / launch.step_seconds()) for point in line]
                aside = 1.06 if variant == "naive" else 1.0
                curve(axes[0], [aside * point.parameters for point in line], shares, 100, label=f"{variant}, {where(link)}", linestyle=dash, **look)
    axes[0].set(xscale="log", xlabel="parameters", ylabel="communication not hidden (% of the step)", ylim=(0, 105))
    legend_below(figure, axes)
    return figure


def traffic(points, _):
    """Bytes a rank sends in a step, over the gradient's, beside the formula. Shared cores do no harm to a count."""
    counts = [(point, sum(hosts) / point.ranks) for point, _, hosts in wire_ratios(points)]
    exact = [(point, value) for point in select(points, good=bool, ranks=lambda ranks: ranks > 1) for launch in point.good
             for value in launch.monitored_ratios() or []]
    if not counts and not exact:
        return "no launch in which bytes were counted"
    figure, axes = panels(1, 6.0, 4.0)
    axis, most = axes[0], max(point.ranks for point, _ in counts + exact)
    xs = [2 + i / 20 for i in range(20 * (most - 2) + 1)]
    axis.plot(xs, [formula(x) for x in xs], label="2(N-1)/N", **IDEAL)
    axis.plot(xs, [2 for _ in xs], label="limit for many ranks", **BOUND)
    for source, found, shift in (("by Open MPI", exact, 0.0), ("by interfaces, with headers", counts, 0.12)):
        for name in LOOK:
            mine = sorted({(point.ranks + shift, round(value, 4)) for point, value in found if point.name == name})
            if mine:
                face = {"markerfacecolor": "none"} if shift else {}
                axis.plot(*zip(*mine), linestyle="none", label=f"{name}, {source}", **{**LOOK[name], **face})
    axis.set(xlabel="ranks, each on a host of its own", ylabel="bytes sent a rank and step / gradient", xticks=range(2, most + 1),
             xlim=(1.7, most + 0.3), ylim=(-0.1, 2.2))
    legend_below(figure, axes)
    return figure


def disturbance(points, _):
    """The step of each disturbed launch over the undisturbed one's, of the rank that is slow and of the others."""
    rows = []
    for point in select(points, is_timed=True, is_disturbed=True, spread=1, ranks=lambda ranks: ranks > 1):
        found = plain(points, strategy=point.strategy, variant=point.variant, network=point.network, batch=point.batch,
                      ranks=point.ranks, link=point.link)
        if found:
            rows.append((point, found[0]))
    if not rows:
        return "no straggler and no jitter with the same launch undisturbed"
    rows.sort(key=lambda row: (row[0].jitter, row[0].straggler is None, row[0].name), reverse=True)
    figure, axes = panels(1, 6.4, 0.9 + 0.75 * len(rows))
    axis, seen = axes[0], set()
    for y, (point, base) in enumerate(rows):
        for rank in range(point.ranks):
            slow = bool(point.straggler) and point.straggler["rank"] == rank
            value = point.times(lambda launch, r=rank: launch.rank_step_seconds(r)).median
            value /= base.times(lambda launch, r=rank: launch.rank_step_seconds(r)).median
            label = "the slow rank" if slow else "the others"
            axis.barh(y + 0.36 - 0.72 * (rank + 0.5) / point.ranks, value, 0.66 / point.ranks, color=LOOK[point.name]["color"],
                      alpha=0.45 if slow else 1.0, hatch="///" if slow else None, edgecolor="white")
            axis.text(value + 0.02, y + 0.36 - 0.72 * (rank + 0.5) / point.ranks, f"{value:.2f}  rank {rank}, {label}", va="center",
                      fontsize=7.5)
            seen.add(value)
    axis.axvline(1, **IDEAL)
    axis.set_yticks(range(len(rows)), [f"{point.name}\n{disturbed_by(point)}" for point, _ in rows])
    axis.set(xlabel="step time / step time undisturbed", xlim=(0, 1.45 * max(seen)))
    axis.grid(axis="y", visible=False)
    return figure


def disturbed_by(point):
    if point.straggler:
        return f"rank {point.straggler['rank']} {point.straggler['factor']:g}x slower"
    return f"jitter {100 * point.jitter:g} %"


def makespan(points, _):
    """Who trains when, in the middle launch of the most uneven engines: independence does not shorten the slowest engine."""
    uneven = sorted(select(points, strategy="hiple", is_timed=True, spread=lambda spread: spread > 1), key=lambda point: point.spread)
    if not uneven:
        return "no engines of different cost with a core a rank"
    launches = sorted(uneven[-1].good, key=lambda launch: launch.record["makespan_seconds"])
    record = launches[len(launches) // 2].record
    figure, axes = panels(1, 6.4, 1.4 + 0.5 * record["ranks"])
    axis, ends = axes[0], {rank: 0.0 for rank in range(record["ranks"])}
    shades = ["#0072B2", "#56B4E9"]
    for number, engine in enumerate(record["engines"]):
        axis.barh(engine["rank"], engine["seconds"], 0.6, left=ends[engine["rank"]], color=shades[number % 2], edgecolor="white")
        axis.text(ends[engine["rank"]] + engine["seconds"] / 2, engine["rank"], f"{engine['steps']} steps", ha="center", va="center",
                  fontsize=7, color="white" if number % 2 == 0 else "black")
        ends[engine["rank"]] += engine["seconds"]
    even = sum(ends.values()) / len(ends)
    axis.axvline(even, label="all engines' time by the ranks", **IDEAL)
    axis.axvline(max(ends.values()), color="#D55E00", linewidth=1.4, label="makespan")
    axis.set_yticks(range(record["ranks"]), [f"rank {rank}" for rank in range(record["ranks"])])
    axis.set(xlabel="seconds since the first step", ylim=(-0.6, record["ranks"] - 0.4))
    axis.grid(axis="y", visible=False)
    legend_below(figure, axes)
    return figure


def ceilings(_, measured):
    """What the machine and its links can do: memory, and all-reduces over message sizes."""
    memory = {name: measured.points("alone", name) for name in ("triad", "four_reads_three_writes", "adam")}
    sums = {name: measured.points(name, "all_reduce") for name in measured.records}
    sums = {name: values for name, values in sums.items() if values}
    if not any(memory.values()) and not sums:
        return "no micro-benchmarks"
    figure, axes = panels(3, 4.0, 3.4)
    looks = {"triad": ("triad", LINK_LOOK[0]), "four_reads_three_writes": ("4 reads, 3 writes", LINK_LOOK[1]), "adam": ("engine's Adam", LINK_LOOK[2])}
    for name, values in memory.items():
        if values:
            label, look = looks[name]
            axes[0].plot([p["size"] for p in values], [best(p) / 1e9 for p in values], label=label, **look)
    axes[0].set(xscale="log", xlabel="numbers in an array", ylabel="GB/s, one core", title="memory")
    axes[0].set_ylim(bottom=0)
    products = measured.points("alone", "product")
    if products:
        axes[2].plot([p["size"] for p in products], [best(p) / 1e9 for p in products], label="engines' product", **LINK_LOOK[0])
    if measured.rate("multiply_add"):
        axes[2].axhline(measured.rate("multiply_add") / 1e9, label="multiply-adds in registers: the bound", **BOUND)
    axes[2].set(xscale="log", xlabel="rows of square matrices", ylabel="Gflop/s, one core", title="arithmetic")
    axes[2].set_ylim(bottom=0)
    for (name, values), look in zip(sorted(sums.items()), LINK_LOOK):
        label = f"{measured.records[name]['ranks']} ranks" if name.startswith("ranks") else f"2 hosts, {name}"
        axes[1].plot([p["size"] for p in values], [MS * p["median_seconds"] for p in values], label=f"all-reduce, {label}", **look)
        if not name.startswith("ranks"):
            axes[1].plot([p["size"] for p in values], [MS * link_bound(name, measured.records[name]["ranks"], p["size"]) for p in values],
                         color=look["color"], linestyle=":", linewidth=1.2)
    axes[1].set(xscale="log", yscale="log", xlabel="bytes", ylabel="ms (dotted: the link)", title="all-reduce")
    legend_below(figure, axes)
    return figure


FIGURES = {"weak": weak, "strong": strong, "size_and_link": size_and_link, "exposed": exposed, "traffic": traffic,
           "disturbance": disturbance, "makespan": makespan, "ceilings": ceilings}
TITLES = {
    "weak": "Weak scaling on one host: the rows a rank are fixed. Ideal is flat.",
    "strong": "Strong scaling on one host: the rows in all are fixed. Ideal is 1/N.",
    "size_and_link": "Step time of a shared objective on two ranks over the size of the model and the link, rows in all fixed.",
    "exposed": "Communication that the computing does not hide.",
    "traffic": "Bytes on the way against 2(N-1)/N; a count, so that shared cores do no harm.",
    "disturbance": "One rank slower, and jitter: who pays.",
    "makespan": "Where independence does not help: engines of different cost.",
    "ceilings": "The ceilings, by micro-benchmarks in the same place.",
}


def draw(points, measured):
    """Yields (name, figure or the reason why there is none)."""
    for name, function in FIGURES.items():
        yield name, function(points, measured)


__all__ = ["FIGURES", "TITLES", "draw", "plt"]
