#!/usr/bin/env bash
# Sets up as the quickstart does, then runs every test. Exit status 0 only if tests ran and all passed.
# Usage: tests/run.sh [--fast | --all]     --fast leaves out the tests labelled `slow`, and those of minutes each, labelled `long`;
# --all adds clang-tidy over every source, which takes as long as all the rest when nothing is cached
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
case ${1:-} in
  "") labels=(--label-exclude tidy) ;;
  --fast) labels=(--label-exclude 'slow|long|tidy') ;;
  --all) labels=() ;;
  *) sed -n '3,4s/^# //p' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
esac

"$root/jobs/setup.sh" --tests release
cd "$root"
echo "== testing build/release"
ctest --preset release --parallel 2 "${labels[@]}"
echo "== all tests passed"
