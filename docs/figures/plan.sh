# Pictures of docs/design/plan.md. Read by docs/figures/all.sh, which defines $program.
"$program" plan plans/arm_path_b.yaml --quiet --set points=250 --plot docs/img/arm_passes.svg
"$program" plan plans/arm_two_discs.yaml --quiet --set points=250 --scene docs/img/arm_scene.svg
