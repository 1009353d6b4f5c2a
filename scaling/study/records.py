"""The raw data of a study: one line of JSON a launch, in records*.jsonl of a results folder, and what a line says."""

import json
import pathlib

from intervals import median
from plan import BadInput

FORMAT = "hiple scaling launch"


class Launch:
    """One line: a configuration, its repetition, how it was launched, and the record of `hiple-scaling measure`; where the launch
    failed there is no record."""

    def __init__(self, line, file=""):
        self.line = line
        self.block = (file, line["block"]) if "block" in line else None  # launches that followed one another, of one session
        self.id = line["configuration"]["id"]
        self.configuration = line["configuration"]
        self.told = line["launch"]
        self.record = line["record"]

    @property
    def ok(self):
        return self.record is not None

    @property
    def ranks(self):
        return self.configuration["ranks"]

    @property
    def shares_cores(self):
        """More ranks than cores: good for counts and bytes, never for a time."""
        return self.told["shares_cores"] or (self.ok and self.record["oversubscribed"])

    @property
    def revision(self):
        return self.record["metadata"]["revision"] if self.ok else None

    def step_seconds(self):
        """The middle step of the slowest rank."""
        return median(self.record["step_seconds"])

    def exposed_seconds(self):
        """The middle of the time that the rank which waited longest spent in communication, step by step."""
        steps = zip(*(rank["exposed_seconds"] for rank in self.record["per_rank"]))
        return median([max(step) for step in steps])

    def rank_step_seconds(self, rank):
        return median(self.record["per_rank"][rank]["step_seconds"])

    def monitored_ratios(self):
        """What each rank handed to Open MPI's transport in a step, by its monitoring, over the gradient's bytes; nothing where it
        did not count."""
        if not self.record.get("wire_bytes"):
            return None
        whole = self.record["steps"] * self.record["gradient_bytes"]
        return [sent / whole for sent in self.record["wire_bytes"]]

    def sent_bytes(self):
        """Bytes that left each host's interface in the launch, start and end included; nothing without made-up hosts."""
        return [host["bytes"] for host in self.told["sent"]] if self.told.get("sent") else None

    def steps_sent(self):
        """Steps whose gradients crossed the links: warm-up and training. Both begin with weights from the first rank to all, two
        broadcasts that together are (N-1) gradients twice, as much as all ranks send in one more step."""
        warmup = self.record["warmup"]
        return self.record["steps"] + warmup + (1 if warmup else 0.5)


def append(path, line):
    """A line is written at once: a study that is killed keeps what it has measured."""
    with open(path, "a", encoding="utf-8") as file:
        file.write(json.dumps(line, separators=(",", ":")) + "\n")


def load(folder, files="records*.jsonl"):
    """All launches of a results folder. Refuses a damaged line, and results of two revisions or two programs in one folder."""
    launches, named = [], {}
    for path in sorted(pathlib.Path(folder).glob(files)):
        for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            place = f"{path}:{number}"
            try:
                line = json.loads(text)
            except json.JSONDecodeError as error:
                raise BadInput(f"{place}: the line is damaged: {error} (remove it; the launch can be repeated)") from error
            if line.get("format") != FORMAT or line.get("version") != 1:
                raise BadInput(f"{place}: no launch of a study: format {line.get('format')!r}, version {line.get('version')!r}")
            launches.append(Launch(line, path.name))
            named.setdefault(line["revision"], place)
            if launches[-1].ok and launches[-1].revision != line["revision"]:
                raise BadInput(f"{place}: the record is of revision {launches[-1].revision}, the launch of {line['revision']}")
    if not named:
        raise BadInput(f"{folder}: no launches in {files} (measure first: jobs/scaling.sh STUDY.yaml)")
    if len(named) > 1:
        places = ", ".join(f"{revision} in {place}" for revision, place in sorted(named.items()))
        raise BadInput(f"{folder}: results of {len(named)} revisions are not mixed: {places} (draw them from folders of their own)")
    return launches
