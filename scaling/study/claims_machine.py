"""C2, from the micro-benchmarks alone: what bounds the optimizer's step."""

from intervals import estimate, ratio
from verdict import FAILS, HOLDS, Verdict, interval_of

PLAIN, ADAM = "four_reads_three_writes", "adam"
# Two products and a sum for the first moment, three and one for the second, a root, a quotient, a product and two sums for the parameter.
OPERATIONS = 12
NEAR, FAR_UNDER = 0.8, 0.25


def samples(ceilings, name, size):
    return estimate([seconds for point in ceilings.alone(name) if point["size"] == size for seconds in point["seconds"]])


def claim_optimizer(ceilings):
    result = Verdict("C2")
    sizes = {point["size"] for point in ceilings.alone(PLAIN)} & {point["size"] for point in ceilings.alone(ADAM)}
    peak = ceilings.rate("multiply_add")
    if not sizes or not peak:
        result.sentences.append("It takes the micro-benchmarks of one core alone (micro/alone.json): memory and product.")
        return result
    size = max(sizes)
    plain, adam = samples(ceilings, PLAIN, size), samples(ceilings, ADAM, size)
    times = ratio(plain, adam)
    rate = OPERATIONS * size / adam.median
    result.figure, result.interval = f"{times.median:.4g} times the plain loop's bandwidth", interval_of(times)
    result.sentences += [
        f"{size} parameters, one core: Adam {28 * size / adam.median / 1e9:.4g} GB/s, the plain loop {28 * size / plain.median / 1e9:.4g} GB/s, in "
        f"{adam.count} and {plain.count} measurements.",
        f"Its {OPERATIONS} operations a parameter are {rate / 1e9:.4g} GFLOP/s, {rate / peak:.3f} of the {peak / 1e9:.4g} of multiply-adds in registers."]
    if not times.has_interval:
        result.sentences.append("Too few measurements for an interval.")
    elif times.low >= NEAR and OPERATIONS * size / adam.low <= FAR_UNDER * peak:
        result.verdict = HOLDS
    elif times.high < NEAR or OPERATIONS * size / adam.high > FAR_UNDER * peak:
        result.verdict = FAILS
    else:
        result.sentences.append("The interval holds the bound: it is open.")
    return result
