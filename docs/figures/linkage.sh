# Pictures of docs/plant/linkage.md and docs/control/leg.md. Read by docs/figures/all.sh, which defines record() and draw().

# Sides and offsets as in data/linkages.yaml.
draw linkage_arms "Three joints of a leg: stroke and arm over the angle" 680 <<'GP'
rad = pi/180
x(th, l1, l2, l3, g0, s) = -l2 + sqrt(l1**2 + l3**2 - 2*l1*l3*cos((g0 + s*th)*rad))
arm(th, l1, l2, l3, g0, s) = l1*l3*sin((g0 + s*th)*rad)/(l2 + x(th, l1, l2, l3, g0, s))
in(th, low, high) = th >= low - 1e-9 && th <= high + 1e-9 ? 1 : NaN
xa(t) = 1e3*x(t, 0.22, 0.1715736836, 0.0511866947, 63.60829562, 1)*in(t, -47, 90)
xb(t) = 1e3*x(t, 0.1462, 0.1199129335, 0.0408068437, 110.46219763, 1)*in(t, -67, -1)
xc(t) = 1e3*x(t, 0.165, 0.1565311498, 0.0407079677, 165.97033460, -1)*in(t, 17, 95)
xd(t) = 1e3*x(t, 0.165, 0.1404763818, 0.0353158746, 136.42509320, -1)*in(t, 17, 95)
ya(t) = 1e3*arm(t, 0.22, 0.1715736836, 0.0511866947, 63.60829562, 1)*in(t, -47, 90)
yb(t) = 1e3*arm(t, 0.1462, 0.1199129335, 0.0408068437, 110.46219763, 1)*in(t, -67, -1)
yc(t) = 1e3*arm(t, 0.165, 0.1565311498, 0.0407079677, 165.97033460, -1)*in(t, 17, 95)
yd(t) = 1e3*arm(t, 0.165, 0.1404763818, 0.0353158746, 136.42509320, -1)*in(t, 17, 95)
line(t, low, high, stroke) = stroke*(t - low)/(high - low)*in(t, low, high)
flat(t, low, high, stroke) = stroke/((high - low)*rad)*in(t, low, high)
set multiplot
set lmargin at screen 0.10; set rmargin at screen 0.97; set xrange [-75:100]; set samples 351; set xtics 20
set tmargin at screen 0.89; set bmargin at screen 0.54; set key top left
set xlabel ''; set format x ''; set ylabel 'rod out [mm]'; set yrange [0:100]; set ytics 25
plot xa(x) ls 1 title 'alpha', xb(x) ls 2 title 'beta', xc(x) ls 3 title 'gamma', xd(x) ls 4 title 'gamma, balanced', \
     line(x, -47, 90, 95.25) ls 7 dt 2 lw 1.5 title 'linear', line(x, -67, -1, 44.45) ls 7 dt 2 lw 1.5 notitle, \
     44.45*in(x, 17, 95) - line(x, 17, 95, 44.45) ls 7 dt 2 lw 1.5 notitle
set label 1 ''
set tmargin at screen 0.49; set bmargin at screen 0.13; unset key
set xlabel 'angle of the joint [deg]'; set format x '%g'; set ylabel 'arm, without its sign [mm]'; set yrange [0:60]; set ytics 20
plot ya(x) ls 1, yb(x) ls 2, yc(x) ls 3, yd(x) ls 4, flat(x, -47, 90, 95.25) ls 7 dt 2 lw 1.5, \
     flat(x, -67, -1, 44.45) ls 7 dt 2 lw 1.5, flat(x, 17, 95, 44.45) ls 7 dt 2 lw 1.5
unset multiplot
GP

"$figures"_leg_curves > "$work/leg.csv"
draw leg_walk "The walking motion of one foot, and what its joints do" 680 <<'GP'
set multiplot
set lmargin at screen 0.10; set rmargin at screen 0.97
set tmargin at screen 0.89; set bmargin at screen 0.62; set key off
set xrange [-130:130]; set yrange [-5:70]; set xlabel 'ahead [mm]' offset 0, 0.6; set ylabel 'up [mm]'; set ytics 20
plot work.'leg.csv' index 0 using 2:3 ls 1
set label 1 ''
set tmargin at screen 0.47; set bmargin at screen 0.13; set key top right horizontal
set xrange [0:21]; set yrange [-50:100]; set xlabel 'time [s]'; set ylabel 'angle [deg]'; set ytics 25
plot work.'leg.csv' index 1 using 1:4 ls 1 title 'alpha', '' index 1 using 1:5 ls 2 title 'beta', '' index 1 using 1:6 ls 3 title 'gamma'
unset multiplot
GP
