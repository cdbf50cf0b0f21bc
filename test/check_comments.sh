#!/bin/sh
# Comments that moving and renaming leave behind broken, which no compiler and no formatter sees: sh test/check_comments.sh
#   head   a path in the first line is the file's own, as an include would write it; every header has one and says what it is for
#   guard  IB_<FOLDER>_<FILE>_H, with subfolders or without them; IRONBIRD_<FILE>_H of a public header; each once
#   bar    "// ---- words" is 100 columns wide, and its words are not continued on the next line
#   word   no line of a paragraph behind its first is a single word
#   width  no comment goes beyond column 100: the formatter leaves comments alone
cd "$(dirname "$0")/.." || exit 1
git ls-files --cached --others --exclude-standard 'src/*.[ch]' 'cli/*.[ch]' 'include/*.[ch]' 'test/*.[ch]' 'bench/*.[ch]' 'examples/*.[ch]' |
    LC_ALL=C xargs awk '
# Characters, not bytes: the first byte of each is no continuation.
function width(text) { gsub(/[\200-\277]/, "", text); return length(text) }
function wrong(text) { print FILENAME ":" FNR ": " text; bad = 1 }

function head(   said) {
    own = FILENAME
    sub(/^(src|include)\//, "", own)
    header = own ~ /\.h$/
    said = $0 ~ /^\/\/ [^ ]+\.[ch]: / ? substr($2, 1, length($2) - 1) : ""
    if (said != "" && said != own) wrong("the head says " said ", the file is " own)
    if (header && (said == "" || NF < 4)) wrong("a header begins with \"// " own ": what it is for\"")
}

function guard(   name, path, parts, n, i, whole, short) {
    name = $2
    path = toupper(own)
    gsub(/[^A-Z0-9\/]/, "_", path)
    n = split(path, parts, "/")
    whole = "IB"
    for (i = 1; i <= n; i++) whole = whole "_" parts[i]
    short = "IB_" parts[1] "_" parts[n]
    if (FILENAME ~ /^include\//) whole = short = substr(short, 4)
    if (name != whole && name != short) wrong("the guard " name " should be " short)
    if (name in guards) wrong("the guard " name " is that of " guards[name] " too")
    guards[name] = FILENAME
}

FNR == 1 { head(); guarded = bar = paragraph = 0 }
header && !guarded && /^#ifndef / { guarded = 1; guard() }

/\/\// && width($0) > 100 { wrong("a comment beyond column 100") }

bar && !/^$/ && !/^\/\/$/ { wrong("the words of a section bar go on here, or an empty line is missing") }
{ bar = 0 }
/^\/\/ -----/ {
    bar = 1
    if (length($0) != 100 || $0 !~ /^\/\/ -+ [^ -].*[^-]$/) wrong("a section bar is dashes, then words, to column 100")
}

{
    # A line of prose has one space behind its slashes; more is a formula or a table, a dash is a list.
    column = match($0, /\/\/\/?<? [^ -]/)
    before = substr($0, 1, column - 1)
    if (!column || bar) paragraph = 0
    else if (before ~ /^ *$/ && paragraph == column) {
        if (NF == 2) wrong("a single word in a line of its own: " $2)
    } else paragraph = before ~ /"/ ? 0 : column
}
END { exit bad }'
