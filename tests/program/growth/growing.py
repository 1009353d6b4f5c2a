"""The tiny study of conftest.py with two engines, and its run.yaml and law with the third one, gamma."""

import hashlib
import json
import shutil

import h5py

from conftest import LAW, RULES, Study, hiple

LINK = "links:\n  - {id: K-1, from: alpha, to: gamma, when: 'alpha.label == \"true\"'}\n"


class Growing(Study):
    def __init__(self, root):
        super().__init__(root)
        self.law = LAW.replace(", gamma]", "]") + "".join(RULES[:4])
        (root / "law.yaml").write_text(self.law)
        self.write_run(engines=("alpha", "beta"), epochs=1)
        self.wanted = root / "grown.yaml"

    def grow(self, law=None, epochs=1):
        """grown.yaml and grown_law.yaml: gamma, its rule and a link to it."""
        text = self.file.read_text()
        self.write_run(epochs=1)
        others, mark, gamma = self.file.read_text().replace("law: law.yaml", "law: grown_law.yaml").partition("  - name: gamma")
        self.wanted.write_text(others + mark + gamma.replace("epochs: 1,", f"epochs: {epochs}, checkpoint_every: 1,"))
        self.file.write_text(text)
        (self.root / "grown_law.yaml").write_text(law or LAW + "".join(RULES) + LINK)
        return self

    def add(self, *options, status=0):
        done = hiple("add-engine", self.directory, "--run", self.wanted, *options)
        assert done.returncode == status, f"{done.returncode}\n{done.stdout}{done.stderr}"
        return done

    def retrain(self, engine, *options, status=0):
        done = hiple("add-engine", self.directory, "--retrain", engine, *options)
        assert done.returncode == status, f"{done.returncode}\n{done.stdout}{done.stderr}"
        return done


def trained(root, **settings):
    study = Growing(root)
    if settings:
        settings["change"](study)
    done = hiple("run", study.file)
    assert done.returncode == 0, done.stdout + done.stderr
    return study


def copy_of(study, root):
    """The same study in a folder of its own."""
    copy = type(study)(root)
    for path in study.root.iterdir():
        if path.suffix in (".csv", ".yaml"):
            (root / path.name).write_text(path.read_text().replace(str(study.root), str(root)))
    shutil.copytree(study.directory, copy.directory)
    held = copy.directory / "run.yaml"
    held.write_text(held.read_text().replace(str(study.root), str(root)))
    return copy


def write(study, name, *rows, header="case,about,value,unit,source,date,reliability\n"):
    path = study.root / name
    path.write_text(header + "".join(row + "\n" for row in rows))
    return path


def added(study, *files):
    """Evidence, which the study's run.yaml names."""
    done = hiple("evidence", "add", study.file, *files, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def files_of(directory, *engines):
    return {str(path): sha256(directory / path) for engine in engines
            for path in (f"engines/{engine}/checkpoint.h5", f"judgments/{engine}.h5")}


def root_of(directory):
    return json.loads((directory / "STATUS").read_text())["root"]


def answers(directory):
    """{(case, question): (status, reason, finding, firm)}."""
    with h5py.File(directory / "decisions.h5") as file:
        questions = list(file["questions"].asstr()[...])
        names = {q: list(file[f"findings/{q}"].asstr()[...]) for q in questions}
        status, reason, finding, flags = (file[name][...].tolist() for name in ("status", "reason", "finding", "flags"))
        return {(case, q): (status[row][i], reason[row][i], None if finding[row][i] == 65535 else names[q][finding[row][i]], flags[row][i] & 1)
                for row, case in enumerate(file["case_id"][...].tolist()) for i, q in enumerate(questions)}


def works(directory):
    """Every command that reads a run takes the directory for one: the same decisions from its files, and a reason for each."""
    replayed = hiple("replay", directory)
    assert replayed.returncode == 0 and replayed.stdout.endswith("identical\n"), replayed.stdout + replayed.stderr
    explained = hiple("explain", directory, "--case", 7)
    assert explained.returncode == 0, explained.stderr
    assert hiple("status", directory).returncode == 0

