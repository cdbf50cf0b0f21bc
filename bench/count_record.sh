#!/bin/sh
# bench/count_record.sh [PROGRAM]: instructions of a step of the match, and of its recording at every step, which other work
# on the machine does not change. Of two runs, of 2 s and of 12 s, the difference has no start-up in it.
# Also the bytes of a row, since a row costs what is in it. Threads are counted together.
set -eu
program=${1:-build/release/ironbird}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
count() { # DURATION [OPTIONS]
    duration=$1
    shift
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" run scenarios/match.yaml -q --set 'expect=[]' \
        --set 'record={every: 1 ms}' --duration "$duration s" "$@" 2>&1 > /dev/null | sed -n 's/.*Collected : //p'
}
step() { # [OPTIONS]
    short=$(count 2 "$@") long=$(count 12 "$@")
    echo $(((long - short) / 10000))
}
bare() { # DURATION
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" bench scenarios/match.yaml --repeat 1 \
        --duration "$1 s" 2>&1 > /dev/null | sed -n 's/.*Collected : //p'
}
echo "physics, a step:    $((($(bare 12) - $(bare 2)) / 10000)) instructions"
physics=$(step)
echo "with its summary:   $physics instructions"
for file in --log:x.wpilog --csv:x.csv; do
    both=$(step "${file%%:*}" "$folder/${file#*:}")
    echo "${file%%:*}, a row:       $((both - physics)) instructions, $(wc -c < "$folder/${file#*:}") bytes in 12001 rows"
done
