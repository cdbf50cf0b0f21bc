#!/bin/sh
# What the command of `make run` takes, in turns:  count_report.sh IRONBIRD [BASE_IRONBIRD]
# Process time with children (user and system, best of five; with and without --report), starts of gnuplot, bytes that
# were read and written one at a time by it, size of the page. How long a browser takes to open two such pages:
# node bench/open_report.mjs OLD.html NEW.html
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$here" || exit 1

# Milliseconds of user and system time of a command and its children.
spent()
{
    perf stat -x, -e task-clock "$@" 2>&1 > /dev/null | awk -F, '/task-clock/ { print $1 }'
}

command()
{
    program=$1
    shift
    spent "$program" run scenarios/match.yaml --log "$work/match.wpilog" --csv "$work/match.csv" "$@"
}

for round in 1 2 3 4 5; do
    for program in "$@"; do
        echo "$program with $(command "$program" --report "$work/report.html")"
        echo "$program without $(command "$program")"
    done
done | awk '{ key = $1 " " $2 } !(key in best) || $3 < best[key] { best[key] = $3 }
    END { for (key in best) printf "%s report: %.0f ms\n", key, best[key] }' | sort

for program in "$@"; do
    strace -f -qq -e trace=execve,read,write -o "$work/calls" \
        "$program" run scenarios/match.yaml --report "$work/report.html" > /dev/null
    awk -v program="$program" -v page="$(wc -c < "$work/report.html")" '
        /execve\(.*gnuplot.* = 0$/ { drawing[$1] = 1; starts++ }
        drawing[$1] && / read\(.* = 1$/ { single++ }
        drawing[$1] && / read\(/ { reads++ }
        drawing[$1] && / write\(/ { writes++ }
        END { printf "%s gnuplot: %d starts, %d reads (%d of one byte), %d writes; page: %d bytes\n",
              program, starts, reads, single, writes, page }' "$work/calls"
done
