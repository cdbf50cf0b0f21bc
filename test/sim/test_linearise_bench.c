// A bench with one mechanism, linearised by sim/linearise/linearise.h, against the desk's exact
// matrices of the same mechanism (plant/mechanism/mechanism.h).
#include "cmocka_all.h"
#include "robot/equipment_rig.h"
#include "sim/linearise/linearise.h"
#include "spread.h"

static Rig rig;

enum { POINTS = 40 };

// A mechanism, and how far from zero its states are drawn.
typedef struct Case {
    const char *kind, *settings;
    const char *states[4]; // in the desk's order
    const char *inputs[2];
    double reach[4];
} Case;

static const Case cases[] = {
    {"elevator",
     "motors: 2; reduction: 10; mass: 7 kg; friction: 9 N*s/m",
     {"m.position", "m.velocity"},
     {"m"},
     {2, 1.5}},
    {"single_arm",
     "reduction: 70; mass: 3 kg; center: 45 cm; friction: 0.2 N*m*s",
     {"m.position", "m.velocity"},
     {"m"},
     {4, 3}},
    {"turret",
     "reduction: 50; inertia: 0.3 kg*m^2; friction: 0.1 N*m*s",
     {"m.position", "m.velocity"},
     {"m"},
     {9, 6}},
    {"flywheel",
     "motors: 2; inertia: 0.003 kg*m^2; friction: 1e-4 N*m*s; loss: viscous",
     {"m.velocity"},
     {"m"},
     {600}},
    {"roller", "mass: 0.7 kg; friction: 1e-3 N*m*s", {"m.velocity"}, {"m"}, {150}},
    {"shooter", "motors: 2; friction: 1e-4 N*m*s", {"m.velocity"}, {"m"}, {600}},
    {"lift",
     "mass: 18 kg; inertia: 1.5 kg*m^2; counterweight: 4 kg; stiffness: 800 N*m/rad; "
     "damping: 11 N*m*s/rad",
     {"m.left.position", "m.left.velocity", "m.right.position", "m.right.velocity"},
     {"m.left", "m.right"},
     {1, 0.5, 1, 0.5}},
    {"two_mass",
     "reduction: 5; mass: 4 kg; stiffness: 12 kN/m; damping: 14 N*s/m; friction: 2 N*s/m",
     {"m.motor.position", "m.motor.velocity", "m.load.position", "m.load.velocity"},
     {"m"},
     {0.3, 1, 0.3, 1}},
};
enum { CASES = sizeof cases / sizeof *cases };

// Rest, and points by chance around it; voltages within the 12 V that are there.
static ib_MechanismPoint point_of(int c, int k)
{
    ib_MechanismPoint point = {{0}, {0}};
    for (int i = 0; k > 0 && i < 6; i++) {
        double chance = 2 * chance_uniform(3, (uint64_t)c, (uint64_t)(6 * k + i)) - 1;
        if (i < 4)
            point.x[i] = chance * cases[c].reach[i];
        else
            point.u[i - 4] = chance * 11;
    }
    return point;
}

// Each entry, to a part of the largest one of its row of [A B]. Returns the worst.
static double compare(const ib_StateSpace *got, const ib_StateSpace *desk, const char *kind)
{
    int n = desk->states, k = desk->inputs;
    double worst = 0;
    assert_int_equal(got->states, n);
    assert_int_equal(got->inputs, k);
    for (int i = 0; i < n; i++) {
        double size = 0;
        for (int j = 0; j < n; j++) size = fmax(size, fabs(desk->A[i * n + j]));
        for (int j = 0; j < k; j++) size = fmax(size, fabs(desk->B[i * k + j]));
        for (int j = 0; j < n + k; j++) {
            double a = j < n ? got->A[i * n + j] : got->B[i * k + j - n];
            double b = j < n ? desk->A[i * n + j] : desk->B[i * k + j - n];
            worst = fmax(worst, fabs(a - b) / size);
            if (!(fabs(a - b) <= 1e-12 * size))
                fail_msg("%s: row %d, column %d: %.17g is not %.17g, of %g", kind, i, j, a, b,
                         size);
        }
    }
    return worst;
}

static double check_point(const Case *c, const ib_MechanismPoint *point)
{
    const ib_MechanismSpec *spec = ((ib_EquipmentConfig *)rig.config)->mechanisms.items;
    ib_Mechanism desk;
    ib_StateSpace plant;
    ib_Linearisation r;
    assert_int_equal(ib_mechanism_init(spec->kind, &spec->config, &desk, &rig.error), IB_OK);
    assert_int_equal(ib_mechanism_linearise(&desk, point, &plant, &rig.error), IB_OK);
    ib_LineariseQuery query = {.states = c->states,
                               .state_count = plant.states,
                               .x0 = point->x,
                               .inputs = c->inputs,
                               .input_count = plant.inputs,
                               .u0 = point->u};
    if (ib_linearise(rig.model, &query, &r, &rig.error) != IB_OK) fail_msg("%s", rig.error.text);
    assert_int_equal(r.held_count, 0);
    assert_int_equal(r.kink_count, 0);
    return compare(&r.plant, &plant, c->kind);
}

// Goal: the simulation and the desk have the same plant, to 1e-12 of a row's largest entry. Method:
// all kinds at rest and at 39 points each; central differences against derivatives by hand. The
// efficiency is 1: in the simulation the loss of a gear changes sides with the power's direction
// and fades out around rest (plant/electric/drivetrain.h), at the desk it is a smaller torque
// constant. The battery is stiff: at the desk a voltage is at hand.
static void bench_has_the_matrices_of_the_desk(void **unused)
{
    (void)unused;
    for (int c = 0; c < CASES; c++) {
        rig_default(&rig, &ib_bench_kind, 1);
        rig_add(&rig, "m", cases[c].kind, cases[c].settings);
        rig_start(&rig, 1);
        for (int k = 0; k < POINTS; k++) {
            ib_MechanismPoint point = point_of(c, k);
            check_point(&cases[c], &point);
        }
        rig_stop(&rig);
    }
}

// Goal: stops at which a run begins do not hold what stands elsewhere. Method: the same plants with
// stops, started on one of them, about points between; the desk knows none.
static void stops_do_not_hold_what_is_away_from_them(void **unused)
{
    (void)unused;
    for (int c = 0; c < CASES; c++) {
        char settings[400];
        if (strstr("flywheel roller shooter", cases[c].kind)) continue;
        bool turns = strstr("single_arm turret", cases[c].kind) != NULL;
        snprintf(settings, sizeof settings, "%s; travel: %s", cases[c].settings,
                 turns ? "0 rad, 3 rad" : "0 m, 3 m");
        rig_default(&rig, &ib_bench_kind, 1);
        rig_add(&rig, "m", cases[c].kind, settings);
        rig_start(&rig, 1);
        ib_MechanismPoint point = {{1, 0, 1, 0}, {0}};
        check_point(&cases[c], &point);
        rig_stop(&rig);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bench_has_the_matrices_of_the_desk),
        cmocka_unit_test(stops_do_not_hold_what_is_away_from_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
