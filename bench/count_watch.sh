#!/bin/sh
# What expectations cost:  count_watch.sh IRONBIRD [BASE_IRONBIRD]
# Instructions in millions of whole commands, 'run' with a scenario's expectations and without any (--set expect=[]), and how many
# times the one is the other; of the match also over the steps alone, which 'bench' makes. Ends with 1 where the match costs more
# than 1.6 times its steps alone. TIME=1: process time (user and system, the best of seven, in turns) instead.
here=$(cd "$(dirname "$0")/.." && pwd)
counted() { # PROGRAM COMMAND...: millions
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 > /dev/null | awk '/Collected :/ { print $4 / 1e6 }'
}
timed() { # PROGRAM COMMAND...: milliseconds
    perf stat -x, -e task-clock "$@" 2>&1 > /dev/null | awk -F, '/task-clock/ { print $1 }'
}
best() { # of what comes in, the least of each column
    awk '{ for (i = 1; i <= NF; i++) if (NR == 1 || $i < m[i]) m[i] = $i } END { for (i = 1; i <= NF; i++) printf "%s ", m[i] }'
}
pair() { # PROGRAM SCENARIO OPTIONS...: with and without expectations
    program=$1 file=$here/scenarios/$2.yaml
    shift 2
    if [ -n "${TIME:-}" ]; then
        for i in 1 2 3 4 5 6 7; do
            echo "$(timed "$program" run "$file" "$@") $(timed "$program" run "$file" "$@" --set 'expect=[]')"
        done | best
    else
        echo "$(counted "$program" run "$file" "$@") $(counted "$program" run "$file" "$@" --set 'expect=[]')"
    fi
}
row() { # SCENARIO OPTIONS...
    new=$(pair "$program1" "$@")
    old=
    [ -n "$program2" ] && old=$(pair "$program2" "$@")
    echo "$new $old" | awk -v k="$*" '{
        printf "%-40s %9.1f %9.1f %6.2f times", k, $1, $2, $1 / $2
        if (NF > 2) printf "   before %9.1f %9.1f %6.2f times", $3, $4, $3 / $4
        print "" }'
}
program1=$1 program2=${2:-}
printf '%-40s %9s %9s\n' "$([ -n "${TIME:-}" ] && echo ms of process time || echo millions of instructions)" watched alone
row match
row match --duration '5 s' --set run.solver=dopri5
row match --duration '5 s' --set run.solver=rosenbrock
[ -n "${ONLY_MATCH:-}" ] || for name in tank_launch arm_free_swing cylinder_step servo drive_loop mjcf_arm; do row $name; done
[ -n "${TIME:-}" ] && exit
one=$(counted "$1" bench "$here/scenarios/match.yaml" --repeat 1) three=$(counted "$1" bench "$here/scenarios/match.yaml" --repeat 3)
pair "$1" match | awk -v a="$one" -v b="$three" '{
    steps = (b - a) / 2
    printf "match: steps alone %.1f, of which run takes %.2f times with expectations and %.2f without\n", steps, $1 / steps, $2 / steps
    exit $1 > 1.6 * steps }'
