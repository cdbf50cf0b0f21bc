#!/bin/sh
# Prints how many kinds of what the program has, for the README: sh docs/make/inside.sh PROGRAM
set -eu
# Long lists go on below their beginning.
folded() { fold -s -w 100 | awk '{ sub(/ +$/, ""); print (/^[a-z]+ +[0-9]+  / ? "" : "                  ") $0 }'; }
count() { "$1" list "$2" | awk '/^$/ { exit } { names = names (n++ ? ", " : "") $1 } END { printf "%-12s %3d  %s\n", what, n, names }' what="$2"; }
{
    for topic in robots plants controllers sensors; do count "$1" $topic; done
    for name in $("$1" list | tail -n 1); do
        printf '%s %d\n' "$name" "$("$1" list "$name" | grep -c '^    source:' || true)"
    done | awk '{ n += $2; names = names (NR > 1 ? ", " : "") $2 " " $1 } END { printf "%-12s %3d  %s\n", "data", n, names }'
    ls scenarios/*.yaml | awk 'END { printf "%-12s %3d  runnable, each with expectations or a hash that the tests hold\n", "scenarios", NR }'
    awk '/ claims: .* hold/ { n += $1; documents++ } END { printf "%-12s %3d  of %d source documents, recomputed by ironbird verify\n", "claims", n, documents }' docs/reference/claims/*.md
} | folded
