#!/bin/sh
# Prints the tables of docs/robot/quadruped_validation.md: steps, trapezoids, sines and the walking motion of one leg.
#   sh docs/figures/leg_tables.sh [ironbird]
set -eu
cd "$(dirname "$0")/../.."
ironbird=${1:-build/release/ironbird}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run() # NAME FILE OPTIONS...: $work/NAME.csv, a sample every millisecond
{
    name=$1 file=$2
    shift 2
    "$ironbird" run "$file" --quiet --set expect=[] --set record.every='1 ms' --csv "$work/$name.csv" "$@"
}

# Columns by their names, and degrees.
common='function find(name,  i) { for (i = 1; i <= NF; i++) if (index($i, name " [") == 1) return i; print "no " name > "/dev/stderr"; exit 1 }
        BEGIN { FS = ","; deg = 57.29577951308232; pi = 3.141592653589793 }'

# ------------------------------------------------------------------------------------------- steps

steps() # CSV ROBOT JOINT "TIME GOAL ..." END MODE: a row a step (MODE rows), or means over all of them (MODE sum)
{
    awk -v robot="$2" -v joint="$3" -v list="$4" -v stop="$5" -v mode="$6" "$common"'
        NR == 1 { angle = find(robot "leg.fr." joint ".angle"); cap = find(robot "leg.fr." joint ".cap.pressure"); rod = find(robot "leg.fr." joint ".rod.pressure")
                  count = split(list, part, " ")/2; next }
        { n++; t[n] = $1; x[n] = deg*$angle; p[n] = ($cap > $rod ? $cap : $rod)/6894.757 }
        END {
            for (k = 1; k <= count; k++) {
                t0 = part[2*k - 1]; goal = part[2*k]; t1 = k < count ? part[2*k + 1] : stop
                a = b = 0
                for (i = 1; i <= n; i++) { if (t[i] < t0 + 1e-9) a = i; if (t[i] < t1 - 1e-9) b = i }
                low = 1e9; high = -1e9; most = 0
                for (i = a; i <= b; i++) { if (p[i] > most) most = p[i]; if (t[i] > t1 - 0.3) { if (x[i] < low) low = x[i]; if (x[i] > high) high = x[i] } }
                from = x[a]; end = x[b]; height = end - from; dead = t10 = t90 = settled = 0; over = 0
                for (i = a; i <= b; i++) {
                    y = (x[i] - from)/height
                    if (!dead && y >= 0.02) dead = t[i] - t0
                    if (!t10 && y >= 0.1) t10 = t[i]
                    if (!t90 && y >= 0.9) t90 = t[i]
                    if ((y - 1)*(height > 0 ? height : -height) > over) over = (y - 1)*(height > 0 ? height : -height)
                    if (y > 1.05 || y < 0.95) settled = t[i] - t0
                }
                swings = high - low > 2
                if (mode == "rows") {
                    if (swings) printf "| %s | %.1f to %g | %.3f s | | swings, by ±%.0f° at the end | | | %.1f |\n", joint, from, goal, dead, (high - low)/2, most
                    else printf "| %s | %.1f to %g | %.3f s | %.2f s | %.1f° | %.2f s | %+.1f° | %.1f |\n", joint, from, goal, dead, t90 - t10, over, settled, end - goal, most
                }
                rise += t90 - t10; settle += settled; bad += swings; if (over > worst) worst = over
                left = end - goal; if (left < 0) left = -left; if (left > far) far = left
                if (k == 1 || t90 - t10 < r0) r0 = t90 - t10
                if (t90 - t10 > r1) r1 = t90 - t10
            }
            if (mode == "sum" && bad) printf " swings after %d of %d steps |", bad, count
            else if (mode == "sum") printf " %.2f to %.2f s; %.1f°; %.2f s; %.1f° |", r0, r1, worst, settle/count, far
        }' "$work/$1.csv"
}
gamma='10 56 11.5 85 13 30 14.5 65 16 45'
beta='10 -34 11.5 -10 13 -58 14.5 -25 16 -42'
alpha='10 45 11.5 0 13 -30 14.5 20 16 60'

gains() # KP KV: of rods, in V/m and V s/m, for all joints of a scenario with robots gamma, beta and alpha
{
    awk -v kp="$1" -v kv="$2" 'BEGIN { split("gamma beta alpha", name); split("-0.0407079677 0.0408068437 0.0511866947", arm)
        for (i = 1; i <= 3; i++) printf "--set\nrobots.%s.control.leg.fr.%s.kp=%.8g V/rad\n--set\nrobots.%s.control.leg.fr.%s.kv=%.8g V*s/rad\n",
            name[i], name[i], kp*arm[i], name[i], name[i], kv*arm[i] }'
}

with() # NAME FILE KP KV OPTIONS...: a run with those gains
{
    name=$1 file=$2 kp=$3 kv=$4
    shift 4
    gains "$kp" "$kv" > "$work/gains"
    while read -r line; do set -- "$@" "$line"; done < "$work/gains"
    run "$name" "$file" "$@"
}

run steps scenarios/leg_steps.yaml
with reduced scenarios/leg_steps.yaml 57.34875 3.75
echo '| joint | step [deg] | moves after | rise, 10 to 90 % | beyond | within 5 % after | left | highest pressure [psia] |'
echo '|---|---|---|---|---|---|---|---|'
steps steps gamma. gamma "$gamma" 17.5 rows
steps steps beta. beta "$beta" 17.5 rows
steps steps alpha. alpha "$alpha" 17.5 rows
echo '(alpha, three quarters of the gain)'
steps reduced alpha. alpha "$alpha" 17.5 rows

echo
echo '| loop | gamma: rise; beyond; settles (mean); left | beta | alpha |'
echo '|---|---|---|---|'
for loop in '152.93 5' '114.7 5' '76.465 5' '57.34875 3.75' '38.2325 5'; do
    # shellcheck disable=SC2086
    with one scenarios/leg_steps.yaml $loop
    printf '| %s |%s%s%s\n' "$loop" "$(steps one gamma. gamma "$gamma" 17.5 sum)" "$(steps one beta. beta "$beta" 17.5 sum)" "$(steps one alpha. alpha "$alpha" 17.5 sum)"
done
printf '| legs, defaults |'
for joint in gamma beta alpha; do
    case $joint in gamma) list=$gamma; first=17 ;; beta) list=$beta; first=-1 ;; alpha) list=$alpha; first=90 ;; esac
    goal=$(echo "0 $first $list" | awk '{ for (i = 1; i < NF; i += 2) printf "%s[%s s, %s deg]", (i > 1 ? ", " : ""), $i, $(i + 1) }')
    goals=''
    for other in alpha beta gamma; do
        case $other in alpha) end=90 ;; beta) end=-1 ;; gamma) end=17 ;; esac
        [ $other = $joint ] && goals="$goals legs.goal.fr.$other: [$goal]," || goals="$goals legs.goal.fr.$other: $end deg,"
    done
    cat > "$work/legs.yaml" <<END
robot: {kind: quadruped, preset: thesis-leg}
start: {z: 0.8 m, alpha: 0 deg, beta: -40 deg, gamma: 70 deg}
control: {legs: {kind: legs, mode: angles}}
inputs: {${goals%,}}
run: {duration: 17.5 s, step: 1 ms}
END
    run legs "$work/legs.yaml"
    steps legs '' $joint "$list" 17.5 sum
done
echo

# -------------------------------------------------------------------------------------- trapezoids

echo
echo '| joint | flank [deg/s] | starts to move after | late on the flank | error, rms and largest |'
echo '|---|---|---|---|---|'
run trapezoids scenarios/leg_trapezoids.yaml
flanks() # JOINT "START END RATE ..."
{
    awk -v joint="$1" -v list="$2" "$common"'
        NR == 1 { angle = find(joint ".leg.fr." joint ".angle"); error = find(joint ".control.leg.fr." joint ".error"); next }
        { n++; t[n] = $1; x[n] = deg*$angle; e[n] = deg*$error }
        END {
            count = split(list, part, " ")/3
            for (k = 1; k <= count; k++) {
                t0 = part[3*k - 2]; t1 = part[3*k - 1]; rate = part[3*k]; moved = 0; sum = much = m = 0; from = ""
                for (i = 1; i <= n; i++) {
                    if (t[i] < t0 - 1e-9 || t[i] > t1 + 0.3) continue
                    if (from == "") from = x[i]
                    d = x[i] - from; if (d < 0) d = -d
                    if (!moved && d > 0.5) moved = t[i] - t0
                    if (t[i] < t1 + 1e-9) last = e[i]/rate
                    sum += e[i]*e[i]; m++; d = e[i] < 0 ? -e[i] : e[i]; if (d > much) much = d
                }
                printf "| %s | %+g | %.3f s | %.3f s | %.1f, %.1f° |\n", joint, rate, moved, last, sqrt(sum/m), much
            }
        }' "$work/trapezoids.csv"
}
flanks gamma '1.5 2.1 40 3 4 -50 5 5.4 50'
flanks beta '1.5 2.1 36.667 3 4 -44 5 5.4 40'
flanks alpha '1.5 2.1 60 3 4 -80 5 5.4 60'

# ------------------------------------------------------------------------------------------- sines

lag() # CSV ANGLE GOAL SPEED: lag, ratio of amplitudes and rms error of the second and third period behind 2 s, by the fundamental
{
    awk -v of="$2" -v wanted="$3" -v w="$4" -v start=2 "$common"'
        NR == 1 { angle = find(of); goal = find(wanted); next }
        $1 >= start + 2*pi/w - 1e-9 && $1 < start + 6*pi/w - 1e-9 {
            s = sin(w*$1); c = cos(w*$1); n++; ss += s; cc += c
            a += $angle; as += $angle*s; ac += $angle*c; g += $goal; gs += $goal*s; gc += $goal*c; q += ($angle - $goal)^2
        }
        END {
            as -= a/n*ss; ac -= a/n*cc; gs -= g/n*ss; gc -= g/n*cc
            late = atan2(gc, gs) - atan2(ac, as); if (late < -pi) late += 2*pi; if (late > pi) late -= 2*pi
            printf "%.3f s, %.2f, %.1f°", late/w, sqrt((as*as + ac*ac)/(gs*gs + gc*gc)), deg*sqrt(q/n)
        }' "$work/$1.csv"
}
wave() # JOINT OTHERS MEAN AMPLITUDE SPEED: the inputs of a robot
{
    echo "robots.$1.inputs={$2, leg.fr.$1.goal: {wave: sine, mean: $3 deg, amplitude: $4 deg, angular_frequency: $5 rad/s, start: 2 s}}"
}
sines() # KP KV SPEED SHARE: of all joints, with this share of the amplitudes
{
    with sines scenarios/leg_sines_fast.yaml "$1" "$2" --duration "$(awk -v w="$3" 'BEGIN { printf "%.6f s", 2 + 6*3.141592653589793/w }')" \
        --set "$(wave gamma 'leg.fr.alpha: 10 V, leg.fr.beta: 10 V' 56 "$(awk "BEGIN { print 26*$4 }")" "$3")" \
        --set "$(wave beta 'leg.fr.alpha: 10 V, leg.fr.gamma: 10 V' -34 "$(awk "BEGIN { print 22*$4 }")" "$3")" \
        --set "$(wave alpha 'leg.fr.beta: 10 V, leg.fr.gamma: 10 V' 21.5 "$(awk "BEGIN { print 45*$4 }")" "$3")"
}
echo
echo '| kp, kv of the rod | speed | share of the amplitude | gamma: lag, ratio, error | beta | alpha |'
echo '|---|---|---|---|---|---|'
for case in '76.465 5 1 1' '76.465 5 2 1' '76.465 5 3 1' '76.465 5 5 1' '76.465 5 1 0.5' '76.465 5 2 0.5' '76.465 5 3 0.5' '76.465 5 5 0.5' \
    '152.93 5 1 1' '152.93 5 3 1' '152.93 5 5 1' '114.7 5 5 1' '57.34875 3.75 1 1' '57.34875 3.75 5 1' '60 5 3 1' '50 5 1 1' '50 5 3 1' '50 5 5 1' '55 0 5 1'; do
    # shellcheck disable=SC2086
    sines $case
    # shellcheck disable=SC2086
    set -- $case
    printf '| %s, %s | %s rad/s | %s |' "$1" "$2" "$3" "$4"
    for joint in gamma beta alpha; do printf ' %s |' "$(lag sines $joint.leg.fr.$joint.angle $joint.control.leg.fr.$joint.goal "$3")"; done
    echo
done
for speed in 1 3 5; do
    printf '| legs, defaults | %s rad/s | 1 |' $speed
    for joint in gamma beta alpha; do
        case $joint in gamma) mean=56 size=26 ;; beta) mean=-34 size=22 ;; alpha) mean=21.5 size=45 ;; esac
        goals='' start=''
        for other in alpha beta gamma; do
            case $other in alpha) end=90 ;; beta) end=-1 ;; gamma) end=17 ;; esac
            [ $other = $joint ] || goals="$goals legs.goal.fr.$other: $end deg," start="$start, $other: $end deg"
        done
        cat > "$work/legs.yaml" <<END
robot: {kind: quadruped, preset: thesis-leg}
start: {z: 0.8 m, $joint: $mean deg$start}
control: {legs: {kind: legs, mode: angles}}
inputs: {$goals legs.goal.fr.$joint: {wave: sine, mean: $mean deg, amplitude: $size deg, angular_frequency: $speed rad/s, start: 2 s}}
run: {duration: $(awk -v w=$speed 'BEGIN { printf "%.6f", 2 + 6*3.141592653589793/w }') s, step: 1 ms}
END
        run legs "$work/legs.yaml"
        printf ' %s |' "$(lag legs leg.fr.$joint.angle control.legs.fr.$joint.goal $speed)"
    done
    echo
done

# ----------------------------------------------------------------------------------------- walking

walk() # NAME ROBOT START: rms and largest errors of the joints and of the foot, by pace
{
    awk -v robot="$2" -v start="$3" "$common"'
        NR == 1 { split("alpha beta gamma", name, " "); for (i = 1; i <= 3; i++) at[i] = find(robot "control.legs.fr." name[i] ".error")
                  at[4] = find(robot "control.legs.fr.foot.error"); next }
        { pace = $1 < start ? 0 : $1 < start + 12 ? 1 : $1 < start + 18 ? 2 : $1 < start + 21 ? 3 : 0
          if (!pace) next
          n[pace]++
          for (i = 1; i <= 4; i++) { v = $at[i]*(i < 4 ? deg : 1e3); q[pace, i] += v*v; if (v < 0) v = -v; if (v > m[pace, i]) m[pace, i] = v } }
        END { for (pace = 1; pace <= 3; pace++) {
                  printf " "
                  for (i = 1; i <= 3; i++) printf "%.1f%s", sqrt(q[pace, i]/n[pace]), (i < 3 ? ", " : "°; ")
                  printf "%.1f, %.1f mm |", sqrt(q[pace, 4]/n[pace]), m[pace, 4] } }' "$work/$1.csv"
    echo
}
echo
echo '| loop | slow, 4 s: alpha, beta, gamma rms; foot rms, largest | medium, 2 s | fast, 1 s |'
echo '|---|---|---|---|'
run walk scenarios/leg_walk.yaml
run servo scenarios/leg_servo_walk.yaml
run plain scenarios/leg_walk_plain.yaml --duration '24 s' --set robots.full.control.legs.foot_path.cycles=3 --set robots.reduced.control.legs.foot_path.cycles=3
printf '| defaults (leg_walk.yaml) |'; walk walk '' 2
printf '| ideal servos (leg_servo_walk.yaml) |'; walk servo '' 2
printf '| validation (leg_walk_plain.yaml, full) |'; walk plain full. 1.5
printf '| the same, alpha at three quarters |'; walk plain reduced. 1.5
