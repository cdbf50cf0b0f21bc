# Picture of docs/design/fit.md. Read by docs/figures/all.sh, which defines record() and draw().

record fit_slow fit_quasistatic
record fit_fast fit_dynamic
draw fit_motor "What a fit sees: a slow ramp for kS and kV, steps for kA; dots measured, lines fitted" 640 <<'GP'
kS = 0.247015; kV = 0.0215803; kA = 0.00543434
set samples 800
set multiplot
set lmargin at screen 0.12; set rmargin at screen 0.97; set key bottom right
set tmargin at screen 0.89; set bmargin at screen 0.58; set xrange [0:8]; set xlabel ''; set ylabel 'speed [rad/s]'
set label 2 'ramp, over the voltage [V]' at graph 0.03, 0.88
plot work.'fit_slow.csv' every 8::50::849 using (column("motor.voltage [V]")):(column("sensor.speed [rad/s]")) with points pt 7 ps 0.35 lc rgb '#56b4e9' notitle, \
     x > kS + kA/kV ? (x - kS - kA/kV)/kV : 0 ls 2 title '(V - kS - kA dv/dt)/kV'
set label 1 ''
set label 2 'step of 7 V, over time [s]' at graph 0.03, 0.88
set tmargin at screen 0.46; set bmargin at screen 0.13; set xrange [0.4:2]
plot work.'fit_fast.csv' every 2 using 1:(column("sensor.speed [rad/s]")) with points pt 7 ps 0.35 lc rgb '#56b4e9' notitle, \
     x > 0.5 ? (7 - kS)/kV*(1 - exp(-(x - 0.5)*kV/kA)) : 0 ls 2 title '(7 V - kS)/kV (1 - e^{-t kV/kA})'
unset multiplot
GP
