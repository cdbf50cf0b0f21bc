#!/bin/sh
# Every scenario of the project runs and meets its expectations, in each of the programs named, with steps that are short enough
# for its robots.
cd "$(dirname "$0")/.." || exit 1
out=${IB_SCRATCH:-build/test-output/scenarios}
mkdir -p "$out"
log=$out/log
for program; do
    for file in scenarios/*.yaml; do
        if "$program" run "$file" > "$log" 2>&1; then
            echo "ok $file with $program"
        else
            echo "not ok $file with $program"
            tail -n 20 "$log"
        fi
        if grep "moves too fast for a step" "$log"; then echo "not ok $file: a step that is fine is called too long"; fi
    done
done

# Routes hold for other noise, too; fifty seeds are for `make soak`.
for route in crater crater_claim depot_claim; do
    file=scenarios/ruckus_$route.yaml
    if "$1" sweep "$file" --seeds "${IB_ROUTE_SEEDS:-1..3}" > "$log" 2>&1; then
        echo "ok $file for other seeds"
    else
        echo "not ok $file for other seeds"
        tail -n 20 "$log"
    fi
done
