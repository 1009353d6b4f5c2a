"""One network on all columns, trained anew on all records so far: that of scaling/combiners (docs/combiners.md), an engine of hiple's own
whose classes are the combinations of findings that its training records have."""

import pathlib
import sys

import h5py

from planted_world import hiple

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "combiners"))
import plain_yaml  # noqa: E402  (its folder is known from here on)
import rival_network  # noqa: E402
from monolith import ENGINE, SEPARATOR  # noqa: E402

PART, ALL = "over_time_part", "over_time_all"
# What `hiple train` asks of a law: it reads no answer of this network.
LAW = {"law": plain_yaml.Plain("1"), "name": "nothing", "schema": "schema.yaml",
       "questions": [{"name": "anything", "findings": ["none", "something"], "default": "none"}],
       "rules": [{"id": "NEVER", "when": "false", "then": "anything.something"}]}


class Monolith:
    """As large as all engines of the run together, and trained as long, by the reckoning of docs/combiners.md for the first years;
    later it is as large and sees its records as often, which are more."""

    def __init__(self, directory, records, folder):
        self.run, self.records, self.folder = plain_yaml.read(directory / "run.yaml"), records, folder
        own = [engine for engine in self.run["engines"] if "model" in engine]
        like = rival_network.like_whom(directory, own)
        self.share = 1 - sum(float(self.run["data"]["split"][part]) for part in ("early_stop", "calibration"))
        columns = rival_network.readable(records.table.inputs(), self.run["data"]["split"])
        self.plan = rival_network.network(directory, [str(each["name"]) for each in own], like, columns,
                                          len(self.classes(records.first)), self.share * len(records.first))
        self.entry = rival_network.entry(self.plan, like, ENGINE, ALL)
        self.row_of = {case: row for row, case in enumerate(records.ids)}

    def label(self, case):
        return SEPARATOR.join(gold for gold, _ in self.records.truth[case])

    def classes(self, cases):
        return sorted({self.label(case) for case in cases})

    def prepare(self, name, learned, asked):
        """Its files: a table of the records that it learns from and of those that it is asked about, whose labels are not in it."""
        folder, table = self.folder / name, self.records.table.take([self.row_of[case] for case in [*learned, *asked]])
        labels = [*map(self.label, learned), *[""] * len(asked)]
        parts = ["train"] * len(learned) + ["test"] * len(asked)
        table = table.with_column(ALL, labels, type="category", values=self.classes(learned), role="label")
        table.with_column(PART, parts, type="category", values=["train", "test"], role="label").write(folder)
        plain_yaml.write(folder / "law.yaml", LAW)
        split = {key: self.run["data"]["split"][key] for key in ("early_stop", "calibration")}
        data = {"table": "cases.csv", "schema": "schema.yaml", "split": {"column": PART, "train": ["train"], "test": ["test"], **split}}
        kept = {key: self.run[key] for key in ("hiple", "seed", "as_of")}
        plain_yaml.write(folder / "run.yaml", {**kept, "name": "monolith", "data": data, "engines": [self.entry], "law": "law.yaml",
                                               "output": str(folder / "run")})
        return folder

    def train(self, folder):
        hiple("train", folder / "run.yaml", "--engine", ENGINE)

    def answers(self, folder):
        """({case: findings}, {case: how sure it is}) of every record in its table; nothing where it says nothing, as of a record of which
        an input cannot be (an age of 455)."""
        with h5py.File(folder / "run" / "judgments" / f"{ENGINE}.h5") as file:
            classes = [tuple(text.split(SEPARATOR)) for text in file["classes"].asstr()[...]]
            judged, label, sure = file["status"][...] == 0, file["label"][...], file["confidence"][...]
            ids = file["case_id"][...].tolist()
        nothing = (None,) * len(self.records.questions)
        return ({case: classes[each] if known else nothing for case, known, each in zip(ids, judged, label)},
                {case: float(each) if known else -1.0 for case, known, each in zip(ids, judged, sure)})
