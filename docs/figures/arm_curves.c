// docs/figures/arm_curves.c: prints the curves of docs/control/arm_plan.md as CSV, from the code
// that they describe. Built and run by docs/figures/control.sh:
// arm_curves speeds|volts
#include <stdbool.h>

#include "../../test/control/arm_rig.h"

#include <stdio.h>
#include <string.h>

enum { CELLS = 800, LOOKS = 1200 };

static ArmWorkspace passes, reach;

// Over the length of path B: what curvature allows, what the backward and the forward pass leave of
// it, and reachability.
static void print_speeds(void)
{
    for (int i = 0; i <= CELLS; i++)
        printf("%g,%g,%g,%g,%g\n", passes.points[i].s, passes.work[i], passes.work[CELLS + 1 + i],
               passes.v[i], reach.v[i]);
}

// Over time: voltages of both joints, by the passes and by reachability.
static void print_volts(void)
{
    ib_ArmPlant arm = wound_arm();
    const ArmWorkspace *rooms[2] = {&passes, &reach};
    for (int n = 0; n < 2; n++) {
        for (int k = 0; k <= LOOKS; k++) {
            double t = arm_time(rooms[n]) * k / (LOOKS);
            ib_ArmSample at = ib_arm_sample(&arm, &rooms[n]->path, &rooms[n]->timing, t, NULL);
            printf("%g,%g,%g\n", t, at.volts[0], at.volts[1]);
        }
        printf("\n\n");
    }
}

int main(int argc, char **argv)
{
    const char *what = argc == 2 ? argv[1] : "";
    ib_ArmPlant arm = wound_arm();
    ib_ArmLimits limits = twelve_volts();
    path_b(&passes, CELLS);
    path_b(&reach, CELLS);
    ib_arm_plan_passes(&arm, &limits, &passes.path, 10, &passes.timing);
    ib_arm_plan_reach(&arm, &limits, &reach.path, (ib_ArmEnds){0, 0}, &reach.timing);
    if (strcmp(what, "speeds") == 0) print_speeds();
    if (strcmp(what, "volts") == 0) print_volts();
    return 0;
}
