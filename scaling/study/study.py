#!/usr/bin/python3
"""The scaling study: measures what a study file asks for, and draws and judges what was measured.

  study.py run STUDY.yaml [--results DIR] [--host LABEL] [--time-limit 25min] [--ranks N] [--part NAME]
  study.py draw DIR
  study.py judge DIR

`run` prints the folder of the results and may be repeated: what is measured already counts. It draws at the end, unless it
measured a part of the study for a job among several. `judge` writes verdicts.json alone, from whatever studies are in the folder. Exit status: 0 done, 2 the input is wrong and nothing was started, 3 measured
in part (skipped, failed or out of time), 1 anything else."""

import argparse
import datetime
import json
import os
import pathlib
import platform
import re
import signal
import sys
import time

import duration
import judged
import records
from ceilings import Ceilings
from launching import Launcher, is_in_slurm
from plan import ROOT, BadInput, load_plan, revision
from schedule import Schedule
from study_files import StudyFiles

DONE, FAILED, BAD_INPUT, PARTIAL = 0, 1, 2, 3


def say(text):
    print(text, file=sys.stderr, flush=True)


def results_folder(options, built):
    """scaling/results/DATE_HOST_REVISION unless told otherwise."""
    if options.results and options.host:
        raise BadInput(f"--host {options.host}: it names the folder that --results names too; give one of the two")
    if options.results:
        return pathlib.Path(options.results)
    label = options.host or platform.node()
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9.-]{0,63}", label):
        raise BadInput(f"--host {label}: it names a folder (letters, digits, points and hyphens)")
    return ROOT / "scaling/results" / f"{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d}_{label}_{built}"


def publish(path, text):
    """Whole or not at all: jobs that share the folder may read it meanwhile."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)


def prepare_folder(folder, study, plan, built, name):
    """The study file and its plan beside the data. A folder of another study or revision is refused."""
    folder.mkdir(parents=True, exist_ok=True)
    kept = folder / "plan.json"
    if kept.exists():
        if json.loads(kept.read_text()) != plan:
            raise BadInput(f"{folder}: holds results of another study file (give another folder by --results)")
        if (folder / name).exists():
            found = records.load(folder, name)[0].line["revision"]
            if found != built:
                raise BadInput(f"{folder}: holds results of revision {found}, and the program is {built} (results of two revisions "
                               "are not mixed: give another folder by --results)")
    else:
        publish(folder / "study.yaml", pathlib.Path(study).read_text(encoding="utf-8"))
        publish(kept, json.dumps(plan, indent=1) + "\n")


def chosen(plan, ranks):
    """The plan, or the part of it for one rank count."""
    if ranks is None:
        return plan
    kept = [entry for entry in plan["configurations"] if entry["ranks"] == ranks]
    if not kept:
        counts = sorted({entry["ranks"] for entry in plan["configurations"]})
        raise BadInput(f"--ranks {ranks}: the study has none (rank counts: {', '.join(map(str, counts))})")
    return {**plan, "configurations": kept}


def skip_impossible(plan, launcher):
    """The configurations that can be measured here, and the others with the reason."""
    possible, skipped = [], []
    for entry in plan["configurations"]:
        reason = launcher.reason_against(entry)
        if reason:
            skipped.append({"id": entry["id"], "reason": reason})
        else:
            possible.append(entry)
    for reason in sorted({entry["reason"] for entry in skipped}):
        say(f"SKIPPED {sum(entry['reason'] == reason for entry in skipped)} configurations: {reason}")
    return {**plan, "configurations": possible}, skipped


def known_launches(path):
    """What an earlier session has measured."""
    return records.load(path.parent, path.name) if path.exists() else []


def say_how_long(schedule, folder, begin):
    measured = Ceilings(folder)
    wanted = schedule.least_launches()
    least = sum(count * duration.launch_seconds(point, measured) for point, count in wanted)
    say(f"{len(wanted)} configurations; the {sum(count for _, count in wanted)} launches that are needed at least take about "
        f"{duration.in_words(least)}, and no launch begins later than {duration.in_words(schedule.end - time.monotonic())} from now "
        f"({duration.in_words(schedule.end - begin)} from the start)")


def measure_all(schedule, launcher, path, built):
    """Launches by the schedule, a line each."""
    begin, number = time.monotonic(), 0
    for order, turn in enumerate(schedule, 1 + sum(len(point.launches) for point in schedule.points.values())):
        if turn.round != number:
            number = turn.round
            unsettled = sum(not schedule.is_settled(name) for name in schedule.points)
            say(f"round {number}, after {duration.in_words(time.monotonic() - begin)}: {unsettled} of {len(schedule.points)} configurations "
                f"to measure, {duration.in_words(schedule.end - time.monotonic())} left")
        start = time.monotonic()
        record, told = launcher.launch(turn.configuration, ["measure", *turn.configuration["arguments"]])
        line = {"format": records.FORMAT, "version": 1, "revision": built, "order": order, "block": turn.block,
                "configuration": turn.configuration, "launch": told, "record": record}
        records.append(path, line)
        launch = records.Launch(line, path.name)
        schedule.note(launch)
        result = f"{1e3 * launch.step_seconds():.3f} ms a step" if launch.ok else "FAILED: " + told["error"].split("\n")[-1]
        say(f"{order:4} {launch.id}: {result} ({time.monotonic() - start:.1f} s)")


def outcome(schedule):
    """The configurations that failed, and those that have fewer launches than they should."""
    return (sorted(point.id for point in schedule.points.values() if schedule.failures(point)),
            [name for name in schedule.points if not schedule.is_settled(name)])


def write_session(path, told):
    end = datetime.datetime.now(datetime.timezone.utc)
    publish(path, json.dumps({
        **told, "ended": f"{end:%Y-%m-%dT%H:%M:%SZ}", "host": platform.node(), "cores": len(os.sched_getaffinity(0)),
        "load_at_end": os.getloadavg(), "launcher": "srun" if is_in_slurm() else "mpirun"}, indent=1) + "\n")


def ceilings_wanted(plan, launcher, ranks):
    """(name, where, words) of the micro-benchmarks: alone, on as many ranks as have a core, and over each link between two hosts; in
    a job for one rank count on that many."""
    links = sorted({entry["link"] for entry in plan["configurations"]} - {"none"})
    most = max((entry["ranks"] for entry in plan["configurations"] if entry["link"] == "none"), default=1)
    together = most if launcher.allocation else min(most, len(launcher.cores))
    # Many short measurements: the best of them is a ceiling even where the machine is disturbed now and then. Messages are slow.
    short = ["--repetitions", "50", "--seconds", "0.002"]
    if ranks in (None, 1):
        yield "alone", {"ranks": 1, "link": "none"}, short
    if together > 1:
        yield f"ranks{together}", {"ranks": together, "link": "none"}, short
    for link in links:
        yield link, {"ranks": 2, "link": link}, ["--repetitions", "5", "--seconds", "0.02", "--only", "messages"]


def measure_ceilings(wanted, launcher, folder, built):
    (folder / "micro").mkdir(exist_ok=True)
    for name, place, words in wanted:
        path = folder / "micro" / f"{name}.json"
        if path.exists():
            continue
        record, _ = launched = launcher.launch(place, ["micro", *words], least_limit=120)
        if record is None:
            say(f"the micro-benchmarks {name} FAILED: {launched[1]['error']}")
        elif record["metadata"]["revision"] != built:
            raise BadInput(f"the program changed while the study ran: {record['metadata']['revision']} is not {built}")
        else:
            publish(path, json.dumps(record, indent=1) + "\n")


def run(options):
    begin, started = time.monotonic(), datetime.datetime.now(datetime.timezone.utc)
    is_whole = options.ranks is None and options.part is None
    if is_whole:
        import report  # noqa: F401  (what it needs is missed before anything is measured)
    full = load_plan(options.study)
    limit = options.time_limit or full["time_limit"]
    built = revision()
    folder = results_folder(options, built)
    part = chosen(full, options.ranks)
    seed = full["seed"] if options.order_seed is None else options.order_seed
    name = f"-{options.part}" if options.part else ""
    file = folder / f"records{name}.jsonl"
    Ceilings(folder).check(built)
    prepare_folder(folder, options.study, full, built, file.name)
    with Launcher(full) as launcher:
        possible, skipped = skip_impossible(part, launcher)
        wanted = [] if options.without_ceilings else list(ceilings_wanted(possible, launcher, options.ranks))
        measure_ceilings(wanted, launcher, folder, built)
        schedule, is_interrupted = Schedule(possible, seed, begin + limit), True
        for launch in known_launches(file):
            schedule.note(launch)
        say_how_long(schedule, folder, begin)
        try:
            measure_all(schedule, launcher, file, built)
            measure_ceilings([(f"{ceiling}-after", *place) for ceiling, *place in wanted if ceiling == "alone"], launcher, folder, built)
            is_interrupted = False
        finally:  # an interrupted session is told of too
            failed, unsettled = outcome(schedule)
            write_session(folder / f"session{name}.json", {
                "started": f"{started:%Y-%m-%dT%H:%M:%SZ}", "revision": built, "order_seed": seed, "time_limit": limit, "skipped": skipped,
                "failed": failed, "out_of_time": schedule.is_out_of_time, "interrupted": is_interrupted, "unsettled": unsettled})
    if schedule.is_out_of_time:
        say(f"out of time: {len(unsettled)} configurations have fewer launches than they should")
    if not file.exists():
        say("nothing was measured: there is nothing to draw")
    elif is_whole:
        draw_folder(folder)
    print(folder)
    return PARTIAL if skipped or failed or schedule.is_out_of_time else DONE


def draw_folder(folder):
    import report  # matplotlib is only needed here
    for path in report.write(folder):
        say(f"wrote {path}")


def draw(options):
    draw_folder(pathlib.Path(options.folder))
    return DONE


def judge(options):
    files = StudyFiles(options.folder)
    say(f"wrote {judged.write(files, judged.judge(files))}")
    return DONE


def time_limit(text):
    try:
        return duration.seconds_of(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    measuring = commands.add_parser("run", help="measure")
    measuring.add_argument("study")
    measuring.add_argument("--results", help="folder of the results; by default scaling/results/DATE_HOST_REVISION")
    measuring.add_argument("--host", help="a name for this machine in the folder's")
    measuring.add_argument("--time-limit", type=time_limit, metavar="TIME", help="no launch begins later, as 25min; by default the study's")
    measuring.add_argument("--ranks", type=int, help="only the configurations of this rank count")
    measuring.add_argument("--part", help="write records-PART.jsonl: for jobs that share a folder")
    measuring.add_argument("--without-ceilings", action="store_true", help="no micro-benchmarks: figures without bounds")
    measuring.add_argument("--order-seed", type=int, help="of the shuffled order; by default the study's seed")
    measuring.set_defaults(work=run)
    drawing = commands.add_parser("draw", help="figures and report from a folder of results")
    drawing.add_argument("folder")
    drawing.set_defaults(work=draw)
    judging = commands.add_parser("judge", help="verdicts on all claims from a folder of results")
    judging.add_argument("folder")
    judging.set_defaults(work=judge)
    return parser.parse_args()


def main():
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):  # leave by way of every `with`
        signal.signal(number, lambda *_: sys.exit(FAILED))
    options = parse()
    try:
        return options.work(options)
    except BadInput as error:
        say(str(error))
        return BAD_INPUT


if __name__ == "__main__":
    sys.exit(main())
