#include "plant/motor.h"

const char *const ib_motor_losses[] = {"none", "viscous", "coulomb", NULL};
const ib_PresetDef ib_motor_presets = {"motors", false};

ib_Status ib_motor_check(const ib_MotorConfig *config, ib_Error *error)
{
    const struct {
        const char *key, *unit;
        double value;
    } positive[] = {
        {"voltage", "V", config->voltage},
        {"stall_torque", "N*m", config->stall_torque},
        {"stall_current", "A", config->stall_current},
        {"free_speed", "rad/s", config->free_speed},
    };
    for (int i = 0; i < (int)(sizeof positive / sizeof *positive); i++) {
        if (!(positive[i].value > 0 && positive[i].value <= DBL_MAX))
            return ib_error_set(error, IB_BAD_INPUT, "%s: must be above 0 %s, got %g %s",
                                positive[i].key, positive[i].unit, positive[i].value,
                                positive[i].unit);
    }
    if (!(config->free_current >= 0))
        return ib_error_set(error, IB_BAD_INPUT, "free_current: must be at least 0 A, got %g A",
                            config->free_current);
    if (!(config->free_current < config->stall_current))
        return ib_error_set(error, IB_BAD_INPUT,
                            "free_current: must be below stall_current (%g A), got %g A",
                            config->stall_current, config->free_current);
    return IB_OK;
}

// From the two points of the data sheet, (stall torque, stall current, no speed) and (no torque,
// free current, free speed):                                [RoboSim 4.2b, 4.2d; reference B3]
//   R = V/Is,   Kt = Ts/Is,   Ke = (V - If R)/wf
// The loss that takes the free current's torque at the free speed:
//   viscous b = Kt If / wf,   Coulomb T0 = Kt If
void ib_motor_init(const ib_MotorConfig *config, int loss, ib_MotorModel *motor)
{
    IB_ASSERT(loss >= IB_LOSS_NONE && loss <= IB_LOSS_COULOMB);
    motor->R = config->voltage / config->stall_current;
    motor->per_R = config->stall_current / config->voltage;
    motor->Kt = config->stall_torque / config->stall_current;
    motor->Ke = (config->voltage - config->free_current * motor->R) / config->free_speed;
    double lost = motor->Kt * config->free_current;
    motor->viscous = loss == IB_LOSS_VISCOUS ? lost / config->free_speed : 0.0;
    motor->coulomb = loss == IB_LOSS_COULOMB ? lost : 0.0;
}
