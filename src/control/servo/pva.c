#include "control/servo/pva.h"

#include "base/extreme.h"

#include <math.h>

// sqrt(Ti Td) with Ti = kp/ki and Td = kv/kp, so sqrt(kv/ki); without a velocity kp/ki, as a PID's.
static double tracking_time(const ib_PvaConfig *config)
{
    const double *gain = config->gain;
    if (config->tracking_time > 0) return config->tracking_time;
    if (gain[IB_PVA_KV] != 0) return sqrt(fabs(gain[IB_PVA_KV] / gain[IB_PVA_KI]));
    return fabs(gain[IB_PVA_KP] / gain[IB_PVA_KI]);
}

ib_Status ib_pva_init(const ib_PvaConfig *config, double period, ib_PvaModel *model,
                      ib_Error *error)
{
    static const char *const names[] = {"kp", "ki", "kv"};
    const double *gain = config->gain;
    *model = (ib_PvaModel){.config = *config};
    for (int i = IB_PVA_KP; i <= IB_PVA_KV; i++)
        for (int k = i + 1; k <= IB_PVA_KV; k++)
            if (gain[i] * gain[k] < 0)
                return ib_error_set(error, IB_BAD_INPUT,
                                    "%s: %s is %g and %s is %g: expected one sign for all gains",
                                    names[k], names[i], gain[i], names[k], gain[k]);
    if (gain[IB_PVA_KI] == 0) return IB_OK;
    double time = ib_max(tracking_time(config), period);
    if (!(time > 0))
        return ib_error_set(error, IB_BAD_INPUT,
                            "'tracking_time' is missing: without kp and kv no time follows from "
                            "the gains, and a continuous integral must give way to a limit in some "
                            "time");
    model->tracking = 1 / time;
    return IB_OK;
}

ib_PvaShares ib_pva_law(const ib_PvaModel *model, const ib_ServoModel *servo,
                        const ib_ServoPoint *at, const double *state)
{
    const ib_PvaConfig *config = &model->config;
    const double *r = at->wanted, *y = at->measured;
    double e = r[0] - y[0], direction = (r[1] > 0) - (r[1] < 0), over = at->schedule;
    double difference = at->pressure[0] - at->pressure[1];
    double pressed = config->washout > 0 ? difference - state[IB_PVA_LOW_PASSED] : difference;
    ib_PvaShares s = {
        .proportional = ib_pva_gain(config, IB_PVA_KP, over) * e,
        .integral = state[IB_PVA_INTEGRAL],
        .velocity = ib_pva_gain(config, IB_PVA_KV, over) * (r[1] - y[1]),
        .acceleration = ib_pva_gain(config, IB_PVA_KA, over) * (r[2] - y[2]),
        .pressure = -ib_pva_gain(config, IB_PVA_KPRESSURE, over) * pressed,
        .feedforward = servo->offset + config->feed_static * direction +
                       config->feed_velocity * r[1] + config->feed_acceleration * r[2],
    };
    double w =
        s.feedforward + s.proportional + s.integral + s.velocity + s.acceleration + s.pressure;
    s.output = ib_servo_limit(servo, w);
    s.rate[IB_PVA_INTEGRAL] =
        ib_pva_gain(config, IB_PVA_KI, over) * e + model->tracking * (s.output - w);
    s.rate[IB_PVA_LOW_PASSED] =
        config->washout > 0 ? (difference - state[IB_PVA_LOW_PASSED]) / config->washout : 0;
    return s;
}
