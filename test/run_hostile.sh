#!/bin/sh
# What nobody means well: numbers, texts, names and places to write to that would hurt a program that trusts them.
# sh test/run_hostile.sh build/release/ironbird. Prints "ok" and "not ok" lines.
program=$1
cd "$(dirname "$0")/.." || exit 1
case $program in /*) ;; *) program=$(pwd)/$program ;; esac
out=${IB_SCRATCH:-build/test-output/hostile}
rm -rf "$out" && mkdir -p "$out"
s=scenarios

. test/expect.sh
# bounded COMMAND...: within ten seconds of a core's time; what hangs is ended
bounded() { (ulimit -t 10 && exec "$@"); }

# numbers whose differences are none
printf 'time [s],a [m],b [m]\n0,1e308,1\n1,-1e308,2\n2,0,3\n' > "$out/large.csv"
printf 'time [s],a [m]\n0,1.797e308\n1,1.797e308\n2,1.797e308\n' > "$out/constant.csv"
for kind in "a" "--histogram a" "--box a" "--xy b a" "--xy a b" "--log-y a" "--log-x --xy a b"; do
    # shellcheck disable=SC2086 # options and signals
    expect "plot $kind of 1e308" 0 "" bounded "$program" plot "$out/large.csv" $kind -o "$out/large.svg"
done
expect "plot of a constant 1.797e308" 0 "" bounded "$program" plot "$out/constant.csv" a -o "$out/large.svg"
printf 'time [s],a [m]\n0,1e101\n1,-2e102\n2,nan\n' > "$out/beyond.csv"
for kind in "" --histogram --box; do
    # shellcheck disable=SC2086 # an option or none
    expect "plot $kind of nothing but 1e101 warns" 0 "nothing of 'a' is drawn: no value of it is a number of at most 1e100" bounded "$program" plot "$out/beyond.csv" a $kind -o "$out/large.svg"
done
# names that are formats, or command a terminal
printf 'time [s],%%s%%n [m],\033[31m.x [m],\033[31m.y [m]\n0,1,0,0\n1,2,1,0\n' > "$out/names.csv"
expect "plot --box of a name that is a format" 0 "" "$program" plot "$out/names.csv" --box '%s*' -o "$out/names.svg"
expect "the path of a robot whose name is red" 0 "?[31m: width 1 m" "$program" plot "$out/names.csv" --trajectory --robot "$(printf '\033[31m')" -o "$out/names.svg"
printf 'time [s],a [m]\n0,1\n2,2\n1,3\n0.5,4\n' > "$out/back.csv"
expect "plot of times that run back warns" 0 "back.csv:4: the time is before that of the row above" "$program" plot "$out/back.csv" a -o "$out/large.svg"
expect "convert of times that run back warns" 0 "back.csv:4: the time is before that of the row above" "$program" convert "$out/back.csv" "$out/sorted.csv"
expect "times in order need no word" 0 "" "$program" convert "$out/sorted.csv" "$out/again.csv"
holds "and get none" test ! -s "$out/log"
sed 's/^limits: .*/limits: {volts: [-1e308, 1e308]}/' designs/matrices.yaml > "$out/limits.yaml"
expect "design --report with limits of 1e308" 0 "" bounded "$program" design "$out/limits.yaml" --quiet --report "$out/limits.html"
expect "design --try with limits of 1e308" 0 "response" bounded "$program" design "$out/limits.yaml" --try goal.x=1

# files that would take the square of their length to read
blanks() { head -c 60000 /dev/zero | tr '\0' "$1"; }
{ printf 'robot: {kind:'; blanks ' '; printf 'roomba}\nrun: {duration: 1 s}\n'; } > "$out/blanks.yaml"
{ printf 'title: |\n'; blanks '\n'; printf '  x\nrobot: {kind: roomba}\nrun: {duration: 1 s}\n'; } > "$out/lines.yaml"
for command in run check design plan sweep serve report bench; do
    expect "$command refuses 60 KB of blanks" 2 "blanks.yaml:1:14: more than 256 blanks" bounded "$program" $command "$out/blanks.yaml"
    expect "$command refuses 60 KB of empty lines" 2 "lines.yaml:1:9: more than 256 blanks" bounded "$program" $command "$out/lines.yaml"
done
printf '%s\n' 'robot: {file: blanks.yaml}' 'run: {duration: 1 s}' > "$out/robot.yaml"
expect "a robot file of blanks is refused at its place" 2 "blanks.yaml:1:14: more than 256 blanks" bounded "$program" run "$out/robot.yaml"
expect "--set refuses blanks" 2 "more than 256 blanks" bounded "$program" run $s/roomba_straight.yaml --set "robot={kind:$(blanks ' ')roomba}"

# what is no file is written straight: a pipe gives its reader all of it, and its end once
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
"$program" run $s/roomba_straight.yaml --quiet --csv "$out/plain.csv" --log "$out/plain.wpilog" --report "$out/plain.html"
expect "run --csv into a pipe" 0 "" through "$out/pipe.csv" "$program" run $s/roomba_straight.yaml --quiet --csv "$out/pipe.csv"
holds "its reader gets every row" cmp "$out/plain.csv" "$out/through"
expect "run --log into a pipe" 0 "" through "$out/pipe.wpilog" "$program" run $s/roomba_straight.yaml --quiet --log "$out/pipe.wpilog"
mv "$out/through" "$out/through.wpilog"
expect "what its reader gets is a recording" 0 "" "$program" convert "$out/through.wpilog" "$out/through.csv"
holds "with every row" test "$(wc -l < "$out/through.csv")" -eq "$(wc -l < "$out/plain.csv")"
expect "run --report into a pipe" 0 "" through "$out/pipe.html" "$program" run $s/roomba_straight.yaml --quiet --report "$out/pipe.html"
holds "its reader gets a whole page" grep -q '</html>' "$out/through"
"$program" sweep $s/roomba_noise.yaml --seeds 0..3 --quiet --csv "$out/sweep.csv"
expect "sweep --csv into a pipe" 0 "" through "$out/pipe.csv" "$program" sweep $s/roomba_noise.yaml --seeds 0..3 --quiet --csv "$out/pipe.csv"
holds "its reader gets every run" cmp "$out/sweep.csv" "$out/through"
expect "convert into a pipe" 0 "" through "$out/pipe.csv" "$program" convert "$out/plain.csv" "$out/pipe.csv"
holds "its reader gets the recording" cmp "$out/plain.csv" "$out/through"
expect "plot into a pipe" 0 "" through "$out/pipe.svg" "$program" plot "$out/plain.csv" pose.x -o "$out/pipe.svg"
holds "its reader gets a picture" grep -q '</svg>' "$out/through"
expect "verify --report into a pipe" 0 "" through "$out/pipe.html" "$program" verify motor --report "$out/pipe.html"
holds "its reader gets the claims" grep -q '</html>' "$out/through"
"$program" plan plans/arm_path_b.yaml --quiet --csv "$out/plan.csv"
expect "plan --csv into a pipe" 0 "" through "$out/pipe.csv" "$program" plan plans/arm_path_b.yaml --quiet --csv "$out/pipe.csv"
holds "its reader gets the trajectory" cmp "$out/plan.csv" "$out/through"
expect "design --report into a pipe" 0 "" through "$out/pipe.html" "$program" design designs/matrices.yaml --quiet --report "$out/pipe.html"
holds "its reader gets the design" grep -q '</html>' "$out/through"
expect "a pipe is not written twice" 2 "would overwrite" "$program" run $s/roomba_straight.yaml --csv "$out/pipe.csv" --report "$out/pipe.csv"
# a reader that leaves early: the run says so, and ends
early() {
    rm -f "$1" && mkfifo "$1"
    timeout 60 head -c 100 "$1" > "$out/through" &
    timeout 60 "$program" run $s/roomba_schedule.yaml --quiet --csv "$1"
}
expect "a pipe that nobody reads any more is reported" 3 "Broken pipe" early "$out/pipe.csv"
# Ctrl-C while a pipe waits for its reader, who never comes. The kernel says when the program waits (where it does not, some tries later it will);
# one that was busy when the first came ends with the second, by the same code.
# stopped PIPE COMMAND...
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
for kind in "run $s/roomba_straight.yaml --csv" "run $s/roomba_straight.yaml --report" "report $s/roomba_straight.yaml -o" "sweep $s/roomba_noise.yaml --csv"; do
    # shellcheck disable=SC2086 # a command and its words
    expect "Ctrl-C in $kind PIPE" 130 "stopped while" stopped "$out/pipe" "$program" $kind "$out/pipe"
done
expect "Ctrl-C in run --log PIPE" 130 "stopped while" stopped "$out/pipe.wpilog" "$program" run $s/roomba_straight.yaml --log "$out/pipe.wpilog"

holds "list | head ends without a word" test -z "$({ "$program" list signals $s/match.yaml | head -n 1 > /dev/null; } 2>&1)"

# the standard output as a file: the table makes way
for kind in "run $s/roomba_straight.yaml" "sweep $s/roomba_noise.yaml --seeds 0..3"; do
    wanted=$out/plain.csv
    case $kind in sweep*) wanted=$out/sweep.csv ;; esac
    # shellcheck disable=SC2086 # a command and its words
    "$program" $kind --csv /dev/stdout > "$out/stdout" 2> "$out/stderr"
    holds "$kind --csv /dev/stdout > FILE is the CSV alone" cmp "$wanted" "$out/stdout"
    holds "$kind: its table is on stderr" test -s "$out/stderr"
    # shellcheck disable=SC2086
    "$program" $kind --csv /dev/stdout 2> "$out/stderr" | cat > "$out/stdout"
    holds "$kind --csv /dev/stdout | … is the CSV alone" cmp "$wanted" "$out/stdout"
    # shellcheck disable=SC2086
    { echo first; "$program" $kind --csv /dev/stdout; echo last; } > "$out/stdout" 2> "$out/stderr"
    { echo first; cat "$wanted"; echo last; } > "$out/wanted"
    holds "$kind --csv /dev/stdout has its place among others" cmp "$out/wanted" "$out/stdout"
done
for ending in csv svg wpilog; do ln -s /dev/stdout "$out/stdout.$ending"; done
expect "fit --report /dev/stdout and --json exclude each other" 2 "to which --json prints" sh -c "'$program' fit motor '$out/plain.csv' --json --report /dev/stdout > '$out/stdout'"
expect "plot -o to standard output and --json exclude each other" 2 "to which --json prints" sh -c "'$program' plot '$out/plain.csv' --trajectory --json -o '$out/stdout.svg' > '$out/stdout'"
expect "serve --record to standard output and --json exclude each other" 2 "to which --json prints" sh -c "'$program' serve $s/drive.yaml --port 0 --json --record '$out/stdout.wpilog' > '$out/stdout'"
expect "--csv /dev/stdout and --json exclude each other" 2 "to which --json prints" sh -c "'$program' run $s/roomba_straight.yaml --json --csv /dev/stdout > '$out/stdout'"
"$program" run $s/roomba_straight.yaml --report /dev/stdout 2> "$out/stderr" | cat > "$out/stdout"
holds "--report /dev/stdout is the page alone" test "$(head -c 9 "$out/stdout" | tr '[:upper:]' '[:lower:]')" = "<!doctype"
expect "/dev/null may be written twice" 0 "passed" "$program" run $s/roomba_straight.yaml --csv /dev/null --report /dev/null

# where the ending says the format, a link to it has one
"$program" convert "$out/plain.csv" "$out/linked.wpilog"
"$program" convert "$out/linked.wpilog" "$out/stdout.csv" 2> "$out/stderr" | cat > "$out/through"
holds "convert to a link to /dev/stdout" cmp "$out/plain.csv" "$out/through"
"$program" plot "$out/plain.csv" pose.x -o "$out/stdout.svg" 2> "$out/stderr" | cat > "$out/through"
holds "plot to a link to /dev/stdout" grep -q '</svg>' "$out/through"
expect "run --log to a name without an ending" 2 "for a pipe, make one with such a name: mkfifo x.wpilog" "$program" run $s/roomba_straight.yaml --log /dev/stdout
expect "convert to a name without an ending" 2 "for a pipe, make one with such a name: mkfifo x.csv" "$program" convert "$out/plain.csv" /dev/stdout
expect "plot to a name without an ending" 2 "for a pipe, make one with such a name: mkfifo x.svg" "$program" plot "$out/plain.csv" pose.x -o /dev/stdout
mkfifo "$out/scenario.yaml"
expect "a scenario is a plain file" 2 "is not a plain file" bounded "$program" run "$out/scenario.yaml"

# a disk that is full (here: files of 64 KiB at most): said, with exit code 3, by everything that writes
# shellcheck disable=SC2039,SC3045 # every shell here has ulimit -f
small() { (ulimit -f "${blocks:-64}" || exit 9; exec "$@"); } # of 512 or 1024 bytes each
expect "run --csv on a full disk" 3 "File too large" small "$program" run $s/roomba_schedule.yaml --quiet --csv "$out/full.csv"
# the last line of a CSV may be cut off, the one before is whole
says_its_rows() { holds "and says which rows are whole" test "$(sed -n 's/.*rows are whole up to \([^ ]*\) s.*/\1/p' "$out/log")" = "$(sed '$d' "$1" | tail -n 1 | cut -d, -f1)"; }
says_its_rows "$out/full.csv"
expect "run --log on a full disk" 3 "rows are whole up to" small "$program" run $s/roomba_schedule.yaml --quiet --log "$out/full.wpilog"
"$program" run $s/roomba_schedule.yaml --quiet --csv "$out/long.csv"
expect "convert on a full disk" 3 "File too large" small "$program" convert "$out/long.csv" "$out/full.csv"
says_its_rows "$out/full.csv"
expect "convert to a WPILOG on a full disk" 3 "rows are whole up to" small "$program" convert "$out/long.csv" "$out/full.wpilog"
expect "plot on a full disk" 3 "File too large" small "$program" plot "$out/long.csv" '*' -o "$out/full.svg"
expect "report on a full disk" 3 "File too large" small "$program" report $s/roomba_schedule.yaml --quiet -o "$out/full.html"
expect "sweep on a full disk" 3 "File too large" small "$program" sweep $s/roomba_noise.yaml --seeds 0..999 --quiet --csv "$out/full.csv"
rows=$(sed '1d;$d' "$out/full.csv" | wc -l)
holds "and says how many runs are whole" grep -q "the rows of $((rows)) runs are whole" "$out/log"
blocks=16 expect "design --report on a full disk" 3 "File too large" small "$program" design designs/drivetrain.yaml --quiet --report "$out/full.html"
expect "design --export on a full disk" 3 "File too large" small "$program" design designs/drive.yaml --quiet --export "$out/full"
expect "plan --csv on a full disk" 3 "File too large" small "$program" plan plans/arm_path_a.yaml --quiet --csv "$out/full.csv"
expect "plan --export-c on a full disk" 3 "File too large" small "$program" plan plans/arm_goals.yaml --quiet --export-c "$out/full"
expect "verify --report on a full disk" 3 "File too large" small "$program" verify tank --report "$out/full.html"
blocks=4 expect "stdout on a full disk" 3 "standard output: File too large" small sh -c "'$program' run $s/match.yaml --all --json > '$out/full.json'"
for kind in "run $s/roomba_straight.yaml --quiet --csv /dev/full" "sweep $s/roomba_noise.yaml --quiet --csv /dev/full" \
    "report $s/roomba_straight.yaml --quiet -o /dev/full" "design designs/matrices.yaml --quiet --report /dev/full" "plan plans/arm_path_b.yaml --quiet --csv /dev/full" "verify motor --report /dev/full"; do
    # shellcheck disable=SC2086
    expect "$kind" 3 "No space left" "$program" $kind
done

# an option that is there twice
expect "--csv twice" 2 "--csv is there twice: 'b.csv' is one too many" "$program" run $s/roomba_straight.yaml --csv a.csv --csv=b.csv
expect "-o twice, by both of its names" 2 "is there twice" "$program" report $s/roomba_straight.yaml -o a.html --report b.html
expect "--seed twice" 2 "--seed is there twice" "$program" run $s/roomba_noise.yaml --seed 1 --seed 2
expect "--duration twice" 2 "--duration is there twice" "$program" sweep $s/roomba_noise.yaml --duration '1 s' --duration '2 s'
expect "--set of one path twice" 2 "--set: robot.mass is there twice" "$program" run $s/roomba_straight.yaml --set robot.mass='3 kg' --set robot.mass='4 kg'
expect "--try of one path twice" 2 "--try: goal.angle is there twice" "$program" design designs/servo.yaml --try 'goal.angle=5 deg' --try 'goal.angle=60 deg'
expect "--try of one path twice, in one list" 2 "--try: goal.angle is there twice" "$program" design designs/servo.yaml --try 'goal.angle=5 deg,goal.angle=60 deg'
expect "--seeds twice" 2 "--seeds is there twice" "$program" sweep $s/roomba_noise.yaml --seeds 0..1 --seeds 2..3
expect "--port twice" 2 "--port is there twice" "$program" serve $s/drive.yaml --port 1 --port 2
expect "--title twice" 2 "--title is there twice" "$program" plot "$out/plain.csv" pose.x -o "$out/x.svg" --title a --title b
expect "a flag twice says the same" 0 "passed" "$program" run $s/roomba_straight.yaml --all --all
expect "--at twice: all of them" 0 "at 0.5 s" "$program" run $s/roomba_straight.yaml --at '2 s,1 s' --at '0.5 s' --at '1 s'
holds "each once" test "$(grep -c '^at [0-9.]* s$' "$out/log")" -eq 3

# a row of a sweep has the values that its labels say: what would replace them is refused
expect "--over and --duration" 2 "--duration and --over run.duration exclude each other" "$program" sweep $s/roomba_noise.yaml --over run.duration='1 s,2 s' --duration '3 s'
expect "--over of all of run and --duration" 2 "--duration and --over run exclude each other" "$program" sweep $s/roomba_noise.yaml --over 'run={duration: 1 s},{duration: 2 s}' --duration '3 s'
expect "--over and --seeds" 2 "--seeds and --over run.seed exclude each other" "$program" sweep $s/roomba_noise.yaml --over run.seed=1,2 --seeds 0..3
expect "--over and --set of one path" 2 "--over robot.mass would replace what --set robot.mass says" "$program" sweep $s/roomba_noise.yaml --over robot.mass='2 kg,3 kg' --set robot.mass='4 kg'
expect "--over of what is around a --set" 2 "--over run would replace what --set run.step says" "$program" sweep $s/roomba_noise.yaml --over 'run={duration: 1 s},{duration: 2 s}' --set run.step='1 ms'
expect "--over of what is around an --over" 2 "--over run would replace what --over run.step says" "$program" sweep $s/roomba_noise.yaml --over run.step='1 ms,2 ms' --over 'run={duration: 1 s},{duration: 2 s}'
expect "--over inside of a --set is fine" 0 "" "$program" sweep $s/roomba_noise.yaml --quiet --set 'run={duration: 1 s}' --set expect=[] --over run.step='1 ms,2 ms'
expect "--set of what is around a --set" 2 "--set run would replace what --set run.step says" "$program" run $s/roomba_noise.yaml --set run.step='1 ms' --set 'run={duration: 1 s}'

# texts that mean something elsewhere: a picture with them is drawn
for title in "'quoted'" "''" "a]]>b" "&#65;" "<script>" '`touch x`'; do
    expect "plot --title $title" 0 "" "$program" plot "$out/plain.csv" pose.x -o "$out/title.svg" --title "$title"
done

# names that would command a terminal: printed as text, by whatever prints them
escape=$(printf '\033[31m')
wild=$out/$escape$(printf '\302\233')31m.yaml
tame() { ! LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177]\\|\302[\200-\237]\\|\342\200[\250-\256]')" "$out/log"; }
printf '%s\n' 'robot: {kind: roomba, masss: 3 kg}' 'run: {duration: 1 s}' > "$wild"
for command in run check report sweep bench design plan serve "list signals"; do
    # shellcheck disable=SC2086 # a command may have two words
    expect "$command of a wild name" 2 "?[31m??31m.yaml:1:" "$program" $command "$wild"
    holds "$command commands no terminal" tame
done
for command in "run $escape.yaml" "run $s/roomba_straight.yaml --csv /nowhere/$escape" "run $s/roomba_straight.yaml --$escape" "run $s/roomba_straight.yaml --at $escape" \
    "run $s/roomba_straight.yaml --set robot.$escape=1" "plot $escape.csv a -o x.svg" "plot $out/plain.csv $escape -o x.svg" "convert $escape.csv x.csv" "fit motor $escape.csv" \
    "fit $escape" "verify $escape" "list $escape" "list robot $escape" "replay $escape.wpilog" "serve --log $escape.wpilog" "$escape" "sweep $s/roomba_noise.yaml --over $escape=1" \
    "design designs/matrices.yaml --try $escape=1" "design designs/matrices.yaml --export $out/plain.csv/$escape" "plan plans/arm_path_b.yaml --way $escape" "plan plans/arm_path_b.yaml --set arm.preset=$escape" "bench $escape"; do
    # shellcheck disable=SC2086
    expect "$(echo "$command" | tr -d '\033') is refused" 2 "" "$program" $command
    holds "and commands no terminal" tame
done
printf '%s\n' "title: \"a \\e[31m title\"" 'robot: {kind: roomba}' 'inputs: {left: 0 N, right: 0 N}' 'run: {duration: 0.1 s}' > "$out/title.yaml"
expect "a title with an escape sequence" 0 "" "$program" run "$out/title.yaml"
holds "commands no terminal" tame
cp "$out/title.yaml" "$wild"
expect "check of a wild name that is right" 0 "?[31m" "$program" check "$wild"
holds "it commands no terminal" tame
printf 'time [s],a%s [m]\n0,1\n1,2\n' "$escape" > "$out/wild.csv"
expect "a recording with a wild signal" 2 "" "$program" plot "$out/wild.csv" b -o "$out/x.svg"
holds "its signal commands no terminal" tame
expect "fit of it" 2 "" "$program" fit motor "$out/wild.csv"
holds "fit commands no terminal" tame

# the line that builds an export is shown, and still works: in bash, and where a name is plain in any shell
unseen=$(printf '\342\200\256')
export_to=$out/$escape$(printf "it's \\ \377")$unseen
expect "design --export to a wild name" 0 "it\\'s \\\\ \\377\\342\\200\\256'" "$program" design designs/servo.yaml --export "$export_to"
holds "its build line commands no terminal" tame
expect "and builds" 0 "servo: " bash -c "$(tail -n 1 "$out/log")"
expect "design --export to a name with letters of other scripts" 0 "/é ü'" "$program" design designs/servo.yaml --export "$out/é ü"
expect "and builds" 0 "servo: " sh -c "$(tail -n 1 "$out/log")"
printf '%s\n' "title: \"a \\u202e title\\u2028\"" 'robot: {kind: roomba}' 'inputs: {left: 0 N, right: 0 N}' 'run: {duration: 0.1 s}' > "$out/title.yaml"
expect "a title that turns the writing" 0 "" "$program" run "$out/title.yaml"
holds "turns nothing" tame

# JSON is UTF-8 whatever a file is called
odd=$out/$(printf 'a\377b\351').yaml
cp $s/roomba_straight.yaml "$odd"
for command in "run" "sweep"; do
    "$program" $command "$odd" --json --quiet > "$out/log" 2>&1
    holds "$command --json of a name that is no UTF-8 is UTF-8" iconv -f UTF-8 -t UTF-8 "$out/log"
done
cp designs/matrices.yaml "$odd"
"$program" design "$odd" --json > "$out/log" 2>&1
holds "design --json of a name that is no UTF-8 is UTF-8" iconv -f UTF-8 -t UTF-8 "$out/log"

# serve --json: the address is the first line of stdout
"$program" serve $s/drive.yaml --port 0 --json > "$out/serve.json" 2> "$out/serve.log" &
served=$!
tries=0
until [ -s "$out/serve.json" ] || [ $tries -eq 600 ]; do tries=$((tries + 1)); sleep 0.1; done
kill -INT $served
wait $served
holds "serve --json prints its address" grep -q '^{"scenario":"scenarios/drive.yaml","url":"http://127.0.0.1:[0-9]*/"}$' "$out/serve.json"
holds "and the summary as its last line" test "$(sed -n '$s/^{"scenario":.*"clients":0,.*/yes/p' "$out/serve.json")" = yes

# every message goes through one function, which tames it
holds "no message is printed past tell()" test -z "$(grep -n 'fprintf(stderr, "[^\\]' cli/*.c)"
