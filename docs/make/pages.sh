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

for page; do
    here=$work/$(echo "${page%.md}" | tr / _)
    rm -rf "$here"
    mkdir -p "$here/parts" "$here/run/build" "$here/run/out"
    awk -v out="$here/parts" -f docs/make/page.awk "$page"
    [ -s "$here/parts/plan" ] || continue
    for folder in *; do [ -e "$here/run/$folder" ] || ln -s "$root/$folder" "$here/run/$folder"; done
    ln -s "$work/bin/ironbird" "$here/run/build/ironbird"
    cd "$here/run"
    while read -r kind first rest; do
        status=0
        case $kind in
            file) cp "../parts/$rest" "$first" ;;
            sh) runs "$first" "$rest" || status=1; said "$page: $rest" $status log ;;
            run)
                timeout 120 sh -c "$rest" 2>&1 < /dev/null | stable > "../parts/$first.now"
                $update || { diff "../parts/$first" "../parts/$first.now" > log || status=1; said "$page: $rest: its output" $status log; } ;;
            wrong) echo "not ok $page: $first $rest" ;;
        esac
    done < ../parts/plan
    cd "$root"
    if $update && grep -q '^run ' "$here/parts/plan"; then
        awk -v parts="$here/parts" '
            /^<!-- file: / { other = 1 }
            /^<!-- run: / { marked = 1 }
            /^```/ && !inside { inside = 1; print; if (marked || other) n++
                if (marked) while ((getline line < (parts "/" n ".now")) > 0) print line
                next }
            /^```/ { inside = marked_block = 0; marked = other = 0 }
            inside && marked { next }
            { print }' "$page" > "$here/page"
        cmp -s "$here/page" "$page" || cp "$here/page" "$page"
    fi
done
