#!/bin/sh
# bench/count_sweep.sh PROGRAM...: what a run of a sweep costs over its steps, in instructions: of 100 runs more, with 10 steps and with 20, on one
# thread. Memory that is cleared or copied counts as it does on other machines only with the tunables of bench/results.md, on x86-64. Then process time and memory of a million runs of 10 steps (RUNS=…), by the last program alone. Needs valgrind.
set -eu
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || { echo "usage: sh bench/count_sweep.sh build/release/ironbird" >&2; exit 2; }
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

count() { # PROGRAM STEPS RUNS WORDS...
    program=$1 steps=$2 runs=$3
    shift 3
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" sweep "$@" --set expect=[] --duration "${steps}ms" --seeds 1.."$runs" --jobs 1 --quiet 2>&1 > /dev/null |
        sed -n 's/.*Collected : //p'
}
row() { # PROGRAM LABEL WORDS...
    program=$1 label=$2
    shift 2
    ten=$((($(count "$program" 10 300 "$@") - $(count "$program" 10 200 "$@")) / 100))
    twenty=$((($(count "$program" 20 300 "$@") - $(count "$program" 20 200 "$@")) / 100))
    step=$(((twenty - ten) / 10))
    printf '%-40s %10d a run, %6d a step, %10d over its steps\n' "$label" "$ten" "$step" $((ten - 10 * step))
}
# The noise, but nothing that is drawn when the file is read.
noise="--set robot.mass=2.7kg --set robot.drag=3.4N*s^2/m^2 --set start.heading=0deg"
for program; do
    echo "$program"
    # shellcheck disable=SC2086 # words
    {
        row "$program" "roomba_straight" scenarios/roomba_straight.yaml
        row "$program" "roomba_straight, into a CSV" scenarios/roomba_straight.yaml --csv "$out/rows.csv"
        row "$program" "roomba_straight, as JSON" scenarios/roomba_straight.yaml --json
        row "$program" "roomba_noise, nothing drawn" scenarios/roomba_noise.yaml $noise
        row "$program" "roomba_noise, three values drawn" scenarios/roomba_noise.yaml
        row "$program" "match, its mass drawn" scenarios/match.yaml --set "robot.mass={uniform: [40 kg, 60 kg]}"
        [ -n "${MATCH:-}" ] && row "$program" "match" scenarios/match.yaml
    } || true
done
# shellcheck disable=SC2086
for words in "" "--csv $out/rows.csv" --json; do
    echo "${RUNS:-1000000} runs of 10 steps $words"
    /usr/bin/time -f '  %U s user, %S s system, %M KiB' "$program" sweep scenarios/roomba_straight.yaml --set expect=[] --duration 10ms --seeds 1.."${RUNS:-1000000}" --quiet $words
done
