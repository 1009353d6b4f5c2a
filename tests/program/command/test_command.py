"""Engines of type command, as a user runs them: a program in Python beside two engines of ours."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import time

import h5py
import numpy as np
import pytest
from conftest import BIN, PATIENCE, environment, hiple, mpirun, status

SOURCE = pathlib.Path(os.environ["HIPLE_SOURCE_DIR"])
ENTRY = """\
  - name: gamma
    domain: gamma
    type: command
    target: z
    features: [a, b, kind]
    cases: 'b > -3 [mm]'
    command: [%s]
"""

# A program of numpy alone: logistic regression on a and b, by Newton's method.
REGRESSION = """\
import json, sys, h5py, numpy as np
config = json.load(open(sys.argv[1]))
with h5py.File(config["paths"]["table"]) as table:
    case_id = table["case_id"][...]
    columns = [np.where(table["cells/" + n][...] == 0, table["columns/" + n][...], 0) for n in ("a", "b")]
    answer, known = table["columns/z"][...].astype(float), table["cells/z"][...] == 0
    part = table["values/hiple_part"].asstr()[...][table["columns/hiple_part"][...]]
assert set(known[part == "test"]) == {False} and set(known[part == "training"]) == {True}
inputs = np.column_stack([np.ones(len(case_id)), *columns])
rows, weights = np.isin(case_id, config["parts"]["training"]), np.zeros(3)
assert (rows == (part == "training")).all()
for step in range(20):
    p = 1 / (1 + np.exp(-inputs[rows] @ weights))
    hessian = (inputs[rows] * (p * (1 - p))[:, None]).T @ inputs[rows] + 0.1 * np.eye(3)
    weights += np.linalg.solve(hessian, inputs[rows].T @ (answer[rows] - p) - 0.1 * weights)
    print(step + 1, "of 20", file=open(config["paths"]["progress"], "w"))
p = 1 / (1 + np.exp(-inputs @ weights))
with h5py.File(config["paths"]["judgments"], "w") as file:
    file.attrs.update({"format": "hiple judgments", "version": 1})
    file["case_id"], file["classes"] = case_id, ["true", "false"]
    file["probability"], file["typicality"] = np.column_stack([p, 1 - p]), np.ones(len(p))
    exec(open("spoil.py").read())
    file.attrs["complete"] = 1
"""


def use(study, script, words='python3, engine.py, "{config}"', more="", spoil=""):
    """gamma becomes a command."""
    study.write_run(engines=("alpha", "beta"))
    study.replace("run.yaml", "law: law.yaml", ENTRY % words + more + "law: law.yaml")
    (study.root / "engine.py").write_text(script)
    (study.root / "spoil.py").write_text(spoil)


def run(study, *words):
    return hiple("run", study.file, *words, PATH="/usr/bin:/bin")


def failure(study):
    return json.loads((study.directory / "engines" / "gamma" / "FAILED").read_text())


def test_a_program_is_an_engine(study):
    use(study, REGRESSION, more="    environment: {EXTRA: word}\n")
    result = run(study)
    assert result.returncode == 0, result.stdout + result.stderr
    with h5py.File(study.directory / "judgments" / "gamma.h5") as file:
        assert list(file["classes"].asstr()) == ["false", "true"], "in the schema's order"
        probability, label = file["probability"][...], file["label"][...]
        assert len(label) == 240 and (label == probability.argmax(axis=1)).all()
        assert np.allclose(file["confidence"][...], probability.max(axis=1))
        assert file.attrs["engine"] == "gamma" and file.attrs["steps"] == 20
    assert (study.directory / "judgments" / "gamma.h5").read_bytes().startswith(b"hiple sha256 ")
    record = json.loads((study.directory / "engines" / "gamma" / "result.json").read_text())
    assert record["held_out"]["accuracy"] > 0.8 and record["isolation"]["internet"].startswith("refused")
    assert record["command"]["files"][0]["path"] == str(study.root / "engine.py")
    assert record["command"]["program"] == "/usr/bin/python3" and len(record["command"]["output_sha256"]) == 64
    assert status(study.directory)["state"] == "complete"
    assert hiple("replay", study.directory).returncode == 0
    assert "gamma" in hiple("explain", study.directory, "--case", 7).stdout
    refused = hiple("judge", study.file, "--engine", "gamma", "--cases", study.root / "cases.csv", "--out", study.root / "o.h5")
    assert refused.returncode == 2 and "is a command" in refused.stderr
    # Kept as it is; another script is another engine.
    again = run(study)
    assert again.returncode == 0 and "engine gamma: finished before, kept" in again.stderr
    (study.root / "engine.py").write_text(REGRESSION.replace("range(20)", "range(2)"))
    changed = run(study)
    assert changed.returncode == 2 and "gamma was begun with other data or another configuration" in changed.stderr
    assert run(study, "--fresh").returncode == 0


def test_under_mpirun_the_decisions_are_the_same(study):
    use(study, REGRESSION, words='/usr/bin/python3, engine.py, "{config}"')
    result = mpirun(3, "run", study.file)
    assert result.returncode == 0, result.stdout + result.stderr
    assert hiple("run", study.file, "--output", study.root / "alone").returncode == 0
    assert status(study.directory)["root"] == status(study.root / "alone")["root"]
    assert "synchronisation-free" in (study.directory / "certificate.json").read_text()
    refused = mpirun(3, "run", study.file, "--no-commands")
    assert refused.returncode == 2 and "starts a program" in refused.stderr


def test_commands_are_shown_and_can_be_refused(study):
    use(study, REGRESSION)
    shown = hiple("check", study.file)
    assert shown.returncode == 0 and "gamma starts" in shown.stdout and "engine.py" in shown.stdout
    for command in ("check", "run", "integrate"):
        refused = hiple(command, study.file, "--no-commands")
        assert refused.returncode == 2 and "run.yaml:" in refused.stderr and "starts a program" in refused.stderr, refused.stderr
    assert not study.directory.exists()


SPOILS = {
    "file.attrs['format'] = 'x'": "\"hiple judgments\" is expected",
    "file.attrs['version'] = 2": "version 2",
    "file.attrs['format'] = 'hiple judgments'; del file['typicality']": "typicality",
    "ids = case_id.copy(); ids[5] = 999; del file['case_id']; file['case_id'] = ids": "row 5 (case 6): the case id is 999",
    "del file['case_id']; file['case_id'] = case_id[:-1]": "case_id: 239 values",
    "del file['classes']; file['classes'] = ['true', 'flase']": 'did you mean "false"',
    "file['probability'][3] = [0.5, 0.6]": "row 3 (case 4): the probabilities sum to",
    "file['probability'][3] = [1.5, -0.5]": "row 3 (case 4): probability",
    "file['probability'][3] = np.nan": "row 3 (case 4): probability",
    "file['label'] = np.full(240, 7)": "row 0 (case 1): label 7",
    "file['label'] = np.argmin(file['probability'], axis=1)": "the likeliest class is",
    "file['status'] = np.full(240, 9)": "row 0 (case 1): status 9",
    "file['typicality'][9] = 2.0": "row 9 (case 10): typicality 2",
    "file['confidence'] = np.full(240, 0.123)": "confidence 0.123",
    "sys.exit(0)": "is not complete",
    "sys.exit(2)": "exit status 2",
}


@pytest.mark.parametrize("spoil", SPOILS)
def test_what_is_wrong_with_the_judgments_is_named(study, spoil):
    use(study, REGRESSION, spoil=spoil)
    train = hiple("train", study.file, "--engine", "gamma", PATH="/usr/bin:/bin")
    assert train.returncode in (1, 2), train.stderr
    assert SPOILS[spoil] in failure(study)["reason"], failure(study)
    assert "attempts)" not in failure(study)["reason"], "tried again in vain"
    assert not (study.directory / "judgments" / "gamma.h5").exists()


def test_a_row_that_is_not_judged_may_hold_anything(study):
    use(study, REGRESSION, spoil="file['probability'][3] = np.nan; s = np.zeros(240); s[3] = 1; file['status'] = s.astype(int)")
    assert hiple("train", study.file, "--engine", "gamma", PATH="/usr/bin:/bin").returncode == 0
    with h5py.File(study.directory / "judgments" / "gamma.h5") as file:
        assert file["status"][3] == 1 and file["label"][3] == 65535


def test_a_program_that_fails_is_started_again_and_fails_alone(study):
    use(study, "import sys\nprint('no luck today')\nsys.exit(7)\n")
    study.replace("run.yaml", "law: law.yaml", "restarts: 1\nlaw: law.yaml")
    result = run(study)
    assert result.returncode == 3, result.stderr
    assert "exit status 7" in failure(study)["reason"] and "(2 attempts)" in failure(study)["reason"]
    assert "no luck today" in failure(study)["last_lines"]
    assert [missing["engine"] for missing in status(study.directory)["missing"]] == ["gamma"]
    # It can be gone on from once the program works, which here means: with another script.
    (study.root / "engine.py").write_text(REGRESSION)
    assert run(study, "--fresh").returncode == 0


def test_no_socket_to_the_internet(study):
    use(study, "import socket\nsocket.socket()\n")
    study.replace("run.yaml", "law: law.yaml", "restarts: 0\nlaw: law.yaml")
    assert hiple("train", study.file, "--engine", "gamma", PATH="/usr/bin:/bin").returncode == 1
    assert any("Permission" in line for line in failure(study)["last_lines"])


@pytest.mark.parametrize("change, expected", [
    (("command: [", "command: [nosuchprogram, "), "no program of that name"),
    (('"{config}"', '"{confg}"'), 'did you mean "config"'),
    (('"{config}"', '"x"'), "does not say where the judgments belong"),
    (("    target: z\n", "    target: z\n    model: {type: mlp}\n"), "the program alone decides"),
    (("law: law.yaml", "isolation: rank\nlaw: law.yaml"), "a rank cannot start programs"),
    (("quorum: all}", "quorum: all, judging: on_demand}"), "a program judges the whole table at once"),
    (('command: [python3, engine.py, "{config}"]', 'command: "python3 engine.py {config}"'), "must be a list of words"),
])
def test_bad_input(study, change, expected):
    use(study, REGRESSION)
    study.replace("run.yaml", *change)
    result = hiple("check", study.file, PATH="/usr/bin:/bin")
    assert result.returncode == 2 and expected in result.stderr and "run.yaml:" in result.stderr, result.stderr


# ---- nothing of it survives ----

FAMILY = """\
import os, sys, time
for generation in range(3):  # each in a session of its own, so that no group and no terminal holds them together
    if os.fork():
        break
    os.setsid()
open(os.path.join(os.environ["HIPLE_WORK"], "pid.%%d" %% os.getpid()), "w").close()
%s
"""
SLEEPS = "time.sleep(600)"


def family(study, size=4):
    """The processes of a program that has started them all."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        files = list((study.directory / "engines" / "gamma").glob("work/pid.*"))
        if len(files) >= size:
            return [int(file.suffix[1:]) for file in files]
        time.sleep(0.05)
    pytest.fail("the program did not start")


def alive(processes):
    found = []
    for process in processes:
        try:
            state = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            continue
        if state != "Z":
            found.append(process)
    return found


def all_gone(processes, seconds=20):
    end = time.monotonic() + seconds
    while time.monotonic() < end and alive(processes):
        time.sleep(0.05)
    return not alive(processes)


def test_time_limit_ends_all_that_was_started(study):
    use(study, FAMILY % SLEEPS, more="    time_limit: 4s\n")
    assert hiple("train", study.file, "--engine", "gamma", PATH="/usr/bin:/bin").returncode == 1
    assert "within 4 s" in failure(study)["reason"]
    assert all_gone(family(study), 0)


def test_a_program_that_shows_progress_and_stops_is_ended(study):
    use(study, FAMILY % ("open(os.environ['HIPLE_PROGRESS'], 'w').write('1')\n" + SLEEPS))
    study.replace("run.yaml", "law: law.yaml", "restarts: 0\nstep_limit: 2s\nlaw: law.yaml")
    assert hiple("train", study.file, "--engine", "gamma", PATH="/usr/bin:/bin").returncode == 1
    assert "step_limit" in failure(study)["reason"]
    assert all_gone(family(study), 0)


def test_orphans_of_a_program_that_ended_are_ended(study):
    use(study, FAMILY % ("if generation == 0:\n    time.sleep(2)\n    sys.exit(2)\n" + SLEEPS))
    assert hiple("train", study.file, "--engine", "gamma", PATH="/usr/bin:/bin").returncode == 1
    assert all_gone(family(study), 0)
    assert "left 3 processes behind" in (study.directory / "engines" / "gamma" / "log.txt").read_text()


def start_training(study):
    return subprocess.Popen([str(BIN / "hiple"), "train", str(study.file), "--engine", "gamma"], stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL, env=environment(PATH="/usr/bin:/bin"))


@pytest.mark.parametrize("victim", ["WRITER", "LOCK"])
def test_a_killed_owner_takes_all_with_it(study, victim):
    """WRITER is the process that started the program, LOCK the one that watches that."""
    use(study, FAMILY % SLEEPS)
    study.replace("run.yaml", "law: law.yaml", "restarts: 0\nlaw: law.yaml")
    owner = start_training(study)
    try:
        processes = family(study)
        lock = json.loads((study.directory / "engines" / "gamma" / victim).read_text())
        os.kill(lock["process"], signal.SIGKILL)
        assert all_gone(processes)
    finally:
        owner.kill()
        owner.wait()


def test_a_stop_reaches_the_program(study):
    use(study, "import os, signal, sys, time\n"
        "work = os.environ['HIPLE_WORK']\n"
        "def saved(*_):\n    open(work + '/saved', 'w').close(); sys.exit(0)\n"
        "signal.signal(signal.SIGTERM, saved)\n"
        "open(work + '/pid.%d' % os.getpid(), 'w').close()\n" + SLEEPS)
    owner = start_training(study)
    processes = family(study, 1)
    owner.terminate()
    assert owner.wait(timeout=PATIENCE) == -signal.SIGTERM
    assert (study.directory / "engines" / "gamma" / "work" / "saved").exists() and all_gone(processes)
    assert not (study.directory / "engines" / "gamma" / "FAILED").exists(), "nothing is decided about it: the next start goes on"


def test_the_example_of_the_documentation(study):
    pytest.importorskip("sklearn", reason="NOT TESTED: the example with scikit-learn: python3-sklearn is not there")
    use(study, "")
    shutil.copy(SOURCE / "docs" / "examples" / "random_forest.py", study.root / "engine.py")
    result = run(study)
    assert result.returncode == 0, result.stdout + result.stderr
    record = json.loads((study.directory / "engines" / "gamma" / "result.json").read_text())
    assert record["held_out"]["accuracy"] > 0.85, record
    assert record["training"]["steps"] == 300
