// robot/cylinder_rig/cylinder_rig_inside.h: declarations shared by this folder: quantities of a
// state, and the keys of a rig.
#ifndef IB_ROBOT_CYLINDER_RIG_INSIDE_H
#define IB_ROBOT_CYLINDER_RIG_INSIDE_H

#include "base/maths.h"
#include "robot/cylinder_rig/cylinder_rig.h"
#include "robot/planar.h"

#include <math.h>

extern const ib_SignalDef ib__rig_signals[IB_RIG_SIGNALS]; // sums have that form
// The key that disables another, as in ib_Schema.
const char *ib__rig_idle(const ib_CylinderRigConfig *config, const char *key);
// Adds it to a robot, under a name; "": it is the robot itself.
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

// Outward force on the rod beside air and weight: the load, and a slope along it.
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

// True if it is at rest: its speed is then 0.
IB_FORMULA bool ib__rig_stands(const ib_CylinderRigModel *rig, const double *own)
{
    return ib_piston_stands(&rig->piston, (int)lround(own[rig->mode + IB_RIG_MODE]));
}

// -------------------------------------------------------------------------------------- parameters

// Rows for a config struct with an ib_CylinderRigConfig in `rig`.

#define LIMIT(key, unit, word, min, max, config, field, sentence)                                  \
    IB_ROW(key, IB_PARAM_LIMIT, unit, word, min, max, word, config, rig.field, sentence)

extern const char *const ib__rig_equations[], *const ib__rig_stops[];

#define RIG_ROWS(config)                                                                           \
    IB_PARAM_ROW("mass", IB_PARAM_NUMBER, "kg", "0.2 kg", 1e-3, 1e4, NULL, config,                 \
                 rig.piston.mass, true, "mass that moves: rod and what is attached"),              \
        IB_NUMBER_OF("orientation", "rad", "-90 deg", -10, 10, config, rig.orientation,            \
                     "angle of the rod above the horizontal; -90 deg: it points down"),            \
        LIMIT("gravity", "m/s^2", "field", 0, 1e3, config, gravity,                                \
              "acceleration of gravity; field: its own"),                                          \
        IB_ROW("locked", IB_PARAM_FLAG, "1", "false", 0, 0, NULL, config, rig.piston.locked,       \
               "the rod is held where it starts"),                                                 \
        IB_CHOICE_OF(                                                                              \
            "equations", "corrected", ib__rig_equations, config, rig.equations,                    \
            "published: the energy factor and the critical ratio as the thesis prints them"),      \
        IB_CHOICE_OF("stops.law", "rigid", ib__rig_stops, config, rig.piston.stops,                \
                     "the ends of the stroke: rigid, or springs"),                                 \
        IB_NUMBER_OF("stops.restitution", "1", "0", 0, 0.95, config, rig.piston.restitution,       \
                     "part of its speed with which the piston leaves a rigid stop"),               \
        IB_NUMBER_OF("stops.stiffness", "N/m", "1e6 N/m", 1, 1e12, config,                         \
                     rig.piston.stop_stiffness, "stiffness of a compliant stop"),                  \
        IB_NUMBER_OF(                                                                              \
            "stops.damping", "s/m", "2 s/m", 0, 1e6, config, rig.piston.stop_damping,              \
            "damping of a compliant stop: its force grows by this part for a speed into it"),      \
        IB_NUMBER_OF("side_load", "N", "0 N", 0, 1e6, config, rig.piston.side_load,                \
                     "force across the rod, which friction.side_coefficient turns into friction"), \
        IB_SUPPLY_ROWS(config, rig.supply), IB_CYLINDER_ROWS(config, rig.cylinder),                \
        IB_FRICTION_ROWS(config, rig.piston.friction)

#define START_ROWS(config)                                                                         \
    LIMIT("position", "m", "extended", 0, 10, config, position, "how far the rod is out"),         \
        IB_NUMBER_OF("velocity", "m/s", "0 m/s", -100, 100, config, rig.velocity,                  \
                     "speed of the rod, outwards"),                                                \
        IB_NUMBER_OF("cap.pressure", "Pa", "96526.64 Pa", 1, 1e8, config,                          \
                     rig.pressure[IB_SIDE_CAP], "pressure on the cap side, absolute"),             \
        LIMIT("rod.pressure", "Pa", "supply", 1, 1e8, config, pressure[IB_SIDE_ROD],               \
              "pressure on the rod side, absolute; supply: its pressure"),                         \
        LIMIT("cap.temperature", "K", "surroundings", 50, 1000, config, temperature[IB_SIDE_CAP],  \
              "temperature of the air on the cap side"),                                           \
        LIMIT("rod.temperature", "K", "surroundings", 50, 1000, config, temperature[IB_SIDE_ROD],  \
              "temperature of the air on the rod side")

#endif
