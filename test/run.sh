#!/bin/sh
# Every check that a change must pass, in the order in which they are quick to fail. `make test` calls it.
# Prints one line per check that fails, and "N passed, N failed" at the end.
set -u
cd "$(dirname "$0")/.."
passed=0
failed=0
out=build/test-output
mkdir -p "$out"

# verdict NAME LOGFILE STATUS
verdict() {
    if [ "$3" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $1"
        [ -s "$2" ] && tail -n 40 "$2" | sed 's/^/    /'
    fi
}

# check NAME COMMAND...: one check, by exit code
check() {
    name=$1
    shift
    "$@" > "$out/check.log" 2>&1
    verdict "$name" "$out/check.log" $?
}

# counted NAME COMMAND...: many checks, which the command reports as "ok NAME" and "not ok NAME" lines
counted() {
    name=$1
    shift
    "$@" > "$out/counted.log" 2>&1
    status=$?
    good=$(grep -c '^ok ' "$out/counted.log")
    bad=$(grep -c '^not ok ' "$out/counted.log")
    passed=$((passed + good))
    failed=$((failed + bad))
    [ "$bad" -gt 0 ] && grep -A 8 '^not ok ' "$out/counted.log" | head -n 120
    if [ "$bad" -eq 0 ] && [ "$status" -ne 0 ]; then verdict "$name" "$out/counted.log" "$status"; fi
    if [ "$bad" -eq 0 ] && [ "$good" -eq 0 ]; then verdict "$name: ran nothing" "$out/counted.log" 1; fi
    return 0
}

title() { printf '== %s\n' "$1"; }

# build PRESET TARGET
build() {
    cmake --preset "$1" > "$out/build-$1.log" 2>&1 && cmake --build "build/$1" --target "$2" >> "$out/build-$1.log" 2>&1
    status=$?
    verdict "build $1" "$out/build-$1.log" $status
    if [ $status -ne 0 ]; then echo "$passed passed, $failed failed"; exit 1; fi
}

title "style"
check "clang-format" sh -c 'git ls-files --cached --others --exclude-standard "*.c" "*.h" | xargs clang-format --dry-run --Werror'
check "includes point one way" sh test/check_includes.sh

title "build: gcc -O2, gcc -O0, clang -O2, sanitizers (clang), fuzz targets"
build release all
build debug ironbird
build clang ironbird
build asan all
build fuzz all

title "unit tests"
counted "unit tests" sh test/run_units.sh build/release
title "unit tests, address and undefined-behaviour sanitizers"
counted "unit tests (sanitizers)" sh test/run_units.sh build/asan

check "nobody names a robot's signal" sh test/check_signals.sh build/release/ironbird

title "scenarios through the program"
counted "scenarios" sh test/run_scenarios.sh build/release/ironbird build/asan/ironbird
counted "broken scenarios" sh test/run_broken.sh build/release/ironbird
counted "commands" sh test/run_commands.sh build/release/ironbird
counted "same bits" sh test/run_hashes.sh build/release/ironbird build/debug/ironbird build/clang/ironbird

title "viewer: page, browser, hostile requests"
counted "viewer" sh test/run_viewer.sh build/release/ironbird build/asan/ironbird

title "fuzz smoke"
counted "fuzz" sh test/run_fuzz.sh build/fuzz 5

echo
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
