"""The monolith's entry in run.yaml: one network on all columns that costs as many operations to train as all engines together."""

import math

import h5py
from monolith import ENGINE
from plain_yaml import Plain

LABEL = "hiple_all"
OPERATIONS = 6  # of a weight and a row: two forward, four backward (Kaplan et al., "Scaling laws for neural language models", 2020)


def operations_of(run, engine):
    """Spent on training an engine of a run. Nothing where it is a program of its own."""
    checkpoint = run / "engines" / engine / "checkpoint.h5"
    if not checkpoint.is_file():
        return None
    with h5py.File(checkpoint) as file:
        return OPERATIONS * file["weights"].shape[0] * int(file.attrs["samples"])


def weights_of(run, engine):
    with h5py.File(run / "engines" / engine / "checkpoint.h5") as file:
        return file["weights"].shape[0]


def input_width(columns, names):
    """What the network reads of these columns, as src/engine/features.hpp says: an embedding of a category, else two numbers."""
    by_name = {column["name"]: column for column in columns}
    width = 0
    for name in names:
        column = by_name[name]
        width += min(16, (len(column["values"]) + 1) // 2) if column["type"] == "category" else 2
    return width


def network(run, engines, columns, inputs, classes, rows):
    """`engines`: names of the run's; `inputs`: what the monolith reads; `rows`: that it is trained on in an epoch."""
    spent = {name: operations_of(run, name) for name in engines}
    known = [name for name, operations in spent.items() if operations is not None]
    budget, weights = sum(spent[name] for name in known), sum(weights_of(run, name) for name in known)
    linear = input_width(columns, inputs) + classes + 2
    hidden = max(8, round((-linear + math.sqrt(linear**2 + 4 * max(0, weights - classes))) / 2))
    own = linear * hidden + hidden**2 + classes
    epochs = max(1, round(budget / (OPERATIONS * own * max(1, rows))))
    return {"hidden": hidden, "epochs": epochs, "budget": budget, "without": sorted(set(engines) - set(known))}


def entry(plan, like, inputs):
    """Trained as the largest engine is; it never stops early, and keeps its best weights on its early-stop rows as every engine does."""
    number = lambda value: Plain(str(value))
    model = {**like["model"], "hidden": [number(plan["hidden"]), number(plan["hidden"])]}
    train = {**like["train"], "epochs": number(plan["epochs"]), "early_stop": number(0)}
    return {"name": ENGINE, "domain": "everything", "target": LABEL, "features": list(inputs), "model": model, "train": train,
            "abstain_below": number(0)}
