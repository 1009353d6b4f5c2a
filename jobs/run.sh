#!/usr/bin/env bash
# Runs a study under mpirun on this machine or inside any scheduler's allocation, with a launch that lets the other ranks finish
# when one dies, a time limit, and an exit status that comes from the run's own record, not from the launcher.
# Usage: jobs/run.sh [-n RANKS] [-t LIMIT] RUN.yaml [options of `hiple run`]
#   -n RANKS   ranks; the last one integrates. By default one for each engine and one more.
#   -t LIMIT   of the whole job, as `timeout` reads it (90s, 30m, 2h); 24h by default
# HIPLE_BIN_DIR names the folder of the programs; by default build/release/bin.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
bin=${HIPLE_BIN_DIR:-$root/build/release/bin}
usage() { sed -n '4,7s/^# //p' "${BASH_SOURCE[0]}" >&2; exit 2; }

ranks= limit=24h
while getopts n:t: option; do
  case $option in
    n) ranks=$OPTARG ;;
    t) limit=$OPTARG ;;
    *) usage ;;
  esac
done
shift $((OPTIND - 1))
[ $# -ge 1 ] || usage
[[ $ranks =~ ^([1-9][0-9]*)?$ ]] || { echo "jobs/run.sh: -n $ranks: no number of ranks" >&2; exit 2; }
timeout "$limit" true || { echo "jobs/run.sh: -t $limit: no limit" >&2; exit 2; }
run=$1
shift
[ -x "$bin/hiple" ] || { echo "jobs/run.sh: no program $bin/hiple; build it with jobs/setup.sh, or set HIPLE_BIN_DIR" >&2; exit 2; }

# Everything that is wrong with the input or the directory is said here, once, before any rank starts.
plan=$("$bin/hiple" check "$run" "$@" --json)
field() { python3 -c 'import json,sys; print(json.load(sys.stdin)[sys.argv[1]])' "$1" <<<"$plan"; }
output=$(field output)
ranks=${ranks:-$(($(field engines) + 1))}

if [ "$(id -u)" -eq 0 ]; then export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1; fi
if [ -z "${SLURM_JOB_ID:-}" ] && [ "$ranks" -gt "$(nproc)" ]; then
  echo "jobs/run.sh: $ranks ranks share $(nproc) cores: fine for results, meaningless for times"
  export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_mpi_yield_when_idle=1
fi
export OMPI_MCA_btl_base_warn_component_unused=0

# STATUS as it is now: one that is still the same afterwards tells of an earlier run.
stamp() { stat -c '%i %y' "$output/STATUS" 2>/dev/null || true; }
before=$(stamp)

# `timeout` leaves the terminal's group and a shell does not pass signals on, so an interrupt has to be handed down.
interrupted=
timeout --kill-after=30 "$limit" mpirun --enable-recovery -n "$ranks" "$bin/hiple" run "$run" "$@" &
launcher=$!
trap 'interrupted=yes; kill "$launcher" 2>/dev/null || true' INT TERM HUP
while status=0; wait "$launcher" || status=$?; kill -0 "$launcher" 2>/dev/null; do :; done
trap - INT TERM HUP
if [ -n "$interrupted" ]; then echo "jobs/run.sh: interrupted; start it again to go on from there" >&2; exit 1; fi
case $status in
  2) exit 2 ;;
  124 | 137) echo "jobs/run.sh: the launcher was ended (limit $limit)" >&2 ;;
esac

# mpirun with recovery says 0 even if a rank was lost; STATUS knows. Without STATUS the integrator itself died.
if [ -f "$output/STATUS" ] && [ "$(stamp)" = "$before" ]; then
  echo "jobs/run.sh: the run did not start; $output/STATUS is of an earlier one" >&2
  exit 1
fi
if [ ! -f "$output/STATUS" ]; then
  [ -f "$output/run.yaml" ] || { echo "jobs/run.sh: the run did not start (mpirun ended with $status)" >&2; exit 1; }
  echo "jobs/run.sh: no $output/STATUS, so the integrating rank was lost; integrating what is there" >&2
  exec "$bin/hiple" integrate "$run" --output "$output"
fi
state=$(python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))["state"])' "$output/STATUS")
case $state in
  complete) exit 0 ;;
  partial) exit 3 ;;
  *) exit 1 ;;
esac
