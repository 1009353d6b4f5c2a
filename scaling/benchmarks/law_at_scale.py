#!/usr/bin/python3
"""What `hiple integrate` takes on many cases: seconds and peak memory, as JSON on standard output.

Trains a small study, puts a larger table and larger judgments of the same engines in its place, made up but with the hashes that
they must have, and lets the law decide.

    scaling/benchmarks/law_at_scale.py --cases 10000000 --folder /scratch
"""

import argparse
import hashlib
import json
import os
import pathlib
import resource
import shutil
import subprocess
import tempfile
import time

import h5py
import numpy

PORTION = 1 << 18
CHUNK = 1 << 16
CLASSES = ["none", "p", "q", "r"]


def text(value):
    data = value.encode()
    return len(data).to_bytes(8, "little") + data


def number(value):
    return value.to_bytes(8, "little")


class Portions:
    """A file whose data sets grow, sealed as `hiple` does, and the hashes of what is appended."""

    def __init__(self, path, form, version):
        self.path = path
        self.file = h5py.File(path, "w", userblock_size=512)
        self.file.attrs.update({"format": form, "version": numpy.uint32(version), "software": "law_at_scale.py", "created": "now"})
        self.hashes = {}

    def append(self, name, values):
        if name not in self.file:
            shape = (CHUNK,) + values.shape[1:]
            self.file.create_dataset(name, (0,) + values.shape[1:], values.dtype, maxshape=(None,) + values.shape[1:], chunks=shape, fletcher32=True)
            self.hashes[name] = hashlib.sha256()
        data = self.file[name]
        data.resize(len(data) + len(values), 0)
        data[-len(values):] = values
        self.hashes[name].update(numpy.ascontiguousarray(values).tobytes())

    def finish(self):
        self.file.attrs["complete"] = numpy.uint8(1)
        self.file.close()
        digest, size = hashlib.sha256(), 0
        with open(self.path, "r+b") as file:
            file.seek(512)
            while block := file.read(1 << 20):
                digest.update(block)
                size += len(block)
            file.seek(0)
            file.write(f"hiple sha256 {size} {digest.hexdigest()}\n".encode().ljust(512, b"\0"))


def write_table(path, cases, columns, seed):
    """Real columns, a tenth of each missing, and a label. Its hashes."""
    table, random = Portions(path, "hiple table", 1), numpy.random.default_rng(seed)
    for first in range(0, cases, PORTION):
        count = min(PORTION, cases - first)
        table.append("case_id", numpy.arange(first + 1, first + count + 1, dtype="u8"))
        for i in range(columns):
            cells = (random.random(count, "f4") < 0.1).astype("u1")
            table.append(f"columns/c{i:02}", numpy.where(cells == 0, random.random(count, "f4").astype("f8"), 0))
            table.append(f"cells/c{i:02}", cells)
        table.append("columns/label", random.integers(0, 4, count, dtype="i4"))
        table.append("cells/label", numpy.zeros(count, "u1"))
    for i in range(columns):
        table.file[f"columns/c{i:02}"].attrs.update({"type": "real", "unit": ""})
    table.file["columns/label"].attrs.update({"type": "category", "unit": ""})
    table.file["values/label"] = CLASSES
    hashes = {name: digest.digest() for name, digest in table.hashes.items()}
    table.finish()
    return hashes


def slice_sha256(hashes, cases, columns):
    """As src/table/slice.hpp defines it."""
    def column(name):
        kind, values = ("category", CLASSES) if name == "label" else ("real", [])
        head = text(name) + text(kind) + text("") + number(len(values)) + b"".join(map(text, values))
        return hashlib.sha256(head + hashes["cells/" + name] + hashes["columns/" + name]).digest()

    whole = text("hiple slice 2") + number(len(columns)) + number(cases) + hashes["case_id"]
    return hashlib.sha256(whole + b"".join(map(column, columns))).hexdigest()


def write_judgments(path, engine, cases, config, data, seed):
    judgments, random = Portions(path, "hiple judgments", 2), numpy.random.default_rng(seed)
    texts = {"engine": engine, "domain": engine, "checkpoint_sha256": "", "data_sha256": data, "config_sha256": config}
    numbers = {"level": numpy.int32(0), "training_seconds": numpy.float64(1), "steps": numpy.uint64(1), "samples": numpy.uint64(1)}
    judgments.file.attrs.update(texts | numbers)
    judgments.file["classes"] = CLASSES
    for first in range(0, cases, PORTION):
        count = min(PORTION, cases - first)
        status = (random.random(count, "f4") < 0.03).astype("u1")
        judgments.append("case_id", numpy.arange(first + 1, first + count + 1, dtype="u8"))
        judgments.append("status", status)
        judgments.append("label", numpy.where(status == 0, random.integers(0, 4, count), 65535).astype("u2"))
        judgments.append("confidence", random.random(count, "f4"))
        judgments.append("typicality", random.random(count, "f4"))
    judgments.finish()


def write_study(folder, engines, columns, rules):
    names = [f"c{i:02}" for i in range(columns)]
    schema = "schema: 1\ncolumns:\n" + "".join(f"  - {{name: {name}, type: real}}\n" for name in names)
    schema += f"  - {{name: label, type: category, values: [{', '.join(CLASSES)}], role: label}}\n"
    (folder / "schema.yaml").write_text(schema)
    run = "hiple: 1\nname: scale\nseed: 1\nas_of: 2026-01-01\ndata: {table: cases.h5, schema: schema.yaml, split: {test: 0.1}}\nengines:\n"
    for engine in engines:
        run += f"  - {{name: {engine}, domain: {engine}, target: label, features: [{', '.join(names)}], probabilities: none, "
        run += "model: {type: mlp, hidden: [4]}, train: {epochs: 1, batch: 256, early_stop: 0}}\n"
    (folder / "run.yaml").write_text(run + f"law: law.yaml\noutput: {folder / 'out'}\n")
    law = "law: 1\nname: scale\nschema: schema.yaml\nquestions:\n"
    law += "".join(f"  - {{name: q{i}, findings: [none, yes, other], default: none}}\n" for i in range(4))
    law += f"panels: [{{name: root, members: [{', '.join(engines)}]}}]\nrules:\n"
    for i in range(rules):
        engine, other, name = engines[i % len(engines)], engines[(i // 7 + 1) % len(engines)], names[i % columns]
        when = f'{engine}.label == "{CLASSES[1 + i % 3]}" and {other}.confidence >= 0.{3 + i % 6} and ({name} > 0.{1 + i % 9} or {other}.label == "q")'
        law += f"  - {{id: R-{i:04}, when: '{when}', then: q{i % 4}.{'yes' if i % 3 else 'other'}}}\n"
    (folder / "law.yaml").write_text(law)
    return names


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--cases", type=int, default=1000000)
    parser.add_argument("--engines", type=int, default=6)
    parser.add_argument("--columns", type=int, default=8)
    parser.add_argument("--rules", type=int, default=200)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()), help="for files; they are removed")
    parser.add_argument("--bin", type=pathlib.Path, default=pathlib.Path(os.environ.get("HIPLE_BIN_DIR", "build/release/bin")))
    options = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="hiple-law-at-scale-", dir=options.folder))
    try:
        print(json.dumps(measure(folder, options), indent=1))
    finally:
        shutil.rmtree(folder)


def measure(folder, options):
    engines = [f"e{i:02}" for i in range(options.engines)]
    names = write_study(folder, engines, options.columns, options.rules)
    write_table(folder / "cases.h5", 2000, options.columns, 1)
    subprocess.run([options.bin / "hiple", "run", folder / "run.yaml"], check=True, capture_output=True)
    hashes = write_table(folder / "cases.h5", options.cases, options.columns, 2)
    data = slice_sha256(hashes, options.cases, [*names, "label"])
    for i, engine in enumerate(engines):
        path = folder / "out" / "judgments" / (engine + ".h5")
        with h5py.File(path) as file:
            config = file.attrs["config_sha256"]
        write_judgments(path, engine, options.cases, config, data, 10 + i)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    done = subprocess.run([options.bin / "hiple", "integrate", folder / "run.yaml", "--threads", str(options.threads)],
                          capture_output=True, text=True)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise SystemExit(done.stdout + done.stderr)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    status = json.loads((folder / "out" / "STATUS").read_text())
    return {"cases": status["cases"], "root": status["root"], "threads": options.threads, "wall_seconds": wall,
            "processor_seconds": processor, "cases_per_processor_second": options.cases / processor,
            "peak_memory_bytes": 1024 * after.ru_maxrss, "table_bytes": (folder / "cases.h5").stat().st_size,
            "judgments_bytes": sum(file.stat().st_size for file in (folder / "out" / "judgments").glob("*.h5")),
            "decisions_bytes": (folder / "out" / "decisions.h5").stat().st_size}


if __name__ == "__main__":
    main()
