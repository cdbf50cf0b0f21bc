#!/bin/sh
# A run has the same bits for gcc and clang, -O0 to -O3, with and without the vectors of x86-64-v3: builds the program each way in
# build/bits/NAME, looks for fused products in its object code and compares every scenario with test/golden_hashes.txt. gcc -O2
# is the release build, which `make test` compares. Prints "ok" and "not ok" lines and, at the end of each build, a line
# "seen NAME: N of N". Part of `make soak`.
#   sh test/run_bits.sh [NAME…]      all builds, or these (--list): gcc-O0 gcc-O3 clang-O0 clang-O2 clang-O3, on x86-64 gcc-v3 clang-v3
#   IB_EVERY=N                       every Nth scenario alone
cd "$(dirname "$0")/.." || exit 1
out=${IB_SCRATCH:-build/test-output/bits}
v3=
[ "$(uname -m)" != x86_64 ] || v3="gcc-v3 clang-v3"
# shellcheck disable=SC2086 # none, or two words
[ "${1:-}" != --list ] || { echo gcc-O0 gcc-O3 clang-O0 clang-O2 clang-O3 $v3; exit; }
# shellcheck disable=SC2086 # none, or two words
[ $# -gt 0 ] || set -- gcc-O0 gcc-O3 clang-O0 clang-O2 clang-O3 $v3

# The settings of a build. One level for all files where it is named; -O2 and v3 have the flags of a release, -O3 for its solvers.
settings() { # NAME
    echo "-DCMAKE_C_COMPILER=${1%-*}"
    case $1 in
        gcc-O[03] | clang-O[03]) printf '%s\n' -DCMAKE_BUILD_TYPE=None "-DCMAKE_C_FLAGS=-${1#*-}" ;;
        clang-O2) echo -DCMAKE_BUILD_TYPE=Release ;;
        gcc-v3 | clang-v3) printf '%s\n' -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS=-march=x86-64-v3 ;;
        *) echo "not ok bits: no build '$1': expected COMPILER-LEVEL, such as gcc-O3" >&2; return 1 ;;
    esac
}

# Whether this processor can run the build.
runs_here() { # NAME
    case $1 in *-v3) for word in fma avx2 bmi2; do grep -qw $word /proc/cpuinfo || return 1; done ;; esac
}

for name; do
    build=build/bits/$name
    mkdir -p "$out/$name"
    with=$(settings "$name" 2>&1) || { echo "$with" | tail -n 1; continue; }
    # shellcheck disable=SC2086 # settings without spaces
    if { cmake -S . -B "$build" -G Ninja -DIB_TESTS=OFF $with && cmake --build "$build" --target ironbird; } > "$out/$name/said" 2>&1; then
        echo "ok build $name"
    else
        echo "not ok build $name"
        grep -A 10 -E '^FAILED|[Ee]rror' "$out/$name/said" | head -n 40
        continue
    fi
    sh test/run_fused.sh "$build"
    runs_here "$name" || { echo "seen $name: none, the processor has no x86-64-v3"; continue; }
    IB_SCRATCH=$out/$name sh test/run_hashes.sh "$build/ironbird" > "$out/$name/log" 2>&1
    cat "$out/$name/log"
    awk -v name="$name" '/^(not )?ok hash: scenarios/ { all++; same += /^ok/ } END { print "seen " name ": " same + 0 " of " all + 0 }' "$out/$name/log"
done
