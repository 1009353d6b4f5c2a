"""docs/architecture.md against the code: layers, files of a run, data sets."""

import os
import re
from pathlib import Path

import layers

ROOT = Path(os.environ["HIPLE_SOURCE_DIR"])
PAGE = (ROOT / "docs" / "architecture.md").read_text()


def test_every_folder_stands_at_its_layer():
    stated = {path.split("/")[-1]: int(layer) for layer, path in re.findall(r"^\| (\d) \| ([\w/]+) \|", PAGE, re.MULTILINE)}
    assert stated == layers.LAYER


def test_every_file_of_a_run_is_there():
    text = (ROOT / "src" / "run" / "run_directory.hpp").read_text()
    names = set(re.findall(r' / "([\w.]+)"', text))
    assert "STATUS" in names
    assert {name for name in names if name not in PAGE} == set()


def test_every_data_set_is_there():
    names = set()
    for source in ("src/judgment/judgment.cpp", "src/judgment/index.cpp", "src/law/decision_writer.cpp",
                   "src/engine/checkpoint_writing.cpp", "mpi/ledger/ledger_file.cpp", "mpi/ledger/timeline_file.cpp"):
        text = (ROOT / source).read_text()
        names |= set(re.findall(r'(?:\b(?:write|append)(?:_column|_texts)?(?:<[\w:]+>)?\((?:file, )?|\bbytes\()"([\w/]+)"', text))
        names |= set(re.findall(r'\battribute(?:<[\w:]+>)?\((?:group|"/"), "(\w+)"', text))
    assert {"case_id", "law/rules/id", "/calls/bytes_sent", "temperature"} <= names, names
    words = set(re.findall(r"\w+", PAGE))
    assert {name for name in names if not set(name.strip("/").split("/")) <= words} == set()
