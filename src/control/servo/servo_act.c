// control/servo/servo_act.c: a servo whose output is a function of the instant alone: sliding_mode,
// impedance. docs/control/servo.md
#include "control/servo/servo.h"

#include <string.h>

enum { SHOWN = IB_SERVO_STATES };        ///< behind the servo's states: the last values
enum { GOAL, REFERENCE, ERROR, VALUES }; ///< signals

static const ib_ServoModel *servo_of(const void *model)
{
    return model;
}

void ib_servo_act_reset(const void *model, double *state)
{
    memset(state, 0, (size_t)(SHOWN + servo_of(model)->values) * sizeof *state);
}

ib_ControlStatus ib_servo_act_step(const void *model, const ib_ControlTick *tick, double *state,
                                   double *output)
{
    const ib_ServoModel *servo = model;
    ib_ServoPoint at;
    ib_servo_sample(servo, tick, state, &at);
    servo->act(model, &at, state + SHOWN);
    output[0] = state[SHOWN + servo->values - 1];
    return IB_CONTROL_OK;
}

void ib_servo_act_show(const void *model, const double *command, const double *state,
                       double *signals)
{
    signals[GOAL] = command[0];
    signals[REFERENCE] = state[IB_SERVO_REFERENCE];
    signals[ERROR] = state[IB_SERVO_REFERENCE] - state[IB_SERVO_MEASURED];
    memcpy(signals + VALUES, state + SHOWN, (size_t)servo_of(model)->values * sizeof *signals);
}

void ib_servo_act_law(const void *model, const ib_ControlInstant *now, const double *state,
                      double *output, double *rate)
{
    const ib_ServoModel *servo = model;
    ib_ServoPoint at;
    double values[IB_SERVO_VALUES];
    ib_servo_now(servo, now, state, &at);
    ib_servo_rate(servo, &at, rate);
    servo->act(model, &at, values);
    output[0] = values[servo->values - 1];
}

void ib_servo_act_start(const void *model, const ib_ControlInstant *now, double *state)
{
    ib_servo_start(model, now, state);
}

void ib_servo_act_law_show(const void *model, const ib_ControlInstant *now, const double *state,
                           double *signals)
{
    const ib_ServoModel *servo = model;
    ib_ServoPoint at;
    ib_servo_now(servo, now, state, &at);
    signals[GOAL] = now->command[0];
    signals[REFERENCE] = at.wanted[0];
    signals[ERROR] = at.wanted[0] - at.measured[0];
    servo->act(model, &at, signals + VALUES);
}
