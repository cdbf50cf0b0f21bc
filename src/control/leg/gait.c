#include "control/leg/gait.h"

// In 2.4 s: shift 0.45 s, swing 0.35, gap 0.05, swing 0.35, and the same on the other side.
#define PART(seconds) ((seconds) / 2.4)

const ib_Gait ib_gait_crawl = {
    .name = "crawl",
    .swing = {[IB_LEG_RL] = {PART(0.45), PART(0.80)},
              [IB_LEG_FL] = {PART(0.85), PART(1.20)},
              [IB_LEG_RR] = {PART(1.65), PART(2.00)},
              [IB_LEG_FR] = {PART(2.05), PART(2.40)}},
    .shifts = 2,
    .shift = {{PART(0.00), PART(0.45), -1}, {PART(1.20), PART(1.65), 1}},
};

double ib_gait_swing(const ib_Gait *gait, int leg, double phase)
{
    const ib_GaitSwing *swing = &gait->swing[leg];
    if (phase < swing->start || phase >= swing->end) return -1;
    return (phase - swing->start) / (swing->end - swing->start);
}

double ib_gait_until_swing(const ib_Gait *gait, int leg, double phase)
{
    if (ib_gait_swing(gait, leg, phase) >= 0) return 0;
    double until = gait->swing[leg].start - phase;
    return until < 0 ? until + 1 : until;
}

void ib_gait_way(double u, double way[3])
{
    if (u < 0) u = 0;
    if (u > 1) u = 1;
    way[0] = u * u * u * (10 + u * (6 * u - 15));
    way[1] = 30 * u * u * (1 - u) * (1 - u);
    way[2] = 60 * u * (1 - u) * (1 - 2 * u);
}

void ib_gait_shift(const ib_Gait *gait, double phase, double from, double shift[3])
{
    shift[0] = from;
    shift[1] = shift[2] = 0;
    for (int i = 0; i < gait->shifts; i++) {
        const ib_GaitShift *now = &gait->shift[i];
        double time = now->end - now->start, way[3];
        if (phase < now->start) return;
        ib_gait_way((phase - now->start) / time, way);
        double far = now->side - shift[0];
        shift[0] += far * way[0];
        shift[1] = far * way[1] / time;
        shift[2] = far * way[2] / (time * time);
    }
}
