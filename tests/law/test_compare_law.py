"""CLIPS finds the same rules true: another program's reading of the same conditions."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(os.environ["HIPLE_SOURCE_DIR"])


def test_clips_finds_the_same_rules_true():
    if shutil.which("clips") is None:
        pytest.skip("NOT TESTED: the law against CLIPS: it is not installed; scaling/peers/install_clips.sh")
    bench = os.path.join(os.environ["HIPLE_BIN_DIR"], "hiple-bench-law")
    run = subprocess.run([sys.executable, ROOT / "scaling/peers/compare_law.py", "--bench", bench, "--cases", "2000", "--repeat", "1"],
                         capture_output=True, text=True, check=False, timeout=200)
    assert run.returncode == 0, run.stdout + run.stderr
    result = json.loads(run.stdout)
    counts = result["hiple"]["sample"]["true"]
    assert len(counts) == 20 and sum(0 < count < 2000 for count in counts.values()) >= 15
    assert set(result) == {"format", "version", "hiple", "clips", "times_clips"}
