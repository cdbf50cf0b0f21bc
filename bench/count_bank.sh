#!/bin/sh
# Instructions of a millisecond of twelve cylinders whose pistons an engine moves:  count_bank.sh BENCH_BANK
here=$(cd "$(dirname "$0")/.." && pwd)
. "$here/bench/count.sh"
for key in force led led.two led.walls led.tank differences differences.edges; do
    new=$(row "$1" "$key")
    awk -v k="$key" -v n="$new" 'BEGIN { printf "%-18s %8.0f\n", k, n / 10000 }'
done
