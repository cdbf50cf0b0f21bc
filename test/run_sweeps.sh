#!/bin/sh
# Sweeps from outside: rows come out while others are made, for any number of threads the same; killed, stopped and gone on with,
# the bytes of an undisturbed one: sh test/run_sweeps.sh PROGRAM [KILLS]. With KILLS, so many at random moments of a sweep of 1e6 runs as well
# (`make soak`), at others with SEED=N; without, a few at places that the journal has come to.
[ $# -gt 0 ] || { echo "usage: sh test/run_sweeps.sh build/release/ironbird [KILLS]" >&2; exit 2; }
cd "$(dirname "$0")/.." || exit 1
program=$1 kills=${2:-0}
out=${IB_SCRATCH:-build/test-output/sweeps}
mkdir -p "$out"
rm -f "$out"/*.journal # of an earlier time
. test/expect.sh

# 240 runs of 20 000 steps: some refused, some that fail what is expected, some to be warned of
cat > "$out/long.yaml" << 'END'
title: many runs
robot: {kind: roomba, mass: {normal: [1.5 kg, 1 kg]}, sensors: {gyro: {noise: 0.01 rad/s}}}
inputs: {left: {normal: [2.5 N, 0.2 N]}, right: 2.5 N}
run: {duration: 2 s, step: 0.1 ms}
expect: ["at end: pose.x > 1.5 m"]
END
long="$out/long.yaml --seeds 1..240"

# without anything in its way; the file of a CSV has a journal only while it runs
# shellcheck disable=SC2086 # words
{
    "$program" sweep $long --jobs 1 --csv "$out/whole.csv" > "$out/whole.txt" 2> "$out/whole.err"
    holds "some runs are refused" grep -q 'out of range' "$out/whole.err"
    holds "some are not as expected" grep -qE '^\[1\] FAILED ' "$out/whole.txt"
    holds "the journal goes with the last row" test ! -e "$out/whole.csv.journal"
    "$program" sweep $long --jobs 3 --csv "$out/three.csv" > "$out/three.txt" 2> "$out/three.err"
    holds "3 threads: the same rows" cmp "$out/whole.csv" "$out/three.csv"
    holds "3 threads: the same table" cmp "$out/whole.txt" "$out/three.txt"
    holds "3 threads: the same errors" cmp "$out/whole.err" "$out/three.err"
    "$program" sweep $long --jobs 2 --json > "$out/whole.json" 2> /dev/null
}
# a run of a sweep reads what it draws beside what others have read; alone it has the same bits
for seed in 1 7 12; do
    hash=$("$program" run "$out/long.yaml" --seed $seed --json --quiet 2> /dev/null | sed -n 's/.*\("hash":"[0-9a-f]*"\).*/\1/p')
    holds "a run by itself has the hash of the sweep's: seed $seed" grep -qF "${hash:-no hash}" "$out/whole.json"
done

# size FILE: its bytes, 0 where it is not there
size() { if [ -e "$1" ]; then wc -c < "$1"; else echo 0; fi; }
# reached FILE BYTES PID: waits until the file has so many bytes, as long as the process is there
reached() { until [ "$(size "$1")" -ge "$2" ] || ! kill -0 "$3" 2> /dev/null; do sleep 0.01; done; }

# killed where the journal has some rows, and more; each time on another number of threads, the last on one: the rest then takes half a second
rm -f "$out/part.csv.journal"
row=$(head -n 2 "$out/whole.csv" | tail -n 1 | tr -dc , | wc -c)
row=$((8 * row)) # a row has at least so many bytes in a journal
for part in 1 23 70 99; do
    # shellcheck disable=SC2086
    nice "$program" sweep $long --jobs $((1 + part % 3)) --csv "$out/part.csv" --resume > "$out/part.txt" 2> "$out/part.err" &
    pid=$!
    reached "$out/part.csv.journal" $((part * row)) $pid
    kill -KILL $pid
    wait $pid 2> /dev/null
    holds "killed at run $part: it was not done" test $? -eq 137
    holds "what was done is on disk" test "$(size "$out/part.csv.journal")" -ge $((part * row))
done
# shellcheck disable=SC2086
{
    expect "without --resume it is not thrown away" 2 "runs of this sweep: --resume goes on there" "$program" sweep $long --csv "$out/part.csv"
    expect "another sweep does not go on with it" 2 "is of another sweep" "$program" sweep "$out/long.yaml" --seeds 1..241 --csv "$out/part.csv" --resume
    cp "$out/part.csv" "$out/kept.csv"
    cp "$out/part.csv.journal" "$out/kept.part"
    expect "another sweep does not throw it away" 2 "of the 240 runs of another sweep" "$program" sweep "$out/long.yaml" --seeds 1..3 --csv "$out/part.csv"
    holds "and says what goes on with it, and what begins anew" grep -qE "^ironbird sweep: '[^']*/part.csv.journal' has [1-9][0-9]* of .* with --resume goes on there; to begin anew, remove it, or name another --csv or --journal$" "$out/log"
    holds "nothing of its rows is changed" cmp "$out/kept.csv" "$out/part.csv"
    holds "nothing of its journal is changed" cmp "$out/kept.part" "$out/part.csv.journal"
    printf torn >> "$out/part.csv.journal"
    "$program" sweep $long --csv "$out/part.csv" --resume > "$out/part.txt" 2> "$out/part.err"
}
holds "killed four times: the same rows" cmp "$out/whole.csv" "$out/part.csv"
holds "killed four times: the same table" cmp "$out/whole.txt" "$out/part.txt"
holds "killed four times: the same errors" cmp "$out/whole.err" "$out/part.err"

# a sweep that stands still in the middle: nobody else writes its files, and its rows are what they are without them
# shellcheck disable=SC2086
{
    rm -f "$out/one.csv"*
    nice "$program" sweep $long --jobs 2 --csv "$out/one.csv" > /dev/null 2>&1 &
    pid=$!
    reached "$out/one.csv.journal" $((40 * row)) $pid
    kill -STOP $pid
    expect "a run leaves the CSV of a sweep alone" 2 "somebody is writing it already" "$program" run "$out/long.yaml" --set robot.mass='2 kg' --csv "$out/one.csv"
    expect "so does a report" 2 "somebody is writing it already" "$program" run "$out/long.yaml" --set robot.mass='2 kg' --report "$out/one.csv"
    expect "so does another sweep" 2 "somebody is writing it already" "$program" sweep $long --csv "$out/one.csv" --journal "$out/two.journal"
    expect "its journal has one writer" 2 "one.csv.journal': somebody is writing it already" "$program" sweep $long --csv "$out/two.csv" --journal "$out/one.csv.journal"
    kill -CONT $pid
    wait $pid
}
holds "the rows of a sweep that others wanted to overwrite" cmp "$out/whole.csv" "$out/one.csv"

# Ctrl-C: what was done is kept, and the way on is told
# shellcheck disable=SC2086
nice "$program" sweep $long --jobs 2 --json --journal "$out/own.journal" > "$out/part.json" 2> "$out/part.err" &
pid=$!
reached "$out/own.journal" $((60 * row)) $pid
kill -INT $pid
wait $pid
holds "Ctrl-C: exit code 130" test $? -eq 130
holds "Ctrl-C: how to go on" grep -qE "stopped after [0-9]+ of 240 runs; the same command with --resume goes on" "$out/part.err"
told=$(sed -n 's/.*stopped after \([0-9]*\) of 240 runs.*/\1/p' "$out/part.err")
holds "Ctrl-C: it was in the middle" test "${told:-0}" -ge 1 -a "${told:-240}" -lt 240
holds "Ctrl-C: the JSON is whole, and has the runs that were told" node -e 'const s = JSON.parse(require("fs").readFileSync(process.argv[1])); process.exit(s.count === 240 && s.runs.length === Number(process.argv[2]) ? 0 : 1)' "$out/part.json" "$told"
# shellcheck disable=SC2086
"$program" sweep $long --jobs 1 --json --journal "$out/own.journal" --resume > "$out/part.json" 2> /dev/null
holds "Ctrl-C and on: the same JSON" cmp "$out/whole.json" "$out/part.json"
holds "a journal that was named stays" test -s "$out/own.journal"
# shellcheck disable=SC2086
"$program" sweep $long --jobs 1 --csv "$out/part.csv" --journal "$out/own.journal" --resume > "$out/part.txt" 2> /dev/null
holds "from a whole journal: the same rows" cmp "$out/whole.csv" "$out/part.csv"
holds "from a whole journal: the same table" cmp "$out/whole.txt" "$out/part.txt"
# shellcheck disable=SC2086
{
    expect "a whole journal is not thrown away" 2 "has 240 of the 240 runs" "$program" sweep $long --journal "$out/own.journal"
    expect "nor one of another sweep that was named" 2 "has 240 of the 240 runs of another sweep" "$program" sweep $long --duration '1 s' --journal "$out/own.journal"
    expect "what is no journal is not written over" 2 "is no journal of a sweep" "$program" sweep $long --journal "$out/whole.csv"
    expect "--resume needs a journal" 2 "there is no journal to go on with" "$program" sweep $long --resume
    expect "a journal is no pipe" 2 "is not a plain file" "$program" sweep $long --journal /dev/null
    expect "a journal is not the CSV" 2 "which is written too" "$program" sweep $long --csv "$out/x.csv" --journal "$out/x.csv"
}

# Ctrl-C does not wait for a run that is under way: behind a short one, two that take a day; such a run is as one that was never made
endless_runs="scenarios/match.yaml --set expect=[] --over run.duration=10ms,9e6s,1e7s --jobs 2 --csv $out/under.csv"
rm -f "$out/under.csv.journal"
for again in "" --resume; do
    rm -f "$out/under.csv" # there again when Ctrl-C is listened to, with its first row when that is taken
    # shellcheck disable=SC2086
    "$program" sweep $endless_runs $again > "$out/part.txt" 2> "$out/part.err" &
    pid=$!
    until [ "$(grep -c '' "$out/under.csv" 2> /dev/null)" = 2 ] || ! kill -0 $pid 2> /dev/null; do sleep 0.01; done
    kill -INT $pid
    wait $pid
    holds "Ctrl-C ends runs under way $again" test $? -eq 130
    holds "and they were not made" grep -qF "stopped after 1 of 3 runs; the same command with --resume goes on after run 1 (" "$out/part.err"
    holds "and have no row" test "$(grep -c '' "$out/under.csv")" -eq 2
done

# a disk that is full: what was done is kept, and goes on when there is room
# shellcheck disable=SC2039,SC3045 # every shell here has ulimit -f
small() { (ulimit -f 32 || exit 9; exec "$@"); }
rm -f "$out/part.csv"
# shellcheck disable=SC2086
expect "a full disk" 3 "File too large" small "$program" sweep $long --csv "$out/part.csv" --quiet
holds "and how to go on" grep -q "with --resume goes on" "$out/log"
# shellcheck disable=SC2086
"$program" sweep $long --csv "$out/part.csv" --resume > "$out/part.txt" 2> /dev/null
holds "after a full disk: the same rows" cmp "$out/whole.csv" "$out/part.csv"
holds "after a full disk: the same table" cmp "$out/whole.txt" "$out/part.txt"

# rows stream: of a list that nobody will see the end of, the first come at once
endless="scenarios/roomba_straight.yaml --set expect=[] --duration 10ms --seeds 0..9007199254740992"
# shellcheck disable=SC2086
for kind in --json "--csv /dev/stdout"; do
    timeout 60 "$program" sweep $endless --quiet $kind 2> "$out/log" | head -n 1000 | head -c 100000 > "$out/first"
    holds "sweep $kind: the first of 9e15 runs come at once" test "$(size "$out/first")" -eq 100000
done
# shellcheck disable=SC2086
expect "2^53 seeds and 2000 values are too many" 2 "more than 9223372036854775807 (2^63 - 1) runs" "$program" sweep $endless --over "robot.mass=$(seq -s , 2000)"
expect "a seed beyond 2^53" 2 "a seed is at most 9007199254740992 (2^53)" "$program" sweep scenarios/roomba_noise.yaml --seeds 0..9007199254740993
expect "a seed with 30 digits" 2 "a seed is at most 9007199254740992 (2^53)" "$program" sweep scenarios/roomba_noise.yaml --seeds 0..999999999999999999999999999999
expect "seeds backwards" 2 "'9..0' ends before it begins" "$program" sweep scenarios/roomba_noise.yaml --seeds 9..0
expect "no range" 2 "expected a range such as 0..49, got '3-4'" "$program" sweep scenarios/roomba_noise.yaml --seeds 3-4

# A walk keeps what it promises for any seed: three that its own file does not name.
"$program" sweep scenarios/quadruped_crawl.yaml --seeds 2..4 --jobs 1 --quiet > "$out/walk.txt" 2>&1
holds "a crawl of 2 m keeps its expectations for three seeds" test $? -eq 0
"$program" sweep scenarios/quadruped_trot.yaml --seeds 2..4 --jobs 1 --quiet > "$out/trot.txt" 2>&1
holds "a trot of 2 m keeps its expectations for three seeds" test $? -eq 0

[ "$kills" -gt 0 ] || exit 0

# 1e6 runs of ten steps, killed at random moments
short="scenarios/roomba_noise.yaml --set robot.mass=2.7kg --set robot.drag=3.4N*s^2/m^2 --set start.heading=0deg --set expect=[] --duration 10ms --seeds 1..1000000"
# shellcheck disable=SC2086
{
    "$program" sweep $short --csv "$out/whole.csv" > "$out/whole.txt" 2>&1
    i=0 done=0
    rm -f "$out/part.csv.journal"
    while [ $i -lt "$kills" ]; do
        i=$((i + 1))
        "$program" sweep $short --jobs $((1 + i % 3)) --csv "$out/part.csv" --resume > "$out/part.txt" 2>&1 &
        pid=$!
        sleep "$(awk "BEGIN { srand($i + 1000 * ${SEED:-0}); printf \"%.3f\", 0.01 + 2 * rand() }")"
        kill -KILL $pid 2> /dev/null
        wait $pid 2> /dev/null
        [ $? -eq 137 ] || done=$((done + 1))
    done
    "$program" sweep $short --csv "$out/part.csv" --resume > "$out/part.txt" 2>&1
}
echo "# $kills kills, $done of them too late"
holds "$kills kills at random moments: half of them in time" test $((2 * done)) -lt "$kills"
holds "$kills kills at random moments: the same rows" cmp "$out/whole.csv" "$out/part.csv"
holds "$kills kills at random moments: the same table" cmp "$out/whole.txt" "$out/part.txt"
rm -f "$out/whole.csv" "$out/part.csv"
