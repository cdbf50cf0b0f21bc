#!/bin/sh
# Runs every fuzz target of a build folder for a few seconds, from its seeds and old findings.
folder=$1
seconds=$2
cd "$(dirname "$0")/.." || exit 1
for target in "$folder"/fuzz_*; do
    [ -x "$target" ] && [ -f "$target" ] || continue
    name=$(basename "$target")
    noun=${name#fuzz_}
    work=build/test-output/corpus-$noun
    mkdir -p "$work"
    seeds=
    [ -d "test/fuzz/corpus/$noun" ] && seeds=test/fuzz/corpus/$noun
    # shellcheck disable=SC2086
    if "$target" -max_total_time="$seconds" -timeout=25 -rss_limit_mb=1024 -max_len=20000 -print_final_stats=1 \
        -artifact_prefix="build/test-output/$noun-" "$work" $seeds > "build/test-output/$name.log" 2>&1; then
        echo "ok $name: $(sed -n 's/^stat::number_of_executed_units: *//p' "build/test-output/$name.log") inputs"
    else
        echo "not ok $name"
        tail -n 15 "build/test-output/$name.log"
    fi
done
