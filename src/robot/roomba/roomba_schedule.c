// robot/roomba/roomba_schedule.c: a path as wheel forces that are constant between switching
// times: see docs/control/path.md, "schedule".
//
// Lines are driven with both wheels alike, in closed form. An arc is entered right after its start
// point and, towards a line, left right before its end point, so that lines are straight all the
// way; in between it is driven in its steady circle.
#include "base/extreme.h"
#include "robot/roomba/roomba_plan.h"

#include <math.h>
#include <string.h>

enum {
    MAX_SEGMENTS = 4096,
    MAX_ATTEMPTS = 200, ///< shots of ib__roomba_change; an easy path needs a few for each arc
    MAX_KNOWN = 256,
};

#define FASTEST   600.0  ///< rate at which slip may settle [1/s]
#define ALLOWANCE 4.2e-3 ///< deviation from the drawn arc while entering or leaving it [m]

// Speeds on an arc to try, as fractions of its top speed. 0.98 leaves the outer wheel 4 % of its
// force to steer with.
static const double speeds[] = {0.98, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1};
enum { SPEEDS = sizeof speeds / sizeof speeds[0] };

typedef struct Schedule {
    int count;
    ib__RoombaSegment *segments;
    int first[IB_PATH_MAX + 1]; ///< element i is driven by segments first[i] .. first[i+1] - 1
} Schedule;

typedef struct Known {
    ib__RoombaChange change;
    ib__RoombaChanged changed;
    bool found;
} Known;

typedef struct Planner {
    const ib__RoombaTask *task;
    Schedule *schedule;
    double scale; ///< durations grow with this: 1 for the Roomba of the document
    int attempts; ///< left
    int deepest;  ///< element that the planning came to, for the error
    int known_count;
    Known *known; ///< changes already sought
} Planner;

static bool plan_element(Planner *planner, int i, ib__RoombaMotion motion);

static bool add(Planner *planner, double duration, double left, double right)
{
    Schedule *schedule = planner->schedule;
    if (duration <= 1e-9) return true;
    if (schedule->count >= MAX_SEGMENTS) return false;
    schedule->segments[schedule->count++] = (ib__RoombaSegment){duration, left, right};
    return true;
}

static void add_change(Planner *planner, const ib__RoombaChanged *changed)
{
    for (int i = 0; i < IB__ROOMBA_SEGMENTS; i++)
        add(planner, changed->segments[i].duration, changed->segments[i].left,
            changed->segments[i].right);
}

// ------------------------------------------------------------------------------------------- lines

static double speed_up(const ib_RoombaModel *model, double v0, double s, double *t)
{
    return ib__roomba_speed_up(model, model->kd, v0, s, t);
}

// Both wheels with -F, from v0 down to v1 >= 0:
//   s = m/(4 kd) ln((vt^2 + v0^2)/(vt^2 + v1^2)),   t = tau (atan(v0/vt) - atan(v1/vt))
static double slow_down(const ib_RoombaModel *model, double v0, double v1, double *t)
{
    double f = model->max_force, m = model->m, kd = model->kd;
    if (kd == 0) {
        *t = (v0 - v1) * m / (2 * f);
        return (v0 * v0 - v1 * v1) * m / (4 * f);
    }
    double top2 = f / kd, top = sqrt(top2);
    *t = m * top / (2 * f) * (ib_atan2(v0, top) - ib_atan2(v1, top));
    return m / (4 * kd) * ib_log((top2 + v0 * v0) / (top2 + v1 * v1));
}

// Full force, then full brake so as to be at speed v1 at the end; false when the line is too short.
static bool add_line(Planner *planner, double length, double v0, double v1)
{
    const ib_RoombaModel *model = planner->task->model;
    double f = model->max_force, t;
    if (slow_down(model, v0, v1, &t) > length) return false;
    double low = 0, high = length;
    for (int i = 0; i < 80; i++) {
        double s = 0.5 * (low + high);
        double v = speed_up(model, v0, s, &t);
        if (v > v1 && s + slow_down(model, v, v1, &t) > length)
            high = s;
        else
            low = s;
    }
    double v = speed_up(model, v0, low, &t);
    if (!add(planner, t, f, f)) return false;
    slow_down(model, v, v1, &t);
    return v <= v1 || add(planner, t, -f, -f);
}

// A curvature must build up in a few tenths of a second: a change of yaw rate beyond the wheels'
// reach in 0.1 s leaves the drawn arc by more than is allowed, so it is not tried.
static double turn_limit(const Planner *planner)
{
    const ib_RoombaModel *model = planner->task->model;
    return 0.105 * planner->scale * model->arm * model->max_force;
}

// Plans a line before an arc: as fast as possible, or braked to the speed of the arc.
static bool plan_line(Planner *planner, int i, ib__RoombaMotion motion)
{
    static const double shares[] = {1, 0.85, 0.7, 0.55, 0.4, 0.3, 0.2, 0.1};
    const ib__RoombaTask *task = planner->task;
    Schedule *schedule = planner->schedule;
    double length = task->path->elements[i].length, f = task->model->max_force, t;
    double fast = speed_up(task->model, motion.vt, length, &t);
    int mark = schedule->count, last = task->path->count - 1;
    if (i == last) {
        if (task->path->end == IB_PATH_STOP) return add_line(planner, length, motion.vt, 0);
        return add(planner, t, f, f);
    }
    double next = fabs(task->path->elements[i + 1].curvature);
    for (size_t n = 0; n < sizeof shares / sizeof shares[0]; n++) {
        double v = shares[n] * fast;
        if (v * next > turn_limit(planner)) continue;
        schedule->count = mark;
        bool driven = n == 0 ? add(planner, t, f, f) : add_line(planner, length, motion.vt, v);
        if (!driven) continue;
        if (plan_element(planner, i + 1, (ib__RoombaMotion){v, 0, 0})) return true;
    }
    if (planner->deepest <= i) planner->deepest = i + 1;
    return false;
}

// -------------------------------------------------------------------------------------------- arcs

// The same change is asked for again and again while the planner searches.
static int recall(const Planner *planner, const ib__RoombaChange *change)
{
    for (int n = 0; n < planner->known_count; n++) {
        const ib__RoombaChange *known = &planner->known[n].change;
        const ib__RoombaMotion *a = &known->motion, *b = &change->motion;
        if (known->goal == change->goal && a->vt == b->vt && a->vn == b->vn && a->w == b->w &&
            known->k_before == change->k_before && known->k_after == change->k_after &&
            known->speed == change->speed)
            return n;
    }
    return -1;
}

// Tries a few durations for one change: a longer one where the wheels are too weak, a shorter one
// where the path is left.
static bool search(Planner *planner, ib__RoombaChange change, ib__RoombaChanged *changed)
{
    static const double durations[] = {0.2, 0.3, 0.4, 0.49, 0.6, 0.8};
    const int count = sizeof durations / sizeof durations[0];
    int n = change.goal == IB__ROOMBA_TO_ARC ? 3 : 2, way = 0;
    while (n >= 0 && n < count && planner->attempts > 0) {
        planner->attempts--;
        change.duration = durations[n] * planner->scale;
        ib__RoombaFound found = ib__roomba_change(planner->task->model, &change, changed);
        if (found == IB__ROOMBA_FOUND) return true;
        int next = found == IB__ROOMBA_TOO_WEAK ? 1 : -1;
        if (way && next != way) return false;
        way = next;
        n += way;
    }
    return false;
}

static bool find_change(Planner *planner, ib__RoombaChange change, ib__RoombaChanged *changed)
{
    change.allowance = ALLOWANCE;
    int n = recall(planner, &change);
    if (n >= 0 && planner->known[n].change.room >= change.room) {
        // A failure with more room stays one; a find is good if it still fits.
        if (!planner->known[n].found) return false;
        *changed = planner->known[n].changed;
        if (changed->length <= change.room) return true;
    }
    bool found = search(planner, change, changed);
    if (n < 0 && planner->known_count < MAX_KNOWN) n = planner->known_count++;
    if (n >= 0) planner->known[n] = (Known){change, *changed, found};
    return found;
}

static ib__RoombaCircle circle_of(const Planner *planner, int i)
{
    return ib__roomba_circle(planner->task->model, planner->task->path->elements[i].curvature);
}

static ib__RoombaMotion steady(const ib__RoombaCircle *circle, double v)
{
    return (ib__RoombaMotion){circle->vt * v, circle->vn * v, circle->w * v};
}

// Finds the way from `motion` into the steady circle of element i at speed v.
static bool find_entry(Planner *planner, int i, ib__RoombaMotion motion, double v, double room,
                       ib__RoombaChanged *changed)
{
    const ib_PathConfig *path = planner->task->path;
    ib__RoombaCircle circle = circle_of(planner, i);
    ib__RoombaChange change = {
        .goal = IB__ROOMBA_TO_ARC,
        .motion = motion,
        .left = circle.left * v * v,
        .right = circle.right * v * v,
        .k_before = i > 0 ? path->elements[i - 1].curvature : 0,
        .k_after = path->elements[i].curvature,
        .speed = v,
        .room = room,
    };
    return find_change(planner, change, changed);
}

// Finds the way from the steady circle of element i at speed v to the line after it, or to rest.
static bool find_exit(Planner *planner, int i, double v, double room, ib__RoombaChanged *changed)
{
    const ib_PathConfig *path = planner->task->path;
    ib__RoombaCircle circle = circle_of(planner, i);
    ib__RoombaChange change = {
        .goal = i == path->count - 1 ? IB__ROOMBA_TO_REST : IB__ROOMBA_TO_LINE,
        .motion = steady(&circle, v),
        .left = circle.left * v * v,
        .right = circle.right * v * v,
        .k_before = path->elements[i].curvature,
        .room = room,
    };
    return find_change(planner, change, changed);
}

static bool add_cruise(Planner *planner, const ib__RoombaCircle *circle, double length, double v)
{
    return add(planner, length / v, circle->left * v * v, circle->right * v * v);
}

// Drives `length` of arc i from steady speed v1 to steady speed v2: up to the fastest cruise in
// steps, if the arc is long enough for that, and down again.
static bool add_middle(Planner *planner, int i, double length, double v1, double v2)
{
    ib__RoombaCircle circle = circle_of(planner, i);
    ib__RoombaChanged up, down = {0};
    int mark = planner->schedule->count;
    double v = v1, left = length;
    while (v < 0.89 * circle.top) {
        double next = ib_min(speeds[0] * circle.top, v + 0.2 * circle.top);
        if (!find_entry(planner, i, steady(&circle, v), next, left, &up)) break;
        down.length = 0;
        if (next > v2 && !find_entry(planner, i, steady(&circle, next), v2, left, &down)) break;
        if (up.length + down.length > left) break;
        add_change(planner, &up);
        left -= up.length;
        v = next;
    }
    if (v == v2) return add_cruise(planner, &circle, left, v);
    if (find_entry(planner, i, steady(&circle, v), v2, left, &down)) {
        add_cruise(planner, &circle, left - down.length, v);
        add_change(planner, &down);
        return true;
    }
    planner->schedule->count = mark;
    return false;
}

// The rest of arc i after its entry, at speed v1, and everything after it. Leaving at the speed of
// the entry is tried first.
static bool plan_exit(Planner *planner, int i, double length, double v1, double top)
{
    const ib_PathConfig *path = planner->task->path;
    ib__RoombaCircle circle = circle_of(planner, i);
    bool last = i == path->count - 1;
    int mark = planner->schedule->count;
    if (last && path->end == IB_PATH_COAST) return add_middle(planner, i, length, v1, v1);
    bool to_arc = !last && path->elements[i + 1].curvature != 0;
    for (int n = -1; n < SPEEDS && planner->attempts > 0; n++) {
        double v2 = n < 0 ? v1 : speeds[n] * top;
        if (n >= 0 && v2 >= v1) continue;
        ib__RoombaChanged out = {.speed = v2};
        ib__RoombaMotion after = steady(&circle, v2);
        planner->schedule->count = mark;
        if (!to_arc && !find_exit(planner, i, v2, length, &out)) continue;
        if (!add_middle(planner, i, length - out.length, v1, v2)) continue;
        if (!to_arc) {
            add_change(planner, &out);
            after = (ib__RoombaMotion){out.speed, 0, 0};
        }
        if (last || plan_element(planner, i + 1, after)) return true;
    }
    return false;
}

static bool plan_arc(Planner *planner, int i, ib__RoombaMotion motion)
{
    const ib__RoombaTask *task = planner->task;
    double k = task->path->elements[i].curvature, length = task->path->elements[i].length;
    double top = circle_of(planner, i).top;
    double now = sqrt(motion.vt * motion.vt + motion.vn * motion.vn);
    double reach = now + 0.4 * planner->scale * 2 * task->model->max_force / task->model->m;
    int mark = planner->schedule->count;
    if (fabs(k * now - motion.w) > turn_limit(planner)) return false;
    for (int n = 0; n < SPEEDS && planner->attempts > 0; n++) {
        // Neither much faster nor much slower than now: speed is for the middle of the arc.
        double v = speeds[n] * top;
        ib__RoombaChanged in;
        if (v > reach || v < 0.7 * now) continue;
        planner->schedule->count = mark;
        if (!find_entry(planner, i, motion, v, length, &in)) continue;
        add_change(planner, &in);
        if (plan_exit(planner, i, length - in.length, v, top)) return true;
    }
    return false;
}

static bool plan_element(Planner *planner, int i, ib__RoombaMotion motion)
{
    planner->schedule->first[i] = planner->schedule->count;
    if (i > planner->deepest) planner->deepest = i;
    bool line = planner->task->path->elements[i].curvature == 0;
    return line ? plan_line(planner, i, motion) : plan_arc(planner, i, motion);
}

// A slip that settles within a fraction of a millisecond makes shooting slow for no gain.
static ib_Status check_settling(const ib__RoombaTask *task, ib_Error *error)
{
    for (int i = 0; i < task->path->count; i++) {
        double k = task->path->elements[i].curvature;
        if (k == 0) continue;
        double top = ib__roomba_circle(task->model, k).top;
        if (ib__roomba_settling(task->model, k, top) <= FASTEST) continue;
        return ib_error_set(error, IB_BAD_INPUT,
                            "path: element %d: side_drag = %g N*s^2/m^2 hardly lets the robot slip "
                            "at all, too stiff for mode: schedule",
                            i + 1, task->model->kn);
    }
    return IB_OK;
}

// Knots where the forces change, and where the wheels let go.
static ib_Status make_course(const ib__RoombaTask *task, const Schedule *schedule, ib_Arena *arena,
                             ib__RoombaCourse *course, ib_Error *error)
{
    double t = 0;
    for (int i = 0; i < schedule->count; i++) t += schedule->segments[i].duration;
    ib_Status status =
        ib__roomba_course(task, t, (size_t)schedule->count + 1, arena, course, error);
    if (status) return status;
    t = 0;
    for (int i = 0, n = 0; i <= schedule->count; i++) {
        for (; n <= task->path->count && schedule->first[n] == i; n++)
            course->begins[n] = ib_time_from_seconds(t);
        if (i == schedule->count) break;
        const ib__RoombaSegment *segment = &schedule->segments[i];
        ib__roomba_knot(course, ib_time_from_seconds(t), segment->left, segment->right);
        t += segment->duration;
    }
    ib__roomba_knot(course, ib_time_from_seconds(t), 0, 0);
    return IB_OK;
}

static ib_Status plan(Planner *planner, ib_Arena *scratch, ib_Error *error)
{
    const ib_PathConfig *path = planner->task->path;
    Schedule *schedule = planner->schedule;
    schedule->segments = ib_arena_array(scratch, MAX_SEGMENTS, sizeof *schedule->segments);
    planner->known = ib_arena_array(scratch, MAX_KNOWN, sizeof *planner->known);
    if (!schedule->segments || !planner->known)
        return ib_error_set(error, IB_FAILED, "out of memory for the schedule");
    if (!plan_element(planner, 0, (ib__RoombaMotion){planner->task->speed, 0, 0})) {
        const ib_PathElement *e = &path->elements[planner->deepest];
        return ib_error_set(error, IB_BAD_INPUT,
                            "path: no constant wheel forces within max_force = %g N drive element "
                            "%d (%s%g m%s) close enough to what is drawn",
                            planner->task->model->max_force, planner->deepest + 1,
                            e->curvature == 0 ? "line of " : "arc of radius ",
                            e->curvature == 0 ? e->length : 1 / fabs(e->curvature),
                            e->curvature == 0  ? ""
                            : e->curvature > 0 ? " left"
                                               : " right");
    }
    schedule->first[path->count] = schedule->count;
    return IB_OK;
}

ib_Status ib__roomba_schedule(const ib__RoombaTask *task, ib_Arena *arena, ib__RoombaCourse *course,
                              ib_Error *error)
{
    const ib_RoombaModel *model = task->model;
    ib_Arena scratch = {0};
    Schedule schedule = {0};
    // A wheel force F moves half the robot by its own radius in a time that goes with sqrt(m r/F).
    Planner planner = {
        .task = task,
        .schedule = &schedule,
        .scale = sqrt(model->m * model->r / (0.165 * model->max_force)),
        .attempts = MAX_ATTEMPTS,
    };
    ib_Status status = check_settling(task, error);
    if (!status) status = plan(&planner, &scratch, error);
    if (!status) status = make_course(task, &schedule, arena, course, error);
    ib_arena_reset(&scratch);
    return status;
}
