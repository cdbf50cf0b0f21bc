#include "plant/piston.h"

#include "base/extreme.h"

#include <math.h>

const ib_PresetDef ib_piston_presets = {.off = true};

ib_AirSupply ib_air_supply(const ib_AirModel *air, const double *state, bool on)
{
    double P = ib__air_pressure(air, state);
    return (ib_AirSupply){.working = ib_regulator_pressure(air->setting, P),
                          .returns = ib_regulator_returns(air->setting, P),
                          .on = on};
}

void ib_piston_reset(const ib_AirCylinderModel *c, double working, double at, double *state)
{
    double cap = c->area_cap * at + c->dead_volume;
    double rod = c->area_rod * (c->stroke - at) + c->dead_volume;
    state[IB_PISTON_CAP] = IB_ATMOSPHERE * cap / c->RT;
    state[IB_PISTON_ROD] = ib_max(working, IB_ATMOSPHERE) * rod / c->RT;
}

// The cylinder's own states, with the mechanism's motion in them. A piston that its mechanism's
// slack takes a little beyond its end has the volume of the end.
static void fill(const ib_AirCylinderModel *c, double at, double speed, const double *state,
                 double own[IB_AIR_CYLINDER_STATES])
{
    own[IB_AIR_CYLINDER_POSITION] = ib_min(ib_max(at, 0), c->stroke);
    own[IB_AIR_CYLINDER_VELOCITY] = speed;
    own[IB_AIR_CYLINDER_CAP] = state[IB_PISTON_CAP];
    own[IB_AIR_CYLINDER_ROD] = state[IB_PISTON_ROD];
    own[IB_AIR_CYLINDER_MODE] = 0;
}

//   drag = viscous s' + friction s'/sqrt(s'^2 + creep^2)
ib_PistonNow ib_piston_now(const ib_AirCylinderModel *c, double at, double speed,
                           const double *state)
{
    double own[IB_AIR_CYLINDER_STATES];
    ib_PistonNow now;
    fill(c, at, speed, state, own);
    now.cap = ib_air_cylinder_cap(c, own);
    now.rod = ib_air_cylinder_rod(c, own);
    now.force = ib_air_cylinder_force(c, now.cap, now.rod);
    double dry = ib_friction_smooth(speed, IB_AIR_CYLINDER_CREEP);
    now.drag = c->viscous * speed + c->friction * dry;
    return now;
}

ib_AirDraw ib_piston_rate(const ib_AirCylinderModel *c, double at, const double *state,
                          const ib_AirSupply *supply, bool extend, double *rate)
{
    double own[IB_AIR_CYLINDER_STATES], change[IB_AIR_CYLINDER_STATES];
    fill(c, at, 0, state, own);
    ib_AirCylinderFlow flow =
        ib_air_cylinder_rate(c, own, supply->working, extend && supply->on, change);
    rate[IB_PISTON_CAP] = change[IB_AIR_CYLINDER_CAP];
    rate[IB_PISTON_ROD] = change[IB_AIR_CYLINDER_ROD];
    double back = supply->returns ? 0 : ib_min(flow.in, 0);
    return (ib_AirDraw){.taken = flow.in - back, .vented = flow.out - back};
}
