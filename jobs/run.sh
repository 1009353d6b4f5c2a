#!/usr/bin/env bash
# Runs a study under mpirun on this machine or inside any scheduler's allocation, with a launch that lets the other ranks finish
# when one dies, a time limit, and an exit status that comes from the run's own record, not from the launcher.
# Usage: jobs/run.sh [-n RANKS] [-t LIMIT] [-l LAUNCHER] [-H HOSTS] RUN.yaml [options of `hiple run`]
#   -n RANKS     ranks; the last one integrates. By default one for each engine and one more.
#   -t LIMIT     of the whole job, as `timeout` reads it (90s, 30m, 2h); 24h by default
#   -l LAUNCHER  mpirun (the default), or srun inside a Slurm allocation
#   -H HOSTS     for mpirun outside of an allocation: HOST:RANKS,HOST:RANKS,...
# HIPLE_BIN_DIR names the folder of the programs; by default build/release/bin.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
bin=${HIPLE_BIN_DIR:-$root/build/release/bin}
usage() { sed -n '4,9s/^# //p' "${BASH_SOURCE[0]}" >&2; exit 2; }

ranks="" limit=24h launcher_name=mpirun hosts=""
while getopts n:t:l:H: option; do
  case $option in
    n) ranks=$OPTARG ;;
    t) limit=$OPTARG ;;
    l) launcher_name=$OPTARG ;;
    H) hosts=$OPTARG ;;
    *) usage ;;
  esac
done
shift $((OPTIND - 1))
[ $# -ge 1 ] || usage
[[ $ranks =~ ^([1-9][0-9]*)?$ ]] || { echo "jobs/run.sh: -n $ranks: no number of ranks" >&2; exit 2; }
timeout "$limit" true || { echo "jobs/run.sh: -t $limit: no limit" >&2; exit 2; }
case $launcher_name:$hosts:${SLURM_JOB_ID:-} in
  mpirun:* | srun::?*) ;;
  srun::) echo "jobs/run.sh: -l srun: not inside a Slurm allocation; start it with sbatch or salloc" >&2; exit 2 ;;
  srun:*) echo "jobs/run.sh: -H is for mpirun; srun takes the nodes of its allocation" >&2; exit 2 ;;
  *) echo "jobs/run.sh: -l $launcher_name: it must be mpirun or srun" >&2; exit 2 ;;
esac
run=$1
shift
if [ "${SLURM_RESTART_COUNT:-0}" -gt 0 ]; then # going on must not begin anew
  for word; do
    shift
    [ "$word" = --fresh ] || set -- "$@" "$word"
  done
fi
[ -x "$bin/hiple" ] || { echo "jobs/run.sh: no program $bin/hiple; build it with jobs/setup.sh, or set HIPLE_BIN_DIR" >&2; exit 2; }

# Everything that is wrong with the input or the directory is said here, once, before any rank starts.
plan=$("$bin/hiple" check "$run" "$@" --json)
field() { python3 -c 'import json,sys; print(json.load(sys.stdin)[sys.argv[1]])' "$1" <<<"$plan"; }
output=$(field output)
ranks=${ranks:-$(($(field engines) + 1))}

if [ "$(id -u)" -eq 0 ]; then export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1; fi
if [ -z "${SLURM_JOB_ID:-}$hosts" ] && [ "$ranks" -gt "$(nproc)" ]; then
  echo "jobs/run.sh: $ranks ranks share $(nproc) cores: fine for results, meaningless for times"
  export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_mpi_yield_when_idle=1
fi
export OMPI_MCA_btl_base_warn_component_unused=0

# STATUS as it is now: one that is still the same afterwards tells of an earlier run.
stamp() { stat -c '%i %y' "$output/STATUS" 2>/dev/null || true; }
before=$(stamp)

if [ "$launcher_name" = srun ]; then
  # Without these, the first task that ends badly takes the step along, and a dead node the whole job. Tasks cannot see that they
  # share cores; waiting ranks must not take them.
  export OMPI_MCA_mpi_yield_when_idle=1
  launch=(srun --mpi=pmix --kill-on-bad-exit=0 --no-kill --ntasks="$ranks")
else
  launch=(mpirun --enable-recovery -n "$ranks" ${hosts:+--host "$hosts"} "$root/jobs/one_device.sh")
fi

# `timeout` leaves the terminal's group and a shell does not pass signals on, so an interrupt has to be handed down.
interrupted=
timeout --kill-after=30 "$limit" "${launch[@]}" "$bin/hiple" run "$run" "$@" &
launcher=$!
trap 'interrupted=yes; kill "$launcher" 2>/dev/null || true' INT TERM HUP USR1
# mpirun never ends where a rank on another host was killed, and the run is over all the same: STATUS is written last.
(
  trap - INT TERM HUP USR1
  exec 3<> <(:)
  pause() { read -rt "$1" -u 3 || true; } # unlike sleep, no process that stays behind
  while [ ! -f "$output/STATUS" ] || [ "$(stamp)" = "$before" ]; do pause 1; done
  pause 25 # for ranks that MPI_Finalize keeps
  kill "$launcher" 2>/dev/null && echo "jobs/run.sh: the run is decided, but $launcher_name did not end; it was ended" >&2
) &
watcher=$!
while status=0; wait "$launcher" || status=$?; kill -0 "$launcher" 2>/dev/null; do :; done
kill "$watcher" 2>/dev/null || true
wait "$watcher" 2>/dev/null || true
trap - INT TERM HUP USR1
if [ -n "$interrupted" ]; then echo "jobs/run.sh: interrupted; start it again to go on from there" >&2; exit 1; fi
case $status in
  2) exit 2 ;;
  124 | 137) echo "jobs/run.sh: the launcher was ended (limit $limit)" >&2 ;;
esac

# mpirun with recovery says 0 even if a rank was lost, srun what the worst task said; STATUS knows. Without STATUS the integrator itself died.
if [ -f "$output/STATUS" ] && [ "$(stamp)" = "$before" ]; then
  echo "jobs/run.sh: the run did not start; $output/STATUS is of an earlier one" >&2
  exit 1
fi
if [ ! -f "$output/STATUS" ]; then
  [ -f "$output/run.yaml" ] || { echo "jobs/run.sh: the run did not start ($launcher_name ended with $status)" >&2; exit 1; }
  echo "jobs/run.sh: no $output/STATUS, so the integrating rank was lost; integrating what is there" >&2
  exec "$bin/hiple" integrate "$run" --output "$output" --judge
fi
state=$(python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))["state"])' "$output/STATUS")
case $state in
  complete) exit 0 ;;
  partial) exit 3 ;;
  *) exit 1 ;;
esac
