#include "control/path/follow.h"

#include "base/extreme.h"
#include "base/maths.h"

#include <math.h>
#include <string.h>

enum { ALONG, ACROSS, HEADING };

#define MIN_PACE           0.3  ///< of the reference for a robot that is beside the path
#define MAX_HEADING_ERROR  1.0  ///< for which the law turns it [rad]
#define WAIT_HEADING_ERROR 1.5  ///< at which the reference waits [rad]
#define MAX_SPEEDUP        0.2  ///< beyond the reference's speed, from where on commands fade [m/s]
#define MAX_RUNAWAY        0.5  ///< the same, where there are none left [m/s]
#define MAX_ENCODER_STEP   0.06 ///< change of speed by an encoder's counts [m/s]
#define MAX_DRIFT_TIME     0.6  ///< longest time in which a drift may die out [s]
#define MAX_SUPPLY_RATIO   2.0  ///< a voltage that is off by this factor is not believed
#define FILTER             0.1 ///< time constant of pace, sag and the speed that counts at rest [s]
#define REST_SPEED         0.01 ///< below which a robot stands [m/s]
#define REST_HEADING       0.02 ///< error of heading that is near enough at the end [rad]
#define REST_TIME          3.0  ///< for the last millimetres at the end [s]
#define LEAVE              6.0  ///< times `rest`: farther from the end it drives again
#define SIDES_GAIN         6.0  ///< of the law, for a base with two sides [1/s]
#define AXES_GAIN          10.0 ///< the same for one that goes any way [1/s]
#define LEARNING           1.0  ///< time in which lasting errors are learnt [s]
#define MAX_LEARNT         0.2  ///< of the top speed that may be learnt
#define SEARCH             1.5  ///< times the distance: range of the search for a nearer place
#define MAX_PATH_ERROR     1.0  ///< distance at which it has little time to come nearer [m]
#define NEARER             0.01 ///< within a second: it comes nearer [m]
#define MAX_STRAY_TIME     10.0 ///< without coming nearer, farther than `stop` [s]
#define FAR_STRAY_RATE     10.0 ///< that time passes so much faster beyond MAX_PATH_ERROR
#define TURN               6.283185307179586

// ------------------------------------------------------------------------------------------ config

ib_FollowConfig ib_follow_default(void)
{
    return (ib_FollowConfig){.trajectory = ib_trajectory_default(),
                             .period = 5e-3,
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
    } rows[] = {{"period", c->period, 0.1},
                {"wait", c->wait, 1e3},
                {"stop", c->stop, 1e3},
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

// One count in one period is a speed; it shall shake the estimate by MAX_ENCODER_STEP at most.
static double find_filter(const ib_FollowConfig *config)
{
    if (config->odometry.filter > 0) return config->odometry.filter;
    return ib_max(0, config->count / MAX_ENCODER_STEP - config->period);
}

// A floor that takes long to turn the robot's velocity: drift is then no answer to a turn but a
// motion of its own, which nothing here steers.
static ib_Status check_grip(const ib_Locomotion *base, ib_Error *error)
{
    double v = 0.3, w = 0.1;
    ib_MotionDemand demand;
    base->demand(base, &(ib_AxisMotion){.velocity = {v, 0, w}}, &demand);
    double time = fabs(demand.drift) / (v * w);
    if (!isfinite(demand.share))
        return ib_error_set(error, IB_BAD_INPUT,
                            "path: not even %g m/s with %g rad/s can be driven: forbidden by %s", v,
                            w, ib_motion_limit(demand.limit));
    if (time <= MAX_DRIFT_TIME) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT,
                        "path: the wheels hold the robot too little sideways to follow a curve: "
                        "a drift dies out in %.2g s, expected %g s at most; give it wheels with "
                        "more grip sideways",
                        time, MAX_DRIFT_TIME);
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
    if (status) return status;
    return ib_trajectory_init(&config->trajectory, path, start, base, arena, &model->trajectory,
                              error);
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

// --------------------------------------------------------------------------------------- reference

// Place of the reference. At its end it points along the path: a drift that shrinks with the speed
// leaves a robot that slides around a curve askew.
static ib_TrajectoryPoint reference_at(const ib_FollowModel *model, double time)
{
    ib_TrajectoryPoint p = ib_trajectory_at(&model->trajectory, time);
    if (time >= model->trajectory.duration) p.heading = p.course;
    return p;
}

// Errors in the frame of the reference: ahead, to the left, turned to the left.
static double find_errors(const ib_TrajectoryPoint *p, double *state)
{
    double s, c, *e = state + IB_FOLLOW_ERROR;
    double dx = state[IB_ODOMETRY_X] - p->x, dy = state[IB_ODOMETRY_Y] - p->y;
    ib_sincos(p->course, &s, &c);
    e[ALONG] = dx * c + dy * s;
    e[ACROSS] = dy * c - dx * s;
    e[HEADING] = state[IB_ODOMETRY_HEADING] - p->heading;
    e[HEADING] -= TURN * rint(e[HEADING] / TURN);
    return sqrt(dx * dx + dy * dy);
}

// A robot that is farther off than `stop` continues from the nearest place of the path: one that
// was pushed ahead need not come back. Finds the errors from there.
static ib_TrajectoryPoint find_place(const ib_FollowModel *model, double *state)
{
    double *time = &state[IB_FOLLOW_TIME];
    ib_TrajectoryPoint p = reference_at(model, *time);
    double away = find_errors(&p, state);
    if (!(away > model->config.stop)) return p;
    *time = ib_trajectory_nearest(&model->trajectory, *time, SEARCH * away, state[IB_ODOMETRY_X],
                                  state[IB_ODOMETRY_Y]);
    p = reference_at(model, *time);
    find_errors(&p, state);
    return p;
}

// The reference slows down for a robot that is behind it, until it waits. It slows down to MIN_PACE
// for a robot beside it, which must move to get back; for one with another heading, until that has
// turned; and for one with saturated commands, which then needs less and keeps the curve. The pace
// changes smoothly, as a speed.
static double find_pace(const ib_FollowConfig *config, const double *state)
{
    const double *e = state + IB_FOLLOW_ERROR;
    double per = 1 / (config->stop - config->wait);
    double behind = ib_min(1, ib_max(0, (config->stop + e[ALONG]) * per));
    double beside = ib_min(1, ib_max(MIN_PACE, (config->stop - fabs(e[ACROSS])) * per));
    double turned = ib_min(1, ib_max(0, WAIT_HEADING_ERROR - fabs(e[HEADING])));
    double wanted = ib_min(turned, ib_min(behind, beside));
    if (state[IB_FOLLOW_SATURATED] != 0) wanted = ib_min(wanted, MIN_PACE);
    double follow = config->period / (FILTER + config->period);
    return state[IB_FOLLOW_PACE] + follow * (wanted - state[IB_FOLLOW_PACE]);
}

static double within(double most, double value)
{
    return ib_min(most, ib_max(-most, value));
}

// The reference of the law: velocities are proportional to the pace, accelerations to its square.
// Errors are limited to `wait` along the path, `stop` across it and MAX_HEADING_ERROR, so that a
// far robot comes back like a near one.
static ib_Reference find_reference(const ib_FollowModel *model, const ib_TrajectoryPoint *p,
                                   const double *state)
{
    const double *e = state + IB_FOLLOW_ERROR;
    double along = within(model->config.wait, e[ALONG]), s, c;
    double across = within(model->config.stop, e[ACROSS]), pace = state[IB_FOLLOW_PACE];
    double v = pace * p->speed;
    ib_sincos(p->course, &s, &c);
    return (ib_Reference){.x = state[IB_ODOMETRY_X] - (c * along - s * across),
                          .y = state[IB_ODOMETRY_Y] - (s * along + c * across),
                          .heading =
                              state[IB_ODOMETRY_HEADING] - within(MAX_HEADING_ERROR, e[HEADING]),
                          .vx = c * v,
                          .vy = s * v,
                          .turning = pace * p->yaw_rate};
}

// -------------------------------------------------------------------------------------------- rest

// A robot on two sides cannot move aside at the end: only the last millimetres along the path can
// be corrected. Once it stands near enough, or makes no more progress, the path is done, until
// a push.
static bool rests(const ib_FollowModel *model, double *state)
{
    const ib_FollowConfig *c = &model->config;
    const double *e = state + IB_FOLLOW_ERROR, *creep = state + IB_FOLLOW_CREEP;
    double across = ib_is_holonomic(model->base) ? e[ACROSS] : 0, *done = &state[IB_FOLLOW_DONE];
    double away = sqrt(e[ALONG] * e[ALONG] + across * across);
    bool stands = sqrt(creep[0] * creep[0] + creep[1] * creep[1]) < REST_SPEED;
    bool there = away <= c->rest && fabs(e[HEADING]) < REST_HEADING;
    bool enough = there || state[IB_FOLLOW_HELD] > REST_TIME;
    state[IB_FOLLOW_HELD] += c->period;
    if (*done == 0 && enough && stands) *done = 1;
    if (*done != 0 && away > LEAVE * c->rest) *done = state[IB_FOLLOW_HELD] = 0;
    return *done != 0;
}

// True if it is far off, and comes no nearer. Its further motion is then unknown.
static bool is_lost(const ib_FollowModel *model, double *state)
{
    const double *e = state + IB_FOLLOW_ERROR, dt = model->config.period;
    double away = sqrt(e[ALONG] * e[ALONG] + e[ACROSS] * e[ACROSS]);
    double *slow = &state[IB_FOLLOW_AWAY], *stray = &state[IB_FOLLOW_STRAY];
    *slow += dt / (1 + dt) * (away - *slow);
    bool nearer = away < *slow - NEARER;
    *stray = nearer || away <= model->config.stop
                 ? 0
                 : *stray + (away > MAX_PATH_ERROR ? FAR_STRAY_RATE : 1) * dt;
    if (*stray > MAX_STRAY_TIME) state[IB_FOLLOW_LOST] = 1;
    return state[IB_FOLLOW_LOST] != 0;
}

// ---------------------------------------------------------------------------------------- commands

// A battery that is emptier or weaker than its model, or that feeds others as well: commands are
// shares of a voltage, and grow as it falls short of the one they counted on. Slowly, since the
// voltage falls with the commands. A reading that is far off is none.
static void watch_supply(const ib_FollowModel *model, double supply, double *state)
{
    double ratio = state[IB_FOLLOW_EXPECTED] / supply;
    if (!(ratio >= 1 / MAX_SUPPLY_RATIO && ratio <= MAX_SUPPLY_RATIO)) return;
    double follow = model->config.period / (FILTER + model->config.period);
    state[IB_FOLLOW_SAG] += follow * (ratio - state[IB_FOLLOW_SAG]);
}

// Integrates the law's additions to the plan: a slope, a weak side, a floor unlike the model. Turns
// are left out, as they change from curve to curve.
static void learn(const ib_FollowModel *model, const ib_AxisMotion *planned, double *state,
                  ib_AxisMotion *motion)
{
    double share = model->config.period / LEARNING;
    bool learns = state[IB_FOLLOW_SATURATED] == 0 && state[IB_FOLLOW_PACE] > 0.95;
    for (int i = 0; i < 2; i++) {
        double *learnt = &state[IB_FOLLOW_LEARNT + i], most = MAX_LEARNT * model->base->top[i];
        double feedback = motion->velocity[i] - planned->velocity[i];
        if (learns) *learnt = within(most, *learnt + share * feedback);
        motion->velocity[i] += *learnt;
    }
}

// A factor from 1 to 0: a robot much faster than the reference, for any reason, gets no more power.
static double fade(const ib_TrajectoryPoint *p, const double *state)
{
    double fast = fabs(state[IB_ODOMETRY_FORWARD]) - p->speed;
    return ib_min(1, ib_max(0, (MAX_RUNAWAY - fast) / (MAX_RUNAWAY - MAX_SPEEDUP)));
}

static void drive(const ib_FollowModel *model, const ib_TrajectoryPoint *p, const ib_BasePose *pose,
                  double *state, ib_AxisMotion *motion)
{
    const ib_Locomotion *base = model->base;
    double K = ib_is_holonomic(base) ? AXES_GAIN : SIDES_GAIN, *time = &state[IB_FOLLOW_TIME];
    double pace = state[IB_FOLLOW_PACE] = find_pace(&model->config, state), square = pace * pace;
    ib_Reference ref = find_reference(model, p, state);
    ib_AxisMotion planned =
        ib_motion_ahead(base, pace * p->forward, pace * p->yaw_rate, square * p->faster,
                        square * p->yaw_quicker, square * p->drifting);
    ib_tracking_motion(base, pose, &ref, K, motion);
    memcpy(motion->rate, planned.rate, sizeof motion->rate);
    learn(model, &planned, state, motion);
    ib_tracking_push(base, pose, K, motion);
    *time = ib_min(model->trajectory.duration, *time + pace * model->config.period);
}

void ib_follow_step(const ib_FollowModel *model, double supply, double *state, double *command)
{
    const ib_Locomotion *base = model->base;
    double dt = model->config.period;
    ib_AxisMotion motion = {0};
    memset(command, 0, (size_t)base->count * sizeof *command);
    watch_supply(model, supply, state);
    if (ib_odometry_settles(&model->odometry, state)) return;
    ib_BasePose pose = ib_odometry_pose(state);
    state[IB_FOLLOW_CREEP] += dt / (FILTER + dt) * (pose.forward - state[IB_FOLLOW_CREEP]);
    state[IB_FOLLOW_CREEP + 1] += dt / (FILTER + dt) * (pose.left - state[IB_FOLLOW_CREEP + 1]);
    ib_TrajectoryPoint p = find_place(model, state);
    bool lost = is_lost(model, state);
    bool ended = state[IB_FOLLOW_TIME] >= model->trajectory.duration;
    bool stays = lost || (ended && rests(model, state));
    if (lost) state[IB_FOLLOW_PACE] = 0;
    const double shown[4] = {p.x, p.y, p.heading, state[IB_FOLLOW_PACE] * p.speed};
    memcpy(state + IB_FOLLOW_REFERENCE, shown, sizeof shown);
    if (stays) state[IB_FOLLOW_SATURATED] = 0;
    if (stays && !base->coasts) return;
    if (stays)
        ib_tracking_stand(base, &pose, SIDES_GAIN, dt, &motion);
    else
        drive(model, &p, &pose, state, &motion);
    ib_MotionDemand demand;
    base->demand(base, &motion, &demand);
    state[IB_FOLLOW_EXPECTED] = isfinite(demand.supply) ? demand.supply : 0;
    double power = fade(&p, state);
    for (int i = 0; i < base->count; i++) command[i] = demand.command[i] * state[IB_FOLLOW_SAG];
    state[IB_FOLLOW_SATURATED] = ib_locomotion_limit(base, command) || power < 1;
    for (int i = 0; i < base->count; i++) command[i] *= power;
}
