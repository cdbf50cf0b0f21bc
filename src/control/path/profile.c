#include "control/path/profile.h"

#include "base/extreme.h"

#include <math.h>
#include <stdbool.h>

//   symbol  meaning
//   v0 v1   velocity at the start and at the goal
//   c       velocity of the cruise between them
//   a d     most acceleration and deceleration
//   x       way from start to goal; D(v, w): way that a change from v to w takes

#define LEAST_LIMIT   1e-9
#define MOST_LIMIT    1e9
#define MOST_POSITION 1e12
#define MISS          1e-11 ///< share of the way that is not worth a detour
#define ROUNDING      1e-13 ///< share of positions and ways to a stop: some hundred last bits

// ------------------------------------------------------------------------------------------ checks

ib_Status ib__profile_check_limit(const char *key, double value, ib_Error *error)
{
    if (value >= LEAST_LIMIT && value <= MOST_LIMIT) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT, "%s: expected %g to %g, got %g", key, LEAST_LIMIT,
                        MOST_LIMIT, value);
}

static ib_Status check_value(const char *which, const char *key, double value, double most,
                             ib_Error *error)
{
    if (fabs(value) <= most) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT, "%s.%s: expected -%g to %g, got %g", which, key, most,
                        most, value);
}

ib_Status ib__profile_check_point(const ib_ProfilePoint *point, const char *which, ib_Error *error)
{
    ib_Status status = check_value(which, "position", point->position, MOST_POSITION, error);
    if (!status) status = check_value(which, "velocity", point->velocity, MOST_LIMIT, error);
    if (!status)
        status = check_value(which, "acceleration", point->acceleration, MOST_LIMIT, error);
    return status;
}

ib_Status ib_profile_check(const ib_ProfileLimits *limits, ib_Error *error)
{
    ib_Status status = ib__profile_check_limit("velocity", limits->velocity, error);
    if (!status) status = ib__profile_check_limit("acceleration", limits->acceleration, error);
    if (!status && limits->deceleration != 0)
        status = ib__profile_check_limit("deceleration", limits->deceleration, error);
    return status;
}

// ------------------------------------------------------------------------------------------ pieces

// After t:   a + j t,   v + a t + j t^2/2,   x + v t + a t^2/2 + j t^3/6
static ib_ProfilePoint advance(const ib_ProfilePoint *from, double jerk, double t)
{
    double a = from->acceleration, v = from->velocity;
    return (ib_ProfilePoint){
        .position = from->position + t * (v + t * (a / 2 + t * (jerk / 6))),
        .velocity = v + t * (a + t * (jerk / 2)),
        .acceleration = a + t * jerk,
    };
}

void ib__profile_begin(const ib_ProfilePoint *start, ib_Profile *profile)
{
    profile->count = 0;
    profile->duration = 0;
    profile->goal = *start;
}

void ib__profile_append(ib_Profile *profile, double acceleration, double jerk, double length)
{
    if (!(length > 0)) return;
    IB_ASSERT(profile->count < IB_PROFILE_PIECES);
    ib_ProfilePiece *piece = &profile->pieces[profile->count++];
    *piece = (ib_ProfilePiece){profile->duration, profile->goal, jerk};
    piece->point.acceleration = acceleration;
    profile->goal = advance(&piece->point, jerk, length);
    profile->duration += length;
}

ib_ProfilePoint ib_profile_at(const ib_Profile *profile, double t)
{
    if (t >= profile->duration || profile->count == 0) {
        ib_ProfilePoint goal = profile->goal;
        if (t > profile->duration) goal.position += goal.velocity * (t - profile->duration);
        return goal;
    }
    int i = profile->count - 1;
    while (i > 0 && t < profile->pieces[i].start) i--;
    const ib_ProfilePiece *piece = &profile->pieces[i];
    return t > 0 ? advance(&piece->point, piece->jerk, t - piece->start) : profile->pieces[0].point;
}

// --------------------------------------------------------------------------------------- trapezoid

// One change of velocity without a change of direction, at full rate: r = a where it gets faster, d
// where it gets slower.                  time |w - v|/r,   way (v + w)/2 |w - v|/r
static double rate_of(const ib_ProfileLimits *limits, double v, double w)
{
    return fabs(w) > fabs(v) ? limits->acceleration : limits->deceleration;
}

static double change_way(const ib_ProfileLimits *limits, double v, double w)
{
    if (v * w < 0) return change_way(limits, v, 0) + change_way(limits, 0, w);
    return 0.5 * (v + w) * fabs(w - v) / rate_of(limits, v, w);
}

static void append_change(const ib_ProfileLimits *limits, double v, double w, ib_Profile *profile)
{
    if (v * w < 0) {
        append_change(limits, v, 0, profile);
        v = 0;
    }
    double rate = rate_of(limits, v, w);
    ib__profile_append(profile, copysign(rate, w - v), 0, fabs(w - v) / rate);
}

// The cruise of a way x > D(v0, v1), mirrored so that this holds. Both changes together, with
// c >= v0, v1, 0:
//   x = c^2/2a - v0^2/2r0  +  c^2/2d - v1^2/2r1,     r0 = a or d, r1 = d or a for v >= 0 or v < 0
// solved for c, unless the limit is reached first.
// Limits: rest to rest c = sqrt(2 x a d/(a + d)); x = D(v0, v1) -> c is the larger of v0 and v1.
static double cruise(const ib_ProfileLimits *limits, double x, double v0, double v1)
{
    double a = limits->acceleration, d = limits->deceleration;
    double way = x + v0 * v0 / (2 * (v0 < 0 ? d : a)) + v1 * v1 / (2 * (v1 < 0 ? a : d));
    double c = sqrt(ib_max(2 * way * a * d / (a + d), 0));
    return ib_min(ib_max(c, ib_max(v0, v1)), limits->velocity);
}

// Two velocities of one sign make a detour of a miss: a goal that lies a hair before the end of the
// direct change is reached by stopping, going back and coming again.
static bool arrives_directly(const ib_ProfileLimits *limits, const ib_ProfilePoint *start,
                             const ib_ProfilePoint *goal, double way)
{
    double x = goal->position - start->position, v0 = start->velocity, v1 = goal->velocity;
    double miss = MISS * (fabs(x) + fabs(way));
    miss += ROUNDING * (fabs(start->position) + fabs(goal->position));
    // The last bits of the velocities go into a way by v dv/r.
    miss += ROUNDING * (v0 * v0 + v1 * v1) / ib_min(limits->acceleration, limits->deceleration);
    return v0 * v1 > 0 && fabs(x - way) <= miss;
}

static void plan(const ib_ProfileLimits *limits, const ib_ProfilePoint *start,
                 const ib_ProfilePoint *goal, ib_Profile *profile)
{
    double v0 = start->velocity, v1 = goal->velocity;
    double x = goal->position - start->position;
    double way = change_way(limits, v0, v1), spare = x - way;
    if (arrives_directly(limits, start, goal, way)) {
        append_change(limits, v0, v1, profile);
        return;
    }
    double side = spare < 0 ? -1 : 1, c = side * cruise(limits, side * x, side * v0, side * v1);
    append_change(limits, v0, c, profile);
    if (fabs(c) == limits->velocity) {
        double left = x - change_way(limits, v0, c) - change_way(limits, c, v1);
        ib__profile_append(profile, 0, 0, left / c);
    }
    append_change(limits, c, v1, profile);
}

ib_Status ib_profile_init(const ib_ProfileLimits *limits, const ib_ProfilePoint *start,
                          const ib_ProfilePoint *goal, ib_Profile *profile, ib_Error *error)
{
    ib_Status status = ib_profile_check(limits, error);
    if (!status) status = ib__profile_check_point(start, "start", error);
    if (!status) status = ib__profile_check_point(goal, "goal", error);
    if (!status) status = check_value("goal", "velocity", goal->velocity, limits->velocity, error);
    if (status) return status;

    ib_ProfileLimits both = *limits;
    if (both.deceleration == 0) both.deceleration = both.acceleration;
    ib__profile_begin(start, profile);
    plan(&both, start, goal, profile);
    profile->goal = (ib_ProfilePoint){goal->position, goal->velocity, 0};
    return IB_OK;
}

ib_Status ib_profile_next(const ib_ProfileLimits *limits, const ib_ProfilePoint *goal, double dt,
                          ib_ProfilePoint *point, ib_Error *error)
{
    ib_Profile profile;
    if (!(dt > 0)) return ib_error_set(error, IB_BAD_INPUT, "dt: expected above 0 s, got %g", dt);
    ib_Status status = ib_profile_init(limits, point, goal, &profile, error);
    if (status) return status;
    *point = ib_profile_at(&profile, ib_min(dt, profile.duration));
    return IB_OK;
}
