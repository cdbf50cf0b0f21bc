# Pictures of docs/control/*.md. Read by docs/figures/all.sh, which defines record() and draw().

# The rule of docs/control/polytope.md: a line that meets the region, one that misses it, one beside an edge.
# Voltages 4 v_left + 0.8 v_right and 0.8 v_left + 4 v_right, each within 12 V; in the middle shifted by a disturbance.
draw polytope_rule "In the region, on the line, near the dot" 420 <<'GP'
set multiplot
set tmargin at screen 0.82; set bmargin at screen 0.20
set size ratio -1; set key off; set samples 200; set xlabel offset 0, 0.6
set style line 11 pt 6 ps 1 lw 2.5 lc rgb '#222222' # dot
set style line 12 pt 7 ps 0.9 lc rgb '#d55e00'        # answer
set style fill solid 0.18 noborder
$region << EOD
2.5,2.5
-3.75,3.75
-2.5,-2.5
3.75,-3.75
2.5,2.5
EOD
set lmargin at screen 0.08; set rmargin at screen 0.35
set xrange [-4.5:4.5]; set yrange [-4.5:6.4]; set xtics 2; set ytics 2
set xlabel 'left side [m/s]'; set ylabel 'right side [m/s]' offset 1.2, 0
set title 'they meet: the radius stays'
set label 2 'wished' at 2.2, 5.6; set label 3 'answer' at 0.5, 4.3 right textcolor rgb '#d55e00'
set label 4 'nearest point:' at 1.75, 3.9 textcolor rgb '#444444' font ',13'
set label 5 'another radius' at 1.75, 3.2 textcolor rgb '#444444' font ',13'
plot $region with filledcurves lc rgb '#0072b2', $region ls 1 lw 1.5, 3*x ls 3, \
     '+' using (1.308):(2.738) with points pt 9 ps 0.8 lc rgb '#555555', \
     '+' using (1.9):(5.7) with points ls 11, '+' using (0.9375):(2.8125) with points ls 12
unset label
$moved << EOD
7,0.5
0.75,1.75
2,-4.5
8.25,-5.75
7,0.5
EOD
set lmargin at screen 0.40; set rmargin at screen 0.68
set xrange [-1:8.5]; set yrange [-6:3.9]; set ylabel ''
set title 'they miss: nearest to the line'
set label 2 'wished' at 1.5, 3.3; set label 3 'answer' at 1.2, 2.2 textcolor rgb '#d55e00'
plot $moved with filledcurves lc rgb '#0072b2', $moved ls 1 lw 1.5, 3*x ls 3, \
     '+' using (1.1):(3.3) with points ls 11, '+' using (0.75):(1.75) with points ls 12
unset label
$box << EOD
12,12
-12,12
-12,-12
12,-12
12,12
EOD
$edge << EOD
-12,12
12,12
EOD
set lmargin at screen 0.73; set rmargin at screen 0.98
set xrange [-15:15]; set yrange [-14:22]; set xtics 10; set ytics 10; set xlabel 'left side [V]'
set title 'an edge ties: the dot decides'
set label 2 'wished' at 4.6, 19; set label 3 'answer' at 4, 9.4 textcolor rgb '#d55e00'
plot $box with filledcurves lc rgb '#0072b2', $box ls 1 lw 1.5, 15 ls 3, $edge ls 2 lw 4, \
     '+' using (3):(19) with points ls 11, '+' using (3):(12) with points ls 12
unset multiplot
GP

# Two robots with the same driver: docs/control/drive_loop.md.
record drive_loop drive_loop --set record.every='10 ms'
draw drive_loop_paths "The same driver, with and without the drive loop" 520 <<'GP'
set xlabel 'x [m]'; set ylabel 'y [m]'; set size ratio -1; set key top right
set label 2 'drag' at 1.9, 3.45 center; set label 3 'push' at 5.4, 3.45 center; set label 4 'curve of 2 m' at 10.8, 5.0 left
plot work.'drive_loop.csv' using (column("closed.pose.x [m]")):(column("closed.pose.y [m]")) ls 1 title 'drive loop', \
     work.'drive_loop.csv' using (column("open.pose.x [m]")):(column("open.pose.y [m]")) ls 2 title 'sticks straight on the motors'
GP
draw drive_loop_speeds "Right side: what the driver wishes, what can be had, what it does" 520 <<'GP'
set xlabel 'time [s]'; set ylabel 'speed of the right side [m/s]'; set key top left; set xrange [0:13]; set yrange [-0.2:4.6]
set label 2 'drag' at 2.25, 2.05 center; set label 3 'push' at 3.75, 2.05 center
set label 4 'full throttle in the curve' at 8.5, 4.15 center; set label 5 'second gear' at 11.6, 2.55 center
plot work.'drive_loop.csv' using 1:(column("closed.control.wish.right [m/s]")) with steps ls 3 title 'wish', \
     work.'drive_loop.csv' using 1:(column("closed.control.goal.right [m/s]")) with steps ls 2 title 'goal', \
     work.'drive_loop.csv' using 1:(column("closed.velocity.forward [m/s]") + 0.3048 * column("closed.velocity.heading [rad/s]")) ls 1 title 'truth'
GP

# Curves of docs/control/pid.md, profile.md and mixing.md, from the code itself.
"$figures"_curves pid > "$work/pid.csv"
"$figures"_curves profile > "$work/profile.csv"
"$figures"_curves mixing > "$work/mixing.csv"
"$figures"_curves slopes > "$work/slopes.csv"
draw pid_windup "A carriage sent 2 m away, with the same gains" 640 <<'GP'
set multiplot
set lmargin at screen 0.10; set rmargin at screen 0.97; set xrange [0:2]
set tmargin at screen 0.89; set bmargin at screen 0.53; set xlabel ''; set ylabel 'position [m]'; set key bottom right
plot work.'pid.csv' using 1:2 ls 2 title 'a step, no anti-windup', '' using 1:3 ls 1 title 'a step, anti-windup', \
     '' using 1:4 ls 3 title 'a profile, feed-forward'
set label 1 ''
set tmargin at screen 0.44; set bmargin at screen 0.13; set xlabel 'time [s]'; set ylabel 'output [V]'; set key off
set yrange [-13.5:13.5]; set ytics 6
plot work.'pid.csv' using 1:5 ls 2, '' using 1:6 ls 1, '' using 1:7 ls 3
unset multiplot
GP
draw profile_shapes "Left: 4 m, rest to rest. Right: at 1.5 m/s, with the goal 0.2 m ahead" 760 <<'GP'
set multiplot
names = "'position [m]' 'velocity [m/s]' 'acceleration [m/s²]'"
set xtics 1
do for [side=0:1] {
    set lmargin at screen 0.09 + 0.48*side; set rmargin at screen 0.49 + 0.48*side; set xrange [0:(side ? 3.2 : 4)]
    do for [row=0:2] {
        set tmargin at screen 0.90 - 0.27*row; set bmargin at screen 0.67 - 0.27*row
        set format x (row == 2 ? '%g' : ''); set xlabel (row == 2 ? 'time [s]' : '')
        set ylabel (side ? '' : word(names, row + 1)) offset 0.5, 0
        tic = row == 0 && side ? 0.4 : 1; set ytics tic
        if (row == 0) { set yrange [0:(side ? 1.2 : 4.4)] }
        if (row == 1) { set yrange [(side ? -1.2 : 0):(side ? 1.6 : 2.2)] }
        if (row == 2) { set yrange [-1.8:1.8] }
        if (row + side == 0) { set key bottom right } else { set key off }
        plot work.'profile.csv' using 1:(column(2 + 6*side + row)) ls 1 title 'trapezoidal', \
             '' using 1:(column(5 + 6*side + row)) ls 2 title 'jerk-limited'
        set label 1 ''
    }
}
unset multiplot
GP

draw mixing_direction "Where an X-drive goes, by where the stick points" 640 <<'GP'
set multiplot
set lmargin at screen 0.10; set rmargin at screen 0.97; set xrange [0:360]; set xtics 45
set tmargin at screen 0.89; set bmargin at screen 0.46; set format x ''; set ylabel 'driven [deg]'; set yrange [0:360]; set ytics 45; set key top left
plot work.'mixing.csv' using 1:2 ls 2 title '(10) to (13)', '' using 1:3 ls 1 title 'standard'
set label 1 ''
set tmargin at screen 0.41; set bmargin at screen 0.13; set format x '%g'; set xlabel 'commanded [deg], from the right, counter-clockwise'
set ylabel 'error [deg]'; set yrange [-11:11]; set ytics 5; set key off
set arrow 1 from 0, 8.130102 to 360, 8.130102 nohead dt 2 lw 1.5 lc rgb '#444444'
set arrow 2 from 0, -8.130102 to 360, -8.130102 nohead dt 2 lw 1.5 lc rgb '#444444'
set label 2 '8.130°' at 3, 9.7; set label 3 '−8.130°' at 357, -9.8 right
plot work.'mixing.csv' using 1:($2 - $1) ls 2, '' using 1:($3 - $1) ls 1
unset multiplot
GP
draw mixing_slopes "Slopes of the four outputs over the stick: constant in a half-quadrant" 560 <<'GP'
set multiplot
set size ratio -1; set key off; set xrange [-1:1]; set yrange [-1:1]; unset grid; set border 15 lw 1 lc rgb '#444444'; unset xtics; unset ytics
set style fill solid 1 border rgb '#ffffff'
colours = "'#f2b489' '#eeeeee' '#9fc9e8'"
do for [panel=0:7] {
    motor = panel/2; row = panel%2
    set lmargin at screen 0.075 + 0.235*motor; set rmargin at screen 0.275 + 0.235*motor
    set tmargin at screen 0.83 - 0.42*row; set bmargin at screen 0.50 - 0.42*row
    set title sprintf('(%d)   {/:Italic ∂f}_{%d}/{/:Italic ∂%s}', 14 + panel, motor + 1, row ? 'y' : 'x') offset 0, -0.6
    set xlabel (row ? 'stick x' : '') offset 0, 0.6; set ylabel (motor ? '' : 'stick y') offset 0.5, 0
    plot for [v=0:2] work.'slopes.csv' index 3*panel + v using 1:2 with filledcurves closed fc rgb word(colours, v + 1), \
         work.'slopes.csv' index 24 + panel using 1:2:3 with labels font ',14'
    set label 1 ''
}
unset multiplot
GP

# Three loops at once, of docs/control/loops.md.
record team_loops team_loops --set record.every='10 ms'
draw team_loops "Three loops on one robot, one battery" 820 <<'GP'
set multiplot
set lmargin at screen 0.11; set rmargin at screen 0.97; set xrange [0:8]; set format x ''; set xlabel ''
set tmargin at screen 0.92; set bmargin at screen 0.72; set ylabel 'lift [m]'; set yrange [-0.05:1]; set ytics 0.4; set key top right
plot work.'team_loops.csv' using 1:(column("control.lift.goal.x [m]")) ls 2 title 'goal', '' using 1:(column("lift.position [m]")) ls 1 title 'is'
set label 1 ''
set tmargin at screen 0.69; set bmargin at screen 0.50; set ylabel 'arm [deg]'; set yrange [-5:75]; set ytics 30
plot work.'team_loops.csv' using 1:(57.29578*column("control.arm.goal [rad]")) ls 2 title 'goal', '' using 1:(57.29578*column("arm.position [rad]")) ls 1 title 'is'
set tmargin at screen 0.47; set bmargin at screen 0.30; set ylabel 'speed [m/s]'; set yrange [-1.6:2.6]; set ytics 1
plot work.'team_loops.csv' using 1:(0.5*(column("control.drive.goal.left [m/s]") + column("control.drive.goal.right [m/s]"))) ls 2 title 'goal', '' using 1:(column("velocity.forward [m/s]")) ls 1 title 'is'
set tmargin at screen 0.27; set bmargin at screen 0.10; set ylabel 'battery [V]'; set yrange [5:14.5]; set ytics 3; set format x '%g'; set xlabel 'time [s]'; set key off
plot work.'team_loops.csv' using 1:(column("battery.voltage [V]")) ls 3
unset multiplot
GP

# A tank on the Roomba's path and in a slalom, of docs/control/follow.md.
record tank_path tank_path --set record.every='20 ms'
record tank_slalom tank_slalom --set record.every='20 ms'
draw follow_paths "A tank from its encoders and gyro alone: the way, and how far it is off" 640 <<'GP'
set multiplot
set lmargin at screen 0.08; set rmargin at screen 0.48; set tmargin at screen 0.92; set bmargin at screen 0.52
set size ratio -1; set key off; set xlabel 'x [m]'; set ylabel 'y [m]'; set xrange [-0.3:4.3]; set yrange [-0.4:2.3]
plot work.'tank_path.csv' using (column("control.reference.x [m]")):(column("control.reference.y [m]")) ls 2, '' using (column("pose.x [m]")):(column("pose.y [m]")) ls 1 lw 1.5
set label 1 ''
set lmargin at screen 0.55; set rmargin at screen 0.98; set xrange [-0.3:11.3]; set yrange [-1.2:1.2]; set ylabel ''
plot work.'tank_slalom.csv' using (column("control.reference.x [m]")):(column("control.reference.y [m]")) ls 2, '' using (column("pose.x [m]")):(column("pose.y [m]")) ls 1 lw 1.5
set size noratio; set tmargin at screen 0.34; set bmargin at screen 0.12; set xlabel 'time [s]'; set yrange [0:10]; set ytics 5
set lmargin at screen 0.08; set rmargin at screen 0.48; set ylabel '[mm]'; set xrange [0:13]; set key top right
plot work.'tank_path.csv' using 1:(1e3*column("path.deviation [m]")) ls 1 title 'off the path', '' using 1:(1e3*column("control.odometry.error [m]")) ls 3 title 'odometry is off'
set lmargin at screen 0.55; set rmargin at screen 0.98; set ylabel ''; set xrange [0:10]; set key off
plot work.'tank_slalom.csv' using 1:(1e3*column("path.deviation [m]")) ls 1, '' using 1:(1e3*column("control.odometry.error [m]")) ls 3
unset multiplot
GP

# What a trial meets, of docs/design/trial.md: the lift of the team's robot on its robot, and with a voltage at hand.
for kind in robot ideal; do
    case $kind in
    robot) "$program" design designs/team_lift.yaml --json --try 'duration=1.2 s' ;;
    ideal) "$program" design designs/team_lift.yaml --json --try 'duration=1.2 s' --set 'check={}' --set 'try.battery={resistance: 0 ohm}' \
        --set 'plant={kind: elevator, motor: kraken-x60, motors: 2, reduction: 9, efficiency: 90 %, drum_radius: 2 cm, mass: 6 kg, friction: 20 N*s/m}' ;;
    esac | awk '
    function pick(text, key, values,    rest) {
        rest = substr(text, index(text, key) + length(key))
        sub(/\].*/, "", rest)
        return split(rest, values, ",")
    }
    {
        after = substr($0, index($0, "\"after\":"))
        n = pick(after, "\"t\":[", t)
        pick(after, "\"x\":{\"x\":[", x)
        pick(after, "\"v\":[", v)
        for (i = 1; i <= n; i++) print t[i] "," x[i] "," v[i]
    }' > "$work/trial_$kind.csv"
done
draw trial_lift "The same loop on a voltage that is at hand, and on its robot" 560 <<'GP'
set multiplot
set lmargin at screen 0.10; set rmargin at screen 0.97; set xrange [0:1.2]
set tmargin at screen 0.88; set bmargin at screen 0.55; set format x ''; set xlabel ''; set ylabel 'position [m]'; set yrange [0:1.1]; set ytics 0.5; set key bottom right
plot work.'trial_ideal.csv' using 1:2 ls 2 title 'voltage at hand', work.'trial_robot.csv' using 1:2 ls 1 title 'on the robot'
set label 1 ''
set tmargin at screen 0.49; set bmargin at screen 0.14; set format x '%g'; set xlabel 'time [s]'; set ylabel 'speed [m/s]'; set yrange [0:1.7]; set key off
plot work.'trial_ideal.csv' using 1:3 ls 2, work.'trial_robot.csv' using 1:3 ls 1
unset multiplot
GP

# Headings from three gyros, of docs/control/heading.md.
record gyro_shifter gyro_shifter --set record.every='20 ms'
draw heading_shifter "A robot that turns 60 deg and back, by its gyros: left and right differ in scale" 520 <<'GP'
deg = 57.29577951
set multiplot
set xrange [0:12]; set xlabel 'time [s]'; set tmargin at screen 0.86; set bmargin at screen 0.15; set xtics 4
set lmargin at screen 0.09; set rmargin at screen 0.50; set ylabel 'heading [deg]'; set yrange [-20:230]; set ytics 50; set key top left
plot work.'gyro_shifter.csv' using 1:(deg*column("control.settled.heading [rad]")) ls 2 title 'shifter, settled', \
     '' using 1:(deg*column("control.hub.heading [rad]")) ls 1 title 'hub', \
     '' using 1:(deg*column("pose.heading [rad]")) ls 7 lw 1.2 title 'truth'
set label 1 ''
set lmargin at screen 0.58; set rmargin at screen 0.98; set ylabel ''; set yrange [-200:3600]; set ytics 1000; set key top left
plot work.'gyro_shifter.csv' using 1:(deg*column("control.shifted.heading [rad]")) ls 2 title 'shifter, summed up', \
     '' using 1:(deg*column("pose.heading [rad]")) ls 7 lw 1.2 title 'truth'
unset multiplot
GP

# Friction and a slope, of docs/control/pid.md.
record pid_stiction pid_stiction --duration '8 s' --set record.every='20 ms'
record pid_slope pid_slope --set record.every='10 ms'
for kd in 0 0.05 0.1 0.15 0.2 0.25 0.3 0.35 0.4 0.45 0.5; do
    record pid_slope_kd pid_slope --set robots.more.control.kd="$kd s/m" --duration '1 s' --set record.every='1 ms' \
        --set record.signals='[more.pose.x]'
    awk -F, -v kd=$kd 'NR > 1 && $2 > most { most = $2 } END { print kd "," most }' "$work/pid_slope_kd.csv"
done > "$work/pid_stops.csv"
draw pid_stiction "Goals of 25 cm and 2 cm, friction worth 1 V, kp = 40 V/m" 480 <<'GP'
set multiplot
set xrange [0:8]; set xlabel 'time [s]'; set tmargin at screen 0.86; set bmargin at screen 0.16; set xtics 2
set lmargin at screen 0.10; set rmargin at screen 0.49; set ylabel 'position [mm]'; set yrange [0:280]; set key bottom right
plot 250 ls 7 lw 1.2 title 'goal', work.'pid_stiction.csv' using 1:(1e3*column("p.position [m]")) ls 2 title 'P', \
     '' using 1:(1e3*column("pi.position [m]")) ls 1 title 'PI'
set label 1 ''
set lmargin at screen 0.60; set rmargin at screen 0.97; set ylabel ''; set yrange [-1:22.4]; set key off
plot 20 ls 7 lw 1.2, work.'pid_stiction.csv' using 1:(1e3*column("p_near.position [m]")) ls 2, \
     '' using 1:(1e3*column("pi_near.position [m]")) ls 1
unset multiplot
GP
draw pid_slope "Told to stop at once, at 2 m/s down a slope of 5 deg" 480 <<'GP'
set multiplot
set tmargin at screen 0.86; set bmargin at screen 0.16; set ylabel 'way [m]'; set yrange [-0.2:0.85]; set ytics 0.2
set lmargin at screen 0.09; set rmargin at screen 0.49; set xlabel 'time [s]'; set xrange [0:2]; set xtics 0.5; set key top right
plot work.'pid_slope.csv' using 1:(column("none.pose.x [m]")) ls 2 title 'D = 0', '' using 1:(column("little.pose.x [m]")) ls 3 title '0.1 s/m', \
     '' using 1:(column("more.pose.x [m]")) ls 1 title '0.2 s/m', '' using 1:(column("much.pose.x [m]")) ls 4 title '0.4 s/m'
set label 1 ''
set lmargin at screen 0.60; set rmargin at screen 0.90; set xlabel 'D [s/m]'; set xrange [0:0.5]; set xtics 0.1; set yrange [0:0.8]; set ylabel 'stopping distance [m]' textcolor rgb '#0072b2'
set y2label 'braking at first [m/s²]' textcolor rgb '#d55e00'; set y2range [0:16]; set y2tics 4; set key off
plot work.'pid_stops.csv' using 1:2 with linespoints ls 1 pt 7 ps 0.6, 2*(1 + 12*x) - 9.80665*sin(5/57.29577951) axes x1y2 ls 2
unset multiplot
GP

# Three drivers on one course, of docs/control/driver.md: their copies of it, one over the other.
record course_driver course_driver
draw driver_course "One course, three drivers" 680 <<'GP'
set multiplot
set lmargin at screen 0.08; set rmargin at screen 0.97; set tmargin at screen 0.94; set bmargin at screen 0.51
set size ratio -1; set xrange [0.2:7.5]; set yrange [0:2]; set xtics 1; set ytics 0.5; set xlabel 'x [m]'; set ylabel 'y [m]'; set key off
set style fill solid 0.25 border rgb '#444444'
in = 0.0254
set object 1 rect center 1.85, 0.45 size 18*in, 18*in fc rgb '#888888'
set object 2 rect center 3.3, 1.38 size 24*in, 18*in fc rgb '#888888'
set object 3 rect center 5.4, 1.605 size 1, 0.05 fc rgb '#888888'
set object 4 rect center 5.4, 0.895 size 1, 0.05 fc rgb '#888888'
set object 5 rect center 0.5, 0.55 size 18*in, 18*in fs empty border rgb '#0072b2'
plot work.'course_driver.csv' using (column("full.pose.x [m]")):(column("full.pose.y [m]")) ls 1, \
     '' using (column("little.pose.x [m]")):(column("little.pose.y [m]") - 2.1) ls 2, \
     '' using (column("practised.pose.x [m]")):(column("practised.pose.y [m]") - 4.2) ls 3
set label 1 ''
unset object
set size noratio; set tmargin at screen 0.36; set bmargin at screen 0.12; set xrange [0:20]; set yrange [0:15]; set xtics 5; set ytics 5
set xlabel 'time [s]'; set ylabel 'off [cm]'; set key top right
plot work.'course_driver.csv' using 1:(100*column("full.path.deviation [m]")) ls 1 title 'full view, 0.4 m/s', \
     '' using 1:(100*column("little.path.deviation [m]")) ls 2 title '300 ms late, 5 Hz, ± 3 cm, 0.4 m/s', \
     '' using 1:(100*column("practised.path.deviation [m]")) ls 3 title 'the same, predicts, 0.8 m/s'
unset multiplot
GP

# Four kinds of loops on the cylinder rig, of docs/control/cylinder.md.
record cylinder_kinds cylinder_loop_kinds --set record.signals='["*.cylinder.position", "*.valve.voltage"]'
draw cylinder_kinds "A step of 20 mm on the cylinder rig by four kinds of loops" 620 <<'GP'
set multiplot
set lmargin at screen 0.11; set rmargin at screen 0.97; set xrange [-0.02:0.4]; set format x ''; set xlabel ''
set tmargin at screen 0.92; set bmargin at screen 0.52; set ylabel 'position [mm]'; set yrange [8:33]; set ytics 5; set key bottom right
plot work.'cylinder_kinds.csv' using ($1 - 1.5):(1e3*column("plain.cylinder.position [m]")) ls 1 title 'position and velocity', '' using ($1 - 1.5):(1e3*column("sliding.cylinder.position [m]")) ls 3 title 'sliding mode', \
     '' using ($1 - 1.5):(1e3*column("pressure.cylinder.position [m]")) ls 2 title 'with pressures', '' using ($1 - 1.5):(1e3*column("impedance.cylinder.position [m]")) ls 4 title 'impedance'
set label 1 ''; set label 2 ''
set tmargin at screen 0.48; set bmargin at screen 0.14; set ylabel 'valve [V]'; set yrange [2.5:10.5]; set ytics 2; set format x '%g'; set xlabel 'time since the step [s]'; set key off
plot work.'cylinder_kinds.csv' using ($1 - 1.5):(column("plain.valve.voltage [V]")) ls 1 lw 1.5, '' using ($1 - 1.5):(column("sliding.valve.voltage [V]")) ls 3 lw 1.5, \
     '' using ($1 - 1.5):(column("pressure.valve.voltage [V]")) ls 2 lw 1.5, '' using ($1 - 1.5):(column("impedance.valve.voltage [V]")) ls 4 lw 1.5
unset multiplot
GP

# Plans of an arm along path B of the reference, of docs/control/arm_plan.md, from the code itself.
"$figures"_arm_curves speeds > "$work/arm_speeds.csv"
"$figures"_arm_curves volts > "$work/arm_volts.csv"
draw arm_plan_passes "Speed along a path: three passes, and what the motors really allow" <<'GP'
set xrange [0:1.8]; set yrange [0:8]; set xlabel 'way [rad]'; set ylabel 'speed along it [rad/s]' offset 1, 0; set key top right
plot work.'arm_speeds.csv' using 1:2 ls 7 dt 2 lw 2 title 'curvature: 12 V without acceleration', '' using 1:3 ls 5 lw 2 title 'backward', \
     '' using 1:4 ls 2 title 'forward: 0.5509 s', '' using 1:5 ls 1 title 'reachability: 0.5389 s'
GP
draw arm_plan_volts "Voltages of both joints" 620 <<'GP'
set multiplot
names = "'by the passes [V]' 'by reachability [V]'"
set lmargin at screen 0.11; set rmargin at screen 0.97; set xrange [0:0.56]; set yrange [-14:14]; set ytics 6
do for [row=0:1] {
    set tmargin at screen 0.90 - 0.40*row; set bmargin at screen 0.54 - 0.40*row
    set format x (row ? '%g' : ''); set xlabel (row ? 'time [s]' : ''); set ylabel word(names, row + 1)
    if (row) { set key off } else { set key at 0.4, -1 }
    plot 12 ls 7 lw 1 dt 2 notitle, -12 ls 7 lw 1 dt 2 notitle, work.'arm_volts.csv' index row using 1:2 ls 1 title 'first joint', \
         '' index row using 1:3 ls 2 title 'second joint'
    set label 1 ''
}
unset multiplot
GP

# Desired and actual path of a hand, of docs/control/arm_follow.md. Discs as in plans/arm_two_discs.yaml.
record arm_hand arm_two_discs --set run.duration='1.2 s'
draw arm_follow_hand "The hand goes round two discs: desired and actual" 520 <<'GP'
set multiplot
set lmargin at screen 0.08; set rmargin at screen 0.52; set tmargin at screen 0.87; set bmargin at screen 0.17
set size ratio -1; set xrange [-0.4:2.2]; set yrange [0.3:2.8]; set xtics 0.5; set ytics 0.5; set key bottom left
set xlabel 'forward of the first joint [m]'; set ylabel 'above it [m]'
set style fill transparent solid 0.35 noborder
set object 1 circle at 0.55, 2.05 size 0.10 fc rgb '#b0785a'; set object 2 circle at 1.50, 1.35 size 0.15 fc rgb '#b0785a'
set label 2 'bar' at 0.55, 1.87 center; set label 3 'lamp' at 1.50, 1.60 center
plot work.'arm_hand.csv' using (column("arm.hand.x [m]")):(column("arm.hand.z [m]")) ls 6 lw 6 title 'actual', \
     '' using (column("control.arm.hand.goal.x [m]")):(column("control.arm.hand.goal.z [m]")) ls 7 lw 1.5 title 'desired'
unset object; unset label 2; unset label 3
set lmargin at screen 0.62; set rmargin at screen 0.97; set size noratio
set xrange [0.4:1.2]; set yrange [-4:4]; set xtics 0.2; set ytics 2; set key top left
set xlabel 'time [s]'; set ylabel 'actual less desired [mm]'
plot work.'arm_hand.csv' using 1:(1e3*(column("arm.hand.x [m]") - column("control.arm.hand.goal.x [m]"))) ls 1 title 'forward', \
     '' using 1:(1e3*(column("arm.hand.z [m]") - column("control.arm.hand.goal.z [m]"))) ls 2 title 'up'
unset multiplot
GP
