// robot/roomba/roomba_inverse.c: a path as continuous wheel forces, by inverse dynamics: see
// docs/control/path.md, "inverse".
#include "base/extreme.h"
#include "robot/roomba/roomba_profile.h"

#include <math.h>

enum { MAX_KNOTS = 1000000 };

// Between two points v' is constant: t = 2 ds/(v0 + v1).
static double cell_time(const ib__RoombaProfile *p, int i)
{
    return 2 * p->ds / (sqrt(p->z[i]) + sqrt(p->z[i + 1]));
}

// When each element of the drawn path begins.
static void find_passages(const ib__RoombaProfile *p, const ib_PathConfig *path,
                          ib__RoombaCourse *course)
{
    double t = 0, s = 0;
    int next = 0;
    for (int i = 0; i < p->n; i++) {
        double cell = cell_time(p, i);
        while (next < path->count && s <= (i + 1) * p->ds) {
            course->begins[next] = ib_time_from_seconds(t + cell * ib_max(0, s / p->ds - i));
            s += path->elements[next++].length;
        }
        t += cell;
    }
}

// The forces at time t, in cell i that begins at `begin`: linear in s within the cell.
static void add_knot(const ib__RoombaProfile *p, int i, double begin, double t,
                     ib__RoombaCourse *course)
{
    double v = sqrt(p->z[i]), a = 0.5 * (p->z[i + 1] - p->z[i]) / p->ds, since = t - begin;
    double share = ib_max(0, ib_min(1, (v + 0.5 * a * since) * since / p->ds));
    double left = p->left[i] + share * (p->left[i + 1] - p->left[i]);
    double right = p->right[i] + share * (p->right[i + 1] - p->right[i]);
    double f = p->model->max_force;
    ib__roomba_knot(course, ib_time_from_seconds(t), ib_max(-f, ib_min(f, left)),
                    ib_max(-f, ib_min(f, right)));
}

static double duration_of(const ib__RoombaProfile *p)
{
    double t = 0;
    for (int i = 0; i < p->n; i++) t += cell_time(p, i);
    return t;
}

// A knot every millisecond (less often on a very long path), and one at the end, where the wheels
// let go at once: a nanosecond later.
static ib_Status make_course(const ib__RoombaTask *task, const ib__RoombaProfile *p,
                             ib_Arena *arena, ib__RoombaCourse *course, ib_Error *error)
{
    const ib_PathConfig *path = task->path;
    double duration = duration_of(p), begin = 0;
    double every = 1e-3 * ceil(duration / (1e-3 * MAX_KNOTS));
    size_t most = (size_t)(duration / every) + 3;
    ib_Status status = ib__roomba_course(task, duration, most + 1, arena, course, error);
    if (status) return status;
    course->linear = true;
    find_passages(p, path, course);
    for (int i = 0; i < path->count; i++) course->blend[i] = p->blended->blends[i].length;
    for (int i = 0; i < p->n; i++) {
        double end = begin + cell_time(p, i);
        while (course->count * every <= end && (size_t)course->count + 1 < most)
            add_knot(p, i, begin, course->count * every, course);
        if (i == p->n - 1 && (course->count - 1) * every < end - 1e-6)
            add_knot(p, i, begin, end, course);
        begin = end;
    }
    course->begins[path->count] = course->t[course->count - 1];
    ib__roomba_knot(course, course->t[course->count - 1] + 1, 0, 0);
    return IB_OK;
}

// Sharp changes of acceleration and soft ones, whichever is faster; very soft ones where the wheels
// can follow neither.
static ib_Status plan(const ib__RoombaTask *task, ib_Arena *scratch, ib__RoombaProfile *p,
                      ib_Error *error)
{
    static const double softness[] = {0.7, 1.1, 2.5};
    p->blended = ib_arena_alloc(scratch, sizeof *p->blended);
    if (!p->blended) return ib_error_set(error, IB_FAILED, "out of memory for the blends");
    ib_blend_path(task->path, task->speed > 0, p->blended);
    ib_Status status = ib__roomba_profile_init(task, scratch, p, error);
    if (status) return status;
    double duration = INFINITY;
    for (int n = 0; n < 3 && *task->effort > 0 && !(n == 2 && duration < INFINITY); n++) {
        ib__RoombaProfile trial = *p;
        status = ib__roomba_profile_soften(softness[n], scratch, &trial, error);
        if (status) return status;
        double share = ib__roomba_profile_find(&trial);
        if (trial.z[0] < 0.999 * p->z0)
            return ib_error_set(error, IB_BAD_INPUT,
                                "path: %g m/s at the start is too fast to follow it with max_force "
                                "= %g N; expected about %.2g m/s at most",
                                task->speed, task->model->max_force, sqrt(trial.z[0]));
        if (!(share <= 1 && duration_of(&trial) < duration)) continue;
        duration = duration_of(&trial);
        *p = trial;
    }
    if (duration < INFINITY) return IB_OK;
    if (*task->effort <= 0)
        return ib_error_set(error, IB_BAD_INPUT,
                            "path: the search for a speed at which the wheels follow it took too "
                            "long, with %d points of the path in each of its rounds: make its "
                            "elements and blends longer, or the path shorter",
                            p->n);
    return ib_error_set(error, IB_BAD_INPUT,
                        "path: no speed found at which the wheels follow it with max_force = %g N",
                        task->model->max_force);
}

ib_Status ib__roomba_inverse(const ib__RoombaTask *task, ib_Arena *arena, ib__RoombaCourse *course,
                             ib_Error *error)
{
    ib_Arena scratch = {0};
    ib__RoombaProfile p = {
        .model = task->model,
        .share = task->share,
        .z0 = task->speed * task->speed,
        .stop = task->path->end == IB_PATH_STOP,
        .effort = task->effort,
    };
    ib_Status status = plan(task, &scratch, &p, error);
    if (!status) status = make_course(task, &p, arena, course, error);
    ib_arena_reset(&scratch);
    return status;
}
