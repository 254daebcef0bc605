#!/bin/sh
# Writes targets/kubernetes/schemas from the CRDs of Kueue and the OpenAPI document of Kubernetes.
#
#   tests/schemas/generate.sh            needs go (downloads two modules, builds nothing) and python3 with PyYAML
#
# To raise a version: change it below, run, read the difference, commit both.
set -eu

KUEUE=v0.17.1
KUBERNETES=v1.35.4

here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
out=$here/../../targets/kubernetes/schemas

# Outside of any module, so that nothing in the repository is read or changed.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
module() {
    (cd "$scratch" && go mod download -json "$1@$2") | python3 -c 'import json, sys; print(json.load(sys.stdin)["Dir"])'
}

python3 "$here/generate.py" \
    --kueue "$(module sigs.k8s.io/kueue "$KUEUE")" --kueue-version "$KUEUE" \
    --kubernetes "$(module k8s.io/kubernetes "$KUBERNETES")" --kubernetes-version "$KUBERNETES" \
    --out "$out"
