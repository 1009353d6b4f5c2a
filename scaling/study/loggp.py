"""What a step should take by LogGP (Alexandrov et al., JPDC 1997), beside what SimGrid makes of the same schedule: L, the latency of a
message, o, its cost at each end, and G, seconds a byte."""

import math

from simulated_platform import BANDWIDTH, LATENCY, OVERHEAD

HOPS = 4  # links up and down a fat tree of two levels
FIRST_BUCKET = 1 << 20


def halving(ranks, data, passes):
    """Recursive halving or doubling of `data` bytes, `passes` times: log2(N) messages and (N-1)/N of the bytes each."""
    return passes * (math.log2(ranks) * (HOPS * LATENCY + 2 * OVERHEAD) + (ranks - 1) / ranks * data / BANDWIDTH)


def ddp_step(ranks, data, bucket, compute, backward):
    """All buckets but the last hide behind what is left of backward; the last one has nothing to hide behind."""
    buckets, left = [min(data, FIRST_BUCKET, bucket)], data
    left -= buckets[0]
    while left > 0:
        buckets.append(min(left, bucket))
        left -= buckets[-1]
    whole = [halving(ranks, size, 2) for size in buckets]
    return compute + max(whole[-1], sum(whole) - backward)
