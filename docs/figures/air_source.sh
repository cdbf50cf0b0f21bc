# The picture of docs/plant/air_source.md. Read by docs/figures/all.sh, which defines record() and draw().

for law in equivalent spool; do
    record "bottle_$law" limit_bottle --set robot.valve.law=$law --set record.every='50 ms'
done
"$program" sweep scenarios/limit_bottle.yaml --duration '14 s' --set 'expect=["at end: pose.x > 0.9 m"]' --quiet \
    --over robot.air.source.volume='0.25 L,0.5 L,1 L,2 L,3 L,3.5 L,4 L,5 L' --over robot.valve.law=equivalent,spool --measure 'final pose.x' \
    --measure 'final air.used' --measure 'max source.mass' --measure 'max source.left' --best 'largest final source.time_left' --csv "$work/bottles.csv" > "$work/bottles.txt" 2>&1
# LAW: carried [kg], metres, litres a metre, and whether it still walks; a litre at 0 degC and 1 atm has 1.293 g. Then steel, whose
# 1.8 kg/L have less air for the same mass.
for law in equivalent spool; do
    awk -F, -v law="\"$law\"" 'NR > 1 && $2 == law { each = $9/$8; print $10 "," $11/each "," each/1.293e-3 "," ($8 > 0.9) "," ($10 - 0.4)/(1.8 + 0.2368)*0.2315/each }' \
        "$work/bottles.csv" > "$work/bottles_$law.csv"
done

draw air_source_range "How long the air lasts" 880 <<'GP'
bottle(k) = work.'bottle_'.word("equivalent spool", k).'.csv'
bottles(k) = work.'bottles_'.word("equivalent spool", k).'.csv'
valve(k) = word("equivalent underlap", k)
set multiplot
set lmargin at screen 0.10; set rmargin at screen 0.90; set ytics nomirror
set tmargin at screen 0.86; set bmargin at screen 0.66; set xlabel 'time on a bottle of 10 g [s]'; set y2tics; set xrange [0:19]
set ylabel 'air left [g]'; set y2label 'way [m]'; set yrange [0:10]; set y2range [0:1.5]; set y2tics 0.5
set key at graph 0.5, 1.32 center top horizontal maxrows 1 samplen 1.5
plot for [k=1:2] bottle(k) using 1:(1000*column("source.left [kg]")) ls k title valve(k).', air', \
     for [k=1:2] bottle(k) using 1:(column("pose.x [m]")) axes x1y2 ls k dt 3 lw 1.8 title 'way'
set label 1 ''; unset y2tics; unset y2label; set xrange [0:6]; set key at graph 0.02, 0.97 left top vertical Left reverse maxrows 10
set tmargin at screen 0.56; set bmargin at screen 0.34; set ylabel 'metres'; set xlabel ''; set yrange [0:140]; set ytics 40; set format x ''
plot bottles(1) using 1:($4 > 0 ? $2 : 1/0) with linespoints ls 1 pt 7 ps 0.7 title 'carbon, equivalent', \
     bottles(2) using 1:($4 > 0 ? $2 : 1/0) with linespoints ls 2 pt 7 ps 0.7 title 'carbon, underlap', \
     bottles(1) using 1:($4 > 0 ? $5 : 1/0) with linespoints ls 3 dt 2 pt 7 ps 0.7 title 'steel, equivalent', \
     for [k=1:2] bottles(k) using 1:($4 > 0 ? 1/0 : $2) with points ls k pt 6 ps 0.9 notitle
set label 2 'hollow: too weak for 0.9 m in 14 s' at graph 0.985, 0.12 right
set tmargin at screen 0.31; set bmargin at screen 0.09; set ylabel 'litres a metre'; set xlabel 'mass of the source [kg]'; set format x '%g'
set yrange [0:30]; set ytics 10; unset key
plot for [k=1:2] bottles(k) using 1:($4 > 0 ? $3 : 1/0) with linespoints ls k pt 7 ps 0.7, \
     for [k=1:2] bottles(k) using 1:($4 > 0 ? 1/0 : $3) with points ls k pt 6 ps 0.9
unset multiplot
GP
