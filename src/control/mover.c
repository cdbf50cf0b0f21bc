#include "control/mover.h"

#include <math.h>

void ib_mover_of_axes(const ib_AxisDrive axes[IB_MOVER_AXES], ib_Mover *mover)
{
    *mover = (ib_Mover){.count = IB_MOVER_AXES};
    for (int i = 0; i < IB_MOVER_AXES; i++) {
        mover->axes[i] = axes[i];
        mover->commands[i] = axes[i].command;
        mover->top[i] = axes[i].top;
        mover->quick[i] = axes[i].lag > 0 ? axes[i].top / axes[i].lag : INFINITY;
        mover->coasts |= axes[i].coasts;
    }
}

static double share_of(const ib_Steering *steering, const ib_SteerMotion *motion)
{
    ib_SteerDemand demand;
    steering->demand(steering, motion, &demand);
    return demand.share;
}

static ib_SteerMotion along(int what, double size)
{
    ib_SteerMotion motion = {0};
    if (what == 0) motion.speed = size;
    if (what == 1) motion.faster = size;
    if (what == 2) motion.yaw_rate = size;
    if (what == 3) motion.yaw_quicker = size;
    return motion;
}

// The largest motion of one kind that the base can do, by halving; 0: none.
static double find_most(const ib_Steering *steering, int what)
{
    double low = 0, high = 1;
    ib_SteerMotion motion = along(what, high);
    for (int i = 0; i < 20 && share_of(steering, &motion) < 1; i++) {
        low = high;
        high *= 2;
        motion = along(what, high);
    }
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        motion = along(what, middle);
        if (share_of(steering, &motion) < 1)
            low = middle;
        else
            high = middle;
    }
    return low;
}

ib_Status ib_mover_of_sides(const ib_Steering *steering, ib_Mover *mover, ib_Error *error)
{
    *mover = (ib_Mover){.steering = steering,
                        .coasts = !steering->brakes,
                        .count = 2,
                        .commands = {steering->commands[0], steering->commands[1]}};
    mover->top[0] = find_most(steering, 0);
    mover->quick[0] = find_most(steering, 1);
    mover->top[2] = find_most(steering, 2);
    mover->quick[2] = find_most(steering, 3);
    for (int i = 0; i < IB_MOVER_AXES; i += 2)
        if (!(mover->top[i] > 1e-6 && mover->quick[i] > 1e-6))
            return ib_error_set(error, IB_BAD_INPUT, "the base is too weak to %s by itself",
                                i == 0 ? "drive" : "turn");
    return IB_OK;
}

bool ib_mover_sideways(const ib_Mover *mover)
{
    return mover->top[1] > 0;
}

void ib_mover_commands(const ib_Mover *mover, const ib_MoverMotion *motion, double *command)
{
    if (mover->steering) {
        ib_SteerMotion steered = {.speed = motion->velocity[0],
                                  .yaw_rate = motion->velocity[2],
                                  .faster = motion->rate[0],
                                  .yaw_quicker = motion->rate[2]};
        ib_SteerDemand demand;
        mover->steering->demand(mover->steering, &steered, &demand);
        command[0] = demand.command[0];
        command[1] = demand.command[1];
        return;
    }
    for (int i = 0; i < IB_MOVER_AXES; i++) {
        const ib_AxisDrive *axis = &mover->axes[i];
        command[i] = axis->sign * (motion->velocity[i] + axis->lag * motion->rate[i]) / axis->top;
    }
}
