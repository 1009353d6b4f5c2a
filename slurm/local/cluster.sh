#!/usr/bin/env bash
# A real Slurm cluster on this machine, for tests and for trying things out: several slurmd, each a UTS, PID and mount namespace with
# a host name, a TmpFS and a /dev/shm of its own (Open MPI's shared-memory segments collide where two nodes have one name).
# Usage: cluster.sh [-r ROOT] COMMAND
#   start [-n NODES] [-c CPUS] [-g GPUS] [-w PID]   3 nodes of 4 CPUs and 2 GPUs by default; -w: it ends when process PID does
#   stop             ends every process of it and removes ROOT
#   status           nodes and jobs
#   env              a line for eval, after which sbatch, srun and squeue talk to it
#   killnode NODE    node1 ...: the node dies with everything on it, as by a power failure
#   node NODE        starts it again
# ROOT, /tmp/hiple-slurm by default (or HIPLE_SLURM_ROOT), holds all of its files; clusters with different roots do not meet. The
# GPUs are files, good enough for Slurm to bind them. Packages: jobs/packages-tests.txt. Root only: namespaces and slurmd need it.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
self=$here/$(basename "${BASH_SOURCE[0]}")
root=${HIPLE_SLURM_ROOT:-/tmp/hiple-slurm}
PATH=$PATH:/usr/sbin:/sbin

die() { echo "cluster.sh: $*" >&2; exit 1; }
wrong() { echo "cluster.sh: $*" >&2; exit 2; }
usage() { sed -n '4,12s/^# //p' "${BASH_SOURCE[0]}" >&2; exit 2; }
number() { [[ $2 =~ ^[1-9][0-9]?$ ]] || wrong "$1 $2: a number from 1 to 99 belongs here"; }

# One process, `unshare`, holds the cluster: with it die its PID namespace and all in it. Its number in ROOT/pid is the only way in.
holder() {
  local pid
  [ -f "$root/pid" ] && pid=$(<"$root/pid") && [ -n "$pid" ] || return 1
  [ -d "/proc/$pid" ] && ! grep -q '^State:.[ZX]' "/proc/$pid/status" 2>/dev/null || return 1
  tr '\0' ' ' <"/proc/$pid/cmdline" | grep -qF -- "$self" && echo "$pid"
}
# The first process inside, from where the other namespaces can be entered.
inside() {
  local pid
  pid=$(holder) || die "no cluster in $root; start it first"
  pid=$(<"/proc/$pid/task/$pid/children")
  echo "${pid%% *}"
}
needs() {
  [ "$(id -u)" -eq 0 ] || wrong "only root can make namespaces and start slurmd"
  local program
  for program in slurmctld slurmd munged srun unshare nsenter; do
    command -v "$program" >/dev/null || wrong "no $program: install what jobs/packages-tests.txt names"
  done
}

start() {
  local nodes=3 cpus=4 gpus=2 watched='' option
  while getopts n:c:g:w: option; do
    case $option in
      n) number -n "$OPTARG"; nodes=$OPTARG ;;
      c) number -c "$OPTARG"; cpus=$OPTARG ;;
      g) number -g "$OPTARG"; gpus=$OPTARG ;;
      w) kill -0 "$OPTARG" 2>/dev/null || wrong "-w $OPTARG: no such process"; watched=$OPTARG ;;
      *) usage ;;
    esac
  done
  needs
  if holder >/dev/null; then echo "running already in $root"; return; fi
  [[ $root =~ ^/[A-Za-z0-9._/-]+$ ]] || wrong "-r $root: Slurm's configuration takes an absolute path of letters, digits and ._-"
  [ ! -e "$root" ] || [ -f "$root/.hiple-slurm" ] || wrong "$root holds other files; name a new folder with -r"
  rm -rf "$root"
  mkdir -p "$root"/{etc,state,log,spool,munge,dev,tmp}
  touch "$root/.hiple-slurm"
  chmod 755 "$root" "$root/munge"
  setsid unshare --pid --fork --kill-child --mount-proc "$self" -r "$root" _hold "$nodes" "$cpus" "$gpus" \
    </dev/null >"$root/log/hold.log" 2>&1 &
  local holding=$! tick  # holder() does not know it yet: a process in the middle of exec has no command line
  echo "$holding" >"$root/pid"
  export SLURM_CONF=$root/etc/slurm.conf
  for ((tick = 0; tick < 1200; ++tick)); do
    kill -0 "$holding" 2>/dev/null || break
    if [ -f "$SLURM_CONF" ] && [ "$(sinfo -h -N -p main -t idle -o %N 2>/dev/null | wc -l)" -eq "$nodes" ]; then
      if [ -n "$watched" ]; then watch "$watched"; fi
      echo "$nodes nodes are up: eval \"\$($0 -r $root env)\""
      return
    fi
    sleep 0.1
  done
  tail -n 5 "$root"/log/*.log >&2 || true
  keep_logs=1 stop
  die "the cluster did not come up; its logs are in $root/log"
}
# Whoever asked for the cluster may be killed and never come to `stop`.
watch() { setsid "$self" -r "$root" _watch "$1" "$(holder)" </dev/null >/dev/null 2>&1 & }
be_watch() {
  while kill -0 "$1" 2>/dev/null && kill -0 "$2" 2>/dev/null; do sleep 0.5; done
  if [ "$(holder)" = "$2" ]; then stop; fi
}

stop() {
  local pid tick
  if pid=$(holder); then
    kill -9 "$pid"
    for ((tick = 0; tick < 100; ++tick)); do holder >/dev/null || break; sleep 0.05; done
    holder >/dev/null && die "process $pid does not end"
  fi
  [ -f "$root/.hiple-slurm" ] || return 0
  if [ -n "${keep_logs:-}" ]; then rm -f "$root/pid"; else rm -rf "$root"; fi
}

# ---- inside: the first process of the cluster's PID namespace
# Ports in blocks of 128, each claimed by a lock that goes with the process that holds it.
claim_ports() {
  local base
  for ((base = 17000; base < 30000; base += 128)); do
    exec 9>"/run/lock/hiple-slurm-$base"
    if flock -n 9 && ! (exec 3<>"/dev/tcp/127.0.0.1/$base") 2>/dev/null; then port=$base; return; fi
  done
  die "no free ports from 17000 to 30000"
}
hold() {
  local nodes=$1 cpus=$2 gpus=$3 port
  claim_ports
  # shellcheck source=slurm/local/configuration.sh
  source "$here/configuration.sh"
  configure "$root" "$port" "$nodes" "$cpus" "$gpus"
  export SLURM_CONF=$root/etc/slurm.conf
  munged --foreground --force --key-file="$root/etc/munge.key" --socket="$root/munge/munge.socket" --pid-file="$root/munge/munged.pid" \
    --log-file="$root/log/munged.log" --seed-file="$root/munge/seed" &
  until [ -S "$root/munge/munge.socket" ]; do kill -0 $! || exit 1; sleep 0.02; done
  slurmctld -D -c -i &
  local control=$! node
  for ((node = 1; node <= nodes; ++node)); do begin_node "node$node"; done
  wait "$control"
}
begin_node() {
  setsid unshare --uts --pid --fork --kill-child --mount-proc "$self" -r "$root" _node "$1" </dev/null >"$root/log/$1.out" 2>&1 &
  echo $! >"$root/$1.pid"
}
be_node() {
  hostname "$1"
  mount --bind "$root/etc/hosts" /etc/hosts
  mount -t tmpfs tmpfs /dev/shm
  export SLURM_CONF=$root/etc/slurm.conf
  exec slurmd -D -N "$1"
}
node_is_up() { [ -f "$root/$1.pid" ] && kill -0 "$(<"$root/$1.pid")" 2>/dev/null; }
kill_node() {
  node_is_up "$1" || die "$1 is down already"
  kill -9 "$(<"$root/$1.pid")"
  rm -f "$root/$1.pid"
}
node_again() {
  node_is_up "$1" && { echo "$1 is up already"; return; }
  begin_node "$1"
}
# Runs one of the functions above in the cluster's own namespaces.
enter() {
  local name=${2:-}
  [[ $name =~ ^node[1-9][0-9]?$ && -d $root/tmp/$name ]] || wrong "${name:-no name}: no node of this cluster"
  nsenter --target "$(inside)" --pid --mount -- "$self" -r "$root" "$1" "$name"
}

while getopts r: option; do
  case $option in
    r) root=$OPTARG ;;
    *) usage ;;
  esac
done
shift $((OPTIND - 1))
OPTIND=1
[ $# -ge 1 ] || usage
command=$1
shift
case $command in
  start) start "$@" ;;
  stop) stop ;;
  status) holder >/dev/null || die "no cluster in $root"; export SLURM_CONF=$root/etc/slurm.conf; sinfo -N -l; squeue ;;
  env) holder >/dev/null || die "no cluster in $root"; echo "export SLURM_CONF=$root/etc/slurm.conf" ;;
  killnode) enter _kill "${1:-}" ;;
  node) enter _again "${1:-}" ;;
  _hold) hold "$@" ;;
  _node) be_node "$@" ;;
  _watch) be_watch "$@" ;;
  _kill) kill_node "$1" ;;
  _again) node_again "$1" ;;
  *) usage ;;
esac
