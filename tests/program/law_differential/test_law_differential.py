"""The law of the product and its executable reference agree on random laws and cases, in every detail that the reference knows.

HIPLE_LAW_DIFFERENTIAL: how many laws (default 3000); HIPLE_LAW_SEED: the first seed (default 0). A failure names its seed.
"""

import collections
import json
import os
import random
import subprocess
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

import cases as case_maker
import files
from design import load_reference
from mistakes import broken
from world import World, permuted

LAWS = int(os.environ.get("HIPLE_LAW_DIFFERENTIAL", "3000"))
FIRST = int(os.environ.get("HIPLE_LAW_SEED", "0"))
CASES = 6
CHUNK = 100
PROBE = os.path.join(os.environ.get("HIPLE_BIN_DIR", ""), "law_probe")


def probe(requests):
    run = subprocess.run([PROBE], input="\n".join(requests) + "\n", capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return [json.loads(line) for line in run.stdout.splitlines()]


def compare_laws(first, folder):
    """Differences over CHUNK laws from seed `first`, as texts, and how often each outcome came up."""
    reference, seen, requests, wanted = load_reference(), collections.Counter(), [], []
    for seed in range(first, first + CHUNK):
        rng = random.Random(seed)
        world = World(rng)
        cases = case_maker.random_cases(rng, world, CASES)
        law = reference.Law(world.text)
        seen[f"depth {min(world.depth(), 5)}"] += 1
        seen["heeds"] += world.heeds
        wanted.append([case_maker.answer(reference, law, world, case) for case in cases])
        requests.append(files.request(world, cases, files.write(world, Path(folder) / str(seed))))
        if seed % 4 == 0:  # the same law in another order
            other = permuted(rng, world)
            requests.append(files.request(other, cases, files.write(other, Path(folder) / f"{seed}-permuted")))
    answers, problems = iter(probe(requests)), []
    for seed, expected in zip(range(first, first + CHUNK), wanted):
        got = next(answers)
        problems += differences(seed, expected, got)
        seen["firm decisions that more data left alone"] += got.get("firm_tried", 0)
        for key in ("judged", "judgeable"):
            seen[key] += got.get(key, 0)
        if seed % 4 == 0 and without_count(other := next(answers)) != without_count(got):
            problems.append(f"seed {seed}: another answer, root or canonical text in another order: {other} instead of {got}")
        for case in expected:
            count(seen, case)
    return problems, seen


TRIED = ("firm_tried", "judged", "judgeable")


def without_count(answer):
    return {key: value for key, value in answer.items() if key not in TRIED}  # which depend on the order of columns


def differences(seed, expected, got):
    if "error" in got:
        return [f"seed {seed}: the product refuses the law: {got['error']}"]
    return [f"seed {seed}, case {row + 1}: the reference says\n  {json.dumps(want)}\nthe product\n  {json.dumps(said)}"
            for row, (want, said) in enumerate(zip(expected, got["cases"], strict=True)) if want != said]


def count(seen, case):
    for answer in case["questions"].values():
        seen[answer["status"]] += 1
        seen[answer["reason"]] += 1
        seen["firm"] += answer["firm"]
        seen.update({cause.partition(":")[0] for cause in answer["causes"]})
    seen.update({key: 1 for key in ("broadened", "capped") if case[key]})
    seen[f"rounds {min(case['rounds'], 2)}"] += 1


def test_laws_and_cases(tmp_path):
    load_reference()
    seen, problems = collections.Counter(), []
    starts = range(FIRST, FIRST + LAWS, CHUNK)
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for more_problems, more_seen in pool.map(compare_laws, starts, [str(tmp_path)] * len(starts)):
            problems += more_problems
            seen.update(more_seen)
    assert not problems, f"{len(problems)} differences\n" + "\n".join(problems[:5])
    assert seen["firm decisions that more data left alone"] > 10 * LAWS
    assert 0 < seen["judged"] < 0.8 * seen["judgeable"]  # on demand, with the same roots
    rare = [name for name in EVERYTHING if seen[name] < LAWS / 200]
    assert not rare, f"the generator hardly reaches {rare}: {dict(seen)}"


EVERYTHING = ["decide", "abstain", "escalate", "law", "critical_not_excluded", "conflict", "possible_defeater", "blocked", "no_rule", "firm",
              "broadened", "capped", "rounds 0", "rounds 1", "rounds 2", "missing", "invalid", "division", "abstained", "unavailable",
              "inactive", "suspended", "undecided", "disagree", "one_group", "contradictory", "contradicted_by_evidence", "heeds", "depth 3", "depth 4", "depth 5"]


def test_the_reference_itself_knows_no_order():
    """Of the generator: a law in another order is the same law."""
    reference = load_reference()
    for seed in range(FIRST, FIRST + 100):
        rng = random.Random(seed)
        world = World(rng)
        other = permuted(rng, world)
        law, same = reference.Law(world.text), reference.Law(other.text)
        for case in case_maker.random_cases(rng, world, 3):
            assert case_maker.answer(reference, law, world, case) == case_maker.answer(reference, same, other, case), seed


def test_mistakes_are_refused(tmp_path):
    reference, names, requests = load_reference(), [], []
    for seed in range(FIRST, FIRST + LAWS // 4):
        rng = random.Random(seed)
        made = broken(rng, World(rng))
        if made is None:
            continue
        world, name = made
        with pytest.raises(reference.LawError):
            reference.Law(world.text)
            print("the reference takes", seed, name)
        names.append(f"seed {seed}: {name}")
        requests.append(files.request(world, [], files.write(world, tmp_path / str(seed))))
    taken = [name for name, got in zip(names, probe(requests), strict=True) if "error" not in got]
    assert not taken, f"{len(taken)} mistakes that the product takes\n" + "\n".join(taken[:20])
    assert len(names) > LAWS / 10
