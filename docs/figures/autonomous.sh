# Pictures of docs/tutorials/autonomous.md. Read by docs/figures/all.sh, which defines record() and draw().

tank='{kind: tank, sensors: {gyro: {kind: gyro, noise: 0.1 deg/s, period: 10 ms}}}'
# trajectory NAME OPTIONS...: the first picture of a report, which knows the field and the planned way
trajectory() {
    name=$1
    shift
    "$program" report scenarios/autonomous.yaml -o "$work/$name.html" --quiet "$@"
    picture "" 1 "$work/$name.html" > "docs/img/$name.svg"
}
trajectory autonomous_x_drive
trajectory autonomous_tank --set "robot=$tank"

# How far the robot is from where the move that runs has promised it to be.
record autonomous_x_drive autonomous
record autonomous_tank autonomous --set "robot=$tank"
draw autonomous_miss "How far the robot is from where it should be by now" 420 <<'GP'
set xrange [0:22]; set yrange [0:12]; set xlabel 'time [s]'; set ylabel 'off by [cm]'; set key top left
off(x) = 100*sqrt((column("pose.x [m]") - column("control.plan.x [m]"))**2 + (column("pose.y [m]") - column("control.plan.y [m]"))**2)
set label 2 'drives and turns at once' at 11.9, 9.6
plot work.'autonomous_x_drive.csv' using 1:(off(0)) ls 1 title 'X-drive', work.'autonomous_tank.csv' using 1:(off(0)) ls 2 title 'tank'
GP

node docs/figures/autonomous.mjs "$program" scenarios/autonomous.yaml docs/img

# Pictures of docs/world/ruckus.md.
for route in crater_claim depot_claim; do
    "$program" report "scenarios/ruckus_$route.yaml" -o "$work/ruckus_$route.html" --quiet
    picture "" 1 "$work/ruckus_$route.html" > "docs/img/ruckus_$route.svg"
done
