#!/usr/bin/env bash
# Runs a study inside a Slurm allocation without MPI: srun starts tasks that do not know each other, each trains its share of the
# plan, and the law follows. A task or a node that is lost costs its own engines, which are named; a task that is done ends.
# Usage: jobs/tasks.sh [-n TASKS] RUN      RUN: run.yaml, or the directory of a run
#   -n TASKS     by default as many as the allocation has
# HIPLE_BIN_DIR names the folder of the programs; by default build/release/bin. Exit status: that of `hiple integrate`.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
bin=${HIPLE_BIN_DIR:-$root/build/release/bin}
usage() { sed -n '4,6s/^# //p' "${BASH_SOURCE[0]}" >&2; exit 2; }

tasks=${SLURM_NTASKS:-}
while getopts n: option; do
  case $option in
    n) tasks=$OPTARG ;;
    *) usage ;;
  esac
done
shift $((OPTIND - 1))
[ $# -eq 1 ] || usage
[ -n "${SLURM_JOB_ID:-}" ] || { echo "jobs/tasks.sh: not inside a Slurm allocation; start it with sbatch or salloc" >&2; exit 2; }
[[ $tasks =~ ^[1-9][0-9]*$ ]] || { echo "jobs/tasks.sh: -n $tasks: no number of tasks" >&2; exit 2; }
[ -x "$bin/hiple" ] || { echo "jobs/tasks.sh: no program $bin/hiple; build it with jobs/setup.sh, or set HIPLE_BIN_DIR" >&2; exit 2; }
run=$1
"$bin/hiple" check "$run" >/dev/null # what is wrong is said once, before any task starts

# shellcheck disable=SC2016 # the task's own number
share='exec "$0" train "$1" --share "$SLURM_PROCID/$2"'
interrupted=
srun --mpi=none --no-kill --kill-on-bad-exit=0 --ntasks="$tasks" bash -c "$share" "$bin/hiple" "$run" "$tasks" &
launcher=$!
trap 'interrupted=yes; kill "$launcher" 2>/dev/null || true' INT TERM HUP USR1
while status=0; wait "$launcher" || status=$?; kill -0 "$launcher" 2>/dev/null; do :; done
trap - INT TERM HUP USR1
if [ -n "$interrupted" ]; then echo "jobs/tasks.sh: interrupted; start it again to go on from there" >&2; exit 1; fi
[ "$status" -eq 0 ] || echo "jobs/tasks.sh: srun ended with $status: a task was lost, or an engine failed" >&2
exec "$bin/hiple" integrate "$run"
