// robot/holonomic/holonomic_check.c: checks of a holonomic base beyond ranges: wheels that can
// carry and drive it.
#include "base/extreme.h"
#include "base/maths.h"
#include "robot/holonomic/holonomic.h"

#include <math.h>

// ------------------------------------------------------------------------------------------ checks

// Four omni wheels across the corners, front right first and then to the left: an X-drive.
static void cross_corners(const ib_HolonomicConfig *config, ib_LayoutConfig *layout)
{
    static const double quarter = M_PI / 4, omni = M_PI / 2, wheel = 0.1016; // 4 in
    double x = 0.39 * config->length, y = 0.39 * config->width;
    *layout = (ib_LayoutConfig){4,
                                {{x, -y, quarter, omni, wheel, 0},
                                 {x, y, 3 * quarter, omni, wheel, 0},
                                 {-x, y, 5 * quarter, omni, wheel, 0},
                                 {-x, -y, 7 * quarter, omni, wheel, 0}}};
}

void ib_holonomic_layout(const ib_HolonomicConfig *config, ib_LayoutConfig *layout)
{
    if (config->wheel_count == 0) {
        cross_corners(config, layout);
        return;
    }
    layout->count = config->wheel_count;
    for (int i = 0; i < config->wheel_count; i++) layout->wheels[i] = config->wheels[i].layout;
}

// A tall robot on sticky wheels tips over before they slide, which this model cannot show. Its
// wheels stand around the middle: the nearest edge of their outline is found by directions.
static double narrowest(const ib_LayoutConfig *layout)
{
    double least = INFINITY;
    for (int k = 0; k < 360; k++) {
        double c, s, farthest = 0;
        ib_sincos(k * (M_PI / 180), &s, &c);
        for (int i = 0; i < layout->count; i++)
            farthest = ib_max(farthest, layout->wheels[i].x * c + layout->wheels[i].y * s);
        least = ib_min(least, farthest);
    }
    return least;
}

static ib_Status check_tipping(const ib_HolonomicConfig *config, const ib_LayoutConfig *layout,
                               ib_Error *error)
{
    const ib_TyreConfig *t = &config->tyre;
    double mu = config->model == IB_RIMS_BRISTLE && t->mu_static > t->mu ? t->mu_static : t->mu;
    double base = narrowest(layout);
    if (config->model == IB_RIMS_ROLLING || !(mu * config->com_height > 1.2 * base)) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT,
                        "wheels.com_height: at %.3g m the robot would tip over before its wheels "
                        "slide, which this model cannot show: expected at most %.3g m (how far its "
                        "wheels stand from the middle, over mu)",
                        config->com_height, base / mu);
}

// The middle, where the mass is, must be among the wheels: seen from there, no two neighbours are
// more than half a turn apart.
static ib_Status check_standing(const ib_LayoutConfig *layout, ib_Error *error)
{
    for (int i = 0; i < layout->count; i++) {
        const ib_LayoutWheel *own = &layout->wheels[i];
        double gap = 2 * M_PI;
        if (own->x == 0 && own->y == 0) return IB_OK;
        for (int k = 0; k < layout->count; k++) {
            const ib_LayoutWheel *other = &layout->wheels[k];
            double along = own->x * other->x + own->y * other->y;
            double angle = ib_atan2(own->x * other->y - own->y * other->x, along);
            if (angle < -1e-9) angle += 2 * M_PI;
            if (angle > 1e-9) gap = ib_min(gap, angle);
        }
        if (gap > M_PI + 1e-6)
            return ib_error_set(error, IB_BAD_INPUT,
                                "wheels.at: the robot's middle, where its mass is, lies outside "
                                "the wheels: it would tip over: expected wheels around x = 0 m, "
                                "y = 0 m");
    }
    return IB_OK;
}

static ib_Status check_wheels(const ib_HolonomicConfig *config, ib_Error *error)
{
    bool rolling = config->model == IB_RIMS_ROLLING;
    ib_LayoutConfig layout;
    ib_holonomic_layout(config, &layout);
    ib_Status status = ib_error_under("wheels.at", ib_layout_check(&layout, false, error), error);
    if (status == IB_OK)
        status = ib_error_under("wheels.model", ib_layout_check(&layout, rolling, error), error);
    if (status == IB_OK) status = check_standing(&layout, error);
    if (status == IB_OK)
        status = ib_error_under("wheels.", ib_tyre_check(&config->tyre, error), error);
    if (status != IB_OK) return status;
    if (!rolling && !(config->wheel_inertia > 0 || config->drive.rotor_inertia > 0))
        return ib_error_set(error, IB_BAD_INPUT,
                            "wheels.inertia: wheels that slip need an inertia: expected more than "
                            "0 kg*m^2, or a drive.rotor_inertia");
    return check_tipping(config, &layout, error);
}

ib_Status ib__holonomic_check(const void *config_, ib_Error *error)
{
    const ib_HolonomicConfig *config = config_;
    ib_DrivetrainConfig drive = config->drive;
    drive.wheel_diameter = 1;
    ib_Status status = ib_error_under("drive.motor.", ib_motor_check(&config->motor, error), error);
    if (status == IB_OK)
        status = ib_error_under("drive.thermal.", ib_thermal_check(&config->thermal, error), error);
    if (status == IB_OK)
        status = ib_error_under("drive.", ib_drivetrain_check(&drive, error), error);
    if (status == IB_OK) status = ib_power_check(&config->equipment.power, error);
    return status == IB_OK ? check_wheels(config, error) : status;
}
