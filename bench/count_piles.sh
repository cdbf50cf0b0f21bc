#!/bin/sh
# Instructions a step of bench_piles' scenes, of Ironbird and of Box2D where it is there, and of the robot that leans on a wall:
#   count_piles.sh BENCH_PILES [BASE_BENCH_PILES]   with a second program also the ratio of Ironbird's to it.
# Box2D makes fewer instructions in a nanosecond: what counts against it is the time. These are for changes of Ironbird.
# KEYS: other scenes than these. One that takes a minute by itself takes hours here.
here=$(cd "$(dirname "$0")/.." && pwd)
. "$here/bench/count.sh"
line() { # NAME COUNT STEPS [OTHER COUNT]
    awk -v k="$1" -v n="$2" -v s="$3" -v o="${4:-0}" 'BEGIN {
        printf "%-28s %12.0f", k, n / s
        if (o > 0) printf " %12.0f %8.3f times", o / s, n / o
        print "" }'
}
printf '%-28s %12s %12s\n' "instructions a step" new "compared to"
for key in ${KEYS:-row.1 row.8 row.16 row.32}; do
    steps=4000
    [ "${key#heap}" = "$key" ] || steps=8000
    new=$(row "$1" "ironbird.$key")
    peer=$(row "$1" "box2d.$key")
    line "$key, over Box2D" "$new" $steps "$peer"
    [ -n "${2:-}" ] && line "$key, over base" "$new" $steps "$(row "$2" "ironbird.$key")"
done
line "leaning, over driving" "$(row "$1" lean.leaning)" 3000 "$(row "$1" lean.driving)"
