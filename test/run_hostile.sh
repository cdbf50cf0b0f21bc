#!/bin/sh
# What nobody means well: numbers, texts, names and places to write to that would hurt a program that trusts them.
# sh test/run_hostile.sh build/release/ironbird. Prints "ok" and "not ok" lines. The checks are the rows of test/hostile.txt.
program=$1
cd "$(dirname "$0")/.." || exit 1
case $program in /*) ;; *) program=$(pwd)/$program ;; esac
out=${IB_SCRATCH:-build/test-output/hostile}
rm -rf "$out" && mkdir -p "$out"
s=scenarios

. test/expect.sh
# bounded COMMAND...: within ten seconds of a core's time; what hangs is ended
bounded() { (ulimit -t 10 && "$@"); }
# small COMMAND...: a disk that is full, here by files of so many blocks of 512 or 1024 bytes
# shellcheck disable=SC2039,SC3045 # every shell here has ulimit -f
small() { (ulimit -f "${blocks:-64}" || exit 9; "$@"); }
blanks() { head -c 60000 /dev/zero | tr '\0' "$1"; }
# tame: what was printed commands no terminal
tame() { ! LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177]\\|\302[\200-\237]\\|\342\200[\250-\256]')" "$log" "$err"; }
# says_its_rows CSV: the last line of a CSV may be cut off, the one before is whole, and its time was told
says_its_rows() { test "$(sed -n 's/.*rows are whole up to \([^ ]*\) s.*/\1/p' "$err")" = "$(sed '$d' "$1" | tail -n 1 | cut -d, -f1)"; }

# through PIPE COMMAND...: runs the command, whose output goes into the pipe, and leaves what came out in $out/through
through() {
    rm -f "$1" && mkfifo "$1"
    timeout 60 cat "$1" > "$out/through" &
    reader=$!
    shift
    timeout 60 "$@" < /dev/null
    through_status=$?
    wait $reader
    return $through_status
}
# early PIPE: a run into a pipe whose reader leaves
early() {
    rm -f "$1" && mkfifo "$1"
    timeout 60 head -c 100 "$1" > "$out/through" &
    timeout 60 "$program" run $s/roomba_schedule.yaml --quiet --csv "$1"
}
# stopped PIPE COMMAND...: Ctrl-C while a pipe waits for its reader, who never comes. The kernel says when the program waits (where it
# does not, some tries later it will); one that was busy when the first came ends with the second, by the same code.
stopped() {
    rm -f "$1" && mkfifo "$1"
    shift
    "$@" < /dev/null &
    waiting=$!
    tries=0
    until grep -qs wait_for_partner /proc/$waiting/wchan || [ $tries -eq 30 ]; do tries=$((tries + 1)); sleep 0.1; done
    while kill -INT $waiting 2> /dev/null; do sleep 0.2; done
    wait $waiting
}
# csv_to_stdout WANTED WORDS: the standard output as a file: the table makes way
csv_to_stdout() {
    # shellcheck disable=SC2086 # a command and its words
    {
        "$program" $2 --csv /dev/stdout > "$out/stdout" 2> "$out/stderr"
        holds "$2 --csv /dev/stdout > FILE is the CSV alone" cmp "$1" "$out/stdout"
        holds "$2: its table is on stderr" test -s "$out/stderr"
        "$program" $2 --csv /dev/stdout 2> "$out/stderr" | cat > "$out/stdout"
        holds "$2 --csv /dev/stdout | … is the CSV alone" cmp "$1" "$out/stdout"
        { echo first; "$program" $2 --csv /dev/stdout; echo last; } > "$out/stdout" 2> "$out/stderr"
    }
    { echo first; cat "$1"; echo last; } > "$out/wanted"
    holds "$2 --csv /dev/stdout has its place among others" cmp "$out/wanted" "$out/stdout"
}
# served: what `serve --json` prints, from its address to the summary
served() {
    "$program" serve $s/drive.yaml --port 0 --json > "$out/serve.json" 2> "$out/serve.log" &
    pid=$!
    tries=0
    until [ -s "$out/serve.json" ] || [ $tries -eq 600 ]; do tries=$((tries + 1)); sleep 0.1; done
    kill -INT $pid
    wait $pid
    holds "serve --json prints its address" grep -q '^{"scenario":"scenarios/drive.yaml","url":"http://127.0.0.1:[0-9]*/"}$' "$out/serve.json"
    holds "and the summary as its last line" test "$(sed -n '$s/^{"scenario":.*"clients":0,.*/yes/p' "$out/serve.json")" = yes
}

rows test/hostile.txt
