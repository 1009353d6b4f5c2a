#!/usr/bin/env bash
# cppcheck over the programs' sources. What it is told to pass over stands in cppcheck.txt, each with its reason: a line without one
# above it is refused. A source that passed is not looked at again until it or a header changes.
# Usage: check_cppcheck.sh BUILD
set -euo pipefail
passed=$(cd "$1" && pwd)/cppcheck-passed
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
list=tests/style/cppcheck.txt
if ! command -v cppcheck >/dev/null; then
  echo "SKIPPED: cppcheck is not here (Debian's package cppcheck)"
  exit 77
fi
awk '/^$/ { reason = 0 } /^#/ { reason = 1; next } NF && !reason { print FILENAME ":" NR ": without a reason: " $0; bad = 1 } END { exit bad }' "$list"
mkdir -p "$passed"
cppcheck --std=c++20 --language=c++ --enable=warning,performance,portability --inline-suppr --error-exitcode=1 --quiet -j "$(nproc)" \
  --cppcheck-build-dir="$passed" --suppressions-list="$list" --template='{file}:{line}:{column}: {severity}: {message} [{id}]' -I src -I . src mpi
echo "cppcheck has nothing to say of src and mpi"
