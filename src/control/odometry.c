#include "control/odometry.h"

#include "control/odometry_inside.h"

#include <math.h>
#include <string.h>

ib_Status ib_odometry_check(const ib_OdometryConfig *config, ib_Error *error)
{
    if (!(config->period > 0 && config->period < 10))
        return ib_error_set(error, IB_BAD_INPUT,
                            "period: expected more than 0 s and less than 10 s, got %g s",
                            config->period);
    if (!(config->half_track > 0 && config->half_track < 1e6))
        return ib_error_set(error, IB_BAD_INPUT, "half_track: expected more than 0 m, got %g m",
                            config->half_track);
    if (!(config->filter >= 0 && config->filter < 1e3))
        return ib_error_set(error, IB_BAD_INPUT, "filter: expected 0 s to 1000 s, got %g s",
                            config->filter);
    if (!(config->calm >= 0 && config->calm < 1e3))
        return ib_error_set(error, IB_BAD_INPUT, "calm: expected 0 s to 1000 s, got %g s",
                            config->calm);
    if (!(config->settle >= 0 && config->settle < 1e3))
        return ib_error_set(error, IB_BAD_INPUT, "settle: expected 0 s to 1000 s, got %g s",
                            config->settle);
    return IB_OK;
}

void ib_odometry_reset(double x, double y, double heading, double *state)
{
    memset(state, 0, IB_ODOMETRY_STATES * sizeof *state);
    state[IB_ODOMETRY_X] = x;
    state[IB_ODOMETRY_Y] = y;
    state[IB_ODOMETRY_HEADING] = heading;
}

bool ib_odometry_settles(const ib_OdometryConfig *config, const double *state)
{
    return config->gyro == IB_ODOMETRY_BY_RATE &&
           state[IB_ODOMETRY_COUNT] * config->period < config->settle;
}

// How far one side has rolled in this period. A distance that comes back after a gap holds what was
// rolled in the gap, less what had been guessed: `rolled` is all that was summed up.
static double roll(const ib_OdometryConfig *config, int i, double measured, double sum,
                   double *state)
{
    double *speed = &state[IB_ODOMETRY_SPEED + i], *rolled = &state[IB_ODOMETRY_ROLLED + i];
    double dt = config->period, way = *speed * dt;
    if (config->speeds) {
        // Between two samples of a speed the trapezoid.
        if (fabs(measured) <= IB__ODOMETRY_FASTEST) {
            way = 0.5 * (*speed + measured) * dt;
            *speed = measured;
        }
        if (ib__odometry_believable(sum, dt)) way = sum;
    } else if (ib__odometry_believable(measured - *rolled, dt)) {
        way = measured - *rolled;
        *speed = way / dt;
    }
    *rolled += way;
    return way;
}

// How far the robot has turned in this period; sets the yaw rate.
static double turn(const ib_OdometryConfig *config, double yaw, double sum, const double way[2],
                   double *state)
{
    double dt = config->period, *rate = &state[IB_ODOMETRY_YAW_RATE];
    double *last = &state[IB_ODOMETRY_TURNED], angle = *rate * dt;
    if (config->gyro == IB_ODOMETRY_BY_SIDES) {
        angle = 0.5 * (way[1] - way[0]) / config->half_track;
        *rate = 0.5 * (state[IB_ODOMETRY_RIM + 1] - state[IB_ODOMETRY_RIM]) / config->half_track;
    } else if (config->gyro == IB_ODOMETRY_BY_RATE) {
        double now = fabs(yaw) <= IB__ODOMETRY_FASTEST ? yaw - state[IB_ODOMETRY_BIAS] : *last;
        angle = 0.5 * (*last + now) * dt;
        if (ib__odometry_believable(sum, dt)) angle = sum - state[IB_ODOMETRY_BIAS] * dt;
        *last = *rate = now;
    } else {
        angle = ib__odometry_follow(config->calm, dt, yaw, last, rate);
    }
    return angle;
}

// Standing still: the mean of what the gyro says is its bias. What adds up to a sum begins with the
// second call; the first sample counts until then.
static void find_bias(const ib_OdometryConfig *config, double yaw, double sum, double *state)
{
    double *bias = &state[IB_ODOMETRY_BIAS], n = state[IB_ODOMETRY_COUNT];
    if (n > 1 && ib__odometry_believable(sum, config->period)) {
        yaw = sum / config->period;
        n -= 1;
    }
    if (fabs(yaw) <= IB__ODOMETRY_FASTEST) *bias += (yaw - *bias) / n;
}

// The velocity of the origin at the end of a period in which the sides rolled `way` and the robot
// turned by phi: as the sides roll, or as they slide. One count of an encoder within one period is
// a large speed, and slip is a small difference of speeds: they are filtered. But rims and yaw rate
// must stay together, so of the sides' difference only what the yaw rate does not tell,
//   scrub = (right - left)/2 - W w,   W the effective half track
// A slide that is no number is none. Returns how much the robot falls behind its sides [m/s].
static double slide(const ib_OdometryConfig *config, const double way[2], double phi, double *state)
{
    double per = 1 / config->period, follow = config->period / (config->filter + config->period);
    double *velocity = state + IB_ODOMETRY_SLIDE, *scrub = &state[IB_ODOMETRY_SCRUB];
    double turn = config->half_track * phi * per;
    *scrub += follow * (0.5 * per * (way[1] - way[0]) - turn - *scrub);
    double mean = 0.5 * (state[IB_ODOMETRY_RIM] + state[IB_ODOMETRY_RIM + 1]);
    double rim[2] = {mean - (turn + *scrub), mean + (turn + *scrub)};
    if (config->slide) config->slide(config->self, rim, phi * per, config->period, velocity);
    bool good = config->slide && fabs(velocity[0]) <= IB__ODOMETRY_FASTEST &&
                fabs(velocity[1]) <= IB__ODOMETRY_FASTEST;
    if (good) return mean - velocity[0];
    velocity[0] = 0.5 * per * (way[0] + way[1]);
    velocity[1] = 0;
    return 0;
}

// Where the measurements begin.
static void begin(const ib_OdometryConfig *config, const double side[2], double yaw, double *state)
{
    for (int i = 0; i < 2; i++) {
        bool good = fabs(side[i]) <= 1e12;
        if (config->speeds)
            state[IB_ODOMETRY_SPEED + i] = state[IB_ODOMETRY_RIM + i] = good ? side[i] : 0;
        else
            state[IB_ODOMETRY_ROLLED + i] = good ? side[i] : 0;
    }
    if (config->gyro == IB_ODOMETRY_BY_HEADING) state[IB_ODOMETRY_TURNED] = isfinite(yaw) ? yaw : 0;
    if (config->gyro == IB_ODOMETRY_BY_RATE && !(config->settle > 0))
        state[IB_ODOMETRY_TURNED] = state[IB_ODOMETRY_YAW_RATE] =
            fabs(yaw) <= IB__ODOMETRY_FASTEST ? yaw : 0;
}

void ib_odometry_step(const ib_OdometryConfig *config, const double side[2], double yaw,
                      const double sum[3], double *state)
{
    static const double none[3] = {NAN, NAN, NAN};
    if (!sum) sum = none;
    state[IB_ODOMETRY_COUNT] += 1;
    if (ib_odometry_settles(config, state) || state[IB_ODOMETRY_COUNT] == 1) {
        if (config->settle > 0) find_bias(config, yaw, sum[2], state);
        begin(config, side, yaw, state);
        return;
    }
    double dt = config->period, way[2], *velocity = state + IB_ODOMETRY_SLIDE;
    const double *rim = state + IB_ODOMETRY_RIM;
    for (int i = 0; i < 2; i++) {
        way[i] = roll(config, i, side[i], sum[i], state);
        ib__odometry_smooth(config->filter, dt,
                            config->speeds ? state[IB_ODOMETRY_SPEED + i] : way[i] / dt,
                            &state[IB_ODOMETRY_RIM + i], &state[IB_ODOMETRY_RISE + i]);
    }
    double phi = turn(config, yaw, sum[2], way, state), left = velocity[1];
    double behind = slide(config, way, phi, state), *last = &state[IB_ODOMETRY_BEHIND];
    // What the sides rolled, less what the robot fell behind them, and aside: means of the period.
    double ahead = 0.5 * (way[0] + way[1]) - 0.5 * (*last + behind) * dt;
    *last = behind;
    ib__odometry_advance(ahead, 0.5 * (left + velocity[1]) * dt, phi, state);
    state[IB_ODOMETRY_FORWARD] = 0.5 * (rim[0] + rim[1]) - behind;
    state[IB_ODOMETRY_LEFT] = velocity[1];
}
