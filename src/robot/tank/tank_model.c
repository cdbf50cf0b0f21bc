// robot/tank/tank_model.c: from what was written to what is computed with:
// checks, constants, layout.
#include "base/extreme.h"
#include "robot/tank/tank_inside.h"

#include <math.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ checks

// Puts the key in front of what a part said.
static ib_Status within(const char *key, ib_Status status, const ib_Error *part, ib_Error *error)
{
    if (status == IB_OK) return IB_OK;
    return ib_error_set(error, status, "%s%.900s", key, part->text);
}

static int find_shifter(const ib_TankConfig *config)
{
    if (!config->outfit.air.on || config->shift_by != IB_SHIFT_CYLINDER) return -1;
    for (int i = 0; i < config->outfit.air.cylinder_count; i++)
        if (strcmp(config->outfit.air.cylinders[i].name, "shifter") == 0) return i;
    return -1;
}

static ib_Status check_gears(const ib_TankConfig *config, ib_Error *error)
{
    if (config->shift_by != IB_SHIFT_CYLINDER) return IB_OK;
    if (config->drive.reduction_high <= 0)
        return ib_error_set(error, IB_BAD_INPUT,
                            "drive.shift_by: cylinder needs a second gear: give "
                            "drive.reduction_high");
    if (find_shifter(config) < 0)
        return ib_error_set(error, IB_BAD_INPUT,
                            "drive.shift_by: cylinder needs a cylinder named 'shifter' among "
                            "air.cylinders");
    return IB_OK;
}

// A tall robot on sticky wheels tips over before they slide, which this model cannot show.
static ib_Status check_tipping(const ib_TankConfig *config, ib_Error *error)
{
    const ib_WheelConfig *w = &config->wheels;
    double mu = w->model == IB_WHEEL_BRISTLE && w->mu_static > w->mu ? w->mu_static : w->mu;
    double base = ib_min(w->contact_half_length, config->half_track);
    if (w->model < IB_WHEEL_FRICTION_CIRCLE || !(mu * w->com_height > 1.2 * base)) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT,
                        "wheels.com_height: at %.3g m the robot would tip over before its wheels "
                        "slide, which this model cannot show: expected at most %.3g m (the shorter "
                        "of contact_half_length and half_track, over mu)",
                        w->com_height, base / mu);
}

ib_Status ib__tank_check(const void *config_, ib_Error *error)
{
    const ib_TankConfig *config = config_;
    ib_Error part;
    ib_Status status = within("drive.motor.", ib_motor_check(&config->motor, &part), &part, error);
    if (status == IB_OK)
        status = within("drive.thermal.", ib_thermal_check(&config->thermal, &part), &part, error);
    if (status == IB_OK)
        status = within("drive.", ib_drivetrain_check(&config->drive, &part), &part, error);
    if (status == IB_OK)
        status = within("wheels.", ib_wheel_check(&config->wheels, &part), &part, error);
    if (status == IB_OK) status = ib_power_check(&config->outfit.power, error);
    if (status == IB_OK && config->outfit.air.on)
        status = within("air.", ib_air_check(&config->outfit.air, &part), &part, error);
    if (status != IB_OK) return status;
    bool slips =
        config->equations == IB_TANK_CORRECTED && config->wheels.model >= IB_WHEEL_FRICTION_CIRCLE;
    if (slips && !(config->wheels.inertia_per_side > 0 || config->drive.rotor_inertia > 0))
        return ib_error_set(error, IB_BAD_INPUT,
                            "wheels.inertia_per_side: wheels that slip need an inertia: expected "
                            "more than 0 kg*m^2, or a drive.rotor_inertia");
    status = check_tipping(config, error);
    return status == IB_OK ? check_gears(config, error) : status;
}

// ------------------------------------------------------------------------------------------ layout

static void lay_out(const ib_TankConfig *config, ib_TankModel *t)
{
    bool full = !t->published; // the document knows air and inductance, and none of the rest
    bool payload = full && config->payload_on;
    ib_PowerConfig none = {0};
    const ib_PowerConfig *wanted = full ? &config->outfit.power : &none;
    int *end = &t->state_count, *guard = &t->guard_count;
    *end = IB_TANK_FIXED;
    *guard = 0;
    t->wheel_state = ib_power_take(end, 2, full && t->wheels >= IB_WHEEL_FRICTION_CIRCLE);
    t->current_state = ib_power_take(end, 2, t->current != IB_CURRENT_QUASI_STATIC);
    t->bristle_state = ib_power_take(end, IB_BRISTLE_STATES, full && t->wheels == IB_WHEEL_BRISTLE);
    t->power.books = ib__tank_books;
    ib_power_lay_out(wanted, &t->power, end, guard);
    for (int i = 0; i < 2; i++) ib_power_branch(wanted, &t->power, end, guard);
    t->gear_state = ib_power_take(end, 1, full && config->drive.reduction_high > 0);
    t->payload_state = ib_power_take(end, IB__LOAD_STATES, payload);
    t->air_state = ib_power_take(end, 1 + ib_air_state_count(&t->air), config->outfit.air.on);
    if (full) ib_thermal_lay_out(&config->thermal, 2, t->drive.motors, &t->thermal, end);
    t->shift_guard = ib_power_take(guard, 1, t->gear_state >= 0 && t->shifter >= 0);
    t->air_guard = ib_power_take(guard, ib_air_margin_count(&t->air), config->outfit.air.on);
}

// ----------------------------------------------------------------------------------------- derived

static void init_parts(const ib_TankConfig *config, ib_TankModel *t)
{
    ib_DrivetrainConfig drive = config->drive;
    drive.wheel_inertia = config->wheels.inertia_per_side;
    ib_motor_init(&config->motor, config->loss, &t->motor);
    ib_thermal_init(&config->thermal, &t->thermal);
    ib_drivetrain_init(&drive, &t->drive);
    ib_wheel_init(&config->wheels, config->half_track, &t->wheel);
    ib_power_init(&config->outfit.power, &t->power);
    if (config->outfit.air.on) {
        ib_AirConfig air = config->outfit.air;
        air.published = t->published;
        ib_air_init(&air, &t->air);
    }
}

// What the bus cannot fall below: see is_far in robot/tank/tank_modes.c. Up to the compressor's low
// curve its current is within the table.
static void init_bounds(const ib_TankConfig *config, ib_TankModel *t)
{
    t->most_current = t->power.background;
    t->far_voltage =
        config->outfit.power.brownout_on ? t->power.brownout.droop + IB__BROWNOUT_FAR : INFINITY;
    if (!config->outfit.air.on) return;
    t->most_current += t->air.compressor.current_most;
    if (t->far_voltage > t->air.compressor.low) t->far_voltage = INFINITY;
}

void ib_tank_init(const ib_TankConfig *config, ib_TankModel *t)
{
    memset(t, 0, sizeof *t);
    double plate = ib_drivetrain_plate_inertia(config->mass, config->length, config->half_track);
    t->published = config->equations == IB_TANK_PUBLISHED;
    t->base.mass = config->mass + config->outfit.carried;
    t->base.inertia =
        (config->inertia > 0 ? config->inertia : plate) + config->outfit.carried_inertia;
    ib_planar_init(ib__tank_roles, IB_TANK_FIXED, t->base.mass, t->base.inertia, &t->planar);
    t->half_track = config->half_track;
    t->inductance = config->inductance;
    t->period = config->period;
    t->current_limit = config->current_limit;
    t->supply_limit = config->supply_limit;
    t->limited = config->current_limit < INFINITY || config->supply_limit < INFINITY;
    t->response = config->payload_response;
    t->payload = config->payload_on ? ib_max(config->payload_mass, config->payload_most) : 0;
    t->wheels = config->wheels.model;
    t->rolls = config->wheels.rolling_resistance > 0;
    t->current = config->current;
    t->coasts = config->neutral == IB_NEUTRAL_COAST;
    t->shifter = find_shifter(config);
    t->lossless = config->drive.efficiency == 1;
    init_parts(config, t);
    init_bounds(config, t);
    lay_out(config, t);
    t->planar.varies = t->payload_state >= 0; // what it carries may move
    bool plain = !t->published && t->current_state < 0 && !t->limited && t->motor.coulomb == 0 &&
                 !ib_thermal_on(&t->thermal);
    bool bare = plain && t->state_count == IB_TANK_FIXED && !t->coasts && !t->rolls;
    t->level = bare ? IB__BARE : plain ? IB__PLAIN : IB__ANY;
}

// Motors that are geared to the floor brake the body within
//   tau = M R r^2/(2 N G^2 Kt Ke), turning with I/W^2 in the place of M              [reference B7]
// and side friction within M/K. Half of the shortest is followed to 1e-5 of a transient.
static double geared_resolution(const ib_TankModel *t)
{
    double G = ib_max(t->drive.reduction[0], t->drive.reduction[1]) * t->drive.per_radius;
    double brake = 2 * t->drive.motors * G * G * t->motor.Kt * t->motor.Ke * t->motor.per_R;
    double least = ib_min(t->base.mass, t->base.inertia / (t->half_track * t->half_track));
    double tau = least / brake;
    double side = t->wheel.config.side_friction;
    if (t->wheels == IB_WHEEL_VISCOUS && side > 0) tau = ib_min(tau, t->base.mass / side);
    return 0.5 * tau;
}

// The longest step with which RK4 follows the fastest part: the windings with the battery behind
// them, tau = L/(R + 2 N Rb), the patches, the air.
double ib__tank_resolution(const ib_TankModel *t)
{
    if (t->published || t->current == IB_CURRENT_EXPLICIT) return 0;
    double E = t->power.battery.open_circuit;
    double shortest = ib_thermal_resolution(&t->thermal, E * E * t->motor.per_R);
    if (t->current == IB_CURRENT_IMPLICIT) {
        double R = t->motor.R + 2 * t->drive.motors * t->power.battery.resistance;
        shortest = ib_min(shortest, t->inductance / R / 8);
    }
    if (t->wheel_state >= 0) {
        double least = ib_min(t->drive.inertia[0], t->drive.inertia[1]);
        double mass = t->base.mass + t->payload;
        ib_WheelCarried carried = {t->base.mass, t->base.inertia, mass * 9.80665, least,
                                   t->drive.radius};
        double own = ib_wheel_resolution(&t->wheel, &carried);
        if (own > 0) shortest = ib_min(shortest, own);
        // The motors brake their own wheels: N G^2 Kt Ke/(R J).
        double G = ib_max(t->drive.reduction[0], t->drive.reduction[1]);
        double brake = t->drive.motors * G * G * t->motor.Kt * t->motor.Ke * t->motor.per_R / least;
        shortest = ib_min(shortest, 1 / brake);
    }
    if (t->air_state >= 0) {
        double own = ib_air_resolution(&t->air);
        if (own > 0) shortest = ib_min(shortest, own);
    }
    if (t->payload_state >= 0) shortest = ib_min(shortest, t->response / 4);
    if (t->wheel_state < 0) shortest = ib_min(shortest, geared_resolution(t));
    return shortest < INFINITY ? shortest : 0;
}
