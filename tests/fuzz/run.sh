#!/bin/bash
# Fuzzes parsing and evaluation for so many seconds. It begins with the examples and the cases of the tests.
#
#   tests/fuzz/run.sh [SECONDS]        default 600; needs `cargo install cargo-fuzz` and a nightly toolchain
#
# What it finds is kept in tests/fuzz/artifacts (not in Git); make a test of it.
set -euo pipefail
cd "$(dirname "$0")"
seconds=${1:-600}

if ! cargo fuzz --version > /dev/null 2>&1; then
  echo "run: cargo install cargo-fuzz && rustup toolchain install nightly" >&2
  exit 1
fi
corpus=corpus/parse_and_evaluate
mkdir -p "$corpus"
find ../../examples ../ui -name '*.pool.hcl' -size -16k | while read -r file; do
  cp "$file" "$corpus/seed-$(echo "$file" | tr -c 'a-zA-Z0-9\n' -)"
done
# Each expression of the conformance cases as an attribute.
awk -v RS= -v dir="$corpus" '{ text = ""; n = split($0, lines, "\n")
  for (i = 1; i <= n; i++) if (lines[i] ~ /^> ?/) { line = lines[i]; sub(/^> ?/, "", line); text = text line "\n" }
  file = dir "/case-" NR; printf "x = (%s)\n", text > file; close(file) }' ../conformance/cases/expressions.txt
cargo +nightly fuzz run --fuzz-dir . parse_and_evaluate -- \
  -max_total_time="$seconds" -max_len=8192 -timeout=20 -rss_limit_mb=2048 -dict=words.dict -verbosity=0 -print_final_stats=1
