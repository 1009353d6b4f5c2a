#!/usr/bin/env bash
# Every C++ and CUDA source is formatted as .clang-format says (clang-format 14). Usage: check_format.sh [--fix]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
mapfile -t sources < <(find src mpi data scaling tests \( -name '*.cpp' -o -name '*.hpp' -o -name '*.cu' \) | sort)
[ ${#sources[@]} -gt 0 ] || { echo "no sources found" >&2; exit 1; }
if [ "${1:-}" = --fix ]; then exec clang-format-14 -i "${sources[@]}"; fi
clang-format-14 --dry-run --Werror "${sources[@]}"
echo "${#sources[@]} sources are formatted"
