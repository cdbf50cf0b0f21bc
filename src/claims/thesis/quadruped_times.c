// claims/thesis/quadruped_times.c: arithmetic of messages, pauses, Table 3 and of the numbers in
// 5.5.2 [thesis 5.1, 5.3.2, 5.5, 5.6, 6.3, C.2.4].
#include "claims/thesis/quadruped.h"

#include <math.h>

// 5.1 has an angle of each joint, a place and Euler angles; 5.2 needs rates as well. C.2.4 declares
// as many joints' values and nine of an orientation, and fills angle and rate of R1 alone. Its loop
// has commands for L1, L2 and R2, and gives R1 those of L1.
static void count_messages(ib_ClaimValue *found)
{
    const int joints = IB_QUADRUPED_JOINTS, place = 3, angles = 3, matrix = 9;
    found[IB__Q_SENT] = (ib_ClaimValue){{joints + place + angles, joints + matrix, NAN}};
    ib__quadruped_put(found, IB__Q_NEEDS, 2 * joints + place + angles);
    ib__quadruped_put(found, IB__Q_FILLED, 2 * IB_LEG_JOINTS);
    ib__quadruped_put(found, IB__Q_COMMANDS, joints - IB_LEG_JOINTS);
    ib__quadruped_put(found, IB__Q_PAUSE_AT, 9.452 - 9.231);
    ib__quadruped_put(found, IB__Q_PAUSE, 90);
    // A frame in 100 steps of 1 ms, which takes up to 1 ms.
    ib__quadruped_put(found, IB__Q_RENDERING, 100.0 * 1 / (100 * 1));
}

static void check_table(ib_ClaimValue *found)
{
    enum { BLOCK = 7, TOOLS = 4 }; // "No Extra Tools", and each of them
    const ib__TimesRow *rows = ib__table_3;
    double tools = 0;
    for (int i = 0; i < IB__TABLE_3_ROWS; i++) {
        double whole = i ? ib__table_3_closed : ib__table_3_open, change = rows[i].time - whole;
        found[IB__Q_TIME_CHANGE + i] = (ib_ClaimValue){{change, rows[i].change, NAN}};
        found[IB__Q_TIME_PART + i] = (ib_ClaimValue){{-100 * change / whole, rows[i].part, NAN}};
    }
    for (int i = 1; i <= TOOLS; i++) tools += rows[BLOCK + i].change;
    ib__quadruped_put(found, IB__Q_TOOLS, tools / rows[BLOCK].change);
    // A straight line through one joint and three, 13e-5 s, at twelve; 1e-5 s are 1 % of 1 ms.
    double one = ib__table_3_closed, each = (13 - one) / 2;
    ib__quadruped_put(found, IB__Q_TWELVE, one + each * (IB_QUADRUPED_JOINTS - 1));
}

static double span_of(const ib__LegBench *bench, int joint)
{
    const double *range = bench->config->joints[joint].linkage.range;
    return (range[1] - range[0]) * 180 / M_PI;
}

void ib__quadruped_claims_times(const ib__LegBench *bench, ib_ClaimValue *found)
{
    count_messages(found);
    check_table(found);
    double gamma = span_of(bench, IB_LEG_GAMMA), beta = span_of(bench, IB_LEG_BETA);
    ib__quadruped_put(found, IB__Q_SHARE_STEPS, 100 * 2.6 / gamma);
    ib__quadruped_put(found, IB__Q_SHARE_OVERSHOOT, 100 * 5 / gamma);
    ib__quadruped_put(found, IB__Q_SHARE_BETA, 100 * 4 / beta);
    ib__quadruped_put(found, IB__Q_LAG_GAP, 100 * (0.2 - 0.15) / 0.2);
    ib__quadruped_put(found, IB__Q_LAG_GAP_BETA, 100 * (0.2 - 0.16) / 0.2);
}
