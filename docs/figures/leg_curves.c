// docs/figures/leg_curves.c: prints the curves of docs/control/leg.md as CSV, from the code that
// they describe. Built and run by docs/figures/linkage.sh
#include "control/leg/foot_path.h"

#include <stdio.h>

#define DEGREE (3.14159265358979323846 / 180)

// Time, way ahead and height of the foot from the middle of the drag; angles and rates of the
// joints. Of one slow cycle between others, and of everything.
static void print_curves(const ib_FootPath *path, const ib_LegModel *leg, double from, double to,
                         int looks)
{
    const ib_FootPathConfig *c = &path->config;
    for (int i = 0; i <= looks; i++) {
        double t = from + (to - from) * i / looks, ahead = 0, high = 0, rates[3];
        ib_FootPoint point = ib_foot_path_at(path, t);
        ib_LegReach reach;
        ib_leg_reach(leg, point.place, &reach);
        ib_leg_rates(leg, reach.angle, point.velocity, rates);
        for (int k = 0; k < 3; k++) {
            ahead += (point.place[k] - c->centre[k]) * c->along[k];
            high += (point.place[k] - c->centre[k]) * c->up[k];
        }
        printf("%g,%g,%g", t, 1e3 * ahead, 1e3 * high);
        for (int k = 0; k < 3; k++) printf(",%g", reach.angle[k] / DEGREE);
        for (int k = 0; k < 3; k++) printf(",%g", rates[k] / DEGREE);
        printf("\n");
    }
    printf("\n\n");
}

int main(void)
{
    ib_LegConfig geometry = ib_leg_default();
    ib_FootPathConfig config = ib_foot_path_default();
    ib_LegModel leg;
    ib_FootPath path;
    ib_leg_init(&geometry, &leg);
    ib_foot_path_init(&config, &path);
    print_curves(&path, &leg, 4, 8, 200);
    print_curves(&path, &leg, 0, path.duration, 1050);
    return 0;
}
