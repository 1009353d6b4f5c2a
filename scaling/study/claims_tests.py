"""The claims that are exact, and checked by tests: C10, C12 and C20, from the results of the test suite (suite.py)."""

from verdict import FAILS, HOLDS, NOT_SHOWN, Verdict, counted

TESTS = {
    "C10": ("layers.includes", "layers.symbols"),
    "C12": ("program.add_engine", "program.add_engine_survives"),
    "C20": ("program.law_replay", "program.law_premises", "program.study_milling"),
}
# What no test shows of such a claim: then it is not shown as a whole.
LACKING = {"C10": "What a running law holds in memory was not counted: the tests are of what it includes and is linked with."}
# What tests show of claims that are judged by figures; without those of NEEDED such a claim is shown in part only.
NEEDED = {"C19": "a stopped and a dead rank"}
BESIDE = {"C9": ("scaling.proof",), "C11": ("program.revise", "program.revise_survives"), "C19": ("scaling.proof", "survive.stopped", "survive.faults")}


def every_test():
    return sorted({name for names in (*TESTS.values(), *BESIDE.values()) for name in names})


def outcome(names, suites):
    """(those that passed, those that failed, those that nobody ran)"""
    statuses = {name: [suite["tests"][name] for suite in suites if name in suite["tests"]] for name in names}
    failed = [name for name, found in statuses.items() if "failed" in found]
    passed = [name for name, found in statuses.items() if "passed" in found and name not in failed]
    return passed, failed, [name for name in names if name not in passed + failed]


def judge(suites):
    verdicts = []
    for claim, names in TESTS.items():
        result = Verdict(claim)
        passed, failed, missing = outcome(names, suites)
        if passed or failed:
            result.figure, result.interval = f"{len(passed)} of {counted(len(names), 'test')} passed", "exact"
        result.sentences += [f"Passed: {', '.join(passed)}."] if passed else []
        result.sentences += [f"Failed: {', '.join(failed)}."] if failed else []
        result.sentences += [f"Not run here: {', '.join(missing)}."] if missing else []
        if claim in LACKING and not failed:
            result.sentences.append(LACKING[claim])
        result.verdict = FAILS if failed else NOT_SHOWN if missing or claim in LACKING else HOLDS
        verdicts.append(result)
    return verdicts


def add_beside(verdicts, suites):
    """A sentence about the tests where figures judge; a test that failed is a claim that fails."""
    for claim, names in BESIDE.items():
        passed, failed, missing = outcome(names, suites)
        verdict = verdicts[claim]
        if passed:
            verdict.sentences.append(f"Tests that passed: {', '.join(passed)}.")
        if failed:
            verdict.verdict = FAILS
            verdict.sentences.append(f"Tests that failed: {', '.join(failed)}.")
        elif missing and claim in NEEDED and verdict.verdict == HOLDS:
            verdict.verdict = NOT_SHOWN
            verdict.sentences.append(f"What was measured HOLDS; of {NEEDED[claim]} nothing is shown, since these tests were not run here: "
                                     f"{', '.join(missing)} (scaling/study/suite.py).")
