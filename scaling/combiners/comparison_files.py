"""What a comparison leaves behind: the table as text, JSON and CSV, the answers case by case, and a line for each look at the test part."""

import datetime
import json

import h5py
import numpy as np
from table_text import matched_text, write_csv

EXPLAINED = """\
wrong: decided whole and not all right, of all; of decided: the same, of those decided whole. cross claimed: every true finding of a
cross-boundary case is decided; found: or escalated for its own sake, as only a law does. critical silent: decided with a finding that does
not cover it; or dropped: or left open with nobody called; in brackets the exact upper bound at 95 %. better, worse: cases right here alone,
and by the law alone, with McNemar's exact test"""


def network_line(network):
    ratio = network["spent"] / network["budget"] if network["budget"] else float("nan")
    text = (f"monolith: two hidden layers of {network['hidden']}, {network['epochs']} epochs; training took {network['spent']:.3g} "
            f"operations, the engines' together {network['budget']:.3g} (ratio {ratio:.2f})")
    programs = network["without"]
    return text + (f"; not counted, since they are programs: {', '.join(programs)}" if programs else "")


def cut_line(report):
    failed = [gate["gate"] for gate in report["gates"] if gate["verdict"] == "FAIL"]
    trusted = "trusted" if report["trusted"] else "not trusted"
    return f"law on a random cut of columns and cases, by hiple gates: {trusted}; " + (f"FAIL: {', '.join(failed)}" if failed else "no gate FAILs")


def write_answers(path, case_id, found):
    """Every rival's answers, case by case: findings as indices; `open` where it would rather not answer."""
    with h5py.File(path, "w") as file:
        file["case_id"] = case_id
        for name, each in found.items():
            file[f"{name}/finding"] = each.finding.astype(np.int32)
            file[f"{name}/confidence"] = each.confidence
            file[f"{name}/open"] = each.open


def log_look(folder, run, root):
    """Test parts are looked at rarely; here is when this one was."""
    now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")
    with open(folder / "looks.jsonl", "a", encoding="utf-8") as file:
        print(json.dumps({"time": now, "run": str(run), "root": root}), file=file)


def write_table(folder, preparation, rows, words, notes):
    """table.txt, table.json and table.csv."""
    questions = [question.name for question in preparation.questions]
    name, root = str(preparation.study.run["name"]), preparation.found.root
    title = f"{name}: {len(preparation.found.truth.case_id)} test cases; root of the law's decisions {root[:16]}"
    text = "\n\n".join([title, EXPLAINED, matched_text(rows, questions), *words, *notes])
    (folder / "table.txt").write_text(text + "\n", encoding="utf-8")
    record = {"format": "hiple comparison", "version": 1, "run": name, "root": root, "basis": preparation.found.basis,
              "questions": questions, "rows": rows, "words": words, "notes": notes, "network": preparation.network}
    (folder / "table.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    write_csv(folder / "table.csv", rows, questions)
