// robot/holonomic/holonomic_geometry.c: the geometry of the holonomic base: bumpers around a low
// body, each wheel at its place and turned as it rolls, with its rollers as it slides. Sizes beyond
// physics (the width of a wheel) are in proportion to known ones.
#include "base/extreme.h"
#include "base/maths.h"
#include "robot/holonomic/holonomic.h"
#include "robot/solid.h"

#include <math.h>

enum { ROLLERS = 3, MOST_SOLIDS = 7 + (1 + ROLLERS) * IB_LAYOUT_WHEELS };
enum { MOST_ARROWS = 1 + IB_LAYOUT_WHEELS };

// All in [m].
typedef struct Sizes {
    double length, width; // over the bumpers
    double rim;           // radius of the largest wheel
    double bumper;        // thickness
    double low, top;      // of the body
    double high;          // height of the bumpers
} Sizes;

static Sizes sizes_of(const ib_HolonomicConfig *config, const ib_HolonomicModel *h)
{
    Sizes s = {.length = config->length, .width = config->width};
    double shorter = ib_min(s.length, s.width);
    for (int i = 0; i < h->rims.count; i++) s.rim = ib_max(s.rim, h->rims.radius[i]);
    double unit = ib_min(s.rim, 0.2 * shorter);
    s.bumper = 0.04 * shorter;
    s.low = 0.45 * unit;
    s.top = 1.35 * unit;
    s.high = 0.9 * unit;
    return s;
}

static int add_body(const Sizes *s, double corners[2][IB_SOLID_FRONT_CORNERS], ib_SolidDef *solids)
{
    double x = (s->length - s->bumper) / 2, y = (s->width - s->bumper) / 2, z = s->top;
    double between = s->length - 2 * s->bumper, core = 0.55 * ib_min(s->length, s->width);
    int n = 0;
    solids[n++] =
        ib_solid_box("front bumper", x, 0, z, s->bumper, s->width, s->high, IB_COLOUR_BUMPER);
    solids[n++] =
        ib_solid_box("rear bumper", -x, 0, z, s->bumper, s->width, s->high, IB_COLOUR_BUMPER);
    solids[n++] =
        ib_solid_box("left bumper", 0, y, z, between, s->bumper, s->high, IB_COLOUR_BUMPER);
    solids[n++] =
        ib_solid_box("right bumper", 0, -y, z, between, s->bumper, s->high, IB_COLOUR_BUMPER);
    solids[n++] = ib_solid_box("chassis", 0, 0, (s->low + s->top) / 2, core, core, s->top - s->low,
                               IB_COLOUR_METAL);
    solids[n++] = ib_solid_box("battery", -0.2 * core, 0, 1.2 * s->top, 0.3 * core, 0.5 * core,
                               0.4 * s->top, IB_COLOUR_DARK);
    solids[n++] = ib_solid_front(0.48 * core, 0.35 * core, 0.5 * core, s->top, corners);
    return n;
}

// The wheel, and its rollers visible from above. On the floor a roller's axis is across the
// direction in which it slides freely; half a turn later, on top, it is mirrored.
static int add_wheel(const ib_LayoutWheel *wheel, const char *name, const char *slip,
                     ib_SolidDef *solids)
{
    double r = 0.5 * wheel->diameter, wide = 0.35 * wheel->diameter;
    int n = 0;
    ib_SolidDef round =
        ib_solid_wheel(name, "body", (double[]){wheel->x, wheel->y, r}, wheel->direction, r, wide);
    solids[n++] = ib_solid_tinted(round, slip, "wheel slip", 1);
    if (!(wheel->roller < INFINITY)) return n;
    double axis = wheel->direction - (wheel->roller + M_PI / 2), thick = 0.07 * wheel->diameter;
    double s, c;
    ib_sincos(wheel->direction, &s, &c);
    for (int i = 0; i < ROLLERS; i++) {
        double ahead = (i - 1) * 0.6 * r;
        solids[n++] = (ib_SolidDef){.name = "roller",
                                    .frame = "body",
                                    .form = IB_SOLID_CYLINDER,
                                    .place = {wheel->x + ahead * c, wheel->y + ahead * s, 1.9 * r},
                                    .attitude = {axis, IB_SOLID_LYING, 0},
                                    .size = {thick, 1.2 * wide, 1.2 * wide},
                                    .colour = IB_COLOUR_METAL};
    }
    return n;
}

// The floor's force on a wheel, just above it: along its rolling direction, and to the left
// of that.
static ib_ArrowDef force_arrow(const ib_ForceDef *force)
{
    double c = force->along_x, s = force->along_y;
    return (ib_ArrowDef){.name = force->label,
                         .frame = "body",
                         .kind = IB_ARROW_FORCE,
                         .place = {force->x, force->y, IB_FORCE_ARROW_HEIGHT},
                         .signal = {force->signal, force->side, NULL},
                         .along = {{c, s, 0}, {-s, c, 0}}};
}

const ib_Geometry *ib__holonomic_geometry(const ib_HolonomicConfig *config,
                                          const ib_HolonomicModel *h, const ib_ForceDef *forces,
                                          const ib_SignalDef *signals, ib_Arena *arena)
{
    Sizes s = sizes_of(config, h);
    double corners[2][IB_SOLID_FRONT_CORNERS];
    ib_SolidDef solids[MOST_SOLIDS];
    ib_ArrowDef arrows[MOST_ARROWS] = {ib_arrow_velocity(s.top + s.high)};
    double height = config->com_height > 0 ? config->com_height : s.rim;
    ib_MarkDef centre = {.name = "centre of mass", .frame = "body", .place = {0, 0, height}};
    ib_Geometry look = {.frames = &ib_frame_body,
                        .frame_count = 1,
                        .solids = solids,
                        .arrows = arrows,
                        .arrow_count = 1,
                        .marks = &centre,
                        .mark_count = 1};
    look.solid_count = add_body(&s, corners, solids);
    ib_LayoutConfig layout;
    ib_holonomic_layout(config, &layout);
    for (int i = 0; i < layout.count; i++) {
        const char *name = ib_arena_format(arena, "wheel %d", i + 1);
        const char *slip = signals[h->rims.signal[i] + IB_WHEEL_SLIP].name;
        if (!name) return NULL;
        look.solid_count += add_wheel(&layout.wheels[i], name, slip, solids + look.solid_count);
        arrows[look.arrow_count++] = force_arrow(&forces[i]);
    }
    return ib_geometry_keep(&look, arena);
}
