"""The physical bounds that the curves are held against, from the micro-benchmarks of the same results folder."""

import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scaling" / "network"))
from hosts import bits_per_second  # noqa: E402
from plan import BadInput  # noqa: E402

MEMORY = ("triad", "four_reads_three_writes", "adam")


def weights_of(network):
    """Numbers in the matrices between the layers; without the biases."""
    widths = [int(width) for width in network.split("-")]
    return sum(a * b for a, b in zip(widths, widths[1:]))


def best(point):
    """The rate of the fastest repetition: what was reached once can be reached, and a median is no ceiling."""
    return point["work"] / min(point["seconds"])


def revision_of(record):
    return record["metadata"]["revision"]


class Ceilings:
    """What micro/*.json hold; a bound that was not measured is None, never zero. One core alone is measured before the first launch
    and after the last (alone*.json), since a machine that others use is not always as fast as it can be."""

    def __init__(self, folder):
        self.records = {path.stem: json.loads(path.read_text()) for path in sorted((pathlib.Path(folder) / "micro").glob("*.json"))}

    def check(self, revision):
        """Refuses ceilings of another revision than the launches that they bound."""
        for name, record in self.records.items():
            if revision_of(record) != revision:
                raise BadInput(f"micro/{name}.json: of revision {revision_of(record)}, and the launches are of {revision} (results of two "
                               "revisions are not mixed: give another folder, or remove the file and measure it again)")

    def points(self, record, name):
        for series in self.records.get(record, {}).get("series", []):
            if series["name"] == name:
                return series["points"]
        return []

    def alone(self, name):
        """All points of a series that one core alone measured."""
        return [point for record in self.records if record.startswith("alone") for point in self.points(record, name)]

    def rate(self, name):
        """The best of a series measured alone."""
        return max((best(point) for point in self.alone(name)), default=None)

    def bandwidth(self, numbers):
        """Bytes a second: the best of any loop over arrays of about that many numbers."""
        points = [point for name in MEMORY for point in self.alone(name)]
        if not points:
            return None
        near = min({point["size"] for point in points}, key=lambda size: abs(size - numbers))
        return max(best(point) for point in points if point["size"] == near)

    def step_bound(self, network, rows):
        """Seconds under which no step on one core can be: its products at the rate of multiply-adds that never leave the registers,
        and Adam's reads and writes at the best bandwidth of any loop over arrays of that size."""
        widths = [int(width) for width in network.split("-")]
        parameters = weights_of(network) + sum(widths[1:])
        peak, bandwidth = self.rate("multiply_add"), self.bandwidth(parameters)
        if not peak or not bandwidth:
            return None
        # Forward, gradient by the weights, and by the inputs but the first layer's: two operations a weight and row each.
        operations = rows * (6 * weights_of(network) - 2 * widths[0] * widths[1])
        return operations / peak + 28 * parameters / bandwidth


def link_bound(link, ranks, gradient_bytes):
    """Seconds that 2(N-1)/N of the gradient take on a link, each direction on its own, without headers."""
    return 8 * 2 * (ranks - 1) / ranks * gradient_bytes / bits_per_second(link)
