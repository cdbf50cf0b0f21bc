#include "control/feedback/pid.h"

#include "base/extreme.h"
#include "control/feedback/saturation.h"

#include <math.h>
#include <string.h>

// The formulas and their letters are those of control/feedback/pid.h.

// The states. Those of the last output suffice to repeat it after a change of gains.
enum {
    INTEGRAL,     ///< I [U]
    MEASURED,     ///< y [Y]
    ERROR,        ///< e [Y]
    LAG,          ///< g, filtered [Y/s]
    WAY,          ///< way of r' since the last good sample [Y]
    VELOCITY,     ///< r' [Y/s]
    ACCELERATION, ///< r" [Y/s^2]
    GIVEN,        ///< the caller's feed-forward [U]
    CARRY,        ///< c [U]
    WANTED,       ///< w [U]
    OUTPUT,       ///< u [U]
    MISSED,       ///< samples missed since the last good one
    STARTED,      ///< 1: there was a good one
    STATES,
};
_Static_assert((int)STATES == (int)IB_PID_STATES,
               "control/feedback/pid.h counts what is remembered");

// Larger values are no measurement and no gain, but would make products that are not finite, which
// then stay in the integral for ever.
#define MOST 1e100

// ------------------------------------------------------------------------------------------ checks

static bool sane(double value)
{
    return fabs(value) <= MOST;
}

ib_PidConfig ib_pid_default(void)
{
    return (ib_PidConfig){.integral_limit = INFINITY,
                          .limits = {-INFINITY, INFINITY},
                          .wrap = INFINITY,
                          .fade_time = 0.5};
}

// Gains of both signs would push against each other.
static bool signs_differ(const ib_PidConfig *config)
{
    const double gain[] = {config->proportional, config->integral, config->derivative};
    bool above = false, below = false;
    for (int i = 0; i < 3; i++) {
        above = above || gain[i] > 0;
        below = below || gain[i] < 0;
    }
    return above && below;
}

static ib_Status check_finite(const ib_PidConfig *config, ib_Error *error)
{
    const struct {
        const char *key;
        double value;
    } numbers[] = {{"kp", config->proportional},
                   {"ki", config->integral},
                   {"kd", config->derivative},
                   {"feedforward.constant", config->feed_constant},
                   {"feedforward.static", config->feed_static},
                   {"feedforward.velocity", config->feed_velocity},
                   {"feedforward.acceleration", config->feed_acceleration}};
    for (int i = 0; i < (int)(sizeof numbers / sizeof *numbers); i++) {
        if (!sane(numbers[i].value))
            return ib_error_set(error, IB_BAD_INPUT, "%s: expected %g to %g, got %g",
                                numbers[i].key, -MOST, MOST, numbers[i].value);
    }
    return IB_OK;
}

ib_Status ib_pid_check(const ib_PidConfig *config, double period, ib_Error *error)
{
    const struct {
        const char *key;
        double value;
    } times[] = {{"filter_time", config->filter_time},
                 {"tracking_time", config->tracking_time},
                 {"fade_time", config->fade_time}};
    for (int i = 0; i < 3; i++) {
        if (!(times[i].value >= 0 && isfinite(times[i].value)))
            return ib_error_set(error, IB_BAD_INPUT, "%s: expected at least 0 s, got %g s",
                                times[i].key, times[i].value);
    }
    if (!(period > 0 && isfinite(period)))
        return ib_error_set(error, IB_BAD_INPUT, "period: expected above 0 s, got %g s", period);
    if (signs_differ(config))
        return ib_error_set(error, IB_BAD_INPUT,
                            "kp, ki and kd: expected one sign, got %g, %g and %g",
                            config->proportional, config->integral, config->derivative);
    if (!(config->integral_limit >= 0))
        return ib_error_set(error, IB_BAD_INPUT, "integral_limit: expected at least 0, got %g",
                            config->integral_limit);
    if (!(config->limits[0] < config->limits[1]))
        return ib_error_set(error, IB_BAD_INPUT, "limits: expected low < high, got %g and %g",
                            config->limits[0], config->limits[1]);
    if (!(config->wrap > 0))
        return ib_error_set(error, IB_BAD_INPUT, "wrap: expected above 0, got %g", config->wrap);
    return check_finite(config, error);
}

// Tracking time: between the times of the derivative and of the integral, sqrt(Ti Td), with
// Ti = kp/ki and Td = kd/kp; without a derivative Ti.        [Astrom, Hagglund 2006, 3.5]
static double tracking_time(const ib_PidConfig *config)
{
    if (config->tracking_time > 0) return config->tracking_time;
    if (config->derivative != 0) return sqrt(config->derivative / config->integral);
    return config->proportional / config->integral;
}

ib_Status ib_pid_init(const ib_PidConfig *config, double period, ib_PidModel *model,
                      ib_Error *error)
{
    ib_Status status = ib_pid_check(config, period, error);
    if (status) return status;
    *model = (ib_PidModel){.config = *config, .period = period};
    if (config->integral != 0) model->track = period / ib_max(tracking_time(config), period);
    model->fade = config->fade_time / (config->fade_time + period);
    return IB_OK;
}

void ib_pid_reset(const ib_PidModel *model, double *state)
{
    (void)model;
    memset(state, 0, sizeof *state * IB_PID_STATES);
}

// -------------------------------------------------------------------------------------- one period

static double clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

static double sane_or_zero(double value)
{
    return sane(value) ? value : 0;
}

// The same difference by the shorter way: within half a turn of zero.
static double shorter(const ib_PidConfig *config, double difference)
{
    if (isinf(config->wrap)) return difference;
    return difference - config->wrap * rint(difference / config->wrap);
}

// Takes a sample; an implausible one is only counted. With n = 1 + samples missed,
//   g <- (Tf g + (way of r' since the last one) - (y - y_before))/(Tf + n T)
// Limits: Tf = 0 -> the wanted rate less the measured one, both means over the same time.
static void take_in(const ib_PidModel *model, double wanted, double measured, double *state)
{
    const ib_PidConfig *config = &model->config;
    if (!sane(measured) || !sane(wanted)) {
        state[MISSED] += 1;
        return;
    }
    double moved = shorter(config, measured - state[MEASURED]);
    double time = config->filter_time + (1 + state[MISSED]) * model->period;
    if (state[STARTED] > 0)
        state[LAG] = (config->filter_time * state[LAG] + state[WAY] - moved) / time;
    state[ERROR] = shorter(config, wanted - measured);
    state[MEASURED] = measured;
    state[MISSED] = 0;
    state[WAY] = 0;
    state[STARTED] = 1;
}

// f = kc + ks sign(r') + kv r' + ka r" + given
static double feedforward(const ib_PidConfig *config, const double *state)
{
    double direction = (state[VELOCITY] > 0) - (state[VELOCITY] < 0);
    return config->feed_constant + config->feed_static * direction +
           config->feed_velocity * state[VELOCITY] +
           config->feed_acceleration * state[ACCELERATION] + state[GIVEN];
}

// kp e + I + kd g + f + c
static double sum(const ib_PidConfig *config, const double *state)
{
    return config->proportional * state[ERROR] + state[INTEGRAL] + config->derivative * state[LAG] +
           feedforward(config, state) + state[CARRY];
}

double ib_pid_output(const ib_PidModel *model, const ib_ProfilePoint *wanted, double measured,
                     double given, double *state)
{
    const ib_PidConfig *config = &model->config;
    double before = state[VELOCITY];
    state[VELOCITY] = sane_or_zero(wanted->velocity);
    state[WAY] += model->period * 0.5 * (before + state[VELOCITY]);
    state[ACCELERATION] = sane_or_zero(wanted->acceleration);
    state[GIVEN] = sane_or_zero(given);
    take_in(model, wanted->position, measured, state);
    state[WANTED] = sum(config, state);
    state[OUTPUT] = clamp(state[WANTED], config->limits[0], config->limits[1]);
    return state[OUTPUT];
}

void ib_pid_applied(double u, double *state)
{
    if (sane(u)) state[OUTPUT] = u;
}

// I <- I + T ki e - (T/Tt) excess: back-calculation. If u is cut, I moves until w is as near to the
// limit as the error allows: w - u -> Tt ki e, for any duration. A rounded u is not cut: it would
// cost I its last share of the error. Without limits the size of a rounding follows from the limit
// of I.
void ib_pid_update(const ib_PidModel *model, double *state)
{
    const ib_PidConfig *config = &model->config;
    double error = state[MISSED] > 0 ? 0 : state[ERROR];
    double low = config->limits[0], high = config->limits[1];
    double play = ib_saturation_play(low, high, config->integral_limit);
    double excess = ib_saturation_excess(state[WANTED], state[OUTPUT], low, high, play);
    state[INTEGRAL] += model->period * config->integral * error - model->track * excess;
    state[INTEGRAL] = clamp(state[INTEGRAL], -config->integral_limit, config->integral_limit);
    state[CARRY] *= model->fade;
}

double ib_pid_step(const ib_PidModel *model, const ib_ProfilePoint *wanted, double measured,
                   double given, double *state)
{
    double u = ib_pid_output(model, wanted, measured, given, state);
    ib_pid_update(model, state);
    return u;
}

// c <- c + (w of the old gains) - (w of the new gains), both with the inputs of the last output. An
// integral that the new gains do not have, or do not allow, goes into c as well.
void ib_pid_change(const ib_PidModel *before, const ib_PidModel *after, double *state)
{
    const ib_PidConfig *config = &after->config;
    double w = sum(&before->config, state);
    double limit = config->integral == 0 ? 0 : config->integral_limit;
    state[INTEGRAL] = clamp(state[INTEGRAL], -limit, limit);
    state[CARRY] += w - sum(config, state);
}

ib_PidShares ib_pid_shares(const ib_PidModel *model, const double *state)
{
    const ib_PidConfig *config = &model->config;
    return (ib_PidShares){.proportional = config->proportional * state[ERROR],
                          .integral = state[INTEGRAL],
                          .derivative = config->derivative * state[LAG],
                          .feedforward = feedforward(config, state),
                          .carry = state[CARRY],
                          .wanted = state[WANTED],
                          .output = state[OUTPUT]};
}

// ---------------------------------------------------------------------------------------- in files

// Without an integral its limit has no effect, and an integral limited to 0 has none. Gains of a
// run stay as they are.
const char *ib_pid_idle(const ib_PidConfig *config, const char *key)
{
    bool limit = strcmp(key, "integral_limit") == 0, track = strcmp(key, "tracking_time") == 0;
    if ((limit || track) && config->integral == 0) return "ki";
    if ((track || strcmp(key, "ki") == 0) && config->integral_limit == 0) return "integral_limit";
    if (strcmp(key, "filter_time") == 0 && config->derivative == 0) return "kd";
    return strcmp(key, "fade_time") == 0 ? key : NULL;
}
