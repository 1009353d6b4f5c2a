"""What a results folder holds, of all studies, as the claims read it. Files of two revisions, damaged ones and ones that lack what they
should have are refused, each by name."""

import hashlib
import json
import pathlib
import re

import records
from ceilings import Ceilings
from plan import BadInput
from points import make_points

VERDICTS, SIMULATION = "verdicts.json", "simulation.jsonl"
# What a file of each kind must say, so that nothing is read as zero or false that is not there.
NEEDED = {
    "hiple planted study": ("worlds", "revision"),
    "hiple tool limit": ("engines_unchanged", "engine_files", "seconds", "revision"),
    "hiple comparison": ("run", "rows", "revision"),
    "hiple shifts": ("run", "new_class", "revision"),
    "hiple test suite": ("tests", "revision"),
}


def revision_in(text):
    """The revision in what `hiple --version` prints."""
    found = re.search(r"^revision\s+(\S+)$", text, re.MULTILINE)
    if not found:
        raise RuntimeError(f"no revision in what the program says of itself: {text!r}")
    return found[1]


def evidence(folder):
    """Every file of data in the folder, but what was made of them."""
    return sorted(path for path in folder.rglob("*") if path.suffix in (".json", ".jsonl") and path.is_file() and path.name != VERDICTS)


class StudyFiles:
    """A results folder. Lists are empty where a study is not in it."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        if not self.folder.is_dir():
            raise BadInput(f"{self.folder}: no folder of results (measure first: jobs/scaling.sh STUDY.yaml)")
        self.named = {}  # revision: the first file of it
        self.kinds = {kind: [] for kind in NEEDED}
        self.launches = records.load(self.folder) if any(self.folder.glob("records*.jsonl")) else []
        if self.launches:
            self.note(self.launches[0].line["revision"], "records*.jsonl")
        self.ceilings = Ceilings(self.folder)
        for name, record in self.ceilings.records.items():
            self.note(record["metadata"]["revision"], f"micro/{name}.json")
        for path in self.folder.rglob("*.json"):
            self.read(path)
        self.simulations = [line for path in sorted(self.folder.rglob(SIMULATION)) for line in self.simulated(path)]
        if not self.named:
            raise BadInput(f"{self.folder}: no results in it (measure first: jobs/scaling.sh STUDY.yaml)")
        if len(self.named) > 1:
            found = ", ".join(f"{revision} in {place}" for revision, place in sorted(self.named.items()))
            raise BadInput(f"{self.folder}: results of {len(self.named)} revisions are not mixed: {found} (keep them in folders of their own)")
        self.points = make_points(self.launches)
        self.worlds = [world for record in self.kinds["hiple planted study"] for world in record["worlds"]]
        self.tool_limits, self.tables, self.shifts, self.suites = (
            self.kinds[kind] for kind in ("hiple tool limit", "hiple comparison", "hiple shifts", "hiple test suite"))

    def note(self, revision, place):
        self.named.setdefault(revision, place)

    def read(self, path):
        try:
            record = json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise BadInput(f"{path}: is damaged: {error} (remove it, or make it again)") from error
        kind = record.get("format") if isinstance(record, dict) else None
        if kind not in NEEDED:
            return
        missing = [name for name in NEEDED[kind] if name not in record]
        if record.get("version") != 1 or missing:
            raise BadInput(f"{path}: {kind} of version {record.get('version')}, without {', '.join(missing) or 'the version that is known: 1'} "
                           "(make it again with this program)")
        self.kinds[kind].append(record)
        self.note(record["revision"], str(path.relative_to(self.folder)))

    def simulated(self, path):
        """The lines of simulation.py."""
        lines = []
        for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            try:
                line = json.loads(text)
            except ValueError as error:
                raise BadInput(f"{path}:{number}: the line is damaged: {error} (remove it; it is simulated again)") from error
            if line.get("format") != "hiple simulation" or line.get("version") != 1:
                raise BadInput(f"{path}:{number}: no simulation: format {line.get('format')!r}, version {line.get('version')!r}")
            self.note(line["revision"], f"{path.relative_to(self.folder)}:{number}")
            lines.append(line)
        return lines

    @property
    def revision(self):
        return next(iter(self.named))

    def hashes(self):
        """{file: sha256}: what the verdicts rest on."""
        return {str(path.relative_to(self.folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in evidence(self.folder)}
