# Pictures of docs/world.md. Read by docs/make_figures.sh, which defines log(), figure(), record() and draw().

height=680
log tank_corner
figure world_corner "A corner hits the wall, then the other one" tank_corner --trajectory
log tank_obstacles
figure world_obstacles "The obstacle course, driven blind" tank_obstacles --trajectory
height=560

# A robot at full voltage, 2 m before a wall, square to it.
record bounce tank_corner --set start='{x: 1.6 m, y: 1.5 m}' --set inputs='{left: 12 V, right: 12 V}' \
    --set robot.wheels='{model: viscous, side_friction: 200 N*s/m}' --set record.every='0.5 ms' --duration '1.5 s'
draw world_bounce "12 V into a wall: it bounces, then it rests" 640 <<'GP'
set multiplot
set lmargin at screen 0.12; set rmargin at screen 0.97; set xrange [0.5:1.4]; unset key
set tmargin at screen 0.89; set bmargin at screen 0.63
set xlabel ''; set format x ''; set ylabel 'gap [mm]'; set yrange [-2:100]; set ytics 25
plot work.'bounce.csv' using 1:(1e3*(3.6 - column("pose.x [m]"))) ls 1
set label 1 ''
set tmargin at screen 0.59; set bmargin at screen 0.37; set ylabel 'speed [m/s]'; set yrange [-2:4]; set ytics 2
plot work.'bounce.csv' using 1:(column("velocity.x [m/s]")) ls 2
set tmargin at screen 0.33; set bmargin at screen 0.13; set ylabel 'force at the wall [N]'; set yrange [0:1000]; set ytics 500
set xlabel 'time [s]'; set format x '%g'
plot work.'bounce.csv' using 1:(column("contact.force [N]")) ls 3
unset multiplot
GP

# The same glide into a wall, by section 12 of the document and by the impulse at the corner.
glide() {
    name=$1
    shift
    record "$name" tank_corner --set robot.wheels='{model: viscous, side_friction: 0 N*s/m}' \
        --set robot.drive.motor='{voltage: 12 V, stall_torque: 1e-9 N*m, stall_current: 131 A, free_speed: 5310 rpm, free_current: 2.7 A}' \
        --set start.y='1.2 m' --set record.every='2 ms' --duration '2.5 s' "$@"
}
glide bounce_corrected
glide bounce_published --set robot.equations=published
draw world_published "2 m/s into a wall, 10° askew: section 12 and the impulse at the corner" <<'GP'
set multiplot
set lmargin at screen 0.12; set rmargin at screen 0.97; set xrange [0:2.5]; set key top center
set tmargin at screen 0.88; set bmargin at screen 0.56
set xlabel ''; set format x ''; set ylabel 'middle, from the wall [m]'; set yrange [0:3.2]; set ytics 1
plot work.'bounce_published.csv' using 1:(4 - column("pose.x [m]")) ls 2 title 'published: reversed and halved', \
     work.'bounce_corrected.csv' using 1:(4 - column("pose.x [m]")) ls 1 title 'corrected: one corner, then the other'
set label 1 ''; unset key
set tmargin at screen 0.50; set bmargin at screen 0.15
set xlabel 'time [s]'; set format x '%g'; set ylabel 'heading [deg]'; set yrange [-105:30]; set ytics 45
plot work.'bounce_published.csv' using 1:(180/pi*column("pose.heading [rad]")) ls 2, \
     work.'bounce_corrected.csv' using 1:(180/pi*column("pose.heading [rad]")) ls 1
unset multiplot
GP
