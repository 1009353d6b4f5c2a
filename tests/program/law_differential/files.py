"""A World as the product reads it: law.yaml and critical.yaml, and the request to the probe. JSON is YAML."""

import json

_RULE_KEYS = ("id", "when", "then", "panel", "overrides", "status", "suspended_where")


def write(world, folder):
    """law.yaml and critical.yaml."""
    groups = {}
    for name, engine in world.engines.items():
        groups.setdefault(engine.get("group"), []).append(name)
    law = {
        "law": 1, "name": "random", "critical": "critical.yaml", "questions": world.questions,
        "incompatible": world.incompatible, "laws": world.laws, "panels": world.panels,
        "rules": [{key: rule[key] for key in _RULE_KEYS if key in rule} for rule in world.rules], "links": world.links,
        "independence": [members for name, members in groups.items() if name and len(members) > 1],
        "route": {"home": world.home, "broaden": world.broaden, "max_rounds": world.max_rounds},
    }
    critical = [{"finding": finding, **entry} for finding, entry in world.critical.items()]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "law.yaml").write_text(json.dumps(law, indent=1))
    (folder / "critical.yaml").write_text(json.dumps({"critical": 1, "findings": critical}, indent=1))
    return folder / "law.yaml"


def request(world, cases, law):
    """One line for the probe."""
    columns = [{"name": name, **{key: column[key] for key in ("type", "unit", "values", "evidence") if key in column}} for name, column in world.columns.items()]
    engines = [{"name": name, **engine} for name, engine in world.engines.items()]
    return json.dumps({
        "law": str(law), "heeds": world.heeds, "columns": columns, "engines": engines,
        "cases": [{"columns": [_cell(world.columns[name], case["columns"][name]) for name in world.columns],
                   "judgments": [_word(world.engines[name], case["judgments"][name]) for name in world.engines]} for case in cases],
    })


def _cell(column, value):
    if value is None:
        return None
    if column["type"] == "text":
        return column["values"].index(value) if value in column["values"] else "invalid"
    if column["type"] == "bool":
        return int(value) if value < 2 else "invalid"
    low, high = column.get("range", (value, value))
    return value if low <= value <= high else "invalid"


def _word(engine, judgment):
    if judgment["status"] in ("absent", "inactive"):
        return {"status": judgment["status"]}
    return {"status": judgment["status"], "label": engine["classes"].index(judgment["label"]), "typicality": judgment["typicality"],
            "probability": [judgment["probability"][c] for c in engine["classes"]]}
