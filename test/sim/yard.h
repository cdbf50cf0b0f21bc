// test/sim/yard.h: boxes and one tank on a floor, walls, obstacles and gates around them, and what
// was seen of a run. Bodies are named b0, b1, … in the order in which they came.
#ifndef IB_TEST_YARD_H
#define IB_TEST_YARD_H

#include "robot/box.h"
#include "robot/tank_rig.h"

#include <math.h>

enum { YARD_BODIES = 12, YARD_GATES = 2, YARD_KNOTS = 4 };

typedef struct Yard {
    Rig rig; // the tank, if there is one; the run and its samples
    ib_FieldConfig field;
    ib_RobotConfig robots[YARD_BODIES];
    ib_BoxConfig boxes[YARD_BODIES]; // of those that are boxes
    char names[YARD_BODIES][8];
    int gates; // tracks in use
    ib_Time gate_times[YARD_GATES][YARD_KNOTS];
    double gate_offsets[YARD_GATES][YARD_KNOTS];
} Yard;

// An empty floor without an end; RK4 at 1 ms. A yard points at itself: it stays where it was made.
static inline void yard_default(Yard *yard, double duration)
{
    memset(yard, 0, sizeof *yard);
    rig_default(&yard->rig, duration);
    yard->field = ib_field_default();
    yard->rig.sim_config.field = &yard->field;
    yard->rig.sim_config.robots = yard->robots;
    yard->rig.sim_config.robot_count = 0;
}

static inline void yard_solver(Yard *yard, ib_SolverKind kind, double step)
{
    yard->rig.sim_config.solver = (ib_SolverConfig){kind, 1e-9, 1e-9};
    yard->rig.sim_config.step = ib_time_from_seconds(step);
}

static inline void yard_add(Yard *yard, ib_RobotConfig robot)
{
    int body = yard->rig.sim_config.robot_count++;
    if (body == YARD_BODIES) abort();
    snprintf(yard->names[body], sizeof yard->names[body], "b%d", body);
    robot.name = yard->names[body];
    yard->robots[body] = robot;
}

// One more box, on ice, with sides that do not bounce and have friction 1.
static inline ib_BoxConfig *yard_box(Yard *yard, double mass, double length, double width)
{
    ib_BoxConfig *box = &yard->boxes[yard->rig.sim_config.robot_count];
    if (ib_schema_default(&ib_box_kind.params, box, &yard->rig.error) != IB_OK ||
        ib_schema_default(&ib_box_kind.start, box, &yard->rig.error) != IB_OK)
        abort();
    box->bumper = (ib_BumperConfig){1, 0, INFINITY, 1};
    box->mass = mass;
    box->length = length;
    box->width = width;
    box->mu = 0;
    yard_add(yard, (ib_RobotConfig){.kind = &ib_box_kind, .config = box});
    return box;
}

// The tank; its inputs are set by rig_drive and rig_input.
static inline ib_TankConfig *yard_tank(Yard *yard)
{
    yard_add(yard, yard->rig.robot);
    return &yard->rig.tank;
}

// Walls around a rectangle with its lower left corner at (x, y), without restitution.
static inline void yard_walls(Yard *yard, double x, double y, double length, double width,
                              double friction)
{
    ib_field_rectangle(&yard->field, x, y, length, width);
    yard->field.restitution = 0;
    yard->field.friction = friction;
}

// One more element: a rectangle about (x, y), with the field's restitution and friction.
static inline ib_ElementConfig *yard_element(Yard *yard, const char *name, double x, double y,
                                             double length, double width)
{
    ib_ElementConfig *element = &yard->field.elements[yard->field.element_count++];
    *element = ib_element_default(&yard->field);
    snprintf(element->name, sizeof element->name, "%s", name);
    element->x = x;
    element->y = y;
    element->length = length;
    element->width = width;
    return element;
}

// Moves an element along one of its coordinates, straight between the knots.
static inline void yard_move(Yard *yard, ib_ElementConfig *element, int track, const Knot *knots,
                             int count)
{
    int gate = yard->gates++;
    if (gate == YARD_GATES || count > YARD_KNOTS) abort();
    for (int i = 0; i < count; i++) {
        yard->gate_times[gate][i] = ib_time_from_seconds(knots[i].t);
        yard->gate_offsets[gate][i] = knots[i].value;
    }
    element->move[track] = (ib_FieldTrack){count, yard->gate_times[gate], yard->gate_offsets[gate]};
}

// A force [N] on a body from one time to another [s], at a point of its own frame [m].
static inline void yard_push(Yard *yard, int body, double from, double to, double fx, double fy,
                             double x, double y)
{
    rig_disturb(&yard->rig, (ib_Disturbance){.type = IB_DISTURBANCE_FORCE,
                                             .robot = body,
                                             .at = ib_time_from_seconds(from),
                                             .until = ib_time_from_seconds(to),
                                             .size = sqrt(fx * fx + fy * fy),
                                             .direction = ib_atan2(fy, fx),
                                             .x = x,
                                             .y = y});
}

// The same at its middle, for the whole run.
static inline void yard_press(Yard *yard, int body, double fx, double fy)
{
    yard_push(yard, body, 0, 1e6, fx, fy, 0, 0);
}

// ------------------------------------------------------------------------------------------- looks

// The number of a body's signal.
static inline int yard_signal(const Yard *yard, int body, const char *signal)
{
    char name[64];
    snprintf(name, sizeof name, "%s.%s", yard->names[body], signal);
    return rig_signal(&yard->rig, name);
}

static inline double yard_row(const Yard *yard, int row, int body, const char *signal)
{
    const double *signals =
        yard->rig.rows.signals + (size_t)row * (size_t)yard->rig.model->signals.count;
    return signals[yard_signal(yard, body, signal)];
}

static inline double yard_end(const Yard *yard, int body, const char *signal)
{
    return yard_row(yard, yard->rig.rows.count - 1, body, signal);
}

static inline double yard_at(const Yard *yard, double t, int body, const char *signal)
{
    char name[64];
    snprintf(name, sizeof name, "%s.%s", yard->names[body], signal);
    return rig_at(&yard->rig, t, name);
}

// The sum over all bodies.
static inline double yard_sum(const Yard *yard, int row, const char *signal)
{
    double sum = 0;
    for (int i = 0; i < yard->rig.sim_config.robot_count; i++)
        sum += yard_row(yard, row, i, signal);
    return sum;
}

// How deep anything is in anything else [m].
static inline double yard_depth(const Yard *yard, int row)
{
    const ib_Model *model = yard->rig.model;
    const ib_World *world = model->world;
    const double *signals = yard->rig.rows.signals + (size_t)row * (size_t)model->signals.count;
    ib_BodyState bodies[YARD_BODIES] = {0}, movers[YARD_GATES] = {0};
    double deep = 0;
    if (!world) return 0;
    for (int i = 0; i < model->robot_count; i++) {
        const double *pose = signals + model->robots[i].signal; // x, y, heading come first
        bodies[i] = (ib_BodyState){.x = pose[0], .y = pose[1], .heading = pose[2]};
    }
    for (int i = 0; i < world->element_count; i++) {
        const ib_WorldElement *e = &world->elements[i];
        if (e->mover < 0) continue;
        const double *place = signals + model->mover_signal + 3 * e->mover;
        movers[e->mover] = (ib_BodyState){
            .x = place[0] - e->x, .y = place[1] - e->y, .heading = place[2] - e->heading};
    }
    for (int pair = 0; pair < world->pair_count; pair++)
        deep = fmax(deep, -ib_world_gap(world, pair, bodies, movers));
    return deep;
}

#endif
