#!/usr/bin/env bash
# From a fresh Debian 12 to a finished run: packages, build, data, the milling study under mpirun, and its summary.
# Usage: jobs/quickstart.sh [ROWS]     rows of milling data; 10000 by default
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
rows=${1:-10000}

"$root/jobs/setup.sh" release
export PATH=$root/build/release/bin:$PATH

cd "$root"
table=runs/data/milling.csv
echo "== making $rows rows of milling data: $table"
mkdir -p runs/data
hiple data generate milling --rows "$rows" --seed 2020 --output "$table"
echo "== training the engines of configs/milling/run.yaml, one rank each, and deciding on the last rank"
jobs/run.sh configs/milling/run.yaml
here() { printf '%q' "$(realpath --relative-to="$OLDPWD" "$1")"; } # as it can be typed where the script was started
echo "== done. Look at one case:   $(here build/release/bin/hiple) explain $(here runs/milling) --case 1"
