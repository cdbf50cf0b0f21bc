#include "robot/box.h"

#include "base/extreme.h"
#include "robot/loose.h"
#include "robot/solid.h"

#include <stddef.h>

static const ib_Param params[] = {
    IB_PARAM_ROW("mass", IB_PARAM_NUMBER, "kg", "5 kg", 1e-3, 1e4, NULL, ib_BoxConfig, mass, true,
                 "mass of the box, evenly spread"),
    IB_PARAM_ROW("length", IB_PARAM_NUMBER, "m", "0.4 m", 1e-3, 100, NULL, ib_BoxConfig, length,
                 false, "length of the box, along its own x"),
    IB_PARAM_ROW("width", IB_PARAM_NUMBER, "m", "0.4 m", 1e-3, 100, NULL, ib_BoxConfig, width,
                 false, "width of the box, along its own y"),
    IB_SLIDING_ROWS(ib_BoxConfig, "box"),
};

static const ib_Param start[] = {IB_PLANAR_START_ROWS(offsetof(ib_BoxConfig, planar))};

// A uniform plate. The feet stand at its radius of gyration, (l, w)/sqrt(12): there the load of a
// uniform box equals its mean.
void ib_box_init(const ib_BoxConfig *config, ib_SlidingModel *model)
{
    double l2 = config->length * config->length, w2 = config->width * config->width;
    const ib_SlidingConfig sliding = {
        .mass = config->mass,
        .inertia = config->mass * (l2 + w2) / 12,
        .foot_x = config->length * 0.28867513459481287, // 1/sqrt(12)
        .foot_y = config->width * 0.28867513459481287,
        .mu = config->mu,
        .slip_speed = config->slip_speed,
    };
    ib_sliding_init(&sliding, &config->equipment, model);
}

static double height_of(const ib_BoxConfig *config)
{
    return 0.8 * ib_min(config->length, config->width);
}

static ib_SolidDef batten(const char *name, double length, double width, double y, double height)
{
    double thick = 0.06 * height;
    return ib_solid_box(name, 0, y, height + thick / 2, length, 0.15 * width, thick,
                        IB_COLOUR_BATTEN);
}

// A crate with two battens on its lid, along its own x.
enum { SOLIDS = 3 };
static void draw(const ib_BoxConfig *config, ib_SolidDef solids[SOLIDS])
{
    double l = config->length, w = config->width, h = height_of(config);
    solids[0] = (ib_SolidDef){.name = "crate",
                              .frame = "body",
                              .form = IB_SOLID_BOX,
                              .place = {0, 0, h / 2},
                              .size = {l, w, h},
                              .colour = IB_COLOUR_WOOD,
                              .livery = true};
    solids[1] = batten("left batten", l, w, 0.3 * w, h);
    solids[2] = batten("right batten", l, w, -0.3 * w, h);
}

static ib_Status look(const ib_BoxConfig *config, ib_Build *build, ib_Error *error)
{
    ib_SolidDef solids[SOLIDS];
    double h = height_of(config);
    draw(config, solids);
    const ib_MarkDef centre = {"centre of mass", "body", {0, 0, h / 2}, {NULL}};
    return ib_passive_geometry(solids, SOLIDS, h, &centre, build, error);
}

static ib_Status build(const void *config_, ib_Build *build, void *model, ib_Error *error)
{
    const ib_BoxConfig *config = config_;
    ib_box_init(config, model);
    ib_sliding_build(model, offsetof(ib_BoxConfig, planar), config->length, config->width,
                     &config->bumper, build);
    build->ports->foot_count = 4;
    build->ports->feet = ((const ib_SlidingModel *)model)->feet;
    return look(config, build, error);
}

static ib_Status check_loose(const void *config, ib_Error *error)
{
    return ib_loose_check(&((const ib_BoxConfig *)config)->equipment, error);
}

static ib_Status build_loose(const void *config_, ib_Build *build, void *model, ib_Error *error)
{
    const ib_BoxConfig *config = config_;
    ib_Loose loose = {.form = IB_LOOSE_BOX,
                      .mass = config->mass,
                      .size = {config->length, config->width, height_of(config)},
                      .mu = config->mu,
                      .start = config->planar};
    ib_SolidDef solids[SOLIDS];
    draw(config, solids);
    ib_loose_spread(&loose);
    return ib_loose_build(&loose, solids, SOLIDS, build, model, error);
}

#define SENTENCE "a box on the floor, to be pushed: no drive, floor friction"

static const ib_RobotKind loose_kind = {
    .name = "box",
    .sentence = SENTENCE,
    .docs = "docs/robot/passive.md",
    IB_ROBOT_TABLES(ib_BoxConfig, ib_LooseModel),
    IB_LOOSE_ENTRIES,
    .check = check_loose,
    .build = build_loose,
};

const ib_RobotKind ib_box_kind = {
    .name = "box",
    .sentence = SENTENCE,
    .docs = "docs/robot/passive.md",
    .rigid = &loose_kind,
    IB_ROBOT_TABLES(ib_BoxConfig, ib_SlidingModel),
    IB_SLIDING_ENTRIES,
    .build = build,
};
