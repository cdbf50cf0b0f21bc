#!/bin/sh
# Runs the unit tests of a folder: sh test/run_units.sh build/release/test/plant. Prints "ok NOUN/TEST" or "not ok NOUN/TEST" and
# what the test said for each, also for the one in which the runner died. SEED=N gives random tests other numbers (test/spread.h).
log=${IB_SCRATCH:-/tmp}/units.$$
trap 'rm -f "$log"' EXIT
"$@" > "$log" 2>&1
status=$?
awk -v status=$status -v with=", with SEED=${SEED:-0}" '
/^== .* of a core$/ { print substr($0, 4); next }
/^== / { noun = $2; next }
/^\[ RUN      \] / { test = noun "/" $4; said = ""; next }
test != "" && /^\[       OK \] / { print "ok " test; test = ""; next }
test != "" && /^\[  FAILED  \] / { print "not ok " test with said; test = ""; bad++; next }
{ said = said "\n    " $0 }
END {
    if (test != "") { print "not ok " test ": died in it" with said; bad++ }
    else if (status != 0 && !bad) print "not ok the run as a whole: exit code " status said
}' "$log"
exit $status
