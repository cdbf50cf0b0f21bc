#!/bin/sh
# Designs as a stranger uses them: `ironbird design`, and what it exports, compiled and run. Prints "ok" and "not ok" lines.
program=$1
cd "$(dirname "$0")/.." || exit 1
here=$(pwd)
case $program in /*) ;; *) program=$here/$program ;; esac
out=${IB_SCRATCH:-build/test-output/designs}
rm -rf "$out" && mkdir -p "$out"
s=scenarios

. test/expect.sh

# design: the figures of shared reference D2, D3 and D4 from --json
# near NAME KEY TOLERANCE VALUES: the numbers of the first KEY in $out/design.json, each within TOLERANCE
near() {
    awk -v key="\"$2\":" -v tolerance="$3" -v values="$4" '
        { text = substr($0, index($0, key) + length(key)); depth = 0
          for (i = 1; i <= length(text); i++) {
              c = substr(text, i, 1)
              if (c == "[" || c == "{") depth++
              if (c == "]" || c == "}") depth--
              if (depth == 0) break
          }
          text = substr(text, 1, i); gsub(/[^-+.0-9eE]+/, " ", text); gsub(/ e /, " ", text)
          n = split(text, found, " "); m = split(values, wanted, " ")
          if (n != m) { print n " numbers, expected " m ": " text; exit 1 }
          for (i = 1; i <= n; i++) {
              d = found[i] - wanted[i]
              if (d > tolerance || d < -tolerance) { print found[i] " is not " wanted[i]; exit 1 }
          } }' "$out/design.json" > "$out/held" 2>&1
    if [ $? -eq 0 ]; then echo "ok $1"; else echo "not ok $1: $(head -n 3 "$out/held")"; fi
}
expect "design prints a table" 0 "closed loop: stable" "$program" design designs/drivetrain.yaml
holds "design names what it prints" grep -q "^  left  *82.3401 " "$out/log"
expect "design --json" 0 '"riccati_method":"doubling+newton"' "$program" design designs/drivetrain.yaml --json
cp "$out/log" "$out/design.json"
holds "design --json is one line and nothing else" test "$(wc -l < "$out/log")" -eq 1
near "design D2: A" A 1e-9 "1 0.00497058372128 0 1.06077176258e-06 0 0.988256639207 0 0.000422639578323 0 1.06077176258e-06 1 0.00497058372128 0 0.000422639578323 0 0.988256639207"
near "design D2: B" B 1e-9 "1.2530253557e-05 -4.51849782905e-07 0.00500224007854 -0.000180028926531 -4.51849782905e-07 1.2530253557e-05 -0.000180028926531 0.00500224007854"
near "design D2: K" K 1e-9 "82.3400666636 15.4598799237 0.084819010024 0.180142706381 0.0848190100255 0.180142706381 82.3400666636 15.4598799237"
near "design D3: Qd" Qd 1e-12 "1.25412995411e-05 1.23533518278e-05 1.32180110532e-11 5.27265485509e-09 1.23533518278e-05 0.00494139826645 5.27265485509e-09 2.10492595381e-06 1.32180110532e-11 5.27265485509e-09 1.25412995411e-05 1.23533518278e-05 5.27265485509e-09 2.10492595381e-06 1.23533518278e-05 0.00494139826645"
near "design D3: Rd" Rd 1e-17 "1e-8 0 0 1e-8"
near "design D3: filter gain" kalman_gain 1e-9 "0.999268013941 2.76303733349e-07 16.9032761726 0.0722352375717 2.76303733349e-07 0.999268013941 0.0722352375716 16.9032761726"
near "design D3: predictor gain" predictor_gain 1e-9 "1.08328723995 0.000377258117769 16.7048054314 0.0785309466288 0.000377258117769 1.08328723995 0.0785309466287 16.7048054314"
"$program" design designs/matrices.yaml --json > "$out/design.json"
near "design: K of another plant, by scipy" K 1e-9 "77.14199450468362 12.79717410885551"
near "design D4: the answer" answer 1e-12 "6.5 6.5"
"$program" design designs/matrices.yaml --json --set period='20 ms' --set lqr='{Q: [[5, 1], [1, 2]], R: [[0.5]], cross: [[0.3], [0.1]]}' > "$out/design.json"
near "design: K of other weights and another period, by scipy" K 1e-9 "3.00706082171014 1.7695977998227"
expect "design D4: off the line" 0 '"polytope":{"answer":[3,12],"on_line":false}' "$program" design designs/matrices.yaml --json --set polytope.line='{K: [0, 2], w: 30}' --set polytope.dot='[3, 40]'
expect "design has null for what was not asked for" 0 '"kalman_gain":null' "$program" design designs/flywheel.yaml --json
expect "design prints every gear" 0 "gear high_low" "$program" design designs/drivetrain_gears.yaml
for file in designs/*.yaml; do
    expect "design $file passes its checks" 0 "" "$program" design "$file" --quiet
    holds "design $file --quiet is silent" test ! -s "$out/log"
done
expect "design: a check that fails is shown at its place" 1 "designs/flywheel.yaml:8:23: check.settling: " "$program" design designs/flywheel.yaml --quiet --set lqr.tolerance.integral_speed='5000 rad'
expect "design: a check that fails" 1 "check.settling: 0.436369 s, expected at most 0.1 s" "$program" design designs/drivetrain.yaml --quiet --set check.settling='0.1 s'
expect "design refuses what is set wrong" 2 "--set period:1:1: period: expected 1 us to 1000 s" "$program" design designs/drivetrain.yaml --set period='0 s'
expect "design refuses a bare tolerance" 2 "lqr.tolerance.angle: a unit is missing: expected an angle" "$program" design designs/servo.yaml --set lqr.tolerance.angle=20
expect "design --try refuses a bare goal" 2 "goal.angle: a unit is missing: expected an angle" "$program" design designs/servo.yaml --try goal.angle=90
expect "serve refuses a bare number of a design" 2 "lqr.tolerance.angle: a unit is missing" "$program" serve designs/servo.yaml --port 0 --set lqr.tolerance.angle=20
expect "design refuses a missing file" 2 "nothing.yaml:1:1: " "$program" design nothing.yaml
expect "design names no file" 2 "no design was named" "$program" design
expect "design takes one file" 2 "one too many" "$program" design designs/matrices.yaml designs/flywheel.yaml
expect "design --try shows the response before and after" 0 "with tolerance.x = 5 cm" "$program" design designs/elevator.yaml --try 'tolerance.x=5 cm'
holds "design --try has both columns" grep -q "^x from 0 to 1 m  *before  *after$" "$out/log"
holds "design --try shows the limit" grep -q "^  largest  *12 V  *12 V$" "$out/log"
expect "design --try of the trial alone" 0 "speed from 0 to 200 rad/s" "$program" design designs/flywheel.yaml --try 'goal.speed=200 rad/s,duration=1 s'
expect "design --try by poles, as JSON" 0 '"try":{"changes":{"poles":"0.95,0.9"},"before":{' "$program" design designs/matrices.yaml --json --try poles=0.95,0.9
holds "design --try --json is one line of the changed design" grep -q '"poles":.{"re":0.9[45].*"after":{' "$out/log"
expect "design --try by poles, in place of poles of their own" 0 "before" "$program" design designs/single_arm.yaml --try poles=0.9,0.8
expect "design --try by poles, in place of poles within lqr" 0 "before" "$program" design designs/matrices.yaml --set 'lqr={poles: [0.9, 0.8]}' --try poles=0.95,0.9
expect "design --try by poles, over some states of every gear" 0 "gear high" "$program" design designs/drive.yaml --try poles=0.9,0.8
expect "design --try refuses what is no change" 2 "expected changes such as" "$program" design designs/matrices.yaml --try poles
expect "design --try refuses a pole too few" 2 "expected 2 poles" "$program" design designs/matrices.yaml --try poles=0.9
expect "design --report with limits beyond all bounds" 0 "" sh -c 'ulimit -t 20; exec "$@"' sh "$program" design designs/matrices.yaml --quiet --report "$out/far.html" --set 'limits.volts=[-1e308, 1e308]'
expect "design --report" 0 "" "$program" design designs/drivetrain.yaml --quiet --report "$out/design.html"
holds "design --report has its figures" test "$(grep -c '<figure>' "$out/design.html")" -eq 8
expect "design --report does not overwrite the design" 2 "would overwrite its input" "$program" design designs/drivetrain.yaml --report designs/drivetrain.yaml
mkdir -p "$out/foreign/src" && echo "mine" > "$out/foreign/src/drivetrain.c"
expect "design --export leaves the files of others alone" 2 "and not from here" "$program" design designs/drivetrain.yaml --quiet --export "$out/foreign"
holds "and writes nothing beside them" test "$(cd "$out/foreign" && find . -type f)" = ./src/drivetrain.c
expect "design --export --force" 0 "" "$program" design designs/drivetrain.yaml --quiet --export "$out/foreign" --force
expect "design --export over its own files" 0 "" "$program" design designs/drivetrain.yaml --quiet --export "$out/foreign"

# the exported drivetrain controller: its own test, as a plug-in, and as JSON: the same run to the bit
c99="-std=c99 -Wall -Wextra -Wpedantic -Werror -O2 -ffp-contract=off"
hash_of() { "$@" --json --quiet | sed 's/.*"hash":"\([0-9a-f]*\)".*/\1/'; }
expect "design --export" 0 "drive_plugin.c" "$program" design designs/drive.yaml --export "$out/drive"
expect "the exported test compiles and agrees to the last bit" 0 "agree to the last bit" \
    sh -c "cd $out/drive && cc $c99 -Isrc src/drive.c extras/drive_test.c -o drive_test && ./drive_test"
holds "it meets the limits" grep -q "^ *{12.0, \|^ *{-12.0, " "$out/drive/extras/drive_test.c"
holds "it changes gear" grep -q ", 0, 1, 1" "$out/drive/extras/drive_test.c"
expect "the exported plug-in compiles" 0 "" \
    sh -c "cd $out/drive && cc $c99 -fPIC -shared -I $here/include -DDRIVE_SENSORS='\"sensor.left\", \"sensor.right\", \"sensor.gyro\"' -Isrc src/drive.c extras/drive_plugin.c -o drive.so"
wanted=$(hash_of "$program" run $s/drive_velocity.yaml)
holds "the exported controller as a plug-in: the same hash" test "$wanted" = \
    "$(hash_of "$program" run $s/drive_velocity.yaml --set expect=[] --set "control={plugin: $here/$out/drive/drive.so}" --allow-plugins)"
holds "the exported controller as JSON: the same hash" test "$wanted" = \
    "$(hash_of "$program" run $s/drive_velocity.yaml --set "control.design=$here/$out/drive/extras/drive.json")"
expect "a plug-in without leave" 2 "--allow-plugins" "$program" run $s/drive_velocity.yaml --set "control={plugin: $here/$out/drive/drive.so}"
# one of several loops of a robot, as a plug-in, with the noise of its sensor
expect "design --export of a mechanism's loop" 0 "team_lift_plugin.c" "$program" design designs/team_lift.yaml --export "$out/team_lift"
expect "the lift's plug-in compiles" 0 "" \
    sh -c "cd $out/team_lift && cc $c99 -fPIC -shared -I $here/include -Isrc src/team_lift.c extras/team_lift_plugin.c -o team_lift.so"
wanted=$(hash_of "$program" run $s/team_loops.yaml)
holds "the exported lift loop as a plug-in: the same hash" test "$wanted" = \
    "$(hash_of "$program" run $s/team_loops.yaml --set expect=[] --set "control.lift={plugin: $here/$out/team_lift/team_lift.so, sensors: height}" --allow-plugins)"
ideal=$(hash_of "$program" run $s/team_loops.yaml --set expect=[] --set "control.lift={design: $here/designs/team_lift.yaml}")
holds "sampled ideally it is another run" test "$wanted" != "$ideal"
holds "and the plug-in finds the mechanism's own signals: the same hash" test "$ideal" = \
    "$(hash_of "$program" run $s/team_loops.yaml --set expect=[] --set "control.lift={plugin: $here/$out/team_lift/team_lift.so}" --allow-plugins)"
expect "design --export for small boards" 0 "servo_plugin.c" "$program" design designs/servo.yaml --export "$out/servo"
expect "as float the exported test agrees within its bound" 0 "servo: " \
    sh -c "cd $out/servo && cc $c99 -Isrc src/servo.c extras/servo_test.c -o servo_test && ./servo_test"
# 1e-4 rad: a fifteenth of a count of the encoder, through which a rounding can grow to a count
expect "the plug-in in float compiles" 0 "" \
    sh -c "cd $out/servo && cc $c99 -fPIC -shared -I $here/include -DSERVO_COMMANDS='\"command\"' -Isrc src/servo.c extras/servo_plugin.c -o servo.so"
expect "the plug-in in float runs, and the expectations hold" 0 "motor.angle" "$program" run $s/servo.yaml --json --set "control={plugin: $here/$out/servo/servo.so}" --allow-plugins
furthest() { sed 's/.*"motor.angle":{[^}]*"max":\([-0-9.e+]*\).*/\1/'; }
holds "the plug-in in float differs by rounding only" awk -v a="$("$program" run $s/servo.yaml --json --quiet | furthest)" \
    -v b="$(furthest < "$out/log")" 'BEGIN { exit !(a > 1.5 && a - b < 1e-4 && b - a < 1e-4) }'
printf '%s\n' 'plant: {A: [[0, 1], [0, -2]], B: [[0], [3]], C: [[1, 0], [0, 1]], D: [[0.5], [0]], time: continuous}' 'period: 5 ms' \
    'lqr: {Q: [1, 1], R: [1]}' 'kalman: {process: [1e-4, 1], measurement: [1e-6, 1e-3]}' 'export: {name: swing, type: float}' > "$out/swing.yaml"
expect "design --export of a controller that is unstable alone" 0 "(of 400: the controller alone" "$program" design "$out/swing.yaml" --export "$out/swing"
expect "its test is shorter, and holds" 0 "periods agree within the bound" \
    sh -c "cd $out/swing && cc $c99 -Isrc src/swing.c extras/swing_test.c -o swing_test && ./swing_test"
# the folder as a library: a builder of Arduino compiles everything under src, and nothing else, beside a sketch in C++
for key in name version author maintainer sentence paragraph category url architectures includes; do
    holds "library.properties has $key" test "$(grep -c "^$key=" "$out/servo/library.properties")" -eq 1
done
holds "library.properties: float runs everywhere" grep -qx 'architectures=\*' "$out/servo/library.properties"
holds "library.properties: double does not run on AVR" test "$(grep -c '^architectures=.*\(avr\|[*]\)' "$out/drive/library.properties")" -eq 0
holds "library.json is JSON" node -e 'const l = JSON.parse(require("fs").readFileSync(process.argv[1])); process.exit(l.name === "servo" && l.build.srcDir === "src" ? 0 : 1)' "$out/servo/library.json"
holds "src has the loop and nothing else" test "$(cd "$out/servo/src" && find . -type f | sort | tr '\n' ' ')" = "./servo.c ./servo.h "
arduino() { # COMPILER-PREFIX FLAGS: as the builder does: sources of the library in C, the sketch in C++, no folder but src
    rm -rf "$out/arduino" && mkdir -p "$out/arduino" &&
        printf '%s\n' '#include <servo.h>' 'static servo_state c;' 'void setup() { servo_init(&c, 0, 0); }' \
            'void loop() { float y[1] = {0}, r[SERVO_STATES] = {1}, u[1]; servo_step(&c, y, r, 0, 0, u); }' > "$out/arduino/sketch.cpp" &&
        "$1g++" $2 -Os -std=gnu++11 -Wall -Wextra -Werror -I"$out/servo/src" -c "$out/arduino/sketch.cpp" -o "$out/arduino/sketch.o" &&
        find "$out/servo/src" -name '*.c' -o -name '*.cpp' -o -name '*.S' > "$out/arduino/list" &&
        while read -r source; do
            "$1gcc" $2 -Os -std=gnu11 -Wall -Wextra -Werror -I"$out/servo/src" -c "$source" -o "$out/arduino/$(basename "$source").o" || return 1
        done < "$out/arduino/list" &&
        "$1gcc" $2 -r -nostdlib "$out"/arduino/*.o -o "$out/arduino/all.out" &&
        ! "$1nm" -u "$out/arduino/all.out" | grep servo_
}
if command -v avr-g++ > /dev/null; then
    expect "the folder builds as an Arduino library for AVR" 0 "" arduino avr- -mmcu=atmega328p
fi
if command -v arm-none-eabi-g++ > /dev/null; then
    expect "the folder builds as an Arduino library for Cortex-M" 0 "" arduino arm-none-eabi- "-mcpu=cortex-m0plus -mthumb"
fi
spaced="$out/a b's \$x"
expect "design --export into a folder with blanks and quotes" 0 "cd '" "$program" design designs/drive.yaml --export "$spaced"
expect "the printed line builds there, and its test agrees" 0 "agree to the last bit" sh -c "$(tail -n 1 "$out/log")"
if command -v arm-none-eabi-gcc > /dev/null; then
    expect "it compiles for Cortex-M" 0 "" sh -c "cd $out/servo && arm-none-eabi-gcc $c99 -mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard -c src/servo.c -o servo_m4.o"
fi
if command -v avr-gcc > /dev/null; then
    expect "it compiles for AVR" 0 "" sh -c "cd $out/servo && avr-gcc $c99 -mmcu=atmega328p -c src/servo.c -o servo_avr.o"
fi
