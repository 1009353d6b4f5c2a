#!/usr/bin/env bash
# The milling study when a tool's limit is lowered by its maker: the rule is found contradicted by inspections, a moved limit is
# proposed and accepted, and no engine is touched. Prints a table; FOLDER gets tool_limit.json, and the study itself.
# Usage: jobs/tool_limit.sh FOLDER [--rows N] [--seed N]
# Exit status: 0 done; 2 the input is wrong; 1 anything else.
# HIPLE_BIN_DIR names the folder of the programs; by default build/release/bin.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
python=/usr/bin/python3 # Debian's: h5py belongs to it
exec "$python" "$root/scaling/study/tool_limit.py" "$@"
