"""All twenty claims, judged from everything that a results folder holds, for the report and for `hiple-scaling claims`."""

import json
import os

import claims
import claims_machine
import claims_simulated
import claims_tests
import claims_trust
from catalogue import CLAIMS
from study_files import VERDICTS


def judge(files):
    """A Verdict for each claim, in their order."""
    found = [*claims.judge(files.points), claims_machine.claim_optimizer(files.ceilings), *claims_trust.judge(files), *claims_tests.judge(files.suites)]
    verdicts = {verdict.id: verdict for verdict in found}
    claims_simulated.add(verdicts, files.simulations)
    claims_tests.add_beside(verdicts, files.suites)
    return [verdicts[name] for name in CLAIMS]


def write(files, verdicts):
    """verdicts.json beside the data, with the hash of every file that it rests on, so that nobody reads it beside others."""
    record = {"format": "hiple verdicts", "version": 1, "revision": files.revision, "files": files.hashes(),
              "claims": [verdict.json() for verdict in verdicts]}
    path, temporary = files.folder / VERDICTS, files.folder / f".{VERDICTS}.{os.getpid()}"
    temporary.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    temporary.replace(path)
    return path
