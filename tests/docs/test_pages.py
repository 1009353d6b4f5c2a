"""Pages whose commands a reader types are typed here, from top to bottom, in an empty folder.

A block whose first line is `# NAME` is that file; `# NAME, above "LINE"` goes into that file, above that line; a block of `sh` is typed line
by line, and each line ends with 0, or with what it says in `# exit status N`."""

import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from launching import BIN, PATIENCE, ROOT, environment  # noqa: E402

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def keep(folder, block):
    """Writes the file that the block is, or says that it is none."""
    first, _, rest = block.partition("\n")
    named = re.fullmatch(r"# ([\w.-]+)(?:, above \"(.*)\")?", first)
    if not named:
        return False
    file, line = folder / named[1], named[2]
    if line is None:
        file.write_text(block, encoding="utf-8")
        return True
    text = file.read_text(encoding="utf-8")
    assert text.count(f"\n{line}\n") == 1, f"{named[1]} has no line, or several, that are {line!r}"
    file.write_text(text.replace(f"\n{line}\n", f"\n{rest}{line}\n"), encoding="utf-8")
    return True


def type_line(folder, line):
    expected = re.search(r"# exit status (\d+)", line)
    where = environment(PATH=os.pathsep.join([str(BIN), os.environ["PATH"]]))
    done = subprocess.run(["bash", "-c", line], cwd=folder, env=where, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == int(expected[1] if expected else 0), f"{line}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def tutorial(tmp_path_factory):
    """The folder, and what each line of the tutorial printed."""
    folder, printed, files = tmp_path_factory.mktemp("tutorial"), {}, 0
    for language, block in BLOCK.findall((ROOT / "docs/tutorial.md").read_text(encoding="utf-8")):
        if language == "sh":
            for line in filter(None, block.splitlines()):
                printed[line.split("  #")[0].strip()] = type_line(folder, line)
        else:
            assert keep(folder, block), f"a block of {language} that is no file:\n{block}"
            files += 1
    assert files >= 7 and len(printed) >= 8, "the page has lost its blocks"
    return folder, printed


def test_its_data_fail_the_gate_that_it_says(tutorial):
    report = tutorial[1]["hiple gates runs/turbines"]
    assert re.search(r"^NOT TRUSTED: cbr, boundaries$", report, re.MULTILINE)
    recalled, of = map(int, re.search(r"^cbr +(\d+)/(\d+) ", report, re.MULTILINE).groups())
    assert 140 <= of <= 180 and 0.7 < recalled / of < 0.9, "about 160, four of five"
    assert re.search(r"^cmr_silent +0/", report, re.MULTILINE)


def test_the_link_passes_it(tutorial):
    _, printed = tutorial
    assert "\nTRUSTED: every gate is passed" in printed["hiple gates runs/turbines-2"]
    assert "identical" in printed["hiple replay runs/turbines-2"]
    assert "rotor" in printed["hiple law diff law-before.yaml law.yaml --run runs/turbines"]


def test_the_example_reads_a_run(tutorial):
    run = tutorial[0] / "runs/turbines-2"
    words = [sys.executable, ROOT / "docs/examples/read_run.py", run, "--figure", tutorial[0] / "curves.png"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr
    sys.path.insert(0, str(ROOT / "docs/examples"))
    import read_run
    decided, status = read_run.decisions(run), json.loads((run / "STATUS").read_text(encoding="utf-8"))
    counts = decided["status"].value_counts()
    assert [counts.get(name, 0) for name in ("decide", "abstain", "escalate")] == [status[name] for name in ("decided", "abstained", "escalated")]
    worn = decided[(decided["question"] == "gearbox") & (decided["finding"] == "worn")]
    said = read_run.judgments(run, "gearbox").set_index("case")["p(worn)"]
    assert len(worn) > 1000 and set(worn["rule"]) == {"G-1"} and (said[worn["case"]] >= 0.5).all()
    assert f"{len(worn)}" in done.stdout and (tutorial[0] / "curves.png").stat().st_size > 10000
    assert list(read_run.training(run, "rotor")["epoch"])[0] == 1
    empty = subprocess.run([*words[:2], tutorial[0]], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert empty.returncode == 1 and "holds no decisions.h5" in empty.stderr


@pytest.mark.parametrize("page", sorted(path.relative_to(ROOT) for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]), ids=str)
def test_links_between_pages_lead_somewhere(page):
    text = re.sub(r"```.*?```", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)\s]*)?\)", text):
        if "://" not in target:
            assert (ROOT / page).parent.joinpath(target).exists(), f"{page} links to {target}"
