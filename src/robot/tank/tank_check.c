// robot/tank/tank_check.c: checks of a tank's parameters beyond ranges.
#include "base/extreme.h"
#include "robot/tank/tank.h"

#include <string.h>

int ib__tank_shifter(const ib_TankConfig *config)
{
    if (!config->equipment.air.on || config->shift_by != IB_SHIFT_CYLINDER) return -1;
    for (int i = 0; i < config->equipment.air.cylinder_count; i++)
        if (strcmp(config->equipment.air.cylinders[i].name, "shifter") == 0) return i;
    return -1;
}

static ib_Status check_gears(const ib_TankConfig *config, ib_Error *error)
{
    if (config->shift_by != IB_SHIFT_CYLINDER) return IB_OK;
    if (config->drive.reduction_high <= 0)
        return ib_error_set(error, IB_BAD_INPUT,
                            "drive.shift_by: cylinder needs a second gear: give "
                            "drive.reduction_high");
    if (ib__tank_shifter(config) < 0)
        return ib_error_set(error, IB_BAD_INPUT,
                            "drive.shift_by: cylinder needs a cylinder named 'shifter' among "
                            "air.cylinders");
    return IB_OK;
}

// A tall robot on sticky wheels tips over before they slide, which this model cannot show.
static ib_Status check_tipping(const ib_TankConfig *config, ib_Error *error)
{
    const ib_WheelConfig *w = &config->wheels;
    double slides = w->tyre.mu, holds = w->tyre.mu_static;
    double mu = w->model == IB_WHEEL_BRISTLE ? ib_max(holds, slides) : slides;
    double base = ib_min(w->contact_half_length, config->half_track);
    if (w->model < IB_WHEEL_FRICTION_CIRCLE || !(mu * w->com_height > 1.2 * base)) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT,
                        "wheels.com_height: at %.3g m the robot would tip over before its wheels "
                        "slide, which this model cannot show: expected at most %.3g m (the shorter "
                        "of contact_half_length and half_track, over mu), or 0 m: loads then stay "
                        "where they are",
                        w->com_height, base / mu);
}

ib_Status ib__tank_check(const void *config_, ib_Error *error)
{
    const ib_TankConfig *config = config_;
    ib_Status status = ib_error_under("drive.motor.", ib_motor_check(&config->motor, error), error);
    if (status == IB_OK)
        status = ib_error_under("drive.thermal.", ib_thermal_check(&config->thermal, error), error);
    if (status == IB_OK)
        status = ib_error_under("drive.", ib_drivetrain_check(&config->drive, error), error);
    if (status == IB_OK)
        status = ib_error_under("wheels.", ib_wheel_check(&config->wheels, error), error);
    if (status == IB_OK) status = ib_power_check(&config->equipment.power, error);
    if (status == IB_OK && config->equipment.air.on)
        status = ib_error_under("air.", ib_air_check(&config->equipment.air, error), error);
    if (status != IB_OK) return status;
    if (config->equations == IB_TANK_PUBLISHED && config->equipment.mechanisms.count > 0)
        return ib_error_set(error, IB_BAD_INPUT,
                            "mechanisms: these equations of the tank know no bus that mechanisms "
                            "could share: expected equations: corrected");
    bool slips =
        config->equations == IB_TANK_CORRECTED && config->wheels.model >= IB_WHEEL_FRICTION_CIRCLE;
    if (slips && !(config->wheels.inertia_per_side > 0 || config->drive.rotor_inertia > 0))
        return ib_error_set(error, IB_BAD_INPUT,
                            "wheels.inertia_per_side: wheels that slip need an inertia: expected "
                            "more than 0 kg*m^2, or a drive.rotor_inertia");
    status = check_tipping(config, error);
    return status == IB_OK ? check_gears(config, error) : status;
}
