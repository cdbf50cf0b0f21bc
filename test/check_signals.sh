#!/bin/sh
# No file outside src/robot, src/plant, data and scenarios names a robot's signal: what a signal means stands beside its
# physics (base/signal.h), and everybody else finds it by its role. Signals that src/sim, src/control and src/sensor
# declare themselves are named nowhere else.
#   check_signals.sh PROGRAM
# A text in quotes counts that is nothing but a name, its end behind a dot, its beginning up to a dot, or a pattern with
# a star. Sentences, such as the examples of --help, do not.
set -eu
[ $# -eq 1 ] || { echo "usage: sh test/check_signals.sh build/release/ironbird" >&2; exit 2; }
program=$1
cd "$(dirname "$0")/.."
names=$(mktemp)
sample=$names.c
rest=$names.yaml # what no scenario has
trap 'rm -f "$names" "$sample" "$rest"' EXIT
echo '{robot: {kind: tank, branch_breaker: snap-40}, inputs: {left: 0 V, right: 0 V}, run: {duration: 1 s}}' > "$rest"
for scenario in scenarios/*.yaml "$rest"; do "$program" list signals "$scenario"; done | awk '$1 ~ /\./ { print $1 }' | sort -u > "$names"
[ "$(wc -l < "$names")" -gt 100 ] || { echo "too few signals: does '$program list signals' work?"; exit 1; }
# scan FILE…: a line for each name that stands where it should not; false where there is one
scan() {
awk '
# A name counts with all its ends of two words and more ("red.pose.x": "pose.x"), and its beginnings up to a dot. What
# stands behind the word of a family is that family'"'"'s own.
function learn(name,    n, part, i, k, tail) {
    n = split(name, part, ".")
    for (i = 1; i < n; i++) {
        if (i > 1 && part[i - 1] ~ families) break
        tail = part[i]
        for (k = i + 1; k <= n; k++) {
            if (i == 1 || known_first[part[i]]) begins[tail "."] = 1
            tail = tail "." part[k]
        }
        known[tail] = 1
    }
    known_first[part[1]] = 1
}
# Signals of these families are theirs to name; the word before the first dot alone names none of them.
function own(text, file) {
    if (text !~ /\./ || substr(text, 1, index(text, ".") - 1) !~ families) return 0
    return text ~ /^[a-z]*\.$/ || file ~ /^src\/(sim|control|sensor|link)\//
}
function glob(text,    regex) {
    regex = text
    gsub(/\./, "[.]", regex)
    gsub(/\*/, "[a-z0-9_.]*", regex)
    return "^" regex "$"
}
function judge(text,    name, regex) {
    if (text !~ /^[a-z*][a-z0-9_.*]*$/ || text !~ /\./ || own(text, FILENAME)) return 0
    if (text in known || (text ~ /\.$/ && text in begins)) return 1
    if (text !~ /\*/ || text !~ /[a-z]/) return 0
    regex = glob(text)
    for (name in known) if (name ~ regex) return 1
    return 0
}
BEGIN { families = "^(path|disturbance|contact|ridge|field|control|sensor)$" }
FNR == NR { learn($1); next }
FNR == 1 { comment = 0; quote = "" }
{
    text = ""
    for (i = 1; i <= length($0); i++) {
        c = substr($0, i, 1); two = substr($0, i, 2)
        if (comment) { if (two == "*/") { comment = 0; i++ } continue }
        if (quote == "") {
            if (two == "//") break
            if (two == "/*") { comment = 1; i++ }
            else if (c == "\"" || (c ~ /[\047`]/ && FILENAME ~ /\.ts$/)) { quote = c; text = "" }
            else if (c == "\047") { i += substr($0, i + 1, 1) == "\\" ? 3 : 2 }
            continue
        }
        if (c == "\\") { text = text substr($0, i + 1, 1); i++; continue }
        if (c != quote) { text = text c; continue }
        quote = ""
        if (judge(text)) { print FILENAME ":" FNR ": \"" text "\" is a robot'"'"'s signal: find it by its role"; bad = 1 }
    }
    if (quote != "`") quote = ""
}
END { exit bad }' "$names" "$@"
}

# The check itself: four names of five literals, none of the comments.
cat > "$sample" << 'END'
static const char *a = "battery.voltage", *b = "left.current"; // "pose.x"
static const char *c = "branch.*.closed", *d = "energy.", *e = "see pose.x"; /* "pose.y" */
END
found=$(scan "$sample" | wc -l)
[ "$found" -eq 4 ] || { echo "the check finds $found of the 4 names in its own sample"; exit 1; }

scan $(git ls-files --cached --others --exclude-standard 'src/*.[ch]' 'cli/*.[ch]' 'include/*.h' 'web/src/*.ts' |
    grep -v -e '^src/robot/' -e '^src/plant/')
