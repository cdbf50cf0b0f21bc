#!/bin/sh
# Makes the pictures of the docs anew from the scenarios: sh docs/make_figures.sh [PROGRAM]. `make docs` calls it.
set -eu
cd "$(dirname "$0")/.."
program=${1:-build/ironbird}
work=build/figures
mkdir -p "$work" docs/img

# log SCENARIO: a recording of it
log() { "$program" run "scenarios/$1.yaml" --quiet --log "$work/$1.wpilog"; }
# figure NAME TITLE SCENARIO ARGUMENTS...
figure() {
    name=$1 title=$2 scenario=$3
    shift 3
    "$program" plot "$work/$scenario.wpilog" "$@" --title "$title" --size 900x560 -o "docs/img/$name.svg"
}

for scenario in roomba_straight roomba_circle roomba_heading roomba_schedule roomba_path_schedule showcase; do log $scenario; done
figure figure_2a "Figure 2a: straight line, trajectory" roomba_straight --trajectory
figure figure_2b "Figure 2b: straight line, displacement" roomba_straight pose.x pose.y
figure figure_3a "Figure 3a: left wheel alone, trajectory" roomba_circle --trajectory
figure figure_3b "Figure 3b: left wheel alone, displacement" roomba_circle pose.x pose.y
figure figure_4 "Figure 4: left wheel alone, heading" roomba_heading pose.heading
figure figure_5a "Figure 5a: the document's schedule, trajectory" roomba_schedule --trajectory
figure figure_5b "Figure 5b: the document's schedule, displacement" roomba_schedule pose.x pose.y
figure path_schedule "The same path with computed switching times" roomba_path_schedule --trajectory
figure path_forces "Wheel forces of the inverse mode" showcase drive.left.force drive.right.force
"$program" plot "$work/showcase.wpilog" --trajectory --title "Roomba on a drawn path" -o docs/img/showcase.png
