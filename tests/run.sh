#!/bin/bash
# The tests by tier: install, quick, e2e. Stops at the first tier that fails, after all of its steps have run.
#
#   tests/run.sh [install] [quick] [e2e]        without arguments: quick
#
# install  what the tiers need and a fresh Debian 12 with Rust, Go and Python lacks
# quick    formatting, lints, tests without services, documentation
# e2e      real counterparts: HashiCorp's expressions, AWS's service models, the API server's own validation, a Slurm cluster with accounting
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

failed=()
began=$SECONDS
step() { # NAME COMMAND…
  local name=$1 start=$SECONDS
  shift
  echo "── $name"
  if "$@"; then
    echo "── $name: ok, $((SECONDS - start)) s"
  else
    failed+=("$name")
    echo "── $name: FAILED, $((SECONDS - start)) s"
  fi
}

install_packages() {
  local wanted=() program
  declare -A package=([slurmctld]=slurmctld [slurmd]=slurmd [scontrol]=slurm-client [slurmdbd]=slurmdbd
    [mariadbd]=mariadb-server [bc]=bc [cc]=build-essential [git]=git)
  for program in "${!package[@]}"; do
    command -v "$program" > /dev/null || [ -x "/usr/sbin/$program" ] || wanted+=("${package[$program]}")
  done
  dpkg -s slurm-wlm-mysql-plugin > /dev/null 2>&1 || wanted+=(slurm-wlm-mysql-plugin)
  dpkg -s slurm-wlm-basic-plugins > /dev/null 2>&1 || wanted+=(slurm-wlm-basic-plugins)
  dpkg -s python3-venv > /dev/null 2>&1 || python3 -c 'import ensurepip' 2> /dev/null || wanted+=(python3-venv)
  [ ${#wanted[@]} = 0 ] && return 0
  local sudo=() policy=/usr/sbin/policy-rc.d made=
  [ "$(id -u)" = 0 ] || sudo=(sudo)
  # Packages must not start their services: the labs start their own, on ports of their own, and stop them.
  if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' | "${sudo[@]}" tee "$policy" > /dev/null && "${sudo[@]}" chmod 755 "$policy" && made=1
  fi
  "${sudo[@]}" apt-get update -qq
  DEBIAN_FRONTEND=noninteractive "${sudo[@]}" apt-get install -y -qq --no-install-recommends "${wanted[@]}" > /dev/null
  local result=$?
  [ -n "$made" ] && "${sudo[@]}" rm -f "$policy"
  return $result
}

install_components() {
  cargo fmt --version > /dev/null 2>&1 && cargo clippy --version > /dev/null 2>&1 && return 0
  rustup component add rustfmt clippy
}

install() {
  step "packages" install_packages
  step "rustfmt and clippy" install_components
}

quick() {
  step "format" cargo fmt --all --check
  step "lints" cargo clippy --workspace --all-targets --locked --quiet -- -D warnings
  step "tests" cargo test --workspace --locked --quiet
  step "documentation" env RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked --quiet
}

# What the program writes now, not what was written once: the goldens are held against it in the quick tier.
compiled() {
  local folder
  folder=$(mktemp -d)
  cargo build --quiet --locked -p poolwright && "$(target)/debug/poolwright" compile examples/quickstart --out "$folder" > /dev/null &&
    echo "$folder"
}
target() {
  cargo metadata --format-version 1 --no-deps --locked | python3 -c 'import json, sys; print(json.load(sys.stdin)["target_directory"])'
}

e2e() {
  local out
  out=$(compiled) || { failed+=("compile the quickstart"); return; }
  step "HashiCorp's expressions" tests/conformance/run.sh
  step "AWS service models" tests/e2e/aws/run.sh "$out/aws/use1" tests/e2e/aws/cases
  step "the API server's validation" tests/schemas/validate.sh
  step "Slurm, as compiled" tests/e2e/slurm/run.sh "$out/slurm/hpc"
  step "Slurm, broken on purpose" tests/e2e/slurm/wrong.sh "$out/slurm/hpc"
  rm -rf "$out"
}

[ $# -gt 0 ] || set -- quick
for tier in "$@"; do
  case $tier in
    install | quick | e2e) "$tier" ;;
    *) echo "unknown tier $tier: install, quick, e2e" >&2; exit 1 ;;
  esac
  [ ${#failed[@]} = 0 ] || break
done
if [ ${#failed[@]} -gt 0 ]; then
  printf '\nFAILED after %s s: %s\n' "$((SECONDS - began))" "$(IFS=,; echo "${failed[*]}")" >&2
  exit 1
fi
printf '\nall passed: %s, %s s\n' "$*" "$((SECONDS - began))"
