#!/bin/bash
# Holds the language against HashiCorp's own implementation: the cases of the table and the suite must say what it
# gives, and 20,000 random expressions must give the same on both sides, or fall under a rule of differences.txt.
#
#   tests/conformance/run.sh [COUNT [SEED [RULE]]]      needs go; RULE: shows what falls under it
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."

if ! command -v go > /dev/null; then
  echo "install Go 1.25 or newer (https://go.dev/dl): the reference implementation is a Go module" >&2
  exit 1
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
(cd "$here/oracle" && go build -p 1 -o "$scratch/oracle" .)
cargo run --quiet --locked -p poolwright-language --example differential -- "$scratch/oracle" "$@"
