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
static double net_at_rest(const ib_CylinderRigModel *rig, const double *state, const double *input)
{
    const ib_RamModel *ram = &rig->ram;
    const double *air = state + IB_RIG_AIR;
    double x = state[IB_RIG_POSITION], rate = 0;
    ib_ChamberNow cap = ib_chamber_now(ram, ib_ram_volume(&ram->cap, x), air[IB_RAM_CAP_MASS],
                                       air[IB_RAM_CAP_ENERGY]);
    ib_ChamberNow rod = ib_chamber_now(ram, ib_ram_volume(&ram->rod, ram->stroke - x),
                                       air[IB_RAM_ROD_MASS], air[IB_RAM_ROD_ENERGY]);
    double weight = rig->mass * ib_cylinder_rig_gravity(rig, input) * rig->down;
    double net = ib_ram_force(ram, cap.pressure, rod.pressure) + weight + input[IB_RIG_LOAD] +
                 ib__rig_stop_force(rig, x, 0);
    return rig->bristles ? net - ib__rig_friction_now(rig, state, ib__rig_mode(rig, state), &rate)
                         : net;
}

static double breakaway(const ib_CylinderRigModel *rig, const double *state, double direction)
{
    if (!rig->sticks) return 0;
    return ib_friction_breakaway(&rig->friction, direction, state[IB_RIG_POSITION], rig->side_load);
}

// After settling every margin is positive: nothing hides at an exact zero.
void ib_cylinder_rig_guard(const ib_CylinderRigModel *rig, const double *state, const double *input,
                           double *guards)
{
    int mode = ib__rig_mode(rig, state);
    double x = state[IB_RIG_POSITION], v = state[IB_RIG_VELOCITY];
    guards[IB_RIG_GUARD_STOP] = guards[IB_RIG_GUARD_STICK] = 1;
    guards[IB_RIG_GUARD_SPOOL] =
        state[rig->mode + IB_RIG_SIDE] == 0
            ? -1
            : ib_proportional_margin(&rig->ram.valve, ib__rig_spool(rig, state, input),
                                     ib__rig_up(rig, state));
    if (rig->locked) return;
    if (mode == IB_RIG_LOW)
        guards[IB_RIG_GUARD_STOP] =
            STICK + breakaway(rig, state, 1) - net_at_rest(rig, state, input);
    else if (mode == IB_RIG_HIGH)
        guards[IB_RIG_GUARD_STOP] =
            STICK + breakaway(rig, state, -1) + net_at_rest(rig, state, input);
    else
        guards[IB_RIG_GUARD_STOP] = ib_min(x - rig->low, rig->high - x) + SLACK;
    if (!rig->sticks) return;
    if (mode == IB_RIG_STUCK) {
        double net = net_at_rest(rig, state, input);
        guards[IB_RIG_GUARD_STICK] = STICK + breakaway(rig, state, net) - fabs(net);
    } else if (mode == IB_RIG_BACK || mode == IB_RIG_FORTH) {
        guards[IB_RIG_GUARD_STICK] = CREEP + mode * v;
    }
}

// A rigid stop takes the speed, or turns it round where it bounces. What is pressed against the
// stop leaps by m v^2/2F; a leap as short as the slack of the stop would never end, since each fall
// through the slack gives back what the stop has taken.
static void hit(const ib_CylinderRigModel *rig, const double *input, double *state)
{
    double v = state[IB_RIG_VELOCITY], back = -rig->restitution * v;
    bool low = state[IB_RIG_POSITION] < 0.5 * rig->ram.stroke;
    double net = net_at_rest(rig, state, input), pressed = low ? -net : net;
    bool rests = fabs(back) < BOUNCE || rig->mass * back * back < 2 * pressed * LEAP;
    state[IB_RIG_POSITION] = low ? rig->low : rig->high;
    state[IB_RIG_VELOCITY] = rests ? 0 : back;
    state[rig->mode + IB_RIG_E_STOP] +=
        0.5 * rig->mass * (v * v - state[IB_RIG_VELOCITY] * state[IB_RIG_VELOCITY]);
    state[rig->mode + IB_RIG_MODE] = rests ? (low ? IB_RIG_LOW : IB_RIG_HIGH)
                                     : low ? IB_RIG_FORTH
                                           : IB_RIG_BACK;
}

// A piston that has just come to rest stays where friction holds it, or goes on.
static void stick_or_go(const ib_CylinderRigModel *rig, const double *input, double *state)
{
    double *mode = state + rig->mode + IB_RIG_MODE;
    *mode = IB_RIG_STUCK;
    state[IB_RIG_VELOCITY] = 0;
    double net = net_at_rest(rig, state, input);
    if (fabs(net) > breakaway(rig, state, net)) *mode = net < 0 ? IB_RIG_BACK : IB_RIG_FORTH;
}

// The spool has come to the other side; at the start it is where it will rest.
static void turn_spool(const ib_CylinderRigModel *rig, const double *input, double *state)
{
    double *side = state + rig->mode + IB_RIG_SIDE;
    double command = ib_proportional_command(&rig->ram.valve, input[IB_RIG_VALVE]);
    if (*side == 0 && rig->spool >= 0) state[rig->spool] = command;
    bool up = *side == 0 ? ib_proportional_up(command) : *side < 0;
    *side = up ? 1 : -1;
}

// A piston that was put elsewhere (a linear plant is asked for there) is at no stop any more, and
// one that was given a speed is not stuck.
static bool is_away(const ib_CylinderRigModel *rig, const double *state)
{
    int mode = ib__rig_mode(rig, state);
    double x = state[IB_RIG_POSITION];
    return (mode == IB_RIG_LOW && x > rig->low + 1e-9) ||
           (mode == IB_RIG_HIGH && x < rig->high - 1e-9) ||
           (mode == IB_RIG_STUCK && state[IB_RIG_VELOCITY] != 0);
}

bool ib_cylinder_rig_settle(const ib_CylinderRigModel *rig, const double *input, double *state)
{
    double *mode = state + rig->mode + IB_RIG_MODE;
    if (is_away(rig, state)) {
        *mode = state[IB_RIG_VELOCITY] < 0 ? IB_RIG_BACK : IB_RIG_FORTH;
        return true;
    }
    double guards[IB_RIG_GUARDS];
    ib_cylinder_rig_guard(rig, state, input, guards);
    if (!(guards[IB_RIG_GUARD_SPOOL] > 0)) {
        turn_spool(rig, input, state);
        return true;
    }
    if (!(guards[IB_RIG_GUARD_STOP] > 0)) {
        int was = ib__rig_mode(rig, state);
        if (was == IB_RIG_LOW || was == IB_RIG_HIGH)
            *mode = was == IB_RIG_LOW ? IB_RIG_FORTH : IB_RIG_BACK;
        else
            hit(rig, input, state);
        return true;
    }
    if (guards[IB_RIG_GUARD_STICK] > 0) return false;
    if (ib__rig_mode(rig, state) == IB_RIG_STUCK) {
        *mode = net_at_rest(rig, state, input) < 0 ? IB_RIG_BACK : IB_RIG_FORTH;
    } else {
        stick_or_go(rig, input, state);
    }
    return true;
}
