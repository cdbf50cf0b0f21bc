// robot/holonomic/holonomic.c: a holonomic base as a body and parts: rims, the stick that is mixed
// into their motors, gearmotors. docs/robot/holonomic.md
#include "robot/holonomic/holonomic.h"

#include "base/extreme.h"
#include "base/maths.h"
#include "plant/electric/motor_row_now.h"
#include "plant/wheel/rims_now.h"
#include "robot/axes.h"
#include "robot/body_now.h"
#include "robot/books.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

// ----------------------------------------------------------------------------------------- signals

enum { D_COMMAND, D_MOTION, D_MISSED, D_SIGNALS };

static const ib_SignalDef directions[D_SIGNALS] = {
    [D_COMMAND] = {"command.direction", "rad",
                   "direction that the stick asks for, to the left of the heading; 0: none", 0,
                   IB_MEANS(.shown = "deg")},
    [D_MOTION] = {"motion.direction", "rad",
                  "direction in which the robot moves, to the left of the heading; 0: none", 0,
                  IB_MEANS(.shown = "deg")},
    [D_MISSED] = {"motion.direction_error", "rad",
                  "direction in which it moves, less the one that is asked for; 0: one is none", 0,
                  IB_MEANS(.headline = 3, .shown = "deg")},
};
const ib_SignalRows ib__holonomic_signals = {directions, D_SIGNALS};

static const ib_SignalDef book[] = {
    IB_BOOK_BATTERY,
    {IB_NAME_ENERGY("kinetic"), "J", "kinetic energy of the body", 0,
     IB_MEANS(.role = IB_ROLE_STORED)},
    IB_BOOK_WHEELS,
    IB_BOOK_ROTORS,
    IB_BOOK_COPPER,
    IB_BOOK_CONVERSION,
    IB_BOOK_LOSS,
    IB_BOOK_GEAR,
    IB_BOOK_TYRE,
    IB_BOOK_COLLISION,
    IB_BOOK_RESISTANCE,
    IB_BOOK_BACKGROUND,
    IB_BOOK_PUSH,
    IB_BOOK_ERROR,
};

// Signals of the motors of one rim, before those of a row of motors (plant/electric/motor_row.h).
static const ib_SignalDef output_signal = {
    "output", "1", "share of the bus voltage that the mixing asks for, -1 to 1", 0};

// Signals of the mixing as published.
static const ib_SignalDef published_signals[] = {
    {"mixing.undefined", "1",
     "the published mixing has no case for this stick and turn, and a motor's share of the turn is "
     "0; mixing: corrected has all of them",
     0, IB_MEANS(.binary = true, .warns = true)},
};

// ------------------------------------------------------------------------------------------- stick

// Adds the stick's command of each bridge. The standard one keeps to -1 .. 1, the published one
// reaches 3.
IB_FORMULA void mix(const ib_HolonomicModel *h, ib_Wires *w)
{
    double *duty = &w->duty[h->motors.bridge];
    ib_Stick stick = ib_axes_stick(w->input + IB_HOLONOMIC_STICK_X);
    ib_mixing_outputs(&h->mixing, &stick, duty);
    for (int i = 0; h->mixing.config.law != IB_MIXING_STANDARD && i < h->motors.count; i++)
        duty[i] = duty[i] > 1 ? 1 : duty[i] < -1 ? -1 : duty[i];
}

static void offer(const void *part, void *notes, ib_Wires *w)
{
    (void)notes;
    mix(part, w);
}

// Direction of a vector, robot frame. Straight back is +180 degrees, for either sign of rounding.
static double direction_of(double x, double y)
{
    if (x < 0 && fabs(y) < 1e-9 * -x) y = 0;
    return ib_atan2(y, x);
}

// Directions of the stick's command, outside of its dead zone; of the robot's motion, from 1 um/s
// on, which is above rounding; and their difference, -180 .. 180 degrees.
static void output_directions(const ib_HolonomicModel *h, const ib_Twist *v, const ib_Stick *stick,
                              double *y)
{
    const double u = v->u, n = v->n;
    ib_Stick shaped = ib_stick_shaped(stick, h->mixing.config.dead_zone, IB_STICK_LINEAR);
    bool asked = shaped.x != 0 || shaped.y != 0, moves = u * u + n * n > 1e-6 * 1e-6;
    y[D_COMMAND] = asked ? direction_of(stick->y, -stick->x) : 0;
    y[D_MOTION] = moves ? direction_of(u, n) : 0;
    y[D_MISSED] = 0;
    if (asked && moves)
        y[D_MISSED] = direction_of(u * stick->y - n * stick->x, n * stick->y + u * stick->x);
}

static void output(const void *part, const void *notes, const ib_Wires *w, double *y)
{
    const ib_HolonomicModel *h = part;
    ib_Stick stick = ib_axes_stick(w->input + IB_HOLONOMIC_STICK_X);
    (void)notes;
    output_directions(h, &w->body.v, &stick, y + h->directions);
    for (int i = 0; i < h->motors.count; i++) y[h->motor[i]] = w->duty[h->motors.bridge + i];
    if (h->undefined >= 0) y[h->undefined] = ib_mixing_undefined(&h->mixing, &stick);
}

// The same order as robot/parts.c has it, as one function, where no part stands on the body.
static void flat_rate(const void *model, const double *x, const double *input, double *dx,
                      double *guards)
{
    const ib_PartsModel *r = model;
    const ib_HolonomicModel *h = r->own;
    ib_RimsNotes rims;
    ib_MotorRowNotes motors;
    ib_Wires w;
    ib__begin_wires(r, x, input, &w);
    ib__rims_offer(&h->rims, &w);
    mix(h, &w);
    ib__motor_row_offer(&h->motors, &w);
    ib__weigh_bare(&r->body, &w.body);
    ib_feed_solve(&r->feed, &w);
    ib__motor_row_push(&h->motors, &motors, &w);
    ib__rims_push(&h->rims, &rims, &w);
    ib__accelerate_bare(&r->body, &w.body);
    ib__clear_sums(r, dx);
    ib__rate_body(&r->body, x, &w.body, dx);
    ib__rims_rate(&h->rims, &rims, &w, dx);
    ib__motor_row_rate(&h->motors, &motors, &w, dx);
    ib_feed_rate(&r->feed, &w, dx);
    if (guards) ib_feed_guards(&r->feed, &w, guards);
}

static const ib_PartKind stick_part = {.name = "stick", .offer = offer, .output = output};

// ------------------------------------------------------------------------------------------ tables

// "motor.1" … for motors and wheels.
static const char *number(ib_Declarations *d, const char *format, int index)
{
    const char *text = ib_arena_format(d->arena, format, index + 1);
    d->failed |= !text;
    return text ? text : "";
}

static void declare_inputs(ib_HolonomicModel *h, ib_Declarations *d)
{
    ib_axes_declare(d);
    h->motors.gain = d->input_count;
    for (int i = 0; i < h->motors.count; i++)
        ib_declare_input(d, ib_gain_input(number(d, "motor.%d.torque", i)), NULL);
}

// All that the floor does to it: of each wheel one force, where it rolls and to the left of that.
static const ib_ForceDef *make_forces(const ib_HolonomicModel *h, const ib_SignalDef *signals,
                                      ib_Arena *arena, int *count)
{
    *count = h->rims.layout.wheel_count;
    ib_ForceDef *forces = ib_arena_array(arena, (size_t)*count, sizeof *forces);
    for (int i = 0; forces && i < *count; i++) {
        const ib_PatchRim *rim = &h->rims.rim[h->rims.layout.rim[i]];
        forces[i] = (ib_ForceDef){.label = ib_arena_format(arena, "F_%d", i + 1),
                                  .signal = signals[h->rims.signal[i] + IB_WHEEL_FORCE].name,
                                  .side = signals[h->rims.signal[i] + IB_WHEEL_SIDE].name,
                                  .x = h->rims.patch.x[i],
                                  .y = h->rims.patch.y[i],
                                  .along_x = rim->roll_x,
                                  .along_y = rim->roll_y};
        if (!forces[i].label) return NULL;
    }
    return forces;
}

// Signals for odometry: of each rim's first wheel, of its motor, and of all wheels.
static const ib_RimSignal *make_rim_signals(const ib_HolonomicModel *h, const ib_SignalDef *signals,
                                            ib_Arena *arena, int *count)
{
    *count = 2 * h->rims.count + h->rims.layout.wheel_count;
    ib_RimSignal *rims = ib_arena_array(arena, (size_t)*count, sizeof *rims), *next = rims;
    if (!rims || !signals) return NULL;
    for (int i = 0; i < h->rims.count; i++)
        *next++ =
            (ib_RimSignal){signals[h->rims.signal[h->rims.layout.first[i]] + IB_WHEEL_SPEED].name,
                           i, h->rims.radius[i]};
    for (int i = 0; i < h->rims.count; i++)
        *next++ = (ib_RimSignal){signals[h->motors.signal[i] + IB_MOTOR_SPEED].name, i,
                                 h->rims.radius[i] / h->shafts[i].reduction};
    for (int i = 0; i < h->rims.layout.wheel_count; i++) {
        int rim = h->rims.layout.rim[i];
        *next++ = (ib_RimSignal){signals[h->rims.signal[i] + IB_WHEEL_SPEED].name, rim,
                                 h->rims.radius[rim]};
    }
    return rims;
}

static const ib_ControlRims *make_rims(const ib_HolonomicModel *h, const ib_SignalDef *signals,
                                       ib_Arena *arena)
{
    ib_ControlRims *rims = ib_arena_alloc(arena, sizeof *rims);
    ib_WheelRow *rows = ib_arena_array(arena, (size_t)h->rims.count, sizeof *rows);
    if (!rims || !rows) return NULL;
    *rims = (ib_ControlRims){
        .count = h->rims.count, .rows = rows, .hold_count = h->rims.layout.hold_count};
    rims->signals = make_rim_signals(h, signals, arena, &rims->signal_count);
    for (int i = 0; i < h->rims.count; i++) {
        const double *turn = h->rims.layout.turn[i];
        double r = h->rims.radius[i];
        rows[i] = (ib_WheelRow){r * turn[0], r * turn[1], r * turn[2]};
    }
    for (int i = 0; i < rims->hold_count; i++) {
        const double *hold = h->rims.layout.hold[i];
        rims->holds[i] = (ib_WheelRow){hold[0], hold[1], hold[2]};
    }
    return rims->signals ? rims : NULL;
}

// Makes its wheels, with the load of each at rest.
static const ib_FootDef *make_feet(const ib_HolonomicModel *h, ib_Arena *arena)
{
    ib_FootDef *feet = ib_arena_array(arena, (size_t)h->rims.layout.wheel_count, sizeof *feet);
    for (int i = 0; feet && i < h->rims.layout.wheel_count; i++)
        feet[i] = (ib_FootDef){h->rims.patch.x[i], h->rims.patch.y[i], h->rims.share[i]};
    return feet;
}

// ------------------------------------------------------------------------------------------ making

static void init_motors(const ib_HolonomicConfig *config, ib_HolonomicModel *h)
{
    ib_MotorShaft shaft = {.motors = config->drive.motors_per_side,
                           .reduction = config->drive.reduction,
                           .lost = 1 - config->drive.efficiency,
                           .gained = 1 / config->drive.efficiency - 1,
                           .stator = config->current_limit,
                           .supply = config->supply_limit};
    ib_motor_init(&config->motor, config->loss, &shaft.motor);
    for (int i = 0; i < h->rims.count; i++) h->shafts[i] = shaft;
    h->motors = (ib_MotorRow){.count = h->rims.count,
                              .shafts = h->shafts,
                              .coasts = config->coasts,
                              .lossless = config->drive.efficiency == 1};
    ib_thermal_init(&config->thermal, &h->motors.thermal);
}

static void init_rims(const ib_HolonomicConfig *config, ib_Rims *rims)
{
    double G = config->drive.reduction;
    ib_RimsConfig own = {.law = config->model,
                         .tyre = config->tyre,
                         .roller_friction = config->roller_friction,
                         .wheel_inertia = config->wheel_inertia,
                         .rotors =
                             config->drive.motors_per_side * G * G * config->drive.rotor_inertia};
    ib_holonomic_layout(config, &own.layout);
    ib_rims_init(&own, rims);
}

// Declares all its parts, in the order of their signals.
static void declare(const ib_HolonomicConfig *config, ib_HolonomicModel *h, ib_Build *build)
{
    const ib_PowerConfig *power = &config->equipment.power;
    ib_Declarations *d = build->d;
    ib_Feed *feed = &build->robot->feed;
    declare_inputs(h, d);
    ib_build_body(build, true, h->mass, h->inertia, offsetof(ib_HolonomicConfig, planar));
    h->directions = d->signals.count;
    ib_declare(d, "", NULL, directions, D_SIGNALS, NULL);
    ib_feed_init(power, feed);
    ib_feed_declare_power(power, feed, d);
    ib_build_book(build, book, sizeof book / sizeof *book);
    ib_motor_row_declare(&h->motors, "energy", d);
    h->rims.shaft = h->motors.bridge;
    ib_rims_declare(&h->rims, d);
    for (int i = 0; i < h->motors.count; i++) {
        h->motor[i] = d->signals.count;
        const char *prefix = number(d, "motor.%d", i), *part = number(d, "%d", i);
        ib_declare(d, prefix, part, &output_signal, 1, NULL);
        ib_motor_row_declare_shaft(&h->motors, i, prefix, part, d);
    }
    for (int i = 0; i < h->rims.layout.wheel_count; i++)
        ib_rims_declare_wheel(&h->rims, i, number(d, "wheel.%d", i), number(d, "%d", i), d);
    for (int i = 0; i < h->motors.count; i++)
        ib_feed_declare_branch(power, feed, h->motors.bridge + i, number(d, "%d", i), d);
    h->undefined = h->mixing.config.law == IB_MIXING_PUBLISHED ? d->signals.count : -1;
    if (h->undefined >= 0) ib_declare(d, "", NULL, published_signals, 1, NULL);
    const char *prefixes[IB_RIMS_MAX], *parts[IB_RIMS_MAX];
    for (int i = 0; i < h->motors.count; i++) {
        prefixes[i] = number(d, "motor.%d", i);
        parts[i] = number(d, "%d", i);
    }
    ib_motor_row_declare_warmth(&config->thermal, &h->motors, prefixes, parts, d);
}

// Makes the ports of a robot with these wheels; false without memory.
static bool make_ports(const ib_HolonomicConfig *config, const ib_HolonomicModel *h,
                       ib_Build *build)
{
    const ib_Body *body = &build->robot->body;
    ib_RobotPorts *ports = build->ports;
    ib_build_outline(build, config->length, config->width, &config->bumper);
    ports->foot_count = h->rims.layout.wheel_count;
    ports->feet = make_feet(h, build->arena);
    const ib_SignalDef *signals = build->d->signals.items;
    ports->forces = make_forces(h, signals, build->arena, &ports->force_count);
    ports->rims = make_rims(h, signals, build->arena);
    if (ports->forces)
        ports->geometry = ib__holonomic_geometry(config, h, ports->forces, signals, build->arena);
    const ib_MotorShaft *s = &h->shafts[0];
    double E = build->robot->feed.power.battery.open_circuit;
    double brake =
        s->motors * s->reduction * s->reduction * s->motor.Kt * s->motor.Ke * s->motor.per_R;
    double longest =
        ib_min(ib_thermal_resolution(&h->motors.thermal, E * E * s->motor.per_R),
               ib_rims_resolution(&h->rims, h->mass, h->inertia, body->response, brake));
    ports->resolution = longest < INFINITY ? longest : 0;
    return ports->feet && ports->geometry && ports->forces && ports->rims;
}

ib_Status ib__holonomic_build(const void *config_, ib_Build *build, void *model, ib_Error *error)
{
    const ib_HolonomicConfig *config = config_;
    ib_HolonomicModel *h = model;
    double area = config->length * config->length + config->width * config->width;
    double plate = config->mass / 12 * area;
    h->mass = config->mass + config->equipment.carried;
    h->inertia =
        (config->inertia > 0 ? config->inertia : plate) + config->equipment.carried_inertia;
    init_rims(config, &h->rims);
    init_motors(config, h);
    ib_Status status = ib_mixing_init(&config->mixing, h->rims.count,
                                      (const double(*)[3])h->rims.layout.turn, &h->mixing, error);
    if (status != IB_OK) return status;
    declare(config, h, build);
    ib_Body *body = &build->robot->body;
    body->com_height = config->com_height;
    body->loose = h->rims.law != IB_RIMS_ROLLING;
    body->held = !body->loose;
    body->rims = &h->rims;
    if (body->held) ib_rims_response(&h->rims, h->mass, h->inertia, body->whole, body->response);
    build->robot->feed.free = ib_motor_row_free(&h->motors);
    ib_build_own_rate(build, 3, flat_rate);
    ib_build_part(build, &ib_rims_part, &h->rims);
    ib_build_part(build, &stick_part, h);
    ib_build_part(build, ib_motor_row_part(&h->motors), &h->motors);
    if (build->d->failed || !make_ports(config, h, build))
        return ib_error_set(error, IB_FAILED, "out of memory for the robot's tables");
    return IB_OK;
}

ib_Status ib__holonomic_locomotion(const void *model, const double *state, double gravity,
                                   ib_Locomotion *base, ib_Error *error)
{
    const ib_HolonomicModel *h = ib_parts_own(model);
    const ib_AxesConfig axes = {.shaft = h->shafts,
                                .count = h->rims.count,
                                .turn = (const double(*)[3])h->rims.layout.turn,
                                .spin = h->rims.spin,
                                .mass = h->mass,
                                .inertia = h->inertia,
                                .coasts = h->motors.coasts};
    (void)gravity;
    return ib_axes_init(&axes, model, state, base, error);
}
