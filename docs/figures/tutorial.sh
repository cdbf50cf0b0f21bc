# Pictures of docs/tutorials/loop.md, rig.md and legs.md. Read by docs/figures/all.sh, which defines record() and draw().

draw tutorial_motor "A motor at 12 V: four numbers and straight lines" 460 <<'GP'
ts = 2.429; is = 131.227; nf = 5310.0; if = 2.7
set xlabel 'speed [rpm]'; set ylabel 'torque [N m]'; set y2label 'current [A]'; set y2tics; set ytics nomirror
set border 11; set xrange [0:5500]; set yrange [0:2.8]; set y2range [0:140]; set key top right
set label 2 'stall' at 80, 2.15; set label 3 'free' at 5180, 0.32 center
plot [0:5310] ts*(1 - x/nf) ls 1 title 'torque', is + (if - is)*x/nf axes x1y2 ls 2 title 'current'
GP

record servo servo --set record.every='5 ms'
"$program" design designs/servo.yaml --set lqr.tolerance.angle='5 deg' --set 'check={}' --json > "$work/servo_greedy.json"
record servo_greedy servo --set record.every='5 ms' --set "control.design=$PWD/$work/servo_greedy.json"
draw tutorial_bench "The turntable on the bench; a brake of 0.2 N m from 0.7 s on" 640 <<'GP'
set multiplot
set lmargin at screen 0.11; set rmargin at screen 0.97; set xrange [0:2]
set tmargin at screen 0.89; set bmargin at screen 0.45; set ylabel 'angle [deg]'; set format x ''; set yrange [-30:130]; set key top right
deg = 57.29577951
plot work.'servo.csv' using 1:(deg*column("motor.angle [rad]")) ls 1 title 'design', \
     work.'servo_greedy.csv' using 1:(deg*column("motor.angle [rad]")) ls 2 lw 1.6 dt 2 title 'greedy'
set tmargin at screen 0.41; set bmargin at screen 0.15; set key top right horizontal; set ylabel 'command [V]'; set xlabel 'time [s]'; set format x '%g'; set yrange [-14:26]; set ytics 10
unset label 1
plot work.'servo.csv' using 1:(column("motor.command [V]")) with steps ls 1 title 'command', \
     work.'servo.csv' using 1:(-column("control.estimate.error_volts [V]")) every 2 with lines ls 3 title 'given back for friction and brake'
unset multiplot
GP

# ------------------------------------------------------------------------------------------ rig

# page_file PAGE FOLDERS: its one file (`<!-- file: … -->`), as it is read from $work
page_file() {
    mkdir -p "$work/page"
    awk -v out="$work/page" -f docs/make/page.awk "docs/tutorials/$1.md"
    sed 's|robots/|../../&|; s|designs/|../../&|' "$work/page/1" > "$work/$1.yaml"
}
page_file rig
record rig ../build/figures/rig --set record.every='2 ms'
"$program" design designs/cylinder_rig.yaml --set latency='4 ms' --json > "$work/rig_late.json"
record rig_late ../build/figures/rig --set record.every='2 ms' --set "robots.lqr.control.valve.design=$PWD/$work/rig_late.json"
awk 'NR < 400 || NR % 5 == 0' "$work/rig.csv" > "$work/rig_lqr.csv" # it swings until 0.6 s
draw tutorial_rig "Three loops: a step of 20 mm at 0.5 s, 20 N against the rod from 1.2 s on" 680 <<'GP'
set multiplot
set lmargin at screen 0.10; set rmargin at screen 0.97; set xrange [0:2.2]
set tmargin at screen 0.89; set bmargin at screen 0.46; set xlabel ''; set format x ''
set ylabel 'position [mm]'; set yrange [0:40]; set key bottom right
set object 1 rectangle from 0.7, 25 to 2.2, 35 fc rgb '#eeeeee' fs solid noborder behind
set label 2 'allowed' at 2.19, 33.6 right
at(robot) = 1e3*column(robot.".cylinder.position [m]")
air(robot) = 1e6*column(robot.".air.used [kg]")
plot work.'rig_lqr.csv' using 1:(at("lqr")) ls 1 title 'LQR', \
     work.'rig_late.csv' using 1:(at("lqr")) every 5 ls 6 dt 2 title 'LQR that knows of its delays', \
     work.'rig.csv' using 1:(at("pid")) every 5 ls 2 title 'PID', '' using 1:(at("sliding")) every 4 ls 3 title 'sliding mode'
unset object 1; unset label 1; unset label 2
set tmargin at screen 0.41; set bmargin at screen 0.13; set xlabel 'time [s]'; set format x '%g'
set ylabel 'air used [mg]'; set yrange [0:350]; set ytics 100; unset key
plot work.'rig.csv' using 1:(air("lqr")) every 12 ls 1, work.'rig_late.csv' using 1:(air("lqr")) every 12 ls 6 dt 2, \
     work.'rig.csv' using 1:(air("pid")) every 12 ls 2, '' using 1:(air("sliding")) every 12 ls 3
unset multiplot
GP

# ------------------------------------------------------------------------------------------ legs

page_file legs
for force in 50 100 150 200; do
    record "legs_$force" ../build/figures/legs --set record.every='10 ms' --set "disturbances.0.force=$force N"
done
for supply in 50 30 20 15; do
    record "legs_${supply}_psig" ../build/figures/legs --set disturbances=[] --set "robot.supply.pressure=$supply psig" \
        --duration '60 s' --set record.every='200 ms'
done
draw tutorial_legs "Standing: pushed from behind for 0.1 s (above), at four supplies (below)" 700 <<'GP'
set multiplot
set lmargin at screen 0.10; set rmargin at screen 0.97; set key right
set tmargin at screen 0.89; set bmargin at screen 0.59; set xrange [1.8:4]; set ylabel 'ahead [mm]'; set yrange [-100:500]; set ytics 200
z(column_name) = 1e3*column(column_name)
plot work.'legs_50.csv' using 1:(z("pose.x [m]")) every 2 ls 1 title '50 N', work.'legs_100.csv' using 1:(z("pose.x [m]")) every 2 ls 3 title '100 N', \
     work.'legs_150.csv' using 1:(z("pose.x [m]")) every 2 ls 5 title '150 N', work.'legs_200.csv' using 1:(z("pose.x [m]")) every 2 ls 2 title '200 N: it falls'
unset label 1
set tmargin at screen 0.49; set bmargin at screen 0.13; set xlabel 'time [s]'; set xrange [0:60]; set ylabel 'height [mm]'; set yrange [255:335]; set ytics 20; set key at 59, 315
plot work.'legs_50_psig.csv' using 1:(z("pose.z [m]")) ls 1 title '50 psig', work.'legs_30_psig.csv' using 1:(z("pose.z [m]")) ls 3 title '30 psig', \
     work.'legs_20_psig.csv' using 1:(z("pose.z [m]")) ls 5 title '20 psig', work.'legs_15_psig.csv' using 1:(z("pose.z [m]")) ls 2 title '15 psig'
unset multiplot
GP
