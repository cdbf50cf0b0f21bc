#!/bin/sh
# The program as a stranger uses it: exit codes, messages, files. Prints "ok" and "not ok" lines. The checks are the rows of
# test/commands.txt; here are the words that they use, and what is no row.
program=$1
cd "$(dirname "$0")/.." || exit 1
here=$(pwd)
case $program in /*) ;; *) program=$here/$program ;; esac
out=${IB_SCRATCH:-build/test-output/commands}
rm -rf "$out" && mkdir -p "$out"
s=scenarios

. test/expect.sh

# await COMMAND...: asks again and again until it is so; what a busy machine takes for anything is less than 60 s
await() {
    tries=0
    until "$@" > /dev/null 2>&1; do
        tries=$((tries + 1))
        [ $tries -lt 600 ] || return 1
        sleep 0.1
    done
}
# minds PID: the program, no longer the shell that starts it, has its own way with Ctrl-C (signal 2: bit 1 of the mask)
minds() { test "/proc/$1/exe" -ef "$program" && mask=$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$1/status") && test $((0x${mask#????????} & 2)) -ne 0; }
# last_row CSV: the time of its last whole row; reaches CSV TIME: it has one after this time
last_row() { tail -n 2 "$1" | head -n 1 | cut -d, -f1; }
reaches() { test "$(wc -l < "$1")" -gt 2 && awk "BEGIN { exit !($(last_row "$1") > $2) }"; }
# row NAME: its columns in the table that was printed, without the spaces between; line_of WORDS: the number of the first line that has them
row() { sed -n "s/^$1  *//p" "$log" | tr -s ' '; }
line_of() { grep -n -m 1 "$1" "$log" | cut -d: -f1; }
# near_fit KEY VALUE: the value of the last fit's JSON is within its own interval of this one
near_fit() {
    awk -v key="\"$1\":{\"value\":" -v want="$2" '{
        at = index($0, key); rest = substr($0, at + length(key)); split(rest, part, /[,:]/)
        good = at && part[3] > 0 && (part[1] - want)^2 <= part[3]^2 } END { exit !good }' "$log"
}
# holes: 200 samples of v = (V - 0.5)/2 on a ramp: one nan, one inf, one voltage that is no number, and a clock that goes back for two
holes() {
    awk 'BEGIN { print "time [s],voltage [V],velocity [m/s]"
        for (i = 0; i < 200; i++) { v = 3 + i/100
            print (i == 70 || i == 71 ? i/100 - 0.305 : i/100) "," (i == 150 ? "inf" : v) "," (i == 20 ? "nan" : i == 90 ? "-inf" : (v - 0.5)/2) } }'
}
# pushed: a motor that is pushed along, whichever way it turns: 0.4 dv/dt = V + 1 V sgn(v) - 2 v
pushed() {
    awk 'BEGIN { print "time [s],voltage [V],velocity [m/s]"; v = 0
        for (i = 0; i < 2000; i++) { part = int(i/250); u = (part%4 < 2 ? 1 : -1)*(part%2 ? 6 : 3)
            print i/100 "," u "," v
            for (k = 0; k < 10; k++) v += 0.001*(u + (v > 0 ? 1 : v < 0 ? -1 : 0) - 2*v)/0.4 } }'
}
# record_live FILE: a recording of a live run, which is the input of its replay
record_live() {
    "$program" serve $s/drive.yaml --port 0 --speed max --duration '0.1 s' --set expect=[] --record "$1" > "$out/live.txt" 2>&1 &
    pid=$!
    await "$program" replay "$1" --quiet
    recorded=$?
    kill -INT $pid
    wait $pid
    return $recorded
}

# colours: on a terminal (script makes one), unless NO_COLOR says otherwise; empty it says nothing
colours() {
    command -v script > /dev/null || return 0
    for setting in "-u NO_COLOR" NO_COLOR= NO_COLOR=1; do
        TERM=xterm script -qec "env $setting '$program' run $s/roomba_straight.yaml" /dev/null < /dev/null > "$log" 2>&1
        escapes=$(tr -dc '\033' < "$log" | wc -c)
        case $setting in
        -u*) holds "a terminal has colour" test "$escapes" -gt 20 ;;
        *=) holds "an empty NO_COLOR says nothing" test "$escapes" -gt 20 ;;
        *) holds "NO_COLOR is honoured" test "$escapes" -eq 0 ;;
        esac
    done
}
# stopped_run: Ctrl-C keeps everything that was recorded so far
stopped_run() {
    "$program" run $s/roomba_straight.yaml --set expect=[] --duration '600 s' --realtime --csv "$out/stop.csv" --json > "$out/stop.json" 2> "$err" &
    pid=$!
    holds "Ctrl-C: rows come while it runs" await reaches "$out/stop.csv" 1
    had=$(wc -l < "$out/stop.csv")
    kill -INT $pid
    wait $pid
    holds "Ctrl-C: exit code 130" test $? -eq 130
    holds "Ctrl-C: JSON is printed" grep -q '"error":"stopped at' "$out/stop.json"
    holds "Ctrl-C: the log is there" test "$(wc -l < "$out/stop.csv")" -gt 50 -a "$(wc -l < "$out/stop.csv")" -ge "$had"
}
# killed_run: what was in the files stays there, whole (test/record/test_recorder.c: at most the last 250 ms are lost).
# Files are written in turn: when the CSV goes on, the WPILOG has what the CSV had before.
killed_run() {
    "$program" run $s/roomba_straight.yaml --set expect=[] --duration '600 s' --realtime --csv "$out/kill.csv" --log "$out/kill.wpilog" --quiet &
    pid=$!
    await reaches "$out/kill.csv" 1.3
    last=$(last_row "$out/kill.csv")
    holds "kill -9: rows come while it runs" await reaches "$out/kill.csv" "$last"
    kill -KILL $pid
    wait $pid 2> /dev/null
    holds "kill -9: CSV keeps its rows" reaches "$out/kill.csv" "$last"
}
# stopped_sweep: one that would take a day; when it has a row, it listens
stopped_sweep() {
    "$program" sweep $s/roomba_noise.yaml --seeds 0..999999 --jobs 1 --csv "$out/stop_sweep.csv" --plot "$out/stop_sweep.svg" > "$out/stop.txt" 2>&1 &
    pid=$!
    holds "a sweep makes rows" await grep -q '^[1-9]' "$out/stop_sweep.csv"
    kill -INT $pid
    wait $pid
    holds "Ctrl-C in a sweep: exit code 130" test $? -eq 130
    holds "Ctrl-C in a sweep: the title has both counts" grep -qE ': [0-9]+ of 1000000 runs' "$out/stop.txt"
    holds "Ctrl-C in a sweep: what was done is drawn" grep -qE 'seeds: [0-9]+' "$out/stop_sweep.svg"
}
# stopped_command WORDS...: Ctrl-C while it works, or waits for a pipe; it ends by itself, not by the signal, which the shell cannot tell apart
stopped_command() {
    rm -f "$out/wait.wpilog" && mkfifo "$out/wait.wpilog"
    "$program" "$@" > "$out/stop.txt" 2> "$err" < /dev/null &
    pid=$!
    holds "$1 minds Ctrl-C" await minds $pid
    kill -INT $pid
    wait $pid
    holds "Ctrl-C in $1: exit code 130" test $? -eq 130
    holds "Ctrl-C in $1: it says so" grep -q '^ironbird: stopped' "$err"
}
# listed_plants: every plant of `list plants` shows its parameters and inputs
listed_plants() {
    for kind in $("$program" list plants | awk '!NF { exit } { print $1 }'); do
        expect "list plant $kind" 0 "parameters (under plant:)" "$program" list plant "$kind"
        holds "list plant $kind: its inputs" grep -qF "; -12 V to 12 V" "$log"
    done
}
# listed_steps: `list routine` has every kind of step
listed_steps() {
    for step in wait drive turn follow hold until set parallel timeout repeat; do
        holds "list routine: $step" grep -q "^$step: " "$log"
    done
}

rows test/commands.txt
