// robot/assembly/assembly_hook.c: a robot that a hook lifts: what its base feels of it, who can
// hang, and how it begins. docs/plant/hook.md
#include "robot/assembly/assembly_inside.h"

#include "base/maths.h"
#include "robot/planar.h"

#include <string.h>

// What the base feels of a hook that lifts the robot: less weight, N/M in place of g, and the
// hook's pull as one push more. Without a hook its inputs are what they are.
const double *ib__assembly_hoisted(const ib__Assembly *a, const double *x, const double *input,
                                   double own[IB__HOISTED_INPUTS])
{
    if (a->hook < 0) return input;
    const ib_Actuator *item = &a->items[a->hook];
    const ib_HookModel *hook = &item->hook;
    ib_HookNow now;
    double c, s;
    ib_actuator_hook(item, x, &now);
    memcpy(own, input, (size_t)a->base.ports.input_count * sizeof *own);
    own[IB_GRAVITY] = now.floor / hook->carrier.mass;
    ib_push_add(own, now.fx, now.fy, hook->place[0], hook->place[1]);
    // A torque alone, as such sums at this heading (plant/environment.h).
    ib_sincos(x[hook->carrier.heading], &s, &c);
    own[IB_PUSH_CROSS] += now.torque * c;
    own[IB_PUSH_DOT] -= now.torque * s;
    return own;
}

// A hook lifts the whole robot: a base that only its weight holds to the floor, and by one hook.
ib_Status ib__assembly_check_hook(const ib_OutfitConfig *outfit, ib__Assembly *a, ib_Error *error)
{
    const ib_PoweredBase *base = a->own_power ? NULL : a->base.kind->powered;
    a->hook = -1;
    for (int i = 0; i < a->count; i++) {
        const ib_MechanismSpec *spec = &outfit->mechanisms.items[i];
        const void *config = &spec->config;
        if (!((const ib_MechanismConfig *)config)->act.hook.on) continue;
        if (a->hook >= 0)
            return ib_error_set(error, IB_BAD_INPUT,
                                "mechanisms.%s.hook: '%s' has a hook already: expected one on a "
                                "robot",
                                spec->name, outfit->mechanisms.items[a->hook].name);
        if (!base || !base->slips || !base->slips(a->base.model) ||
            a->base.ports.input_count > IB__HOISTED_INPUTS)
            return ib_error_set(error, IB_BAD_INPUT,
                                "mechanisms.%s.hook: this %s holds to the floor whatever it "
                                "weighs, and could not hang: expected a tank or a holonomic robot "
                                "with wheels.model: friction_circle or bristle",
                                spec->name, a->base.kind->name);
        a->hook = i;
    }
    return IB_OK;
}

void ib__assembly_carry(ib__Assembly *a, ib_RobotPorts *ports)
{
    const ib_PlanarModel *planar = a->base.ports.planar;
    ib_HookCarrier carrier = {.mass = 1 / planar->per_mass,
                              .x = planar->x,
                              .y = planar->y,
                              .heading = planar->heading,
                              .velocity = {planar->velocity[0], planar->velocity[1]},
                              .yaw_rate = planar->yaw_rate,
                              .own_axes = planar->own_axes};
    ports->sum_from = ports->sum_to = 0;
    ib_actuator_carry(&a->items[a->hook], &carrier);
}

ib_Status ib__assembly_begin(ib__Assembly *a, const double *x, ib_Error *error)
{
    ib_Actuator *item = &a->items[a->hook];
    ib_Error part;
    if (ib_actuator_begin(item, x, &part) == IB_OK) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT, "start.%s.%.900s", item->name,
                        part.text + sizeof "start." - 1);
}
