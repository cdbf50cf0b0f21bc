// robot/swerve_geometry.c: the geometry of a swerve base: bumpers around a low plate, and modules
// that turn with their angles, each with its wheel and the floor's force on it.
#include "base/extreme.h"
#include "robot/solid.h"
#include "robot/swerve.h"

// Names of a module's pieces and signals.
#define NAMES(n)                                                                                   \
    {                                                                                              \
        "module " n, "module." n ".angle", "wheel " n, "wheel." n ".slip", "wheel." n ".force",    \
            "wheel." n ".side", "F_" n                                                             \
    }

static const struct {
    const char *frame, *angle, *wheel, *slip, *force, *side, *arrow;
} names[IB_SWERVE_MODULES] = {NAMES("1"), NAMES("2"), NAMES("3"), NAMES("4")};

enum { BODY = 6, OF_A_MODULE = 2, SOLIDS = BODY + OF_A_MODULE * IB_SWERVE_MODULES };

// All sizes are in proportion to the known ones of physics.
static void add_body(const ib_SwerveConfig *c, double corners[2][IB_SOLID_FRONT_CORNERS],
                     ib_SolidDef solids[BODY])
{
    double l = c->length, w = c->width, r = 0.5 * c->drive.wheel_diameter, thick = 0.25 * c->inset;
    double x = (l - thick) / 2, y = (w - thick) / 2, between = l - 2 * thick;
    solids[0] = ib_solid_box("front bumper", x, 0, r, thick, w, r, IB_COLOUR_BUMPER);
    solids[1] = ib_solid_box("rear bumper", -x, 0, r, thick, w, r, IB_COLOUR_BUMPER);
    solids[2] = ib_solid_box("left bumper", 0, y, r, between, thick, r, IB_COLOUR_BUMPER);
    solids[3] = ib_solid_box("right bumper", 0, -y, r, between, thick, r, IB_COLOUR_BUMPER);
    solids[4] = ib_solid_box("plate", 0, 0, 0.8 * r, 0.6 * l, 0.6 * w, 0.4 * r, IB_COLOUR_METAL);
    solids[5] = ib_solid_front(0.28 * l, 0.25 * l, 0.3 * w, r, corners);
}

// A wheel below a narrow yoke, which shows its direction.
static void add_module(const ib_SwerveConfig *c, int i, ib_FrameDef *frame, ib_SolidDef *solids,
                       ib_ArrowDef *arrow)
{
    double r = 0.5 * c->drive.wheel_diameter, wide = 0.6 * r, place[2];
    ib_swerve_place(c, i, place);
    *frame = (ib_FrameDef){.name = names[i].frame,
                           .parent = "body",
                           .place = {place[0], place[1], 0},
                           .turn = {names[i].angle, NULL, NULL}};
    solids[0] = ib_solid_wheel(names[i].wheel, names[i].frame, (double[]){0, 0, r}, 0, r, wide);
    solids[0] = ib_solid_tinted(solids[0], names[i].slip, "wheel slip", 1);
    solids[1] = ib_solid_block("yoke", names[i].frame, (double[]){0.2 * r, 0, 2.2 * r},
                               (double[]){1.2 * r, 0.4 * r, 0.3 * r}, IB_COLOUR_FRONT);
    *arrow = (ib_ArrowDef){.name = names[i].arrow,
                           .frame = names[i].frame,
                           .kind = IB_ARROW_FORCE,
                           .place = {0, 0, IB_FORCE_ARROW_HEIGHT},
                           .signal = {names[i].force, names[i].side, NULL},
                           .along = {{1, 0, 0}, {0, 1, 0}}};
}

const ib_Geometry *ib__swerve_geometry(const ib_SwerveConfig *config, ib_Arena *arena)
{
    double r = 0.5 * config->drive.wheel_diameter, corners[2][IB_SOLID_FRONT_CORNERS];
    ib_FrameDef frames[1 + IB_SWERVE_MODULES] = {ib_frame_body};
    ib_SolidDef solids[SOLIDS];
    ib_ArrowDef arrows[1 + IB_SWERVE_MODULES] = {ib_arrow_velocity(2.5 * r)};
    double height = config->com_height > 0 ? config->com_height : r;
    ib_MarkDef centre = {.name = "centre of mass", .frame = "body", .place = {0, 0, height}};
    ib_Geometry look = {.frames = frames,
                        .frame_count = 1 + IB_SWERVE_MODULES,
                        .solids = solids,
                        .solid_count = SOLIDS,
                        .arrows = arrows,
                        .arrow_count = 1 + IB_SWERVE_MODULES,
                        .marks = &centre,
                        .mark_count = 1};
    add_body(config, corners, solids);
    for (int i = 0; i < IB_SWERVE_MODULES; i++)
        add_module(config, i, &frames[1 + i], &solids[BODY + OF_A_MODULE * i], &arrows[1 + i]);
    return ib_geometry_keep(&look, arena);
}
