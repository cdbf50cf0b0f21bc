#include "control/follow.h"

#include "base/extreme.h"
#include "base/maths.h"

#include <math.h>
#include <string.h>

enum { ALONG, ACROSS, HEADING, SPEED, LEFT, YAW };

#define PATIENCE   3.0  ///< for the last millimetres at the end [s]
#define PUSHED     6.0  ///< times `rest`: farther from the end it drives again
#define LEARN_MOST 0.4  ///< of the range that may be learnt
#define CREEPING   0.05 ///< a speed that counts as none [m/s]
#define CRAWL      0.3  ///< pace of the reference for a robot that is beside the path
#define HASTE      4.0  ///< with which is learnt at the end
#define SLOW       0.1  ///< time constant of the speed that counts as standing [s]
#define STEADY     0.06 ///< what an encoder's counts may shake the speed by [m/s]
#define LOOSE      0.6  ///< longest time in which a drift may die out [s]
#define FAR_OFF    2.0  ///< a voltage that is off by this factor is not believed
#define STANDING   0.01 ///< speed below which a robot stands [m/s]
#define TURN       6.283185307179586
#define ASKEW      1.0  ///< error of heading beyond which no more is done [rad]
#define SMALL      3.0  ///< times its weight: an error for which the speed changes
#define AWRY       1.5  ///< error of heading at which the reference waits [rad]
#define REACH      1.5  ///< times the distance: so far along the path it looks for a nearer place
#define FAST       0.2  ///< beyond the reference's speed, from where on commands are less [m/s]
#define TOO_FAST   0.5  ///< the same, where there are none left [m/s]
#define ASTRAY     1.0  ///< distance at which it has little time to come nearer [m]
#define NEARER     0.01 ///< within a second: it comes nearer [m]
#define STRAY_MOST 10.0 ///< without coming nearer, farther than `stop` [s]
#define STRAY_FAR  10.0 ///< that time passes so much faster beyond ASTRAY

// ------------------------------------------------------------------------------------------ config

ib_FollowConfig ib_follow_default(void)
{
    return (ib_FollowConfig){.trajectory = ib_trajectory_default(),
                             .period = 5e-3,
                             .along = 0.03,
                             .across = 0.01,
                             .heading = 0.05,
                             .speed = 0.2,
                             .yaw_rate = 0.5,
                             .command = 0.25,
                             .learning = 1,
                             .wait = 0.05,
                             .stop = 0.2,
                             .rest = 5e-3,
                             .odometry.gyro = IB_ODOMETRY_BY_RATE};
}

static ib_Status positive(const char *key, double value, double most, ib_Error *error)
{
    if (value > 0 && value <= most) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT, "%s: expected more than 0 and at most %g, got %g", key,
                        most, value);
}

ib_Status ib_follow_check(const ib_FollowConfig *c, ib_Error *error)
{
    const struct {
        const char *key;
        double value, most;
    } rows[] = {{"period", c->period, 0.1},   {"along", c->along, 1e3},
                {"across", c->across, 1e3},   {"heading", c->heading, 1e3},
                {"speed", c->speed, 1e3},     {"yaw_rate", c->yaw_rate, 1e3},
                {"command", c->command, 1e3}, {"learning", c->learning, INFINITY},
                {"wait", c->wait, 1e3},       {"stop", c->stop, 1e3},
                {"rest", c->rest, 1e3}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ib_Status status = positive(rows[i].key, rows[i].value, rows[i].most, error);
        if (status) return status;
    }
    if (!(c->count >= 0))
        return ib_error_set(error, IB_BAD_INPUT, "count: expected 0 m or more, got %g m", c->count);
    if (c->stop <= c->wait)
        return ib_error_set(error, IB_BAD_INPUT, "stop: expected more than wait, %g m, got %g m",
                            c->wait, c->stop);
    return ib_trajectory_check(&c->trajectory, error);
}

// One count in one period is a speed; it shall shake the estimate by STEADY at most.
static double find_filter(const ib_FollowConfig *config)
{
    if (config->odometry.filter > 0) return config->odometry.filter;
    return ib_max(0, config->count / STEADY - config->period);
}

// A floor that takes long to turn the robot's velocity: drift is then no answer to a turn but a
// motion of its own, which nothing here steers.
static ib_Status check_grip(const ib_Locomotion *base, ib_Error *error)
{
    double v = 0.3, w = 0.1;
    ib_MotionDemand demand;
    base->demand(base, &(ib_AxisMotion){.velocity = {v, 0, w}}, &demand);
    double time = fabs(demand.drift) / (v * w);
    if (time <= LOOSE && isfinite(demand.share)) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT,
                        "path: the wheels hold the robot too little sideways to follow a curve: "
                        "a drift dies out in %.2g s, expected %g s at most; give it wheels with "
                        "more grip sideways",
                        time, LOOSE);
}

ib_Status ib_follow_init(const ib_FollowConfig *config, const ib_PathConfig *path,
                         ib_PathPoint start, const ib_Locomotion *base, ib_Arena *arena,
                         ib_FollowModel *model, ib_Error *error)
{
    *model = (ib_FollowModel){.config = *config, .base = base, .start = start};
    ib_Status status = ib_follow_check(config, error);
    if (status) return status;
    ib_OdometryConfig odometry = config->odometry;
    odometry.period = config->period;
    odometry.filter = find_filter(config);
    if (base->slide) {
        odometry.base = base;
        for (int i = 0; i < 2; i++)
            odometry.rows[i].turn = (i ? 1 : -1) * ib_locomotion_track(base, 0.5, 0.5);
    }
    status = ib_odometry_init(&odometry, &model->odometry, error);
    if (!status) status = check_grip(model->base, error);
    if (!status)
        status = ib_trajectory_init(&config->trajectory, path, start, model->base, arena,
                                    &model->trajectory, error);
    return status ? status : ib__follow_gains(model, arena, error);
}

void ib_follow_reset(const ib_FollowModel *model, double *state)
{
    const ib_PathPoint *start = &model->start;
    memset(state, 0, IB_FOLLOW_STATES * sizeof *state);
    ib_odometry_reset(start->x, start->y, start->course, state);
    state[IB_FOLLOW_PACE] = state[IB_FOLLOW_SAG] = 1;
    state[IB_FOLLOW_REFERENCE] = start->x;
    state[IB_FOLLOW_REFERENCE + 1] = start->y;
    state[IB_FOLLOW_REFERENCE + 2] = start->course;
}

// ------------------------------------------------------------------------------------------ errors

// In the frame of the reference: ahead, to the left, turned to the left, faster.
static void find_errors(const ib_TrajectoryPoint *p, double pace, double *state)
{
    double s, c, *e = state + IB_FOLLOW_ERROR;
    double dx = state[IB_ODOMETRY_X] - p->x, dy = state[IB_ODOMETRY_Y] - p->y;
    ib_sincos(p->course, &s, &c);
    e[ALONG] = dx * c + dy * s;
    e[ACROSS] = dy * c - dx * s;
    e[HEADING] = state[IB_ODOMETRY_HEADING] - p->heading;
    e[HEADING] -= TURN * rint(e[HEADING] / TURN);
    e[SPEED] = state[IB_ODOMETRY_FORWARD] - pace * p->forward;
    e[LEFT] = state[IB_ODOMETRY_LEFT]; // no gain knows it where the base has no such axis
    e[YAW] = state[IB_ODOMETRY_YAW_RATE] - pace * p->yaw_rate;
}

// A turn moves a robot aside only as far as it drives: gains are for the reference's speed, and one
// that stands or is pushed back must not turn against an error aside. From 0 to 1.
static double find_way(const ib_Locomotion *base, const ib_TrajectoryPoint *p, const double *state)
{
    if (ib_is_holonomic(base)) return 1;
    double forward = ib_max(CRAWL, state[IB_FOLLOW_PACE]) * p->forward;
    double share = (state[IB_ODOMETRY_FORWARD] + CREEPING) / (forward + CREEPING);
    return ib_min(1, ib_max(0, share));
}

// A robot that is farther off than `stop` goes on from where it is nearest to the path: one that
// was thrown ahead need not come back. Finds the errors from there.
static ib_TrajectoryPoint find_place(const ib_FollowModel *model, double *state)
{
    const double *e = state + IB_FOLLOW_ERROR;
    double *time = &state[IB_FOLLOW_TIME], stop = model->config.stop;
    ib_TrajectoryPoint p = ib_trajectory_at(&model->trajectory, *time);
    find_errors(&p, state[IB_FOLLOW_PACE], state);
    double away = sqrt(e[ALONG] * e[ALONG] + e[ACROSS] * e[ACROSS]);
    if (!(away > stop)) return p;
    *time = ib_trajectory_nearest(&model->trajectory, *time, REACH * away, state[IB_ODOMETRY_X],
                                  state[IB_ODOMETRY_Y]);
    p = ib_trajectory_at(&model->trajectory, *time);
    find_errors(&p, state[IB_FOLLOW_PACE], state);
    return p;
}

// What the gains may see: they know small errors only.
static void bound(const double most[3], double e[IB_FOLLOW_ERRORS])
{
    for (int i = ALONG; i <= HEADING; i++) e[i] = ib_min(most[i], ib_max(-most[i], e[i]));
}

// The reference slows down for a robot that is behind it, until it waits. For one that is beside it
// only to a crawl: a robot must move to get back aside. For one that points elsewhere, until it has
// turned. And for one whose commands are cut: slower it needs less, and keeps the curve. Smoothly,
// since its pace is a speed.
static double find_pace(const ib_FollowConfig *config, const double *state)
{
    const double *e = state + IB_FOLLOW_ERROR;
    double per = 1 / (config->stop - config->wait);
    double behind = ib_min(1, ib_max(0, (config->stop + e[ALONG]) * per));
    double beside = ib_min(1, ib_max(CRAWL, (config->stop - fabs(e[ACROSS])) * per));
    double turned = ib_min(1, ib_max(0, AWRY - fabs(e[HEADING])));
    double wanted = ib_min(turned, ib_min(behind, beside));
    if (state[IB_FOLLOW_SATURATED] != 0) wanted = ib_min(wanted, CRAWL);
    double follow = config->period / (SLOW + config->period);
    return state[IB_FOLLOW_PACE] + follow * (wanted - state[IB_FOLLOW_PACE]);
}

// ---------------------------------------------------------------------------------------- commands

// The range is a square in (left, right). What turns the robot is kept as far as the range goes,
// and what drives it gives way: (right - left)/2 first, (right + left)/2 within what is left. Of
// three axes the turn first, and the way in its own direction.
static bool limit(const ib_Locomotion *base, double command[IB_AXES])
{
    bool any = ib_is_holonomic(base);
    double range = base->range, turn = any ? command[2] : 0.5 * (command[1] - command[0]);
    double x = any ? command[0] : 0.5 * (command[0] + command[1]), y = any ? command[1] : 0;
    bool good = isfinite(x) && isfinite(y) && isfinite(turn);
    if (!good) x = y = turn = 0;
    double kept = ib_min(range, ib_max(-range, turn)), room = range - fabs(kept);
    double size = any ? sqrt(x * x + y * y) : fabs(x), share = size > room ? room / size : 1;
    command[0] = any ? share * x : ib_min(range, ib_max(-range, share * x - kept)); // rounding
    command[1] = any ? share * y : ib_min(range, ib_max(-range, share * x + kept));
    command[2] = any ? kept : 0;
    return !good || kept != turn || share < 1;
}

// c = -K e, with the gains of the reference's time, between two of them a straight line.
static void feed_back(const ib_FollowModel *model, double time, const double *e, double *c)
{
    double at = ib_min(model->count - 1, ib_max(0, time / model->spacing));
    int low = (int)ib_min(model->count - 2, at);
    if (low < 0) low = 0;
    double share = at - low;
    const double *K = model->gains + low * IB_AXES * IB_FOLLOW_ERRORS;
    const double *next = model->count > 1 ? K + IB_AXES * IB_FOLLOW_ERRORS : K;
    for (int i = 0; i < IB_AXES; i++) {
        c[i] = 0;
        for (int j = 0; j < IB_FOLLOW_ERRORS; j++) {
            int k = i * IB_FOLLOW_ERRORS + j;
            c[i] -= (K[k] + share * (next[k] - K[k])) * e[j];
        }
    }
}

// A robot that is far away comes back at the angle of one that is not so far. In a curve it pays to
// drive slower or faster for an error aside, but only for a small one. A base that goes any way
// needs neither.
static void come_back(const ib_FollowModel *model, double time, double *e, double *c)
{
    const ib_FollowConfig *config = &model->config;
    const double turn_most[3] = {config->stop, config->stop, ASKEW};
    const double drive_most[3] = {config->stop, SMALL * config->across, SMALL * config->heading};
    double turn[IB_AXES], drive[IB_AXES];
    bound(turn_most, e);
    feed_back(model, time, e, turn);
    memcpy(c, turn, sizeof turn);
    if (ib_is_holonomic(model->base)) return;
    bound(drive_most, e);
    feed_back(model, time, e, drive);
    double both = 0.5 * (drive[0] + drive[1]), apart = 0.5 * (turn[1] - turn[0]);
    c[0] = both - apart;
    c[1] = both + apart;
}

// However it came to be: what is much faster than the reference gets no more power. From 1 to 0.
static double slow_down(const ib_TrajectoryPoint *p, const double *state)
{
    double fast = fabs(state[IB_ODOMETRY_FORWARD]) - p->speed;
    return ib_min(1, ib_max(0, (TOO_FAST - fast) / (TOO_FAST - FAST)));
}

// What the motion of the reference takes in the middle of the coming period.
static void feed_forward(const ib_FollowModel *model, double time, double pace, double *state,
                         double *c)
{
    ib_TrajectoryPoint p =
        ib_trajectory_at(&model->trajectory, time + 0.5 * pace * model->config.period);
    double square = pace * pace;
    ib_AxisMotion motion =
        ib_motion_ahead(model->base, pace * p.forward, pace * p.yaw_rate, square * p.faster,
                        square * p.yaw_quicker, square * p.drifting);
    ib_MotionDemand demand;
    model->base->demand(model->base, &motion, &demand);
    for (int i = 0; i < IB_AXES; i++) c[i] = isfinite(demand.command[i]) ? demand.command[i] : 0;
    state[IB_FOLLOW_EXPECTED] = isfinite(demand.supply) ? demand.supply : 0;
}

// A battery that is emptier or weaker than its model, or that feeds others as well: commands are
// shares of a voltage, and grow as it falls short of the one they counted on. Slowly, since the
// voltage falls with the commands. A reading that is far off is none.
static void watch_supply(const ib_FollowModel *model, double supply, double *state)
{
    double ratio = state[IB_FOLLOW_EXPECTED] / supply;
    if (!(ratio >= 1 / FAR_OFF && ratio <= FAR_OFF)) return;
    double follow = model->config.period / (SLOW + model->config.period);
    state[IB_FOLLOW_SAG] += follow * (ratio - state[IB_FOLLOW_SAG]);
}

// What feedback has asked for over time stays: a slope, a weak side, a floor unlike the model.
// At the end, standing, it is learnt faster: what was learnt in motion is no good there.
static void learn(const ib_FollowModel *model, const double *feedback, bool ended, double *state)
{
    double most = LEARN_MOST * model->base->range;
    double share = (ended ? HASTE : 1) * model->config.period / model->config.learning;
    for (int i = 0; i < IB_AXES; i++) {
        double *learnt = &state[IB_FOLLOW_LEARNT + i];
        *learnt = ib_min(most, ib_max(-most, *learnt + share * feedback[i]));
    }
}

// -------------------------------------------------------------------------------------------- rest

// A zone around zero in which nothing is to be done.
static double beyond(double error, double zone)
{
    return error > zone ? error - zone : error < -zone ? error + zone : 0;
}

// Velocities over some time: one count of an encoder is no motion.
static void watch(const ib_FollowModel *model, double *state)
{
    double follow = model->config.period / (SLOW + model->config.period);
    for (int i = 0; i < IB_AXES; i++) {
        double *creep = &state[IB_FOLLOW_CREEP + i];
        *creep += follow * (state[IB_ODOMETRY_ROLLING + i] - *creep);
    }
}

// Does no rim roll?
static bool stands_still(const ib_FollowModel *model, const double *state)
{
    const double *creep = state + IB_FOLLOW_CREEP;
    const ib_OdometryConfig *odometry = &model->odometry.config;
    for (int i = 0; i < odometry->count * (odometry->angled ? 2 : 1); i++) {
        const ib_WheelRow *row = &odometry->rows[i];
        double speed = row->forward * creep[0] + row->left * creep[1] + row->turn * creep[2];
        if (!(fabs(speed) < STANDING)) return false;
    }
    return true;
}

// At the end a robot on two sides cannot move aside: only the last millimetres along the path can
// still be had. Once it stands near enough, or nothing more comes of it, the path is done, and a
// robot with brakes gets neutral commands until somebody pushes it away. True: that is so.
static bool hold(const ib_FollowModel *model, double *state, double e[IB_FOLLOW_ERRORS])
{
    const ib_FollowConfig *c = &model->config;
    if (!ib_is_holonomic(model->base)) e[ACROSS] = 0;
    double away = sqrt(e[ALONG] * e[ALONG] + e[ACROSS] * e[ACROSS]);
    bool stands = stands_still(model, state), near = away <= c->rest && stands;
    bool tired = state[IB_FOLLOW_HELD] > PATIENCE && stands;
    state[IB_FOLLOW_HELD] += c->period;
    if (state[IB_FOLLOW_DONE] == 0 && (near || tired)) state[IB_FOLLOW_DONE] = 1;
    if (state[IB_FOLLOW_DONE] != 0 && away > PUSHED * c->rest) {
        state[IB_FOLLOW_DONE] = 0;
        state[IB_FOLLOW_HELD] = 0;
    }
    double zone = (state[IB_FOLLOW_DONE] != 0 ? 1 : 0.5) * c->rest;
    e[ACROSS] = beyond(e[ACROSS], zone);
    e[ALONG] = beyond(e[ALONG], zone);
    if (state[IB_FOLLOW_DONE] == 0) return false;
    // Without brakes what speed is left must be taken away, but counts and noise left alone.
    e[HEADING] = beyond(e[HEADING], c->heading);
    memcpy(e + SPEED, state + IB_FOLLOW_CREEP, IB_AXES * sizeof *e);
    return !model->base->coasts;
}

// -------------------------------------------------------------------------------------------- lost

// Is it far off, and comes no nearer? Nobody knows then what it would do next.
static void find_lost(const ib_FollowModel *model, double *state)
{
    const double *e = state + IB_FOLLOW_ERROR, dt = model->config.period;
    double away = sqrt(e[ALONG] * e[ALONG] + e[ACROSS] * e[ACROSS]);
    double *slow = &state[IB_FOLLOW_AWAY], *stray = &state[IB_FOLLOW_STRAY];
    *slow += dt / (1 + dt) * (away - *slow);
    bool nearer = away < *slow - NEARER;
    *stray =
        nearer || away <= model->config.stop ? 0 : *stray + (away > ASTRAY ? STRAY_FAR : 1) * dt;
    if (*stray > STRAY_MOST) state[IB_FOLLOW_LOST] = 1;
}

// Brakes need no commands; without them what speed is left is taken away, as at the end.
static void stop(const ib_FollowModel *model, double *state, double *command)
{
    double e[IB_FOLLOW_ERRORS] = {0};
    memcpy(e + SPEED, state + IB_FOLLOW_CREEP, IB_AXES * sizeof *e);
    feed_back(model, model->trajectory.duration, e, command);
    limit(model->base, command);
    if (!model->base->coasts) memset(command, 0, IB_AXES * sizeof *command);
    state[IB_FOLLOW_PACE] = 0;
}

// -------------------------------------------------------------------------------------------- step

static void give(const ib_FollowModel *model, const double *command, double *state, double *out)
{
    memcpy(state + IB_FOLLOW_COMMAND, command, IB_AXES * sizeof *command);
    memcpy(out, command, (size_t)model->base->count * sizeof *command);
}

void ib_follow_step(const ib_FollowModel *model, double supply, double *state, double *command)
{
    static const double neutral[IB_AXES] = {0};
    double most = model->config.stop, e[IB_FOLLOW_ERRORS];
    double forward[IB_AXES], back[IB_AXES], sum[IB_AXES];
    watch(model, state);
    watch_supply(model, supply, state);
    if (ib_odometry_settles(&model->odometry, state)) {
        give(model, neutral, state, command);
        return;
    }
    ib_TrajectoryPoint p = find_place(model, state);
    double time = state[IB_FOLLOW_TIME], duration = model->trajectory.duration;
    const double shown[4] = {p.x, p.y, p.heading, state[IB_FOLLOW_PACE] * p.speed};
    memcpy(state + IB_FOLLOW_REFERENCE, shown, sizeof shown);
    if (state[IB_FOLLOW_LOST] == 0) find_lost(model, state);
    if (state[IB_FOLLOW_LOST] != 0) {
        stop(model, state, sum);
        give(model, sum, state, command);
        return;
    }
    memcpy(e, state + IB_FOLLOW_ERROR, sizeof e);
    e[ACROSS] = ib_min(most, ib_max(-most, e[ACROSS])) * find_way(model->base, &p, state);
    if (time >= duration && hold(model, state, e)) {
        state[IB_FOLLOW_SATURATED] = 0;
        give(model, neutral, state, command);
        return;
    }
    double pace = state[IB_FOLLOW_PACE] = find_pace(&model->config, state);
    feed_forward(model, time, pace, state, forward);
    come_back(model, time, e, back);
    for (int i = 0; i < IB_AXES; i++)
        sum[i] = (forward[i] + back[i] + state[IB_FOLLOW_LEARNT + i]) * state[IB_FOLLOW_SAG];
    double power = slow_down(&p, state);
    bool cut = limit(model->base, sum) || power < 1;
    for (int i = 0; i < IB_AXES; i++) sum[i] *= power;
    bool near = pace > 0.95; // a robot that is waited for has other worries
    bool ended = time >= duration;
    if (!cut && near && (!ended || stands_still(model, state))) learn(model, back, ended, state);
    state[IB_FOLLOW_SATURATED] = cut;
    state[IB_FOLLOW_TIME] = ib_min(duration, time + pace * model->config.period);
    give(model, sum, state, command);
}
