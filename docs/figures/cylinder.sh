# Pictures of the cylinder rig (docs/robot/cylinder_rig.md and its parts). Read by docs/figures/all.sh, which defines record() and draw().

# -------------------------------------------------------------------------------------------- valve

# The table of appendix B.2 and the fits of docs/plant/proportional_valve.md.
draw valve_areas "Figure 24: effective areas of both ports, measured and fitted" <<'GP'
set xrange [-5.25:4.75]; set yrange [0:1.3]; set samples 600
set xlabel 'V_c, voltage from the centre [V]'; set ylabel 'effective area [mm²]'; set key top center
array V[19] = [-4.75, -3.75, -2.75, -1.75, -1.25, -0.75, -0.55, -0.35, -0.15, 0, 0.15, 0.35, 0.55, 0.75, 1.25, 1.75, 2.75, 3.75, 4.75]
array A[19] = [0.76, 0.75, 0.715, 0.525, 0.375, 0.225, 0.165, 0.084, 0.039, 0.022, 0.021, 0.042, 0.11, 0.18, 0.4125, 0.6125, 0.88, 1.05, 1.045]
array B[19] = [1.0925, 1.05, 0.99, 0.7, 0.5, 0.285, 0.198, 0.119, 0.057, 0.018, 0.018, 0.035, 0.066, 0.135, 0.3125, 0.4725, 0.66, 0.675, 0.7125]
one(v) = v <= 0 ? (((6.5307870266e-3*v + 6.3968172792e-2)*v + 1.4896590625e-1)*v - 1.9279139516e-1)*v + 1.4188897369e-2 \
                : (((8.6189318543e-3*v - 9.5657067329e-2)*v + 2.8989022179e-1)*v + 7.7469799452e-2)*v + 4.3778973626e-3
two(v) = v <= 0 ? (((9.4077677205e-3*v + 9.3496755731e-2)*v + 2.3257595576e-1)*v - 2.2246121059e-1)*v + 1.8682564560e-2 \
                : (((1.3206433010e-2*v - 1.3024620985e-1)*v + 3.6081938894e-1)*v - 4.3290139303e-2)*v + 1.4178081771e-2
plot one(x) ls 1 title 'port 1 (rod side)', two(x) ls 2 title 'port 2 (cap side)', \
     V using (V[$1]):(A[$1]) with points pt 7 ps 0.7 lc rgb '#0072b2' notitle, \
     V using (V[$1]):(B[$1]) with points pt 7 ps 0.7 lc rgb '#d55e00' notitle
GP

draw valve_pressures "Figure 23: what both ports see, from exhaust to supply" <<'GP'
set xrange [-2:2]; set yrange [0:70]; set samples 400
set xlabel 'V_c, voltage from the centre [V]'; set ylabel 'pressure [psia]'; set key right center
P(v) = (65 + 15.7)/2 + (65 - 15.7)/2*tanh(pi*(v - 0.25))
L(v) = v < -0.75 ? 15.7 : v > 1.25 ? 65 : 15.7 + (65 - 15.7)*(v + 0.75)/2
plot P(-x) ls 1 title 'port 1', P(x) ls 2 title 'port 2', L(x) ls 7 dt 2 lw 1.8 title 'port 2, curve: linear'
GP

# ------------------------------------------------------------------------------------------ the step

record cylinder_slow cylinder_step --set record.every='2 ms'
record cylinder_fast cylinder_step --set record.every='1 ms' --set inputs.valve='[[0 s, 0 V],[5 s, 6.25 V]]'
draw cylinder_step "Open-loop steps of 0.75 V and 1.25 V, from the retracted stop" <<'GP'
set multiplot
set lmargin at screen 0.12; set rmargin at screen 0.97; set xrange [4.9:6.9]; set key bottom right
set tmargin at screen 0.88; set bmargin at screen 0.57
set xlabel ''; set format x ''; set ylabel 'position [mm]'; set yrange [-2:50]; set ytics 20
plot work.'cylinder_slow.csv' using 1:(1e3*column("cylinder.position [m]")) ls 1 title '0.75 V', \
     work.'cylinder_fast.csv' using 1:(1e3*column("cylinder.position [m]")) ls 2 title '1.25 V'
set label 1 ''
set tmargin at screen 0.52; set bmargin at screen 0.15; set key top right horizontal
set xlabel 'time [s]'; set format x '%g'; set ylabel 'pressure [kPa]'; set yrange [80:580]; set ytics 100
plot work.'cylinder_slow.csv' using 1:(1e-3*column("cap.pressure [Pa]")) ls 1 title 'cap side', \
     work.'cylinder_slow.csv' using 1:(1e-3*column("rod.pressure [Pa]")) ls 1 dt 2 title 'rod side', \
     work.'cylinder_fast.csv' using 1:(1e-3*column("cap.pressure [Pa]")) ls 2 notitle, \
     work.'cylinder_fast.csv' using 1:(1e-3*column("rod.pressure [Pa]")) ls 2 dt 2 notitle
unset multiplot
GP

# ----------------------------------------------------------------------------------------------- heat

for heat in 60 1000; do
    record cylinder_heat_$heat cylinder_step --set record.every='2 ms' --set robot.heat="{law: walls, coefficient: $heat W/(m^2*K)}"
done
draw cylinder_heat "What the walls change: air of the cap side in the step of 0.75 V" <<'GP'
set multiplot
set lmargin at screen 0.12; set rmargin at screen 0.97; set xrange [4.9:6.9]; set key top right
set tmargin at screen 0.88; set bmargin at screen 0.57
set xlabel ''; set format x ''; set ylabel 'temperature [K]'; set yrange [280:390]; set ytics 40
plot work.'cylinder_slow.csv' using 1:(column("cap.temperature [K]")) ls 1 title 'adiabatic', \
     work.'cylinder_heat_60.csv' using 1:(column("cap.temperature [K]")) ls 2 title '60 W/(m² K)', \
     work.'cylinder_heat_1000.csv' using 1:(column("cap.temperature [K]")) ls 3 title '1000 W/(m² K)'
set label 1 ''
set tmargin at screen 0.52; set bmargin at screen 0.15; unset key
set xlabel 'time [s]'; set format x '%g'; set ylabel 'position [mm]'; set yrange [-2:50]; set ytics 20
plot work.'cylinder_slow.csv' using 1:(1e3*column("cylinder.position [m]")) ls 1, \
     work.'cylinder_heat_60.csv' using 1:(1e3*column("cylinder.position [m]")) ls 2, \
     work.'cylinder_heat_1000.csv' using 1:(1e3*column("cylinder.position [m]")) ls 3
unset multiplot
GP

# ------------------------------------------------------------------------------------- air at the centre

record cylinder_valves cylinder_valves --set record.every='20 ms'
draw cylinder_valves "A held rod, the valve at its centre: air used" <<'GP'
set xrange [0:10]; set yrange [-20:1000]; set xlabel 'time [s]'; set ylabel 'air used [mg]'; set key top left
plot work.'cylinder_valves.csv' using 1:(1e6*column("spool.air.used [kg]")) ls 1 title 'four straight edges, underlap 0.25 V', \
     work.'cylinder_valves.csv' using 1:(1e6*column("holes.air.used [kg]")) ls 2 title 'round holes, underlap 0.25 V', \
     work.'cylinder_valves.csv' using 1:(1e6*column("equivalent.air.used [kg]")) ls 3 title 'equivalent (thesis)', \
     work.'cylinder_valves.csv' using 1:(1e6*column("overlap.air.used [kg]")) ls 7 dt 2 title 'overlap'
GP

# ----------------------------------------------------------------------------------------------- line

record cylinder_line cylinder_line --set record.every='0.5 ms'
record cylinder_line_ideal cylinder_line --set record.every='0.5 ms' --set robot.supply.volume='0 L'
draw supply_line "8 kg push the rod side's air back: a line of 15 mL, and a supply that never changes" <<'GP'
psi(P) = P/6894.76
set xrange [0:0.2]; set yrange [45:90]; set xlabel 'time [s]'; set ylabel 'pressure [psia]'; set key top right maxrows 2
plot work.'cylinder_line.csv' using 1:(psi(column("rod.pressure [Pa]"))) ls 1 title 'rod side, line', \
     work.'cylinder_line.csv' using 1:(psi(column("supply.pressure [Pa]"))) ls 2 title 'line', \
     work.'cylinder_line_ideal.csv' using 1:(psi(column("rod.pressure [Pa]"))) ls 1 dt 2 title 'rod side, constant supply', \
     work.'cylinder_line_ideal.csv' using 1:(psi(column("supply.pressure [Pa]"))) ls 2 dt 2 title 'constant supply'
GP
