// robot/roomba/roomba_profile.c: finds the speed profile under the force limit. A profile is found
// with the forces of a constant speed plus those of the acceleration, and made smooth; then the
// exact forces are computed. If these exceed the limit, the profile is lowered and the
// process repeated.
#include "robot/roomba/roomba_profile.h"

#include "base/extreme.h"

#include <math.h>
#include <string.h>

enum { MAX_GRID = 400000, MAX_ROUNDS = 20 };

// -------------------------------------------------------------------------------- inverse dynamics

// The slip that makes the side drag turn the velocity along the path:
//   m (v' sin b + v^2 k cos b) = -2 kn v^2 sin b |sin b|
// With u = |sin b|, K = 2 kn/m and A = v':   K z u^2 + A u = |k| z cos b
// Limits: k = 0 -> 0; A = 0 -> the steady circle; z = 0 -> 0.
static double slip_of(const ib_RoombaModel *model, double k, double z, double a)
{
    if (k == 0 || z <= 0) return 0;
    double big_k = 2 * model->kn / model->m, u = 0, cosine = 1, before = 0;
    // Each round is closer by about u^2/2; where nothing changes any more, nothing will.
    for (int n = 0; n < 12 && cosine != before; n++) {
        double turn = fabs(k) * z * cosine;
        u = ib_min(0.99, 2 * turn / (a + sqrt(a * a + 4 * big_k * turn * z)));
        before = cosine;
        cosine = sqrt(1 - u * u);
    }
    return copysign(ib_atan2(u, cosine), -k);
}

// d/ds on the grid, of fourth order, of first order at the very ends.
static double slope(const ib__RoombaProfile *p, const double *f, int i)
{
    if (i == 0) return (f[1] - f[0]) / p->ds;
    if (i == p->n) return (f[i] - f[i - 1]) / p->ds;
    if (i == 1 || i == p->n - 1) return (f[i + 1] - f[i - 1]) / (2 * p->ds);
    return (8 * (f[i + 1] - f[i - 1]) - (f[i + 2] - f[i - 2])) / (12 * p->ds);
}

// Wheel forces from the motion, Newton and Euler solved for them:
//   Fr + Fl = m (vt' - w vn) + kd (vr|vr| + vl|vl|),   Fr - Fl = I w'/r + kd (vr|vr| - vl|vl|)
static void forces_of(const ib_RoombaModel *model, double vt, double vn, double w, double dvt,
                      double dw, double *sum, double *difference)
{
    double vl = vt - model->r * w, vr = vt + model->r * w;
    double dl = model->kd * vl * fabs(vl), dr = model->kd * vr * fabs(vr);
    *sum = model->m * (dvt - w * vn) + dr + dl;
    *difference = dw / model->arm + dr - dl;
}

// Most of a path is straight, without slip.
static void slip_sincos(double slip, double *s, double *c)
{
    *s = 0;
    *c = 1;
    if (slip != 0) ib_sincos(slip, s, c);
}

// Forces per z when the speed is constant; they are all there is in a blend.
static void find_steady_forces(ib__RoombaProfile *p)
{
    for (int i = 0; i <= p->n; i++) p->slip[i] = slip_of(p->model, p->k[i], 1, 0);
    for (int i = 0; i <= p->n; i++) p->turn[i] = p->k[i] - slope(p, p->slip, i);
    for (int i = 0; i <= p->n; i++) {
        double s, c, bend = slope(p, p->slip, i);
        slip_sincos(p->slip[i], &s, &c);
        forces_of(p->model, c, s, p->turn[i], -s * bend, slope(p, p->turn, i), &p->sum[i],
                  &p->difference[i]);
    }
}

// The exact forces of the profile z(s), with w = v (k - db/ds) and v' = (dz/ds)/2:
//   w' = v' (k - db/ds) + z d(k - db/ds)/ds,   vt' = v' cos b - z sin b db/ds
// Returns the largest share of F.
static double find_forces(ib__RoombaProfile *p)
{
    double worst = 0, f = p->model->max_force, *turn = p->work;
    for (int i = 0; i <= p->n; i++)
        p->slip[i] = slip_of(p->model, p->k[i], p->z[i], 0.5 * slope(p, p->z, i));
    for (int i = 0; i <= p->n; i++) turn[i] = p->k[i] - slope(p, p->slip, i);
    for (int i = 0; i <= p->n; i++) {
        double s, c, sum, difference, z = ib_max(p->z[i], 0), v = sqrt(z);
        double a = 0.5 * slope(p, p->z, i), bend = p->k[i] - turn[i];
        slip_sincos(p->slip[i], &s, &c);
        forces_of(p->model, v * c, v * s, v * turn[i], a * c - z * s * bend,
                  a * turn[i] + z * slope(p, turn, i), &sum, &difference);
        p->left[i] = 0.5 * (sum - difference);
        p->right[i] = 0.5 * (sum + difference);
        worst = ib_max(worst, ib_max(fabs(p->left[i]), fabs(p->right[i])) / f);
    }
    return worst;
}

// ----------------------------------------------------------------------------------- speed profile

// The largest v' (way = 1) or the least one (-1) that the budget allows at point i and speed^2 z:
//   |z sum + m cos b v'  +-  (z difference + I turn v'/r)| <= 2 budget F
static inline double range_end(const ib__RoombaProfile *p, int i, double z, int way)
{
    double limit = 2 * p->budget[i] * p->model->max_force;
    double end = way > 0 ? INFINITY : -INFINITY;
    for (int side = -1; side <= 1; side += 2) {
        double rest = z * (p->sum[i] + side * p->difference[i]);
        double per = p->model->m + side * p->turn[i] / p->model->arm;
        if (fabs(per) < 1e-9) continue;
        double a = (-limit - rest) / per, b = (limit - rest) / per;
        end = way > 0 ? ib_min(end, ib_max(a, b)) : ib_max(end, ib_min(a, b));
    }
    return end;
}

// The speed at which a constant speed takes all of the budget; the same all through each steady
// part of the path, as high as its tightest point allows.
static void find_caps(ib__RoombaProfile *p, double *cap)
{
    for (int i = 0; i <= p->n; i++) {
        double most = 0.5 * (fabs(p->sum[i]) + fabs(p->difference[i]));
        cap[i] = most > 0 ? p->budget[i] * p->model->max_force / most : 1e12;
    }
    for (int i = 0; i <= p->n; i++) {
        if (!p->steady[i]) continue;
        int end = i;
        double least = INFINITY;
        for (; end <= p->n && p->steady[end]; end++) least = ib_min(least, cap[end]);
        for (; i < end; i++) cap[i] = least;
    }
}

// Slip follows v'/v^2 as well as the curvature: on an arc it changes by no more than about a
// quarter when   |v'| <= sqrt(K |k|) v^2/2.   A start from rest builds its slip up with the speed,
// so it needs no such limit.
static double grip(const ib__RoombaProfile *p, int i)
{
    if (p->k[i] == 0) return INFINITY;
    return 0.5 * sqrt(2 * p->model->kn / p->model->m * fabs(p->k[i])) * p->z[i];
}

// Forward as fast as the wheels drive, backward as late as they brake.
static void find_speeds(ib__RoombaProfile *p, double *cap)
{
    bool started = p->z0 > 0;
    find_caps(p, cap);
    p->z[0] = p->z0;
    for (int i = 0; i < p->n; i++) {
        started = started || p->steady[i];
        double high = range_end(p, i, p->z[i], 1);
        double gain = p->steady[i] && p->steady[i + 1] ? 0 : p->ease[i] * ib_max(high, 0);
        if (started) gain = ib_min(gain, grip(p, i));
        p->z[i + 1] = ib_min(cap[i + 1], p->z[i] + 2 * p->ds * gain);
    }
    if (p->stop) p->z[p->n] = 0;
    for (int i = p->n - 1; i >= 0; i--) {
        double low = range_end(p, i + 1, p->z[i + 1], -1);
        double loss = p->steady[i] && p->steady[i + 1] ? 0 : p->ease[i + 1] * ib_min(low, 0);
        loss = ib_max(loss, -grip(p, i + 1));
        p->z[i] = ib_min(p->z[i], p->z[i + 1] - 2 * p->ds * loss);
    }
}

// Half width of the moving average at point i; it shrinks to nothing towards the ends, so that they
// keep their value.
static int width(const ib__RoombaProfile *p, int i)
{
    int end = (i < p->n - i ? i : p->n - i) / 5;
    return end < p->box ? end : p->box;
}

// A moving average over 2 width + 1 points, by differences of the running sum.
static void smooth(const ib__RoombaProfile *p, const double *f, double *sums, double *out)
{
    double sum = 0;
    for (int i = 0; i <= p->n; i++) {
        sums[i] = sum;
        sum += f[i];
    }
    sums[p->n + 1] = sum;
    for (int i = 0; i <= p->n; i++) {
        int q = width(p, i);
        out[i] = q > 0 ? (sums[i + q + 1] - sums[i - q]) / (2 * q + 1) : f[i];
    }
}

// Excess of the forces at point i over F: their share of it, and whether the acceleration causes it
// (else the speed).
static double excess(const ib__RoombaProfile *p, int i, bool *pushing)
{
    double f = p->model->max_force;
    *pushing = 0.5 * p->model->m * fabs(slope(p, p->z, i)) > 0.02 * f;
    return ib_max(fabs(p->left[i]), fabs(p->right[i])) / f;
}

// Lowers the profile at excessive exact forces: the speed if it is constant there, else the
// acceleration. Parts that the smoothing joins are treated as one.
static void tighten(ib__RoombaProfile *p)
{
    int reach = 3 * p->box + 2;
    for (int i = 0; i <= p->n; i++) {
        double worst = 1;
        bool pushing, any = false;
        if (excess(p, i, &pushing) <= 1) continue;
        int first = i, last = i;
        for (; i <= p->n && i <= last + reach; i++) {
            double share = excess(p, i, &pushing);
            if (share <= 1) continue;
            worst = ib_max(worst, share);
            any = any || pushing;
            last = i;
        }
        int from = first - reach < 0 ? 0 : first - reach;
        int to = last + reach > p->n ? p->n : last + reach;
        double slower = ib_max(0.5, 0.998 / worst), gentler = any ? slower : 1;
        for (int j = from; j <= to; j++) p->budget[j] *= slower, p->ease[j] *= gentler;
    }
}

double ib__roomba_profile_find(ib__RoombaProfile *p)
{
    double worst = INFINITY;
    for (int i = 0; i <= p->n; i++) p->budget[i] = p->share, p->ease[i] = 1;
    for (int round = 0; round < MAX_ROUNDS && worst > 1 && *p->effort > 0; round++) {
        *p->effort -= p->n;
        if (round > 0) tighten(p);
        find_speeds(p, p->work);
        // Three averages in a row: z, its slope and its bend are continuous.
        for (int n = 0; n < 3; n++) {
            smooth(p, p->z, p->sums, p->work);
            memcpy(p->z, p->work, ((size_t)p->n + 1) * sizeof *p->z);
        }
        worst = find_forces(p);
    }
    return worst;
}

// -------------------------------------------------------------------------------------------- grid

// Constant speed in each blend and as far around it as the smoothing reaches.
static void mark_steady(ib__RoombaProfile *p)
{
    for (int n = 0; n < p->blended->path.count; n++) {
        const ib_Blend *blend = &p->blended->blends[n];
        if (blend->length <= 0) continue;
        int from = (int)floor(blend->start / p->ds);
        int to = (int)ceil((blend->start + blend->length) / p->ds);
        from -= 3 * width(p, from > 0 ? from : 0) + 2;
        to += 3 * width(p, to < p->n ? to : p->n) + 2;
        for (int i = 0; i <= p->n; i++) p->steady[i] = p->steady[i] || (i >= from && i <= to);
    }
}

// Arrays of one number for each point of the grid, and one more.
static ib_Status allocate(int count, double **const *arrays, int n, ib_Arena *arena,
                          ib_Error *error)
{
    for (int i = 0; i < count; i++) {
        *arrays[i] = ib_arena_array(arena, (size_t)n + 2, sizeof **arrays[i]);
        if (!*arrays[i])
            return ib_error_set(error, IB_FAILED, "out of memory for the speed profile");
    }
    return IB_OK;
}

// From rest on an arc the heading turns three times as fast as the course, until the side drag has
// taken over: K z u^2 + v' u = |k| z with z = 2 v' s begins as u = 2 |k| s, and both terms on the
// left are equal at  s = 1/(2 sqrt(K |k|)).
static double start_length(const ib_RoombaModel *model, double k)
{
    return 0.5 / sqrt(2 * model->kn / model->m * k);
}

// Fine enough for the shortest blend: 40 points in it, 1 mm at most; `fine`: with 50 points in the
// start on an arc (1 mm there turns the heading by some mrad too much).
ib_Status ib__roomba_profile_init(const ib__RoombaTask *task, ib_Arena *arena, ib__RoombaProfile *p,
                                  ib_Error *error)
{
    const ib_PathConfig *path = &p->blended->path;
    double length = ib_path_length(path), shortest = INFINITY, most = 1e-9;
    p->element = INFINITY;
    for (int i = 0; i < path->count; i++) {
        const ib_Blend *blend = &p->blended->blends[i];
        if (blend->length > 0) shortest = ib_min(shortest, blend->length);
        if (i < task->path->count) p->element = ib_min(p->element, path->elements[i].length);
        most = ib_max(most, fabs(path->elements[i].curvature));
    }
    double step = ib_min(1e-3, shortest / 40), first = fabs(path->elements[0].curvature);
    if (task->fine && first > 0) step = ib_min(step, start_length(task->model, first) / 50);
    step = ib_max(step, length / MAX_GRID);
    if (step > shortest / 12)
        return ib_error_set(error, IB_BAD_INPUT,
                            "path: %g m is too long for mode: inverse with a blend of %g m; make "
                            "the blend longer or use mode: schedule",
                            length, shortest);
    p->n = (int)ceil(length / step) + 1;
    p->ds = length / p->n;
    p->settle = ib_min(0.1, 0.5 / sqrt(2 * task->model->kn / task->model->m * most));
    double **arrays[] = {&p->k, &p->turn, &p->sum, &p->difference, &p->slip, &p->sums, &p->work};
    ib_Status status = allocate(7, arrays, p->n, arena, error);
    if (status) return status;
    for (int i = 0; i <= p->n; i++) p->k[i] = ib_blend_curvature(p->blended, i * p->ds);
    find_steady_forces(p);
    return IB_OK;
}

// Smoothing goes over the length in which slip settles, 1/(2 sqrt(K k)), times `softness`, as far
// as the elements have room.
ib_Status ib__roomba_profile_soften(double softness, ib_Arena *arena, ib__RoombaProfile *p,
                                    ib_Error *error)
{
    double **arrays[] = {&p->budget, &p->ease, &p->z, &p->left, &p->right};
    ib_Status status = allocate(5, arrays, p->n, arena, error);
    if (status) return status;
    p->steady = ib_arena_array(arena, (size_t)p->n + 2, sizeof *p->steady);
    if (!p->steady) return ib_error_set(error, IB_FAILED, "out of memory for the speed profile");
    p->box = (int)ib_max(2, ib_min(softness * p->settle, 0.12 * p->element) / p->ds);
    mark_steady(p);
    return IB_OK;
}
