# shellcheck shell=bash
# The files of a local cluster; sourced by cluster.sh.
configure() {
  local root=$1 port=$2 nodes=$3 cpus=$4 gpus=$5 name node gpu
  name=$(hostname -s)
  dd if=/dev/urandom of="$root/etc/munge.key" bs=1024 count=1 status=none
  chmod 400 "$root/etc/munge.key"
  { echo "127.0.0.1 localhost $name"; for ((node = 1; node <= nodes; ++node)); do echo "127.0.0.1 node$node"; done; } >"$root/etc/hosts"
  for ((node = 1; node <= nodes; ++node)); do mkdir -p "$root/tmp/node$node"; done
  for ((gpu = 0; gpu < gpus; ++gpu)); do mknod "$root/dev/gpu$gpu" c 1 3; done # what /dev/null is: Slurm only looks at the file
  cat >"$root/etc/gres.conf" <<GRES
AutoDetect=off
NodeName=node[1-$nodes] Name=gpu File=$root/dev/gpu[0-$((gpus - 1))]
GRES
  # Short intervals, since a test waits for them; pmix is the only MPI plugin that Debian's Open MPI can use.
  cat >"$root/etc/slurm.conf.draft" <<SLURM
ClusterName=local
SlurmctldHost=$name(127.0.0.1)
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
SlurmctldPort=$port
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$root/munge/munge.socket
CredType=cred/munge
StateSaveLocation=$root/state
SlurmdSpoolDir=$root/spool/%n
SlurmctldPidFile=$root/slurmctld.pid
SlurmdPidFile=$root/slurmd.%n.pid
SlurmctldLogFile=$root/log/slurmctld.log
SlurmdLogFile=$root/log/%n.log
SlurmctldDebug=info
SlurmdDebug=info
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
TmpFS=$root/tmp/%n
SwitchType=switch/none
MpiDefault=pmix
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,bf_interval=1,sched_min_interval=0,batch_sched_delay=0
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc=$root/log/jobcomp.txt
JobAcctGatherType=jobacct_gather/none
ReturnToService=2
SlurmdTimeout=10
SlurmctldTimeout=10
InactiveLimit=0
MinJobAge=3600
KillWait=3
Waittime=0
MessageTimeout=20
JobRequeue=1
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
SlurmdParameters=config_overrides
GresTypes=gpu
NodeName=node[1-$nodes] NodeAddr=127.0.0.1 Port=[$((port + 1))-$((port + nodes))] CPUs=$cpus RealMemory=4096 Gres=gpu:$gpus State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP PriorityTier=1 OverSubscribe=NO
PartitionName=high Nodes=ALL Default=NO MaxTime=INFINITE State=UP PriorityTier=10 PreemptMode=OFF
SLURM
  mv "$root/etc/slurm.conf.draft" "$root/etc/slurm.conf"
}
