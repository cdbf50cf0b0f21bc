// Claims about src/claims/robosim/motor*.c: the spin-up of section 4.1 against a
// second integration.
#include "claims_rig.h"

static int compute(void **state)
{
    (void)state;
    return rig_compute(&ib_motor_claims);
}

// Goal: the current begins small, and ends small. Method: L I' = V - R I - Ke w, J w' = Kt I - b w
// by the midpoint rule at 1 us, with the constants of RoboSim 4.2 and J = 1.1e-3 kg m^2 as in the
// claims; the largest current is that of samples every 0.1 ms, as there.
static void the_current_begins_and_ends_small(void **state)
{
    (void)state;
    const double R = 12 / 131.227, Kt = 2.429 / 131.227, wf = 5310 * acos(-1) / 30, L = 59e-6;
    const double Ke = (12 - 2.7 * R) / wf, b = Kt * 2.7 / wf, J = 1.1e-3, h = 1e-6;
    double I = 0, w = 0, first = 0, most = 0;
    for (int n = 1; n <= 492000; n++) {
        double Im = I + h / 2 * (12 - R * I - Ke * w) / L, wm = w + h / 2 * (Kt * I - b * w) / J;
        I += h * (12 - R * Im - Ke * wm) / L;
        w += h * (Kt * Im - b * wm) / J;
        if (n == 100) first = I;
        if (n % 100 == 0 && n <= 12000) most = fmax(most, I);
    }
    assert_claim("4.1", "'little current", first / most, 1e-6, HOLDS);
    assert_claim("4.1", "'soon it is", I / most, 1e-6, HOLDS);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_current_begins_and_ends_small)};
    return cmocka_run_group_tests(tests, compute, rig_forget);
}
