"""The tiny study of conftest.py with evidence."""

import json
import shutil

import h5py
from conftest import Study, hiple

CASES = "case,about,value,unit,source,date,reliability\n"
RULES = "rule,cases,held,source,date,reliability\n"


def evident(study):
    study.replace("run.yaml", "law: law.yaml\n", "law: law.yaml\nevidence: evidence.h5\n")
    return study


def trained_study(root, *rules):
    """A study with these rules whose engines have trained, without evidence."""
    study = Study(root)
    study.write_run(epochs=1)
    study.write_law(rules)
    done = hiple("run", study.file)
    assert done.returncode == 0, done.stderr
    return study


def copy_of(trained, root):
    """A study that has trained, in a folder of its own, with evidence that is empty yet."""
    study = Study(root)
    for name in ("cases.csv", "schema.yaml", "law.yaml"):
        shutil.copy(trained.root / name, study.root / name)
    study.write_run(epochs=1)
    shutil.copytree(trained.directory, study.directory)
    held = study.directory / "run.yaml"
    held.write_text(held.read_text().replace(str(trained.root), str(study.root)))
    evident(study)
    added(study, write(study, "empty.csv"))
    return study


def write(study, name, *rows, header=CASES):
    path = study.root / name
    path.write_text(header + "".join(row + "\n" for row in rows))
    return path


def evidence(verb, study, *options, status=0):
    done = hiple("evidence", verb, study.file, *options)
    assert done.returncode == status, f"{done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout if status < 2 else done.stderr


def added(study, *files):
    return json.loads(evidence("add", study, *files, "--json"))


def listed(study, *options):
    return json.loads(evidence("list", study, *options, "--json"))


def integrate(study):
    done = hiple("integrate", study.file)
    assert done.returncode == 0, done.stdout + done.stderr
    return decided(study)


def decided(study):
    """{case: {question: (status, reason, finding)}}."""
    with h5py.File(study.directory / "decisions.h5") as file:
        text = lambda name: list(file[name].asstr()[...])
        names, questions = {n: text(f"names/{n}") for n in ("status", "reason")}, text("questions")
        findings = [text(f"findings/{q}") for q in questions]
        answers = {}
        for row, case in enumerate(file["case_id"][...]):
            answers[int(case)] = {q: (names["status"][file["status"][row, i]], names["reason"][file["reason"][row, i]],
                                      None if file["finding"][row, i] == 65535 else findings[i][file["finding"][row, i]])
                                  for i, q in enumerate(questions)}
        return answers


def of_x(answers, finding):
    return [case for case, answer in answers.items() if answer["x"] == ("decide", "none", finding)]
