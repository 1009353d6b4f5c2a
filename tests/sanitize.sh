#!/usr/bin/env bash
# The unit tests, and the programs' tests of a whole run, under sanitizers. What is passed over stands in tests/sanitize/, each line with
# its reason.
# Usage: tests/sanitize.sh address [FOLDER...]   AddressSanitizer and UndefinedBehaviorSanitizer: tests/FOLDER (all), and where no folder is
#                                                named a run end to end, from its table to its explained decisions
#        tests/sanitize.sh thread [FOLDER...]    ThreadSanitizer: the libraries that start threads themselves (base law); oneDNN and
#                                         OpenMP, with which the engine shares its work, are not built for it
# 1: something was found.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
passed_over=$root/tests/sanitize
kind=${1:-}
[ $# -eq 0 ] || shift
folders=("$@")
whole=false
case $kind in
  address)
    preset=asan
    if [ ${#folders[@]} -eq 0 ]; then
      whole=true
      mapfile -t folders < <(cd "$root/src" && find . -mindepth 1 -maxdepth 1 -type d -printf '%f\n' | sort)
    fi
    ;;
  thread)
    preset=tsan
    [ ${#folders[@]} -gt 0 ] || folders=(base law)
    ;;
  *) sed -n '4,9s/^# //p' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
esac

cd "$root"
targets=()
for folder in "${folders[@]}"; do
  if compgen -G "tests/$folder/test_*.cpp" >/dev/null; then targets+=("test_$folder"); fi
done
cmake --preset "$preset" >/dev/null
build=build/$preset
echo "== building ${targets[*]} in $build"
if $whole; then cmake --build --preset "$preset" -- --quiet; else cmake --build --preset "$preset" --target "${targets[@]}" -- --quiet; fi

# Of memory that is lost every byte counts. Libraries that keep what they have once taken are named in leaks.txt.
export ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=1:strict_string_checks=1:check_initialization_order=1
export LSAN_OPTIONS=suppressions=$passed_over/leaks.txt:print_suppressions=0 UBSAN_OPTIONS=print_stacktrace=1
export TSAN_OPTIONS=suppressions=$passed_over/threads.txt:halt_on_error=1:second_deadlock_stack=1 HIPLE_SANITIZED=$kind
for target in "${targets[@]}"; do
  echo "== $target"
  (cd "$build" && "bin/$target" --gtest_brief=1 --gtest_filter=-GpuTest.*)
done
if $whole; then
  ctest --test-dir "$build" --output-on-failure -R '^program\.(run_input|law_commands|evidence)$' --no-tests=error
fi
echo "== nothing found by $kind sanitizers"
