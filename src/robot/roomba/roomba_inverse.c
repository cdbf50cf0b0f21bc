// robot/roomba/roomba_inverse.c: a path as continuous wheel forces, by inverse dynamics: see
// docs/path.md, "inverse".
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
                          ib__RoombaInverse *inverse)
{
    double t = 0, s = 0;
    int next = 0;
    for (int i = 0; i < p->n; i++) {
        double cell = cell_time(p, i);
        while (next < path->count && s <= (i + 1) * p->ds) {
            inverse->passed[next] = t + cell * ib_max(0, s / p->ds - i);
            s += path->elements[next++].length;
        }
        t += cell;
    }
    inverse->passed[path->count] = t;
    inverse->duration = t;
}

// The forces at time t, in cell i that begins at `begin`: linear in s within the cell.
static void add_knot(const ib__RoombaProfile *p, int i, double begin, double t,
                     ib__RoombaInverse *inverse)
{
    double v = sqrt(p->z[i]), a = 0.5 * (p->z[i + 1] - p->z[i]) / p->ds, since = t - begin;
    double share = ib_max(0, ib_min(1, (v + 0.5 * a * since) * since / p->ds));
    double left = p->left[i] + share * (p->left[i + 1] - p->left[i]);
    double right = p->right[i] + share * (p->right[i + 1] - p->right[i]);
    double f = p->model->max_force;
    inverse->t[inverse->count] = t;
    inverse->left[inverse->count] = ib_max(-f, ib_min(f, left));
    inverse->right[inverse->count++] = ib_max(-f, ib_min(f, right));
}

// A knot every millisecond (less often on a very long path), and one at the end.
static ib_Status make_knots(const ib__RoombaProfile *p, ib_Arena *arena, ib__RoombaInverse *inverse,
                            ib_Error *error)
{
    double every = 1e-3 * ceil(inverse->duration / (1e-3 * MAX_KNOTS)), begin = 0;
    size_t most = (size_t)(inverse->duration / every) + 3;
    inverse->t = ib_arena_array(arena, most, sizeof *inverse->t);
    inverse->left = ib_arena_array(arena, most, sizeof *inverse->left);
    inverse->right = ib_arena_array(arena, most, sizeof *inverse->right);
    if (!inverse->t || !inverse->left || !inverse->right)
        return ib_error_set(error, IB_FAILED, "out of memory for the forces");
    for (int i = 0; i < p->n; i++) {
        double end = begin + cell_time(p, i);
        bool last = i == p->n - 1;
        while (inverse->count * every <= end && (size_t)inverse->count + 1 < most)
            add_knot(p, i, begin, inverse->count * every, inverse);
        if (last && inverse->t[inverse->count - 1] < end - 1e-6)
            add_knot(p, i, begin, end, inverse);
        begin = end;
    }
    return IB_OK;
}

static double duration_of(const ib__RoombaProfile *p)
{
    double t = 0;
    for (int i = 0; i < p->n; i++) t += cell_time(p, i);
    return t;
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

ib_Status ib__roomba_inverse(const ib__RoombaTask *task, ib_Arena *arena,
                             ib__RoombaInverse *inverse, ib_Error *error)
{
    ib_Arena scratch = {0};
    ib__RoombaProfile p = {
        .model = task->model,
        .share = task->share,
        .z0 = task->speed * task->speed,
        .stop = task->path->end == IB_PATH_STOP,
        .effort = task->effort,
    };
    *inverse = (ib__RoombaInverse){0};
    ib_Status status = plan(task, &scratch, &p, error);
    if (!status) {
        for (int i = 0; i < task->path->count; i++) inverse->blend[i] = p.blended->blends[i].length;
        find_passages(&p, task->path, inverse);
        status = make_knots(&p, arena, inverse, error);
    }
    ib_arena_reset(&scratch);
    return status;
}
