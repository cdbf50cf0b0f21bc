#!/bin/sh
# The jobs of the test run (test/run.sh, test/job.sh) in a folder made for it, where every check is a script of one line: sh
# test/run_jobs.sh. Prints "ok" and "not ok" lines.
cd "$(dirname "$0")/.." || exit 1
here=$(pwd)
out=${IB_SCRATCH:-build/test-output/run}
unset SEED TIMES IB_SCRATCH IB_LIMIT
case $out in /*) ;; *) out=$here/$out ;; esac
rm -rf "$out" && mkdir -p "$out/test" "$out/build/release/test" || exit 1
cp test/run.sh test/job.sh test/budget.txt "$out/test/"
echo base > "$out/build/release/test/runners.txt"

# check NAME COMMANDS: what the job of this script does
check() { printf '%s\n' "$2" > "$out/test/$1.sh"; }
all_is_well() {
    for name in build run_hashes run_broken run_units run_style run_runner run_jobs; do check $name "echo ok $name"; done
}
# the shell of the job above the command: job.sh, timeout, command
parent='read -r _ _ _ job _ < /proc/$PPID/stat'

# quick CODE LAST NAME [WORDS]: how `run.sh quick` ends, its last line, and what it says somewhere
quick() {
    code=$1 last=$2 name=$3 words=${4:-passed}
    sh "$out/test/run.sh" quick > "$out/log" 2>&1
    got=$?
    if [ $got -eq "$code" ] && [ "$(tail -n 1 "$out/log")" = "$last" ] && grep -q -- "$words" "$out/log"; then
        echo "ok jobs: $name"
    else
        echo "not ok jobs: $name: exit code $got"
        cat "$out/log"
    fi
}

all_is_well
quick 0 "10 passed, 0 failed" "all is well" "^ok *base "
check run_broken "echo not ok wrong; exit 1"
quick 1 "9 passed, 1 failed" "a check that fails" "^FAILED *broken "
check run_broken "exit 0"
quick 1 "9 passed, 1 failed" "a job that checks nothing" "^FAILED *broken "

all_is_well
check run_hashes "$parent; kill -KILL \$job"
quick 1 "9 passed, 1 failed" "a job whose shell was killed has failed, and all others are done" "^FAILED *hashes-release .*no result"
check run_hashes "$parent; kill -TERM \$job; sleep 10"
quick 1 "9 passed, 1 failed" "so has one that was told to end" "^FAILED *hashes-release .*no result"
all_is_well
check build "$parent; kill -KILL \$job"
quick 1 "0 passed, 1 failed" "nothing is tried after a build that was killed" "^FAILED *build-release .*no result"
