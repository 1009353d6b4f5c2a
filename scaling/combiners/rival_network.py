"""Entries in run.yaml for networks that read all columns, each of which costs as many operations to train as all engines together.
Where engines have convolutions along series, so have they."""

import math

from network_cost import OPERATIONS, operations_of, products_of, stack
from plain_yaml import Plain
from row_table import points


def number(value):
    return Plain(str(value))


def like_whom(run, engines):
    """The engine after which a network on all columns is made: of those with most convolutions the one with most products."""
    return max(engines, key=lambda engine: (len(engine["model"].get("convolutions", [])), products_of(run, str(engine["name"]))))


def dividing(split):
    """The columns by which the split divides rows into parts, or holds groups of them together."""
    return {str(split[key]) for key in ("column", "group") if key in split}


def readable(columns, split):
    """Those of the columns that a network on all columns reads: none that divides the rows. Its values in the test part are such as no
    training row has, so that a network could only extrapolate along it."""
    return [each for each in columns if str(each["name"]) not in dividing(split)]


def input_width(columns):
    """What a network reads of these entries of schema.yaml, as src/engine/features.hpp says: an embedding of a category, else two
    numbers for each point."""
    return sum(min(16, (len(each["values"]) + 1) // 2) if each["type"] == "category" else 2 * len(points(each)) for each in columns)


def read_as_series(like, columns):
    """Those of the columns that a network like this one convolves: all series as long as its own."""
    if "convolutions" not in like["model"]:
        return []
    own = {str(name) for name in like["features"]}
    lengths = {int(each["length"]) for each in columns if "length" in each and each["name"] in own}
    return [each for each in columns if int(each.get("length", 0)) in lengths]


def convolved(model, series):
    """(products of one case, numbers that are left of it)"""
    if not series:
        return 0, 0
    stages = list(stack(model["convolutions"], 2 * len(series), int(series[0]["length"])))
    places, last = stages[-1][0], int(model["convolutions"][-1]["channels"])
    return sum(count * weights for count, weights in stages), last * {"none": places, "mean_max": 2}.get(str(model["pool"]), 1)


def network(run, engines, like, columns, classes, rows):
    """`engines`: names of the run's; `like`: the entry of run.yaml after which it is made; `columns`: what it reads, as schema.yaml has
    them; `rows`: that it is trained on in an epoch. Two hidden layers, so wide that a case takes as many products as all engines do
    together, and so many epochs that training takes as many operations."""
    spent = {name: operations_of(run, name) for name in engines}
    known = [name for name, operations in spent.items() if operations is not None]
    budget, products = sum(spent[name] for name in known), sum(products_of(run, name) for name in known)
    series = read_as_series(like, columns)
    others = [each for each in columns if each not in series]
    below, pooled = convolved(like["model"], series)
    linear = input_width(others) + pooled + classes + 2
    room = max(0, products - below - classes)
    least = max([8, *(int(width) for width in like["model"]["hidden"])])
    hidden = max(least, round((-linear + math.sqrt(linear**2 + 4 * room)) / 2))
    own = below + linear * hidden + hidden**2 + classes
    epochs = max(1, round(budget / (OPERATIONS * own * max(1, rows))))
    features = [each["name"] for each in series] + [name for each in others for name in points(each)]
    return {"hidden": hidden, "epochs": epochs, "budget": budget, "without": sorted(set(engines) - set(known)), "features": features}


def entry(plan, like, name, label):
    """Trained as `like` is; it never stops early, and keeps its best weights on its early-stop rows as every engine does."""
    model = {**like["model"], "hidden": [number(plan["hidden"]), number(plan["hidden"])]}
    train = {**like["train"], "epochs": number(plan["epochs"]), "early_stop": number(0)}
    return {"name": name, "domain": "everything", "target": label, "features": plan["features"], "model": model, "train": train,
            "abstain_below": number(0)}
