#!/bin/sh
# Scenarios of every kind of robot in one sanitized process (test/run_many.c): each meets its expectations, and has the hash of every
# other build (test/golden_hashes.txt; what MuJoCo moves has one only on the kinds of machines that are named there): sh
# test/run_many.sh build/asan/run_many [all]. Prints "ok" and "not ok" lines. The longest (test/long_scenarios.txt)
# are left to the soak. test/sim/test_reset.c makes the first steps of all of them under the sanitizer.
cd "$(dirname "$0")/.." || exit 1
out=${IB_SCRATCH:-build/test-output/many}
mkdir -p "$out"
harness=$1 which=${2:-}
set --
for file in scenarios/*.yaml; do
    if [ "$which" = all ] || ! grep -qx "$file" test/long_scenarios.txt; then set -- "$@" "$file"; fi
done
"$harness" "$@" > "$out/log" 2>&1
status=$?
awk -v machine="$(uname -m)" '
    NR == FNR && $2 !~ /=/ { golden[$1] = $2; next }
    NR == FNR {
        golden[$1] = "none here"
        for (i = split($2, kinds, "[,=]") - 1; i > 0; i -= 2) if (kinds[i] == machine) golden[$1] = kinds[i + 1]
        next
    }
    / hash [0-9a-f]+$/ { hash = $NF }
    /^(not )?ok / {
        print
        file = $(NF - 3)
        sub(/,$/, "", file)
        if (golden[file] == "none here") next
        if (hash == golden[file]) print "ok hash: " file ", sanitized"
        else print "not ok hash: " file ", sanitized: expected " golden[file] ", got " hash
        hash = "none"
    }' test/golden_hashes.txt "$out/log"
[ $status -eq 0 ] || { echo "not ok scenarios, sanitized: exit code $status"; tail -n 60 "$out/log"; }
exit $status
