// The impedance: both forces by hand, and that a chamber under it yields like the wanted spring.
#include "cmocka_all.h"
#include "control/controller_rig.h"

#include <math.h>
#include <string.h>

extern const ib_ControllerKind ib_impedance_kind;

enum { GOAL, REFERENCE, ERROR, WANTED, MEASURED, OUTPUT };

static const Setting settings[] = {{"stiffness", "2000 N/m"},
                                   {"damping", "40 N*s/m"},
                                   {"force", "3 N"},
                                   {"gain", "0.05 V/N"},
                                   {"flow", "2 V*s/m"},
                                   {"area.cap", "5 cm^2"},
                                   {"area.rod", "4 cm^2"},
                                   {"atmosphere", "100 kPa"},
                                   {"offset", "5.25 V"},
                                   {"pressures", "cap.pressure"},
                                   {"pressures", "rod.pressure"},
                                   {"period", "continuous"},
                                   {NULL, NULL}};

// Goal: forces and output are those of the header. Method: K e = 20 N, D (0 - v) = -8 N; 300 kPa on
// 5 cm^2 less 250 kPa on 4 cm^2 less 100 kPa on 1 cm^2 are 150 - 100 - 10 = 40 N.
static void forces_are_those_of_spring_and_gas(void **unused)
{
    (void)unused;
    ControllerRig rig;
    rig_open(&rig, &ib_impedance_kind, "m", "V", 100, settings);
    const double y[] = {0.02, 0.2, 300e3, 250e3};
    double rate[1], u = rig_law(&rig, 0.03, 0, y, rate);
    assert_close(rig.signals[ERROR], 0.01, 1e-15);
    assert_close(rig.signals[WANTED], 3 + 20 - 8, 1e-12);
    assert_close(rig.signals[MEASURED], 40, 1e-11);
    assert_close(u, 5.25 + 0.05 * (15 - 40) + 2 * 0.2, 1e-12);
    assert_close(rig.signals[OUTPUT], u, 0);
    rig_close(&rig);
}

// Goal: a load moves it as far as docs/control/impedance.md says, with a valve that closes at its
// centre and with one that is open there. Method: F' = c u about the offset (a chamber that a valve
// fills), or c (u - (F - F00)/G), which is at rest at F = F00 + G u; m x" = F + load - 60 v: at
// rest F = L = -load, so e = (L - F0)/K, or that of L + (L - F00)/(G kf); pressures that give F;
// RK4 of the test, 0.1 ms.
static void a_load_meets_the_wanted_stiffness(void **unused)
{
    (void)unused;
    ControllerRig rig;
    rig_open(&rig, &ib_impedance_kind, "m", "V", 100, settings);
    const double loads[] = {0, -15, 25, 0, -15, 25}, G = 80, F00 = 5;
    for (int i = 0; i < 6; i++) {
        double s[3] = {0, 0, 0}, h = 1e-4; // x, v, F
        for (int n = 0; n < 60000; n++) {
            double k[4][3], at[3];
            for (int stage = 0; stage < 4; stage++) {
                double part = stage == 0 ? 0 : stage == 3 ? h : h / 2, rate[1];
                for (int j = 0; j < 3; j++) at[j] = s[j] + (stage ? part * k[stage - 1][j] : 0);
                double y[] = {at[0], at[1], (at[2] + 100 + 10) / 5e-4, 250e3};
                double u = rig_law(&rig, 0.02, 0, y, rate);
                k[stage][0] = at[1];
                k[stage][1] = (at[2] + loads[i] - 60 * at[1]) / 2;
                k[stage][2] = 800 * (u - 5.25 - (i < 3 ? 0 : (at[2] - F00) / G));
            }
            for (int j = 0; j < 3; j++)
                s[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
        }
        double L = -loads[i], wanted = i < 3 ? L : L + (L - F00) / (G * 0.05);
        assert_close(s[0], 0.02 - (wanted - 3) / 2000, 1e-9);
        assert_close(s[2], L, 1e-6);
    }
    rig_close(&rig);
}

// Goal: an angle has no such stiffness, and a ring larger than its piston is refused. Method: one
// of each.
static void impossible_cylinders_are_refused(void **unused)
{
    (void)unused;
    const Setting ring[] = {{"stiffness", "1 N/m"},
                            {"gain", "1 V/N"},
                            {"area.cap", "4 cm^2"},
                            {"area.rod", "5 cm^2"},
                            {"pressures", "cap.pressure"},
                            {"pressures", "rod.pressure"},
                            {NULL, NULL}};
    ControllerRig rig;
    assert_int_equal(rig_try(&rig, &ib_impedance_kind, "m", "V", 12, ring), IB_BAD_INPUT);
    assert_ptr_equal(strstr(rig.error.text, "area.rod: "), rig.error.text);
    rig_close(&rig);
    assert_int_equal(rig_try(&rig, &ib_impedance_kind, "rad", "V", 12, ring), IB_BAD_INPUT);
    assert_non_null(strstr(rig.error.text, "expected a position in m"));
    rig_close(&rig);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_are_those_of_spring_and_gas),
        cmocka_unit_test(a_load_meets_the_wanted_stiffness),
        cmocka_unit_test(impossible_cylinders_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
