#!/bin/bash
# wrong.sh FOLDER: break the files in FOLDER, one fault at a time, and see that run.sh fails for each, for the right reason.
# FOLDER holds what run.sh takes and passes there; it is not changed. Each case takes about as long as run.sh.
set -uo pipefail
here=$(dirname "$(realpath "$0")")
files=$(realpath "${1:?usage: wrong.sh FOLDER [CASE…]}") || exit 2
shift
work=$(mktemp -d "${TMPDIR:-/tmp}/poolwright-wrong.XXXXXX")
trap 'rm -rf "$work"' EXIT
missed=0

# try NAME FILE SED EXPECTED: FILE with SED applied must make run.sh exit with 1 and print a line like EXPECTED.
try() {
  local name=$1 file=$2 edit=$3 expected=$4 folder=$work/$1 code
  rm -rf "$folder"; cp -r "$files" "$folder"
  sed -i "$edit" "$folder/$file"
  if cmp -s "$files/$file" "$folder/$file"; then echo "MISSED $name: the edit changes nothing"; missed=$((missed + 1)); return; fi
  PREEMPTION=0 "$here/run.sh" "$folder" > "$folder.out" 2>&1; code=$?
  if [ "$code" = 1 ] && grep -qE "$expected" "$folder.out"; then
    echo "caught $name: $(grep -E "$expected" "$folder.out" | head -1)"
  else
    echo "MISSED $name: exit $code, no line like $expected"; sed 's/^/    /' "$folder.out"; missed=$((missed + 1))
  fi
}

cases=${*:-key topology gres-types file type qos loop tres lua plugin}
for case in $cases; do
  case $case in
    # Slurm stops at a key that it does not know.
    key) try key poolwright.conf 's/^PartitionName=dev /&PriorityTire=7 /' 'unrecognized key: PriorityTire' ;;
    # Hosts that hang on no switch are only logged.
    topology) try topology topology.conf '/^SwitchName=su2 /s/\[009-016\]/[009-015]/' 'slurmctld.log: .*lack access' ;;
    # Without GresTypes all GPUs vanish, and nothing is said.
    gres-types) try gres-types poolwright.conf '/^GresTypes=/d; /^AccountingStorageTRES=/d; s/ TRESBillingWeights=.*//' 'has Gres=' ;;
    # Fewer device files than GPUs: the hosts drain when they register.
    file) try file gres.conf 's/\[0-7\]/[0-3]/' 'nodes are idle' ;;
    # A type that the node does not have.
    type) try type gres.conf 's/Type=[^ ]*/Type=b200/' 'nodes are idle|slurmctld.log' ;;
    # A QoS that a partition names and slurmdbd does not have.
    qos) try qos qos.cfg '/ qos urgent/d; /name=urgent/d; s/ Preempt-=urgent//' 'slurmctld.log: |QoS urgent|partition urgent' ;;
    # Two QoS that preempt each other.
    loop) try loop qos.cfg 's/Preempt-=urgent/Preempt=urgent/' 'loop detected' ;;
    # A limit on GPUs that the cluster does not count.
    tres) try tres accounts.cfg '/name=nlp/s/GrpTRES=/&gres\/gpu:b200=8,/' 'no TRES known' ;;
    # A table that gives another QoS than the queue's.
    lua) try lua job_submit.lua 's/^\(partitions\["dev"\].*class = \)"dev"/\1"normal"/' 'partition dev: ' ;;
    # A script without one of the functions that Slurm calls.
    plugin) try plugin job_submit.lua 's/^function slurm_job_modify/function slurm_job_modified/' 'slurmctld refused the files' ;;
    *) echo "no case $case"; exit 2 ;;
  esac
done
[ "$missed" = 0 ] || { echo "FAILED: $missed"; exit 1; }
echo "all faults were caught"
