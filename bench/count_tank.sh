#!/bin/sh
# Instructions of each row of bench_tank (one run of it, from a config to the final state), which other work on the
# machine does not change:  count_tank.sh BENCH_TANK [BASE_BENCH_TANK]   with a second program also the ratio to it.
here=$(cd "$(dirname "$0")/.." && pwd)
. "$here/bench/count.sh"
match=$here/scenarios/match.yaml
keys="s1.rk4.1ms s1.dopri5.1e-8 b7.rk4.1ms b7.dopri5.1e-8 b7.rosenbrock.1e-6 b8.rk4.1ms b8.dopri5.1e-8 b8.rosenbrock.1e-6
wheels.rolling wheels.viscous wheels.friction_circle wheels.bristle match"
for key in ${KEYS:-$keys}; do
    new=$(row "$1" "$key" "$match")
    if [ -n "${2:-}" ]; then
        old=$(row "$2" "$key" "$match")
        awk -v k="$key" -v n="$new" -v o="$old" 'BEGIN { printf "%-24s %12.0f %12.0f %+.2f %%\n", k, o, n, 100 * (n / o - 1) }'
    else
        printf '%-24s %12.0f\n' "$key" "$new"
    fi
done
# A team's robot in a match of the same length and steps, over the tank's.
[ -n "${KEYS:-}" ] && exit
tank=$(row "$1" match "$match") team=$(row "$1" match "$here/scenarios/team_match.yaml")
awk -v n="$team" -v o="$tank" 'BEGIN { printf "%-24s %12.0f %12.0f %.2f times\n", "team match over match", o, n, n / o }'
# An X-drive, four motors with a bridge each, over a tank of the same parts, a step of 1 ms each.
tank=$(row "$1" match "$here/bench/xdrive_tank.yaml") x=$(row "$1" match "$here/bench/xdrive.yaml")
awk -v n="$x" -v o="$tank" 'BEGIN { printf "%-24s %12.0f %12.0f %.3f times (wanted at most 2.2)\n", "x-drive over tank", o, n, n / o; exit !(n <= 2.2 * o) }'
