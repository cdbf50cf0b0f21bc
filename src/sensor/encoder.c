#include "sensor/encoder.h"

#include "base/random.h"
#include "sensor/sensor.h"

#include <string.h>

//   symbol  meaning                                                    unit
//   y       angle or distance since the start                          rad or m
//   w       its speed, if that is the signal                           rad/s or m/s
//   q       angle or distance per count                                rad or m
//   T, k    period, number of the sample                               s, 1
//   p       probability that a count is lost                           1

static const ib_EncoderConfig *own(const ib_SensorConfig *config)
{
    return (const void *)config->own;
}

enum {
    ORIGIN,  ///< of the signal: its value at the start
    SUM,     ///< y, summed up from speeds
    SPEED,   ///< w of the last sample
    MARK,    ///< the present mark: floor(y/q)
    COUNTER, ///< value of the counter: MARK less the lost counts
    GAP,     ///< counts up to the next lost one, that one included; 0: not drawn
    DRAWN,   ///< number of gaps drawn
    STATES
};

enum { MOST_LOST = 1000 };               ///< counts lost one by one in a period
static const double LEAST_COUNT = 1e-12; ///< smallest count [rad or m]

// If the signal is a speed, the encoder integrates it by the trapezoidal rule:
//   y <- y + T (w0 + w)/2
// The error is at most  t T^2/12 max|w''|  after a time t, by  T^2/8 |a jump of w'|  and by  T/2 |a
// jump of w|  for each such jump.
static double travelled(const ib_SensorConfig *config, const ib_SensorTick *tick, double truth,
                        double *memory)
{
    if (!own(config)->integrates) return truth - memory[ORIGIN];
    double T = ib_time_to_seconds(config->period);
    if (tick->index > 0) memory[SUM] += T * 0.5 * (memory[SPEED] + truth);
    memory[SPEED] = truth;
    return memory[SUM];
}

// The number of counts up to the next lost one: P(gap > n) = (1 - p)^n, so that
//   gap = 1 + floor(ln u / ln(1 - p)),   u even over (0, 1]
static double draw_gap(double p, const ib_SensorTick *tick, double number)
{
    double u = 1 - ib_random_uniform(tick->seed, tick->stream + IB_NOISE_MISSED, (uint64_t)number);
    double log_good = p < 1e-6 ? -p * (1 + p / 2) : ib_log(1 - p); // 1 - p would lose p's digits
    return 1 + floor(ib_log(u) / log_good);
}

// The number of lost counts among `passed`. Each is drawn by itself; after a thousand losses in a
// period the rest is the mean.
static double lose(double p, const ib_SensorTick *tick, double passed, double *memory)
{
    if (!(p > 0)) return 0;
    for (int lost = 0; lost < MOST_LOST; lost++) {
        if (memory[GAP] == 0) memory[GAP] = draw_gap(p, tick, memory[DRAWN]++);
        if (passed < memory[GAP]) {
            memory[GAP] -= passed;
            return lost;
        }
        passed -= memory[GAP];
        memory[GAP] = 0;
    }
    return MOST_LOST + rint(p * passed);
}

static double reset(const ib_SensorConfig *config, double truth, double *memory)
{
    memset(memory, 0, STATES * sizeof *memory);
    memory[own(config)->integrates ? SPEED : ORIGIN] = truth;
    return 0;
}

// mark = floor(y/q); the counter follows its changes, less the counts lost on the way.
static double update(const ib_SensorConfig *config, const ib_SensorTick *tick, double truth,
                     double *memory)
{
    const ib_EncoderConfig *encoder = (void *)config->own;
    double y = encoder->scale * travelled(config, tick, truth, memory);
    double mark = floor(y / encoder->per_count), passed = mark - memory[MARK];
    double lost = lose(encoder->missed, tick, fabs(passed), memory);
    double counted = passed < 0 ? passed + lost : passed - lost;
    memory[MARK] = mark;
    memory[COUNTER] += counted;
    if (encoder->velocity) return counted * encoder->per_count / ib_time_to_seconds(config->period);
    return memory[COUNTER] * encoder->per_count;
}

// -------------------------------------------------------------------------------------------- keys

static ib_Status refuse(const char **key, const char *at, ib_Error *error, const char *text)
{
    *key = at;
    return ib_error_set(error, IB_BAD_INPUT, "%s", text);
}

static ib_Status check_keys(const ib_EncoderConfig *encoder, bool turns, const char **key,
                            ib_Error *error)
{
    bool counts = encoder->counts > 0, distance = encoder->distance_per_count > 0;
    if (counts && distance)
        return refuse(key, "distance_per_count", error,
                      "expected either counts, per revolution, or distance_per_count");
    if (!counts && !distance)
        return refuse(key, "", error,
                      "'counts' is missing: expected the counts per revolution, or a "
                      "distance_per_count");
    if (encoder->radius > 0 && !turns && distance)
        return refuse(key, "radius", error,
                      "the signal and distance_per_count are distances already: leave this key "
                      "out");
    if (encoder->radius == 0 && turns != counts)
        return refuse(key, counts ? "counts" : "distance_per_count", error,
                      counts ? "the signal is a distance: counts per revolution need the radius "
                               "of the wheel"
                             : "the signal is an angle: a distance per count needs the radius of "
                               "the wheel");
    return IB_OK;
}

// The shown value is an angle, or a distance with a radius or a signal of lengths:
//   q = 2 pi/counts,  2 pi radius/counts  or  distance_per_count
static ib_Status check(ib_SensorConfig *config, const char *unit, const char **key, ib_Error *error)
{
    static const double two_pi = 6.283185307179586477;
    ib_EncoderConfig *encoder = (void *)config->own;
    bool turns = strncmp(unit, "rad", 3) == 0, goes = unit[0] == 'm';
    const char *rest = unit + (turns ? 3 : goes ? 1 : 0);
    encoder->integrates = strcmp(rest, "/s") == 0;
    if ((!turns && !goes) || (rest[0] && !encoder->integrates))
        return refuse(key, "signal", error,
                      "an encoder counts an angle or a distance, or sums up their speed: expected "
                      "a signal in rad, m, rad/s or m/s");
    ib_Status status = check_keys(encoder, turns, key, error);
    if (status != IB_OK) return status;

    double radius = encoder->radius > 0 ? encoder->radius : 1;
    bool distance = encoder->radius > 0 || goes;
    encoder->per_count =
        encoder->counts > 0 ? two_pi * radius / encoder->counts : encoder->distance_per_count;
    if (!(encoder->per_count >= LEAST_COUNT))
        return refuse(key, encoder->radius > 0 ? "radius" : "distance_per_count", error,
                      "a count stands for less than 1e-12 m");
    encoder->scale = turns ? radius : 1;
    if (encoder->direction == IB_ENCODER_REVERSE) encoder->scale = -encoder->scale;
    config->quantum = encoder->per_count;
    if (encoder->velocity) config->quantum /= ib_time_to_seconds(config->period);
    if (encoder->velocity)
        config->unit = distance ? "m/s" : "rad/s";
    else
        config->unit = distance ? "m" : "rad";
    return IB_OK;
}

static const char *const directions[] = {"forward", "reverse", NULL};

#define OWN(key, type, unit, fallback, max, detail, field, sentence)                               \
    IB_SENSOR_OWN(key, type, unit, fallback, 0, max, detail, ib_EncoderConfig, field, sentence)

static const ib_Param params[] = {
    OWN("counts", IB_PARAM_COUNT, "1", "0", 1e9, NULL, counts,
        "counts per revolution (four per line of a quadrature disc)"),
    OWN("distance_per_count", IB_PARAM_NUMBER, "m", "0 m", 1e6, NULL, distance_per_count,
        "instead of counts: the distance that one count stands for"),
    OWN("radius", IB_PARAM_NUMBER, "m", "0 m", 1e6, NULL, radius,
        "radius of the wheel that it turns with: shows a distance; 0: shows an angle"),
    OWN("missed", IB_PARAM_NUMBER, "1", "0", 1, NULL, missed,
        "probability that a count is lost, for good"),
    OWN("direction", IB_PARAM_CHOICE, "1", "forward", 1, directions, direction,
        "direction in which it counts; reverse: mounted the other way round"),
    OWN("velocity", IB_PARAM_FLAG, "1", "false", 1, NULL, velocity,
        "true: shows the counts of the last period, divided by the period"),
};

_Static_assert(sizeof(ib_EncoderConfig) <= sizeof((ib_SensorConfig){0}.own), "it fits in there");

const ib_SensorKind ib_encoder_kind = {
    .name = "encoder",
    .sentence = "a counter of marks on a shaft or a wheel, 0 at the start",
    .shows = "as counted by the encoder",
    .params = IB_SCHEMA(params),
    .states = STATES,
    IB_SENSOR_FUNCTIONS,
};
