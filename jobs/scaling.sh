#!/usr/bin/env bash
# Measures a scaling study and draws it, on this machine or inside any scheduler's allocation. What was measured before counts, so
# that an interrupted study goes on. Prints the folder of the results; report.md in it says what holds and what does not.
# Usage: jobs/scaling.sh STUDY.yaml [--host LABEL] [--results DIR] [--ranks N] [--part NAME] [--order-seed N]
#        jobs/scaling.sh --draw DIR
#   --host LABEL     this machine's name in the folder's: scaling/results/DATE_LABEL_REVISION
#   --results DIR    another folder
#   --ranks N        only the configurations of N ranks, and no figures: for one job of several
#   --part NAME      write records-NAME.jsonl: for jobs that share a folder
#   --without-ceilings   no micro-benchmarks: figures without bounds
#   --draw DIR       figures and report alone, from what is measured
# Exit status: 0 done; 2 the input is wrong, nothing was started; 3 measured in part (skipped, failed or out of time); 1 anything else.
# HIPLE_BIN_DIR names the folder of the programs; by default build/release/bin.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
study=$root/scaling/study/study.py
python=/usr/bin/python3 # Debian's: numpy and matplotlib belong to it
usage() { sed -n '4,14s/^# //p' "${BASH_SOURCE[0]}" >&2; exit 2; }

[ $# -ge 1 ] || usage
if [ "$1" = --draw ]; then
  [ $# -eq 2 ] || usage
  exec "$python" "$study" draw "$2"
fi
whole=yes
for word in "$@"; do case $word in --ranks | --ranks=* | --part | --part=*) whole= ;; -h | --help) usage ;; esac; done
status=0
results=$("$python" "$study" run "$@") || status=$?
case $status in 0 | 3) ;; *) exit "$status" ;; esac
if [ -n "$whole" ]; then "$python" "$study" draw "$results"; fi
echo "$results"
exit "$status"
