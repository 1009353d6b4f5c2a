"""The physical bounds that the curves are held against, from the micro-benchmarks of the same results folder."""

import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scaling" / "network"))
from hosts import bits_per_second  # noqa: E402


class Ceilings:
    """What micro/*.json hold; a bound that was not measured is None, never zero."""

    def __init__(self, folder):
        self.records = {path.stem: json.loads(path.read_text()) for path in sorted((pathlib.Path(folder) / "micro").glob("*.json"))}

    def points(self, record, name):
        for series in self.records.get(record, {}).get("series", []):
            if series["name"] == name:
                return series["points"]
        return []

    def rate(self, name, pick=max):
        """Of a series measured alone: by default its best."""
        points = self.points("alone", name)
        return pick(point["rate"] for point in points) if points else None

    def step_bound(self, network, rows):
        """Seconds under which no step on one core can be: its products at the best rate that was measured, and Adam's reads and
        writes at the bandwidth of the plain loop for arrays of that size."""
        product, loop = self.rate("product"), self.points("alone", "four_reads_three_writes")
        if not product or not loop:
            return None
        widths = [int(width) for width in network.split("-")]
        weights = [a * b for a, b in zip(widths, widths[1:])]
        # Forward, gradient by the weights, and by the inputs but the first layer's: two operations a weight and row each.
        operations = rows * (6 * sum(weights) - 2 * weights[0])
        parameters = sum(weights) + sum(widths[1:])
        near = min(loop, key=lambda point: abs(point["size"] - parameters))
        return operations / product + 28 * parameters / near["rate"]


def link_bound(link, ranks, gradient_bytes):
    """Seconds that 2(N-1)/N of the gradient take on a link, each direction on its own, without headers."""
    return 8 * 2 * (ranks - 1) / ranks * gradient_bytes / bits_per_second(link)
