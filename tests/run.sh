#!/usr/bin/env bash
# Sets up as the quickstart does, then runs every test. Exit status 0 only if tests ran and all passed.
# Usage: tests/run.sh [--fast]     --fast leaves out the tests labelled `slow`
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
case ${1:-} in
  "") labels=() ;;
  --fast) labels=(--label-exclude slow) ;;
  *) sed -n '3s/^# //p' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
esac

"$root/jobs/setup.sh" release
cd "$root"
echo "== testing build/release"
ctest --preset release --parallel 2 "${labels[@]}"
echo "== all tests passed"
