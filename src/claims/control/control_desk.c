// claims/control/control_desk.c: values for the claims about the state-space model of
// the drivetrain.
#include "base/extreme.h"
#include "claims/claim_run.h"
#include "claims/control/control.h"

#include "base/matrix.h"
#include "linear/complex.h"
#include "solver/solver.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Weights as in the document's code: q_pos 0.14, q_vel 0.95, 12 V.
static const char text[] =
    "plant: {kind: drivetrain, motors_per_side: 2, reduction: 7.542857004930616,\n" // 1/0.13257576
    "  motor: {stall_torque: 2.42 N*m, stall_current: 133 A, free_speed: 5500 rpm,\n"
    "    free_current: 4.7 A},\n"
    "  wheel_radius: 6.457627 cm, mass: 68 kg, inertia: 6 kg*m^2, half_track: 30.8 cm,\n"
    "  efficiency: 70 %}\n"
    "period: 5 ms\n"
    "lqr: {tolerance: {x_left: 14 cm, v_left: 0.95 m/s, x_right: 14 cm, v_right: 0.95 m/s,\n"
    "  left: 12 V, right: 12 V}}\n"
    "kalman: {process: [0.0025, 1, 0.0025, 1], measurement: [5e-11, 5e-11]}\n"
    "limits: {left: [-12 V, 12 V], right: [-12 V, 12 V]}\n"
    "export: {name: drivetrain}\n";

ib_DesignFile *ib__control_design(const char *design, const ib_Override *override, ib_Error *error)
{
    ib_Arena arena = {0};
    ib_Diagnostics diagnostics = {.arena = &arena};
    ib_ScenarioOptions options = {.overrides = override, .override_count = 1};
    ib_DesignFile *file =
        ib_design_file_read_text("verify", design, strlen(design), &options, &diagnostics);
    if (!file) ib__claim_mistake(&diagnostics, error);
    ib_arena_reset(&arena);
    return file;
}

ib_DesignFile *ib__control_drivetrain(const char *period, ib_Error *error)
{
    return ib__control_design(text, &(ib_Override){"period", period}, error);
}

void ib__control_advance(int states, int inputs, const double *A, const double *B, const double *u,
                         double *x)
{
    double Ax[IB_STATES_MAX], Bu[IB_STATES_MAX];
    ib_matrix_multiply(states, states, 1, A, x, Ax);
    ib_matrix_multiply(states, inputs, 1, B, u, Bu);
    ib_matrix_add(states, 1, Ax, 1, Bu, x);
}

void ib__control_towards(const ib_StateSpace *plant, const double *K, double *x)
{
    double off[IB__DRIVE_STATES] = {1 - x[0], -x[1], 1 - x[2], -x[3]}, u[2];
    ib_matrix_multiply(2, IB__DRIVE_STATES, 1, K, off, u);
    for (int i = 0; i < 2; i++) u[i] = ib_min(ib_max(u[i], -12), 12);
    ib__control_advance(IB__DRIVE_STATES, 2, plant->A, plant->B, u, x);
}

// --------------------------------------------------------------------------------------- the model

// The constants from a motor's data sheet, and the free speed of its model.
static void motor(ib_ClaimValue *found, const ib_Mechanism *mechanism)
{
    double top = ib_mechanism_fact(mechanism, "top_speed"), rpm = 9.549296585513721;
    found[IB__DESK_KV].form[IB__DESK] = ib_mechanism_fact(mechanism, "Kv");
    found[IB__DESK_KT].form[IB__DESK] = ib_mechanism_fact(mechanism, "Kt");
    found[IB__DESK_R].form[IB__DESK] = ib_mechanism_fact(mechanism, "R");
    found[IB__DESK_TOP].form[IB__DESK] = top;
    found[IB__DESK_FREE].form[IB__DESK] = top / 0.06457627 / 0.13257576 * rpm;
}

// The plant before and after sampling, beside the reference.
static void matrices(ib_ClaimValue *found, const ib_StateSpace *slow, const ib_StateSpace *plant)
{
    double rates = ib__control_gap(4, slow->A + 4, ib__drive_Ac);
    rates = ib_max(rates, ib__control_gap(2, slow->B + 2, ib__drive_Bc));
    double sampled = ib__control_gap(16, plant->A, ib__drive_A);
    found[IB__DESK_SLOPES].form[IB__DESK] = rates;
    found[IB__DESK_SAMPLED].form[IB__DESK] =
        ib_max(sampled, ib__control_gap(8, plant->B, ib__drive_B));
    // The right side moves, too, when the left one gets a voltage.
    found[IB__DESK_OTHER].form[IB__DESK] = plant->B[3 * 2] / plant->B[1 * 2];
}

static const double volts[2] = {12, -4};

static void physics(const void *context, double t, const double *x, double *rate)
{
    (void)t;
    ib_mechanism_rate(context, x, volts, rate);
}

// 200 periods of the sampled plant against RK4 on the mechanism's own rates, 0.5 ms a step.
static ib_Status sampled_is_exact(ib_ClaimValue *found, const ib_Mechanism *mechanism,
                                  const ib_StateSpace *plant, ib_Error *error)
{
    const ib_SolverConfig config = {IB_RK4, 1e-9, 1e-9};
    const ib_System system = {IB__DRIVE_STATES, physics, NULL, mechanism};
    double x[4] = {0}, next[4], z[4] = {0};
    ib_Arena arena = {0};
    ib_Solver *solver = ib_solver_create(&config, IB__DRIVE_STATES, &arena);
    if (!solver) return ib_error_set(error, IB_FAILED, "out of memory");
    for (int i = 0; i < 2000; i++) {
        ib_solver_step(solver, &system, 5e-4, x, next);
        memcpy(x, next, sizeof x);
    }
    ib_arena_reset(&arena);
    for (int i = 0; i < 200; i++) ib__control_advance(4, 2, plant->A, plant->B, volts, z);
    found[IB__DESK_EXACT].form[IB__DESK] = ib__control_gap(4, z, x);
    return IB_OK;
}

ib_Status ib__control_claims_desk(ib_ClaimValue *found, ib_Error *error)
{
    ib_DesignFile *file = ib__control_drivetrain("5 ms", error);
    if (!file) return IB_FAILED;
    const ib_DesignGear *gear = &file->gears[0];
    const ib_Design *design = &gear->design;
    motor(found, &gear->mechanism);
    matrices(found, &gear->config.plant, &design->plant);
    found[IB__DESK_UNMOVED].form[IB__DESK] = design->controllability.input.missing;
    found[IB__DESK_UNSEEN].form[IB__DESK] = design->controllability.output.missing;
    found[IB__DESK_LOOP].form[IB__DESK] = ib_complex_size(design->poles[0]);
    ib_Status status = sampled_is_exact(found, &gear->mechanism, &design->plant, error);
    ib_design_file_destroy(file);
    return status;
}
