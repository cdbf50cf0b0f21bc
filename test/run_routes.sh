#!/bin/sh
# The routes of Rover Ruckus meet their expectations for other noise than that of their scenarios, too: sh test/run_routes.sh PROGRAM.
# Seeds 1 to 3; fifty are for `make soak`. Prints "ok" and "not ok" lines. The scenarios themselves: test/run_hashes.sh.
cd "$(dirname "$0")/.." || exit 1
out=${IB_SCRATCH:-build/test-output/routes}
mkdir -p "$out"
log=$out/log
for route in crater crater_claim depot_claim; do
    file=scenarios/ruckus_$route.yaml
    if "$1" sweep "$file" --seeds "${IB_ROUTE_SEEDS:-1..3}" > "$log" 2>&1; then
        echo "ok $file for other seeds"
    else
        echo "not ok $file for other seeds"
        tail -n 20 "$log"
    fi
done
