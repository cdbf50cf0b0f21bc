# Turns a list of data, as `ironbird list motors` prints it, into one Markdown table: columns two spaces apart, below each row
# its source and how sure it is.
function cell(text) { gsub(/\|/, "\\|", text); gsub(/\*/, "\\*", text); return text }
function flush() { if (line != "") print line " " cell(source) " | " cell(sure) " |"; line = source = sure = "" }
NR == 1 {
    n = split($0, column, /  +/)
    for (i = 1; i <= n; i++) printf "| %s ", column[i]
    print "| source | how sure |"
    for (i = 1; i <= n + 2; i++) printf "|---"
    print "|"
    next
}
/^    source: / { source = substr($0, 13); next }
/^    how sure: / { sure = substr($0, 15); next }
/^[^ ]/ {
    flush()
    n = split($0, column, /  +/)
    line = "| `" column[1] "` |"
    for (i = 2; i <= n; i++) line = line " " cell(column[i]) " |"
    next
}
/^    / { sub(/^ +/, ""); sure = sure (sure == "" ? "" : "; ") $0 }
END { flush() }
