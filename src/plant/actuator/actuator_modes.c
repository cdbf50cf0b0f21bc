// plant/actuator/actuator_modes.c: jumps of an actuator: stops, static friction, balls.
#include "base/extreme.h"
#include "plant/actuator/actuator_inside.h"

#include <math.h>

#define STICK  1e-9  ///< tolerance of holding forces [N], [N m]
#define CREEP  1e-12 ///< a slide ends at this speed backwards [m/s], [rad/s]
#define JUMPED 1e-9  ///< reverse speeds above this are not the end of a slide

// ------------------------------------------------------------------------------------------- modes

// Remaining speed of a slide [m/s], [rad/s]; infinite without a slide.
static double slide_left(int mode, double v)
{
    return mode == IB_JOINT_FORWARD ? v + CREEP : mode == IB_JOINT_BACKWARD ? CREEP - v : INFINITY;
}

// Distance from its stops [m], [rad]; infinite without any. The one ahead counts as much farther:
// if a joint reverses, the margin jumps, and a step that might hide a turn beyond the stop is
// examined closely (sim/step.c, is_clear).
static double stops_left(const ib_Actuator *a, const double *x, int j)
{
    double at = x[a->position[j]], v = x[a->speed[j]], ahead = 1e6;
    if (a->mechanism.ports.joint[j].unplaced || isinf(a->travel[j][0])) return INFINITY;
    double low = at - a->travel[j][0], high = a->travel[j][1] - at;
    return ib_min(v < 0 ? ahead * low : low, v > 0 ? ahead * high : high);
}

// Margin of the mode, positive as long as it stays: distance from a stop [m], speed of the slide
// [m/s], or reserve of a stop or friction [N]; only the sign has a meaning.
static double margin(const ib_Actuator *a, const double *x, int j, const ib__ActuatorNow *now)
{
    int mode = ib__actuator_mode(a, x, j);
    double hold = now->hold[j];
    if (mode == IB_JOINT_LOW) return hold + now->level[j] + STICK;
    if (mode == IB_JOINT_HIGH) return now->level[j] - hold + STICK;
    if (mode == IB_JOINT_HELD) return now->level[j] + STICK - fabs(hold);
    double left = ib_min(stops_left(a, x, j), slide_left(mode, x[a->speed[j]]));
    return left == INFINITY ? 1 : left;
}

void ib_actuator_guards(const ib_Actuator *a, const ib_Wires *w, double *guards)
{
    const double *x = w->x;
    ib__ActuatorNow now;
    if (!a->stops && !a->hook.on) return;
    ib__actuator_evaluate(a, w, &now);
    if (a->hook.on) {
        guards[a->hook_guard] = ib_hook_catch_margin(&a->hook, x + a->hooked, &w->hook);
        guards[a->hook_guard + 1] = ib_hook_strike_margin(x + a->hooked, &w->hook);
    }
    for (int j = 0, at = a->guard; j < a->joint_count; j++)
        if (a->mode[j] >= 0) guards[at++] = margin(a, x, j, &now);
}

// Mode of a moving joint.
static int moving_mode(double v, double level)
{
    if (level == 0) return IB_JOINT_FREE;
    return v > 0 ? IB_JOINT_FORWARD : v < 0 ? IB_JOINT_BACKWARD : IB_JOINT_HELD;
}

// A joint that stood lets go in the direction in which it was pressed.
static int released_mode(double hold, double level)
{
    if (level == 0) return IB_JOINT_FREE;
    return hold < 0 ? IB_JOINT_FORWARD : IB_JOINT_BACKWARD;
}

// The stop that a moving joint has run into; 0: none.
static int stop_reached(const ib_Actuator *a, const double *x, int j)
{
    double at = x[a->position[j]], v = x[a->speed[j]];
    if (a->mechanism.ports.joint[j].unplaced || isinf(a->travel[j][0])) return 0;
    const double *stop = a->config.joint[j].travel, *slack = a->travel[j];
    if ((at <= slack[0] && v <= 0) || (at <= stop[0] && v < 0)) return IB_JOINT_LOW;
    if ((at >= slack[1] && v >= 0) || (at >= stop[1] && v > 0)) return IB_JOINT_HIGH;
    return 0;
}

// Two ends bear on their stops, one of them with a blow. A stop cannot pull: where
//   M P = -v
// has an impulse P away from its stop, that end is thrown off, unless its load is so large that it
// would be back within a few times the slack: else two ends would rattle for ever.
static void loosen(const ib_Actuator *a, const ib__ActuatorNow *now, const double *x, int stop[2])
{
    const double(*M)[IB_MECHANISM_JOINTS] = now->mobility;
    double v[2] = {x[a->speed[0]], x[a->speed[1]]};
    for (int j = 0; j < 2; j++) {
        int i = !j, end = stop[j] == IB_JOINT_HIGH;
        double P = M[j][i] * v[i] - M[i][i] * v[j], thrown = v[j] - M[j][i] / M[i][i] * v[i];
        double room = 8 * fabs(a->travel[j][end] - a->config.joint[j].travel[end]);
        bool back = thrown * thrown <= 2 * M[j][j] * fabs(now->hold[j]) * room;
        if ((end ? P > 0 : P < 0) && !back) stop[j] = 0;
    }
}

// A stop takes all speed of its joint; the effect on the other goes by the mobility:
//   v_i -= M_ij/M_jj v_j
// The blow may throw it off its own stop, and out of the hold of friction and brake, which
// are finite.
static void strike(const ib_Actuator *a, const int stop[2], const ib__ActuatorNow *now, double *x)
{
    for (int j = 0; j < a->joint_count; j++) {
        int i = !j;
        double v = x[a->speed[j]];
        if (!stop[j]) continue;
        x[a->speed[j]] = 0;
        x[a->mode[j]] = stop[j];
        // The robot takes the carriage's momentum:  M h' + m v
        if (a->hook.on) x[a->hooked + IB_HOOK_CLIMB] += a->hook.moved / a->hook.carrier.mass * v;
        if (a->joint_count < 2 || stop[i]) continue;
        double kick = -now->mobility[i][j] / now->mobility[j][j] * v;
        x[a->speed[i]] += kick;
        if (a->mode[i] >= 0 && kick != 0)
            x[a->mode[i]] = moving_mode(x[a->speed[i]], now->level[i]);
    }
}

// A blow that changes the momentum as seen from the base by dP changes the base's speed by -k dP
// (actuator_sway.c), which works with the mean momentum. Returns that work.
static double pushed_back(const ib__ActuatorNow *now, const double before[2], const double after[2])
{
    const double *c = now->sway.own.c;
    double was = c[0] * before[0] + c[1] * before[1], is = c[0] * after[0] + c[1] * after[1];
    return now->sway.kappa * (was - is) * 0.5 * (was + is);
}

static bool settle_stops(const ib_Actuator *a, const ib__ActuatorNow *now, const ib_Wires *w,
                         double *x)
{
    double field = ib_gravity_now(w).whole, speed[2][IB_MECHANISM_JOINTS] = {{0}}, passed = 0;
    int stop[2] = {0, 0};
    bool hit[2] = {false, false};
    for (int j = 0; j < a->joint_count; j++) {
        int mode = ib__actuator_mode(a, x, j);
        if (a->mode[j] < 0 || mode == IB_JOINT_HELD) continue;
        stop[j] = ib__actuator_stands(mode) ? mode : stop_reached(a, x, j);
        hit[j] = stop[j] && !ib__actuator_stands(mode);
    }
    if (!hit[0] && !hit[1]) return false;
    double before = ib__actuator_stored(a, x, field);
    for (int j = 0; j < 2; j++)
        if (hit[j]) x[a->position[j]] = a->config.joint[j].travel[stop[j] == IB_JOINT_HIGH];
    if (stop[0] && stop[1]) loosen(a, now, x, stop);
    for (int j = 0; j < a->joint_count; j++) speed[0][j] = x[a->speed[j]];
    strike(a, stop, now, x);
    for (int j = 0; j < a->joint_count; j++) speed[1][j] = x[a->speed[j]];
    if (a->config.reaction) passed = pushed_back(now, speed[0], speed[1]);
    x[a->books + IB_ACTUATOR_STOP] += before - ib__actuator_stored(a, x, field) - passed;
    if (passed != 0) x[a->books + IB_ACTUATOR_GIVEN] += passed;
    return true;
}

// True if a joint in a mode of rest moves or is off its stop: a state set from outside may have
// another place, or a speed. (Rosenbrock leaves rounding in the speed of one at rest.)
static bool is_displaced(const ib_Actuator *a, const double *x, int j, int mode)
{
    bool stop = mode == IB_JOINT_LOW || mode == IB_JOINT_HIGH;
    double at = stop ? a->config.joint[j].travel[mode == IB_JOINT_HIGH] : 0;
    return fabs(x[a->speed[j]]) > 1e-9 ||
           (stop && fabs(x[a->position[j]] - at) > 1e-9 * (1 + fabs(at)));
}

static bool settle_joint(const ib_Actuator *a, int j, const ib__ActuatorNow *now, double *x)
{
    int mode = ib__actuator_mode(a, x, j), next = mode;
    if (ib__actuator_stands(mode) && is_displaced(a, x, j, mode)) {
        next = moving_mode(x[a->speed[j]], now->level[j]);
    } else if (ib__actuator_stands(mode)) {
        // A released brake holds nothing, at any force.
        bool loose = mode == IB_JOINT_HELD && now->level[j] == 0;
        if (loose || margin(a, x, j, now) <= 0) next = released_mode(now->hold[j], now->level[j]);
    } else if ((mode == IB_JOINT_FREE) != (now->level[j] == 0)) {
        next = moving_mode(x[a->speed[j]], now->level[j]); // the brake was switched
    } else if (slide_left(mode, x[a->speed[j]]) < -JUMPED) {
        next = moving_mode(x[a->speed[j]], now->level[j]); // a blow has turned it round
    } else if (slide_left(mode, x[a->speed[j]]) <= 0) {
        x[a->speed[j]] = 0; // the slide has ended, within CREEP
        next = IB_JOINT_HELD;
    }
    if (next == mode) return false;
    x[a->mode[j]] = next;
    return true;
}

// A ball passes when the input is switched on.
static bool settle_jolt(const ib_Actuator *a, const double *input, double field, double *x)
{
    bool on = input[a->jolt] > 0.5, was = x[a->jolted] > 0.5;
    if (on == was) return false;
    x[a->jolted] = on;
    if (!on) return true;
    double before = ib__actuator_stored(a, x, field);
    a->mechanism.kind->jolt(&a->mechanism.model, x + a->state);
    x[a->books + IB_ACTUATOR_GIVEN] += before - ib__actuator_stored(a, x, field);
    x[a->count] += 1;
    return true;
}

bool ib_actuator_settle(const ib_Actuator *a, const ib_Mount *loaded, const ib_Wires *w, double *x)
{
    ib__ActuatorNow now;
    bool changed = false;
    if (a->held >= 0 && ib__actuator_settle_load(a, w->input[a->load], loaded, w, x)) return true;
    if (a->jolt >= 0) changed = settle_jolt(a, w->input, ib_gravity_now(w).whole, x);
    if (!a->stops && !a->hook.on) return changed;
    ib__actuator_evaluate(a, w, &now);
    if (a->hook.on) changed |= ib_hook_settle(&a->hook, &w->hook, x + a->hooked);
    changed = changed || settle_stops(a, &now, w, x);
    for (int j = 0; j < a->joint_count && !changed; j++)
        if (a->mode[j] >= 0) changed = settle_joint(a, j, &now, x);
    return changed;
}
