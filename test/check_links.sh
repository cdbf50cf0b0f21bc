#!/bin/sh
# Links of all pages lead somewhere: files exist, and anchors are headings. sh test/check_links.sh
# Prints a line for each that does not.
cd "$(dirname "$0")/.." || exit 1
# Pages that sources and files name.
git grep -nohE 'docs/[A-Za-z0-9_/]+\.md' -- ':!docs/reference' ':!*.md' | sed 's/^[0-9]*://' | sort -u | while read -r page; do
    [ -e "$page" ] || git grep -nF "$page" -- ':!*.md' | sed "s|^\([^:]*:[0-9]*\):.*|\1: there is no $page|"
done
pages=$(git ls-files --cached --others --exclude-standard '*.md')
# Every file and folder of the project, and of each page its headings as anchors.
{ git ls-files --cached --others --exclude-standard | awk '{ print "file " $0; while (sub(/\/[^\/]*$/, "")) print "file " $0 }' | sort -u
  echo "file ."
  echo pages; } | LC_ALL=C awk '
function slug(text) {
    gsub(/\]\([^)]*\)/, "", text)
    text = tolower(text)
    gsub(/[]!-,.\/:-@\[\\^`{-~]/, "", text) # ASCII punctuation but - and _
    gsub(/ /, "-", text)
    return text
}
# The way from the folder of a page, without "." and ".."
function resolve(page, link,   parts, n, i, kept, m) {
    if (!sub(/\/[^\/]*$/, "", page)) page = ""
    n = split((page == "" ? "" : page "/") link, parts, "/")
    m = 0
    for (i = 1; i <= n; i++) {
        if (parts[i] == "" || parts[i] == ".") continue
        if (parts[i] == "..") { m--; continue }
        kept[++m] = parts[i]
    }
    page = ""
    for (i = 1; i <= m; i++) page = page (i > 1 ? "/" : "") kept[i]
    return page == "" ? "." : page
}
FILENAME == "-" { if ($1 == "file") file[substr($0, 6)] = 1; next }
FNR == 1 { code = 0 }
/^ *```/ { code = !code }
code { next }
/^#+ / { anchor[FILENAME, slug(substr($0, index($0, " ") + 1))] = 1 }
{
    text = $0
    gsub(/`[^`]*`/, "", text)
    while (match(text, /(\]\(|(src|href)=")[^)" ]+/)) {
        link = substr(text, RSTART, RLENGTH)
        sub(/^(\]\(|src="|href=")/, "", link)
        text = substr(text, RSTART + RLENGTH)
        if (link !~ /^(https?|mailto):/) { links++; from[links] = FILENAME; line[links] = FNR; to[links] = link }
    }
}
END {
    for (i = 1; i <= links; i++) {
        split(to[i], part, "#")
        target = part[1] == "" ? from[i] : resolve(from[i], part[1])
        if (!(target in file)) print from[i] ":" line[i] ": there is no " to[i]
        else if (part[2] != "" && !((target, part[2]) in anchor)) print from[i] ":" line[i] ": no heading for " to[i]
    }
    if (links < 100) print "only " links " links found"
}' - $pages
