"""The claims that this study can judge, each from the data alone: HOLDS, FAILS or NOT SHOWN, with the figures that say so."""

import claims_divided
import comparisons
from intervals import estimate, median
from points import select
from verdict import EXACT, FAILS, HOLDS, NOT_SHOWN, Verdict, counted, formula, interval_of, percent, span

# An interface counts headers and acknowledgements too: 66 bytes in a frame of 1514, and one small frame for two large ones.
LEAST, MOST = 0.97, 1.12


def show(value, unit="", scale=1.0):
    """A median with its interval."""
    text = f"{scale * value.median:.4g}{unit}"
    if value.has_interval:
        return f"{text} [{scale * value.low:.4g}, {scale * value.high:.4g}]"
    return f"{text} (no interval: {counted(value.count, 'launch')})"


def show_ratio(pair, what="times"):
    """How many times as much, and from how many blocks."""
    value = pair.ratio()
    how = f"in {counted(value.count, 'block')}" if pair.is_paired else "not in common blocks"
    return f"{show(value)} {what} ({how})"


def wire_ratios(points):
    """(point, launch, each host's bytes a step over the gradient's) by the interfaces' counters: what a launch of ddp sent, less what
    launches of engines that say nothing sent on as many hosts over such a link."""
    found = []
    for point in select(points, strategy="ddp", good=bool, ranks=lambda ranks: ranks > 1):
        silent = [sent for other in select(points, strategy="hiple", ranks=point.ranks, link=point.link)
                  for sent in (launch.sent_bytes() for launch in other.good) if sent]
        if not silent:
            continue
        base = [estimate(host).median for host in zip(*silent)]
        for launch in point.good:
            if launch.sent_bytes():
                whole = launch.steps_sent() * point.gradient_bytes
                found.append((point, launch, [(sent - own) / whole for sent, own in zip(launch.sent_bytes(), base)]))
    return found


def monitoring(points):
    """What Open MPI's monitoring says of ddp: a sentence a rank count, and a sentence for each configuration that contradicts."""
    seen, wrong = {}, []
    for point in select(points, strategy="ddp", good=bool, ranks=lambda ranks: ranks > 1):
        for ratios in filter(None, (launch.monitored_ratios() for launch in point.good)):
            seen.setdefault(point.ranks, []).extend(ratios)
            if any(abs(value / formula(point.ranks) - 1) > EXACT for value in ratios):
                wrong.append(f"{point.id}: by Open MPI's monitoring the ranks sent {min(ratios):.4f} to {max(ratios):.4f} of the gradient "
                             f"a step; the formula says {formula(point.ranks):.4f} of each.")
    return [f"{ranks} ranks: by Open MPI's monitoring each rank sent {min(values):.4f} to {max(values):.4f} of the gradient a step; 2(N-1)/N is "
            f"{formula(ranks):.4f}." for ranks, values in sorted(seen.items())], wrong


def monitored_shares(points):
    """What ranks of ddp sent in a step by Open MPI's monitoring, over what the formula says."""
    launches = [launch for point in select(points, strategy="ddp", ranks=lambda ranks: ranks > 1) for launch in point.good]
    return [ratio / formula(launch.ranks) for launch in launches for ratio in launch.monitored_ratios() or ()]


def claim_bytes(points):
    result = Verdict("C3")
    wrong, means = [], {}
    for point in select(points, strategy="ddp", good=bool, ranks=lambda ranks: ranks > 1):
        for launch in point.good:
            if launch.record["train_calls"] < launch.record["steps"] * point.ranks:
                wrong.append(f"{point.id}: {counted(launch.record['train_calls'], 'MPI call')} in {launch.record['steps']} steps of "
                             f"{point.ranks} ranks: not every rank took part in every step.")
    counts, monitoring_wrong = monitoring(points)
    wrong += monitoring_wrong
    result.sentences += counts
    for point, launch, hosts in wire_ratios(points):
        mean, right = sum(hosts) / point.ranks, formula(point.ranks)
        means.setdefault(point.ranks, []).append((mean, min(hosts), max(hosts)))
        if not LEAST * right <= mean <= MOST * right:
            wrong.append(f"{point.id}: a rank sent {mean:.3f} of the gradient a step; the formula says {right:.3f}, and {percent(MOST - 1)} "
                         "more with headers at most.")
        # The first weights come from one rank alone: the others send no part of that one step's worth.
        elif min(hosts) < LEAST * right * (1 - 1 / launch.steps_sent()):
            wrong.append(f"{point.id}: a rank sent only {min(hosts):.3f} of the gradient a step; the formula says {right:.3f}.")
    for ranks, values in sorted(means.items()):
        low, high = min(value[0] for value in values), max(value[0] for value in values)
        result.sentences.append(f"{ranks} hosts: by their interfaces a rank sent {low:.4f} to {high:.4f} of the gradient a step in "
                                f"{counted(len(values), 'launch')}, headers and acknowledgements included ({low / formula(ranks):.3f} to "
                                f"{high / formula(ranks):.3f} of 2(N-1)/N = {formula(ranks):.4f}); single ranks {min(v[1] for v in values):.3f} to "
                                f"{max(v[2] for v in values):.3f}, since the first weights come from one.")
    if not means:
        result.sentences.append("No launch of ddp on hosts of their own, beside silent engines on such hosts: no interface counted.")
    if wrong or means or counts:
        result.verdict = FAILS if wrong else HOLDS
        shares = monitored_shares(points) or [value[0] / formula(ranks) for ranks, values in means.items() for value in values]
        if shares:
            result.figure, result.interval = f"{median(shares):.4g} times 2(N-1)/N", span(shares)
    result.sentences += list(dict.fromkeys(wrong))
    return result


def claim_step(points):
    result = Verdict("C4")
    pairs = [pair for pair in comparisons.doublings(points) if pair.is_timed]
    halved, open_, slower = [], [], []
    for pair in pairs:
        base, point, factor = pair.below, pair.above, pair.ratio()
        result.sentences.append(f"{point.name}, {point.network}, {point.batch} rows, link {point.link}: {counted(base.ranks, 'rank')} "
                                f"{show(base.step, ' ms', 1e3)}, {point.ranks} ranks {show(point.step, ' ms', 1e3)}: {show_ratio(pair)}.")
        if not factor.has_interval or factor.low <= 0.5 < factor.high:
            open_.append(point)
        elif factor.high <= 0.5:
            halved.append(point)
        elif factor.low > 1:
            slower.append(point)
    if pairs:
        least = min((pair.ratio() for pair in pairs), key=lambda value: value.low if value.has_interval else value.median)
        result.figure = f"{least.median:.4g} times at least; {len(slower)} of {counted(len(pairs), 'doubling')} slower"
        result.interval = interval_of(least)
    if not pairs:
        result.sentences.append("No pair of launches on N and 2N ranks, each with a core a rank, at the same rows a step.")
    elif halved:
        result.verdict = FAILS
        result.sentences.append("The step was halved in: " + ", ".join(point.id for point in halved) + ".")
    elif open_:
        result.sentences.append("Whether it was halved is open where the interval holds 0.5 or is missing: "
                                + ", ".join(point.id for point in open_) + ".")
    elif not slower:
        result.sentences.append("No doubling halved the step, but none made it slower: the crossover was not reached.")
    else:
        result.verdict = HOLDS
        result.sentences.append(f"Of {len(pairs)} doublings none halved the step, and {len(slower)} made it slower.")
    return result


def claim_axis(points):
    result = Verdict("C5")
    shared = [launch for point in select(points, strategy="ddp", ranks=lambda ranks: ranks > 1) for launch in point.good]
    alone = [launch for point in select(points, strategy="hiple", ranks=lambda ranks: ranks > 1) for launch in point.good]
    if not shared or not alone:
        result.sentences.append("It takes launches of ddp and of hiple on two ranks or more.")
        return result
    loose = [launch.id for launch in shared if launch.record["train_calls"] < launch.record["steps"] * launch.ranks]
    tied = [launch.id for launch in alone if launch.record["train_calls"] > 0]
    best = max(alone, key=lambda launch: total_steps(launch) / longest_rank(launch))
    result.sentences.append("ddp: every step waits for the one before it on every rank, so that the critical path is all steps of a "
                            f"training (counted: at least one call a rank and step in {len(shared) - len(loose)} of {len(shared)} launches).")
    result.sentences.append(f"hiple: no step waits for one of another rank ({len(alone) - len(tied)} of {len(alone)} launches without a "
                            f"call); in {best.id} {total_steps(best)} steps have a critical path of {longest_rank(best)}.")
    result.sentences.append("This counts steps. Whether the engines reach the figure of the monolith is not shown here.")
    result.verdict = FAILS if loose or tied else HOLDS
    result.figure, result.interval = f"{longest_rank(best)} of {total_steps(best)} steps in a row", "counted"
    result.sentences += [f"{name}: contradicts it." for name in sorted(set(loose + tied))]
    return result


def total_steps(launch):
    return sum(engine["steps"] for engine in launch.record["engines"])


def longest_rank(launch):
    """Steps of the rank that has most of them."""
    steps = {}
    for engine in launch.record["engines"]:
        steps[engine["rank"]] = steps.get(engine["rank"], 0) + engine["steps"]
    return max(steps.values())


def traces(launch):
    """What a launch of independent engines left that it should not have."""
    record = launch.record
    found = [f"{record[name]:g} {what}" for name, what in (("train_calls", "MPI calls"), ("train_bytes", "bytes"),
                                                           ("seconds_in_mpi", "s in MPI"), ("wait_seconds", "s of waiting"))
             if record.get(name)]
    if any(record.get("wire_bytes") or []):
        found.append(f"{sum(record['wire_bytes'])} bytes handed to Open MPI's transport")
    verdict = (record.get("certificate") or {}).get("verdict", "missing")
    return found + ([f"certificate {verdict}"] if verdict != "synchronisation-free" else [])


def claim_silence(points):
    result = Verdict("C9")
    alone = [launch for point in select(points, strategy="hiple", ranks=lambda ranks: ranks > 1) for launch in point.good]
    shared = [launch for point in select(points, strategy="ddp", ranks=lambda ranks: ranks > 1) for launch in point.good]
    if not alone:
        result.sentences.append("No launch of hiple on two ranks or more.")
        return result
    loud = {launch.id: traces(launch) for launch in alone if traces(launch)}
    result.sentences.append(f"{len(alone) - sum(launch.id in loud for launch in alone)} of {len(alone)} launches of hiple have no call, no "
                            "byte and no waiting in the ledgers of all ranks while they train.")
    result.sentences += [f"{name}: {', '.join(found)}." for name, found in sorted(loud.items())]
    result.figure, result.interval = f"{counted(sum(launch.record['train_calls'] for launch in alone), 'call')} in {counted(len(alone), 'launch')}", "counted"
    if loud:
        result.verdict = FAILS
        return result
    calls = sum(launch.record["train_calls"] for launch in shared)
    if calls == 0:
        result.sentences.append("The same ledger saw no call of ddp either, so that its silence proves nothing.")
        return result
    result.sentences.append(f"The same ledger counted {counted(calls, 'call')} in {counted(len(shared), 'launch')} of ddp.")
    result.verdict = HOLDS
    return result


def claim_straggler(points):
    result = Verdict("C19")
    alone, shared = ([pair for pair in comparisons.stragglers(points, strategy) if pair.is_timed] for strategy in ("hiple", "ddp"))
    for pair in alone + shared:
        point = pair.above
        result.sentences.append(f"{point.name}, {point.network}, rank {point.straggler['rank']} {point.straggler['factor']:g} times "
                                f"slower: the others' step takes {show_ratio(pair, 'times as long')}.")
    result.sentences.append("A stopped and a dead rank are the test suite's part, by counters of steps, and no figure of this study.")
    if not alone or not shared:
        result.sentences.append("It takes a straggler and the same launch without one, of hiple and of ddp, with a core a rank.")
        return result
    others, theirs = max((pair.ratio() for pair in alone), key=lambda value: value.median), min((pair.ratio() for pair in shared), key=lambda value: value.median)
    result.figure = f"{others.median:.4g} times for hiple, {theirs.median:.4g} for ddp"
    result.interval = f"{interval_of(others)}, {interval_of(theirs)}"
    # A quarter of the straggler's delay parts `nobody` from `everybody`; what an interval leaves open is not shown.
    free, bound_ = ([(pair.ratio(), 1 + (pair.above.straggler["factor"] - 1) / 4) for pair in pairs] for pairs in (alone, shared))
    if any(not factor.has_interval for factor, _ in free + bound_):
        result.sentences.append("Intervals are missing.")
    elif any(factor.low > bound for factor, bound in free) or any(factor.high < bound for factor, bound in bound_):
        result.verdict = FAILS
    elif all(factor.high < bound for factor, bound in free) and all(factor.low > bound for factor, bound in bound_):
        result.verdict = HOLDS
    else:
        result.sentences.append("The intervals are too wide to tell.")
    return result


def judge(points):
    verdicts = [claim(points) for claim in (claim_bytes, claim_step, claim_axis, claim_silence, claim_straggler)]
    return sorted(verdicts + claims_divided.judge(points), key=lambda verdict: int(verdict.id[1:]))
