"""The claims about objectives that are divided among ranks, from counts alone: what ranks hold, send and compute. Launches with more ranks
than cores count here."""

from points import select
from verdict import EXACT, FAILS, HOLDS, Verdict, counted, formula, percent, span

STAGES = {"zero1": (1, 0, 0), "zero2": (1, 1, 0), "zero3": (1, 1, 1)}  # are moments, gradients, parameters divided?
VOLUMES = {"zero1": 1.0, "zero2": 1.0, "zero3": 1.5}  # of what data parallel training sends
LOSSES = 1e-5
# What a rank says at least in a step of a mixture: four all-to-alls.
TRAVELS = 4


def launches(points, strategy):
    return [launch for point in select(points, strategy=strategy, ranks=lambda ranks: ranks > 1) for launch in point.good]


def zero_states(strategy, ranks):
    """Model states of a rank by ZeRO's table, in bytes a byte of parameters: single precision, 4 for parameters, 4 for gradients, 8
    for Adam's moments."""
    moments, gradients, parameters = (1 / ranks if divided else 1.0 for divided in STAGES[strategy])
    return 2 * moments + gradients + parameters


def states(launch):
    """The same as each rank allocated it."""
    return [sum(rank["memory_bytes"][what] for what in ("parameters", "gradients", "optimizer")) / launch.record["gradient_bytes"]
            for rank in launch.record["per_rank"]]


def claim_memory(points):
    """What is held is counted in single precision, in which all strategies train; the claim is about mixed precision."""
    result = Verdict("C1")
    held, wrong = {}, []
    for strategy in ("single", "ddp", *STAGES):
        for launch in (launch for point in select(points, strategy=strategy) for launch in point.good):
            if "memory_bytes" not in launch.record["per_rank"][0]:
                continue
            expected = zero_states(strategy, launch.ranks) if strategy in STAGES else 4.0
            held.setdefault(strategy, []).extend(states(launch))
            if far(states(launch), expected):
                wrong.append(f"{launch.id}: a rank holds {far(states(launch), expected):.4g} times what the table says.")
    whole = held.get("single", []) + held.get("ddp", [])
    if whole:
        result.figure = f"{4 * whole[0]:.4g} bytes a parameter in single precision (4+4+4+4)"
        result.interval = span([4 * value for value in whole])
    result.sentences = wrong or [f"{strategy}: {4 * min(values):.4g} to {4 * max(values):.4g} bytes a parameter of a rank's model states, counted "
                                 "from its allocations." for strategy, values in held.items()]
    result.sentences.append("No strategy of the study trains in mixed precision: 2+2+4+4+4 was not counted." if held else
                            "No launch says what it allocated.")
    if wrong:
        result.verdict = FAILS
    return result


def far(values, expected):
    """The value that is farthest from what is expected, as a ratio, where that is more than is allowed."""
    worst = max(values, key=lambda value: abs(value / expected - 1))
    return worst / expected if abs(worst / expected - 1) > EXACT else None


def claim_zero(points):
    result = Verdict("C6")
    seen, unmonitored = set(), 0
    for strategy in STAGES:
        for launch in launches(points, strategy):
            seen.add(strategy)
            expected, volume = zero_states(strategy, launch.ranks), VOLUMES[strategy] * formula(launch.ranks)
            held, sent = far(states(launch), expected), launch.monitored_ratios()
            if held:
                result.sentences.append(f"{launch.id}: a rank holds {held:.4g} times what the table says.")
            if launch.record["train_calls"] < launch.record["steps"] * launch.ranks:
                result.sentences.append(f"{launch.id}: not every rank took part in every step.")
            if sent is None:
                unmonitored += 1
            elif far(sent, volume):
                result.sentences.append(f"{launch.id}: a rank sent {far(sent, volume):.4g} times what the formula says.")
    if result.sentences:
        result.verdict = FAILS
        return result
    missing = sorted(set(STAGES) - seen)
    if missing or unmonitored:
        if missing:
            result.sentences.append(f"It takes launches of {', '.join(missing)} on two ranks or more.")
        if unmonitored:
            result.sentences.append(f"In {counted(unmonitored, 'launch')} nobody counted what was sent (pml_monitoring_enable).")
        return result
    result.verdict = HOLDS
    third = [sent / formula(launch.ranks) for launch in launches(points, "zero3") for sent in launch.monitored_ratios()]
    result.figure, result.interval = f"{sum(third) / len(third):.4g} times the bytes of ddp (zero3)", span(third)
    for strategy in STAGES:
        for ranks in sorted({launch.ranks for launch in launches(points, strategy)}):
            some = [launch for launch in launches(points, strategy) if launch.ranks == ranks]
            held, sent = ([value for launch in some for value in of(launch)] for of in (states, lambda launch: launch.monitored_ratios()))
            result.sentences.append(
                f"{strategy}, {ranks} ranks, {counted(len(some), 'launch')}: model states of a rank {4 * min(held):.4g} to {4 * max(held):.4g} bytes "
                f"a parameter (table: {4 * zero_states(strategy, ranks):.4g}, single precision), sent {min(sent):.4g} to {max(sent):.4g} "
                f"gradients a step (formula: {VOLUMES[strategy] * formula(ranks):.4g}).")
    return result


def active_share(launch):
    """Of all parameters of a mixture those that a row computes with."""
    widths = [int(width) for width in launch.record["network"].split("-")]
    experts, chosen = (launch.record["options"][name] for name in ("experts", "chosen"))
    dense = (widths[0] + 1) * widths[1] + (widths[1] + 1) * experts + (widths[-2] + 1) * widths[-1]
    whole = launch.record["parameters"]
    return (dense + (whole - dense) * chosen / experts) / whole


def claim_mixture(points):
    result = Verdict("C7")
    found = launches(points, "moe")
    if not found:
        result.sentences.append("It takes launches of moe on two ranks or more.")
        return result
    quiet = [launch.id for launch in found if launch.record["train_calls"] < TRAVELS * launch.record["steps"] * launch.ranks]
    whole = [launch.id for launch in found if active_share(launch) >= 1]
    result.sentences += [f"{name}: contradicts it." for name in sorted(set(quiet + whole))]
    result.verdict = FAILS if quiet or whole else HOLDS
    shares = [active_share(launch) for launch in found]
    result.figure, result.interval = f"{percent(max(shares))} of the parameters a row, at most", f"[{percent(min(shares))}, {percent(max(shares))}]"
    result.sentences.append(f"In {counted(len(found), 'launch')} a row computes with {percent(min(shares))} to {percent(max(shares))} of the parameters; "
                            f"every rank took part in every step in {len(found) - len(quiet)} of them.")
    return result


def claim_split(points):
    result = Verdict("C8")
    differences, wrong = {}, []
    for strategy in ("tp", "pp"):
        for point in select(points, strategy=strategy, ranks=lambda ranks: ranks > 1):
            alone = [launch for base in select(points, strategy="single", network=point.network, batch=point.batch, steps=point.steps)
                     for launch in base.good]
            for launch in point.good if alone else ():
                pairs = zip(launch.record["losses"], alone[0].record["losses"], strict=True)
                found = [abs(loss - other) / abs(other) for loss, other in pairs]
                differences.setdefault(strategy, []).append(max(found))
                wrong += [f"{launch.id}: a loss differs by {difference:.3g} of the single rank's." for difference in found
                          if not difference <= LOSSES]  # nor is one that is no number
    missing = [strategy for strategy in ("tp", "pp") if strategy not in differences]
    every = [value for found in differences.values() for value in found]
    if every:
        result.figure, result.interval = f"{max(every):.2g} relative at most", span(every)
    if missing:
        result.sentences.append(f"It takes launches of {' and of '.join(missing)} on two ranks or more, and of single on the same rows and steps.")
    if wrong:
        result.verdict = FAILS
        result.sentences += wrong
        return result
    result.sentences += [f"{strategy}: in {counted(len(found), 'launch')} losses differ by {max(found):.2g} at most, relative."
                         for strategy, found in differences.items()]
    if not missing:
        result.verdict = HOLDS
    return result


def judge(points):
    return [claim(points) for claim in (claim_memory, claim_zero, claim_mixture, claim_split)]
