"""Runs that are killed at random moments, and what comes of them.

    python3 tests/program/chaos/chaos.py --runs 200 --seed 1      (HIPLE_BIN_DIR names the programs; jobs/chaos.sh sets it)

Each run is started, alone or with 2 to 4 ranks, and one to three of its processes are killed (SIGKILL) at moments that the seed
gives: an engine's process, a spawner, a rank that trains, the integrator, the launcher. Then it is started again, alone or with
another number of ranks, until it is complete. It must come to the judgments, weights, moments and root of a run that nothing
happened to, and at no moment may two processes train the same engine. The table at the end says what was tried and what was
kept; the exit status is 1 where something was not.
"""

import argparse
import collections
import dataclasses
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.path[:0] = [str(pathlib.Path(__file__).parent.parent), str(pathlib.Path(__file__).parent.parent / "survive")]
from conftest import BIN, Study, environment, status  # noqa: E402
from support import (ENGINES, assert_same_judgments, assert_same_results, attempts, engine_processes, prepare, processes,  # noqa: E402
                     undisturbed)

VICTIMS = ("engine", "engine", "spawner", "rank", "integrator", "launcher")
EPOCHS = 40


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
    """Kills one to three processes of a run; the names of those that were hit, and when the last one was."""
    hit, last = [], None
    if numbers.random() < 0.8:  # mostly while engines train: a start can take longer than all that comes after it
        while run.poll() is None and not candidates(run, study, "engine"):
            time.sleep(0.01)
    for _ in range(numbers.randint(1, 3)):
        time.sleep(numbers.uniform(0, longest))
        for victim in numbers.sample(VICTIMS, len(VICTIMS)):  # the first of them that there is
            found = candidates(run, study, victim)
            if found:
                kill(numbers.choice(sorted(found)))
                hit.append(victim)
                last = time.monotonic()
                break
    return hit, last


def complete(study):
    return (study.directory / "STATUS").exists() and status(study.directory)["state"] == "complete"


def holds(check, *words):
    """Whether a check passes; what it says goes to standard error where it does not."""
    try:
        check(*words)
        return True
    except (AssertionError, OSError, KeyError) as problem:
        print(f"{type(problem).__name__}: {problem}", file=sys.stderr)
        return False


def resumes(study, engine):
    """How often an engine's training was taken up again from a checkpoint."""
    return sum(1 for lines in attempts(study.directory, engine).values() for line in lines if line.get("first_step", 0) > 0)


@dataclasses.dataclass
class Outcome:
    """Of one run."""

    hit: list  # whom, in their order
    starts: int
    recovered: float | None  # seconds from the last kill until it was complete
    complete: bool
    judgments: int  # of its engines', those that are there and as undisturbed
    resumed: int  # attempts that went on from a checkpoint
    same_bits: bool  # judgments, weights and moments
    same_root: bool
    two_writers: list

    @property
    def good(self):
        return self.complete and self.judgments == len(ENGINES) and self.same_bits and self.same_root and not self.two_writers


def go_through(study, numbers, longest):
    """Starts, kills, and starts again until it is complete, eight times at most: whom, how often, and how long it took."""
    hit, starts, last = [], 0, None
    while not complete(study) and starts < 8:
        ranks = numbers.choice((None, None, None, 2, 3, 4))
        run = launch(study, ranks)
        starts += 1
        if starts <= 2:
            whom, when = disturb(run, study, numbers, longest / 2)
            hit, last = hit + whom, when or last
        # A launcher with recovery may not return when ranks were lost; what the run itself says is what counts.
        limit = time.monotonic() + 60
        while run.poll() is None and not (study.directory / "STATUS").exists() and time.monotonic() < limit:
            if not candidates(run, study, "rank") and not candidates(run, study, "integrator") and time.monotonic() > limit - 55:
                break
            time.sleep(0.02)
        if last is not None and complete(study):
            last = time.monotonic() - last
            end(run, 5)
            return hit, starts, last
        end(run, 5)
    return hit, starts, None


def one_run(study, reference, numbers, longest):
    watch = Watch(study.directory)
    watch.start()
    hit, starts, recovered = go_through(study, numbers, longest)
    watch.over = True
    watch.join()
    assert watch.looks > 0
    done = complete(study)
    same = [engine for engine in ENGINES if holds(assert_same_judgments, study.directory, reference, engine)]
    return Outcome(hit, starts, recovered, done, len(same), sum(resumes(study, engine) for engine in ENGINES),
                   done and holds(assert_same_results, study.directory, reference),
                   done and status(study.directory)["root"] == status(reference)["root"], watch.twice)


def spread(numbers):
    """Median and largest."""
    ordered = sorted(numbers)
    return f"{ordered[len(ordered) // 2]:.1f} s median, {ordered[-1]:.1f} s at most" if ordered else "none"


def table(outcomes, seed, seconds):
    """What was tried, and what was kept."""
    hit = collections.Counter(victim for outcome in outcomes for victim in outcome.hit)
    lost = len(outcomes) * len(ENGINES) - sum(outcome.judgments for outcome in outcomes)
    resumed = sum(outcome.resumed for outcome in outcomes)
    equal = sum(outcome.resumed for outcome in outcomes if outcome.same_bits)
    times = [outcome.recovered for outcome in outcomes if outcome.recovered is not None]
    rows = [
        ("runs tried", f"{len(outcomes)}, seed {seed}, {seconds:.0f} s"),
        ("processes killed", f"{sum(hit.values())}: " + ", ".join(f"{count} {victim}" for victim, count in hit.most_common())),
        ("runs in which somebody was killed", sum(bool(outcome.hit) for outcome in outcomes)),
        ("runs survived (complete, nothing lost, all equal)", sum(outcome.good for outcome in outcomes)),
        ("starts of a run", f"{sum(o.starts for o in outcomes) / len(outcomes):.1f} on average, {max(o.starts for o in outcomes)} at most"),
        ("judgments files lost", f"{lost} of {len(outcomes) * len(ENGINES)}"),
        ("resumes from a checkpoint, bit-equal in the end", f"{equal} of {resumed}"),
        ("roots equal to the undisturbed run's", f"{sum(outcome.same_root for outcome in outcomes)} of {len(outcomes)}"),
        ("runs in which two processes trained one engine", sum(bool(outcome.two_writers) for outcome in outcomes)),
        ("from the last kill to the complete run", spread(times)),
    ]
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:{width}}  {value}" for name, value in rows)


def main(runs, seed, say=print):
    """All runs, and the table. Their outcomes."""
    numbers = random.Random(seed)
    outcomes = []
    with tempfile.TemporaryDirectory() as folder:
        study = Study(pathlib.Path(folder))
        prepare(study, "restarts: 3", epochs=EPOCHS)
        begin = time.monotonic()
        reference = undisturbed(study)
        longest = time.monotonic() - begin
        for index in range(runs):
            study.directory = study.root / f"run{index}"
            prepare(study, "restarts: 3", epochs=EPOCHS)
            outcome = one_run(study, reference, numbers, longest)
            outcomes.append(outcome)
            say(f"{index + 1:4} of {runs}: killed {', '.join(outcome.hit) or 'nobody in time'}; {outcome.starts} starts; "
                f"{'the same results' if outcome.good else f'NOT GOOD: {outcome}'}")
            if outcome.good:
                shutil.rmtree(study.directory)
        say(table(outcomes, seed, time.monotonic() - begin))
    return outcomes


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    sys.exit(0 if all(outcome.good for outcome in main(options.runs, options.seed, lambda text: print(text, flush=True))) else 1)
