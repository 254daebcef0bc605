#!/bin/sh
# The quickstart in a scratch folder, step by step. Touches nothing else, uses no network, needs no service.
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
echo "building (about 2 minutes the first time) …"
cargo build --quiet --locked --manifest-path "$here/../Cargo.toml" -p poolwright || exit 1
target=$(cargo metadata --manifest-path "$here/../Cargo.toml" --format-version 1 --no-deps --locked |
    sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
PATH=$target/debug:$PATH
fleet=$(mktemp -d)
trap 'rm -rf "$fleet"' EXIT INT TERM
cp -R "$here/quickstart/." "$fleet"
rm -rf "$fleet/live"
cd "$fleet" || exit 1

# step "what it shows" EXPECTED_EXIT COMMAND…
step() {
    echo
    echo "── $1"
    want=$2
    shift 2
    echo "\$ $*"
    "$@"
    got=$?
    echo "exit $got"
    if [ "$got" != "$want" ]; then
        echo "the demo expected exit $want" >&2
        exit 1
    fi
}

# edit FILE FROM TO, once
edit() {
    echo
    echo "── edit $1: $2 → $3"
    sed -i "s|$2|$3|" "$1"
    grep -qF "$3" "$1" || { echo "the demo could not edit $1" >&2; exit 1; }
}

step "what the files would make of six empty targets" 2 poolwright plan
step "make it so" 0 poolwright apply --auto-approve -q
step "nothing is left to do" 0 poolwright plan
edit pools.pool.hcl 'nodes = "0..12"' 'nodes = "0..20"'
step "one edit changes what depends on it, and nothing else" 2 poolwright plan
edit pools.pool.hcl 'nodes = "0..20"' 'nodes = "0..12"'
edit queues.pool.hcl 'gpus = 32, borrow = 32' 'gpus = 32, borrow = "all"'
step "this one costs more than vision may spend" 4 poolwright plan

echo
echo "That denial was expected. Now try a fleet of your own; to have poolwright on your PATH:"
echo "    cargo install --locked --path compiler/cli"
echo "    poolwright init my-fleet"
