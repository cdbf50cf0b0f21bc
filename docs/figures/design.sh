# Pictures of docs/design/design.md, out of reports. Read by docs/figures/all.sh, which defines $program.

pages=$(mktemp -d)
"$program" design designs/drivetrain.yaml --quiet --report "$pages/drivetrain.html"
"$program" design designs/elevator.yaml --quiet --report "$pages/elevator.html"
"$program" design designs/two_mass.yaml --quiet --report "$pages/two_mass.html"
picture "" 1 "$pages/drivetrain.html" > docs/img/design_response.svg
picture "" 2 "$pages/elevator.html" > docs/img/design_disturbed.svg
picture "" 4 "$pages/drivetrain.html" > docs/img/design_poles.svg
picture "" 5 "$pages/two_mass.html" > docs/img/design_bode.svg
picture "" 6 "$pages/two_mass.html" > docs/img/design_locus.svg
picture "" 7 "$pages/elevator.html" > docs/img/design_gains.svg
picture "" 8 "$pages/elevator.html" > docs/img/design_ellipse.svg
rm -r "$pages"

# Ways of an arm round two discs, of docs/design/arm_search.md, from the code itself.
"$figures"_arm_search_curves > "$work/arm_search.csv"
draw arm_search "Three ways round two discs: shortest, fastest, and the one that ends" 600 <<'GP'
set multiplot
set tmargin at screen 0.91; set bmargin at screen 0.18
set lmargin at screen 0.10; set rmargin at screen 0.50; set size ratio -1
set xrange [-0.5:1.8]; set yrange [-1.2:1.7]; set xtics 0.5; set ytics 0.5; set xlabel 'first joint [rad]'; set ylabel 'second joint [rad]' offset 1, 0
set key off
plot work.'arm_search.csv' index 0 using 1:2 with dots lc rgb '#888888', '' index 4 using 1:2 ls 7 dt 2 lw 1.5, '' index 1 using 1:2 ls 2, \
     '' index 2 using 1:2 ls 1, '' index 3 using 1:2 ls 3 lw 4
set lmargin at screen 0.60; set rmargin at screen 0.98
set object 1 circle at 0.55, 2.05 size 0.10 fc rgb '#bbbbbb' fs solid; set object 2 circle at 0.55, 2.05 size 0.15 fc rgb '#888888'
set object 3 circle at 1.50, 1.35 size 0.15 fc rgb '#bbbbbb' fs solid; set object 4 circle at 1.50, 1.35 size 0.20 fc rgb '#888888'
set label 3 'bar' at 0.55, 2.05 center font ',12'; set label 2 'lamp' at 1.50, 1.35 center font ',12'
set xrange [-0.5:2.3]; set yrange [0.6:3.2]; set xlabel 'hand, forward [m]'; set ylabel 'hand, up [m]' offset 1, 0; set key top right
plot work.'arm_search.csv' index 1 using 3:4 ls 2 title 'shortest: 0.737 s by the passes', '' index 2 using 3:4 ls 1 title 'fastest: 0.561 s', \
     '' index 3 using 3:4 ls 3 lw 4 title 'MPC: stalls', '' index 4 using 3:4 ls 7 dt 2 lw 1.5 title 'straight in joint space'
unset multiplot
GP

# The same as scenarios: what is left to the goal, by MPC and as planned, which begins after half a second.
for scenario in arm_mpc_stalls arm_two_discs; do "$program" run scenarios/$scenario.yaml --quiet --csv "$work/$scenario.csv"; done
draw arm_mpc_stalls "How far the arm is from its goal, two discs in its way" 480 <<'GP'
left(a, b) = sqrt((a - 1.3)**2 + (b - 0.9)**2)
set xrange [0:1]; set yrange [0:2.4]; set xlabel 'time [s]'; set ylabel 'left to the goal [rad]' offset 1, 0; set key at 0.98, 1.1
plot work.'arm_mpc_stalls.csv' using 1:(left(column("arm.theta1 [rad]"), column("arm.theta2 [rad]"))) ls 3 title 'MPC: stands before the bar', \
     '' using 1:(left(column("free.theta1 [rad]"), column("free.theta2 [rad]"))) ls 7 dt 2 lw 2 title 'MPC without discs', \
     work.'arm_two_discs.csv' using ($1 - 0.5):($1 < 0.5 ? NaN : left(column("arm.theta1 [rad]"), column("arm.theta2 [rad]"))) ls 1 title 'planned path, followed with noise'
GP
