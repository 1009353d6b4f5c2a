"""Strategies on simulated ranks: bytes by the published formulas, what a straggler costs whom, what is refused, and the verdicts on it."""

import json
import os
import shutil
import subprocess

import judged
import pytest
import sample
import simulated_plan
import simulated_platform
import simulation
from conftest import BIN, ROOT
from plan import BadInput
from study_files import SIMULATION, StudyFiles
from verdict import HOLDS, HOLDS_SIMULATED, NOT_SHOWN

WIDTHS, ROWS = [64, 512, 512, 16], 16
NUMBERS = sum((inputs + 1) * outputs for inputs, outputs in zip(WIDTHS, WIDTHS[1:]))
needs_simgrid = pytest.mark.skipif(not shutil.which("smpirun") or not (BIN / "hiple-simulate").is_file(), reason="built without SimGrid")


def pieces(folder, rows=ROWS, slower=1.0):
    """Made by hand: a millisecond a layer and pass."""
    layers = [{"inputs": inputs, "outputs": outputs, "rows": rows, "multiply": 1e-3 * slower, "activate": 1e-5, "through_activation": 1e-5,
               "weight_row": 1e-3 * slower / outputs, "input": 1e-3 * slower} for inputs, outputs in zip(WIDTHS, WIDTHS[1:])]
    path = folder / "pieces.json"
    path.write_text(json.dumps({"format": "hiple pieces", "version": 1, "layers": layers, "adam": [{"numbers": 10**5, "seconds": 1e-9}],
                                "copy": 1e-10, "loss": 1e-9}))
    return path


def simulated(folder, strategy, ranks=4, variant="", **changed):
    one = simulated_plan.one("test", strategy, variant, ranks, ROWS * ranks, widths=WIDTHS, bucket=1 << 18, steps=3, **changed)
    return simulation.simulate(one, pieces(folder), BIN / "hiple-simulate", folder)


@needs_simgrid
@pytest.mark.parametrize("algorithm,ranks", [("halving", 4), ("ring", 3), ("ring", 4)])
@pytest.mark.parametrize("strategy,variant,volume", [("ddp", "overlap", 2.0), ("ddp", "naive", 2.0), ("zero1", "", 2.0), ("zero2", "", 2.0), ("zero3", "", 3.0)])
def test_bytes_are_the_formulas(tmp_path, strategy, variant, volume, algorithm, ranks):
    link = {"name": "1gbit", "bits_per_second": 1e9, "latency": 2e-5} if ranks == 3 else None  # around a switch
    found = simulated(tmp_path, strategy, ranks, variant, algorithm=algorithm, link=link)
    expected = volume * (ranks - 1) / ranks * 4 * NUMBERS
    assert found["bytes"] / 3 == pytest.approx(expected, rel=0.01)
    assert len(found["step_seconds"]) == 3 and all(step > compute for step, compute in zip(found["step_seconds"], found["compute_seconds"]))


@needs_simgrid
def test_engines_say_nothing_and_take_their_computing(tmp_path):
    found = simulated(tmp_path, "hiple")
    assert found["bytes"] == found["messages"] == 0
    assert found["step_seconds"] == pytest.approx(found["compute_seconds"])
    # Three layers: four passes of a millisecond, but the first has no gradient by its inputs.
    assert found["compute_seconds"][0] == pytest.approx(8e-3, rel=0.1)


@needs_simgrid
def test_an_overlap_hides_what_a_wait_shows(tmp_path):
    naive, overlap = (simulated(tmp_path, "ddp", variant=variant)["step_seconds"][-1] for variant in ("naive", "overlap"))
    assert overlap < naive


@needs_simgrid
def test_a_slow_rank_costs_whom_it_should(tmp_path):
    slow = {"straggler": {"rank": 1, "factor": 2.0}}
    for strategy, variant, factor in (("ddp", "overlap", 2.0), ("hiple", "", 1.0)):
        plain, found = simulated(tmp_path, strategy, variant=variant), simulated(tmp_path, strategy, variant=variant, **slow)
        assert found["others_step_seconds"][-1] / plain["step_seconds"][-1] == pytest.approx(factor, rel=0.1)
        assert found["compute_seconds"][-1] == pytest.approx(2 * plain["compute_seconds"][-1])


@needs_simgrid
def test_a_whole_run_has_its_parts(tmp_path):
    about = {**simulated_plan.RUN, "is_shared": False, "step_seconds": 0.01, "steps": 100, "write_bytes": 1e6, "write_share": 1.0}
    phases = simulated(tmp_path, "hiple", run=about)["phase_seconds"]
    assert phases[0] == pytest.approx(1.4) and phases[2] == pytest.approx(1.0)
    assert phases[1] == pytest.approx(200e6 / 2e9 + 4 * 3 / 20_000, rel=0.01)
    assert phases[4] > 1.0
    assert simulated(tmp_path, "ddp", variant="overlap", run={**about, "is_shared": True})["phase_seconds"][4] == 0


@needs_simgrid
def test_what_nobody_measured_is_named(tmp_path):
    one = simulated_plan.one("test", "ddp", "overlap", 4, 64, widths=[64, 100, 16])
    with pytest.raises(RuntimeError, match="nobody measured a layer of 64 inputs, 100 outputs and 16 rows"):
        simulation.simulate(one, pieces(tmp_path), BIN / "hiple-simulate", tmp_path)


def test_without_simgrid_one_line_says_so(tmp_path):
    (tmp_path / "bin").mkdir()
    for name in ("bash", "dirname", "sed"):
        (tmp_path / "bin" / name).symlink_to(shutil.which(name))
    done = subprocess.run([ROOT / "jobs/simulation.sh", tmp_path / "results"], capture_output=True, text=True, check=False,
                          env={**os.environ, "PATH": str(tmp_path / "bin")})
    assert done.returncode == 2 and len(done.stderr.strip().splitlines()) == 1
    assert "no SimGrid here: install libsimgrid-dev" in done.stderr


def test_a_tree_that_cannot_be_is_refused():
    with pytest.raises(ValueError, match="a fat tree of 3 hosts"):
        simulated_platform.fat_tree(3)


def test_too_few_ranks_are_refused():
    with pytest.raises(BadInput, match="the smallest simulation has 64 ranks"):
        simulated_plan.configurations(32)


def test_every_shape_of_the_plan_is_asked_for():
    shapes = {shape for one in simulated_plan.configurations(256) for shape in simulated_plan.shapes_of(one)}
    assert {"2976x2976x128", "9728x9728x128", "2976x2976x32", "2976x64x128", "2976x2976x320", "2976x2976x512"} <= shapes


def line(one, step, revision="abc123", **result):
    return {"format": "hiple simulation", "version": 1, "revision": revision, "configuration": one,
            "result": {"step_seconds": [step], "others_step_seconds": [step], "compute_seconds": [step / 2], "bytes": 100, "messages": 1, "phase_seconds": [],
                       **result}, "metadata": {"simgrid": "SimGrid", "wall_seconds": 1.0, "load": 1.0}}


def lines(steps, **words):
    return [line(simulated_plan.one("strong", "ddp", "overlap", ranks, 8192), step, **words) for ranks, step in steps.items()]


def verdicts(folder, found):
    (folder / SIMULATION).write_text("".join(json.dumps(one) + "\n" for one in found))
    return {verdict.id: verdict for verdict in judged.judge(StudyFiles(folder))}


@pytest.mark.parametrize("steps,expected", [
    ({64: 0.2, 128: 0.15, 256: 0.16}, HOLDS_SIMULATED), ({64: 0.2, 128: 0.15, 256: 0.12}, NOT_SHOWN), ({64: 0.2, 128: 0.09, 256: 0.1}, NOT_SHOWN)])
def test_verdicts_on_simulations(tmp_path, steps, expected):
    assert verdicts(tmp_path, lines(steps))["C4"].verdict == expected


def test_what_was_measured_outweighs_what_was_simulated(tmp_path):
    found = verdicts(sample.sample(tmp_path), lines({64: 0.2, 128: 0.05, 256: 0.16}))
    assert found["C4"].verdict == HOLDS and any("Simulated, ddp" in sentence for sentence in found["C4"].sentences)


def test_simulations_of_another_revision_are_refused(tmp_path):
    with pytest.raises(BadInput, match="abc123.*def456"):
        verdicts(sample.sample(tmp_path), lines({64: 0.2}, revision="def456"))


def test_damaged_lines_are_named(tmp_path):
    (tmp_path / SIMULATION).write_text("{}\n")
    with pytest.raises(BadInput, match="simulation.jsonl:1"):
        StudyFiles(tmp_path)
    (tmp_path / SIMULATION).write_text("{\n")
    with pytest.raises(BadInput, match="simulation.jsonl:1: the line is damaged"):
        StudyFiles(tmp_path)


def test_the_page_and_the_figures_are_made_of_the_lines(tmp_path):
    import simulated_report
    found = lines({64: 0.2, 128: 0.15, 256: 0.16})
    found += [line(simulated_plan.one("weak", strategy, variant, 64, 8192), 0.2) for strategy, variant in simulated_plan.STRATEGIES]
    found += [line(simulated_plan.whole_run(strategy, variant, 64), 0.0, phase_seconds=[2.0, 1.0, 95.0, 1.0, 1.0]) for strategy, variant in
              (("ddp", "overlap"), ("hiple", ""))]
    measured = {"id": "ddp_2", "revision": "abc123", "step_seconds": 0.4, "low": 0.3, "high": 0.5, "compute_seconds": 0.1, "shares_cores": False}
    found.append(line({**simulated_plan.one("against", "ddp", "overlap", 2, 128), "measured": measured}, 0.3))
    (tmp_path / SIMULATION).write_text("".join(json.dumps(one) + "\n" for one in found))
    written = simulated_report.write(tmp_path)
    page = (tmp_path / "simulation.md").read_text()
    for word in ("| hiple | 64 | 2 | 1 | 95 | 1 | 1 | 5.00 % |", "| ddp_2 | 400 [300, 500] | 300 | 0.750 |", "at scale it is unknown", "Failures (drawn"):
        assert word in page
    for name in ("simulated_steps", "simulated_runs", "simulated_error"):
        assert tmp_path / "figures" / f"{name}.png" in written and (tmp_path / "figures" / f"{name}.svg").stat().st_size > 5000
