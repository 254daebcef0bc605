#!/bin/sh
# AWS's own service models as the referee of our create documents. Needs python3 with venv, and a package index the
# first time; afterwards it is offline. With no folder given: the goldens and the cases beside this file.
#
#   tests/e2e/aws/run.sh [FOLDER…]
#
# Exit: 0 every document is one that AWS takes; 1 one is not, or the referee let a bad one pass; 2 it could not run.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
cache=${POOLWRIGHT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/poolwright}
version=$(sed -n 's/^botocore==//p' "$here/requirements.txt")
venv=$cache/aws-referee-botocore-$version

if [ ! -e "$venv/ready" ]; then
    echo "installing botocore $version into the cache" >&2
    rm -rf "$venv"
    mkdir -p "$cache"
    if ! { python3 -m venv "$venv" && "$venv/bin/pip" install -q --no-deps -r "$here/requirements.txt"; } >&2; then
        echo "the AWS referee could not run: botocore $version cannot be installed" >&2
        exit 2
    fi
    touch "$venv/ready"
fi

"$venv/bin/python" "$here/validate.py" --self-test
if [ $# -eq 0 ]; then
    set -- "$here/../../golden/quickstart/objects/aws.use1" "$here/cases"
fi
exec "$venv/bin/python" "$here/validate.py" "$@"
