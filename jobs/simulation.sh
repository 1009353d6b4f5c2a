#!/usr/bin/env bash
# Takes the strategies to 64, 256, 1024 and 4096 simulated ranks (SimGrid), holds the simulation against measured launches on two
# and three hosts, and draws it: docs/simulation.md. Prints the folder of the results.
# Usage: jobs/simulation.sh RESULTS [--most-ranks N] [--against MEASURED] [--time-limit TIME] [--draw]
#   --most-ranks N        no more ranks than so many; 1024 by default, since 4096 take minutes each
#   --against MEASURED    a results folder of jobs/scaling.sh, with launches over links
#   --time-limit 20min    no simulation begins later
#   --draw                figures and table again, from what was simulated
# Exit status: 0 done; 2 the input is wrong, or there is no SimGrid; 3 out of time; 1 anything else.
# HIPLE_BIN_DIR names the folder of the programs; by default build/release/bin.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
[ $# -ge 1 ] || { sed -n '4,8s/^# //p' "${BASH_SOURCE[0]}" >&2; exit 2; }
exec /usr/bin/python3 "$root/scaling/study/simulation.py" "$@" # Debian's: numpy and matplotlib belong to it
