#!/bin/sh
# A log of a run that is killed at a random moment can be read, and many seeds on any number of threads are the same bytes: sh
# test/run_kills.sh PROGRAM COUNT. Prints "ok" and "not ok" lines. Part of `make soak`. SEED=N is for other moments.
cd "$(dirname "$0")/.." || exit 1
out=${IB_SCRATCH:-build/test-output/kills}
mkdir -p "$out"
program=$1 i=0 bad=0
while [ $i -lt "$2" ]; do
    i=$((i + 1))
    rm -f "$out/kill.wpilog" "$out/kill.csv"
    "$program" run scenarios/roomba_schedule.yaml --realtime --quiet --log "$out/kill.wpilog" --csv "$out/kill.csv" &
    pid=$!
    looks=0
    until [ -s "$out/kill.wpilog" ] && [ -s "$out/kill.csv" ] || [ $looks -eq 3000 ]; do looks=$((looks + 1)); sleep 0.02; done
    sleep "0.$(awk "BEGIN { srand($i + 1000 * ${SEED:-0}); printf \"%03d\", 50 + 700 * rand() }")"
    kill -KILL $pid
    wait $pid 2> /dev/null
    for log in "$out/kill.wpilog" "$out/kill.csv"; do
        "$program" convert "$log" "$out/kill-read.csv" > "$out/convert.log" 2>&1 || { bad=$((bad + 1)); echo "not ok kill $i: $log: $(cat "$out/convert.log")"; }
    done
done
[ $bad -gt 0 ] || echo "ok $2 kills at random moments: every log can be read"

for jobs in 1 2 16; do
    "$program" sweep scenarios/roomba_noise.yaml --seeds 0..1999 --jobs $jobs --json --quiet | sha256sum
done | sort -u > "$out/hashes"
if [ "$(wc -l < "$out/hashes")" -eq 1 ]; then echo "ok 2000 seeds on 1, 2 and 16 threads: the same bytes"; else echo "not ok 2000 seeds on 1, 2 and 16 threads: $(cat "$out/hashes")"; fi
