// control/leg/walk_balance.c: the margin of a body that walks, and its feet's errors.
#include "control/leg/walk_inside.h"

#include "control/leg/support.h"

#include <math.h>

double ib__walk_ahead(const ib_Walk *walk)
{
    return sqrt(walk->height / walk->gravity);
}

double ib__walk_margin(const ib__WalkNow *now, const ib_WalkState *s, int without, double ahead)
{
    double feet[IB_LEG_LEGS][2];
    const double middle[2] = {ahead * s->velocity[0], ahead * s->velocity[1]};
    int count = 0;
    for (int i = 0; i < IB_LEG_LEGS; i++) {
        double from[3], down;
        if (i == without || !ib__stands(&s->foot[i])) continue;
        for (int k = 0; k < 3; k++) from[k] = now->leg[i].foot[k] - now->centre[k];
        down = ib__dot(from, now->up);
        for (int k = 0; k < 2; k++) feet[count][k] = from[k] - down * now->up[k];
        count++;
    }
    return ib_support_margin(feet, count, middle);
}

void ib__walk_judge(const ib__WalkNow *now, ib_WalkState *s)
{
    for (int i = 0; i < IB_LEG_LEGS; i++) {
        const ib__WalkLeg *leg = &now->leg[i];
        if (!ib__stands(&s->foot[i])) continue;
        double d = 0;
        for (int k = 0; k < 3; k++)
            d += (s->foot[i].target[k] - leg->foot[k]) * (s->foot[i].target[k] - leg->foot[k]);
        s->foot[i].miss = sqrt(d);
    }
    s->margin = ib__walk_margin(now, s, -1, 0);
}
