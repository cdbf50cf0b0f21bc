#include "sensor/gyro.h"

#include "base/random.h"
#include "sensor/sampled.h"
#include "sensor/sensor.h"

#include <string.h>

//   symbol  meaning                                   unit
//   T       period                                    s
//   N       noise density                             rad/s/sqrt(Hz) = rad/sqrt(s)
//   K       drift of the bias                         rad/s/sqrt(s)
//   b       drift of the bias so far                  rad/s

static const ib_GyroConfig *own(const ib_SensorConfig *config)
{
    return (const void *)config->own;
}

enum { DRIFT, STATES };

static double measure(const ib_SensorConfig *config, double truth, double drift, double noise)
{
    return ib_sampled_limit(config, config->scale * truth + config->bias + drift + noise);
}

static double reset(const ib_SensorConfig *config, double truth, double *memory)
{
    memory[DRIFT] = 0;
    return measure(config, truth, 0, 0);
}

// White noise of density N, averaged over a period, has the deviation N/sqrt(T): integrated over a
// time t to an angle it gives the error N sqrt(t), for every period. For the bias,
//   b(t + T) = b(t) + K sqrt(T) n,   so that the standard deviation of b is exactly K sqrt(t), t =
//   k T.
static double update(const ib_SensorConfig *config, const ib_SensorTick *tick, double truth,
                     double *memory)
{
    const ib_GyroConfig *gyro = own(config);
    double root = sqrt(ib_time_to_seconds(config->period));
    double sd = gyro->noise_density > 0 ? gyro->noise_density / root : config->noise;
    if (gyro->drift > 0 && tick->index > 0)
        memory[DRIFT] +=
            gyro->drift * root *
            ib_random_normal(tick->seed, tick->stream + IB_NOISE_DRIFT, (uint64_t)tick->index);
    return measure(config, truth, memory[DRIFT], ib_sampled_noise(tick, sd));
}

static ib_Status check(ib_SensorConfig *config, const char *unit, const char **key, ib_Error *error)
{
    if (strcmp(unit, "rad/s") != 0) {
        *key = "signal";
        return ib_error_set(error, IB_BAD_INPUT, "a gyro measures an angular velocity (rad/s)");
    }
    if (config->noise > 0 && own(config)->noise_density > 0) {
        *key = "noise_density";
        return ib_error_set(error, IB_BAD_INPUT,
                            "the noise is given twice: expected either noise, of one sample, or "
                            "noise_density");
    }
    return IB_OK;
}

#define RATE(key, min, max, field, sentence)                                                       \
    IB_SENSOR_PARAM(key, IB_PARAM_NUMBER, "rad/s", "0 rad/s", min, max, NULL, field, sentence)
#define OWN_RATE(key, field, sentence)                                                             \
    IB_SENSOR_OWN(key, IB_PARAM_NUMBER, "rad/s", "0 rad/s", 0, 1e6, NULL, ib_GyroConfig, field,    \
                  sentence)

static const ib_Param params[] = {
    IB_SENSOR_PARAM("scale", IB_PARAM_NUMBER, "1", "1", -1e6, 1e6, NULL, scale,
                    "factor on the true rate: 1.01 reads 1 % too much"),
    RATE("noise", 0, 1e6, noise, "standard deviation of the noise in one sample"),
    OWN_RATE("noise_density", noise_density,
             "instead of noise: its density; 0.01 deg/s/sqrt(Hz) is written 0.01 deg/s"),
    RATE("bias", -1e6, 1e6, bias, "error added to every sample"),
    OWN_RATE("drift", drift,
             "standard deviation of the bias's random walk after 1 s; it grows with sqrt(time); a "
             "constant drift of the heading is bias"),
    RATE("quantum", 0, 1e6, quantum, "smallest step of the value; 0: none"),
};

_Static_assert(sizeof(ib_GyroConfig) <= sizeof((ib_SensorConfig){0}.own), "it fits in there");

const ib_SensorKind ib_gyro_kind = {
    .name = "gyro",
    .sentence = "a rate gyro: noise, a bias that drifts, a scale, steps and a range",
    .shows = "as the gyro shows it",
    .measures = IB_ROLE_YAW_RATE,
    .params = IB_SCHEMA(params),
    .range = true,
    .states = STATES,
    IB_SENSOR_FUNCTIONS,
};
