#include "plant/electric/motor.h"

#include "base/extreme.h"

#include <math.h>
#include <stdio.h>

const char *const ib_motor_losses[] = {"none", "viscous", "coulomb", NULL};
const char *const ib_motor_torque_constants[] = {"balanced", "data_sheet", NULL};

static double make_remark(const void *part, bool chosen, char *text, size_t size);
static const char *const remark_keys[] = {"voltage",    "stall_torque", "stall_current",
                                          "free_speed", "free_current", "torque_constant",
                                          NULL};
static const ib_RemarkDef remark = {remark_keys, "torque_constant", make_remark};
const ib_PresetDef ib_motor_presets = {.file = "motors", .remark = &remark};

ib_Status ib_motor_check(const ib_MotorConfig *config, ib_Error *error)
{
    if (!(config->free_current < config->stall_current))
        return ib_error_set(error, IB_BAD_INPUT,
                            "free_current: must be below stall_current (%g A), got %g A",
                            config->stall_current, config->free_current);
    return IB_OK;
}

// ------------------------------------------------------------------------------------- Kt above Ke

// Ke by the voltages of the free point:  V = R If + Ke wf
static double back_emf(const ib_MotorConfig *config)
{
    double R = config->voltage / config->stall_current;
    return (config->voltage - config->free_current * R) / config->free_speed;
}

double ib_motor_excess(const ib_MotorConfig *config)
{
    // Figures of three digits are off by half a percent at most, and two of them make Kt.
    static const double rounding = 1.01;
    double ratio = config->stall_torque / config->stall_current / back_emf(config);
    return ratio > rounding ? ratio : 0;
}

// A free speed in rad/s that was meant in rpm makes Kt 9.5 times as large; no motor that was
// measured is near.
static void ask_for_unit(const ib_MotorConfig *config, double excess, char *text, size_t size)
{
    static const double suspect = 3, rpm = 9.549296585513721;
    text[0] = '\0';
    if (excess < suspect) return;
    snprintf(text, size, "; is free_speed = %.5g rad/s = %.5g rpm meant?", config->free_speed,
             config->free_speed * rpm);
}

// A file with the choice to balance needs no warning.
static double make_remark(const void *part, bool chosen, char *text, size_t size)
{
    const ib_MotorConfig *config = part;
    double excess = ib_motor_excess(config), Ke = back_emf(config);
    bool balanced = config->torque_constant == IB_TORQUE_BALANCED;
    char unit[120];
    if (excess == 0 || (balanced && chosen)) return 0;
    ask_for_unit(config, excess, unit, sizeof unit);
    if (balanced)
        snprintf(
            text, size,
            "Kt (stall torque over stall current) is %.4g Ke, which would make energy: Kt = Ke "
            "= %.4g N*m/A is taken, stall torque %.4g N*m for %.4g N*m%s",
            excess, Ke, Ke * config->stall_current, config->stall_torque,
            unit[0] ? unit
                    : " (write torque_constant: balanced if that is meant, data_sheet to "
                      "take it as it is)");
    else
        snprintf(text, size,
                 "Kt (stall torque over stall current) is %.4g Ke, Ke = %.4g V*s/rad, and makes "
                 "energy from nothing (torque_constant: data_sheet)%s",
                 excess, Ke, unit);
    return excess;
}

// --------------------------------------------------------------------------------------- the model

// Constants from the two points of the data sheet, (stall torque, stall current, no speed) and (no
// torque, free current, free speed):                                [RoboSim 4.2b, 4.2d;
// reference B3]
//   R = V/Is,   Kt = Ts/Is,   Ke = (V - If R)/wf
// The loss that takes the free current's torque at the free speed:
//   viscous b = Kt If / wf,   Coulomb T0 = Kt If
// With Kt > Ke, the machine would give w Kt I for an input of w Ke I: Kt = Ke is its upper bound.
// R, Ke and the free point stay, the stall torque becomes Ke Is.
void ib_motor_init(const ib_MotorConfig *config, int loss, ib_MotorModel *motor)
{
    IB_ASSERT(loss >= IB_LOSS_NONE && loss <= IB_LOSS_COULOMB);
    motor->R = config->voltage / config->stall_current;
    motor->per_R = config->stall_current / config->voltage;
    motor->Kt = config->stall_torque / config->stall_current;
    motor->Ke = back_emf(config);
    if (config->torque_constant == IB_TORQUE_BALANCED) motor->Kt = ib_min(motor->Kt, motor->Ke);
    double lost = motor->Kt * config->free_current;
    motor->viscous = loss == IB_LOSS_VISCOUS ? lost / config->free_speed : 0.0;
    motor->coulomb = loss == IB_LOSS_COULOMB ? lost : 0.0;
}
