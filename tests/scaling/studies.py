"""Results of the other studies, made by hand, beside those of sample.py: of a world in which every claim holds."""

import json

REVISION = "abc123"


def share(count, n):
    return {"count": count, "n": n}


def world(domains=4, decided=0, cut="FAIL", before="PASS", after="FAIL", right_after=880):
    verdicts = {"cbr": "PASS", "coverage": "PASS"}
    return {"domains": domains, "whole": {"exact": share(900, 1000), "verdicts": verdicts}, "boundary": {"verdict": before},
            "conflicts": {"n": 210, "all_spoke": 200, "decided": decided + 1, "decided_though_all_spoke": decided},
            "one_link_less": {"exact": share(right_after, 1000), "boundary": {"verdict": after}, "verdicts": verdicts},
            "random_cut": {"verdicts": {"cbr": "PASS", "coverage": cut}}}


def planted(*worlds):
    return {"format": "hiple planted study", "version": 1, "revision": REVISION, "worlds": list(worlds) or [world(), world(16)]}


def tool_limit(unchanged=True, seconds=2.0):
    return {"format": "hiple tool limit", "version": 1, "revision": REVISION, "engines_unchanged": unchanged, "engine_files": 12,
            "seconds": {"train_and_decide": 100.0, "accept": seconds}}


def table(run="thyroid", law=1, rival=40, links=190, links_cost=0.4):
    rows = [{"way": way, "at": at, "silent": share(count, 200)} for at in ("own", 0.95, 0.9, 0.8)
            for way, count in (("the law", law), ("stacking", rival), ("law on a random cut", 0))]
    curve = [{"name": name, "cost": cost, **share(count, 200)} for name, cost, count in
             (("home", 0.2, 20), ("links", links_cost, links), ("all", 1.0, 195))]
    return {"format": "hiple comparison", "version": 1, "revision": REVISION, "run": run, "rows": rows, "cost_curve": curve}


def shifts(run="thyroid", law_wrong=5, law_open=90, rival=60):
    ways = {"the law": {"n": 100, "right": 100 - law_wrong - law_open, "wrong": law_wrong, "open": law_open},
            "stacking": {"n": 100, "right": 0, "wrong": rival, "open": 100 - rival}}
    return {"format": "hiple shifts", "version": 1, "revision": REVISION, "run": run, "new_class": {"finding": "state.hypo", "ways": ways}}


def suite(**statuses):
    from claims_tests import every_test
    return {"format": "hiple test suite", "version": 1, "revision": REVISION,
            "tests": {**dict.fromkeys(every_test(), "passed"), **{name.replace("__", "."): status for name, status in statuses.items()}}}


def everything(folder, **changed):
    """All of them in a folder; what is None is left out."""
    parts = {"planted/planted": planted(), "tool_limit/tool_limit": tool_limit(), "thyroid/table": table(), "thyroid/shifts": shifts(), "suite": suite()}
    for name, record in {**parts, **{name.replace("__", "/"): record for name, record in changed.items()}}.items():
        if record is not None:
            path = folder / f"{name}.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(record))
    return folder
