#!/bin/sh
# Prints the table of docs/control/legs.md: the gain at which a joint oscillates, by bisection.
#   sh docs/figures/leg_gains.sh [ironbird]
# One leg is held in the air and the goal of a joint steps by 5 degrees at 1 s. It oscillates where
# the angle still deviates from a straight line by more than 0.2 degrees (rms) in the last 2 s of 10.
set -eu
ironbird=${1:-build/release/ironbird}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

gains() # JOINT KP KPRESSURE: a joint with a gain and no more, but for the pressures
{
    echo "$1: {kp: $2 V/rad, ki: 0 V/(rad*s), kv: 0 V*s/rad, kpressure: $3 V/Pa, feedforward: 0 V*s/rad}"
}

scenario() # JOINT KP DAMPING KPRESSURE
{
    case $1 in alpha) step='[[0 s, 0 deg], [1 s, 5 deg]]' ;;
        beta) step='[[0 s, -40 deg], [1 s, -35 deg]]' ;;
        gamma) step='[[0 s, 60 deg], [1 s, 65 deg]]' ;; esac
    cat <<END
title: one leg in the air
robot: {kind: quadruped, preset: thesis-leg, $1: {damping: $3 N*m*s/rad}}
start: {z: 0.8 m, alpha: 0 deg, beta: -40 deg, gamma: 60 deg}
control: {legs: {kind: legs, mode: angles, $(gains "$1" "$2" "$4")}}
inputs: {legs.goal.fr.$1: $step}
run: {duration: 10 s, step: 1 ms}
record: {every: 5 ms, signals: [leg.fr.$1.angle]}
END
}

oscillates() # JOINT KP DAMPING KPRESSURE
{
    scenario "$@" >"$folder/one.yaml"
    "$ironbird" run "$folder/one.yaml" --quiet --csv "$folder/one.csv" || return 0
    awk -F, 'NR > 1 && $1 >= 8 {t = $1 - 9; n++; s += $2; q += $2*$2; u += t; w += t*t; p += t*$2}
             END {slope = (p - u*s/n)/(w - u*u/n)
                  v = (q - s*s/n - slope*(p - u*s/n))/n
                  exit !(sqrt(v > 0 ? v : 0) > 0.2*3.14159265/180)}' "$folder/one.csv"
}

bisect() # JOINT DAMPING KPRESSURE: the gain of 1 to 1000 V/rad at which it begins to oscillate, to 2 %
{
    low=1 high=1000
    while awk "BEGIN {exit !($high > 1.02*$low)}"; do
        kp=$(awk "BEGIN {print sqrt($low*$high)}")
        if oscillates "$1" "$kp" "$2" "$3"; then high=$kp; else low=$kp; fi
    done
    if awk "BEGIN {exit !($high > 990)}"; then printf 'above 1000'; return; fi
    oscillates "$1" "$high" "$2" "$3" || true
    awk -F, -v kp="$high" 'NR > 1 && $1 >= 6 {x[n++] = $2; s += $2}
        END {for (i = 1; i < n; i++) c += (x[i] - s/n)*(x[i-1] - s/n) < 0; printf "%.3g, %.1f Hz", kp, c/8}' "$folder/one.csv"
}

echo '| joint | position alone | with a damper of 1 N*m*s/rad | with 1.6e-5 V/Pa of the pressures |'
echo '|---|---|---|---|'
for joint in alpha beta gamma; do
    echo "| $joint | $(bisect $joint 0 0) | $(bisect $joint 1 0) | $(bisect $joint 0 1.6e-5) |"
done
