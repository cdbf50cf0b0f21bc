#include "robot/disc.h"

#include "robot/solid.h"

#include <stddef.h>

static const ib_Param params[] = {
    IB_PARAM_ROW("mass", IB_PARAM_NUMBER, "kg", "1 kg", 1e-3, 1e4, NULL, ib_DiscConfig, mass, true,
                 "mass of the disc, evenly spread"),
    IB_PARAM_ROW("diameter", IB_PARAM_NUMBER, "m", "0.2 m", 1e-3, 100, NULL, ib_DiscConfig,
                 diameter, false, "diameter of the disc"),
    IB_SLIDING_ROWS(ib_DiscConfig, "disc"),
};

static const ib_Param start[] = {IB_PLANAR_START_ROWS(offsetof(ib_DiscConfig, planar))};

// A uniform disc of radius r has m r^2/2. Its weight is spread evenly, so that the floor can hold a
// turn on the spot with mu m g times the mean distance of its points, 2 r/3: there stand the feet,
// at (2 r/3)/sqrt(2) = d sqrt(2)/6 along either axis.
void ib_disc_init(const ib_DiscConfig *config, ib_SlidingModel *model)
{
    double foot = config->diameter * 0.23570226039551587;
    const ib_SlidingConfig sliding = {
        .mass = config->mass,
        .inertia = config->mass * config->diameter * config->diameter / 8,
        .foot_x = foot,
        .foot_y = foot,
        .mu = config->mu,
        .slip_speed = config->slip_speed,
    };
    ib_sliding_init(&sliding, &config->equipment, model);
}

// A flat puck with a lid; the front mark shows how it turns. Its centre needs no mark.
static ib_Status look(const ib_DiscConfig *config, ib_Build *build, ib_Error *error)
{
    double d = config->diameter, h = 0.25 * d, front[2][IB_SOLID_FRONT_CORNERS];
    const ib_SolidDef solids[] = {
        {.name = "puck",
         .frame = "body",
         .form = IB_SOLID_CYLINDER,
         .place = {0, 0, h / 2},
         .size = {d / 2, h},
         .colour = IB_COLOUR_LOAD,
         .livery = true},
        {.name = "lid",
         .frame = "body",
         .form = IB_SOLID_CYLINDER,
         .place = {0, 0, 1.02 * h},
         .size = {0.4 * d, 0.04 * h},
         .colour = IB_COLOUR_DARK},
        ib_solid_front(0.34 * d, 0.3 * d, 0.26 * d, 1.04 * h, front),
    };
    return ib_passive_geometry(solids, 3, h, NULL, build, error);
}

static ib_Status build(const void *config_, ib_Build *build, void *model, ib_Error *error)
{
    const ib_DiscConfig *config = config_;
    ib_disc_init(config, model);
    ib_sliding_build(model, offsetof(ib_DiscConfig, planar), config->diameter, config->diameter,
                     &config->bumper, build);
    build->ports->round = true;
    return look(config, build, error);
}

const ib_RobotKind ib_disc_kind = {
    .name = "disc",
    .sentence = "a disc on the floor, to be pushed: a puck, floor friction",
    .docs = "docs/robot/passive.md",
    IB_ROBOT_TABLES(ib_DiscConfig, ib_SlidingModel),
    IB_SLIDING_ENTRIES,
    .build = build,
};
