// sim/contact/sleep.c: bodies that contacts hold where they are. docs/world/world.md, "Standing"
#include "sim/contact/sleep.h"

#include "base/extreme.h"
#include "base/maths.h"
#include "robot/planar.h"
#include "sim/contact/bodies.h"

#include <math.h>
#include <string.h>

enum { FREEZE_AFTER = 20 }; ///< steps after which a loose island may sleep again

#define HELD 1e-9 ///< largest residual acceleration of a body at rest

// Part of a push that contacts leave open.
#define OPEN 1e-9

// Support beyond rounding is lost.
#define GIVES_WAY 1e-12

// Rounds to a part of 1/512 to 1/1024 of the largest.
static void round_off(double v[3])
{
    int exponent;
    frexp(ib_max(fabs(v[0]), ib_max(fabs(v[1]), fabs(v[2]))), &exponent);
    double grain = ldexp(1, exponent - 9);
    for (int i = 0; i < 3; i++) v[i] = grain * rint(v[i] / grain);
}

// True if these rates would move the sleeping body.
static bool gives_way(const ib__Sleeper *sleeper, const double v[3])
{
    bool loose = false;
    for (int k = 0; k < sleeper->form_count; k++) {
        const double *form = sleeper->forms[k];
        double x = form[0] * v[0], y = form[1] * v[1], z = form[2] * v[2];
        loose |= x + y + z < -GIVES_WAY * (fabs(x) + fabs(y) + fabs(z));
    }
    if (sleeper->form_count >= 0) return loose;
    double now[3] = {v[0], v[1], v[2]};
    if (sleeper->rough) round_off(now);
    return now[0] != sleeper->steady[0] || now[1] != sleeper->steady[1] ||
           now[2] != sleeper->steady[2];
}

void ib__sleep_hold(const ib_Sim *sim, double *rate)
{
    ib__Contacts *contacts = sim->contacts;
    bool loose = false;
    for (int i = 0; i < contacts->sleeper_count; i++) {
        const ib__Sleeper *sleeper = &contacts->sleepers[i];
        const int *at = sleeper->rates;
        loose |= gives_way(sleeper, (double[3]){rate[at[0]], rate[at[1]], rate[at[2]]});
        rate[at[0]] = rate[at[1]] = rate[at[2]] = 0;
    }
    if (!contacts->stay_asleep) contacts->loose |= loose;
}

static ib__Sleeper *new_sleeper(const ib_Sim *sim, int body)
{
    const ib_RobotModel *robot = ib__robot_of(sim->model, body);
    const ib_PlanarModel *planar = robot->ports.planar;
    ib__Sleeper *sleeper = &sim->contacts->sleepers[sim->contacts->sleeper_count++];
    *sleeper = (ib__Sleeper){
        .body = body,
        .rates = {robot->state + planar->velocity[0], robot->state + planar->velocity[1],
                  robot->state + planar->yaw_rate},
        .form_count = -1,
    };
    return sleeper;
}

// Rates of velocities, in the robot's own states, as accelerations in the field: columns.
static void turn_axes(const ib_PlanarModel *planar, const double *state, double axes[9])
{
    double s = 0, c = 1;
    if (planar->own_axes) ib_sincos(state[planar->heading], &s, &c);
    memcpy(axes, (double[9]){c, -s, 0, s, c, 0, 0, 0, 1}, 9 * sizeof *axes);
}

static void support_sleeper(const ib_Sim *sim, const ib_Support *support, ib__Sleeper *sleeper)
{
    const ib_RobotModel *robot = ib__robot_of(sim->model, sleeper->body);
    double axes[9];
    sleeper->form_count = support->form_count;
    turn_axes(robot->ports.planar, sim->state + robot->state, axes);
    for (int k = 0; k < sleeper->form_count; k++)
        for (int c = 0; c < 3; c++)
            sleeper->forms[k][c] = support->forms[k][0] * axes[c] +
                                   support->forms[k][1] * axes[3 + c] +
                                   support->forms[k][2] * axes[6 + c];
}

// out = M v, 3 x 3
static void multiply(const double *M, const double *v, double *out)
{
    for (int r = 0; r < 3; r++)
        out[r] = M[3 * r] * v[0] + M[3 * r + 1] * v[1] + M[3 * r + 2] * v[2];
}

// Contacts without friction leave a way open, a + W F a in the place of 0: a body that they hold
// sleeps while nothing pushes it there. F maps free accelerations to forces.
static void add_open_ways(const double W[9], ib_Support *support)
{
    for (int r = 0; r < 3; r++) {
        double row[3], most = 0;
        for (int c = 0; c < 3; c++) {
            row[c] = r == c;
            for (int k = 0; k < 3; k++) row[c] += W[3 * r + k] * support->force[3 * k + c];
            if (fabs(row[c]) < OPEN) row[c] = 0; // rounding
            most = ib_max(most, fabs(row[c]));
        }
        if (most == 0 || support->form_count + 2 > IB_SUPPORT_FORMS) continue;
        for (int sign = -1; sign <= 1; sign += 2) {
            double *form = support->forms[support->form_count++];
            for (int c = 0; c < 3; c++) form[c] = sign * row[c];
        }
    }
}

// True if its contacts hold it under its present free accelerations.
static bool holds(const ib_Sim *sim, int body, ib_Support *support)
{
    const ib_RobotModel *robot = ib__robot_of(sim->model, body);
    double *rate = sim->course_state, force[3], response[3], matrix[9];
    const double *own = sim->state + robot->state;
    ib_Motion m;
    const double *input = ib__sim_continuous_input(sim, sim->state, sim->input);
    robot->kind->rate(robot->model, own, ib__sim_own_input(sim, robot, sim->state, input), rate);
    ib_planar_motion(robot->ports.planar, own, rate, &m);
    ib_planar_inverse_mass(robot->ports.planar, robot->kind, robot->model, own, matrix);
    const double a[3] = {m.ax, m.ay, m.alpha};
    multiply(support->force, a, force);
    multiply(matrix, force, response);
    bool good = true;
    for (int k = 0; k < support->form_count; k++) {
        const double *form = support->forms[k];
        good &= form[0] * a[0] + form[1] * a[1] + form[2] * a[2] >= 0;
    }
    double allowed = HELD * (fabs(a[0]) + fabs(a[1]) + fabs(a[2]));
    for (int c = 0; c < 3; c++) good &= fabs(a[c] + response[c]) <= allowed;
    add_open_ways(matrix, support);
    return good;
}

// ----------------------------------------------------------------------------------------- islands

static bool is_still(const ib_Sim *sim, int body)
{
    const ib_RobotModel *robot = ib__robot_of(sim->model, body);
    const ib_PlanarModel *planar = robot->ports.planar;
    const double *own = sim->state + robot->state;
    return own[planar->velocity[0]] == 0 && own[planar->velocity[1]] == 0 &&
           own[planar->yaw_rate] == 0 && !planar->varies;
}

static bool is_island_still(const ib_Sim *sim, int island)
{
    const int *bodies;
    int number = ib_world_island(sim->contacts->workspace, island, &bodies);
    bool still = true;
    for (int i = 0; i < number; i++) still &= is_still(sim, bodies[i]);
    return still;
}

// Tries one body against fixed elements.
static void try_one(ib_Sim *sim, int island, int body)
{
    ib__Contacts *contacts = sim->contacts;
    ib_Support support;
    if (!ib_world_support(sim->model->world, contacts->workspace, &contacts->rests, body, &support))
        return;
    if (!holds(sim, body, &support)) return;
    support_sleeper(sim, &support, new_sleeper(sim, body));
    ib_world_hold(contacts->workspace, island, true);
}

// Puts bodies that lean on each other to sleep if their contacts hold them. The rates are at hand.
static void sleep_island(ib_Sim *sim, int island)
{
    const ib_Model *model = sim->model;
    ib__Contacts *contacts = sim->contacts;
    const int *bodies;
    int number = ib_world_island(contacts->workspace, island, &bodies);
    ib_world_piece(contacts->workspace, ib_time_to_seconds(model->step));
    ib_world_rest_island(model->world, contacts->workspace, island, contacts->bodies,
                         contacts->movers, contacts->free, contacts->masses, contacts->forces);
    if (!ib_world_stands(contacts->workspace, island, contacts->free, contacts->masses,
                         contacts->forces))
        return;
    for (int i = 0; i < number; i++) {
        ib__Sleeper *sleeper = new_sleeper(sim, bodies[i]);
        sleeper->rough = ib_world_in_pile(contacts->workspace, bodies[i]);
        for (int c = 0; c < 3; c++) sleeper->steady[c] = sim->course_state[sleeper->rates[c]];
        if (sleeper->rough) round_off(sleeper->steady);
    }
    ib_world_hold(contacts->workspace, island, true);
}

// True if bodies that lean on each other may be put to sleep.
static bool may_sleep(const ib_Sim *sim)
{
    const ib_Model *model = sim->model;
    return (double)sim->time >= sim->state[model->tally_state + IB_TALLY_LOOSE] &&
           model->world->mover_count == 0;
}

bool ib__sleep_begin(ib_Sim *sim)
{
    ib__Contacts *contacts = sim->contacts;
    int count = ib_world_island_count(contacts->workspace), held = 0;
    bool found = false, before = contacts->all_held;
    if (contacts->all_held || sim->ramps) return false;
    for (int k = 0; k < count; k++) {
        const int *bodies;
        int number = ib_world_island(contacts->workspace, k, &bodies);
        bool tried = !ib_world_is_held(contacts->workspace, bodies[0]) && is_island_still(sim, k);
        if (tried && number == 1) try_one(sim, k, bodies[0]);
        if (tried && number > 1 && may_sleep(sim)) {
            if (!found) ib__bodies_find_all(sim, sim->input, 0, sim->state);
            if (!found)
                ib__bodies_find_free(sim, sim->state,
                                     ib__sim_continuous_input(sim, sim->state, sim->input));
            found = true;
            sleep_island(sim, k);
        }
        held += ib_world_is_held(contacts->workspace, bodies[0]);
    }
    contacts->all_held = count > 0 && held == count;
    return contacts->all_held != before;
}

void ib__sleep_wake_all(ib_Sim *sim)
{
    ib__Contacts *contacts = sim->contacts;
    contacts->sleeper_count = 0;
    contacts->all_held = contacts->loose = false;
    for (int k = 0; k < ib_world_island_count(contacts->workspace); k++)
        ib_world_hold(contacts->workspace, k, false);
}

void ib__sleep_wake_loose(ib_Sim *sim)
{
    ib_Time wait = FREEZE_AFTER * ib_time_min(sim->model->step, IB__WINDOW);
    sim->state[sim->model->tally_state + IB_TALLY_LOOSE] = (double)(sim->time + wait);
    ib__sleep_wake_all(sim);
}

void ib__sleep_check(ib_Sim *sim)
{
    ib__Contacts *contacts = sim->contacts;
    if (contacts->sleeper_count == 0) return;
    if (!ib_world_is_held(contacts->workspace, contacts->sleepers[0].body)) ib__sleep_wake_all(sim);
}
