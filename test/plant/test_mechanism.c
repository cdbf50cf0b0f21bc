// Tests of the desk's mechanisms: the reference's drivetrain, closed forms, energy books, exact
// slopes, responses by scipy, refusals.
#include "cmocka_all.h"
#include "linear/drivetrain_rig.h"
#include "linear/eigen.h"
#include "plant/mechanism_cases.h"
#include "plant/mechanism_rig.h"
#include "refusal.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static ib_Error error;

// -------------------------------------------------------------------------------------- the plants

// The CIM of data/motors.yaml, by hand.
static const double Vn = 12, Ts = 2.42, Is = 133, If = 2.7, Jr = 7.75e-5, g0 = 9.80665;
#define WF (5310 * 2 * 3.14159265358979323846 / 60)

// -------------------------------------------------------------------------------------- references

// Goal: the drivetrain is FRC 971's. Method: reference D2's numbers, printed with 12 digits: 1e-9
// is what the reference asks for.
static void drivetrain_has_the_matrices_of_the_reference(void **state)
{
    (void)state;
    const Setting settings[] = {
        {"motor.free_speed", "5500 rpm"},
        {"motor.free_current", "4.7 A"},
        {"efficiency", "70 %"},
        {"wheel_radius", "0.06457627 m"},
        {"mass", "68 kg"},
        {"inertia", "6 kg*m^2"},
        {"half_track", "30.8 cm"},
        {NULL, NULL},
    };
    const ib_MechanismKind *kind = ib_mechanism_kind_find("drivetrain");
    ib_MechanismMemory config = rig_config("drivetrain", settings);
    const ib_Param *reduction = ib_schema_find(&kind->params, "reduction");
    assert_int_equal(ib_schema_set_number(reduction, 1 / 0.13257576, &config, &error), IB_OK);
    ib_Mechanism m;
    assert_int_equal(ib_mechanism_init(kind, &config, &m, &error), IB_OK);
    ib_StateSpace plant;
    assert_int_equal(ib_mechanism_linearise(&m, &m.ports.rest, &plant, &error), IB_OK);

    assert_close(rig_fact(&m, "Kv"), 49.7548070083, 1e-9);
    assert_close(rig_fact(&m, "Kt"), 0.012736842105, 1e-9);
    assert_close(rig_fact(&m, "R"), 0.045112781955, 1e-9);
    assert_close(rig_fact(&m, "top_speed"), 5.111558948, 1e-9);
    ib_StateSpace wanted = rig_drivetrain_plant();
    for (int i = 0; i < 16; i++) assert_close(plant.A[i], wanted.A[i], 1e-9);
    for (int i = 0; i < 8; i++) assert_close(plant.B[i], wanted.B[i], 1e-9);
    const char *names[] = {"x_left", "v_left", "x_right", "v_right"};
    for (int i = 0; i < 4; i++) assert_string_equal(plant.state[i], names[i]);
    assert_string_equal(plant.input[0], "left");
    assert_string_equal(plant.output[1], "x_right");
    for (int i = 0; i < 2; i++) {
        assert_true(m.ports.high[i] == 12 && m.ports.low[i] == -12);
        assert_true(plant.C[i * 4 + 2 * i] == 1);
    }
}

// One step of Runge and Kutta's classical rule.
static void step(const ib_Mechanism *m, const double *u, double h, double *x)
{
    double k[4][IB_STATES_MAX], at[IB_STATES_MAX];
    const double part[4] = {0, 0.5, 0.5, 1};
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < m->ports.states; i++)
            at[i] = x[i] + (s ? part[s] * h * k[s - 1][i] : 0);
        ib_mechanism_rate(m, at, u, k[s]);
    }
    for (int i = 0; i < m->ports.states; i++)
        x[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

// Goal: every kind moves as an independent program says. Method: make_mechanism_reference.py
// (scipy's DOP853 on the equations of motion) from the same start; here RK4 in 4000 steps, whose
// error is below 1e-11 for these; 1e-10 of the state's size is asked for.
static void each_kind_moves_as_scipy_says(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; i++) {
        const Case *c = &cases[i];
        ib_Mechanism m = rig_mechanism(c->kind, c->settings);
        double x[4];
        memcpy(x, c->x, sizeof x);
        for (int s = 0; s < 4000; s++) step(&m, c->u, c->end / 4000, x);
        for (int k = 0; k < m.ports.states; k++)
            assert_close(x[k], c->after[k], 1e-10 * fmax(1, fabs(c->after[k])));
    }
}

// ------------------------------------------------------------------------------------------ slopes

// Goal: each kind's matrices are the slopes of its own rate and output, also with the options on.
// Method: central differences at the case's point.
static void matrices_are_the_slopes_of_the_physics(void **state)
{
    (void)state;
    const Setting options[][3] = {
        {{"gyro", "true"}, {"positions", "false"}, {"reduction_left", "20"}},
        {{"sensor", "both"}},
        {{"sensor", "load"}}};
    const int of[] = {0, 5, 5};
    for (int i = 0; i < CASES + 3; i++) {
        const Case *c = &cases[i < CASES ? i : of[i - CASES]];
        Setting settings[16] = {{NULL, NULL}};
        int count = 0;
        for (; c->settings[count].key; count++) settings[count] = c->settings[count];
        if (i >= CASES)
            for (int k = 0; k < 3; k++) settings[count + k] = options[i - CASES][k];
        ib_Mechanism m = rig_mechanism(c->kind, settings);
        ib_MechanismPoint point = {{0}, {0}};
        memcpy(point.x, c->x, sizeof c->x);
        memcpy(point.u, c->u, sizeof c->u);
        rig_check_slopes(&m, point);
    }
}

// Goal: the matrices of the kinds that are linear say all of it: rate = A x + B u + rate(0, 0).
// Method: at the case's point, all but arm and shooter; 1e-12 of the terms' sizes is rounding.
static void linear_kinds_are_their_matrices(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; i++) {
        const Case *c = &cases[i];
        if (strcmp(c->kind, "single_arm") == 0 || strcmp(c->kind, "shooter") == 0) continue;
        ib_Mechanism m = rig_mechanism(c->kind, c->settings);
        ib_StateSpace p;
        assert_int_equal(ib_mechanism_linearise(&m, &m.ports.rest, &p, &error), IB_OK);
        const double zero[IB_STATES_MAX] = {0};
        double rate[IB_STATES_MAX], still[IB_STATES_MAX];
        ib_mechanism_rate(&m, c->x, c->u, rate);
        ib_mechanism_rate(&m, zero, zero, still);
        for (int k = 0; k < p.states; k++) {
            double sum = still[k], size = fabs(still[k]);
            for (int j = 0; j < p.states; j++) sum += p.A[k * p.states + j] * c->x[j];
            for (int j = 0; j < p.states; j++) size += fabs(p.A[k * p.states + j] * c->x[j]);
            for (int j = 0; j < p.inputs; j++) sum += p.B[k * p.inputs + j] * c->u[j];
            for (int j = 0; j < p.inputs; j++) size += fabs(p.B[k * p.inputs + j] * c->u[j]);
            assert_close(rate[k], sum, 1e-12 * fmax(1, size));
        }
    }
}

// ------------------------------------------------------------------------------------------ energy

static double square(double x)
{
    return x * x;
}

// Kinetic, potential and elastic energy of each case, from its text alone [J].
static double energy(int i, const double *x)
{
    const Case *c = &cases[i];
    double rotor = 0.5 * c->motors * Jr * square(c->reduction * c->per_speed);
    switch (i) {
    case 0:
        return 25 * square((x[1] + x[3]) / 2) + 2 * square((x[3] - x[1]) / 0.56) +
               rotor * (x[1] * x[1] + x[3] * x[3]);
    case 1:
        return (4 + rotor) * x[1] * x[1] +
               (8 * g0 * sin(80 * 3.14159265358979323846 / 180) - 15) * x[0];
    case 2:
        return (0.002 + rotor) * x[0] * x[0];
    case 3:
        return (0.45 + rotor) * x[1] * x[1] + 3.5 * g0 * 0.45 * sin(x[0]);
    case 4:
        return 9 * square((x[1] + x[3]) / 2) + 0.65 * square((x[3] - x[1]) / 0.9) +
               (rotor + 1.5) * (x[1] * x[1] + x[3] * x[3]) + 12 * g0 * (x[0] + x[2]) / 2 +
               200 * square((x[2] - x[0]) / 0.9);
    case 5:
        return (0.5 * 1.5e-4 / square(0.019) + rotor) * x[1] * x[1] + 3 * x[3] * x[3] +
               7500 * square(x[0] - x[2]);
    default:
        break;
    }
    // The tyre's kinetic energy and what stretching it took: dU = m r w^2 dr, integrated over w.
    double w = x[0], a = 0.06 / square(4000 * 2 * 3.14159265358979323846 / 60),
           m = 0.4 * square(0.05);
    double kinetic = (0.0006 + rotor + 0.5 * m * square(1 + a * w * w)) * w * w;
    return kinetic + m * (a * square(w * w) / 2 + a * a * square(w * w * w) / 3);
}

// What friction and damping take [W].
static double dissipated(int i, const double *x)
{
    switch (i) {
    case 2:
        return 2e-4 * x[0] * x[0];
    case 4:
        return 20 * square((x[3] - x[1]) / 0.9);
    case 5:
        return 8 * square(x[1] - x[3]) + 3 * x[3] * x[3];
    case 6:
        return 1e-4 * x[0] * x[0];
    default:
        return 0;
    }
}

// Electrical power less all that never reaches the load: heat of the windings, Ke against Kt, the
// motors' loss torque, the gear [W].
static double delivered(const Case *c, double volts, double w_motor, double *electric)
{
    double R = Vn / Is, Kt = Ts / Is, Ke = (Vn - If * R) / WF, b = c->viscous ? Kt * If / WF : 0;
    double I = (volts - Ke * w_motor) / R, torque = Kt * I - b * w_motor;
    *electric += c->motors * volts * I;
    double copper = R * I * I, conversion = (Ke - Kt) * w_motor * I, loss = b * w_motor * w_motor;
    double gear = (1 - c->efficiency) * torque * w_motor;
    return c->motors * (volts * I - copper - conversion - loss - gear);
}

// Goal: electrical power in is mechanical power and heat, for each kind. Method: the energy of each
// case written from its text, its change along the rate by differences (error h^4), against the
// electrical power less the heat; 1e-8 of the electrical power.
static void electrical_power_is_accounted_for(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; i++) {
        const Case *c = &cases[i];
        ib_Mechanism m = rig_mechanism(c->kind, c->settings);
        double dx[IB_STATES_MAX], E[4], electric = 0, useful = 0;
        const double h = 1e-4 * c->end, offset[4] = {h, -h, h / 2, -h / 2};
        ib_mechanism_rate(&m, c->x, c->u, dx);
        for (int k = 0; k < 4; k++) {
            double x[4] = {0};
            for (int j = 0; j < m.ports.states; j++) x[j] = c->x[j] + offset[k] * dx[j];
            E[k] = energy(i, x);
        }
        double change = (4 * (E[2] - E[3]) / h - (E[0] - E[1]) / (2 * h)) / 3;
        for (int k = 0; k < m.ports.inputs; k++) {
            double speed = c->x[m.ports.states == 1 ? 0 : 2 * k + 1];
            useful += delivered(c, c->u[k], speed * c->per_speed * c->reduction, &electric);
        }
        assert_close(change + dissipated(i, c->x), useful, 1e-8 * fmax(1, fabs(electric)));
    }
}

// Goal: the book that each kind keeps on a robot fits its rate. Method: mechanism_rig.h at each
// case's point, under torques and a gravity of its own.
static void each_kind_keeps_a_book_that_fits_its_rate(void **state)
{
    (void)state;
    const double torque[IB_MECHANISM_DRIVES] = {7, -3};
    for (int i = 0; i < CASES; i++) {
        ib_Mechanism m = rig_mechanism(cases[i].kind, cases[i].settings);
        if (m.kind->energy) rig_check_energy(&m, cases[i].x, torque, 8.5, NULL);
    }
}

// ------------------------------------------------------------------------------ closed-form limits

// Goal: the facts are the closed forms, and the physics agrees with them. Method: each kind's limit
// written by hand from the data sheet; the rate there is zero. 1e-12 relative: a few roundings.
static void limits_have_their_closed_forms(void **state)
{
    (void)state;
    double R = Vn / Is, Ke = (Vn - If * R) / WF, Kt = Ts / Is;
    double x[4] = {0}, u[2] = {12, 12}, dx[4];

    // Flywheel without friction and with viscous loss: the data sheet's free speed.
    const Setting viscous[] = {{"loss", "viscous"}, {"reduction", "2"}, {NULL, NULL}};
    ib_Mechanism m = rig_mechanism("flywheel", viscous);
    assert_close(rig_fact(&m, "top_speed"), WF / 2, 1e-12 * WF);
    x[0] = WF / 2;
    ib_mechanism_rate(&m, x, u, dx);
    assert_close(dx[0], 0, 1e-9);

    // Drivetrain: top speed V/(Ke G) r, and N motors' stall torque at the rim of each side.
    m = rig_mechanism("drivetrain", NULL);
    double top = 12 / (Ke * 10.71) * 0.0762;
    assert_close(rig_fact(&m, "top_speed"), top, 1e-12 * top);
    assert_close(rig_fact(&m, "stall_force"), 2 * 2 * 10.71 * Ts / 0.0762, 1e-9);
    assert_close(rig_fact(&m, "stall_current"), 2 * Is, 1e-9);
    const double fast[4] = {0, top, 0, top};
    ib_mechanism_rate(&m, fast, u, dx);
    assert_close(dx[1], 0, 1e-12);
    assert_close(dx[3], 0, 1e-12);

    // Elevator: hold voltage m g r R/(N G Kt).
    const double hold = 5 * g0 * 0.02 * R / (2 * 10 * Kt);
    m = rig_mechanism("elevator", NULL);
    assert_close(rig_fact(&m, "hold_voltage"), hold, 1e-12);
    assert_close(m.ports.rest.u[0], hold, 1e-12);

    // Lift: half the weight on each winch.
    m = rig_mechanism("lift", NULL);
    for (int i = 0; i < 2; i++)
        assert_close(m.ports.rest.u[i], 10 * g0 * 0.02 * R / (20 * Kt), 1e-12);
}

// Goal: each side of a drivetrain may be in its own gear. Method: a reduction k times as large on
// the left: its voltage pushes k times as hard, its speed is held back k^2 times, the right side's
// are the same; 1e-12 relative, a few roundings.
static void each_side_may_have_its_own_gear(void **state)
{
    (void)state;
    const Setting low_left[] = {{"reduction_left", "21.42"}, {NULL, NULL}};
    const Setting low_both[] = {{"reduction", "21.42"}, {NULL, NULL}};
    ib_StateSpace same, own, both;
    ib_Mechanism m = rig_mechanism("drivetrain", NULL);
    assert_int_equal(ib_mechanism_linearise(&m, &m.ports.rest, &same, &error), IB_OK);
    m = rig_mechanism("drivetrain", low_left);
    assert_int_equal(ib_mechanism_linearise(&m, &m.ports.rest, &own, &error), IB_OK);
    m = rig_mechanism("drivetrain", low_both);
    assert_int_equal(ib_mechanism_linearise(&m, &m.ports.rest, &both, &error), IB_OK);
    for (int row = 0; row < 4; row++) {
        assert_close(own.B[row * 2], 2 * same.B[row * 2], 1e-12);
        assert_close(own.B[row * 2 + 1], same.B[row * 2 + 1], 1e-12);
        assert_close(own.B[row * 2], both.B[row * 2], 1e-12);
    }
    assert_close(own.A[4 + 1], 4 * same.A[4 + 1], 1e-12 * fabs(own.A[4 + 1]));
    assert_close(own.A[12 + 1], 4 * same.A[12 + 1], 1e-12);
    assert_close(own.A[12 + 3], same.A[12 + 3], 1e-12 * fabs(own.A[12 + 3]));
}

// Goal: an arm is held at any angle by m g l cos th/push, and falls upright and hanging need
// nothing. Method: balance at some angles; hand formula; the rate must vanish there.
static void arm_is_held_at_each_angle(void **state)
{
    (void)state;
    ib_Mechanism m = rig_mechanism("single_arm", NULL);
    double R = Vn / Is, Kt = Ts / Is;
    for (int i = -6; i <= 6; i++) {
        ib_MechanismPoint point = {{0.5 * i}, {0}};
        double dx[2], wanted = 3 * g0 * 0.4 * cos(0.5 * i) * R / (100 * Kt);
        assert_int_equal(ib_mechanism_balance(&m, &point, &error), IB_OK);
        assert_close(point.u[0], wanted, 1e-13);
        ib_mechanism_rate(&m, point.x, point.u, dx);
        assert_close(dx[1], 0, 1e-13);
    }
    // Turning at a steady rate is a balance too: the position may run.
    ib_MechanismPoint point = {{1.5707963267948966, 2}, {0}};
    assert_int_equal(ib_mechanism_balance(&m, &point, &error), IB_OK);
    assert_close(point.u[0], (Vn - If * R) / WF * 100 * 2, 1e-12);
}

// Goal: a belt without losses swings with sqrt(k/m_m + k/m_l). Method: a motor too weak to matter
// (1e-9 N m), poles of A; the weak motor leaves less than 1e-9 of the frequency.
static void belt_swings_with_its_resonance(void **state)
{
    (void)state;
    const Setting settings[] = {{"motor.stall_torque", "1e-9 N*m"},
                                {"rotors", "false"},
                                {"damping", "0 N*s/m"},
                                {"pulley_inertia", "4e-4 kg*m^2"},
                                {NULL, NULL}};
    ib_Mechanism m = rig_mechanism("two_mass", settings);
    double k = 20000, wanted = sqrt(k / (4e-4 / 4e-4) + k / 5);
    assert_close(rig_fact(&m, "resonance"), wanted, 1e-10);
    assert_close(rig_fact(&m, "antiresonance"), sqrt(k / 5), 1e-10);
    ib_StateSpace plant;
    ib_Complex poles[4];
    assert_int_equal(ib_mechanism_linearise(&m, &m.ports.rest, &plant, &error), IB_OK);
    assert_int_equal(ib_eigenvalues(4, plant.A, poles, &error), IB_OK);
    assert_close(poles[0].im, wanted, 1e-9 * wanted);
    assert_close(poles[0].re, 0, 1e-6);
}

// Goal: a ball takes the momentum it leaves with, and never energy from nowhere. Method: a tyre
// that does not grow has w+ = J w/(J + g s m r^2); one that grows must lose at least the ball's
// energy (0.7 m v^2 for a solid ball that rolls).
static void ball_takes_momentum_and_energy(void **state)
{
    (void)state;
    const Setting stiff[] = {{"tyre.growth", "0 %"}, {"rotors", "false"}, {NULL, NULL}};
    ib_Mechanism m = rig_mechanism("shooter", stiff);
    double r = 0.0508, J = 0.001 + 0.3 * r * r, w = 300;
    m.kind->jolt(&m.model, &w);
    assert_close(w, 300 * J / (J + 0.7 * 0.5 * 0.27 * r * r), 1e-10);

    const Case *c = &cases[6];
    m = rig_mechanism("shooter", c->settings);
    for (double before = -500; before <= 500; before += 125) {
        double after = before;
        m.kind->jolt(&m.model, &after);
        double a = 0.06 / square(4000 * 2 * 3.14159265358979323846 / 60);
        double v = 0.5 * 0.05 * (1 + a * after * after) * after;
        double lost = energy(6, &before) - energy(6, &after);
        assert_true(before == 0 ? after == 0 : fabs(after) < fabs(before) && after * before > 0);
        assert_true(lost >= 0.7 * 0.27 * v * v);
    }
}

// Goal: the shooter's growing tyre slows its run-up and not its top speed. Method: two tyres.
static void growing_tyre_changes_the_way_not_the_end(void **state)
{
    (void)state;
    const Setting grows[] = {{"tyre.growth", "20 %"}, {NULL, NULL}};
    const Setting stays[] = {{"tyre.growth", "0 %"}, {NULL, NULL}};
    ib_Mechanism soft = rig_mechanism("shooter", grows), hard = rig_mechanism("shooter", stays);
    assert_close(rig_fact(&soft, "top_speed"), rig_fact(&hard, "top_speed"), 1e-12);
    const double w = 300, u = 12;
    double slow, fast;
    ib_mechanism_rate(&soft, &w, &u, &slow);
    ib_mechanism_rate(&hard, &w, &u, &fast);
    assert_true(slow < 0.9 * fast);
}

// ---------------------------------------------------------------------------------------- contract

// Goal: every kind's table can be read, its plant stands, its rest is at rest. Method: defaults
// with a motor; names, units, limits; the rate at rest is zero to rounding (1e-12 of gravity).
static void each_kind_has_defaults_that_stand(void **state)
{
    (void)state;
    for (int i = 0; ib_mechanism_kinds[i]; i++) {
        const ib_MechanismKind *kind = ib_mechanism_kinds[i];
        ib_Mechanism m = rig_mechanism(kind->name, NULL);
        ib_StateSpace plant;
        double dx[IB_STATES_MAX];
        assert_int_equal(ib_mechanism_linearise(&m, &m.ports.rest, &plant, &error), IB_OK);
        ib_mechanism_rate(&m, m.ports.rest.x, m.ports.rest.u, dx);
        for (int k = 0; k < m.ports.states; k++) assert_close(dx[k], 0, 1e-11);
        for (int k = 0; k < m.ports.inputs; k++) {
            assert_true(m.ports.low[k] < m.ports.rest.u[k] && m.ports.rest.u[k] < m.ports.high[k]);
            assert_string_equal(m.ports.input[k].unit, "V");
        }
        assert_true((kind->jolt != NULL) == (kind->jolt_sentence != NULL));
        for (int k = 0; k < kind->params.count; k++)
            assert_ptr_equal(ib_schema_find(&kind->params, kind->params.params[k].key),
                             &kind->params.params[k]);
    }
    assert_null(ib_mechanism_kind_find("escalator"));
}

// Goal: what a range cannot say is refused by name. Method: one of each.
static void impossible_mechanisms_are_refused(void **state)
{
    (void)state;
    const Setting hungry[] = {{"motor.free_current", "140 A"}, {NULL, NULL}};
    for (int i = 0; ib_mechanism_kinds[i]; i++)
        rig_refuses(ib_mechanism_kinds[i]->name, hungry, "motor.free_current: ");
    const Setting light[] = {{"inertia", "0.1 kg*m^2"}, {NULL, NULL}};
    rig_refuses("single_arm", light, "inertia: 0.1 kg*m^2 about the joint is less");
    const Setting nothing[] = {{"center", "0 m"}, {"rotors", "false"}, {NULL, NULL}};
    rig_refuses("single_arm", nothing, "inertia: nothing");
    const Setting empty[] = {{"pulley_inertia", "0 kg*m^2"}, {"rotors", "false"}, {NULL, NULL}};
    rig_refuses("two_mass", empty, "pulley_inertia: ");
}

// Goal: a point that nothing holds is refused with the state's name, and so is one that is not
// finite. Method: a stretched belt pulls the carriage whatever the motor does; a NaN.
static void points_that_nothing_holds_are_refused(void **state)
{
    (void)state;
    ib_Mechanism m = rig_mechanism("two_mass", NULL);
    ib_MechanismPoint stretched = {{0.01, 0, 0, 0}, {0}}, bad = {{NAN}, {0}};
    assert_int_equal(ib_mechanism_balance(&m, &stretched, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "v_load goes on changing"));
    assert_int_equal(ib_mechanism_balance(&m, &bad, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "x_motor"));
    ib_StateSpace plant;
    assert_int_equal(ib_mechanism_linearise(&m, &bad, &plant, &error), IB_BAD_INPUT);
}

static void make_an_arm_without_a_book(void)
{
    ib_MechanismMemory config = rig_config("single_arm", NULL);
    ib_MechanismKind kind = *ib_mechanism_kind_find("single_arm");
    ib_Mechanism m;
    kind.energy = NULL;
    ib_mechanism_init(&kind, &config, &m, &error);
}

// Goal: a kind without check and facts stands, with its motor checked all the same; one that lacks
// what nothing can stand in for says so by name. Method: an arm's table with gaps.
static void what_a_table_lacks_is_none_or_is_named(void **state)
{
    (void)state;
    ib_MechanismMemory config = rig_config("single_arm", NULL);
    ib_MechanismKind kind = *ib_mechanism_kind_find("single_arm");
    ib_MechanismFacts facts;
    ib_Mechanism m;
    kind.check = NULL;
    kind.facts = NULL;
    assert_int_equal(ib_mechanism_init(&kind, &config, &m, &error), IB_OK);
    ib_mechanism_facts(&m, &facts);
    assert_int_equal(facts.count, 0);
    const Setting hungry[] = {{"motor.free_current", "140 A"}, {NULL, NULL}};
    put_settings(&kind.params, hungry, &config);
    assert_int_equal(ib_mechanism_init(&kind, &config, &m, &error), IB_BAD_INPUT);
    assert_aborts(make_an_arm_without_a_book,
                  "the table of the mechanism 'single_arm' has no .energy");
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drivetrain_has_the_matrices_of_the_reference),
        cmocka_unit_test(each_kind_moves_as_scipy_says),
        cmocka_unit_test(matrices_are_the_slopes_of_the_physics),
        cmocka_unit_test(linear_kinds_are_their_matrices),
        cmocka_unit_test(electrical_power_is_accounted_for),
        cmocka_unit_test(each_kind_keeps_a_book_that_fits_its_rate),
        cmocka_unit_test(limits_have_their_closed_forms),
        cmocka_unit_test(each_side_may_have_its_own_gear),
        cmocka_unit_test(arm_is_held_at_each_angle),
        cmocka_unit_test(belt_swings_with_its_resonance),
        cmocka_unit_test(ball_takes_momentum_and_energy),
        cmocka_unit_test(growing_tyre_changes_the_way_not_the_end),
        cmocka_unit_test(each_kind_has_defaults_that_stand),
        cmocka_unit_test(impossible_mechanisms_are_refused),
        cmocka_unit_test(points_that_nothing_holds_are_refused),
        cmocka_unit_test(what_a_table_lacks_is_none_or_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
