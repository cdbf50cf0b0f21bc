#!/bin/sh
# Scenarios of every kind of robot in one sanitized process (test/run_many.c): each meets its expectations, and has the hash of every
# other build (test/golden_hashes.txt; what MuJoCo moves has one only on the kinds of machines that are named there): sh
# test/run_many.sh build/asan/run_many [all]. Prints "ok" and "not ok" lines. The longest are left to the soak: three quarters of the time for
# lines that a shorter relative passes. test/sim/test_reset.c makes the first steps of all of them under the sanitizer.
cd "$(dirname "$0")/.." || exit 1
out=${IB_SCRATCH:-build/test-output/many}
mkdir -p "$out"
long='quadruped_stand quadruped_jcu cylinder_loop_kinds ruckus_crater_claim cylinder_loop_tracking ruckus_crater ruckus_depot_claim cylinder_loop_leg
    cylinder_loop_load drive_two xdrive_drive cylinder_loop_sampled cylinder_loop_sines leg_steps team_match drive planned_promise cylinder_loop_pid
    cylinder_loop_steps leg_walk_gain bench_mechanisms leg_sines_slow leg_gamma_models leg_walk routine_square leg_walk_plain leg_trapezoids
    leg_sines_fast leg_servo_walk'
[ "${2:-}" != all ] || long=
harness=$1
set --
for file in scenarios/*.yaml; do
    noun=${file#scenarios/}
    case " $(echo $long) " in *" ${noun%.yaml} "*) ;; *) set -- "$@" "$file" ;; esac
done
"$harness" "$@" > "$out/log" 2>&1
status=$?
awk -v machine="$(uname -m)" '
    NR == FNR && $2 !~ /=/ { golden[$1] = $2; next }
    NR == FNR {
        golden[$1] = "none here"
        for (i = split($2, kinds, "[,=]") - 1; i > 0; i -= 2) if (kinds[i] == machine) golden[$1] = kinds[i + 1]
        next
    }
    / hash [0-9a-f]+$/ { hash = $NF }
    /^(not )?ok / {
        print
        file = $(NF - 3)
        sub(/,$/, "", file)
        if (golden[file] == "none here") next
        if (hash == golden[file]) print "ok hash: " file ", sanitized"
        else print "not ok hash: " file ", sanitized: expected " golden[file] ", got " hash
        hash = "none"
    }' test/golden_hashes.txt "$out/log"
[ $status -eq 0 ] || { echo "not ok scenarios, sanitized: exit code $status"; tail -n 60 "$out/log"; }
exit $status
