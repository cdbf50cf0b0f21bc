// robot/cylinder_rig/cylinder_rig_inside.h: what the files of this folder share: looks at a state.
#ifndef IB_ROBOT_CYLINDER_RIG_INSIDE_H
#define IB_ROBOT_CYLINDER_RIG_INSIDE_H

#include "base/extreme.h"
#include "robot/cylinder_rig/cylinder_rig.h"

#include <math.h>

extern const ib_SignalDef ib__rig_signals[IB_RIG_SIGNALS]; // sums have that form
// What keeps a key from doing anything, as in ib_Schema.
const char *ib__rig_idle(const ib_CylinderRigConfig *config, const char *key);
// Takes it into a robot, behind a name; "": it is the robot itself.
void ib__rig_add(ib_CylinderRigModel *rig, const char *name, ib_Build *build);

// `own`: its states, from its first on; `input`: all of the robot's.
IB_FORMULA int ib__rig_mode(const ib_CylinderRigModel *rig, const double *own)
{
    return (int)lround(own[rig->mode + IB_RIG_MODE]);
}

IB_FORMULA bool ib__rig_up(const ib_CylinderRigModel *rig, const double *own)
{
    return own[rig->mode + IB_RIG_SIDE] > 0;
}

IB_FORMULA double ib__rig_spool(const ib_CylinderRigModel *rig, const double *own,
                                const double *input)
{
    if (rig->spool >= 0) return own[rig->spool];
    return ib_proportional_command(&rig->cylinder.valve, input[rig->valve]);
}

IB_FORMULA ib_CylinderSupply ib__rig_supply(const ib_CylinderRigModel *rig, const double *own,
                                            const double *input)
{
    double mass = rig->line ? own[rig->line_mass] * IB_CYLINDER_MASS : 0;
    return (ib_CylinderSupply){ib_supply_pressure(&rig->supply, mass) * input[rig->factor],
                               rig->cylinder.temperature, rig->cylinder.root_temperature};
}

IB_FORMULA double ib__rig_gravity(const ib_CylinderRigModel *rig, const double *input)
{
    return isinf(rig->gravity) ? input[IB_GRAVITY] : rig->gravity;
}

// How far the piston is beyond an end; negative: beyond the retracted one.
IB_FORMULA double ib__rig_beyond(const ib_CylinderRigModel *rig, double x)
{
    return rig->compliant ? ib_min(x, 0) + ib_max(x - rig->cylinder.stroke, 0) : 0;
}

// A compliant stop pushes in proportion to d, the way beyond it, and to its speed [Hunt, Crossley]:
//   F = k d max(0, 1 + a d'),   which neither jumps at the touch nor pulls
IB_FORMULA double ib__rig_stop_force(const ib_CylinderRigModel *rig, double x, double v)
{
    double beyond = ib__rig_beyond(rig, x), closing = beyond < 0 ? -v : v;
    return -rig->stiffness * beyond * ib_max(1 + rig->damping * closing, 0);
}

// Friction on a piston that moves, and how its bristles go on.
IB_FORMULA double ib__rig_friction_now(const ib_CylinderRigModel *rig, const double *own, int mode,
                                       double *bristle_rate)
{
    double x = own[IB_RIG_POSITION], v = own[IB_RIG_VELOCITY];
    if (rig->bristles) {
        ib_FrictionBristle b =
            ib_friction_lugre(&rig->friction, v, own[rig->bristle], x, rig->side_load);
        *bristle_rate = b.rate;
        return b.force;
    }
    if (rig->sticks)
        return ib_friction_sliding(&rig->friction, v, mode < 0 ? -1 : 1, x, rig->side_load);
    return ib_friction_force(&rig->friction, v, x, rig->side_load);
}

// Whether the piston stands: held, at a stop, or stuck.
IB_FORMULA bool ib__rig_stands(const ib_CylinderRigModel *rig, int mode)
{
    return rig->locked || mode == IB_RIG_LOW || mode == IB_RIG_HIGH || mode == IB_RIG_STUCK;
}

#endif
