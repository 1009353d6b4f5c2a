#!/usr/bin/python3
"""The planted study: worlds of 4 to 256 domains in which it is known who must be asked (docs/planted.md), and what happens to a
partition's figures when something is taken away from it. Prints a table; the figures themselves go to FOLDER/planted.json, and a
drawing of them to FOLDER/planted.png and .svg. A world that is in planted.json already is not made again.

    scaling/study/planted.py FOLDER [--domains 4 16 64 256] [--rows N] [--seed N] [--rivals-up-to 16] [--keep]
"""

import argparse
import json
import pathlib
import shutil
import sys

import numpy as np

from planted_figure import draw
from planted_rival import compare_with_stacking, share
from planted_world import Answers, Cases, World, all_spoke, gates, hiple, verdicts
from study_files import revision_in

FORMAT = "hiple planted study"


def conflicts(world, cases, answers, directory):
    """The planted conflicts: how many were decided, and wrongly; and of those in which engine, copy and witness all spoke. Where one
    abstains no conflict is to be seen, and the other's word stands."""
    planted = cases.kind == "conflict"
    spoke = np.zeros(len(planted), bool)
    for name in world.doubled:
        spoke |= (cases.home == world.domains.index(name)) & all_spoke(directory, [name, f"{name}_copy", f"{name}_witness"])
    decided, right = cases.at_home(answers.decided), cases.at_home(answers.right)
    return {"n": int(planted.sum()), "decided": int((planted & decided).sum()), "wrong": int((planted & decided & ~right).sum()),
            "conflict": int((planted & cases.at_home(answers.conflict)).sum()), "all_spoke": int((planted & spoke).sum()),
            "decided_though_all_spoke": int((planted & spoke & decided).sum())}


def summary_of(report):
    """The figures that the table shows, with what they count."""
    figures, cross = report["figures"], report["figures"]["cross_boundary"]
    return {"trusted": report["trusted"], "verdicts": verdicts(report), "cbr": cross["recall"], "cbr_by_links": cross["recall_by_links"],
            "cost": figures["cost"]["mean"], "exact": figures["exact"], "coverage": figures["coverage"], "found": figures["found"],
            "silent": figures["silent"], "strict": figures["strict"],
            "cost_curve": [point for point in report["cost_curve"] if point["name"] != "chance"]}


def of_boundary(report, boundary):
    found = [entry for entry in report["boundaries"] if entry["boundary"] == boundary]
    assert found, f"no boundary {boundary}"
    return found[0]


def study(folder, domains, rows=None, seed=2026, rivals=True):
    """Everything of one world. The link that is removed is the first one."""
    world = World(folder, domains, rows, seed).run()
    cases = Cases(world)
    answers = Answers(world, cases, world.directory)
    report = gates(world.directory)
    first, second = world.domains[0], world.domains[1]
    boundary = f"{first} -> {second}"
    result = {"domains": domains, "engines": len(world.engines), "rows": len(cases.home), "generated_seconds": round(world.generated, 1),
              "run_seconds": round(world.seconds, 1), "whole": summary_of(report), "boundary": of_boundary(report, boundary),
              "conflicts": conflicts(world, cases, answers, world.directory),
              "strange": share(cases.at_home(answers.decided)[cases.test & (cases.kind == "unseen")])}
    result["no_links"] = summary_of(gates(world.variant("no-links", law=world.law_without_links())))
    cut = gates(world.variant("one-link-less", law=world.law_without_link(f"X-NEAR-{first[1:]}")))
    result["one_link_less"] = {**summary_of(cut), "boundary": of_boundary(cut, boundary)}
    counted = world.variant("no-independence", law=world.law_without_independence())
    result["counted_twice"] = conflicts(world, cases, Answers(world, cases, counted), counted)
    result["random_cut"] = summary_of(gates(world.variant("random-cut", config=world.config_of_random_cut())))
    if rivals:
        speaking = world.variant("always-speaks", config=world.config_that_always_speaks())
        result["stacking"] = compare_with_stacking(world, cases, answers, speaking)
    return result


def text(part):
    return f"{part['count']} / {part['n']} ({part['count'] / part['n']:.3f})" if part["n"] else "-"


def not_passed(figures):
    return ", ".join(f"{name} {verdict}" for name, verdict in figures["verdicts"].items() if verdict != "PASS") or "every gate passed"


ROWS = [
    ("engines", lambda r: str(r["engines"])),
    ("cases", lambda r: str(r["rows"])),
    ("generating, training and deciding, s", lambda r: f"{r['generated_seconds']}, {r['run_seconds']}"),
    ("recall, home alone", lambda r: text(next(p for p in r["whole"]["cost_curve"] if p["name"] == "home"))),
    ("recall, home and links", lambda r: text(r["whole"]["cbr_by_links"])),
    ("recall, as decided", lambda r: text(r["whole"]["cbr"])),
    ("recall, law without links", lambda r: text(r["no_links"]["cbr"])),
    ("share of engines asked", lambda r: f"{r['whole']['cost']:.3f}"),
    ("every answer right", lambda r: text(r["whole"]["exact"])),
    ("the same without links", lambda r: text(r["no_links"]["exact"])),
    ("found, of cross-boundary", lambda r: text(r["whole"]["found"])),
    ("the same without links", lambda r: text(r["no_links"]["found"])),
    ("critical missed in silence", lambda r: text(r["whole"]["silent"])),
    ("verdict", lambda r: not_passed(r["whole"])),
    ("one link less: every answer right", lambda r: text(r["one_link_less"]["exact"])),
    ("one link less: its boundary's recall", lambda r: text(r["one_link_less"]["boundary"]["recall"])),
    ("one link less: verdict", lambda r: not_passed(r["one_link_less"])),
    ("random cut: every answer right", lambda r: text(r["random_cut"]["exact"])),
    ("random cut: verdict", lambda r: not_passed(r["random_cut"])),
    ("conflicts decided in which everybody spoke",
     lambda r: text({"count": r["conflicts"]["decided_though_all_spoke"], "n": r["conflicts"]["all_spoke"]})),
    ("conflicts decided, of all", lambda r: text({"count": r["conflicts"]["decided"], "n": r["conflicts"]["n"]})),
    ("the same, copies counted twice", lambda r: text({"count": r["counted_twice"]["decided"], "n": r["counted_twice"]["n"]})),
    ("of these wrongly", lambda r: text({"count": r["counted_twice"]["wrong"], "n": r["counted_twice"]["decided"]})),
    ("strange cases decided by the law", lambda r: text(r["strange"])),
    ("strange cases answered by stacking", lambda r: text(r["stacking"]["strange_answered"]["stacking"]) if "stacking" in r else "not run"),
]


def table(results):
    lines = ["| domains | " + " | ".join(str(r["domains"]) for r in results) + " |", "|---" * (len(results) + 1) + "|"]
    return "\n".join(lines + [f"| {name} | " + " | ".join(show(r) for r in results) + " |" for name, show in ROWS])


def read_worlds(record):
    """What an earlier call has come to; each world says which program made it. Of a file as earlier versions wrote it, nothing."""
    found = json.loads(record.read_text()) if record.is_file() else None
    return found["worlds"] if isinstance(found, dict) else []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--domains", type=int, nargs="+", default=[4, 16, 64, 256])
    parser.add_argument("--rows", type=int)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--rivals-up-to", type=int, default=16, metavar="N", help="stacking only for so many domains at most")
    parser.add_argument("--keep", action="store_true", help="keep tables and runs")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    record, program = options.folder / "planted.json", hiple("--version").strip()
    earlier, results = read_worlds(record), []
    for domains in options.domains:
        rivals = domains <= options.rivals_up_to
        made_by = {"domains": domains, "seed": options.seed, "rows_asked": options.rows, "rivals": rivals, "program": program}
        found = [each for each in earlier if each.items() >= made_by.items()]
        folder = options.folder / f"planted-{domains}"
        try:
            results.append(found[0] if found else {**study(folder, domains, options.rows, options.seed, rivals), **made_by})
        except RuntimeError as error:
            sys.exit(str(error))
        record.write_text(json.dumps({"format": FORMAT, "version": 1, "revision": revision_in(program), "worlds": results}, indent=1) + "\n")
        print(f"{domains} domains: done", file=sys.stderr, flush=True)
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=bool(found))
    draw(results, options.folder / "planted")
    print(table(results))


if __name__ == "__main__":
    main()
