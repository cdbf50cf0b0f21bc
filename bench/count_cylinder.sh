#!/bin/sh
# Instructions of a millisecond of the cylinder, as a whole and with one part of the model simplified, beside Table 3 of the
# thesis [5.5.3]:  count_cylinder.sh BENCH_CYLINDER
here=$(cd "$(dirname "$0")/.." && pwd)
. "$here/bench/count.sh"
line() { # NAME KEY WHOLE THESIS
    new=$(row "$1" "sim$2.moving")
    awk -v name="$4" -v n="$new" -v w="$3" -v t="$5" 'BEGIN { printf "%-46s %8.0f %7.1f %% %s\n", name, n / 10000, 100 * (1 - n / w), t }'
}
whole=$(row "$1" sim.moving)
printf '%-46s %8s %9s %s\n' "a millisecond, instructions" "" "less" "thesis"
line "$1" "" "$whole" "complete model, through the simulation"
line "$1" .viscous "$whole" "viscous friction instead of Stribeck-tanh" "11.3 %"
line "$1" .valve "$whole" "simple valve: linear area, fixed pressures" "24.1 %"
line "$1" .area "$whole" "the area alone: straight lines" "12.7 %"
line "$1" .pressure "$whole" "the pressures alone: a switch" "7.9 %"
line "$1" .both "$whole" "simple valve and viscous friction"
line "$1" .looked_at "$whole" "all signals looked at, once a millisecond" "-3.1 %"
