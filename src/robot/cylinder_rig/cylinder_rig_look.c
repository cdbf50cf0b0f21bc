// robot/cylinder_rig/cylinder_rig_look.c: how the rig looks: a stand, the cylinder with a barrel of
// glass, its rod and the mass, a ruler, the valve. It is as large as life.
//
//   from the cap's end:   [  cap  |g  barrel: x .. t .. stroke  g|  head  ]  rod  mass
//
// A column of air is drawn on each side of the piston, in the colour of its pressure, and goes
// along with it; as long as the stroke, it hides in cap or head what the chamber has no room for.
// So both are longer than in life. Physics knows bore, rod, stroke and mass; the rest is for
// the eye of who looks at it.
#include "robot/cylinder_rig/cylinder_rig.h"

#include "base/extreme.h"
#include "base/maths.h"
#include "robot/look.h"

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
    Sizes s = {.stroke = config->ram.stroke, .bore = config->ram.bore, .rod = config->ram.rod};
    s.gap = 0.1 * s.bore;
    s.piston = 0.35 * s.bore;
    double least = 1.2 * s.rod > 0.5 * s.bore ? 1.2 * s.rod : 0.5 * s.bore;
    s.block = ib_min(ib_max(ib_pow(config->mass / STEEL, 1.0 / 3), least), 6 * s.bore);
    s.head = 2 * s.stroke + s.piston + s.gap;
    s.mass = s.head + 0.5 * s.bore + 0.5 * s.block;
    double rise = ib_sin(config->orientation), front = s.mass + s.stroke + 0.5 * s.block;
    double lowest = ib_max(-rise * front, rise * (s.stroke + s.gap));
    s.height = 0.02 + 0.4 * s.bore + 0.5 * s.block + ib_max(lowest, 0);
    return s;
}

// Along x, from one place to another.
static ib_SolidDef round_along_x(const char *name, const char *frame, double from, double to,
                                 double z, double radius, uint32_t colour)
{
    return ib_look_along_x(name, frame, (double[]){0.5 * (from + to), 0, z}, radius, to - from,
                           colour);
}

static ib_SolidDef air(ib_SolidDef solid, const char *signal, double full)
{
    solid.tint = signal;
    solid.tint_label = "pressure";
    solid.tint_full = full;
    solid.tint_colour = IB_COLOUR_WARNING;
    return solid;
}

// The ruler along which the pointer at the mass goes, a tick for each centimetre.
static int add_ruler(const Sizes *s, ib_SolidDef *solids)
{
    double y = -0.2 * s->bore, z = -0.5 * s->block - 0.35 * s->bore, from = s->mass;
    int count = 0, ticks = (int)ib_min(floor(s->stroke / tick + 1e-9), TICKS - 1);
    double middle[3] = {from + 0.5 * s->stroke, y, z - 0.15 * s->bore};
    solids[count++] = ib_look_block(
        "ruler, a tick every 10 mm", "board", middle,
        (double[]){s->stroke + 0.2 * s->bore, 0.06 * s->bore, 0.4 * s->bore}, IB_COLOUR_WOOD);
    for (int i = 0; i <= ticks; i++) {
        double place[3] = {from + i * tick, y - 0.03 * s->bore, z - 0.05 * s->bore};
        solids[count++] = ib_look_block(
            "tick of the ruler, every 10 mm", "board", place,
            (double[]){0.03 * s->bore, 0.04 * s->bore, (i % 5 ? 0.14 : 0.22) * s->bore},
            IB_COLOUR_DARK);
    }
    return count;
}

static int add_cylinder(const ib_CylinderRigConfig *config, const Sizes *s, ib_SolidDef *solids)
{
    double p = config->supply.pressure, r = 0.5 * s->bore, pipe = 0.11 * s->bore;
    double end = s->stroke + s->piston + s->gap, high = 1.25 * s->bore;
    double cap = -s->gap - 0.5 * s->stroke, head = end + 0.5 * s->stroke, valve = 0.5 * end;
    double at_valve[3] = {valve, 0.1 * s->bore, high};
    ib_SolidDef all[] = {
        round_along_x("cap", "board", -s->gap - s->stroke, -s->gap, 0, 1.2 * r, IB_COLOUR_METAL),
        round_along_x("head", "board", end, s->head, 0, 1.2 * r, IB_COLOUR_METAL),
        round_along_x("barrel", "board", -s->gap, end, 0, 1.1 * r, GLASS),
        air(round_along_x("air on the cap side", "rod", -s->stroke - s->gap, 0, 0, 0.94 * r, AIR),
            "cap.pressure", p),
        air(round_along_x("air on the rod side", "rod", s->piston, end, 0, 0.94 * r, AIR),
            "rod.pressure", p),
        round_along_x("piston", "rod", 0, s->piston, 0, r, IB_COLOUR_DARK),
        round_along_x("rod", "rod", s->piston, s->mass, 0, 0.5 * s->rod, IB_COLOUR_TYRE),
        ib_look_block("valve", "board", at_valve,
                      (double[]){1.6 * s->bore, 0.8 * s->bore, 0.7 * s->bore}, IB_COLOUR_DARK),
        air(round_along_x("tube to the cap", "board", cap, valve - 0.8 * s->bore, high, pipe, AIR),
            "cap.pressure", p),
        air(round_along_x("tube to the head", "board", valve + 0.8 * s->bore, head, high, pipe,
                          AIR),
            "rod.pressure", p),
        air(ib_look_upright("port of the cap", "board", (double[]){cap, 0, 0.5 * high}, pipe, high,
                            AIR),
            "cap.pressure", p),
        air(ib_look_upright("port of the head", "board", (double[]){head, 0, 0.5 * high}, pipe,
                            high, AIR),
            "rod.pressure", p),
    };
    enum { COUNT = sizeof all / sizeof all[0], BARREL = 2 };
    all[BARREL].opacity = 0.3;
    for (int i = 0; i < COUNT; i++) solids[i] = all[i];
    return COUNT;
}

static int add_rest(const Sizes *s, ib_SolidDef *solids)
{
    double back = 1.35 * s->bore, b = s->bore, length = 3 * s->stroke + s->piston + 2 * s->gap;
    double foot[3] = {0, 0.4 * b, 0.1 * b}, post[3] = {0, back, 0.5 * s->height};
    double plate[3] = {0.5 * (s->stroke + s->piston), 0.9 * b, 0.35 * b}, mass[3] = {s->mass, 0, 0};
    double hand[3] = {s->mass, -0.25 * b, -0.5 * s->block - 0.15 * b};
    int count = 0;
    solids[count++] =
        ib_look_block("foot", "stand", foot, (double[]){3.6 * b, 4 * b, 0.2 * b}, IB_COLOUR_BATTEN);
    solids[count++] = ib_look_block("post", "stand", post, (double[]){0.8 * b, 0.5 * b, s->height},
                                    IB_COLOUR_DARK);
    solids[count++] = ib_look_block("plate", "board", plate, (double[]){length, 0.15 * b, 2.6 * b},
                                    IB_COLOUR_WOOD);
    solids[count++] = ib_look_block("mass", "rod", mass, (double[]){s->block, s->block, s->block},
                                    IB_COLOUR_BUMPER);
    solids[count++] = ib_look_block("pointer", "rod", hand, (double[]){0.05 * b, 0.05 * b, 0.5 * b},
                                    IB_COLOUR_FRONT);
    return count;
}

const ib_Geometry *ib__cylinder_rig_look(const ib_CylinderRigConfig *config, ib_Arena *arena)
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
    int count = add_rest(&s, solids);
    count += add_cylinder(config, &s, solids + count);
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
    return ib_look_keep(&look, arena);
}
