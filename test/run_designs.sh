#!/bin/sh
# Designs as a stranger uses them: `ironbird design`, and what it exports, compiled and run. Prints "ok" and "not ok" lines. The checks
# are the rows of test/designs.txt.
program=$1
cd "$(dirname "$0")/.." || exit 1
here=$(pwd)
case $program in /*) ;; *) program=$here/$program ;; esac
out=${IB_SCRATCH:-build/test-output/designs}
case $out in /*) ;; *) out=$here/$out ;; esac
rm -rf "$out" && mkdir -p "$out"
s=scenarios

. test/expect.sh

# near KEY TOLERANCE VALUES: the numbers of the first KEY in the JSON that was printed, each within TOLERANCE
near() {
    awk -v key="\"$1\":" -v tolerance="$2" -v values="$3" '
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
          } } END { if (NR == 0) exit 1 }' "$log"
}
c99="-std=c99 -Wall -Wextra -Wpedantic -Werror -O2 -ffp-contract=off"
# build FOLDER ARGUMENTS...: what was exported to $out/FOLDER, compiled there; build_plugin NAME ARGUMENTS...: its plug-in, NAME.so
# shellcheck disable=SC2086 # options
build() { (cd "$out/$1" && shift && cc $c99 -Isrc "$@"); }
build_plugin() { (name=$1 && shift && build "$name" -fPIC -shared -I "$here/include" "$@" "src/$name.c" "extras/${name}_plugin.c" -o "$name.so"); }
# hash_of SCENARIO ARGUMENTS...: of its run; it fails without one
hash_of() { "$program" run "$@" --json --quiet | sed -n 's/.*"hash":"\([0-9a-f]*\)".*/\1/p' | grep .; }
furthest() { sed 's/.*"motor.angle":{[^}]*"max":\([-0-9.e+]*\).*/\1/'; }

# arduino COMPILER-PREFIX FLAGS: as the builder does: sources of the library in C, the sketch in C++, no folder but src
# shellcheck disable=SC2086 # options
arduino() {
    rm -rf "$out/arduino" && mkdir -p "$out/arduino" &&
        file arduino/sketch.cpp '#include <servo.h>' 'static servo_state c;' 'void setup() { servo_init(&c, 0, 0); }' \
            'void loop() { float y[1] = {0}, r[SERVO_STATES] = {1}, u[1]; servo_step(&c, y, r, 0, 0, u); }' &&
        "$1g++" $2 -Os -std=gnu++11 -Wall -Wextra -Werror -I"$out/servo/src" -c "$out/arduino/sketch.cpp" -o "$out/arduino/sketch.o" &&
        find "$out/servo/src" -name '*.c' -o -name '*.cpp' -o -name '*.S' > "$out/arduino/list" &&
        while read -r source; do
            "$1gcc" $2 -Os -std=gnu11 -Wall -Wextra -Werror -I"$out/servo/src" -c "$source" -o "$out/arduino/$(basename "$source").o" || return 1
        done < "$out/arduino/list" &&
        "$1gcc" $2 -r -nostdlib "$out"/arduino/*.o -o "$out/arduino/all.out" &&
        ! "$1nm" -u "$out/arduino/all.out" | grep servo_
}
# on_boards: for the boards whose compilers are installed
# shellcheck disable=SC2086 # options
on_boards() {
    if command -v avr-g++ > /dev/null; then
        holds "the folder builds as an Arduino library for AVR" arduino avr- -mmcu=atmega328p
        holds "it compiles for AVR" avr-gcc $c99 -mmcu=atmega328p -c "$out/servo/src/servo.c" -o "$out/servo/avr.o"
    fi
    if command -v arm-none-eabi-g++ > /dev/null; then
        holds "the folder builds as an Arduino library for Cortex-M" arduino arm-none-eabi- "-mcpu=cortex-m0plus -mthumb"
        holds "it compiles for Cortex-M" arm-none-eabi-gcc $c99 -mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard -c "$out/servo/src/servo.c" -o "$out/servo/m4.o"
    fi
}

rows test/designs.txt
