// claims/control/control_arm.c: the document's arm: its free swing with gravity as printed and as
// it must be, its motors, its rotors, and its passes along a path. docs/plant/two_link.md
#include "base/extreme.h"
#include "claims/claim_run.h"
#include "claims/control/control.h"

#include "base/maths.h"
#include "desk/plan/plan_file.h"

#include <math.h>

enum { STATES = 4, STEPS_A_SECOND = 5000 };

// An arm of data/arms.yaml, at the desk.
static ib_DesignFile *read_arm(const char *preset, ib_Error *error)
{
    static const char text[] = "plant: {kind: arm, preset: frc971-2018}\n"
                               "period: 5 ms\n"
                               "lqr: {tolerance: {theta1: 0.1 rad, omega1: 1 rad/s,\n"
                               "  theta2: 0.1 rad, omega2: 1 rad/s, volts1: 12 V, volts2: 12 V}}\n";
    return ib__control_design(text, &(ib_Override){"plant.preset", preset}, error);
}

// -------------------------------------------------------------------------------------- free swing

// Without motors; `printed`: gravity on the first link is S1 sin(th1 - th2) w1^2, as the text has
// it, in place of S1 g sin th1.
static void rate(const ib_Mechanism *m, bool printed, const double *x, double *dx)
{
    double torque[2] = {0, 0},
           weight = ib_mechanism_fact(m, "hold_voltage1") * ib_mechanism_fact(m, "push1"); // S1 g
    if (printed)
        torque[0] =
            weight / m->ports.gravity * ib_sin(x[0] - x[2]) * x[1] * x[1] - weight * ib_sin(x[0]);
    m->kind->rate(&m->model, x, torque, m->ports.gravity, dx);
}

static void step(const ib_Mechanism *m, bool printed, double h, double *x)
{
    static const double part[4] = {0, 0.5, 0.5, 1};
    double k[4][STATES], at[STATES];
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < STATES; i++) at[i] = x[i] + (s ? part[s] * h * k[s - 1][i] : 0);
        rate(m, printed, at, k[s]);
    }
    for (int i = 0; i < STATES; i++)
        x[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

static double energy(const ib_Mechanism *m, const double *x)
{
    ib_MechanismEnergy e;
    m->kind->energy(&m->model, x, m->ports.gravity, &e);
    return e.kinetic + e.potential;
}

// From rest at 0.5 and -0.8 rad: its energy after 1.5 s and 3 s, and the state's difference from
// the reference after 1 s.
static void swing(const ib_Mechanism *m, int form, ib_ClaimValue *found)
{
    static const double wanted[STATES] = {3.3749270044, 5.6051265967, -4.6292856402, -3.6575986304};
    double x[STATES] = {0.5, 0, -0.8, 0}, off = 0;
    for (int n = 1; n <= 3 * STEPS_A_SECOND; n++) {
        step(m, form == IB__LETTER, 1.0 / STEPS_A_SECOND, x);
        if (2 * n == 3 * STEPS_A_SECOND) found[IB__ARM_MIDST].form[form] = energy(m, x);
        for (int i = 0; n == STEPS_A_SECOND && i < STATES; i++)
            off = ib_max(off, fabs(x[i] - wanted[i]));
    }
    found[IB__ARM_LAST].form[form] = energy(m, x);
    found[IB__ARM_SWING].form[form] = off;
}

// ----------------------------------------------------------------------------------- accelerations

static double accelerations(const ib_Mechanism *m)
{
    static const struct {
        double x[STATES], u[2], a[2];
    } row[] = {
        {{0.5, 0, -0.8, 0}, {0, 0}, {5.3346690786, -9.1412549845}},
        {{0.5, 1, -0.8, -2}, {6, -4}, {10.2522360869, -12.8508281477}},
        {{1.2, -0.5, 0.3, 2}, {12, 12}, {19.6224505420, 47.5166681963}},
    };
    double off = 0, dx[STATES];
    for (int i = 0; i < 3; i++) {
        ib_mechanism_rate(m, row[i].x, row[i].u, dx);
        for (int j = 0; j < 2; j++) off = ib_max(off, fabs(dx[2 * j + 1] - row[i].a[j]));
    }
    return off;
}

// The text's  tau = G (V Kt/R - w G1 Kt/(Kv R))  with one motor, against K3 and K4 of the joint:
//   K4 = N G^2 Kt/(Kv R),   K3 = N G Kt/R
static void motors(const ib_Mechanism *m, ib_ClaimValue *found)
{
    const double G[2] = {140, 90};
    double per_volt = ib_mechanism_fact(m, "push1") / G[0],
           per_speed = ib_mechanism_fact(m, "drag1") / (G[0] * G[0]);
    found[IB__ARM_DRAG].form[IB__LETTER] = G[1] * G[0] * per_speed / (G[1] * G[1] * per_speed);
    found[IB__ARM_PUSH].form[IB__LETTER] = G[1] * per_volt / ib_mechanism_fact(m, "push2");
    found[IB__ARM_PUSH].form[IB__DESK] = ib_mechanism_fact(m, "push2") / 20.092500;
    found[IB__ARM_DRAG].form[IB__DESK] = ib_mechanism_fact(m, "drag2") / 35.4826679753;
}

// ------------------------------------------------------------------------------------ fastest path

// Path B of the reference, by both methods of the planner.
static ib_Status fastest(ib_ClaimValue *found, ib_Error *error)
{
    static const char text[] = "arm: {preset: frc971-2018}\n"
                               "limits: {voltage: 12 V}\n"
                               "path: {arc: {centre: [-1.2 rad, -1 rad], radius: 2 rad,\n"
                               "  from: 0.3 rad, to: 1.2 rad}}\n"
                               "points: 2001\n";
    ib_Arena arena = {0};
    ib_Diagnostics diagnostics = {.arena = &arena};
    ib_ScenarioOptions options = {0};
    ib_PlanFile *file =
        ib_plan_file_read_text("verify", text, sizeof text - 1, &options, &diagnostics);
    if (!file) ib__claim_mistake(&diagnostics, error);
    ib_arena_reset(&arena);
    if (!file) return IB_BAD_INPUT;
    const ib_PlanWay *way = &file->ways[0];
    int last = way->path.count - 1;
    double *time = found[IB__ARM_TIME].form;
    time[IB__DESK] = way->reach.given ? way->reach.timing.t[last] : NAN;
    time[IB__LETTER] = way->passes.given ? way->passes.timing.t[last] : NAN;
    found[IB__ARM_SLOWER].form[IB__LETTER] = time[IB__LETTER] / time[IB__DESK] - 1;
    ib_plan_file_destroy(file);
    return IB_OK;
}

ib_Status ib__control_claims_arm(ib_ClaimValue *found, ib_Error *error)
{
    ib_DesignFile *bare = read_arm("frc971-2018", error);
    if (!bare) return IB_BAD_INPUT;
    ib_DesignFile *whole = read_arm("frc971-2018-derived", error);
    if (whole) {
        const ib_Mechanism *m = &bare->gears[0].mechanism, *w = &whole->gears[0].mechanism;
        swing(m, IB__DESK, found);
        swing(m, IB__LETTER, found);
        found[IB__ARM_RATE].form[IB__DESK] = accelerations(m);
        motors(m, found);
        found[IB__ARM_ROTOR1].form[IB__LETTER] =
            ib_mechanism_fact(w, "rotors1") / ib_mechanism_fact(m, "alpha");
        found[IB__ARM_ROTOR2].form[IB__LETTER] =
            ib_mechanism_fact(w, "rotors2") / ib_mechanism_fact(m, "gamma");
        ib_design_file_destroy(whole);
    }
    ib_design_file_destroy(bare);
    return whole ? fastest(found, error) : IB_BAD_INPUT;
}
