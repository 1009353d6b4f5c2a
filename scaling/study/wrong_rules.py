#!/usr/bin/python3
"""Wrong rules that are known to be wrong, and how much evidence it takes until `hiple evidence verify` says so (docs/growth.md). In a
planted world (docs/planted.md) rules are added that fire too often, so that in a known share of their cases another finding is true. Evidence
about cases drawn by chance, the truth, is added a portion after the other, and after each all rules are verified.

Prints a table: of the wrong rules those that are found (CONTRADICTED at that look or an earlier one), by how wrong they are, and of the right
rules those that are called wrong. All figures go to FOLDER/wrong_rules.json.

    scaling/study/wrong_rules.py FOLDER [--domains 4] [--rows N] [--seed N] [--repeat 20] [--looks 50 100 200 ...]
"""

import argparse
import json
import pathlib
import re
import sys

import h5py
import numpy as np

from planted_world import World, hiple

REQUIRED = 0.9
# About what share of a wrong rule's cases is right.
LEVELS = (0.85, 0.75, 0.5)
LOOKS = (50, 100, 200, 400, 800, 1600, 3200, 6400)
FINDINGS = ("local", "near", "far")


class Truth:
    """The table's columns that say what is so."""

    def __init__(self, world):
        with h5py.File(world.folder / "cases.h5") as table:
            self.ids, self.lot = table["case_id"][...], table["columns/lot"][...]
            self.findings = {}
            for domain in world.domains:
                names = table[f"values/{domain}"].asstr()[...]
                self.findings[domain] = names[table[f"columns/{domain}"][...]]


def label_of(world, domain, ids):
    """What an engine that was asked says of each case; an empty text where it says nothing or was not asked."""
    with h5py.File(world.directory / "decisions.h5") as file:
        engine = list(file["engines/name"].asstr()[...]).index(domain)
        asked = file["consulted"][:, engine // 64] >> np.uint64(engine % 64) & np.uint64(1) == 1
    with h5py.File(world.directory / "judgments" / f"{domain}.h5") as file:
        labels, classes = file["label"][...], np.append(file["classes"].asstr()[...].astype(object), "")
        assert (file["case_id"][...] == ids).all()
        return np.where(asked, classes[np.minimum(labels, len(classes) - 1)], "")


def wrong_rules(world, truth):
    """Rules that claim a finding where the engine says so, and, so that a wanted share of their cases is right, also where the engine holds the
    domain sound and a number that means nothing is small. {id: (condition, finding)}"""
    rules = {}
    for domain in world.domains:
        label = label_of(world, domain, truth.ids)
        for finding, level in ((f, l) for f in FINDINGS for l in LEVELS):
            right = int(((label == finding) & (truth.findings[domain] == finding)).sum())
            wrong = int(((label == finding) & (truth.findings[domain] != finding)).sum())
            lots = np.sort(truth.lot[label == "none"])
            more = round(right / level - right) - wrong
            if right == 0 or not 0 < more < len(lots):
                continue
            rules[f"W-{domain[1:]}-{finding}-{level}"] = (
                f'{domain}.label == "{finding}" or {domain}.label == "none" and lot < {lots[more]}', f"{domain}.{finding}")
    return rules


class Watched:
    """A world with wrong rules beside the right ones. They are `proposed`: they decide nothing, and are verified like any other."""

    def __init__(self, world):
        self.world, self.truth = world, Truth(world)
        text = "".join(f"  - {{id: {name}, status: proposed, when: '{when}', then: {finding}}}\n"
                       for name, (when, finding) in wrong_rules(world, self.truth).items())
        law = re.sub(r"^rules:\n", lambda _: "rules:\n" + text, world.law, flags=re.MULTILINE)
        assert law != world.law
        (world.folder / "law-wrong.yaml").write_text(law)

    def configuration(self, name):
        """A run.yaml with evidence of its own."""
        evidence = self.world.folder / f"evidence-{name}.h5"
        evidence.unlink(missing_ok=True)
        text = self.world.config.replace("law: law.yaml\n", f"law: law-wrong.yaml\nevidence: {evidence.name}\n")
        assert text != self.world.config
        path = self.world.folder / f"run-{name}.yaml"
        path.write_text(text)
        return path

    def add(self, path, rows):
        """The truth about all domains in some cases, by one source."""
        file = path.with_suffix(".csv")
        with file.open("w") as csv:
            csv.write("case,about,value,unit,source,date,reliability\n")
            for row in rows:
                for domain, findings in self.truth.findings.items():
                    csv.write(f"{self.truth.ids[row]},{domain},{findings[row]},,inspection,2026-06-01,1\n")
        hiple("evidence", "add", path, file)

    def verify(self, path):
        """{rule: (verdict, cases, held)}; laws are left out."""
        told = json.loads(hiple("evidence", "verify", path, "--output", self.world.directory, "--json", allowed=(0, 1)))
        return {rule["id"]: (rule["verdict"], rule["evidence"][0]["cases"], rule["evidence"][0]["held"])
                for rule in told["rules"] if rule["status"] != "law"}

    def precisions(self):
        """How often each rule is right, of all cases of the world: by it a rule is wrong or right."""
        path = self.configuration("all")
        self.add(path, range(len(self.truth.ids)))
        return {name: held / cases for name, (_, cases, held) in self.verify(path).items() if cases > 0}

    def watch(self, number, looks, seed):
        """{look: rules that were called CONTRADICTED by then} of one order of cases."""
        path = self.configuration(f"order-{number}")
        order = np.random.default_rng([seed, number]).permutation(len(self.truth.ids))
        found, by_look, begin = set(), {}, 0
        for look in looks:
            self.add(path, order[begin:look])
            begin = look
            found |= {name for name, (verdict, _, _) in self.verify(path).items() if verdict == "CONTRADICTED"}
            by_look[look] = sorted(found)
        for file in (path, path.with_suffix(".csv"), self.world.folder / f"evidence-order-{number}.h5"):
            file.unlink()
        return by_look


def groups_of(precisions):
    """Rules by what they are: the wrong ones by the share in which they are right, and the right ones."""
    groups = {}
    edges = ((0.8, REQUIRED, "0.80 to 0.90"), (0.6, 0.8, "0.60 to 0.80"), (0, 0.6, "under 0.60"))
    for low, high, name in edges:
        groups[name] = sorted(rule for rule, share in precisions.items() if low <= share < high)
    groups["right"] = sorted(rule for rule, share in precisions.items() if share >= REQUIRED)
    return groups


def study(folder, domains=4, rows=None, seed=2026, repeat=20, looks=LOOKS):
    world = World(folder, domains, rows, seed).run()
    watched = Watched(world)
    looks = [look for look in looks if look <= len(watched.truth.ids)]
    precisions = watched.precisions()
    groups = groups_of(precisions)
    orders = [watched.watch(number, looks, seed) for number in range(repeat)]
    counted = [{"cases": look, **{name: {"count": sum(len(set(rules) & set(order[look])) for order in orders), "n": len(rules) * repeat}
                                  for name, rules in groups.items()},
                "orders_with_a_false_alarm": sum(bool(set(groups["right"]) & set(order[look])) for order in orders)} for look in looks]
    return {"domains": domains, "rows": len(watched.truth.ids), "seed": seed, "repeat": repeat, "required": REQUIRED,
            "precisions": precisions, "rules": groups, "looks": counted}


def table(result):
    groups = list(result["rules"])
    share = lambda part: f"{part['count'] / part['n']:.3f}" if part["n"] else "-"
    lines = ["| cases with evidence | " + " | ".join(f"wrong, right in {g}" if g != "right" else "right rules called wrong" for g in groups)
             + " | orders with a false alarm |", "|---" * (len(groups) + 2) + "|",
             "| rules | " + " | ".join(str(len(result["rules"][g])) for g in groups) + " | |"]
    for look in result["looks"]:
        lines.append(f"| {look['cases']} | " + " | ".join(share(look[g]) for g in groups)
                     + f" | {look['orders_with_a_false_alarm']} of {result['repeat']} |")
    return "\n".join(lines)


def main(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--domains", type=int, default=4)
    parser.add_argument("--rows", type=int)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--repeat", type=int, default=20)
    parser.add_argument("--looks", type=int, nargs="+", default=list(LOOKS))
    options = parser.parse_args(words)
    if options.repeat < 1 or sorted(set(options.looks)) != options.looks or options.looks[0] < 1:
        parser.error("--repeat is at least 1, and --looks ascend from 1")
    if options.folder.exists() and any(options.folder.iterdir()):
        parser.error(f"{options.folder} is not empty")
    options.folder.mkdir(parents=True, exist_ok=True)
    result = study(options.folder / "world", options.domains, options.rows, options.seed, options.repeat, options.looks)
    (options.folder / "wrong_rules.json").write_text(json.dumps(result, indent=1) + "\n")
    print(table(result))


if __name__ == "__main__":
    main(sys.argv[1:])
