#!/bin/sh
# Every file under test/scenario/broken, test/desk/broken and test/desk/broken_plans must be refused: exit 2 within a
# second of a core's time, nothing run, and a message at the place and with the words of its first line "# expect:
# LINE:COL words", the only one where a line begins with "# alone". Files under test/scenario/odd are strange but right, and must run; files under test/scenario/warned must run with a warning at the
# place and with the words of their first line, which `check` prints and a run has among its own. LINE counts that first
# line, COL is that of the first byte at fault; a file that does not say both place and words is itself a mistake.
[ $# -eq 1 ] || { echo "usage: sh test/run_broken.sh build/release/ironbird" >&2; exit 2; }
program=$1
cd "$(dirname "$0")/.." || exit 1
out=${IB_SCRATCH:-build/test-output/broken}
mkdir -p "$out"
log=$out/log

# expectation FILE: `place` and `words` of its first line, both empty where it has none
expectation() {
    first=$(head -n 1 "$1" | tr -d '\000')
    place=$(printf '%s\n' "$first" | LC_ALL=C sed -n 's/^# expect: \([0-9][0-9]*:[0-9][0-9]*\) .*[^ ].*$/\1/p')
    words=${place:+${first#"# expect: $place "}}
}

for file in test/scenario/broken/* test/desk/broken/* test/desk/broken_plans/*.yaml; do
    case $file in
    */desk/broken/*) command=design ;;
    */desk/broken_plans/*) command=plan ;;
    *) command=run ;;
    esac
    (ulimit -t 1 && exec timeout 60 "$program" $command "$file" --quiet) > "$log" 2>&1
    status=$?
    expectation "$file"
    if [ -z "$place" ]; then
        echo "not ok $file: its first line is no '# expect: LINE:COL words'"
    elif [ $status -ne 2 ]; then
        echo "not ok $file: exit code $status"
    elif ! grep -q "^[^:]*:$place: " "$log"; then
        echo "not ok $file: expected a mistake at $place, got: $(head -n 3 "$log")"
    elif ! grep -qF -- "$words" "$log"; then
        echo "not ok $file: expected '$words', got: $(head -n 3 "$log")"
    elif grep -q '^# alone' "$file" && [ "$(wc -l < "$log")" -ne 1 ]; then
        echo "not ok $file: expected that mistake alone, got: $(sed 1d "$log" | head -n 3)"
    else
        echo "ok $file"
    fi
done
for file in test/scenario/odd/*.yaml; do
    if (ulimit -t 10 && exec timeout 120 "$program" run "$file" --quiet) > "$log" 2>&1; then
        echo "ok $file"
    else
        echo "not ok $file: $(head -n 3 "$log")"
    fi
done
for file in test/scenario/warned/*.yaml; do
    expectation "$file"
    if [ -z "$place" ]; then
        echo "not ok $file: its first line is no '# expect: LINE:COL words'"
    elif ! (ulimit -t 10 && exec timeout 120 "$program" check "$file") > "$log" 2>&1; then
        echo "not ok $file: not right: $(head -n 3 "$log")"
    elif ! grep -F -- "$words" "$log" | grep -q "^[^:]*:$place: warning: "; then
        echo "not ok $file: expected a warning '$words' at $place, got: $(head -n 3 "$log")"
    elif ! (ulimit -t 10 && exec timeout 120 "$program" run "$file" --quiet --json) > "$log" 2>&1; then
        echo "not ok $file: does not run: $(head -n 3 "$log")"
    elif ! grep -qF -- "$file:$place: " "$log"; then
        echo "not ok $file: the run does not warn: $(grep warnings "$log")"
    else
        echo "ok $file"
    fi
done
