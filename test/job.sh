#!/bin/sh
# One job of test/run.sh: sh test/job.sh "KIND NAME COMMAND…". The command prints "ok CHECK" and "not ok CHECK" lines and has the
# folder $IB_SCRATCH to itself. Prints how many checks passed, its seconds and those of the cores (the same on a busy
# machine), how many of test/run.sh's jobs are done, and what failed; adds "PASSED FAILED SECONDS KIND NAME", the seconds those of a
# core, to build/test-output/results.
cd "$(dirname "$0")/.." || exit 1
kind=${1%% *} line=${1#* }
name=${line%% *} command=${line#* }
log=build/test-output/$name.log
export IB_SCRATCH="build/test-output/$name"
rm -rf "$IB_SCRATCH" && mkdir -p "$IB_SCRATCH"

start=$(date +%s)
# A shell lets what it puts in the background ignore Ctrl-C, of which some tests are.
# shellcheck disable=SC2086 # the command is words without spaces
timeout -k 10 "${IB_LIMIT:-1800}" env --default-signal=INT,QUIT $command > "$log" 2>&1 < /dev/null &
trap 'kill $!; exit 1' TERM HUP # timeout hands it on to all that the command has started
wait $!
status=$?
seconds=$(($(date +%s) - start))
times > "$IB_SCRATCH.times" # the second line: user and system, of all that this shell has waited for
work=$(awk -F '[ ms]+' 'NR == 2 { printf "%.1f", 60 * ($1 + $3) + $2 + $4 }' "$IB_SCRATCH.times")

good=$(grep -c '^ok ' "$log")
bad=$(grep -c '^not ok ' "$log")
# what has no line of its own: a command that fails without saying why, or does nothing
[ "$bad" -eq 0 ] && { [ $status -ne 0 ] || [ "$good" -eq 0 ]; } && bad=1 silent=yes
echo "$good $bad $work $kind $name" >> build/test-output/results
{
    [ "$bad" -eq 0 ] && word=ok || word=FAILED
    printf '%-7s %-18s %4d checks %5d s %7.1f s of a core%s\n' "$word" "$name" "$good" "$seconds" "$work" \
        "${IB_JOBS:+, $(($(grep -c . build/test-output/results) - IB_BEFORE)) of $IB_JOBS}"
    if [ "${silent:-}" = yes ]; then
        echo "    exit code $status; the end of $log:"
        tail -n 40 "$log" | sed 's/^/    /'
    elif [ "$bad" -gt 0 ]; then
        grep -A 40 "^not ok " "$log" | grep -vE "^ok | took [0-9.]+ s of a core$" | head -n 200 | sed 's/^/    /'
    fi
} > "$IB_SCRATCH.verdict"
# not cat: where the run's output is a file, cat copies at an offset that two jobs may read at once, and one verdict is lost
printf '%s\n' "$(cat "$IB_SCRATCH.verdict")"
