# Pictures of docs/tutorials/loop.md. Read by docs/figures/all.sh, which defines record() and draw().

draw tutorial_motor "A motor at 12 V: four numbers and straight lines" 460 <<'GP'
ts = 2.429; is = 131.227; nf = 5310.0; if = 2.7
set xlabel 'speed [rpm]'; set ylabel 'torque [N m]'; set y2label 'current [A]'; set y2tics; set ytics nomirror
set border 11; set xrange [0:5500]; set yrange [0:2.8]; set y2range [0:140]; set key top right
set label 2 'stall' at 80, 2.15; set label 3 'free' at 5180, 0.32 center
plot [0:5310] ts*(1 - x/nf) ls 1 title 'torque', is + (if - is)*x/nf axes x1y2 ls 2 title 'current'
GP

record servo servo --set record.every='1 ms'
"$program" design designs/servo.yaml --set lqr.tolerance.angle='5 deg' --set 'check={}' --json > "$work/servo_greedy.json"
record servo_greedy servo --set record.every='1 ms' --set "control.design=$PWD/$work/servo_greedy.json"
draw tutorial_bench "The turntable on the bench; a brake of 0.2 N m from 0.7 s on" 640 <<'GP'
set multiplot
set lmargin at screen 0.11; set rmargin at screen 0.97; set xrange [0:2]
set tmargin at screen 0.89; set bmargin at screen 0.45; set ylabel 'angle [deg]'; set format x ''; set yrange [-30:130]; set key top right
deg = 57.29577951
plot work.'servo.csv' using 1:(deg*column("motor.angle [rad]")) ls 1 title 'design', \
     work.'servo_greedy.csv' using 1:(deg*column("motor.angle [rad]")) ls 2 lw 1.6 dt 2 title 'greedy'
set tmargin at screen 0.41; set bmargin at screen 0.15; set key bottom right; set ylabel 'command [V]'; set xlabel 'time [s]'; set format x '%g'; set yrange [-14:14]
unset label 1
plot work.'servo.csv' using 1:(column("motor.command [V]")) with steps ls 1 title 'command', \
     work.'servo.csv' using 1:(-column("control.estimate.error_volts [V]")) with steps ls 3 title 'given back for friction and brake'
unset multiplot
GP
