#include "control/leg.h"

#include "base/extreme.h"
#include "base/maths.h"
#include "control/profile.h"

#include <math.h>
#include <string.h>

#define FOLLOW 4.0  ///< k: how fast an error is made good [1/s]
#define LEARN  4.0  ///< how fast i grows with what is left [1/s^2]
#define ACROSS 12.0 ///< q: of an error across a line, for each metre driven [rad/m^2]
#define CREEP  0.05 ///< i of a place that is held grows only below this speed [m/s]
#define PUSH   8.0  ///< of what is missing of a velocity, with two sides [1/s]
#define SLOW   0.03 ///< a base that is slower stands, as a way of its wheels [m/s]
#define PASSES 0.1  ///< so near it has passed a point on its way [m]

enum { TURNS = 1, DRIVES, TURNS_AGAIN, ARRIVED };

// The shorter way round from one heading to another, -pi .. pi.
static double turn_to(double from, double to)
{
    double s, c;
    ib_sincos(to - from, &s, &c);
    return ib_atan2(s, c);
}

// -------------------------------------------------------------------------------------------- plan

static void begin_phase(int phase, const ib_LegPose *pose, double *state)
{
    state[IB_LEG_PHASE] = phase;
    state[IB_LEG_TIME] = 0;
    state[IB_LEG_FROM] = pose->x;
    state[IB_LEG_FROM + 1] = pose->y;
    state[IB_LEG_FROM + 2] = pose->heading;
    memset(state + IB_LEG_LEARNT, 0, 3 * sizeof *state);
}

// Has the path the heading? A base with two sides drives along it.
static bool is_planned(const ib_LegConfig *config, const ib_Locomotion *base)
{
    return config->end == IB_LEG_PLANNED || !ib_is_holonomic(base);
}

ib_PlannedSample ib_leg_path_at(const ib_LegConfig *config, const double from[3], double t)
{
    ib_PlannedSample at = ib_planned_at(config->path, t);
    return config->here ? ib_planned_laid(&at, from[0], from[1], from[2]) : at;
}

static void find_goal(const ib_LegConfig *config, const ib_Locomotion *base, const ib_LegPose *pose,
                      double goal[3])
{
    double s, c, x = config->x, y = config->y;
    ib_sincos(pose->heading, &s, &c);
    goal[0] = x;
    goal[1] = y;
    goal[2] = pose->heading;
    if (config->kind == IB_LEG_BY) goal[0] = pose->x + x, goal[1] = pose->y + y;
    if (config->kind == IB_LEG_AHEAD) {
        goal[0] = pose->x + c * x - s * y;
        goal[1] = pose->y + s * x + c * y;
    }
    if (config->end == IB_LEG_TURNS) goal[2] += config->heading;
    if (config->end == IB_LEG_FACES) goal[2] += turn_to(pose->heading, config->heading);
    if (config->kind == IB_LEG_HOLD) goal[0] = pose->x, goal[1] = pose->y;
    if (config->kind != IB_LEG_PATH) return;
    double from[3] = {pose->x, pose->y, pose->heading};
    ib_PlannedSample last = ib_leg_path_at(config, from, config->path->duration);
    goal[0] = last.x;
    goal[1] = last.y;
    if (is_planned(config, base)) goal[2] += turn_to(pose->heading, last.heading);
}

// The next point on the way around what stands there; the goal where nothing does.
static void find_next(const ib_LegConfig *config, const ib_LegPose *pose, double *state)
{
    const double *goal = state + IB_LEG_GOAL, from[2] = {pose->x, pose->y};
    double *next = state + IB_LEG_NEXT, via[IB_DETOUR_VIAS][2];
    int count = config->around ? ib_detour_find(config->around, from, goal, via) : 0;
    state[IB_LEG_LOST] = count < 0;
    next[0] = count > 0 ? via[0][0] : count < 0 ? pose->x : goal[0];
    next[1] = count > 0 ? via[0][1] : count < 0 ? pose->y : goal[1];
}

static bool is_last(const double *state)
{
    const double *goal = state + IB_LEG_GOAL, *next = state + IB_LEG_NEXT;
    return next[0] == goal[0] && next[1] == goal[1];
}

// Ahead, or back where that takes the shorter turn.
static void find_course(const ib_LegPose *pose, const double goal[2], double course[2])
{
    double bearing = ib_atan2(goal[1] - pose->y, goal[0] - pose->x);
    double turn = turn_to(pose->heading, bearing), back = turn_to(pose->heading, bearing + M_PI);
    bool ahead = fabs(turn) <= fabs(back) + 1e-9;
    course[0] = pose->heading + (ahead ? turn : back);
    course[1] = ahead ? 1 : -1;
}

static double distance_to(const ib_LegPose *pose, const double goal[2])
{
    double dx = goal[0] - pose->x, dy = goal[1] - pose->y;
    return sqrt(dx * dx + dy * dy);
}

// What of its velocity goes along the line to the next point, if it does not stop before.
static double speed_along(const ib_LegConfig *config, const ib_LegPose *pose, const double *next)
{
    double dx = next[0] - pose->x, dy = next[1] - pose->y, way = sqrt(dx * dx + dy * dy), s, c;
    if (!(way > 0)) return 0;
    ib_sincos(pose->heading, &s, &c);
    double vx = c * pose->forward - s * pose->left, vy = s * pose->forward + c * pose->left;
    double most = ib_min(config->speed, sqrt(config->acceleration * way));
    return ib_max(0, ib_min(most, (vx * dx + vy * dy) / way));
}

// Towards the next point: the first phase of a leg, or of what is left of it.
static void begin_line(const ib_LegConfig *config, const ib_Locomotion *base,
                       const ib_LegPose *pose, double *state)
{
    const double *next = state + IB_LEG_NEXT;
    find_next(config, pose, state);
    find_course(pose, next, state + IB_LEG_COURSE);
    bool far = !is_last(state) || distance_to(pose, next) > 0.5 * config->near;
    bool turns = !ib_is_holonomic(base) && config->kind < IB_LEG_PATH;
    begin_phase(!turns ? DRIVES : far ? TURNS : TURNS_AGAIN, pose, state);
}

void ib_leg_begin(const ib_LegConfig *config, const ib_Locomotion *base, const ib_LegPose *pose,
                  double *state)
{
    find_goal(config, base, pose, state + IB_LEG_GOAL);
    begin_line(config, base, pose, state);
    state[IB_LEG_SPEED] = 0;
}

// ------------------------------------------------------------------------------------------- turns

// From `begin` [m/s, rad/s] to rest.
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

// i, which grows while the reference stands; within a tenth of the fastest.
static double learn(double error, double top, double dt, double *learnt)
{
    double most = 0.1 * top, next = *learnt + LEARN * error * dt;
    *learnt = next > most ? most : next < -most ? -most : next;
    return *learnt;
}

// What is left of an error once the base has come to rest: one that rolls on is braked by PUSH, and
// goes v/PUSH meanwhile.
static double left_at_rest(const ib_Locomotion *base, double error, double speed)
{
    return base->coasts ? error - speed / PUSH : error;
}

static bool is_near(const ib_Locomotion *base, double error, double speed, double near)
{
    return fabs(error) <= near && fabs(left_at_rest(base, error, speed)) <= near;
}

// A turn from where the phase began to `heading`; true: it stands there.
static bool turn(const ib_LegConfig *config, const ib_Locomotion *base, const ib_LegPose *pose,
                 double heading, double dt, double *state, ib_AxisMotion *motion)
{
    double from = state[IB_LEG_FROM + 2], duration;
    ib_ProfilePoint point = along_profile(config->turn_speed, config->turn_quickness,
                                          heading - from, state[IB_LEG_TIME], &duration);
    bool ended = state[IB_LEG_TIME] >= duration;
    double error = from + point.position - pose->heading;
    motion->velocity[2] = point.velocity + FOLLOW * error;
    motion->rate[2] = point.acceleration;
    if (ended) motion->velocity[2] += learn(error, base->top[2], dt, &state[IB_LEG_LEARNT + 2]);
    // As a way of the wheels: half a metre is a robot's size.
    bool near = is_near(base, error, pose->turning, config->near_angle);
    return ended && near && fabs(0.5 * pose->turning) < SLOW;
}

// -------------------------------------------------------------------------------------- references

// Where a base shall be, field frame.
typedef struct Reference {
    double x, y, heading;
    double vx, vy, turning;
    double ax, ay, turn_rate;
    bool ended;
} Reference;

static Reference line_reference(const ib_LegConfig *config, const double *state)
{
    const double *from = state + IB_LEG_FROM, *goal = state + IB_LEG_GOAL;
    const double *next = state + IB_LEG_NEXT;
    double dx = next[0] - from[0], dy = next[1] - from[1], way = sqrt(dx * dx + dy * dy);
    double cx = way > 0 ? dx / way : 0, cy = way > 0 ? dy / way : 0, t = state[IB_LEG_TIME];
    double drives, turns;
    ib_ProfilePoint s =
        profile_from(state[IB_LEG_SPEED], config->speed, config->acceleration, way, t, &drives);
    ib_ProfilePoint h =
        along_profile(config->turn_speed, config->turn_quickness, goal[2] - from[2], t, &turns);
    return (Reference){.x = from[0] + cx * s.position,
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

// Rates by what the velocities will be a period later. A heading that the path does not have turns
// as on a line.
static Reference path_reference(const ib_LegConfig *config, const ib_Locomotion *base,
                                const ib_LegPose *pose, double dt, const double *state)
{
    const double *from = state + IB_LEG_FROM, *goal = state + IB_LEG_GOAL;
    double t = state[IB_LEG_TIME], turns = 0;
    ib_PlannedSample now = ib_leg_path_at(config, from, t),
                     next = ib_leg_path_at(config, from, t + dt);
    Reference ref = {.x = now.x,
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

static bool is_slower(const ib_LegPose *pose, double speed)
{
    double v = sqrt(pose->forward * pose->forward + pose->left * pose->left);
    return v < speed && fabs(0.5 * pose->turning) < speed;
}

static bool stands(const ib_LegPose *pose)
{
    return is_slower(pose, SLOW);
}

// Any way: errors of place and heading are made good each by itself.
static bool drive_any_way(const ib_LegConfig *config, const ib_Locomotion *base,
                          const ib_LegPose *pose, const Reference *ref, double dt, double *state,
                          ib_AxisMotion *motion)
{
    double ex = ref->x - pose->x, ey = ref->y - pose->y, eh = ref->heading - pose->heading, s, c;
    double vx = ref->vx + FOLLOW * ex, vy = ref->vy + FOLLOW * ey;
    double w = ref->turning + FOLLOW * eh;
    double learns = ref->ended ? dt : 0;
    vx += learn(ex, base->top[0], learns, &state[IB_LEG_LEARNT]);
    vy += learn(ey, base->top[1], learns, &state[IB_LEG_LEARNT + 1]);
    w += learn(eh, base->top[2], learns, &state[IB_LEG_LEARNT + 2]);
    ib_sincos(pose->heading, &s, &c);
    *motion =
        (ib_AxisMotion){{c * vx + s * vy, c * vy - s * vx, w},
                        {c * ref->ax + s * ref->ay, c * ref->ay - s * ref->ax, ref->turn_rate}};
    double rx = left_at_rest(base, c * ex + s * ey, pose->forward);
    double ry = left_at_rest(base, c * ey - s * ex, pose->left);
    bool near = sqrt(ex * ex + ey * ey) <= config->near &&
                is_near(base, eh, pose->turning, config->near_angle);
    if (base->coasts) near = near && sqrt(rx * rx + ry * ry) <= config->near;
    return ref->ended && near && stands(pose);
}

// Two sides: along the line or curve, and back to it by turning.             [Kanayama et al. 1990]
static bool drive_sides(const ib_LegConfig *config, const ib_Locomotion *base,
                        const ib_LegPose *pose, const Reference *ref, double dt, double *state,
                        ib_AxisMotion *motion)
{
    double s, c, ex = ref->x - pose->x, ey = ref->y - pose->y;
    double eh = turn_to(pose->heading, ref->heading);
    ib_sincos(pose->heading, &s, &c);
    double ahead = c * ex + s * ey, aside = c * ey - s * ex;
    double speed = c * ref->vx + s * ref->vy;
    motion->velocity[0] = speed + FOLLOW * ahead;
    motion->velocity[2] = ref->turning + FOLLOW * eh + ACROSS * speed * aside;
    motion->rate[0] = c * ref->ax + s * ref->ay;
    motion->rate[2] = ref->turn_rate;
    motion->velocity[0] += learn(ahead, base->top[0], ref->ended ? dt : 0, &state[IB_LEG_LEARNT]);
    return ref->ended && is_near(base, ahead, pose->forward, config->near) && stands(pose);
}

// A path that was made for a base that goes any way, driven by two sides: along its course.
static void face_course(const ib_LegPose *pose, Reference *ref)
{
    double v2 = ref->vx * ref->vx + ref->vy * ref->vy;
    if (!(v2 > 1e-4)) { // it stands there: as it is
        ref->heading = pose->heading;
        ref->turning = ref->turn_rate = 0;
        return;
    }
    ref->heading = ib_atan2(ref->vy, ref->vx);
    ref->turning = (ref->vx * ref->ay - ref->vy * ref->ax) / v2;
    ref->turn_rate = 0;
}

// Stays where it was. Two sides keep the heading and the way along it; across they cannot. What
// leans on it for long is learnt, while it stands; a base on its way back has nothing to learn.
static bool hold(const ib_LegConfig *config, const ib_Locomotion *base, const ib_LegPose *pose,
                 double dt, double *state, ib_AxisMotion *motion)
{
    const double *goal = state + IB_LEG_GOAL;
    Reference ref = {
        .x = goal[0], .y = goal[1], .heading = goal[2], .ended = is_slower(pose, CREEP)};
    if (ib_is_holonomic(base)) {
        drive_any_way(config, base, pose, &ref, dt, state, motion);
    } else {
        drive_sides(config, base, pose, &ref, dt, state, motion);
        motion->velocity[2] += learn(goal[2] - pose->heading, base->top[2], ref.ended ? dt : 0,
                                     &state[IB_LEG_LEARNT + 2]);
    }
    // Half a period of rounding is no time.
    return state[IB_LEG_TIME] + 0.5 * dt >= config->time;
}

static Reference drive_reference(const ib_LegConfig *config, const ib_Locomotion *base,
                                 const ib_LegPose *pose, double dt, const double *state)
{
    const double *goal = state + IB_LEG_GOAL;
    bool path = config->kind == IB_LEG_PATH;
    if (config->kind == IB_LEG_HOLD)
        return (Reference){.x = goal[0], .y = goal[1], .heading = goal[2], .ended = true};
    Reference ref =
        path ? path_reference(config, base, pose, dt, state) : line_reference(config, state);
    if (ib_is_holonomic(base)) return ref;
    if (!path) {
        ref.heading = state[IB_LEG_COURSE];
        ref.turning = ref.turn_rate = 0;
    } else if (config->path->base == IB_PLANNED_ANY_DIRECTION) {
        face_course(pose, &ref);
    }
    return ref;
}

static bool drive(const ib_LegConfig *config, const ib_Locomotion *base, const ib_LegPose *pose,
                  double dt, double *state, ib_AxisMotion *motion)
{
    if (config->kind == IB_LEG_HOLD) return hold(config, base, pose, dt, state, motion);
    Reference ref = drive_reference(config, base, pose, dt, state);
    return ib_is_holonomic(base) ? drive_any_way(config, base, pose, &ref, dt, state, motion)
                                 : drive_sides(config, base, pose, &ref, dt, state, motion);
}

// -------------------------------------------------------------------------------------- one period

// On from a point of a detour, with the speed it has where it need not stand to turn.
static void go_on(const ib_LegConfig *config, const ib_Locomotion *base, const ib_LegPose *pose,
                  double *state)
{
    begin_line(config, base, pose, state);
    if (ib_is_holonomic(base)) state[IB_LEG_SPEED] = speed_along(config, pose, state + IB_LEG_NEXT);
}

// What is missing of a velocity is asked for as a rate: a base that is moved by forces keeps the
// velocity it has, unless it is pushed.
static void push_on(const ib_LegPose *pose, ib_AxisMotion *motion)
{
    motion->rate[0] += PUSH * (motion->velocity[0] - pose->forward);
    motion->rate[2] += PUSH * (motion->velocity[2] - pose->turning);
}

void ib_leg_stand(const ib_Locomotion *base, const ib_LegPose *pose, double dt,
                  ib_AxisMotion *motion)
{
    const double now[IB_AXES] = {pose->forward, pose->left, pose->turning};
    *motion = (ib_AxisMotion){0};
    // No more than half of it in a period, however long that is.
    for (int i = 0; base->coasts && i < IB_AXES; i++)
        motion->rate[i] = -ib_min(PUSH, 0.5 / dt) * now[i];
}

bool ib_leg_step(const ib_LegConfig *config, const ib_Locomotion *base, const ib_LegPose *pose,
                 double dt, double *state, ib_AxisMotion *motion)
{
    int phase = (int)state[IB_LEG_PHASE];
    *motion = (ib_AxisMotion){0};
    bool done = false;
    if (state[IB_LEG_LOST] > 0) return false; // there is no way: until its time is out
    if (phase == DRIVES && !is_last(state) && ib_is_holonomic(base) &&
        distance_to(pose, state + IB_LEG_NEXT) < PASSES)
        go_on(config, base, pose, state);
    if (phase == TURNS) done = turn(config, base, pose, state[IB_LEG_COURSE], dt, state, motion);
    if (phase == DRIVES) done = drive(config, base, pose, dt, state, motion);
    if (phase == TURNS_AGAIN)
        done = turn(config, base, pose, state[IB_LEG_GOAL + 2], dt, state, motion);
    if (!ib_is_holonomic(base)) push_on(pose, motion);
    state[IB_LEG_TIME] += dt;
    if (!done) return phase == ARRIVED;
    if (phase == DRIVES && !is_last(state)) {
        go_on(config, base, pose, state);
        return false;
    }
    bool left = phase == DRIVES && !ib_is_holonomic(base) && config->kind < IB_LEG_PATH &&
                config->end != IB_LEG_ANY_WAY;
    begin_phase(phase == TURNS ? DRIVES : left ? TURNS_AGAIN : ARRIVED, pose, state);
    return state[IB_LEG_PHASE] == ARRIVED;
}

void ib_leg_left(const ib_LegConfig *config, const ib_LegPose *pose, const double *state,
                 double *way, double *angle)
{
    const double *goal = state + IB_LEG_GOAL;
    *way = distance_to(pose, goal);
    *angle = config->end == IB_LEG_ANY_WAY ? 0 : turn_to(pose->heading, goal[2]);
}

// When the profile from `begin` over `way` has come to `at`, and how fast it is there; by halving.
static double pass_at(const ib_LegConfig *config, double begin, double way, double at,
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

// How long the lines of a leg take, around what stands there: those before the last are left where
// it has passed their end, with what of its velocity goes along the next [s].
static double lines_take(const ib_LegConfig *config, const ib_Locomotion *base,
                         const ib_LegPose *pose, const double goal[2])
{
    double via[IB_DETOUR_VIAS][2], from[2] = {pose->x, pose->y}, begin = 0, all = 0, last;
    int count = config->around ? ib_detour_find(config->around, from, goal, via) : 0;
    double x = pose->x, y = pose->y, vx = 0, vy = 0;
    for (int i = 0; i <= count || (count < 0 && i == 0); i++) {
        const double *next = i < count ? via[i] : goal;
        double dx = next[0] - x, dy = next[1] - y, way = sqrt(dx * dx + dy * dy), v = 0;
        double cx = way > 0 ? dx / way : 0, cy = way > 0 ? dy / way : 0;
        bool passes = i < count && ib_is_holonomic(base) && way > PASSES;
        begin = ib_max(0, ib_min(vx * cx + vy * cy, sqrt(config->acceleration * way)));
        if (passes) {
            all += pass_at(config, begin, way, way - PASSES, &v);
            x += cx * (way - PASSES);
            y += cy * (way - PASSES);
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

double ib_leg_promise(const ib_LegConfig *config, const ib_Locomotion *base, const ib_LegPose *pose)
{
    double goal[3], course[2], drives, turns;
    if (config->kind == IB_LEG_HOLD) return config->time;
    find_goal(config, base, pose, goal);
    if (config->kind == IB_LEG_PATH) {
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
    if (config->end == IB_LEG_ANY_WAY) return all;
    along_profile(config->turn_speed, config->turn_quickness, turn_to(course[0], goal[2]), 0,
                  &turns);
    return all + turns;
}

// -------------------------------------------------------------------------------------- for others

void ib_leg_reference(const ib_LegConfig *config, const ib_Locomotion *base, const ib_LegPose *pose,
                      double dt, const double *state, double reference[3])
{
    double then[IB_LEG_STATES], duration;
    int phase = (int)state[IB_LEG_PHASE];
    memcpy(then, state, sizeof then);
    then[IB_LEG_TIME] = ib_max(0, state[IB_LEG_TIME] - dt);
    memcpy(reference, state + IB_LEG_GOAL, 3 * sizeof *reference);
    if (phase == DRIVES) {
        Reference ref = drive_reference(config, base, pose, dt, then);
        reference[0] = ref.x;
        reference[1] = ref.y;
        reference[2] = ref.heading;
        return;
    }
    if (phase != TURNS && phase != TURNS_AGAIN) return;
    // The first turn is where the leg began, the last one where it ends.
    if (phase == TURNS) memcpy(reference, state + IB_LEG_FROM, 2 * sizeof *reference);
    double from = state[IB_LEG_FROM + 2],
           to = phase == TURNS ? state[IB_LEG_COURSE] : state[IB_LEG_GOAL + 2];
    reference[2] = from + along_profile(config->turn_speed, config->turn_quickness, to - from,
                                        then[IB_LEG_TIME], &duration)
                              .position;
}

void ib_leg_end(const ib_LegConfig *config, const ib_Locomotion *base, const ib_LegPose *pose,
                double end[3])
{
    double course[2];
    find_goal(config, base, pose, end);
    bool drives = distance_to(pose, end) > 0.5 * config->near && config->kind < IB_LEG_PATH;
    if (!drives || config->end != IB_LEG_ANY_WAY || ib_is_holonomic(base)) return;
    find_course(pose, end, course);
    end[2] = course[0];
}
