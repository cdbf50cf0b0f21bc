#!/bin/sh
# Odd input through every command that reads it, sanitized, with ten seconds of processor time and 1 GiB each: mutated files of every kind, keys at the ends of their ranges, odd models:
# sh test/run_trials.sh JOBS TRIAL=FIRST:COUNT… (test/run_trials.c), shared out among so many processes. Prints "ok" and "not ok" lines.
# SEED=N is for other cases: FIRST is a million and three farther for each N, farther than any COUNT; but `all` are all.
[ $# -ge 2 ] || { echo "usage: sh test/run_trials.sh JOBS TRIAL=FIRST:COUNT..." >&2; exit 2; }
jobs=$1
shift
cd "$(dirname "$0")/.." || exit 1
here=$(pwd)
out=${IB_SCRATCH:-build/test-output/trials}
case $out in /*) ;; *) out=$here/$out ;; esac
program=build/release/ironbird harness=build/asan/run_trials
rm -rf "$out" && mkdir -p "$out/seeds"

# recordings, a drive, a design as JSON, a scenario with a plug-in
"$program" run scenarios/roomba_straight.yaml --quiet --duration '0.3 s' --set expect=[] --csv "$out/seeds/run.csv" --log "$out/seeds/run.wpilog"
"$program" run scenarios/fit_dynamic.yaml --quiet --duration '0.5 s' --set expect=[] --set record.every='10 ms' --csv "$out/seeds/fit.csv" --log "$out/seeds/fit.wpilog"
"$program" design designs/drive.yaml --json > "$out/seeds/drive.json"
"$program" serve scenarios/drive.yaml --set run.duration='0.3 s' --speed max --port 0 --record "$out/seeds/drive.wpilog" > "$out/served" 2>&1 &
served=$!
looks=0
until grep -qs serving "$out/served" && [ -s "$out/seeds/drive.wpilog" ] || [ $looks -eq 600 ]; do looks=$((looks + 1)); sleep 0.1; done
kill -INT $served
wait $served
cc -shared -fPIC -Iinclude test/link/plugins/mischief.c -lm -o "$out/seeds/mischief.so"
printf '%s\n' 'robot: {kind: roomba, sensors: {gyro: {kind: gyro, period: 10 ms}}}' "control: {plugin: $out/seeds/mischief.so}" \
    'inputs: {mischief: 0}' 'run: {duration: 50 ms}' > "$out/seeds/plugin.yaml"
printf 'Timestamp,Voltage,Velocity\n0.0,1,0.1\n0.02,2,0.2\n0.04,nan,0.3\n0.06,"3",1e3\n0.08,4,\n' > "$out/seeds/foreign.csv"

files=
for file in scenarios/roomba_noise.yaml scenarios/match.yaml scenarios/team_loops.yaml scenarios/*path*.yaml test/fuzz/corpus/scenario/passive.yaml test/fuzz/corpus/scenario/routine.yaml \
    "$out/seeds/plugin.yaml"; do files="$files scenario=$file"; done
for file in designs/matrices.yaml designs/drive.yaml designs/robot.yaml designs/elevator.yaml designs/shooter.yaml; do files="$files design=$file"; done
for file in plans/arm_path_b.yaml plans/arm_goals.yaml test/fuzz/corpus/plan/several.yaml; do files="$files plan=$file"; done
for file in robots/team.yaml robots/shifter.yaml; do files="$files robot=$file"; done
files="$files json=$out/seeds/drive.json data=data/motors.yaml csv=$out/seeds/run.csv csv=$out/seeds/fit.csv csv=$out/seeds/foreign.csv"
files="$files wpilog=$out/seeds/run.wpilog wpilog=$out/seeds/fit.wpilog journal=$out/seeds/drive.wpilog"

# seeded TRIAL=FIRST:COUNT…: the same, from where SEED begins
seeded() { printf '%s\n' "$@" | awk -F '[=:]' -v seed="${SEED:-0}" '{ printf "%s=%.0f:%s\n", $1, $2 + ($3 == "all" ? 0 : 1000003 * seed), $3 }'; }
# part NUMBER TRIAL…: its share of the cases, in a folder of its own
part() {
    number=$1 folder=$out/$1
    shift
    mkdir -p "$folder/mutated"
    for name in robots designs plans scenarios data; do ln -s "$here/$name" "$folder/$name"; done
    for file in robots/*.yaml; do ln -s "$here/$file" "$folder/mutated/"; done # which name each other
    printf '%s\n' 'robot: {file: m.yaml}' 'inputs: {source: viewer}' 'run: {duration: 50 ms}' > "$folder/mutated/around_robot.yaml"
    sed -e 's|design: *[^,}]*|design: m.json|' -e 's|file: \.\./|file: ../|' scenarios/drive_velocity.yaml > "$folder/mutated/around_json.yaml"
    # shellcheck disable=SC2086 # a word a file
    "$harness" "$folder" "$number" "$jobs" "$@" $files > "$folder/log" 2>&1
    echo "exit code $?" >> "$folder/log"
}
i=0
trials=$(seeded "$@")
while [ $i -lt "$jobs" ]; do
    # shellcheck disable=SC2086 # a word a trial
    part $i $trials &
    i=$((i + 1))
done
wait
for log in "$out"/[0-9]*/log; do
    grep -v '^exit code' "$log"
    grep -q '^exit code [01]$' "$log" || echo "not ok $log: $(tail -n 1 "$log")"
done
