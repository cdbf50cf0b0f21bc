#!/bin/sh
# The jobs of the test run (test/run.sh, test/job.sh) in a folder made for it, where every check is a script of one line, and what
# SEED makes of fuzzing and trials, where every program is: sh test/run_jobs.sh. Prints "ok" and "not ok" lines.
cd "$(dirname "$0")/.." || exit 1
here=$(pwd)
out=${IB_SCRATCH:-build/test-output/run}
unset SEED TIMES IB_SCRATCH IB_LIMIT IB_JOBS IB_BEFORE
case $out in /*) ;; *) out=$here/$out ;; esac
rm -rf "$out" && mkdir -p "$out/test" "$out/build/release/test" || exit 1
cp test/run.sh test/job.sh test/budget.txt "$out/test/"
echo base > "$out/build/release/test/runners.txt"

# check NAME COMMANDS: what the job of this script does
check() { printf '%s\n' "$2" > "$out/test/$1.sh"; }
# same NAME WANTED GOT: two texts
same() { if [ "$2" = "$3" ]; then echo "ok jobs: $1"; else echo "not ok jobs: $1: '$3', not '$2'"; fi; }
all_is_well() {
    for name in build run_hashes run_broken run_units run_style run_runner run_jobs; do check $name "echo ok $name"; done
}
# the shell of the job above the command: job.sh, timeout, command
# shellcheck disable=SC2016 # for the scripts
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
quick 0 "10 passed, 0 failed" "each job says how many are done" "s of a core, 9 of 9$"
check run_broken "echo not ok wrong; exit 1"
quick 1 "9 passed, 1 failed" "a check that fails" "^FAILED *broken "
quick 1 "9 passed, 1 failed" "what has failed is named at the end" "^failed: broken$"
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

# Ctrl-C while a job runs, the only one that is not done
all_is_well
# shellcheck disable=SC2016 # for the script
check run_hashes 'until [ "$(grep -c . build/test-output/results)" -eq 9 ]; do sleep 0.1; done; sleep 0.5; kill -TERM "$(cat pid)"; sleep 100'
# shellcheck disable=SC2016 # for the inner shell
sh -c 'echo $$ > "$1/pid"; exec sh "$1/test/run.sh" quick' stopped "$out" > "$out/log" 2>&1
code=$?
same "a run that is stopped says how far it came" "130 stopped: 9 passed, 0 failed in 9 jobs" "$code $(tail -n 1 "$out/log")"

# program FILE COMMANDS: a script in the place of a program
program() { mkdir -p "$(dirname "$out/$1")" && printf '#!/bin/sh\n%s\n' "$2" > "$out/$1" && chmod +x "$out/$1"; }

# libFuzzer takes the clock for 0 and for 2^32
cp test/run_fuzz.sh test/run_trials.sh "$out/test/"
program fuzz_words 'echo "$@" | tr " " "\n" | sed -n "s/^-seed=/drawn from /p"; exit 1'
drawn() { sh "$out/test/run_fuzz.sh" 1 "$out/fuzz_words" | sed -n "s/^drawn from //p"; }
none=$(drawn)
same "fuzz targets draw from a number of their own" 1 "$none"
same "and from others with a seed" "8 1" "$(SEED=7 drawn) $(SEED=4294967295 drawn)"
same "a finding names the seed" "not ok fuzz_words, with SEED=7" "$(SEED=7 sh "$out/test/run_fuzz.sh" 1 "$out/fuzz_words" | grep "^not ok")"

# neighbours have no case in common, a thousand times farther apart than there are cases
# shellcheck disable=SC2016 # for the scripts
program build/release/ironbird 'echo serving; for last; do :; done; echo drive > "$last"'
# shellcheck disable=SC2016
program build/asan/run_trials 'shift 3; echo "$1 $2 $3"'
cases() { sh "$out/test/run_trials.sh" 1 mutated=0:110 odd=100000:2500 keys=0:all 2> /dev/null | grep "^mutated"; }
same "trials without a seed" "mutated=0:110 odd=100000:2500 keys=0:all" "$(cases)"
same "trials with one" "mutated=7000021:110 odd=7100021:2500 keys=0:all" "$(SEED=7 cases)"
same "trials with the largest" "mutated=4294980179901885:110 odd=4294980180001885:2500 keys=0:all" "$(SEED=4294967295 cases)"

# moments: when run_kills.sh kills, as it tells `sleep`
cp test/run_kills.sh "$out/test/"
# shellcheck disable=SC2016
program killed 'for last; do :; done; echo row > "$last"; echo row > "${last%.csv}.wpilog"'
program bin/sleep "echo \"\$1\" >> $out/moments"
moments() { rm -f "$out/moments" && PATH="$out/bin:$PATH" sh "$out/test/run_kills.sh" "$out/killed" 3 > /dev/null 2>&1; grep -v '^0.02$' "$out/moments" | tr '\n' ' '; }
none=$(moments)
same "kills come at the same moments again" "$none" "$(moments)"
seven=$(SEED=7 moments)
if [ "$(echo "$none $seven" | tr ' ' '\n' | sort -u | grep -c .)" -eq 6 ]; then echo "ok jobs: with a seed at others"; else echo "not ok jobs: with a seed at others: $none, $seven"; fi
