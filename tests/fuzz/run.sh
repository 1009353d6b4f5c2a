#!/usr/bin/env bash
# Feeds every reader with inputs that nobody wrote, by libFuzzer under AddressSanitizer and UndefinedBehaviorSanitizer (preset fuzz).
# Usage: tests/fuzz/run.sh [--built] [SECONDS [TARGET...]]   SECONDS each (900), all targets unless some are named, as many at once as
#                                                            there are cores. --built: build/fuzz is there already
#        tests/fuzz/run.sh --build                           builds only
# HIPLE_FUZZ_SEED=N draws the same inputs again, as far as the time allows; else others each time.
# What was found interesting stays in build/fuzz/corpus and is where the next run begins. What broke a promise is named: mend the
# reader, and keep the input in tests/fuzz/inputs/TARGET/. 77: clang's fuzzer is not here; 1: something was found.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
inputs=$root/tests/fuzz/inputs
build=$root/build/fuzz

empty='extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }'
if ! echo "$empty" | clang++-16 -fsanitize=fuzzer,address,undefined -x c++ - -o /dev/null 2>/dev/null; then
  echo "SKIPPED: clang++-16 with libFuzzer is not here (Debian's packages clang-16 and libclang-rt-16-dev)"
  exit 77
fi

make_programs() {
  cd "$root"
  local log
  log=$(mktemp)
  if ! { cmake --preset fuzz && cmake --build --preset fuzz; } >"$log" 2>&1; then
    tail -n 40 "$log"
    rm -f "$log"
    exit 1
  fi
  rm -f "$log"
}

builds=true
case ${1:-} in
  --build) make_programs; exit ;;
  --built) builds=false; shift ;;
esac
seconds=${1:-900}
[[ $seconds =~ ^[1-9][0-9]*$ ]] || { sed -n '3,5s/^# //p' "${BASH_SOURCE[0]}" >&2; exit 2; }
[ $# -eq 0 ] || shift
targets=("$@")
[ ${#targets[@]} -gt 0 ] || mapfile -t targets < <(find "$inputs" -mindepth 1 -maxdepth 1 -type d -printf '%f\n' | sort)
if $builds; then make_programs; fi

TMPDIR=$(mktemp -d)
trap 'rm -rf "$TMPDIR"' EXIT
export TMPDIR root inputs build seconds
export LSAN_OPTIONS=suppressions=$root/tests/sanitize/leaks.txt:print_suppressions=0 UBSAN_OPTIONS=print_stacktrace=1
for name in llvm-symbolizer-16 llvm-symbolizer llvm-symbolizer-14; do # names in place of addresses, where one is here
  if ASAN_SYMBOLIZER_PATH=$(command -v "$name"); then export ASAN_SYMBOLIZER_PATH && break; fi
done

fuzz_one() {
  local target=$1 corpus=$build/corpus/$1 found=$build/found/$1 longest=4096 leaks=1 study
  mkdir -p "$corpus" "$found"
  local -a seeds=("$inputs/$target")
  for study in "$root"/configs/*; do
    if [ -f "$study/$target.yaml" ]; then
      mkdir -p "$TMPDIR/seeds/$target"
      cp "$study/$target.yaml" "$TMPDIR/seeds/$target/${study##*/}"
      longest=16384
    fi
  done
  if [ -d "$TMPDIR/seeds/$target" ]; then seeds+=("$TMPDIR/seeds/$target"); fi
  # Lists of free memory that HDF5 keeps look like leaks after each input, and looking takes ten times as long as reading: once, at the end.
  case $target in checkpoint | judgments | evidence) leaks=0 ;; esac
  local -a words=()
  if [ -f "$inputs/$target.dict" ]; then words=("-dict=$inputs/$target.dict"); fi
  # Memory that is asked for in one piece is bounded: what a file claims is not to be believed before it is checked.
  if "$build/bin/fuzz_$target" "${words[@]}" -max_len=$longest -max_total_time="$seconds" -timeout=30 -rss_limit_mb=3072 \
    -malloc_limit_mb=512 -detect_leaks="$leaks" -seed="${HIPLE_FUZZ_SEED:-0}" -print_final_stats=1 -artifact_prefix="$found/" "$corpus" "${seeds[@]}" >"$found/log.txt" 2>&1; then
    sed -n "s/^stat::number_of_executed_units: */$target: no finding in $seconds seconds; inputs: /p" "$found/log.txt"
  else
    tail -n 60 "$found/log.txt"
    echo "$target: FOUND: see $found"
    return 1
  fi
}
export -f fuzz_one
# shellcheck disable=SC2016
printf '%s\0' "${targets[@]}" | xargs -0 -I {} -P "$(nproc)" bash -c 'set -euo pipefail; fuzz_one "$1"' fuzz_one {}
