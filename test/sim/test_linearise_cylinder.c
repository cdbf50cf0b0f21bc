// test/sim/test_linearise_cylinder.c: the cylinder rig as a linear plant of place, speed and
// pressures, about a balance that is found.
#include "robot/cylinder_stand.h"

#include "linear/eigen.h"
#include "sim/linearise/linearise.h"

#include <stdlib.h>

static ib_Error error;

static const char *const all[] = {"cylinder.position", "cylinder.velocity", "cap.pressure",
                                  "rod.pressure",      "cap.temperature",   "rod.temperature"};
static const char *const inputs[] = {"valve"};
static const char *const givers[] = {"cap.pressure", "rod.pressure", "valve"};

// The thesis's rig, at its start, with 5 V.
static Stand *make_stand(void)
{
    Stand *stand = malloc(sizeof *stand);
    assert_non_null(stand);
    stand_default(stand, 10);
    stand_hold(stand, 5);
    return stand;
}

static void make_model(Stand *stand)
{
    if (ib_model_create(&stand->sim_config, &stand->arena, &stand->model, &error) != IB_OK)
        fail_msg("%s", error.text);
}

static void drop(Stand *stand)
{
    ib_arena_reset(&stand->arena);
    free(stand);
}

static ib_LineariseQuery ask(int states, const double *x0)
{
    return (ib_LineariseQuery){
        .states = all, .state_count = states, .inputs = inputs, .input_count = 1, .x0 = x0};
}

// What port 2 would let a closed chamber come to, Figure 23:
//   P2(Vc) = Pe + (Ps - Pe) (1 + tanh(pi (Vc - 0.25)))/2,  P1(Vc) = P2(-Vc)
static double figure_23(double Vc)
{
    return 108247.732 + (448159.4 - 108247.732) * 0.5 * (1 + tanh(3.14159265358979 * (Vc - 0.25)));
}

// Goal: the balance is found, from the start of the thesis, at any place: the rig rests wherever
// its valve makes no net force, and its pressures are then those of Figure 23.
// Method: reference A1: zero net force at u_c = 0.229230162 V; P by the formula above; the forces
// sum up to nothing. Nothing else moves, and temperatures stay those of the start.
static void the_balance_is_that_of_the_reference(void **state)
{
    (void)state;
    Stand *stand = make_stand();
    make_model(stand);
    for (int i = 0; i < 3; i++) {
        double x0[] = {0.005 + 0.0172 * i, 0, 96526, 448159.4}, u0[] = {5 + 0.5 * i};
        ib_LineariseQuery query = ask(4, x0);
        ib_Linearisation r;
        query.u0 = u0;
        query.balance = givers, query.balance_count = 3;
        if (ib_linearise(stand->model, &query, &r, &error) != IB_OK) fail_msg("%s", error.text);
        double Vc = r.u0[0] - 5.25, cap = r.x0[2], rod = r.x0[3];
        assert_true(fabs(r.u0[0] - 5.229230162) < 1e-8);
        assert_true(r.x0[0] == x0[0] && r.x0[1] == 0);
        assert_true(fabs(cap / figure_23(Vc) - 1) < 1e-9);
        assert_true(fabs(rod / figure_23(-Vc) - 1) < 1e-9);
        double force = cap * 5.607752400749e-04 - rod * 4.895195008268e-04 -
                       101352.972 * 7.125573924809e-05 + 0.2 * 9.81;
        assert_true(fabs(force) < 1e-6);
        for (int k = 0; k < 4; k++) assert_true(fabs(r.rate0[k]) < 1e-5);
        assert_int_equal(r.held_count, 0);
        assert_int_equal(r.kink_count, 0);
    }
    drop(stand);
}

// Goal: at a balance no air flows, so that its temperature acts on nothing and is not named as
// held; of a chamber that lets air out it does, of one that takes some in the supply's does.
// Method: the rig as a design sees it (friction that is viscous, flow that is laminar within 5 %),
// at rest, and with 200 kPa on both sides, where 5 V let the cap's air out and the supply's in.
static void temperatures_are_held_where_air_leaves(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        Stand *stand = make_stand();
        stand->whole.rig.piston.friction.law = IB_FRICTION_VISCOUS;
        stand->whole.rig.cylinder.laminar = 0.95;
        make_model(stand);
        double x0[] = {0.022225, 0, 2e5, 2e5};
        ib_LineariseQuery query = ask(4, x0);
        ib_Linearisation r;
        if (i == 0) query.balance = givers, query.balance_count = 3;
        if (ib_linearise(stand->model, &query, &r, &error) != IB_OK) fail_msg("%s", error.text);
        assert_int_equal(r.held_count, i);
        if (i == 1) assert_string_equal(r.held[0], "cap.temperature");
        drop(stand);
    }
}

// Goal: the matrices are those of the equations, in pressures, though the states are energies.
// Method: by hand at that balance, x = 22.225 mm:
//   v' = (Ac Pc - Ar Pr)/m - ...: dv'/dv = -4014.52 (A7), dv'/dP = Ac/m, -Ar/m, dv'/dx = 0
//   P' = (k R T q - k P V')/V:  dPc'/dv = -k Pc Ac/Vc,  dPr'/dv = k Pr Ar/Vr,  dP'/dx = 0
//   dPc'/dPc = -k R T dq/dP/V, with q = A P psi/sqrt(T), psi's slope in the laminar zone
//   psi(0.9999)/(1 - 0.9999), and dPc'/du = -dPc'/dPc dP2/du: their difference alone counts
static void the_matrices_are_those_of_the_equations(void **state)
{
    (void)state;
    Stand *stand = make_stand();
    make_model(stand);
    double x0[] = {0.022225, 0, 2e5, 2e5};
    ib_LineariseQuery query = ask(4, x0);
    ib_Linearisation r;
    query.balance = givers, query.balance_count = 3;
    if (ib_linearise(stand->model, &query, &r, &error) != IB_OK) fail_msg("%s", error.text);
    const double *A = r.plant.A, Ac = 5.607752400749e-04, Ar = 4.895195008268e-04;
    double cap = r.x0[2], rod = r.x0[3], Vc = r.u0[0] - 5.25, dV = 1e-6;
    assert_true(fabs(A[1]) == 1 && fabs(A[4 + 0]) < 1e-6);
    assert_true(fabs(A[4 + 1] / -4014.52 - 1) < 1e-6);
    assert_true(fabs(A[4 + 2] / (Ac / 0.2) - 1) < 1e-9);
    assert_true(fabs(A[4 + 3] / (-Ar / 0.2) - 1) < 1e-9);
    assert_true(fabs(A[8 + 1] / (-1.4 * cap / 0.034225) - 1) < 1e-6);
    assert_true(fabs(A[12 + 1] / (1.4 * rod / 0.040225) - 1) < 1e-6);
    double ratio = 0.9999; // psi = sqrt(r^(2/k) - r^((k+1)/k)), times C1 [reference A1]
    double steep = 0.156173761889 * sqrt(pow(ratio, 2 / 1.4) - pow(ratio, 2.4 / 1.4)) / 1e-4;
    double area = 1.8682564560e-08 +
                  Vc * (-2.2246121059e-07 +
                        Vc * (2.3257595576e-07 + Vc * (9.3496755731e-08 + Vc * 9.4077677205e-09)));
    double decay = 1.4 * 287 * 298 * area * steep / sqrt(298) / (Ac * 0.034225);
    assert_true(fabs(A[8 + 2] / -decay - 1) < 1e-6);
    double slope = (figure_23(Vc + dV) - figure_23(Vc - dV)) / (2 * dV);
    assert_true(fabs(r.plant.B[2] / (-A[8 + 2] * slope) - 1) < 1e-5);
    drop(stand);
}

// Goal: the plant of four states keeps its integrator: the pressures of a rig at rest do not know
// where its piston is, whatever its walls and its valve do.
// Method: at the balance, with walls that give heat and a valve with underlap, through which air
// passes at rest. By hand P' = (sum of flows of energy, 0 there)/V - k P V'/V, so dP'/dx = 0 at
// constant P and T; it would be of the order of 1e6 Pa/(m s) at a constant mass of air. What is
// held, and acts, is named.
static void pressures_do_not_know_the_place(void **state)
{
    (void)state;
    static const char *const with[][2] = {
        {"adiabatic", "equivalent"}, {"walls", "equivalent"}, {"adiabatic", "spool"},
        {"walls", "spool"},          {"isothermal", "spool"},
    };
    for (int i = 0; i < 5; i++) {
        Stand *stand = make_stand();
        stand->whole.rig.piston.friction.law = IB_FRICTION_VISCOUS;
        stand->whole.rig.cylinder.laminar = 0.95;
        stand_set(stand, "heat.law", with[i][0]);
        stand_set(stand, "valve.law", with[i][1]);
        make_model(stand);
        double x0[] = {0.022225, 0, 2e5, 2e5};
        ib_LineariseQuery query = ask(4, x0);
        ib_Linearisation r;
        query.balance = givers, query.balance_count = 3;
        if (ib_linearise(stand->model, &query, &r, &error) != IB_OK) fail_msg("%s", error.text);
        assert_true(fabs(r.plant.A[8]) < 10 && fabs(r.plant.A[12]) < 10);
        assert_int_equal(r.held_count, i ? 2 : 0);
        for (int k = 0; k < r.held_count; k++) assert_string_equal(r.held[k], all[4 + k]);
        drop(stand);
    }
}

// Goal: in motion the linear plant is that of A7: -9.0 +- 260.8i at 0.2 m/s, +155 and +426 at 0.09.
// Method: six states, pressures and temperatures of the +1.25 V step at 5.2 s (reference A4). A7
// does not name its own; they move the damping by 1 1/s.
static void in_motion_it_swings_as_the_reference_says(void **state)
{
    (void)state;
    Stand *stand = make_stand();
    make_model(stand);
    for (int i = 0; i < 2; i++) {
        double x0[] = {0.022225,     i ? 0.09 : 0.2, 341882.11906,
                       337960.55178, 331.9013864,    304.0261408},
               u0[] = {6.25};
        ib_LineariseQuery query = ask(6, x0);
        ib_Linearisation r;
        ib_Complex values[6];
        query.u0 = u0;
        if (ib_linearise(stand->model, &query, &r, &error) != IB_OK) fail_msg("%s", error.text);
        for (int k = 0; k < 6; k++) assert_true(fabs(r.x0[k] / x0[k] - 1) < 1e-12);
        assert_int_equal(ib_eigenvalues(6, r.plant.A, values, &error), IB_OK);
        if (i == 0) {
            assert_true(fabs(values[0].re + 9.0) < 0.2 && fabs(values[0].im - 260.8) < 0.3);
        } else {
            assert_true(values[0].im == 0 && values[1].im == 0);
            assert_true(fabs(values[0].re - 426) < 2 && fabs(values[1].re - 155) < 4);
        }
    }
    drop(stand);
}

// Goal: a steady motion is found as a balance, too: at a given speed all but the place stands.
// Method: 0.2 m/s outwards. The air's force carries the friction, 3 + 0.5*0.2 lbf (A3's law far
// above its sliding speed: e^-32 of 1.5 lbf is left), less the weight.
static void a_steady_motion_is_a_balance(void **state)
{
    (void)state;
    Stand *stand = make_stand();
    make_model(stand);
    double x0[] = {0.022225, 0.2, 3e5, 3e5}, u0[] = {6};
    ib_LineariseQuery query = ask(4, x0);
    ib_Linearisation r;
    query.u0 = u0;
    query.balance = givers, query.balance_count = 3;
    if (ib_linearise(stand->model, &query, &r, &error) != IB_OK) fail_msg("%s", error.text);
    double force = r.x0[2] * 5.607752400749e-04 - r.x0[3] * 4.895195008268e-04 -
                   101352.972 * 7.125573924809e-05 + 0.2 * 9.81;
    assert_true(fabs(force - 3.1 * 4.4482216152605) < 1e-4);
    assert_true(r.rate0[0] == 0.2 && fabs(r.rate0[1]) < 1e-4);
    assert_true(fabs(r.rate0[2]) < 1 && fabs(r.rate0[3]) < 1); // of 3e5 Pa, per second
    assert_true(r.u0[0] > 5.25 && r.u0[0] < 10);
    drop(stand);
}

// Goal: what cannot be is refused with its reason.
// Method: a name that was not asked for; a rig that nothing can balance, as its pressures may not
// give; a pressure that no air has; places behind both stops.
static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    Stand *stand = make_stand();
    make_model(stand);
    static const char *const other[] = {"rod.temperature"}, *const alone[] = {"valve"};
    double x0[] = {0.02, 0, 4e5, 1.2e5}, cold[] = {0.02, 0, NAN, 2e5};
    ib_LineariseQuery query = ask(4, x0);
    ib_Linearisation r;
    query.balance = other, query.balance_count = 1;
    assert_int_equal(ib_linearise(stand->model, &query, &r, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "balance: rod.temperature is none of the states"));
    query.balance = alone;
    assert_int_equal(ib_linearise(stand->model, &query, &r, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "balance: found none"));
    query = ask(4, cold);
    assert_int_equal(ib_linearise(stand->model, &query, &r, &error), IB_BAD_INPUT);
    const double beyond[][4] = {{0.06, 0, 2e5, 2e5}, {-0.01, 0, 2e5, 2e5}};
    for (int i = 0; i < 2; i++) {
        query = ask(4, beyond[i]);
        assert_int_equal(ib_linearise(stand->model, &query, &r, &error), IB_BAD_INPUT);
        assert_ptr_equal(strstr(error.text, "cylinder.position: "), error.text);
        assert_non_null(strstr(error.text, "cannot be"));
    }
    drop(stand);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_balance_is_that_of_the_reference),
        cmocka_unit_test(temperatures_are_held_where_air_leaves),
        cmocka_unit_test(the_matrices_are_those_of_the_equations),
        cmocka_unit_test(pressures_do_not_know_the_place),
        cmocka_unit_test(in_motion_it_swings_as_the_reference_says),
        cmocka_unit_test(a_steady_motion_is_a_balance),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
