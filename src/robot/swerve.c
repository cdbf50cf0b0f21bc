// robot/swerve.c: a base on four swerve modules as a body and parts: rims, modules that turn them,
// and two rows of gearmotors. docs/robot/swerve.md
#include "robot/swerve.h"

#include "base/extreme.h"
#include "robot/axes.h"
#include "robot/books.h"
#include "robot/drive.h"
#include "robot/parts.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

typedef ib_SwerveConfig Config;

// ----------------------------------------------------------------------------------------- signals

static const ib_SignalDef book[] = {
    IB_BOOK_BATTERY,
    {IB_NAME_ENERGY("kinetic"), "J", "kinetic energy of the body, its modules as points", 0,
     IB_MEANS(.role = IB_ROLE_STORED)},
    IB_BOOK_WHEELS,
    IB_BOOK_ROTORS,
    IB_BOOK_STEERING,
    IB_BOOK_COPPER,
    IB_BOOK_CONVERSION,
    IB_BOOK_LOSS,
    IB_BOOK_GEAR,
    IB_BOOK_BEARINGS,
    IB_BOOK_TYRE,
    IB_BOOK_COLLISION,
    IB_BOOK_RESISTANCE,
    IB_BOOK_BACKGROUND,
    IB_BOOK_PUSH,
    IB_BOOK_ERROR,
};

// Names of the modules and of their parts.
#define ALL_FOUR(before, behind)                                                                   \
    {                                                                                              \
        before "1" behind, before "2" behind, before "3" behind, before "4" behind                 \
    }
static const char *const numbers[] = ALL_FOUR("", ""), *const modules[] = ALL_FOUR("module.", ""),
                         *const drives[] = ALL_FOUR("module.", ".drive"),
                         *const steers[] = ALL_FOUR("module.", ".steer"),
                         *const motors[] = ALL_FOUR("motor.", ""),
                         *const motor_torques[] = ALL_FOUR("motor.", ".torque"),
                         *const steerings[] = ALL_FOUR("steer.", ""),
                         *const steering_torques[] = ALL_FOUR("steer.", ".torque"),
                         *const wheels[] = ALL_FOUR("wheel.", "");

// ---------------------------------------------------------------------------------------- commands

// Adds the inputs' command of each bridge.
static void offer(const void *part, void *notes, ib_Wires *w)
{
    const ib_SwerveModel *h = part;
    (void)notes;
    for (int i = 0; i < IB_SWERVE_MODULES; i++) {
        const double *own = w->input + h->command + 2 * i;
        w->duty[h->drive.bridge + i] = own[0] > 1 ? 1 : own[0] < -1 ? -1 : own[0];
        w->duty[h->steer.bridge + i] = ib_power_duty(own[1]);
    }
    ib__swerve_drive(h, w);
}

static const ib_PartKind commands_part = {.name = "commands", .offer = offer};

// ------------------------------------------------------------------------------------------ making

void ib_swerve_place(const Config *config, int module, double place[2])
{
    static const double corners[][2] = {{1, -1}, {1, 1}, {-1, 1}, {-1, -1}};
    place[0] = corners[module][0] * (config->length / 2 - config->inset);
    place[1] = corners[module][1] * (config->width / 2 - config->inset);
}

static void init_rims(const Config *config, ib_SwerveModel *h)
{
    const ib_DrivetrainConfig *drive = &config->drive;
    double G = drive->reduction;
    ib_RimsConfig own = {.law = config->model == 0 ? IB_RIMS_CIRCLE : IB_RIMS_BRISTLE,
                         .layout = {.count = IB_SWERVE_MODULES},
                         .tyre = config->tyre,
                         .wheel_inertia = drive->wheel_inertia,
                         .rotors = drive->motors_per_side * G * G * drive->rotor_inertia};
    for (int i = 0; i < IB_SWERVE_MODULES; i++) {
        double place[2];
        ib_swerve_place(config, i, place);
        own.layout.wheels[i] = (ib_LayoutWheel){
            .x = place[0], .y = place[1], .roller = INFINITY, .diameter = drive->wheel_diameter};
        h->feet[i] = (ib_FootDef){place[0], place[1], 1.0 / IB_SWERVE_MODULES};
    }
    ib_rims_init(&own, &h->rims);
    h->rims.angles = h->modules.angle;
}

static void init_motors(const Config *config, ib_SwerveModel *h)
{
    ib_MotorShaft drive = {.motors = config->drive.motors_per_side,
                           .reduction = config->drive.reduction,
                           .lost = 1 - config->drive.efficiency,
                           .gained = 1 / config->drive.efficiency - 1,
                           .stator = config->current_limit,
                           .supply = config->supply_limit};
    ib_MotorShaft steer = {
        .motors = 1, .reduction = config->steer.reduction, .stator = INFINITY, .supply = INFINITY};
    ib_motor_init(&config->motor, config->loss, &drive.motor);
    ib_motor_init(&config->steer.motor, config->loss, &steer.motor);
    for (int i = 0; i < IB_SWERVE_MODULES; i++) {
        h->drive_shaft[i] = drive;
        h->steer_shaft[i] = steer;
    }
    h->drive = (ib_MotorRow){.count = IB_SWERVE_MODULES,
                             .shafts = h->drive_shaft,
                             .coasts = config->coasts,
                             .lossless = config->drive.efficiency == 1};
    h->steer =
        (ib_MotorRow){.count = IB_SWERVE_MODULES, .shafts = h->steer_shaft, .lossless = true};
}

static void declare_inputs(ib_SwerveModel *h, ib_Declarations *d)
{
    h->command = d->input_count;
    for (int i = 0; i < IB_SWERVE_MODULES; i++) {
        ib_declare_input(
            d,
            ib_number_input(drives[i], "1",
                            "share of the bus voltage at the motors that drive its wheel, -1 to 1",
                            -1, 1, "-1 to 1"),
            NULL);
        ib_declare_input(
            d,
            ib_number_input(steers[i], "V",
                            "voltage command of the motor that turns it to the left, 12 V scale",
                            -IB_COMMAND_SCALE, IB_COMMAND_SCALE, "the 12 V scale"),
            NULL);
    }
    h->drive.gain = d->input_count;
    h->steer.gain = h->drive.gain + IB_SWERVE_MODULES;
    for (int i = 0; i < IB_SWERVE_MODULES; i++)
        ib_declare_input(d, ib_gain_input(motor_torques[i]), NULL);
    for (int i = 0; i < IB_SWERVE_MODULES; i++)
        ib_declare_input(d, ib_gain_input(steering_torques[i]), NULL);
    h->stick = ib_axes_declare(d);
}

// Supply, book, modules, motors and wheels, in the order in which they are shown.
static void declare(const ib_PowerConfig *power, ib_SwerveModel *h, ib_Build *build)
{
    ib_Declarations *d = build->d;
    ib_Feed *feed = &build->robot->feed;
    ib_feed_init(power, feed);
    ib_feed_declare_power(power, feed, d);
    ib_build_book(build, book, sizeof book / sizeof *book);
    ib_motor_row_declare(&h->drive, "energy", d);
    ib_motor_row_declare(&h->steer, "energy", d);
    h->rims.shaft = h->drive.bridge;
    h->modules.shaft = h->steer.bridge;
    ib_rims_declare(&h->rims, d);
    ib_swerve_declare(&h->modules, modules, numbers, d);
    for (int i = 0; i < IB_SWERVE_MODULES; i++)
        ib_motor_row_declare_shaft(&h->drive, i, motors[i], numbers[i], d);
    for (int i = 0; i < IB_SWERVE_MODULES; i++)
        ib_motor_row_declare_shaft(&h->steer, i, steerings[i], steerings[i], d);
    for (int i = 0; i < IB_SWERVE_MODULES; i++)
        ib_rims_declare_wheel(&h->rims, i, wheels[i], numbers[i], d);
    for (int i = 0; i < IB_SWERVE_MODULES; i++)
        ib_feed_declare_branch(power, feed, h->drive.bridge + i, numbers[i], d);
    for (int i = 0; i < IB_SWERVE_MODULES; i++)
        ib_feed_declare_branch(power, feed, h->steer.bridge + i, steerings[i], d);
}

// Braking torque of a shaft's motors with their bridge at 0 V [N m s].
static double brake_of(const ib_MotorShaft *s)
{
    const ib_MotorModel *m = &s->motor;
    return s->motors * s->reduction * s->reduction * (m->Kt * m->Ke * m->per_R + m->viscous);
}

static bool make_ports(const Config *config, const ib_SwerveModel *h, ib_Build *build)
{
    const ib_Body *body = &build->robot->body;
    ib_RobotPorts *ports = build->ports;
    double inertia = 1 / body->planar.per_inertia;
    ib_build_outline(build, config->length, config->width, &config->bumper);
    ports->foot_count = IB_SWERVE_MODULES;
    ports->feet = h->feet;
    ports->geometry = ib__swerve_geometry(config, build->arena);
    ports->resolution =
        ib_min(ib_rims_resolution(&h->rims, body->mass, inertia, NULL, brake_of(h->drive_shaft)),
               ib_swerve_resolution(&h->modules, inertia, brake_of(h->steer_shaft)));
    ports->rims = ib__swerve_rims(h, build->d->signals.items, build->arena);
    return ports->geometry && ports->rims;
}

// The inertia of the body alone [kg m^2]: a file has it with modules that are held.
static double own_inertia(const Config *config)
{
    double area = config->length * config->length + config->width * config->width;
    double whole = config->inertia > 0 ? config->inertia : config->mass / 12 * area;
    return whole - IB_SWERVE_MODULES * config->steer.inertia;
}

static ib_Status make(const void *config_, ib_Build *build, void *model, ib_Error *error)
{
    const Config *config = config_;
    const ib_SwerveSteer *steer = &config->steer;
    ib_SwerveModel *h = model;
    ib_PartsModel *robot = build->robot;
    double inertia = own_inertia(config) + config->equipment.carried_inertia;
    ib_swerve_init(IB_SWERVE_MODULES, steer->inertia,
                   steer->reduction * steer->reduction * steer->rotor_inertia, steer->friction,
                   &h->modules);
    init_rims(config, h);
    init_motors(config, h);
    for (int i = 0; i < IB_SWERVE_MODULES; i++) ib_swerve_place(config, i, h->place[i]);
    ib__swerve_init_drive(h);
    declare_inputs(h, build->d);
    ib_build_body(build, true, config->mass + config->equipment.carried, inertia,
                  offsetof(Config, planar));
    robot->body.planar.per_inertia = 1 / (inertia + h->modules.carried);
    robot->body.com_height = config->com_height;
    robot->body.loose = true;
    declare(&config->equipment.power, h, build);
    robot->feed.free = ib_motor_row_free(&h->drive) && ib_motor_row_free(&h->steer);
    ib_build_part(build, &ib_rims_part, &h->rims);
    ib_build_part(build, &ib_swerve_part, &h->modules);
    ib_build_part(build, &commands_part, h);
    ib_build_part(build, ib_motor_row_part(&h->drive), &h->drive);
    ib_build_part(build, ib_motor_row_part(&h->steer), &h->steer);
    if (build->d->failed || !make_ports(config, h, build))
        return ib_error_set(error, IB_FAILED, "out of memory for the robot's tables");
    return IB_OK;
}

// ------------------------------------------------------------------------------------------ checks

// A tall robot on sticky wheels tips over before they slide, which this model cannot show.
static ib_Status check_places(const Config *config, ib_Error *error)
{
    double shorter = ib_min(config->length, config->width), base = shorter / 2 - config->inset;
    double mu =
        config->model == 0 ? config->tyre.mu : ib_max(config->tyre.mu_static, config->tyre.mu);
    if (!(base > 0))
        return ib_error_set(error, IB_BAD_INPUT,
                            "modules.inset: the modules would stand on each other: expected less "
                            "than %.4g m, half of the shorter side",
                            shorter / 2);
    if (mu * config->com_height > 1.2 * base)
        return ib_error_set(error, IB_BAD_INPUT,
                            "wheels.com_height: at %.3g m the robot would tip over before its "
                            "wheels slide, which this model cannot show: expected at most %.3g m "
                            "(how far its wheels stand from the middle, over mu)",
                            config->com_height, base / mu);
    if (!(own_inertia(config) > 0))
        return ib_error_set(error, IB_BAD_INPUT,
                            "steer.inertia: four modules have %.3g kg*m^2 together, and the whole "
                            "robot, modules held, has no more: expected less, or more inertia",
                            IB_SWERVE_MODULES * config->steer.inertia);
    return IB_OK;
}

static ib_Status check(const void *config_, ib_Error *error)
{
    const Config *config = config_;
    ib_TyreConfig tyre = config->tyre;
    tyre.law = config->model == 0 ? IB_TYRE_CIRCLE : IB_TYRE_BRISTLE;
    ib_Status status = ib_error_under("drive.motor.", ib_motor_check(&config->motor, error), error);
    if (status == IB_OK)
        status = ib_error_under("steer.motor.", ib_motor_check(&config->steer.motor, error), error);
    if (status == IB_OK)
        status = ib_error_under("drive.", ib_drivetrain_check(&config->drive, error), error);
    if (status == IB_OK) status = ib_error_under("wheels.", ib_tyre_check(&tyre, error), error);
    if (status != IB_OK) return status;
    if (!(config->drive.wheel_inertia > 0 || config->drive.rotor_inertia > 0))
        return ib_error_set(error, IB_BAD_INPUT,
                            "wheels.inertia: wheels that slip need an inertia: expected more than "
                            "0 kg*m^2, or a drive.rotor_inertia");
    status = ib_power_check(&config->equipment.power, error);
    return status == IB_OK ? check_places(config, error) : status;
}

// -------------------------------------------------------------------------------------- parameters

static const char *const neutrals[] = {"brake", "coast", NULL};
static const char *const models[] = {"friction_circle", "bristle", NULL};

static const ib_Param params[] = {
    IB_NUMBER_ROW("mass", "kg", "50 kg", 1e-3, 1e4, mass, "mass of the robot, modules included"),
    IB_NUMBER_ROW(
        "inertia", "kg*m^2", "0 kg*m^2", 0, 1e6, inertia,
        "moment of inertia about the middle, its modules held; 0: that of a plate length by "
        "width"),
    IB_NUMBER_ROW("length", "m", "28 in", 1e-3, 100, length,
                  "length from bumper to bumper, front to back"),
    IB_NUMBER_ROW("width", "m", "28 in", 1e-3, 100, width,
                  "width from bumper to bumper, left to right"),
    IB_NUMBER_ROW("modules.inset", "m", "4 in", 1e-4, 100, inset,
                  "distance of the modules' axes from the sides of the outline"),

    IB_DRIVE_COLD_MOTOR_ROWS(Config),
    IB_ROW("drive.motors", IB_PARAM_COUNT, "1", "1", 1, 100, NULL, Config, drive.motors_per_side,
           "number of motors that drive each wheel"),
    IB_NUMBER_ROW("drive.reduction", "1", "6.75", 1e-3, 1e6, drive.reduction,
                  "gear reduction: motor speed over wheel speed"),
    IB_NUMBER_ROW("drive.efficiency", "1", "1", 1e-3, 1, drive.efficiency,
                  "efficiency of the gears; 1: they lose nothing"),
    IB_CHOICE_OF("drive.loss", "viscous", ib_motor_losses, Config, loss,
                 "law of the loss torque inside all motors, whose size is from their free current"),
    IB_DRIVE_LIMIT_ROWS(Config),
    IB_NUMBER_ROW("drive.rotor_inertia", "kg*m^2", "0 kg*m^2", 0, 1e3, drive.rotor_inertia,
                  "moment of inertia of one motor's rotor"),
    IB_CHOICE_OF("drive.neutral", "brake", neutrals, Config, coasts,
                 "what a driving motor does at output 0"),

    IB_MOTOR_PART_ROWS("steer.motor", Config, steer.motor_given, steer.motor),
    IB_NUMBER_ROW("steer.motor.rotor_inertia", "kg*m^2", "0 kg*m^2", 0, 1e3, steer.motor_inertia,
                  "rotor inertia of the data sheet; only steer.rotor_inertia counts"),
    IB_NUMBER_ROW("steer.reduction", "1", "21.43", 1e-3, 1e6, steer.reduction,
                  "gear reduction: motor speed over that of the module"),
    IB_NUMBER_ROW("steer.rotor_inertia", "kg*m^2", "0 kg*m^2", 0, 1e3, steer.rotor_inertia,
                  "moment of inertia of the steering motor's rotor"),
    IB_NUMBER_ROW("steer.inertia", "kg*m^2", "0.005 kg*m^2", 1e-6, 1e6, steer.inertia,
                  "moment of inertia of a module about its vertical axis, wheel included"),
    IB_NUMBER_ROW("steer.friction", "N*m*s", "0.05 N*m*s", 0, 1e6, steer.friction,
                  "friction of a module's bearing, viscous"),

    IB_CHOICE_OF("wheels.model", "friction_circle", models, Config, model,
                 "law of the wheels, which slip: as it is now, or with bristles that remember"),
    IB_DRIVE_GRIP_ROWS(Config, tyre),
    IB_NUMBER_ROW("wheels.diameter", "m", "4 in", 1e-3, 10, drive.wheel_diameter,
                  "diameter of the wheels"),
    IB_NUMBER_ROW(
        "wheels.inertia", "kg*m^2", "0.0005 kg*m^2", 0, 1e3, drive.wheel_inertia,
        "moment of inertia of one wheel about its axle; G^2 rotor_inertia is added for each "
        "motor"),
    IB_DRIVE_LOAD_ROWS(Config, tyre, com_height),
    IB_DRIVE_BRISTLE_ROWS(Config, tyre),

    IB_OUTFIT_ROWS(Config),
    IB_BUMPER_ROWS(Config, "the bumpers", true),
};

static const ib_Param start[] = {IB_PLANAR_START_ROWS(offsetof(Config, planar))};

static const char *idle(const void *config_, const char *key)
{
    static const char *const of_bristles[] = {"wheels.mu_static", "wheels.bristle_deflection",
                                              "wheels.bristle_relax"};
    const Config *config = config_;
    for (int i = 0; i < 3; i++)
        if (config->model == 0 && strcmp(key, of_bristles[i]) == 0) return "wheels.model";
    if (strstr(key, ".motor.rotor_inertia")) return key;
    return ib_power_idle(&config->equipment.power, key);
}

const ib_RobotKind ib_swerve_kind = {
    .name = "swerve",
    .sentence = "a base on four swerve modules: wheels that motors drive, turned by other motors",
    .docs = "docs/robot/swerve.md",
    IB_ROBOT_TABLES(Config, ib_SwerveModel),
    .params.idle = idle,
    .carries_equipment = true,
    .check = check,
    .build = make,
    .locomotion = ib__swerve_locomotion,
};
