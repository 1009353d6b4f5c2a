"""A tiny study whose rule about x was right once: it says high from a > 0 on, and evidence says that it is high from 0.5 on."""

import csv
import hashlib
import json
import shutil

from conftest import Study, hiple
from evident import added, evident, write

RULE = """\
  - id: X-1
    title: a is high
    when: 'a > 0'   # as the first maker said
    then: x.high
    precision: 0.8
    tests:
      fires: [{a: 0.2}, {a: 2}]
      silent: [{a: -1}]
"""
OTHER = """  - {id: Y-1, title: b is high, when: 'beta.label == "high"', then: y.high}\n"""
LIMIT = 0.5


def trained(root, *rules, rows=600):
    """It has decided, without any evidence yet."""
    root.mkdir(exist_ok=True)
    study = Study(root)
    study.write_table(rows)
    study.write_run(epochs=1)
    study.write_law(rules or (RULE, OTHER))
    evident(study)
    added(study, write(study, "empty.csv"))
    done = hiple("run", study.file)
    assert done.returncode == 0, done.stderr
    return study


def copy_of(study, root):
    shutil.copytree(study.root, root, symlinks=True, dirs_exist_ok=True)
    copy = object.__new__(Study)
    copy.root, copy.file, copy.directory = root, root / "run.yaml", root / "out"
    for file in (copy.file, copy.directory / "run.yaml"):
        file.write_text(file.read_text().replace(str(study.root), str(root)))
    return copy


def inspections(study, name="inspections.csv", limit=LIMIT, every=1, value=None, date="2026-03-01", never_every=0):
    """What inspectors say of every case with a over 0; of each `never_every`-th that it is not high, whatever a is."""
    rows = []
    with open(study.root / "cases.csv", newline="") as file:
        for row in csv.DictReader(file):
            if row["a"] == "?" or float(row["a"]) <= 0 or int(row["record"]) % every != 0:
                continue
            never = never_every and int(row["record"]) % never_every == 0
            finding = value or ("high" if float(row["a"]) > limit and not never else "none")
            rows.append(f"{row['record']},x,{finding},,inspection,{date},1")
    return write(study, name, *rows)


def revise(study, *options, status):
    done = hiple("revise", study.directory, *options)
    assert done.returncode == status, f"{done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout if status < 2 else done.stderr


def contradicted(study, *options):
    return json.loads(revise(study, "--json", *options, status=1))["contradicted"]


def proposals(study, *options):
    return contradicted(study, *options)[0]["proposals"]


def of_kind(found, kind):
    return next(proposal for proposal in found if proposal["kind"] == kind)


def accepted(study, proposal):
    return json.loads(revise(study, "--json", "--accept", proposal["id"], status=0))


def engine_files(study):
    files = [*study.directory.glob("engines/*/checkpoint.h5"), *study.directory.glob("judgments/*.h5")]
    return {str(path.relative_to(study.directory)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def root_of(study):
    return json.loads((study.directory / "STATUS").read_text())["root"]


def replayed(study):
    """Deciding again from the files gives the same; its root."""
    done = hiple("replay", study.directory, "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)["root"]
