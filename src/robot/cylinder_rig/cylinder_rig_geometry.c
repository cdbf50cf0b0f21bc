// robot/cylinder_rig/cylinder_rig_geometry.c: the geometry of the rig: a stand, the cylinder with a
// barrel of glass, its rod and the mass, a ruler, the valve. Sizes are true.
//
//   from the cap's end:   [  cap  |g  barrel: x .. t .. stroke  g|  head  ]  rod  mass
//
// A column of air is drawn on each side of the piston, in the colour of its pressure, and moves
// with it; it is as long as the stroke, and its part outside of the chamber hides in cap or head.
// Both are therefore longer than real ones. Physics knows bore, rod, stroke and mass; the rest is
// for display.
#include "robot/cylinder_rig/cylinder_rig.h"

#include "base/extreme.h"
#include "base/maths.h"
#include "robot/solid.h"

#include <math.h>

enum { GLASS = 0xb9cfdf, AIR = 0xdfe5ea, STEEL = 7800 }; ///< colours; density [kg/m^3]
enum { TICKS = 64 };
static const double tick = 0.01; // of the ruler [m]

typedef struct Sizes {
    double stroke, bore, rod;
    double gap, piston, block; ///< g, t, side of the mass as a cube of steel
    double head, mass;         ///< where the head ends, where the mass's middle is at x = 0
    double height;             ///< of the frame "board" above the floor
} Sizes;

// The mass hangs clear of the foot, or the cap does.
static Sizes sizes_of(const ib_CylinderRigConfig *config)
{
    Sizes s = {.stroke = config->cylinder.stroke,
               .bore = config->cylinder.bore,
               .rod = config->cylinder.rod};
    s.gap = 0.1 * s.bore;
    s.piston = 0.35 * s.bore;
    double least = 1.2 * s.rod > 0.5 * s.bore ? 1.2 * s.rod : 0.5 * s.bore;
    s.block = ib_min(ib_max(ib_pow(config->piston.mass / STEEL, 1.0 / 3), least), 6 * s.bore);
    s.head = 2 * s.stroke + s.piston + s.gap;
    s.mass = s.head + 0.5 * s.bore + 0.5 * s.block;
    double rise = ib_sin(config->orientation), front = s.mass + s.stroke + 0.5 * s.block;
    double lowest = ib_max(-rise * front, rise * (s.stroke + s.gap));
    s.height = 0.02 + 0.4 * s.bore + 0.5 * s.block + ib_max(lowest, 0);
    return s;
}

// Along x, from one place to another.
static ib_SolidDef along(const char *name, const char *frame, double from, double to, double z,
                         double radius, uint32_t colour)
{
    return ib_solid_along_x(name, frame, (double[]){0.5 * (from + to), 0, z}, radius, to - from,
                            colour);
}

// The ruler along which the pointer at the mass goes, a tick for each centimetre.
static int add_ruler(const Sizes *s, ib_SolidDef *solids)
{
    double b = s->bore, y = -0.2 * b, z = -0.5 * s->block - 0.35 * b, from = s->mass;
    int count = 0, ticks = (int)ib_min(floor(s->stroke / tick + 1e-9), TICKS - 1);
    double middle[3] = {from + 0.5 * s->stroke, y, z - 0.15 * b};
    double size[3] = {s->stroke + 0.2 * b, 0.06 * b, 0.4 * b};
    solids[count++] =
        ib_solid_block("ruler, a tick every 10 mm", "board", middle, size, IB_COLOUR_WOOD);
    for (int i = 0; i <= ticks; i++) {
        double place[3] = {from + i * tick, y - 0.03 * b, z - 0.05 * b};
        double mark[3] = {0.03 * b, 0.04 * b, (i % 5 ? 0.14 : 0.22) * b};
        solids[count++] =
            ib_solid_block("tick of the ruler, every 10 mm", "board", place, mark, IB_COLOUR_DARK);
    }
    return count;
}

#define BLOCK(name, frame, x, y, z, length, width, height, colour)                                 \
    ib_solid_block(name, frame, (double[]){x, y, z}, (double[]){length, width, height}, colour)

static int add_solids(const ib_CylinderRigConfig *config, const Sizes *s, ib_SolidDef *solids)
{
    double p = config->supply.pressure, b = s->bore, r = 0.5 * b, pipe = 0.11 * b, m = s->block;
    double end = s->stroke + s->piston + s->gap, high = 1.25 * b, valve = 0.5 * end;
    double cap = -s->gap - 0.5 * s->stroke, head = end + 0.5 * s->stroke;
    double length = 3 * s->stroke + s->piston + 2 * s->gap;
    ib_SolidDef all[] = {
        BLOCK("foot", "stand", 0, 0.4 * b, 0.1 * b, 3.6 * b, 4 * b, 0.2 * b, IB_COLOUR_BATTEN),
        BLOCK("post", "stand", 0, 1.35 * b, 0.5 * s->height, 0.8 * b, 0.5 * b, s->height,
              IB_COLOUR_DARK),
        BLOCK("plate", "board", 0.5 * (s->stroke + s->piston), 0.9 * b, 0.35 * b, length, 0.15 * b,
              2.6 * b, IB_COLOUR_WOOD),
        BLOCK("mass", "rod", s->mass, 0, 0, m, m, m, IB_COLOUR_BUMPER),
        BLOCK("pointer", "rod", s->mass, -0.25 * b, -0.5 * m - 0.15 * b, 0.05 * b, 0.05 * b,
              0.5 * b, IB_COLOUR_FRONT),
        along("cap", "board", -s->gap - s->stroke, -s->gap, 0, 1.2 * r, IB_COLOUR_METAL),
        along("head", "board", end, s->head, 0, 1.2 * r, IB_COLOUR_METAL),
        along("barrel", "board", -s->gap, end, 0, 1.1 * r, GLASS),
        ib_solid_air(along("air on the cap side", "rod", -s->stroke - s->gap, 0, 0, 0.94 * r, AIR),
                     "cap.pressure", p),
        ib_solid_air(along("air on the rod side", "rod", s->piston, end, 0, 0.94 * r, AIR),
                     "rod.pressure", p),
        along("piston", "rod", 0, s->piston, 0, r, IB_COLOUR_DARK),
        along("rod", "rod", s->piston, s->mass, 0, 0.5 * s->rod, IB_COLOUR_TYRE),
        BLOCK("valve", "board", valve, 0.1 * b, high, 1.6 * b, 0.8 * b, 0.7 * b, IB_COLOUR_DARK),
        ib_solid_air(along("tube to the cap", "board", cap, valve - 0.8 * b, high, pipe, AIR),
                     "cap.pressure", p),
        ib_solid_air(along("tube to the head", "board", valve + 0.8 * b, head, high, pipe, AIR),
                     "rod.pressure", p),
        ib_solid_air(ib_solid_upright("port of the cap", "board", (double[]){cap, 0, 0.5 * high},
                                      pipe, high, AIR),
                     "cap.pressure", p),
        ib_solid_air(ib_solid_upright("port of the head", "board", (double[]){head, 0, 0.5 * high},
                                      pipe, high, AIR),
                     "rod.pressure", p),
    };
    enum { COUNT = sizeof all / sizeof all[0], BARREL = 7 };
    all[BARREL].opacity = 0.3;
    for (int i = 0; i < COUNT; i++) solids[i] = all[i];
    return COUNT;
}

const ib_Geometry *ib__cylinder_rig_geometry(const ib_CylinderRigConfig *config, ib_Arena *arena)
{
    Sizes s = sizes_of(config);
    ib_FrameDef frames[] = {
        {.name = "stand", .body = true},
        {.name = "board",
         .parent = "stand",
         .place = {0, 0, s.height},
         .attitude = {0, -config->orientation, 0}},
        {.name = "rod", .parent = "board", .move = {"cylinder.position", NULL, NULL}},
    };
    ib_SolidDef solids[2 * TICKS];
    int count = add_solids(config, &s, solids);
    count += add_ruler(&s, solids + count);
    ib_ArrowDef velocity = {.name = "velocity",
                            .frame = "rod",
                            .kind = IB_ARROW_VELOCITY,
                            .place = {s.mass, -0.5 * s.block, 0},
                            .signal = {"cylinder.velocity"},
                            .along = {{1, 0, 0}}};
    ib_Geometry look = {.frames = frames,
                        .frame_count = sizeof frames / sizeof frames[0],
                        .solids = solids,
                        .solid_count = count,
                        .arrows = &velocity,
                        .arrow_count = 1};
    return ib_geometry_keep(&look, arena);
}
