// robot/roomba/roomba_plan.c: from a drawn path to wheel forces, checked on the model before they
// are handed out. The derivation is in docs/control/path.md.
#include "robot/roomba/roomba_plan.h"

#include "base/extreme.h"

#include <math.h>
#include <string.h>

enum { MAX_FACTS = 256, MAX_SWITCH_FACTS = 100 };

#define DEGREE 0.017453292519943295

// The model's response to the forces.
typedef struct Check {
    double miss[IB_PATH_MAX + 1];   ///< distance from where the element begins [m]
    double course[IB_PATH_MAX + 1]; ///< direction of travel there, off the tangent [rad]
    double deviation;               ///< largest distance from the drawn path [m]
    double outside;                 ///< the same outside the blends [m]
    double speed, yaw_rate;         ///< at the end [m/s, rad/s]
} Check;

// ------------------------------------------------------------------------------------------ refuse

static ib_Status check_start(const ib_RoombaModel *model, const double *state, double *speed,
                             ib_Error *error)
{
    double s, c;
    ib_sincos(state[IB_ROOMBA_TH], &s, &c);
    double vt = state[IB_ROOMBA_VX] * c + state[IB_ROOMBA_VY] * s;
    double vn = state[IB_ROOMBA_VY] * c - state[IB_ROOMBA_VX] * s;
    if (model->drag_arm_left != -model->arm || model->drag_arm_right != model->arm)
        return ib_error_set(error, IB_BAD_INPUT,
                            "path: expected equations: corrected; the published ones do not "
                            "describe a robot that can be steered");
    if (vt < -1e-9 || fabs(vn) > 1e-9 || fabs(state[IB_ROOMBA_W]) > 1e-9)
        return ib_error_set(error, IB_BAD_INPUT,
                            "path: expected a start at rest or driving straight ahead, got %g m/s "
                            "forward, %g m/s to the left and %g rad/s",
                            vt, vn, state[IB_ROOMBA_W]);
    *speed = ib_max(vt, 0);
    return IB_OK;
}

static ib_Status check_path(const ib_RoombaModel *model, const ib_PathConfig *path, ib_Error *error)
{
    if (path->count < 1 || path->count > IB_PATH_MAX)
        return ib_error_set(error, IB_BAD_INPUT, "path: expected 1 to %d elements, got %d",
                            IB_PATH_MAX, path->count);
    int waypoint = ib_path_first_waypoint(path);
    if (waypoint > 0)
        return ib_error_set(error, IB_BAD_INPUT,
                            "path: element %d is a waypoint, which needs a robot that steers by "
                            "itself: the plan of a schedule or of inverse forces expects lines and "
                            "arcs, such as 'line 2 m' and 'arc 1 m left 90 deg'",
                            waypoint);
    bool chord = path->mode == IB_PATH_INVERSE && path->end == IB_PATH_STOP;
    if (chord && path->count == IB_PATH_MAX && path->elements[path->count - 1].curvature != 0)
        return ib_error_set(error, IB_BAD_INPUT,
                            "path: expected at most %d elements before a stop on an arc, got %d",
                            IB_PATH_MAX - 1, path->count);
    if (!(path->blend >= 0 && path->blend <= 1e3))
        return ib_error_set(error, IB_BAD_INPUT, "blend: expected 0 m to 1000 m, got %g m",
                            path->blend);
    for (int i = 0; i < path->count; i++) {
        const ib_PathElement *e = &path->elements[i];
        if (!(e->length > 0 && e->length <= 1e9) || !(fabs(e->curvature) <= 1e3))
            return ib_error_set(error, IB_BAD_INPUT,
                                "path: element %d has a length of %g m and a curvature of %g 1/m",
                                i + 1, e->length, e->curvature);
        if (e->curvature == 0) continue;
        // Beyond 30 degrees of slip the robot slides more than it drives.
        if (!(model->kn > 0) || fabs(ib__roomba_circle(model, e->curvature).vn) > 0.5)
            return ib_error_set(error, IB_BAD_INPUT,
                                "path: element %d: a radius of %g m is too tight for side_drag = "
                                "%g N*s^2/m^2; the robot would slip by more than 30 deg",
                                i + 1, 1 / fabs(e->curvature), model->kn);
    }
    return IB_OK;
}

// Steps of the check: 1 ms, or less where side slip settles so fast that RK4 would not be stable.
static double check_step(const ib_RoombaModel *model, const ib_PathConfig *path)
{
    double fastest = 1;
    for (int i = 0; i < path->count; i++) {
        double k = path->elements[i].curvature, top = ib__roomba_circle(model, k).top;
        if (k != 0) fastest = ib_max(fastest, ib__roomba_settling(model, k, top));
    }
    return ib_max(1e-5, ib_min(1e-3, 1 / fastest));
}

// ------------------------------------------------------------------------------------------- check

// The forces some seconds after knot i.
static void forces_at(const ib__RoombaCourse *course, int i, double since, double force[2])
{
    force[0] = course->left[i];
    force[1] = course->right[i];
    if (!course->linear) return;
    double share = since / ib_time_to_seconds(course->t[i + 1] - course->t[i]);
    force[0] += share * (course->left[i + 1] - course->left[i]);
    force[1] += share * (course->right[i + 1] - course->right[i]);
}

static void note_distance(const ib__RoombaTask *task, const ib_PathPiece *pieces,
                          const ib__RoombaCourse *course, const double *x, Check *check)
{
    double px = x[IB_ROOMBA_X], py = x[IB_ROOMBA_Y];
    double d = ib_path_distance_to(task->path, pieces, px, py);
    check->deviation = ib_max(check->deviation, d);
    for (int i = 0; i < task->path->count; i++) {
        double dx = px - pieces[i].x, dy = py - pieces[i].y, reach = 0.75 * course->blend[i];
        if (dx * dx + dy * dy < reach * reach) return;
    }
    check->outside = ib_max(check->outside, d);
}

// Notes the start of element n: the robot's place and its goal.
static void note_junction(const ib__RoombaTask *task, int n, const double *x, Check *check)
{
    double s = 0, along, across, sine, cosine;
    for (int i = 0; i < n; i++) s += task->path->elements[i].length;
    ib_PathPoint at = ib_path_point(task->path, task->start, s);
    double dx = x[IB_ROOMBA_X] - at.x, dy = x[IB_ROOMBA_Y] - at.y;
    ib_sincos(at.course, &sine, &cosine);
    along = x[IB_ROOMBA_VX] * cosine + x[IB_ROOMBA_VY] * sine;
    across = x[IB_ROOMBA_VY] * cosine - x[IB_ROOMBA_VX] * sine;
    check->miss[n] = sqrt(dx * dx + dy * dy);
    bool moves = along * along + across * across > 1e-6;
    check->course[n] = moves ? fabs(ib_atan2(across, along)) : 0;
}

// Runs the forces on the model, steps cut at knots and junctions.
static void run(const ib__RoombaTask *task, const ib__RoombaCourse *course, Check *check)
{
    double x[IB_ROOMBA_STATES], unseen = 0;
    ib_PathPiece pieces[IB_PATH_MAX];
    ib_path_lay(task->path, task->start, pieces);
    memcpy(x, task->state, sizeof x);
    int next = 0, last = task->path->count;
    for (int i = 0; i + 1 < course->count; i++) {
        ib_Time now = course->t[i], end = course->t[i + 1];
        while (now < end) {
            for (; next <= last && course->begins[next] <= now; next++)
                note_junction(task, next, x, check);
            ib_Time to = end;
            if (next <= last) to = ib_time_min(to, course->begins[next]);
            to = ib_time_min(to, now + ib_time_from_seconds(task->step));
            double h = ib_time_to_seconds(to - now), force[3][2];
            double since = ib_time_to_seconds(now - course->t[i]);
            for (int k = 0; k < 3; k++) forces_at(course, i, since + 0.5 * k * h, force[k]);
            ib__roomba_step(task->model, force, h, x);
            now = to;
            // The distance every 5 ms is dense enough: the robot goes a few millimetres in it.
            unseen += h;
            if (unseen < 5e-3) continue;
            unseen = 0;
            note_distance(task, pieces, course, x, check);
        }
    }
    for (; next <= last; next++) note_junction(task, next, x, check);
    check->speed = sqrt(x[IB_ROOMBA_VX] * x[IB_ROOMBA_VX] + x[IB_ROOMBA_VY] * x[IB_ROOMBA_VY]);
    check->yaw_rate = x[IB_ROOMBA_W];
}

static ib_Status judge(const ib__RoombaTask *task, const Check *check, ib_Error *error)
{
    const ib_PathConfig *path = task->path;
    if (path->mode == IB_PATH_INVERSE) {
        if (check->outside <= 2e-3) return IB_OK;
        return ib_error_set(error, IB_BAD_INPUT,
                            "path: the forces found leave the drawn path by %.3g mm outside the "
                            "blends; expected 2 mm at most",
                            check->outside * 1e3);
    }
    if (!(check->deviation <= 5e-3))
        return ib_error_set(error, IB_BAD_INPUT,
                            "path: the schedule found leaves the drawn path by %.3g mm; expected 5 "
                            "mm at most",
                            check->deviation * 1e3);
    for (int i = 0; i <= path->count; i++)
        if (!(check->miss[i] <= 1e-3 && check->course[i] <= 0.1 * DEGREE))
            return ib_error_set(
                error, IB_BAD_INPUT,
                "path: the schedule found misses the start of element %d by %.3g mm "
                "and %.3g deg; expected 1 mm and 0.1 deg at most",
                i + 1, check->miss[i] * 1e3, check->course[i] / DEGREE);
    return IB_OK;
}

// ------------------------------------------------------------------------------------------- facts

typedef struct Facts {
    ib_Arena *arena;
    ib_PlanFact *items;
    int count;
} Facts;

static void add_fact(Facts *facts, const char *name, const char *unit, double value,
                     const char *sentence)
{
    if (facts->count >= MAX_FACTS || !name || !sentence) return;
    facts->items[facts->count++] = (ib_PlanFact){name, unit, value, sentence};
}

static void add_elements(Facts *facts, const ib__RoombaTask *task, const ib__RoombaCourse *course,
                         const Check *check)
{
    for (int i = 0; i < task->path->count; i++) {
        const ib_PathElement *e = &task->path->elements[i];
        const char *what =
            e->curvature == 0
                ? ib_arena_format(facts->arena, "line of %g m begins", e->length)
                : ib_arena_format(facts->arena, "arc of radius %g m %s begins",
                                  1 / fabs(e->curvature), e->curvature > 0 ? "left" : "right");
        if (!what) return;
        add_fact(facts, ib_arena_format(facts->arena, "element.%d.start", i + 1), "s",
                 ib_time_to_seconds(course->begins[i]), what);
        if (i == 0) continue;
        add_fact(facts, ib_arena_format(facts->arena, "element.%d.miss", i + 1), "m",
                 check->miss[i], "distance from the drawn point at that time");
        add_fact(facts, ib_arena_format(facts->arena, "element.%d.course", i + 1), "rad",
                 check->course[i], "angle between the direction of travel and the tangent there");
    }
}

// The document's own path was driven by switching at times found by trial.
static void add_published(Facts *facts, const ib_PathConfig *path)
{
    const ib_PathElement *e = path->elements;
    bool same = path->count == 3 && e[0].length == 2 && e[0].curvature == 0 &&
                e[1].curvature == 1 && fabs(e[1].length - 6.283185307179586) < 1e-9 &&
                e[2].length == 2 && e[2].curvature == 0;
    if (!same) return;
    add_fact(facts, "published.switch.1", "s", 2.4, "the document turns into the circle");
    add_fact(facts, "published.switch.2", "s", 10.6665, "the document leaves the circle");
    add_fact(facts, "published.switch.3", "s", 11.84589, "the document lets the robot coast");
    add_fact(facts, "published.end", "s", 18, "the document's robot is said to have stopped");
}

static void add_ending(Facts *facts, const ib__RoombaTask *task, const Check *check)
{
    bool stop = task->path->end == IB_PATH_STOP;
    add_fact(facts, "end.miss", "m", check->miss[task->path->count],
             "distance from the end of the drawn path when the wheels let go");
    add_fact(facts, "end.speed", "m/s", check->speed,
             stop ? "speed left when the wheels let go; what remains dies out hyperbolically"
                  : "speed at the end of the path, from which the robot coasts");
    add_fact(facts, "end.yaw_rate", "rad/s", check->yaw_rate, "yaw rate there");
}

// The longest blend: the requested one may be too short, or too long for the elements beside it.
static void add_blend(Facts *facts, const ib__RoombaTask *task, const ib__RoombaCourse *course)
{
    double longest = 0;
    for (int i = 0; i < task->path->count; i++) longest = ib_max(longest, course->blend[i]);
    if (longest > 0)
        add_fact(facts, "blend.used", "m", longest,
                 "longest blend in use; one shorter than 5 mm is raised to that, one longer than "
                 "0.6 of an element beside it is cut");
}

static ib_Status add_facts(const ib__RoombaTask *task, const ib__RoombaCourse *course,
                           const Check *check, ib_Arena *arena, ib_Plan *plan, ib_Error *error)
{
    Facts facts = {.arena = arena};
    facts.items = ib_arena_array(arena, MAX_FACTS, sizeof *facts.items);
    if (!facts.items) return ib_error_set(error, IB_FAILED, "out of memory for the plan's facts");
    double duration = ib_time_to_seconds(plan->end), bound = ib__roomba_bound(task);
    add_fact(&facts, "duration", "s", duration, "time for the whole path");
    add_fact(&facts, "bound", "s", bound,
             "no wheel forces within max_force are faster: lines at full force all the way, arcs "
             "by the impulse their outer wheel needs (docs/control/path.md)");
    add_fact(&facts, "ratio", "1", duration / bound, "duration over bound");
    add_fact(&facts, "deviation", "m", check->deviation, "largest distance from the drawn path");
    if (course->linear)
        add_fact(&facts, "deviation.outside", "m", check->outside,
                 "largest distance from the drawn path outside the blends");
    add_blend(&facts, task, course);
    add_elements(&facts, task, course, check);
    add_ending(&facts, task, check);
    if (!course->linear)
        for (int i = 1; i < course->count && i <= MAX_SWITCH_FACTS; i++)
            add_fact(&facts, ib_arena_format(arena, "switch.%d", i), "s",
                     ib_time_to_seconds(course->t[i]), "the wheel forces change");
    add_published(&facts, task->path);
    plan->facts = facts.items;
    plan->fact_count = facts.count;
    return IB_OK;
}

// -------------------------------------------------------------------------------------------- plan

// Forces that the model has followed. Inverse forces that leave the path are sought anew with less
// of max_force in the first draft of the speed: if that draft requires too much, as it does at a
// start from rest on an arc, it is lowered piece by piece, and each piece's edge is a kink that the
// wheels cannot follow. A draft that requires less has no such edges. Every other time the grid is
// finer, for the same start.
static ib_Status find(ib__RoombaTask *task, ib_Arena *arena, ib__RoombaCourse *course, Check *check,
                      ib_Error *error)
{
    static const double shares[] = {0.995, 0.9, 0.8, 0.7, 0.55, 0.4};
    bool schedule = task->path->mode == IB_PATH_SCHEDULE;
    int count = schedule ? 1 : 2 * (int)(sizeof shares / sizeof *shares);
    ib_Status status = IB_FAILED;
    // Without an arc at the start the finer grid is the same grid.
    bool arc = task->path->elements[0].curvature != 0;
    for (int i = 0; status && i < count; i += arc ? 1 : 2) {
        if (!schedule && *task->effort <= 0) break;
        ib_Error *why = i == 0 ? error : NULL; // refusal of the fastest one
        *check = (Check){0};
        task->share = shares[i / 2];
        task->fine = i % 2;
        status = schedule ? ib__roomba_schedule(task, arena, course, why)
                          : ib__roomba_inverse(task, arena, course, why);
        if (status) continue;
        run(task, course, check);
        status = judge(task, check, why);
    }
    return status;
}

static ib_Status prepare(const ib_RoombaModel *model, const double *state,
                         const ib_PathConfig *path, ib__RoombaTask *task, ib_Error *error)
{
    ib__RoombaCourse none;
    ib_Status status = check_start(model, state, &task->speed, error);
    if (!status) status = check_path(model, path, error);
    if (status) return status;
    task->start = (ib_PathPoint){
        .x = state[IB_ROOMBA_X],
        .y = state[IB_ROOMBA_Y],
        .course = state[IB_ROOMBA_TH],
        .curvature = path->elements[0].curvature,
    };
    task->step = check_step(model, path);
    return ib__roomba_course(task, ib__roomba_bound(task), 0, NULL, &none, error);
}

ib_Status ib_roomba_plan(const ib_RoombaModel *model, const double *state,
                         const ib_PathConfig *path, ib_Arena *arena, ib_Plan *plan, ib_Error *error)
{
    int64_t effort = IB__ROOMBA_EFFORT;
    ib__RoombaTask task = {.model = model, .path = path, .state = state, .effort = &effort};
    ib__RoombaCourse course = {0};
    Check check = {0};
    *plan = (ib_Plan){0};
    ib_Status status = prepare(model, state, path, &task, error);
    if (status) return status;
    ib_Timeline *lines = ib_arena_array(arena, IB_ROOMBA_INPUTS, sizeof *lines);
    if (!lines) return ib_error_set(error, IB_FAILED, "out of memory for the plan");
    status = find(&task, arena, &course, &check, error);
    if (status) return status;
    lines[IB_ROOMBA_LEFT] = (ib_Timeline){course.count, course.t, course.left, course.linear};
    lines[IB_ROOMBA_RIGHT] = (ib_Timeline){course.count, course.t, course.right, course.linear};
    plan->input_count = IB_ROOMBA_INPUTS;
    plan->timelines = lines;
    plan->end = course.begins[path->count];
    return add_facts(&task, &course, &check, arena, plan, error);
}
