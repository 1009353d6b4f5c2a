"""A study whose split names values of a column: each value is the test part in turn, and all together are compared, each case as judged by
what never saw its part."""

import numpy as np
import plain_yaml
from comparison_files import write_pooled_table
from derived_runs import DONE, PARTIAL, BadInput, Study, hiple
from matched_table import matched_rows
from truth import joined_answers, joined_truth, read_gate_cases


def parts_of(study):
    """The values of the split's column."""
    split = study.run["data"]["split"]
    if "column" not in split:
        raise BadInput(f"{study.directory}: the split names no column, whose values could be test parts in turn: leave --every-part out")
    return [*split["train"], *split["test"]]


def run_with(study, folder, value, values):
    """The study with this value for its test part, and all others for its training part."""
    directory = folder / "run"
    folder.mkdir(parents=True, exist_ok=True)
    split = {**study.run["data"]["split"], "train": [each for each in values if each != value], "test": [value]}
    plain_yaml.write(folder / "run.yaml", {**study.run, "data": {**study.run["data"], "split": split}, "output": str(directory)})
    hiple("run", folder / "run.yaml", accepted=(DONE, PARTIAL))
    return Study(directory)


def pooled(found):
    """(truth, ways) of several (truth, ways), whose cases are others, in ascending order of case ids."""
    order = np.argsort(np.concatenate([truth.case_id for truth, _ in found]), kind="stable")
    ways = {name: tuple(joined_answers([each[name][form] for _, each in found], order) for form in (0, 1)) for name in found[0][1]}
    return joined_truth([truth for truth, _ in found], order), ways


def compare_parts(study, folder, compare, say):
    """`compare(study, folder)` does one. Writes the tables of all together; returns (truth, ways)."""
    values, found, notes = parts_of(study), [], []
    for value in values:
        say(f"test part {value}")
        part = run_with(study, folder / f"part_{value}", value, values)
        truth, ways, control = compare(part, part.directory / "comparison")
        found.append((truth, ways))
        notes.append(f"{value}: {control}")
    truth, ways = pooled(found)
    questions = [question.name for question in read_gate_cases(folder / f"part_{values[0]}" / "run" / "comparison" / "test_cases.h5").questions]
    write_pooled_table(folder, str(study.run["name"]), questions, truth, matched_rows(ways, truth), notes)
    return truth, ways
