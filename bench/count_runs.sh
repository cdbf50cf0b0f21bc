#!/bin/sh
# Whole runs of two programs:  count_runs.sh IRONBIRD BASE_IRONBIRD [SCENARIO[:SECONDS]...]
# Instructions in millions of `run SCENARIO --quiet`, expectations included, how many times the one is the other, and the
# geometric mean of that; without words the scenarios of bench/results.md, "Robots made of parts". TIME=1: milliseconds of process
# time instead, by turns, the best of ROUNDS (seven). Needs valgrind; without it: TIME=1 and perf.
here=$(cd "$(dirname "$0")/.." && pwd)
new=$1 old=$2
shift 2
[ $# -gt 0 ] || set -- tank_s1 match team_match xdrive_slip ruckus_crater cylinder_step quadruped_stand xdrive_strafe \
    holonomic_presets bench_mechanisms arm_follow motor_spin_up roomba_straight leg_walk:2 mjcf_arm
counted() { # COMMAND...: millions
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 > /dev/null | awk '/Collected :/ { print $4 / 1e6 }'
}
timed() { # COMMAND...: milliseconds
    perf stat -x, -e task-clock "$@" 2>&1 > /dev/null | awk -F, '/task-clock/ { print $1 }'
}
best() { awk '{ for (i = 1; i <= NF; i++) if (NR == 1 || $i < m[i]) m[i] = $i } END { print m[1], m[2] }'; }
for word; do
    file=$here/scenarios/${word%:*}.yaml
    length=
    [ "$word" = "${word%:*}" ] || length="--duration ${word#*:}s --set expect=[]"
    # shellcheck disable=SC2086 # words
    if [ -n "${TIME:-}" ]; then
        round=0
        while [ $round -lt "${ROUNDS:-7}" ]; do
            echo "$(timed "$new" run "$file" --quiet $length) $(timed "$old" run "$file" --quiet $length)"
            round=$((round + 1))
        done | best
    else
        echo "$(counted "$new" run "$file" --quiet $length) $(counted "$old" run "$file" --quiet $length)"
    fi | sed "s/^/$word /"
done | awk '{ printf "%-24s %10.1f %10.1f %7.3f times\n", $1, $2, $3, $2 / $3; fflush(); sum += log($2 / $3) }
    END { printf "%-24s %10s %10s %7.3f times\n", "geometric mean", "", "", exp(sum / NR) }'
