#!/bin/sh
# Every check that a change must pass; `make test` calls it. `sh test/run.sh quick` (`make quick`) are those that need nothing
# but the release build. The builds come first, two at a time, each on all cores, then the other jobs side by side, one more
# than there are cores. A job (test/job.sh) is a line here and a line of output, with what failed in full below it; all that it said is
# in build/test-output/JOB.log. The last line is "N passed, N failed".
set -u
cd "$(dirname "$0")/.."
which=${1:-all}
case $which in all | quick) ;; *) echo "usage: sh test/run.sh [quick]" >&2; exit 2 ;; esac
out=build/test-output
release=build/release/ironbird asan=build/asan/ironbird

builds() {
    echo "build-release sh test/build.sh release all"
    [ "$which" = all ] || return
    echo "build-asan sh test/build.sh asan all"
    [ "$(uname -m)" != x86_64 ] || echo "build-v3 sh test/build.sh v3 ironbird"
    echo "page sh test/run_page.sh" # with the packages that the browser's tests need
}

# a job for each folder's runner, the long ones first
units() { for folder in sim robot design $(grep -vxE 'sim|robot|design' build/release/test/runners.txt); do echo "$folder sh test/run_units.sh build/release/test/$folder"; done; }

# Sanitized, one runner has all folders (CMakeLists.txt). Several jobs, so that no core waits long for the last.
units_asan() {
    every="sh test/run_units.sh build/asan/test/every"
    echo "design-asan $every control design sim"
    echo "others-asan $every $(grep -vxE 'robot|control|design|sim|link' build/asan/test/runners.txt | tr '\n' ' ')"
    echo "robot-asan $every robot"
    echo "link-asan $every link" # its plug-ins that hang keep the loader's lock: nothing can be opened after them
}

# x86-64-v3 has fused products, which the build must not use; what it makes of them is run where the processor has them.
fused() {
    [ "$(uname -m)" = x86_64 ] || return 0
    echo "fused-v3 sh test/run_fused.sh build/v3"
    grep -qw fma /proc/cpuinfo && grep -qw avx2 /proc/cpuinfo && grep -qw bmi2 /proc/cpuinfo && echo "hashes-v3 env IB_EVERY=3 sh test/run_hashes.sh build/v3/ironbird"
}

# The long ones first, so that no core waits for another at the end.
jobs() {
    if [ "$which" = all ]; then
        echo "viewer sh test/run_viewer.sh $release $asan" # this one waits more than it works, and so do the commands
        units_asan
        echo "commands sh test/run_commands.sh $release"
        echo "scenarios-asan sh test/run_many.sh build/asan/run_many" # with their hashes as clang makes them
        echo "viewer-hostile node test/viewer/test_hostile.mjs $asan"
        echo "viewer-admission node test/viewer/test_admission.mjs $asan"
        echo "designs sh test/run_designs.sh $release"
        echo "hostile sh test/run_hostile.sh $release"
        echo "sweeps sh test/run_sweeps.sh $release"
        echo "trials sh test/run_trials.sh 1 mutated=0:110 keys=0:500 odd=0:170"
        echo "routes sh test/run_routes.sh $release"
        fused
        for source in test/fuzz/fuzz_*.c; do
            target=$(basename "$source" .c)
            echo "$target sh test/run_fuzz.sh 5 build/asan/fuzz/$target"
        done
    fi
    echo "hashes-release sh test/run_hashes.sh $release"
    echo "broken sh test/run_broken.sh $release"
    units
    echo "style sh test/run_style.sh $release"
    echo "runner sh test/run_runner.sh"
}

# The processes that run now are a group of their own, and Ctrl-C ends all of them.
group=
trap '[ -z "$group" ] || kill -TERM "-$group"; echo "stopped"; exit 130' INT TERM HUP

# together COUNT: runs the lines of $out/jobs, so many at once
together() {
    setsid xargs -d '\n' -n 1 -P "$1" sh test/job.sh < "$out/jobs" &
    group=$!
    wait "$group"
    group=
}

finish() {
    awk '{ passed += $1; failed += $2 }
        END { printf "\n%d passed, %d failed\n", passed, failed; exit failed > 0 || passed == 0 }' "$out/results"
    exit
}

mkdir -p "$out"
: > "$out/results"
builds > "$out/jobs"
together 2
awk '$2 > 0 { bad = 1 } END { exit bad }' "$out/results" || finish
jobs > "$out/jobs"
together $(($(nproc) + 1))
finish
