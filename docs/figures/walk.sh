# Pictures of docs/control/walk.md. Read by docs/figures/all.sh, which defines record() and draw().

"$program" run scenarios/quadruped_crawl.yaml --quiet --set expect=[] --duration '16 s' --csv "$work/walk.csv" --log "$work/walk.wpilog"

# Lines "FOOT STATE FROM TO" of what each foot did, in the order of time: 0 swings, 1 searches, 2 stands.
awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^control\.legs\...\.foot\.state/) foot[i] = substr($i, 14, 2); next }
    { for (i in foot) if ($i != state[i]) {
          if (NR > 2) print foot[i], state[i], since[i], $1
          state[i] = $i; since[i] = $1 } }
    END { for (i in foot) print foot[i], state[i], since[i], $1 }' "$work/walk.csv" | sort -n -k 3 > "$work/walk_feet"
# Two cycles, from one lift of rl to the next but one, once it walks steadily.
set -- $(awk '$1 == "rl" && $2 == 0 && $3 > 8 { print $3 }' "$work/walk_feet")
first=$1 last=$3
awk -v a="$first" -v b="$last" '
    BEGIN { row["fl"] = 4; row["fr"] = 3; row["rl"] = 2; row["rr"] = 1 }
    $2 == 2 && $4 > a && $3 < b { print row[$1] "," ($3 > a ? $3 - a : 0) "," ($4 < b ? $4 : b) - a }' "$work/walk_feet" > "$work/walk_stands"
# "TIME CAPTION" of the frames of the first cycle: the middle of each swing, and of each shift after both swings of a side.
awk -v a="$first" -v b="$2" '
    $2 != 0 || $3 < a || done { next }
    swings == 2 || swings == 4 { print (end + $3)/2, "shift to the", swings == 2 ? "left" : "right" }
    $3 >= b { done = 1; next }
    { print ($3 + $4)/2, $1 " swings"; end = $4; swings++ }' "$work/walk_feet" > "$work/walk_frames"

draw walk_gait "Two cycles of the crawl: feet on the ground, margin, forces" 760 <<GP
set multiplot
set lmargin at screen 0.10; set rmargin at screen 0.97; set xrange [0:$last - $first]; set key off
set tmargin at screen 0.90; set bmargin at screen 0.68; set xlabel ''; set format x ''
set ylabel 'stands'; set yrange [0.4:4.6]; set ytics ('fl' 4, 'fr' 3, 'rl' 2, 'rr' 1); unset grid
set style fill solid noborder
plot work.'walk_stands' using 2:1:2:3:(\$1 - 0.32):(\$1 + 0.32) with boxxyerror lc rgb '#0072b2'
set label 1 ''; set grid back lt 1 lw 1 lc rgb '#dedede'
set tmargin at screen 0.64; set bmargin at screen 0.44; set ylabel 'margin [mm]'; set yrange [0:300]; set ytics 100
set label 2 '25 mm' at graph 0.995, first 48 right
plot work.'walk.csv' using (\$1 - $first):(1000*column("control.legs.margin [m]")) ls 1, 25 ls 7 dt 2 lw 1.5
unset label 2
set tmargin at screen 0.40; set bmargin at screen 0.11; set ylabel 'force up [N]'; set yrange [0:90]; set ytics 20
set xlabel 'time [s]'; set format x '%g'; set key top right horizontal
plot for [k=1:4] work.'walk.csv' using (\$1 - $first):(column("leg.".word("fl fr rl rr", k).".foot.force.z [N]")) ls k lw 2 title word("fl fr rl rr", k), \\
     for [k=1:4] '' using (\$1 - $first):(column("control.legs.".word("fl fr rl rr", k).".foot.wanted [N]")) ls k dt 3 lw 1.4 notitle, \\
     -1 ls 7 dt 3 lw 1.4 title 'wanted'
unset multiplot
GP

# "TIME CAPTION" of the frames of a robot that is thrown over and gets up, by the beginnings of the modes of its fall.
"$program" run scenarios/quadruped_fall.yaml --quiet --set expect=[] --duration '45 s' --csv "$work/rise.csv" --log "$work/rise.wpilog"
awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^control\.legs\.fall /) fall = i; next }
    $fall != was && !(($fall + 0) in at) { at[$fall + 0] = $1 }
    $fall == 0 && was > 0 && !up { up = $1 }
    { was = $fall }
    END { print at[1] + 0.05, "thrown over"; print at[2] + 0.3, "lies"; print at[3] + 1.2, "legs along the body"
          print at[4] - 1.1, "rolls over"; print at[4] + 2.5, "folds"; print at[4] + 4.5, "presses up"
          print (at[4] + up)/2, "feet gather"; print up - 1, "grows"; print up + 2, "stands" }' "$work/rise.csv" > "$work/rise_frames"

# A crawl becomes a trot.
"$program" run scenarios/quadruped_crawl.yaml --quiet --set expect=[] --duration '15 s' --csv "$work/gaits.csv" \
    --set 'inputs.legs.goal.velocity.forward=[[0 s, 0 m/s], [1 s, 0.1 m/s]]' --set 'inputs.legs.goal.gait=[[0 s, crawl], [9 s, trot]]'
awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^control\.legs\...\.foot\.state/) foot[i] = substr($i, 14, 2)
              row["fl"] = 4; row["fr"] = 3; row["rl"] = 2; row["rr"] = 1; next }
    { for (i in foot) if ($i != state[i]) {
          if (state[i] == 2) print row[foot[i]] "," since[i] "," $1
          state[i] = $i; since[i] = $1 } }
    END { for (i in foot) if (state[i] == 2) print row[foot[i]] "," since[i] "," $1 }' "$work/gaits.csv" > "$work/gaits_stands"
draw gaits "A crawl becomes a trot: feet on the ground, shift, speed" 760 <<GP
set multiplot
set lmargin at screen 0.10; set rmargin at screen 0.97; set xrange [6:14]; set key off
set tmargin at screen 0.90; set bmargin at screen 0.60; set xlabel ''; set format x ''
set ylabel 'stands'; set yrange [0.4:4.6]; set ytics ('fl' 4, 'fr' 3, 'rl' 2, 'rr' 1); unset grid
set style fill solid noborder
plot work.'gaits_stands' using 2:1:2:3:(\$1 - 0.32):(\$1 + 0.32) with boxxyerror lc rgb '#0072b2'
set label 1 ''; set grid back lt 1 lw 1 lc rgb '#dedede'
set tmargin at screen 0.56; set bmargin at screen 0.36; set ylabel 'left [mm]'; set yrange [-90:90]; set ytics 50
plot work.'gaits.csv' using 1:(1000*column("pose.y [m]")) ls 1
set tmargin at screen 0.32; set bmargin at screen 0.11; set ylabel 'forward [m/s]'; set yrange [-0.1:0.3]; set ytics 0.1
set xlabel 'time [s]'; set format x '%g'
plot work.'gaits.csv' using 1:(column("velocity.x [m/s]")) ls 1, 0.1 ls 7 dt 2 lw 1.5
unset multiplot
GP
