#!/bin/sh
# The pages say what is: links lead somewhere, the reference and the outputs in pages are those of this program, and every command
# of a page runs: sh test/run_docs.sh PROGRAM. `make docs` makes anew what is stale.
cd "$(dirname "$0")/.." || exit 1
program=$(realpath "$1")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

sh test/check_links.sh > "$work/links" 2>&1 || echo "test/check_links.sh fails" >> "$work/links"
sed 's/^/not ok /' "$work/links"
[ -s "$work/links" ] || echo "ok every link leads to a file and a heading"

sh docs/make/reference.sh "$program" "$work/reference" || echo "not ok docs/make/reference.sh"
if diff -r docs/reference "$work/reference" > "$work/diff"; then
    echo "ok docs/reference is what the program's tables say"
else
    echo "not ok docs/reference is stale: make docs, or sh docs/make/reference.sh $1"
    sed 's/^/    /' "$work/diff" | head -n 20
fi

# The erratum of a document names a command that shows it.
for name in $("$program" verify | awk '/^$/ { exit } { print $1 }'); do
    "$program" verify "$name" --errata | sed -n 's/^see: *//p'
done | sort -u > "$work/see"
[ -s "$work/see" ] || echo "not ok errata name commands"
{ echo '```sh'; cat "$work/see"; echo '```'; } > "$work/errata.md"

sh docs/make/pages.sh "$program" "$work/pages" || echo "not ok docs/make/pages.sh went through all pages"
sh docs/make/pages.sh "$program" "$work/pages" "$work/errata.md" | sed "s|$work/errata.md|errata|"
