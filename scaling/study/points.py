"""The points of the curves: all launches of one configuration, with medians and intervals."""

from intervals import estimate


class Point:
    """One configuration and its launches. A time is there only where every rank had a core of its own."""

    def __init__(self, launches):
        self.launches = launches
        self.good = [launch for launch in launches if launch.ok]
        self.configuration = launches[0].configuration
        self.id = launches[0].id
        self.strategy = self.configuration["strategy"]
        self.variant = self.configuration["variant"]
        self.ranks = self.configuration["ranks"]
        self.link = self.configuration["link"]
        self.network = self.configuration["network"]
        self.batch = self.configuration["batch"]
        record = self.good[0].record if self.good else {}
        self.parameters = record.get("parameters")
        self.gradient_bytes = record.get("gradient_bytes")
        self.straggler = record.get("straggler")
        self.jitter = record.get("jitter", 0)
        self.spread = record.get("spread", 1)

    @property
    def name(self):
        variant = f" {self.variant}" if self.variant else ""
        return f"{self.strategy}{variant}"

    @property
    def is_timed(self):
        return bool(self.good) and not any(launch.shares_cores for launch in self.good)

    @property
    def is_disturbed(self):
        """With a straggler, jitter or engines of different cost: no point of the plain curves."""
        return bool(self.straggler) or self.jitter > 0 or self.spread > 1

    def times(self, value):
        """The estimate of `value(launch)` over the launches; nothing where times do not count."""
        return estimate([value(launch) for launch in self.good]) if self.is_timed else None

    @property
    def step(self):
        return self.times(lambda launch: launch.step_seconds())

    @property
    def exposed(self):
        return self.times(lambda launch: launch.exposed_seconds())

    @property
    def makespan(self):
        return self.times(lambda launch: launch.record["makespan_seconds"])

    @property
    def rank_seconds(self):
        return self.times(lambda launch: launch.record["rank_seconds"])


def make_points(launches):
    """One point a configuration, in the order of first appearance by name: the order of launches was shuffled."""
    groups = {}
    for launch in launches:
        groups.setdefault(launch.id, []).append(launch)
    return [Point(groups[name]) for name in sorted(groups)]


def select(points, **wanted):
    """Those whose attributes have these values; a function is a condition on the attribute."""
    def fits(point):
        return all(value(getattr(point, name)) if callable(value) else getattr(point, name) == value for name, value in wanted.items())
    return [point for point in points if fits(point)]


def base_of(points, point):
    """The absolute base case of a point: one rank, the same network and rows a step, nothing shared."""
    found = select(points, strategy="single", network=point.network, batch=point.batch, is_disturbed=False)
    return found[0] if found and found[0].is_timed else None
