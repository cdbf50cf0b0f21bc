#include "robot/disc.h"

#include "robot/loose.h"
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
enum { SOLIDS = 3 };
static double height_of(const ib_DiscConfig *config)
{
    return 0.25 * config->diameter;
}

static void draw(const ib_DiscConfig *config, double front[2][IB_SOLID_FRONT_CORNERS],
                 ib_SolidDef solids[SOLIDS])
{
    double d = config->diameter, h = height_of(config);
    solids[0] = (ib_SolidDef){.name = "puck",
                              .frame = "body",
                              .form = IB_SOLID_CYLINDER,
                              .place = {0, 0, h / 2},
                              .size = {d / 2, h},
                              .colour = IB_COLOUR_LOAD,
                              .livery = true};
    solids[1] = (ib_SolidDef){.name = "lid",
                              .frame = "body",
                              .form = IB_SOLID_CYLINDER,
                              .place = {0, 0, 1.02 * h},
                              .size = {0.4 * d, 0.04 * h},
                              .colour = IB_COLOUR_DARK};
    solids[2] = ib_solid_front(0.34 * d, 0.3 * d, 0.26 * d, 1.04 * h, front);
}

static ib_Status look(const ib_DiscConfig *config, ib_Build *build, ib_Error *error)
{
    double front[2][IB_SOLID_FRONT_CORNERS];
    ib_SolidDef solids[SOLIDS];
    draw(config, front, solids);
    return ib_passive_geometry(solids, SOLIDS, height_of(config), NULL, build, error);
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

static ib_Status check_loose(const void *config, ib_Error *error)
{
    return ib_loose_check(&((const ib_DiscConfig *)config)->equipment, error);
}

static ib_Status build_loose(const void *config_, ib_Build *build, void *model, ib_Error *error)
{
    const ib_DiscConfig *config = config_;
    double d = config->diameter, front[2][IB_SOLID_FRONT_CORNERS];
    ib_Loose loose = {.form = IB_LOOSE_PUCK,
                      .mass = config->mass,
                      .size = {d, d, height_of(config)},
                      .mu = config->mu,
                      .start = config->planar};
    ib_SolidDef solids[SOLIDS];
    draw(config, front, solids);
    ib_loose_spread(&loose);
    return ib_loose_build(&loose, solids, SOLIDS, build, model, error);
}

#define SENTENCE "a disc on the floor, to be pushed: a puck, floor friction"

static const ib_RobotKind loose_kind = {
    .name = "disc",
    .sentence = SENTENCE,
    .docs = "docs/robot/passive.md",
    IB_ROBOT_TABLES(ib_DiscConfig, ib_LooseModel),
    IB_LOOSE_ENTRIES,
    .check = check_loose,
    .build = build_loose,
};

const ib_RobotKind ib_disc_kind = {
    .name = "disc",
    .sentence = SENTENCE,
    .docs = "docs/robot/passive.md",
    .rigid = &loose_kind,
    IB_ROBOT_TABLES(ib_DiscConfig, ib_SlidingModel),
    IB_SLIDING_ENTRIES,
    .build = build,
};
