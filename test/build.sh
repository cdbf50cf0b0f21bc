#!/bin/sh
# Builds a target with a preset of CMakePresets.json: sh test/build.sh release all. Prints an "ok" or a "not ok" line.
cd "$(dirname "$0")/.." || exit 1
said=${IB_SCRATCH:-build}/said
mkdir -p "${said%/*}"
if { cmake --preset "$1" && cmake --build "build/$1" --target "$2"; } > "$said" 2>&1; then echo "ok build $1"; else
    echo "not ok build $1"
    grep -A 10 -E '^FAILED|[Ee]rror' "$said" | head -n 40
fi
