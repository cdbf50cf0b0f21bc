// Claims about src/claims/thesis/cylinder*.c: the figures of the thesis's claims against closed
// forms, numbers worked out by hand, and reference A1 to A7, which other programs solved.
#include "claims_rig.h"

#include "claims/thesis/cylinder_run.h"

#include <stdlib.h>

static const double C1 = 0.156173761889, C2 = 0.040418419894, lbf = 4.4482216152605;
static const double Ps = 65, Pe = 15.7; // [psi]

static int compute(void **state)
{
    (void)state;
    return rig_compute(&ib_cylinder_claims);
}

// Goal: section 4.1's flows. Method: reference A1, A2; out of 300 kPa it is choked, C2 P/sqrt(T).
static void flow_goes_down_the_pressure(void **state)
{
    (void)state;
    double choked = C2 * 300e3 / sqrt(298);
    assert_claim("4.1.2", "charging", 1001.9109307832, 1e-8, UNKNOWN);
    assert_claim("4.1.3", "discharging", choked, choked * 1e-11, UNKNOWN);
    assert_true(isnan(rig_claim("4.1.2", "charging").published));
    assert_claim("4.1.4, B.1.1", "critical", 0.528, 0, HOLDS);
    assert_claim("4.1.4", "choked and unchoked", -1.742e-7, 5e-11, FALSE);
    assert_claim("reference A2", "the same at the exact", 0, 1e-12, HOLDS);
    assert_claim("4.1.6", "choked flow", 234.1376199123, 1e-9, UNKNOWN);
    assert_claim("4.1.8", "R is", C1, 1e-12, FALSE);
    assert_close(rig_claim("4.1.8", "R is").published, C1 * sqrt(287 / 8.314), 1e-11);
}

// Goal: 4.1.10 and 4.1.11. Method: P V^k of a closed chamber; reference A6; 350 K over 298 K; an
// atmosphere on the rod side's area.
static void the_printed_factor_makes_energy(void **state)
{
    (void)state;
    double factor = 1.4 * 287 / 1012 + 1;
    assert_claim("4.1.10", "factor", 1.4, 1e-15, FALSE);
    assert_close(rig_claim("4.1.10", "factor").published, factor, 1e-12);
    assert_claim("4.1.10", "a closed volume", pow(2, 1.4), 1e-9, FALSE);
    assert_close(rig_claim("4.1.10", "a closed volume").published, pow(2, factor), 1e-9);
    assert_claim("4.1.10", "the balance", 0.0599660955, 1e-7, FALSE);
    assert_claim("reference A6", "the same with", 0, 1e-9, HOLDS);
    assert_close(rig_claim("4.1.10", "T is").published, 350.0 / 298, 1e-12);
    assert_claim("4.1, 4.3", "'a nonlinear", 6, 0, FALSE);
    assert_claim("4.1.11", "P_atm", 0, 1e-9, FALSE);
    assert_close(rig_claim("4.1.11", "P_atm").published, -101352.972 * 4.895195008268e-04, 1e-9);
    assert_claim("B.1.1", "the cap starts", 14, 1e-12, FALSE);
}

// The law as 4.2.6 has it, in lbf and m/s, and the speed at which it carries 0.2 kg.
static double creep(void)
{
    double low = 0, high = 0.05;
    for (int i = 0; i < 100; i++) {
        double v = (low + high) / 2;
        double F = (3 + 1.5 * exp(-pow(v / 0.1, 5))) * tanh(40 * v) + 0.5 * v;
        *(F * lbf < 0.2 * 9.81 ? &low : &high) = v;
    }
    return low;
}

// Goal: section 4.2.2. Method: each formula by hand with F_S 4.5, F_C 3, C_V 0.5; reference A3.
static void friction_opposes_motion(void **state)
{
    (void)state;
    assert_claim("4.2.1", "Coulomb", -3, 1e-12, FALSE);
    assert_close(rig_claim("4.2.1", "Coulomb").published, -10, 0);
    assert_claim("4.2.4", "F_S - F_Cyl", 4.5, 1e-12, FALSE);
    assert_close(rig_claim("4.2.4", "F_S - F_Cyl").published, -1.5, 1e-12);
    assert_claim("4.2.4", "F_C sign(v)", 8, 1e-12, FALSE);
    assert_claim("4.2.2", "LuGre", 0, 1e-6, FALSE);
    assert_close(rig_claim("4.2.2", "LuGre").published, 9, 1e-6);
    assert_claim("4.2.2.3", "'F_S", 4.349627, 1e-6, NEARLY);
    assert_claim("reference A3", "where that is", 0.057409, 1e-6, HOLDS);
    assert_claim("4.4.2", "'the velocity", 1e3 * creep(), 1e-9, HOLDS);
    assert_claim("Figure 16", "the largest friction", 4.349627, 0.01, HOLDS);
}

static double polynomial(const double c[5], double x)
{
    return (((c[0] * x + c[1]) * x + c[2]) * x + c[3]) * x + c[4];
}

// Goal: section 4.2.3's areas. Method: rows of reference A1. The pressure of a chamber with a fixed
// rod is a function of area x time, so that half of the change takes times as the areas' inverse.
static void areas_are_not_mirror_images(void **state)
{
    (void)state;
    static const double one[] = {6.5307870266e-09, 6.3968172792e-08, 1.4896590625e-07,
                                 -1.9279139516e-07, 1.4188897369e-08};
    static const double two[] = {1.3206433010e-08, -1.3024620985e-07, 3.6081938894e-07,
                                 -4.3290139303e-08, 1.4178081771e-08};
    assert_claim("4.2.3, Figure 17", "ports switched", 1, 1e-6, HOLDS);
    // 1e-3: the half is found between samples of 1 ms by a straight line.
    assert_claim("4.2.3, Figure 17", "the same of the time",
                 polynomial(two, 0.5) / polynomial(one, -0.5), 1e-3, FALSE);
    assert_claim("4.2.3.1", "the fits 'include", 1.4188897369e-08 / 4.3778973626e-09, 1e-8, FALSE);
    assert_claim("4.2.3.1", "port 2 likewise", 1.8682564560e-08 / 1.4178081771e-08, 1e-8, FALSE);
    assert_claim("4.2.3.1", "'good correlation", 100 * (6.30319204e-08 / 4.2e-08 - 1), 1e-6, FALSE);
    assert_claim("4.2.3.1", "largest error of port 2", 100 * (7.90551283e-08 / 6.6e-08 - 1), 1e-6,
                 FALSE);
    assert_claim("Figure 24", "a port opens", 0.062, 5e-4, FALSE);
    assert_claim("B.2", "both ports", 0, 1e-9, HOLDS);
    assert_claim("4.2.7-4.2.11", "input pressures", 0, 1e-8, HOLDS);
    assert_claim("reference A1", "centred voltage", 0.229230162, 5e-10, HOLDS);
}

// Psi over P_u, r = P_d/P_u [4.1.5, 4.1.6], but for a factor.
static double share(double r)
{
    if (r <= 0.528281787717) return C2;
    return C1 * pow(r, 1 / 1.4) * sqrt(1 - pow(r, 0.4 / 1.4));
}

// Goal: method (3). Method: at the offset as much comes through one edge as leaves through its
// like; and the edges that would give tanh's 24.18 psi. Parameters and distances of (1) and (2)
// have no closed form: they are better than nothing, and alike within the band.
static void alike_edges_cannot_give_figure_23(void **state)
{
    (void)state;
    double low = Pe, high = Ps, P = 24.184672905;
    for (int i = 0; i < 100; i++) {
        double middle = (low + high) / 2;
        *(Ps * share(middle / Ps) > middle * share(Pe / middle) ? &low : &high) = middle;
    }
    assert_claim("4.2.3, (3)", "(3) at the offset", low, 1e-6, FALSE);
    assert_claim("4.2.3, (3)", "(3) the exhaust's", Ps * share(P / Ps) / (P * share(Pe / P)), 1e-6,
                 HOLDS);
    assert_claim("4.2.3, (4)", "(4) the input", 0, 1e-9, HOLDS);
    double none = rig_claim("4.2.3", "'many").computed;
    assert_true(rig_claim("4.2.3, (1)", "(1) a constant").computed < none);
    assert_true(rig_claim("4.2.3, (3)", "(3) four").computed < none);
}

// Goal: section 4.3. Method: reference A4 and A5; arithmetic.
static void responses_are_the_references(void **state)
{
    (void)state;
    assert_claim("Figure 25", "step of 0.75 V: it meets", 6.5804610993, 1e-6, HOLDS);
    assert_claim("Figure 26", "step of 1.25 V: it meets", 5.4999887645, 1e-5, HOLDS);
    assert_claim("reference A4", "the same with", 5.500275111, 1e-5, HOLDS);
    assert_claim("4.3; reference A5", "'the average tau", 0.082003, 5e-6, HOLDS);
    assert_claim("reference A5", "overshoot", -0.468, 2e-3, HOLDS);
    assert_claim("reference A5", "x at 3 s", 29.8276185, 1e-3, HOLDS);
    assert_claim("4.3", "time constants of", 100 * 3.0 / 85, 1e-9, FALSE);
    assert_claim("4.3.1", "K_0", 1 - exp(-1 / 0.082), 1e-12, FALSE);
    assert_close(rig_claim("4.3.1", "K_0").published, 1 - exp(1 / 0.082), 1e-5);
    assert_claim("4.3", "0.052 in are 'less", 100 * 0.052 / 1.75, 1e-12, HOLDS);
    // Within its layer a sliding mode is a PVA: kp = k/phi, kv = 2 k/(w phi), ka = k/(w^2 phi).
    assert_claim("2.1.1", "the same over a PVA", 1, 1e-3, FALSE);
    assert_int_equal(rig_claim("4.3, Figure 28", "RMSE").verdict, IB_VERDICT_UNKNOWN);
    assert_int_equal(rig_claim("5.5.3, Figure 46", "RMSE").verdict, IB_VERDICT_UNKNOWN);
    assert_int_equal(rig_claim("5.5.3, Figure 48", "RMSE").verdict, IB_VERDICT_UNKNOWN);
}

// Goal: sections 5.5.3 and 5.5.4. Method: stability intervals on the real axis, 2, 2.7852936 and
// 3.3065679; the rows of Table 3 by hand.
static void steps_and_times(void **state)
{
    (void)state;
    double slope = (4.5 * 40 + 0.5) * lbf, lambda = slope / 0.2;
    assert_claim("reference A7", "eigenvalue", -lambda, 1e-6 * lambda, HOLDS);
    assert_claim("5.5.4, 6.6.3", "ode5", 3306.5679 / lambda, 1e-6, FALSE);
    assert_claim("reference A7", "the same of RK4", 2785.2936 / lambda, 1e-6, HOLDS);
    assert_claim("reference A7", "the same of Euler", 2000 / lambda, 1e-6, HOLDS);
    assert_claim("Table 3", "viscous friction", 3.3255 - 3.7498, 1e-12, FALSE);
    assert_claim("5.5.3", "standard deviations", 100 * 0.0205 / 3.3255, 1e-9, FALSE);
    assert_claim("5.5.3", "removing parts", (0.4770 + 0.2973) / 0.9027, 1e-12, HOLDS);
}

// Goal: what ode5 makes up at rest is what reference A7 saw: at 1 ms 13.3 mm/s of a rod that
// stands, at 640 Hz 0.09 m/s and tenths of a millimetre; and that rod is not where it belongs.
// Method: its numbers; how far a chatter goes is chance, 0.3 mm to 2 mm in a second.
static void long_steps_make_up_motion(void **state)
{
    (void)state;
    assert_claim("5.5.4", "a rod at rest", 0.0133, 5e-4, FALSE);
    assert_claim("5.5.4", "'as slowly as 640 Hz", 0.09, 5e-3, FALSE);
    assert_int_equal(rig_claim("reference A7", "way of the rod").verdict, IB_VERDICT_HOLDS);
    assert_claim("5.5.4; reference A7", "way of the rod", 1.15, 0.85, FALSE);
    assert_int_equal(rig_claim("5.5.4", "where it then stands").verdict, IB_VERDICT_FALSE);
    assert_claim("reference A7", "where it stands at 0.5 ms", 0, 0.01, HOLDS);
}

// Goal: Table 3 of this program is there: every row took time, and says what the thesis saved by
// it. Method: the cells; what a clock shows is nobody's claim.
static void own_costs_are_shown(void **state)
{
    (void)state;
    const ib_ClaimTable *table = ib_cylinder_claims.tables[1];
    const char *const thesis[] = {"", "11.3 %", "24.1 %", "12.7 %", "7.9 %", ""};
    char text[80];
    for (int row = 0; row < 6; row++) {
        assert_true(table->cell(rig_findings, row, 1, text, sizeof text));
        assert_true(strtod(text, NULL) > 0);
        assert_true(table->cell(rig_findings, row, 3, text, sizeof text));
        assert_string_equal(text, thesis[row]);
    }
    assert_false(table->cell(rig_findings, 6, 0, text, sizeof text));
    assert_null(ib_cylinder_claims.tables[2]);
}

// Goal: a group whose columns are other ones says so. Method: the loop of reference A5, once for
// each unit of friction's velocity, beside a group that has the document's own.
static void columns_have_their_names(void **state)
{
    (void)state;
    int other = 0;
    for (int i = 0; i < rig_findings->group_count; i++) {
        bool units = strcmp(ib_findings_form(rig_findings, i, 0), "m/s") == 0;
        assert_string_equal(ib_findings_form(rig_findings, i, 1), units ? "in/s" : "published");
        assert_null(ib_findings_form(rig_findings, i, 2));
        other += units;
    }
    assert_int_equal(other, 1);
}

// Goal: the fit of 4.3.1 finds what it is given. Method: an exact first order, and a constant more
// that oscillates fast, which only R^2 sees.
static void first_order_is_found(void **state)
{
    (void)state;
    enum { COUNT = 1001 };
    double y[COUNT];
    for (int i = 0; i < COUNT; i++) y[i] = 30 - 20 * exp(-i * 1e-3 / 0.082);
    ib__FirstOrder fit = ib__rig_first_order(y, COUNT, 1e-3);
    assert_close(fit.tau, 0.082, 1e-7); // the least of a square is flat
    assert_close(fit.K, 30, 1e-5);
    assert_close(fit.A, 20, 1e-5);
    assert_close(fit.square, 1, 1e-12);
    for (int i = 0; i < COUNT; i++) y[i] += i % 2 ? 1 : -1;
    fit = ib__rig_first_order(y, COUNT, 1e-3);
    assert_close(fit.tau, 0.082, 1e-3);
    assert_true(fit.square < 0.95 && fit.square > 0.85);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flow_goes_down_the_pressure),
        cmocka_unit_test(the_printed_factor_makes_energy),
        cmocka_unit_test(friction_opposes_motion),
        cmocka_unit_test(areas_are_not_mirror_images),
        cmocka_unit_test(alike_edges_cannot_give_figure_23),
        cmocka_unit_test(responses_are_the_references),
        cmocka_unit_test(steps_and_times),
        cmocka_unit_test(long_steps_make_up_motion),
        cmocka_unit_test(own_costs_are_shown),
        cmocka_unit_test(columns_have_their_names),
        cmocka_unit_test(first_order_is_found),
    };
    return cmocka_run_group_tests(tests, compute, rig_forget);
}
