#include "control/leg/gait.h"

#include <math.h>

#define GAP (1.0 / 48) ///< between two swings

void ib_gait_crawl(double duty, ib_Gait *gait)
{
    static const int order[] = {IB_LEG_RL, IB_LEG_FL, IB_LEG_RR, IB_LEG_FR};
    double swing = 1 - duty, shift = 0.5 - 2 * swing - GAP;
    *gait = (ib_Gait){.name = "crawl",
                      .shifts = 2,
                      .careful = true,
                      .quickest = 2.4,
                      .slowest = 3.6,
                      .stride = 0.19,
                      .lift = 0.03,
                      .ramp = 0.12,
                      .most = {0.12, 0.03, 0.06},
                      .catch_up = 0.02,
                      .damping = 50,
                      .level_time = 1,
                      .sink = 0.08,
                      .acceleration = {0.05, 0.2},
                      .height = {0.6, 1.2},
                      .tilt = 0.5};
    for (int half = 0; half < 2; half++) {
        double start = 0.5 * half;
        gait->shift[half] = (ib_GaitShift){start, start + shift, half ? 1 : -1};
        for (int i = 0; i < 2; i++) {
            double from = start + shift + i * (swing + GAP), to = from + swing;
            gait->swing[order[2 * half + i]] = (ib_GaitSwing){from, i ? start + 0.5 : to};
        }
    }
}

void ib_gait_trot(double duty, ib_Gait *gait)
{
    double gap = 0.5 * (duty - 0.5);
    *gait = (ib_Gait){.name = "trot",
                      .quickest = 0.42,
                      .slowest = 1 / 1.8,
                      .stride = 0.15,
                      .lift = 0.03,
                      .ramp = 0.04,
                      .most = {0.65, 0.3, 0.6},
                      .catch_up = 0.08,
                      .damping = 80,
                      .level_time = 0.15,
                      .sink = 0.3,
                      .acceleration = {0.2, 0.8},
                      .height = {0.98, 1.1},
                      .tilt = 0.02,
                      .righting = {100, 10},
                      .slack = 0.1};
    for (int i = 0; i < IB_LEG_LEGS; i++) {
        double start = i == IB_LEG_FL || i == IB_LEG_RR ? 0 : 0.5;
        gait->swing[i] = (ib_GaitSwing){start + gap, start + 0.5 - gap};
    }
}

void ib_gait_make(ib_GaitName name, double duty, ib_Gait *gait)
{
    if (name == IB_GAIT_CRAWL)
        ib_gait_crawl(isinf(duty) ? IB_GAIT_DUTY : duty, gait);
    else
        ib_gait_trot(isinf(duty) ? IB_TROT_DUTY : duty, gait);
}

void ib_gait_move(ib_Gait *gait, int leg, double phase)
{
    ib_GaitSwing *swing = &gait->swing[leg];
    *swing = (ib_GaitSwing){phase, phase + swing->end - swing->start};
}

void ib_gait_turn_round(const ib_Gait *gait, ib_Gait *back)
{
    *back = *gait;
    back->swing[IB_LEG_FL] = gait->swing[IB_LEG_RL];
    back->swing[IB_LEG_FR] = gait->swing[IB_LEG_RR];
    back->swing[IB_LEG_RL] = gait->swing[IB_LEG_FL];
    back->swing[IB_LEG_RR] = gait->swing[IB_LEG_FR];
}

// There are most where one has just lifted.
int ib_gait_most_in_air(const ib_Gait *gait)
{
    int most = 0;
    for (int i = 0; i < IB_LEG_LEGS; i++) {
        int count = 0;
        for (int k = 0; k < IB_LEG_LEGS; k++)
            count += ib_gait_swing(gait, k, gait->swing[i].start) >= 0;
        if (count > most) most = count;
    }
    return most;
}

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
