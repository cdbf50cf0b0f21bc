# Pictures of docs/robot/holonomic.md and docs/control/field_oriented.md. Read by docs/figures/all.sh, which defines record() and draw().

# diagrams TIME NAME=NUMBER...: docs/img/holonomic_NAME.svg, the free-body diagram of that robot of the scenario, without its list
diagrams() {
    at=$1
    shift
    "$program" report scenarios/holonomic_presets.yaml --quiet --diagram "$at" -o "$work/presets.html"
    for one; do
        picture "free-body diagram" "${one#*=}" "$work/presets.html" |
            sed -e 's/width="1050" height="600" viewBox="0 0 1050 600"/width="648" height="600" viewBox="0 0 648 600"/' > "docs/img/holonomic_${one%=*}.svg"
    done
}
diagrams '3.05 s' x_drive=1 mecanum=2 kiwi=3 h_drive=4
diagrams '50 ms' swerve=5

# Full stick in all directions of a quarter, 0.5 s from rest: direction of the way that was made.
for angle in 0 5 10 15 20 25 30 35 40 45 50 55 60 65 70 75 80 85 90; do
    stick=$(awk -v a=$angle 'BEGIN { a *= atan2(0, -1)/180; printf "{stick.x: %.15f, stick.y: %.15f}", sin(a), cos(a) }')
    record slip xdrive_slip --duration '0.5 s' --set record.every='0.5 s' --set record.signals='["*.pose.x", "*.pose.y"]' \
        --set robots.rolling.inputs="$stick" --set robots.tiles.inputs="$stick" --set robots.dust.inputs="$stick" --set robots.ice.inputs="$stick"
    awk -F, -v angle=$angle 'NR == 1 { for (i = 1; i <= NF; i++) { split($i, name, /[. ]/); at[name[1], name[3]] = i; if (name[3] == "y") who[++n] = name[1] } }
        NR == 2 { for (i = 1; i <= NF; i++) start[i] = $i }
        END { printf "%s", angle; for (i = 1; i <= n; i++) { x = at[who[i], "x"]; y = at[who[i], "y"]
            printf ",%.6f", atan2(start[y] - $y, $x - start[x])*180/atan2(0, -1) } print "" }' "$work/slip.csv"
done > "$work/slip_directions.csv"
draw holonomic_slip "Full stick from rest: where an X-drive went in the first half second" 640 <<'GP'
set multiplot
set lmargin at screen 0.10; set rmargin at screen 0.97; set xrange [0:90]; set xtics 15
set tmargin at screen 0.89; set bmargin at screen 0.46; set format x ''; set ylabel 'driven [deg]'; set yrange [0:90]; set ytics 15; set key top left
plot work.'slip_directions.csv' using 1:2 ls 7 title 'rolling', '' using 1:3 ls 1 title 'μ = 0.9', '' using 1:4 ls 3 title 'μ = 0.5', '' using 1:5 ls 2 title 'μ = 0.2'
set label 1 ''
set tmargin at screen 0.41; set bmargin at screen 0.13; set format x '%g'; set xlabel 'commanded [deg], from ahead to the right'
set ylabel 'error [deg]'; set yrange [-35:35]; set ytics 15; set key off
plot work.'slip_directions.csv' using 1:($2 - $1) ls 7, '' using 1:($3 - $1) ls 1, '' using 1:($4 - $1) ls 3, '' using 1:($5 - $1) ls 2
unset multiplot
GP

# Away from the driver by three gyros, of docs/control/field_oriented.md.
record drift xdrive_drift
draw field_oriented_drift "Away from the driver for 30 s, turning all the time: a gyro that is 1 deg/s off" 640 <<'GP'
deg = 57.29577951
set multiplot
set lmargin at screen 0.08; set rmargin at screen 0.50; set tmargin at screen 0.89; set bmargin at screen 0.13
set size ratio -1; set xrange [-3:6.5]; set yrange [-0.5:15.5]; set xtics 2; set ytics 3; set xlabel 'x [m]'; set ylabel 'y [m], away from the red drivers'
set key off; set samples 16
v = 0.4844; b = 1/deg; set parametric; set trange [1:31]
plot work.'drift.csv' using (column("sound.pose.x [m]")):(column("sound.pose.y [m]")) ls 1, \
     '' using (column("settled.pose.x [m]")):(column("settled.pose.y [m]")) ls 3 dt 2, \
     '' using (column("drifting.pose.x [m]")):(column("drifting.pose.y [m]")) ls 2, \
     v/b*(cos(b) - cos(b*t)), v/b*(sin(b*t) - sin(b)) with points pt 6 ps 0.8 lw 2 lc rgb '#444444'
set label 1 ''; unset parametric
set size noratio; set lmargin at screen 0.62; set rmargin at screen 0.97; set xrange [0:31]; set yrange [-3:35]; set xtics 10; set ytics 10
set xlabel 'time [s]'; set ylabel 'heading is off [deg]'; set key at graph 0.98, 0.36
plot work.'drift.csv' using 1:(deg*column("sound.control.heading_error [rad]")) ls 1 title 'sound', \
     '' using 1:(deg*column("settled.control.heading_error [rad]")) ls 3 dt 2 title '1 deg/s off, settled', \
     '' using 1:(deg*column("drifting.control.heading_error [rad]")) ls 2 title '1 deg/s off', NaN with points pt 6 ps 0.8 lw 2 lc rgb '#444444' title 'arc of radius v/b'
unset multiplot
GP
