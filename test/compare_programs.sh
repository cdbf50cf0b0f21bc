#!/bin/sh
# Do two programs say the same? For changes that must not change behaviour: runs every scenario, design, broken file and
# listing through both, and shows where a byte of JSON (its times aside), CSV, report, table, message or exit code
# differs. Not part of `make test`: it needs a program of before.
#   sh test/compare_programs.sh OLD/build/release/ironbird build/release/ironbird
# With --numbers, for changes of order that round otherwise: names, units and order of signals, exit codes and messages are the same,
# every signal's final, least and greatest value within 1e-9 of its scale (compare_numbers.awk). Counts of steps are left out.
#   sh test/compare_programs.sh --numbers OLD/build/release/ironbird build/release/ironbird [SCENARIO…]
numbers=
[ "$1" = --numbers ] && { numbers=yes; shift; }
[ $# -eq 2 ] || { [ -n "$numbers" ] && [ $# -gt 2 ]; } || { echo "usage: sh test/compare_programs.sh [--numbers] OLD NEW [SCENARIO…]" >&2; exit 2; }
cd "$(dirname "$0")/.." || exit 1
out=build/compare
rm -rf $out
mkdir -p $out/old $out/new

# What depends on the clock: seconds of wall time, and the rates that are made of them.
timeless() {
    sed -E -e 's/"(wall_s|late_[a-z0-9]+_s|overruns)":[-+.e0-9]+/"\1":0/g' \
        -e 's/[0-9.]+ (s|ms|us) of wall time/- of wall time/g' -e 's/[0-9.e+-]+ times real time/- times real time/g' -e 's/[0-9.e-]+ s .[0-9.e+-]+ × real time/- × real time/g' \
        -e 's/steps and [0-9.e-]+ (s|ms|us)( |$|,|;|\.)/steps and -\2/g' \
        -e 's/20[0-9]{2}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}/DATE/g' -e 's/[Ii]ronbird [0-9]+\.[0-9]+\.[0-9]+/Ironbird VERSION/g'
}

# say NAME COMMAND...: what it prints and its exit code, into the folder of the program
say() {
    tag=$1
    shift
    "$@" > "$folder/raw.out" 2> "$folder/raw.err" < /dev/null
    echo "exit $?" >> "$folder/raw.err"
    timeless < "$folder/raw.out" > "$folder/$tag.out"
    timeless < "$folder/raw.err" > "$folder/$tag.err"
}

all() { # PROGRAM FOLDER
    program=$1
    folder=$2
    for file in scenarios/*.yaml test/scenario/odd/*.yaml; do
        name=$(echo "$file" | tr / _)
        say "$name.json" "$program" run "$file" --json --quiet --csv "$folder/$name.csv"
        say "$name.text" "$program" run "$file" --all
        say "$name.signals" "$program" list signals "$file"
        say "$name.check" "$program" check "$file"
    done
    for file in scenarios/match.yaml scenarios/team_loops.yaml scenarios/roomba_path_inverse.yaml; do
        name=$(echo "$file" | tr / _)
        say "$name.report" "$program" run "$file" --quiet --report "$folder/report.html"
        timeless < "$folder/report.html" > "$folder/$name.html"
    done
    for file in designs/*.yaml; do
        name=$(echo "$file" | tr / _)
        say "$name.json" "$program" design "$file" --json --quiet
        say "$name.text" "$program" design "$file"
        say "$name.try" "$program" design "$file" --try 'duration=1 s'
        say "$name.try_json" "$program" design "$file" --try 'duration=1 s' --json --quiet
        say "$name.report" "$program" design "$file" --quiet --report "$folder/report.html"
        timeless < "$folder/report.html" > "$folder/$name.html"
        mkdir -p "$folder/$name.c"
        say "$name.export" "$program" design "$file" --quiet --export "$folder/$name.c/loop"
    done
    for file in test/scenario/broken/*; do say "$(echo "$file" | tr / _)" "$program" run "$file" --quiet; done
    for file in test/desk/broken/*; do say "$(echo "$file" | tr / _)" "$program" design "$file" --quiet; done
    for what in robots plants controllers sensors scenario units motors batteries breakers brownouts bumpers compressors wheels airs fields payloads nothing; do
        say "list_$what" "$program" list $what
    done
    for kind in roomba tank box disc ball bench motor_bench; do say "list_robot_$kind" "$program" list robot $kind; done
    for kind in drivetrain elevator single_arm arm turret flywheel shooter roller lift two_mass; do
        say "list_plant_$kind" "$program" list plant $kind
    done
    for kind in feedback drive pid profiled path; do say "list_controller_$kind" "$program" list controller $kind; done
    for kind in encoder gyro tap sampled; do say "list_sensor_$kind" "$program" list sensor $kind; done
    for what in roomba motor tank control xdrive; do
        say "verify_$what" "$program" verify $what
        say "verify_$what.json" "$program" verify $what --json
    done
    say sweep "$program" sweep scenarios/roomba_noise.yaml --seeds 0..9 --json --quiet --csv "$folder/sweep.csv"
    say sweep_text "$program" sweep scenarios/roomba_noise.yaml --seeds 0..9 --over 'robot.mass=2 kg,3 kg' --quiet
    for command in run check list plot report verify sweep convert fit design replay serve bench; do
        say "help_$command" "$program" $command --help
        say "none_$command" "$program" $command
        say "bad_$command" "$program" $command --no-such-option
    done
    say help "$program" --help
    say log "$program" run scenarios/tank_turn.yaml --quiet --log "$folder/tank_turn.wpilog"
    say replay "$program" replay "$folder/tank_turn.wpilog"
    say convert "$program" convert "$folder/tank_turn.wpilog" "$folder/converted.csv"
    say fit "$program" fit motor "$folder/tank_turn.wpilog"
    rm -f "$folder"/raw.* "$folder/report.html" "$folder"/*.wpilog
    # a program's messages name its own files
    find "$folder" -type f -exec sed -i -e "s|$folder|FOLDER|g" -e "s|$program|PROGRAM|g" {} +
}

compare_numbers() { # OLD NEW SCENARIO...
    old=$1 new=$2 bad=0 count=0
    shift 2
    for file; do
        for side in old new; do
            folder=$out/$side
            eval "program=\$$side"
            say run "$program" run "$file" --json --quiet
            say signals "$program" list signals "$file"
        done
        count=$((count + 1))
        awk -f test/compare_numbers.awk -v name="$file" -v bound=1e-9 $out/old/run.out $out/new/run.out >> $out/differences.txt || bad=$((bad + 1))
        for what in run.err signals.out signals.err; do
            cmp -s $out/old/$what $out/new/$what && continue
            { echo "$file: $what differs"; diff $out/old/$what $out/new/$what | head -n 10; } >> $out/differences.txt
            bad=$((bad + 1))
        done
    done
    grep -v '^worst ' $out/differences.txt
    echo "the most of its scale by which a number differs, and whose: $(sed -n 's/^worst //p' $out/differences.txt | sort -g | tail -n 1)"
    echo "$count scenarios, $bad with differences (all of it in $out/differences.txt)"
    [ $bad -eq 0 ]
}

if [ -n "$numbers" ]; then
    old=$1 new=$2
    shift 2
    [ $# -gt 0 ] || set -- scenarios/*.yaml test/scenario/odd/*.yaml
    compare_numbers "$old" "$new" "$@"
    exit
fi
all "$1" $out/old
all "$2" $out/new
count=$(find $out/old -type f | wc -l)
if diff -r $out/old $out/new > $out/differences.txt; then
    echo "$count outputs, all equal"
else
    echo "$count outputs; these differ (all of it in $out/differences.txt):"
    diff -rq $out/old $out/new
    exit 1
fi
