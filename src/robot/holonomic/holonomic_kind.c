// robot/holonomic/holonomic_kind.c: the keys of a holonomic robot, and its entry among the kinds.
#include "robot/holonomic/holonomic.h"

#include "robot/drive.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

typedef ib_HolonomicConfig Config;

static const char *const neutrals[] = {"brake", "coast", NULL};
static const char *const models[] = {"rolling", "friction_circle", "bristle", NULL};

// --------------------------------------------------------------------------------------- one wheel

#define WHEEL(key, type, unit, fallback, min, max, detail, field, sentence)                        \
    IB_ROW(key, type, unit, fallback, min, max, detail, ib_HolonomicWheel, layout.field, sentence)

static const ib_Param wheel_params[] = {
    WHEEL("x", IB_PARAM_NUMBER, "m", NULL, -100, 100, NULL, x,
          "where it stands, forward of the robot's middle"),
    WHEEL("y", IB_PARAM_NUMBER, "m", NULL, -100, 100, NULL, y,
          "where it stands, to the left of the robot's middle"),
    WHEEL("direction", IB_PARAM_NUMBER, "rad", NULL, -10, 10, NULL, direction,
          "in which it rolls for a positive output, counter-clockwise from the robot's front"),
    WHEEL("roller", IB_PARAM_LIMIT, "rad", "none", -10, 10, "none", roller,
          "in which its rim slides freely, counter-clockwise from the direction in which it rolls; "
          "none: it grips both ways"),
    WHEEL("diameter", IB_PARAM_NUMBER, "m", "4 in", 1e-3, 10, NULL, diameter,
          "diameter of the wheel"),
    WHEEL("rim", IB_PARAM_COUNT, "1", "0", 0, 100, NULL, rim,
          "wheels with one number turn together, on the same motors; 0: it turns by itself"),
};

static const ib_Schema wheel_schema = IB_SCHEMA(wheel_params);
static const ib_NamedDef wheel_list = {
    .items = &wheel_schema,
    .offset = offsetof(Config, wheels) - offsetof(Config, wheel_count),
    .size = sizeof(ib_HolonomicWheel),
    .most = IB_LAYOUT_WHEELS,
    .listed = true,
};

// -------------------------------------------------------------------------------------- parameters

static const ib_Param params[] = {
    IB_LIVE_ROW("mass", "kg", "10 kg", 1e-3, 1e4, mass, "mass of the robot"),
    IB_LIVE_ROW("inertia", "kg*m^2", "0 kg*m^2", 0, 1e6, inertia,
                "moment of inertia about the middle; 0: that of a plate length by width"),
    IB_NUMBER_ROW("length", "m", "18 in", 1e-3, 100, length,
                  "length from bumper to bumper, front to back"),
    IB_NUMBER_ROW("width", "m", "18 in", 1e-3, 100, width,
                  "width from bumper to bumper, left to right"),

    IB_DRIVE_MOTOR_ROWS(Config),
    IB_ROW("drive.motors", IB_PARAM_COUNT, "1", "1", 1, 100, NULL, Config, drive.motors_per_side,
           "number of motors that drive each rim"),
    IB_LIVE_ROW("drive.reduction", "1", "10.71", 1e-3, 1e6, drive.reduction,
                "gear reduction: motor speed over wheel speed"),
    IB_LIVE_ROW("drive.efficiency", "1", "1", 1e-3, 1, drive.efficiency,
                "efficiency of the gears; 1: they lose nothing"),
    IB_CHOICE_OF("drive.loss", "viscous", ib_motor_losses, Config, loss,
                 "law of the loss torque inside a motor, whose size is from its free current"),
    IB_DRIVE_LIMIT_ROWS(Config),
    IB_NUMBER_ROW("drive.rotor_inertia", "kg*m^2", "0 kg*m^2", 0, 1e3, drive.rotor_inertia,
                  "moment of inertia of one motor's rotor"),
    IB_CHOICE_OF("drive.neutral", "brake", neutrals, Config, coasts,
                 "what a motor does at output 0"),

    IB_CHOICE_OF("wheels.model", "friction_circle", models, Config, model,
                 "law of the wheels: no slip at all, slip at each wheel, with bristles"),
    IB_DRIVE_GRIP_ROWS(Config, tyre),
    IB_NUMBER_ROW(
        "wheels.roller_friction", "1", "0", 0, 1, roller_friction,
        "friction along the direction in which rollers slide: at most this share c of mu; below "
        "slip_speed/c it is viscous, c^2 mu/slip_speed times the speed"),
    IB_NUMBER_ROW("wheels.inertia", "kg*m^2", "0.0005 kg*m^2", 0, 1e3, wheel_inertia,
                  "moment of inertia of one wheel; G^2 rotor_inertia is added for each motor"),
    IB_DRIVE_LOAD_ROWS(Config, tyre, com_height),
    IB_DRIVE_BRISTLE_ROWS(Config, tyre),
    IB_ROW(
        "wheels.at", IB_PARAM_NAMED, "1", NULL, 0, IB_LAYOUT_WHEELS, &wheel_list, Config,
        wheel_count,
        "the wheels: where each stands, how it rolls and slides; motors are counted alike; without "
        "it four omni wheels across the corners, an X-drive"),

    IB_CHOICE_OF(
        "mixing", "standard", ib_mixing_laws, Config, mixing.law,
        "how the stick becomes outputs of the motors: by the wheels' places, or as the team's "
        "paper has it for an X-drive, as printed or corrected"),
    IB_NUMBER_ROW("stick.dead_zone", "1", "0", 0, 0.9, mixing.dead_zone,
                  "a stick that is nearer to its middle counts as let go"),
    IB_CHOICE_OF("stick.curve", "linear", ib_stick_curves, Config, mixing.curve,
                 "how the stick's way becomes a wish: as it is, squared or cubed"),

    IB_OUTFIT_ROWS(Config),
    IB_BUMPER_ROWS(Config, "the bumpers", true),
};

static const ib_Param start[] = {IB_PLANAR_START_ROWS(offsetof(Config, planar))};

// The laws of the wheels that use a key; a key that is not listed always has an effect.
enum {
    BRISTLE = 1 << IB_RIMS_BRISTLE,
    SLIPPING = 1 << IB_RIMS_CIRCLE | BRISTLE,
};

static const struct {
    const char *key;
    int laws;
} asked_by[] = {
    {"wheels.mu", SLIPPING},
    {"wheels.roller_friction", SLIPPING},
    {"wheels.com_height", SLIPPING},
    {"wheels.mu_static", BRISTLE},
    {"wheels.bristle_deflection", BRISTLE},
    {"wheels.bristle_relax", BRISTLE},
};

static const char *idle(const void *config_, const char *key)
{
    const Config *config = config_;
    if (config->equipment.tilts && strcmp(key, "wheels.com_height") == 0)
        return NULL; // it may lift
    for (int i = 0; i < (int)(sizeof asked_by / sizeof *asked_by); i++)
        if (strcmp(key, asked_by[i].key) == 0 && !(asked_by[i].laws & 1 << config->model))
            return "wheels.model";
    if (strcmp(key, "drive.motor.rotor_inertia") == 0) return key;
    bool resists = config->tyre.rolling_resistance > 0;
    if (strcmp(key, "wheels.slip_speed") == 0 && config->model == IB_RIMS_ROLLING && !resists)
        return "wheels.model";
    return ib_power_idle(&config->equipment.power, key);
}

// -------------------------------------------------------------------------------------------- kind

const ib_RobotKind ib_holonomic_kind = {
    .name = "holonomic",
    .sentence = "a base on any driven wheels, given as a table: X-drive, mecanum, kiwi, H-drive",
    .docs = "docs/robot/holonomic.md",
    IB_ROBOT_TABLES(Config, ib_HolonomicModel),
    .params.idle = idle,
    .params.presets = "holonomics",
    .signals = &ib__holonomic_signals,
    .carries_equipment = true,
    .check = ib__holonomic_check,
    .build = ib__holonomic_build,
    .locomotion = ib__holonomic_locomotion,
    .errata = ib_holonomic_errata,
};
