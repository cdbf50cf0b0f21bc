#!/bin/sh
# The page in a real browser, one suite after the other, since a browser alone keeps two cores busy: sh test/run_viewer.sh PROGRAM
# SANITIZED_PROGRAM, after test/run_page.sh has seen to the packages. Prints "ok" and "not ok" lines. The suites without a browser are
# test/viewer/test_admission.mjs and test_hostile.mjs.
[ $# -eq 2 ] || { echo "usage: sh test/run_viewer.sh build/release/ironbird build/asan/ironbird" >&2; exit 2; }
cd "$(dirname "$0")/.." || exit 1
out=${IB_SCRATCH:-build/test-output/viewer}
mkdir -p "$out"
status=0
node test/viewer/test_page.mjs "$1" || status=1
node test/viewer/test_drive.mjs "$1" "$out" || status=1
node test/viewer/test_replay.mjs "$1" "$out" || status=1
node test/viewer/test_steps.mjs "$1" "$out" || status=1
node test/viewer/test_design.mjs "$1" "$2" || status=1
exit $status
