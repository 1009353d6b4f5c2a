#!/usr/bin/env python3
"""An engine of type command: a random forest of scikit-learn, calibrated and with a typicality, in HIPLE's files.

    - name: forest
      type: command
      command: [python3, random_forest.py, "{config}"]
"""

import json
import sys

import h5py
import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import NearestNeighbors

KNOWN = 0  # the code of a cell that holds a value


def read_inputs(table, features):
    """One column for each number; a number and "is missing" where cells are; one column a value of a category."""
    columns = []
    for feature in features:
        values = table["columns/" + feature["name"]][...].astype(float)
        known = table["cells/" + feature["name"]][...] == KNOWN
        if feature["type"] == "category":
            columns += [(known & (values == code)).astype(float) for code in range(len(feature["values"]))]
        else:
            columns += [np.where(known, values, np.nan), (~known).astype(float)]
    return np.column_stack(columns)


def main(config_file):
    config = json.load(open(config_file, encoding="utf-8"))
    if not config["target"]["classes"]:
        sys.exit("a forest of classes cannot learn a number")
    with h5py.File(config["paths"]["table"]) as table:
        case_id = table["case_id"][...]
        inputs = read_inputs(table, config["features"])
        answer = table["columns/" + config["target"]["name"]][...].astype(int)
    training, held_out, calibration = (np.isin(case_id, config["parts"][part]) for part in ("training", "early_stop", "calibration"))
    training |= held_out  # a forest stops by itself

    # Missing numbers become the median of the training rows, and everything one scale for the distances below.
    inputs = np.where(np.isnan(inputs), np.nanmedian(inputs[training], axis=0), inputs)
    scale = inputs[training].std(axis=0)
    scaled = inputs / np.where(scale > 0, scale, 1)

    forest = RandomForestClassifier(300, min_samples_leaf=3, class_weight="balanced", random_state=config["seed"] % 2**32)
    forest.fit(inputs[training], answer[training])
    with open(config["paths"]["progress"], "w", encoding="utf-8") as progress:
        print(len(forest.estimators_), "trees", file=progress)

    # Confidence is a promise: probabilities are fitted to what came true on rows that the forest has not seen.
    log_odds = np.log(np.clip(forest.predict_proba(inputs), 1e-3, None))
    calibrated = LogisticRegression(max_iter=1000).fit(log_odds[calibration], answer[calibration])
    probability = calibrated.predict_proba(log_odds)
    classes = [config["target"]["classes"][code] for code in calibrated.classes_]

    # Typicality: the share of calibration rows that lie at least as far from the training rows as this one (a conformal p-value).
    neighbours = NearestNeighbors(n_neighbors=5).fit(scaled[training])
    distance = neighbours.kneighbors(scaled)[0].mean(axis=1)
    usual = np.sort(distance[calibration])
    typicality = (1 + len(usual) - np.searchsorted(usual, distance)) / (1 + len(usual))
    status = np.where(typicality < config["abstain_below"], 1, 0)  # 1: abstained

    with h5py.File(config["paths"]["judgments"], "w") as file:
        file.attrs["format"] = "hiple judgments"
        file.attrs["version"] = 1
        file["case_id"] = case_id
        file["classes"] = classes
        file["probability"] = probability
        file["typicality"] = typicality
        file["status"] = status
        file.attrs["complete"] = 1


if __name__ == "__main__":
    main(sys.argv[1])
