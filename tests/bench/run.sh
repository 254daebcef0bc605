#!/bin/sh
# run.sh [RUNS]: how long `validate` and `plan` take and how much memory, at several sizes, as a Markdown table.
#
# 3,150 and 31,500 blocks make about 10,000 and 100,000 objects; SIZES="1000 10000" chooses other numbers of blocks.
# Needs cargo, python3 and GNU time; go only for the rows of HashiCorp's parser, which are left out without it. Scratch
# files are made in a new folder under $TMPDIR and removed.
set -eu
runs=${1:-5}
sizes=${SIZES:-1000 3150 10000 31500 100000}
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT INT TERM

cargo build --quiet --release --manifest-path "$root/Cargo.toml" -p poolwright
poolwright=${CARGO_TARGET_DIR:-$root/target}/release/poolwright
hcl=
if command -v go >/dev/null && (cd "$here/hcl" && go build -o "$scratch/hcl" .) 2>/dev/null; then
    hcl=$scratch/hcl
fi

echo "- machine: $(nproc) processors ($(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)), $(awk '/^MemTotal/ { printf "%.0f GiB", $2 / 1048576 }' /proc/meminfo) memory"
echo "- date: $(date -u +%Y-%m-%d), commit: $(git -C "$root" rev-parse --short HEAD)$(test -z "$(git -C "$root" status --porcelain -- Cargo.lock Cargo.toml compiler targets policies)" || echo ' with changes'), $(rustc --version)"
echo "- method: $runs runs of the release build after one that is not counted, each a new process, files in the system's cache, output thrown away; figures of the whole process by GNU time: wall as minimum / median, CPU (user + system) as median, memory as the largest resident set"
echo
echo '| command | pool blocks | objects | wall s, min / median | CPU s | peak MiB |'
echo '|---|---:|---:|---:|---:|---:|'

# row NAME BLOCKS OBJECTS COMMAND...: runs in the current folder; `plan` says by exit code 2 that there is something to do.
row() {
    name=$1 blocks=$2 objects=$3
    shift 3
    : >"$scratch/times"
    run=0
    while [ "$run" -le "$runs" ]; do
        code=0
        /usr/bin/time -f '%e %U %S %M' -o "$scratch/one" "$@" >/dev/null 2>"$scratch/errors" || code=$?
        if [ "$code" -ne 0 ] && [ "$code" -ne 2 ]; then
            cat "$scratch/errors" >&2
            exit 1
        fi
        if [ "$run" -gt 0 ]; then tail -n 1 "$scratch/one" >>"$scratch/times"; fi
        run=$((run + 1))
    done
    python3 - "$scratch/times" "$name" "$blocks" "$objects" <<'EOF'
import statistics
import sys

rows = [[float(part) for part in line.split()] for line in open(sys.argv[1])]
wall = [row[0] for row in rows]
cpu = statistics.median(row[1] + row[2] for row in rows)
peak = max(row[3] for row in rows) / 1024
name, blocks, objects = sys.argv[2:]
count = lambda text: f"{int(text):,}" if text.isdigit() else text
print(f"| {name} | {count(blocks)} | {count(objects)} | {min(wall):.2f} / {statistics.median(wall):.2f} | {cpu:.2f} | {peak:,.0f} |")
EOF
}

# Objects that a plan of the current folder would create.
objects() {
    "$poolwright" plan 2>/dev/null | sed -n 's/^\([0-9]*\) to create .*/\1/p' || true
}

for size in $sizes; do
    fleet=$scratch/$size
    python3 "$here/fleet.py" "$size" "$fleet"
    cd "$fleet"
    count=$(objects)
    row '`validate`' "$size" "$count" "$poolwright" validate
    row '`plan`, first' "$size" "$count" "$poolwright" plan
    if [ -n "$hcl" ]; then row "HashiCorp hcl v2 (Go), parsing only" "$size" – "$hcl" "$fleet"; fi
    if [ "$size" -eq 1000 ]; then
        "$poolwright" apply --auto-approve >/dev/null 2>&1
        row '`plan`, nothing to do' "$size" "$count" "$poolwright" plan
    fi
    cd "$scratch"
    rm -rf "$fleet"
done
