#!/bin/sh
# Makes the pictures of the docs anew from the scenarios: sh docs/figures/all.sh [PROGRAM]. `make docs` calls it.
set -eu
cd "$(dirname "$0")/../.."
program=${1:-build/ironbird}
work=build/figures
figures=$(dirname "$program")/figure # _curves …: programs that print curves; cmake --build build --target figures
mkdir -p "$work" docs/img

# log SCENARIO: a recording of it
log() { "$program" run "scenarios/$1.yaml" --quiet --log "$work/$1.wpilog"; }
# figure NAME TITLE SCENARIO ARGUMENTS...
figure() {
    name=$1 title=$2 scenario=$3
    shift 3
    "$program" plot "$work/$scenario.wpilog" "$@" --title "$title" --size "900x$height" -o "docs/img/$name.svg"
}
# picture LABEL NUMBER PAGE: that picture of a report, of those whose label has these words; symbols are once a page, in the first
picture() {
    awk -v label="$1" -v wanted="$2" '
        /<defs>/ && !known { defining = 1 }
        defining { defs = defs $0 "\n" }
        /<\/defs>/ { defining = 0; known = 1 }
        /<svg / && index($0, "aria-label=\"" label) && ++n == wanted { on = 1; sub(/.*<svg/, "<svg") }
        on && /xmlns:xlink/ { linked = 1 }
        on && /^<g>/ && !begun { begun = 1; if (linked && known) printf "%s", defs }
        on { end = sub(/<\/svg>.*/, "</svg>"); print; if (end) exit }' "$3"
}
height=560

for scenario in roomba_straight roomba_circle roomba_heading roomba_schedule roomba_path_schedule showcase; do log $scenario; done
figure figure_2a "Figure 2a: straight line, trajectory" roomba_straight --trajectory
figure figure_2b "Figure 2b: straight line, displacement" roomba_straight pose.x pose.y
figure figure_3a "Figure 3a: left wheel alone, trajectory" roomba_circle --trajectory
figure figure_3b "Figure 3b: left wheel alone, displacement" roomba_circle pose.x pose.y
figure figure_4 "Figure 4: left wheel alone, heading" roomba_heading pose.heading
figure figure_5a "Figure 5a: the document's schedule, trajectory" roomba_schedule --trajectory
figure figure_5b "Figure 5b: the document's schedule, displacement" roomba_schedule pose.x pose.y
figure path_schedule "The same path with computed switching times" roomba_path_schedule --trajectory
figure path_forces "Wheel forces of the inverse mode" showcase drive.left.force drive.right.force
"$program" plot "$work/showcase.wpilog" --trajectory --title "Roomba on a drawn path" -o docs/img/showcase.png > "$work/size"

# The showcase's field is drawn by the report only, since a log does not hold it: its first picture.
"$program" run scenarios/match.yaml --quiet --report "$work/match.html"
picture "" 1 "$work/match.html" > docs/img/match.svg
"$program" report scenarios/team_match.yaml -o "$work/team_match.html" --quiet
picture "Who drew what" 1 "$work/team_match.html" > docs/img/loads_match.svg

# record NAME SCENARIO OPTIONS...: build/figures/NAME.csv, a run of the scenario with changes and without its expectations
record() {
    name=$1 scenario=$2
    shift 2
    "$program" run "scenarios/$scenario.yaml" --quiet --set expect=[] --csv "$work/$name.csv" "$@"
}
# draw NAME TITLE [HEIGHT]: docs/img/NAME.svg by the gnuplot commands on stdin, in the style of `ironbird plot`
draw() {
    {
        cat <<GP
set encoding utf8
set terminal svg size 900,${3:-560} font 'sans-serif,16' background '#ffffff' rounded enhanced
set output 'docs/img/$1.svg'
work = '$work/'
set datafile separator ','
set style data lines
set border 3 lw 1.2 lc rgb '#444444'
set tics nomirror out scale 0.6 textcolor rgb '#222222'
set grid back lt 1 lw 1 lc rgb '#dedede'
set format '%g'
set key samplen 2 spacing 1.15
set style line 1 lw 2.8 lc rgb '#0072b2'
set style line 2 lw 2.8 lc rgb '#d55e00'
set style line 3 lw 2.8 lc rgb '#009e73'
set style line 4 lw 2.8 lc rgb '#cc79a7'
set style line 5 lw 2.8 lc rgb '#e69f00'
set style line 6 lw 2.8 lc rgb '#56b4e9'
set style line 7 lw 2.8 lc rgb '#444444'
set style function lines
set tmargin 3.2
set label 1 "$2" at screen 0.5, screen 0.955 center font ',18.5' front
GP
        cat
    } | gnuplot
}

# ------------------------------------------------------------------------------------------ primer

record sum primer_calculus --set run.step='200 ms' --set record.every='200 ms'
record sum_fine primer_calculus
record sum_exact primer_calculus --set run.solver=rk4 --set run.step='10 ms' --set record.every='10 ms'
draw primer_sum "Distance at 1 m/s²: sums with long and short steps, and the integral" <<'GP'
set xrange [0:1]; set yrange [0:0.6]; set xlabel 'time [s]'; set ylabel 'distance [m]'; set key top left
array n[21]
plot work.'sum_exact.csv' using 1:(column("pose.x [m]")) ls 1 title 'integral: t²/2', \
     work.'sum.csv' using 1:(column("pose.x [m]")) with linespoints ls 2 pt 7 title 'sum, steps of 200 ms', \
     work.'sum_fine.csv' using 1:(column("pose.x [m]")) with linespoints ls 3 pt 7 ps 0.6 title 'sum, steps of 50 ms', \
     n using (0.05*($1 - 1)):(0.0025*$1*($1 + 1)/2) with points pt 6 ps 0.9 lw 2 lc rgb '#cc79a7' title 'RoboSim 1.3b: one term too many'
GP

height=720 # three panels
log primer_motion
figure primer_motion "Push, glide, brake: a force, its sum, the sum of that" primer_motion disturbance.force.x velocity.x pose.x

record friction primer_forces
draw primer_friction "Pushed from the side: 50 %, 90 %, 110 % of the limit, then nothing" 640 <<'GP'
set multiplot
set lmargin at screen 0.11; set rmargin at screen 0.97; set xrange [0:8]; set xlabel ''; set format x ''; set key top left
set tmargin at screen 0.89; set bmargin at screen 0.66; set ylabel 'push [N]'; set yrange [0:900]; set ytics 200
set arrow 1 from 0, 706.08 to 8, 706.08 nohead dt 2 lw 1.5 lc rgb '#444444'
set arrow 2 from 0, 588.4 to 8, 588.4 nohead dt 3 lw 1.5 lc rgb '#444444'
set label 2 'static limit' at 7.95, 770 right
set label 3 'kinetic' at 7.95, 525 right
plot work.'friction.csv' using 1:(column("bristle.disturbance.force.y [N]")) ls 7 notitle
unset arrow; unset label
set tmargin at screen 0.61; set bmargin at screen 0.38; set ylabel 'speed [m/s]'; set yrange [0:3.5]; set ytics 1
plot work.'friction.csv' using 1:(column("bristle.velocity.left [m/s]")) ls 1 title 'bristle: holds, then breaks loose', \
     work.'friction.csv' using 1:(column("smooth.velocity.left [m/s]")) ls 2 title 'smooth law: creeps'
set tmargin at screen 0.33; set bmargin at screen 0.13; set ylabel 'moved [m]'; set yrange [0:3]; set ytics 1
set xlabel 'time [s]'; set format x '%g'; unset key
plot work.'friction.csv' using 1:(column("bristle.pose.y [m]")) ls 1, work.'friction.csv' using 1:(column("smooth.pose.y [m]")) ls 2
unset multiplot
GP
draw primer_slide "A box slides to a stop: 2 m/s, mu = 0.5" <<'GP'
set xrange [0:0.6]; set yrange [0:2.2]; set xlabel 'time [s]'; set ylabel 'speed [m/s], way [m]'; set key top right
plot work.'friction.csv' using 1:(column("box.velocity.y [m/s]")) ls 1 title 'speed: 2 m/s − μ g t', \
     work.'friction.csv' using 1:(column("box.pose.y [m]")) ls 2 title 'way', \
     4/(2*0.5*9.80665) ls 7 dt 2 title 'v²/(2 μ g) = 0.408 m'
GP

record kicked minerals --duration '2 s' --set record.every='5 ms'
draw ball_kicked "A ball is kicked: it slides, rolls and rolls out" <<'GP'
set xrange [0:2]; set yrange [0:1.3]; set xlabel 'time [s]'; set ylabel 'speed [m/s]'; set key top right
v0 = 1.2; k = 0.64; c = 0.03; g = 9.80665; r = 0.034925
plot work.'kicked.csv' using 1:(column("rolled.velocity.x [m/s]")) ls 1 title 'velocity v', \
     work.'kicked.csv' using 1:(r*column("rolled.roll.y [rad/s]")) ls 2 title 'roll u = r q', \
     (v0 - c*g*x)/(1 + k) ls 7 dt 2 title '(v_0 − c_r g t)/(1 + k)'
GP

log primer_rotation
figure primer_arm "The arm goes out at 1 s and comes back at 4 s" primer_rotation velocity.heading inertia momentum.angular
log primer_turn
figure primer_turn "A turn on the spot: torque fades as the speed grows" primer_turn drive.right.torque velocity.heading

record tanks primer_air
draw primer_tanks "A compressor fills two tanks" 640 <<'GP'
set multiplot
set lmargin at screen 0.11; set rmargin at screen 0.97; set xrange [0:45]; set xlabel ''; set format x ''; unset key
set tmargin at screen 0.89; set bmargin at screen 0.66; set ylabel 'air [mol]'; set yrange [0:0.5]; set ytics 0.2
plot work.'tanks.csv' using 1:(column("air.moles [mol]")) ls 1
set label 1 ''
set tmargin at screen 0.61; set bmargin at screen 0.38; set ylabel 'pressure [kPa]'; set yrange [0:1000]; set ytics 500
plot work.'tanks.csv' using 1:(1e-3*column("air.pressure [Pa]")) ls 2
set tmargin at screen 0.33; set bmargin at screen 0.13; set ylabel 'flow [L/s]'; set yrange [0:0.5]; set ytics 0.2
set xlabel 'time [s]'; set format x '%g'
plot work.'tanks.csv' using 1:(1e3*column("compressor.flow [m^3/s]")) ls 3
unset multiplot
GP

log primer_electricity
figure primer_launch "12 V from rest: speed, battery voltage, battery current" primer_electricity velocity.forward battery.voltage battery.current
record power primer_electricity
draw primer_power "Where the battery's power goes during a launch" <<'GP'
set xrange [0:1.2]; set yrange [0:4.5]; set xlabel 'time [s]'; set ylabel 'power [kW]'; set key top right
i = "battery.current [A]"; v = "battery.voltage [V]"; m = "drive.left.current [A]"
plot work.'power.csv' using 1:(0.012e-3*column(i)**2 + 1e-3*column(v)*column(i)) ls 7 title 'made by the chemistry, E I', \
     work.'power.csv' using 1:(0.012e-3*column(i)**2) ls 1 title 'heat in the battery, R_b I²', \
     work.'power.csv' using 1:(4e-3*0.091444596*column(m)**2) ls 2 title 'heat in the windings, 4 R_m I_m²', \
     work.'power.csv' using 1:(4e-3*column("drive.left.torque [N*m]")*column("drive.left.speed [rad/s]")) ls 3 title 'to the wheels, 4 T ω'
GP

# ------------------------------------------------------------------------------- tank, RoboSim's errata

# The arc of reference B7/B8: 12 V left, 6 V right, four models of wheels.
for wheels in rolling viscous friction_circle bristle; do
    record "arc_$wheels" primer_turn --set inputs='{left: 12 V, right: 6 V}' --duration '3 s' \
        --set robot.wheels="{model: $wheels}" --set robot.drive.rotor_inertia='7.75e-5 kg*m^2'
done
draw tank_arc "12 V left, 6 V right, 3 s: four models of the wheels" 640 <<'GP'
set size ratio -1; set xrange [-1:9]; set yrange [-3:2.5]; set xlabel 'x [m]'; set ylabel 'y [m]'
set key top right
px = "pose.x [m]"; py = "pose.y [m]"
plot work.'arc_rolling.csv' using (column(px)):(column(py)) ls 1 title 'rolling', \
     work.'arc_viscous.csv' using (column(px)):(column(py)) ls 2 title 'viscous (200 N s/m)', \
     work.'arc_friction_circle.csv' using (column(px)):(column(py)) ls 3 lw 5 title 'friction circle', \
     work.'arc_bristle.csv' using (column(px)):(column(py)) ls 4 title 'bristle'
GP

record book primer_electricity --set robot.wheels=traction --set robot.drive.rotor_inertia='7.75e-5 kg*m^2' \
    --set robot.drive.loss=viscous --set robot.drive.efficiency=0.95 --set inputs='{left: [[0 s, 12 V], [1 s, 0 V]], right: [[0 s, 12 V], [1 s, 0 V]]}'
draw tank_energy "A launch and a stop: where the battery's energy is" 600 <<'GP'
set xrange [0:2]; set yrange [0:1500]; set xlabel 'time [s]'; set ylabel 'energy [J]'; set key outside right center reverse Left invert width -2
e(n) = column("energy.".n." [J]")
a1(x) = e("kinetic") + e("wheels") + e("rotors")
a2(x) = a1(x) + e("tyre")
a3(x) = a2(x) + e("gear")
a4(x) = a3(x) + e("loss") + e("conversion")
a5(x) = a4(x) + e("copper")
a6(x) = a5(x) + e("resistance")
a7(x) = a6(x) + e("background")
set style fill solid 0.75 noborder
plot work.'book.csv' using 1:(0):(a1(0)) with filledcurves lc rgb '#0072b2' title 'motion', \
     '' using 1:(a1(0)):(a2(0)) with filledcurves lc rgb '#d55e00' title 'tyres', \
     '' using 1:(a2(0)):(a3(0)) with filledcurves lc rgb '#009e73' title 'gears', \
     '' using 1:(a3(0)):(a4(0)) with filledcurves lc rgb '#cc79a7' title 'loss, conversion', \
     '' using 1:(a4(0)):(a5(0)) with filledcurves lc rgb '#e69f00' title 'copper', \
     '' using 1:(a5(0)):(a6(0)) with filledcurves lc rgb '#56b4e9' title 'battery resistance', \
     '' using 1:(a6(0)):(a7(0)) with filledcurves lc rgb '#999999' title 'background', \
     '' using 1:(e("battery")) ls 7 title 'given by the battery'
GP

record right primer_electricity
record wrong primer_electricity --set robot.equations=published
draw robosim_launch "RoboSim's robot at 12 V, as printed and corrected" <<'GP'
set xrange [0:2]; set yrange [0:4.5]; set xlabel 'time [s]'; set ylabel 'speed [m/s]'; set key center right
plot work.'right.csv' using 1:(column("velocity.forward [m/s]")) ls 1 title 'corrected: 4.04 m/s', \
     work.'wrong.csv' using 1:(column("velocity.forward [m/s]")) ls 2 title 'as printed: 1.29 m/s', \
     work.'right.csv' using 1:(4.0373859548*(1 - exp(-$1/0.27063898562))) every 10 with points pt 6 ps 0.9 lw 2 lc rgb '#444444' title 'closed form'
GP
record spin_right primer_turn
record spin_wrong primer_turn --set robot.equations=published
draw robosim_turn "A turn on the spot: what the battery is asked for" <<'GP'
set xrange [0:1]; set yrange [0:400]; set xlabel 'time [s]'; set ylabel 'battery current [A]'; set key top right
plot work.'spin_right.csv' using 1:(column("battery.current [A]")) ls 1 title 'corrected: both bridges draw', \
     work.'spin_wrong.csv' using 1:(column("battery.current [A]")) ls 2 title 'as printed: left and right cancel, 0.5 A'
GP

# The recipe of a sweep, from the file that its page has its reader save.
rm -rf "$work/recipe" && mkdir -p "$work/recipe"
awk -v out="$work/recipe" -f docs/make/page.awk docs/recipes/sweep.md
mv "$work/recipe/$(awk '$1 == "file" { print $3 }' "$work/recipe/plan")" "$work/recipe/gears.yaml"
"$program" sweep "$work/recipe/gears.yaml" --over robot.drive.reduction='4..10 by 0.5' --over robot.mass='30 kg..65 kg by 5 kg' \
    --set expect='["at end: energy.copper < 1200 J"]' --best 'first pose.x > 8 m' --quiet --plot docs/img/sweep_gears.svg

. docs/figures/plant.sh
. docs/figures/cylinder.sh
. docs/figures/parts.sh
. docs/figures/holonomic.sh
. docs/figures/world.sh
. docs/figures/sensor.sh
. docs/figures/fit.sh
. docs/figures/design.sh
. docs/figures/plan.sh
. docs/figures/control.sh
. docs/figures/linkage.sh
. docs/figures/leg.sh
. docs/figures/leg_study.sh
. docs/figures/walk.sh
. docs/figures/air_source.sh
. docs/figures/review.sh
. docs/figures/tutorial.sh
. docs/figures/autonomous.sh
. docs/figures/team.sh
. docs/figures/gallery.sh
sh docs/figures/viewer.sh "$program"
