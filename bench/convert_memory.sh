#!/bin/sh
# bench/convert_memory.sh [PROGRAM]: memory and process time of `convert`, in both directions, for logs of about 10, 80 and
# 400 MB (the match, recorded every millisecond), and for a table of 80 MB whose rows are in no order.
set -eu
program=${1:-build/release/ironbird}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
measure() { # FROM TO
    /usr/bin/time -o "$folder/time" -f '%M %U %S' "$program" convert "$1" "$2" 2> /dev/null
    read -r memory user system < "$folder/time"
    echo "$(($(wc -c < "$1") / 1000000)) MB ${1##*.} to ${2##*.}${3:-}: $((memory / 1024)) MiB, $user s user, $system s system"
    rm "$2"
}
for duration in 6 48 242; do
    "$program" run scenarios/match.yaml -q --set 'expect=[]' --set 'record={every: 1 ms}' --set "run.duration=$duration s" \
        --log "$folder/log.wpilog"
    measure "$folder/log.wpilog" "$folder/x.csv"
    measure "$folder/log.wpilog" "$folder/x.wpilog"
    rm "$folder/log.wpilog"
done
for duration in 10 77 345; do
    "$program" run scenarios/match.yaml -q --set 'expect=[]' --set 'record={every: 1 ms}' --set "run.duration=$duration s" \
        --csv "$folder/log.csv"
    measure "$folder/log.csv" "$folder/x.wpilog"
    measure "$folder/log.csv" "$folder/x.csv"
    if [ "$duration" = 77 ]; then
        head -n 1 "$folder/log.csv" > "$folder/shuffled.csv"
        # The last digits first: rows far from each other become neighbours.
        tail -n +2 "$folder/log.csv" | awk -F, '{ printf "%03d\t%s\n", (NR * 617) % 1000, $0 }' | sort -s -k 1,1 | cut -f 2- >> "$folder/shuffled.csv"
        measure "$folder/shuffled.csv" "$folder/x.wpilog" " (no order)"
        rm "$folder/shuffled.csv"
    fi
    rm "$folder/log.csv"
done
