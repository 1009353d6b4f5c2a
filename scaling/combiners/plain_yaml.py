"""Reads YAML and writes it again without changing what stands in it: a scalar without quotes stays as it was typed (1e-3, 010, yes),
whatever Python would make of it."""

import json
import re

import yaml

NEEDS_NO_QUOTES = re.compile(r"[\w.+~-]+")


class Plain(str):
    """A scalar that was written without quotes."""


def construct(node):
    if isinstance(node, yaml.MappingNode):
        return {construct(key): construct(value) for key, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [construct(each) for each in node.value]
    return str(node.value) if node.style else Plain(node.value)


def read(path):
    return construct(yaml.compose(path.read_text(encoding="utf-8"), Loader=yaml.SafeLoader))


def text_of(value):
    """On one line, as JSON is written."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{text_of(str(key))}: {text_of(each)}" for key, each in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(text_of, value)) + "]"
    if isinstance(value, Plain) and NEEDS_NO_QUOTES.fullmatch(value):  # what else was plain can only have been a text
        return str(value)
    return json.dumps(value, ensure_ascii=False)


def write(path, document):
    """The document's keys, and the entries of its lists, each on a line of its own."""
    lines = []
    for key, value in document.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            lines += [f"{key}:", *(f"  - {text_of(each)}" for each in value)]
        else:
            lines.append(f"{key}: {text_of(value)}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
