"""In which order, and how often: rounds over all configurations, each round shuffled, until every interval is narrow."""

import random
import time

from intervals import estimate


class Schedule:
    """Gives out one configuration after the other. A round holds every configuration that is not settled, in an order that the
    seed settles, so that a drift of the machine meets all of them alike, and a study that is cut short has measured all of
    them equally often."""

    def __init__(self, plan, seed, clock=time.monotonic):
        self.configurations = {entry["id"]: entry for entry in plan["configurations"]}
        self.random = random.Random(seed)
        self.clock = clock
        self.end = clock() + plan["time_limit"]
        self.values = {name: [] for name in self.configurations}  # of the launches that ended well
        self.failures = {name: 0 for name in self.configurations}
        self.is_out_of_time = False

    def note(self, name, value):
        """A launch's step time; None where it failed, or where its time does not count because ranks shared cores."""
        self.values[name].append(value)

    def note_failure(self, name):
        self.failures[name] += 1

    def is_settled(self, name):
        """Narrow enough, often enough, or failed twice: what fails twice would fail again."""
        rule, values = self.configurations[name]["repetitions"], self.values[name]
        if self.failures[name] >= 2 or len(values) >= rule["most"]:
            return True
        if len(values) < rule["least"]:
            return False
        return None in values or estimate(values).is_narrow(rule["width"])

    def __iter__(self):
        while True:
            left = [name for name in self.configurations if not self.is_settled(name)]
            if not left:
                return
            self.random.shuffle(left)
            for name in left:
                if self.clock() >= self.end:
                    self.is_out_of_time = True
                    return
                yield self.configurations[name]
