#!/bin/sh
# Prints the tables of docs/robot/quadruped_validation.md, all of them or those that are named:
#   sh docs/figures/leg_studies.sh [PROGRAM [gains | steps | inertias | models | seals]...]
set -eu
ironbird=${1:-build/release/ironbird}
[ $# -gt 0 ] && shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# ------------------------------------------------------------------------------------------ measuring

# swing FROM TO [COLUMN]: rms [deg], half of its height [deg], frequency [Hz] and mean [deg] of an angle in the last run,
# about a straight line
swing()
{
    awk -F, -v from="$1" -v to="$2" -v c="${3:-2}" '
        BEGIN {n = 0}
        NR > 1 && $1 >= from - 1e-9 && $1 <= to + 1e-9 {t[n] = $1; x[n++] = $c*57.29577951308232; a += $1; b += $c*57.29577951308232}
        END {a /= n; b /= n
             for (i = 0; i < n; i++) {p += (t[i] - a)*(x[i] - b); q += (t[i] - a)^2}
             for (i = 0; i < n; i++) {
                 x[i] -= b + p/q*(t[i] - a); s += x[i]^2
                 if (i == 0 || x[i] > top) top = x[i]
                 if (i == 0 || x[i] < low) low = x[i]
                 if (i > 0 && x[i-1] < 0 && x[i] >= 0) {last = t[i-1] - (t[i] - t[i-1])*x[i-1]/(x[i] - x[i-1]); if (!k++) first = last}}
             printf "%.6f %.6f %.5f %.4f\n", sqrt(s/n), (top - low)/2, (k > 2 ? (k - 1)/(last - first) : 0), b}' "$folder/run.csv"
}
# rms FROM TO COLUMN [deg]
rms()
{
    awk -F, -v from="$1" -v to="$2" -v c="$3" 'NR > 1 && $1 >= from && $1 <= to {s += $c^2; n++} END {printf "%.3f\n", sqrt(s/n)*57.29577951308232}' "$folder/run.csv"
}
field() { echo "$2" | cut -d ' ' -f "$1"; }
above() { awk "BEGIN {exit !($1 > $2)}"; }
product() { awk "BEGIN {printf \"%.4g\", $1*$2}"; }
run() { "$ironbird" run "$folder/run.yaml" --quiet --csv "$folder/run.csv"; }

# bisect LOW HIGH COMMAND...: the factor at which `COMMAND... FACTOR` begins to swing by more than 1 degree, to 1 %
bisect()
{
    low=$1 high=$2
    shift 2
    if ! "$@" "$high" || ! above "$(field 2 "$swung")" 1; then echo none; return; fi
    while above "$high" "1.01*$low"; do
        factor=$(awk "BEGIN {print sqrt($low*$high)}")
        "$@" "$factor"
        if above "$(field 2 "$swung")" 1; then high=$factor; else low=$factor; fi
    done
    awk "BEGIN {printf \"%.3f\", sqrt($low*$high)}"
}

# scan LOW HIGH COMMAND...: up to which factor it always rests and from which on it always swings, in steps of 5 %
scan()
{
    factor=$1 high=$2 rests= swings= broken=
    shift 2
    while above "$high" "$factor"; do
        "$@" "$factor"
        if above "$(field 2 "$swung")" 1; then swings=${swings:-$factor}; else swings=; fi
        if ! above "$(field 2 "$swung")" 1 && [ -z "$broken" ]; then rests=$factor; else broken=yes; fi
        factor=$(product "$factor" 1.05)
    done
}

# ---------------------------------------------------------------------------------------------- alpha

# law NAME FACTOR PERIOD: the loop of the alpha joint, all gains times a factor
law()
{
    ki=$(product 5 "$2") kp=$(product 10 "$2")
    case $1 in
        P) echo "kind: pid, kp: $kp V/rad, period: $3" ;;
        PID*) echo "kind: pid, kp: $kp V/rad, ki: $ki V/(rad*s), kd: $(product "10*${1#PID}" "$2") V*s/rad, filter_time: 5 ms, tracking_time: 100 s, period: $3" ;;
        PVA) echo "kind: pva, kp: $kp V/rad, ki: $ki V/(rad*s), kv: $(product 1 "$2") V*s/rad, ka: $(product 0.02 "$2") V*s^2/rad, filter_time: 5 ms, tracking_time: 100 s, period: $3" ;;
        pressures) echo "kind: pva, kp: $kp V/rad, ki: $ki V/(rad*s), kv: $(product 1 "$2") V*s/rad, pressures: [cap.pressure, rod.pressure], kpressure: $(product 1e-5 "$2") V/Pa, pressure_washout: 0.5 s, filter_time: 5 ms, tracking_time: 100 s, period: $3" ;;
    esac
}
# alpha LAW ROBOT STEP PERIOD GOAL SECONDS FACTOR: a step from 0; what is left of it in the last 2 s (4 s of a long one)
alpha()
{
    cat >"$folder/run.yaml" <<END
robot: {kind: quadruped, preset: thesis-leg$2}
start: {z: 0.8 m, alpha: 0 deg, beta: -1.5 deg, gamma: 17.5 deg}
control: {leg.fr.alpha: {$(law "$1" "$7" "$4")}}
inputs: {leg.fr.beta: 10 V, leg.fr.gamma: 10 V, leg.fr.alpha.goal: [[0 s, 0 deg], [1 s, $5 deg]]}
run: {duration: $6 s, step: $3}
record: {every: 1 ms, signals: [leg.fr.alpha.angle]}
END
    run
    swung=$(swing "$(($6 > 15 ? $6 - 8 : $6 - 2))" "$6")
}
# walk KP KI KV KPRESSURE ROBOT FACTOR: the walking motion, slow from 2 s, medium from 14 s, fast from 20 s to 23 s; the last 2 s of 27
walk()
{
    cat >"$folder/run.yaml" <<END
robot: {kind: quadruped, preset: thesis-leg$5}
start: {z: 0.8 m, alpha: 0 deg, beta: -40 deg, gamma: 70 deg}
control:
  legs:
    {kind: legs, mode: foot_path, schedule: off, filter_time: 5 ms,
    foot_path: {start: 2 s, length: 20 cm, height: 6 cm, slow: 4 s, medium: 2 s, fast: 1 s, cycles: 3},
    alpha: {kp: $(product "$1" "$6") V/rad, ki: $(product "$2" "$6") V/(rad*s), kv: $(product "$3" "$6") V*s/rad, kpressure: $(product "$4" "$6") V/Pa, feedforward: 0 V*s/rad}}
run: {duration: 27 s, step: 1 ms}
record: {every: 2 ms, signals: [leg.fr.alpha.angle, control.legs.fr.alpha.error]}
END
    run
    swung=$(swing 25 27)
}

# one row: NAME OF LAW, commands for steps of 13 and 20 degrees and for walking
gains_row() # NAME LAW KP KI KV KPRESSURE
{
    printf '| %s ' "$1"
    for step in 13 20; do
        least=$(bisect 0.05 8 alpha "$2" '' '1 ms' '1 ms' $step 9)
        show_gain "$least" alpha "$2" '' '1 ms' '1 ms' $step 9
    done
    scan 0.2 2.5 walk "$3" "$4" "$5" "$6" ''
    if [ -z "$swings" ]; then echo '| none to 25 V/rad |'; return; fi
    walk "$3" "$4" "$5" "$6" '' "$(product 1.05 "$swings")"
    printf '| rests to %s, swings from %s V/rad: %.1f°, %.1f Hz |\n' "$(product 10 "$rests")" "$(product 10 "$swings")" "$(field 2 "$swung")" "$(field 3 "$swung")"
}
show_gain()
{
    least=$1
    shift
    if [ "$least" = none ]; then printf '| none to 80 V/rad '; return; fi
    "$@" "$(product "$least" 1.02)"
    printf '| %s V/rad: %.1f°, %.1f Hz ' "$(product 10 "$least")" "$(field 2 "$swung")" "$(field 3 "$swung")"
}
gains()
{
    echo '| law | step of 13° | step of 20° | walking |'
    echo '|---|---|---|---|'
    gains_row 'position alone' P 10 0 0 0
    gains_row 'PID, kd = kp 0.05 s' PID0.05 10 5 0.5 0
    gains_row 'PID, kd = kp 0.1 s' PID0.1 10 5 1 0
    gains_row 'PID, kd = kp 0.2 s' PID0.2 10 5 2 0
    gains_row 'PID, kd = kp 0.1 s, with pressures' pressures 10 5 1 1e-5
    echo
    echo '| seals | 5° | 10° | 13° | 20° | 40° |'
    echo '|---|---|---|---|---|---|'
    for seals in stribeck lugre none; do
        printf '| `%s` ' $seals
        for step in 5 10 13 20 40; do
            least=$(bisect 0.02 8 alpha PID0.1 ", friction: {law: $seals}" '1 ms' '1 ms' $step 9)
            [ "$least" = none ] && printf '| none ' || printf '| %s ' "$(product 10 "$least")"
        done
        echo '|'
    done
    echo
    echo 'PID, kd = kp 0.1 s, least gain over a step of 13 degrees:'
    for pair in '1 ms,1 ms' '0.25 ms,1 ms' '0.1 ms,1 ms' '0.25 ms,0.25 ms' '0.1 ms,0.1 ms'; do
        echo "step, loop $pair: $(product 10 "$(bisect 0.3 3 alpha PID0.1 '' "${pair%,*}" "${pair#*,}" 13 9)") V/rad"
    done
}

steps()
{
    echo '| step | loop at 1 ms | loop at every step |'
    echo '|---|---|---|'
    for step in 1 0.5 0.25 0.1 0.05; do
        printf '| %s ms ' $step
        for period in 1 $step; do
            alpha PID0.1 '' "$step ms" "$period ms" 20 20 1
            printf '| %.3f°, %.4f Hz ' "$(field 1 "$swung")" "$(field 3 "$swung")"
        done
        echo '|'
    done
    alpha PID0.1 ', gas_steps: 4' '1 ms' '1 ms' 20 20 1
    echo "1 ms, four steps of the air: $swung"
}

# ------------------------------------------------------------------------------------------- inertias

inertias()
{
    echo '| model | least gain, walking | least gain, step of 13° | full gain after a step of 20° | full gain, fast | 75 %: slow, medium, fast | default loop |'
    echo '|---|---|---|---|---|---|---|'
    inertia_row '`capsule`' ''
    inertia_row '`srlib`' ', inertia: srlib'
    inertia_row '`explicit`' '-explicit'
    inertia_row '`primitives`' ', inertia: primitives'
    inertia_row '`capsule`, cylinders as bodies' ', drive: cylinder'
    inertia_row '`srlib`, cylinders as bodies' ', inertia: srlib, drive: cylinder'
}
inertia_row() # NAME ROBOT
{
    scan 0.6 1.2 walk 10 5 1 0 "$2"
    printf '| %s | %s to %s | %s ' "$1" "$(product 10 "$rests")" "$(product 10 "$swings")" "$(product 10 "$(bisect 0.4 2 alpha PID0.1 "$2" '1 ms' '1 ms' 13 9)")"
    alpha PID0.1 "$2" '1 ms' '1 ms' 20 20 1
    printf '| %.2f°, %.2f Hz ' "$(field 1 "$swung")" "$(field 3 "$swung")"
    walk 10 5 1 0 "$2" 1
    printf '| %.2f° ' "$(rms 20 23 3)"
    walk 10 5 1 0 "$2" 0.75
    printf '| %.2f, %.2f, %.2f° ' "$(rms 2 14 3)" "$(rms 14 20 3)" "$(rms 20 23 3)"
    sed 's/schedule: off, filter_time: 5 ms,//; s/alpha: {kp.*}}/}/' "$folder/run.yaml" >"$folder/plain.yaml"
    mv "$folder/plain.yaml" "$folder/run.yaml"
    run
    echo "| $(rms 2 14 3), $(rms 14 20 3), $(rms 20 23 3)° |"
}

# ---------------------------------------------------------------------------------------------- gamma

# gamma KP KD LATENCY ROBOT STEP PERIOD GOAL SECONDS
gamma()
{
    kp=$1
    shift
    cat >"$folder/run.yaml" <<END
robot: {kind: quadruped, preset: thesis-leg$3}
start: {z: 0.8 m, alpha: 89 deg, beta: -1.5 deg, gamma: 55 deg}
control: {leg.fr.gamma: {kind: pid, kp: -$kp V/rad, ki: -$(product 0.5 "$kp") V/(rad*s), kd: -$1 V*s/rad, filter_time: 5 ms, tracking_time: 100 s, latency: $2, period: $5}}
inputs: {leg.fr.alpha: 10 V, leg.fr.beta: 10 V, leg.fr.gamma.goal: $6}
run: {duration: $7 s, step: $4}
record: {every: 2 ms, signals: [leg.fr.gamma.angle, leg.fr.gamma.velocity]}
END
    run
}
goals='[[0 s, 60 deg], [2 s, 30 deg], [6 s, 60 deg], [10 s, 45 deg], [14 s, 85 deg], [18 s, 60 deg], [22 s, 25 deg]]'
# What is left in the last second of each of six holds: rms of each
holds() { for end in 6 10 14 18 22 26; do field 1 "$(swing $((end - 1)) $end)"; done; }
rest() { holds | awk '{s += $1^2; if ($1 > top) top = $1} END {printf "%.4f, %.4f°", sqrt(s/NR), top}'; }

# models KP KD WAY...: each way as step,period,latency,steps of the air
models_of()
{
    kp=$1 kd=$2
    shift 2
    echo "kp $kp V/rad, kd $kd V s/rad: left in all holds, in the worst"
    echo '| | whole | linear valve | viscous | both | viscous, in the joint | viscous, in the tendon |'
    echo '|---|---|---|---|---|---|---|'
    for way; do
        IFS=, read -r step period latency gas <<END
$way
END
        printf '| %s, loop %s, %s late, %s of the air ' "$step" "$period" "$latency" "$gas"
        for robot in '' "$linear" "$viscous" "$linear$viscous" "$viscous, friction_in: joint" "$viscous, friction_in: joint, drive: tendon"; do
            gamma "$kp" "$kd" "$latency" "$robot, gas_steps: $gas" "$step" "$period" "$goals" 26
            printf '| %s ' "$(rest)"
        done
        echo '|'
    done
}
models()
{
    linear=', valve: {law: linear}' viscous=', friction: thesis-viscous'
    models_of 3 0.15 '1 ms,1 ms,0 s,1' '1 ms,1 ms,0 s,10' '0.5 ms,1 ms,0 s,1' '0.25 ms,1 ms,0 s,1' '0.1 ms,1 ms,0 s,1' '0.05 ms,1 ms,0 s,1' '0.1 ms,0.1 ms,0 s,1' '1 ms,1 ms,2 ms,1'
    models_of 2.5 0 '1 ms,1 ms,0 s,1' '0.25 ms,1 ms,0 s,1' '0.1 ms,1 ms,0 s,1' '0.1 ms,0.1 ms,0 s,1'
}

# Share of the time in which the joint is slower than 0.5 deg/s, in the last two periods
stuck() { awk -F, -v from="$1" 'NR > 1 && $1 >= from {n++; s += $3*$3 < (0.5/57.2957795)^2} END {printf "%.3f", s/n}' "$folder/run.csv"; }
# rms of the difference to the run that was kept [deg]
apart()
{
    paste -d , "$folder/kept.csv" "$folder/run.csv" | awk -F, 'NR > 1 {s += ($2 - $5)^2; n++} END {printf "%.4f", sqrt(s/n)*57.2957795}'
}
seals()
{
    slow='{wave: sine, mean: 55 deg, amplitude: 20 deg, frequency: 0.1 Hz, start: 1 s}'
    fast='{wave: sine, mean: 55 deg, amplitude: 20 deg, frequency: 0.5 Hz, start: 1 s}'
    echo '| seals | stuck at 0.1 Hz | at 0.5 Hz | left of steps | 1 ms against 0.05 ms: 0.1 Hz, 0.5 Hz, steps | a step |'
    echo '|---|---|---|---|---|---|'
    seals_row '`stribeck` in the cylinder' ''
    seals_row '`smooth` in the cylinder' ', friction: {law: smooth}'
    seals_row '`lugre` in the cylinder' ', friction: thesis-lugre'
    seals_row '`friction_in: joint`' ', friction_in: joint'
    seals_row '`stribeck`, `drive: tendon`' ', drive: tendon'
    seals_row '`friction_in: joint`, `drive: tendon`' ', friction_in: joint, drive: tendon'
    seals_row '`stribeck`, `drive: cylinder`' ', drive: cylinder'
    seals_row '`friction_in: joint`, `drive: cylinder`' ', friction_in: joint, drive: cylinder'
}
compare() # ROBOT GOAL SECONDS: how far 1 ms is from 0.05 ms; leaves the run at 1 ms
{
    gamma 2.5 0.125 '0 s' "$1" '0.05 ms' '1 ms' "$2" "$3"
    mv "$folder/run.csv" "$folder/kept.csv"
    gamma 2.5 0.125 '0 s' "$1" '1 ms' '1 ms' "$2" "$3"
    apart
}
seals_row() # NAME ROBOT
{
    first=$(compare "$2" "$slow" 31)
    printf '| %s | %s ' "$1" "$(stuck 11)"
    second=$(compare "$2" "$fast" 7)
    printf '| %s ' "$(stuck 3)"
    third=$(compare "$2" "$goals" 26)
    sed -i 's/^record:.*/record: {every: 1 s, signals: [leg.fr.gamma.angle]}/' "$folder/run.yaml"
    cp "$folder/run.csv" "$folder/steps.csv"
    printf '| %s | %s, %s, %s° | %s |\n' "$(rest)" "$first" "$second" "$third" "$(cost)"
}
# Time of a step of 1 ms of the run, the quickest of five, of a machine that does nothing else [us]
cost()
{
    for i in 1 2 3 4 5; do "$ironbird" run "$folder/run.yaml" --quiet --json; done |
        awk 'match($0, /"wall_s":[0-9.e-]+/) {t = substr($0, RSTART + 9, RLENGTH - 9); if (!n++ || t + 0 < low) low = t + 0} END {printf "%.1f us", low/26000*1e6}'
}

[ $# -gt 0 ] || set -- gains steps inertias models seals
for table; do
    echo "## $table"
    $table
    echo
done
