# Two summaries as JSON, of the old program and the new one: awk -f compare_numbers.awk -v name=FILE -v bound=1e-9 OLD.json NEW.json
# Prints what differs: names or units at their places, or a final, least or greatest value by more than `bound` times its scale (the
# largest of the old values, at least 1 of its unit). What a book is off by has the largest entry of its book for a scale.
function size(text) { return text == "null" ? 0 : text < 0 ? -text : text + 0 }
# the book of an entry: its name up to the last dot
function book(signal) { return match(signal, /.*\./) ? substr(signal, 1, RLENGTH) : "" }
function differ(text) { print name ": " text; bad++ }
function compare(signal, what, old, new, scale,    off) {
    if (old == new) return
    if (old == "null" || new == "null") { differ(signal " " what ": " old " before, " new " now"); return }
    off = old - new
    if (off < 0) off = -off
    if (off > worst * scale) { worst = off / scale; whose = signal }
    if (!(off <= bound * scale)) differ(signal " " what ": " old " before, " new " now, " off / scale " of its scale " scale)
}
{
    side = FNR == NR ? 1 : 2
    text = $0
    while (match(text, /"[^"]*":\{"unit":"[^"]*","final":[^,]*,"min":[^,]*,"max":[^,}]*/)) {
        row = substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
        split(row, part, /"/)
        n = ++count[side]
        signal[side, n] = part[2]
        unit[side, n] = part[6]
        split(row, value, /:/)
        for (k = 4; k <= 6; k++) { sub(/,.*/, "", value[k]); at[side, n, k] = value[k] }
    }
}
END {
    if (!count[1]) differ("no signals before")
    if (count[1] != count[2]) differ(count[1] " signals before, " count[2] + 0 " now")
    for (n = 1; n <= count[1]; n++)
        for (k = 5; k <= 6; k++) {
            of = book(signal[1, n])
            if (size(at[1, n, k]) > largest[of]) largest[of] = size(at[1, n, k])
        }
    for (n = 1; n <= count[1] && bad < 20; n++) {
        who = signal[1, n]
        if (who != signal[2, n] || unit[1, n] != unit[2, n]) {
            differ("signal " n " was " who " [" unit[1, n] "], now " signal[2, n] " [" unit[2, n] "]")
            break
        }
        scale = size(at[1, n, 5])
        if (size(at[1, n, 6]) > scale) scale = size(at[1, n, 6])
        if (who ~ /(^|\.)error$/ && largest[book(who)] > scale) scale = largest[book(who)]
        if (scale < 1) scale = 1
        compare(who, "at the end", at[1, n, 4], at[2, n, 4], scale)
        compare(who, "at least", at[1, n, 5], at[2, n, 5], scale)
        compare(who, "at most", at[1, n, 6], at[2, n, 6], scale)
    }
    print "worst " worst + 0 " " name " " whose
    exit bad > 0
}
