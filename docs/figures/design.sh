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

# --------------------------------------------------------------------------------- margins, LQR, Kalman

# numbers JSON KEY: those of its first row, without brackets
numbers() { sed "s/.*\"$2\":\[*\([^]]*\)\].*/\1/" "$1"; }
# value JSON KEY [BEHIND]: its last value, behind these characters
value() { sed "s/.*${3:-}[^{}]*\"$2\":\([^,}]*\).*/\1/" "$1"; }

# The turntable of docs/tutorials/loop.md by its feedback alone, at two tolerances.
grep -vE '^(kalman|input_error|feedforward|check|export):' designs/servo.yaml > "$work/table.yaml"
for tolerance in 20 2; do
    "$program" design "$work/table.yaml" --set lqr.tolerance.angle="$tolerance deg" --json > "$work/table_$tolerance.json"
done
table=$work/table_20.json
draw margins_nyquist "A turntable's loop L, cut at its motor: how far from -1" 640 <<GP
array a[2] = [$(sed 's/.*"A":\[\[1,\([^]]*\)\],\[0,\([^]]*\)\].*/\1, \2/' "$table")]
array b[2] = [$(sed 's/.*"B":\[\[\([^]]*\)\],\[\([^]]*\)\].*/\1, \2/' "$table")]
array K[2] = [$(numbers "$table" K)]
array G[2] = [$(numbers "$work/table_2.json" K)]
disk = $(value "$table" disk)/2
j = {0, 1}; z(w) = exp(j*w*0.005)
L(w, k, q) = k*(b[1]*(z(w) - a[2]) + a[1]*b[2])/((z(w) - 1)*(z(w) - a[2])) + q*b[2]/(z(w) - a[2])
soft(w) = L(w, K[1], K[2]); stiff(w) = L(w, G[1], G[2])
set parametric; set samples 2000; set size ratio -1; set trange [0.5:2.798]; set xrange [-4:1.4]; set yrange [-2.2:1.8]
set xlabel 'Re L'; set ylabel 'Im L'; set key bottom right
set object 1 circle at -(1 + disk**2)/(1 - disk**2), 0 size 2*disk/(1 - disk**2) fc rgb '#e8eef5' fs solid noborder behind
set object 2 circle at 0, 0 size 1 arc [0:360] fc rgb '#999999' fs empty border dt 2 behind
set label 2 '-1' at -1.06, 0.16 right; set label 3 '|L| = 1' at 0.75, 0.8; set label 4 'disk margin of 20 deg' at -3.2, 0.9
set label 5 '1/gain margin' at -0.19, 0.14 center font ',13'
set arrow 1 from 0, 0 to real(soft($(value "$table" phase_frequency))), imag(soft($(value "$table" phase_frequency))) nohead lw 1.5 lc rgb '#444444'
set label 6 'phase margin:' at 0.06, -0.36 font ',13'; set label 7 'the angle from -1' at 0.06, -0.56 font ',13'
plot real(soft(10**t)), imag(soft(10**t)) ls 1 title 'tolerance 20 deg', real(stiff(10**t)), imag(stiff(10**t)) ls 2 title '2 deg', \
     '+' using (-1):(0) every ::0::0 with points pt 7 ps 1.3 lc rgb '#000000' notitle, \
     '+' using (-1/$(value "$table" gain_up)):(0) every ::0::0 with points ls 1 pt 7 ps 0.9 notitle
GP

for tolerance in 60 40 30 20 15 10 7 5 4 3 2; do
    "$program" design "$work/table.yaml" --set lqr.tolerance.angle="$tolerance deg" --json > "$work/at.json"
    echo "$tolerance,$(numbers "$work/at.json" K),$(value "$work/at.json" delay_margin_together),$(value "$work/at.json" settling '"name":"angle"'),$(value "$work/at.json" overshoot '"name":"angle"')"
done > "$work/tolerance.csv"
draw lqr_tolerance "A turntable by LQR: what half the tolerance buys, and what it costs" 640 <<'GP'
set multiplot
set lmargin at screen 0.11; set rmargin at screen 0.89; set xrange [70:1.7] reverse; set xrange [70:1.7]; set logscale x
set xtics (60, 40, 20, 10, 5, 2); set ytics nomirror; set border 11
set tmargin at screen 0.89; set bmargin at screen 0.55; set format x ''
set ylabel 'gain of the angle [V/rad]'; set logscale y; set yrange [8:500]; set key top left
plot work.'tolerance.csv' using 1:2 with linespoints ls 1 pt 7 ps 0.7 title 'gain', 12/(x*pi/180) ls 7 dt 2 lw 1.8 title '12 V/tolerance'
unset label 1; unset logscale y
set tmargin at screen 0.50; set bmargin at screen 0.14; set format x '%g'; set xlabel 'tolerance of the angle [deg], 12 V of the input'
set ylabel 'settled, delay margin [ms]'; set yrange [0:300]; set y2range [0:100]; set y2tics 25; set y2label 'overshoot [%]'; set key top center
plot work.'tolerance.csv' using 1:(1e3*$5) with linespoints ls 1 pt 7 ps 0.7 title 'settled (2 %), with 12 V', \
     '' using 1:(1e3*$4) with linespoints ls 3 pt 7 ps 0.7 title 'delay margin', '' using 1:(100*$6) axes x1y2 with linespoints ls 2 pt 7 ps 0.7 title 'overshoot, with 12 V'
unset multiplot
GP

for noise in 1e-4 1e-3 1e-2 1e-1 1 10 100 1e3; do
    printf '%s\n' "plant: {A: [[1]], B: [[1]], C: [[1]], D: [[0]], time: discrete}" "period: 1 s" "poles: [0.5]" \
        "kalman: {process: [$noise], measurement: [1]}" > "$work/one.yaml"
    "$program" design "$work/one.yaml" --json > "$work/at.json"
    echo "$noise,$(numbers "$work/at.json" kalman_gain),$(numbers "$work/at.json" covariance)"
done > "$work/one.csv"
draw kalman_gain "One state that wanders by q a sample, a sensor with noise r" <<'GP'
set xrange [1e-4:1e3]; set logscale xy; set yrange [0.008:40]; set samples 400; set format x '10^{%T}'; set format y '%g'
set xlabel 'q/r: how much the plant wanders for what the sensor errs'; set ylabel 'gain; error as a share of the sensor''s'; set key top left
P(n) = (n + sqrt(n*n + 4*n))/2; M(n) = P(n)/(P(n) + 1)
plot M(x) ls 1 title 'gain M', sqrt(P(x)) ls 2 title 'error before the measurement, √(P/r)', sqrt(M(x)) ls 3 title 'behind it, √M', \
     1 ls 7 dt 2 lw 1.5 title 'the sensor alone', work.'one.csv' using 1:2 with points ls 1 pt 7 ps 0.8 notitle, \
     '' using 1:(sqrt($3)) with points ls 2 pt 7 ps 0.8 notitle, '' using 1:(sqrt($2)) with points ls 3 pt 7 ps 0.8 notitle
GP
