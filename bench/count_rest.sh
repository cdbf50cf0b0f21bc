#!/bin/sh
# Instructions a step of a robot that drives and of the same one at rest, and of an hour of the match, whose end is at
# rest:  count_rest.sh IRONBIRD [BASE_IRONBIRD]   Fails where rest costs more than driving.
# Subnormal numbers cost no instructions, and time on some processors only; test/scenario/test_rest.c counts them.
here=$(cd "$(dirname "$0")/.." && pwd)
count_until() { # PROGRAM SCENARIO SECONDS: instructions of a run without expectations
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$1" run "$here/scenarios/$2.yaml" --duration "$3 s" \
        --set 'expect=[]' --quiet 2>&1 > /dev/null | sed -n 's/.*Collected : //p'
}
row() { # PROGRAM SCENARIO DRIVES FROM TO: steps of 1 ms; it drives for so long, and is at rest from FROM to TO
    short=$(count_until "$1" "$2" 1) drive=$(count_until "$1" "$2" "$3") from=$(count_until "$1" "$2" "$4") to=$(count_until "$1" "$2" "$5")
    awk -v name="$2" -v s="$short" -v d="$drive" -v f="$from" -v t="$to" -v drives="$3" -v from="$4" -v to="$5" 'BEGIN {
        driving = (d - s) / (drives - 1) / 1000; rest = (t - f) / (to - from) / 1000
        hour = (d / 1000 + rest * (3600 - drives)) / 3600
        printf "%-8s driving %8.0f   at rest %8.0f   an hour %8.0f instructions a step\n", name, driving, rest, hour
        exit !(rest <= driving && hour <= d / 1000 / drives) }'
}
status=0
for program; do
    echo "$program"
    row "$program" tank_s1 12 40 52 || status=1
    row "$program" match 150 160 190 || status=1
done
exit $status
