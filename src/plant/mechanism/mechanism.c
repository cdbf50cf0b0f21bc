#include "plant/mechanism/mechanism.h"

#include "base/extreme.h"
#include "base/matrix.h"
#include "plant/electric/gearmotor.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BALANCE_ROUNDS = 20 }; ///< of Newton; kinds are linear in u and need one and a check

ib_Schema ib_mechanism_desk_schema(const ib_MechanismKind *kind)
{
    ib_Schema schema = kind->params;
    if (kind->desk_params > 0) schema.count = kind->desk_params;
    return schema;
}

// A table that somebody adds may lack something that nothing can stand in for.
static void check_kind(const ib_MechanismKind *kind)
{
    const struct {
        const char *name;
        bool given;
    } entries[] = {{"init", kind->init},
                   {"rate", kind->rate},
                   {"energy", kind->energy || !kind->start.count},
                   {"mobility", kind->mobility || !kind->start.count}};
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++)
        IB_ASSERT_SAY(entries[i].given, "the table of the mechanism '%s' has no .%s", kind->name,
                      entries[i].name);
    IB_ASSERT_SAY(kind->config_size > 0 && kind->config_size <= sizeof(ib_MechanismMemory),
                  "the table of the mechanism '%s': .config_size is %zu, expected 1 to %zu",
                  kind->name, kind->config_size, sizeof(ib_MechanismMemory));
    IB_ASSERT_SAY(kind->model_size > 0 && kind->model_size <= sizeof(ib_MechanismMemory),
                  "the table of the mechanism '%s': .model_size is %zu, expected 1 to %zu",
                  kind->name, kind->model_size, sizeof(ib_MechanismMemory));
}

ib_Status ib_mechanism_init(const ib_MechanismKind *kind, const void *config,
                            ib_Mechanism *mechanism, ib_Error *error)
{
    const ib_GearmotorConfig *gear = config; // every config begins with one
    check_kind(kind);
    ib_Status status = kind->check ? kind->check(config, error) : IB_OK;
    if (status == IB_OK)
        status = ib_error_under("motor.", ib_motor_check(&gear->motor, error), error);
    if (status != IB_OK) return status;
    memset(mechanism, 0, sizeof *mechanism);
    mechanism->kind = kind;
    kind->init(config, &mechanism->model, &mechanism->ports);
    return ib_mechanism_balance(mechanism, &mechanism->ports.rest, error);
}

void ib_mechanism_rate(const ib_Mechanism *mechanism, const double *x, const double *u,
                       double *xdot)
{
    const ib_MechanismPorts *ports = &mechanism->ports;
    const void *model = &mechanism->model;
    double w[IB_MECHANISM_DRIVES], torque[IB_MECHANISM_DRIVES];
    ib_mechanism_shafts(mechanism, x, w);
    for (int i = 0; i < ports->inputs; i++)
        torque[i] = ports->gear[i].push * u[i] - ports->gear[i].drag * w[i];
    mechanism->kind->rate(model, x, torque, ports->gravity, xdot);
}

void ib_mechanism_force(const ib_Mechanism *mechanism, const double *x, const double *u,
                        double force[IB_MECHANISM_JOINTS])
{
    static const double none[IB_INPUTS_MAX] = {0};
    const ib_MechanismPorts *ports = &mechanism->ports;
    double with[IB_STATES_MAX], without[IB_STATES_MAX], a[IB_MECHANISM_JOINTS] = {0};
    double M[IB_MECHANISM_JOINTS][IB_MECHANISM_JOINTS] = {{0}};
    ib_mechanism_rate(mechanism, x, u, with);
    ib_mechanism_rate(mechanism, x, none, without);
    mechanism->kind->mobility(&mechanism->model, x, M);
    for (int j = 0; j < ports->joints; j++) {
        int speed = ports->joint[j].speed;
        a[j] = with[speed] - without[speed];
    }
    double det = ports->joints > 1 ? M[0][0] * M[1][1] - M[0][1] * M[1][0] : M[0][0];
    force[0] = (ports->joints > 1 ? M[1][1] * a[0] - M[0][1] * a[1] : a[0]) / det;
    force[1] = ports->joints > 1 ? (M[0][0] * a[1] - M[1][0] * a[0]) / det : 0;
}

void ib_mechanism_output(const ib_Mechanism *mechanism, const double *x, double *y)
{
    const ib_MechanismPorts *ports = &mechanism->ports;
    for (int i = 0; i < ports->outputs; i++) y[i] = x[ports->measured[i]];
    if (mechanism->kind->output) mechanism->kind->output(&mechanism->model, x, y);
}

void ib_mechanism_facts(const ib_Mechanism *mechanism, ib_MechanismFacts *facts)
{
    facts->count = 0;
    if (mechanism->kind->facts) mechanism->kind->facts(&mechanism->model, facts);
}

double ib_mechanism_fact(const ib_Mechanism *mechanism, const char *name)
{
    ib_MechanismFacts facts;
    ib_mechanism_facts(mechanism, &facts);
    for (int i = 0; i < facts.count; i++)
        if (strcmp(facts.items[i].name, name) == 0) return facts.items[i].value;
    return NAN;
}

// --------------------------------------------------------------------------------- ports and facts

void ib_mechanism_add_joint(ib_MechanismPorts *ports, ib_Joint joint,
                            const ib_MechanismPort *states)
{
    int count = joint.unplaced ? 1 : 2;
    joint.position = ports->states;
    joint.speed = ports->states + count - 1;
    ports->joint[ports->joints++] = joint;
    for (int i = 0; i < count; i++) ports->state[ports->states++] = states[i];
}

void ib_mechanism_measure(ib_MechanismPorts *ports, int state)
{
    ports->measured[ports->outputs] = state;
    ports->output[ports->outputs++] = ports->state[state];
}

void ib_fact_add(ib_MechanismFacts *facts, const char *name, const char *unit, const char *sentence,
                 double value)
{
    IB_ASSERT(facts->count < IB_MECHANISM_FACTS);
    facts->items[facts->count++] = (ib_MechanismFact){name, unit, sentence, value};
}

// ------------------------------------------------------------------------------------------ slopes

enum { ROWS = IB_STATES_MAX + IB_OUTPUTS_MAX, LEVELS = 4 };

// Rates, then outputs.
static void respond(const ib_Mechanism *m, const ib_MechanismPoint *at, double *f)
{
    ib_mechanism_rate(m, at->x, at->u, f);
    ib_mechanism_output(m, at->x, f + m->ports.states);
}

// Derivatives of all of these by one number of the point: central differences over a step, a half,
// a quarter and an eighth, extrapolated to none:
//   D_k' = D_k + (D_k - D_{k-1})/(4^n - 1),   n = 1 .. 3
// The error is of the order step^8, and rounding over the shortest step. The derivative of an
// independent value is 0 to the bit, of an equal one 1.
static void differ(const ib_Mechanism *m, ib_MechanismPoint *at, double *number, double step,
                   double *slope)
{
    double D[LEVELS][ROWS], up[ROWS], down[ROWS], here = *number;
    int rows = m->ports.states + m->ports.outputs;
    for (int k = 0; k < LEVELS; k++, step *= 0.5) {
        double high = here + step, low = here - step;
        *number = high;
        respond(m, at, up);
        *number = low;
        respond(m, at, down);
        for (int i = 0; i < rows; i++) D[k][i] = (up[i] - down[i]) / (high - low);
    }
    *number = here;
    for (int n = 1, power = 4; n < LEVELS; n++, power *= 4)
        for (int k = LEVELS - 1; k >= n; k--)
            for (int i = 0; i < rows; i++) D[k][i] += (D[k][i] - D[k - 1][i]) / (power - 1);
    for (int i = 0; i < rows; i++) slope[i] = D[LEVELS - 1][i];
}

// Ways and angles change by an eighth, so that a sine's series has converged; all others by an
// eighth of their value, if that is more.
void ib_mechanism_slopes(const ib_Mechanism *m, const ib_MechanismPoint *point,
                         ib_StateSpace *plant)
{
    int n = m->ports.states, all = n + m->ports.inputs;
    ib_MechanismPoint at = *point;
    for (int j = 0; j < all; j++) {
        bool input = j >= n;
        int column = input ? j - n : j, width = input ? m->ports.inputs : n;
        double *number = input ? &at.u[column] : &at.x[column], slope[ROWS];
        double *rates = input ? plant->B : plant->A, *outputs = input ? plant->D : plant->C;
        bool way = !input && m->ports.state[column].kinematic;
        differ(m, &at, number, 0.125 * (way ? 1 : ib_max(1, fabs(*number))), slope);
        for (int i = 0; i < n; i++) rates[i * width + column] = slope[i];
        for (int i = 0; i < m->ports.outputs; i++) outputs[i * width + column] = slope[n + i];
    }
}

// ----------------------------------------------------------------------------------------- balance

static ib_Status check_point(const ib_MechanismPorts *ports, const ib_MechanismPoint *point,
                             ib_Error *error)
{
    for (int i = 0; i < ports->states; i++)
        if (!isfinite(point->x[i]))
            return ib_error_set(error, IB_BAD_INPUT, "%s: the point must be finite, got %g",
                                ports->state[i].name, point->x[i]);
    for (int i = 0; i < ports->inputs; i++)
        if (!isfinite(point->u[i]))
            return ib_error_set(error, IB_BAD_INPUT, "%s: the point must be finite, got %g",
                                ports->input[i].name, point->u[i]);
    return IB_OK;
}

// The rates that a balance asks to be zero; those of positions do not count.
static void unwanted_rates(const ib_Mechanism *m, const ib_MechanismPoint *point, double *f)
{
    ib_mechanism_rate(m, point->x, point->u, f);
    for (int i = 0; i < m->ports.states; i++)
        if (m->ports.state[i].kinematic) f[i] = 0;
}

// One round of Newton in the least squares' sense:  (B' B) du = -B' f
// Returns 0, or 1 where an input moves nothing.
static int correct_inputs(const ib_Mechanism *m, ib_MechanismPoint *point)
{
    int n = m->ports.states, k = m->ports.inputs, pivot[IB_INPUTS_MAX];
    double f[IB_STATES_MAX], normal[IB_INPUTS_MAX * IB_INPUTS_MAX], du[IB_INPUTS_MAX];
    ib_StateSpace plant = ib_state_space_default(n, k, m->ports.outputs);
    ib_mechanism_slopes(m, point, &plant);
    unwanted_rates(m, point, f);
    for (int i = 0; i < k; i++) {
        du[i] = 0;
        for (int row = 0; row < n; row++) du[i] -= plant.B[row * k + i] * f[row];
        for (int j = 0; j < k; j++) {
            double sum = 0;
            for (int row = 0; row < n; row++) sum += plant.B[row * k + i] * plant.B[row * k + j];
            normal[i * k + j] = sum;
        }
    }
    if (ib_matrix_factor(k, normal, pivot)) return 1;
    ib_matrix_solve(k, normal, pivot, du);
    for (int i = 0; i < k; i++) point->u[i] += du[i];
    return 0;
}

ib_Status ib_mechanism_balance(const ib_Mechanism *m, ib_MechanismPoint *point, ib_Error *error)
{
    double before[IB_STATES_MAX], after[IB_STATES_MAX];
    for (int i = 0; i < m->ports.inputs; i++) point->u[i] = 0;
    ib_Status status = check_point(&m->ports, point, error);
    if (status != IB_OK) return status;
    unwanted_rates(m, point, before);
    for (int round = 0; round < BALANCE_ROUNDS; round++) {
        bool still = true;
        unwanted_rates(m, point, after);
        // The rest after subtraction of the inputs' share is rounding, or cannot be held.
        for (int i = 0; i < m->ports.states; i++)
            still &= fabs(after[i]) <= 1e-12 * fabs(before[i]);
        if (still || correct_inputs(m, point)) break;
    }
    unwanted_rates(m, point, after);
    double most = ib_matrix_norm(m->ports.states, 1, before);
    for (int i = 0; i < m->ports.states; i++)
        if (!(fabs(after[i]) <= 1e-9 * most))
            return ib_error_set(error, IB_BAD_INPUT,
                                "no input holds this point: %s goes on changing by %g %s a second",
                                m->ports.state[i].name, after[i], m->ports.state[i].unit);
    return check_point(&m->ports, point, error);
}

// --------------------------------------------------------------------------------------- linearise

ib_Status ib_mechanism_linearise(const ib_Mechanism *m, const ib_MechanismPoint *point,
                                 ib_StateSpace *plant, ib_Error *error)
{
    const ib_MechanismPorts *ports = &m->ports;
    ib_Status status = check_point(ports, point, error);
    if (status != IB_OK) return status;
    *plant = ib_state_space_default(ports->states, ports->inputs, ports->outputs);
    for (int i = 0; i < ports->states; i++)
        snprintf(plant->state[i], sizeof plant->state[i], "%s", ports->state[i].name);
    for (int i = 0; i < ports->inputs; i++)
        snprintf(plant->input[i], sizeof plant->input[i], "%s", ports->input[i].name);
    for (int i = 0; i < ports->outputs; i++)
        snprintf(plant->output[i], sizeof plant->output[i], "%s", ports->output[i].name);
    ib_mechanism_slopes(m, point, plant);
    return ib_state_space_check(plant, error);
}
