# Pictures of docs/sensor/sensor.md. Read by docs/figures/all.sh, which defines record() and draw().

record sensors tank_sensors --set robot.sensors.left.missed='1 %' --set record.every='1 ms'
record sensors_coarse tank_sensors --set robot.sensors.right.counts=90 --set robot.wheels.model=rolling --duration '0.5 s' \
    --set record.every='1 ms'
draw sensor_encoder "Above: 90 counts a turn, read every 5 ms. Below: 1440, of which 1 % get lost" 640 <<'GP'
set multiplot
set lmargin at screen 0.12; set rmargin at screen 0.97; set key top left
set tmargin at screen 0.89; set bmargin at screen 0.58; set xrange [0.2:0.4]; set xlabel ''; set ylabel 'way [mm]'
plot work.'sensors_coarse.csv' using 1:(1e3*column("pose.x [m]")) ls 1 title 'truth', \
     work.'sensors_coarse.csv' using 1:(1e3*column("sensor.right [m]")) with steps ls 2 title 'counts of 5.3 mm'
set label 1 ''
set tmargin at screen 0.46; set bmargin at screen 0.13; set xrange [0:5]; set xlabel 'time [s]'; set ylabel 'lost so far [mm]'
plot work.'sensors.csv' every 10 using 1:(1e3*(column("sensor.right [m]") - column("sensor.left [m]"))) ls 3 title 'right less left'
unset multiplot
GP

for seed in 1 2 3; do
    record "gyro_$seed" tank_sensors --seed $seed --duration '120 s' --set record.every='100 ms' \
        --set inputs='{left: 0 V, right: 0 V}'
done
draw sensor_gyro "A gyro at rest, three seeds: noise, and a bias that drifts by 0.05 deg/s in 1 s, 0.5 in 100 s" <<'GP'
deg = 57.29577951
set xlabel 'time [s]'; set ylabel 'sensor.gyro [deg/s]'; unset key; set xrange [0:120]
plot for [i=1:3] work.'gyro_'.i.'.csv' using 1:(deg*column("sensor.gyro [rad/s]")) ls i
GP

draw sensor_tap "The battery as the converter sees it: 2 ms late, 10 mV of noise, steps of 3.9 mV" <<'GP'
set xlabel 'time [s]'; set ylabel 'battery [V]'; set xrange [0.19:0.25]; set key bottom right
plot work.'sensors.csv' using 1:(column("battery.voltage [V]")) ls 1 title 'truth', \
     work.'sensors.csv' using 1:(column("sensor.battery [V]")) with steps ls 2 title 'sensor'
GP

# A disc that spins out, either way, shows an analogue gyro all rates.
for way in 400 -400; do
    record "shifter_$way" gyro_shifter --set robot='{kind: disc, mu: 0.02, sensors: {
        divided: {kind: analog_gyro, period: 1 ms}, shifted: {kind: analog_gyro, shifter: fet, period: 1 ms}}}' \
        --set control='{kind: heading, sensors: shifted}' --set inputs={} --set start="{velocity: {heading: $way deg/s}}" \
        --duration '4 s' --set record.every='8 ms'
done
draw sensor_shifter "What a port of 3.3 V makes of a gyro of 5 V: two resistors, and a converter of logic levels" 560 <<'GP'
deg = 57.29577951
set xlabel 'true yaw rate [deg/s]'; set ylabel 'shown [deg/s]'; set xrange [-400:400]; set yrange [-420:420]; set key bottom right
set xtics 100; set ytics 100
plot for [way in "400 -400"] work.'shifter_'.way.'.csv' using (deg*column("velocity.heading [rad/s]")):(deg*column("sensor.shifted [rad/s]")) \
         with points pt 7 ps 0.3 lc rgb '#d55e00' notitle, \
     for [way in "400 -400"] work.'shifter_'.way.'.csv' using (deg*column("velocity.heading [rad/s]")):(deg*column("sensor.divided [rad/s]")) ls 1 notitle, \
     NaN ls 1 title 'divider', NaN with points pt 7 ps 0.6 lc rgb '#d55e00' title 'fet: two values where the threshold strays'
GP

# A ram of air on a test rig: what the transducer shows, what its filter makes of it as it comes, and both ways afterwards.
record transducer bench_transducers --set robot.sensors.pressure.noise='1 psi' --set robot.sensors.filtered.noise='1 psi' --set run.duration='2 s' \
    --set inputs.ram='[[0.2 s, on]]'
"$program" convert "$work/transducer.csv" "$work/transducer_both.csv" \
    --filter 'sensor.pressure={filter: chebyshev2, pass: 5 Hz, stop: 7 Hz, ripple: 1, attenuation: 40}'
draw sensor_transducer "The pressure of a ram as a test rig has it: 1 psi of noise, 16 bits, and a filter to 5 Hz" <<'GP'
psig(p) = (p - 101325)/6894.757293
set xlabel 'time [s]'; set ylabel 'pressure of the cap side [psig]'; set xrange [0:1.2]; set yrange [-8:75]; set key bottom right
plot work.'transducer.csv' every 2 using 1:(psig(column("sensor.pressure [Pa]"))) lc rgb '#bbbbbb' lw 1 title 'transducer', \
     work.'transducer.csv' using 1:(psig(column("ram.pressure.cap [Pa]"))) ls 1 title 'truth', \
     work.'transducer.csv' using 1:(psig(column("sensor.filtered [Pa]"))) ls 2 title 'filtered as it comes: 85 ms late', \
     work.'transducer_both.csv' using 1:(psig(column("sensor.pressure [Pa]"))) ls 3 title 'filtered both ways afterwards'
GP
