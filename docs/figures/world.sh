# Pictures of docs/world/world.md. Read by docs/figures/all.sh, which defines log(), figure(), record() and draw().

height=680
log tank_corner
figure world_corner "A corner hits the wall, then the other one" tank_corner --trajectory
log tank_obstacles
figure world_obstacles "The obstacle course, driven blind" tank_obstacles --trajectory
height=560

# A corner of a robot hits a wall: the impulse by hand is in the scenario's head.
record corner_hit primer_bounce --set record.every='2 ms'
draw primer_bounce "A corner hits a wall: the robot is thrown back and turns" <<'GP'
set multiplot
set lmargin at screen 0.11; set rmargin at screen 0.97; set xrange [0:1]; unset key
set tmargin at screen 0.88; set bmargin at screen 0.54
set xlabel ''; set format x ''; set ylabel 'speed to it [m/s]' offset 0.5; set yrange [-1:2.5]; set ytics 1
set label 2 'by hand: -0.319 m/s' at 0.97, -0.7 right
plot work.'corner_hit.csv' using 1:(column("tank.velocity.x [m/s]")) ls 1
set label 1 ''
set tmargin at screen 0.46; set bmargin at screen 0.14; set ylabel 'rate of turn [rad/s]' offset 0.5; set yrange [-6:1]; set ytics 2
set label 2 'by hand: -4.597 rad/s' at 0.97, -3.8 right
set xlabel 'time [s]'; set format x '%g'
plot work.'corner_hit.csv' using 1:(column("tank.velocity.heading [rad/s]")) ls 2
unset multiplot
GP

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

# ------------------------------------------------------------------------------------- simultaneous

# Three equal elastic discs on ice; the second and the third touch, or are 0.01 mm apart.
discs() {
    ball='kind: disc, mass: 1 kg, diameter: 10 cm, mu: 0, bumper: elastic'
    cat > "$work/$1.yaml" <<YAML
title: Three discs in a row
robots:
  a: {$ball, start: {x: -30 cm, velocity: {x: 1 m/s}}}
  b: {$ball}
  c: {$ball, start: {x: $2}}
run: {duration: 0.5 s}
record: {every: 5 ms}
YAML
    "$program" run "$work/$1.yaml" --quiet --csv "$work/$1.csv"
}
discs discs_touch '10 cm'
discs discs_apart '10.001 cm'
draw world_discs "Three equal discs in a row, the same hit twice" 520 <<'GP'
set multiplot
set lmargin at screen 0.09; set rmargin at screen 0.49; set tmargin at screen 0.83; set bmargin at screen 0.14
set xrange [0:0.5]; set yrange [-0.35:0.45]; set xlabel 'time [s]'; set ylabel 'place of the middle [m]'; set key top left
set label 2 'b and c touch: −1/3, 2/3, 2/3' at graph 0.5, 1.05 center
x(n) = column(n.".pose.x [m]")
plot for [n in "a b c"] work.'discs_touch.csv' using 1:(x(n)) ls (n eq "a" ? 1 : n eq "b" ? 2 : 3) title 'disc '.n
set label 1 ''; set ylabel ''; set format y ''; unset key
set label 2 'b and c 0.01 mm apart: 0, 0, 1' at graph 0.5, 1.05 center
set lmargin at screen 0.56; set rmargin at screen 0.97
plot for [n in "a b c"] work.'discs_apart.csv' using 1:(x(n)) ls (n eq "a" ? 1 : n eq "b" ? 2 : 3)
unset multiplot
GP

# --------------------------------------------------------------------------------------------- rest

draw world_cone "Coulomb's law at one contact" 480 <<'GP'
set multiplot
set tmargin at screen 0.82; set bmargin at screen 0.15; unset grid; unset key; set tics format ''; set samples 2
set lmargin at screen 0.07; set rmargin at screen 0.50
set xrange [-1.2:1.2]; set yrange [-0.12:1.3]; unset xtics; unset ytics; unset border
set style fill solid 0.18 noborder
set arrow 1 from -1.2, 0 to 1.2, 0 lw 1.2 lc rgb '#444444' filled head
set arrow 2 from 0, -0.08 to 0, 1.3 lw 1.2 lc rgb '#444444' filled head
set object 1 polygon from 0, 0 to 0.93, 1.24 to -0.93, 1.24 to 0, 0 fc rgb '#0072b2'
set arrow 3 from 0, 0 to 0.93, 1.24 nohead lw 3.2 lc rgb '#d55e00'
set arrow 4 from 0, 0 to -0.93, 1.24 nohead lw 3.2 lc rgb '#d55e00'
set object 2 circle at 0, 0 size 0.035 fc rgb '#009e73' fs solid 1 front
set label 2 'what a contact can push with' at graph 0.5, 1.06 center
set label 3 'normal force λ' at 0.04, 1.2 font ',14'
set label 4 'friction f' at 1.2, -0.08 right font ',14'
set label 5 "sticks:\n|f| < μ λ" at 0.07, 1.0 left front tc rgb '#0072b2'
set label 6 "slides:\n|f| = μ λ" at 0.52, 0.55 left front tc rgb '#b34f00'
set label 7 'open: 0' at 0.08, 0.06 left front tc rgb '#007a5a'
plot NaN
unset arrow; unset object; unset label
set label 2 'friction over the speed of the slide' at graph 0.5, 1.06 center
set lmargin at screen 0.55; set rmargin at screen 0.98; set xrange [-1.2:1.2]; set yrange [-1.3:1.3]
set arrow 1 from -1.2, 0 to 1.2, 0 lw 1.2 lc rgb '#444444' filled head
set arrow 2 from 0, -1.3 to 0, 1.3 lw 1.2 lc rgb '#444444' filled head
set arrow 3 from -1.15, 0.85 to 0, 0.85 nohead lw 3.2 lc rgb '#d55e00' front
set arrow 4 from 0, -0.85 to 1.15, -0.85 nohead lw 3.2 lc rgb '#d55e00' front
set arrow 5 from 0, 0.85 to 0, -0.85 nohead lw 5 lc rgb '#0072b2' front
set label 3 'f' at 0.05, 1.24 font ',14'
set label 4 'slide' at 1.2, 0.1 right font ',14'
set label 5 "sticks: any force\nthat is needed" at 0.07, 0.42 left tc rgb '#0072b2'
set label 6 'slides: μ λ against it' at -0.62, 1.0 center tc rgb '#b34f00'
set label 7 '−μ λ' at -0.05, -0.85 right
set label 8 'μ λ' at 0.05, 0.88 left
plot NaN
unset multiplot
GP

record slide box_slide
draw world_slide "1 kg at 0.5 m/s along a wall, pressed with 100 N, μ = 1: steps of 1 ms" 640 <<'GP'
set multiplot
set lmargin at screen 0.13; set rmargin at screen 0.97; set xrange [0:10]
y = "light.pose.y [m]"; v = "light.velocity.y [m/s]"; f = "light.contact.force.y [N]"
set tmargin at screen 0.89; set bmargin at screen 0.66; set xlabel ''; set format x ''
set key bottom right; set ylabel 'way [mm]'; set yrange [0:1.5]; set ytics 0.5
plot work.'slide.csv' using (1e3*$1):(1e3*(column(y) - 2)) ls 1 notitle, \
     work.'slide.csv' using (1e3*$1):($1 < 5e-3 ? 1e3*(0.5*$1 - 50*$1**2) : 1.25) every 5 with points pt 6 ps 0.9 lw 2 lc rgb '#444444' title 'v t − a t²/2, then v²/(2 a) = 1.25 mm'
set label 1 ''
set tmargin at screen 0.61; set bmargin at screen 0.38; set ylabel 'speed [m/s]'; set yrange [0:0.6]; set ytics 0.2; set key top right
plot work.'slide.csv' using (1e3*$1):(column(v)) ls 2 notitle, \
     work.'slide.csv' using (1e3*$1):($1 < 5e-3 ? 0.5 - 100*$1 : 0) every 5 with points pt 6 ps 0.9 lw 2 lc rgb '#444444' title 'v − a t,  a = μ F/m = 100 m/s²'
set tmargin at screen 0.33; set bmargin at screen 0.13; set ylabel 'friction [N]'; set yrange [-120:20]; set ytics 50
set xlabel 'time [ms]'; set format x '%g'; set key bottom right
plot work.'slide.csv' using (1e3*$1):($1 > 0 ? column(f) : NaN) ls 3 notitle, \
     work.'slide.csv' using (1e3*$1):($1 < 5e-3 ? -100 : 0) every 5 with points pt 6 ps 0.9 lw 2 lc rgb '#444444' title '−μ F, then 0'
unset multiplot
GP

draw world_pull "50 kg at 1 m/s under 6000 N, μ = 1, pulled back" 640 <<'GP'
set multiplot
set lmargin at screen 0.13; set rmargin at screen 0.97; set xrange [0:20]
v(n) = column(n.".velocity.y [m/s]"); f(n) = 1e-3*column(n.".contact.force.y [N]")
set tmargin at screen 0.89; set bmargin at screen 0.55; set xlabel ''; set format x ''
set key top right; set ylabel 'speed [m/s]'; set yrange [-0.5:1.1]; set ytics 0.5
plot work.'slide.csv' using (1e3*$1):(v("stuck")) ls 1 title 'pull 4000 N: stops and sticks', \
     work.'slide.csv' using (1e3*$1):(v("pulled")) ls 2 title 'pull 7000 N: stops and goes back'
set label 1 ''
set tmargin at screen 0.48; set bmargin at screen 0.13; set ylabel 'friction [kN]'; set yrange [-7:8.6]; set ytics 2
set xlabel 'time [ms]'; set format x '%g'; set key bottom right
set label 2 'holds 4 kN, could hold 6' at 12, 3.2 tc rgb '#0072b2'
set label 3 'full, against the slide' at 12, 6.9 tc rgb '#b34f00'
plot work.'slide.csv' using (1e3*$1):($1 > 0 ? f("stuck") : NaN) ls 1 notitle, \
     work.'slide.csv' using (1e3*$1):($1 > 0 ? f("pulled") : NaN) ls 2 notitle
unset multiplot
GP

# --------------------------------------------------------------------------------------------- many

# Sixty minerals in the corner of a field, and two robots of 60 kg that push them there with 3 V.
awk -v robots="$PWD/robots" 'BEGIN {
    print "title: Sixty minerals in a corner\nrobots:"
    for (i = 0; i < 60; i++)
        printf("  m%d: {file: %s/mineral_%s.yaml, start: {x: %.4f m, y: %.4f m, heading: %.3f rad}}\n", i, robots, i % 2 ? "silver" : "gold",
               0.1 + 0.11*(i % 10) + 0.005*((7*i) % 11)/11, 0.1 + 0.11*int(i/10) + 0.005*((5*i) % 13)/13, 1.57*((11*i) % 17)/17)
    tank = "{file: " robots "/robosim.yaml, inputs: {left: 3 V, right: 3 V}, start: "
    print "  right: " tank "{x: 1.8 m, y: 0.36 m, heading: 180 deg}}\n  top: " tank "{x: 0.36 m, y: 1.4 m, heading: -90 deg}}"
    print "field: {walls: {length: 4 m, width: 4 m}}\nrun: {duration: 4 s}\nrecord: {every: 0.5 s}"
}' > "$work/heap.yaml"
"$program" run "$work/heap.yaml" --quiet --csv "$work/heap.csv" 2> "$work/heap.warnings"
# outlines TIME: gnuplot's objects for what lies where then
outlines() {
    awk -F, -v time="$1" '
    function box(n, l, w, fill,   i, c, s, u, v) {
        c = cos($h[n]); s = sin($h[n])
        printf("set object %d polygon from ", ++count)
        for (i = 0; i < 5; i++) {
            u = (i % 4 == 0 || i % 4 == 3 ? 1 : -1)*l/2; v = (i % 4 < 2 ? 1 : -1)*w/2
            printf("%s%.5f, %.5f", i ? " to " : "", $x[n] + c*u - s*v, $y[n] + s*u + c*v)
        }
        printf(" fc rgb \"%s\" fs solid 0.75 border lc rgb \"#333333\"\n", fill)
    }
    function ball(n, r,   i) {
        printf("set object %d polygon from ", ++count)
        for (i = 0; i < 25; i++) printf("%s%.4f, %.4f", i ? " to " : "", $x[n] + r*cos(i*0.2617994), $y[n] + r*sin(i*0.2617994))
        print " fc rgb \"#c8c8c8\" fs solid 0.75 border lc rgb \"#333333\""
    }
    NR == 1 {
        for (i = 1; i <= NF; i++) {
            split($i, part, /[. ]/)
            if ($i ~ /pose.x/) x[part[1]] = i
            if ($i ~ /pose.y/) y[part[1]] = i
            if ($i ~ /pose.heading/) h[part[1]] = i
        }
    }
    NR > 1 && $1 == time {
        for (i = 0; i < 60; i += 2) box("m" i, 0.0508, 0.0508, "#e69f00")
        for (i = 1; i < 60; i += 2) ball("m" i, 0.034925)
        box("right", 0.8, 0.6, "#56b4e9"); box("top", 0.8, 0.6, "#56b4e9")
    }' "$work/heap.csv" > "$work/heap_$1.gp"
}
outlines 0
outlines 4
draw world_heap "Sixty minerals, two robots of 60 kg that push them into a corner" 460 <<'GP'
set multiplot
set size ratio -1; set xrange [0:2.25]; set yrange [0:1.85]; unset key; unset grid; set xlabel 'x [m]'; set ylabel 'y [m]'; set tics 0.5
set border 3 lw 4
set lmargin at screen 0.07; set rmargin at screen 0.51; set tmargin at screen 0.80; set bmargin at screen 0.17
set label 2 'at the start' at graph 0.5, 1.06 center
load work.'heap_0.gp'
plot NaN
unset object; set label 1 ''; set ylabel ''; set format y ''
set label 2 '4 s later' at graph 0.5, 1.06 center
set lmargin at screen 0.54; set rmargin at screen 0.98
load work.'heap_4.gp'
plot NaN
unset multiplot
GP

# Microseconds a step of `bench_piles`, 2026-11-16, 2-core Neoverse-V1 (aarch64, virtual, shared), gcc 12.2 -O2, Box2D 2.4.1: bodies, all, at rest, Box2D.
cat > "$work/cost_rows.csv" <<'CSV'
1,0.208,0.204,1.70
8,1.29,1.09,6.96
16,2.55,2.10,13.5
32,5.83,4.26,27.3
64,15.0,9.06,61.9
128,42.7,19.0,124
CSV
cat > "$work/cost_piles.csv" <<'CSV'
100,44.9,18.8,247
62,290,175,97.4
CSV
draw world_cost "A step of 1 ms with many bodies in contact" 640 <<'GP'
set logscale xy; set xrange [0.8:500]; set yrange [0.1:1000]; set xlabel 'bodies'; set ylabel 'cost of a step [µs]'; set key bottom right
set label 2 'block of 10 × 10' at 112, 260 left font ',14'
set label 3 'heap of 62' at 56, 430 right font ',14'
plot work.'cost_rows.csv' using 1:4 with linespoints ls 7 dt 2 pt 6 ps 0.9 title 'Box2D 2.4.1, rows', \
     work.'cost_rows.csv' using 1:2 with linespoints ls 1 pt 7 ps 0.8 title 'Ironbird, rows: whole run', \
     work.'cost_rows.csv' using 1:3 with linespoints ls 6 pt 7 ps 0.6 title 'the same at rest', \
     work.'cost_piles.csv' using 1:4 with points pt 6 ps 1.6 lw 2.5 lc rgb '#444444' title 'Box2D, block and heap', \
     work.'cost_piles.csv' using 1:2 with points pt 7 ps 1.3 lc rgb '#d55e00' title 'Ironbird, block and heap: whole run', \
     work.'cost_piles.csv' using 1:3 with points pt 5 ps 1.1 lc rgb '#e69f00' title 'the same at rest'
GP
