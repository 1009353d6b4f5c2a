#!/usr/bin/python3
"""Runs those tests that the claims rest on, and keeps in FOLDER/suite.json what became of each, with the revision that was built.

    scaling/study/suite.py FOLDER [--build build/release] [--only TEST...]

Exit status: 0 every test passed, 1 one failed, 2 the input is wrong, 3 one was skipped."""

import argparse
import datetime
import json
import pathlib
import platform
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

import claims_tests
from plan import ROOT, BadInput, revision


def statuses(junit):
    """{test: passed, failed or skipped} of what CTest wrote."""
    found = {}
    for case in xml.parse(junit).getroot().iter("testcase"):
        skipped = case.find("skipped") is not None or case.get("status") in ("notrun", "disabled")
        found[case.get("name")] = "skipped" if skipped else "failed" if case.find("failure") is not None or case.get("status") == "fail" else "passed"
    return found


def run(build, names):
    if not (build / "CTestTestfile.cmake").is_file():
        raise BadInput(f"{build}: no build with tests (build it with jobs/setup.sh)")
    with tempfile.TemporaryDirectory() as folder:
        junit = pathlib.Path(folder) / "junit.xml"
        words = ["ctest", "--test-dir", str(build), "--output-junit", str(junit), "-R", "^(" + "|".join(name.replace(".", "[.]") for name in names) + ")$"]
        subprocess.run(words, stdout=sys.stderr, check=False)
        return statuses(junit) if junit.is_file() else {}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--only", nargs="+", choices=claims_tests.every_test(), metavar="TEST", help="some of them")
    options = parser.parse_args()
    names = options.only or claims_tests.every_test()
    try:
        built, started = revision(), datetime.datetime.now(datetime.timezone.utc)
        found = run(options.build.resolve(), names)
    except BadInput as error:
        print(error, file=sys.stderr)
        return 2
    missing = [name for name in names if name not in found]
    if missing:
        print(f"{options.build}: has no test {', '.join(missing)}", file=sys.stderr)
        return 2
    options.folder.mkdir(parents=True, exist_ok=True)
    record = {"format": "hiple test suite", "version": 1, "revision": built, "host": platform.node(), "kernel": platform.release(),
              "started": f"{started:%Y-%m-%dT%H:%M:%SZ}", "tests": found}
    (options.folder / "suite.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    print(options.folder / "suite.json")
    return 1 if "failed" in found.values() else 3 if "skipped" in found.values() else 0


if __name__ == "__main__":
    sys.exit(main())
