// robot/cylinder_rig/cylinder_rig_modes.c: where the rig jumps: stops, sticking, the spool's side.
#include "base/extreme.h"
#include "robot/cylinder_rig/cylinder_rig_inside.h"

#define SLACK  1e-12 ///< a stop is reached this far behind it [m]
#define STICK  1e-9  ///< a stop, or a stuck piston, lets go at this force more [N]
#define CREEP  1e-12 ///< a piston that slides sticks at this speed the other way [m/s]
#define BOUNCE 1e-3  ///< a slower piston stays at the stop that it has hit [m/s], …
#define LEAP   1e-9  ///< … and one that would leap no farther than this [m]

// All forces on a piston that stands but friction that gives way, towards extension.
// Pressures alone make them: no flow is looked at.
static double net_at_rest(const ib_CylinderRigModel *rig, const double *own, const double *input)
{
    const ib_CylinderModel *cylinder = &rig->cylinder;
    double x = own[IB_RIG_POSITION], rate = 0;
    ib_ChamberNow cap, rod;
    ib_cylinder_chambers(cylinder, own + IB_RIG_AIR, x, &cap, &rod);
    double weight = rig->mass * ib__rig_gravity(rig, input) * rig->down;
    double net = ib_cylinder_force(cylinder, cap.pressure, rod.pressure) + weight +
                 input[rig->load] + ib__rig_stop_force(rig, x, 0);
    return rig->bristles ? net - ib__rig_friction_now(rig, own, ib__rig_mode(rig, own), &rate)
                         : net;
}

static double breakaway(const ib_CylinderRigModel *rig, const double *own, double direction)
{
    if (!rig->sticks) return 0;
    return ib_friction_breakaway(&rig->friction, direction, own[IB_RIG_POSITION], rig->side_load);
}

// After settling every margin is positive: nothing hides at an exact zero.
static void find_margins(const ib_CylinderRigModel *rig, const double *own, const double *input,
                         double *guards)
{
    int mode = ib__rig_mode(rig, own);
    double x = own[IB_RIG_POSITION], v = own[IB_RIG_VELOCITY];
    guards[IB_RIG_GUARD_STOP] = guards[IB_RIG_GUARD_STICK] = 1;
    guards[IB_RIG_GUARD_SPOOL] =
        own[rig->mode + IB_RIG_SIDE] == 0
            ? -1
            : ib_proportional_margin(&rig->cylinder.valve, ib__rig_spool(rig, own, input),
                                     ib__rig_up(rig, own));
    if (rig->locked) return;
    if (mode == IB_RIG_LOW)
        guards[IB_RIG_GUARD_STOP] = STICK + breakaway(rig, own, 1) - net_at_rest(rig, own, input);
    else if (mode == IB_RIG_HIGH)
        guards[IB_RIG_GUARD_STOP] = STICK + breakaway(rig, own, -1) + net_at_rest(rig, own, input);
    else
        guards[IB_RIG_GUARD_STOP] = ib_min(x - rig->low, rig->high - x) + SLACK;
    if (!rig->sticks) return;
    if (mode == IB_RIG_STUCK) {
        double net = net_at_rest(rig, own, input);
        guards[IB_RIG_GUARD_STICK] = STICK + breakaway(rig, own, net) - fabs(net);
    } else if (mode == IB_RIG_BACK || mode == IB_RIG_FORTH) {
        guards[IB_RIG_GUARD_STICK] = CREEP + mode * v;
    }
}

void ib_cylinder_rig_guard(const ib_CylinderRigModel *rig, const double *x, const double *input,
                           double *guards)
{
    find_margins(rig, x + rig->state, input, guards + rig->guard);
}

// A rigid stop takes the speed, or turns it round where it bounces. What is pressed against the
// stop leaps by m v^2/2F; a leap as short as the slack of the stop would never end, since each fall
// through the slack gives back what the stop has taken.
static void hit(const ib_CylinderRigModel *rig, const double *input, double *x)
{
    double *own = x + rig->state;
    double v = own[IB_RIG_VELOCITY], back = -rig->restitution * v;
    bool low = own[IB_RIG_POSITION] < 0.5 * rig->cylinder.stroke;
    double net = net_at_rest(rig, own, input), pressed = low ? -net : net;
    bool rests = fabs(back) < BOUNCE || rig->mass * back * back < 2 * pressed * LEAP;
    own[IB_RIG_POSITION] = low ? rig->low : rig->high;
    own[IB_RIG_VELOCITY] = rests ? 0 : back;
    x[rig->at[IB_RIG_E_STOP]] +=
        0.5 * rig->mass * (v * v - own[IB_RIG_VELOCITY] * own[IB_RIG_VELOCITY]);
    own[rig->mode + IB_RIG_MODE] = rests ? (low ? IB_RIG_LOW : IB_RIG_HIGH)
                                   : low ? IB_RIG_FORTH
                                         : IB_RIG_BACK;
}

// A piston that has just come to rest stays where friction holds it, or goes on.
static void stick_or_go(const ib_CylinderRigModel *rig, const double *input, double *own)
{
    double *mode = own + rig->mode + IB_RIG_MODE;
    *mode = IB_RIG_STUCK;
    own[IB_RIG_VELOCITY] = 0;
    double net = net_at_rest(rig, own, input);
    if (fabs(net) > breakaway(rig, own, net)) *mode = net < 0 ? IB_RIG_BACK : IB_RIG_FORTH;
}

// The spool has come to the other side; at the start it is where it will rest.
static void turn_spool(const ib_CylinderRigModel *rig, const double *input, double *own)
{
    double *side = own + rig->mode + IB_RIG_SIDE;
    double command = ib_proportional_command(&rig->cylinder.valve, input[rig->valve]);
    if (*side == 0 && rig->spool >= 0) own[rig->spool] = command;
    bool up = *side == 0 ? ib_proportional_up(command) : *side < 0;
    *side = up ? 1 : -1;
}

// A piston that was put elsewhere (a linear plant is asked for there) is at no stop any more, and
// one that was given a speed is not stuck.
static bool is_away(const ib_CylinderRigModel *rig, const double *own)
{
    int mode = ib__rig_mode(rig, own);
    double x = own[IB_RIG_POSITION];
    return (mode == IB_RIG_LOW && x > rig->low + 1e-9) ||
           (mode == IB_RIG_HIGH && x < rig->high - 1e-9) ||
           (mode == IB_RIG_STUCK && own[IB_RIG_VELOCITY] != 0);
}

bool ib_cylinder_rig_settle(const ib_CylinderRigModel *rig, const double *input, double *x)
{
    double *own = x + rig->state;
    double *mode = own + rig->mode + IB_RIG_MODE;
    if (is_away(rig, own)) {
        *mode = own[IB_RIG_VELOCITY] < 0 ? IB_RIG_BACK : IB_RIG_FORTH;
        return true;
    }
    double guards[IB_RIG_GUARDS];
    find_margins(rig, own, input, guards);
    if (!(guards[IB_RIG_GUARD_SPOOL] > 0)) {
        turn_spool(rig, input, own);
        return true;
    }
    if (!(guards[IB_RIG_GUARD_STOP] > 0)) {
        int was = ib__rig_mode(rig, own);
        if (was == IB_RIG_LOW || was == IB_RIG_HIGH)
            *mode = was == IB_RIG_LOW ? IB_RIG_FORTH : IB_RIG_BACK;
        else
            hit(rig, input, x);
        return true;
    }
    if (guards[IB_RIG_GUARD_STICK] > 0) return false;
    if (ib__rig_mode(rig, own) == IB_RIG_STUCK) {
        *mode = net_at_rest(rig, own, input) < 0 ? IB_RIG_BACK : IB_RIG_FORTH;
    } else {
        stick_or_go(rig, input, own);
    }
    return true;
}
