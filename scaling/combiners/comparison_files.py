"""What a comparison leaves behind: the table as text, JSON and CSV, the answers case by case, and a line for each look at the test part."""

import datetime
import json

import h5py
import numpy as np
from derived_runs import revision
from gates_beside import cut_sentence, gates_text
from matched_table import CUT, sentences
from table_text import matched_text, write_csv

EXPLAINED = """\
wrong: decided whole and not all right, of all; of decided: the same, of those decided whole. cross claimed: every true finding of a
cross-boundary case is decided; found: or escalated for its own sake, as only a law does. critical silent: decided with a finding that does
not cover it; or dropped: or left open with nobody called; in brackets the exact upper bound at 95 %. better, worse: cases right here alone,
and by the law alone, with McNemar's exact test (a sign test of clusters, where cases have such). At a coverage cases are accepted whole: what
is decided of a case that stays open in another question is withheld too, so that the law's "or dropped" is more there than by itself"""


def network_line(name, plan):
    ratio = plan["spent"] / plan["budget"] if plan["budget"] else float("nan")
    text = (f"{name}: two hidden layers of {plan['hidden']}, {plan['epochs']} epochs; training took {plan['spent']:.3g} "
            f"operations, the engines' together {plan['budget']:.3g} (ratio {ratio:.2f})")
    programs = plan["without"]
    return text + (f"; not counted, since they are programs: {', '.join(programs)}" if programs else "")


def network_lines(plans):
    return [network_line(name, plan) for name, plan in plans.items()]


def unseen_line(count, truth):
    if count == 0:
        return "every test case has a combination of findings that some training case has, so that the monolith could be right everywhere"
    return (f"{count} of {int(truth.known.sum())} test cases have a combination of findings that no training case has: the monolith cannot "
            "be right there; a network a question can")


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


def write_files(folder, name, text, rows, questions, record):
    """table.txt, table.json and table.csv."""
    (folder / "table.txt").write_text("\n\n".join(text) + "\n", encoding="utf-8")
    record = {"format": "hiple comparison", "version": 1, "revision": revision(), "run": name, "questions": questions, "rows": rows, **record}
    (folder / "table.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    write_csv(folder / "table.csv", rows, questions)


def write_table(folder, preparation, rows, notes, cut_report):
    """`cut_report`: of the random cut, by `hiple gates`. Returns what it says, in a sentence."""
    questions, words = [question.name for question in preparation.questions], sentences(rows)
    name, root = str(preparation.study.run["name"]), preparation.found.root
    against = next(row["against"] for row in rows if row["way"] == CUT and row["at"] == "own")
    control, gates = cut_sentence(cut_report, against), gates_text(preparation.report, cut_report)
    title = f"{name}: {len(preparation.found.truth.case_id)} test cases; root of the law's decisions {root[:16]}"
    text = [title, EXPLAINED, matched_text(rows, questions), *words, gates, control, *notes]
    record = {"root": root, "basis": preparation.found.basis, "words": words, "notes": notes, "networks": preparation.plans,
              "cost_curve": [point for point in preparation.report["cost_curve"] if point["name"] != "chance"],
              "random_cut": {"says": control, "gates": cut_report["gates"]}}
    write_files(folder, name, text, rows, questions, record)
    return control


def write_pooled_table(folder, name, questions, truth, rows, notes):
    """Of several test parts together."""
    words = sentences(rows)
    title = f"{name}: {len(truth.case_id)} cases of all test parts, {len(np.unique(truth.cluster))} of them independent"
    write_files(folder, name, [title, EXPLAINED, matched_text(rows, questions), *words, *notes], rows, questions,
                {"words": words, "notes": notes})
