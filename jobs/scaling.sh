#!/usr/bin/env bash
# Measures a scaling study and draws it, on this machine or inside any scheduler's allocation. What was measured before counts, so
# that an interrupted study goes on. Says at the start how long it will take; prints the folder of the results, in which report.md
# says what holds and what does not.
# Usage: jobs/scaling.sh STUDY.yaml [--host LABEL] [--results DIR] [--time-limit TIME] [--ranks N] [--part NAME] [--order-seed N]
#        jobs/scaling.sh --draw DIR
#        jobs/scaling.sh --judge DIR
#   --host LABEL     this machine's name in the folder's: scaling/results/DATE_LABEL_REVISION
#   --results DIR    another folder
#   --time-limit 25min   no launch begins later; by default the study's own limit
#   --ranks N        only the configurations of N ranks, and no figures: for one job of several
#   --part NAME      write records-NAME.jsonl, and no figures: for jobs that share a folder
#   --without-ceilings   no micro-benchmarks: figures without bounds
#   --draw DIR       figures and report alone, from what is measured
#   --judge DIR      verdicts.json alone, from whatever studies left results in DIR: what `hiple-scaling claims DIR` shows
# Exit status: 0 done; 2 the input is wrong, nothing was started; 3 measured in part (skipped, failed or out of time); 1 anything else.
# SIGTERM ends the launch under way and removes its made-up hosts; what was measured stays, and the same command goes on.
# HIPLE_BIN_DIR names the folder of the programs; by default build/release/bin.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
study=$root/scaling/study/study.py
python=/usr/bin/python3 # Debian's: numpy and matplotlib belong to it
usage() { sed -n '5,16s/^# //p' "${BASH_SOURCE[0]}" >&2; exit 2; }

[ $# -ge 1 ] || usage
case $1 in --draw | --judge)
  [ $# -eq 2 ] || usage
  exec "$python" "$study" "${1#--}" "$2"
  ;;
esac
for word in "$@"; do case $word in -h | --help) usage ;; esac; done
exec "$python" "$study" run "$@"
