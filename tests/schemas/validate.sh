#!/bin/sh
# Holds the Kubernetes goldens against Kueue's CustomResourceDefinitions with the API server's own code, CEL rules
# and defaults included, for the oldest, the bundled and the newest version that is known.
#
#   tests/schemas/validate.sh            needs go; the first build takes some minutes
set -eu

here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

(cd "$here/validate" && go build -p 1 -o "$scratch/validate" .)
for version in v0.15.0 v0.17.1 v0.19.1; do
    folder=$(cd "$scratch" && go mod download -json "sigs.k8s.io/kueue@$version" |
        python3 -c 'import json, sys; print(json.load(sys.stdin)["Dir"])')
    echo "Kueue $version"
    "$scratch/validate" "$folder/config/components/crd/bases" \
        "$here"/../golden/quickstart/objects/kubernetes.* "$here/../../targets/kubernetes/golden"
done
