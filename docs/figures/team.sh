# Pictures of docs/tutorials/team.md, from the files that the page has its reader save. Read by docs/figures/all.sh, which defines draw().

rm -rf "$work/team"
mkdir -p "$work/team"
awk -v out="$work/team" -f docs/make/page.awk docs/tutorials/team.md
while read -r kind name part; do
    if [ "$kind" = file ]; then mv "$work/team/$part" "$work/team/$name"; fi
done < "$work/team/plan"
# sprint NAME OPTIONS...: build/figures/team_NAME.csv
sprint() {
    name=$1
    shift
    "$program" run "$work/team/sprint.yaml" --quiet --set expect=[] --csv "$work/team_$name.csv" "$@"
}
sprint at_once
sprint later --set inputs.lift='[[1 s, 12 V], [2 s, 1 V]]'
sprint limited --set robot.file=limited.yaml

"$program" plot "$work/team_at_once.csv" battery.voltage brownout.stage lift.position pose.x \
    --title "Drive and lift at once, 70 % battery" --size 900x780 -o docs/img/team_stutter.svg

draw team_plans "Battery voltage: the lift 1 s later, or 40 A a motor" 480 <<'GP'
set xrange [0:2.5]; set yrange [6:13]; set xlabel 'time [s]'; set ylabel 'battery [V]'; set key at 2.47, 8.6
set arrow 1 from 0, 6.75 to 2.5, 6.75 nohead dt 2 lw 1.5 lc rgb '#444444'
set label 2 'outputs off below 6.75 V' at 0.05, 6.4
set label 3 'lift starts' at 1.02, 9.4
set label 4 'at its stop, and still 12 V' at 1.98, 9.4 right
v = "battery.voltage [V]"
plot work.'team_later.csv' using 1:(column(v)) every 3 ls 2 title 'the lift 1 s later', \
     work.'team_limited.csv' using 1:(column(v)) every 3 ls 1 title 'at once, 40 A a motor'
GP

# joules NAME: the last row of a run as motion and height, windings, battery, other losses, controller
joules() {
    awk -F, -v OFS=, '
        NR == 1 { for (i = 1; i <= NF; i++) { name = $i; gsub(/"/, "", name); sub(/ \[.*/, "", name); at[name] = i } }
        function e(name) { return $(at[name]) }
        END {
            print e("energy.kinetic") + e("energy.wheels") + e("energy.rotors") + e("lift.energy.kinetic") + e("lift.energy.potential"),
                e("energy.copper") + e("lift.energy.copper"), e("energy.resistance"),
                e("energy.loss") + e("energy.gear") + e("energy.tyre") + e("energy.conversion") + e("lift.energy.conversion") \
                    + e("lift.energy.gear") + e("lift.energy.loss") + e("lift.energy.friction") + e("lift.energy.stop"),
                e("energy.background"), e("energy.battery")
        }' "$work/team_$1.csv"
}
for name in limited later at_once; do joules $name; done > "$work/team_joules.csv"
draw team_joules "Where the battery's joules are after 2.5 s" 440 <<'GP'
set xrange [0:2500]; set yrange [-0.6:2.5]; set xlabel 'energy [J]'; set border 1; set grid noytics
set key at screen 0.52, screen 0.86 center horizontal maxrows 1 samplen 1 width -3
set ytics ('40 A a motor' 0, 'the lift 1 s later' 1, 'all at once' 2) scale 0
set style fill solid 1 noborder; set tmargin 5.5
end(k) = sum [i = 1:k] column(i)
array colour[5] = ['#0072b2', '#e69f00', '#56b4e9', '#cc79a7', '#999999']
array name[5] = ['motion, height', 'windings', 'battery', 'gears, tyres', 'controller']
plot for [k = 1:5] work.'team_joules.csv' using (0):0:(end(k) - column(k)):(end(k)):($0 - 0.3):($0 + 0.3) with boxxyerror lc rgb colour[k] title name[k]
GP

for reduction in 5.95 8.45 10.71 12.75; do
    sprint "$reduction" --set robot.file=limited.yaml --set robot.drive.reduction=$reduction --set run.duration='3.9 s' --set record.every='5 ms'
done
# Each row: a distance, and how long after the first of them each gearing gets there.
awk -F, -v OFS=, '
    FNR == 1 { file++; for (i = 1; i <= NF; i++) if ($i ~ /^"?pose\.x /) x = i; d = 0.05; next }
    { while (d < 12.01 && $x >= d) { at[file, sprintf("%.2f", d)] = t + ($1 - t)*(d - place)/($x - place); d += 0.05 }; t = $1; place = $x }
    END {
        for (d = 0.05; d < 12.01; d += 0.05) {
            k = sprintf("%.2f", d); best = at[1, k]
            for (i = 2; i <= file; i++) if (at[i, k] < best) best = at[i, k]
            print k, at[1, k] - best, at[2, k] - best, at[3, k] - best, at[4, k] - best
        }
    }' "$work"/team_5.95.csv "$work"/team_8.45.csv "$work"/team_10.71.csv "$work"/team_12.75.csv > "$work/team_gears.csv"
draw team_gears "How long after the fastest gearing each of them gets there (40 A a motor)" 520 <<'GP'
set xrange [0:12]; set yrange [0.5:-0.02]; set xlabel 'distance [m]'; set ylabel 'behind the fastest [s]'; set key bottom left
plot work.'team_gears.csv' using 1:2 ls 2 title '5.95', '' using 1:3 ls 1 title '8.45', '' using 1:4 ls 3 title '10.71', '' using 1:5 ls 4 title '12.75'
GP

"$program" optimise "$work/team/sprint.yaml" --set robot.file=limited.yaml --set robot.wheels.mu=0.6 --best 'first pose.x > 8 m' \
    --vary robot.drive.reduction=5.95,8.45,10.71,12.75 --vary robot.drive.current_limit='30 A..80 A' --quiet --plot docs/img/team_search.svg
