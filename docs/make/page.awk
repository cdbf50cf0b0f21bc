# Takes a page of Markdown apart into what it has to run: awk -v out=FOLDER -f docs/make/page.awk PAGE
# FOLDER/plan gets a line for each, in order:
#   file NAME N      the block behind `<!-- file: NAME -->` is FOLDER/N
#   sh CODE COMMAND  a line of a ```sh block, which must exit with CODE ("# exit code 2" behind it; 0 without)
#   run N COMMAND    the block behind `<!-- run: COMMAND -->` is FOLDER/N, what the command prints
# A ```sh block behind `<!-- not run: WHY -->` is left out.
function save() { printf "%s", text > (out "/" n); close(out "/" n) }
function command(line,   code) {
    code = 0
    if (match(line, /# exit code [0-9]+/)) code = substr(line, RSTART + 12, RLENGTH - 12)
    print "sh", code, line > (out "/plan")
}
BEGIN { printf "" > (out "/plan") }
/^<!-- file: .* -->$/ { kind = "file"; what = substr($0, 12); sub(/ -->$/, "", what); next }
/^<!-- run: .* -->$/ { kind = "run"; what = substr($0, 11); sub(/ -->$/, "", what); next }
/^<!-- not run: .* -->$/ { kind = "skip"; next }
/^ *```/ && !inside { inside = 1; block = $0; sub(/^ *```/, "", block); text = joined = ""; if (kind == "" && block == "sh") kind = "sh"; next }
/^ *```/ && inside {
    inside = 0
    if (kind == "file") { n++; save(); print "file", what, n > (out "/plan") }
    if (kind == "run") { n++; save(); print "run", n, what > (out "/plan") }
    kind = ""
    next
}
!inside && NF { if (kind != "") { print "wrong", "line " FNR ": a block is expected behind the marker" > (out "/plan"); kind = "" } next }
inside && kind == "sh" {
    if (sub(/\\$/, "")) { joined = joined $0; next }
    $0 = joined $0
    joined = ""
    sub(/^ +/, "")
    if ($0 != "" && $0 !~ /^#/) command($0)
    next
}
inside { text = text $0 "\n" }
END { if (inside) print "wrong", "a block does not end" > (out "/plan") }
