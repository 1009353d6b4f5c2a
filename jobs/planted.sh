#!/usr/bin/env bash
# The planted study: worlds of 4, 16, 64 and 256 domains, what their partitions' figures say, and what they say when a link, the
# structure or the word on correlated engines is taken away. Prints a table; FOLDER gets planted.json, planted.png and planted.svg.
# Usage: jobs/planted.sh FOLDER [--domains 4 16] [--rows N] [--seed N] [--rivals-up-to 16] [--keep]
# Exit status: 0 done; 2 the input is wrong; 1 anything else.
# HIPLE_BIN_DIR names the folder of the programs; by default build/release/bin.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
python=/usr/bin/python3 # Debian's: h5py, matplotlib and scikit-learn belong to it
exec "$python" "$root/scaling/study/planted.py" "$@"
