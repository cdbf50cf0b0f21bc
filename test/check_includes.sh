#!/bin/sh
# Includes point one way (docs/architecture.md): a folder may include the ones to its left and itself;
# folders of one level do not include each other.
#   base <- linear <- solver <- plant <- {sensor control} <- world <- robot <- sim <- {design file record} <- scenario
#        <- desk <- study <- {link report view} <- claims <- cli
set -eu
cd "$(dirname "$0")/.."
grep -rnE '^[[:space:]]*#[[:space:]]*include[[:space:]]+"' src cli --include='*.c' --include='*.h' | awk -F: '
BEGIN {
    n = split("base linear solver plant sensor,control world robot sim design,file,record scenario desk study link,report,view claims cli", levels, " ")
    level["ironbird"] = 0 # include/ironbird/plugin.h, which stands alone
    for (i = 1; i <= n; i++) { m = split(levels[i], names, ","); for (k = 1; k <= m; k++) level[names[k]] = i }
}
{
    split($1, path, "/"); from = path[1] == "cli" ? "cli" : path[2]
    split($0, quoted, "\""); name = quoted[2]; to = from
    if (index(name, "/")) { split(name, parts, "/"); to = parts[1] }
    if (!(from in level)) { print $1 ":" $2 ": the folder " from " has no place in the order of includes"; bad = 1; next }
    if (!(to in level)) { print $1 ":" $2 ": " name " is in no known folder"; bad = 1; next }
    if (to != from && level[to] >= level[from]) {
        print $1 ":" $2 ": " from " must not include " name; bad = 1
    }
}
END { exit bad }'
