"""How long launches will take, as far as it can be told beforehand: for the word at the study's start, never for a result."""

import re

from ceilings import link_bound, weights_of

STARTING = 0.5  # seconds: mpirun, MPI_Init, the end
ENTERING = 0.2  # more, on made-up hosts
FIRST_WEIGHTS = 1.5e-7  # seconds a parameter, twice a launch: before warm-up and before the first step
RATE = 5e10  # operations a second, where no micro-benchmark was run
UNITS = {"s": 1, "min": 60, "h": 3600}


def seconds_of(text):
    """Of a duration as study files write it: 90s, 25min, 2h."""
    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)\s*(s|min|h)", text)
    if not match or float(match[1]) <= 0:
        raise ValueError(f"{text!r} is no duration: a number above zero and s, min or h, as 25min")
    return float(match[1]) * UNITS[match[2]]


def launch_seconds(point, measured):
    """Of one launch of a configuration."""
    parameters = weights_of(point.network) + sum(point.widths[1:])
    steps = point.steps + point.warmup
    engine_rows = point.batch / point.ranks
    step = 6 * weights_of(point.network) * engine_rows / (measured.rate("product") or RATE)
    if point.straggler:
        step *= point.straggler["factor"]
    seconds = STARTING + 2 * FIRST_WEIGHTS * parameters + steps * step
    if point.link != "none":
        seconds += ENTERING
        if point.strategy == "ddp":  # the first weights come from one rank, twice
            seconds += (steps + 2) * link_bound(point.link, point.ranks, 4 * parameters)
    return seconds


def in_words(seconds):
    seconds = max(0.0, seconds)
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
