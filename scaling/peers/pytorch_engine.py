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
    """One network, its optimizer and one batch; step() as PyTorch's own examples write it. Kinds: eager; fused, with Adam as one
    kernel; compiled, with forward, loss and backward by torch.compile and Adam as one kernel."""

    def __init__(self, case, learning_rate=1e-6, kind="eager"):
        widths, batch = parse_case(case)
        torch.manual_seed(1)
        layers = []
        for inputs, outputs in zip(widths, widths[1:]):
            layers += [torch.nn.Linear(inputs, outputs), torch.nn.ReLU()]
        self.network = torch.nn.Sequential(*layers[:-1])
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=learning_rate, **({} if kind == "eager" else {"fused": True}))
        self.loss = torch.nn.CrossEntropyLoss()
        self.loss_of = lambda inputs, labels: self.loss(self.network(inputs), labels)
        if kind == "compiled":
            self.loss_of = torch.compile(self.loss_of)
        self.inputs = torch.randn(batch, widths[0])
        self.labels = torch.randint(widths[-1], (batch,))

    def step(self):
        self.optimizer.zero_grad()
        loss = self.loss_of(self.inputs, self.labels)
        loss.backward()
        self.optimizer.step()
        return loss



class Judge:
    """The same network without a gradient: one batch's outputs. Kinds: eager, compiled."""

    def __init__(self, case, kind="eager"):
        trainer = Trainer(case)
        self.network = torch.compile(trainer.network) if kind == "compiled" else trainer.network
        self.inputs = trainer.inputs

    @torch.inference_mode()
    def step(self):
        return self.network(self.inputs)


class Ensemble:
    """Many networks of one shape as one: their parameters stacked, forward and gradient by torch.func.vmap over them, one fused Adam.
    A step is a step of each. It is as fast as a pack can be that shares one program and one learning rate, one shape and one end."""

    def __init__(self, case, networks, learning_rate=1e-6):
        members = [Trainer(case).network for _ in range(networks)]
        widths, batch = parse_case(case)
        stacked, _ = torch.func.stack_module_state(members)
        self.parameters = {name: torch.nn.Parameter(value.detach()) for name, value in stacked.items()}
        self.optimizer = torch.optim.Adam(self.parameters.values(), lr=learning_rate, fused=True)
        self.inputs = torch.randn(networks, batch, widths[0])
        self.labels = torch.randint(widths[-1], (networks, batch))

        def loss_of_one(parameters, inputs, labels):
            return torch.nn.functional.cross_entropy(torch.func.functional_call(members[0], parameters, (inputs,)), labels)

        self.gradients = torch.func.vmap(torch.func.grad(loss_of_one))

    def step(self):
        found = self.gradients({name: value.detach() for name, value in self.parameters.items()}, self.inputs, self.labels)
        for name, value in self.parameters.items():
            value.grad = found[name]
        self.optimizer.step()


def rate(peer, seconds, clock=time.perf_counter):
    """Steps a second over at least `seconds`."""
    steps, start = 0, clock()
    while True:
        peer.step()
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
