"""Laws with one mistake each, which reference and product must both refuse."""

import copy

from conditions import typing_error


def broken(rng, world):
    """A copy of `world` with one mistake and its name; None where this world has no room for the mistake chosen."""
    other = copy.deepcopy(world)
    mistake = rng.choice([wrong_condition, wrong_condition, wrong_condition, cycle, same_finding, other_question, no_such_finding, twice,
                          incompatible_default, critical_reads_a_panel, law_reads_a_panel])
    done = mistake(rng, other)
    return (other, mistake.__name__ + (f": {done}" if isinstance(done, str) else "")) if done else None


def _in_force(world):
    return [r for r in world.rules if r.get("status", "accepted") in ("accepted", "suspended")]


def wrong_condition(rng, world):
    entry = rng.choice(_in_force(world) + world.laws + world.links or [None])
    if entry is None:
        return False
    entry["when"] = typing_error(rng, world)
    return entry["when"] or "empty"


def _rivals(rng, world):
    """Two rules in force for different findings of one question."""
    pairs = [(a, b) for a in _in_force(world) for b in _in_force(world)
             if a["then"] != b["then"] and a["then"].partition(".")[0] == b["then"].partition(".")[0]]
    return rng.choice(pairs) if pairs else None


def cycle(rng, world):
    pair = _rivals(rng, world)
    if not pair:
        return False
    pair[0]["overrides"], pair[1]["overrides"] = [pair[1]["id"]], [pair[0]["id"]]
    return True


def _override(rng, world, fits):
    pairs = [(a, b) for a in _in_force(world) for b in _in_force(world) if a is not b and fits(a["then"], b["then"])]
    if not pairs:
        return False
    one, two = rng.choice(pairs)
    one["overrides"] = [two["id"]]
    return True


def same_finding(rng, world):
    return _override(rng, world, lambda a, b: a == b)


def other_question(rng, world):
    return _override(rng, world, lambda a, b: a.partition(".")[0] != b.partition(".")[0])


def no_such_finding(rng, world):
    if not _in_force(world):
        return False
    rule = rng.choice(_in_force(world))
    rule["then"] += "x"
    return True


def twice(rng, world):
    if len(_in_force(world)) < 2:
        return False
    one, two = rng.sample(_in_force(world), 2)
    two["id"] = one["id"]
    return True


def incompatible_default(rng, world):
    defaults = [f"{q}.{d}" for q, d in world.default.items() if d]
    if not defaults:
        return False
    default = rng.choice(defaults)
    others = [f for f in world.all_findings() if f.partition(".")[0] != default.partition(".")[0]]
    if not others:
        return False
    world.incompatible.append([default, rng.choice(others)])
    return True


def _finding_condition(rng, world, panel):
    findings = world.findings_of_members(panel)
    if not findings:
        return None
    member, question = rng.choice(findings)
    return f'{member}.{question} == "{world.findings[question][0]}"'


def critical_reads_a_panel(rng, world):
    rules = [r for r in _in_force(world) if r["then"] in world.critical and _finding_condition(rng, world, r["panel"])]
    if not rules:
        return False
    rule = rng.choice(rules)
    rule["when"] = _finding_condition(rng, world, rule["panel"])
    return True


def law_reads_a_panel(rng, world):
    if not world.laws or not _finding_condition(rng, world, "root"):
        return False
    rng.choice(world.laws)["when"] = _finding_condition(rng, world, "root")
    return True
