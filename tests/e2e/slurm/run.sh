#!/bin/bash
# run.sh FOLDER: start a private Slurm cluster on this machine with the files that Poolwright wrote into FOLDER
# (poolwright.conf, gres.conf, topology.conf, job_submit.lua, qos.cfg, accounts.cfg), and fail unless Slurm takes all of
# them without an error, shows every object that they name, gives jobs the QoS of their queue, and starts a job on 4 GPUs.
#
# What differs from the files as written, and nothing else does:
#   poolwright.conf  each NodeName= line gets NodeHostname, NodeAddr and Port appended, since all hosts are this machine;
#   gres.conf        File= paths become /dev/tty of the same numbers: Slurm counts only device files that exist, and these always do.
# The slurm.conf that includes them is written here, as a site's would be. Everything lives below a folder of its own and
# on free loopback ports, and exactly the processes started here are stopped, by pid.
#
# DAEMONS=2 slurmd are started for each NodeName line; PREEMPTION=0 leaves out the preemption, which lasts as long as the
# victim's grace; KEEP=1 keeps the folder with the logs.
# Exit code: 0 all held; 1 something did not (each line that begins with FAIL says what); 2 cannot run here.
# `grep -c … > /dev/null`, not `grep -q`, behind a pipe: a client whose pipe breaks counts as failed, and slurmdbd logs it.
set -uo pipefail

packages="slurmctld slurmd slurm-client slurm-wlm-basic-plugins slurmdbd slurm-wlm-mysql-plugin mariadb-server"
files=$(realpath "${1:?usage: run.sh FOLDER}") || exit 2
for program in slurmctld slurmd slurmdbd sacctmgr scontrol sbatch srun mariadbd mariadb-install-db python3; do
  command -v "$program" > /dev/null && continue
  echo "$program is not installed: apt-get install -y --no-install-recommends $packages" >&2
  exit 2
done
[ "$(id -u)" = 0 ] || { echo "run as root: jobs are submitted as another user" >&2; exit 2; }

# How many slurmd are started for each NodeName line; the nodes beyond stay down.
daemons=${DAEMONS:-2}
lab=$(mktemp -d "${TMPDIR:-/tmp}/poolwright-slurm.XXXXXX")
chmod 755 "$lab"
mkdir -p "$lab"/{etc,log,run,state,spool,work} "$lab"/db/{data,run}
chmod 777 "$lab/work"
export SLURM_CONF=$lab/etc/slurm.conf
failures=0
pids=()

fail() { echo "FAIL $*"; failures=$((failures + 1)); }
say() { printf '%5.1f s  %s\n' "$(echo "$(date +%s.%N) - $began" | bc -l 2> /dev/null || echo 0)" "$*"; }
began=$(date +%s.%N)

# wait_for SECONDS COMMAND…: until it succeeds, at most so long.
wait_for() {
  local tries=$(($1 * 10)); shift
  while ! "$@" > /dev/null 2>&1; do
    tries=$((tries - 1)); [ "$tries" -gt 0 ] || return 1
    sleep 0.1
  done
}
alive() { kill -0 "$1" 2> /dev/null; }
gone() { ! alive "$1"; }

stop() {
  trap - EXIT INT TERM
  if [ -n "${controller:-}" ] && alive "$controller"; then
    squeue -h -o %A 2> /dev/null | sort -u | xargs -r scancel 2> /dev/null
    local tries=50
    while [ -n "$(squeue -h -o %A 2> /dev/null)" ] && [ "$tries" -gt 0 ]; do sleep 0.1; tries=$((tries - 1)); done
  fi
  local at pid
  for ((at = ${#pids[@]} - 1; at >= 0; at--)); do
    pid=${pids[at]}
    kill "$pid" 2> /dev/null
    wait_for 10 gone "$pid" || kill -9 "$pid" 2> /dev/null
  done
  # A step daemon outlives its slurmd; those of this lab stand in its folders.
  for pid in $(pgrep -x slurmstepd); do
    case "$(readlink "/proc/$pid/cwd" 2> /dev/null)" in "$lab"/*) kill -9 "$pid" 2> /dev/null ;; esac
  done
  if [ "${KEEP:-}" = 1 ]; then echo "kept: $lab"; else rm -rf "$lab"; fi
}
trap stop EXIT
trap 'stop; exit 1' INT TERM

finish() {
  if [ "$failures" -gt 0 ]; then echo "FAILED: $failures"; exit 1; fi
  say "all held"
  exit 0
}

# ------------------------------------------------------------------------------------------------ the site's own part
cluster=$(sed -n 's/.*ClusterName=\([A-Za-z0-9._-]*\).*/\1/p' "$files/poolwright.conf" | head -1)
version=$(slurmctld -V | awk '{print $2}')
host=$(hostname -s)
for name in poolwright.conf qos.cfg accounts.cfg; do
  [ -s "$files/$name" ] || { fail "$files/$name is not there"; finish; }
done

# `scontrol show hostnames` waits a minute for a slurm.conf, whatever is in it.
printf 'ClusterName=none\nSlurmctldHost=none\n' > "$lab/etc/slurm.conf"
# The overlay: the folder with node places and device files, and the ports that are free.
python3 - "$files" "$lab/etc" "$host" "$daemons" > "$lab/ports" << 'PYTHON' || { fail "the overlay could not be made"; finish; }
import pathlib, re, shutil, socket, subprocess, sys
source, etc, host = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
taken = []
def ports(count):
    """So many free ports side by side; they stay bound until all have been found."""
    for first in range(21000, 60000, count):
        sockets = []
        try:
            for port in range(first, first + count):
                if port in taken: raise OSError
                found = socket.socket(); found.bind(("127.0.0.1", port)); sockets.append(found)
        except OSError:
            pass
        else:
            taken.extend(range(first, first + count)); return first
        finally:
            for found in sockets: found.close()
    sys.exit("no free ports")
lines, nodes = [], []
for line in (source / "poolwright.conf").read_text().splitlines():
    found = re.match(r"NodeName=(\S+)", line)
    if found:
        names = subprocess.run(["scontrol", "show", "hostnames", found[1]], capture_output=True, text=True).stdout.split()
        first = ports(len(names)); nodes.append(names)
        line += f" NodeHostname={host} NodeAddr=127.0.0.1 Port=" + (f"[{first}-{first + len(names) - 1}]" if len(names) > 1 else str(first))
    lines.append(line)
(etc / "poolwright.conf").write_text("\n".join(lines) + "\n")
def overlay(found):
    first, last = re.search(r"\[?(\d+)(?:-(\d+)\])?$", found[1]).groups()
    first, last = int(first), int(last or first)
    if last > 63: first, last = 0, last - first
    return f"File=/dev/tty[{first}-{last}]" if last > first else f"File=/dev/tty{first}"
if (source / "gres.conf").exists():
    (etc / "gres.conf").write_text(re.sub(r"File=(\S+)", overlay, (source / "gres.conf").read_text()))
for name in ("topology.conf", "job_submit.lua"):
    if (source / name).exists(): shutil.copy(source / name, etc / name)
print("controller", ports(1)); print("slurmdbd", ports(1)); print("mariadb", ports(1))
daemons = int(sys.argv[4])
print("nodes", " ".join(name for names in nodes for name in names))
print("started", " ".join(name for names in nodes for name in names[:daemons]))
PYTHON
port() { awk -v which="$1" '$1 == which { print $2 }' "$lab/ports"; }
nodes=$(sed -n 's/^nodes //p' "$lab/ports")
slurmds=$(sed -n 's/^started //p' "$lab/ports")

cat > "$lab/etc/slurm.conf" << CONF
ClusterName=$cluster
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$(port controller)
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
CredType=cred/none
StateSaveLocation=$lab/state
SlurmdSpoolDir=$lab/spool/%n
SlurmctldPidFile=$lab/run/slurmctld.pid
SlurmdPidFile=$lab/run/slurmd.%n.pid
SlurmctldLogFile=$lab/log/slurmctld.log
SlurmdLogFile=$lab/log/slurmd.%n.log
SlurmctldDebug=verbose
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
MailProg=/bin/true
ReturnToService=2
KillWait=3
SlurmdParameters=config_overrides
SlurmdTimeout=60
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort=$(port slurmdbd)
SchedulerParameters=bf_interval=2,sched_interval=2
Include poolwright.conf
CONF
case $version in 2[0-2].*) ;; *) echo CgroupPlugin=disabled > "$lab/etc/cgroup.conf" ;; esac
cat > "$lab/etc/slurmdbd.conf" << CONF
AuthType=auth/none
DbdHost=localhost
DbdAddr=127.0.0.1
DbdPort=$(port slurmdbd)
SlurmUser=root
LogFile=$lab/log/slurmdbd.log
PidFile=$lab/run/slurmdbd.pid
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort=$(port mariadb)
StorageUser=slurm
StoragePass=slurm
StorageLoc=slurm_acct_db
CONF
chmod 600 "$lab/etc/slurmdbd.conf"

# Every client reads the files first and stops at what it does not know.
if ! refused=$(scontrol show hostnames "$host" 2>&1); then
  fail "Slurm refuses the files"
  sed 's/^/  /' <<< "$refused" | head -5
  finish
fi

# --------------------------------------------------------------------------------------------------------- accounting
chown -R mysql:mysql "$lab/db"
mariadb-install-db --user=mysql --datadir="$lab/db/data" --skip-test-db --auth-root-authentication-method=normal \
  > "$lab/log/mariadb-install.log" 2>&1 || { fail "mariadb-install-db"; tail -3 "$lab/log/mariadb-install.log"; finish; }
mariadbd --no-defaults --user=mysql --datadir="$lab/db/data" --socket="$lab/db/run/my.sock" --port="$(port mariadb)" \
  --bind-address=127.0.0.1 --innodb-buffer-pool-size=256M --innodb-log-file-size=64M --innodb-lock-wait-timeout=900 \
  --pid-file="$lab/db/run/my.pid" > "$lab/log/mariadb.log" 2>&1 &
pids+=($!)
sql() { mariadb --no-defaults -S "$lab/db/run/my.sock" -uroot -e "$1"; }
wait_for 30 sql "SELECT 1" || { fail "mariadbd does not answer"; tail -3 "$lab/log/mariadb.log"; finish; }
sql "CREATE DATABASE slurm_acct_db; CREATE USER slurm@127.0.0.1 IDENTIFIED BY 'slurm'; CREATE USER slurm@localhost IDENTIFIED BY 'slurm';
     GRANT ALL ON slurm_acct_db.* TO slurm@127.0.0.1; GRANT ALL ON slurm_acct_db.* TO slurm@localhost"
slurmdbd -D > "$lab/log/slurmdbd.out" 2>&1 &
pids+=($!)
wait_for 30 sacctmgr -n list cluster || { fail "slurmdbd does not answer"; tail -3 "$lab/log/slurmdbd.log"; finish; }
sacctmgr -i add cluster "$cluster" > /dev/null || fail "the cluster $cluster could not be added"
say "accounting is up (Slurm $version)"

# load FILE: our commands; anything but success and "nothing new" fails.
load() {
  local out
  out=$(sacctmgr -i < "$files/$1" 2>&1)
  if grep -iE 'error|unknown|invalid|use keyword|bad |not ' <<< "$(grep -v '^sacctmgr: [#am]' <<< "$out")" | sed "s/^/FAIL $1: /" | grep .; then
    failures=$((failures + 1))
  fi
}
load qos.cfg

# --------------------------------------------------------------------------------------------------------- controller
slurmctld -D > "$lab/log/slurmctld.out" 2>&1 &
controller=$!
pids+=("$controller")
up() { scontrol ping | grep -c ' UP' > /dev/null; }
if ! wait_for 15 up || ! alive "$controller"; then
  fail "slurmctld refused the files"
  grep -hE 'error|fatal' "$lab/log/slurmctld.log" "$lab/log/slurmctld.out" 2> /dev/null | sort -u | head -20
  scontrol ping 2>&1 | head -5
  finish
fi
started=0
for node in $slurmds; do
  slurmd -D -N "$node" > "$lab/log/slurmd.$node.out" 2>&1 &
  pids+=($!)
  started=$((started + 1))
done
load accounts.cfg
load qos.cfg
load accounts.cfg
say "slurmctld and $started of $(wc -w <<< "$nodes") slurmd are up; QoS and accounts are loaded, twice"
sleep 3

# ---------------------------------------------------------------------------------------------------- what it shows
# names FILE KEY: the values of KEY= at the beginning of lines.
names() { sed -n "s/^$2=\([^ ]*\).*/\1/p" "$files/$1"; }
for partition in $(names poolwright.conf PartitionName); do
  shown=$(scontrol show partition "$partition" 2> /dev/null) || { fail "partition $partition is not there"; continue; }
  line=$(grep "^PartitionName=$partition " "$files/poolwright.conf")
  for key in PriorityTier MaxTime AllowAccounts AllowQos Default Hidden State; do
    wanted=$(grep -oP "(?<= $key=)[^ ]*" <<< "$line") || continue
    found=$(grep -oP "(?<=\b$key=)[^ ]*" <<< "$shown" | head -1)
    [ "$wanted" = "$found" ] || fail "partition $partition has $key=$found, not $wanted"
  done
  wanted=$(grep -oP '(?<=TRESBillingWeights=")[^"]*' <<< "$line") && {
    found=$(grep -oP '(?<=TRESBillingWeights=)[^ ]*' <<< "$shown")
    [ "${wanted,,}" = "${found,,}" ] || fail "partition $partition has TRESBillingWeights=$found, not $wanted"
  }
  grep -qE 'TotalNodes=0' <<< "$shown" && fail "partition $partition has no nodes"
done
for node in $nodes; do
  shown=$(scontrol show node "$node" 2> /dev/null) || fail "node $node is not there"
  line=$(grep "^NodeName=" "$files/poolwright.conf" | while read -r line; do
    scontrol show hostnames "$(grep -oP '(?<=^NodeName=)[^ ]*' <<< "$line")" | grep -cx "$node" > /dev/null && echo "$line"; done)
  for key in Gres RealMemory Sockets CoresPerSocket ThreadsPerCore; do
    wanted=$(grep -oP "(?<= $key=)[^ ]*" <<< "$line") || continue
    found=$(grep -oP "(?<=\b$key=)[^ ]*" <<< "$shown" | head -1)
    found=$(sed 's/([^)]*)//g' <<< "$found") # sockets near the GPUs, as slurmd found them
    [ "$wanted" = "$found" ] || fail "node $node has $key=$found, not $wanted"
  done
done
for switch in $(names topology.conf SwitchName 2> /dev/null); do
  scontrol show topology "$switch" 2> /dev/null | grep -c "SwitchName=$switch " > /dev/null || fail "switch $switch is not there"
done
for qos in $(sed -n 's/^add qos //p' "$files/qos.cfg"); do
  sacctmgr -nP list qos format=name | grep -cx "$qos" > /dev/null || fail "QoS $qos is not there"
  # Priority and Preempt as the file has them.
  line=$(grep "^modify qos where name=$qos " "$files/qos.cfg")
  shown=$(sacctmgr -nP list qos "$qos" format=priority,preempt)
  priority=$(grep -oP '(?<= Priority=)\d+' <<< "$line")
  preempt=$(grep -oP '(?<= Preempt=)\S*' <<< "$line" | tr ',' '\n' | sort | paste -sd,)
  found=${shown%%|*}'|'$(tr ',' '\n' <<< "${shown#*|}" | sort | paste -sd,)
  [ "$found" = "$priority|$preempt" ] || fail "QoS $qos has priority|preempt $found, not $priority|$preempt"
done
accounts=$(sed -n 's/^add account \([^ ]*\) .*/\1/p' "$files/accounts.cfg")
for account in $accounts; do
  sacctmgr -nP list assoc cluster="$cluster" account="$account" user="" format=account | grep -cx "$account" > /dev/null || fail "account $account is not there"
done
for line in $(grep -E '^(PreemptType|PreemptMode|PriorityType|PriorityWeightQOS|TopologyPlugin|EnforcePartLimits|JobSubmitPlugins|GresTypes)=' "$files/poolwright.conf"); do
  key=${line%%=*}; found=$(scontrol show config | sed -n "s/^$key *= //p" | tr -d ' ')
  [ "${line#*=}" = "$found" ] || fail "$key is $found, not ${line#*=}"
done

# --------------------------------------------------------------------------------------------------------------- jobs
# The user of the jobs: no root, since limits and AllowQos do not bind it.
user=nobody
account=$(head -1 <<< "$accounts")
as_user() { (cd "$lab/work" && setpriv --reuid="$user" --regid="$(id -g "$user")" --clear-groups "$@"); }
if [ -n "$account" ]; then
  sacctmgr -i add user "$user" account="$account" cluster="$cluster" > /dev/null || fail "user $user could not be added"
fi
idle() { [ "$(sinfo -h -N -t idle -o %N | sort -u | wc -l)" -ge "$started" ]; }
wait_for 20 idle || { fail "of $started slurmd no $started nodes are idle"; sinfo -h -N -o '%N %T %E' | sort -u | head; }

of_job() { scontrol show job "$1" | grep -oP "(?<=\b$2=)[^ ]*" | head -1; }
running() { [ "$(of_job "$1" JobState)" = RUNNING ]; }
ended() { case "$(of_job "$1" JobState)" in COMPLETED | FAILED | CANCELLED) ;; *) return 1 ;; esac; }
for partition in $(names poolwright.conf PartitionName); do
  rule=$(grep -F "partitions[\"$partition\"]" "$files/job_submit.lua" 2> /dev/null) || continue
  if grep -q 'later = true' <<< "$rule"; then
    if as_user sbatch -p "$partition" --gres=gpu:1 --wrap true > "$lab/log/later" 2>&1; then
      fail "a user could submit to $partition, a later step"
    else
      grep -q 'is a later step of queue' "$lab/log/later" || fail "$partition: $(tr '\n' ' ' < "$lab/log/later")"
    fi
    continue
  fi
  class=$(grep -oP '(?<=\bclass = ")[^"]*' <<< "$rule") || continue
  [ "$(grep -oP "(?<=^PartitionName=$partition ).*" "$files/poolwright.conf" | grep -c 'State=DOWN')" = 0 ] || continue
  grep -q 'gpus = ' <<< "$rule" || continue
  submit() { as_user sbatch --parsable -p "$partition" -N1 --gres="$1" -o /dev/null --wrap 'env > env.$SLURM_JOB_ID; sleep 2' 2> "$lab/log/sbatch"; }
  if ! job=$(submit gpu:4); then
    # Where there are several types under caps, a job has to say which; the message names one.
    type=$(grep -oP 'say which GPUs, as in gpu:\K[^:]*' "$lab/log/sbatch")
    if [ -z "$type" ] || ! job=$(submit "gpu:$type:4"); then
      fail "partition $partition: $(tr '\n' ' ' < "$lab/log/sbatch")"
      continue
    fi
  fi
  within=$(grep -oP 'within = \K\d+' <<< "$rule")
  if [ "${within:-0}" -gt 0 ]; then
    scontrol show job "$job" | grep -cE '(ReqSwitch=1|Switches=1@)' > /dev/null || fail "partition $partition: job $job may span switches"
    if as_user sbatch -p "$partition" -N "$((within + 1))" --gres=gpu:1 --wrap true > "$lab/log/within" 2>&1; then
      fail "partition $partition took a job that no switch can hold"
    else
      grep -q "stay within one switch of $within nodes" "$lab/log/within" || fail "partition $partition: $(tr '\n' ' ' < "$lab/log/within")"
    fi
  fi
  open=$(grep -oP 'open = \{ \K[^}]*' <<< "$rule" | tr -d '" ')
  if [ -n "$open" ]; then
    found=$(scontrol show job "$job" | grep -oP '(?<=\bPartition=)[^ ]*')
    case ",$open," in *",$found,"*) ;; *) [ "$found" = "$open" ] || fail "a job of $partition is in $found, not in $open" ;; esac
  fi
  found=$(of_job "$job" QOS)
  [ "$found" = "$class" ] || fail "partition $partition: a job without QoS got $found, not $class"
  if wait_for 20 running "$job"; then
    tres=$(of_job "$job" TRES)
    grep -q 'gres/gpu=4' <<< "$tres" || fail "partition $partition: job $job was given $tres"
    grep -qP 'gres/gpu:[^=,]+=4' <<< "$tres" || fail "partition $partition: the type of job $job's GPUs is not counted: $tres"
    say "$partition: 4 GPUs on $(of_job "$job" NodeList), QoS $found, $(grep -oP 'billing=\d+' <<< "$tres")"
    wait_for 10 ended "$job"
    seen=$(sed -n 's/^CUDA_VISIBLE_DEVICES=//p' "$lab/work/env.$job" 2> /dev/null | tr ',' '\n' | grep -c .)
    [ "$seen" = 4 ] || fail "partition $partition: job $job saw $seen GPUs"
  else
    fail "partition $partition: job $job is $(of_job "$job" JobState), $(of_job "$job" Reason)"
  fi
  scancel "$job" 2> /dev/null
done
# A job of another partition's class is refused, with a reason.
read -r one other <<< "$(sed -n 's/^partitions\["\([^"]*\)"\] = {.*class = .*/\1/p' "$files/job_submit.lua" 2> /dev/null | tr '\n' ' ')"
if [ -n "${other:-}" ]; then
  other=${other%% *}
  foreign=$(grep -F "partitions[\"$other\"]" "$files/job_submit.lua" | grep -oP '(?<=\bclass = ")[^"]*')
  if ! grep -F "partitions[\"$one\"]" "$files/job_submit.lua" | grep -qF "\"$foreign\""; then
    if as_user sbatch -p "$one" --qos="$foreign" --wrap true > "$lab/log/foreign" 2>&1; then
      fail "a job of class $foreign was taken in $one"
    else
      grep -q "is not allowed in $one" "$lab/log/foreign" || fail "the refusal of $foreign in $one does not say why: $(cat "$lab/log/foreign")"
    fi
  fi
fi
# A job that names no partition goes to the default one, with its QoS.
default=$(sed -n 's/^PartitionName=\([^ ]*\) .*Default=YES.*/\1/p' "$files/poolwright.conf" | head -1)
if [ -n "$default" ] && grep -qF "partitions[\"$default\"]" "$files/job_submit.lua" 2> /dev/null; then
  class=$(grep -F "partitions[\"$default\"]" "$files/job_submit.lua" | grep -oP '(?<=\bclass = ")[^"]*')
  job=$(as_user sbatch --parsable --hold -N1 --gpus=1 -o /dev/null --wrap true 2> "$lab/log/sbatch") || fail "no partition named: $(cat "$lab/log/sbatch")"
  found="$(of_job "$job" Partition) $(of_job "$job" QOS)"
  [ "$found" = "$default $class" ] || fail "a job without a partition got $found, not $default $class"
  scancel "$job" 2> /dev/null
fi

# A class takes the GPUs of one that it preempts: the victims' hosts are filled first, then one host's worth is asked for.
nodes_of() { grep -oP "(?<=^PartitionName=$1 Nodes=)[^ ]*" "$files/poolwright.conf"; }
preemption() {
  local high low class victim rule job jobs=() node gpus
  for high in $(names poolwright.conf PartitionName); do
    class=$(grep -F "partitions[\"$high\"]" "$files/job_submit.lua" | grep -oP '\bclass = "\K[^"]*') || continue
    for low in $(names poolwright.conf PartitionName); do
      rule=$(grep -F "partitions[\"$low\"]" "$files/job_submit.lua" | grep -vE 'open = |later = ') || continue
      victim=$(grep -oP '\bclass = "\K[^"]*' <<< "$rule") || continue
      [ "$(nodes_of "$high")" = "$(nodes_of "$low")" ] || continue
      sacctmgr -nP list qos "$class" format=preempt | tr ',' '\n' | grep -cx "$victim" > /dev/null && break 2
    done
    low=
  done
  [ -n "${low:-}" ] || return 0
  local exempt
  exempt=$(sacctmgr -nP list qos "$victim" format=preemptexempttime)
  case "$exempt" in '' | 00:00:00) ;; *) say "preemption: not tried, class $victim is exempt for $exempt"; return 0 ;; esac
  for node in $(sinfo -h -N -p "$low" -t idle -o %N | sort -u); do
    gpus=$(scontrol show node "$node" | grep -oP '(?<=Gres=)gpu:[^:(]*:\d+' | head -1)
    job=$(as_user sbatch --parsable -p "$low" -w "$node" --gres="$gpus" -o /dev/null --wrap 'sleep 300' 2> "$lab/log/sbatch") || {
      fail "preemption, $low: $(tr '\n' ' ' < "$lab/log/sbatch")"; return; }
    jobs+=("$job")
    wait_for 20 running "$job" || { fail "preemption: job $job of $low is $(of_job "$job" Reason)"; return; }
  done
  [ "${#jobs[@]}" -gt 0 ] || { fail "preemption: no idle node in $low"; return; }
  job=$(as_user sbatch --parsable -p "$high" -N1 --gres="$gpus" -o /dev/null --wrap 'sleep 5' 2> "$lab/log/sbatch") || {
    fail "preemption, $high: $(tr '\n' ' ' < "$lab/log/sbatch")"; return; }
  wait_for 90 running "$job" || fail "preemption: job $job of class $class does not evict class $victim: $(of_job "$job" Reason)"
  local evicted=0
  for low in "${jobs[@]}"; do running "$low" || evicted=$((evicted + 1)); done
  [ "$evicted" = 1 ] || fail "preemption: $evicted jobs of class $victim were evicted for one of class $class"
  say "preemption: class $class evicted $evicted job of class $victim"
  scancel "$job" "${jobs[@]}" 2> /dev/null
}
[ "${PREEMPTION:-1}" = 0 ] || preemption

# --------------------------------------------------------------------------------------------------------------- logs
# Errors that every new private cluster has, whatever the files:
allowed='Could not open .* state file|Trying backup state save file|No fed_mgr state file'  # nothing has been saved yet
allowed+='|can not load PMIx library|plugin name for mpi/pmix|Cannot create context for mpi/pmix' # Debian ships the plugin without its library
allowed+='|error: Database settings not recommended values|innodb_'                              # sizes of the private MariaDB
allowed+='|slurm_persist_conn_open_without_init|Sending PersistInit msg|Nodes .* not responding'   # slurmctld before slurmdbd knows it; nodes without slurmd
for log in slurmctld slurmdbd; do
  bad=$(grep -hE '(error|fatal):' "$lab/log/$log.log" "$lab/log/$log.out" 2> /dev/null | sed 's/^\[[^]]*\] //; s/^slurm[a-z]*: //' | sort -u | grep -vE "$allowed")
  [ -z "$bad" ] && continue
  failures=$((failures + 1))
  sed "s/^/FAIL $log.log: /" <<< "$bad" | sed "s#$lab#…#g"
done
finish
