// test/robot/test_cylinder_rig_jacobian.c: the rig's Jacobian against differences of its rates.
#include "cmocka_all.h"

#include "robot/cylinder_rig/cylinder_rig.h"

#include <string.h>

enum { STATES = 64 };

// A cylinder with its rig's numbers and a state of the rig.
typedef struct One {
    ib_RigPartConfig part;
    ib_CylinderRigModel rig;
    double state[STATES], input[IB_RIG_INPUTS];
} One;

// The thesis's rig; `pairs` are keys and values, NULL behind the last.
static void make_one(One *one, const char *const *pairs)
{
    const ib_MechanismKind *kind = &ib_cylinder_mechanism;
    ib_Error error;
    memset(one, 0, sizeof *one);
    assert_int_equal(ib_schema_default(&kind->params, &one->part, &error), IB_OK);
    assert_int_equal(ib_schema_default(&kind->start, &one->part, &error), IB_OK);
    one->part.rig.gravity = 9.81;
    for (; pairs && *pairs; pairs += 2) {
        const ib_Param *param = ib_schema_find(&kind->params, pairs[0]);
        if (!param) param = ib_schema_find(&kind->start, pairs[0]);
        assert_non_null(param);
        assert_int_equal(ib_schema_set(param, pairs[1], &one->part, &error), IB_OK);
    }
    ib_cylinder_rig_init(&one->part.rig, &one->rig);
    ib_cylinder_rig_reset(&one->rig, one->state);
    one->input[IB_RIG_GAIN] = 1;
}

static void command(One *one, double volts)
{
    one->input[IB_RIG_VALVE] = volts;
    while (ib_cylinder_rig_settle(&one->rig, one->input, one->state)) continue;
}

static void rate_of(const void *context, double t, const double *x, double *dx)
{
    const One *one = context;
    (void)t;
    ib_cylinder_rig_rate(&one->rig, x, one->input, dx);
}

static bool jacobian_of(const void *context, double t, const double *x, double *J)
{
    const One *one = context;
    int n = one->rig.state_count;
    (void)t;
    memset(J, 0, (size_t)(n * n) * sizeof *J);
    return ib_cylinder_rig_jacobian(&one->rig, x, one->input, J, n);
}

// Sizes of the states, for comparisons.
static const double sizes[IB_RIG_FIRST] = {0.04, 0.3, 20, 10, 20, 10};

// Goal: the rig's Jacobian is that of its rates. Method: central differences of all rows, books
// too, by the states that rates depend on: air in and out, choked and not, laminar, with walls,
// moving both ways and at a stop. A difference over d of a rate r has an error of r eps/d, and what
// is curved one of d^2; with d = 1e-6 of a state's size both are below 1e-6 of the rates' size.
static void jacobian_is_that_of_the_rates(void **state)
{
    (void)state;
    static const struct {
        const char *x, *v, *cap, *rod, *heat;
        double volts;
    } cases[] = {
        {"20 mm", "0.2 m/s", "300 kPa", "300 kPa", "adiabatic", 6.2},
        {"20 mm", "-0.2 m/s", "150 kPa", "400 kPa", "adiabatic", 4.3},
        {"5 mm", "0.05 m/s", "440 kPa", "115 kPa", "walls", 6.0},
        {"40 mm", "-0.01 m/s", "200 kPa", "200 kPa", "walls", 5.4},
        {"30 mm", "0.1 m/s", "448150 Pa", "108250 Pa", "adiabatic", 10},
        {"0 m", "0 m/s", "200 kPa", "400 kPa", "adiabatic", 6.2},
        {"0 m", "0 m/s", "200 kPa", "400 kPa", "walls", 6.2},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        static One one;
        make_one(&one, (const char *[]){"position", cases[c].x, "velocity", cases[c].v,
                                        "cap.pressure", cases[c].cap, "rod.pressure", cases[c].rod,
                                        "heat.law", cases[c].heat, "cap.temperature", "310 K",
                                        "rod.temperature", "280 K", NULL});
        one.input[IB_RIG_LOAD] = 3;
        command(&one, cases[c].volts);
        double J[STATES * STATES], ahead[STATES], behind[STATES], x[STATES], rate[STATES];
        int n = one.rig.state_count;
        assert_true(jacobian_of(&one, 0, one.state, J));
        rate_of(&one, 0, one.state, rate);
        for (int j = 0; j < IB_RIG_FIRST; j++) {
            double d = 1e-6 * sizes[j];
            memcpy(x, one.state, sizeof x);
            x[j] = one.state[j] + d;
            rate_of(&one, 0, x, ahead);
            x[j] = one.state[j] - d;
            rate_of(&one, 0, x, behind);
            for (int i = 0; i < n; i++) {
                double slope = (ahead[i] - behind[i]) / (2 * d);
                double size = fabs(J[i * n + j]) + (fabs(rate[i]) + 1e-6) / sizes[j];
                assert_close(J[i * n + j], slope, 1e-5 * size);
            }
        }
        for (int i = 0; i < n; i++) // nothing depends on modes and books
            for (int j = IB_RIG_FIRST; j < n; j++) assert_true(J[i * n + j] == 0);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jacobian_is_that_of_the_rates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
