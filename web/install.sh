#!/bin/sh
# Puts the packages of package-lock.json into web/node_modules, if they are not there yet: nothing touches the
# network as long as the lock file stays the same.
set -eu
cd "$(dirname "$0")"
stamp=node_modules/.ironbird-lock
cmp -s package-lock.json "$stamp" && exit 0
# No package needs its scripts; none of them gets to run any.
npm ci --ignore-scripts --no-audit --no-fund
cp package-lock.json "$stamp"
