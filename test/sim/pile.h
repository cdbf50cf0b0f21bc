// test/sim/pile.h: bodies of every kind between walls, obstacles and gates, placed so that none is
// in another, and how they are pushed: the parts that a random scene is made of.
#ifndef IB_TEST_PILE_H
#define IB_TEST_PILE_H

#include "robot/ball.h"
#include "robot/box.h"
#include "robot/disc.h"
#include "robot/tank_rig.h"
#include "sim/dice.h"
#include "sim/outline.h"

#include <math.h>

enum { PILE_BODIES = 48, PILE_TANKS = 2, PILE_GATES = 2, PILE_KNOTS = 4, PILE_PUSHES = 64 };

typedef union PileConfig {
    ib_BoxConfig box;
    ib_DiscConfig disc;
    ib_BallConfig ball;
} PileConfig;

typedef struct PileBody {
    ib_PlanarConfig *planar; // where it starts
    Outline outline;         // about its origin
    double mass, inertia;    // [kg, kg m^2]; inertia 0: a tank, which is not as simple
    char name[8];
    PileConfig config; // of one that is no tank
} PileBody;

// A gate goes straight from knot to knot along one coordinate.
typedef struct PileGate {
    int element, track, knots;
    ib_Time times[PILE_KNOTS];
    double offsets[PILE_KNOTS];
} PileGate;

// It points at itself: it stays where it was made.
typedef struct Pile {
    ib_SimConfig config;
    ib_FieldConfig field;
    int count;
    PileBody bodies[PILE_BODIES];
    ib_RobotConfig robots[PILE_BODIES];
    Outline elements[IB_FIELD_ELEMENTS]; // about their origins
    int tank_count;
    Rig tanks[PILE_TANKS];
    int gate_count;
    PileGate gates[PILE_GATES];
    ib_Disturbance pushes[PILE_PUSHES];
} Pile;

// RK4 at 1 ms.
static inline void pile_default(Pile *pile, double duration)
{
    memset(pile, 0, sizeof *pile);
    pile->field = ib_field_default();
    pile->config = (ib_SimConfig){.title = "pile",
                                  .robots = pile->robots,
                                  .disturbances = pile->pushes,
                                  .gravity = 9.80665,
                                  .field = &pile->field,
                                  .solver = {IB_RK4, 1e-9, 1e-9},
                                  .step = IB_SECOND / 1000,
                                  .duration = ib_time_from_seconds(duration),
                                  .seed = 1};
}

static inline PileBody *pile_add(Pile *pile, const ib_RobotKind *kind, void *config)
{
    PileBody *body = &pile->bodies[pile->count];
    if (pile->count == PILE_BODIES) abort();
    snprintf(body->name, sizeof body->name, "b%d", pile->count);
    pile->robots[pile->count] =
        (ib_RobotConfig){.name = body->name, .kind = kind, .config = config};
    pile->config.robot_count = ++pile->count;
    return body;
}

// The next body, with its kind's defaults.
static inline PileBody *pile_passive(Pile *pile, const ib_RobotKind *kind, double mass)
{
    PileBody *body = pile_add(pile, kind, &pile->bodies[pile->count].config);
    ib_Error error;
    if (ib_schema_default(&kind->params, &body->config, &error) != IB_OK ||
        ib_schema_default(&kind->start, &body->config, &error) != IB_OK)
        abort();
    body->mass = mass;
    return body;
}

static inline PileBody *pile_box(Pile *pile, double mass, double length, double width, double mu,
                                 ib_BumperConfig bumper)
{
    PileBody *body = pile_passive(pile, &ib_box_kind, mass);
    ib_BoxConfig *box = &body->config.box;
    box->mass = mass, box->length = length, box->width = width, box->mu = mu, box->bumper = bumper;
    body->outline = outline_box(length, width);
    body->inertia = mass * (length * length + width * width) / 12;
    body->planar = &box->planar;
    return body;
}

static inline PileBody *pile_disc(Pile *pile, double mass, double diameter, double mu,
                                  ib_BumperConfig bumper)
{
    PileBody *body = pile_passive(pile, &ib_disc_kind, mass);
    ib_DiscConfig *disc = &body->config.disc;
    disc->mass = mass, disc->diameter = diameter, disc->mu = mu, disc->bumper = bumper;
    body->outline = outline_disc(diameter / 2);
    body->inertia = mass * diameter * diameter / 8;
    body->planar = &disc->planar;
    return body;
}

static inline PileBody *pile_ball(Pile *pile, double mass, double diameter, double mu,
                                  ib_BumperConfig bumper)
{
    PileBody *body = pile_passive(pile, &ib_ball_kind, mass);
    ib_BallConfig *ball = &body->config.ball;
    ball->mass = mass, ball->diameter = diameter, ball->mu = mu, ball->bumper = bumper;
    body->outline = outline_disc(diameter / 2);
    body->inertia = ball->inertia_factor * mass * diameter * diameter / 4;
    body->planar = &ball->planar;
    return body;
}

// A tank on wheels of this model (IB_WHEEL_…); its voltages are set by rig_input of its rig.
static inline PileBody *pile_tank(Pile *pile, int wheels, double length, ib_BumperConfig bumper)
{
    Rig *rig = &pile->tanks[pile->tank_count++];
    rig_default(rig, 1);
    rig->tank.wheels.model = wheels;
    rig->tank.drive.rotor_inertia = 7.75e-5;
    rig->tank.length = length;
    rig->tank.bumper = bumper;
    PileBody *body = pile_add(pile, &ib_tank_kind, &rig->tank);
    pile->robots[pile->count - 1].inputs = rig->inputs;
    pile->robots[pile->count - 1].input_count = RIG_INPUTS;
    body->outline = outline_box(length, 2 * rig->tank.half_track);
    body->planar = &rig->tank.planar;
    body->mass = rig->tank.mass;
    return body;
}

// One more element at (x, y) with the field's surface.
static inline ib_ElementConfig *pile_element(Pile *pile, const char *name, double x, double y,
                                             double heading, const Outline *outline)
{
    ib_ElementConfig *e = &pile->field.elements[pile->field.element_count];
    pile->elements[pile->field.element_count++] = *outline;
    *e = ib_element_default(&pile->field);
    snprintf(e->name, sizeof e->name, "%s", name);
    e->form = outline->count == 1 ? IB_ELEMENT_DISC : IB_ELEMENT_POLYGON;
    e->x = x, e->y = y, e->heading = heading, e->radius = outline->radius;
    e->corner_count = outline->count;
    memcpy(e->corner_x, outline->x, sizeof e->corner_x);
    memcpy(e->corner_y, outline->y, sizeof e->corner_y);
    return e;
}

// Moves the element that was added last.
static inline void pile_move(Pile *pile, int track, const Knot *knots, int count)
{
    PileGate *gate = &pile->gates[pile->gate_count++];
    *gate = (PileGate){pile->field.element_count - 1, track, count, {0}, {0}};
    for (int i = 0; i < count; i++) {
        gate->times[i] = ib_time_from_seconds(knots[i].t);
        gate->offsets[i] = knots[i].value;
    }
    pile->field.elements[gate->element].move[track] =
        (ib_FieldTrack){count, gate->times, gate->offsets};
}

static inline double pile_offset(const PileGate *gate, ib_Time time)
{
    int i = 0;
    while (i < gate->knots && gate->times[i] <= time) i++;
    if (i == 0) return gate->offsets[0];
    if (i == gate->knots) return gate->offsets[i - 1];
    double share =
        (double)(time - gate->times[i - 1]) / (double)(gate->times[i] - gate->times[i - 1]);
    return gate->offsets[i - 1] + share * (gate->offsets[i] - gate->offsets[i - 1]);
}

// The outlines of all elements at a time.
static inline void pile_place_elements(const Pile *pile, ib_Time time, Outline *placed)
{
    for (int i = 0; i < pile->field.element_count; i++) {
        double place[3] = {pile->field.elements[i].x, pile->field.elements[i].y,
                           pile->field.elements[i].heading};
        for (int g = 0; g < pile->gate_count; g++)
            if (pile->gates[g].element == i)
                place[pile->gates[g].track] += pile_offset(&pile->gates[g], time);
        placed[i] = outline_at(&pile->elements[i], place[0], place[1], place[2]);
    }
}

// One more push, of a size and a direction, at a point of the body's own frame.
static inline void pile_push(Pile *pile, ib_Disturbance push)
{
    if (pile->config.disturbance_count == PILE_PUSHES) abort();
    pile->pushes[pile->config.disturbance_count++] = push;
}

// --------------------------------------------------------------------------------------- placement

// The smallest gap between a body at a place and the walls, all elements at the start and all
// bodies before it; but not more than `most`.
static inline double pile_gap_at(const Pile *pile, int body, double x, double y, double heading,
                                 double most)
{
    const ib_FieldConfig *field = &pile->field;
    const Outline own = outline_at(&pile->bodies[body].outline, x, y, heading);
    Outline elements[IB_FIELD_ELEMENTS];
    double reach = outline_reach(&pile->bodies[body].outline);
    if (field->corner_count > 0)
        most =
            fmin(most, outline_within(&own, field->corner_x, field->corner_y, field->corner_count));
    pile_place_elements(pile, 0, elements);
    for (int i = 0; i < field->element_count; i++)
        most = fmin(most, outline_gap(&own, &elements[i]));
    for (int i = 0; i < body; i++) {
        const ib_PlanarConfig *p = pile->bodies[i].planar;
        double far = sqrt((p->x - x) * (p->x - x) + (p->y - y) * (p->y - y));
        if (far - reach - outline_reach(&pile->bodies[i].outline) >= most) continue;
        Outline other = outline_at(&pile->bodies[i].outline, p->x, p->y, p->heading);
        most = fmin(most, outline_gap(&own, &other));
    }
    return most;
}

// Puts a body to a free place; `air`: at least so far from all else [m]. False: it is not free.
static inline bool pile_put(Pile *pile, int body, double x, double y, double heading, double air)
{
    ib_PlanarConfig *planar = pile->bodies[body].planar;
    planar->x = x, planar->y = y, planar->heading = heading;
    return pile_gap_at(pile, body, x, y, heading, 2 * air) >= air;
}

// Moves a body that was put along a direction until it is `air` from something, `way` at the most.
static inline void pile_slide(Pile *pile, int body, double course, double way, double air)
{
    ib_PlanarConfig *planar = pile->bodies[body].planar;
    double c = ib_cos(course), s = ib_sin(course);
    for (int i = 0; i < 60 && way > 0; i++) {
        double free = pile_gap_at(pile, body, planar->x, planar->y, planar->heading, way) - air;
        if (free <= 0.1 * air) break;
        planar->x += free * c;
        planar->y += free * s;
        way -= free;
    }
}

#endif
