# Takes a page of Markdown apart into what it has to run: awk -v out=FOLDER -f docs/make/page.awk PAGE
# FOLDER/plan gets a line for each, in order:
#   file NAME N      the block behind `<!-- file: NAME -->` is FOLDER/N
#   sh CODE COMMAND  a line of a ```sh block, which must exit with CODE ("# exit code 2" behind it; 0 without)
#   run CODE N COMMAND   the block behind `<!-- run: COMMAND -->` is FOLDER/N, what the command prints; CODE as above
# A ```sh block behind `<!-- not run: WHY -->` is left out.
function save() { printf "%s", text > (out "/" n); close(out "/" n) }
function command(line,   code) {
    code = 0
    if (match(line, /# exit code [0-9]+/)) code = substr(line, RSTART + 12, RLENGTH - 12)
    print "sh", code, line > (out "/plan")
}
function wrong(text) { print "wrong", "line " FNR ": " text > (out "/plan") }
function marker(name) { if (kind != "") wrong("a block is expected behind the marker before"); kind = name; what = substr($0, index($0, ": ") + 2); sub(/ -->$/, "", what) }
BEGIN { printf "" > (out "/plan") }
!inside && /^<!-- file: [^ ]+ -->$/ { marker("file"); next }
!inside && /^<!-- run: .* -->$/ { marker("run"); next }
!inside && /^<!-- not run: .* -->$/ { marker("skip"); next }
!inside && /^ *<!--/ { wrong("a marker is a line of its own: <!-- file: NAME -->, <!-- run: COMMAND --> or <!-- not run: WHY -->"); next }
/^ *```/ && !inside {
    inside = 1
    block = $0
    sub(/^ *```/, "", block)
    text = joined = ""
    if (block ~ /^(bash|console|shell)/) wrong("a block of commands is ```sh")
    if (block == "text" && kind != "run") wrong("output in ```text has its command before it, <!-- run: COMMAND -->; other text is in ```")
    if (block != "text" && kind == "run") wrong("output is in ```text")
    if (kind == "" && block == "sh") kind = "sh"
    next
}
/^ *```/ {
    inside = 0
    if (kind == "file") { n++; save(); print "file", what, n > (out "/plan") }
    if (kind == "run") {
        code = 0
        if (match(what, / +# exit code [0-9]+$/)) { code = what; sub(/.*# exit code /, "", code); what = substr(what, 1, RSTART - 1) }
        n++
        save()
        print "run", code, n, what > (out "/plan")
    }
    kind = ""
    next
}
!inside && NF { if (kind != "") wrong("a block is expected behind the marker before"); kind = ""; next }
inside && kind == "sh" {
    if (sub(/\\$/, "")) { joined = joined $0; next }
    $0 = joined $0
    joined = ""
    sub(/^ +/, "")
    if ($0 != "" && $0 !~ /^#/) command($0)
    next
}
inside { text = text $0 "\n" }
END { if (inside) wrong("a block does not end"); if (kind != "" && !inside) wrong("a block is expected behind the last marker") }
