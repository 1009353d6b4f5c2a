#!/usr/bin/python3
"""The milling study when the manufacturer of tools lowers a limit: tools for products of quality H, that held up to 13000 min.N.m,
fail from 12500 on (docs/evidence.md). Engines were trained and rules written before; inspections of worn tools come in as evidence.
The rule is found contradicted, the moved limit is proposed with what it shows on inspections that it was not made from, and is
accepted: no engine is touched. Prints a table; the figures go to FOLDER/tool_limit.json.

    scaling/study/tool_limit.py FOLDER [--rows N] [--seed N]
"""

import argparse
import csv
import hashlib
import json
import pathlib
import shutil
import sys
import time

import h5py

from planted_world import ROOT, hiple
from study_files import revision_in

OLD, NEW = 13000, 12500
WATCHED = 11000  # from here on a tool is inspected
RULES = f"""\
  - id: LOAD-WITHIN
    title: A tool for a product H holds so much by its maker's word
    when: 'type == "H" and tool_wear * torque in ({WATCHED} [min.N.m], {OLD} [min.N.m]]'
    then: overstrain_failure.none
    overrides: [STRAIN-1]
    precision: 0.95
    because: "worn for {{tool_wear}}, torque {{torque}}: within the maker's limit"
    tests:
      fires: [{{type: H, tool_wear: 200, torque: 60}}, {{type: H, tool_wear: 200, torque: 64}}]
      silent: [{{type: L, tool_wear: 200, torque: 60}}, {{type: H, tool_wear: 200, torque: 70}}, {{type: H, tool_wear: 100, torque: 40}}]
      unknown: [{{type: H, torque: 60}}]
  - id: LOAD-OVER
    title: A tool for a product H fails over its maker's limit
    when: 'type == "H" and tool_wear * torque > {OLD} [min.N.m]'
    then: overstrain_failure.failure
    precision: 0.9
    because: "worn for {{tool_wear}}, torque {{torque}}: over the maker's limit"
    tests:
      fires: [{{type: H, tool_wear: 200, torque: 70}}]
      silent: [{{type: H, tool_wear: 200, torque: 60}}, {{type: M, tool_wear: 200, torque: 70}}]
      unknown: [{{type: H, torque: 60}}]

laws:
"""


class Milling:
    """The study of configs/milling in a folder of its own, with the maker's limit in its law."""

    def __init__(self, folder, rows, seed):
        self.folder = folder
        self.config = folder / "configs" / "milling"
        shutil.copytree(ROOT / "configs" / "milling", self.config)
        self.run, self.table, self.directory = self.config / "run.yaml", folder / "runs" / "data" / "milling.csv", folder / "runs" / "milling"
        self.table.parent.mkdir(parents=True)
        hiple("data", "generate", "milling", "--rows", rows, "--seed", seed, "--output", self.table)
        self.replace("law.yaml", "laws:\n", RULES)
        self.replace("run.yaml", "law: law.yaml\n", "law: law.yaml\nevidence: evidence.h5\n")
        self.replace("run.yaml", "output: runs/milling", f"output: {self.directory}")
        # As many steps as for the ten thousand cycles of the published table.
        self.replace("run.yaml", "epochs: 300, batch: 128, lr: 2e-3, early_stop: 60", f"epochs: {max(2, 3000000 // rows)}, batch: 128, lr: 2e-3, early_stop: 0")
        empty = folder / "empty.csv"
        empty.write_text(HEADER)
        hiple("evidence", "add", self.run, empty)

    def replace(self, file, old, new):
        path = self.config / file
        text = path.read_text()
        if old not in text:
            raise RuntimeError(f"{path}: holds no {old!r}")
        path.write_text(text.replace(old, new))

    def engines(self):
        files = sorted([*self.directory.glob("engines/*/checkpoint.h5"), *self.directory.glob("judgments/*.h5")])
        return {str(path.relative_to(self.directory)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}

    def answers(self):
        """What is decided of overstrain: by case the finding, or None."""
        with h5py.File(self.directory / "decisions.h5") as file:
            at = list(file["questions"].asstr()[...]).index("overstrain_failure")
            names = list(file["findings/overstrain_failure"].asstr()[...])
            return {int(case): names[finding] if finding < len(names) else None
                    for case, finding in zip(file["case_id"][...], file["finding"][:, at])}


HEADER = "case,about,value,unit,source,date,reliability\n"


def inspections(table, folder):
    """What inspectors find in worn tools for products H since the change. Two of three are told as evidence; what they find in the
    others nobody is told, and revisions are measured by it."""
    told, kept = [HEADER], {}
    with open(table, newline="") as file:
        for row in csv.DictReader(file):
            load = float(row["tool_wear"]) * float(row["torque"])
            if row["type"] != "H" or load <= WATCHED:
                continue
            case, finding = int(row["case"]), "failure" if load > NEW else "none"
            if case % 3 == 0:
                kept[case] = finding
            else:
                told.append(f"{case},overstrain_failure,{finding},,tool inspection,2026-06-30,1\n")
    path = folder / "inspections.csv"
    path.write_text("".join(told))
    return path, len(told) - 1, kept


def measured(answers, kept):
    """Right, wrong and not decided, of what nobody was told."""
    result = {"right": 0, "wrong": 0, "undecided": 0}
    for case, finding in kept.items():
        result["undecided" if answers[case] is None else "right" if answers[case] == finding else "wrong"] += 1
    return result


def timed(work):
    started = time.monotonic()
    result = work()
    return result, round(time.monotonic() - started, 2)


def study(folder, rows=300000, seed=2020):
    folder.mkdir(parents=True, exist_ok=True)
    world = Milling(folder, rows, seed)
    _, run_seconds = timed(lambda: hiple("run", world.run))
    engines, before = world.engines(), world.answers()
    file, told, kept = inspections(world.table, folder)
    listing, list_seconds = timed(lambda: json.loads(hiple("revise", world.run, "--evidence", file, "--json", allowed=(1,))))
    rule = next(entry for entry in listing["contradicted"] if entry["id"] == "LOAD-WITHIN")
    possible = [proposal for proposal in rule["proposals"] if not proposal["refused"]]
    accepted, accept_seconds = timed(lambda: json.loads(hiple("revise", world.run, "--accept", possible[0]["id"], "--json")))
    hiple("replay", world.directory)
    since = json.loads(hiple("knowledge", "since", world.directory, "--json"))
    return {"format": "hiple tool limit", "version": 1, "revision": revision_in(hiple("--version")), "rows": rows, "seed": seed, "told": told, "kept_back": len(kept), "contradicted": [entry["id"] for entry in listing["contradicted"]],
            "rule": {key: rule[key] for key in ("id", "required", "evidence")}, "proposals": rule["proposals"], "accepted": accepted,
            "law": (world.directory / "revisions" / str(accepted["revision"]) / "law.yaml").read_text(),
            "engines_unchanged": world.engines() == engines, "engine_files": len(engines), "before": measured(before, kept),
            "after": measured(world.answers(), kept), "since": {"kept": since["kept"], **since["counts"]},
            "seconds": {"train_and_decide": run_seconds, "propose": list_seconds, "accept": accept_seconds}}


def table(result):
    rule, accepted = result["rule"], result["accepted"]
    evidence = rule["evidence"][0]
    best = next(each for each in result["proposals"] if each["id"] == accepted["proposal"])
    words = lambda part: f"{part['right']} right, {part['wrong']} wrong, {part['undecided']} not decided"
    rows = [("cycles", result["rows"]), ("inspections told, kept back", f"{result['told']}, {result['kept_back']}"),
            ("contradicted", ", ".join(result["contradicted"])),
            ("LOAD-WITHIN by evidence", f"{evidence['held']} of {evidence['cases']}, {evidence['lower']:.3f} to {evidence['upper']:.3f}; required {rule['required']}"),
            ("proposals, refused", f"{len(result['proposals'])}, {sum(bool(each['refused']) for each in result['proposals'])}"),
            ("accepted", best["summary"])]
    rows += [(f"{each['rule']} on evidence held out", f"{each['held']} of {each['cases']}, at least {each['lower']:.3f}; required {each['required']}")
             for each in best["shown"]]
    rows += [("kept back, before", words(result["before"])), ("kept back, after", words(result["after"])),
             ("cases derived again", f"{accepted['derived_again']} of {accepted['cases']}; {accepted['answers_changed']} answers changed"),
             ("engines' files unchanged", f"{result['engines_unchanged']}, {result['engine_files']} of them"),
             ("training and deciding, s", result["seconds"]["train_and_decide"]), ("proposing, s", result["seconds"]["propose"]),
             ("accepting and deciding again, s", result["seconds"]["accept"])]
    return "\n".join(["| | |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows)])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--rows", type=int, default=300000)
    parser.add_argument("--seed", type=int, default=2020)
    options = parser.parse_args()
    if options.folder.exists() and any(options.folder.iterdir()):
        sys.exit(f"{options.folder}: is not empty")
    try:
        result = study(options.folder, options.rows, options.seed)
    except RuntimeError as error:
        sys.exit(str(error))
    (options.folder / "tool_limit.json").write_text(json.dumps(result, indent=1) + "\n")
    print(table(result))


if __name__ == "__main__":
    main()
