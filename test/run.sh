#!/bin/sh
# Every check that a change must pass; `make test` calls it. `sh test/run.sh quick` (`make quick`) are those that need nothing
# but the release build, `sh test/run.sh soak` (`make soak`) those that take hours (test/soak.sh). The builds come first, two at a time, each on all cores, then the other jobs side by side, one more
# than there are cores. A job (test/job.sh) is a line here, KIND NAME COMMAND, and a line of output, with what failed in full below it;
# all that it said is in build/test-output/JOB.log. At the end: seconds of a core of each kind beside test/budget.txt, with TIMES=1
# those of each job; the last line is "N passed, N failed". Being over the budget is told and fails nothing: machines differ.
set -u
cd "$(dirname "$0")/.." || exit 1
which=${1:-all}
case $which in all | quick | soak) ;; *) echo "usage: sh test/run.sh [quick|soak]" >&2; exit 2 ;; esac
out=build/test-output
release=build/release/ironbird asan=build/asan/ironbird

builds() {
    echo "compile build-release sh test/build.sh release all"
    [ "$which" != quick ] || return
    echo "compile build-asan sh test/build.sh asan all"
    [ "$which" = all ] || { echo "compile build-tsan sh test/build.sh tsan all"; return; }
    echo "page page sh test/run_page.sh" # with the packages that the browser's tests need
}

# a job for each folder's runner, the long ones first
units() { for folder in sim robot design $(grep -vxE 'sim|robot|design' build/release/test/runners.txt); do echo "unit $folder sh test/run_units.sh build/release/test/$folder"; done; }

# Sanitized, one runner has all folders (CMakeLists.txt). Several jobs, so that no core waits long for the last. Why each is sanitized,
# and what the history says that it found. It says so of three: what sanitizers found elsewhere before a change was committed, nobody
# has written down.
#   design, control, sim   matrices and tables of changing sizes, flat states with many owners, threads and what they share. Found:
#                          memory that a test of control's detours kept
#   robot                  each kind of robot lays out its own share of the state
#   others                 readers of files, texts, recordings and pages; the server's frames
#   link                   what plug-ins may do to their host
#   scenarios              every part together, through the command; the hashes of the other compiler
#   trials                 files that nobody has thought of. Found: a text read after it was given back (an empty value in a sweep), faces
#                          of a mesh beyond its vertices, periods that divide by zero, aborts on plausible keys, memory without bound
#   fuzz                   bytes that nobody has thought of. Found: an index before an array (a hand that begins with the arm stretched),
#                          time that grows with the square of a file, numbers and blanks that never end
#   viewer…                the server as its clients see it, hostile ones among them (counted as page)
units_asan() {
    every="sh test/run_units.sh build/asan/test/every"
    echo "sanitized design-asan $every control design sim"
    echo "sanitized others-asan $every $(grep -vxE 'robot|control|design|sim|link' build/asan/test/runners.txt | tr '\n' ' ')"
    echo "sanitized robot-asan $every robot"
    echo "sanitized link-asan $every link" # its plug-ins that hang keep the loader's lock: nothing can be opened after them
}

# The long ones first, so that no core waits for another at the end.
jobs() {
    [ "$which" != soak ] || { sh test/soak.sh; return; }
    if [ "$which" = all ]; then
        echo "page viewer sh test/run_viewer.sh $release $asan" # this one waits more than it works, and so do the commands
        units_asan
        echo "scenarios commands sh test/run_commands.sh $release"
        echo "sanitized scenarios-asan sh test/run_many.sh build/asan/run_many" # with their hashes as clang makes them
        echo "page viewer-hostile node test/viewer/test_hostile.mjs $asan"
        echo "page viewer-admission node test/viewer/test_admission.mjs $asan"
        echo "scenarios designs sh test/run_designs.sh $release"
        echo "scenarios docs sh test/run_docs.sh $release"
        echo "scenarios hostile sh test/run_hostile.sh $release"
        echo "scenarios sweeps sh test/run_sweeps.sh $release"
        echo "sanitized trials sh test/run_trials.sh 1 mutated=0:110 keys=0:500 odd=0:170"
        echo "scenarios routes sh test/run_routes.sh $release"
        for source in test/fuzz/fuzz_*.c; do
            target=$(basename "$source" .c)
            echo "sanitized $target sh test/run_fuzz.sh 5 build/asan/fuzz/$target"
        done
    fi
    if [ "$which" = all ]; then short=; else short=1; fi
    echo "scenarios hashes-release env IB_SHORT=$short sh test/run_hashes.sh $release"
    echo "scenarios broken sh test/run_broken.sh $release"
    units
    echo "unit style sh test/run_style.sh $release"
    echo "unit runner sh test/run_runner.sh"
    echo "unit run sh test/run_jobs.sh"
}

# The processes that run now are a group of their own, and Ctrl-C ends all of them.
group=
trap '[ -z "$group" ] || kill -TERM "-$group"; echo "stopped: $(counts) in $(grep -c . "$out/results") jobs"; exit 130' INT TERM HUP
counts() { awk '{ passed += $1; failed += $2 } END { printf "%d passed, %d failed", passed, failed }' "$out/results"; }

# together COUNT: runs the lines of $out/jobs, so many at once. A job whose shell is killed ends no other one, and has failed.
together() {
    IB_JOBS=$(grep -c . "$out/jobs") IB_BEFORE=$(grep -c . "$out/results")
    export IB_JOBS IB_BEFORE # how far it has come: test/job.sh
    # shellcheck disable=SC2016 # $1 is that of the inner shell
    setsid xargs -d '\n' -n 1 -P "$1" sh -c 'sh test/job.sh "$1"; exit 0' job < "$out/jobs" &
    group=$!
    wait "$group"
    status=$?
    group=
    lost=$(awk 'FILENAME == ARGV[1] { told[$5] = 1; next } !told[$2] { print "0 1 0", $1, $2 }' "$out/results" "$out/jobs")
    [ $status -eq 0 ] || lost="${lost:-0 1 0 unit xargs}"
    [ -z "$lost" ] || printf '%s\n' "$lost" | tee -a "$out/results" | awk '{ printf "FAILED  %-18s no result: its shell was killed, or it never started\n", $5 }'
}

# Seconds of a core by kind, of this run and in the budget, and of each job where TIMES is set.
tell_times() {
    [ -z "${TIMES:-}" ] || { printf '\nseconds of a core\n'; sort -k 3,3nr "$out/results" | awk '{ printf "%7.1f  %s\n", $3, $5 }'; }
    awk -v which="$which" 'NR == FNR { if ($1 == which) { budget[$2] = $3; order[++n] = $2 } next }
        { spent[$4] += $3; if (!($4 in budget)) { budget[$4] = 0; order[++n] = $4 } }
        END {
            printf "\n%-12s %8s %8s\n", "s of a core", "spent", "budget"
            for (kind in budget) most += budget[kind]
            for (i = 1; i <= n; i++) {
                kind = order[i]; all += spent[kind]
                printf "%-12s %8.0f %8.0f%s\n", kind, spent[kind], budget[kind], (most > 0 && spent[kind] > budget[kind] ? "  over" : "")
            }
            printf "%-12s %8.0f %8.0f%s\n", "in all", all, most, (most > 0 && all > most ? "  over: test/budget.txt says what to do" : "")
        }' test/budget.txt "$out/results"
}

finish() {
    tell_times
    awk '$2 > 0 { printf "%sfailed: %s\n", bad++ ? "" : "\n", $5 }' "$out/results" # hours after their lines
    printf '\n%s\n' "$(counts)"
    awk '{ passed += $1; failed += $2 } END { exit failed > 0 || passed == 0 }' "$out/results"
    exit
}

mkdir -p "$out"
: > "$out/results"
builds > "$out/jobs"
together 2
awk '$2 > 0 { bad = 1 } END { exit bad }' "$out/results" || finish
jobs > "$out/jobs"
together $(($(nproc) + 1))
[ "$which" != soak ] || { sh test/soak.sh alone > "$out/jobs"; together 1; }
finish
