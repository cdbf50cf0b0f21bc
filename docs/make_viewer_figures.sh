#!/bin/sh
# Makes the pictures of docs/viewer.md and the README anew: sh docs/make_viewer_figures.sh [PROGRAM].
# docs/make_figures.sh calls it.
set -eu
cd "$(dirname "$0")/.."
program=${1:-build/ironbird}
work=build/figures
mkdir -p "$work" docs/img
sh web/install.sh > "$work/npm.log" 2>&1 || { cat "$work/npm.log"; exit 1; }
"$program" run scenarios/match.yaml --quiet --log "$work/match.wpilog"
node docs/make_viewer_figures.mjs "$program" "$work/match.wpilog" docs/img
