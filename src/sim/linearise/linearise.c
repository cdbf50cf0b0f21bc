#include "base/extreme.h"
#include "base/matrix.h"
#include "base/word.h"
#include "sim/linearise/linearise_inside.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAMES = 2048 }; ///< of a robot's states or inputs, in a message

// ------------------------------------------------------------------------------------------- names

static const char *state_name(const ib_RobotModel *robot, int state)
{
    int signal = ib_robot_shown(&robot->ports, state);
    if (signal >= 0) return robot->ports.signals[signal].name;
    const char *other = robot->ports.states ? robot->ports.states[state].coordinate : NULL;
    return other ? other : "(a state without a signal)";
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

static ib_Status find_states(ib__Bench *b, const ib_LineariseQuery *query, ib_Error *error)
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
        b->coordinate[i] = ib__bench_coordinate(ports, b->states[i]);
        b->plain &= b->coordinate[i] < 0;
    }
    return status;
}

static ib_Status find_inputs(ib__Bench *b, const ib_LineariseQuery *query, ib_Error *error)
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

static ib_Status find_outputs(ib__Bench *b, const ib_LineariseQuery *query, ib_Error *error)
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
    const ib_RobotKind *kind = model->robots[query->robot].kind;
    if (kind->integrator)
        return ib_error_set(error, IB_BAD_INPUT,
                            "a %s moves by steps of its own and has no rates to linearise",
                            kind->name);
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

static bool allocate(ib__Bench *b, ib_Arena *arena)
{
    const ib_RobotPorts *ports = &b->robot->ports;
    b->state = ib_arena_array(arena, (size_t)ports->state_count, sizeof(double));
    b->rate = ib_arena_array(arena, (size_t)ports->state_count, sizeof(double));
    b->input = ib_arena_array(arena, (size_t)ports->input_count, sizeof(double));
    b->signals = ib_arena_array(arena, (size_t)ports->signal_count, sizeof(double));
    b->aside = ib_arena_array(arena, (size_t)ports->state_count, sizeof(double));
    return b->state && b->rate && b->input && b->signals && b->aside;
}

// Runs to the requested instant, takes over the robot's share of state and inputs there, and sets
// the query's values.
static ib_Status go_to_point(ib__Bench *b, ib_Sim *sim, const ib_LineariseQuery *query,
                             ib_Error *error)
{
    const ib_RobotModel *robot = b->robot;
    ib_Status status = ib_sim_advance(sim, query->at, error);
    if (status != IB_OK) return status;
    ib__sim_read_inputs(sim);
    status = ib__sim_begin(sim, sim->state, error);
    if (status != IB_OK) return status;
    memcpy(b->state, sim->state + robot->state, (size_t)robot->ports.state_count * sizeof(double));
    const double *input = ib__sim_continuous_input(sim, sim->state, sim->input) + robot->input;
    memcpy(b->input, input, (size_t)robot->ports.input_count * sizeof(double));
    return ib__bench_set(b, query, error);
}

// ----------------------------------------------------------------------------------------- results

// Puts a column into [A; C] or [B; D] and its error estimates into the same place of `errors`.
static void place(const ib__Bench *b, const ib__Column *column, int j, int width, double *upper,
                  double *lower, double errors[IB__BENCH_ROWS])
{
    for (int i = 0; i < b->state_count; i++) upper[i * width + j] = column->slope[i];
    for (int i = 0; i < b->output_count; i++)
        lower[i * width + j] = column->slope[b->state_count + i];
    for (int i = 0; i < b->state_count + b->output_count; i++)
        errors[i] = ib_max(errors[i], column->error[i]);
}

static ib_Status not_finite(const ib__Bench *b, const char *name, ib_Error *error)
{
    return ib_error_set(error, IB_BAD_INPUT,
                        "the %s cannot be linearised here: around %s its rates are not finite",
                        b->robot->kind->name, name);
}

// Converts differences by states to differences by their coordinates: M <- M G^-1.
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

static ib_Status change_frame(const ib__Bench *b, ib_StateSpace *p, ib_Error *error)
{
    ib__Frame frame;
    int n = p->states;
    double inverse[IB_STATES_MAX * IB_STATES_MAX] = {0};
    if (b->plain) return IB_OK;
    ib_Status status = ib__bench_frame(b, &frame, error);
    if (status != IB_OK) return status;
    for (int i = 0; i < n; i++) inverse[i * n + i] = 1;
    ib_matrix_solve_columns(n, n, frame.G, frame.pivot, inverse);
    change_rows(inverse, n, n, p->A);
    change_rows(inverse, n, p->outputs, p->C);
    return IB_OK;
}

static ib_Status fill_matrices(const ib__Bench *b, ib_Linearisation *r,
                               double errors[IB__BENCH_ROWS], ib_Error *error)
{
    ib_StateSpace *p = &r->plant;
    for (int j = 0; j < b->state_count; j++) {
        ib__Column column = ib__bench_differentiate(b, &b->state[b->states[j]]);
        const char *name = state_name(b->robot, b->states[j]);
        if (!column.finite) return not_finite(b, name, error);
        if (column.kink) r->kinks[r->kink_count++] = name;
        place(b, &column, j, p->states, p->A, p->C, errors);
    }
    for (int j = 0; j < b->input_count; j++) {
        ib__Column column = ib__bench_differentiate(b, &b->input[b->inputs[j]]);
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
    for (int i = 0; i < p->states; i++) size = ib_max(size, fabs(x[i]));
    for (int i = 0; i < p->inputs; i++) size = ib_max(size, fabs(u[i]));
    return size;
}

// Finds the other states that act on a row: by more than their error estimate, and than the row's
// residual at a balance, which is found to a relative 1e-11: a flow of that size has a temperature.
static void find_held(const ib__Bench *b, ib_Linearisation *r)
{
    const ib_RobotPorts *ports = &b->robot->ports;
    for (int k = 0; k < ports->state_count; k++) {
        bool asked = false, acts = false;
        for (int i = 0; i < b->state_count; i++) asked |= b->states[i] == k;
        if (asked) continue;
        ib__Column column = ib__bench_differentiate(b, &b->state[k]);
        for (int i = 0; i < b->state_count + b->output_count; i++) {
            double noise = 10 * column.error[i] + 1e-9 * row_size(&r->plant, i);
            acts |= !(fabs(column.slope[i]) <= noise);
        }
        if (!acts) continue;
        if (r->held_count < IB_HELD_MAX) r->held[r->held_count] = state_name(b->robot, k);
        r->held_count++;
    }
}

// The leading block of a larger matrix.
static void copy_block(const double *from, int from_width, double *to, int rows, int width)
{
    for (int i = 0; i < rows; i++)
        memcpy(to + i * width, from + i * from_width, (size_t)width * sizeof *to);
}

// Holds coordinates that were not requested, in the place of their states: the linear plant of all
// coordinates, of which rows and columns of the requested ones are taken.
static ib_Status hold_coordinates(const ib__Bench *b, ib_StateSpace *p, ib_Error *error)
{
    ib__Bench wide = ib__bench_widen(b);
    double errors[IB__BENCH_ROWS] = {0};
    int n = wide.state_count;
    ib_Linearisation all = {.plant = ib_state_space_default(n, p->inputs, p->outputs)};
    ib_Status status = fill_matrices(&wide, &all, errors, error);
    if (status == IB_OK) status = change_frame(&wide, &all.plant, error);
    copy_block(all.plant.A, n, p->A, p->states, p->states);
    copy_block(all.plant.B, p->inputs, p->B, p->states, p->inputs);
    copy_block(all.plant.C, n, p->C, p->outputs, p->states);
    return status;
}

static void fill_point(const ib__Bench *b, ib_Linearisation *r)
{
    const ib_RobotPorts *ports = &b->robot->ports;
    ib_StateSpace *p = &r->plant;
    double rows[IB__BENCH_ROWS];
    ib__bench_evaluate(b, rows);
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

static ib_Status linearise(ib__Bench *b, const ib_LineariseQuery *query, ib_Sim *sim,
                           ib_Linearisation *r, ib_Error *error)
{
    double errors[IB__BENCH_ROWS] = {0};
    ib_Status status = go_to_point(b, sim, query, error);
    if (status != IB_OK) return status;
    memset(r, 0, sizeof *r);
    r->plant = ib_state_space_default(b->state_count, b->input_count, b->output_count);
    fill_point(b, r);
    if (query->point_alone) return IB_OK;
    status = fill_matrices(b, r, errors, error);
    if (status != IB_OK) return status;
    for (int i = 0; i < b->state_count + b->output_count; i++) {
        double size = row_size(&r->plant, i);
        if (size > 0) r->error = ib_max(r->error, errors[i] / size);
    }
    find_held(b, r);
    status = r->held_count > 0 ? hold_coordinates(b, &r->plant, error)
                               : change_frame(b, &r->plant, error);
    return status == IB_OK ? ib_state_space_check(&r->plant, error) : status;
}

ib_Status ib_linearise(const ib_Model *model, const ib_LineariseQuery *query,
                       ib_Linearisation *result, ib_Error *error)
{
    ib_Status status = check_query(model, query, error);
    if (status != IB_OK) return status;
    ib__Bench bench = {.robot = &model->robots[query->robot]};
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
    ib__Bench bench = {.robot = &model->robots[query->robot]};
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
        status = ib__bench_set(&bench, &wanted, error);
        if (status == IB_OK) memcpy(own, bench.state, (size_t)ports->state_count * sizeof *own);
    }
    ib_arena_reset(&arena);
    return status;
}
