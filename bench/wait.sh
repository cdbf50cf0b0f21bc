#!/bin/sh
# What people wait for, in one run:  wait.sh IRONBIRD [BASE_IRONBIRD]
# Process time (user and system, with children), programs in turns, the best of seven; the second program is the one from before.
# An hour of the match and a sweep of a hundred thousand runs take a minute of the old program. OVER=1: instead, of every scenario, what
# its `run` takes over its steps (`bench`), both by the first program; reading, planning, expectations and summary are part of it.
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$here" || exit 1
[ $# -gt 0 ] || { echo "usage: sh bench/wait.sh build/release/ironbird [OLD]" >&2; exit 2; }
rounds=${ROUNDS:-7}

# spent COMMAND...: milliseconds
spent() { perf stat -x, -e task-clock "$@" 2>&1 > /dev/null | awk -F, '/task-clock/ { print $1 }'; }
# of what comes in, "PROGRAM MILLISECONDS", the least of each program, times a factor
least() { awk -v by="$1" '!($1 in m) || $2 < m[$1] { m[$1] = $2 } END { for (i = 1; i in m; i++) printf "%12.4g", m[i] * by; print "" }'; }
# row LABEL FACTOR ROUNDS WORDS...: the command `PROGRAM WORDS...` of each program
row() {
    label=$1 factor=$2 times=$3
    shift 3
    printf '%-62s' "$label"
    for round in $(seq "$times"); do
        number=0
        for program in $programs; do
            number=$((number + 1))
            echo "$number $(spent "$program" "$@")"
        done
    done | least "$factor"
}

# steps FILE: process time of its bare steps by the first program, best of three [ms]
steps() { "$1" bench "$2" --repeat 3 --json 2> /dev/null | sed -n 's/.*"process_best_s":\([-+.e0-9]*\).*/\1/p' | awk '{ print 1000 * $1 }'; }
# over FILE: of each program's run, the least. Nobody waits for 5 ms: what is above 1.6 times the steps by less than that is not marked.
over() {
    file=$1
    for round in $(seq "$rounds"); do
        echo "0 $(steps "${programs%% *}" "$file")"
        number=0
        for program in $programs; do
            number=$((number + 1))
            echo "$number $(spent "$program" run "$file")"
        done
    done | awk -v name="$(basename "$file" .yaml)" '$2 != "" && (!($1 in m) || $2 < m[$1]) { m[$1] = $2 }
        END { printf "%-28s %9.2f", name, m[0]
              for (i = 1; i in m; i++) printf " %9.2f %6.2f", m[i], m[i] / m[0]
              print (m[1] - 1.6 * m[0] > 5 ? "  *" : "") }'
}

programs=$*
if [ -n "${OVER:-}" ]; then
    printf '%-28s %9s %16s %16s\n' "process time [ms]" steps "run, times" "before"
    for file in scenarios/*.yaml; do over "$file"; done
    exit
fi
match=scenarios/match.yaml
printf '%-62s%12s%12s\n' "" now before
row "--version [ms]" 1 $((rounds * 10)) --version
row "run match, five expectations [ms]" 1 "$rounds" run $match
row "run match, none [ms]" 1 "$rounds" run $match --set 'expect=[]'
row "bench match, its steps once [ms]" 1 "$rounds" bench $match --repeat 1
row "the command of make run, with gnuplot [ms]" 1 "$rounds" run $match --report "$work/r.html" --log "$work/m.wpilog" --csv "$work/m.csv"
row "match, a step of its first 150 s [ns]" 6.6666667 "$rounds" run $match --set 'expect=[]'
row "match, a step of an hour [ns]" 0.27777778 1 run $match --set 'expect=[]' --duration '3600 s'
row "S1, a step of its first 12 s [ns]" 83.333333 "$rounds" run scenarios/tank_s1.yaml --set 'expect=[]' --duration '12 s'
row "S1, a step of an hour [ns]" 0.27777778 1 run scenarios/tank_s1.yaml --set 'expect=[]' --duration '3600 s'
# A run of 10 steps, all in all; its steps alone are what 10 more of them take.
row "a run of a sweep, 10 steps [us]" 0.01 3 sweep scenarios/roomba_straight.yaml --set 'expect=[]' --duration 10ms --seeds 1..100000 --quiet
row "a run of a sweep, 20 steps [us]" 0.01 3 sweep scenarios/roomba_straight.yaml --set 'expect=[]' --duration 20ms --seeds 1..100000 --quiet
