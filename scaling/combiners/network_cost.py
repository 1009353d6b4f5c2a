"""What networks cost to train, in operations: the reckoning of src/run/estimate.cpp, on checkpoints."""

import json

import h5py

OPERATIONS = 6  # of a product and a row: two forward, four backward (Kaplan et al., "Scaling laws for neural language models", 2020)


def stack(convolutions, channels, length):
    """Of each convolution the places that it finds along `length` points of `channels` numbers, and its weights."""
    for each in convolutions:
        length = (length - int(each["kernel"])) // int(each.get("stride", 1)) + 1
        yield length, int(each["channels"]) * (int(each["kernel"]) * channels + 1)
        channels = int(each["channels"])


def products_of(run, engine):
    """Of one case: each weight is used once, those of a convolution at each of its places."""
    with h5py.File(run / "engines" / engine / "checkpoint.h5") as file:
        products, convolutions = file["weights"].shape[0], json.loads(file["config"].asstr()[0]).get("convolutions", [])
        if convolutions:
            series = [name for name in file["features/series"].asstr()[...] if name]
            names = len(set(series))
            products += sum((places - 1) * weights for places, weights in stack(convolutions, 2 * names, len(series) // names))
        return products


def operations_of(run, engine):
    """Spent on training an engine of a run. Nothing where it is a program of its own."""
    checkpoint = run / "engines" / engine / "checkpoint.h5"
    if not checkpoint.is_file():
        return None
    with h5py.File(checkpoint) as file:
        samples = int(file.attrs["samples"])
    return OPERATIONS * products_of(run, engine) * samples
