// robot/cylinder_rig/cylinder_rig_modes.c: where the rig jumps: its piston, the spool's side.
#include "robot/cylinder_rig/cylinder_rig_inside.h"

// Air, weight and load. Pressures alone make them: no flow is looked at.
static double net_force(const ib_CylinderRigModel *rig, const double *x, const double *input)
{
    const double *own = x + rig->state;
    const ib_CylinderModel *c = &rig->cylinder;
    const double *air = own + IB_RIG_AIR;
    double P[IB_SIDES];
    for (int i = 0; i < IB_SIDES; i++)
        P[i] = ib_cylinder_chamber(c, i, own[IB_RIG_POSITION], air).pressure;
    double weight = rig->piston.mass * ib__rig_gravity(rig, input) * rig->down;
    return ib_cylinder_force(c, P[IB_SIDE_CAP], P[IB_SIDE_ROD]) + weight +
           ib__rig_load(rig, x, input);
}

static double spool_margin(const ib_CylinderRigModel *rig, const double *own, const double *input)
{
    if (own[rig->mode + IB_RIG_SIDE] == 0) return -1;
    return ib_proportional_margin(&rig->cylinder.valve, ib__rig_spool(rig, own, input),
                                  ib__rig_up(rig, own));
}

void ib_cylinder_rig_guard(const ib_CylinderRigModel *rig, const double *x, const double *input,
                           double *guards)
{
    const double *own = x + rig->state;
    double *margins = guards + rig->guard;
    ib_PistonState piston = ib__rig_piston(rig, own);
    double net = ib__rig_stands(rig, own) ? net_force(rig, x, input) : 0;
    ib_piston_margins(&rig->piston, &piston, net, margins);
    margins[IB_RIG_GUARD_SPOOL] = spool_margin(rig, own, input);
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

bool ib_cylinder_rig_settle(const ib_CylinderRigModel *rig, const double *input, double *x)
{
    double *own = x + rig->state;
    if (!(spool_margin(rig, own, input) > 0)) {
        turn_spool(rig, input, own);
        return true;
    }
    ib_PistonState piston = ib__rig_piston(rig, own);
    double lost = 0;
    if (!ib_piston_settle(&rig->piston, net_force(rig, x, input), &piston, &lost)) return false;
    own[IB_RIG_POSITION] = piston.x;
    own[IB_RIG_VELOCITY] = piston.v;
    own[rig->mode + IB_RIG_MODE] = piston.mode;
    x[rig->at[IB_RIG_E_STOP]] += lost;
    return true;
}
