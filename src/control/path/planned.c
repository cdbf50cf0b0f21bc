#include "control/path/planned.h"

#include "base/maths.h"

#include <math.h>
#include <stdbool.h>

#define TURN 6.283185307179586 ///< [rad]

// ------------------------------------------------------------------------------------- between two

// The cubic with places p0, p1 and velocities v0, v1 at the ends of a time h, at u = 0 .. 1 of it:
//   p = p0 + h v0 u + (3 d - h (2 v0 + v1)) u^2 + (h (v0 + v1) - 2 d) u^3,   d = p1 - p0
// Limits: u = 0 -> p0, v0; u = 1 -> p1, v1; d = h (v0 + v1)/2 -> no term in u^3.
static double cubic(double p0, double p1, double v0, double v1, double h, double u, double *slope)
{
    double d = p1 - p0;
    double c2 = 3 * d - h * (2 * v0 + v1), c3 = h * (v0 + v1) - 2 * d;
    *slope = v0 + u * (2 * c2 + 3 * u * c3) / h;
    return p0 + u * (h * v0 + u * (c2 + u * c3));
}

static ib_PlannedSample between(const ib_PlannedSample *a, const ib_PlannedSample *b, double t)
{
    double h = b->t - a->t, u = (t - a->t) / h;
    ib_PlannedSample s = {.t = t};
    s.x = cubic(a->x, b->x, a->vx, b->vx, h, u, &s.vx);
    s.y = cubic(a->y, b->y, a->vy, b->vy, h, u, &s.vy);
    s.heading = cubic(a->heading, b->heading, a->yaw_rate, b->yaw_rate, h, u, &s.yaw_rate);
    return s;
}

static double speed(const ib_PlannedSample *s)
{
    return sqrt(s->vx * s->vx + s->vy * s->vy);
}

// The way between two samples, by Simpson's rule for the speed: exact where it changes steadily.
static double way_between(const ib_PlannedSample *a, const ib_PlannedSample *b)
{
    ib_PlannedSample middle = between(a, b, 0.5 * (a->t + b->t));
    return (b->t - a->t) * (speed(a) + 4 * speed(&middle) + speed(b)) / 6;
}

// ---------------------------------------------------------------------------------------- the path

static bool is_finite(const ib_PlannedSample *s)
{
    return isfinite(s->t) && isfinite(s->x) && isfinite(s->y) && isfinite(s->heading) &&
           isfinite(s->vx) && isfinite(s->vy) && isfinite(s->yaw_rate);
}

// Whole turns are added so that the heading comes nearest to where the yaw rates lead.
static void continue_heading(const ib_PlannedSample *before, ib_PlannedSample *s)
{
    double led = before->heading + 0.5 * (before->yaw_rate + s->yaw_rate) * (s->t - before->t);
    s->heading += TURN * floor((led - s->heading) / TURN + 0.5);
}

ib_Status ib_planned_init(ib_PlannedBase base, ib_PlannedSample *samples, int count,
                          ib_PlannedPath *path, ib_Error *error)
{
    if (count < 2 || count > IB_PLANNED_SAMPLES)
        return ib_error_set(error, IB_BAD_INPUT, "expected 2 to %d samples, got %d",
                            IB_PLANNED_SAMPLES, count);
    for (int i = 0; i < count; i++) {
        if (!is_finite(&samples[i]))
            return ib_error_set(error, IB_BAD_INPUT, "sample %d: expected finite numbers", i);
        if (i == 0 ? samples[i].t != 0 : !(samples[i].t > samples[i - 1].t))
            return ib_error_set(error, IB_BAD_INPUT,
                                "sample %d: %g s: expected times that rise from 0", i,
                                samples[i].t);
    }
    double length = 0;
    for (int i = 1; i < count; i++) {
        continue_heading(&samples[i - 1], &samples[i]);
        length += way_between(&samples[i - 1], &samples[i]);
    }
    double duration = samples[count - 1].t;
    if (!(duration <= IB_PLANNED_LONGEST))
        return ib_error_set(error, IB_BAD_INPUT, "it takes %g s: expected at most %g s", duration,
                            IB_PLANNED_LONGEST);
    *path = (ib_PlannedPath){
        .base = base, .count = count, .samples = samples, .duration = duration, .length = length};
    return IB_OK;
}

// The sample at or before a time within the path, not the last one.
static int find(const ib_PlannedPath *path, double t)
{
    int low = 0, high = path->count - 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (path->samples[middle].t <= t)
            low = middle;
        else
            high = middle;
    }
    return low;
}

ib_PlannedSample ib_planned_at(const ib_PlannedPath *path, double t)
{
    bool early = !(t >= 0), late = t > path->duration;
    if (early || late) {
        ib_PlannedSample s = path->samples[late ? path->count - 1 : 0];
        s.vx = s.vy = s.yaw_rate = 0;
        return s;
    }
    int i = find(path, t);
    return between(&path->samples[i], &path->samples[i + 1], t);
}

ib_PlannedSample ib_planned_laid(const ib_PlannedSample *sample, double x, double y, double angle)
{
    ib_PlannedSample laid = *sample;
    double s, c;
    ib_sincos(angle, &s, &c);
    laid.x = x + c * sample->x - s * sample->y;
    laid.y = y + s * sample->x + c * sample->y;
    laid.vx = c * sample->vx - s * sample->vy;
    laid.vy = s * sample->vx + c * sample->vy;
    laid.heading = angle + sample->heading;
    return laid;
}

double ib_planned_way(const ib_PlannedPath *path, double t)
{
    if (!(t > 0)) return 0;
    if (t >= path->duration) return path->length;
    int last = find(path, t);
    double way = 0;
    for (int i = 0; i < last; i++) way += way_between(&path->samples[i], &path->samples[i + 1]);
    ib_PlannedSample end = ib_planned_at(path, t);
    return end.t > path->samples[last].t ? way + way_between(&path->samples[last], &end) : way;
}
