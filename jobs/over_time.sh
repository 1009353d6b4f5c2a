#!/usr/bin/env bash
# The thyroid study as its later years come in: month by month the records' comments are evidence, by which rules are verified and
# revised, and next month's records are decided by the law as it is then; beside it one network on everything is trained anew each
# month. Prints a table; FOLDER gets over_time.json, .csv, .png and .svg, and the study itself.
# Usage: jobs/over_time.sh FOLDER --input thyroid0387.data [--months N] [--least N]
# Exit status: 0 done; 2 the input is wrong; 1 anything else.
# HIPLE_BIN_DIR names the folder of the programs; by default build/release/bin.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
python=/usr/bin/python3 # Debian's: h5py and matplotlib belong to it
exec "$python" "$root/scaling/study/over_time.py" "$@"
