"""What is compared with what: a shared objective with half the ranks, a straggler with the same launch without one, engines side by
side with one alone. The schedule launches the two of a comparison in one block, next to each other; the claims take their ratio."""

from dataclasses import dataclass, field

from intervals import LEAST_FOR_INTERVAL, Estimate, estimate, ratio
from points import Point, select


@dataclass(frozen=True)
class Comparison:
    """A time of `above` over the same of `below`."""

    above: Point
    below: Point
    value: callable = field(default=lambda launch: launch.step_seconds())

    @property
    def is_timed(self):
        return self.above.is_timed and self.below.is_timed

    @property
    def is_on_one_host(self):
        return self.above.link == self.below.link == "none"

    def pairs(self):
        """(above, below) of each block in which both were measured: a machine that drifts slows both alike."""
        below = {launch.block: launch for launch in self.below.good if launch.block}
        return [(launch, below[launch.block]) for launch in self.above.good if launch.block in below]

    @property
    def is_paired(self):
        return len(self.pairs()) >= LEAST_FOR_INTERVAL

    def ratio(self) -> Estimate:
        """The median of the blocks' own ratios; where there are too few such blocks, the ratio of the medians, with the widest
        interval that both allow."""
        if self.is_paired:
            return estimate([self.value(above) / self.value(below) for above, below in self.pairs()])
        return ratio(self.above.times(self.value), self.below.times(self.value))


def doublings(points):
    """A shared objective on N ranks and on 2N, with the same rows a step in all. On one rank it is the monolith."""
    plain = select(points, is_disturbed=False)
    for point in select(plain, strategy="ddp", ranks=lambda ranks: ranks > 1):
        same = {"network": point.network, "batch": point.batch}
        if point.ranks == 2:
            half = select(plain, strategy="single", **same)
        else:
            half = select(plain, strategy="ddp", variant=point.variant, link=point.link, ranks=point.ranks / 2, **same)
        if half:
            yield Comparison(point, half[0])


def stragglers(points, strategy):
    """The step of those ranks that are not slow, with a slow one among them and without."""
    for point in select(points, strategy=strategy, straggler=bool):
        plain = select(points, strategy=strategy, variant=point.variant, network=point.network, batch=point.batch, ranks=point.ranks,
                       link=point.link, is_disturbed=False)
        others = [rank for rank in range(point.ranks) if rank != point.straggler["rank"]]
        if plain and others:
            yield Comparison(point, plain[0], lambda launch, ranks=others: max(launch.rank_step_seconds(rank) for rank in ranks))


def side_by_side(points):
    """Engines on several ranks of one host, and one of them alone."""
    plain = select(points, is_disturbed=False, link="none")
    for point in select(plain, strategy="hiple", ranks=lambda ranks: ranks > 1):
        alone = select(plain, strategy="single", network=point.network, batch=point.batch / point.ranks)
        if alone and "weak" in point.configuration["scaling"]:
            yield Comparison(point, alone[0])


def all_comparisons(points):
    return [*doublings(points), *stragglers(points, "hiple"), *stragglers(points, "ddp"), *side_by_side(points)]
