#!/bin/sh
# bench/count.sh: instructions of one row of a benchmark, which other work on the machine does not change; for scripts that
# read it. Of two counts, with one run and with three, the difference is two runs and no start-up.
count() { # PROGRAM KEY TIMES [FILE]
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$1" --count "$2" "$3" ${4:+"$4"} 2>&1 > /dev/null |
        sed -n 's/.*Collected : //p'
}
row() { # PROGRAM KEY [FILE]
    one=$(count "$1" "$2" 1 "${3:-}") three=$(count "$1" "$2" 3 "${3:-}")
    echo $(((three - one) / 2))
}
