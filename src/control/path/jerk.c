#include "control/path/jerk.h"

#include "base/extreme.h"

#include <math.h>
#include <stdbool.h>

//   symbol  meaning
//   v0      velocity at the start, mirrored so that the way x is longer than that of a plain stop
//   c       velocity of the cruise
//   t(s)    time that a change of velocity by s takes; T the one that is searched

enum { HALVINGS = 200 }; // far more than a double has bits; 60 are usual

ib_Status ib_jerk_check(const ib_JerkLimits *limits, ib_Error *error)
{
    ib_Status status = ib__profile_check_limit("velocity", limits->velocity, error);
    if (!status) status = ib__profile_check_limit("acceleration", limits->acceleration, error);
    if (!status) status = ib__profile_check_limit("jerk", limits->jerk, error);
    return status;
}

// ------------------------------------------------------------------------------ change of velocity
//
// The acceleration starts and ends at zero: up with the jerk j, held at the most a, down again.
//   t(s) = s/a + a/j  where a is reached, s >= a^2/j;    t(s) = 2 sqrt(s/j)  where it is not
// The velocity is symmetric in time, so the way is the mean of both velocities times t.

static double change_time(const ib_JerkLimits *limits, double s)
{
    double a = limits->acceleration, j = limits->jerk;
    return s * j >= a * a ? s / a + a / j : 2 * sqrt(s / j);
}

// The inverse: how far the velocity gets in a time t.
static double change_in(const ib_JerkLimits *limits, double t)
{
    double a = limits->acceleration, j = limits->jerk;
    return t * j >= 2 * a ? a * (t - a / j) : j * t * t / 4;
}

static double change_way(const ib_JerkLimits *limits, double v, double w)
{
    return 0.5 * (v + w) * change_time(limits, fabs(w - v));
}

// Takes the change itself, not the two velocities, whose difference could be rounded away.
static void append_change(const ib_JerkLimits *limits, double change, ib_Profile *profile)
{
    double a = limits->acceleration, j = limits->jerk, s = fabs(change);
    bool reached = s * j >= a * a;
    double ramp = reached ? a / j : sqrt(s / j), hold = reached ? s / a - a / j : 0;
    double peak = copysign(reached ? a : ib_min(j * ramp, a), change);
    ib__profile_append(profile, 0, copysign(j, change), ramp);
    ib__profile_append(profile, peak, 0, hold);
    ib__profile_append(profile, peak, -copysign(j, change), ramp);
}

// ----------------------------------------------------------------------------------- whole profile
//
//   x = D(v0, c) + c t_cruise + D(c, 0)
// Without a cruise, c follows from the way. The search is not for c but for the time T of one
// change, whose effect on the way is smooth: near a plain stop the way grows with the root of c -
// v0, which a double near v0 cannot resolve.
//   0 <= v0 <= limit: T of the first change, c = v0 + s(T)     (get faster, then stop)
//   else:             T of the last change,  c = s(T)          (turn or slow down, then stop)
// T = 0 is the plain stop in both.

typedef struct Search {
    const ib_JerkLimits *limits;
    double v0;
    bool first; ///< T is the time of the first change
} Search;

static double cruise_of(const Search *search, double t)
{
    return change_in(search->limits, t) + (search->first ? search->v0 : 0);
}

static double way_of(const Search *search, double t)
{
    const ib_JerkLimits *limits = search->limits;
    double v0 = search->v0, c = cruise_of(search, t);
    if (search->first) return 0.5 * (v0 + c) * t + change_way(limits, c, 0);
    return change_way(limits, v0, c) + 0.5 * c * t;
}

// The longest T in 0 .. most whose way is not beyond x.
static double halve(const Search *search, double x, double most)
{
    double low = 0, high = most;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = 0.5 * (low + high);
        if (!(middle > low && middle < high)) break;
        if (way_of(search, middle) <= x)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// Plans from zero acceleration to rest.
static void plan(const ib_JerkLimits *limits, double x, double v0, ib_Profile *profile)
{
    // Mirrored, so that the goal lies beyond the plain stop.
    double spare = x - change_way(limits, v0, 0), side = spare < 0 ? -1 : 1, top = limits->velocity;
    x *= side, v0 *= side;
    Search search = {limits, v0, v0 >= 0 && v0 <= top};
    double most = change_time(limits, search.first ? top - v0 : top), t = most, hold = 0;
    double left = x - way_of(&search, most);
    if (left >= 0)
        hold = left / top;
    else
        t = spare == 0 ? 0 : halve(&search, x, most);

    double s = change_in(limits, t), c = cruise_of(&search, t);
    append_change(limits, side * (search.first ? s : c - v0), profile);
    ib__profile_append(profile, 0, 0, hold);
    append_change(limits, -side * c, profile);
}

ib_Status ib_jerk_init(const ib_JerkLimits *limits, const ib_ProfilePoint *start, double goal,
                       ib_Profile *profile, ib_Error *error)
{
    ib_ProfilePoint end = {goal, 0, 0};
    ib_Status status = ib_jerk_check(limits, error);
    if (!status) status = ib__profile_check_point(start, "start", error);
    if (!status) status = ib__profile_check_point(&end, "goal", error);
    if (status) return status;

    ib__profile_begin(start, profile);
    double a0 = start->acceleration;
    ib__profile_append(profile, a0, -copysign(limits->jerk, a0), fabs(a0) / limits->jerk);
    plan(limits, goal - profile->goal.position, profile->goal.velocity, profile);
    profile->goal = end;
    return IB_OK;
}
