// sim/linearise/linearise_point.c: the point of linearisation: values of coordinates in the place
// of states, and equilibrium.
#include "base/extreme.h"
#include "base/matrix.h"
#include "sim/linearise/linearise_inside.h"

#include <math.h>
#include <string.h>

enum { SETTLINGS = 1000 }; ///< rounds in which modes must settle

int ib__bench_coordinate(const ib_RobotPorts *ports, int state)
{
    const ib_StateDef *def = &ports->states[state];
    for (int i = 0; !def->signal && def->coordinate && i < ports->signal_count; i++)
        if (strcmp(ports->signals[i].name, def->coordinate) == 0) return i;
    return -1;
}

// Modes follow the set values, as at the start of a step.
static ib_Status ib__bench_settle(ib__Bench *b, ib_Error *error)
{
    const ib_RobotModel *robot = b->robot;
    if (!robot->kind->settle) return IB_OK;
    for (int i = 0; i < SETTLINGS; i++)
        if (!robot->kind->settle(robot->model, b->input, b->state)) return IB_OK;
    return ib_error_set(error, IB_FAILED, "the modes of the %s do not settle at this point",
                        robot->kind->name);
}

// ------------------------------------------------------------------------------------- coordinates

ib_Status ib__bench_frame(const ib__Bench *b, ib__Frame *frame, ib_Error *error)
{
    int n = b->state_count;
    for (int j = 0; j < n; j++) {
        ib__Column column = ib__bench_differentiate(b, &b->state[b->states[j]]);
        for (int i = 0; i < n; i++) {
            double own = i == j ? 1 : 0;
            frame->G[i * n + j] =
                b->coordinate[i] < 0 ? own : column.slope[n + b->output_count + i];
        }
    }
    if (ib_matrix_factor(n, frame->G, frame->pivot) == 0) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT,
                        "states: these signals of the %s do not tell its states apart; ask for "
                        "others beside them",
                        b->robot->kind->name);
}

// Distance of the coordinates from these values, each relative to its size.
static double distance(const ib__Bench *b, const double *wanted, double *missing)
{
    double rows[IB__BENCH_ROWS], worst = 0;
    ib__bench_evaluate(b, rows);
    for (int i = 0; i < b->state_count; i++) {
        missing[i] = wanted[i] - rows[b->state_count + b->output_count + i];
        worst = ib_max(worst, fabs(missing[i]) / ib_max(1, fabs(wanted[i])));
    }
    return worst;
}

// Goes to the states with these coordinates: Newton's method, its steps halved if necessary.
static ib_Status go_to_coordinates(ib__Bench *b, const double *wanted, ib_Error *error)
{
    int n = b->state_count;
    double step[IB_STATES_MAX], next[IB_STATES_MAX], from[IB_STATES_MAX];
    double worst = distance(b, wanted, step);
    for (int round = 0; round < IB__BENCH_ROUNDS && worst > 1e-15; round++) {
        ib__Frame frame;
        ib_Status status = ib__bench_frame(b, &frame, error);
        if (status != IB_OK) return status;
        ib_matrix_solve(n, frame.G, frame.pivot, step);
        double near = INFINITY, part = 1;
        for (int i = 0; i < n; i++) from[i] = b->state[b->states[i]];
        for (int k = 0; k < 30 && !(near < worst); k++, part *= 0.5) {
            for (int i = 0; i < n; i++) b->state[b->states[i]] = from[i] + part * step[i];
            near = distance(b, wanted, next);
        }
        if (!(near < worst)) {
            for (int i = 0; i < n; i++) b->state[b->states[i]] = from[i];
            break;
        }
        worst = near;
        memcpy(step, next, sizeof step);
    }
    if (worst < 1e-9) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT, "no state of the %s has these values",
                        b->robot->kind->name);
}

// ----------------------------------------------------------------------------------------- balance

// The free variables as numbers of the point: states (of a coordinate: its state) and inputs.
typedef struct Givers {
    int count;
    double *at[IB_STATES_MAX + IB_INPUTS_MAX];
    bool moves[IB_STATES_MAX]; ///< rates that any of them moves: the others stay as they are
} Givers;

static ib_Status find_givers(ib__Bench *b, const ib_LineariseQuery *query, Givers *givers,
                             ib_Error *error)
{
    *givers = (Givers){0};
    for (int i = 0; i < query->balance_count; i++) {
        double *at = NULL;
        for (int k = 0; k < b->state_count; k++)
            if (strcmp(query->balance[i], query->states[k]) == 0) at = &b->state[b->states[k]];
        for (int k = 0; k < b->input_count; k++)
            if (strcmp(query->balance[i], query->inputs[k]) == 0) at = &b->input[b->inputs[k]];
        if (!at)
            return ib_error_set(error, IB_BAD_INPUT,
                                "balance: %s is none of the states and inputs that were asked for",
                                query->balance[i]);
        givers->at[givers->count++] = at;
        ib__Column column = ib__bench_differentiate(b, at);
        for (int k = 0; k < b->state_count; k++) givers->moves[k] |= column.slope[k] != 0;
    }
    return IB_OK;
}

// Distance from balance, each rate relative to its state; and its rows.
static double imbalance(const ib__Bench *b, const Givers *givers, double *rows)
{
    double sum = 0;
    ib__bench_evaluate(b, rows);
    for (int i = 0; i < b->state_count; i++) {
        double size =
            b->plain ? b->state[b->states[i]] : rows[b->state_count + b->output_count + i];
        rows[i] = givers->moves[i] ? rows[i] / ib_max(1, fabs(size)) : 0;
        sum += rows[i] * rows[i];
    }
    return sqrt(sum);
}

// Slopes close by, with free variables scaled by their own size: those of `differentiate` reach too
// far for a flow that goes like a root.
static void slopes_of(const ib__Bench *b, const Givers *givers, int giver, double *slope)
{
    double *at = givers->at[giver], here = *at, size = ib_max(1, fabs(here)), h = 1e-5 * size;
    double plus[IB__BENCH_ROWS], minus[IB__BENCH_ROWS];
    *at = here + h;
    imbalance(b, givers, plus);
    *at = here - h;
    imbalance(b, givers, minus);
    *at = here;
    for (int i = 0; i < b->state_count; i++) slope[i] = (plus[i] - minus[i]) / (2e-5);
}

enum { GIVERS = IB_STATES_MAX + IB_INPUTS_MAX };

// Least squares about a point: J' J and J' r of the residual r.
typedef struct Normal {
    double N[GIVERS * GIVERS], g[GIVERS];
} Normal;

static Normal make_normal(const ib__Bench *b, const Givers *givers, const double *residual)
{
    int n = b->state_count, m = givers->count;
    double J[GIVERS][IB_STATES_MAX];
    Normal normal = {0};
    for (int j = 0; j < m; j++) slopes_of(b, givers, j, J[j]);
    for (int i = 0; i < m; i++)
        for (int k = 0; k < n; k++) {
            normal.g[i] += J[i][k] * residual[k];
            for (int j = 0; j < m; j++) normal.N[i * m + j] += J[i][k] * J[j][k];
        }
    return normal;
}

// (J' J + damping diagonal) d = -J' r  [Levenberg, Marquardt]; false: singular.
static bool damped_step(const Normal *normal, int m, double damping, double *d)
{
    double N[GIVERS * GIVERS], most = 0;
    int pivot[GIVERS];
    memcpy(N, normal->N, sizeof N);
    for (int i = 0; i < m; i++) most = ib_max(most, N[i * m + i]);
    for (int i = 0; i < m; i++) {
        N[i * m + i] += damping * (N[i * m + i] + 1e-12 * most);
        d[i] = -normal->g[i];
    }
    if (ib_matrix_factor(m, N, pivot) != 0) return false;
    ib_matrix_solve(m, N, pivot, d);
    return true;
}

// Tries shorter and shorter steps until one helps; the new imbalance, or the old one: none does.
static double improve(const ib__Bench *b, const Givers *givers, double size, double *rows)
{
    double from[GIVERS], d[GIVERS], trial[IB__BENCH_ROWS], damping = 0;
    Normal normal = make_normal(b, givers, rows);
    for (int i = 0; i < givers->count; i++) from[i] = *givers->at[i];
    for (int k = 0; k < 30; k++) {
        bool solved = damped_step(&normal, givers->count, damping, d);
        damping = ib_max(4 * damping, 1e-6);
        if (!solved) continue;
        for (int i = 0; i < givers->count; i++)
            *givers->at[i] = from[i] + d[i] * ib_max(1, fabs(from[i]));
        double next = imbalance(b, givers, trial);
        if (next < size) {
            memcpy(rows, trial, sizeof trial);
            return next;
        }
    }
    for (int i = 0; i < givers->count; i++) *givers->at[i] = from[i];
    return size;
}

// Flows go like the root of a small difference, at which Newton's method jumps to the other side
// for ever: hence the damping. Modes follow each step.
static ib_Status find_balance(ib__Bench *b, const ib_LineariseQuery *query, ib_Error *error)
{
    Givers givers;
    double rows[IB__BENCH_ROWS];
    ib_Status status = find_givers(b, query, &givers, error);
    if (status != IB_OK) return status;
    double size = imbalance(b, &givers, rows);
    for (int round = 0; round < IB__BENCH_ROUNDS && size > 1e-11; round++) {
        double next = improve(b, &givers, size, rows);
        status = ib__bench_settle(b, error);
        if (status != IB_OK) return status;
        if (!(next < size)) break;
        size = imbalance(b, &givers, rows);
    }
    if (size < 1e-6) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT,
                        "balance: found none; the nearest point changes by %.3g of itself in a "
                        "second. Give a point that is nearer, or let more give",
                        size);
}

ib__Bench ib__bench_widen(const ib__Bench *b)
{
    ib__Bench wide = *b;
    const ib_RobotPorts *ports = &b->robot->ports;
    for (int k = 0; ports->states && k < ports->state_count; k++) {
        int signal = ib__bench_coordinate(ports, k);
        bool asked = false;
        for (int i = 0; i < b->state_count; i++) asked |= b->states[i] == k;
        if (signal < 0 || asked || wide.state_count == IB_STATES_MAX) continue;
        wide.coordinate[wide.state_count] = signal;
        wide.states[wide.state_count++] = k;
        wide.plain = false;
    }
    return wide;
}

static void show_coordinates(const ib__Bench *wide, double *z)
{
    double rows[IB__BENCH_ROWS];
    ib__bench_evaluate(wide, rows);
    memcpy(z, rows + wide->state_count, (size_t)wide->state_count * sizeof *z);
}

static bool gives(const ib_LineariseQuery *query, const char *name)
{
    for (int i = 0; query->balance && i < query->balance_count; i++)
        if (strcmp(query->balance[i], name) == 0) return true;
    return false;
}

// The point must have the given values: modes may have moved a state, as a stop does with a place
// beyond it. A refusal begins with the state's name.
static ib_Status check_given(const ib__Bench *b, const ib_LineariseQuery *query, ib_Error *error)
{
    const ib_RobotPorts *ports = &b->robot->ports;
    for (int i = 0; query->x0 && i < b->state_count; i++) {
        double given = query->x0[i], now = b->state[b->states[i]];
        if (b->coordinate[i] >= 0 || gives(query, query->states[i])) continue;
        if (!(fabs(now - given) > 1e-9 * ib_max(1, fabs(given)))) continue; // NAN: later
        const char *unit = "";
        for (int k = 0; k < ports->signal_count; k++)
            if (strcmp(ports->signals[k].name, query->states[i]) == 0)
                unit = ports->signals[k].unit;
        return ib_error_set(error, IB_BAD_INPUT,
                            "%s: %g %s cannot be: the %s is at %g %s at once, by a stop or "
                            "another of its modes. Expected a point at which it may stay",
                            query->states[i], given, unit, b->robot->kind->name, now, unit);
    }
    return IB_OK;
}

// Sets the query's values, and finds the balance.
ib_Status ib__bench_set(ib__Bench *b, const ib_LineariseQuery *query, ib_Error *error)
{
    ib__Bench wide = ib__bench_widen(b);
    wide.output_count = 0;
    double z[IB_STATES_MAX], now[IB_STATES_MAX];
    if (!wide.plain) show_coordinates(&wide, z);
    for (int i = 0; query->u0 && i < b->input_count; i++) b->input[b->inputs[i]] = query->u0[i];
    for (int i = 0; query->x0 && i < b->state_count; i++) {
        z[i] = query->x0[i];
        if (b->coordinate[i] < 0) b->state[b->states[i]] = query->x0[i];
    }
    ib_Status status = IB_OK;
    if (query->x0 && !wide.plain) status = go_to_coordinates(&wide, z, error);
    if (status == IB_OK) status = ib__bench_settle(b, error);
    // States that were not requested are restored after each search, until both agree.
    bool agree = !query->balance;
    for (int round = 0; round < IB__BENCH_ROUNDS && status == IB_OK && !agree; round++) {
        status = find_balance(b, query, error);
        agree = wide.plain;
        if (status != IB_OK || wide.plain) break;
        show_coordinates(&wide, now);
        memcpy(z, now, (size_t)b->state_count * sizeof *z);
        agree = distance(&wide, z, now) < 1e-12;
        if (!agree) status = go_to_coordinates(&wide, z, error);
    }
    return status == IB_OK ? check_given(b, query, error) : status;
}
