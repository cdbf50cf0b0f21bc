#include "control/odometry.h"

#include "base/maths.h"

#include <math.h>
#include <string.h>

#define FASTEST 1e3 ///< no side rolls faster, and no robot turns faster [m/s, rad/s]

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

// A change within one period that can be believed; a NaN is none.
static bool believable(double change, double period)
{
    return fabs(change) <= FASTEST * period;
}

// How far one side has rolled in this period. A distance that comes back after a gap holds what was
// rolled in the gap, less what had been guessed: `rolled` is all that was summed up.
static double roll(const ib_OdometryConfig *config, int i, double measured, double *state)
{
    double *speed = &state[IB_ODOMETRY_SPEED + i], *rolled = &state[IB_ODOMETRY_ROLLED + i];
    double dt = config->period, way = *speed * dt;
    if (config->speeds) {
        // Between two samples of a speed the trapezoid.
        if (fabs(measured) <= FASTEST) {
            way = 0.5 * (*speed + measured) * dt;
            *speed = measured;
        }
    } else if (believable(measured - *rolled, dt)) {
        way = measured - *rolled;
        *speed = way / dt;
    }
    *rolled += way;
    return way;
}

// How far the robot has turned in this period; sets the yaw rate.
static double turn(const ib_OdometryConfig *config, double yaw, const double way[2], double *state)
{
    double dt = config->period, *rate = &state[IB_ODOMETRY_YAW_RATE];
    double *last = &state[IB_ODOMETRY_TURNED], angle = *rate * dt;
    if (config->gyro == IB_ODOMETRY_BY_SIDES) {
        angle = 0.5 * (way[1] - way[0]) / config->half_track;
        *rate = 0.5 * (state[IB_ODOMETRY_RIM + 1] - state[IB_ODOMETRY_RIM]) / config->half_track;
    } else if (config->gyro == IB_ODOMETRY_BY_RATE) {
        double now = fabs(yaw) <= FASTEST ? yaw - state[IB_ODOMETRY_BIAS] : *last;
        angle = 0.5 * (*last + now) * dt;
        *last = *rate = now;
    } else {
        if (believable(yaw - *last, dt)) {
            angle = yaw - *last;
            *rate = angle / dt;
        }
        *last += angle;
    }
    return angle;
}

// Standing still: the mean of what the gyro says is its bias.
static void find_bias(double yaw, double *state)
{
    double *bias = &state[IB_ODOMETRY_BIAS], n = state[IB_ODOMETRY_COUNT];
    if (fabs(yaw) <= FASTEST) *bias += (yaw - *bias) / n;
}

// The velocity of the origin: as the sides roll, or as they slide. A slide that is no number is
// none.
static void move(const ib_OdometryConfig *config, double *state)
{
    const double *rim = state + IB_ODOMETRY_RIM;
    double velocity[2] = {state[IB_ODOMETRY_FORWARD], state[IB_ODOMETRY_LEFT]};
    if (config->slide)
        config->slide(config->self, rim, state[IB_ODOMETRY_YAW_RATE], config->period, velocity);
    bool good = config->slide && fabs(velocity[0]) <= FASTEST && fabs(velocity[1]) <= FASTEST;
    state[IB_ODOMETRY_FORWARD] = good ? velocity[0] : 0.5 * (rim[0] + rim[1]);
    state[IB_ODOMETRY_LEFT] = good ? velocity[1] : 0;
}

// With the velocity constant in the robot's frame and the turn phi, the way is a piece of a circle,
// whose chord lies in the direction of the middle heading:
//   (dx, dy) = sin(phi/2)/(phi/2) R(th + phi/2) (ahead, aside)
// Limits: phi = 0 -> a straight line; aside = 0 -> the arc of ib_path_go.
static void advance(double ahead, double aside, double phi, double *state)
{
    double half = 0.5 * phi, s, c;
    double chord = fabs(half) < 1e-8 ? 1 : ib_sin(half) / half;
    ib_sincos(state[IB_ODOMETRY_HEADING] + half, &s, &c);
    state[IB_ODOMETRY_X] += chord * (ahead * c - aside * s);
    state[IB_ODOMETRY_Y] += chord * (ahead * s + aside * c);
    state[IB_ODOMETRY_HEADING] += phi;
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
        state[IB_ODOMETRY_TURNED] = state[IB_ODOMETRY_YAW_RATE] = fabs(yaw) <= FASTEST ? yaw : 0;
}

void ib_odometry_step(const ib_OdometryConfig *config, const double side[2], double yaw,
                      double *state)
{
    state[IB_ODOMETRY_COUNT] += 1;
    if (ib_odometry_settles(config, state) || state[IB_ODOMETRY_COUNT] == 1) {
        if (config->settle > 0) find_bias(yaw, state);
        begin(config, side, yaw, state);
        return;
    }
    double dt = config->period, follow = dt / (config->filter + dt), way[2];
    double *rim = state + IB_ODOMETRY_RIM;
    for (int i = 0; i < 2; i++) {
        way[i] = roll(config, i, side[i], state);
        double speed = config->speeds ? state[IB_ODOMETRY_SPEED + i] : way[i] / dt;
        rim[i] += follow * (speed - rim[i]);
    }
    double phi = turn(config, yaw, way, state), left = state[IB_ODOMETRY_LEFT];
    move(config, state);
    // Of what the sides rolled, less what the robot fell behind them; aside the mean of the period.
    double behind = 0.5 * (rim[0] + rim[1]) - state[IB_ODOMETRY_FORWARD];
    double ahead = 0.5 * (way[0] + way[1]) - behind * dt;
    double aside = 0.5 * (left + state[IB_ODOMETRY_LEFT]) * dt;
    advance(ahead, aside, phi, state);
}
