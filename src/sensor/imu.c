#include "sensor/imu.h"

#include "base/quaternion.h"
#include "base/random.h"
#include "sensor/sampled.h"
#include "sensor/sensor.h"

#include <string.h>

//   symbol  meaning                                                   unit
//   T       period                                                    s
//   w       rate of the body's turn, in its own frame                 rad/s
//   f       specific force at the accelerometers, in the same         m/s^2
//   q, u    attitude by the filter, and the vertical in the body by it
//   tau     time constant of the filter                               s

// Signals: measured ones in, the same ones shown.
enum { ATTITUDE, RATE = 3, FORCE = 6 };
static const ib_SignalRole signals[] = {
    IB_ROLE_POSE_HEADING,   IB_ROLE_POSE_PITCH, IB_ROLE_POSE_ROLL,      IB_ROLE_RATE_X,
    IB_ROLE_RATE_Y,         IB_ROLE_RATE_Z,     IB_ROLE_ACCELERATION_X, IB_ROLE_ACCELERATION_Y,
    IB_ROLE_ACCELERATION_Z, IB_ROLE_NONE,
};

enum {
    TURN,                       ///< q
    HEADING = TURN + 4,         ///< counts turns
    SHOWN_RATE,                 ///< w by the gyros, one sample ago
    TRUE_RATE = SHOWN_RATE + 3, ///< w one sample ago
    GYRO_DRIFT = TRUE_RATE + 3,
    FORCE_DRIFT = GYRO_DRIFT + 3,
    STATES = FORCE_DRIFT + 3,
};

static const ib_ImuConfig *own(const ib_SensorConfig *config)
{
    return (const void *)config->own;
}

// ------------------------------------------------------------------------------------ measurements

// z = limit(quantise(scale y + bias + b + noise)),   b(t + T) = b(t) + K sqrt(T) n
static void measure(const ib_ImuAxes *axes, const ib_SensorTick *tick, int first, double T,
                    const double truth[3], double drift[3], double z[3])
{
    for (int i = 0; i < 3; i++) {
        ib_SensorTick axis = *tick;
        axis.stream += (uint64_t)(IB_NOISE_COUNT * (1 + first + i));
        if (axes->drift > 0 && tick->index > 0)
            drift[i] +=
                axes->drift * sqrt(T) *
                ib_random_normal(axis.seed, axis.stream + IB_NOISE_DRIFT, (uint64_t)axis.index);
        double noise = ib_sampled_noise(&axis, axes->noise);
        z[i] = ib_sampled_round(axes->quantum, -axes->range, axes->range,
                                axes->scale * truth[i] + axes->bias[i] + drift[i] + noise);
    }
}

// Off the origin by p, with the derivative of w by its last difference:
//   f + w' x p + w x (w x p)
static void move_force(const double p[3], const double w[3], const double dw[3], const double f[3],
                       double moved[3])
{
    const double v[3] = {w[1] * p[2] - w[2] * p[1], w[2] * p[0] - w[0] * p[2],
                         w[0] * p[1] - w[1] * p[0]};
    moved[0] = f[0] + dw[1] * p[2] - dw[2] * p[1] + w[1] * v[2] - w[2] * v[1];
    moved[1] = f[1] + dw[2] * p[0] - dw[0] * p[2] + w[2] * v[0] - w[0] * v[2];
    moved[2] = f[2] + dw[0] * p[1] - dw[1] * p[0] + w[0] * v[1] - w[1] * v[0];
}

// ---------------------------------------------------------------------------------------- attitude

// Mahony's filter without its integral. The gyros turn the attitude, and the vertical by it is
// pulled towards that of the accelerometers while their size is near g:
//   w + (1/tau) (f/|f| x u),   | |f|/g - 1 | <= band
// Limits: an error of the vertical decays as exp(-t/tau); a bias b across the vertical leaves
// sin(e) = b tau; along it the heading drifts by b t; an acceleration of frequency W and size a
// across it leaves (a/g)/sqrt(1 + (W tau)^2).
static void filter(const ib_ImuConfig *imu, double T, const double rate[3], const double f[3],
                   double *memory)
{
    double *q = memory + TURN, *before = memory + SHOWN_RATE, turn[3], u[3];
    static const double up[3] = {0, 0, 1};
    for (int i = 0; i < 3; i++) turn[i] = 0.5 * T * (before[i] + rate[i]);
    memcpy(before, rate, 3 * sizeof *before);
    ib_quaternion_turn(q, turn);
    double size = sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
    if (!(fabs(size / imu->gravity - 1) <= imu->band) || !(size > 0)) return;
    double k = T / imu->time / size;
    ib_quaternion_into(q, up, u);
    turn[0] = k * (f[1] * u[2] - f[2] * u[1]);
    turn[1] = k * (f[2] * u[0] - f[0] * u[2]);
    turn[2] = k * (f[0] * u[1] - f[1] * u[0]);
    ib_quaternion_turn(q, turn);
}

// Heading, pitch and roll; the heading goes on from its last value.
static void show_attitude(double *memory, double attitude[3])
{
    double s, c;
    ib_quaternion_attitude(memory + TURN, attitude);
    ib_sincos(attitude[0] - memory[HEADING], &s, &c);
    attitude[0] = memory[HEADING] += ib_atan2(s, c);
}

// ------------------------------------------------------------------------------------------- table

static void take(const ib_SensorConfig *config, const ib_SensorTick *tick, const double *truth,
                 double *memory, double *shown)
{
    const ib_ImuConfig *imu = own(config);
    double T = ib_time_to_seconds(config->period), f[3], dw[3];
    double *before = memory + TRUE_RATE;
    for (int i = 0; i < 3; i++) dw[i] = tick->index > 0 ? (truth[RATE + i] - before[i]) / T : 0;
    memcpy(before, truth + RATE, 3 * sizeof *before);
    move_force(imu->place, truth + RATE, dw, truth + FORCE, f);
    measure(&imu->gyro, tick, 0, T, truth + RATE, memory + GYRO_DRIFT, shown + RATE);
    measure(&imu->accelerometer, tick, 3, T, f, memory + FORCE_DRIFT, shown + FORCE);
}

// The unit is told its attitude at the start, and finds it alone from there.
static void start(const ib_SensorConfig *config, const double *truth, double *memory, double *shown)
{
    ib_SensorConfig quiet = *config;
    ib_ImuConfig *imu = (void *)quiet.own;
    const double *a = truth + ATTITUDE;
    imu->gyro.noise = imu->accelerometer.noise = 0;
    memory[TURN] = 1;
    ib_quaternion_turn(memory + TURN, (double[3]){0, 0, a[0]});
    ib_quaternion_turn(memory + TURN, (double[3]){0, a[1], 0});
    ib_quaternion_turn(memory + TURN, (double[3]){a[2], 0, 0});
    memory[HEADING] = a[0];
    take(&quiet, &(ib_SensorTick){0}, truth, memory, shown);
    memcpy(memory + SHOWN_RATE, shown + RATE, 3 * sizeof *memory);
    show_attitude(memory, shown + ATTITUDE);
}

static void sample(const ib_SensorConfig *config, const ib_SensorTick *tick, const double *truth,
                   double *memory, double *shown)
{
    take(config, tick, truth, memory, shown);
    if (tick->index > 0)
        filter(own(config), ib_time_to_seconds(config->period), shown + RATE, shown + FORCE,
               memory);
    show_attitude(memory, shown + ATTITUDE);
}

static ib_Status check(ib_SensorConfig *config, const char *unit, const char **key, ib_Error *error)
{
    (void)unit;
    if (own(config)->time >= ib_time_to_seconds(config->period)) return IB_OK;
    *key = "filter_time";
    return ib_error_set(error, IB_BAD_INPUT, "the filter's time is at least a period");
}

#define OWN(key, type, unit, fallback, min, max, detail, field, sentence)                          \
    IB_SENSOR_OWN(key, type, unit, fallback, min, max, detail, ib_ImuConfig, field, sentence)
#define AXES(word, part, unit)                                                                     \
    OWN(word "_scale", IB_PARAM_NUMBER, "1", "1", -1e6, 1e6, NULL, part.scale,                     \
        "factor on the true value: 1.01 reads 1 % too much"),                                      \
        OWN(word "_bias_x", IB_PARAM_NUMBER, unit, "0 " unit, -1e6, 1e6, NULL, part.bias[0],       \
            "error added to every sample, forward"),                                               \
        OWN(word "_bias_y", IB_PARAM_NUMBER, unit, "0 " unit, -1e6, 1e6, NULL, part.bias[1],       \
            "the same, to the left"),                                                              \
        OWN(word "_bias_z", IB_PARAM_NUMBER, unit, "0 " unit, -1e6, 1e6, NULL, part.bias[2],       \
            "the same, upwards"),                                                                  \
        OWN(word "_drift", IB_PARAM_NUMBER, unit, "0 " unit, 0, 1e6, NULL, part.drift,             \
            "standard deviation of each bias's random walk after 1 s; it grows with sqrt(time)"),  \
        OWN(word "_noise", IB_PARAM_NUMBER, unit, "0 " unit, 0, 1e6, NULL, part.noise,             \
            "standard deviation of the noise in one sample"),                                      \
        OWN(word "_quantum", IB_PARAM_NUMBER, unit, "0 " unit, 0, 1e6, NULL, part.quantum,         \
            "smallest step of the value; 0: none"),                                                \
        OWN(word "_range", IB_PARAM_LIMIT, unit, "off", 1e-9, 1e6, NULL, part.range,               \
            "largest value that it shows, either way; off: any")
#define PLACE(key, i, sentence)                                                                    \
    OWN(key, IB_PARAM_NUMBER, "m", "0 m", -100, 100, NULL, place[i], sentence)

static const ib_Param params[] = {
    AXES("gyro", gyro, "rad/s"),
    AXES("accelerometer", accelerometer, "m/s^2"),
    PLACE("x", 0, "place of the accelerometers in the body, forward of its origin"),
    PLACE("y", 1, "the same, to the left"),
    PLACE("z", 2, "the same, upwards"),
    OWN("filter_time", IB_PARAM_NUMBER, "s", "1 s", 1e-6, 1e6, NULL, time,
        "time constant with which pitch and roll are pulled to the accelerometers' vertical; a "
        "gyro's bias leaves an error of bias times this"),
    OWN("gravity", IB_PARAM_NUMBER, "m/s^2", "9.80665 m/s^2", 1e-3, 1e3, NULL, gravity,
        "size of the acceleration that the filter expects at rest"),
    OWN("filter_band", IB_PARAM_NUMBER, "1", "0.1", 0, 1e6, NULL, band,
        "accelerations whose size is off gravity by more than this part are no vertical"),
};

_Static_assert(sizeof(ib_ImuConfig) <= sizeof((ib_SensorConfig){0}.own), "it fits in there");
_Static_assert(sizeof signals / sizeof signals[0] == IB_SENSOR_CHANNELS + 1, "the most there are");

const ib_SensorKind ib_imu_kind = {
    .name = "imu",
    .sentence = "gyros, accelerometers and the attitude by a filter of both, with their faults",
    .shows = "as the imu shows it",
    .all = signals,
    .params = IB_SCHEMA(params),
    .states = STATES,
    .check = check,
    .start = start,
    .sample = sample,
};
