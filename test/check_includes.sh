#!/bin/sh
# Includes point one way (docs/architecture.md): a folder may include the ones to its left and itself;
# folders of one level do not include each other.
#   base <- linear <- solver <- plant <- {sensor control} <- world <- robot <- sim <- {design file record}
#        <- scenario <- desk <- study <- {link report view} <- claims <- cli
set -eu
cd "$(dirname "$0")/.."
# What another front end needs as well is the library's: 150 lines a command, beside what all commands share.
lines=$(cat cli/*.[ch] | wc -l) most=$((2850 + 150 * $(ls cli/cmd_*.c | wc -l)))
[ "$lines" -le "$most" ] || { echo "cli: $lines lines, at most $most"; exit 1; }
grep -rnE '^[[:space:]]*#[[:space:]]*include[[:space:]]+("|<[a-z]+/)' src cli --include='*.c' --include='*.h' | awk -F: '
BEGIN {
    n = split("base linear solver plant sensor,control world robot sim design,file,record scenario desk study link,report,view claims cli", levels, " ")
    for (i = 1; i <= n; i++) { m = split(levels[i], names, ","); for (k = 1; k <= m; k++) level[names[k]] = i }
}
{
    split($1, path, "/"); from = path[1] == "cli" ? "cli" : path[2]
    seen++
    if (match($0, /<[^>]*>/)) {
        name = substr($0, RSTART + 1, RLENGTH - 2); split(name, parts, "/")
        if (parts[1] in level) { print $1 ":" $2 ": " name " is ours: include it in quotes"; bad = 1 }
        next
    }
    split($0, quoted, "\""); name = quoted[2]; to = from
    if (name == "ironbird/plugin.h") next # stands alone; the other public headers are for programs outside
    if (name ~ /\.\./) { print $1 ":" $2 ": " name ": an include names its folder, without .."; bad = 1; next }
    if (index(name, "/")) { split(name, parts, "/"); to = parts[1] }
    if (!(from in level)) { print $1 ":" $2 ": the folder " from " has no place in the order of includes"; bad = 1; next }
    if (!(to in level)) { print $1 ":" $2 ": " name " is in no known folder"; bad = 1; next }
    if (to != from && level[to] >= level[from]) {
        print $1 ":" $2 ": " from " must not include " name; bad = 1
    }
}
END { if (seen < 1000) { print "only " seen + 0 " includes were found"; bad = 1 } exit bad }'
