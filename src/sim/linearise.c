#include "sim/linearise.h"

#include "base/matrix.h"
#include "base/word.h"
#include "sim/sim_inside.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    LEVELS = 8,                                ///< of steps, each half of the one before
    ROWS = 2 * IB_STATES_MAX + IB_OUTPUTS_MAX, ///< rates, outputs, coordinates
    FINER = 3,        ///< tables of derivatives, each 128 times finer than the one before
    ROUNDS = 200,     ///< of Newton's method
    SETTLINGS = 1000, ///< rounds in which modes must settle
    NAMES = 2048,     ///< of a robot's states or inputs, in a message
};

// A robot at one point, and which of its numbers were asked for.
typedef struct Bench {
    const ib_RobotModel *robot;
    double *state, *input;                     ///< the point; one of them is moved at a time
    double *rate, *signals, *aside;            ///< scratch
    int states[IB_STATES_MAX], state_count;    ///< indices of states,
    int coordinate[IB_STATES_MAX];             ///< signals that stand for them; -1: themselves,
    bool plain;                                ///< none does
    int inputs[IB_INPUTS_MAX], input_count;    ///< of inputs,
    int outputs[IB_OUTPUTS_MAX], output_count; ///< of signals
} Bench;

// Derivatives of all rows (rates asked for, then outputs) along one state or input.
typedef struct Column {
    double slope[ROWS], error[ROWS];
    bool finite, kink;
} Column;

// ------------------------------------------------------------------------------------------- names

static const char *state_name(const ib_RobotModel *robot, int state)
{
    int signal = ib_robot_shown(&robot->ports, state);
    if (signal >= 0) return robot->ports.signals[signal].name;
    const char *other = robot->ports.states ? robot->ports.states[state].coordinate : NULL;
    return other ? other : "(a state without a signal)";
}

// The signal that stands for a state, where nothing shows it.
static int coordinate_of(const ib_RobotPorts *ports, int state)
{
    const ib_StateDef *def = &ports->states[state];
    for (int i = 0; !def->signal && def->coordinate && i < ports->signal_count; i++)
        if (strcmp(ports->signals[i].name, def->coordinate) == 0) return i;
    return -1;
}

// "states: the tank has no state 'velocity.foward', did you mean 'velocity.forward'? It has: …"
static ib_Status refuse_name(const ib_RobotModel *robot, const char *list, const char *what,
                             const char *name, const char **known, int count, ib_Error *error)
{
    char all[640] = "";
    size_t used = 0;
    known[count] = NULL;
    const char *near = ib_nearest_word(name, known);
    for (int i = 0; i < count && used + 1 < sizeof all; i++) {
        int length = snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", known[i]);
        used += length > 0 ? (size_t)length : 0;
    }
    return ib_error_set(error, IB_BAD_INPUT, "%s: %s is no %s of the %s%s%s; it has %.600s", list,
                        name, what, robot->kind->name, near ? ": did you mean " : "",
                        near ? near : "", all);
}

// Looks up each name; `known` are the names by index, NULL where none may be asked for.
static ib_Status find_names(const ib_RobotModel *robot, const char *list, const char *what,
                            const char *const *names, int count, const char **known, int all,
                            int *found, ib_Error *error)
{
    for (int i = 0; i < count; i++) {
        found[i] = -1;
        for (int k = 0; k < all && found[i] < 0; k++)
            if (known[k] && strcmp(known[k], names[i]) == 0) found[i] = k;
        if (found[i] < 0) {
            int filled = 0;
            for (int k = 0; k < all; k++)
                if (known[k]) known[filled++] = known[k];
            return refuse_name(robot, list, what, names[i], known, filled, error);
        }
        for (int k = 0; k < i; k++)
            if (found[k] == found[i])
                return ib_error_set(error, IB_BAD_INPUT, "%s: %s is there twice", list, names[i]);
    }
    return IB_OK;
}

static ib_Status find_states(Bench *b, const ib_LineariseQuery *query, ib_Error *error)
{
    const ib_RobotPorts *ports = &b->robot->ports;
    const char *known[NAMES + 1] = {NULL};
    int count = ports->state_count < NAMES ? ports->state_count : NAMES;
    for (int i = 0; ports->states && i < count; i++)
        known[i] = ports->states[i].signal ? ports->states[i].signal : ports->states[i].coordinate;
    b->state_count = query->state_count;
    ib_Status status = find_names(b->robot, "states", "state", query->states, query->state_count,
                                  known, count, b->states, error);
    b->plain = true;
    for (int i = 0; status == IB_OK && i < b->state_count; i++) {
        b->coordinate[i] = coordinate_of(ports, b->states[i]);
        b->plain &= b->coordinate[i] < 0;
    }
    return status;
}

static ib_Status find_inputs(Bench *b, const ib_LineariseQuery *query, ib_Error *error)
{
    const ib_RobotPorts *ports = &b->robot->ports;
    const char *known[NAMES + 1] = {NULL};
    int count = ports->input_count < NAMES ? ports->input_count : NAMES;
    for (int i = 0; i < count; i++)
        if (ports->inputs[i].role == IB_INPUT_COMMAND) known[i] = ports->inputs[i].name;
    b->input_count = query->input_count;
    return find_names(b->robot, "inputs", "command", query->inputs, query->input_count, known,
                      count, b->inputs, error);
}

static ib_Status find_outputs(Bench *b, const ib_LineariseQuery *query, ib_Error *error)
{
    const ib_RobotPorts *ports = &b->robot->ports;
    const char *known[NAMES + 1] = {NULL};
    int count = ports->signal_count < NAMES ? ports->signal_count : NAMES;
    for (int i = 0; i < count; i++) known[i] = ports->signals[i].name;
    bool own = query->outputs != NULL;
    b->output_count = own ? query->output_count : query->state_count;
    return find_names(b->robot, "outputs", "signal", own ? query->outputs : query->states,
                      b->output_count, known, count, b->outputs, error);
}

static ib_Status check_query(const ib_Model *model, const ib_LineariseQuery *query, ib_Error *error)
{
    IB_ASSERT(query->robot >= 0 && query->robot < model->robot_count);
    const struct {
        const char *list;
        int count, least, most;
    } sizes[] = {
        {"states", query->state_count, 1, IB_STATES_MAX},
        {"inputs", query->input_count, 1, IB_INPUTS_MAX},
        {"outputs", query->outputs ? query->output_count : query->state_count, 1, IB_OUTPUTS_MAX},
    };
    for (int i = 0; i < 3; i++)
        if (sizes[i].count < sizes[i].least || sizes[i].count > sizes[i].most)
            return ib_error_set(error, IB_BAD_INPUT, "%s: expected %d to %d names, got %d",
                                sizes[i].list, sizes[i].least, sizes[i].most, sizes[i].count);
    if (query->at < 0 || query->at > model->config->duration)
        return ib_error_set(error, IB_BAD_INPUT, "at: %g s is not within the run of %g s",
                            ib_time_to_seconds(query->at),
                            ib_time_to_seconds(model->config->duration));
    return IB_OK;
}

// --------------------------------------------------------------------------------------- the point

// Modes follow what was set: as at the start of a step.
static ib_Status settle(Bench *b, ib_Error *error)
{
    const ib_RobotModel *robot = b->robot;
    if (!robot->kind->settle) return IB_OK;
    for (int i = 0; i < SETTLINGS; i++)
        if (!robot->kind->settle(robot->model, b->input, b->state)) return IB_OK;
    return ib_error_set(error, IB_FAILED, "the modes of the %s do not settle at this point",
                        robot->kind->name);
}

static bool allocate(Bench *b, ib_Arena *arena)
{
    const ib_RobotPorts *ports = &b->robot->ports;
    b->state = ib_arena_array(arena, (size_t)ports->state_count, sizeof(double));
    b->rate = ib_arena_array(arena, (size_t)ports->state_count, sizeof(double));
    b->input = ib_arena_array(arena, (size_t)ports->input_count, sizeof(double));
    b->signals = ib_arena_array(arena, (size_t)ports->signal_count, sizeof(double));
    b->aside = ib_arena_array(arena, (size_t)ports->state_count, sizeof(double));
    return b->state && b->rate && b->input && b->signals && b->aside;
}

// ------------------------------------------------------------------------------------- derivatives

// z' of what stands for a state: g along the rates of all states that were asked for, by central
// differences over 1e-5 of the state that goes farthest. The signals of the point itself come last.
static void evaluate_coordinates(const Bench *b, double *rows)
{
    const ib_RobotModel *robot = b->robot;
    double fastest = 1e-5, *z = rows + b->state_count + b->output_count;
    memcpy(b->aside, b->state, (size_t)robot->ports.state_count * sizeof(double));
    for (int i = 0; i < b->state_count; i++)
        fastest = fmax(fastest, fabs(rows[i]) / fmax(1, fabs(b->state[b->states[i]])));
    double span = 1e-5 / fastest, rate[IB_STATES_MAX];
    memcpy(rate, rows, (size_t)b->state_count * sizeof *rate);
    for (int side = -1; side <= 1; side += 2) {
        for (int i = 0; i < b->state_count; i++)
            b->aside[b->states[i]] = b->state[b->states[i]] + side * span * rate[i];
        robot->kind->output(robot->model, b->aside, b->input, b->signals);
        for (int i = 0; i < b->state_count; i++) {
            if (b->coordinate[i] < 0) continue;
            double half = side * b->signals[b->coordinate[i]] / (2 * span);
            rows[i] = side < 0 ? half : rows[i] + half;
        }
    }
    robot->kind->output(robot->model, b->state, b->input, b->signals);
    for (int i = 0; i < b->state_count; i++)
        z[i] = b->coordinate[i] < 0 ? b->state[b->states[i]] : b->signals[b->coordinate[i]];
}

static int row_count(const Bench *b)
{
    return b->state_count + b->output_count + (b->plain ? 0 : b->state_count);
}

// All rows at the point as it stands now.
static void evaluate(const Bench *b, double *rows)
{
    const ib_RobotModel *robot = b->robot;
    robot->kind->rate(robot->model, b->state, b->input, b->rate);
    for (int i = 0; i < b->state_count; i++) rows[i] = b->rate[b->states[i]];
    if (b->plain)
        robot->kind->output(robot->model, b->state, b->input, b->signals);
    else
        evaluate_coordinates(b, rows);
    for (int i = 0; i < b->output_count; i++) rows[b->state_count + i] = b->signals[b->outputs[i]];
}

// Extrapolates differences D[k] with steps h/2^k to step 0,
// and keeps the best entry: [Ridders 1982]
//   T(k, 0) = D[k],   T(k, j) = (p^j T(k, j-1) - T(k-1, j-1)) / (p^j - 1)
//   error of T(k, j) = the larger distance to T(k, j-1) and T(k-1, j-1), and what rounding leaves
// of D[k], `noise` 2^k: else two entries of short steps that agree by chance would win.
// p = 4 where D has even powers of the step only, p = 2 where it has all: both are tried.
static void extrapolate(const double *D, double noise, double *best, double *least)
{
    *best = D[0];
    *least = INFINITY;
    for (int p = 2; p <= 4; p += 2) {
        double row[LEVELS], above[LEVELS] = {0};
        for (int k = 0; k < LEVELS; k++) {
            double power = 1;
            row[0] = D[k];
            for (int j = 1; j <= k; j++) {
                power *= p;
                row[j] = (power * row[j - 1] - above[j - 1]) / (power - 1);
                double error = fmax(fabs(row[j] - row[j - 1]), fabs(row[j] - above[j - 1]));
                error += noise * (1 << k);
                if (error < *least) {
                    *least = error;
                    *best = row[j];
                }
            }
            memcpy(above, row, sizeof row);
        }
    }
}

// Where the slopes to the two sides differ, bend(h) = (f(+h) - 2 f(0) + f(-h))/h stays as h falls;
// where a function is smooth it falls with h. `noise` is what rounding leaves of it.
static bool is_kink(double wide, double close, double slope, double noise)
{
    return fabs(close) > 0.25 * fabs(wide) && fabs(close) > 1e-6 * fabs(slope) &&
           fabs(close) > noise;
}

// Moves *at, which is a state or an input of the point, and puts it back; h is the longest step.
static Column differentiate_from(const Bench *b, double *at, double h)
{
    int rows = row_count(b);
    double D[ROWS][LEVELS], bend[ROWS][LEVELS], middle[ROWS], plus[ROWS], minus[ROWS];
    double here = *at, first = h, last = h;
    Column column = {.finite = true};
    evaluate(b, middle);
    for (int k = 0; k < LEVELS; k++, h *= 0.5) {
        // Divided by the step that was made, which is rounded.
        double above = here + h, below = here - h;
        *at = above;
        evaluate(b, plus);
        *at = below;
        evaluate(b, minus);
        for (int i = 0; i < rows; i++) {
            D[i][k] = (plus[i] - minus[i]) / (above - below);
            bend[i][k] = ((plus[i] - middle[i]) - (middle[i] - minus[i])) / h;
            column.finite &= isfinite(D[i][k]) != 0;
        }
        last = h;
    }
    *at = here;
    for (int i = 0; i < rows; i++) {
        double noise = 1e3 * DBL_EPSILON * fabs(middle[i]) / last;
        extrapolate(D[i], DBL_EPSILON * fabs(middle[i]) / first, &column.slope[i],
                    &column.error[i]);
        column.kink |= is_kink(bend[i][0], bend[i][LEVELS - 1], column.slope[i], noise);
    }
    return column;
}

// A row whose error is above a thousandth of its slope is tried with finer steps.
static Column differentiate(const Bench *b, double *at)
{
    double h = 0.02 * fmax(1, fabs(*at));
    Column column = differentiate_from(b, at, h);
    for (int k = 1; k < FINER && column.finite; k++) {
        Column finer = {0};
        bool tried = false, kink = false;
        h /= 1 << (LEVELS - 1);
        for (int i = 0; i < row_count(b); i++) {
            if (!(column.error[i] > 1e-3 * fabs(column.slope[i]))) continue;
            if (!tried) finer = differentiate_from(b, at, h);
            tried = true;
            kink |= finer.kink;
            if (!(finer.error[i] < 0.1 * column.error[i])) continue;
            column.slope[i] = finer.slope[i];
            column.error[i] = finer.error[i];
        }
        if (!tried) break;
        column.kink &= kink; // a bend that is none from near
    }
    return column;
}

// ------------------------------------------------------------------------------------- coordinates

// G = dz/dx of the states asked for, factored.
typedef struct Frame {
    double G[IB_STATES_MAX * IB_STATES_MAX];
    int pivot[IB_STATES_MAX];
} Frame;

static ib_Status make_frame(const Bench *b, Frame *frame, ib_Error *error)
{
    int n = b->state_count;
    for (int j = 0; j < n; j++) {
        Column column = differentiate(b, &b->state[b->states[j]]);
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

// How far the signals that stand for states are from these values, each as a part of its size.
static double distance(const Bench *b, const double *wanted, double *missing)
{
    double rows[ROWS], worst = 0;
    evaluate(b, rows);
    for (int i = 0; i < b->state_count; i++) {
        missing[i] = wanted[i] - rows[b->state_count + b->output_count + i];
        worst = fmax(worst, fabs(missing[i]) / fmax(1, fabs(wanted[i])));
    }
    return worst;
}

// To the states at which they have these values: Newton's method, its steps halved where they do
// not help.
static ib_Status go_to_coordinates(Bench *b, const double *wanted, ib_Error *error)
{
    int n = b->state_count;
    double step[IB_STATES_MAX], next[IB_STATES_MAX], from[IB_STATES_MAX];
    double worst = distance(b, wanted, step);
    for (int round = 0; round < ROUNDS && worst > 1e-15; round++) {
        Frame frame;
        ib_Status status = make_frame(b, &frame, error);
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

// What gives, as numbers of the point: states (of what stands for one: that one) and inputs.
typedef struct Givers {
    int count;
    double *at[IB_STATES_MAX + IB_INPUTS_MAX];
    bool moves[IB_STATES_MAX]; ///< rates that any of them moves: the others stay as they are
} Givers;

static ib_Status find_givers(Bench *b, const ib_LineariseQuery *query, Givers *givers,
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
        Column column = differentiate(b, at);
        for (int k = 0; k < b->state_count; k++) givers->moves[k] |= column.slope[k] != 0;
    }
    return IB_OK;
}

// How far from balance, each rate as a part of its state; rows of it, too.
static double imbalance(const Bench *b, const Givers *givers, double *rows)
{
    double sum = 0;
    evaluate(b, rows);
    for (int i = 0; i < b->state_count; i++) {
        double size =
            b->plain ? b->state[b->states[i]] : rows[b->state_count + b->output_count + i];
        rows[i] = givers->moves[i] ? rows[i] / fmax(1, fabs(size)) : 0;
        sum += rows[i] * rows[i];
    }
    return sqrt(sum);
}

// Slopes close by, of what gives counted in its own size: those of `differentiate` reach too far
// for a flow that goes like a root.
static void slopes_of(const Bench *b, const Givers *givers, int giver, double *slope)
{
    double *at = givers->at[giver], here = *at, size = fmax(1, fabs(here)), h = 1e-5 * size;
    double plus[ROWS], minus[ROWS];
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

static Normal make_normal(const Bench *b, const Givers *givers, const double *residual)
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
    for (int i = 0; i < m; i++) most = fmax(most, N[i * m + i]);
    for (int i = 0; i < m; i++) {
        N[i * m + i] += damping * (N[i * m + i] + 1e-12 * most);
        d[i] = -normal->g[i];
    }
    if (ib_matrix_factor(m, N, pivot) != 0) return false;
    ib_matrix_solve(m, N, pivot, d);
    return true;
}

// Tries shorter and shorter steps until one helps; the new imbalance, or the old one: none does.
static double improve(const Bench *b, const Givers *givers, double size, double *rows)
{
    double from[GIVERS], d[GIVERS], trial[ROWS], damping = 0;
    Normal normal = make_normal(b, givers, rows);
    for (int i = 0; i < givers->count; i++) from[i] = *givers->at[i];
    for (int k = 0; k<30; k++, damping = damping> 0 ? 4 * damping : 1e-6) {
        if (!damped_step(&normal, givers->count, damping, d)) continue;
        for (int i = 0; i < givers->count; i++)
            *givers->at[i] = from[i] + d[i] * fmax(1, fabs(from[i]));
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
static ib_Status find_balance(Bench *b, const ib_LineariseQuery *query, ib_Error *error)
{
    Givers givers;
    double rows[ROWS];
    ib_Status status = find_givers(b, query, &givers, error);
    if (status != IB_OK) return status;
    double size = imbalance(b, &givers, rows);
    for (int round = 0; round < ROUNDS && size > 1e-11; round++) {
        double next = improve(b, &givers, size, rows);
        status = settle(b, error);
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

// The same point with all states that a signal stands for, asked for or not. What was not asked for
// keeps its signal, not its state: air whose pressure is given keeps its temperature, not its mass.
static Bench widen(const Bench *b)
{
    Bench wide = *b;
    const ib_RobotPorts *ports = &b->robot->ports;
    wide.output_count = 0;
    for (int k = 0; ports->states && k < ports->state_count; k++) {
        int signal = coordinate_of(ports, k);
        bool asked = false;
        for (int i = 0; i < b->state_count; i++) asked |= b->states[i] == k;
        if (signal < 0 || asked || wide.state_count == IB_STATES_MAX) continue;
        wide.coordinate[wide.state_count] = signal;
        wide.states[wide.state_count++] = k;
        wide.plain = false;
    }
    return wide;
}

static void show_coordinates(const Bench *wide, double *z)
{
    double rows[ROWS];
    evaluate(wide, rows);
    memcpy(z, rows + wide->state_count, (size_t)wide->state_count * sizeof *z);
}

// Sets what the query gives, and finds its balance.
static ib_Status set_point(Bench *b, const ib_LineariseQuery *query, ib_Error *error)
{
    Bench wide = widen(b);
    double z[IB_STATES_MAX], now[IB_STATES_MAX];
    if (!wide.plain) show_coordinates(&wide, z);
    for (int i = 0; query->u0 && i < b->input_count; i++) b->input[b->inputs[i]] = query->u0[i];
    for (int i = 0; query->x0 && i < b->state_count; i++) {
        z[i] = query->x0[i];
        if (b->coordinate[i] < 0) b->state[b->states[i]] = query->x0[i];
    }
    ib_Status status = IB_OK;
    if (query->x0 && !wide.plain) status = go_to_coordinates(&wide, z, error);
    if (status == IB_OK) status = settle(b, error);
    // What was not asked for is put back after each search, until both agree.
    bool agree = !query->balance;
    for (int round = 0; round < ROUNDS && status == IB_OK && !agree; round++) {
        status = find_balance(b, query, error);
        agree = wide.plain;
        if (status != IB_OK || wide.plain) break;
        show_coordinates(&wide, now);
        memcpy(z, now, (size_t)b->state_count * sizeof *z);
        agree = distance(&wide, z, now) < 1e-12;
        if (!agree) status = go_to_coordinates(&wide, z, error);
    }
    return status;
}

// Runs to the instant asked for, takes over the robot's share of state and inputs there, and sets
// what the query gives.
static ib_Status go_to_point(Bench *b, ib_Sim *sim, const ib_LineariseQuery *query, ib_Error *error)
{
    const ib_RobotModel *robot = b->robot;
    ib_Status status = ib_sim_advance(sim, query->at, error);
    if (status != IB_OK) return status;
    ib__sim_read_inputs(sim);
    status = ib__sim_begin(sim, sim->state, error);
    if (status != IB_OK) return status;
    memcpy(b->state, sim->state + robot->state, (size_t)robot->ports.state_count * sizeof(double));
    const double *input = ib__sim_ruled(sim, sim->state, sim->input) + robot->input;
    memcpy(b->input, input, (size_t)robot->ports.input_count * sizeof(double));
    return set_point(b, query, error);
}

// ----------------------------------------------------------------------------------------- results

// Puts a column into [A; C] or [B; D] and its error estimates into the same place of `errors`.
static void place(const Bench *b, const Column *column, int j, int width, double *upper,
                  double *lower, double errors[ROWS])
{
    for (int i = 0; i < b->state_count; i++) upper[i * width + j] = column->slope[i];
    for (int i = 0; i < b->output_count; i++)
        lower[i * width + j] = column->slope[b->state_count + i];
    for (int i = 0; i < b->state_count + b->output_count; i++)
        errors[i] = fmax(errors[i], column->error[i]);
}

static ib_Status not_finite(const Bench *b, const char *name, ib_Error *error)
{
    return ib_error_set(error, IB_BAD_INPUT,
                        "the %s cannot be linearised here: around %s its rates are not finite",
                        b->robot->kind->name, name);
}

// From differences by states to differences by what stands for them: M <- M G^-1.
static void change_rows(const double *inverse, int n, int rows, double *M)
{
    double row[IB_STATES_MAX];
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < n; j++) {
            row[j] = 0;
            for (int k = 0; k < n; k++) row[j] += M[i * n + k] * inverse[k * n + j];
        }
        memcpy(M + i * n, row, (size_t)n * sizeof *row);
    }
}

static ib_Status change_frame(const Bench *b, ib_StateSpace *p, ib_Error *error)
{
    Frame frame;
    int n = p->states;
    double inverse[IB_STATES_MAX * IB_STATES_MAX] = {0};
    if (b->plain) return IB_OK;
    ib_Status status = make_frame(b, &frame, error);
    if (status != IB_OK) return status;
    for (int i = 0; i < n; i++) inverse[i * n + i] = 1;
    ib_matrix_solve_columns(n, n, frame.G, frame.pivot, inverse);
    change_rows(inverse, n, n, p->A);
    change_rows(inverse, n, p->outputs, p->C);
    return IB_OK;
}

static ib_Status fill_matrices(const Bench *b, ib_Linearisation *r, double errors[ROWS],
                               ib_Error *error)
{
    ib_StateSpace *p = &r->plant;
    for (int j = 0; j < b->state_count; j++) {
        Column column = differentiate(b, &b->state[b->states[j]]);
        const char *name = state_name(b->robot, b->states[j]);
        if (!column.finite) return not_finite(b, name, error);
        if (column.kink) r->kinks[r->kink_count++] = name;
        place(b, &column, j, p->states, p->A, p->C, errors);
    }
    for (int j = 0; j < b->input_count; j++) {
        Column column = differentiate(b, &b->input[b->inputs[j]]);
        const char *name = b->robot->ports.inputs[b->inputs[j]].name;
        if (!column.finite) return not_finite(b, name, error);
        if (column.kink) r->kinks[r->kink_count++] = name;
        place(b, &column, j, p->inputs, p->B, p->D, errors);
    }
    return IB_OK;
}

// The largest element of a row of [A B; C D].
static double row_size(const ib_StateSpace *p, int row)
{
    bool rate = row < p->states;
    const double *x = rate ? p->A + row * p->states : p->C + (row - p->states) * p->states;
    const double *u = rate ? p->B + row * p->inputs : p->D + (row - p->states) * p->inputs;
    double size = 0;
    for (int i = 0; i < p->states; i++) size = fmax(size, fabs(x[i]));
    for (int i = 0; i < p->inputs; i++) size = fmax(size, fabs(u[i]));
    return size;
}

// The other states that act on a row: more than their error estimate and than rounding.
static void find_held(const Bench *b, ib_Linearisation *r)
{
    const ib_RobotPorts *ports = &b->robot->ports;
    for (int k = 0; k < ports->state_count; k++) {
        bool asked = false, acts = false;
        for (int i = 0; i < b->state_count; i++) asked |= b->states[i] == k;
        if (asked) continue;
        Column column = differentiate(b, &b->state[k]);
        for (int i = 0; i < b->state_count + b->output_count; i++) {
            double noise = 10 * column.error[i] + 1e-12 * row_size(&r->plant, i);
            acts |= !(fabs(column.slope[i]) <= noise);
        }
        if (!acts) continue;
        if (r->held_count < IB_HELD_MAX) r->held[r->held_count] = state_name(b->robot, k);
        r->held_count++;
    }
}

static void fill_point(const Bench *b, ib_Linearisation *r)
{
    const ib_RobotPorts *ports = &b->robot->ports;
    ib_StateSpace *p = &r->plant;
    double rows[ROWS];
    evaluate(b, rows);
    for (int i = 0; i < b->state_count; i++) {
        r->x0[i] = b->plain ? b->state[b->states[i]] : rows[b->state_count + b->output_count + i];
        r->rate0[i] = rows[i];
        snprintf(p->state[i], sizeof p->state[i], "%s", state_name(b->robot, b->states[i]));
    }
    for (int i = 0; i < b->input_count; i++) {
        const ib_InputDef *input = &ports->inputs[b->inputs[i]];
        r->u0[i] = b->input[b->inputs[i]];
        r->low[i] = input->low;
        r->high[i] = input->high;
        snprintf(p->input[i], sizeof p->input[i], "%s", input->name);
    }
    for (int i = 0; i < b->output_count; i++) {
        r->y0[i] = rows[b->state_count + i];
        snprintf(p->output[i], sizeof p->output[i], "%s", ports->signals[b->outputs[i]].name);
    }
}

static ib_Status linearise(Bench *b, const ib_LineariseQuery *query, ib_Sim *sim,
                           ib_Linearisation *r, ib_Error *error)
{
    double errors[ROWS] = {0};
    ib_Status status = go_to_point(b, sim, query, error);
    if (status != IB_OK) return status;
    memset(r, 0, sizeof *r);
    r->plant = ib_state_space_default(b->state_count, b->input_count, b->output_count);
    fill_point(b, r);
    status = fill_matrices(b, r, errors, error);
    if (status != IB_OK) return status;
    for (int i = 0; i < b->state_count + b->output_count; i++) {
        double size = row_size(&r->plant, i);
        if (size > 0) r->error = fmax(r->error, errors[i] / size);
    }
    find_held(b, r);
    status = change_frame(b, &r->plant, error);
    return status == IB_OK ? ib_state_space_check(&r->plant, error) : status;
}

ib_Status ib_linearise(const ib_Model *model, const ib_LineariseQuery *query,
                       ib_Linearisation *result, ib_Error *error)
{
    ib_Status status = check_query(model, query, error);
    if (status != IB_OK) return status;
    Bench bench = {.robot = &model->robots[query->robot]};
    status = find_states(&bench, query, error);
    if (status == IB_OK) status = find_inputs(&bench, query, error);
    if (status == IB_OK) status = find_outputs(&bench, query, error);
    if (status != IB_OK) return status;

    ib_Sim *sim = NULL;
    ib_Arena arena = {0};
    status = allocate(&bench, &arena) ? ib_sim_create(model, &sim, error)
                                      : ib_error_set(error, IB_FAILED, "out of memory");
    if (status == IB_OK) status = linearise(&bench, query, sim, result, error);
    ib_sim_destroy(sim);
    ib_arena_reset(&arena);
    return status;
}

ib_Status ib_linearise_place(const ib_Model *model, const ib_LineariseQuery *query, double *state,
                             ib_Error *error)
{
    Bench bench = {.robot = &model->robots[query->robot]};
    const ib_RobotPorts *ports = &bench.robot->ports;
    ib_LineariseQuery wanted = {
        .states = query->states, .state_count = query->state_count, .x0 = query->x0};
    ib_Arena arena = {0};
    ib_Status status = find_states(&bench, &wanted, error);
    if (status == IB_OK && !allocate(&bench, &arena))
        status = ib_error_set(error, IB_FAILED, "out of memory");
    if (status == IB_OK) {
        double *own = state + bench.robot->state;
        memcpy(bench.state, own, (size_t)ports->state_count * sizeof *own);
        for (int i = 0; i < ports->input_count; i++) bench.input[i] = ports->inputs[i].neutral;
        status = set_point(&bench, &wanted, error);
        if (status == IB_OK) memcpy(own, bench.state, (size_t)ports->state_count * sizeof *own);
    }
    ib_arena_reset(&arena);
    return status;
}
