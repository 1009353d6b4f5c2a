#!/usr/bin/env bash
# Everything that wants a GPU, in under four minutes: builds, runs the tests of label gpu, compares losses and steps with PyTorch (eager
# and CUDA graphs) where it is there, Adam with the card's own copy, and 64 engines at once with the same one after another. Prints one
# table; without a GPU every line says NOT RUN and the exit status is 77. 1: a test failed, or something could not be measured.
# Usage: scaling/gpu_check.sh [-b BUILD] [-o FOLDER]      build BUILD (build/release) first; raw output goes to FOLDER, if it is given
#        scaling/gpu_check.sh -m FILE.tar.gz [-b BUILD]   bundle what BUILD holds instead; it needs only driver and toolkit where it runs:
#                                                         tar xzf FILE.tar.gz && hiple-gpu/gpu_check.sh [-o FOLDER]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
usage() { sed -n '5,7s/^# //p' "${BASH_SOURCE[0]}" >&2; exit 2; }
build="" output="" bundle=""
while getopts b:o:m: option; do
  case $option in
    b) build=$OPTARG ;;
    o) output=$OPTARG ;;
    m) bundle=$OPTARG ;;
    *) usage ;;
  esac
done
shift $((OPTIND - 1))
[ $# -eq 0 ] || usage
programs=(hiple hiple-bench-cuda test_engine)

if [ -d "$here/bin" ]; then # in a bundle
  [ -z "$build$bundle" ] || { echo "gpu_check.sh: this is a bundle: there is nothing to build" >&2; exit 2; }
  bin=$here/bin peers=$here/peers
  export LD_LIBRARY_PATH=$here/lib:${LD_LIBRARY_PATH:-}
else
  root=$(cd "$here/.." && pwd)
  build=${build:-$root/build/release} peers=$here/peers
  bin=$build/bin
  if [ -z "$bundle" ]; then
    cmake --build "$build" --target "${programs[@]}" -- --quiet >&2 ||
      { echo "gpu_check.sh: $build does not build: it needs jobs/setup.sh, CUDA and HIPLE_BENCHMARKS" >&2; exit 1; }
  fi
fi

# The programs, what they are linked against but for the C library's own, and the peers' scripts.
make_bundle() {
  local program
  for program in "${programs[@]}"; do
    [ -x "$bin/$program" ] || { echo "gpu_check.sh: no program $bin/$program: build with CUDA and HIPLE_BENCHMARKS first" >&2; exit 1; }
  done
  local folder=$1/hiple-gpu
  mkdir -p "$folder/bin" "$folder/lib" "$folder/peers"
  for program in "${programs[@]}"; do
    cp "$bin/$program" "$folder/bin/"
    strip "$folder/bin/$program"
    ldd "$bin/$program" | awk '$3 ~ "^/" && $1 !~ "^(libc|libm|libpthread|libdl|librt|ld-linux.*)[.]so" {print $3}'
  done | sort -u | while read -r library; do cp -L "$library" "$folder/lib/"; done
  strip --strip-unneeded "$folder"/lib/*
  cp "$here/gpu_check.sh" "$here/gpu_check_table.py" "$folder/"
  cp "$peers"/pytorch_engine.py "$peers"/pytorch_cuda.py "$folder/peers/"
  tar -C "$1" -czf "$2" hiple-gpu
}
if [ -n "$bundle" ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  make_bundle "$work" "$bundle"
  bytes=$(stat -c %s "$bundle")
  [ "$bytes" -le $((64 << 20)) ] || { echo "gpu_check.sh: $bundle has $bytes bytes, more than 64 MiB" >&2; exit 1; }
  echo "$bundle: $bytes bytes"
  exit 0
fi

table=(python3 "$here/gpu_check_table.py" --bin "$bin" --peers "$peers")
if [ -n "$output" ]; then
  mkdir -p "$output"
  table+=(--output "$output")
fi
exec timeout --kill-after=10 230 "${table[@]}"
