"""Every header compiles alone, with the flags of its own folder.

A header that some source includes first has been compiled alone already, by the build; the others are compiled here.
"""

import json
import os
import shlex
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import layers

ROOT = Path(os.environ["HIPLE_SOURCE_DIR"])
BUILD = Path(os.environ["HIPLE_BIN_DIR"]).parent
WORK = BUILD / "headers"


def flags():
    """For each folder the compile command of one of its sources, without source, output and dependency files."""
    commands = {}
    for entry in json.loads((BUILD / "compile_commands.json").read_text()):
        source = Path(entry["file"])
        if ROOT not in source.parents or source.suffix != ".cpp":
            continue
        parts = source.relative_to(ROOT).parts
        folder = "/".join(parts[:2]) if parts[0] == "src" else parts[0]
        words = shlex.split(entry["command"])
        kept, skip = [], False
        for word in words:
            if skip or word in ("-o", "-MT", "-MF", "-c"):
                skip = word in ("-o", "-MT", "-MF", "-c")
            elif word not in ("-MD", "-O3", "-O2"):
                kept.append(word)
        # The command with the most include folders knows the most third parties.
        if len(kept) > len(commands.get(folder, [])):
            commands[folder] = kept
    return commands


def header_name(header):
    return str(header.relative_to(ROOT / "src" if header.is_relative_to(ROOT / "src") else ROOT))


def compiled_first():
    """Headers that are the first include of a source that the build compiles."""
    first = set()
    for entry in json.loads((BUILD / "compile_commands.json").read_text()):
        source = Path(entry["file"])
        if ROOT in source.parents and source.is_file():
            first.update(name for _, name, quoted in list(layers.includes(source))[:1] if quoted)
    return first


def compile_alone(task):
    header, command = task
    name = header_name(header)
    source = WORK / (name.replace("/", "__") + ".cpp")
    text = f'#include "{name}"\n'
    if not source.is_file() or source.read_text() != text:
        source.write_text(text)
    result = subprocess.run([*command, "-c", source, "-o", source.with_suffix(".o")], capture_output=True, text=True)
    return None if result.returncode == 0 else f"{name}:\n{result.stderr[:2000]}"


def headers():
    """Highway's per-target code is included once for each instruction set, on purpose and with a guard of its own."""
    for _, path in layers.folders(ROOT):
        yield from (header for header in sorted(path.rglob("*.hpp")) if not header.name.endswith("-inl.hpp"))


def test_every_header_guards_itself():
    unguarded = [header_name(h) for h in headers() if "#pragma once" not in h.read_text()]
    assert unguarded == []


def test_every_header_compiles_alone():
    WORK.mkdir(exist_ok=True)
    known = flags()
    most = max(known.values(), key=len)
    tasks = []
    for header in headers():
        parts = header.relative_to(ROOT).parts
        folder = "/".join(parts[:2]) if parts[0] == "src" else parts[0]
        tasks.append((header, known.get(folder, most) + [f"-I{ROOT}"]))
    assert len(tasks) > 20
    done = compiled_first()
    tasks = [task for task in tasks if header_name(task[0]) not in done]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        failures = [failure for failure in pool.map(compile_alone, tasks) if failure]
    assert not failures, "\n".join(failures)
