#!/usr/bin/env bash
# Trains engines of a run one after the other, without MPI: a task of a job array. One that fails does not keep the next from
# being trained; an interrupt ends the one at work, which goes on from its checkpoint when this is started again.
# Usage: jobs/train.sh RUN ENGINE...        RUN: run.yaml, or the directory of a run
# HIPLE_BIN_DIR names the folder of the programs. Exit status: 0, or that of the last engine that failed.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
bin=${HIPLE_BIN_DIR:-$root/build/release/bin}
usage() { sed -n '4,5s/^# //p' "${BASH_SOURCE[0]}" >&2; exit 2; }

[ $# -ge 2 ] || usage
run=$1
shift
[ -x "$bin/hiple" ] || { echo "jobs/train.sh: no program $bin/hiple; build it with jobs/setup.sh, or set HIPLE_BIN_DIR" >&2; exit 2; }

interrupted="" child="" result=0
trap 'interrupted=yes; [ -z "$child" ] || kill -TERM "$child" 2>/dev/null || true' INT TERM USR1
for engine in "$@"; do
  [ -z "$interrupted" ] || break
  "$bin/hiple" train "$run" --engine "$engine" &
  child=$!
  [ -z "$interrupted" ] || kill -TERM "$child" 2>/dev/null || true # it came while the child was started
  while status=0; wait "$child" || status=$?; kill -0 "$child" 2>/dev/null; do :; done
  child=
  [ "$status" -eq 0 ] || result=$status
done
if [ -n "$interrupted" ]; then
  echo "jobs/train.sh: interrupted; started again, it goes on from there" >&2
  exit 1
fi
exit "$result"
