"""A measurement of hiple-scaling and what it wrote."""

import json

import h5py
import numpy
import pytest
from conftest import scaling


class Result:
    """A measurement that is done: its record, weights and ledger."""

    def __init__(self, folder, ranks, *words):
        self.weights_file, self.ledger_file = folder / "weights.h5", folder / "ledger.h5"
        record = folder / "record.json"
        done = scaling("measure", *words, "--output", record, "--weights", self.weights_file, "--ledger", self.ledger_file,
                       ranks=ranks if ranks > 1 else 0)
        assert done.returncode == 0, done.stdout + done.stderr
        self.stderr = done.stderr
        self.record = json.loads(record.read_text())

    def weights(self, model="monolith"):
        """{"layer0/weight": array, ...}"""
        arrays = {}
        with h5py.File(self.weights_file) as file:
            file[model].visititems(lambda name, item: arrays.update({name: item[:]}) if isinstance(item, h5py.Dataset) else None)
        assert arrays and all(numpy.isfinite(array).all() for array in arrays.values())
        return arrays

    def calls(self, phase="train"):
        """{function: (calls, bytes sent)} over all ranks."""
        found = {}
        with h5py.File(self.ledger_file) as file:
            calls = file["calls"]
            for i, in_phase in enumerate(calls["phase"][:]):
                if in_phase.decode() == phase:
                    name = calls["function"][i].decode()
                    before = found.get(name, (0, 0))
                    found[name] = (before[0] + int(calls["calls"][i]), before[1] + int(calls["bytes_sent"][i]))
        return found

    def memory(self, rank):
        """{what for: bytes} that a rank allocated."""
        return self.record["per_rank"][rank]["memory_bytes"]

    def sent(self):
        """Bytes that left each rank in a step, by Open MPI's monitoring."""
        if self.record["wire_bytes"] is None:
            pytest.skip("this MPI does not count messages: Open MPI 4.1 with its component pml/monitoring does")
        return [sent / self.record["steps"] for sent in self.record["wire_bytes"]]
