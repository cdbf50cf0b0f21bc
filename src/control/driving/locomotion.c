#include "control/driving/locomotion.h"

#include "base/extreme.h"

#include <math.h>

const char *ib_motion_limit(ib_MotionLimit limit)
{
    static const char *const nouns[] = {"nothing",     "the motors", "the current limit",
                                        "the battery", "the tyres",  "the gait"};
    return nouns[limit];
}

bool ib_is_holonomic(const ib_Locomotion *base)
{
    return base->top[1] > 0;
}

double ib_locomotion_track(const ib_Locomotion *base, double speed, double yaw_rate)
{
    ib_MotionDemand demand;
    base->demand(base, &(ib_AxisMotion){.velocity = {speed, 0, yaw_rate}}, &demand);
    double track = 0.5 * (demand.rim[1] - demand.rim[0]) / yaw_rate;
    return isfinite(track) && track > 0 ? track : base->half_track;
}

// The range is a square in (left, right): (right - left)/2 first, (right + left)/2 within the rest.
// With three axes the turn comes first.
bool ib_locomotion_limit(const ib_Locomotion *base, double *command)
{
    bool any = ib_is_holonomic(base);
    double unit[IB_AXES];
    for (int i = 0; i < base->count; i++) {
        unit[i] = base->axes[i].unit > 0 ? base->axes[i].unit : 1;
        command[i] /= unit[i];
    }
    double range = base->range, turn = any ? command[2] : 0.5 * (command[1] - command[0]);
    double x = any ? command[0] : 0.5 * (command[0] + command[1]), y = any ? command[1] : 0;
    bool good = isfinite(x) && isfinite(y) && isfinite(turn);
    if (!good) x = y = turn = 0;
    double kept = ib_min(range, ib_max(-range, turn)), room = range - fabs(kept);
    double size = any ? sqrt(x * x + y * y) : fabs(x), share = size > room ? room / size : 1;
    command[0] = any ? share * x : ib_min(range, ib_max(-range, share * x - kept)); // rounding
    command[1] = any ? share * y : ib_min(range, ib_max(-range, share * x + kept));
    if (any) command[2] = kept;
    for (int i = 0; i < base->count; i++) command[i] *= unit[i];
    return !good || kept != turn || share < 1;
}

void ib_locomotion_command(const ib_Locomotion *base, const ib_AxisMotion *motion, double *command)
{
    ib_MotionDemand demand;
    base->demand(base, motion, &demand);
    for (int i = 0; i < base->count; i++) command[i] = demand.command[i];
}

ib_AxisMotion ib_motion_ahead(const ib_Locomotion *base, double u, double w, double faster,
                              double quicker, double drifting)
{
    double aside = ib_is_holonomic(base) ? w * u : 0;
    return (ib_AxisMotion){{u, 0, w}, {faster, drifting + aside, quicker}};
}

// -------------------------------------------------------------------------------------------- axes

// Commands add up in one motor at the worst.
static void demand_of_axes(const ib_Locomotion *base, const ib_AxisMotion *motion,
                           ib_MotionDemand *demand)
{
    *demand =
        (ib_MotionDemand){.limit = base->axes[0].quick > 0 ? IB_LIMIT_GAIT : IB_LIMIT_COMMANDS};
    for (int i = 0; i < IB_AXES; i++) {
        const ib_AxisDrive *axis = &base->axes[i];
        double part = axis->sign * (motion->velocity[i] + axis->lag * motion->rate[i]) / axis->top;
        demand->command[i] = axis->unit > 0 ? axis->unit * part : part;
        demand->share += fabs(part);
    }
    for (int i = 0; i < IB_AXES; i++)
        if (base->axes[i].quick > 0)
            demand->share = ib_max(demand->share, fabs(motion->rate[i]) / base->axes[i].quick);
}

void ib_locomotion_of_axes(const ib_AxisDrive axes[IB_AXES], ib_Locomotion *base)
{
    *base = (ib_Locomotion){.count = IB_AXES, .range = 1, .demand = demand_of_axes};
    for (int i = 0; i < IB_AXES; i++) {
        base->axes[i] = axes[i];
        base->commands[i] = axes[i].command;
        base->top[i] = axes[i].top;
        base->quick[i] = axes[i].quick > 0 ? axes[i].quick
                         : axes[i].lag > 0 ? axes[i].top / axes[i].lag
                                           : INFINITY;
        base->coasts |= axes[i].coasts;
    }
}

// ------------------------------------------------------------------------------------------- sides

static bool is_possible(const ib_Locomotion *base, int axis, bool rate, double size)
{
    ib_AxisMotion motion = {0};
    ib_MotionDemand demand;
    *(rate ? &motion.rate[axis] : &motion.velocity[axis]) = size;
    base->demand(base, &motion, &demand);
    return demand.share < 1;
}

// The largest velocity or rate along one axis that the base can do, by halving; 0: none.
static double find_most(const ib_Locomotion *base, int axis, bool rate)
{
    double low = 0, high = 1;
    for (int i = 0; i < 20 && is_possible(base, axis, rate, high); i++) {
        low = high;
        high *= 2;
    }
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        *(is_possible(base, axis, rate, middle) ? &low : &high) = middle;
    }
    return low;
}

ib_Status ib_locomotion_find_top(ib_Locomotion *base, ib_Error *error)
{
    for (int i = 0; i < IB_AXES && !ib_is_holonomic(base); i += 2) {
        base->top[i] = find_most(base, i, false);
        base->quick[i] = find_most(base, i, true);
        if (!(base->top[i] > 1e-6 && base->quick[i] > 1e-6))
            return ib_error_set(error, IB_BAD_INPUT, "the base is too weak to %s by itself",
                                i == 0 ? "drive" : "turn");
    }
    return IB_OK;
}
