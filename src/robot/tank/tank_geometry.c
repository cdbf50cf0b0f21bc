// robot/tank/tank_geometry.c: the geometry of the tank: bumpers around a low body, its wheels
// between them uncovered, so that their slip is visible from above. Sizes beyond physics (the
// thickness of a bumper) are in proportion to known ones.
#include "base/extreme.h"
#include "robot/solid.h"
#include "robot/tank/tank.h"

#include <math.h>

enum { MOST_WHEELS = 6, MOST_SOLIDS = 8 + MOST_WHEELS + 3 * IB_MAX_CYLINDERS };

// All in [m].
typedef struct Sizes {
    double length, width;     // over the bumpers
    double front, side;       // thickness of the bumpers at front and rear, at the sides
    double radius, tyre;      // of a wheel, and its width
    double axle, track;       // of the front wheels from the middle; of the wheels of a side
    int wheels;               // of each side
    double low, top;          // of the body, the solid "chassis"
    double chassis_x;         // its length
    double chassis_y;         // its width
    double bumper_z, bumpers; // middle of the bumpers, and how high they are
} Sizes;

// Wheels stand where physics has them, or as near to it as the bumpers let them.
static Sizes sizes_of(const ib_TankConfig *config)
{
    Sizes s = {.length = config->length, .radius = config->drive.wheel_diameter / 2};
    s.width = config->width > 0 ? config->width : 2 * config->half_track;
    s.front = 0.09 * ib_min(s.length, s.width);
    s.tyre = 0.05 * s.width;
    double beside = s.width / 2 - config->half_track - 0.6 * s.tyre;
    s.side = ib_min(s.front, ib_max(beside, 0.02 * s.width));
    s.track = ib_min(config->half_track, s.width / 2 - s.side - 0.6 * s.tyre);
    double room = ib_max(s.length / 2 - s.front - 1.05 * s.radius, 0);
    s.axle = ib_min(config->wheels.contact_half_length, room);
    // As many as fit beside each other, at most three: one in the middle, two, or both.
    s.wheels = (int)ib_min(1 + floor(s.axle / (1.05 * s.radius)), 3);

    double unit = ib_min(s.radius, 0.2 * ib_min(s.length, s.width));
    s.low = 0.45 * unit;
    s.top = 1.35 * unit;
    s.chassis_x = s.length - 2.2 * s.front;
    s.chassis_y = ib_max(2 * (s.track - 0.7 * s.tyre), 0.1 * s.width);
    s.bumper_z = 1.45 * unit;
    s.bumpers = 1.5 * unit;
    return s;
}

static int add_body(const Sizes *s, double corners[2][IB_SOLID_FRONT_CORNERS], ib_SolidDef *solids)
{
    double x = (s->length - s->front) / 2, y = (s->width - s->side) / 2;
    double z = s->bumper_z, h = s->bumpers, between = s->length - 2 * s->front;
    int n = 0;
    solids[n++] = ib_solid_box("front bumper", x, 0, z, s->front, s->width, h, IB_COLOUR_BUMPER);
    solids[n++] = ib_solid_box("rear bumper", -x, 0, z, s->front, s->width, h, IB_COLOUR_BUMPER);
    solids[n++] = ib_solid_box("left bumper", 0, y, z, between, s->side, h, IB_COLOUR_BUMPER);
    solids[n++] = ib_solid_box("right bumper", 0, -y, z, between, s->side, h, IB_COLOUR_BUMPER);
    double middle = (s->low + s->top) / 2, high = s->top - s->low;
    solids[n++] =
        ib_solid_box("chassis", 0, 0, middle, s->chassis_x, s->chassis_y, high, IB_COLOUR_METAL);
    solids[n++] = ib_solid_box("battery", -0.16 * s->length, 0, s->top + 0.4 * high,
                               0.22 * s->length, 0.5 * s->chassis_y, 0.8 * high, IB_COLOUR_DARK);
    solids[n++] = ib_solid_front(0.46 * s->chassis_x, 0.4 * s->chassis_x, 0.6 * s->chassis_y,
                                 s->top, corners);
    return n;
}

static int add_wheels(const Sizes *s, ib_SolidDef *solids)
{
    static const double places[3][3] = {{0}, {1, -1}, {1, 0, -1}}; // of the axle's distance
    int n = 0;
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < s->wheels; i++) {
            double place[] = {places[s->wheels - 1][i] * s->axle, side ? -s->track : s->track,
                              s->radius};
            ib_SolidDef wheel = ib_solid_wheel(side ? "right wheel" : "left wheel", "body", place,
                                               0, s->radius, s->tyre);
            const char *slip = side ? "wheel.right.slip" : "wheel.left.slip";
            solids[n++] = ib_solid_tinted(wheel, slip, "wheel slip", 1);
        }
    }
    return n;
}

// The floor's force on the wheels of a side, at their place, just above it.
static ib_ArrowDef drive_arrow(const char *name, const char *signal, double y)
{
    return (ib_ArrowDef){.name = name,
                         .frame = "body",
                         .kind = IB_ARROW_FORCE,
                         .place = {0, y, IB_FORCE_ARROW_HEIGHT},
                         .signal = {signal, NULL, NULL},
                         .along = {{1, 0, 0}}};
}

// Cylinders stand side by side at the rear, in true size; each rod rises by its position. Its load
// is not known here. False without memory.
static bool add_cylinders(const ib_AirConfig *air, const Sizes *s, ib_Arena *arena,
                          ib_Geometry *geometry, ib_FrameDef *frames, ib_SolidDef *solids)
{
    for (int i = 0; i < air->cylinder_count; i++) {
        const ib_AirCylinderConfig *c = &air->cylinders[i];
        const char *name = ib_arena_format(arena, IB_PREFIX_CYLINDER ".%s", c->name);
        const char *signal = ib_arena_format(arena, IB_PREFIX_CYLINDER ".%s.position", c->name);
        if (!name || !signal) return false;
        double x = -0.42 * s->chassis_x, barrel = c->stroke + c->bore;
        double y = s->chassis_y * ((i + 0.5) / air->cylinder_count - 0.5);
        double rod = ib_max(c->rod, 0.25 * c->bore) / 2, out = 0.5 * c->bore;
        frames[geometry->frame_count++] = (ib_FrameDef){.name = name,
                                                        .parent = "body",
                                                        .place = {x, y, s->top + barrel},
                                                        .move = {NULL, NULL, signal}};
        // A rod as long as its stroke hides in the retracted cylinder's barrel.
        ib_SolidDef *own = solids + geometry->solid_count;
        own[0] = ib_solid_upright("barrel", "body", (double[]){x, y, s->top + barrel / 2},
                                  0.55 * c->bore, barrel, IB_COLOUR_DARK);
        own[1] = ib_solid_upright("rod", name, (double[]){0, 0, (out - c->stroke) / 2}, rod,
                                  out + c->stroke, IB_COLOUR_METAL);
        own[2] = ib_solid_upright("end of the rod", name, (double[]){0, 0, out}, 0.45 * c->bore,
                                  0.3 * c->bore, IB_COLOUR_LOAD);
        geometry->solid_count += 3;
    }
    return true;
}

// A box where the arm holds it; the heavier, the more it shows its colour.
static void add_payload(const ib_TankConfig *config, const Sizes *s, ib_Geometry *geometry,
                        ib_FrameDef *frames, ib_SolidDef *solids)
{
    double side = 0.25 * ib_min(s->length, s->width);
    frames[geometry->frame_count++] = (ib_FrameDef){.name = "payload",
                                                    .parent = "body",
                                                    .place = {0, 0, s->bumper_z + s->bumpers / 2},
                                                    .move = {"payload.x", "payload.y", NULL}};
    double heaviest = ib_max(ib_max(config->payload_mass, config->payload_most), 1e-3);
    ib_SolidDef load = ib_solid_block("payload", "payload", (double[]){0, 0, side / 2},
                                      (double[]){side, side, side}, IB_COLOUR_METAL);
    load = ib_solid_tinted(load, "payload.mass", "load", heaviest);
    load.tint_colour = IB_COLOUR_LOAD;
    load.opacity = 0.9;
    solids[geometry->solid_count++] = load;
}

const ib_Geometry *ib__tank_geometry(const ib_TankConfig *config, ib_Arena *arena)
{
    Sizes s = sizes_of(config);
    double corners[2][IB_SOLID_FRONT_CORNERS];
    ib_FrameDef frames[2 + IB_MAX_CYLINDERS] = {ib_frame_body};
    ib_SolidDef solids[MOST_SOLIDS];
    const ib_ArrowDef arrows[] = {
        ib_arrow_velocity(s.bumper_z + s.bumpers / 2),
        drive_arrow("F_l", "wheel.left.force", s.track),
        drive_arrow("F_r", "wheel.right.force", -s.track),
    };
    bool loaded = config->payload_on && config->equations == IB_TANK_CORRECTED;
    const ib_AirConfig *air = &config->equipment.air;
    // No signal has the place of the common centre of robot and load. Without a given height it is
    // drawn at that of the axles.
    double height = config->wheels.com_height > 0 ? config->wheels.com_height : s.radius;
    ib_MarkDef centre = {.name = loaded ? "centre of mass without load" : "centre of mass",
                         .frame = "body",
                         .place = {0, 0, height}};
    ib_Geometry geometry = {.frames = frames,
                            .frame_count = 1,
                            .solids = solids,
                            .arrows = arrows,
                            .arrow_count = sizeof arrows / sizeof arrows[0],
                            .marks = &centre,
                            .mark_count = 1};
    geometry.solid_count = add_body(&s, corners, solids);
    geometry.solid_count += add_wheels(&s, solids + geometry.solid_count);
    if (loaded) add_payload(config, &s, &geometry, frames, solids);
    if (air->on && !add_cylinders(air, &s, arena, &geometry, frames, solids)) return NULL;
    return ib_geometry_keep(&geometry, arena);
}
