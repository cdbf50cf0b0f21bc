# Pictures of docs/design.md, out of reports. Read by docs/make_figures.sh, which defines $program.

# figure NAME NUMBER FILE: the NUMBER-th picture of a report
figure() {
    awk -v wanted="$2" '/<svg /{ count++ } count == wanted { print } /<\/svg>/ && count == wanted { exit }' "$3" > "docs/img/$1.svg"
}
pages=$(mktemp -d)
"$program" design designs/drivetrain.yaml --quiet --report "$pages/drivetrain.html"
"$program" design designs/elevator.yaml --quiet --report "$pages/elevator.html"
"$program" design designs/two_mass.yaml --quiet --report "$pages/two_mass.html"
figure design_response 1 "$pages/drivetrain.html"
figure design_disturbed 2 "$pages/elevator.html"
figure design_poles 4 "$pages/drivetrain.html"
figure design_bode 5 "$pages/two_mass.html"
figure design_locus 6 "$pages/two_mass.html"
figure design_gains 7 "$pages/elevator.html"
figure design_ellipse 8 "$pages/elevator.html"
rm -r "$pages"
