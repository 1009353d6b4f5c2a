"""Random laws: everything that law.yaml, critical.yaml and schema.yaml say, as plain data."""

import copy

from conditions import Conditions

CLASSES = [["none", "p", "q"], ["none", "p"], ["none", "p", "q", "r"]]
ENGINES = ["gear", "axle", "motor", "brake", "wheel"]
GROUPS = [None, None, None, "north", "south"]
COLUMNS = {
    "a": {"type": "int", "range": [0, 9]}, "b": {"type": "int"}, "c": {"type": "int", "range": [0, 6]}, "x": {"type": "real"},
    "y": {"type": "real", "range": [0.0, 8.0]}, "u": {"type": "real", "unit": "mU/L", "range": [0.0, 100.0]},
    "sex": {"type": "text", "values": ["F", "M"]}, "site": {"type": "text", "values": ["east", "left", "west"]}, "flag": {"type": "bool"},
}
QUESTIONS = ["state", "binding", "illness"]
FINDINGS = ["none", "mild", "grave", "other"]
PANELS = ["front", "rear", "side", "top", "inner", "core"]


class World:
    """One random law. `text` is what the reference's Law takes; the rest is what it has no word for."""

    def __init__(self, rng):
        self.rng = rng
        self.columns = {name: COLUMNS[name] for name in ["a", "x", "sex", "flag"] + rng.sample(["b", "c", "y", "u", "site"], rng.randint(0, 5))}
        self.make_engines()
        self.make_questions()
        self.make_evidence()
        self.make_panels()
        self.critical = self.make_critical()
        self.rules = self.make_rules()
        self.laws = self.make_laws()
        self.links = self.make_links()
        self.incompatible = self.make_incompatible()
        self.home = self.make_route()
        self.broaden = rng.choice([["needed", "panel", "all"], ["needed"], ["panel"], ["all"], ["panel", "needed"], [], ["needed", "all"]])
        self.max_rounds = rng.choice([0, 1, 1, 2, 3, 8, 8])

    @property
    def text(self):
        """The reference's form."""
        return dict(columns={n: {**c, **({"range": ["A", "zz"]} if c["type"] == "text" else {})} for n, c in self.columns.items()},
                    engines=self.engines, questions=self.questions, panels=self.panels, critical=self.critical, rules=self.rules,
                    laws=self.laws, links=self.links, incompatible=self.incompatible, broaden=self.broaden, max_rounds=self.max_rounds, heeds=self.heeds)

    def make_engines(self):
        rng, same = self.rng, self.rng.random() < 0.7
        classes = rng.choice(CLASSES)
        self.engines = {}
        for name in rng.sample(ENGINES, rng.randint(1, 4)):
            group = rng.choice(GROUPS)
            self.engines[name] = {"classes": classes if same else rng.choice(CLASSES), **({"group": group} if group else {})}

    def make_questions(self):
        rng = self.rng
        self.questions = []
        for name in rng.sample(QUESTIONS, rng.choice([1, 2, 2, 3])):
            findings = rng.sample(FINDINGS, rng.randint(2, 4))
            question = {"name": name, "findings": findings}
            if rng.random() < 0.5:
                question["default"] = rng.choice(findings)
            self.questions.append(question)
        self.findings = {q["name"]: q["findings"] for q in self.questions}
        self.default = {q["name"]: q.get("default") for q in self.questions}

    def make_evidence(self):
        """Columns that only evidence fills: about columns and questions. Where the law heeds it, about every question."""
        rng = self.rng
        self.heeds = rng.random() < 0.4
        limits = {"int": [0, 9], "real": [0.0, 8.0], "bool": [0, 1]}
        for name, column in list(self.columns.items()):
            if rng.random() < 0.2:
                self.columns[f"evidence.{name}"] = {**column, "evidence": True, **({"range": limits[column["type"]]} if column["type"] in limits else {})}
        for name, findings in self.findings.items():
            if self.heeds or rng.random() < 0.3:
                self.columns[f"evidence.{name}"] = {"type": "text", "values": sorted(findings), "evidence": True}

    def make_panels(self):
        rng, names = self.rng, [q["name"] for q in self.questions]
        deep = rng.random() < 0.3  # panels under panels under panels
        kids = rng.sample(PANELS, rng.randint(3, 6)) if deep else rng.sample(["front", "rear"], rng.choice([0, 1, 1, 2]))
        members = {panel: [] for panel in kids + ["root"]}
        for engine in self.engines:
            members[rng.choice(list(members))].append(engine)
        if rng.random() < 0.1:  # one engine in two panels
            members[rng.choice(list(members))].append(rng.choice(list(self.engines)))
        members = {panel: sorted(set(engines)) for panel, engines in members.items()}
        if deep:
            for number, kid in enumerate(kids):
                above = kids[:number]
                parent = "root" if not above else above[-1] if rng.random() < 0.7 else rng.choice([*above, "root"])
                members[parent].append(kid)
        elif len(kids) == 2 and rng.random() < 0.3:  # a panel under a panel
            members[kids[0]].append(kids[1])
            members["root"].append(kids[0])
        else:
            members["root"] += kids
        self.panels = [{"name": kid, "members": members[kid], "answers": rng.sample(names, rng.randint(1, len(names)))} for kid in kids]
        self.panels.append({"name": "root", "members": members["root"]})

    def depth(self, name="root"):
        """How many panels stand one under the other."""
        return 1 + max((self.depth(m) for m in self.panel(name)["members"] if m not in self.engines), default=0)

    def panel(self, name):
        return next(panel for panel in self.panels if panel["name"] == name)

    def panels_under(self, name):
        kids = [m for m in self.panel(name)["members"] if m not in self.engines]
        return [name] + [p for kid in kids for p in self.panels_under(kid)]

    def engines_under(self, name):
        return sorted({m for p in self.panels_under(name) for m in self.panel(p)["members"] if m in self.engines})

    def panels_with_engines(self, name):
        return [p for p in self.panels_under(name) if self.engines_under(p)]

    def findings_of_members(self, name):
        kids = [m for m in self.panel(name)["members"] if m not in self.engines]
        return [(kid, question) for kid in kids for question in self.panel(kid)["answers"]]

    def all_findings(self):
        return [f"{question}.{finding}" for question, findings in self.findings.items() for finding in findings]

    def not_default(self):
        return [f for f in self.all_findings() if self.default[f.partition(".")[0]] != f.partition(".")[2]]

    def make_critical(self):
        rng, critical = self.rng, {}
        for finding in rng.sample(self.not_default(), min(len(self.not_default()), rng.choice([0, 0, 1, 1, 2]))):
            question = finding.partition(".")[0]
            entry = {"to": rng.choice(["endocrinologist", "surgeon"])} if rng.random() < 0.8 else {}
            others = [f"{question}.{f}" for f in self.findings[question] if f"{question}.{f}" != finding]
            if rng.random() < 0.4:
                entry["covered_by"] = rng.sample(others, 1)
            if rng.random() < 0.5:
                entry["suspect"] = Conditions(rng, self, engines=rng.random() < 0.3).text(1)
            critical[finding] = entry
        return critical

    def make_rules(self):
        rng, rules = self.rng, []
        names = rng.sample(range(10, 100), 12)
        for question in self.findings:
            mine = []
            for _ in range(rng.randint(1, 4)):
                then = f"{question}.{rng.choice(self.findings[question])}"
                panel = rng.choice([p["name"] for p in self.panels if p["name"] == "root" or question in p["answers"]])
                conditions = Conditions(rng, self, panel, findings=then not in self.critical)
                rule = {"id": f"{rng.choice('ABZ')}-{names.pop()}", "panel": panel, "when": conditions.text(), "then": then}
                rivals = [r["id"] for r in mine if r["then"] != then]
                if rivals and rng.random() < 0.6:
                    rule["overrides"] = rng.sample(rivals, rng.randint(1, len(rivals)))
                if rng.random() < 0.15:
                    rule["status"] = rng.choice(["accepted", "suspended", "proposed", "verified", "retired"])
                if rule.get("status", "accepted") == "accepted" and rng.random() < 0.12:
                    rule["suspended_where"] = conditions.text(1)
                mine.append(rule)
            rules += mine
        return rng.sample(rules, len(rules))

    def make_laws(self):
        rng, laws = self.rng, []
        for number in range(rng.choice([0, 0, 1, 1, 2, 3])):
            law = {"id": f"L-{9 - number}", "when": Conditions(rng, self).text(rng.choice([0, 1, 2]))}
            kind = rng.choice(["forbid", "require", "escalate"])
            law[kind] = rng.choice(list(self.findings) if kind == "escalate" else self.all_findings())
            if rng.random() < 0.5:
                law["to"] = rng.choice(["endocrinologist", "auditor"])
            laws.append(law)
        return laws

    def make_links(self):
        rng, links = self.rng, []
        names = sorted(self.engines)
        for number in range(rng.choice([0, 1, 2, 3]) if len(names) > 1 else 0):
            source, target = rng.sample(names, 2)
            link = {"id": f"X-{number}", "from": source, "to": target,
                    "when": Conditions(rng, self, findings=rng.random() < 0.3).text(rng.choice([0, 1]))}
            if rng.random() < 0.3:
                link["eager"] = True
            links.append(link)
        return links

    def make_incompatible(self):
        rng, pairs = self.rng, []
        names = list(self.findings)
        for _ in range(rng.choice([0, 0, 1, 2]) if len(names) > 1 else 0):
            one, other = ([f for f in self.not_default() if f.startswith(q + ".")] for q in rng.sample(names, 2))
            pair = [rng.choice(one), rng.choice(other)]
            if pair not in pairs and pair[::-1] not in pairs:
                pairs.append(pair)
        return pairs

    def make_route(self):
        rng, names = self.rng, sorted(self.engines)
        some = lambda: sorted(rng.sample(names, rng.randint(1, min(2, len(names)))))
        conditions = Conditions(rng, self, engines=False, evidence=False)
        return [{"when": conditions.text(1), "engines": some()} for _ in range(rng.choice([0, 1, 2]))] + [{"engines": some()}]


def permuted(rng, world):
    """The same law with every list in another order."""
    other = copy.deepcopy(world)
    for name in ("rules", "laws", "links", "questions", "panels", "incompatible"):
        rng.shuffle(getattr(other, name))
    for panel in other.panels:
        rng.shuffle(panel["members"])
        rng.shuffle(panel.get("answers", []))
    for question in other.questions:
        rng.shuffle(question["findings"])
    for rule in other.rules:
        rng.shuffle(rule.get("overrides", []))
    for name in ("columns", "engines"):
        items = list(getattr(other, name).items())
        rng.shuffle(items)
        setattr(other, name, dict(items))
    return other
