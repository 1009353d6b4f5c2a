"""Includes point down only, and a third party is known to its own folder alone."""

import functools
import os
import shutil
from pathlib import Path

import pytest

import layers

ROOT = Path(os.environ["HIPLE_SOURCE_DIR"])


def test_every_include_points_down():
    assert layers.problems(ROOT) == []


def test_the_scan_sees_the_sources():
    seen = {folder: sum(1 for p in path.rglob("*") if p.suffix in layers.SOURCES) for folder, path in layers.folders(ROOT)}
    assert all(seen[folder] > 0 for folder in ("base", "h5", "config", "table", "engine", "law", "data")), seen


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the sources, to plant something in."""
    copy = tmp_path_factory.mktemp("layers")
    for folder in ("src", "data", "mpi", "scaling"):
        shutil.copytree(ROOT / folder, copy / folder)
    return copy


def found_new(project):
    """What a planted thing adds to what is wrong anyway."""
    return [problem for problem in layers.problems(project) if problem not in wrong_anyway()]


@functools.cache
def wrong_anyway():
    return layers.problems(ROOT)


@pytest.mark.parametrize("planted_in, include", [
    ("src/law", '#include "engine/engine.hpp"'),
    ("src/engine", '#include "law/law.hpp"'),
    ("src/base", '#include "table/table.hpp"'),
    ("src/h5", '#include "config/yaml.hpp"'),
    ("src/table", '#include "judgment/judgment.hpp"'),
    ("src/gate", '#include "report/report.hpp"'),
    ("src/run", '#include "data/milling.hpp"'),
    ("src/law", '  #  include "engine/engine.hpp"'),
    ("src/law", '/* a comment */\n#include "engine/engine.hpp"'),
    ("src/engine", "#include <mpi.h>"),
    ("src/law", "#include <mpi.h>"),
    ("mpi", "#include <nccl.h>"),
    ("src/table", "#include <hdf5.h>"),
    ("src/engine", "#include <yaml-cpp/yaml.h>"),
    ("src/law", "#include <oneapi/dnnl/dnnl.hpp>"),
    ("src/h5", "#include <csv.h>"),
    ("src/base", "#include <boost/math/special_functions/beta.hpp>"),
    ("data", "#include <openssl/evp.h>"),
    ("src/base", "#include <some/stranger.hpp>"),
    ("src/law", "#include <law/law.hpp>"),
    ("src/law", '#include "law/absent.hpp"'),
])
def test_a_planted_include_is_found(project, planted_in, include):
    planted = project / planted_in / "planted.hpp"
    planted.write_text("#pragma once\n" + include + "\n")
    line = include.count("\n") + 2
    try:
        found = found_new(project)
    finally:
        planted.unlink()
    assert len(found) == 1 and found[0].startswith(f"{planted_in}/planted.hpp:{line}: "), found


def test_an_include_in_a_comment_is_none(project):
    planted = project / "src" / "law" / "planted.hpp"
    planted.write_text('// #include "engine/engine.hpp"\n/*\n#include "engine/engine.hpp"\n*/\n')
    try:
        assert found_new(project) == []
    finally:
        planted.unlink()


def test_a_folder_without_a_layer_is_found(project):
    stranger = project / "src" / "stranger"
    stranger.mkdir()
    try:
        assert found_new(project) == ["src/stranger: the folder has no layer in layers.py"]
    finally:
        stranger.rmdir()
