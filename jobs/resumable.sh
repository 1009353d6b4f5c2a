#!/usr/bin/env bash
# Runs a command inside a Slurm batch job such that it can be ended and go on later, from its checkpoints.
#   USR1 (sbatch --signal=B:USR1@SECONDS: the time limit is near): the command is told to end, and the job is queued again.
#   TERM (preempted, cancelled): the command is told to end; whether the job runs again is Slurm's to say.
# Usage: jobs/resumable.sh COMMAND [ARGUMENT...]     exit status: the command's
# HIPLE_RESTARTS: how often the job may be queued again, 100 by default.
set -euo pipefail
[ $# -ge 1 ] || { sed -n '5,6s/^# //p' "${BASH_SOURCE[0]}" >&2; exit 2; }
: "${SLURM_JOB_ID:?jobs/resumable.sh runs inside a Slurm batch job only}"
restarts=${HIPLE_RESTARTS:-100}
count=${SLURM_RESTART_COUNT:-0}
say() { echo "jobs/resumable.sh: $*" >&2; }

told=""
"$@" &
child=$!
trap 'told=${told:-time}; kill -TERM "$child" 2>/dev/null || true' USR1
trap 'told=end; kill -TERM "$child" 2>/dev/null || true' TERM INT
# A trap ends `wait` early; the command is over only when it is gone.
while status=0; wait "$child" || status=$?; kill -0 "$child" 2>/dev/null; do :; done
trap '' USR1
trap - TERM INT

case $told:$status in
  time:0 | time:2 | time:3) say "the time limit is near, but the work is done" ;;
  time:*)
    if [ "$count" -ge "$restarts" ]; then
      say "the time limit is near, and the job was queued again $count times already: HIPLE_RESTARTS allows $restarts"
      exit 1
    fi
    say "the time limit is near: queueing job $SLURM_JOB_ID again, to go on from the checkpoints"
    scontrol requeue "$SLURM_JOB_ID"
    sleep 60 # Slurm ends this job now; without the pause its end could be taken for the job's own
    ;;
esac
exit "$status"
