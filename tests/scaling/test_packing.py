"""The benchmark of engines side by side runs, and says what it measured in a form that stays."""

import json
import subprocess
import sys

from conftest import PATIENCE, ROOT, environment


def test_what_it_measures(tmp_path):
    script, figures = ROOT / "scaling/benchmarks/packing.py", tmp_path / "figures.json"
    words = ["--engines", "3", "--at-once", "2", "--pairs", "2", "--epochs", "1", "--output", figures]
    done = subprocess.run([sys.executable, script, *words], capture_output=True, text=True, timeout=PATIENCE, env=environment(), check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "all judgments have the same bytes" in done.stdout
    told = json.loads(figures.read_text())
    assert (told["format"], told["version"], told["engines"], told["at_once"]) == ("hiple packing", 1, 3, 2)
    assert len(told["seconds_one_after_another"]) == len(told["seconds_at_once"]) == 2 and told["times"] > 0
    assert told["interval"] == [None, None], "two pairs give no interval"
