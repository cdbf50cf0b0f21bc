# Pictures of docs/robot/parts.md, docs/plant/actuator.md, docs/plant/two_link.md and docs/plant/hook.md. Read by docs/figures/all.sh, which defines record() and draw().

# fine NAME: a recording of a team's scenario, dense enough for outputs that are on for 1 ms at a time
fine() { "$program" run "scenarios/$1.yaml" --quiet --set record.every='0.5 ms' --log "$work/$1.wpilog"; }
height=900 # four panels
fine team_brownout
figure parts_brownout "Drive, lift and shooter in the same second" team_brownout battery.voltage brownout.stage lift.position shooter.velocity
fine team_staggered
figure parts_staggered "The same, one after the other" team_staggered battery.voltage brownout.stage lift.position shooter.velocity
height=560

# alone NAME MECHANISMS INPUTS OPTIONS...: mechanisms on a bench
alone() {
    name=$1 mechanisms=$2 inputs=$3
    shift 3
    record "$name" bench_mechanisms --set "robot.mechanisms=$mechanisms" --set start={} --set "inputs=$inputs" \
        --set record.every="$every" "$@"
}
every='2 ms'
lift='kind: elevator, motor: kraken-x60, motors: 2, reduction: 9, drum_radius: 2 cm, mass: 6 kg, travel: [0 m, 60 cm]'

alone stop "{lift: {$lift}}" '{lift: [[0.1 s, 6 V], [1.4 s, 0.3 V], [1.9 s, -3 V]]}' --duration '3.6 s'
draw actuator_stop "A lift between its stops: 6 V, 0.3 V, −3 V" 720 <<'GP'
set multiplot
set lmargin at screen 0.11; set rmargin at screen 0.97; set xrange [0:3.6]; set xlabel ''; set format x ''
set tmargin at screen 0.90; set bmargin at screen 0.66; set ylabel 'position [m]'; set yrange [-0.05:0.7]; set ytics 0.2
set arrow 1 from 0, 0.6 to 3.6, 0.6 nohead dt 2 lw 1.5 lc rgb '#444444'
set label 2 'high stop' at 3.55, 0.65 right
plot work.'stop.csv' using 1:(column("lift.position [m]")) ls 1 notitle
unset arrow; set label 1 ''; unset label 2
set tmargin at screen 0.62; set bmargin at screen 0.39; set ylabel 'velocity [m/s]'; set yrange [-0.6:1]; set ytics 0.4
plot work.'stop.csv' using 1:(column("lift.velocity [m/s]")) ls 2 notitle
set tmargin at screen 0.35; set bmargin at screen 0.12; set ylabel 'energy [J]'; set yrange [0:16]; set ytics 5
set xlabel 'time [s]'; set format x '%g'; set key top left
plot work.'stop.csv' using 1:(column("lift.energy.kinetic [J]")) ls 3 title 'of motion, rotors included', \
     work.'stop.csv' using 1:(column("lift.energy.stop [J]")) ls 4 title 'taken by the stops'
unset multiplot
GP

alone brake "{lift: {$lift, brake: 400 N, neutral: coast}}" \
    '{lift: [[0.1 s, 4 V], [0.6 s, 0 V], [1.2 s, -0.5 V], [1.6 s, -1 V], [2 s, 0 V]], lift.brake: [[0.6 s, on], [2.3 s, off]]}' --duration '3 s'
draw actuator_brake "A brake of 400 N: it stops, holds, slips, holds, lets go" 720 <<'GP'
set multiplot
set lmargin at screen 0.11; set rmargin at screen 0.97; set xrange [0:3]; set xlabel ''; set format x ''
set tmargin at screen 0.90; set bmargin at screen 0.60; set ylabel 'position [m]'; set yrange [-0.03:0.36]; set ytics 0.1
set object 1 rect from 0.6, graph 0 to 2.3, graph 1 fc rgb '#fff2d9' fs solid noborder behind
set label 2 'brake on' at 1.45, 0.335 center textcolor rgb '#8a5f00'
set label 3 '4 V' at 0.35, 0.02 center; set label 4 '0 V' at 0.9, 0.02 center; set label 5 '−0.5 V' at 1.4, 0.02 center
set label 6 '−1 V' at 1.8, 0.02 center; set label 7 '0 V' at 2.15, 0.02 center
plot work.'brake.csv' using 1:(column("lift.position [m]")) ls 1 notitle
set label 1 ''; do for [i = 2:7] { unset label i }
set tmargin at screen 0.56; set bmargin at screen 0.36; set ylabel 'velocity [m/s]'; set yrange [-1.2:0.8]; set ytics 0.5
plot work.'brake.csv' using 1:(column("lift.velocity [m/s]")) ls 2 notitle
set tmargin at screen 0.32; set bmargin at screen 0.12; set ylabel 'mode'; set yrange [-0.4:5.4]; set xlabel 'time [s]'; set format x '%g'
set ytics ('free' 0, 'low stop' 1, 'high stop' 2, 'held' 3, 'slides up' 4, 'slides down' 5) font ',13'
plot work.'brake.csv' using 1:(column("lift.mode [1]")) with steps ls 3 notitle
unset multiplot
GP

every='0.5 ms'
alone platform '{platform: {kind: lift, motor: cim, reduction: 8, mass: 20 kg, inertia: 0.15 kg*m^2, half_width: 40 cm, travel: [0 m, 30 cm]}}' \
    '{platform: {left: 8 V, right: 6 V}}' --duration '0.6 s'
every='2 ms'
draw actuator_platform "A platform whose left end arrives first" 560 <<'GP'
set multiplot
set lmargin at screen 0.11; set rmargin at screen 0.97; set xrange [0:0.6]; set xlabel ''; set format x ''; set key bottom right
set tmargin at screen 0.88; set bmargin at screen 0.53; set ylabel 'height [m]'; set yrange [0:0.35]; set ytics 0.1
plot work.'platform.csv' using 1:(column("platform.left.position [m]")) ls 1 title 'left end, 8 V', \
     work.'platform.csv' using 1:(column("platform.right.position [m]")) ls 2 title 'right end, 6 V'
set label 1 ''; unset key
set tmargin at screen 0.47; set bmargin at screen 0.14; set ylabel 'velocity [m/s]'; set yrange [-0.1:1.2]; set ytics 0.5
set xlabel 'time [s]'; set format x '%g'
plot work.'platform.csv' using 1:(column("platform.left.velocity [m/s]")) ls 1, work.'platform.csv' using 1:(column("platform.right.velocity [m/s]")) ls 2
unset multiplot
GP

# -------------------------------------------------------------------------------------------- hook

record lift_landing lift_landing
draw hook_landing "It lands, unhooks, drives off, comes back, hooks and climbs" 720 <<'GP'
set multiplot
set lmargin at screen 0.12; set rmargin at screen 0.97; set xrange [0:16]; set key at 9.4, 17 opaque
set xlabel ''; set format x ''
set tmargin at screen 0.90; set bmargin at screen 0.66
set ylabel 'height [cm]'; set yrange [-1:18]; set ytics 5
plot work.'lift_landing.csv' using 1:(100*column("lift.height [m]")) ls 1 title 'of the robot', \
     work.'lift_landing.csv' using 1:(100*column("lift.position [m]")) ls 2 title 'of the lift on it'
set label 1 ''
set tmargin at screen 0.62; set bmargin at screen 0.40
set ylabel 'carried [N]'; set yrange [0:160]; set ytics 50; set key at 9.4, 100
plot work.'lift_landing.csv' using 1:(column("lift.hook.force [N]")) ls 3 title 'by the bar', \
     work.'lift_landing.csv' using 1:(column("lift.floor [N]")) ls 7 title 'by the floor'
set tmargin at screen 0.36; set bmargin at screen 0.11
set xlabel 'time [s]'; set format x '%g'; set ylabel 'to the left [cm]'; set yrange [-5:70]; set ytics 20; unset key
plot work.'lift_landing.csv' using 1:(100*column("pose.y [m]")) ls 4
unset multiplot
GP

record lift_docking lift_docking
draw hook_docking "Hook and wall of the lander: PID alone, the operator, PID with an interlock" 640 <<'GP'
set lmargin at screen 0.11; set rmargin at screen 0.97; set tmargin at screen 0.90; set bmargin at screen 0.12
set xrange [-60:10]; set yrange [42:62]; set xlabel 'way of the hook to the bar [cm]'; set ylabel 'height of the hook [cm]'
set object 1 rectangle from -20, 50.8 to -8, 62 fc rgb '#9aa7b4' fs solid 0.5 noborder behind
set object 2 rectangle from 8, 50.8 to 10, 62 fc rgb '#9aa7b4' fs solid 0.5 noborder behind
set object 3 circle at 0, 55.88 size 0.5 fc rgb '#444444' fs solid front
set label 2 'wall' at -14, 60.5 center textcolor rgb '#222222'
set label 3 'bar' at 1.2, 54.9 textcolor rgb '#222222'
set key at -30, 61.3
plot work.'lift_docking.csv' using (100*column("pid.pose.x [m]")):(100*column("pid.lift.hook.height [m]")) ls 2 title 'PID alone: strikes', \
     work.'lift_docking.csv' using (100*column("operator.pose.x [m]")):(100*column("operator.lift.hook.height [m]")) ls 1 title 'operator', \
     work.'lift_docking.csv' using (100*column("interlock.pose.x [m]")):(100*column("interlock.lift.hook.height [m]")) ls 3 dt (12, 8) title 'PID with an interlock'
GP

record arm_felt arm_tank_brakes
record arm_alone arm_tank_brakes --set robot.mechanisms.arm.reaction=false
draw two_link_brakes "A tank brakes from 2 m/s with its arm hanging down" 640 <<'GP'
set multiplot
set lmargin at screen 0.11; set rmargin at screen 0.97; set xrange [0:2]; set xlabel ''; set format x ''
set tmargin at screen 0.90; set bmargin at screen 0.54; set ylabel 'speed [m/s]'; set yrange [-0.2:2]; set ytics 0.5
plot work.'arm_felt.csv' using 1:(column("velocity.forward [m/s]")) ls 1 title 'with reaction', \
     work.'arm_alone.csv' using 1:(column("velocity.forward [m/s]")) ls 2 dt 2 title 'without'
set label 1 ''; set tmargin at screen 0.49; set bmargin at screen 0.12; set ylabel 'angles from straight down [deg]'; set yrange [-45:45]; set ytics 20
set xlabel 'time [s]'; set format x '%g'; set key bottom left
plot work.'arm_felt.csv' using 1:(180 - 57.29578*column("arm.theta1 [rad]")) ls 1 title 'first link, forward', \
     work.'arm_felt.csv' using 1:(180 - 57.29578*column("arm.theta2 [rad]")) ls 3 title 'second link', \
     work.'arm_alone.csv' using 1:(180 - 57.29578*column("arm.theta1 [rad]")) ls 2 dt 2 title 'without reaction'
unset multiplot
GP
