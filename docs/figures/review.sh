# Pictures of docs/solver/solver_review.md and docs/design/cylinder.md. Read by docs/figures/all.sh, which defines record(), draw(), $program and
# $work. The program of the review stands beside ironbird: cmake --build build/release --target review_cylinder

review=$(dirname "$program")/review_cylinder
if [ -x "$review" ]; then
    "$review" curves > "$work/review.csv"
    draw solver_review "The rig's +1.25 V step: error of the place over 2 s, for what it cost" <<'GP'
set logscale xy; set xrange [0.8:1200]; set yrange [1e-11:1e-2]; set format y '10^{%T}'
set xlabel 'rate calls a millisecond'; set ylabel 'largest error of the place [m]'; set key top right
set arrow 1 from 0.8, 20e-6 to 1200, 20e-6 nohead dt 2 lc rgb '#444444'
set label 2 '20 µm' at 1, 1e-5 textcolor rgb '#444444'
plot work.'review.csv' index 0 using 1:2 with linespoints ls 5 pt 7 ps 0.7 title 'euler', \
     '' index 1 using 1:2 with linespoints ls 1 pt 7 ps 0.7 title 'rk4', \
     '' index 2 using 1:2 with linespoints ls 4 pt 7 ps 0.7 title 'dopri5, fixed steps', \
     '' index 3 using 1:2 with linespoints ls 2 pt 7 ps 0.7 title 'stiff', \
     '' index 4 using 1:2 with linespoints ls 6 pt 7 ps 0.7 title 'dopri5, adaptive', \
     '' index 5 using 1:2 with linespoints ls 3 pt 7 ps 0.7 title 'rosenbrock, adaptive'
GP
fi

# The loop of designs/cylinder_rig.yaml with tighter weights, and one that believes in the friction at rest.
for loop in smooth naive; do
    robot=../robots/cylinder_rig_smooth.yaml
    [ $loop = naive ] && robot=../robots/cylinder_rig_bare.yaml
    "$program" design designs/cylinder_rig.yaml --json --set plant.robot=$robot --set check={} \
        --set lqr.tolerance='{cylinder_position: 1 mm, valve: 1 V}' > "$work/rig_$loop.json"
    record "rig_$loop" cylinder_rig_lqr --set control.design="$PWD/$work/rig_$loop.json" --set record.every='1 ms' --duration '1.6 s' \
        --set inputs.load='0 N'
done
draw cylinder_design "The same weights, designed for the rig at rest and for the rig in motion, both on the rig" 640 <<'GP'
set multiplot
set lmargin at screen 0.12; set rmargin at screen 0.97; set xrange [0.95:1.6]; set key bottom right
set tmargin at screen 0.89; set bmargin at screen 0.54; set xlabel ''; set ylabel 'place [mm]'
plot work.'rig_naive.csv' using 1:(1e3*column("cylinder.position [m]")) ls 2 title 'friction as it is at rest', \
     work.'rig_smooth.csv' using 1:(1e3*column("cylinder.position [m]")) ls 1 title 'what is left of it in motion'
set label 1 ''
set tmargin at screen 0.46; set bmargin at screen 0.13; set xlabel 'time [s]'; set ylabel 'valve [V]'; unset key; set yrange [-0.5:10.5]
plot work.'rig_naive.csv' using 1:(column("valve.voltage [V]")) ls 2, work.'rig_smooth.csv' using 1:(column("valve.voltage [V]")) ls 1
unset multiplot
GP
