"""What simulations say to the claims: HOLDS IN SIMULATION where nothing was measured, a sentence beside a verdict that was. What contradicts a
claim is said, and is no FAILS: the error of a simulation at scale is unknown."""

from simulated_plan import SIZES
from verdict import HOLDS_SIMULATED, NOT_SHOWN, counted


SMALL = SIZES["1e7"]


def last_step(line):
    return line["result"]["step_seconds"][-1]


def of(lines, scenario, strategy, size=SMALL):
    """{ranks: line}"""
    return {line["configuration"]["ranks"]: line for line in lines
            if line["configuration"]["scenario"] == scenario and line["configuration"]["strategy"] == strategy
            and line["configuration"]["widths"] == size}


def tell(verdict, holds, figure, interval, sentence):
    verdict.sentences.append(sentence)
    if verdict.verdict == NOT_SHOWN and not verdict.figure and holds:
        verdict.verdict, verdict.figure, verdict.interval = HOLDS_SIMULATED, figure, interval


def add_step(verdict, lines):
    """C4: the same rows in all, on twice as many ranks."""
    steps = {ranks: last_step(line) for ranks, line in of(lines, "strong", "ddp").items()}
    factors = {2 * ranks: steps[2 * ranks] / seconds for ranks, seconds in steps.items() if 2 * ranks in steps}
    if not factors:
        return
    slower = [ranks for ranks, factor in factors.items() if factor > 1]
    words = ", ".join(f"{ranks} {factor:.3f}" for ranks, factor in sorted(factors.items()))
    tell(verdict, min(factors.values()) > 0.5 and bool(slower), f"{min(factors.values()):.4g} times at least; {len(slower)} of {len(factors)} doublings slower",
         "deterministic",
         f"Simulated, ddp, the same rows on twice the ranks, up to: {words} times as long; slower from {min(slower)} ranks on." if slower else
         f"Simulated, ddp, the same rows on twice the ranks, up to: {words} times as long: none is slower, the crossover was not reached.")


def add_volume(verdict, lines):
    """C6: bytes of zero3 by those of ddp, at the same ranks."""
    ddp, third = of(lines, "weak", "ddp"), of(lines, "weak", "zero3")
    ratios = {ranks: third[ranks]["result"]["bytes"] / line["result"]["bytes"] for ranks, line in ddp.items() if ranks in third}
    if ratios:
        low, high = min(ratios.values()), max(ratios.values())
        tell(verdict, False, "", "", f"Simulated on {', '.join(map(str, sorted(ratios)))} ranks, zero3 sends {low:.4g} to {high:.4g} times the bytes of ddp.")


def add_straggler(verdict, lines):
    """C19: the step of those that are not slow."""
    parts = []
    for strategy in ("hiple", "ddp", "zero3"):
        plain, slow = of(lines, "weak", strategy), of(lines, "straggler", strategy)
        for ranks, line in slow.items():
            if ranks in plain:
                parts.append(f"{strategy} {line['result']['others_step_seconds'][-1] / last_step(plain[ranks]):.3f} times as long on {ranks} ranks")
    if parts:
        verdict.sentences.append(f"Simulated, one rank half as fast, the others' step: {'; '.join(parts)}.")


def add(verdicts, lines):
    if not lines:
        return
    for claim, work in (("C4", add_step), ("C6", add_volume), ("C19", add_straggler)):
        work(verdicts[claim], lines)
    errors = [line for line in lines if line["configuration"]["measured"] and not line["configuration"]["measured"]["shares_cores"]]
    if errors:
        worst = max(errors, key=lambda line: abs(last_step(line) / line["configuration"]["measured"]["step_seconds"] - 1))
        share = last_step(worst) / worst["configuration"]["measured"]["step_seconds"]
        verdicts["C4"].sentences.append(f"The simulation was held against {counted(len(errors), 'configuration')} measured on two hosts: {share:.3f} times what was "
                                        f"measured at worst ({worst['configuration']['measured']['id']}). At scale its error is unknown.")
