# Pictures of docs/robot/quadruped_validation.md. Read by docs/figures/all.sh, which defines record() and draw().

# ------------------------------------------------------------------------------------------ limit cycle

record leg_cycle leg_limit_cycle --set record.every='5 ms'
record leg_walk_gain leg_walk_gain --set record.every='5 ms'
draw leg_limit_cycle "The alpha joint at full gain and at 75 %" 680 <<'GP'
deg = 180/pi
set multiplot
set lmargin at screen 0.10; set rmargin at screen 0.97; set key top right horizontal
set tmargin at screen 0.88; set bmargin at screen 0.58
set xrange [0.5:7]; set yrange [-16:42]; set xlabel 'time [s]' offset 0, 0.6; set ylabel 'steps, angle [deg]'; set ytics 10
plot work.'leg_cycle.csv' using 1:(deg*column("full.leg.fr.alpha.angle [rad]")) ls 2 lw 1.6 title 'full gain', \
     work.'leg_cycle.csv' using 1:(deg*column("reduced.leg.fr.alpha.angle [rad]")) ls 1 title '75 %', \
     work.'leg_cycle.csv' using 1:(deg*column("full.control.leg.fr.alpha.goal [rad]")) ls 7 dt 2 lw 1.5 title 'goal'
set label 1 ''
set tmargin at screen 0.46; set bmargin at screen 0.13
set xrange [9:17]; set yrange [-22:34]; set xlabel 'time [s]'; set ylabel 'walking, angle [deg]'
plot work.'leg_walk_gain.csv' using 1:(deg*column("full.leg.fr.alpha.angle [rad]")) ls 2 lw 1.6 title 'full gain', \
     work.'leg_walk_gain.csv' using 1:(deg*column("reduced.leg.fr.alpha.angle [rad]")) ls 1 title '75 %', \
     work.'leg_walk_gain.csv' using 1:(deg*column("reduced.control.legs.fr.alpha.goal [rad]")) ls 7 dt 2 lw 1.5 title 'goal'
unset multiplot
GP

# What is left of a step two seconds later, half of its height, over the gain.
: > "$work/leg_gains.csv"
for step in 5 13 20; do
    for kp in 3 3.5 4 4.5 5 5.25 5.5 5.75 6 6.5 7 7.5 8 8.3 8.6 8.9 9.2 10 11 12 14 16 18 20; do
        gains=$(awk "BEGIN {printf \"kp: %g V/rad, ki: %g V/(rad*s), kd: %g V*s/rad\", $kp, $kp/2, $kp/10}")
        record leg_gain leg_limit_cycle --set run.duration='5 s' --set record.every='2 ms' --set record.signals='[full.leg.fr.alpha.angle]' \
            --set robots.full.inputs.leg.fr.alpha.goal="[[0 s, 0 deg], [1 s, $step deg]]" \
            --set robots.full.control="{leg.fr.alpha: {kind: pid, $gains, filter_time: 5 ms, tracking_time: 100 s, period: 1 ms}}"
        awk -F, -v step=$step -v kp=$kp 'NR > 1 && $1 >= 4 {x = $2*57.2957795; if (!n++ || x > top) top = x; if (n == 1 || x < low) low = x} END {print step "," kp "," (top - low)/2}' \
            "$work/leg_gain.csv" >> "$work/leg_gains.csv"
    done
done
draw leg_limit_gains "What is left of a step of alpha after 3 s: rest, or a swing that stays" <<'GP'
set xrange [3:20]; set yrange [-0.5:14]; set xlabel 'kp [V/rad], with ki = kp 0.5/s and kd = kp 0.1 s'; set ylabel 'half of its height [deg]'; set key top right
at(s, c) = column(1) == s ? column(c) : NaN
plot work.'leg_gains.csv' using (at(20, 2)):3 with linespoints ls 2 pt 7 ps 0.6 title 'step of 20 deg', \
     work.'leg_gains.csv' using (at(13, 2)):3 with linespoints ls 1 pt 7 ps 0.6 title '13 deg', \
     work.'leg_gains.csv' using (at(5, 2)):3 with linespoints ls 3 pt 7 ps 0.6 title '5 deg', \
     '+' using (10):(14.0*($0/50 - 0.02)) every ::0::50 with lines ls 7 dt 2 lw 1.5 title 'full gain', \
     '+' using (7.5):(14.0*($0/50 - 0.02)) every ::0::50 with lines ls 7 dt 3 lw 1.5 title '75 %'
GP

# The table of steps of the page.
draw leg_limit_steps "The limit cycle of alpha, over the step" <<'GP'
$held << EOD
1 6.987
0.5 6.995
0.25 6.999
0.1 7.000
0.05 7.001
EOD
$each << EOD
1 6.987
0.5 6.568
0.25 6.348
0.1 6.189
0.05 6.140
EOD
set datafile separator ' '
set logscale x; set xrange [1.2:0.04]; set yrange [5.8:7.4]; set xlabel 'step of bodies and air [ms]'; set ylabel 'swing, rms [deg]'; set key bottom left
set xtics (1, 0.5, 0.25, 0.1, 0.05)
plot $held with linespoints ls 1 pt 7 ps 0.9 title 'loop sampled every 1 ms', $each with linespoints ls 2 pt 7 ps 0.9 title 'loop sampled at every step'
GP

# -------------------------------------------------------------------------------------------- inertias

record leg_srlib leg_walk_gain --set record.every='5 ms' --set robots.reduced.inertia=srlib --set robots.full.inertia=srlib
record leg_explicit leg_walk_gain --set record.every='5 ms' --set robots.reduced.preset=thesis-leg-explicit --set robots.full.preset=thesis-leg-explicit
record leg_bodies leg_walk_gain --set record.every='5 ms' --set robots.reduced.drive=cylinder --set robots.full.drive=cylinder
draw leg_inertias "The alpha joint walks with four models of inertia" 680 <<'GP'
deg = 180/pi
set multiplot
set lmargin at screen 0.10; set rmargin at screen 0.97; set key top right horizontal
set xrange [13:16.5]; set ytics 10
set tmargin at screen 0.88; set bmargin at screen 0.54; set yrange [-18:32]; set xlabel ''; set format x ''; set ylabel '75 % of the gain, angle [deg]'
a = 'reduced.leg.fr.alpha.angle [rad]'
plot work.'leg_walk_gain.csv' using 1:(deg*column(a)) ls 1 title 'capsule', work.'leg_srlib.csv' using 1:(deg*column(a)) ls 2 lw 1.8 title 'srlib', \
     work.'leg_explicit.csv' using 1:(deg*column(a)) ls 3 lw 1.8 title 'explicit', work.'leg_bodies.csv' using 1:(deg*column(a)) ls 4 lw 1.8 title 'with cylinders', \
     work.'leg_walk_gain.csv' using 1:(deg*column("reduced.control.legs.fr.alpha.goal [rad]")) ls 7 dt 2 lw 1.5 title 'goal'
set label 1 ''
set tmargin at screen 0.49; set bmargin at screen 0.13; unset key; set yrange [-24:24]
set xlabel 'time [s]'; set format x '%g'; set ylabel 'full gain, angle [deg]'
a = 'full.leg.fr.alpha.angle [rad]'
plot work.'leg_walk_gain.csv' using 1:(deg*column(a)) ls 1, work.'leg_srlib.csv' using 1:(deg*column(a)) ls 2 lw 1.8, \
     work.'leg_explicit.csv' using 1:(deg*column(a)) ls 3 lw 1.8, work.'leg_bodies.csv' using 1:(deg*column(a)) ls 4 lw 1.8, \
     work.'leg_walk_gain.csv' using 1:(deg*column("reduced.control.legs.fr.alpha.goal [rad]")) ls 7 dt 2 lw 1.5
unset multiplot
GP

# ---------------------------------------------------------------------------------------------- gamma

record leg_gamma leg_gamma_models --set record.every='5 ms'
record leg_gamma_fine leg_gamma_models --set record.every='5 ms' --set run.step='0.1 ms'
draw leg_gamma_models "Gamma with three models, at 1 ms and at 0.1 ms" 720 <<'GP'
deg = 180/pi
set multiplot
set lmargin at screen 0.10; set rmargin at screen 0.97; set xrange [0.5:9]; set yrange [12:98]; set ytics 20; set key bottom right horizontal
set xlabel ''; set format x ''
set tmargin at screen 0.89; set bmargin at screen 0.65; set ylabel 'whole [deg]'
a = 'whole.leg.fr.gamma.angle [rad]'
plot work.'leg_gamma_fine.csv' using 1:(deg*column(a)) ls 1 title '0.1 ms', work.'leg_gamma.csv' using 1:(deg*column(a)) ls 2 lw 1.4 title '1 ms', \
     work.'leg_gamma.csv' using 1:(deg*column("whole.control.leg.fr.gamma.goal [rad]")) ls 7 dt 2 lw 1.2 title 'goal'
set label 1 ''; unset key
set tmargin at screen 0.62; set bmargin at screen 0.38; set ylabel 'linear valve [deg]'
a = 'linear.leg.fr.gamma.angle [rad]'
plot work.'leg_gamma_fine.csv' using 1:(deg*column(a)) ls 1, work.'leg_gamma.csv' using 1:(deg*column(a)) ls 2 lw 1.4, \
     work.'leg_gamma.csv' using 1:(deg*column("whole.control.leg.fr.gamma.goal [rad]")) ls 7 dt 2 lw 1.2
set tmargin at screen 0.35; set bmargin at screen 0.11; set ylabel 'viscous friction [deg]'; set xlabel 'time [s]'; set format x '%g'
a = 'viscous.leg.fr.gamma.angle [rad]'
plot work.'leg_gamma_fine.csv' using 1:(deg*column(a)) ls 1, work.'leg_gamma.csv' using 1:(deg*column(a)) ls 2 lw 1.4, \
     work.'leg_gamma.csv' using 1:(deg*column("whole.control.leg.fr.gamma.goal [rad]")) ls 7 dt 2 lw 1.2
unset multiplot
GP

record leg_seals leg_seals --set record.every='2 ms'
draw leg_seals "A sine of gamma: seals that creep and seals that stick" <<'GP'
deg = 180/pi
set xrange [1:4]; set yrange [30:86]; set xlabel 'time [s]'; set ylabel 'angle [deg]'; set key top right horizontal
plot work.'leg_seals.csv' using 1:(deg*column("creeps.leg.fr.gamma.angle [rad]")) ls 1 title "thesis's law, in the cylinder", \
     work.'leg_seals.csv' using 1:(deg*column("sticks.leg.fr.gamma.angle [rad]")) ls 2 title "MuJoCo's, along the cylinder", \
     work.'leg_seals.csv' using 1:(deg*column("creeps.control.leg.fr.gamma.goal [rad]")) ls 7 dt 2 lw 1.5 title 'goal'
GP
