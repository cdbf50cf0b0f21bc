#include "control/routine/move.h"

#include "base/extreme.h"
#include "base/maths.h"
#include "control/path/profile.h"

#include <math.h>
#include <string.h>

#define LEARN           4.0  ///< rate of i by the remaining error [1/s^2]
#define MAX_LEARN_SPEED 0.05 ///< i of a place that is held grows only below this speed [m/s]
#define REST_SPEED      0.03 ///< a base that is slower stands, as a way of its wheels [m/s]
#define PASS_DISTANCE   0.1  ///< a point is passed at this distance [m]

enum { TURNS = 1, DRIVES, TURNS_AGAIN, ARRIVED };

// The shorter way round from one heading to another, -pi .. pi.
static double turn_to(double from, double to)
{
    double s, c;
    ib_sincos(to - from, &s, &c);
    return ib_atan2(s, c);
}

// -------------------------------------------------------------------------------------------- plan

static void begin_phase(int phase, const ib_BasePose *pose, double *state)
{
    state[IB_MOVE_PHASE] = phase;
    state[IB_MOVE_TIME] = 0;
    state[IB_MOVE_FROM] = pose->x;
    state[IB_MOVE_FROM + 1] = pose->y;
    state[IB_MOVE_FROM + 2] = pose->heading;
    memset(state + IB_MOVE_LEARNT, 0, 3 * sizeof *state);
}

// True if the path has the heading. A base with two sides drives along it.
static bool is_planned(const ib_MoveConfig *config, const ib_Locomotion *base)
{
    return config->end == IB_MOVE_PLANNED || !ib_is_holonomic(base);
}

ib_PlannedSample ib_move_path_at(const ib_MoveConfig *config, const double from[3], double t)
{
    ib_PlannedSample at = ib_planned_at(config->path, t);
    return config->here ? ib_planned_laid(&at, from[0], from[1], from[2]) : at;
}

static void find_goal(const ib_MoveConfig *config, const ib_Locomotion *base,
                      const ib_BasePose *pose, double goal[3])
{
    double s, c, x = config->x, y = config->y;
    ib_sincos(pose->heading, &s, &c);
    goal[0] = x;
    goal[1] = y;
    goal[2] = pose->heading;
    if (config->kind == IB_MOVE_BY) goal[0] = pose->x + x, goal[1] = pose->y + y;
    if (config->kind == IB_MOVE_AHEAD) {
        goal[0] = pose->x + c * x - s * y;
        goal[1] = pose->y + s * x + c * y;
    }
    if (config->end == IB_MOVE_TURNS) goal[2] += config->heading;
    if (config->end == IB_MOVE_FACES) goal[2] += turn_to(pose->heading, config->heading);
    if (config->kind == IB_MOVE_HOLD) goal[0] = pose->x, goal[1] = pose->y;
    if (config->kind != IB_MOVE_PATH) return;
    double from[3] = {pose->x, pose->y, pose->heading};
    ib_PlannedSample last = ib_move_path_at(config, from, config->path->duration);
    goal[0] = last.x;
    goal[1] = last.y;
    if (is_planned(config, base)) goal[2] += turn_to(pose->heading, last.heading);
}

static double distance_to(const ib_BasePose *pose, const double goal[2])
{
    double dx = goal[0] - pose->x, dy = goal[1] - pose->y;
    return sqrt(dx * dx + dy * dy);
}

// The next point of the detour; without obstacles the goal. A base that stops at a corner finds it
// again a millimetre away, in any direction: corners that near are passed.
static void find_next(const ib_MoveConfig *config, const ib_BasePose *pose, double *state)
{
    const double *goal = state + IB_MOVE_GOAL, from[2] = {pose->x, pose->y};
    double *next = state + IB_MOVE_NEXT, via[IB_DETOUR_VIAS][2];
    int count = config->around ? ib_detour_find(config->around, from, goal, via) : 0, k = 0;
    state[IB_MOVE_LOST] = count < 0;
    while (k < count && distance_to(pose, via[k]) <= 0.5 * config->near) k++;
    next[0] = k < count ? via[k][0] : count < 0 ? pose->x : goal[0];
    next[1] = k < count ? via[k][1] : count < 0 ? pose->y : goal[1];
}

static bool is_last(const double *state)
{
    const double *goal = state + IB_MOVE_GOAL, *next = state + IB_MOVE_NEXT;
    return next[0] == goal[0] && next[1] == goal[1];
}

// Ahead, or back where that takes the shorter turn.
static void find_course(const ib_BasePose *pose, const double goal[2], double course[2])
{
    double bearing = ib_atan2(goal[1] - pose->y, goal[0] - pose->x);
    double turn = turn_to(pose->heading, bearing), back = turn_to(pose->heading, bearing + M_PI);
    bool ahead = fabs(turn) <= fabs(back) + 1e-9;
    course[0] = pose->heading + (ahead ? turn : back);
    course[1] = ahead ? 1 : -1;
}

// Component of its velocity along the line to the next point, if it does not stop before.
static double speed_along(const ib_MoveConfig *config, const ib_BasePose *pose, const double *next)
{
    double dx = next[0] - pose->x, dy = next[1] - pose->y, way = sqrt(dx * dx + dy * dy), s, c;
    if (!(way > 0)) return 0;
    ib_sincos(pose->heading, &s, &c);
    double vx = c * pose->forward - s * pose->left, vy = s * pose->forward + c * pose->left;
    double most = ib_min(config->speed, sqrt(config->acceleration * way));
    return ib_max(0, ib_min(most, (vx * dx + vy * dy) / way));
}

// Begins the line to the next point: the first phase of a move, or of the rest of it.
static void begin_line(const ib_MoveConfig *config, const ib_Locomotion *base,
                       const ib_BasePose *pose, double *state)
{
    const double *next = state + IB_MOVE_NEXT;
    find_next(config, pose, state);
    find_course(pose, next, state + IB_MOVE_COURSE);
    bool far = !is_last(state) || distance_to(pose, next) > 0.5 * config->near;
    bool turns = !ib_is_holonomic(base) && config->kind < IB_MOVE_PATH;
    begin_phase(!turns ? DRIVES : far ? TURNS : TURNS_AGAIN, pose, state);
}

void ib_move_begin(const ib_MoveConfig *config, const ib_Locomotion *base, const ib_BasePose *pose,
                   double *state)
{
    find_goal(config, base, pose, state + IB_MOVE_GOAL);
    begin_line(config, base, pose, state);
    state[IB_MOVE_SPEED] = 0;
}

// ------------------------------------------------------------------------------------------- turns

// A profile from `begin` [m/s, rad/s] to rest.
static ib_ProfilePoint profile_from(double begin, double speed, double acceleration, double way,
                                    double t, double *duration)
{
    ib_ProfileLimits limits = {.velocity = speed, .acceleration = acceleration};
    ib_ProfilePoint start = {.velocity = begin}, goal = {.position = way};
    ib_Profile profile;
    ib_Error error;
    *duration = 0;
    if (ib_profile_init(&limits, &start, &goal, &profile, &error) != IB_OK) return goal;
    *duration = profile.duration;
    return ib_profile_at(&profile, t);
}

static ib_ProfilePoint along_profile(double speed, double acceleration, double way, double t,
                                     double *duration)
{
    return profile_from(0, speed, acceleration, way, t, duration);
}

// The integral, which grows once the reference has ended; within a tenth of the fastest.
static double learn(double error, double top, const ib_Reference *ref, double dt, double *learnt)
{
    double most = 0.1 * top, next = *learnt + LEARN * error * (ref->ended ? dt : 0);
    *learnt = next > most ? most : next < -most ? -most : next;
    return *learnt;
}

static bool is_near(const ib_Locomotion *base, double error, double speed, double near)
{
    return fabs(error) <= near && fabs(ib_tracking_rest(base, error, speed, IB_MOVE_GAIN)) <= near;
}

// A turn on the spot from where the phase began to `heading`; true: it stands there.
static bool turn(const ib_MoveConfig *config, const ib_Locomotion *base, const ib_BasePose *pose,
                 double heading, double dt, double *state, ib_AxisMotion *motion)
{
    double from = state[IB_MOVE_FROM + 2], duration;
    ib_ProfilePoint point = along_profile(config->turn_speed, config->turn_quickness,
                                          heading - from, state[IB_MOVE_TIME], &duration);
    ib_Reference ref = {.x = pose->x,
                        .y = pose->y,
                        .heading = from + point.position,
                        .turning = point.velocity,
                        .turn_rate = point.acceleration,
                        .ended = state[IB_MOVE_TIME] >= duration};
    double error = ref.heading - pose->heading;
    ib_tracking_motion(base, pose, &ref, IB_MOVE_GAIN, motion);
    motion->velocity[2] += learn(error, base->top[2], &ref, dt, &state[IB_MOVE_LEARNT + 2]);
    // The angle as a way of the wheels: half a metre is a robot's size.
    bool near = is_near(base, error, pose->turning, config->near_angle);
    return ref.ended && near && fabs(0.5 * pose->turning) < REST_SPEED;
}

// -------------------------------------------------------------------------------------- references

static ib_Reference line_reference(const ib_MoveConfig *config, const double *state)
{
    const double *from = state + IB_MOVE_FROM, *goal = state + IB_MOVE_GOAL;
    const double *next = state + IB_MOVE_NEXT;
    double dx = next[0] - from[0], dy = next[1] - from[1], way = sqrt(dx * dx + dy * dy);
    double cx = way > 0 ? dx / way : 0, cy = way > 0 ? dy / way : 0, t = state[IB_MOVE_TIME];
    double drives, turns;
    ib_ProfilePoint s =
        profile_from(state[IB_MOVE_SPEED], config->speed, config->acceleration, way, t, &drives);
    ib_ProfilePoint h =
        along_profile(config->turn_speed, config->turn_quickness, goal[2] - from[2], t, &turns);
    return (ib_Reference){.x = from[0] + cx * s.position,
                          .y = from[1] + cy * s.position,
                          .heading = from[2] + h.position,
                          .vx = cx * s.velocity,
                          .vy = cy * s.velocity,
                          .turning = h.velocity,
                          .ax = cx * s.acceleration,
                          .ay = cy * s.acceleration,
                          .turn_rate = h.acceleration,
                          .ended = t >= drives && t >= turns};
}

// Rates by the velocities of a period later. A heading that is not the path's turns as on a line.
static ib_Reference path_reference(const ib_MoveConfig *config, const ib_Locomotion *base,
                                   const ib_BasePose *pose, double dt, const double *state)
{
    const double *from = state + IB_MOVE_FROM, *goal = state + IB_MOVE_GOAL;
    double t = state[IB_MOVE_TIME], turns = 0;
    ib_PlannedSample now = ib_move_path_at(config, from, t),
                     next = ib_move_path_at(config, from, t + dt);
    ib_Reference ref = {.x = now.x,
                        .y = now.y,
                        .heading = pose->heading + turn_to(pose->heading, now.heading),
                        .vx = now.vx,
                        .vy = now.vy,
                        .turning = now.yaw_rate,
                        .ax = (next.vx - now.vx) / dt,
                        .ay = (next.vy - now.vy) / dt,
                        .turn_rate = (next.yaw_rate - now.yaw_rate) / dt};
    if (!is_planned(config, base)) {
        ib_ProfilePoint h =
            along_profile(config->turn_speed, config->turn_quickness, goal[2] - from[2], t, &turns);
        ref.heading = from[2] + h.position;
        ref.turning = h.velocity;
        ref.turn_rate = h.acceleration;
    }
    ref.ended = t >= config->path->duration && t >= turns;
    return ref;
}

// ------------------------------------------------------------------------------------------ drives

static bool is_slower(const ib_BasePose *pose, double speed)
{
    double v = sqrt(pose->forward * pose->forward + pose->left * pose->left);
    return v < speed && fabs(0.5 * pose->turning) < speed;
}

static bool stands(const ib_BasePose *pose)
{
    return is_slower(pose, REST_SPEED);
}

// Drives by the law of tracking and the integrals: for a base that goes any way along the field's
// axes and of the heading, for two sides along their own. True: it has arrived, and stands.
static bool drive_to(const ib_MoveConfig *config, const ib_Locomotion *base,
                     const ib_BasePose *pose, const ib_Reference *ref, double dt, double *state,
                     ib_AxisMotion *motion)
{
    ib_TrackingError e = ib_tracking_error(pose, ref);
    double *learnt = state + IB_MOVE_LEARNT,
           along = ib_tracking_rest(base, e.along, pose->forward, IB_MOVE_GAIN);
    ib_Reference aim = *ref;
    if (!ib_is_holonomic(base)) {
        ib_tracking_motion(base, pose, &aim, IB_MOVE_GAIN, motion);
        motion->velocity[0] += learn(e.along, base->top[0], ref, dt, learnt);
        bool near = fabs(e.along) <= config->near && fabs(along) <= config->near;
        return ref->ended && near && stands(pose);
    }
    aim.vx += learn(ref->x - pose->x, base->top[0], ref, dt, learnt);
    aim.vy += learn(ref->y - pose->y, base->top[1], ref, dt, learnt + 1);
    aim.turning += learn(e.heading, base->top[2], ref, dt, learnt + 2);
    ib_tracking_motion(base, pose, &aim, IB_MOVE_GAIN, motion);
    double across = ib_tracking_rest(base, e.across, pose->left, IB_MOVE_GAIN);
    bool near = sqrt(e.along * e.along + e.across * e.across) <= config->near &&
                sqrt(along * along + across * across) <= config->near &&
                is_near(base, e.heading, pose->turning, config->near_angle);
    return ref->ended && near && stands(pose);
}

// A path that was made for a base that goes any way, driven by two sides: along its course.
static void face_course(const ib_BasePose *pose, ib_Reference *ref)
{
    double v2 = ref->vx * ref->vx + ref->vy * ref->vy;
    if (!(v2 > 1e-4)) { // at rest: the heading stays
        ref->heading = pose->heading;
        ref->turning = ref->turn_rate = 0;
        return;
    }
    ref->heading = pose->heading + turn_to(pose->heading, ib_atan2(ref->vy, ref->vx));
    ref->turning = (ref->vx * ref->ay - ref->vy * ref->ax) / v2;
    ref->turn_rate = 0;
}

// Holds its place. Two sides keep the heading and the way along it, but not across. Lasting forces
// are integrated while it stands, but not on its way back.
static bool hold(const ib_MoveConfig *config, const ib_Locomotion *base, const ib_BasePose *pose,
                 double dt, double *state, ib_AxisMotion *motion)
{
    const double *goal = state + IB_MOVE_GOAL;
    ib_Reference ref = {
        .x = goal[0], .y = goal[1], .heading = goal[2], .ended = is_slower(pose, MAX_LEARN_SPEED)};
    drive_to(config, base, pose, &ref, dt, state, motion);
    if (!ib_is_holonomic(base))
        motion->velocity[2] +=
            learn(goal[2] - pose->heading, base->top[2], &ref, dt, &state[IB_MOVE_LEARNT + 2]);
    // Half a period of rounding is no time.
    return state[IB_MOVE_TIME] + 0.5 * dt >= config->time;
}

static ib_Reference drive_reference(const ib_MoveConfig *config, const ib_Locomotion *base,
                                    const ib_BasePose *pose, double dt, const double *state)
{
    const double *goal = state + IB_MOVE_GOAL;
    bool path = config->kind == IB_MOVE_PATH;
    if (config->kind == IB_MOVE_HOLD)
        return (ib_Reference){.x = goal[0], .y = goal[1], .heading = goal[2], .ended = true};
    ib_Reference ref =
        path ? path_reference(config, base, pose, dt, state) : line_reference(config, state);
    if (ib_is_holonomic(base)) return ref;
    if (!path) {
        ref.heading = state[IB_MOVE_COURSE];
        ref.turning = ref.turn_rate = 0;
    } else if (config->path->base == IB_PLANNED_ANY_DIRECTION) {
        face_course(pose, &ref);
    }
    return ref;
}

static bool drive(const ib_MoveConfig *config, const ib_Locomotion *base, const ib_BasePose *pose,
                  double dt, double *state, ib_AxisMotion *motion)
{
    if (config->kind == IB_MOVE_HOLD) return hold(config, base, pose, dt, state, motion);
    ib_Reference ref = drive_reference(config, base, pose, dt, state);
    return drive_to(config, base, pose, &ref, dt, state, motion);
}

// -------------------------------------------------------------------------------------- one period

// Continues from a point of a detour, at its speed unless it must stand to turn.
static void go_on(const ib_MoveConfig *config, const ib_Locomotion *base, const ib_BasePose *pose,
                  double *state)
{
    begin_line(config, base, pose, state);
    if (ib_is_holonomic(base))
        state[IB_MOVE_SPEED] = speed_along(config, pose, state + IB_MOVE_NEXT);
}

bool ib_move_step(const ib_MoveConfig *config, const ib_Locomotion *base, const ib_BasePose *pose,
                  double dt, double *state, ib_AxisMotion *motion)
{
    int phase = (int)state[IB_MOVE_PHASE];
    *motion = (ib_AxisMotion){0};
    bool done = false;
    if (state[IB_MOVE_LOST] > 0) return false; // there is no way: until its time is out
    if (phase == DRIVES && !is_last(state) && ib_is_holonomic(base) &&
        distance_to(pose, state + IB_MOVE_NEXT) < PASS_DISTANCE)
        go_on(config, base, pose, state);
    if (phase == TURNS) done = turn(config, base, pose, state[IB_MOVE_COURSE], dt, state, motion);
    if (phase == DRIVES) done = drive(config, base, pose, dt, state, motion);
    if (phase == TURNS_AGAIN)
        done = turn(config, base, pose, state[IB_MOVE_GOAL + 2], dt, state, motion);
    ib_tracking_push(base, pose, IB_MOVE_GAIN, motion);
    state[IB_MOVE_TIME] += dt;
    if (!done) return phase == ARRIVED;
    if (phase == DRIVES && !is_last(state)) {
        go_on(config, base, pose, state);
        return false;
    }
    bool left = phase == DRIVES && !ib_is_holonomic(base) && config->kind < IB_MOVE_PATH &&
                config->end != IB_MOVE_ANY_WAY;
    begin_phase(phase == TURNS ? DRIVES : left ? TURNS_AGAIN : ARRIVED, pose, state);
    return state[IB_MOVE_PHASE] == ARRIVED;
}

void ib_move_left(const ib_MoveConfig *config, const ib_BasePose *pose, const double *state,
                  double *way, double *angle)
{
    const double *goal = state + IB_MOVE_GOAL;
    *way = distance_to(pose, goal);
    *angle = config->end == IB_MOVE_ANY_WAY ? 0 : turn_to(pose->heading, goal[2]);
}

// Time at which the profile from `begin` over `way` reaches `at`, and its speed there;
// by bisection.
static double pass_at(const ib_MoveConfig *config, double begin, double way, double at,
                      double *velocity)
{
    double low = 0, high, none;
    profile_from(begin, config->speed, config->acceleration, way, 0, &high);
    for (int i = 0; i < 50; i++) {
        double t = 0.5 * (low + high);
        ib_ProfilePoint p = profile_from(begin, config->speed, config->acceleration, way, t, &none);
        if (p.position < at)
            low = t;
        else
            high = t;
    }
    *velocity = profile_from(begin, config->speed, config->acceleration, way, high, &none).velocity;
    return high;
}

// Duration of a move's lines around obstacles: those before the last end after their point is
// passed, with the component of its velocity along the next [s].
static double lines_take(const ib_MoveConfig *config, const ib_Locomotion *base,
                         const ib_BasePose *pose, const double goal[2])
{
    double via[IB_DETOUR_VIAS][2], from[2] = {pose->x, pose->y}, begin = 0, all = 0, last;
    int count = config->around ? ib_detour_find(config->around, from, goal, via) : 0;
    double x = pose->x, y = pose->y, vx = 0, vy = 0;
    for (int i = 0; i <= count || (count < 0 && i == 0); i++) {
        const double *next = i < count ? via[i] : goal;
        double dx = next[0] - x, dy = next[1] - y, way = sqrt(dx * dx + dy * dy), v = 0;
        double cx = way > 0 ? dx / way : 0, cy = way > 0 ? dy / way : 0;
        bool passes = i < count && ib_is_holonomic(base) && way > PASS_DISTANCE;
        begin = ib_max(0, ib_min(vx * cx + vy * cy, sqrt(config->acceleration * way)));
        if (passes) {
            all += pass_at(config, begin, way, way - PASS_DISTANCE, &v);
            x += cx * (way - PASS_DISTANCE);
            y += cy * (way - PASS_DISTANCE);
        } else {
            profile_from(begin, config->speed, config->acceleration, way, 0, &last);
            all += last;
            x = next[0];
            y = next[1];
        }
        vx = v * cx;
        vy = v * cy;
    }
    return all;
}

double ib_move_promise(const ib_MoveConfig *config, const ib_Locomotion *base,
                       const ib_BasePose *pose)
{
    double goal[3], course[2], drives, turns;
    if (config->kind == IB_MOVE_HOLD) return config->time;
    find_goal(config, base, pose, goal);
    if (config->kind == IB_MOVE_PATH) {
        along_profile(config->turn_speed, config->turn_quickness, goal[2] - pose->heading, 0,
                      &turns);
        return is_planned(config, base) ? config->path->duration
                                        : ib_max(config->path->duration, turns);
    }
    double way = distance_to(pose, goal);
    drives = lines_take(config, base, pose, goal);
    if (ib_is_holonomic(base) || way <= 0.5 * config->near) {
        along_profile(config->turn_speed, config->turn_quickness, goal[2] - pose->heading, 0,
                      &turns);
        return ib_is_holonomic(base) ? ib_max(drives, turns) : turns;
    }
    double all = drives;
    find_course(pose, goal, course);
    along_profile(config->turn_speed, config->turn_quickness, course[0] - pose->heading, 0, &turns);
    all += turns;
    if (config->end == IB_MOVE_ANY_WAY) return all;
    along_profile(config->turn_speed, config->turn_quickness, turn_to(course[0], goal[2]), 0,
                  &turns);
    return all + turns;
}

// -------------------------------------------------------------------------------------- for others

void ib_move_reference(const ib_MoveConfig *config, const ib_Locomotion *base,
                       const ib_BasePose *pose, double dt, const double *state, double reference[3])
{
    double then[IB_MOVE_STATES], duration;
    int phase = (int)state[IB_MOVE_PHASE];
    memcpy(then, state, sizeof then);
    then[IB_MOVE_TIME] = ib_max(0, state[IB_MOVE_TIME] - dt);
    memcpy(reference, state + IB_MOVE_GOAL, 3 * sizeof *reference);
    if (phase == DRIVES) {
        ib_Reference ref = drive_reference(config, base, pose, dt, then);
        reference[0] = ref.x;
        reference[1] = ref.y;
        reference[2] = ref.heading;
        return;
    }
    if (phase != TURNS && phase != TURNS_AGAIN) return;
    // The first turn is where the move began, the last one where it ends.
    if (phase == TURNS) memcpy(reference, state + IB_MOVE_FROM, 2 * sizeof *reference);
    double from = state[IB_MOVE_FROM + 2],
           to = phase == TURNS ? state[IB_MOVE_COURSE] : state[IB_MOVE_GOAL + 2];
    reference[2] = from + along_profile(config->turn_speed, config->turn_quickness, to - from,
                                        then[IB_MOVE_TIME], &duration)
                              .position;
}

void ib_move_end(const ib_MoveConfig *config, const ib_Locomotion *base, const ib_BasePose *pose,
                 double end[3])
{
    double course[2];
    find_goal(config, base, pose, end);
    bool drives = distance_to(pose, end) > 0.5 * config->near && config->kind < IB_MOVE_PATH;
    if (!drives || config->end != IB_MOVE_ANY_WAY || ib_is_holonomic(base)) return;
    find_course(pose, end, course);
    end[2] = course[0];
}
