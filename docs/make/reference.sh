#!/bin/sh
# Makes docs/reference/ anew from the program's own tables: sh docs/make/reference.sh [PROGRAM [FOLDER]]
# `make docs` calls it; test/run_docs.sh compares what it makes with what is there.
set -eu
cd "$(dirname "$0")/../.."
program=$(realpath "${1:-build/ironbird}")
out=${2:-docs/reference}
said=$(mktemp)
trap 'rm -f "$said"' EXIT
rm -rf "$out"
mkdir -p "$out/robots" "$out/plants" "$out/controllers" "$out/sensors" "$out/data" "$out/claims"

# page FILE TITLE UP TOPIC…: one page from `ironbird list TOPIC…`
page() {
    file=$1 title=$2 up=$3
    shift 3
    "$program" list "$@" > "$said"
    awk -v title="$title" -v up="$up" -f docs/make/reference.awk "$said" > "$out/$file.md"
}
# kinds TOPIC: the names of `ironbird list TOPIC`, one a line
kinds() { "$program" list "$1" | awk '/^$/ { exit } { print $1 }'; }
# entries FOLDER TOPIC WORD MORE: a page for each kind, and for MORE, which the topic does not name, and their rows of the index
entries() {
    for kind in $(kinds "$2") $4; do page "$1/$kind" "$3: $kind" ../.. "${2%s}" "$kind"; done
    { "$program" list "$2" | awk '/^$/ { exit } { print }'; [ -z "$4" ] || "$program" list "${2%s}" "$4" | sed -n '1s/: / /; 1s/ Derivation: / (/p'; } | awk -v folder="$1" '
        { name = $1; sub(/^[^ ]+ +/, ""); sub(/ \(docs.*/, ""); printf "| [`%s`](%s/%s.md) | %s |\n", name, folder, name, $0 }'
}
table() { printf '\n## %s\n\n%s\n\n| name | is |\n|---|---|\n' "$1" "$2"; }

{
    echo '# Reference'
    echo
    echo "Made by \`make docs\` from the tables of the program, $("$program" --version | awk "{ print \$1, \$2 }"): what \`ironbird list\`, \`--help\` and \`ironbird verify\` print."
    echo
    echo '| page | holds |'
    echo '|---|---|'
    echo '| [scenario](scenario.md) | keys of a scenario outside of the robot |'
    echo '| [routine](routine.md) | steps of an autonomous |'
    echo '| [signals](signals.md) | signals of every robot, mechanism, sensor and loop |'
    echo '| [units](units.md) | units, prefixes and factors |'
    echo '| [commands](commands.md) | every command with its options |'
    echo '| [errata](errata.md) | what the source documents got wrong |'
    echo '| [gallery](gallery.md) | scenarios with pictures |'
    table Robots 'Under `robot: {kind: …}`.'
    entries robots robots Robot ''
    table Mechanisms 'Under `robot: {mechanisms: {NAME: {kind: …}}}`, and as `plant:` of a design.'
    entries plants plants Mechanism cylinder
    table Controllers 'Under `control: {NAME: {kind: …}}`.'
    entries controllers controllers Controller ''
    table Sensors 'Under `robot: {sensors: {NAME: {kind: …}}}`.'
    entries sensors sensors Sensor ''
    table Data 'Names for the values of a data sheet, each with its source.'
    for name in $("$program" list | tail -n 1); do
        {
            printf '# Data: %s\n\nFrom `data/%s.yaml`. A name stands wherever a scenario takes one of these; any value can be replaced beside it.\n\n' "$name" "$name"
            "$program" list "$name" > "$said"
            awk -f docs/make/data.awk "$said"
        } > "$out/data/$name.md"
        printf '| [`%s`](data/%s.md) | %s |\n' "$name" "$name" "$("$program" list "$name" | grep -c '^    source:' || true) entries of \`data/$name.yaml\`"
    done
    table Claims 'Statements of the source documents beside computed values: `ironbird verify NAME`.'
    "$program" verify | awk '/^$/ { exit } { name = $1; sub(/^[^ ]+ +/, ""); printf "| [`%s`](claims/%s.md) | %s |\n", name, name, $0 }'
} > "$out/README.md"

page scenario 'Keys of a scenario' .. scenario
page routine 'Steps of a routine' .. routine
{
    printf '# Units\n\nHow a value and its unit are written: [units](../scenario/units.md).\n\n| unit | of | factor | prefixes | name |\n|---|---|---|---|---|\n'
    "$program" list units | awk '
        NR == 1 { prefixes = index($0, "prefixes"); next }
        /^$/ { footer = 1 }
        footer { gsub(/\*/, "\\*"); print; next }
        { name = $0; sub(/ *$/, "", name); letters = substr($0, prefixes, 18); said = substr($0, prefixes + 18); sub(/^ +/, "", said); gsub(/ +$/, "", letters)
          gsub(/\*/, "\\*", said); of = $2; gsub(/\*/, "\\*", of); printf "| `%s` | %s | %s | %s | %s |\n", $1, of, $3, letters, said }'
} > "$out/units.md"

commands=$("$program" help | awk '/^commands:/ { on = 1; next } /^$/ { on = 0 } on { print $1 }')
{
    printf '# Commands\n\nExit codes and JSON are the same everywhere: [commands](../commands.md).\n'
    for command in $commands; do printf '\n## %s\n\n```text\n%s\n```\n' "$command" "$("$program" "$command" --help)"; done
} > "$out/commands.md"

# Times measured while it runs differ by run: such a table is left out.
for name in $("$program" verify | awk '/^$/ { exit } { print $1 }'); do
    { printf '# Claims: %s\n\n`ironbird verify %s` prints:\n\n```text\n' "$name" "$name"; "$program" verify "$name" | awk -v RS= '{ gap = NR > 1 ? "\n" : "" } !/measured just now/ { print gap $0 }'; printf '```\n'; } > "$out/claims/$name.md"
done

# A signal is shown where it is first met, so that each stands there once.
{
    printf '# Signals\n\n`ironbird list signals SCENARIO` prints those of a scenario. Each stands here under the first scenario that has one of its unit and meaning.\n'
    while read -r scenario what; do
        "$program" list signals "scenarios/$scenario.yaml" | awk -v what="$what" -v scenario="$scenario" '{ print scenario "\t" what "\t" $0 }'
    done < docs/make/signals.txt | awk -F '\t' '
        { name = unit = text = $3; sub(/ .*/, "", name); sub(/^[^ ]+ +/, "", unit); text = unit; sub(/ .*/, "", unit); sub(/^[^ ]+ */, "", text) }
        text == "" || seen[unit, text]++ { next }
        $1 != last { printf "\n## %s\n\n[scenarios/%s.yaml](../../scenarios/%s.yaml)\n\n| name | unit | means |\n|---|---|---|\n", $2, $1, $1; last = $1 }
        { gsub(/\|/, "\\|", text); gsub(/\*/, "\\*", text); gsub(/\*/, "\\*", unit); printf "| `%s` | %s | %s |\n", name, unit, text }'
} > "$out/signals.md"

# Three pictures a row, each with the scenario's title.
{
    printf '# Gallery\n\nEach is a file in `scenarios/`: `ironbird report scenarios/NAME.yaml -o page.html` runs it and shows all of it.\n'
    grep -v '^#' docs/make/gallery.txt | while read -r name picture; do
        case $picture in
            *.svg | *.png) printf '%s\t%s\t%s\n' "$name" "$picture" "$(sed -n 's/^title: *//p' "scenarios/$name.yaml" | head -n 1)" ;;
            '') echo "$name" ;;
            *) echo "$name $picture" ;;
        esac
    done | awk -F '\t' '
        function end() { if (n % 3) print "</tr>"; if (n) print "</table>"; n = 0 }
        NF == 1 { end(); printf "\n## %s\n\n<table>\n", $1; next }
        { gsub(/^"|"$/, "", $3); if (n % 3 == 0) print "<tr>"
          printf "<td width=\"33%%\"><a href=\"../../scenarios/%s.yaml\"><img width=\"280\" src=\"../img/%s\" alt=\"%s\"></a><br>%s<br><code>%s</code></td>\n", $1, $2, $1, $3, $1
          if (++n % 3 == 0) print "</tr>" }
        END { end() }'
} > "$out/gallery.md"

# What each document got wrong, as `ironbird verify NAME --errata` prints it.
{
    printf '# Errata\n\nWhat the source documents got wrong, and how it shows. `ironbird verify NAME --errata` prints it, a report (`ironbird report`) ends with that of its robot.\n'
    for name in $("$program" verify | awk '/^$/ { exit } { print $1 }'); do
        "$program" verify "$name" --errata | awk -v name="$name" '
            function cell(text) { gsub(/\|/, "\\|", text); gsub(/\*/, "\\*", text); return text }
            function flush() { if (where != "") printf "| %s | %s | %s | %s%s |\n", where, printed, right, costs, see; where = printed = right = costs = see = "" }
            { value = $0; sub(/^[a-z]+: */, "", value) }
            NR == 1 { sub(/^[^:]*: /, ""); printf "\n## %s\n\n%s.\n\n| where | as printed | right | what it costs |\n|---|---|---|---|\n", name, $0; next }
            /^where:/ { flush(); where = cell(value) }
            /^printed:/ { printed = cell(value) }
            /^right:/ { right = cell(value) }
            /^costs:/ { costs = cell(value) }
            /^see:/ { see = "<br>`" value "`" }
            END { flush() }'
    done
} > "$out/errata.md"
