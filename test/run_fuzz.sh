#!/bin/sh
# Runs fuzz targets for some seconds each, from their seeds and old findings: sh test/run_fuzz.sh 5 build/asan/fuzz/fuzz_*.
# Prints an "ok" or a "not ok" line for each. They draw the same inputs in every run, others with SEED=N: libFuzzer looks at places
# in memory as well, which are the same where the system lets setarch say so, and begins without what it found before.
[ $# -gt 1 ] || { echo "usage: sh test/run_fuzz.sh SECONDS build/asan/fuzz/fuzz_*" >&2; exit 2; }
cd "$(dirname "$0")/.." || exit 1
out=${IB_SCRATCH:-build/test-output/fuzz}
seconds=$1
shift
seed=$(awk -v seed="${SEED:-0}" 'BEGIN { printf "%.0f", seed % 4294967295 + 1 }') # to libFuzzer 0 is the clock
alike="setarch -R"
$alike true 2> /dev/null || alike=
for target; do
    name=$(basename "$target")
    noun=${name#fuzz_}
    work=$out/corpus-$noun log=$out/$name.log
    rm -rf "$work" && mkdir -p "$work"
    seeds=
    [ -d "test/fuzz/corpus/$noun" ] && seeds=test/fuzz/corpus/$noun
    # shellcheck disable=SC2086
    if $alike "$target" -max_total_time="$seconds" -timeout=25 -rss_limit_mb=1024 -max_len=20000 -print_final_stats=1 -seed="$seed" \
        -artifact_prefix="$out/$noun-" "$work" $seeds > "$log" 2>&1; then
        echo "ok $name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs"
    else
        echo "not ok $name, with SEED=${SEED:-0}"
        tail -n 15 "$log"
    fi
done
