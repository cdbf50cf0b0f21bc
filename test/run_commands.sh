#!/bin/sh
# The program as a stranger uses it: exit codes, messages, files. Prints "ok" and "not ok" lines.
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

# help and usage
expect "--version" 0 "ironbird 0.9.0" "$program" --version
expect "--help" 0 "commands:" "$program" --help
expect "no command" 2 "usage" "$program"
expect "unknown command names the nearest" 2 "did you mean 'run'" "$program" rum
for command in run check list plot report replay serve sweep convert verify design plan fit bench; do
    expect "$command --help shows an example" 0 "example:" "$program" $command --help
    expect "$command refuses an unknown option" 2 "unknown option '--nonsense'" "$program" $command --nonsense
done
expect "option names the nearest" 2 "did you mean '--json'" "$program" run $s/roomba_straight.yaml --jsn

# README.md: block N is the Nth between lines of ```; what it shows of the program is what the program prints
block() { awk -v n="$1" '/^```/ { at = !at; k += at; next } at && k == n' README.md; }
prints() { grep -v '^$' "$1" | while IFS= read -r line; do grep -qxF -- "$line" "$2" || { echo "not printed: $line" && exit 1; }; done; }
block 2 > "$out/first.yaml"
block 3 > "$out/shown"
expect "README: the first scenario" 0 "passed" "$program" run "$out/first.yaml"
holds "README: its table" prints "$out/shown" "$out/log"
sed -i 's/2.7 kg/2.7 m/; s/heading:/headin:/' "$out/first.yaml"
expect "README: its mistakes" 2 "headin" "$program" run "$out/first.yaml"
block 4 | sed "s|^first|$out/first|" > "$out/shown"
holds "README: their sentences" prints "$out/shown" "$out/log"
block 5 > "$out/push.yaml"
expect "README: the push" 0 "passed" "$program" run "$out/push.yaml"
block 6 | sed "s|robots/|$here/robots/|" > "$out/lift.yaml"
expect "README: lift, wheels and shooter at once" 1 "brownout.stage was 2 at 0.001 s" "$program" run "$out/lift.yaml"
expect "README: the limit that mends it" 0 "passed" "$program" run "$out/lift.yaml" --set robot.mechanisms.lift.current_limit='80 A' --signals battery.voltage
holds "README: with 7.1 V at worst" grep -Eq "^battery.voltage +V +12.78 +7.1" "$out/log"
expect "README: --try meets the checks" 0 "with tolerance.angle = 15 deg" "$program" design designs/servo.yaml --try "tolerance.angle=15 deg"

# tools and libraries that are missing or broken
mkdir -p "$out/empty" "$out/broken"
echo "no library" > "$out/broken/$(grep -a -o 'libwebsockets\.so\.[0-9]*' "$program" | head -n 1)" && printf '#!/bin/sh\nexit 3\n' > "$out/broken/gnuplot" && chmod +x "$out/broken/gnuplot"
expect "a page without gnuplot is warned of" 0 "there are no plots: gnuplot is not installed" env PATH="$out/empty" "$program" run $s/roomba_straight.yaml --report "$out/bare.html"
expect "and one of a gnuplot that fails" 0 "plots missing: gnuplot could not draw this: it gave no reason, and exit code 3" env PATH="$out/broken:$PATH" "$program" run $s/roomba_straight.yaml --report "$out/bare.html"
expect "serve says what is wrong with its library" 3 "broken/libwebsockets.so" env LD_LIBRARY_PATH="$out/broken" "$program" serve $s/roomba_straight.yaml

# serve and replay: what is refused before anything listens or runs
expect "serve names no scenario" 2 "scenario" "$program" serve
expect "serve refuses a missing file" 2 "nothing.yaml:1:1: " "$program" serve nothing.yaml
expect "and says before that what it reads" 2 "reading nothing.yaml; it listens when that is done" "$program" serve nothing.yaml
expect "serve refuses a port" 2 "--port" "$program" serve $s/drive.yaml --port 70000
expect "serve refuses a speed" 2 "--speed" "$program" serve $s/drive.yaml --speed -1
expect "serve refuses a recording of another kind" 2 ".wpilog" "$program" serve $s/drive.yaml --record x.txt
expect "serve takes a scenario or a log" 2 "log" "$program" serve $s/drive.yaml --log x.wpilog
expect "serve refuses a log that is none" 2 "drive.yaml" "$program" serve --log $s/drive.yaml
expect "run says that nobody drives" 0 "nobody drives here" "$program" run $s/drive.yaml --duration '0.1 s'
expect "replay names no recording" 2 "no recording was named" "$program" replay
expect "replay refuses a missing file" 2 "nothing.wpilog" "$program" replay nothing.wpilog
expect "a run for replay" 0 "" "$program" run $s/drive.yaml --duration '0.1 s' --log "$out/run.wpilog"
expect "replay wants live inputs" 2 "no live inputs: 'ironbird run' of its scenario, with the --set, --seed and --duration that it was made with, gives the same run" "$program" replay "$out/run.wpilog"
expect "a run as CSV" 0 "" "$program" run $s/drive.yaml --duration '0.1 s' --csv "$out/run.csv"
expect "replay of a CSV says what it wants" 2 "expected a recording of 'ironbird serve SCENARIO --record FILE.wpilog'" "$program" replay "$out/run.csv"
(cd "$out" && "$program" replay run.wpilog > log 2>&1); code=$?
holds "replay says where it looked for the scenario" test $code -eq 2
holds "replay says how to name it" grep -q "replay run.wpilog SCENARIO" "$out/log"

# run
expect "run" 0 "passed" "$program" run $s/roomba_straight.yaml
expect "missing file" 2 "nothing.yaml:1:1: " "$program" run nothing.yaml
expect "failed expectation" 1 "FAILED" "$program" run $s/roomba_straight.yaml --set robot.mass='3 kg'
expect "published-eq3 stops and names the signal" 3 "velocity.heading" "$program" run $s/roomba_circle.yaml --set robot.equations=published-eq3 --set expect=[]
expect "published-eq3 stops at 0.485 s" 3 "at 0.485 s" "$program" run $s/roomba_circle.yaml --set robot.equations=published-eq3 --set expect=[]
spoilt="$s/arm_follow.yaml --set robot.sensors.elbow.scale=1000 --set expect"
expect "a loop that failed is named last" 0 "" "$program" run $spoilt=[]
holds "with what makes it count" sh -c "tail -n 1 '$out/log' | grep -q \"^the loop 'arm' had failed.*never: control.arm.failed > 0\""
expect "and then counts" 1 "had failed" "$program" run $spoilt='["never: control.arm.failed > 0"]'
expect "a failed run still prints JSON with the error" 3 '"error":' "$program" run $s/roomba_circle.yaml --set robot.equations=published-eq3 --json
expect "clamped inputs warn once" 1 "beyond max_force" "$program" run $s/roomba_straight.yaml --set robot.max_force='1 N'
expect "--set with a wrong unit" 2 "--set robot.mass:1:1" "$program" run $s/roomba_straight.yaml --set robot.mass='3 m'
expect "--set without a value" 2 "PATH=YAML" "$program" run $s/roomba_straight.yaml --set robot.mass
expect "--at beyond the end" 2 "not within the run" "$program" run $s/roomba_straight.yaml --at '5 s'
expect "--at without a unit" 2 "a unit is missing" "$program" run $s/roomba_straight.yaml --at 1
expect "--duration" 0 "0.5 s simulated" "$program" run $s/roomba_straight.yaml --duration '0.5 s' --set expect=[]
expect "--seed refuses words" 2 "--seed" "$program" run $s/roomba_noise.yaml --seed many
expect "--quiet prints nothing" 0 "" "$program" run $s/roomba_straight.yaml --quiet
holds "--quiet printed nothing" test ! -s "$out/log"
expect "unwritable file" 2 "/nowhere/x.csv" "$program" run $s/roomba_straight.yaml --csv /nowhere/x.csv
expect "unwritable report" 2 "/nowhere/x.html" "$program" run $s/roomba_straight.yaml --report /nowhere/x.html
expect "unwritable sweep" 2 "/nowhere/x.csv" "$program" sweep $s/roomba_noise.yaml --csv /nowhere/x.csv
expect "unwritable plot" 2 "/nowhere/x.svg" "$program" plot nothing.csv pose.x -o /nowhere/x.svg
expect "an output is refused where a later one cannot be written" 2 "/nowhere/x.html" "$program" run $s/roomba_straight.yaml --csv "$out/left.csv" --report /nowhere/x.html
holds "and leaves no empty file" test ! -e "$out/left.csv"
expect "a full disk is reported" 3 "/dev/full" "$program" run $s/roomba_straight.yaml --quiet --report /dev/full

for command in "run $s/roomba_straight.yaml" "run $s/roomba_straight.yaml --json" "list" "list units" \
    "sweep $s/roomba_noise.yaml" "verify roomba" "--help" "run --help" "--version"; do
    expect "$command reports a full stdout" 3 "standard output" sh -c "'$program' $command > /dev/full"
done
expect "a full stdout does not hide bad input" 2 "nothing.yaml" sh -c "'$program' run nothing.yaml > /dev/full"

# what is printed: verdicts, then the rows that matter, in people's units
# row NAME: its columns in the last log, without the spaces between
row() { sed -n "s/^$1  *//p" "$out/log" | tr -s ' '; }
line_of() { grep -n -m 1 "$1" "$out/log" | cut -d: -f1; }
expect "run prints verdicts" 0 "passed  at end: pose.x" "$program" run $s/roomba_straight.yaml
holds "verdicts stand before the rows" test "$(line_of '^passed')" -lt "$(line_of '^signal ')"
holds "30 degrees are degrees, and need no time" test "$(row pose.heading)" = "deg 30 30 30"
holds "four digits, and when" test "$(row velocity.forward)" = "m/s 0.8909 0 0 0.8909 2"
holds "rounding noise is 0" test "$(row slip.angle)" = "deg 0 0 0"
holds "about ten rows" test "$(sed '1,/^signal /d; /^[0-9]* of /,$d' "$out/log" | wc -l)" -eq 7
expect "a failed expectation comes first" 1 "" "$program" run $s/roomba_straight.yaml --set expect='["at end: pose.x > 1 m", "at end: pose.x > 9 m"]'
holds "and says by how much" test "$(sed -n '3s/ m$//p;4s/.*2 s, //p;5s/ m$//p' "$out/log" | tr '\n' ';')" = "FAILED  at end: pose.x > 9;7.69 m too low;passed  at end: pose.x > 1;"
expect "rpm" 0 "" "$program" run $s/motor_spin_up.yaml
holds "rpm are rpm" test "$(row ideal.motor.speed | cut -d' ' -f1,2)" = "rpm 5310"
expect "psig" 0 "" "$program" run $s/air_fill.yaml --signals 'air.pressure,battery.*'
holds "psig are psig" test "$(row air.pressure | cut -d' ' -f1,2,3)" = "psig 115 0"
holds "--signals prints what matches, and no more" test "$(grep -c '^[a-z]*\.' "$out/log")" -eq 6
expect "--signals with --json" 0 '"signals":{"pose.x"' "$program" run $s/roomba_straight.yaml --signals pose.x --json --at '1 s'
holds "has these alone" test "$(grep -o '"pose\.[a-z]*"' "$out/log" | sort -u | tr -d '\n')" = '"pose.x"'
holds "at the times asked for, too" grep -q '"samples":{"t":\[1\],"pose.x":\[[^]]*\]}' "$out/log"
expect "--signals with an unknown name" 2 "did you mean 'pose.heading'" "$program" run $s/roomba_straight.yaml --signals pose.x --signals pose.headin
expect "--signals that matches nothing" 2 "list signals" "$program" run $s/roomba_straight.yaml --signals 'lift.*'
expect "--all" 0 "to spare" "$program" run $s/roomba_straight.yaml --all
holds "--all prints every signal" test "$(sed '1,/^signal /d; /^$/,$d' "$out/log" | wc -l)" -eq "$("$program" list signals $s/roomba_straight.yaml | wc -l)"
holds "a pipe has no colour" test "$(tr -dc '\033' < "$out/log" | wc -c)" -eq 0
# On a terminal (script makes one): colour, unless NO_COLOR says otherwise; empty it says nothing.
if command -v script > /dev/null; then
    on_terminal() { TERM=xterm script -qec "$1 '$program' run $s/roomba_straight.yaml" /dev/null < /dev/null > "$out/log" 2>&1; }
    on_terminal "env -u NO_COLOR"
    holds "a terminal has colour" test "$(tr -dc '\033' < "$out/log" | wc -c)" -gt 20
    on_terminal "env NO_COLOR="
    holds "an empty NO_COLOR says nothing" test "$(tr -dc '\033' < "$out/log" | wc -c)" -gt 20
    on_terminal "env NO_COLOR=1"
    holds "NO_COLOR is honoured" test "$(tr -dc '\033' < "$out/log" | wc -c)" -eq 0
fi

# a team's robot: none of the three loads alone browns it out, all together do, one after the other do not
fine='["never: brownout.stage > 1.5"]'
expect "the throttle alone" 0 "passed" "$program" run $s/team_brownout.yaml --set inputs.lift='0 V' --set inputs.shooter='0 V' --set expect="$fine"
expect "the lift alone" 0 "passed" "$program" run $s/team_brownout.yaml --set inputs.throttle=0 --set inputs.shooter='0 V' --set expect="$fine"
expect "the shooter alone" 0 "passed" "$program" run $s/team_brownout.yaml --set inputs.throttle=0 --set inputs.lift='0 V' --set expect="$fine"
expect "all at once" 1 "FAILED" "$program" run $s/team_brownout.yaml --set expect="$fine"
expect "one after the other" 0 "passed" "$program" run $s/team_staggered.yaml
expect "--set of a dotted input beside its own" 0 "passed" "$program" run $s/team_staggered.yaml --set inputs.lift.brake=on --set expect='["at end: lift.position < 1.1 m"]'
expect "list plant tells what a robot adds" 0 "under mechanisms: {NAME: {kind: elevator" "$program" list plant elevator
expect "list robot tells the kinds of mechanisms" 0 "kinds: elevator" "$program" list robot bench

# --at in the table, --diagram, --csv and --log
expect "--at: blocks by time" 0 "at 0.5 s" "$program" run $s/roomba_straight.yaml --at '2 s,0.5 s,2 s'
holds "--at: sorted, each once" test "$(grep '^at ' "$out/log" | tr '\n' ';')" = "at 0.5 s;at 2 s;"
holds "--at: x at 0.5 s" grep -q '^pose.x  *m  *0.1822$' "$out/log"
expect "--at with a gap" 2 "a time is missing" "$program" run $s/roomba_straight.yaml --at '1 s,,2 s'
expect "--at with nothing behind its comma" 2 "a time is missing" "$program" run $s/roomba_straight.yaml --at '1 s,'
# 3 s in 3000 steps: 20 ms are made in 20 parts
expect "a report of steps that are divided" 0 "in 3000 steps" "$program" run $s/team_brownout.yaml --set run.solver=euler --set run.step='20 ms' --set expect=[] --report "$out/parts.html"
holds "says so" grep -q "euler, step 20 ms in 20 parts" "$out/parts.html"
expect "--diagram without a report" 2 "--report" "$program" run $s/roomba_straight.yaml --diagram '1 s'
for words in "run $s/roomba_straight.yaml --csv" "run $s/roomba_straight.yaml -o" "sweep $s/roomba_noise.yaml --csv" "sweep $s/roomba_noise.yaml --journal" "verify quadruped --report"; do
    # shellcheck disable=SC2086 # words
    expect "$words -: no file of that name" 2 "the standard output is /dev/stdout" "$program" $words -
done
holds "and there is none" test ! -e ./-
expect "a letter with its value right behind it" 0 "" "$program" sweep $s/roomba_straight.yaml --quiet -j2
expect "a letter with a wrong value" 2 "--jobs: expected a number from 1 to 256, got '2x'" "$program" sweep $s/roomba_straight.yaml -j2x
expect "a letter and its value twice" 2 "-j is there twice" "$program" sweep $s/roomba_straight.yaml -j1 -j2
expect "one dash too few is no letter" 2 "did you mean '--jobs'?" "$program" sweep $s/roomba_straight.yaml -jobs 2
expect "a letter without a value takes none" 2 "unknown option '-q1'" "$program" sweep $s/roomba_straight.yaml -q1
expect "--csv takes any name" 0 "Timestamp,pose.x [m]" "$program" run $s/roomba_straight.yaml --quiet --csv /dev/stdout
expect "--log refuses .mcap" 2 "not written yet" "$program" run $s/roomba_straight.yaml --log "$out/x.mcap"
expect "--log refuses .csv" 2 "--csv" "$program" run $s/roomba_straight.yaml --log "$out/x.csv"

# fit: the constants of the bench's motor, from what `run` recorded (closed forms: docs/fit.md)
for test in quasistatic dynamic; do "$program" run $s/fit_$test.yaml --quiet --log "$out/$test.wpilog"; done
# within NAME KEY VALUE: the value of the last fit's JSON is within its own interval of this one
within() {
    holds "$1" awk -v key="\"$2\":{\"value\":" -v want="$3" '{
        at = index($0, key); rest = substr($0, at + length(key)); split(rest, part, /[,:]/)
        exit !(at && part[3] > 0 && (part[1] - want)^2 <= part[3]^2) }' "$out/log"
}
for motion in "--velocity motor.speed" "--velocity sensor.speed" "--position sensor.encoder"; do
    expect "fit motor $motion" 0 '"kS":' "$program" fit motor "$out/quasistatic.wpilog" "$out/dynamic.wpilog" $motion --json
    within "fit $motion: kS = R C/Kt" kS 0.2470152326
    within "fit $motion: kV = 12 V/(5310 rpm)" kV 0.02158033127
    within "fit $motion: kA = R J/Kt" kA 0.005434335117
done
"$program" convert "$out/quasistatic.wpilog" "$out/quasistatic.csv" > "$out/log" 2>&1
"$program" convert "$out/dynamic.wpilog" "$out/dynamic.csv" > "$out/log" 2>&1
expect "fit takes a CSV at its names" 0 '"kS":' "$program" fit motor "$out/quasistatic.csv" "$out/dynamic.csv" --json
within "fit of a CSV: kV = 12 V/(5310 rpm)" kV 0.02158033127
"$program" run $s/bench_mechanisms.yaml --quiet --log "$out/bench.wpilog"
expect "fit finds the motion beside a voltage" 0 "wheel.velocity over wheel.voltage" "$program" fit motor "$out/bench.wpilog" --voltage wheel.voltage
expect "fit prints a plant" 0 "plant: {A: [[-3.97" "$program" fit motor "$out/quasistatic.wpilog" "$out/dynamic.wpilog"
expect "fit names dropped samples" 0 "standing still" "$program" fit motor "$out/dynamic.wpilog"
expect "fit without samples says why" 3 "outside of the time asked for" "$program" fit motor "$out/dynamic.wpilog" --between '7.5 s,8 s'
# 200 samples of v = (V - 0.5)/2 on a ramp: one nan, one inf, one voltage that is no number, and a clock that goes back for two
awk 'BEGIN { print "time [s],voltage [V],velocity [m/s]"
    for (i = 0; i < 200; i++) { v = 3 + i/100
        print (i == 70 || i == 71 ? i/100 - 0.305 : i/100) "," (i == 150 ? "inf" : v) "," (i == 20 ? "nan" : i == 90 ? "-inf" : (v - 0.5)/2) } }' > "$out/holes.csv"
expect "fit counts every sample of a CSV" 0 "samples: 195 of 200 used" "$program" fit motor "$out/holes.csv"
holds "fit counts nan and inf" grep -q "2 not a number$" "$out/log"
holds "fit counts a voltage that is no number" grep -q "1 voltage not known$" "$out/log"
holds "fit counts what is behind its time" grep -q "2 time does not increase$" "$out/log"
holds "fit marks what one ramp does not tell" test "$(grep -c "+- inf .*(NOT DETERMINED)$" "$out/log")" = 2
# a match is no test of a motor: what turns, slips or is pushed is left out, what is doubtful is said, and nothing pushes
"$program" run $s/match.yaml --quiet --log "$out/match.wpilog"
expect "fit of a match leaves out turns" 0 "robot turned" "$program" fit motor "$out/match.wpilog"
holds "fit of a match says what it lacks" grep -q "several times the noise" "$out/log"
expect "fit of a match has friction" 0 '"kS":{"value":0.' "$program" fit motor "$out/match.wpilog" --json
holds "fit says in JSON what a match lacks" grep -q "several times the noise" "$out/log"
expect "fit --report is written" 0 "" "$program" fit motor "$out/match.wpilog" --quiet --report "$out/fit.html"
holds "the report of a fit has its flags and figures" sh -c "grep -q 'several times the noise' '$out/fit.html' && grep -q 'Do neighbours err alike' '$out/fit.html'"
# a motor that is pushed along, whichever way it turns: 0.4 dv/dt = V + 1 V sgn(v) - 2 v
awk 'BEGIN { print "time [s],voltage [V],velocity [m/s]"; v = 0
    for (i = 0; i < 2000; i++) { part = int(i/250); u = (part%4 < 2 ? 1 : -1)*(part%2 ? 6 : 3)
        print i/100 "," u "," v
        for (k = 0; k < 10; k++) v += 0.001*(u + (v > 0 ? 1 : v < 0 ? -1 : 0) - 2*v)/0.4 } }' > "$out/pushed.csv"
expect "fit refuses a friction that pushes" 3 "friction does not push" "$program" fit motor "$out/pushed.csv" --report "$out/pushed.html"
holds "the report says why" grep -q "friction does not push" "$out/pushed.html"
expect "fit refuses a friction that pushes in JSON" 3 '"error":"kS would be' "$program" fit motor "$out/pushed.csv" --json
cp "$out/pushed.csv" "$out/kept.csv"
expect "fit --report does not overwrite a recording" 2 "pushed.csv" "$program" fit motor "$out/pushed.csv" --report "$out/pushed.csv"
holds "the recording is as it was" cmp -s "$out/pushed.csv" "$out/kept.csv"
expect "fit refuses an unknown signal" 2 "did you mean 'motor.speed'" "$program" fit motor "$out/dynamic.wpilog" --velocity motor.sped
expect "fit refuses a torque as speed" 2 "expected rad/s" "$program" fit motor "$out/dynamic.wpilog" --velocity motor.torque
expect "fit refuses a missing file" 2 "nothing.wpilog" "$program" fit motor nothing.wpilog
expect "fit knows motors only" 2 "no fit of 'pump'" "$program" fit pump "$out/dynamic.wpilog"

# no output destroys an input or another output, whatever it is called
cat > "$out/first.yaml" << 'END'
title: first
robot: {file: robot.yaml}
inputs: {left: 1 N, right: 1 N}
run: {duration: 0.1 s, step: 1 ms}
END
echo "kind: roomba" > "$out/robot.yaml"
echo "{kind: roomba, mass: 3 kg}" > "$out/second.yaml"
ln -s first.yaml "$out/link.yaml"
ln "$out/robot.yaml" "$out/hard.html"
ln -s new.csv "$out/void.csv"
cat "$out/first.yaml" "$out/robot.yaml" > "$out/kept"
first=$out/first.yaml
expect "the scenario and its robot file" 0 "" "$program" run "$first" --quiet --csv "$out/run.csv"
cp "$out/run.csv" "$out/run.kept"
expect "--csv on the scenario" 2 "overwrite its input" "$program" run "$first" --csv "$first"
expect "--csv on the scenario, spelled otherwise" 2 "overwrite its input" "$program" run "$first" --csv "$out/../${out##*/}/first.yaml"
expect "--csv on a link to the scenario" 2 "overwrite its input" "$program" run "$first" --csv "$out/link.yaml"
expect "--report on the robot file" 2 "overwrite its input" "$program" run "$first" --report "$out/robot.yaml"
expect "report on a hard link to the robot file" 2 "overwrite its input" "$program" report "$first" -o "$out/hard.html"
expect "sweep --csv on the scenario" 2 "overwrite its input" "$program" sweep "$first" --csv "$first"
expect "sweep --csv on the robot file" 2 "overwrite its input" "$program" sweep "$first" --csv "$out/robot.yaml"
expect "plot on its recording" 2 "" "$program" plot "$out/run.csv" pose.x -o "$out/run.csv"
ln -s run.csv "$out/run.svg"
expect "plot on a link to its recording" 2 "overwrite its input" "$program" plot "$out/run.csv" pose.x -o "$out/run.svg"
expect "plot on its measured points" 2 "overwrite its input" "$program" plot "$out/c.csv" pose.x --points "$out/run.csv" -o "$out/run.svg"
expect "convert on its input" 2 "overwrite its input" "$program" convert "$out/run.csv" "$out/../${out##*/}/run.csv"
# a recording of a live run is the input of its replay
"$program" serve $s/drive.yaml --port 0 --speed max --duration '0.1 s' --set expect=[] --record "$out/live.wpilog" > "$out/live.txt" 2>&1 &
pid=$!
tries=0
until "$program" replay "$out/live.wpilog" --quiet > /dev/null 2>&1 || [ $tries -eq 200 ]; do sleep 0.05 && tries=$((tries + 1)); done
kill -INT $pid
wait $pid
cp "$out/live.wpilog" "$out/live.kept"
expect "a live run is replayed" 0 "" "$program" replay "$out/live.wpilog" --quiet
expect "replay says that it ends with its recording" 0 "the recording ends at 0.1 s, and the run with it, before the --duration of 5 s" "$program" replay "$out/live.wpilog" --duration '5 s'
for option in --csv --log --report; do
    expect "replay $option on its recording" 2 "overwrite its input" "$program" replay "$out/live.wpilog" $option "$out/../${out##*/}/live.wpilog"
done
holds "the recording is as it was" cmp "$out/live.wpilog" "$out/live.kept"
expect "sweep --csv on a file of its second value" 2 "overwrite its input" "$program" sweep "$out/first.yaml" --over robot.file=robot.yaml,second.yaml --csv "$out/second.yaml"
expect "two outputs of one name" 2 "written too" "$program" run "$first" --csv "$out/b.csv" --report "$out/b.csv"
expect "two outputs of one place" 2 "written too" "$program" run "$first" --csv "$out/b.csv" --report "$out/../${out##*/}/b.csv"
holds "two outputs: neither is there" test ! -e "$out/b.csv"
expect "two outputs by a link" 2 "written too" "$program" run "$first" --csv "$out/void.csv" --report "$out/new.csv"
expect "two outputs to nowhere are fine" 0 "" "$program" run "$first" --quiet --csv /dev/null --report /dev/null
holds "the inputs are as they were" sh -c "cat '$first' '$out/robot.yaml' | cmp - '$out/kept' && cmp '$out/run.csv' '$out/run.kept'"

# a small stack is the shell's affair: commands have their own
for words in "run $s/quadruped_stand.yaml --duration 10ms --set expect=[]" "report $s/roomba_straight.yaml -o $out/small.html" "sweep $s/drive_loop.yaml --seeds 0..3 --duration 50ms --set expect=[]" \
    "design designs/cylinder_rig.yaml --report $out/small.html" "plan plans/arm_rows.yaml" "verify control"; do
    expect "ulimit -s 256: ${words%% *}" 0 "" sh -c "ulimit -s 256 && exec '$program' $words"
done

# the end of a run is recorded, wherever it falls
expect "record to an odd end" 0 "" "$program" run $s/roomba_straight.yaml --set expect=[] --duration '0.125 s' --quiet --csv "$out/end.csv"
holds "the end is in the record" test "$(tail -n 1 "$out/end.csv" | cut -d, -f1)" = 0.125
expect "record an even end" 0 "" "$program" run $s/roomba_straight.yaml --set expect=[] --duration '0.12 s' --quiet --csv "$out/end.csv"
holds "an even end is there once" test "$(grep -c '^0.12,' "$out/end.csv")" -eq 1
expect "record a failing run" 3 "" "$program" run $s/roomba_circle.yaml --set robot.equations=published-eq3 --set expect=[] --quiet --csv "$out/end.csv"
holds "the last good state is in the record" awk -F, 'END { exit !($1 > 0.48 && $1 < 0.486 && NR > 40) }' "$out/end.csv"

# several robots
cat > "$out/two.yaml" << 'END'
title: two plans
robots:
  red:
    kind: roomba
    control: {path: [line 1 m], mode: schedule}
  blue:
    kind: roomba
    start: {y: 2 m}
    control: {path: [line 2 m], mode: schedule}
run: {duration: 1 s, step: 1 ms}
END
expect "plans are told apart: red" 0 "plan of red" "$program" run "$out/two.yaml"
expect "plans are told apart: blue" 0 "plan of blue" "$program" run "$out/two.yaml"
expect "a short blend is raised, and says so" 0 "blend.used" "$program" run $s/roomba_path_inverse.yaml --set control.blend='1 mm' --set expect=[]
holds "the blend in use is 5 mm" grep -q '^blend.used  *0.005 m' "$out/log"

# what a routine did, step by step
expect "steps of a routine are printed" 0 'steps of the routine of tank' "$program" run $s/routine_square.yaml
expect "each begins where the one before it ends" 0 'done            0.20 ' "$program" run $s/routine_square.yaml
expect "and are in JSON" 0 '"steps":[{"step":1,"depth":0,"label":"wait' "$program" run $s/routine_square.yaml --json
expect "a step that hangs is named" 0 "x_drive.routine: step 5 'drive" "$program" run $s/routine_square.yaml --duration '5.2 s' --set expect=[]

# --json is one JSON object with 17 digits, and --at samples are there
"$program" run $s/roomba_straight.yaml --json --at '2 s,0.5 s' > "$out/run.json" 2> "$out/err"
holds "--json: one line" test "$(wc -l < "$out/run.json")" -eq 1
holds "--json: x at 2 s" grep -q '"t":\[0.5,2\],"pose.x":\[0.1821676936[0-9]*,1.305182983[0-9]*\]' "$out/run.json"
holds "--json: the seed" grep -q '"seed":1,' "$out/run.json"
holds "--json: stderr is empty" test ! -s "$out/err"
loop="$s/cylinder_loop_steps.yaml --set expect=[] --duration 0.01s --json"
# shellcheck disable=SC2086
expect "--json: a continuous loop has no period" 0 '"continuous":true,"period_s":null,' "$program" run $loop
# shellcheck disable=SC2086
expect "--json: a sampled one has" 0 '"continuous":false,"period_s":0.001,' "$program" run $loop --set control.valve.period=1ms
holds "--json: expectations" grep -q '"expect":\[{"text":"[^"]*","passed":true,"value":' "$out/run.json"

# what a failed run did not decide is open
bad="--set robot.equations=published-eq3"
# shellcheck disable=SC2086
expect "undecided is open" 3 "open    at 3 s" "$program" run $s/roomba_circle.yaml $bad --set expect='["at 3 s: pose.x > 0 m"]' --report "$out/open.html"
holds "undecided is not failed" sh -c "! grep -q FAILED '$out/log'"
holds "undecided is open in the report" grep -q "1 of 1 expectation open" "$out/open.html"
# shellcheck disable=SC2086
expect "undecided is null in JSON" 3 '"passed":null,"value":null,"at_s":null' "$program" run $s/roomba_circle.yaml $bad --set expect='["at end: pose.x > 0 m"]' --json

# Ctrl-C: everything recorded so far is kept
"$program" run $s/roomba_straight.yaml --set expect=[] --duration '600 s' --realtime --csv "$out/stop.csv" --json > "$out/stop.json" 2> "$out/err" &
pid=$!
holds "Ctrl-C: rows come while it runs" await reaches "$out/stop.csv" 1
had=$(wc -l < "$out/stop.csv")
kill -INT $pid
wait $pid
status=$?
holds "Ctrl-C: exit code 130" test $status -eq 130
holds "Ctrl-C: JSON is printed" grep -q '"error":"stopped at' "$out/stop.json"
holds "Ctrl-C: the log is there" test "$(wc -l < "$out/stop.csv")" -gt 50 -a "$(wc -l < "$out/stop.csv")" -ge "$had"

# killed: what was in the files stays there, whole (test/record/test_recorder.c: at most the last 250 ms are lost).
# Files are written in turn: when the CSV goes on, the WPILOG has what the CSV had before.
"$program" run $s/roomba_straight.yaml --set expect=[] --duration '600 s' --realtime --csv "$out/kill.csv" --log "$out/kill.wpilog" --quiet &
pid=$!
await reaches "$out/kill.csv" 1.3
last=$(last_row "$out/kill.csv")
holds "kill -9: rows come while it runs" await reaches "$out/kill.csv" "$last"
kill -KILL $pid
wait $pid 2> /dev/null
holds "kill -9: CSV keeps its rows" reaches "$out/kill.csv" "$last"
expect "kill -9: WPILOG can be read" 0 "" "$program" convert "$out/kill.wpilog" "$out/kill2.csv"
holds "kill -9: WPILOG has its rows" test "$(wc -l < "$out/kill2.csv")" -gt 100

# check and list
expect "check all scenarios" 0 "ok" "$program" check $s/*.yaml
expect "check names a file" 2 "no file" "$program" check
expect "check warns of a motor that makes energy" 0 "motor_neo.yaml:2:36: warning: " "$program" check test/scenario/warned/motor_neo.yaml
expect "run warns of it" 0 "stall torque 2.083 N*m for 2.6 N*m" "$program" run test/scenario/warned/motor_neo.yaml
expect "design warns of it" 0 "warning: plant.motor: Kt" "$program" design designs/elevator.yaml --set plant.motor=neo --set plant.motor.stall_torque='2.6 N*m' --set check={}
expect "design --json has it" 0 '"warnings":["--set plant.motor:1:1: plant.motor: Kt' "$program" design designs/elevator.yaml --set plant.motor=neo --set plant.motor.stall_torque='2.6 N*m' --set check={} --json --report "$out/warned_design.html"
holds "the report of a design has it" grep -qF "is 1.248 Ke" "$out/warned_design.html"
expect "report says it" 0 "" "$program" report test/scenario/warned/motor_neo.yaml -o "$out/warned.html" --quiet
holds "report has the warning" grep -qF "stall torque 2.083 N*m for 2.6 N*m" "$out/warned.html"
expect "a motor of the program's own data is not warned of" 0 '"warnings":[]' "$program" design designs/elevator.yaml --set plant.motor=neo --set check={} --json
expect "check knows designs" 0 "designs/drive.yaml: ok, a design with 2 gears" "$program" check designs/*.yaml
expect "check knows plans" 0 "plans/arm_goals.yaml: ok, a plan with 3 paths" "$program" check plans/*.yaml
expect "check knows robot files" 0 "robots/roomba.yaml: ok, a robot file of kind roomba" "$program" check robots/*.yaml
expect "check knows routines" 0 "routines/square.yaml: ok, a routine of 5 steps" "$program" check routines/*.yaml
expect "check knows planners' files" 0 "line.path: ok, a planner's path of 4 m in 2.667 s with 1 event" "$program" check test/fuzz/corpus/planner/*
expect "check finds a mistake of a planner's file at its place" 2 "gap.traj:6:4: " "$program" check test/scenario/planned/gap.traj
printf -- '- wait: 1 s\n- drives: {forward: 1 m}\n' > "$out/routine.yaml"
expect "check finds what is no step" 2 "routine.yaml:2:3: not a step" "$program" check "$out/routine.yaml"
expect "check knows data files" 0 "data/motors.yaml: ok, a data file of" "$program" check data/*.yaml data/fields/*.yaml
expect "check knows recordings" 0 "run.wpilog: ok, a recording of" "$program" check "$out/run.wpilog"
printf 'kind: roomba\nmasss: 3 kg\n' > "$out/robot.yaml"
expect "check finds a mistake of a robot file at its place" 2 "robot.yaml:2:1: robot.masss: unknown key; did you mean 'mass'" "$program" check "$out/robot.yaml"
holds "and says what it took it for" grep -q "robot.yaml: was read as a robot file" "$out/log"
sed 's/^period: .*/period: 5 kg/' designs/matrices.yaml > "$out/wrong.yaml"
expect "check finds a mistake of a design at its place" 2 "wrong.yaml:6:9: period: expected a time" "$program" check "$out/wrong.yaml"
printf 'one: 1\n' > "$out/none.yaml"
expect "check says what it does not know" 2 "none of the files that are known" "$program" check "$out/none.yaml"
printf '{\n\t"name": "x",\n\t"version": "1.0"\n}\n' > "$out/package.json"
for file in README.md Makefile CMakePresets.json "$out/package.json"; do
    expect "check has one sentence for $file" 2 "$file:1:1: none of the files that are known" "$program" check "$file"
    holds "and no more" test "$(wc -l < "$out/log")" -eq 1
done
printf '' > "$out/nothing.txt"
expect "check has a sentence for nothing" 2 "none of the files that are known" "$program" check "$out/nothing.txt"
printf 'WPILOG\0\2\0\0\0\0' > "$out/version.wpilog"
expect "check names a recording once" 2 "$out/version.wpilog:1:1: byte 6: not version 1" "$program" check "$out/version.wpilog"
printf 'time,a\n0,1\n1,x\n' > "$out/cell.csv"
expect "check names the line of a recording" 2 "$out/cell.csv:3:2: a: expected a number" "$program" check "$out/cell.csv"
printf '{"design": "x",\n "loop": !}' > "$out/cut.json"
expect "check names the line of JSON" 2 "$out/cut.json:2:10: not JSON" "$program" check "$out/cut.json"
holds "and the file once" test "$(grep -o cut.json "$out/log" | wc -l)" -eq 1
expect "check names a file that is not there" 2 "No such file" "$program" check "$out/nowhere"
expect "check names JSON that is not there" 2 "No such file" "$program" check "$out/nowhere.json"
expect "check goes on behind a wrong file" 2 "robots/roomba.yaml: ok" "$program" check "$out/none.yaml" robots/roomba.yaml
expect "list robots" 0 "roomba" "$program" list
expect "list robot roomba" 0 "2.7 kg" "$program" list robot roomba
expect "list robot: inputs with their range" 0 "-2.7 N to 2.7 N (max_force)" "$program" list robot roomba
expect "list robot: signals" 0 "power lost to drag" "$program" list robot roomba
expect "list mjcf" 0 '<motor name="elbow" joint="elbow"' "$program" list mjcf $s/mjcf_arm.yaml
expect "list mjcf of another robot" 2 "MuJoCo moves no robot of" "$program" list mjcf $s/roomba_straight.yaml
"$program" list mjcf $s/mjcf_hopper.yaml > "$out/hopper.xml"
sed "s|model: .*}|model: hopper.xml}|" $s/mjcf_hopper.yaml > "$out/hopper.yaml"
expect "list mjcf reads again" 0 "passed  at end: ground.force" "$program" run "$out/hopper.yaml"
expect "list robot nobody" 2 "nobody" "$program" list robot nobody
expect "list of a robot's kind" 2 "expected 'list robot cylinder_rig'" "$program" list cylinder_rig
expect "list of a controller's kind" 2 "expected 'list controller pva'" "$program" list pva
expect "list robot: a mass flow is no damping" 0 "a mass flow, 0 kg/s to 1 kg/s" "$program" list robot cylinder_rig
holds "and a damping no mass flow" grep -q "a damping, 0 N\*s/m to 1000000 N\*s/m" "$out/log"
expect "list plants" 0 "a carriage on an elastic belt" "$program" list plants
for kind in $("$program" list plants | awk '!NF { exit } { print $1 }'); do
    expect "list plant $kind" 0 "parameters (under plant:)" "$program" list plant $kind
    holds "list plant $kind: its inputs" grep -qF "; -12 V to 12 V" "$out/log"
    # "| `mass` | 8 kg |" for every parameter, in the section of all kinds or in its own
    awk '/^parameters/ { on = 1; next } on && /^$/ { exit } on && !/; default / { key = $1 }
         on && sub(/.*; default /, "") { print "| `" key "` | " $0 " |" }' "$out/log" > "$out/rows"
    awk "/^## /{ on = /all kinds/ || /^## $kind\$/ } on" docs/design/mechanism.md > "$out/section"
    holds "list plant $kind: the docs have all its defaults" test "$(wc -l < "$out/rows")" -gt 12 -a -z \
        "$(while read -r row; do grep -qF "$row" "$out/section" || echo "$row"; done < "$out/rows")"
done
expect "list plant: a default" 0 "a length, 0.0001 m to 100 m; default 2 in" "$program" list plant shooter
expect "list plant: what a motor says" 0 "default that of cim; in a map without it 0 kg*m^2" "$program" list plant elevator
expect "list plant nobody" 2 "there is no kind of plant 'nobody'" "$program" list plant nobody
expect "list scenario" 0 "max_step" "$program" list scenario
holds "list scenario: no longest step" grep -q "default none$" "$out/log"
holds "list scenario: a disturbance lasts to the end" grep -q "default to the end" "$out/log"
expect "list routine" 0 "drive: {to: [1 m, 2 m], heading: 90 deg, around: true}" "$program" list routine
for step in wait drive turn follow hold until set parallel timeout repeat; do
    holds "list routine: $step" grep -q "^$step: " "$out/log"
    holds "the page has the step $step" grep -q "^| .$step: " docs/control/routine.md
done
expect "list names the data files" 0 "motors" "$program" list
expect "list motors" 0 "2.42 N*m" "$program" list motors
holds "list motors: with sources" grep -q "how sure: " "$out/log"
holds "list motors: constants by both readings" grep -Eq "^neo  .* 0.01984 +0.02476 +1.248 +0.01984 +2.083  balanced" "$out/log"
expect "list names the nearest" 2 "did you mean 'motors'" "$program" list moters
expect "list robot tank: a table by rows" 0 "[[120 A, 1800 s], " "$program" list robot tank
holds "list robot tank: a pair" grep -qF "default [95 psig, 115 psig]" "$out/log"
holds "list robot tank: keys of what has a name" grep -qF "air.cylinders.NAME.valve.C" "$out/log"
expect "list robot holonomic: a preset for all of it" 0 "a name from data/holonomics.yaml" "$program" list robot holonomic
holds "list robot holonomic: keys of what has a number" grep -qF "wheels.at.NUMBER.roller" "$out/log"
holds "list robot holonomic: a word for no limit" grep -qF -- "-10 rad to 10 rad, or none; default none" "$out/log"
expect "list holonomics" 0 "kiwi" "$program" list holonomics
expect "a preset for a whole robot by --set" 0 "" "$program" run $s/xdrive_strafe.yaml --set robot.preset=kiwi --set expect=[] --quiet
expect "one wheel of a preset by --set" 2 "robot.wheels.at.2.x: out of range" "$program" run $s/xdrive_strafe.yaml --set robot.wheels.at.2.x='200 m' --quiet
expect "a report of a robot with a list" 0 "" "$program" report $s/xdrive_strafe.yaml --set robot.wheels.at.3.roller='80 deg' --set expect=[] -o "$out/list.html" --quiet
holds "the report has each item of a list" grep -qF '<td class="name">wheels.at.3.direction</td>' "$out/list.html"
holds "the report has its value" sh -c "grep -A1 -F '>wheels.at.3.roller<' '$out/list.html' | grep -qF '1.39626'"
expect "list units" 0 "psig" "$program" list units
expect "list units: offsets" 0 "6894.757293168362 x + 101325" "$program" list units
# every row of the table in docs/units.md is what the program prints
"$program" list units | tr -s ' ' > "$out/units"
grep '^| `' docs/units.md | sed -n '/^| `m` | m |/,$p' | tr -d '`|' | sed 's/^ *//; s/ *$//' | tr -s ' ' > "$out/units.docs"
holds "list units agrees with docs/units.md" test "$(grep -vxFf "$out/units" "$out/units.docs" | wc -l)" -eq 0
holds "docs/units.md has all units" test "$(wc -l < "$out/units.docs")" -eq "$(($(wc -l < "$out/units") - 3))"
expect "list signals" 0 "velocity.heading" "$program" list signals $s/roomba_straight.yaml

# record, convert, plot, report
expect "record" 0 "" "$program" run $s/roomba_circle.yaml --quiet --set expect=[] --csv "$out/c.csv" --log "$out/c.wpilog"
expect "convert wpilog to csv" 0 "" "$program" convert "$out/c.wpilog" "$out/c2.csv"
holds "converted CSV equals the recorded one" cmp "$out/c.csv" "$out/c2.csv"
expect "convert has nothing to say" 0 "" "$program" convert "$out/c.wpilog" "$out/c2.csv"
holds "convert without messages is silent" test ! -s "$out/log"
smooth='{filter: butterworth, order: 2, cutoff: 2 Hz}'
signal=$(head -n 1 "$out/c.csv" | cut -d, -f2 | sed 's/ .*//')
expect "convert filters a signal" 0 "" "$program" convert "$out/c.wpilog" "$out/c3.csv" --filter "$signal=$smooth"
holds "what is filtered differs" sh -c '! cmp -s "$1" "$2"' sh "$out/c.csv" "$out/c3.csv"
cut -d, -f1,3- "$out/c.csv" > "$out/c4.csv"
holds "the other signals do not" sh -c 'cut -d, -f1,3- "$1" | cmp - "$2"' sh "$out/c3.csv" "$out/c4.csv"
expect "convert filters a signal of a wpilog" 0 "" "$program" convert "$out/c.wpilog" "$out/c5.wpilog" --filter "$signal=$smooth"
holds "which says so" grep -aq "filtered" "$out/c5.wpilog"
expect "convert: a signal that is not there" 2 "there is no signal 'nose'" "$program" convert "$out/c.wpilog" "$out/c3.csv" --filter "nose=$smooth"
expect "convert: a filter that is none" 2 "ordr: unknown key; did you mean 'order'?" \
    "$program" convert "$out/c.wpilog" "$out/c3.csv" --filter "$signal={filter: butterworth, ordr: 2}"
expect "convert csv to wpilog" 0 "" "$program" convert "$out/c.csv" "$out/c3.wpilog"
foreign=test/fuzz/corpus/log/arrays.wpilog
expect "arrays and structs of another program are read" 0 "" "$program" convert $foreign "$out/foreign.csv"
holds "each element is a signal" grep -q 'Vision.Poses.1.heading \[rad\].*Arm.Setpoints.2,.*Cam.z \[m\]' "$out/foreign.csv"
holds "what is not read is named once" test "$(grep -c "of type 'proto:Thing', 6 records, such as 'Thing', are not read" "$out/log")" -eq 1
expect "plot names the poses there are" 2 "'Odometry.Robot', 'Vision.Poses.0', 'Vision.Poses.1', 'Cam': choose one with --robot" "$program" plot $foreign --trajectory -o "$out/f.svg"
expect "plot --robot finds any pose" 0 "" "$program" plot $foreign --trajectory --robot Vision.Poses.0 -o "$out/f.svg"
expect "convert refuses garbage" 2 "" "$program" convert README.md "$out/x.csv"
for kind in "" --xy --trajectory --histogram --box --spectrum --log-y; do
    signals="pose.x pose.y"
    [ "$kind" = --trajectory ] && signals=
    # shellcheck disable=SC2086
    expect "plot $kind svg" 0 "" "$program" plot "$out/c.wpilog" $signals $kind -o "$out/p$kind.svg"
    holds "plot $kind is an SVG" grep -q "</svg>" "$out/p$kind.svg"
done
# In which units people see a signal, whatever it was recorded in; the recording itself is SI. The stroke is 44.45 mm, so that 40 is a tick.
expect "record a cylinder" 0 "" "$program" report $s/cylinder_step.yaml --quiet --set expect=[] --duration '0.2 s' --csv "$out/rig.csv" --log "$out/rig.wpilog" -o "$out/rig.html"
holds "a CSV is in SI" grep -q '^Timestamp,cylinder.position \[m\],.*,cap.pressure \[Pa\],' "$out/rig.csv"
for log in rig.csv rig.wpilog; do
    expect "plot $log" 0 "" "$program" plot "$out/$log" cylinder.position cap.pressure -o "$out/rig.svg"
    for word in 'cylinder.position \[mm\]' 'cap.pressure \[kPa\]' '> *40<'; do
        holds "plot $log has $word" grep -q "$word" "$out/rig.svg"
    done
    expect "plot --xy $log" 0 "" "$program" plot "$out/$log" cylinder.position cap.pressure --xy -o "$out/rig.svg"
    holds "plot --xy $log has mm along x" grep -q 'cylinder.position \[mm\]' "$out/rig.svg"
done
holds "the report draws mm" grep -q 'cylinder.position \[mm\]' "$out/rig.html"
holds "the report draws kPa" grep -q 'cap.pressure \[kPa\]' "$out/rig.html"
# A line of 10 m from (1, 2), as samples; the same beside itself, and a part of it.
printf 'time [s],pose.x [m],pose.y [m]\n0,1,2\n1,4,6\n2,7,10\n' > "$out/line.csv"
expect "convert a line" 0 "" "$program" convert "$out/line.csv" "$out/line.wpilog"
for line in line.csv line.wpilog; do
    expect "plot --trajectory prints the size of $line" 0 "width 6 m, height 8 m, centre (4 m, 6 m)" "$program" plot "$out/$line" --trajectory -o "$out/q.svg"
    expect "plot --trajectory --json has the size of $line" 0 '"width":6,"height":8,"centre":[4,6]' "$program" plot "$out/$line" --trajectory --json -o "$out/q.svg"
done
expect "plot --trajectory prints the size of measured points" 0 "measured: width 6 m" "$program" plot "$out/c.csv" --trajectory --points "$out/line.csv" -o "$out/q.svg"
expect "plot --trajectory prints the size of a part" 0 "width 3 m, height 4 m, centre (5.5 m, 8 m)" "$program" plot "$out/line.csv" --trajectory --from '1 s' -o "$out/q.svg"
expect "record two robots" 0 "" "$program" run $s/roomba_two.yaml --quiet --set expect=[] --log "$out/two.wpilog"
expect "plot --trajectory prints the size of a robot's path" 0 "red: width" "$program" plot "$out/two.wpilog" --trajectory --robot red -o "$out/q.svg"
expect "plot --json without --trajectory" 2 "goes with --trajectory" "$program" plot "$out/c.csv" pose.x --json -o "$out/q.svg"
expect "plot png" 0 "" "$program" plot "$out/c.csv" 'pose.*' -o "$out/p.png"
holds "plot png is a PNG" sh -c "head -c 4 '$out/p.png' | grep -q PNG"
expect "plot with measured points" 0 "" "$program" plot "$out/c.csv" pose.x --points "$out/c2.csv" -o "$out/points.svg"
expect "plot names the nearest signal" 2 "pose.x" "$program" plot "$out/c.csv" pose.xx -o "$out/q.svg"
expect "plot beyond the recording" 2 "it runs from 0 s to 3 s" "$program" plot "$out/c.csv" pose.x --from '50 s' -o "$out/q.svg"
expect "plot before the recording" 2 "it runs from 0 s to 3 s" "$program" plot "$out/c.csv" pose.x --to '-1 s' -o "$out/q.svg"
expect "report" 0 "" "$program" report $s/roomba_circle.yaml -o "$out/r.html" --diagram '1 s' --quiet
expect "--diagram beyond the run" 2 "is not within the run" "$program" report $s/roomba_circle.yaml -o "$out/r2.html" --diagram '80 s'
expect "--diagram where nothing stands on the floor" 0 "no free-body diagram: nothing here stands on the floor" "$program" report $s/motor_spin_up.yaml -o "$out/r2.html" --diagram '10 ms'
holds "and the report says so" grep -q "No free-body diagram: nothing here" "$out/r2.html"
expect "--diagram behind a run that failed" 3 "the run ended at 0.484 s, before 2 s" "$program" report $s/roomba_circle.yaml -o "$out/r2.html" --diagram '2 s' --set robot.equations=published-eq3 --set expect=[]
expect "a tank's diagram" 0 "" "$program" report $s/tank_turn.yaml -o "$out/r2.html" --quiet --set expect=[]
holds "it has the tyres' forces" grep -q 'front</tspan>' "$out/r2.html"
holds "report is complete" grep -q "</html>" "$out/r.html"
holds "report has plots" grep -q "<svg" "$out/r.html"
holds "report loads nothing from outside" sh -c "! grep -qE '(src|href)=\"https?:' '$out/r.html'"

# sweep
expect "sweep" 0 "10 runs" "$program" sweep $s/roomba_noise.yaml --seeds 0..9
expect "sweep over a grid" 1 "of 4 failed" "$program" sweep $s/roomba_straight.yaml --over robot.mass='2.7 kg,3 kg' --over robot.drag='3.4 N*s^2/m^2,4 N*s^2/m^2' --csv "$out/sweep.csv"
holds "sweep CSV has a row a run" test "$(wc -l < "$out/sweep.csv")" -eq 5
expect "sweep names the runs that are to be warned of" 0 "warning: run.tolerance=0.1: inductive.energy.error: the book of energy is off" "$program" sweep $s/motor_spin_up.yaml --set run.solver=dopri5 --set expect=[] --over run.tolerance=1e-9,0.1 --csv "$out/warned.csv"
holds "sweep CSV marks them" test "$(sed -n '2,3p' "$out/warned.csv" | cut -d, -f6 | tr '\n' ' ')" = "0 1 "
expect "sweep refuses a bad value before it runs" 2 "robot.mass" "$program" sweep $s/roomba_straight.yaml --over robot.mass='2 kg,3 m'
expect "sweep refuses seeds backwards" 2 "--seeds" "$program" sweep $s/roomba_noise.yaml --seeds 9..0

expect "sweep refuses two kinds of seeds" 2 "exclude each other" "$program" sweep $s/roomba_noise.yaml --over run.seed=1,2 --seeds 0..3
expect "sweep without a finished run has no statistics" 3 "0 of 1 run" "$program" sweep $s/roomba_circle.yaml --set robot.equations=published-eq3
holds "sweep without a finished run prints -" grep -qE '^pose.x +m +- +- +- +-$' "$out/log"
holds "one run is not runs" sh -c "! grep -q '1 runs' '$out/log'"
expect "sweep refuses one path twice" 2 "robot.mass is there twice" "$program" sweep $s/roomba_straight.yaml --over robot.mass='2 kg' --over robot.mass='3 kg'
expect "sweep tells the scenario's seed" 0 '"seed":7,' "$program" sweep $s/roomba_noise.yaml --set run.seed=7 --json
cat > "$out/draw.yaml" << 'END'
title: some draws are out of range
robot: {kind: roomba, mass: {normal: [1 kg, 1 kg]}}
inputs: {left: 1 N, right: 1 N}
run: {duration: 0.1 s, step: 1 ms}
expect: ["always: pose.x < 1 m"]
END
expect "also where the first is one of them" 3 " of 2 runs" "$program" sweep "$out/draw.yaml" --seeds 2..3
expect "and where that is not of the first value" 3 " of 4 runs" "$program" sweep "$out/draw.yaml" --seeds 2..3 --over robot.mass='2 kg,{normal: [1 kg, 1 kg]}'
expect "values that are no formulas" 0 "" "$program" sweep "$out/draw.yaml" --set robot.mass='2 kg' --over title='=1+1,-1+1' --over start.heading='-5 deg' --csv "$out/formula.csv"
holds "are none in a spreadsheet" sh -c "sed -n 2,3p '$out/formula.csv' | cut -d, -f1,2 | tr '\\n' ' ' | grep -qxF \"\\\"'=1+1\\\",\\\"-5 deg\\\" \\\"'-1+1\\\",\\\"-5 deg\\\" \""
expect "runs that cannot be read fail" 3 " failed, " "$program" sweep "$out/draw.yaml" --seeds 0..20
holds "they are not counted as run" grep -qE 'passed .*: 0 of [0-9]+ failed, [0-9]+ not run$' "$out/log"
holds "the title has both counts" grep -qE 'out of range: [0-9]+ of 21 runs' "$out/log"

"$program" sweep $s/roomba_noise.yaml --seeds 0..999999 --jobs 1 > "$out/stop.txt" 2>&1 &
pid=$!
holds "a sweep minds Ctrl-C" await minds $pid
kill -INT $pid
wait $pid
status=$?
holds "Ctrl-C in a sweep: exit code 130" test $status -eq 130
holds "Ctrl-C in a sweep: the title has both counts" grep -qE ': [0-9]+ of 1000000 runs' "$out/stop.txt"

# verify and bench
expect "verify roomba" 0 "" "$program" verify roomba
expect "verify roomba says that all is as expected" 0 "every verdict is the expected one" "$program" verify roomba
expect "verify roomba --json has the located time" 0 '"computed":13.048312343' "$program" verify roomba --json
expect "verify roomba --json has the circle that does not close" 0 '"computed":0.05264535' "$program" verify roomba --json
expect "verify roomba says how a limit is meant" 0 "Holds when no more" "$program" verify roomba
expect "verify motor says that all is as expected" 0 "every verdict is the expected one" "$program" verify motor
expect "verify motor has a line for every motor" 0 "kraken-x60-foc  " "$program" verify motor
expect "verify motor --json has the amplification" 0 '"computed":-76.4954' "$program" verify motor --json
expect "verify tank says that all is as expected" 0 "every verdict is the expected one" "$program" verify tank
expect "verify tank --json has the published terminal speed" 0 '"published":1.28513986' "$program" verify tank --json
expect "verify tank --json has the corrected fill time" 0 '"computed":36.9199000' "$program" verify tank --json
expect "verify tank --json has the tank that is not half a litre" 0 '"published":0.5,"computed":0.57' "$program" verify tank --json
expect "verify tank --report writes a page" 0 "" "$program" verify tank --report "$out/tank.html"
holds "the page has the fill time" grep -q '36.9199' "$out/tank.html"
expect "verify control says that all is as expected" 0 "every verdict is the expected one" "$program" verify control
expect "verify control has the corner that is outside" 0 "(12, 15), outside of the box" "$program" verify control
expect "verify control --json has the filter's mean of reference D5" 0 '"computed":3.60451028778' "$program" verify control --json
expect "verify control --report writes a page" 0 "" "$program" verify control --report "$out/control.html"
expect "verify xdrive says that all is as expected" 0 "every verdict is the expected one" "$program" verify xdrive
expect "verify xdrive has the table's mistake" 0 "(9) 0, 1, 0          1, -1, -1, 0 1, -1, -1, 1 " "$program" verify xdrive
expect "verify xdrive --json has the error of the direction" 0 '"computed":8.13010235415' "$program" verify xdrive --json
expect "verify xdrive --report writes a page" 0 "" "$program" verify xdrive --report "$out/xdrive.html"
expect "verify cylinder says that all is as expected" 0 "every verdict is the expected one" "$program" verify cylinder
expect "verify cylinder has the methods' table" 0 "rms              15.399" "$program" verify cylinder
expect "verify cylinder --json has the energy that a stroke makes" 0 '"computed":0.05996609' "$program" verify cylinder --json
expect "verify cylinder says what cannot be recomputed" 0 "Not recomputable without the measurements" "$program" verify cylinder
expect "verify cylinder --report writes a page" 0 "" "$program" verify cylinder --report "$out/cylinder.html"
holds "the page has its last figure" grep -q "Figure 48" "$out/cylinder.html"
expect "verify quadruped says that all is as expected" 0 "every verdict is the expected one" "$program" verify quadruped
expect "verify quadruped says what cannot be recomputed" 0 "Not recomputable without the measurements" "$program" verify quadruped
expect "verify quadruped --json has the mass of the robot" 0 '"computed":59.06092872' "$program" verify quadruped --json
expect "verify quadruped --report writes a page" 0 "" "$program" verify quadruped --report "$out/quadruped.html"
holds "the page has its last figure" grep -q "Figure 49" "$out/quadruped.html"
expect "verify xdrive --stick has the driven direction" 0 "53.1301   59.0362   5.90614" "$program" verify xdrive --stick 0.6,0.8,0
expect "verify xdrive --stick=-1,0,1 bends by 45 degrees" 0 "-135        45  0.707107       0.5" "$program" verify xdrive --stick=-1,0,1
expect "verify xdrive --stick tells a missing case" 0 "no case of one" "$program" verify xdrive --stick 1,0.5,1
expect "verify xdrive --stick --json has outputs" 0 '"law":"corrected","outputs":[1,-1,-1,-1]' "$program" verify xdrive --stick 0,1,1 --json
expect "verify xdrive --stick beyond its end" 2 "y: expected a number from -1 to 1, got '1.5'" "$program" verify xdrive --stick 0,1.5,0
expect "verify xdrive --stick of two numbers" 2 "expected x,y,turn" "$program" verify xdrive --stick 0,1
expect "verify xdrive --stick of a word" 2 "turn: expected a number" "$program" verify xdrive --stick 0,1,left
expect "verify --stick is for xdrive" 2 "is for xdrive" "$program" verify tank --stick 0,1,0
expect "verify --stick needs a name" 2 "needs the name" "$program" verify --stick 0,1,0
expect "verify --stick without --report" 2 "do not go together" "$program" verify xdrive --stick 0,1,0 --report "$out/no.html"
expect "verify --report needs a name" 2 "needs the name" "$program" verify --report "$out/none.html"
expect "verify --report into nowhere" 2 "cannot write" "$program" verify tank --report "$out/no/such.html"
expect "verify names the nearest" 2 "did you mean 'roomba'" "$program" verify romba
expect "verify lists what it can" 0 "roomba" "$program" verify
expect "verify nobody" 2 "nobody" "$program" verify nobody
expect "bench" 0 "ns" "$program" bench $s/roomba_straight.yaml
expect "bench does not mind expectations behind its end" 0 "rate evaluations   none: every robot has steps of its own" "$program" bench $s/mjcf_pendulum.yaml --duration '0.1 s' --repeat 1

# plug-ins that misbehave
# test/link/plugins/mischief.h: 2 gives an output that is not a number
cc -shared -fPIC -Iinclude test/link/plugins/mischief.c -lm -o "$out/mischief.so"
printf '%s\n' 'robot: {kind: roomba, sensors: {gyro: {kind: gyro, period: 10 ms}}}' 'control: {plugin: mischief.so}' \
    'inputs: {mischief: [[0 s, 0], [0.5 s, 2]]}' 'run: {duration: 1 s}' > "$out/mischief.yaml"
expect "a plug-in's trouble is told" 0 "output 'right' was not a finite number" "$program" run --allow-plugins "$out/mischief.yaml"
holds "and told once: not again for the inputs that it left" test "$(grep -c warning: "$out/log")" -eq 1
# 27 blocks all signals and never returns: no signal can leave the call, and Ctrl-C would not end the program
expect "a plug-in that is deaf and hangs ends the program, and is named" 3 "the plug-in 'mischief' does not return and hears no signal" \
    timeout -s KILL 60 "$program" run --allow-plugins "$out/mischief.yaml" --set inputs.mischief=27
# a step that is too long for a robot, of which it could not know
cat > "$out/throw.yaml" << 'END'
robot: {kind: roomba}
inputs: {left: 0 N, right: 0 N}
disturbances: [{at: 0.1 s, impulse: 8 N*s, direction: 90 deg}, {at: 0 s, signal: force.side, scale: 18}]
run: {duration: 1 s}
END
"$program" run "$out/throw.yaml" > "$out/log" 2>&1
holds "a step that is too long is told, with one that would do" grep -q "velocity.y: .* too fast for a step of 1 ms; try run.step: 0.05 ms" "$out/log"
"$program" run "$out/throw.yaml" --json 2> /dev/null > "$out/log"
holds "and in the JSON" grep -q '"warnings":\["velocity.y: ' "$out/log"
"$program" run "$out/throw.yaml" --csv "$out/throw.csv" --at '0.1 s,0.2 s' > "$out/log" 2>&1
holds "and whoever looks" grep -q "too fast for a step of 1 ms" "$out/log"
"$program" sweep "$out/throw.yaml" --seeds 0..1 > "$out/log" 2>&1
holds "and of a sweep" grep -q "too fast for a step of 1 ms" "$out/log"
"$program" run "$out/throw.yaml" --report "$out/throw.html" --quiet > "$out/log" 2>&1
holds "and in the report" grep -q "<li>.*velocity.y: .*too fast for a step of 1 ms" "$out/throw.html"
"$program" run "$out/throw.yaml" --set 'run.step=0.05 ms' > "$out/log" 2>&1
holds "and with that step there is nothing to tell" test "$(grep -c "too fast" "$out/log")" -eq 0

# plan: the figures of reference D6, and what cannot be
# number KEY: the first number behind it in $out/plan.json; passed NUMBER WANTED TOLERANCE
number() { sed -n "s/.*$1\":\([-+.0-9eE]*\).*/\1/p" "$out/plan.json" | head -n 1; }
timed() { sed -n "s/.*\"$1\":{\"time_s\":\([-+.0-9eE]*\),.*/\1/p" "$out/plan.json" | head -n 1; }
about() { awk -v a="$1" -v b="$2" -v c="$3" 'BEGIN { d = a - b; exit !(a != "" && d <= c && d >= -c) }'; }
# within JSON_LIST MOST: both numbers of it
within() { sed -n "s/.*\"certificate\":.*\"$1\":\[\([^]]*\)\].*/\1/p" "$out/plan.json" | awk -F, -v most="$2" '{ n = NF; bad = 0; for (i = 1; i <= NF; i++) if ($i > most) bad = 1 } END { exit n != 2 || bad }'; }
expect "plan prints a table" 0 "what binds          volts1" "$program" plan plans/arm_path_a.yaml
expect "plan --json" 0 '"method":"reach"' "$program" plan plans/arm_path_a.yaml --json
cp "$out/log" "$out/plan.json"
holds "plan --json is one line and nothing else" test "$(wc -l < "$out/log")" -eq 1
holds "path A by reachability" about "$(timed reach)" 0.565074982 1e-6
holds "path A by the passes" about "$(timed passes)" 0.565074982 5e-4
holds "path A keeps 12 V on the plant" within volts 12.001
"$program" plan plans/arm_path_b.yaml --json > "$out/plan.json"
holds "path B by reachability" about "$(timed reach)" 0.53888 1e-4
holds "path B by the passes" about "$(timed passes)" 0.5509 5e-4
holds "path B keeps 12 V on the plant" within volts 12.001
"$program" plan plans/arm_path_b.yaml --set 'limits.acceleration=[40 rad/s^2, 60 rad/s^2]' --json > "$out/plan.json"
holds "path B with limits of acceleration" about "$(timed passes)" 0.563797655 5e-4
expect "plan searches for a path" 0 '"search":{"straight_s":' "$program" plan plans/arm_two_discs.yaml --json --scene "$out/scene.svg" --plot "$out/passes.svg"
cp "$out/log" "$out/plan.json"
holds "that is 15 % faster than the passes on the detour" awk -v found="$(number faster)" 'BEGIN { exit !(found >= 0.15) }'
holds "and keeps 12 V on the plant" within volts 12.001
holds "plan draws the scene" grep -q "way of the hand" "$out/scene.svg"
holds "plan draws the passes" grep -q "curvature" "$out/passes.svg"
expect "plan of several paths" 0 "down, shelf to floor" "$program" plan plans/arm_goals.yaml
expect "plan --csv" 0 "" "$program" plan plans/arm_goals.yaml --way down --csv "$out/plan.csv" --quiet
holds "it is a recording" "$program" check "$out/plan.csv"
holds "of 800 rows" test "$(wc -l < "$out/plan.csv")" -eq 801
expect "plan --rows" 0 "" "$program" plan plans/arm_goals.yaml --way down --rows "$out/down.csv" --quiet
sed 's/^  down: .*/  down: {rows: down.csv}/' plans/arm_goals.yaml > "$out/kept.yaml"
expect "a path that was kept is read" 0 "down, shelf to floor: 800 rows of a table" "$program" plan "$out/kept.yaml"
expect "plan --way names the nearest" 2 "did you mean 'down'" "$program" plan plans/arm_goals.yaml --way dwon --csv "$out/plan.csv"
expect "plan does not overwrite its input" 2 "would overwrite its input" "$program" plan plans/arm_rows.yaml --csv plans/arm_rows.csv
expect "plan --export-c" 0 "arm_goals_test.c" "$program" plan plans/arm_goals.yaml --export-c "$out/plan"
holds "its tables compile as C99" cc -std=c99 -Wall -Wextra -Wpedantic -Werror "$out/plan/arm_goals.c" "$out/plan/arm_goals_test.c" -o "$out/plan/check"
holds "and agree with the plan" "$out/plan/check"
holds "and are C++, too" c++ -x c++ -Wall -Wextra -Werror "$out/plan/arm_goals.c" "$out/plan/arm_goals_test.c" -o "$out/plan/check"
holds "its follower compiles as C99" cc -std=c99 -Wall -Wextra -Wpedantic -Werror "$out/plan/arm_goals_follow.c" "$out/plan/arm_goals_follow_test.c" -lm -o "$out/plan/check"
holds "and agrees with the simulation's" "$out/plan/check"
sed 's/^    {\([-.0-9]*\)/    {1.5/' "$out/plan/arm_goals.c" > "$out/plan/wrong.c"
cc -std=c99 "$out/plan/wrong.c" "$out/plan/arm_goals_test.c" -o "$out/plan/check"
if "$out/plan/check" > "$out/log"; then echo "not ok a wrong table is found"; else echo "ok a wrong table is found"; fi
echo 'int mine;' > "$out/plan/arm_goals.h"
expect "plan leaves files of others alone" 2 "--force overwrites it" "$program" plan plans/arm_goals.yaml --export-c "$out/plan"
expect "plan --force does not" 0 "" "$program" plan plans/arm_goals.yaml --export-c "$out/plan" --force --quiet
expect "plan names a goal out of reach" 2 "out of reach by 0.7635 m" "$program" plan plans/arm_goals.yaml --set 'goals.shelf={x: 3 m, z: 0 m}'
expect "plan names limits that nothing meets" 2 "joint 1 needs" "$program" plan plans/arm_path_a.yaml --set 'limits.voltage=2 V'
expect "plan names an obstacle in the way" 2 "path: the path is inside of obstacle 'ball' by" "$program" plan plans/arm_path_a.yaml --set 'obstacles=[{name: ball, x: 120 cm, z: 180 cm, radius: 20 cm}]'
expect "plan of no file" 2 "no plan was named" "$program" plan
printf 'robot: {kind: bench, mechanisms: {arm: {kind: arm, preset: frc971-2018}}}\nstart: {arm: {theta1: 0.3 rad, theta2: -0.5 rad}}\ncontrol: {arm: {kind: arm_path, plan: %s}}\ninputs: {arm.goal: [[0 s, begin], [0.1 s, end]]}\nrun: {duration: 1 s, step: 1 ms}\nexpect: ["at end: arm.theta2 = 0.9 rad +- 5 mrad"]\n' "$PWD/plans/arm_path_a.yaml" > "$out/arm.yaml"
expect "a scenario follows a plan" 0 "passed" "$program" run "$out/arm.yaml"
printf 'robot: {kind: bench, battery: {open_circuit: 8 V, resistance: 0 ohm, constant_voltage: true}, mechanisms: {arm: {kind: arm, preset: frc971-2018}}, sensors: {shoulder: {kind: sampled, signal: arm.theta1, period: 5 ms}, elbow: {kind: sampled, signal: arm.theta2, period: 5 ms}, volt: {kind: sampled, signal: battery.voltage, period: 5 ms}}}\nstart: {arm: {theta1: 0.3 rad, theta2: -0.5 rad}}\ncontrol: {arm: {kind: arm_path, plan: %s, sensors: [shoulder, elbow], battery: volt}}\ninputs: {arm.goal: [[0 s, low], [0.5 s, high]]}\nrun: {duration: 1.5 s, step: 1 ms}\nexpect: ["always: control.arm.error.theta1 = 0 rad +- 1 mrad", "always: control.arm.error.theta2 = 0 rad +- 1 mrad", "always: control.arm.estimate.volts1 = 0 V +- 0.2 V", "at 1.35 s: arm.theta1 = 1.3 rad +- 1 mrad", "at 1.35 s: arm.theta2 = 0.9 rad +- 1 mrad"]\n' "$PWD/plans/arm_three_goals.yaml" > "$out/low.yaml"
expect "an arm whose battery has 8 V of the 11 V that its plan counts on goes slower, on its way" 0 "passed  at 1.35 s: arm.theta2" "$program" run "$out/low.yaml"
expect "fewer volts than a plan counts on are told" 0 "volts: it asks for 5 V at most, and its plan counts on 11 V" "$program" run "$out/low.yaml" --set 'control.arm.volts=5 V' --set expect=[]
printf 'arm: {preset: frc971-2018}\nclear: {part: hand, radius: 5 cm}\nobstacles: [{name: bar, x: 55 cm, z: 205 cm, radius: 10 cm}, {name: lamp, x: 150 cm, z: 135 cm, radius: 15 cm}]\ngoals: {low: [0.3 rad, -0.5 rad], high: [1.3 rad, 0.9 rad], third: [0.2 rad, -0.7 rad]}\npath: {joints: [low, third]}\n' > "$out/blocked_plan.yaml"
printf 'robot: {kind: bench, mechanisms: {arm: {kind: arm, preset: frc971-2018}}}\nstart: {arm: {theta1: 0.3 rad, theta2: -0.5 rad}}\ncontrol: {arm: {kind: arm_path, plan: blocked_plan.yaml}}\ninputs: {arm.goal: [[0 s, low], [0.5 s, high]]}\nrun: {duration: 1 s, step: 1 ms}\n' > "$out/blocked.yaml"
expect "an arm to whose goal no way leads says so" 0 "control.arm.mode: at 0.5 s the arm stays: no free way leads to its goal" "$program" run "$out/blocked.yaml"
expect "and in JSON" 0 '"warnings":["control.arm.mode: at 0.5 s the arm stays' "$program" run "$out/blocked.yaml" --json
expect "a plan's mistakes are a scenario's" 2 "unknown_key.yaml:4:1: limit: unknown key" "$program" run "$out/arm.yaml" --set "control.arm.plan=$PWD/test/desk/broken_plans/unknown_key.yaml"
expect "list knows what follows a plan" 0 "a plan file of an arm" "$program" list controller arm_path
expect "and that MPC takes one" 0 "default 0.3 s" "$program" list controller arm_mpc
expect "arm_mpc names a limit that it does not keep" 2 "control.free.plan: it has links that stay clear" "$program" run scenarios/arm_mpc_stalls.yaml --set control.free.plan=../plans/arm_goals.yaml
expect "arm_mpc names a horizon that is too long" 2 "control.arm.horizon: 2 s is 133 periods" "$program" run scenarios/arm_mpc_stalls.yaml --set "control.arm.horizon=2 s"
