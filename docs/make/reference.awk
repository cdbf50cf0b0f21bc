# Turns what `ironbird list` prints into Markdown: awk -v title=… -v up=../.. -f docs/make/reference.awk
# `up` leads from the page to docs/. A heading begins a line, a row is indented by two; the line below a key,
# indented further, is what it takes. Rows of signals, states and outputs have a unit between name and meaning.

function cell(text) {
    gsub(/\|/, "\\|", text)
    gsub(/\*/, "\\*", text)
    gsub(/</, "\\&lt;", text)
    return text
}
# Names of pages as links, and commands as code.
function linked(text,   name) {
    if (match(text, /docs\/[a-z_\/0-9]+\.md/)) {
        name = substr(text, RSTART, RLENGTH)
        return substr(text, 1, RSTART - 1) "[" name "](" up substr(name, 5) ")" linked(substr(text, RSTART + RLENGTH))
    }
    return text
}
function code(text) {
    while (match(text, /'ironbird [^']*'/))
        text = substr(text, 1, RSTART - 1) "`" substr(text, RSTART + 1, RLENGTH - 2) "`" substr(text, RSTART + RLENGTH)
    return text
}
function end_table() { if (rows) print ""; rows = 0 }
function row(a, b, c) {
    if (!rows++) {
        if (kind == "key") print "| key | means | takes |\n|---|---|---|"
        if (kind == "unit") print "| name | unit | means |\n|---|---|---|"
        if (kind == "value") print "| name | value and meaning |\n|---|---|"
        if (kind == "pair") print "| name | means |\n|---|---|"
    }
    if (kind == "key") print "| " (a == "" ? "" : "`" a "`") " | " linked(cell(b)) " | " cell(c) " |"
    if (kind == "unit") print "| `" a "` | " cell(b) " | " cell(c) " |"
    if (kind == "value" || kind == "pair") print "| `" a "` | " linked(cell(b)) " |"
}
function flush() { if (key != "") row(key, means, takes); key = means = takes = "" }
# One line of a table; of a key the next line says what it takes.
function one_row(rest,   unit) {
    flush()
    if (rest ~ /^(takes|instead of a map)  /) { sub(/^(takes|instead of a map) +/, "", rest); row("", "without a map", rest); return }
    key = rest
    sub(/ .*/, "", key)
    sub(/^[^ ]+ */, "", rest)
    if (kind == "unit") { unit = rest; sub(/ .*/, "", unit); sub(/^[^ ]+ */, "", rest); if (!seen[unit, rest]++) row(key, unit, rest); key = "" }
    else if (kind != "key") { row(key, rest); key = "" }
    else means = rest
}
# True for a line over rows, or over a list of kinds.
function is_heading(n) { return (n == 1 || line[n - 1] == "") && (line[n + 1] ~ /^  / || line[n] ~ /kinds \(/) && line[n] !~ /^'/ }
function heading(text) {
    flush(); end_table()
    kind = "key"
    if (text ~ /^(signals|states|outputs)/ || (text ~ /^inputs$/ && plant)) kind = "unit"
    if (text ~ /^what it comes to/) kind = "value"
    if (text ~ /kinds \(/) kind = "pair"
    sub(/:$/, "", text)
    if (text ~ /^(parameters|states)/) plant = text ~ /^states|plant:/
    split("", seen)
    print "## " text "\n"
    if (kind == "unit" && text ~ /^signals/) print "Each meaning stands here once, under the first name that has it.\n"
}
{ line[NR] = $0 }
END {
    print "# " title "\n"
    for (n = 1; n <= NR; n++) {
        $0 = line[n]
        if (/^$/) { flush(); end_table() }
        else if (n == 1 && /Derivation: /) { sub(/^[^:]*: /, ""); print toupper(substr($0, 1, 1)) linked(substr($0, 2)) ".\n" }
        else if (/^  +- /) { flush(); end_table(); print "    " substr($0, 3); if (line[n + 1] !~ /^  +- /) print "" }
        else if (/^            / && key != "") { sub(/^ +/, ""); takes = takes (takes == "" ? "" : "; ") $0 }
        else if (/^  /) one_row(substr($0, 3))
        else if (kind == "pair" && /\.md\)$/) { name = $1; sub(/^[^ ]+ +/, ""); row(name, $0) }
        else if (/^with the default parameters/) { flush(); end_table(); print "The following is of the default parameters.\n" }
        else if (is_heading(n)) heading($0)
        else if (/^(parameters|start|inputs|keys|signals) \(/) { heading($0); print "None.\n" }
        else { flush(); end_table(); print linked(code($0)) (line[n + 1] == "" ? "\n" : "") }
    }
    flush()
    end_table()
}
