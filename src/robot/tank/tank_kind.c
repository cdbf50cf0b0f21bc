// robot/tank/tank_kind.c: the keys of a tank robot, and its entry among the kinds.
#include "robot/tank/tank.h"

#include "robot/drive.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

typedef ib_TankConfig Config;

static const char *const currents[] = {"quasi_static", "implicit", "explicit", NULL};
static const char *const neutrals[] = {"brake", "coast", NULL};
static const char *const shifts[] = {"input", "cylinder", NULL};
static const char *const equations[] = {"corrected", "published", NULL};

static const ib_PresetDef wheel_sets = {.file = "wheels"},
                          payloads = {.file = "payloads", .off = true};

// -------------------------------------------------------------------------------------- parameters

static const ib_Param params[] = {
    IB_LIVE_ROW("mass", "kg", "60 kg", 1e-3, 1e4, mass, "mass of the robot, without payload"),
    IB_NUMBER_ROW("length", "m", "0.8 m", 1e-3, 100, length,
                  "length from bumper to bumper, front to back"),
    IB_NUMBER_ROW("width", "m", "0 m", 0, 100, width,
                  "width from bumper to bumper, left to right; 0: twice the half track"),
    IB_NUMBER_ROW("half_track", "m", "0.3 m", 1e-3, 100, half_track,
                  "distance from the robot's middle to the wheels of a side"),
    IB_LIVE_ROW(
        "inertia", "kg*m^2", "0 kg*m^2", 0, 1e6, inertia,
        "moment of inertia about the middle; 0: that of a plate 0.9 length by 2 half_track"),

    IB_DRIVE_MOTOR_ROWS(Config),
    IB_ROW("drive.motors_per_side", IB_PARAM_COUNT, "1", "2", 1, 100, NULL, Config,
           drive.motors_per_side, "number of motors that drive each side"),
    IB_LIVE_ROW("drive.reduction", "1", "10.71", 1e-3, 1e6, drive.reduction,
                "gear reduction of the first gear: motor speed over wheel speed"),
    IB_NUMBER_ROW("drive.reduction_high", "1", "0", 0, 1e6, drive.reduction_high,
                  "gear reduction of the second gear; 0: there is none"),
    IB_CHOICE_OF(
        "drive.shift_by", "input", shifts, Config, shift_by,
        "what shifts: the input `gear`, or the cylinder named `shifter` (extended: second gear)"),
    IB_NUMBER_ROW("drive.wheel_diameter", "m", "6 in", 1e-3, 100, drive.wheel_diameter,
                  "diameter of the wheels"),
    IB_LIVE_ROW("drive.efficiency", "1", "1", 1e-3, 1, drive.efficiency,
                "efficiency of the gears; 1: they lose nothing"),
    IB_LIVE_ROW("drive.inductance", "H", "59 uH", 1e-9, 10, inductance,
                "inductance of one winding; only where `current` is not quasi_static"),
    IB_CHOICE_OF(
        "drive.current", "quasi_static", currents, Config, current,
        "law of the motors' current: without inductance, with it, or as printed (4.2e, unstable)"),
    IB_CHOICE_OF("drive.loss", "viscous", ib_motor_losses, Config, loss,
                 "law of the loss torque inside a motor, whose size is from its free current"),
    IB_NUMBER_ROW("drive.period", "s", "50 ms", 1e-6, 10, period,
                  "sample time of RoboSim's formula (4.1c), for equations: published"),
    IB_DRIVE_LIMIT_ROWS(Config),
    IB_NUMBER_ROW("drive.rotor_inertia", "kg*m^2", "0 kg*m^2", 0, 1e3, drive.rotor_inertia,
                  "moment of inertia of one motor's rotor; acts where wheel speed is a state"),
    IB_CHOICE_OF("drive.neutral", "brake", neutrals, Config, neutral,
                 "what a motor does at command 0"),

    IB_ROW("wheels", IB_PARAM_PRESET, "1", NULL, 0, 0, &wheel_sets, Config, wheels_given,
           "wheels of data/wheels.yaml, or a map"),
    IB_CHOICE_OF(
        "wheels.model", "friction_circle", ib_wheel_models, Config, wheels.model,
        "law of the wheels: no side slip, published side friction, slip at each patch, with "
        "bristles"),
    IB_LIVE_ROW("wheels.side_friction", "N*s/m", "200 N*s/m", 0, 1e6, wheels.side_friction,
                "model viscous: side force over side speed, all wheels together"),
    IB_DRIVE_GRIP_ROWS(Config, wheels.tyre),
    IB_NUMBER_ROW("wheels.side_scale", "1", "1", 0, 1, wheels.side_scale,
                  "friction sideways as a share of mu: small for omni wheels"),
    IB_NUMBER_ROW("wheels.contact_half_length", "m", "0.3 m", 0, 10, wheels.contact_half_length,
                  "distance from the robot's middle to the front and rear contact patches"),
    IB_NUMBER_ROW("wheels.inertia_per_side", "kg*m^2", "0.003 kg*m^2", 0, 1e3,
                  wheels.inertia_per_side,
                  "moment of inertia of one side's wheels alone; N G^2 rotor_inertia is added"),
    IB_DRIVE_LOAD_ROWS(Config, wheels.tyre, wheels.com_height),
    IB_DRIVE_BRISTLE_ROWS(Config, wheels.tyre),

    IB_OUTFIT_ROWS(Config),

    IB_ROW("payload", IB_PARAM_PRESET, "1", "off", 0, 0, &payloads, Config, payload_on,
           "a load that an arm may hold and move: off, a preset or a map"),
    IB_NUMBER_ROW("payload.mass", "kg", "0 kg", 0, 1e4, payload_mass,
                  "mass of the load at the start"),
    IB_NUMBER_ROW("payload.most", "kg", "20 kg", 0, 1e4, payload_most,
                  "the heaviest load that it will ever hold; the steps are divided for it"),
    IB_NUMBER_ROW("payload.x", "m", "0 m", -10, 10, payload_x,
                  "place of the load, forward of the robot's middle"),
    IB_NUMBER_ROW("payload.y", "m", "0 m", -10, 10, payload_y,
                  "place of the load, to the left of the robot's middle"),
    IB_NUMBER_ROW("payload.response", "s", "0.2 s", 1e-3, 100, payload_response,
                  "time constant of the arm that moves the load"),

    IB_BUMPER_ROWS(Config, "the bumpers", true),
    IB_CHOICE_OF("equations", "corrected", equations, Config, equations,
                 "the tank's equations: corrected physics, or RoboSim's formulas as printed"),
};

static const ib_Param start[] = {IB_PLANAR_START_ROWS(offsetof(Config, planar))};

// The laws of the wheels that use a key; a key that is not listed always has an effect.
enum {
    VISCOUS = 1 << IB_WHEEL_VISCOUS,
    BRISTLE = 1 << IB_WHEEL_BRISTLE,
    SLIPPING = 1 << IB_WHEEL_FRICTION_CIRCLE | BRISTLE,
};

static const struct {
    const char *key;
    int laws;
} asked_by[] = {
    {"wheels.side_friction", VISCOUS},
    {"wheels.mu", SLIPPING},
    {"wheels.slip_speed", SLIPPING},
    {"wheels.side_scale", SLIPPING},
    {"wheels.inertia_per_side", SLIPPING},
    {"wheels.com_height", SLIPPING},
    {"wheels.contact_half_length", SLIPPING},
    {"drive.rotor_inertia", SLIPPING},
    {"wheels.mu_static", BRISTLE},
    {"wheels.bristle_deflection", BRISTLE},
    {"wheels.bristle_relax", BRISTLE},
};

// Keys, or their beginnings, that RoboSim's formulas do not use.
static const char *const unprinted[] = {
    "drive.reduction_high",
    "drive.efficiency",
    "drive.loss",
    "drive.neutral",
    "drive.thermal.",
    "wheels.model",
    "wheels.rolling_resistance",
    "payload.",
    "breaker.",
    "branch_breaker.",
    "brownout.",
    "bumper.yield_speed",
    "drive.current_limit",
    "drive.supply_limit",
    "battery.empty",
    "battery.curve",
    "battery.constant_voltage",
};

static const char *idle(const void *config_, const char *key)
{
    const Config *config = config_;
    bool printed = config->equations == IB_TANK_PUBLISHED;
    int law = printed ? IB_WHEEL_VISCOUS : config->wheels.model;
    bool lifts = config->equipment.tilts && !printed;
    if (lifts && strcmp(key, "wheels.com_height") == 0) return NULL;
    for (int i = 0; i < (int)(sizeof asked_by / sizeof *asked_by); i++)
        if (!(asked_by[i].laws & 1 << law) && strcmp(key, asked_by[i].key) == 0)
            return printed ? "equations" : "wheels.model";
    for (int i = 0; printed && i < (int)(sizeof unprinted / sizeof *unprinted); i++)
        if (strncmp(key, unprinted[i], strlen(unprinted[i])) == 0) return "equations";
    if (strcmp(key, "drive.period") == 0 && !printed) return "equations";
    if (strcmp(key, "drive.motor.rotor_inertia") == 0) return key;
    if (strcmp(key, "drive.inductance") == 0 && config->current == IB_CURRENT_QUASI_STATIC)
        return "drive.current";
    return ib_equipment_supply_idle(&config->equipment, key);
}

const ib_RobotKind ib_tank_kind = {
    .name = "tank",
    .sentence = "a tank-drive robot: motors, battery, breakers, air, tyres and body in one model",
    .docs = "docs/robot/tank.md",
    IB_ROBOT_TABLES(Config, ib_TankModel),
    .carries_equipment = true,
    .check = ib__tank_check,
    .params.idle = idle,
    .build = ib__tank_build,
    .locomotion = ib__tank_locomotion,
    .errata = ib_tank_errata,
};
