"""The points of the curves: all launches of one configuration, with medians and intervals."""

from intervals import estimate


def straggler_of(text):
    rank, factor = text.split(":")
    return {"rank": int(rank), "factor": float(factor)}


class Point:
    """One configuration and its launches, of which there may be none yet. A time is there only where every rank had a core of its
    own."""

    def __init__(self, configuration, launches=()):
        self.launches = list(launches)
        self.configuration = configuration
        self.id = configuration["id"]
        self.strategy = configuration["strategy"]
        self.variant = configuration["variant"]
        self.ranks = configuration["ranks"]
        self.link = configuration["link"]
        self.network = configuration["network"]
        self.batch = configuration["batch"]
        options = dict(zip(configuration["arguments"][::2], configuration["arguments"][1::2]))
        self.steps, self.warmup = int(options["--steps"]), int(options["--warmup"])
        self.straggler = straggler_of(options["--straggler"]) if "--straggler" in options else None
        self.jitter = float(options.get("--jitter", 0))
        self.spread = float(options.get("--spread", 1))

    @property
    def good(self):
        return [launch for launch in self.launches if launch.ok]

    @property
    def widths(self):
        return [int(width) for width in self.network.split("-")]

    @property
    def parameters(self):
        """As the records say; nothing where no launch ended well."""
        return self.good[0].record["parameters"] if self.good else None

    @property
    def gradient_bytes(self):
        return self.good[0].record["gradient_bytes"] if self.good else None

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
    return [Point(groups[name][0].configuration, groups[name]) for name in sorted(groups)]


def select(points, **wanted):
    """Those whose attributes have these values; a function is a condition on the attribute."""
    def fits(point):
        return all(value(getattr(point, name)) if callable(value) else getattr(point, name) == value for name, value in wanted.items())
    return [point for point in points if fits(point)]


def base_of(points, point):
    """The absolute base case of a point: one rank, the same network and rows a step, nothing shared."""
    found = select(points, strategy="single", network=point.network, batch=point.batch, is_disturbed=False)
    return found[0] if found and found[0].is_timed else None
