"""In which order, and how often: rounds over all configurations in shuffled blocks, until every interval is narrow."""

import random
import time
from dataclasses import dataclass

import comparisons
from points import Point


@dataclass(frozen=True)
class Turn:
    """The next launch."""

    configuration: dict
    block: int  # what follows one another in a round, to be compared, has the same
    round: int


class Schedule:
    """Gives out one launch after the other. Configurations that are compared with each other on one host form a group. A round
    holds every configuration that is not settled, group by group: a group's launches are one block, in which they follow one another,
    so that a machine that drifts meets both sides of a ratio alike. The order of the groups and that within each are shuffled
    from the seed. A study that is cut short has measured all of them equally often.

    What stops a configuration is how narrow its interval and those of its ratios are, never where they lie."""

    def __init__(self, plan, seed, end, clock=time.monotonic):
        self.points = {entry["id"]: Point(entry) for entry in plan["configurations"]}
        self.comparisons = {name: [] for name in self.points}
        self.random = random.Random(seed)
        self.clock, self.end = clock, end
        self.blocks = 0
        self.is_out_of_time = False
        pairs = [pair for pair in comparisons.all_comparisons(list(self.points.values())) if pair.is_on_one_host]
        for pair in pairs:
            for point in (pair.above, pair.below):
                self.comparisons[point.id].append(pair)
        self.groups = groups(self.points, pairs)

    def note(self, launch):
        """A launch of this session or of an earlier one."""
        point = self.points.get(launch.id)
        if point:
            point.launches.append(launch)
        if launch.block:
            self.blocks = max(self.blocks, launch.block[1])

    def failures(self, point):
        return len(point.launches) - len(point.good)

    def is_exhausted(self, point):
        """As often as allowed, or failed twice: what fails twice would fail again."""
        return self.failures(point) >= 2 or len(point.good) >= point.configuration["repetitions"]["most"]

    def is_settled(self, name):
        point, rule = self.points[name], self.points[name].configuration["repetitions"]
        if self.is_exhausted(point):
            return True
        if len(point.good) < rule["least"]:
            return False
        if not point.is_timed:
            return True  # counts and bytes, which need no interval
        return point.step.is_narrow(rule["width"]) and not any(self.is_open(pair, rule["width"]) for pair in self.comparisons[name])

    def is_open(self, pair, width):
        """A ratio that more launches of both sides would make narrower."""
        if self.is_exhausted(pair.above) or self.is_exhausted(pair.below):
            return False
        return not (pair.is_timed and pair.ratio().is_narrow(width))

    def least_launches(self):
        """(point, how many more it gets at least), for an estimate of the time."""
        return [(point, max(0, point.configuration["repetitions"]["least"] - len(point.good))) for point in self.points.values()]

    def __iter__(self):
        number = 0
        while True:
            number += 1
            left = [[name for name in group if not self.is_settled(name)] for group in self.groups]
            left = [group for group in left if group]
            if not left:
                return
            self.random.shuffle(left)
            for group in left:
                self.blocks += 1
                self.random.shuffle(group)
                for name in group:
                    if self.clock() >= self.end:
                        self.is_out_of_time = True
                        return
                    yield Turn(self.points[name].configuration, self.blocks, number)


def groups(points, pairs):
    """Names that are compared, directly or by way of others, together; in the order of the study file."""
    group = {name: name for name in points}
    for pair in pairs:
        joined, other = group[pair.above.id], group[pair.below.id]
        group = {name: joined if of == other else of for name, of in group.items()}
    return [[name for name in points if group[name] == of] for of in dict.fromkeys(group.values())]
