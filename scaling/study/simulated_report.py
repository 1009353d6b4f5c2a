"""simulation.md and figures of a folder of simulations: every sentence and point from its lines. What was measured is marked so."""

import pathlib

import failures
import judged
import loggp
from claims_simulated import last_step, of
from plan import BadInput
from simulated_plan import SIZES
from study_files import SIMULATION, StudyFiles
from style import BLUE, BOUND, LOOK, ORANGE, RED, SKY, legend_below, panels, plt, save

PHASES = ("start-up", "reading and metadata", "training", "writing and metadata", "integration")
STRATEGIES = ("ddp", "zero1", "zero2", "zero3", "moe", "hiple")


def look(strategy):
    return LOOK["ddp overlap" if strategy == "ddp" else strategy]


def ddp_formula(line):
    """LogGP of a simulated launch of ddp; of the computing about two thirds are backward."""
    configuration, computed = line["configuration"], line["result"]["compute_seconds"][-1]
    data = 4 * sum((inputs + 1) * outputs for inputs, outputs in zip(configuration["widths"], configuration["widths"][1:]))
    return loggp.ddp_step(configuration["ranks"], data, configuration["bucket"], computed, 2 / 3 * computed)


def draw_steps(axis, lines, scenario, size, title):
    for strategy in STRATEGIES:
        found = of(lines, scenario, strategy, SIZES[size])
        if found:
            ranks = sorted(found)
            axis.plot(ranks, [1e3 * last_step(found[count]) for count in ranks], label=strategy, linewidth=1.4, **look(strategy))
    found = of(lines, scenario, "ddp", SIZES[size])
    axis.plot(sorted(found), [1e3 * ddp_formula(found[count]) for count in sorted(found)], label="ddp by LogGP", **BOUND)
    axis.set(xscale="log", title=title, xlabel="ranks (simulated)", ylabel="step, slowest rank (ms)")
    if of(lines, scenario, "moe", SIZES[size]):
        axis.set_yscale("log")  # moe computes on empty slots too, and would press the others flat
    else:
        axis.set_ylim(0, 1.1 * axis.get_ylim()[1])
    ticks = sorted({count for strategy in STRATEGIES for count in of(lines, scenario, strategy, SIZES[size])})
    axis.set_xticks(ticks, ticks)
    axis.xaxis.set_minor_locator(plt.NullLocator())


def draw_runs(whole, rest, lines):
    """Whole runs of ddp and hiple over ranks, and where the seconds go that are not training."""
    colors = ("0.75", SKY, BLUE, ORANGE, RED)
    found = {strategy: of(lines, "run", strategy) for strategy in ("ddp", "hiple")}
    ranks = sorted(found["hiple"])
    for k, strategy in enumerate(found):
        seconds = {count: line["result"]["phase_seconds"] for count, line in sorted(found[strategy].items())}
        whole.plot(list(seconds), [sum(each) for each in seconds.values()], label=strategy, linewidth=1.4, **look(strategy))
        for count, each in seconds.items():
            place, bottom = ranks.index(count) + 0.4 * k - 0.2, 0.0
            for phase, value, color in zip(PHASES, each, colors):
                if phase != "training":
                    rest.bar(place, value, 0.36, bottom=bottom, color=color, label=phase)
                    bottom += value
            rest.text(place, bottom, f"{100 * (1 - each[2] / sum(each)):.2g} %", ha="center", va="bottom", fontsize=7)
    whole.set(xscale="log", xlabel="ranks (simulated)", ylabel="seconds", title="a whole run")
    whole.set_ylim(0, 1.1 * whole.get_ylim()[1])
    whole.set_xticks(ranks, ranks)
    whole.minorticks_off()
    rest.set_xticks([i + shift for i in range(len(ranks)) for shift in (-0.2, 0.2)],
                    [f"{name}\n{count}" for count in ranks for name in found], fontsize=7)
    rest.set(title="of it not training, and its share", ylabel="seconds")


def draw_error(axis, lines):
    """Simulated beside measured."""
    for line in lines:
        measured = line["configuration"]["measured"]
        axis.plot(1e3 * measured["step_seconds"], 1e3 * last_step(line), linestyle="none", color="0.2",
                  label="more ranks than cores" if measured["shares_cores"] else "two hosts", markerfacecolor="none" if measured["shares_cores"] else "0.2", marker="o")
    values = [1e3 * line["configuration"]["measured"]["step_seconds"] for line in lines]
    axis.plot([min(values), max(values)], [min(values), max(values)], label="equal", **BOUND)
    axis.set(xscale="log", yscale="log", title="against measured launches", xlabel="measured step (ms)", ylabel="simulated step (ms)")


def figures(lines):
    """(name, figure)"""
    wide = [("weak", "1e7", "128 rows a rank, 9.7 M"), ("weak", "1e8", "128 rows a rank, 100 M"), ("strong", "1e7", "8192 rows in all, 9.7 M")]
    wide = [each for each in wide if of(lines, each[0], "ddp", SIZES[each[1]])]
    if wide:
        figure, axes = panels(len(wide))
        for axis, (scenario, size, title) in zip(axes, wide):
            draw_steps(axis, lines, scenario, size, title)
        legend_below(figure, axes)
        yield "simulated_steps", figure
    if of(lines, "run", "hiple"):
        figure, axes = panels(2, 4.2, 3.2)
        draw_runs(*axes, lines)
        legend_below(figure, axes)
        yield "simulated_runs", figure
    held = [line for line in lines if line["configuration"]["measured"]]
    if held:
        figure, (axis,) = panels(1, 4.4, 3.6)
        draw_error(axis, held)
        legend_below(figure, [axis])
        yield "simulated_error", figure


def step_rows(lines):
    for line in lines:
        configuration, result = line["configuration"], line["result"]
        if configuration["scenario"] in ("run", "against"):
            continue
        step, computed = last_step(line), result["compute_seconds"][-1]
        steps = len(result["step_seconds"])
        formula = f"{1e3 * ddp_formula(line):.4g}" if configuration["strategy"] == "ddp" and configuration["scenario"] in ("weak", "strong") else "-"
        yield (configuration["scenario"], configuration["strategy"], "-".join(map(str, configuration["widths"])), configuration["ranks"],
               configuration["batch"] // configuration["ranks"], f"{1e3 * step:.4g}", f"{1e3 * computed:.4g}", f"{max(0.0, round(1e3 * (step - computed), 6)):.3g}", formula,
               f"{result['bytes'] / steps / 1e6:.4g}", result["messages"] // steps)


def run_rows(lines):
    for strategy in ("ddp", "hiple"):
        for ranks, line in sorted(of(lines, "run", strategy).items()):
            seconds = line["result"]["phase_seconds"]
            yield (strategy, ranks, *[f"{value:.4g}" for value in seconds], f"{100 * (1 - seconds[2] / sum(seconds)):.2f} %")


def against_rows(lines):
    for line in lines:
        measured = line["configuration"]["measured"]
        if measured:
            interval = f"[{1e3 * measured['low']:.4g}, {1e3 * measured['high']:.4g}]" if measured["low"] else "no interval"
            yield (measured["id"], f"{1e3 * measured['step_seconds']:.4g} {interval}", f"{1e3 * last_step(line):.4g}",
                   f"{last_step(line) / measured['step_seconds']:.3f}", "more ranks than cores: no judgment" if measured["shares_cores"] else "")


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows]


def page(lines, drawn):
    meta = lines[0]["metadata"]
    text = ["# Strategies on simulated ranks", "", "Written from simulation.jsonl; docs/simulation.md says what is simulated and what is not.", "",
            f"Revision {lines[0]['revision']}, {meta['simgrid']}; {len(lines)} simulations in {sum(line['metadata']['wall_seconds'] for line in lines):.0f} s, "
            f"load {min(line['metadata']['load'] for line in lines):.1f} to {max(line['metadata']['load'] for line in lines):.1f}.", "",
            "The error at 2 ranks is printed below; **at scale it is unknown**. A deterministic simulation has no interval.", "", "## Steps", ""]
    text += table(("scenario", "strategy", "network", "ranks", "rows a rank", "step (ms)", "computing (ms)", "exposed (ms)", "LogGP (ms)", "MB a rank and step",
                   "messages a rank and step"), step_rows(lines))
    if list(run_rows(lines)):
        text += ["", "## Whole runs (seconds)", "", "Everything that is not training, as a share of the run, is what more ranks do not shorten.", ""]
        text += table(("strategy", "ranks", *PHASES, "not training"), run_rows(lines))
        text += ["", "## Failures (drawn, not simulated by SimGrid)", "", *table(failures.HEAD, failures.rows(lines))]
    if list(against_rows(lines)):
        text += ["", "## Held against measured launches", ""]
        text += table(("launch", "measured step (ms)", "simulated (ms)", "times", ""), against_rows(lines))
    return "\n".join([*text, "", *[f"![{name}](figures/{name}.png)\n" for name in drawn]]) + "\n"


def write(folder):
    """Draws and judges. Returns the files written."""
    folder = pathlib.Path(folder)
    files = StudyFiles(folder)
    if not files.simulations:
        raise BadInput(f"{folder}: no {SIMULATION} in it (simulate first: jobs/simulation.sh FOLDER)")
    (folder / "figures").mkdir(exist_ok=True)
    written = []
    for name, figure in figures(files.simulations):
        assert isinstance(figure, plt.Figure)
        save(figure, folder / "figures" / name)
        written.append(folder / "figures" / f"{name}.png")
    (folder / "simulation.md").write_text(page(files.simulations, [path.stem for path in written]), encoding="utf-8")
    return [*written, folder / "simulation.md", judged.write(files, judged.judge(files))]
