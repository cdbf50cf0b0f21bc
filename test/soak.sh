#!/bin/sh
# What takes minutes: long fuzzing, mutated files, kills at random moments, many seeds on many threads, many viewers, the bits of
# other builds. `make soak` calls it.
# MINUTES (default 5) is the time for each fuzz target, SEED the first of the mutated files and of the drawn keys.
set -u
cd "$(dirname "$0")/.."
minutes=${MINUTES:-5}
out=build/test-output
mkdir -p "$out"
for preset in release tsan asan; do
    { cmake --preset $preset && cmake --build build/$preset; } > "$out/build-$preset.log" 2>&1 || { tail -n 30 "$out/build-$preset.log"; exit 1; }
done
failed=0
program=build/release/ironbird

echo "== fuzz, $minutes minutes a target"
sh test/run_fuzz.sh $((minutes * 60)) build/asan/fuzz/fuzz_* | tee "$out/soak-fuzz.log"
grep -q '^not ok' "$out/soak-fuzz.log" && failed=1

echo "== 10 000 mutated files of every kind through every command that reads them, every listed key at the ends of its range, and 12 000 odd models of robots: ten seconds of processor time and 1 GiB each"
sh test/run_trials.sh "$(nproc)" "mutated=${SEED:-100000}:10000" keys=0:all odd=0:all "keys=${SEED:-100000}:10000" | tee "$out/soak-trials.log"
grep -q '^ok ' "$out/soak-trials.log" || failed=1
grep -q '^not ok' "$out/soak-trials.log" && failed=1

echo "== every scenario, sanitized"
sh test/run_many.sh build/asan/run_many all > "$out/soak-many.log" 2>&1
grep -q '^ok ' "$out/soak-many.log" || failed=1
grep '^not ok' -A 20 "$out/soak-many.log" && failed=1

echo "== unit tests with other random numbers"
for seed in 1 2 3; do
    for folder in $(cat build/release/test/runners.txt); do
        SEED=$seed sh test/run_units.sh "build/release/test/$folder" > "$out/soak-seed.log" 2>&1 || { grep -A 5 '^not ok' "$out/soak-seed.log"; failed=1; }
    done
done

echo "== unit tests under the thread sanitizer"
# The plug-ins of `link` by themselves, and last: what they leave behind them (test/run.sh) is in nobody's way.
for folders in "$(grep -vx link build/tsan/test/runners.txt | tr '\n' ' ')" link; do
    # shellcheck disable=SC2086 # words
    sh test/run_units.sh build/tsan/test/every $folders > "$out/soak-tsan.log" 2>&1 || { grep -A 20 -E '^not ok|WARNING: ThreadSanitizer' "$out/soak-tsan.log" | head -n 60; failed=1; }
done

echo "== 10 000 random shots at random walls: none deep, none through, none gains energy"
for shots in "sim shots" "world shots"; do
    # shellcheck disable=SC2086 # a folder and its noun
    IB_SHOTS=10000 sh test/run_units.sh build/release/test/$shots > "$out/soak-shots.log" 2>&1 || { echo "not ok $shots"; grep -i 'shot' "$out/soak-shots.log" | head -n 20; failed=1; }
done

echo "== 10 000 random slides and squeezes with every solver: none sinks in, none is given energy"
IB_SLIDES=10000 sh test/run_units.sh build/release/test/sim squeeze > "$out/soak-slides.log" 2>&1 || { echo "not ok slides"; grep '^slide' "$out/soak-slides.log" | head -n 20; failed=1; }

echo "== 100 000 random piles and shots with every solver: nothing goes through anything, is in it, hangs or is not a number"
# shellcheck disable=SC2016 # the first number of each run is the inner shell's
seq 0 2000 98000 | xargs -P "$(nproc)" -I {} sh -c 'IB_FIRST={} IB_PILES=2000 IB_SCRATCH=$1 sh test/run_units.sh build/release/test/sim piles' piles "$out" > "$out/soak-piles.log" 2>&1 || { echo "not ok piles"; grep '^ *pile ' "$out/soak-piles.log" | head -n 20; failed=1; }

echo "== 4000 random tanks with every solver: none is more work than 1.5 million rates a second"
IB_TANKS=4000 sh test/run_units.sh build/release/test/robot tank_work > "$out/soak-tanks.log" 2>&1 || { echo "not ok tanks"; grep -i 'tank' "$out/soak-tanks.log" | head -n 20; failed=1; }

echo "== 10 000 random cylinder rigs from any start: no pressure or temperature of 0, no stall, books that close"
# shellcheck disable=SC2016 # the first number of each run is the inner shell's
seq 0 1000 9000 | xargs -P "$(nproc)" -I {} sh -c 'IB_FIRST={} IB_RIGS=1000 sh test/run_units.sh build/release/test/robot cylinder_rig_chance' rigs > "$out/soak-rigs.log" 2>&1 || { echo "not ok rigs"; grep '^run ' "$out/soak-rigs.log" | head -n 20; failed=1; }

echo "== 400 logs in each of 15 situations: the intervals of a fit hold the truth"
IB_SEEDS=400 sh test/run_units.sh build/release/test/design fit_coverage > "$out/soak-fit.log" 2>&1 || { echo "not ok fit"; grep inside "$out/soak-fit.log"; failed=1; }

echo "== gcc and clang, -O0 to -O3: the same bits"
sh test/run_bits.sh > "$out/soak-bits.log" 2>&1
grep '^seen' "$out/soak-bits.log" || failed=1
grep '^not ok' -A 20 "$out/soak-bits.log" && failed=1

echo "== the routes of Rover Ruckus for 50 seeds"
IB_ROUTE_SEEDS=1..50 sh test/run_routes.sh "$program" > "$out/soak-routes.log" 2>&1
grep '^not ok' -A 20 "$out/soak-routes.log" && failed=1

echo "== 200 kills at random moments: every log can be read"
i=0
while [ $i -lt 200 ]; do
    i=$((i + 1))
    rm -f "$out/kill.wpilog" "$out/kill.csv"
    "$program" run scenarios/roomba_schedule.yaml --realtime --quiet --log "$out/kill.wpilog" --csv "$out/kill.csv" &
    pid=$!
    looks=0
    until [ -s "$out/kill.wpilog" ] && [ -s "$out/kill.csv" ] || [ $looks -eq 3000 ]; do looks=$((looks + 1)); sleep 0.02; done
    sleep "0.$(awk "BEGIN { srand($i); printf \"%03d\", 50 + 700 * rand() }")"
    kill -KILL $pid
    wait $pid 2> /dev/null
    for log in "$out/kill.wpilog" "$out/kill.csv"; do
        "$program" convert "$log" "$out/kill-read.csv" > "$out/convert.log" 2>&1 || {
            echo "not ok kill $i: $log: $(cat "$out/convert.log")"
            failed=1
        }
    done
done

echo "== 2000 seeds on 1, 2 and 16 threads: the same bytes"
for jobs in 1 2 16; do
    "$program" sweep scenarios/roomba_noise.yaml --seeds 0..1999 --jobs $jobs --json --quiet | sha256sum
done | sort -u > "$out/soak-sweep.log"
[ "$(wc -l < "$out/soak-sweep.log")" -eq 1 ] || { echo "not ok sweep: $(cat "$out/soak-sweep.log")"; failed=1; }

echo "== a sweep of a million runs, killed at 50 random moments and gone on with: the same bytes"
IB_SCRATCH=$out/soak-sweeps sh test/run_sweeps.sh "$program" 50 > "$out/soak-killed.log" 2>&1
grep '^not ok' "$out/soak-killed.log" && failed=1
grep -q '^ok 50 kills at random moments: the same rows' "$out/soak-killed.log" || { echo "not ok killed sweeps: $(tail -n 3 "$out/soak-killed.log")"; failed=1; }

echo "== 32 viewers at 60 Hz, one of them stalled: the 1 kHz loop keeps its time"
sh test/run_load.sh "$program" | tee "$out/soak-load.log"
grep -q '^ok ' "$out/soak-load.log" || failed=1
grep -q '^not ok' "$out/soak-load.log" && failed=1

[ $failed -eq 0 ] && echo "soak: all good"
exit $failed
