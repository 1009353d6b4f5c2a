#!/usr/bin/env bash
# clang-tidy 16 over the sources of a build folder (it holds compile_commands.json). A source that passed is not looked at again
# until it, a header that it includes, its flags or .clang-tidy change.
# Usage: check_tidy.sh BUILD [FILE...]     without FILE: all sources of the project outside tests/
set -euo pipefail
build=$(cd "$1" && pwd)
shift
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
[ -f "$build/compile_commands.json" ] || { echo "$build has no compile_commands.json: configure it first" >&2; exit 1; }
sources=("$@")
[ ${#sources[@]} -gt 0 ] || mapfile -t sources < <(find src mpi data scaling -name '*.cpp' | sort)
# Only sources that this build compiles: of a pair such as device_cuda and device_stub, one.
mapfile -t sources < <(for source in "${sources[@]}"; do if grep -q "/$source\"" "$build/compile_commands.json"; then echo "$source"; fi; done)
[ ${#sources[@]} -gt 0 ] || { echo "no sources found" >&2; exit 1; }

mkdir -p "$build/tidy-passed"
export build
check_one() {
  local source=$1 flags key output
  flags=$(/usr/bin/python3 - "$build" "$PWD/$source" <<'PYTHON'
import json, shlex, sys
for entry in json.load(open(sys.argv[1] + "/compile_commands.json")):
    if entry["file"] == sys.argv[2]:
        words = shlex.split(entry["command"])
        kept = [w for before, w in zip([""] + words, words) if before == "-isystem" or w.startswith(("-I", "-D", "-std", "-isystem", "-W"))]
        print(" ".join(map(shlex.quote, kept)))
        break
PYTHON
)
  key=$(set -euo pipefail; { cat .clang-tidy; echo "$flags"; eval "g++ $flags -w -E -P -C \"$source\""; } | sha256sum | cut -d ' ' -f 1) || return 1
  [ -e "$build/tidy-passed/$key" ] && return 0
  if output=$(clang-tidy-16 --quiet -p "$build" --extra-arg=-Wno-unknown-warning-option "$source" 2>/dev/null); then
    touch "$build/tidy-passed/$key"
  else
    echo "$output"
    return 1
  fi
}
export -f check_one
# shellcheck disable=SC2016
printf '%s\0' "${sources[@]}" | xargs -0 -I {} -P "$(nproc)" bash -c 'check_one "$1"' check_one {}
echo "${#sources[@]} sources are tidy"
