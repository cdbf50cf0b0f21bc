#!/bin/sh
# 32 viewers at 60 Hz, one of them stalled, against the 1 kHz loop: sh test/run_load.sh PROGRAM [SECONDS].
# Runs with and without viewers take turns, so that both meet the same machine; each kind runs twice. Prints
# how late the loop's steps begin in both, and "ok" and "not ok" lines.
set -eu
cd "$(dirname "$0")/.."
program=$1
seconds=${2:-60}
viewers=32
out=build/test-output/load
rm -rf "$out" && mkdir -p "$out"
cc -std=c17 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -o "$out/load" test/viewer/load.c

# number FILE KEY: a number of a JSON file
number() { sed -nE "s/.*\"$2\": ?([-+0-9.eE]+).*/\1/p" "$1" | tail -n 1; }

# port FILES...: of the address that the program has printed
port() {
    looks=0
    while [ $looks -lt 120 ]; do
        found=$(cat "$@" | sed -nE 's!.*http://127\.0\.0\.1:([0-9]+)/.*!\1!p' | head -n 1)
        [ -z "$found" ] || { echo "$found"; return; }
        looks=$((looks + 1))
        sleep 0.5
    done
    echo "no address after a minute: $(cat "$@")" >&2
    return 1
}

# round NAME VIEWERS: serves the showcase for a while; NAME.json has the program's own summary
round() {
    "$program" serve scenarios/match.yaml --port 0 --json > "$out/$1.json" 2> "$out/$1.log" &
    pid=$!
    at=$(port "$out/$1.json" "$out/$1.log")
    if [ "$2" -gt 0 ]; then "$out/load" "$at" "$2" "$seconds" > "$out/$1-load.json"; else sleep "$seconds"; fi
    kill -INT $pid
    wait $pid || true
}

# verdict CLAIM CONDITION: the condition is awk's
verdict() { if awk "BEGIN { exit !($2) }"; then echo "ok load: $1"; else echo "not ok load: $1"; fi; }

for turn in 1 2; do
    round "alone$turn" 0
    round "crowd$turn" $viewers
done
for kind in alone crowd; do
    for turn in 1 2; do
        f=$out/$kind$turn.json
        awk "BEGIN { printf \"$kind $turn: a step began late by %.0f us at p50, %.0f us at p99, %.0f us at p99.9, %.0f us at most; %d overruns in %d steps\\n\",
            1e6*$(number "$f" late_p50_s), 1e6*$(number "$f" late_p99_s), 1e6*$(number "$f" late_p999_s), 1e6*$(number "$f" late_max_s),
            $(number "$f" overruns), $(number "$f" steps) }"
    done
done
for turn in 1 2; do cat "$out/crowd$turn-load.json"; done

# of both turns: the sum of the lateness, the worst of the rest
sum() { awk "BEGIN { print $(number "$out/$1"1.json late_p999_s) + $(number "$out/$1"2.json late_p999_s) }"; }
verdict "lateness at p99.9 with $viewers viewers is at most twice that without" "$(sum crowd) <= 2*$(sum alone)"
for turn in 1 2; do
    f=$out/crowd$turn-load.json
    verdict "every viewer gets 99 % of 60 frames a second, turn $turn" "$(number "$f" rate_min) >= 0.99*60"
    verdict "99 of 100 frames come within 33 ms of the one before, turn $turn" "$(number "$f" gap_p99_ms) <= 33"
    verdict "no viewer that reads is thrown out, and the stalled one is, turn $turn" "$(number "$f" lost) == 0 && $(number "$f" stalled_closed) >= 1"
done
