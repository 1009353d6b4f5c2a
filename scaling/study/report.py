"""report.md: a page that says what was measured, what holds, what fails, what is not shown, and where independence does not help.
Every sentence with a figure in it is made from the data."""

import json
import pathlib

import claims
import comparisons
import figures
import judged
from ceilings import Ceilings
from intervals import harmonic_mean
from plan import BadInput
from points import base_of, make_points, select
from study_files import StudyFiles
from style import plt, save


BUSY = 1.5  # load a core; the study's own launches, one after the other, make 1 at most


def load_sessions(folder):
    return [json.loads(path.read_text()) for path in sorted(folder.glob("session*.json"))]


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows]


def origin(plan, launches, sessions):
    """Machine and build, from the first record that there is."""
    good = [launch for launch in launches if launch.ok]
    if not good:
        return ["No launch ended well: nothing was measured."]
    meta = good[0].record["metadata"]
    lines = [f"Revision {meta['revision']}, {meta['compiler']}, {meta['mpi']}, oneDNN {meta['onednn']}; {meta['processor']}, "
             f"{good[0].told['cores']} cores, {meta['kernel']}; first launch {min(launch.record['metadata']['started'] for launch in good)}."]
    if plan.get("open_mpi"):
        lines.append("Open MPI's settings, the same for every strategy: "
                     + ", ".join(f"{name} = {value}" for name, value in sorted(plan["open_mpi"].items())) + ".")
    if meta["revision"].endswith("+changed"):
        lines.append("**The program was built from a working tree with changes: this cannot be repeated from the revision alone.**")
    lines += [f"Session of {session['started']} to {session['ended']}: order shuffled with seed {session['order_seed']}, {session['launcher']}, "
              f"load {session['load_at_end'][0]:.1f} on {session['cores']} cores at its end." for session in sessions]
    return lines


def shortfalls(launches, sessions, measured):
    """What was not measured as it should have been; all of it is said."""
    lines = []
    for point in select(make_points(launches), strategy="single", is_timed=True):
        bound = measured.step_bound(point.network, point.batch)
        if bound and point.step.median < bound:
            lines.append(f"- {point.id} is faster ({claims.show(point.step, ' ms', 1e3)}) than the bound of a core ({1e3 * bound:.4g} ms): the "
                         "ceilings were measured while the machine was slower, and bound nothing.")
    for session in sessions:
        for reason in sorted({entry["reason"] for entry in session["skipped"]}):
            count = sum(entry["reason"] == reason for entry in session["skipped"])
            lines.append(f"- SKIPPED: {claims.counted(count, 'configuration')}, because {reason}.")
        if session["interrupted"]:
            lines.append(f"- Interrupted: {claims.counted(len(session['unsettled']), 'configuration')} had fewer launches than they should.")
        if session["out_of_time"]:
            lines.append(f"- Out of time: {len(session['unsettled'])} configurations have fewer launches than they should.")
    failed = [launch for launch in launches if not launch.ok]
    for launch in failed:
        lines.append(f"- FAILED: {launch.id}: {launch.told['error'].strip().splitlines()[-1] if launch.told['error'].strip() else 'no message'}")
    wide = [point for point in make_points(launches) if point.is_timed
            and not point.step.is_narrow(point.configuration["repetitions"]["width"])]
    if wide:
        lines.append(f"- {len(wide)} of {sum(point.is_timed for point in make_points(launches))} timed configurations have an interval wider "
                     "than the study asks for, after as many launches as it or the time allowed; the intervals below say how wide.")
    ratios = [pair for pair in comparisons.all_comparisons(make_points(launches)) if pair.is_timed]
    open_ = [pair for pair in ratios if not pair.ratio().is_narrow(pair.above.configuration["repetitions"]["width"])]
    if open_:
        lines.append(f"- {len(open_)} of {len(ratios)} ratios have such an interval. What a verdict makes of it stands with the verdict.")
    loads = sorted(launch.told["load"] / launch.told["cores"] for launch in launches if "load" in launch.told)
    if loads and loads[len(loads) // 2] > BUSY:
        lines.append(f"- **The machine was not idle**: when launches began, its load a core was {loads[len(loads) // 2]:.1f} in the middle and "
                     f"{loads[-1]:.1f} at most. Times are those of a machine shared with others, and are to be measured again.")
    shared = sum(launch.shares_cores for launch in launches)
    if shared:
        lines.append(f"- {shared} launches had more ranks than cores: used for counts and bytes, for no time.")
    return lines or ["- Nothing: every configuration was measured as the study asks."]


def times(points):
    """Every timed configuration with its absolute base case."""
    rows = []
    for point in sorted(select(points, is_timed=True), key=lambda p: (p.parameters, p.batch, p.strategy != "single", p.name, p.link, p.id)):
        base = base_of(points, point)
        rate = harmonic_mean([point.batch / launch.step_seconds() for launch in point.good])
        notes = [f"{point.straggler['factor']:g}x slow rank {point.straggler['rank']}"] if point.straggler else []
        notes += [f"jitter {100 * point.jitter:g} %"] if point.jitter else []
        notes += [f"spread {point.spread:g}"] if point.spread > 1 else []
        rows.append((point.name, point.network, point.batch, point.ranks, point.link, ", ".join(notes) or "-", claims.show(point.step, "", 1e3),
                     f"{rate:.4g}", claims.show(base.step, "", 1e3) if base else "not measured",
                     f"{point.step.median / base.step.median:.3g}" if base else "-", len(point.good)))
    head = ("strategy", "network", "rows a step", "ranks", "link", "disturbed by", "step (ms)", "rows/s",
            "one rank alone, same rows (ms)", "times", "launches")
    return table(head, rows) if rows else ["No configuration had a core for each rank."]


def engine_seconds(launch):
    return [engine["seconds"] for engine in launch.record["engines"]]


def no_help(points):
    """Where independence does not help, with figures."""
    lines = []
    for point in select(points, strategy="hiple", is_timed=True, spread=lambda spread: spread > 1):
        record = point.good[0].record
        even = point.times(lambda launch: launch.record["makespan_seconds"] * launch.ranks / sum(engine_seconds(launch)))
        longest = point.times(lambda launch: max(engine_seconds(launch)) / launch.record["makespan_seconds"])
        lines.append(f"- Engines of different cost: {len(record['engines'])} engines, the largest {point.spread:g} times the smallest, on "
                     f"{point.ranks} ranks. Makespan {claims.show(point.makespan, ' s')}, rank-seconds "
                     f"{claims.show(point.rank_seconds, ' s')}; the makespan is {claims.show(even)} times what an even division would take, "
                     f"and the longest engine alone is {claims.percent(longest.median)} of it: more ranks shorten nothing below that.")
    if not lines:
        lines.append("- Engines of different cost were not measured (with a core a rank): the makespan is that of the slowest engine, always.")
    for pair in comparisons.side_by_side(points):
        if pair.is_timed:
            lines.append(f"- {pair.above.ranks} engines of {pair.above.network} side by side: a step takes "
                         f"{claims.show_ratio(pair, 'times that of one alone')}. Where that is above 1, they share the memory, the caches and the clock of one machine.")
    lines.append("- A single engine is not made faster: its step is that of one rank. Only a shared objective over more ranks can shorten "
                 "it, where the link allows (C4).")
    lines.append("- Start and end of MPI do synchronise all ranks, once each; so does the barrier before the first step.")
    return lines


def page(files, verdicts, drawn):
    folder, launches, points = files.folder, files.launches, files.points
    plan = json.loads((folder / "plan.json").read_text())
    sessions = load_sessions(folder)
    lines = [f"# Scaling study `{plan['name']}`", "", "Written from the data of this folder; nothing in it is typed by hand.", ""]
    lines += origin(plan, launches, sessions)
    lines += ["", f"{claims.counted(len(launches), 'launch')} of {claims.counted(len(points), 'configuration')}. A launch gives one value, "
              "the median of its steps after warm-up, a step as long as its slowest rank. Figures are medians over launches with the "
              "order-statistic interval of 95 % [low, high]; no value is left out. What is compared on one host was launched in shuffled "
              "blocks, one after the other: a ratio is the median of the blocks' own ratios, so that a machine that drifts does not pass "
              "for a difference. Other ratios are of two medians, with the widest interval that both allow.", "", "## Verdicts", ""]
    lines += table(("claim", "", "verdict", "figure", "interval"),
                   [(verdict.id, verdict.claim, f"**{verdict.verdict}**", verdict.figure or "-", verdict.interval or "-") for verdict in verdicts])
    lines += ["", "HOLDS and FAILS are about what was measured here: this machine, these sizes, at most "
              f"{max((point.ranks for point in points), default=0)} ranks. What is NOT SHOWN needs other results in this folder, other data or "
              "devices: `hiple-scaling claims` names the command.", ""]
    for verdict in verdicts:
        lines += [f"### {verdict.id}: {verdict.verdict}", "", *[f"- {sentence}" for sentence in verdict.sentences], ""]
    lines += ["## Where independence does not help", "", *no_help(points), "", "## What was not measured as it should be", "",
              *shortfalls(launches, sessions, Ceilings(folder)), "", "## Step times", "", *times(points), "", "## Figures", ""]
    for name, reason in drawn:
        lines += [f"{figures.TITLES[name]}", "", f"Not drawn: {reason}." if reason else f"![{name}](figures/{name}.png)", ""]
    return "\n".join(lines)


def write(folder):
    """Draws and judges a results folder. Returns the files written. BadInput where the folder holds no data, or mixed ones."""
    folder = pathlib.Path(folder)
    files = StudyFiles(folder)
    if not files.launches:
        raise BadInput(f"{folder}: no launches in records*.jsonl (measure first: jobs/scaling.sh STUDY.yaml)")
    points, verdicts = files.points, judged.judge(files)
    (folder / "figures").mkdir(exist_ok=True)
    drawn, written = [], []
    for name, figure in figures.draw(points, files.ceilings):
        path = folder / "figures" / name
        if isinstance(figure, plt.Figure):
            save(figure, path)
            written += [path.with_suffix(".png"), path.with_suffix(".svg")]
        else:
            for old in (path.with_suffix(".png"), path.with_suffix(".svg")):
                old.unlink(missing_ok=True)
        drawn.append((name, figure if isinstance(figure, str) else None))
    (folder / "report.md").write_text(page(files, verdicts, drawn), encoding="utf-8")
    return [*written, folder / "report.md", judged.write(files, verdicts)]
