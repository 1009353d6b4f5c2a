"""Steps a second of the same engines in PyTorch on a CUDA device, eager and as a CUDA graph, fp32 without TF32: JSON on standard output.

    python3 scaling/peers/pytorch_cuda.py CASE...
"""
import json
import statistics
import sys
import time

import torch
from pytorch_engine import parse_case


class Trainer:
    """One network, its fused optimizer and one batch on the device."""

    def __init__(self, case):
        widths, batch = parse_case(case)
        torch.manual_seed(1)
        layers = []
        for inputs, outputs in zip(widths, widths[1:]):
            layers += [torch.nn.Linear(inputs, outputs), torch.nn.ReLU()]
        self.network = torch.nn.Sequential(*layers[:-1]).cuda()
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=1e-6, fused=True, capturable=True)
        self.loss = torch.nn.CrossEntropyLoss()
        self.inputs = torch.randn(batch, widths[0], device="cuda")
        self.labels = torch.randint(widths[-1], (batch,), device="cuda")

    def step(self):
        self.optimizer.zero_grad(set_to_none=True)
        self.loss(self.network(self.inputs), self.labels).backward()
        self.optimizer.step()


def recorded(trainer):
    """The step as a CUDA graph, as PyTorch's documentation records one."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(11):
            trainer.step()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    trainer.optimizer.zero_grad(set_to_none=True)
    with torch.cuda.graph(graph):
        trainer.loss(trainer.network(trainer.inputs), trainer.labels).backward()
        trainer.optimizer.step()
    return graph.replay


def rate(step, seconds=0.3, block=64):
    """Steps a second: the median of five, waiting for the device after every block."""
    rates = []
    for attempt in range(6):
        begin, steps = time.perf_counter(), 0
        while time.perf_counter() - begin < seconds:
            for _ in range(block):
                step()
            torch.cuda.synchronize()
            steps += block
        if attempt > 0:
            rates.append(steps / (time.perf_counter() - begin))
    return statistics.median(rates)


def main():
    torch.backends.cuda.matmul.allow_tf32 = False
    found = {}
    for case in sys.argv[1:]:
        trainer = Trainer(case)
        found[case] = {"eager": rate(trainer.step), "graph": rate(recorded(trainer))}
    json.dump(found, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
