"""A planted study as files: a folder that `hiple data generate planted` makes, its run, variants of it, and what they decided."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import time

import h5py
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(os.environ.get("HIPLE_BIN_DIR") or ROOT / "build" / "release" / "bin")


def hiple(*words, allowed=(0,)):
    """What the program says; ends with all of it where its exit status is none that is allowed."""
    result = subprocess.run([str(BIN / "hiple"), *map(str, words)], capture_output=True, text=True)
    if result.returncode not in allowed:
        raise RuntimeError(f"hiple {' '.join(map(str, words))}: exit status {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


class World:
    """One planted study in a folder of its own, and variants of it in which law or engines are others."""

    def __init__(self, folder, domains, rows=None, seed=2026, options=()):
        self.folder = pathlib.Path(folder)
        words = ["--domains", domains, "--seed", seed, *(["--rows", rows] if rows else []), *options]
        started = time.monotonic()
        hiple("data", "generate", "planted", *words, self.folder)
        self.generated = time.monotonic() - started
        self.law = (self.folder / "law.yaml").read_text()
        self.config = (self.folder / "run.yaml").read_text()
        self.engines = re.findall(r"^  - name: (\w+)$", self.config, re.MULTILINE)
        self.domains = [name for name in self.engines if "_" not in name]
        self.doubled = [name for name in self.domains if f"{name}_witness" in self.engines]
        self.directory = self.folder / "run"

    def run(self):
        started = time.monotonic()
        hiple("run", self.folder / "run.yaml")
        self.seconds = time.monotonic() - started
        return self

    def variant(self, name, law=None, config=None):
        """The same cases under another law, with the engines and judgments that are there, or with other engines. Returns its directory."""
        law_file, directory = self.folder / f"law-{name}.yaml", self.folder / f"run-{name}"
        law_file.write_text(self.law if law is None else law)
        text = (self.config if config is None else config).replace("law: law.yaml\n", f"law: {law_file.name}\n")
        run_file = self.folder / f"run-{name}.yaml"
        run_file.write_text(re.sub(r"^output: .*$", lambda _: f"output: {json.dumps(str(directory))}", text, flags=re.MULTILINE))
        if config is None:  # the judgments stay as they are; training one engine makes the directory a run
            hiple("train", run_file, "--engine", self.engines[0])
            for part in ("engines", "judgments"):
                shutil.rmtree(directory / part)
                shutil.copytree(self.directory / part, directory / part, copy_function=os.link)
        hiple("run", run_file)
        return directory

    # Laws and engines that are worse in one point.
    def law_without_links(self):
        return re.sub(r"^links:\n.*?(?=^route:)", "", self.law, flags=re.MULTILINE | re.DOTALL)

    def law_without_link(self, link):
        text = re.sub(rf"^  - id: {re.escape(link)}\n(?:    .*\n)+", "", self.law, flags=re.MULTILINE)
        assert text != self.law, f"no link {link}"
        return text

    def law_without_independence(self):
        text = re.sub(r"^independence: .*\n", "", self.law, flags=re.MULTILINE)
        assert text != self.law, "no engines are declared to be one voice"
        return text

    def config_of_random_cut(self, seed=1):
        """Every sensor goes to an engine by chance; each engine has as many as before, and the same name, target and network."""
        lists = re.findall(r"features: \[ambient, (\w+), (\w+)\]", self.config)
        sensors = [sensor for pair in sorted(set(lists)) for sensor in pair]
        dealt = dict(zip(sensors, np.random.default_rng(seed).permutation(sensors)))
        return re.sub(r"features: \[ambient, (\w+), (\w+)\]",
                      lambda found: f"features: [ambient, {dealt[found[1]]}, {dealt[found[2]]}]", self.config)

    def config_that_always_speaks(self):
        return self.config.replace("abstain_below: 0.01", "abstain_below: 0")


def gates(directory):
    return json.loads(hiple("gates", directory, "--json", allowed=(0, 4)))


def verdicts(report):
    return {gate["gate"]: gate["verdict"] for gate in report["gates"]}


class Cases:
    """Of the table what the figures need: part, kind, home and truth of every case, ascending by its number."""

    def __init__(self, world):
        with h5py.File(world.folder / "cases.h5") as file:
            text = lambda name: np.array(file[f"values/{name}"].asstr()[...])[file[f"columns/{name}"][...]]
            self.test = text("part") == "test"
            self.kind, self.home = text("kind"), file["columns/home"][...]
            self.truth = np.stack([file[f"columns/{name}"][...] for name in world.domains], axis=1)
            self.states = list(file[f"values/{world.domains[0]}"].asstr()[...])

    def at_home(self, values):
        """Of [cases, questions] the question of each case's home."""
        return values[np.arange(len(self.home)), self.home]


class Answers:
    """decisions.h5 as arrays [cases, questions], questions in the order of the domains."""

    def __init__(self, world, cases, directory):
        with h5py.File(directory / "decisions.h5") as file:
            questions = list(file["questions"].asstr()[...])
            order = [questions.index(name) for name in world.domains]
            names = list(file["names/status"].asstr()[...]), list(file["names/reason"].asstr()[...])
            status = file["status"][...][:, order]
            self.decided = status == names[0].index("decide")
            self.escalated = status == names[0].index("escalate")
            self.conflict = file["reason"][...][:, order] == names[1].index("conflict")
            self.finding = np.full(status.shape, -1, np.int16)
            finding = file["finding"][...][:, order]
            for column, name in enumerate(world.domains):
                for index, text in enumerate(file[f"findings/{name}"].asstr()[...]):
                    self.finding[finding[:, column] == index, column] = cases.states.index(text)
        self.right = self.decided & (self.finding == cases.truth)


def all_spoke(directory, engines):
    """Of each case whether all of these engines judged it."""
    spoke = True
    for engine in engines:
        with h5py.File(directory / "judgments" / f"{engine}.h5") as file:
            spoke = spoke & (file["status"][...] == 0)
    return spoke
