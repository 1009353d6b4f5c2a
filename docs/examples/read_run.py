#!/usr/bin/env python3
"""A run's files as pandas tables, in a few lines each: HDF5 is read by h5py as it is, and needs nothing of HIPLE.

    read_run.py runs/milling [--figure curves.png]

prints what was decided, what each engine says, what a rule carried and, after a run under MPI, what the ranks did; --figure draws the
engines' training curves. Import it for the tables: decisions(), judgments(), training(), calls(), phases()."""

import argparse
import pathlib
import sys

import h5py
import numpy
import pandas

NO_FINDING, NO_RULE = 65535, 0xFFFFFFFF


def texts(data):
    return numpy.array([value.decode() for value in data[...]], dtype=object)


def columns(group):
    """A group of data sets of one length, as a table."""
    return pandas.DataFrame({name: texts(data) if data.dtype.kind == "S" else data[...] for name, data in group.items()})


def decisions(run):
    """A row a case and question: status, reason, finding, the first rule that carried it, a column a flag, rounds."""
    with h5py.File(run / "decisions.h5") as file:
        cases, questions = file["case_id"][...], texts(file["questions"])
        status, reason, flags = (texts(file["names/" + name]) for name in ("status", "reason", "flags"))
        rules = texts(file["law/rules/id"])
        tables = []
        for number, question in enumerate(questions):
            finding, rule = file["finding"][:, number], file["rule"][:, number]
            names = numpy.append(texts(file["findings/" + question]), None)
            table = pandas.DataFrame({
                "case": cases, "question": question, "status": status[file["status"][:, number]],
                "reason": reason[file["reason"][:, number]],
                "finding": names[numpy.where(finding == NO_FINDING, len(names) - 1, finding)],
                "rule": numpy.append(rules, None)[numpy.where(rule == NO_RULE, len(rules), rule)],
                "rounds": file["rounds"][...]})
            for bit, name in enumerate(flags):
                table[name] = (file["flags"][:, number] >> bit & 1).astype(bool)
            tables.append(table)
    return pandas.concat(tables, ignore_index=True)


def judgments(run, engine):
    """A row a case that the engine judged: label (or value), confidence, typicality, and the probability of each class. What it abstained
    from, or was not asked, is not among them."""
    with h5py.File(run / "judgments" / f"{engine}.h5") as file:
        judged = file["status"][...] == 0
        table = pandas.DataFrame({"case": file["case_id"][judged], "typicality": file["typicality"][judged]})
        if "value" in file:
            table["value"] = file["value"][judged]
            return table
        classes = texts(file["classes"])
        table["label"] = classes[file["label"][judged]]
        table["confidence"] = file["confidence"][judged]
        if "probability" in file:
            for number, name in enumerate(classes):
                table[f"p({name})"] = file["probability"][judged, number]
    return table


def engines(run):
    return sorted(path.stem for path in (run / "judgments").glob("*.h5"))


def training(run, engine):
    """A row each time that the engine wrote of its progress: time, epoch, step, losses. Of an engine that is a program, nothing."""
    path = run / "engines" / engine / "progress.jsonl"
    return pandas.read_json(path, lines=True) if path.exists() and path.stat().st_size > 0 else pandas.DataFrame()


def calls(run):
    """A row a rank, phase and MPI function: calls, bytes, seconds. Of a run under MPI."""
    with h5py.File(run / "ledger.h5") as file:
        return columns(file["calls"])


def phases(run):
    """A row a rank and phase: seconds, in MPI, waiting."""
    with h5py.File(run / "ledger.h5") as file:
        return columns(file["phases"])


def draw(run, path):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plot
    figure, axes = plot.subplots(figsize=(7, 4), layout="constrained")
    for engine in engines(run):
        curve = training(run, engine)
        if not curve.empty:
            axes.plot(curve["epoch"], curve["early_stop_loss"], marker=".", label=engine)
    axes.set(xlabel="epoch", ylabel="loss on the early-stop part", yscale="log", title=f"Engines of {run.name}")
    axes.legend(frameon=False)
    figure.savefig(path, dpi=150)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=pathlib.Path)
    parser.add_argument("--figure", type=pathlib.Path)
    options = parser.parse_args()
    if not (options.run / "decisions.h5").exists():
        sys.exit(f"{options.run} holds no decisions.h5: is it the directory of a finished run?")
    table = decisions(options.run)
    print(pandas.crosstab(table["question"], [table["status"], table["finding"].fillna(table["reason"])]).to_string(), "\n")
    print(table["rule"].dropna().value_counts().rename("decisions that a rule carried first").to_string(), "\n")
    for engine in engines(options.run):
        said = judgments(options.run, engine)
        what = said["value"].describe() if "value" in said else said.groupby("label")["confidence"].agg(["count", "mean"])
        print(f"{engine}\n{what.to_string()}\n")
    if (options.run / "ledger.h5").exists():
        print(phases(options.run).to_string(index=False))
    if options.figure:
        draw(options.run, options.figure)


if __name__ == "__main__":
    main()
