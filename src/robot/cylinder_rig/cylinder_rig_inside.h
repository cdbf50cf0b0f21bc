// robot/cylinder_rig/cylinder_rig_inside.h: what the files of this folder share: looks at a state.
#ifndef IB_ROBOT_CYLINDER_RIG_INSIDE_H
#define IB_ROBOT_CYLINDER_RIG_INSIDE_H

#include "base/maths.h"
#include "robot/cylinder_rig/cylinder_rig.h"
#include "robot/planar.h"

#include <math.h>

extern const ib_SignalDef ib__rig_signals[IB_RIG_SIGNALS]; // sums have that form
// What keeps a key from doing anything, as in ib_Schema.
const char *ib__rig_idle(const ib_CylinderRigConfig *config, const char *key);
// Takes it into a robot, behind a name; "": it is the robot itself.
void ib__rig_add(ib_CylinderRigModel *rig, const char *name, ib_Build *build);

// `own`: its states, from its first on; `input`: all of the robot's.
// The signal of a side's work.
IB_FORMULA int ib__rig_work(int side)
{
    return side == IB_SIDE_CAP ? IB_RIG_CAP_WORK : IB_RIG_ROD_WORK;
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

// What pushes the rod out beside air and weight: the load, and a slope along it.
IB_FORMULA double ib__rig_load(const ib_CylinderRigModel *rig, const double *x, const double *input)
{
    double load = input[rig->load], sx = input[IB_SLOPE_X], sy = input[IB_SLOPE_Y], s, c;
    if (!rig->body || (sx == 0 && sy == 0)) return load;
    ib_sincos(x[rig->body->heading], &s, &c);
    return load + rig->piston.mass * rig->ahead * (sx * c + sy * s);
}

IB_FORMULA ib_PistonState ib__rig_piston(const ib_CylinderRigModel *rig, const double *own)
{
    double bristle = rig->bristle >= 0 ? own[rig->bristle] : 0;
    return (ib_PistonState){own[IB_RIG_POSITION], own[IB_RIG_VELOCITY], bristle,
                            (int)lround(own[rig->mode + IB_RIG_MODE])};
}

// Whether it stands: its speed then is none.
IB_FORMULA bool ib__rig_stands(const ib_CylinderRigModel *rig, const double *own)
{
    return ib_piston_stands(&rig->piston, (int)lround(own[rig->mode + IB_RIG_MODE]));
}

#endif
