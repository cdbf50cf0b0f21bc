#include "sensor/analog_gyro.h"

#include "base/converter.h"
#include "base/random.h"
#include "sensor/sampled.h"
#include "sensor/sensor.h"

#include <string.h>

//   symbol    meaning                                         unit
//   w         yaw rate                                        rad/s
//   v         output voltage of the gyro                     V
//   p         voltage at the port                             V
//   u         random, even over 0 .. 1, anew in each sample   1
// The others are those of ib_AnalogGyroConfig.

static const ib_AnalogGyroConfig *own(const ib_SensorConfig *config)
{
    return (const void *)config->own;
}

enum { MOST_BITS = 32 };

// Port voltage per volt of the gyro, as assumed by the robot's program.
static double ratio(const ib_AnalogGyroConfig *gyro)
{
    return gyro->shifter == IB_SHIFTER_NONE ? 1 : gyro->port / gyro->supply;
}

// A FET with its gate at the port's supply and a resistor from there to the port. It conducts while
// the gyro's voltage is below the threshold, and the port follows volt for volt. Above it blocks,
// and the resistor pulls the port up, until the diode inside the FET conducts:
//   p = v                      v <  vt + h (2 u - 1)
//   p = min(vp, v + vd)        else
// A share (v - vt + h)/(2 h), within 0 .. 1, of many samples of one voltage is pulled up. Limits: h
// = 0 -> the same voltage always gives the same value; vd -> infinity: above it is always vp.
static double pass_fet(const ib_AnalogGyroConfig *gyro, const ib_SensorTick *tick, double v)
{
    double u =
        ib_random_uniform(tick->seed, tick->stream + IB_NOISE_SHIFTER, (uint64_t)tick->index);
    if (v < gyro->threshold + gyro->band * (2 * u - 1)) return v;
    return v + gyro->diode < gyro->port ? v + gyro->diode : gyro->port;
}

// v = v0 + S w within 0 .. vs;   shown: (p/ratio - v0)/S, with the converter's p
static double update(const ib_SensorConfig *config, const ib_SensorTick *tick, double truth,
                     double *memory)
{
    (void)memory;
    const ib_AnalogGyroConfig *gyro = own(config);
    double w = config->scale * truth + config->bias + ib_sampled_noise(tick, config->noise);
    double v = gyro->zero + gyro->sensitivity * w;
    v = v < 0 ? 0 : v > gyro->supply ? gyro->supply : v;
    double p = gyro->shifter == IB_SHIFTER_FET ? pass_fet(gyro, tick, v) : v * ratio(gyro);
    p = ib_convert(0, gyro->port, gyro->bits, p);
    return (p / ratio(gyro) - gyro->zero) / gyro->sensitivity;
}

static ib_Status refuse(const char **key, const char *at, const char *text, ib_Error *error)
{
    *key = at;
    return ib_error_set(error, IB_BAD_INPUT, "%s", text);
}

static ib_Status check(ib_SensorConfig *config, const char *unit, const char **key, ib_Error *error)
{
    const ib_AnalogGyroConfig *gyro = own(config);
    if (strcmp(unit, "rad/s") != 0)
        return refuse(key, "signal", "a gyro measures an angular velocity (rad/s)", error);
    if (gyro->sensitivity == 0)
        return refuse(key, "sensitivity", "expected a voltage that changes with the rate", error);
    if (gyro->zero > gyro->supply)
        return refuse(key, "zero", "the voltage at rest is above the supply: expected at most that",
                      error);
    if (gyro->shifter != IB_SHIFTER_NONE && gyro->port > gyro->supply)
        return refuse(key, "shifter", "the port's range is above the gyro's supply: expected none",
                      error);
    double codes = (double)(UINT64_C(1) << gyro->bits);
    config->quantum =
        gyro->bits > 0 ? gyro->port / codes / ratio(gyro) / fabs(gyro->sensitivity) : 0;
    return IB_OK;
}

static const char *const shifters[] = {"none", "divider", "fet", NULL};

#define OWN(key, type, unit, fallback, min, max, detail, field, sentence)                          \
    IB_SENSOR_OWN(key, type, unit, fallback, min, max, detail, ib_AnalogGyroConfig, field, sentence)
#define VOLTAGE(key, fallback, min, field, sentence)                                               \
    OWN(key, IB_PARAM_NUMBER, "V", fallback, min, 1e6, NULL, field, sentence)

static const ib_Param params[] = {
    OWN("sensitivity", IB_PARAM_NUMBER, "V*s/rad", "7 mV*s/deg", -1e6, 1e6, NULL, sensitivity,
        "voltage for each unit of the rate"),
    VOLTAGE("zero", "2.5 V", 0, zero, "voltage at rest"),
    VOLTAGE("supply", "5 V", 1e-3, supply, "supply of the gyro: its voltage is never above it"),
    VOLTAGE("port", "3.3 V", 1e-3, port, "range of the converter, from 0 V on"),
    OWN("bits", IB_PARAM_COUNT, "1", "12", 0, MOST_BITS, NULL, bits,
        "number of bits of the converter; 0: no steps"),
    OWN("shifter", IB_PARAM_CHOICE, "1", "divider", 0, 2, shifters, shifter,
        "level shifter between gyro and port: a wire, two resistors, or a converter of logic "
        "levels"),
    VOLTAGE("threshold", "2.2 V", 0, threshold,
            "shifter fet: voltage above which the port is pulled up"),
    VOLTAGE("band", "0.5 V", 0, band,
            "shifter fet: how far the threshold strays from sample to sample, either way"),
    VOLTAGE("diode", "0.5 V", 0, diode,
            "shifter fet: how far above the gyro's voltage the port is pulled at most"),
    IB_SENSOR_ERROR_ROWS,
};

_Static_assert(sizeof(ib_AnalogGyroConfig) <= sizeof((ib_SensorConfig){0}.own), "it fits in there");

const ib_SensorKind ib_analog_gyro_kind = {
    .name = "analog_gyro",
    .sentence = "a rate gyro as a converter's port sees its voltage, through a level shifter",
    .shows = "as the port of the analogue gyro shows it",
    .measures = IB_ROLE_YAW_RATE,
    .params = IB_SCHEMA(params),
    .check = check,
    .update = update,
};
