# Pictures of the parts (docs/plant/*.md). Read by docs/figures/all.sh, which defines record() and draw().
# Formulas are drawn from the numbers in data/ and in the pages; behaviour from runs of the program.

# ------------------------------------------------------------------------------------------- motor

# CIM of RoboSim 4.2 with viscous loss: the constants of docs/plant/motor.md.
draw motor_curves "A CIM at 12 V: torque, current, power, efficiency" <<'GP'
R = 12/131.227; Kt = 2.429/131.227; wf = 5310*pi/30; Ke = (12 - 2.7*R)/wf; b = Kt*2.7/wf
I(n) = (12 - Ke*n*pi/30)/R
T(n) = Kt*I(n) - b*n*pi/30
P(n) = T(n)*n*pi/30
set multiplot
set xrange [0:5310]; set samples 400
set lmargin at screen 0.10; set rmargin at screen 0.90
set ytics nomirror; set y2tics; set key top right
set tmargin at screen 0.88; set bmargin at screen 0.56
set xlabel ''; set format x ''
set ylabel 'torque [N m]'; set y2label 'current [A]'; set yrange [0:3]; set y2range [0:150]
set ytics 1; set y2tics 50
plot T(x) ls 1 title 'torque (left scale)', I(x) axes x1y2 ls 2 title 'current (right scale)'
set label 1 ''
set tmargin at screen 0.47; set bmargin at screen 0.15; set key bottom center
set xlabel 'speed [rpm]'; set format x '%g'
set ylabel 'power [W]'; set y2label 'efficiency [%]'; set yrange [0:400]; set y2range [0:80]
set ytics 100; set y2tics 20
plot P(x) ls 3 title 'power at the shaft (left)', 100*P(x)/(12*I(x)) axes x1y2 ls 4 title 'efficiency (right)'
unset multiplot
GP

# A motor alone: wheels without friction, one motor a side, no reduction, J = 1e-4 kg m^2, a perfect battery.
bench() {
    name=$1
    shift
    record "$name" primer_electricity --duration '120 ms' --set record.every='0.2 ms' --set run.step='0.1 ms' \
        --set robot.wheels='{model: friction_circle, mu: 0, inertia_per_side: 1e-4 kg*m^2}' \
        --set robot.drive='{motor: cim-robosim, motors_per_side: 1, reduction: 1, wheel_diameter: 0.1 m}' \
        --set robot.battery='{open_circuit: 12 V, resistance: 0 ohm}' --set robot.background_current='0 A' "$@"
}
bench spin_quasi
bench spin_real --set robot.drive.current=implicit
bench spin_large --set robot.drive.current=implicit --set robot.drive.inductance='600 uH'
draw motor_spin_up "A CIM with 1 kg cm² on its shaft, switched on" <<'GP'
set multiplot
set lmargin at screen 0.12; set rmargin at screen 0.97; set xrange [0:100]; set key top right
set tmargin at screen 0.88; set bmargin at screen 0.56
set xlabel ''; set format x ''; set ylabel 'current [A]'; set yrange [0:140]; set ytics 50
plot work.'spin_quasi.csv' using (1e3*$1):(column("drive.left.current [A]")) ls 1 title 'no inductance', \
     work.'spin_real.csv' using (1e3*$1):(column("drive.left.current [A]")) ls 2 title 'L = 59 µH', \
     work.'spin_large.csv' using (1e3*$1):(column("drive.left.current [A]")) ls 3 title 'L = 600 µH'
set label 1 ''
set tmargin at screen 0.48; set bmargin at screen 0.15
set xlabel 'time [ms]'; set format x '%g'; set ylabel 'speed [rpm]'; set yrange [0:6000]; set ytics 2000; unset key
plot work.'spin_quasi.csv' using (1e3*$1):(30/pi*column("drive.left.speed [rad/s]")) ls 1, \
     work.'spin_real.csv' using (1e3*$1):(30/pi*column("drive.left.speed [rad/s]")) ls 2, \
     work.'spin_large.csv' using (1e3*$1):(30/pi*column("drive.left.speed [rad/s]")) ls 3
unset multiplot
GP

# ----------------------------------------------------------------------------------------- thermal

record warm_climb warm_climb --set record.every='100 ms'
draw thermal_climb "A climber and its twin whose motors stay cold" <<'GP'
set multiplot
set lmargin at screen 0.12; set rmargin at screen 0.97; set xrange [0:72]; set key top right horizontal
set tmargin at screen 0.88; set bmargin at screen 0.56
set xlabel ''; set format x ''; set ylabel 'height [m]'; set yrange [0:1.6]; set ytics 0.4
plot work.'warm_climb.csv' using 1:(column("twin.position [m]")) ls 2 title 'cold', \
     work.'warm_climb.csv' using 1:(column("climber.position [m]")) ls 1 title 'warm'
set label 1 ''
set tmargin at screen 0.48; set bmargin at screen 0.15; set key top left horizontal
set xlabel 'time [s]'; set format x '%g'; set ylabel 'temperature [°C]'; set yrange [0:160]; set ytics 40
plot work.'warm_climb.csv' using 1:(column("climber.temperature [K]") - 273.15) ls 1 title 'winding', \
     work.'warm_climb.csv' using 1:(column("climber.case_temperature [K]") - 273.15) ls 3 title 'case'
unset multiplot
GP

# --------------------------------------------------------------------- battery, bus, breaker, brownout

# A constant load until the battery is empty: NAME CURRENT DURATION STEP
discharge() {
    record "$1" primer_electricity --set inputs='{left: 0 V, right: 0 V}' --set robot.wheels='{model: rolling}' \
        --set robot.battery=es17-12 --set robot.background_current="$2" --duration "$3" --set run.step="$4" \
        --set record.every="$4"
}
discharge load_20h '0.86 A' '72000 s' '100 s'
discharge load_1h '10.67 A' '3600 s' '5 s'
discharge load_100a '100 A' '252 s' '500 ms'
draw battery_curve "ES17-12, full to empty: what is left of 13 V" <<'GP'
set xrange [0:18]; set yrange [6:15.5]; set xlabel 'charge drawn so far [A h]'; set ylabel 'voltage at the terminals [V]'
set key top right
array q[13] = [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05, 0.02, 0]
array e[13] = [13, 12.73, 12.6, 12.5, 12.4, 12.3, 12.2, 12.1, 11.95, 11.7, 11.1, 10, 8]
used = "battery.used [A*s]"; volts = "battery.voltage [V]"
plot q using (17.2*(1 - q[$1])):(e[$1]) with points pt 6 ps 1 lw 2 lc rgb '#444444' title 'no load', \
     work.'load_20h.csv' using (column(used)/3600):(column(volts)) ls 1 title '0.86 A: empty in 20 h', \
     work.'load_1h.csv' using (column(used)/3600):(column(volts)) ls 2 title '10.7 A: empty in 1 h', \
     work.'load_100a.csv' using (column(used)/3600):(column(volts)) ls 3 title '100 A: empty in 4.2 min'
GP

# Battery of 12 V and 100 mohm, two stalled motors of 100 mohm at full duty: docs/plant/bus.md, "Several solutions".
draw bus_solutions "Which voltage? Battery and two stalled motors" <<'GP'
set xrange [0:12]; set yrange [0:160]; set samples 600
set xlabel 'bus voltage [V]'; set ylabel 'current [A]'
set key top right
free(V) = 20*V
held(V, s) = V < s*0.1 ? free(V) : 2*s*s*0.1/V
array v[3] = [7.5425, 4.4575, 4]
set label 2 'taken: 7.54 V' at 7.45, 36 right
set label 3 '4.46 V' at 4.35, 68 right
set label 4 '4 V' at 3.8, 92 right
plot 10*(12 - x) ls 1 title 'the battery gives', free(x) ls 2 title 'motors, no limit', \
     held(x, 41) ls 3 title 'limited to 41 A each', held(x, 44) ls 4 title 'limited to 44 A each', \
     v using (v[$1]):(10*(12 - v[$1])) with points pt 7 ps 1.2 lc rgb '#222222' notitle
GP

draw breaker_trip "The 120 A main breaker: how long it carries a current" <<'GP'
set logscale xy; set xrange [120:1000]; set yrange [0.8:3000]; set samples 500
set xlabel 'current [A]'; set ylabel 'time to trip, from cold [s]'
set xtics (120, 150, 200, 300, 400, 600, 800, 1000); set key top right
array a[11] = [120, 144, 162, 180, 240, 300, 360, 480, 600, 720, 877]
array t[11] = [1800, 1200, 600, 300, 100, 50, 30, 18, 10, 6, 4]
array f[6] = [135, 160, 240, 360, 600, 877]
array g[6] = [150, 40, 12, 5, 2, 1]
q(i) = (i/120.0)**2 > 1.43 ? -208*log(1 - 1.43/(i/120.0)**2) : NaN
plot a using (a[$1]):(t[$1]) with linespoints ls 1 pt 7 title 'cb185-120: the slow edge', \
     f using (f[$1]):(g[$1]) with linespoints ls 2 pt 7 title 'cb185-120-fast: a guess', \
     q(x) ls 3 dt 2 title 'one-state model'
GP

# Six CIMs on a worn battery, full voltage from rest; with inductance, so that a current takes its time to rise.
record brownout primer_electricity --duration '70 ms' --set run.step='0.1 ms' --set record.every='0.02 ms' \
    --set robot.drive.motors_per_side=3 --set robot.drive.current=implicit --set robot.wheels=roughtop-new \
    --set robot.battery=es17-12-worn --set robot.brownout=roborio1
draw brownout_stutter "Six CIMs on a worn battery: off, on, off, on" <<'GP'
set multiplot
set lmargin at screen 0.10; set rmargin at screen 0.97; set xrange [0:70]; unset key
set tmargin at screen 0.88; set bmargin at screen 0.42
set xlabel ''; set format x ''; set ylabel 'bus voltage [V]'; set yrange [4:13]; set ytics 2
set arrow 1 from 0, 6.3 to 70, 6.3 nohead lw 1.5 dt 2 lc rgb '#d55e00'
set arrow 2 from 0, 7.5 to 70, 7.5 nohead lw 1.5 dt 2 lc rgb '#009e73'
set label 2 'outputs off below 6.3 V' at 58, 5.7 right textcolor rgb '#b34700'
set label 3 'on above 7.5 V' at 58, 8.1 right textcolor rgb '#007a59'
plot work.'brownout.csv' using (1e3*$1):(column("battery.voltage [V]")) ls 1 lw 1.5
unset arrow; unset label; set label 1 ''
set tmargin at screen 0.35; set bmargin at screen 0.15
set xlabel 'time [ms]'; set format x '%g'; set ylabel 'stage'; set yrange [-0.3:3.3]; set ytics 1
plot work.'brownout.csv' using (1e3*$1):(column("brownout.stage [1]")) with steps ls 2 lw 1.5
unset multiplot
GP

# --------------------------------------------------------------------------------------------- air

every='record.every=50 ms'
record fill air_fill --duration '45 s' --set "$every"
record fill_published air_fill --duration '45 s' --set "$every" --set robot.equations=published
record fill_12v air_fill --set "$every" --set robot.air.compressor=viair-90c --duration '80 s'
draw compressor_fill "Two tanks filled from empty" <<'GP'
set xrange [0:80]; set yrange [0:130]; set xlabel 'time [s]'; set ylabel 'pressure [psig]'; set key bottom right
psig(pa) = (pa - 101325)/6894.757293
plot work.'fill_published.csv' using 1:(psig(column("air.pressure [Pa]"))) ls 2 title 'RoboSim 7.2 as printed', \
     work.'fill.csv' using 1:(psig(column("air.pressure [Pa]"))) ls 1 title 'corrected, the same table', \
     work.'fill_12v.csv' using 1:(psig(column("air.pressure [Pa]"))) ls 3 title 'corrected, viair-90c at 12 V'
GP

# curve NAME low|high: pressure and flow of one curve of data/compressors.yaml
curve() {
    awk -v name="$1" -v part="$2" '
        /^[a-z0-9-]+:/ { entry = $1; sub(":", "", entry); at = "" }
        /^  (low|high|source|sure):/ { at = $1; sub(":", "", at) }
        entry == name && at == part {
            line = $0
            while (match(line, /\[[0-9.]+ psig, [0-9.]+ cfm/)) {
                split(substr(line, RSTART + 1, RLENGTH), v, " ")
                print v[1], v[3]
                line = substr(line, RSTART + RLENGTH)
            }
        }' data/compressors.yaml >"$work/curve_$1_$2.txt"
}
for name in viair-90c viair-90c-robosim viair-90c-regression viair-250c-ig thomas-215; do curve $name low; done
curve viair-90c high
draw compressor_curves "Compressors: how much free air at which pressure" <<'GP'
set datafile separator ' '
set xrange [0:150]; set yrange [0:1.1]; set xlabel 'pressure in the tanks [psig]'; set ylabel 'free air [cubic feet a minute]'
set key top right
plot work.'curve_viair-90c_high.txt' ls 1 title 'viair-90c at 13.8 V', work.'curve_viair-90c_low.txt' ls 2 title 'viair-90c at 12 V', \
     work.'curve_viair-90c-robosim_low.txt' with points pt 6 ps 1.2 lw 2 lc rgb '#222222' title 'RoboSim', \
     work.'curve_viair-90c-regression_low.txt' ls 3 dt 2 title "90C, a team's regression", \
     work.'curve_viair-250c-ig_low.txt' ls 4 title 'viair-250c-ig', work.'curve_thomas-215_low.txt' ls 5 title 'thomas-215'
GP

draw orifice_share "Flow as a share of the choked flow: two laws" <<'GP'
ideal(r) = r <= 0.528281787717 ? 1 : sqrt(5)*1.728*r**(5./7)*sqrt(1 - r**(2./7))
iso(r, b, m) = r <= b ? 1 : (1 - ((r - b)/(1 - b))**2)**m
set xrange [0:1]; set yrange [0:1.15]; set samples 800
set xlabel 'downstream over upstream pressure'; set ylabel 'share of the choked flow'
set key bottom left
set arrow 1 from 0.528, 0 to 0.528, 1 nohead dt 2 lc rgb '#888888'
set arrow 2 from 0.3, 0.45 to 0.3, 1 nohead dt 2 lc rgb '#888888'
plot ideal(x) ls 1 title 'ideal nozzle, choked below 0.528', iso(x, 0.3, 0.5) ls 2 title 'ISO 6358, b = 0.3', \
     iso(x, 0.1, 0.5) ls 3 title 'ISO 6358, b = 0.1', iso(x, 0.3, 0.6) ls 2 dt 2 title 'ISO 6358, b = 0.3, m = 0.6'
GP

draw valve_share "ISO 6358: flow as a share of the choked flow" <<'GP'
b = 0.3; l = 0.98
u(r) = (r - b)/(1 - b)
ellipse(r) = r <= b ? 1 : sqrt(1 - u(r)**2)
slope = -u(l)/(1 - b)/ellipse(l)
e = 1 - l
# psi = e (a + c e) with the value and the slope of the ellipse at the joint
c = (-slope*e - ellipse(l))/e**2
a = ellipse(l)/e - c*e
psi(r) = r <= l ? ellipse(r) : (1 - r)*(a + c*(1 - r))
set xrange [0:1]; set yrange [0:1.15]; set samples 2000
set xlabel 'downstream over upstream pressure'; set ylabel 'share of the choked flow'
set label 2 'choked' at 0.15, 1.05 center
set label 3 'a quarter of an ellipse' at 0.55, 0.82 right
set label 4 'laminar' at 0.965, 0.1 right
set arrow 1 from b, 0 to b, 1 nohead dt 2 lc rgb '#888888'
set arrow 2 from l, 0 to l, psi(l) nohead dt 2 lc rgb '#888888'
unset key
plot psi(x) ls 1
GP

record stroke primer_air --duration '200 ms' --set run.step='0.2 ms' --set record.every='0.5 ms' \
    --set robot.air='{preset: frc-charged, cylinders: {arm: {force: 20 N, viscous: 15 N*s/m, friction: 10 N, dead_volume: 10 mL}}}' \
    --set inputs.solenoid.arm=on
draw cylinder_stroke "One stroke of a 3/4 in cylinder at 60 psig" 640 <<'GP'
set multiplot
set lmargin at screen 0.11; set rmargin at screen 0.97; set xrange [0:200]; set xlabel ''; set format x ''; unset key
t(x) = 1e3*x
set tmargin at screen 0.90; set bmargin at screen 0.68; set ylabel 'position [mm]'; set yrange [0:170]; set ytics 50
plot work.'stroke.csv' using (t($1)):(1e3*column("cylinder.arm.position [m]")) ls 1
set label 1 ''
set tmargin at screen 0.63; set bmargin at screen 0.45; set ylabel 'speed [m/s]'; set yrange [0:3.5]; set ytics 1
plot work.'stroke.csv' using (t($1)):(column("cylinder.arm.velocity [m/s]")) ls 2
set tmargin at screen 0.40; set bmargin at screen 0.13; set ylabel 'pressure [psig]'; set yrange [0:65]; set ytics 20
set xlabel 'time [ms]'; set format x '%g'; set key center right
psig(pa) = (pa - 101325)/6894.757293
plot work.'stroke.csv' using (t($1)):(psig(column("cylinder.arm.pressure.cap [Pa]"))) ls 3 title 'cap side', \
     work.'stroke.csv' using (t($1)):(psig(column("cylinder.arm.pressure.rod [Pa]"))) ls 4 title 'rod side'
unset multiplot
GP

# --------------------------------------------------------------------------- wheels, gears, payload

# Reference B8: rotors of 7.75e-5 kg m^2.
record launch_rolling primer_electricity --duration '1 s' --set record.every='2 ms'
record launch_slip tank_launch --duration '1 s' --set record.every='2 ms'
draw wheel_launch "Launch at 12 V: the robot and the rims of its wheels" <<'GP'
set xrange [0:1]; set yrange [0:4.2]; set xlabel 'time [s]'; set ylabel 'speed [m/s]'; set key bottom right
plot work.'launch_rolling.csv' using 1:(column("velocity.forward [m/s]")) ls 1 title 'wheels geared to the floor', \
     work.'launch_slip.csv' using 1:(0.0762*column("wheel.left.speed [rad/s]")) ls 2 title 'friction circle: rims', \
     work.'launch_slip.csv' using 1:(column("velocity.forward [m/s]")) ls 3 title 'friction circle: robot'
GP

draw wheel_law "Friction over slip" <<'GP'
set xrange [-0.6:0.6]; set yrange [-1.35:1.35]; set samples 3000
set xlabel 'slip [m/s]'; set ylabel 'force over load'; set key bottom right
g(s) = (1 + 0.2/(1 + (s/0.1)**2 + 0.5*(s/0.1)**4))*sgn(s)
plot sgn(x) ls 1 lc rgb '#999999' dt 2 title "Coulomb, mu = 1", tanh(x/0.1) ls 2 title 'friction circle', \
     g(x) ls 3 title 'bristle, steady slip, mu static 1.2'
GP

# Turn on the spot with four sets of wheels.
record turn_none primer_turn
rotor="robot.drive.rotor_inertia=7.75e-5 kg*m^2"
record turn_long primer_turn --set robot.wheels=traction --set "$rotor"
record turn_short primer_turn --set robot.wheels=six-wheel-drop-centre --set "$rotor"
record turn_omni primer_turn --set robot.wheels=omni --set "$rotor"
draw wheel_scrub "Turn on the spot at full voltage" 640 <<'GP'
set multiplot
set lmargin at screen 0.10; set rmargin at screen 0.97; set xrange [0:2]
set tmargin at screen 0.83; set bmargin at screen 0.50; set key horizontal maxcols 4 width -3 center at screen 0.53, 0.89
set xlabel ''; set format x ''; set ylabel 'yaw rate [rad/s]'; set yrange [0:15]; set ytics 5
w = "velocity.heading [rad/s]"; i = "battery.current [A]"
plot work.'turn_none.csv' using 1:(-column(w)) ls 1 title 'no scrub', work.'turn_omni.csv' using 1:(-column(w)) ls 3 title 'omni', \
     work.'turn_short.csv' using 1:(-column(w)) ls 4 title 'six, drop-centre', work.'turn_long.csv' using 1:(-column(w)) ls 2 title 'four corners'
set label 1 ''; unset key
set tmargin at screen 0.44; set bmargin at screen 0.13
set xlabel 'time [s]'; set format x '%g'; set ylabel 'battery current [A]'; set yrange [0:350]; set ytics 100
plot work.'turn_none.csv' using 1:(column(i)) ls 1, work.'turn_omni.csv' using 1:(column(i)) ls 3, \
     work.'turn_short.csv' using 1:(column(i)) ls 4, work.'turn_long.csv' using 1:(column(i)) ls 2
unset multiplot
GP

# Pushed from the side at 0.1 s: 90 and 110 % of mu_static M g = 706.08 N.
hold() {
    record "$1" primer_electricity --duration '1 s' --set inputs='{left: 0 V, right: 0 V}' --set robot.wheels="$2" \
        --set record.every='1 ms' --set run.step='0.5 ms' \
        --set disturbances="[{at: 0.1 s, force: $3, direction: 90 deg}]"
}
hold hold_90 '{model: bristle, mu: 1, mu_static: 1.2}' '635.471 N'
hold hold_110 '{model: bristle, mu: 1, mu_static: 1.2}' '776.687 N'
hold hold_circle '{model: friction_circle, mu: 1.2}' '635.471 N'
draw wheel_hold "A robot pushed from the side, from 0.1 s on" <<'GP'
set xrange [0:1]; set logscale y; set yrange [1e-2:3e3]; set format y '10^{%T}'
set xlabel 'time [s]'; set ylabel 'moved aside [mm]'; set key bottom right
y = "pose.y [m]"
mm(m) = m > 1e-9 ? 1e3*m : NaN
plot work.'hold_110.csv' using 1:(mm(column(y))) ls 2 title 'bristle, 110 % of the static limit', \
     work.'hold_circle.csv' using 1:(mm(column(y))) ls 3 title 'friction circle, 90 %: creeps', \
     work.'hold_90.csv' using 1:(mm(column(y))) ls 1 title 'bristle, 90 %: holds'
GP

record shift primer_electricity --duration '2 s' --set record.every='2 ms' --set robot.wheels=traction \
    --set robot.drive='{motor: cim-robosim, motors_per_side: 2, reduction: 10.71, reduction_high: 4.5, wheel_diameter: 0.1524 m, rotor_inertia: 7.75e-5 kg*m^2}' \
    --set inputs.gear='[[0 s, first], [0.8 s, second]]'
draw drivetrain_shift "Shifting up from 10.71:1 to 4.5:1 at full voltage" <<'GP'
set multiplot
set lmargin at screen 0.10; set rmargin at screen 0.97; set xrange [0:2]; set key bottom right
set tmargin at screen 0.88; set bmargin at screen 0.52
set xlabel ''; set format x ''; set ylabel 'speed [m/s]'; set yrange [0:8]; set ytics 2
plot work.'shift.csv' using 1:(0.0762*column("wheel.left.speed [rad/s]")) ls 2 title 'rims of the wheels', \
     work.'shift.csv' using 1:(column("velocity.forward [m/s]")) ls 1 title 'robot'
set label 1 ''; unset key
set tmargin at screen 0.45; set bmargin at screen 0.15
set xlabel 'time [s]'; set format x '%g'; set ylabel 'current of a motor [A]'; set yrange [-50:100]; set ytics 50
plot work.'shift.csv' using 1:(column("drive.left.current [A]")) ls 3
unset multiplot
GP

# The skater of docs/plant/payload.md: 50 kg, 4.2 kg m^2, 8 kg from 0.1 m to 1 m at 0.5 s.
record skater primer_rotation --duration '3 s' --set robot.mass='50 kg' --set robot.inertia='4.2 kg*m^2' \
    --set robot.payload='{mass: 8 kg, x: 0.1 m, response: 0.2 s}' --set start.velocity.heading='5 rad/s' \
    --set inputs.payload.x='[[0 s, 0.1 m], [0.5 s, 1 m]]'
draw payload_skater "An arm goes out on a spinning robot" <<'GP'
set xrange [0:3]; set yrange [0:6]; set xlabel 'time [s]'; set ylabel 'yaw rate [rad/s]'; set key bottom left
plot 5 ls 2 dt 2 title "T = I w' with a growing I", \
     work.'skater.csv' using 1:(column("velocity.heading [rad/s]")) ls 1 title 'angular momentum kept'
GP

# Seals of the cylinder rig: the constants of docs/plant/friction.md, forces in N.
friction='lbf = 4.4482216152605; FS = 4.5*lbf; FC = 3*lbf; CV = 0.5*lbf
curve(v) = FC + (FS - FC)*exp(-(abs(v)/0.1)**5)
stribeck(v) = curve(v)*tanh(40*v) + CV*v'
draw friction_laws "Friction over speed, one law each" <<GP
$friction
set xrange [-0.06:0.2]; set yrange [-22:22]; set samples 2001; set key bottom right
set xlabel 'speed [m/s]'; set ylabel 'friction [N]'
\$still << EOD
0, -20.017
0, 20.017
EOD
moves(v) = abs(v) < 1e-4 ? NaN : sgn(v)
plot \$still using 1:2 ls 7 lw 1.5 dt 2 title 'stuck, up to F_S (coulomb: to F_C)', \\
     moves(x)*FC ls 2 dt 3 title 'coulomb', moves(x)*FC + CV*x ls 2 title 'coulomb\\_viscous', \\
     70*x ls 4 title 'viscous, 70 N s/m', \\
     FC*(x > 0.01 ? 1 : x < -0.01 ? -1 : x/0.01) + CV*x ls 6 title 'saturated, 0.01 m/s', \\
     FC*x/sqrt(x*x + 1e-4) + CV*x ls 3 title 'smooth, 0.01 m/s', \\
     moves(x)*curve(x) + CV*x ls 5 title 'lugre, steady sliding', stribeck(x) ls 1 title 'stribeck'
GP
draw friction_units "The thesis's constants, read for m/s and for in/s" <<GP
$friction
set xrange [0:0.3]; set yrange [0:10]; set samples 3001; set key top left
set xlabel 'speed [m/s]'; set ylabel 'friction [lbf]'
set arrow 2 from 0.0574, 5.6 to 0.0574, 4.45 lc rgb '#444444'
set label 2 'peak 4.35 lbf at 57 mm/s' at 0.0574, 6.0 center
plot stribeck(x)/lbf ls 1 title 'm/s', stribeck(x/0.0254)/lbf ls 2 title 'in/s'
GP

draw regulator_pressure "Working pressure behind a regulator set to 60 psig" <<'GP'
set xrange [0:125]; set yrange [0:70]
set xlabel 'pressure in the tanks [psig]'; set ylabel 'working pressure [psig]'
set label 2 'wide open: it passes what there is' at 22, 34 right rotate by 33
set label 3 'it holds its setting' at 90, 64 center
unset key
plot (x < 60 ? x : 60) ls 1
GP

record tanks_leak primer_air --duration '120 s' --set robot.air.leak='0.2 L/min' --set record.every='200 ms'
record tanks_relief primer_air --duration '120 s' --set inputs.compressor=on --set record.every='200 ms'
draw reservoir_pressure "Two tanks: a leak and the switch, or a compressor that is left on" <<GP
set xlabel 'time [s]'; set ylabel 'pressure in the tanks [psig]'
set xrange [0:120]; set yrange [0:140]; set key bottom right
psig(x) = (x - 101325)/6894.757
plot work.'tanks_leak.csv' using 1:(psig(column("air.pressure [Pa]"))) ls 1 title 'leak of 0.2 L/min: the switch tops up', \\
     work.'tanks_relief.csv' using 1:(psig(column("air.pressure [Pa]"))) ls 2 title 'left on: the relief valve holds it'
GP

record dynamometer motor_dynamometer
draw motor_bench_curve "A motor on the bench, braked from free speed to standstill" <<GP
set xlabel 'speed [rad/s]'; set ylabel 'current [A]'
unset key
plot work.'dynamometer.csv' using (column("motor.speed [rad/s]")):(column("motor.current [A]")) ls 1
GP
