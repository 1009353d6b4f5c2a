#!/usr/bin/env bash
# Sets up as the quickstart does, then runs every test. Exit status 0 only if tests ran and all passed.
# Usage: tests/run.sh [--fast | --long | --all]     --fast leaves out the tests labelled `slow`; --long adds those that take minutes
# each (label `long`: chaos, restarts on a cluster, a whole small study); --all adds clang-tidy over every source too, which takes as
# long as all the rest when nothing is cached
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
case ${1:-} in
  "") labels=(--label-exclude 'long|tidy') ;;
  --fast) labels=(--label-exclude 'slow|long|tidy') ;;
  --long) labels=(--label-exclude tidy) ;;
  --all) labels=() ;;
  *) sed -n '3,5s/^# //p' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
esac

"$root/jobs/setup.sh" --slurm release
cd "$root"
echo "== testing build/release"
ctest --preset release --parallel 2 "${labels[@]}"
echo "== all tests passed"
