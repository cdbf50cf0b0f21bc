#!/bin/sh
# No circle between folders, none of more than two files inside one, and nothing of src/claims in the library: who calls
# whom is read from the symbols of the objects of a build. Folders are those of src, and cli; a file is a .c with its header.
#   sh test/check_circles.sh build/release
[ $# -eq 1 ] || { echo "usage: sh test/check_circles.sh build/release" >&2; exit 2; }
if nm "$1/libironbird.a" 2> /dev/null | grep -q ' ib_claim_documents$'; then
    echo "libironbird.a has src/claims: expected it in libironbird_claims.a alone"
    exit 1
fi
find "$1/CMakeFiles" -name '*.o' -path '*ironbird*.dir/*' -print | grep -E 'dir/(src|cli)/' | xargs nm -A | awk '
{
    split($0, half, ":"); count = split(substr($0, length(half[1]) + 2), field, " ")
    file = half[1]; sub(/.*\.dir\//, "", file); sub(/\.c\.o$/, "", file)
    type = field[count - 1]; symbol = field[count]
    if (type ~ /^[TDRBV]$/) home[symbol] = file
    if (type == "U") wanted[file, symbol] = 1
    known[file] = 1
}
# Everything that can be reached from `start`, along the arrows (way 1) or against them (way 2), into reached[way, …].
function walk(start, way,    todo, next_todo, i, n, parts, more) {
    todo = start
    while (todo != "") {
        n = split(todo, parts, " "); next_todo = ""
        for (i = 1; i <= n; i++) {
            more = way == 1 ? to[parts[i]] : from[parts[i]]
            count = split(more, list, " ")
            for (k = 1; k <= count; k++)
                if (!((way, list[k]) in reached)) { reached[way, list[k]] = 1; next_todo = next_todo " " list[k] }
        }
        todo = next_todo
    }
}
# Prints the circles of more than `most` members among the nodes of `all`; the arrows are in `to` and `from`.
function find_circles(all, most, what,    n, i, k, size, text) {
    for (node in all) {
        if (node in done) continue
        split("", reached); walk(node, 1); walk(node, 2)
        size = 0; text = ""
        for (other in all)
            if (other != node && (1, other) in reached && (2, other) in reached) { size++; text = text " " other; done[other] = 1 }
        if (size + 1 > most) { print "a circle of " size + 1 " " what ": " node text; bad = 1 }
    }
    split("", done)
}
function folder(file,    parts) { split(file, parts, "/"); return parts[1] == "cli" ? "cli" : parts[2] }
END {
    for (key in wanted) {
        split(key, pair, SUBSEP); target = home[pair[2]]
        if (target == "" || target == pair[1]) continue
        arrow[pair[1], target] = 1
    }
    for (key in arrow) {
        arrows++
        split(key, pair, SUBSEP); to[pair[1]] = to[pair[1]] " " pair[2]; from[pair[2]] = from[pair[2]] " " pair[1]
        a = folder(pair[1]); b = folder(pair[2])
        if (a != b) between[a, b] = 1
    }
    if (arrows < 100) { print "only " arrows + 0 " arrows were found: is this a build folder?"; exit 1 }
    find_circles(known, 2, "files")
    split("", to); split("", from); split("", folders)
    for (key in between) {
        split(key, pair, SUBSEP); folders[pair[1]] = folders[pair[2]] = 1
        to[pair[1]] = to[pair[1]] " " pair[2]; from[pair[2]] = from[pair[2]] " " pair[1]
    }
    find_circles(folders, 1, "folders")
    exit bad
}'
