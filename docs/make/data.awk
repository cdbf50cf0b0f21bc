# Turns a list of data, as `ironbird list motors` prints it, into one Markdown table: columns two spaces apart, below each row
# its source and how sure it is. What follows behind an empty line is printed as it is.
function cell(text) { gsub(/\|/, "\\|", text); gsub(/\*/, "\\*", text); return text }
function flush() { if (row != "") print row " " cell(source) " | " cell(sure) " |"; row = source = sure = "" }
{ line[NR] = $0 }
END {
    # Names alone have no line of headings.
    first = line[2] ~ /^    source: / ? 1 : 2
    n = first == 1 ? 1 : split(line[1], column, /  +/)
    if (first == 1 || column[n] == "") column[1] = "name"
    if (column[n] == "" && n > 1) n--
    for (i = 1; i <= n; i++) printf "| %s ", column[i]
    print "| source | how sure |"
    for (i = 1; i <= n + 2; i++) printf "|---"
    print "|"
    columns = n
    for (k = first; k <= NR && line[k] != ""; k++) {
        if (line[k] ~ /^    source: /) source = substr(line[k], 13)
        else if (line[k] ~ /^    how sure: /) sure = substr(line[k], 15)
        else if (line[k] ~ /^    /) { sub(/^ +/, "", line[k]); sure = sure (sure == "" ? "" : "; ") line[k] }
        else {
            flush()
            n = split(line[k], column, /  +/)
            row = "| `" column[1] "` |"
            for (i = 2; i <= columns; i++) row = row " " cell(column[i]) " |"
        }
    }
    flush()
    if (k < NR) { print "\n```text"; while (++k <= NR) print line[k]; print "```" }
}
