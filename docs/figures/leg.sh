# Pictures of docs/robot/quadruped_validation.md and docs/control/load.md. Read by docs/figures/all.sh, which defines record() and draw().

record leg_steps leg_steps
record leg_trapezoids leg_trapezoids
record leg_sines leg_sines_fast --set record.every='5 ms'
record leg_slow leg_sines_slow
record leg_plain leg_walk_plain
record leg_reduced leg_steps --set robots.alpha.control.leg.fr.alpha.kp='2.9355 V/rad' --set robots.alpha.control.leg.fr.alpha.kv='0.19195 V*s/rad'

# leg_panels NAME TITLE CSV JOINT FROM TO LOW HIGH: goal and angle above, both pressures below
leg_panels() {
    draw "$1" "$2" 680 <<GP
psi(P) = P/6894.757
set multiplot
set lmargin at screen 0.10; set rmargin at screen 0.97; set xrange [$5:$6]
set tmargin at screen 0.89; set bmargin at screen 0.52; set key top right horizontal
set xlabel ''; set format x ''; set ylabel 'angle of $4 [deg]'; set yrange [$7:$8]
plot work.'$3.csv' using 1:(180/pi*column("$4.control.leg.fr.$4.goal [rad]")) ls 7 dt 2 lw 1.8 title 'goal', \\
     work.'$3.csv' using 1:(180/pi*column("$4.leg.fr.$4.angle [rad]")) ls 1 title 'angle'
set label 1 ''
set tmargin at screen 0.47; set bmargin at screen 0.12
set xlabel 'time [s]'; set format x '%g'; set ylabel 'pressure [psia]'; set yrange [10:80]; set ytics 20
set label 2 'supply' at graph 0.005, first 69.5
plot work.'$3.csv' using 1:(psi(column("$4.leg.fr.$4.cap.pressure [Pa]"))) ls 2 title 'cap side', \\
     work.'$3.csv' using 1:(psi(column("$4.leg.fr.$4.rod.pressure [Pa]"))) ls 3 title 'rod side', \\
     65 ls 7 dt 3 lw 1.2 notitle
unset multiplot
GP
}
leg_panels leg_steps_gamma "Figure 38 anew: steps of gamma" leg_steps gamma 9.8 17.5 15 110
leg_panels leg_trapezoids_gamma "Figure 39 anew: trapezoids of gamma" leg_trapezoids gamma 1.2 6.4 15 110
leg_panels leg_sine_gamma "Figure 40 anew: gamma, sine of 5 rad/s" leg_sines gamma 1.8 5.8 15 110
leg_panels leg_steps_beta "Figure 41 anew: steps of beta" leg_steps beta 9.8 17.5 -70 20
leg_panels leg_sine_beta "Figure 42 anew: beta, sine of 5 rad/s" leg_sines beta 1.8 5.8 -70 10

draw leg_sine_slow "Sines of 1 rad/s: gamma and beta are late by a fifth of a second" <<'GP'
set xrange [1.2:8.5]; set yrange [-70:110]; set xlabel 'time [s]'; set ylabel 'angle [deg]'; set key top right horizontal
plot work.'leg_slow.csv' using 1:(180/pi*column("gamma.control.leg.fr.gamma.goal [rad]")) ls 7 dt 2 lw 1.8 title 'goals', \
     '' using 1:(180/pi*column("beta.control.leg.fr.beta.goal [rad]")) ls 7 dt 2 lw 1.8 notitle, \
     '' using 1:(180/pi*column("gamma.leg.fr.gamma.angle [rad]")) ls 1 title 'gamma', \
     '' using 1:(180/pi*column("beta.leg.fr.beta.angle [rad]")) ls 2 title 'beta'
GP

draw leg_steps_alpha "Figure 43 anew: steps of alpha, all of the gain and three quarters" 680 <<'GP'
psi(P) = P/6894.757
set multiplot
set lmargin at screen 0.10; set rmargin at screen 0.97; set xrange [9.8:17.5]
set tmargin at screen 0.89; set bmargin at screen 0.52; set key top right horizontal
set xlabel ''; set format x ''; set ylabel 'angle of alpha [deg]'; set yrange [-50:130]; set ytics 40
plot work.'leg_steps.csv' using 1:(180/pi*column("alpha.control.leg.fr.alpha.goal [rad]")) ls 7 dt 2 lw 1.8 title 'goal', \
     work.'leg_steps.csv' using 1:(180/pi*column("alpha.leg.fr.alpha.angle [rad]")) ls 1 title 'full gain', \
     work.'leg_reduced.csv' using 1:(180/pi*column("alpha.leg.fr.alpha.angle [rad]")) ls 5 title 'three quarters'
set label 1 ''
set tmargin at screen 0.47; set bmargin at screen 0.12
set xlabel 'time [s]'; set format x '%g'; set ylabel 'pressure, full gain [psia]'; set yrange [10:90]; set ytics 20
set label 2 'supply' at graph 0.005, first 69.5
plot work.'leg_steps.csv' using 1:(psi(column("alpha.leg.fr.alpha.cap.pressure [Pa]"))) ls 2 title 'cap side', \
     work.'leg_steps.csv' using 1:(psi(column("alpha.leg.fr.alpha.rod.pressure [Pa]"))) ls 3 title 'rod side', \
     65 ls 7 dt 3 lw 1.2 notitle
unset multiplot
GP

draw leg_walk_joints "Figures 44 and 45 anew: the walking motion, one cycle each of 4, 2 and 1 s" 900 <<'GP'
goal(joint) = 180/pi*column("full.control.legs.fr.".joint.".goal [rad]")
angle(robot, joint) = 180/pi*column(robot.".leg.fr.".joint.".angle [rad]")
set multiplot
set lmargin at screen 0.10; set rmargin at screen 0.97; set xrange [1:9.5]; set key top right horizontal
set xlabel ''; set format x ''
set tmargin at screen 0.92; set bmargin at screen 0.67; set ylabel 'alpha [deg]'; set yrange [-20:30]; set ytics 10
plot work.'leg_plain.csv' using 1:(goal("alpha")) ls 7 dt 2 lw 1.8 title 'goal', '' using 1:(angle("full", "alpha")) ls 1 title 'full gain', \
     '' using 1:(angle("reduced", "alpha")) ls 5 title 'three quarters'
set label 1 ''
set tmargin at screen 0.635; set bmargin at screen 0.385; set ylabel 'beta [deg]'; set yrange [-65:-25]
plot work.'leg_plain.csv' using 1:(goal("beta")) ls 7 dt 2 lw 1.8 title 'goal', '' using 1:(angle("reduced", "beta")) ls 1 title 'angle'
set tmargin at screen 0.35; set bmargin at screen 0.10; set ylabel 'gamma [deg]'; set yrange [60:100]
set xlabel 'time [s]'; set format x '%g'
plot work.'leg_plain.csv' using 1:(goal("gamma")) ls 7 dt 2 lw 1.8 title 'goal', '' using 1:(angle("reduced", "gamma")) ls 1 title 'angle'
unset multiplot
GP

draw leg_walk_pressures "The same: pressures, alpha at three quarters of its gain" 900 <<'GP'
p(joint, side) = column("reduced.leg.fr.".joint.".".side.".pressure [Pa]")/6894.757
set multiplot
set lmargin at screen 0.10; set rmargin at screen 0.97; set xrange [1:9.5]; set key top right horizontal
set xlabel ''; set format x ''; set yrange [15:45]; set ytics 10
set tmargin at screen 0.92; set bmargin at screen 0.67; set ylabel 'alpha [psia]'
plot work.'leg_plain.csv' using 1:(p("alpha", "cap")) ls 2 title 'cap side', '' using 1:(p("alpha", "rod")) ls 3 title 'rod side'
set label 1 ''; unset key
set tmargin at screen 0.635; set bmargin at screen 0.385; set ylabel 'beta [psia]'
plot work.'leg_plain.csv' using 1:(p("beta", "cap")) ls 2, '' using 1:(p("beta", "rod")) ls 3
set tmargin at screen 0.35; set bmargin at screen 0.10; set ylabel 'gamma [psia]'
set xlabel 'time [s]'; set format x '%g'
plot work.'leg_plain.csv' using 1:(p("gamma", "cap")) ls 2, '' using 1:(p("gamma", "rod")) ls 3
unset multiplot
GP

"$program" list loads scenarios/quadruped_crawl.yaml --plot docs/img/load_crawl.svg > "$work/loads"
"$program" list loads scenarios/quadruped_crawl.yaml --plot docs/img/load_force.svg --force > "$work/loads"
