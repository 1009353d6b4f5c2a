#!/usr/bin/env bash
# Starts a rank with one device of its own: the one that its number among the ranks of this host points to, out of those that the
# scheduler gave (CUDA_VISIBLE_DEVICES) or that the host has. mpirun gives every rank all of them, and each would take the first.
# Usage: mpirun ... jobs/one_device.sh COMMAND [ARGUMENT...]
set -euo pipefail
[ $# -ge 1 ] || { sed -n '4s/^# //p' "${BASH_SOURCE[0]}" >&2; exit 2; }
if [ -n "${CUDA_VISIBLE_DEVICES:-}" ]; then
  IFS=, read -ra devices <<<"$CUDA_VISIBLE_DEVICES"
else
  shopt -s nullglob
  devices=(/dev/nvidia[0-9]*)
  devices=("${devices[@]#/dev/nvidia}")
fi
if [ ${#devices[@]} -gt 1 ]; then
  export HIPLE_DEVICES_OF_HOST=${#devices[@]}
  export CUDA_VISIBLE_DEVICES=${devices[$((${OMPI_COMM_WORLD_LOCAL_RANK:-${SLURM_LOCALID:-0}} % ${#devices[@]}))]}
fi
exec "$@"
