// control/leg/foot_path.c: cycles of a walking foot over time, and whether a leg can make them.
#include "control/leg/foot_path.h"

#include "base/extreme.h"

#include <math.h>
#include <string.h>

enum { LOOKS = 64, MOST_CYCLES = 1000000 };

ib_FootPathConfig ib_foot_path_default(void)
{
    // 46 cm beside and 30 cm below the shoulder of a right leg, which is tilted by 30 degrees:
    // there the joints stay 20 degrees and more away from their limits.
    return (ib_FootPathConfig){
        .centre = {0.54837168574084182, 0, -0.02980762113533164},
        .along = {0, 1, 0},
        .up = {-0.5, 0, 0.86602540378443865},
        .length = 0.2,
        .height = 0.06,
        .duty = 0.6,
        .paces = 3,
        .pace = {{4, 3}, {2, 3}, {1, 3}},
    };
}

// ------------------------------------------------------------------------------------------- check

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static ib_Status refuse(const char *key, const char *expected, double got, const char *unit,
                        ib_Error *error)
{
    return ib_error_set(error, IB_BAD_INPUT, "%s: expected %s, got %g%s", key, expected, got, unit);
}

// Directions in a file have some digits; 1e-6 is no angle that a foot would notice.
static ib_Status check_directions(const ib_FootPathConfig *c, ib_Error *error)
{
    const double near = 1e-6;
    if (!(fabs(dot(c->along, c->along) - 1) < near))
        return refuse("along", "a direction of length 1", sqrt(dot(c->along, c->along)), "", error);
    if (!(fabs(dot(c->up, c->up) - 1) < near))
        return refuse("up", "a direction of length 1", sqrt(dot(c->up, c->up)), "", error);
    if (!(fabs(dot(c->along, c->up)) < near))
        return refuse("up", "a direction at right angles to `along`", dot(c->along, c->up),
                      " as their product", error);
    return IB_OK;
}

ib_Status ib_foot_path_check(const ib_FootPathConfig *c, ib_Error *error)
{
    ib_Status status = check_directions(c, error);
    if (status != IB_OK) return status;
    if (!isfinite(c->centre[0] + c->centre[1] + c->centre[2]))
        return refuse("centre", "a place", c->centre[0] + c->centre[1] + c->centre[2], "", error);
    if (!(c->length > 0 && isfinite(c->length)))
        return refuse("length", "more than 0 m", c->length, " m", error);
    if (!(c->height >= 0 && isfinite(c->height)))
        return refuse("height", "0 m or more", c->height, " m", error);
    if (!(c->duty > 0 && c->duty < 1))
        return refuse("duty", "more than 0 and less than 1", c->duty, "", error);
    if (!(c->paces >= 1 && c->paces <= IB_FOOT_PACES))
        return refuse("paces", "1 to 8", c->paces, "", error);
    for (int i = 0; i < c->paces; i++) {
        if (!(c->pace[i].period > 0 && isfinite(c->pace[i].period)))
            return refuse("period", "more than 0 s", c->pace[i].period, " s", error);
        if (!(c->pace[i].count >= 1 && c->pace[i].count <= MOST_CYCLES))
            return refuse("count", "1 to 1000000 cycles", c->pace[i].count, "", error);
    }
    return IB_OK;
}

void ib_foot_path_init(const ib_FootPathConfig *config, ib_FootPath *path)
{
    memset(path, 0, sizeof *path);
    path->config = *config;
    for (int i = 0; i < config->paces; i++) {
        path->start[i] = path->duration;
        path->before[i] = path->cycles;
        path->duration += config->pace[i].period * config->pace[i].count;
        path->cycles += config->pace[i].count;
    }
}

// ------------------------------------------------------------------------------------------ motion

// A number with its first and second derivative by time.
typedef struct Motion {
    double value, rate, change;
} Motion;

// p(u) of the header from -1 to 1 or back, in halves of the length, over `time` [s].
static Motion glide(double from, double to, double m0, double m1, double u, double time)
{
    double u2 = u * u, v = 1 - u, rest = to - from - m0, turn = m1 - m0;
    double S = u2 * u * (10 + u * (6 * u - 15)), Q = u2 * u * (u * (7 - 3 * u) - 4);
    double dS = 30 * u2 * v * v, dQ = u2 * (u * (28 - 15 * u) - 12);
    double ddS = 60 * u * v * (1 - 2 * u), ddQ = u * (u * (84 - 60 * u) - 24);
    return (Motion){.value = from + m0 * u + rest * S + turn * Q,
                    .rate = (m0 + rest * dS + turn * dQ) / time,
                    .change = (rest * ddS + turn * ddQ) / (time * time)};
}

//   64 u^3 (1 - u)^3, which is 1 at its highest
static Motion arc(double u, double time)
{
    double w = u * (1 - u), dw = 1 - 2 * u;
    return (Motion){.value = 64 * w * w * w,
                    .rate = 192 * w * w * dw / time,
                    .change = 384 * w * (dw * dw - w) / (time * time)};
}

static ib_FootPoint point_of(const ib_FootPathConfig *c, const Motion *ahead, const Motion *high)
{
    ib_FootPoint point = {0};
    for (int k = 0; k < 3; k++) {
        double along = 0.5 * c->length * c->along[k], up = c->height * c->up[k];
        point.place[k] = c->centre[k] + along * ahead->value + up * high->value;
        point.velocity[k] = along * ahead->rate + up * high->rate;
        point.acceleration[k] = along * ahead->change + up * high->change;
    }
    return point;
}

// Halves of the length in a second: the speed of a drag of this pace.
static double drag_rate(const ib_FootPathConfig *c, int pace)
{
    return 2 / (c->duty * c->pace[pace].period);
}

// The n-th cycle of a pace, `since` its start.
static ib_FootPoint cycle_at(const ib_FootPath *path, int pace, int n, double since)
{
    const ib_FootPathConfig *c = &path->config;
    double period = c->pace[pace].period, air = (1 - c->duty) * period, drag = period - air;
    double own = drag_rate(c, pace), last = n > 0 ? own : pace > 0 ? drag_rate(c, pace - 1) : 0;
    int cycle = path->before[pace] + n;
    bool ends = cycle == path->cycles - 1;
    Motion ahead, high = {0};
    if (since < air) {
        ahead = glide(-1, 1, -last * air, -own * air, since / air, air);
        high = arc(since / air, air);
    } else {
        double u = ib_min((since - air) / drag, 1);
        ahead = glide(1, -1, -own * drag, ends ? 0 : -own * drag, u, drag);
    }
    ib_FootPoint point = point_of(c, &ahead, &high);
    point.ground = since >= air;
    point.cycle = cycle;
    return point;
}

ib_FootPoint ib_foot_path_at(const ib_FootPath *path, double t)
{
    const ib_FootPathConfig *c = &path->config;
    if (!(t > 0) || t >= path->duration) {
        const Motion rear = {.value = -1}, low = {0};
        ib_FootPoint point = point_of(c, &rear, &low);
        point.ground = true;
        point.cycle = t > 0 ? path->cycles - 1 : 0;
        return point;
    }
    int pace = c->paces - 1;
    while (pace > 0 && t < path->start[pace]) pace--;
    double since = t - path->start[pace], period = c->pace[pace].period;
    int n = (int)ib_min(floor(since / period), c->pace[pace].count - 1);
    return cycle_at(path, pace, n, ib_max(since - n * period, 0));
}

// ------------------------------------------------------------------------------------------- reach

static ib_Status look(const ib_FootPath *path, const ib_LegModel *leg_model,
                      const ib_Pose *shoulder, int pace, int n, ib_Error *error)
{
    const ib_FootPathConfig *c = &path->config;
    double period = c->pace[pace].period, air = (1 - c->duty) * period;
    for (int i = 0; i <= 2 * LOOKS; i++) {
        double since = i < LOOKS ? air * i / LOOKS : air + (period - air) * (i - LOOKS) / LOOKS;
        ib_FootPoint point = cycle_at(path, pace, n, since);
        double foot[3];
        ib_LegReach reach;
        ib_Error why = {0};
        memcpy(foot, point.place, sizeof foot);
        if (shoulder) ib_leg_point_into(shoulder, point.place, foot);
        if (ib_leg_reach(leg_model, foot, &reach)) continue;
        ib_leg_refuse(&reach, &why);
        return ib_error_set(error, IB_BAD_INPUT,
                            "%g s after its start, %s of cycle %d (of %d), it is out of "
                            "reach: %s",
                            path->start[pace] + n * period + since,
                            point.ground ? "in the drag" : "in the arc", point.cycle + 1,
                            path->cycles, why.text);
    }
    return IB_OK;
}

// Of each pace the first cycle (whose arc begins at another speed), the second, and the last.
ib_Status ib_foot_path_reach(const ib_FootPath *path, const ib_LegModel *leg_model,
                             const ib_Pose *shoulder, ib_Error *error)
{
    for (int pace = 0; pace < path->config.paces; pace++) {
        int count = path->config.pace[pace].count;
        const int cycles[3] = {0, 1, count - 1};
        for (int k = 0; k < 3; k++) {
            if (cycles[k] >= count || (k > 0 && cycles[k] <= cycles[k - 1])) continue;
            ib_Status status = look(path, leg_model, shoulder, pace, cycles[k], error);
            if (status != IB_OK) return status;
        }
    }
    return IB_OK;
}
