// plant/electric/drivetrain.c: set-up of the drivetrain. The formulas are in the header.
#include "plant/electric/drivetrain.h"

#include <float.h>

ib_DrivetrainConfig ib_drivetrain_default(void)
{
    return (ib_DrivetrainConfig){
        .motors_per_side = 2,
        .reduction = 10.71,
        .reduction_high = 0.0,
        .wheel_diameter = 0.1524,
        .efficiency = 1.0,
        .rotor_inertia = 7.75e-5,
        .wheel_inertia = 0.003,
    };
}

static int positive(double value)
{
    return value > 0.0 && value <= DBL_MAX;
}

ib_Status ib_drivetrain_check(const ib_DrivetrainConfig *c, ib_Error *error)
{
    if (c->motors_per_side < 1)
        return ib_error_set(error, IB_BAD_INPUT, "motors_per_side: expected at least 1, got %d",
                            c->motors_per_side);
    if (!positive(c->reduction))
        return ib_error_set(error, IB_BAD_INPUT,
                            "reduction: expected motor speed over wheel speed, above 0, got %g",
                            c->reduction);
    if (c->reduction_high != 0.0 && !positive(c->reduction_high))
        return ib_error_set(error, IB_BAD_INPUT,
                            "reduction_high: expected above 0, or 0 for one gear, got %g",
                            c->reduction_high);
    if (!positive(c->wheel_diameter))
        return ib_error_set(error, IB_BAD_INPUT, "wheel_diameter: expected above 0, got %g",
                            c->wheel_diameter);
    if (!positive(c->efficiency) || c->efficiency > 1.0)
        return ib_error_set(error, IB_BAD_INPUT,
                            "efficiency: expected above 0 and at most 1, got %g", c->efficiency);
    if (!(c->rotor_inertia >= 0.0 && c->rotor_inertia <= DBL_MAX))
        return ib_error_set(error, IB_BAD_INPUT, "rotor_inertia: expected 0 or more, got %g",
                            c->rotor_inertia);
    if (!(c->wheel_inertia >= 0.0 && c->wheel_inertia <= DBL_MAX))
        return ib_error_set(error, IB_BAD_INPUT, "wheel_inertia: expected 0 or more, got %g",
                            c->wheel_inertia);
    return IB_OK;
}

void ib_drivetrain_init(const ib_DrivetrainConfig *config, ib_DrivetrainModel *model)
{
    IB_ASSERT(config->reduction > 0.0 && config->wheel_diameter > 0.0 && config->efficiency > 0.0);
    model->motors = config->motors_per_side;
    model->reduction[0] = config->reduction;
    model->reduction[1] = config->reduction_high > 0.0 ? config->reduction_high : config->reduction;
    model->radius = 0.5 * config->wheel_diameter;
    model->per_radius = 1.0 / model->radius;
    model->rotor_inertia = config->rotor_inertia;
    model->wheel_inertia = config->wheel_inertia;
    for (int i = 0; i < IB_GEARS; i++) {
        double G = model->reduction[i];
        model->inertia[i] = model->wheel_inertia + model->motors * G * G * model->rotor_inertia;
        model->per_inertia[i] = 1.0 / model->inertia[i];
    }
}
