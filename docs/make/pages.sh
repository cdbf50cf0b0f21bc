#!/bin/sh
# Runs what the pages say: commands, and files that commands read. sh docs/make/pages.sh PROGRAM WORK [--update] [PAGE…]
# Prints "ok" or "not ok" a command. Outputs in a page (`<!-- run: COMMAND -->`) are compared, or with --update made anew.
# Each page runs in a folder of its own, in which the project's folders are links. How a page says it: docs/make/page.awk
set -eu
program=$(realpath "$1") work=$2
shift 2
update=false
[ "${1:-}" = --update ] && { update=true; shift; }
cd "$(dirname "$0")/../.."
root=$PWD
mkdir -p "$work/bin"
work=$(realpath "$work")
ln -sf "$program" "$work/bin/ironbird"
PATH=$work/bin:$PATH
[ $# -gt 0 ] || set -- $(git ls-files --cached --others --exclude-standard '*.md' | grep -v '^docs/reference/')

# said LABEL STATUS LOG: one line; a failure with its log
said() {
    if [ "$2" = 0 ]; then echo "ok $1"; else echo "not ok $1"; sed 's/^/    /' "$3" | tail -n 12; fi
}
# stable: an output without the line that says how long a run took, and without blank lines at its end
stable() { awk '/ simulated in .* times real time/ { next } /^$/ { blank++; next } { while (blank > 0) { print ""; blank-- } print }'; }
# served COMMAND: a server starts, says its address, and ends by Ctrl-C with exit code 130
served() {
    : > log
    sh -c "exec env $1 --port 0" > log 2>&1 &
    server=$!
    tries=0
    until grep -q 'http://' log || ! kill -0 $server 2> /dev/null || [ $((tries += 1)) -gt 600 ]; do sleep 0.05; done
    kill -INT $server 2> /dev/null || true
    code=0
    wait $server || code=$?
    server=
    [ $code = 130 ]
}
# runs CODE COMMAND: true if it exits with CODE
runs() {
    case $2 in
        *'ironbird serve '*) served "${2%%#*}"; return ;;
        make | make\ *) (cd "$root" && eval "make -n ${2#make} > /dev/null") > log 2>&1; return ;;
    esac
    code=0
    timeout 120 sh -c "$2" > log 2>&1 < /dev/null || code=$?
    [ $code = "$1" ] || { echo "exit code $code"; return 1; }
}

server=
trap '[ -z "$server" ] || kill "$server" 2> /dev/null' EXIT
pages=0
for page; do
    pages=$((pages + 1))
    here=$work/$(echo "${page%.md}" | tr / _)
    rm -rf "$here"
    mkdir -p "$here/parts" "$here/run/build" "$here/run/out"
    awk -v out="$here/parts" -f docs/make/page.awk "$page"
    [ -s "$here/parts/plan" ] || continue
    # Copies of what pages work with, links to the rest.
    cp -r scenarios designs robots routines plans data "$here/run"
    for folder in *; do [ -e "$here/run/$folder" ] || ln -s "$root/$folder" "$here/run/$folder"; done
    ln -s "$work/bin/ironbird" "$here/run/build/ironbird"
    cd "$here/run"
    while read -r kind first rest; do
        status=0
        case $kind in
            file) mkdir -p "$(dirname "$first")" && cp "../parts/$rest" "$first" ;;
            sh) runs "$first" "$rest" || status=1; said "$page: $rest" $status log ;;
            run)
                number=${rest%% *} rest=${rest#* }
                code=0
                timeout 120 sh -c "$rest" > log 2>&1 < /dev/null || code=$?
                stable < log > "../parts/$number.now"
                if [ $code != "$first" ]; then
                    echo "exit code $code" >> log
                    cp "../parts/$number" "../parts/$number.now" # what failed is no output
                    status=1
                elif ! $update; then
                    diff "../parts/$number" "../parts/$number.now" > log || status=1
                fi
                said "$page: $rest: its output" $status log ;;
            wrong) echo "not ok $page: $first $rest" ;;
        esac
    done < ../parts/plan
    cd "$root"
    if $update && grep -q '^run ' "$here/parts/plan"; then
        awk -v parts="$here/parts" '
            !inside && /^<!-- (file|run): / { kind = /^<!-- run/ ? "run" : "file" }
            !inside && /^[^`<]/ && NF { kind = "" }
            /^ *```/ && !inside {
                inside = 1
                print
                if (kind != "") n++
                if (kind == "run") while ((getline line < (parts "/" n ".now")) > 0) print line
                next
            }
            /^ *```/ { inside = 0; if (kind != "") ended = 1 }
            inside && kind == "run" { next }
            { print; if (ended) kind = ended = "" }' "$page" > "$here/page"
        cmp -s "$here/page" "$page" || cp "$here/page" "$page"
    fi
done
echo "ok $pages pages"
