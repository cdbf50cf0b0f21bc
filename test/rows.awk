# A table of checks (test/commands.txt says how one is written) as one thing to do a line, its parts apart by tabs:
# "do CODE", "run EXIT COMMAND", "is NAME OPERATOR WORDS", "bad PLACE"; test/expect.sh does them.
function put(text, word,    done, at) { # the text with word for every @
    while ((at = index(text, "@")) > 0) { done = done substr(text, 1, at - 1) word; text = substr(text, at + 1) }
    return done text
}
function say(row,    part, n, i) {
    n = split(row, part, / ;; +/)
    if (n < 2 || part[1] !~ /^[0-9]+ [^ ]/ || row ~ / (=>|2>|::) *(;;|$)/) { print "bad\t" place; return }
    match(part[1], / /)
    print "run\t" substr(part[1], 1, RSTART - 1) "\t" substr(part[1], RSTART + 1)
    for (i = 2; i <= n; i++) {
        if (match(part[i], / (=>|2>|::) /)) print "is\t" substr(part[i], 1, RSTART - 1) "\t" substr(part[i], RSTART + 1, 2) "\t" substr(part[i], RSTART + 4)
        else if (part[i] ~ /^ *$|=>|->|[12]>|::/) print "bad\t" place # an operator that is none
        else print "is\t" part[i] "\t-\t-"
    }
}
function finish(    word, n, i) { # the row that has come to its end, once or for each
    if (row == "") return
    n = split(each, word, / ;; /)
    if (n > 0 && !index(row, "@")) print "bad\t" place
    for (i = 1; i <= n; i++) say(put(row, word[i]))
    if (n == 0) say(row)
    row = each = ""
}
/^ *#/ { next }
/^ / { sub(/^ +/, ""); if (row == "") each = each " ;; " $0; else row = row " ;; " $0; next }
{ finish(); place = FILENAME ":" FNR }
/^each / { each = substr($0, 6); next }
/^\$ / { print "do\t" substr($0, 3); next }
NF > 0 { row = $0 }
END { finish() }
