"""What is simulated: strategies, sizes, ranks, disturbances, whole runs, and the measured launches that the simulation is held against."""

import json
import pathlib

import records
from intervals import estimate
from plan import BadInput
from points import make_points, select

SIZES = {"1e7": [256, 2976, 2976, 16], "1e8": [512, 9728, 9728, 16]}
ROWS, TOTAL = 128, 8192  # of a rank where the work of each stays, and of all where the whole stays
STRATEGIES = (("ddp", "overlap"), ("zero1", ""), ("zero2", ""), ("zero3", ""), ("moe", ""), ("hiple", ""))
STEPS = 2                # the first begins with nothing under way
BUCKET = 25 << 20
STRAGGLER = {"rank": 1, "factor": 2.0}
# Of a whole run: what is assumed of a cluster and not measured here, beside the file system of simulated_platform.
RUN = {"steps": 20_000, "start_seconds": 1.0, "start_seconds_level": 0.2, "read_operations": 3, "read_bytes": 200e6, "most_bytes": 2e9,
       "write_operations": 8, "integrate_operations": 2, "judgment_bytes": 1e6, "decide_seconds": 1.0, "decide_seconds_engine": 1e-3}
LINKS = {"1gbit": 1e9, "100mbit": 1e8, "10mbit": 1e7}


def one(scenario, strategy, variant, ranks, batch, size="1e7", **changed):
    made = {"scenario": scenario, "strategy": strategy, "variant": variant, "ranks": ranks, "widths": SIZES[size], "batch": batch, "steps": STEPS,
            "bucket": BUCKET, "experts": max(64, ranks), "chosen": 2, "capacity": 1.25, "compute_scale": 1.0, "seed": 1, "jitter": 0.0,
            "straggler": None, "algorithm": "halving", "run": None, "link": None, "measured": None, **changed}
    made["id"] = "_".join(filter(None, (scenario, strategy, variant, size, f"r{ranks}")))
    return made


def doubled(first, most):
    while first <= most:
        yield first
        first *= 2


def whole_run(strategy, variant, ranks):
    """After the training a shared objective leaves one model; each engine its own, and decisions."""
    numbers = sum((inputs + 1) * outputs for inputs, outputs in zip(SIZES["1e7"], SIZES["1e7"][1:]))
    is_shared = strategy != "hiple"
    about = {**RUN, "of": f"weak_{strategy}{'_' + variant if variant else ''}_1e7_r{ranks}", "is_shared": is_shared, "write_bytes": 12.0 * numbers,
             "write_share": 1 / ranks if is_shared else 1.0}
    return one("run", strategy, variant, ranks, ROWS * ranks, run=about)


def at_scale(most_ranks):
    ranks = [count for count in (64, 256, 1024, 4096) if count <= most_ranks]
    made = [one("weak", strategy, variant, count, ROWS * count) for count in ranks for strategy, variant in STRATEGIES if strategy != "moe" or count <= 1024]
    made += [one("strong", strategy, variant, count, TOTAL) for count in doubled(64, min(most_ranks, 1024)) for strategy, variant in
             (("ddp", "overlap"), ("zero3", ""), ("hiple", ""))]
    made += [one("weak", strategy, variant, count, ROWS * count, size="1e8") for count in (64, 256) if count <= most_ranks
             for strategy, variant in (("ddp", "overlap"), ("zero3", ""), ("hiple", ""))]
    most = max(count for count in ranks if count <= 256)
    for strategy, variant in (("ddp", "overlap"), ("zero3", ""), ("hiple", "")):
        made.append(one("straggler", strategy, variant, most, ROWS * most, straggler=STRAGGLER))
        made.append(one("jitter", strategy, variant, most, ROWS * most, jitter=0.05, steps=6))
    made += [whole_run(strategy, variant, count) for count in ranks for strategy, variant in (("ddp", "overlap"), ("hiple", ""))]
    return made


def latency_of(folder, link):
    """Of a message of few bytes between two of the made-up hosts, as the study's micro-benchmarks measured it."""
    path = pathlib.Path(folder) / "micro" / f"{link}.json"
    if not path.is_file():
        raise BadInput(f"{path}: it takes the latency of this link (hiple-scaling micro)")
    series = next(each for each in json.loads(path.read_text())["series"] if each["name"] == "point_to_point")
    return min(series["points"], key=lambda point: point["size"])["median_seconds"]


def held_against(folder):
    """Measured launches of ddp over links as configurations: same network, rows, bucket and link, their own computing time."""
    made = []
    for point in select(make_points(records.load(folder)), strategy="ddp", is_disturbed=False, good=bool, link=lambda link: link in LINKS,
                        ranks=lambda ranks: ranks > 1):
        slowest = [max(sorted(rank["compute_seconds"])[len(rank["compute_seconds"]) // 2] for rank in launch.record["per_rank"]) for launch in point.good]
        step = estimate([launch.step_seconds() for launch in point.good])
        measured = {"id": point.id, "revision": point.good[0].revision, "step_seconds": step.median, "low": step.low, "high": step.high,
                    "compute_seconds": estimate(slowest).median, "shares_cores": not point.is_timed}
        link = {"name": point.link, "bits_per_second": LINKS[point.link], "latency": latency_of(folder, point.link)}
        made.append({**one("against", "ddp", point.variant, point.ranks, point.batch), "id": f"against_{point.id}", "widths": point.widths,
                     "bucket": point.good[0].record["bucket_bytes"] or BUCKET, "algorithm": "ring", "link": link, "measured": measured})
    if not made:
        raise BadInput(f"{folder}: no launches of ddp over links to hold a simulation against")
    return made


def configurations(most_ranks, against=None):
    if most_ranks < 64:
        raise BadInput(f"--most-ranks {most_ranks}: the smallest simulation has 64 ranks")
    return ([] if against is None else held_against(against)) + at_scale(most_ranks)


def shapes_of(configuration):
    """Layers that are computed, as `hiple-scaling pieces` takes them."""
    rows, widths = configuration["batch"] // configuration["ranks"], configuration["widths"]
    shapes = [(inputs, outputs, rows) for inputs, outputs in zip(widths, widths[1:])]
    if configuration["strategy"] == "moe":
        experts = configuration["experts"]
        group = configuration["batch"] // experts
        slots = max(1, -int(-(configuration["chosen"] * group * configuration["capacity"]) // experts))
        shapes = [(widths[0], widths[1], rows), (widths[1], experts, rows), (widths[-2], widths[-1], rows)]
        shapes += [(inputs, outputs, experts * slots) for inputs, outputs in zip(widths[1:-1], widths[2:-1])]
    return [f"{inputs}x{outputs}x{rows}" for inputs, outputs, rows in shapes]
