#!/bin/sh
# Makes the pictures of docs/view/viewer.md and the README anew: sh docs/figures/viewer.sh [PROGRAM].
# docs/figures/all.sh calls it.
set -eu
cd "$(dirname "$0")/../.."
program=${1:-build/ironbird}
work=build/figures
mkdir -p "$work" docs/img
sh web/install.sh > "$work/npm.log" 2>&1 || { cat "$work/npm.log"; exit 1; }
for scenario in team_match bench_mechanisms arm_two_discs quadruped_stand leg_walk; do
    "$program" run "scenarios/$scenario.yaml" --quiet --log "$work/$scenario.wpilog"
done
node docs/figures/viewer.mjs "$program" "$work" docs/img
