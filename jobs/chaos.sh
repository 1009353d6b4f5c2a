#!/usr/bin/env bash
# Kills runs at random moments, 200 of them, and checks that every one comes to the results of an undisturbed run all the same. Prints
# a table: what was tried, survived and lost, resumes with equal bits, equal roots, and the time to recover.
# Usage: jobs/chaos.sh [RUNS [SEED]]     HIPLE_BIN_DIR names the folder of the programs; by default build/release/bin.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export HIPLE_BIN_DIR=${HIPLE_BIN_DIR:-$root/build/release/bin}
exec /usr/bin/python3 "$root/tests/program/chaos/chaos.py" --runs "${1:-200}" --seed "${2:-1}"
