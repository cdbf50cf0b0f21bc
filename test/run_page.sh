#!/bin/sh
# The viewer's page without a browser: its packages, types, bundle and unit tests. Prints "ok" and "not ok" lines. In a browser:
# test/viewer/test_*.mjs.
cd "$(dirname "$0")/.." || exit 1
out=${IB_SCRATCH:-build/test-output/page}
mkdir -p "$out"

# holds NAME COMMAND...: by exit code; what it said is shown if it fails
holds() {
    name=$1
    shift
    if "$@" > "$out/log" 2>&1; then echo "ok viewer: $name"; else
        echo "not ok viewer: $name"
        head -n 7 "$out/log" | sed 's/^/    /'
        return 1
    fi
}

holds "packages of the page" sh web/install.sh || exit 1
holds "types of the page" web/node_modules/.bin/tsc --noEmit -p web
holds "the bundle in web/dist is what its sources give" node web/build.mjs --check
holds "the lock file names no server" sh -c '! grep -qE "resolved|https?://" web/package-lock.json'
holds "the page asks for nothing from outside" sh -c '! grep -qE "(src|href)=.?(https?:)?//" web/dist/index.html'

# node's own reporter numbers its tests and indents those of a file
node web/build.mjs --test > "$out/units.log" 2>&1
status=$?
sed -nE 's/^ *((not )?ok) [0-9]+ - /\1 page: /p' "$out/units.log" | grep -v '\.test\.mjs$'
[ $status -eq 0 ] || { grep -q '^ *not ok' "$out/units.log" || { echo "not ok viewer: unit tests of the page"; tail -n 7 "$out/units.log"; }; }
exit 0
