#!/bin/sh
# What is seen without running anything: format, comments, includes, circles, names of signals. sh test/run_style.sh PROGRAM;
# the program lists the signals. Prints "ok" and "not ok" lines.
cd "$(dirname "$0")/.." || exit 1
said=${IB_SCRATCH:-build/test-output}/style-said
mkdir -p "${said%/*}"

# holds NAME COMMAND…: by exit code; what it said is shown if it fails
holds() {
    name=$1
    shift
    if "$@" > "$said" 2>&1; then echo "ok $name"; else
        echo "not ok $name"
        head -n 40 "$said" | sed 's/^/    /'
    fi
}

holds "clang-format" sh test/check_format.sh
holds "comments" sh test/check_comments.sh
holds "includes point one way" sh test/check_includes.sh
holds "a type has one meaning" sh test/check_types.sh
holds "the last digit is the same on every machine" sh test/check_maths.sh "$(dirname "$1")"
holds "no product is fused with a sum" sh test/check_fused.sh "$(dirname "$1")"
holds "no circle of files" sh test/check_circles.sh "$(dirname "$1")"
holds "nobody names a robot's signal" sh test/check_signals.sh "$1"
