"""The same engine in PyTorch: a training step for a case such as 32-64-64-8:64 (widths, batch).

As a program, `pytorch_engine.py HIPLE-BENCH-ENGINE CASE...` checks that the losses of 20 steps from the same weights and batch
agree, and ends with 1 where they do not.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

# Settings that hold a mathematics library to another processor's kernels: the peer is to be as fast as it can.
REMOVED = {name: os.environ.pop(name) for name in ("OPENBLAS_CORETYPE", "MKL_DEBUG_CPU_TYPE", "MKL_ENABLE_INSTRUCTIONS")
           if name in os.environ}

import numpy  # noqa: E402 (the environment comes first)
import torch  # noqa: E402


LOSS_TOLERANCE = 1e-4  # relative, for each of 20 steps


def parse_case(case):
    widths, batch = case.split(":")
    return [int(width) for width in widths.split("-")], int(batch)


class Trainer:
    """One network, its optimizer and one batch; step() as PyTorch's own examples write it."""

    def __init__(self, case, learning_rate=1e-6, fused=False):
        widths, batch = parse_case(case)
        torch.manual_seed(1)
        layers = []
        for inputs, outputs in zip(widths, widths[1:]):
            layers += [torch.nn.Linear(inputs, outputs), torch.nn.ReLU()]
        self.network = torch.nn.Sequential(*layers[:-1])
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=learning_rate, **({"fused": True} if fused else {}))
        self.loss = torch.nn.CrossEntropyLoss()
        self.inputs = torch.randn(batch, widths[0])
        self.labels = torch.randint(widths[-1], (batch,))

    def step(self):
        self.optimizer.zero_grad()
        loss = self.loss(self.network(self.inputs), self.labels)
        loss.backward()
        self.optimizer.step()
        return loss

    def rate(self, seconds, clock=time.perf_counter):
        """Steps a second over at least `seconds`."""
        steps, start = 0, clock()
        while True:
            self.step()
            steps += 1
            elapsed = clock() - start
            if elapsed >= seconds:
                return steps / elapsed


def largest_loss_difference(program, case):
    """Trains 20 steps from the program's weights on its batch; the largest relative difference between the losses."""
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        report = subprocess.run([program, "--case", case, "--losses", name], check=True, capture_output=True, text=True).stdout
        expected = json.loads(report)["results"][0]["losses"]
        trainer = Trainer(case, learning_rate=1e-4)
        read = lambda path, kind, like: torch.from_numpy(numpy.fromfile(folder / path, kind)).reshape(like.shape)  # noqa: E731
        with torch.no_grad():
            for i, layer in enumerate(trainer.network[::2]):
                layer.weight.copy_(read(f"weight{i}.f32", "<f4", layer.weight))
                layer.bias.copy_(read(f"bias{i}.f32", "<f4", layer.bias))
        trainer.inputs = read("inputs.f32", "<f4", trainer.inputs)
        trainer.labels = read("labels.i32", "<i4", trainer.labels).long()
        losses = [trainer.step().item() for _ in range(20)]
    assert len(expected) == 20 and losses[-1] < losses[0], "the training does not learn"
    return max(abs(ours - theirs) / abs(theirs) for ours, theirs in zip(expected, losses))


def main():
    program, *cases = sys.argv[1:]
    differences = {case: largest_loss_difference(program, case) for case in cases}
    for case, difference in differences.items():
        print(f"{case}: losses differ by {difference:.2g} at most")
    return 0 if all(difference <= LOSS_TOLERANCE for difference in differences.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
