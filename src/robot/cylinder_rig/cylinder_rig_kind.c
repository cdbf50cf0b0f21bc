// robot/cylinder_rig/cylinder_rig_kind.c: the rig as a kind of robot; the errata of its source.
#include "robot/cylinder_rig/cylinder_rig_inside.h"
#include "robot/parts.h"

#include <stdio.h>

static const ib_Param params[] = {IB_OUTFIT_ROWS(ib_RigRobotConfig), RIG_ROWS(ib_RigRobotConfig)};
static const ib_Param start[] = {START_ROWS(ib_RigRobotConfig)};
static const char *idle(const void *config, const char *key)
{
    const char *other = ib_equipment_idle(config, key);
    return other ? other : ib__rig_idle(&((const ib_RigRobotConfig *)config)->rig, key);
}

static bool warn(const void *config_, int index, char *text, size_t size)
{
    const ib_CylinderRigConfig *config = &((const ib_RigRobotConfig *)config_)->rig;
    double Ps = config->supply.pressure, atmosphere = config->cylinder.atmosphere;
    double x = config->position, v = config->velocity;
    bool out = isinf(x) || x == config->cylinder.stroke, in = x == 0;
    bool rigid = config->piston.stops == IB_STOPS_RIGID && config->piston.restitution == 0;
    text[0] = '\0';
    if (index == 0 && Ps < atmosphere)
        snprintf(text, size,
                 "supply.pressure: %g Pa, absolute, are below the atmosphere's %g Pa: a vacuum, "
                 "under which the rod goes the other way. A gauge's pressure is written with psig",
                 Ps, atmosphere);
    if (index == 1 && Ps == config->cylinder.exhaust)
        snprintf(text, size,
                 "supply.pressure, exhaust: supply and exhaust have the same pressure, %g Pa: "
                 "nothing drives the piston",
                 Ps);
    if (index == 2 && config->piston.locked && v != 0)
        snprintf(text, size, "start.velocity: has no effect while locked is true");
    else if (index == 2 && rigid && ((out && v > 0) || (in && v < 0)))
        snprintf(
            text, size,
            "start.velocity: %g m/s go into the stop at which the rod starts: it stands at once",
            v);
    return index < 3;
}

static const ib_SignalRows rows = {ib__rig_signals, IB_RIG_SIGNALS};

static ib_Status build(const void *config_, ib_Build *build, void *rig, ib_Error *error)
{
    const ib_CylinderRigConfig *config = &((const ib_RigRobotConfig *)config_)->rig;
    ib_Status status = ib_cylinder_rig_check(config, error);
    if (status != IB_OK) return status;
    ib_cylinder_rig_init(config, rig);
    ib__rig_add(rig, "", build);
    build->ports->geometry = ib__cylinder_rig_geometry(config, build->arena);
    return build->ports->geometry ? IB_OK
                                  : ib_error_set(error, IB_FAILED, "out of memory for the rig");
}

// Stiff fixed steps, at a known cost. Friction too steep for half a millisecond, and bristles,
// stick and slip at instants that only an adaptive solver finds: from 7000 1/s on that one is used.
// The thesis's rig has 4015 1/s (docs/solver/solver_review.md).
static void solver(const void *config_, ib_SolverConfig *wish)
{
    const ib_CylinderRigConfig *config = &((const ib_RigRobotConfig *)config_)->rig;
    ib_FrictionModel friction;
    ib_friction_init(&config->piston.friction, config->cylinder.stroke, &friction);
    double slope =
        ib_friction_slope(&friction, 0, 0.5 * config->cylinder.stroke, config->piston.side_load);
    bool steep =
        config->piston.friction.law == IB_FRICTION_LUGRE || slope > 7e3 * config->piston.mass;
    wish->kind = steep ? IB_ROSENBROCK : IB_STIFF;
    if (steep) wish->tolerance = 1e-7;
}

const ib_RobotKind ib_cylinder_rig_kind = {
    .name = "cylinder_rig",
    .sentence = "a pneumatic cylinder on a test rig: supply, proportional valve, friction, a mass",
    .docs = "docs/robot/cylinder_rig.md",
    IB_ROBOT_TABLES(ib_RigRobotConfig, ib_CylinderRigModel),
    .params.idle = idle,
    .params.presets = "cylinder_rigs",
    .carries_equipment = true,
    .signals = &rows,
    .warn = warn,
    .build = build,
    .solver = solver,
    .errata = ib_cylinder_rig_errata,
};
