#!/usr/bin/env bash
# Compares a study's law with other ways to combine the same judgments: votes, stacking, evidence, conformal sets, networks on
# everything, engines on a random cut. Runs the study where it was not run, and some fifteen runs more of the same size.
# Usage: jobs/compare.sh RUN.yaml|RUN_DIRECTORY [OPTION...]
#   --output FOLDER   where tables, figure and runs go; by default `comparison` in the run's directory
#   --folds K         of the training part, to fit combiners to judgments of engines that did not train on them; 5 by default
#   --no-shifts       the table and the figure alone, without lost and added engines, missing cells and new classes
#   --every-part      each value of the split's column is the test part in turn; the table is of all of them together, without shifts
#   --copy ENGINE     which engine a shift doubles; --new-class QUESTION.FINDING: which finding a shift keeps out of all training
# It leaves table.txt, .json and .csv, risk_coverage.png and .svg, shifts.txt and .json: docs/combiners.md says how to read them.
# Exit status: 0 done; 2 the input is wrong; 1 anything else. Started again, it goes on with the runs that it finds.
# HIPLE_BIN_DIR names the folder of the programs; by default build/release/bin.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export HIPLE_BIN_DIR=${HIPLE_BIN_DIR:-$root/build/release/bin}
[ $# -ge 1 ] || { sed -n '4,10s/^# //p' "${BASH_SOURCE[0]}" >&2; exit 2; }
[ -x "$HIPLE_BIN_DIR/hiple" ] || { echo "jobs/compare.sh: no program $HIPLE_BIN_DIR/hiple; build it with jobs/setup.sh, or set HIPLE_BIN_DIR" >&2; exit 2; }
exec /usr/bin/python3 "$root/scaling/combiners/compare.py" "$@" # Debian's: h5py, matplotlib and scikit-learn belong to it
