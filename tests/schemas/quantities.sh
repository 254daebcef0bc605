#!/bin/sh
# Writes targets/kubernetes/data/quantities.csv: what Kubernetes itself makes of each text in it.
#
#   tests/schemas/quantities.sh          needs go; builds a small program
set -eu

here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
table=$here/../../targets/kubernetes/data/quantities.csv
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

(cd "$here/quantities" && go build -p 1 -o "$scratch/quantities" .)
head -n 1 "$table" > "$scratch/table"
tail -n +2 "$table" | cut -d , -f 1 | "$scratch/quantities" >> "$scratch/table"
cp "$scratch/table" "$table"
