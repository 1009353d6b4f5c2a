"""The executable reference of the law, law_reference.py: it belongs to the design, not to this project. Evidence is added to it here."""

import importlib.util
import os
from pathlib import Path

import pytest

from evidence_reference import extend

_PROJECT = Path(__file__).resolve().parents[3]


def load_reference():
    """From $HIPLE_DESIGN_DIR, else ../shared/design beside the project. Skips, with the reason, where it is not there."""
    folder = Path(os.environ.get("HIPLE_DESIGN_DIR") or _PROJECT.parent / "shared" / "design")
    path = folder / "law_reference.py"
    if not path.is_file():
        pytest.skip(f"NOT TESTED: the law against its reference: no {path}; set HIPLE_DESIGN_DIR")
    spec = importlib.util.spec_from_file_location("law_reference", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return extend(module)
