// robot/tank/tank.c: a tank as a body and parts: the wheels of its sides, a gearbox, commands,
// gearmotors, a payload. Derivation: docs/robot/tank.md
#include "robot/tank/tank.h"

#include "base/extreme.h"
#include "plant/electric/motor_row_now.h"
#include "plant/wheel/sides_now.h"
#include "robot/body_now.h"
#include "robot/books.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const char *const sides[] = {"left", "right"};

// ---------------------------------------------------------------------------------------- commands

static double clamp(double volts)
{
    return ib_min(ib_max(volts, -IB_COMMAND_SCALE), IB_COMMAND_SCALE);
}

void ib__tank_commands(const double *input, double command[2])
{
    double throttle = input[IB_TANK_THROTTLE], turn = input[IB_TANK_TURN];
    command[0] = clamp(input[IB_TANK_LEFT] + IB_COMMAND_SCALE * (throttle - turn));
    command[1] = clamp(input[IB_TANK_RIGHT] + IB_COMMAND_SCALE * (throttle + turn));
}

IB_FORMULA void ask(const ib_TankModel *t, ib_Wires *w)
{
    double command[2];
    ib__tank_commands(w->input, command);
    for (int i = 0; i < 2; i++) w->duty[t->motors.bridge + i] = command[i] * (1 / IB_COMMAND_SCALE);
}

static void offer(const void *part, void *notes, ib_Wires *w)
{
    (void)notes;
    ask(part, w);
}

static void output(const void *part, const void *notes, const ib_Wires *w, double *y)
{
    const ib_TankModel *t = part;
    double command[2];
    (void)notes;
    ib__tank_commands(w->input, command);
    for (int i = 0; i < 2; i++) y[t->command[i]] = command[i];
}

static const ib_PartKind commands_part = {.name = "commands", .offer = offer, .output = output};

// ------------------------------------------------------------------------------------------- rates

// The same order as robot/parts.c has it, as one function for each law of the wheels, where no part
// stands on the body.
IB_FORMULA void flat_rate(const ib_PartsModel *r, int law, const double *x, const double *input,
                          double *dx, double *guards)
{
    const ib_TankModel *t = r->own;
    ib_SidesNotes wheels;
    ib_MotorRowNotes motors;
    ib_Wires w;
    ib__begin_wires(r, x, input, &w);
    ib__sides_offer(&t->sides, law, &wheels, &w);
    ib__sides_slip(&t->sides, law, &wheels, &w);
    if (t->gearbox.on) ib__gearbox_turn(&t->gearbox, x, w.speed);
    ask(t, &w);
    ib__motor_row_offer(&t->motors, &w);
    ib__weigh_bare(&r->body, &w.body);
    ib_feed_solve(&r->feed, &w);
    ib__motor_row_push(&t->motors, &motors, &w);
    if (t->gearbox.on) ib__gearbox_turn(&t->gearbox, x, w.torque);
    ib__sides_push(&t->sides, law, &wheels, &w);
    ib__accelerate_bare(&r->body, &w.body);
    ib__clear_sums(r, dx);
    ib__rate_body(&r->body, x, &w.body, dx);
    ib__sides_rate(&t->sides, law, &wheels, &w, dx);
    ib__motor_row_rate(&t->motors, &motors, &w, dx);
    if (t->gearbox.on) dx[t->gearbox.gear] = 0;
    ib_feed_rate(&r->feed, &w, dx);
    if (guards) ib_feed_guards(&r->feed, &w, guards);
}

#define FLAT(name, law)                                                                            \
    static void name(const void *model, const double *x, const double *input, double *dx,          \
                     double *guards)                                                               \
    {                                                                                              \
        flat_rate(model, law, x, input, dx, guards);                                               \
    }
FLAT(rate_rolling, IB_WHEEL_ROLLING)
FLAT(rate_viscous, IB_WHEEL_VISCOUS)
FLAT(rate_circle, IB_WHEEL_FRICTION_CIRCLE)
FLAT(rate_bristle, IB_WHEEL_BRISTLE)

// ----------------------------------------------------------------------------------------- signals

static const ib_SignalDef command_row = {
    "command", "V", "voltage command of the motors of this side, 12 V scale", 0};

static const ib_SignalDef book[] = {
    IB_BOOK_BATTERY,
    {IB_NAME_ENERGY("kinetic"), "J", "kinetic energy of the body and its payload", 0,
     IB_MEANS(.role = IB_ROLE_STORED)},
    IB_BOOK_WHEELS,
    IB_BOOK_ROTORS,
    {IB_NAME_ENERGY("magnetic"), "J", "energy held by the windings' inductance", 0,
     IB_MEANS(.role = IB_ROLE_STORED)},
    IB_BOOK_COPPER,
    IB_BOOK_CONVERSION,
    IB_BOOK_LOSS,
    IB_BOOK_GEAR,
    IB_BOOK_TYRE,
    IB_BOOK_COLLISION,
    IB_BOOK_RESISTANCE,
    IB_BOOK_BACKGROUND,
    IB__BOOK("compressor", "energy used by the compressor so far", 0, IB_ROLE_LOST),
    IB_BOOK_PUSH,
    IB__BOOK("payload", "work of the arm that moves the payload, so far", 0, IB_ROLE_GIVEN),
    {IB_NAME_ENERGY("error"), "J",
     "error of the energy balance: battery + push + payload - all the others", 0,
     IB_MEANS(.role = IB_ROLE_BALANCE)},
};

// ------------------------------------------------------------------------------------------ inputs

static void declare_commands(ib_Declarations *d)
{
    static const struct {
        const char *name, *sentence;
        ib_DriveAxis axis;
    } commands[] = {
        {"left", "voltage command of the left motors, 12 V scale", IB_DRIVES_LEFT_SIDE},
        {"right", "voltage command of the right motors, 12 V scale", IB_DRIVES_RIGHT_SIDE},
        {"throttle", "command to drive forward, -1 to 1", IB_DRIVES_FORWARD},
        {"turn", "command to turn to the left, -1 to 1", IB_DRIVES_TURN_LEFT},
    };
    for (int i = 0; i < 4; i++) {
        bool stick = i >= 2;
        double most = stick ? 1 : IB_COMMAND_SCALE;
        ib_InputDef input =
            ib_number_input(commands[i].name, stick ? "1" : "V", commands[i].sentence, -most, most,
                            stick ? "-1 to 1" : "the 12 V scale");
        input.axis = commands[i].axis;
        input.required = input.axis != IB_DRIVES_TURN_LEFT;
        input.set = stick ? 2 : 1;
        ib_declare_input(d, input, NULL);
    }
}

// A missing gearbox cannot be commanded.
static void declare_gear(bool asked, ib_TankModel *t, ib_Declarations *d)
{
    static const char *const words[] = {"first", "second", NULL};
    ib_InputDef gear = ib_word_input("gear", "gear of the drive, first or second", words);
    if (!asked) gear.role = IB_INPUT_ENVIRONMENT;
    ib_declare_input(d, gear, &t->gearbox.input);
}

static void declare_load(const ib_TankConfig *config, bool loaded, ib_TankModel *t,
                         ib_Declarations *d)
{
    double heaviest = ib_max(config->payload_mass, config->payload_most);
    ib_InputDef inputs[] = {
        ib_number_input("payload.mass", "kg", "mass of the load that is held", 0, heaviest,
                        "payload.most"),
        ib_number_input("payload.x", "m", "where the arm takes the load, forward", -10, 10, "10 m"),
        ib_number_input("payload.y", "m", "where the arm takes the load, to the left", -10, 10,
                        "10 m")};
    const double start[] = {config->payload_mass, config->payload_x, config->payload_y};
    inputs[0].held = true;
    for (int i = 0; i < 3; i++) {
        inputs[i].neutral = start[i];
        if (!loaded) inputs[i].role = IB_INPUT_ENVIRONMENT;
        ib_declare_input(d, inputs[i], i ? NULL : &t->payload.input);
    }
}

// ------------------------------------------------------------------------------------------- ports

// All that the floor does to it: along the heading at the wheels of each side, across it at front
// and rear.
static const ib_ForceDef *make_forces(const ib_WheelModel *wheel, ib_Arena *arena, int *count)
{
    double w = wheel->half_track, a = wheel->config.contact_half_length;
    const ib_ForceDef all[] = {
        {"F_l", IB_NAME_WHEEL("left", "force"), 0, w, 1, 0},
        {"F_r", IB_NAME_WHEEL("right", "force"), 0, -w, 1, 0},
        {"F_front", IB_NAME_WHEEL("front", "side"), a, 0, 0, 1},
        {"F_rear", IB_NAME_WHEEL("rear", "side"), -a, 0, 0, 1},
    };
    ib_ForceDef *forces = ib_arena_alloc(arena, sizeof all);
    if (forces) memcpy(forces, all, sizeof all);
    *count = sizeof all / sizeof all[0];
    return forces;
}

// Its four patches, with the weight in the middle.
static const ib_FootDef *make_feet(const ib_WheelModel *wheel, ib_Arena *arena)
{
    double w = wheel->half_track, a = wheel->config.contact_half_length;
    const ib_FootDef all[IB_WHEEL_PATCHES] = {
        {a, w, 0.25}, {-a, w, 0.25}, {a, -w, 0.25}, {-a, -w, 0.25}};
    ib_FootDef *feet = ib_arena_alloc(arena, sizeof all);
    if (feet) memcpy(feet, all, sizeof all);
    return feet;
}

// Rims for odometry. A shaft before a shifting gear does not measure distance.
static const ib_ControlRims *make_rims(const ib_Sides *s, ib_Arena *arena)
{
    double r = s->drive.radius, shaft = r / s->drive.reduction[0];
    const ib_RimSignal signals[] = {{IB_NAME_WHEEL("left", "speed"), 0, r},
                                    {IB_NAME_WHEEL("right", "speed"), 1, r},
                                    {IB_NAME_DRIVE("left", "speed"), 0, shaft},
                                    {IB_NAME_DRIVE("right", "speed"), 1, shaft}};
    int count = s->drive.reduction[0] == s->drive.reduction[1] ? 4 : 2;
    return ib_rims_of_sides(s->wheel.half_track, signals, count, arena);
}

// The longest step with which RK4 follows the fastest part: the windings with the battery behind
// them, tau = L/(R + 2 N Rb), the wheels, the air, the arm of a load. 0: any.
static double resolution(const ib_TankConfig *config, const ib_TankModel *t)
{
    const ib_Feed *feed = &t->robot->feed;
    const ib_MotorModel *motor = &t->shafts[0].motor;
    double N = t->shafts[0].motors, E = feed->power.battery.open_circuit;
    if (t->published || t->current == IB_CURRENT_EXPLICIT) return 0;
    double shortest = ib_thermal_resolution(&t->motors.thermal, E * E * motor->per_R), heaviest = 0;
    if (t->current == IB_CURRENT_IMPLICIT) {
        double R = motor->R + 2 * N * feed->power.battery.resistance;
        shortest = ib_min(shortest, config->inductance / R / 8);
    }
    if (config->payload_on) {
        shortest = ib_min(shortest, config->payload_response / 4);
        heaviest = ib_max(config->payload_mass, config->payload_most);
    }
    double air = feed->breathes ? ib_air_resolution(&feed->air) : 0;
    if (air > 0) shortest = ib_min(shortest, air);
    shortest =
        ib_min(shortest, ib_sides_resolution(&t->sides, t->mass, t->inertia, t->mass + heaviest,
                                             N * motor->Kt * motor->Ke * motor->per_R));
    return shortest < INFINITY ? shortest : 0;
}

static bool make_ports(const ib_TankConfig *config, const ib_TankModel *t, ib_Build *build)
{
    ib_RobotPorts *ports = build->ports;
    ib_Arena *arena = build->arena;
    double width = config->width > 0 ? config->width : 2 * config->half_track;
    ib_build_outline(build, config->length, width, &config->bumper);
    if (t->published) ports->yield_speed = INFINITY; // RoboSim 12 knows none
    ports->upright = t->published;
    ports->resolution = resolution(config, t);
    ports->foot_count = IB_WHEEL_PATCHES;
    ports->feet = make_feet(&t->sides.wheel, arena);
    ports->geometry = ib__tank_geometry(config, arena);
    ports->forces = make_forces(&t->sides.wheel, arena, &ports->force_count);
    ports->rims = make_rims(&t->sides, arena);
    return ports->geometry && ports->forces && ports->rims && ports->feet;
}

// ------------------------------------------------------------------------------------------ making

static void init(const ib_TankConfig *config, ib_TankModel *t)
{
    double plate = ib_drivetrain_plate_inertia(config->mass, config->length, config->half_track);
    double efficiency = config->drive.efficiency;
    t->published = config->equations == IB_TANK_PUBLISHED;
    t->mass = config->mass + config->equipment.carried;
    t->inertia =
        (config->inertia > 0 ? config->inertia : plate) + config->equipment.carried_inertia;
    t->current = config->current;
    t->period = config->period;
    ib_sides_init(&config->wheels, &config->drive, config->half_track, &t->sides);
    ib_MotorShaft shaft = {.motors = config->drive.motors_per_side,
                           .reduction = t->sides.drive.reduction[0],
                           .lost = 1 - efficiency,
                           .gained = 1 / efficiency - 1,
                           .stator = config->current_limit,
                           .supply = config->supply_limit};
    ib_motor_init(&config->motor, config->loss, &shaft.motor);
    t->shafts[0] = t->shafts[1] = shaft;
    t->motors = (ib_MotorRow){
        .count = 2,
        .shafts = t->shafts,
        .coasts = config->neutral == IB_NEUTRAL_COAST,
        .lossless = efficiency == 1,
        .inductance = config->current == IB_CURRENT_QUASI_STATIC ? 0 : config->inductance,
        .gain = IB_TANK_GAIN_LEFT,
    };
    if (t->published) ib__tank_publish(t);
    if (!t->published) ib_thermal_init(&config->thermal, &t->motors.thermal);
    t->gearbox = (ib_Gearbox){.on = !t->published && config->drive.reduction_high > 0,
                              .sides = &t->sides,
                              .shifter = ib__tank_shifter(config)};
    t->payload = (ib_PayloadPart){
        .start = {config->payload_mass, config->payload_x, config->payload_y, 0, 0},
        .response = config->payload_response};
}

static bool is_loaded(const ib_TankConfig *config)
{
    return config->payload_on && config->equations == IB_TANK_CORRECTED;
}

// The document knows air and inductance, and none of the rest.
static ib_PowerConfig power_of(const ib_TankConfig *config)
{
    ib_PowerConfig power = config->equipment.power;
    if (config->equations != IB_TANK_PUBLISHED) return power;
    power.breaker_on = power.branch_on = power.brownout_on = 0;
    power.battery.rate_exponent = 1;
    return power;
}

static void declare_inputs(const ib_TankConfig *config, ib_TankModel *t, ib_Build *build)
{
    ib_Declarations *d = build->d;
    ib_Feed *feed = &build->robot->feed;
    declare_commands(d);
    declare_gear(t->gearbox.on && t->gearbox.shifter < 0, t, d);
    declare_load(config, is_loaded(config), t, d);
    ib_feed_declare_compressor(feed, d);
    for (int i = 0; i < 2; i++)
        ib_declare_input(
            d,
            ib_gain_input(i ? IB_NAME_DRIVE("right", "torque") : IB_NAME_DRIVE("left", "torque")),
            NULL);
    ib_feed_declare_solenoids(feed, d);
}

static void declare_drive(ib_TankModel *t, ib_Declarations *d)
{
    for (int i = 0; i < 2; i++) {
        const char *drive = ib_declare_name(d, "drive", sides[i]);
        t->command[i] = d->signals.count;
        ib_declare(d, drive, NULL, &command_row, 1, NULL);
        t->motors.signal[i] = d->signals.count;
        ib_declare(d, drive, sides[i], ib_side_motor_signals, IB_MOTOR_SIGNALS, NULL);
        ib_sides_declare_side(&t->sides, i, ib_declare_name(d, "wheel", sides[i]), sides[i], d);
    }
    ib_sides_declare_across(&t->sides, d);
}

// Entries of missing parts stand in the book all the same, and stay 0.
static void declare_book(bool air, bool loaded, ib_Build *build)
{
    enum { ROWS = sizeof book / sizeof *book };
    ib_SignalDef rows[ROWS];
    memcpy(rows, book, sizeof book);
    for (int i = 0; i < ROWS; i++)
        if ((!air && strcmp(rows[i].name, IB_NAME_ENERGY("compressor")) == 0) ||
            (!loaded && strcmp(rows[i].name, IB_NAME_ENERGY("payload")) == 0))
            rows[i].means.form = IB_SHOWN;
    ib_build_book(build, rows, ROWS);
}

// Declares all its parts, in the order of their signals.
static void declare(const ib_TankConfig *config, const ib_PowerConfig *power, ib_TankModel *t,
                    ib_Build *build)
{
    bool loaded = is_loaded(config);
    ib_Declarations *d = build->d;
    ib_Feed *feed = &build->robot->feed;
    ib_build_body(build, true, t->mass, t->inertia, offsetof(ib_TankConfig, planar));
    declare_drive(t, d);
    ib_feed_declare_power(power, feed, d);
    declare_book(feed->breathes, loaded, build);
    ib_motor_row_declare(&t->motors, "energy", d);
    ib_declare_entry(d, IB_NAME_ENERGY("magnetic"), &t->motors.magnetic);
    for (int i = 0; t->motors.inductance > 0 && i < 2; i++)
        ib_declare_shown(d, &t->motors.current, i, t->motors.signal[i] + IB_MOTOR_CURRENT);
    t->sides.shaft = t->motors.bridge;
    ib_sides_declare(&t->sides, d);
    for (int i = 0; i < 2; i++)
        ib_feed_declare_branch(power, feed, t->motors.bridge + i, sides[i], d);
    if (t->gearbox.on) {
        ib_gearbox_declare(&t->gearbox, d);
        ib_declare_also(d, &t->gearbox.gear, 0, &t->sides.gear);
    }
    if (loaded) ib_payload_declare(&t->payload, build->robot, d);
    ib_feed_declare_air(feed, d);
    const char *prefixes[2] = {"drive.left", "drive.right"};
    if (!t->published)
        ib_motor_row_declare_warmth(&config->thermal, &t->motors, prefixes, sides, d);
}

static void add_parts(const ib_TankModel *t, bool loaded, ib_Build *build)
{
    ib_build_part(build, &ib_sides_part, &t->sides);
    if (t->gearbox.on) ib_build_part(build, ib_gearbox_part(&t->gearbox), &t->gearbox);
    ib_build_part(build, &commands_part, t);
    ib_build_part(build, ib_motor_row_part(&t->motors), &t->motors);
    if (loaded) ib_build_part(build, &ib_payload_part, &t->payload);
}

ib_Status ib__tank_build(const void *config_, ib_Build *build, void *model, ib_Error *error)
{
    static ib_PartsRate *const flat[] = {[IB_WHEEL_ROLLING] = rate_rolling,
                                         [IB_WHEEL_VISCOUS] = rate_viscous,
                                         [IB_WHEEL_FRICTION_CIRCLE] = rate_circle,
                                         [IB_WHEEL_BRISTLE] = rate_bristle};
    const ib_TankConfig *config = config_;
    ib_PartsModel *robot = build->robot;
    ib_TankModel *t = model;
    ib_PowerConfig power = power_of(config);
    ib_AirConfig *air = ib_arena_alloc(build->arena, sizeof *air);
    if (!air) return ib_error_set(error, IB_FAILED, "out of memory for the robot");
    init(config, t);
    t->robot = robot;
    *air = config->equipment.air;
    air->published = t->published;
    ib_feed_init(&power, &robot->feed);
    ib_feed_add_air(air, &robot->feed);
    declare_inputs(config, t, build);
    declare(config, &power, t, build);
    ib_Body *body = &robot->body;
    body->com_height = t->published ? 0 : config->wheels.com_height; // as printed: no loads
    body->loose = t->sides.slips;
    body->axles = t->sides.law == IB_WHEEL_ROLLING && !t->published;
    robot->feed.free = ib_motor_row_free(&t->motors);
    add_parts(t, is_loaded(config), build);
    if (is_loaded(config)) ib_uneven_declare(body, config->equipment.carried_inertia);
    if (!is_loaded(config)) ib_build_own_rate(build, 3 + t->gearbox.on, flat[t->sides.law]);
    if (t->published) {
        ib_build_own_rate(build, 3, ib__tank_published_rate);
        robot->own_solve = ib__tank_published_solve;
    }
    if (build->d->failed || !make_ports(config, t, build))
        return ib_error_set(error, IB_FAILED, "out of memory for the robot's tables");
    return IB_OK;
}
