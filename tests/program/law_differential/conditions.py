"""Random conditions in the language that the reference and the product have in common.

Left out on purpose, because the two differ there by design: dates and age() (the reference has none), units that
convert (it drops units), sets of reals (it allows them), comparisons of a boolean, engines without classes, literals for an
engine's numbers that float32 cannot hold (the reference knows only float64), and texts that a column's schema does not list. What
Python's parser lets pass, and the product refuses, is no mistake here: comments, within() without a tolerance, a bare .probability.
"""

import re


class Conditions:
    """Conditions that a rule or law of `panel` may use. `findings`: whether findings of member panels may be read; `engines` and
    `evidence` likewise."""

    def __init__(self, rng, world, panel="root", findings=False, engines=True, evidence=True):
        self.rng, self.world = rng, world
        self.columns = {name: column for name, column in world.columns.items() if evidence or not column.get("evidence")}
        self.engines = world.engines_under(panel) if engines else []
        self.panels = world.panels_with_engines(panel) if engines else []
        self.findings = world.findings_of_members(panel) if findings else []

    def text(self, depth=2):
        rng = self.rng
        if depth == 0 or rng.random() < 0.3:
            return self.atom()
        kind = rng.random()
        if kind < 0.2:
            return "not " + self.nested(depth - 1)
        joint = " and " if kind < 0.62 else " or "
        return joint.join(self.nested(depth - 1) for _ in range(rng.choice([2, 2, 2, 3])))

    def nested(self, depth):
        inner = self.text(depth)
        return inner if " " not in inner else f"({inner})"

    def atom(self, each=None):
        rng = self.rng
        makers = [(4, self.number_atom), (1, self.text_atom), (1, self.boolean_atom), (0.2, self.constant)]
        if self.columns:
            makers.append((1, self.known_atom))
        if each or self.engines:
            makers += [(4, lambda: self.engine_atom(each)), (0.5, lambda: self.judged_atom(each))]
        if each is None and self.panels:
            makers += [(2, self.aggregate_atom), (0.4, self.agree_atom)]
        if each is None and self.findings:
            makers.append((4, self.finding_atom))
        weights = [weight for weight, _ in makers]
        return rng.choices([maker for _, maker in makers], weights)[0]() or self.constant()

    def columns_of(self, *types):
        return [name for name, column in self.columns.items() if column["type"] in types]

    def constant(self):
        return self.rng.choice(["true", "false"])

    def known_atom(self):
        return f"known({self.rng.choice(list(self.columns))})"

    def boolean_atom(self):
        names = self.columns_of("bool")
        return self.rng.choice(names) if names else None

    def text_atom(self):
        names = self.columns_of("text")
        if not names:
            return None
        name = self.rng.choice(names)
        values = self.columns[name]["values"]
        if self.rng.random() < 0.4:
            return f"{name} in {self.set_of(values)}"
        return f'{name} {self.rng.choice(["==", "!="])} "{self.rng.choice(values)}"'

    def set_of(self, values):
        chosen = self.rng.sample(values, self.rng.randint(1, len(values)))
        return "{" + ", ".join(f'"{v}"' for v in chosen) + "}"

    def number_atom(self):
        names = self.columns_of("int", "real")
        if not names:
            return None
        rng = self.rng
        name = rng.choice(names)
        column = self.columns[name]
        kind = rng.random()
        if column.get("unit"):
            return self.unit_atom(name, column, kind)
        left = self.expression(name) if kind < 0.3 else name
        whole = column["type"] == "int" and left == name
        if kind > 0.9 and whole:
            return f"{left} in {{{', '.join(str(n) for n in sorted(rng.sample(range(8), 3)))}}}"
        if kind > 0.75:
            return f"{left} in {self.interval(whole)}"
        if kind > 0.68:
            return f"within({left}, {self.literal(False)}, {self.literal(False)})"
        if whole and kind > 0.5:
            return f"{left} {rng.choice(['==', '!='])} {rng.randint(0, 7)}"
        right = self.expression(rng.choice(self.bare_numbers())) if kind < 0.1 else self.literal(whole)
        return f"{left} {rng.choice(['<', '<=', '>', '>='])} {right}"

    def unit_atom(self, name, column, kind):
        unit = f" [{column['unit']}]"
        low, high = sorted([self.literal(False), self.literal(False)], key=float)
        if kind > 0.8:
            return f"{name} in [{low}{unit}, {high}{unit}" + ("]" if low == high else ")")
        return f"{name} {self.rng.choice(['<', '<=', '>', '>='])} {low}{unit}"

    def bare_numbers(self):
        return [name for name in self.columns_of("int", "real") if not self.columns[name].get("unit")]

    def expression(self, name):
        rng = self.rng
        other = rng.choice([rng.choice(self.bare_numbers()), self.literal(False), self.literal(True)])
        form = rng.choice(["{a} + {b}", "{a} - {b}", "{a} * {b}", "{a} / {b}", "-{a}", "({a} + {b}) / 3", "2 * {a} - {b}"])
        text = form.format(a=name, b=other)
        return f"({text})" if rng.random() < 0.3 else text

    def interval(self, whole):
        low, high = sorted([self.literal(whole), self.literal(whole)], key=float)
        ends = self.rng.choice("[(") + self.rng.choice("])") if low != high else "[]"  # nothing lies in (2, 2): that is refused
        return f"{ends[0]}{low}, {high}{ends[1]}"

    def literal(self, whole):
        return str(self.rng.randint(0, 7)) if whole else str(self.rng.choice([0.1, 0.5, 1.25, 2.0, 2.7, 3.3, 4.0, 5.5, 6.1]))

    def fraction(self):
        return str(self.rng.randint(0, 16) / 16)  # float32 holds it

    def engine_atom(self, each):
        rng, engine = self.rng, each or self.rng.choice(self.engines)
        classes = self.world.engines[engine if each is None else self.each_example]["classes"]
        kind = rng.random()
        if kind < 0.4:
            return f'{engine}.label {rng.choice(["==", "==", "!="])} "{rng.choice(classes)}"'
        if kind < 0.5:
            return f"{engine}.label in {self.set_of(classes)}"
        if kind < 0.56 and each is None and len(self.engines) > 1:
            return f"{engine}.label {rng.choice(['==', '!='])} {rng.choice([e for e in self.engines if e != engine])}.label"
        attribute = rng.choice(["confidence", "typicality", f'probability["{rng.choice(classes)}"]'])
        if kind > 0.9:
            low, high = sorted([self.fraction(), self.fraction()], key=float)
            return f"{engine}.{attribute} in [{low}, {high}]"
        return f"{engine}.{attribute} {rng.choice(['<', '<=', '>', '>='])} {self.fraction()}"

    def judged_atom(self, each):
        return f"{each or self.rng.choice(self.engines)}.judged"

    def aggregate_atom(self):
        rng, panel = self.rng, self.rng.choice(self.panels)
        members = self.world.engines_under(panel)
        compare = rng.choice(["<", "<=", ">", ">="])
        if rng.random() < 0.6:
            common = [e for e in members if self.world.engines[e]["classes"] == self.world.engines[members[0]]["classes"]]
            self.each_example = members[0]
            inner = self.atom("each") if len(common) == len(members) else rng.choice(["each.judged", "each.confidence > 0.5"])
            if rng.random() < 0.25:
                inner = f"{inner} and {rng.choice(['each.typicality > 0.25', 'not each.judged', self.known_atom()])}"
            return f"count({panel}, {inner}) {rng.choice([compare, '==', '!='])} {rng.randint(0, len(members))}"
        return f"{rng.choice(['min', 'max', 'mean'])}({panel}.{rng.choice(['confidence', 'typicality'])}) {compare} {self.fraction()}"

    def agree_atom(self):
        panel = self.rng.choice(self.panels)
        classes = {tuple(sorted(self.world.engines[e]["classes"])) for e in self.world.engines_under(panel)}
        return f"agree({panel})" if len(classes) == 1 else None

    def finding_atom(self):
        panel, question = self.rng.choice(self.findings)
        findings = self.world.findings[question]
        if self.rng.random() < 0.3:
            return f"{panel}.{question} in {self.set_of(findings)}"
        return f'{panel}.{question} {self.rng.choice(["==", "!="])} "{self.rng.choice(findings)}"'


def typing_error(rng, world):
    """A text that is no condition, by one mistake that both must refuse."""
    engine = rng.choice(list(world.engines))
    mistakes = [
        "", "(", "a >", "a > 1)", "a > 1 or", "nosuch > 1", "a = 1", "a => 1", "a & 1", 'a == "x"', 'a > "1"', "sex > 1", "sex + 1 > 2",
        "x == 1", "x == 1.5", "x != 2.0", "a == 1.5", "a", "a + 1", "1", "not a", "a and a > 1", 'sex == 1', "flag > 1", "flag == true",
        "known(1)", "known(nosuch)", "known(a > 1)", "within(x, sex, 1)", "x in [1, 2", 'x in {"a"}', "sex in [1, 2]",
        f'{engine}.labl == "none"', f'{engine}.label == "nosuch"', f"{engine}.label > 0.5", f"{engine}.confidence", f"{engine}.judged > 0",
        f'{engine}.probability["nosuch"] > 0.5', f"{engine} == 1", 'nobody.label == "none"',
        "count(root, each.judged)", "count(root, each.confidence) > 1", "count(nosuch, each.judged) > 1", "1 < count(root, each.judged)",
        "count(root, each.judged) > count(root, each.judged)", "count(root, each.judged) > a", "each.judged", "min(root.label) > 0.5",
        "min(root.confidence) == 0.5", "mean(root) > 0.5", "agree(nosuch)", "agree(root) > 1", "a > 1 if flag else a > 2", "a < 1 < 2",
        "lambda: flag", "a ** 2 > 1", "a // 2 > 1", "a % 2 > 1", "flag is true", "flag ? 1 : 2", "a > 1;", "f(a) > 1", "evidence.nosuch > 1", "evidence > 1", "known(evidence)", "sex in {}", "a in {1.5}", "a in {x}", "flag in {1}",
    ]
    return rng.choice(mistakes)


_TOKEN = re.compile(r'"[^"]*"|[A-Za-z_][A-Za-z_0-9]*|[0-9]+(?:\.[0-9]+)?|[<>=!]=|[^\s]')


def mutated(rng, text, world):
    """A condition with a token left out, doubled, exchanged with its neighbour or replaced: mostly none any more."""
    tokens = _TOKEN.findall(text)
    for _ in range(rng.choice([1, 1, 2])):
        at = rng.randrange(len(tokens))
        kind = rng.randrange(4)
        if kind == 0 and len(tokens) > 1:
            del tokens[at]
        elif kind == 1:
            tokens.insert(at, tokens[at])
        elif kind == 2 and at + 1 < len(tokens):
            tokens[at], tokens[at + 1] = tokens[at + 1], tokens[at]
        else:
            words = [*world.columns, *world.engines, "and", "or", "not", "in", "<", ">=", "==", "(", ")", "[", "]", "{", "}", ",", "+", "-", "*",
                     "/", "1", "2.5", '"none"', "true", "known", "count", "min", "agree", "within", "root", "each", ".", "label", "confidence"]
            tokens[at] = rng.choice(words)
    return re.sub(r" ?\. ?", ".", " ".join(tokens))
