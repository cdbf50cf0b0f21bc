// robot/cylinder_rig/cylinder_rig_look.c: how the rig looks: a board on a stand, the cylinder, its
// rod and the mass, the valve. Physics knows bore, rod and stroke; all else is for the eye.
#include "robot/cylinder_rig/cylinder_rig.h"

#include "robot/look.h"

static const double height = 0.5; // of the cylinder's middle above the floor [m]

static ib_SolidDef block(const char *name, const char *frame, double x, double z, double length,
                         double width, double tall, uint32_t colour)
{
    return (ib_SolidDef){.name = name,
                         .frame = frame,
                         .form = IB_SOLID_BOX,
                         .place = {x, 0, z},
                         .size = {length, width, tall},
                         .colour = colour};
}

static ib_SolidDef round_along_x(const char *name, const char *frame, double x, double radius,
                                 double length, uint32_t colour)
{
    return (ib_SolidDef){.name = name,
                         .frame = frame,
                         .form = IB_SOLID_CYLINDER,
                         .place = {x, 0, 0},
                         .attitude = {0, IB_SOLID_LYING, 0},
                         .size = {radius, length, length},
                         .colour = colour};
}

const ib_Geometry *ib__cylinder_rig_look(const ib_CylinderRigConfig *config, ib_Arena *arena)
{
    double stroke = config->ram.stroke, bore = config->ram.bore, rod = config->ram.rod;
    double body = stroke + 2 * bore, reach = stroke + bore, side = 2 * bore;
    ib_FrameDef frames[] = {
        {.name = "stand", .body = true},
        {.name = "board",
         .parent = "stand",
         .place = {0, 0, height},
         .attitude = {0, -config->orientation, 0}},
        {.name = "rod", .parent = "board", .move = {"cylinder.position", NULL, NULL}},
    };
    ib_SolidDef solids[] = {
        block("foot", "stand", 0, 0.01, 6 * bore, 5 * bore, 0.02, IB_COLOUR_BATTEN),
        block("post", "stand", 0, 0.5 * height, bore, bore, height, IB_COLOUR_DARK),
        round_along_x("cap side", "board", -0.25 * body, 0.55 * bore, 0.5 * body, IB_COLOUR_METAL),
        round_along_x("rod side", "board", 0.25 * body, 0.55 * bore, 0.5 * body, IB_COLOUR_METAL),
        block("valve", "board", 0, 1.2 * bore, 1.5 * bore, bore, 0.8 * bore, IB_COLOUR_DARK),
        round_along_x("rod", "rod", 0.5 * body + 0.5 * reach - stroke, 0.5 * rod, reach + stroke,
                      IB_COLOUR_TYRE),
        block("mass", "rod", 0.5 * body + bore, 0, side, side, side, IB_COLOUR_BUMPER),
    };
    enum { COUNT = sizeof solids / sizeof solids[0], CAP = 2, ROD = 3 };
    solids[CAP].tint = "cap.pressure";
    solids[ROD].tint = "rod.pressure";
    for (int i = CAP; i <= ROD; i++) {
        solids[i].tint_label = "pressure";
        solids[i].tint_full = config->supply.pressure;
        solids[i].tint_colour = IB_COLOUR_WARNING;
    }
    ib_Geometry look = {.frames = frames,
                        .frame_count = sizeof frames / sizeof frames[0],
                        .solids = solids,
                        .solid_count = COUNT};
    return ib_look_keep(&look, arena);
}
