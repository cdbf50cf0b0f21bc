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
sed 's/^limits: .*/limits: {volts: [-1e308, 1e308]}/' designs/matrices.yaml > "$out/limits.yaml"
expect "design --report with limits of 1e308" 0 "" bounded "$program" design "$out/limits.yaml" --quiet --report "$out/limits.html"
expect "design --try with limits of 1e308" 0 "response" bounded "$program" design "$out/limits.yaml" --try goal.x=1

# files that would take the square of their length to read
blanks() { head -c 60000 /dev/zero | tr '\0' "$1"; }
{ printf 'robot: {kind:'; blanks ' '; printf 'roomba}\nrun: {duration: 1 s}\n'; } > "$out/blanks.yaml"
{ printf 'title: |\n'; blanks '\n'; printf '  x\nrobot: {kind: roomba}\nrun: {duration: 1 s}\n'; } > "$out/lines.yaml"
for command in run check design sweep serve report bench; do
    expect "$command refuses 60 KB of blanks" 2 "blanks.yaml:1:14: more than 256 blanks" bounded "$program" $command "$out/blanks.yaml"
    expect "$command refuses 60 KB of empty lines" 2 "lines.yaml:1:9: more than 256 blanks" bounded "$program" $command "$out/lines.yaml"
done
printf '%s\n' 'robot: {file: blanks.yaml}' 'run: {duration: 1 s}' > "$out/robot.yaml"
expect "a robot file of blanks is refused at its place" 2 "blanks.yaml:1:14: more than 256 blanks" bounded "$program" run "$out/robot.yaml"
expect "--set refuses blanks" 2 "more than 256 blanks" bounded "$program" run $s/roomba_straight.yaml --set "robot={kind:$(blanks ' ')roomba}"
