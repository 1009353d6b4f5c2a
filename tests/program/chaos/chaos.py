"""Runs that are killed at random moments, and what must come of them.

    python3 tests/program/chaos/chaos.py --runs 200 --seed 1      (HIPLE_BIN_DIR names the programs; jobs/chaos.sh sets it)

Each run is started, alone or with 2 to 4 ranks, and one to three of its processes are killed (SIGKILL) at moments that the seed
gives: an engine's process, a spawner, a rank that trains, the integrator, the launcher. Then it is started again, alone or with
another number of ranks, until it is complete. It must come to the judgments, weights, moments and root of a run that nothing
happened to, and at no moment may two processes train the same engine.
"""

import argparse
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.path[:0] = [str(pathlib.Path(__file__).parent.parent), str(pathlib.Path(__file__).parent.parent / "survive")]
from conftest import BIN, Study, environment, status  # noqa: E402
from support import (assert_same_results, attempts, engine_processes, prepare, processes, undisturbed)  # noqa: E402

VICTIMS = ("engine", "engine", "spawner", "rank", "integrator", "launcher")
ENGINES = ("alpha", "beta", "gamma")


class Watch(threading.Thread):
    """Looks for two processes that train one engine, as often as it can."""

    def __init__(self, directory):
        super().__init__(daemon=True)
        self.directory, self.twice, self.looks, self.over = directory, [], 0, False

    def run(self):
        while not self.over:
            engines = list(engine_processes(self.directory).values())
            self.twice += [engine for engine in set(engines) if engines.count(engine) > 1]
            self.looks += 1
            time.sleep(0.005)


def launch(study, ranks):
    """A run in a session of its own, so that all of it can be found."""
    words = [str(BIN / "hiple"), "run", str(study.file)]
    if ranks:
        words = ["mpirun", "--enable-recovery", "-n", str(ranks), *words]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment(),
                            start_new_session=True)


def of_session(leader):
    """(process, command line) of every process that a run has started and that is still there."""
    for process, _, words in processes():
        try:
            if os.getsid(process) == leader:
                yield process, words
        except ProcessLookupError:
            continue


def candidates(run, study, victim):
    alive = list(of_session(run.pid))
    if victim == "engine":
        return [process for process, words in alive if "--attempt" in words]
    if victim == "spawner":
        return [process for process, words in alive if words[0].endswith("hiple-spawner")]
    if victim == "launcher":
        return [process for process, words in alive if words[0] == "mpirun"]
    ranks = [process for process, words in alive if words[0].endswith("/hiple-run") or words[1:2] == ["run"]]
    try:
        integrator = json.loads((study.directory / "LOCK").read_text())["process"]
    except (OSError, ValueError, KeyError):
        integrator = None
    return [process for process in ranks if (process == integrator) == (victim == "integrator")]


def kill(process):
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        pass


def end(run, seconds):
    """Waits for a run's end and clears away what a killed launcher leaves. The exit status, or nothing where it did not end."""
    try:
        run.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        pass
    code = run.poll()
    for process, _ in list(of_session(run.pid)):
        kill(process)
    run.communicate()
    deadline = time.monotonic() + 10
    while list(of_session(run.pid)) and time.monotonic() < deadline:
        time.sleep(0.01)
    return code


def disturb(run, study, numbers, longest):
    """Kills one to three processes of a run; the names of those that were hit."""
    hit = []
    for _ in range(numbers.randint(1, 3)):
        time.sleep(numbers.uniform(0, longest))
        for victim in numbers.sample(VICTIMS, len(VICTIMS)):  # the first of them that there is
            found = candidates(run, study, victim)
            if found:
                kill(numbers.choice(sorted(found)))
                hit.append(victim)
                break
    return hit


def complete(study):
    return (study.directory / "STATUS").exists() and status(study.directory)["state"] == "complete"


def one_run(study, reference, numbers, longest):
    """Start, kill, go on, compare. What was hit, and how many starts it took."""
    watch = Watch(study.directory)
    watch.start()
    hit, starts = [], 0
    while not complete(study) and starts < 8:
        ranks = numbers.choice((None, None, None, 2, 3, 4))
        run = launch(study, ranks)
        starts += 1
        if starts <= 2:
            hit += disturb(run, study, numbers, longest * (3 if ranks else 1))
        # A launcher with recovery may not return when ranks were lost; what the run itself says is what counts.
        limit = time.monotonic() + 60
        while run.poll() is None and not (study.directory / "STATUS").exists() and time.monotonic() < limit:
            if not candidates(run, study, "rank") and not candidates(run, study, "integrator") and time.monotonic() > limit - 55:
                break
            time.sleep(0.02)
        end(run, 5)
    watch.over = True
    watch.join()
    assert complete(study), f"not complete after {starts} starts"
    assert not watch.twice, f"two processes trained {watch.twice}"
    assert watch.looks > 0
    assert status(study.directory)["root"] == status(reference)["root"]
    assert_same_results(study.directory, reference)
    for engine in ENGINES:
        numbers_seen = list(attempts(study.directory, engine))
        assert len(numbers_seen) == len(set(numbers_seen))
    return hit, starts


def main(runs, seed, say=print):
    """All runs; what was killed how often."""
    numbers = random.Random(seed)
    counts, most = {}, 0
    with tempfile.TemporaryDirectory() as folder:
        study = Study(pathlib.Path(folder))
        prepare(study, "restarts: 3", epochs=40)
        begin = time.monotonic()
        reference = undisturbed(study)
        longest = time.monotonic() - begin
        for index in range(runs):
            study.directory = study.root / f"run{index}"
            prepare(study, "restarts: 3", epochs=40)
            hit, starts = one_run(study, reference, numbers, longest)
            most = max(most, starts)
            for victim in hit:
                counts[victim] = counts.get(victim, 0) + 1
            say(f"{index + 1:4} of {runs}: killed {', '.join(hit) or 'nobody in time'}; {starts} starts; the same results")
    say(f"{runs} runs, seed {seed}: {sum(counts.values())} processes killed {counts}; at most {most} starts; "
        "0 judgments lost, every root and every weight as undisturbed, never two writers")
    return counts


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    main(options.runs, options.seed)
