// Claims about src/claims/control/control*.c: the figures of the control document's claims against
// closed forms, loops written out here on the reference's matrices (D2), and reference D4 and D5.
#include "claims_rig.h"

// The drivetrain with both sides alike, of reference D2: x, v at 5 ms, and its gain.
static const double a01 = 0.00497058372128 + 1.06077176258e-06;
static const double a11 = 0.988256639207 + 0.000422639578323;
static const double b0 = 1.2530253557e-05 - 4.51849782905e-07;
static const double b1 = 0.00500224007854 - 0.000180028926531;
static const double k0 = 82.3400666636 + 0.084819010024, k1 = 15.4598799237 + 0.180142706381;

static int compute(void **state)
{
    (void)state;
    return rig_compute(&ib_control_claims);
}

// Goal: the model's motor and its two sides. Method: without a loss torque a motor that was
// measured at 4.7 A of 133 A runs free by 1/(1 - 4.7/133) too fast; B of reference D2.
static void the_model_is_the_documents(void **state)
{
    (void)state;
    assert_claim("", "modelled from its free speed", 5500 / (1 - 4.7 / 133), 1e-6, NEARLY);
    assert_claim("", "one side moves", -0.000180028926531 / 0.00500224007854, 1e-11, HOLDS);
    assert_claim("", "stable:", hypot(0.9561321131, 0.0079347031), 2e-10, HOLDS);
    assert_claim("", "controllable", 0, 0, HOLDS);
}

// Goal: the comment lacks a parenthesis, which belongs before + Q. Method: behind it the residual
// is P - (A'PA - G - Q) = 2 Q, whatever the plant.
static void the_comment_lacks_a_parenthesis(void **state)
{
    (void)state;
    assert_claim("dlqr", "the comment is a formula", 1, 0, FALSE);
    assert_claim("dlqr", "closed behind it", 2, 1e-9, FALSE);
    assert_claim("dlqr", "closed before", 0, 1e-11, HOLDS);
    assert_claim("dlqr", "J = sum", 1, 1e-9, HOLDS);
}

// When the step to 1 m stays within 1 cm: the loop of one side, written out.
static double arrival(void)
{
    double x = 0, v = 0, arrived = 0;
    for (int n = 1; n <= 400; n++) {
        double u = fmin(fmax(k0 * (1 - x) - k1 * v, -12), 12), next = x + a01 * v + b0 * u;
        v = a11 * v + b1 * u;
        x = next;
        if (fabs(x - 1) > 0.01) arrived = (n + 1) * 0.005;
    }
    return arrived;
}

// The fastest way, by trying switching times on v' = -a v + b u integrated in steps of 10 us.
static double fastest(void)
{
    const double a = 2.362590026037 - 0.085532358159, b = 1.006376515679 - 0.036433640891;
    double low = 0, high = 1, end = 0;
    for (int i = 0; i < 30; i++) {
        double on = (low + high) / 2, x = 0, v = 0, h = 1e-5;
        for (end = 0; end < on || v > 0; end += h) {
            double middle = v + h / 2 * (-a * v + (end < on ? 12 : -12) * b);
            x += h * middle;
            v += h * (-a * middle + (end < on ? 12 : -12) * b);
        }
        *(x < 1 ? &low : &high) = on;
    }
    return end;
}

// Goal: LQR is not the fastest, and what damping does. Method: as above; settling of the motion
// in continuous time, which a sample of 5 ms of 10 rad/s follows to 5 %.
static void lqr_is_predictable_and_not_the_fastest(void **state)
{
    (void)state;
    assert_claim("", "'as fast", arrival() / fastest(), 1e-3, FALSE);
    double settled[3] = {0}, dampings[3] = {0.2, 0.8, 3};
    for (int i = 0; i < 3; i++) {
        double d = dampings[i], r = 10 * sqrt(fabs(1 - d * d));
        for (double t = 0; t < 10; t += 1e-4) {
            double even = d < 1 ? cos(r * t) : cosh(r * t), odd = d < 1 ? sin(r * t) : sinh(r * t);
            if (fabs(exp(-10 * d * t) * (even + 10 * d / r * odd)) > 0.02) settled[i] = t;
        }
    }
    assert_claim("", "too much oscillation increases", settled[0] / settled[1],
                 0.05 * settled[0] / settled[1], HOLDS);
    assert_claim("", "an overdamped", settled[2] / settled[1], 0.05 * settled[2] / settled[1],
                 HOLDS);
    assert_true(rig_claim("", "too much oscillation wastes").computed > 1);
    assert_claim("", "loops run at", 1 / 0.00505, 1e-9, NEARLY);
}

// Goal: the printed Correct is biased where U reaches the output, and its P lets go. Method: the
// scalar filter written out, x' = -x + u, y = x + u/2.
static void the_printed_correct_forgets_the_input(void **state)
{
    (void)state;
    double A = exp(-0.005), B = 1 - A, Q = (1 - exp(-0.01)) / 2, R = 1e-4 / 0.005;
    double estimate = 0, P = 1, x = 0;
    for (int k = 1; k <= 1000; k++) {
        x = 1 - exp(-0.005 * k);
        estimate = A * estimate + B;
        P = A * P * A + Q;
        double K = P / (P + R);
        estimate += K * (x + 0.5 - estimate);
        P *= 1 - K;
    }
    assert_claim("HybridControlLoop", "Correct takes U", estimate - x, 1e-9, FALSE);
    assert_claim("HybridControlLoop", "a measurement with R", 0, 0, FALSE);
    ib_Judgement skew = rig_claim("HybridControlLoop", "P stays symmetric");
    assert_true(skew.computed > 0 && skew.computed < 1e-15);
    assert_int_equal(skew.verdict, IB_VERDICT_FALSE);
}

// Goal: the filter estimates, the feedback acts. Method: a plant at rest stays 1 m from its goal;
// reference D2 has 1.0000000103 m after 2 s.
static void the_filter_moves_nothing(void **state)
{
    (void)state;
    assert_claim("", "the controller minimises", 1, 1e-12, FALSE);
    assert_claim("", "the same with feedback", -1.03e-8, 5e-11, HOLDS);
    assert_true(rig_claim("", "'gyroscopes allow").computed < 1);
    assert_claim("", "it predicts", 0, 0, FALSE);
    // P0 = 1e-2 and R = 1e-8: all but R/P of the variance is gone.
    assert_close(rig_claim("", "it predicts").published, 1 - 1e-8 / 1e-2, 1e-7);
}

// Goal: text and public code differ where the reference says. Method: distances by hand.
static void the_public_code_leaves_the_texts_rule(void **state)
{
    (void)state;
    assert_claim("Polytopes", "the solution lies inside", 0, 1e-12, HOLDS);
    assert_claim("Polytopes", "also of a dot inside", 3 / sqrt(2), 1e-12, FALSE);
    assert_claim("Polytopes", "public code: line parallel", hypot(9, 3), 1e-12, FALSE);
    assert_claim("Polytopes", "public code: line along", 7, 1e-12, FALSE);
    assert_claim("Polytopes", "public code: foot", hypot(5.5, 5.5), 1e-12, FALSE);
    assert_claim("Polytopes", "public code: line misses the box, K", 24, 1e-12, FALSE);
    assert_claim("Polytopes", "public code: line misses the box:", 0, 1e-12, HOLDS);
}

// Goal: the turn keeps its radius. Method: from rest u = K_v q; the right side, 1 + 0.5 x 0.308 of
// the speed s, has 12 V first.
static void the_turn_keeps_its_radius(void **state)
{
    (void)state;
    double s = 12 / (0.180142706381 * (1 - 0.154) + 15.4598799237 * (1 + 0.154));
    assert_claim("", "a turn of constant radius", 1, 1e-12, HOLDS);
    assert_claim("", "'all while sending", s / 5.111558948, 1e-9, HOLDS);
}

// Goal: the document's unit test passes. Method: reference D5.
static void zeroing_locks_on(void **state)
{
    (void)state;
    assert_claim("", "'300 samples", 3.6045102877848523, 1e-13, HOLDS);
    assert_claim("", "position after a move to 13.55", 13.55, 1e-14, HOLDS);
    assert_claim("", "samples until zeroed", 30, 0, HOLDS);
    assert_claim("", "a slip", 1, 0, HOLDS);
}

// Goal: the arm's figures. Method: reference D1: 85.59 J become 61.4 J and 93.3 J with the printed
// row; 140/90 of the wrong G; one motor of two; 3.2026 and 2.6471 kg m^2 over alpha and gamma.
static void the_arm_is_the_references(void **state)
{
    (void)state;
    assert_claim("Derivation", "nothing drives it", 85.587162961, 1e-8, HOLDS);
    assert_claim("Derivation", "with row 1 of gravity as printed", 61.4, 0.05, FALSE);
    assert_claim("Derivation", "tau_motor has G1", 140.0 / 90, 1e-12, FALSE);
    assert_claim("Derivation", "K3 has no number", 0.5, 1e-12, FALSE);
    assert_claim("Derivation", "th'' = K1^-1", 140 * 140 * 1.634e-4 / 8.278433733129, 1e-12, FALSE);
    assert_claim("Derivation", "the same of the second joint",
                 2 * 90 * 90 * 1.634e-4 / 2.870855050067, 1e-12, FALSE);
}

// Goal: what the curvature pass costs. Method: reference D6, path B: 0.550916 s by the passes with
// cells of no length, 0.538877742 s at best; 2000 cells are short of the first by 2.4e-5 s.
static void the_curvature_pass_costs_two_per_cent(void **state)
{
    (void)state;
    assert_claim("reference D6", "an arc of 1.8 rad", 0.538877742, 1e-5, HOLDS);
    assert_claim("reference D6", "the same by the three passes", 0.550916, 5e-5, HOLDS);
    assert_claim("Arm Control", "the passes find", 0.550916 / 0.538877742 - 1, 2e-4, FALSE);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_model_is_the_documents),
        cmocka_unit_test(the_comment_lacks_a_parenthesis),
        cmocka_unit_test(lqr_is_predictable_and_not_the_fastest),
        cmocka_unit_test(the_printed_correct_forgets_the_input),
        cmocka_unit_test(the_filter_moves_nothing),
        cmocka_unit_test(the_public_code_leaves_the_texts_rule),
        cmocka_unit_test(the_turn_keeps_its_radius),
        cmocka_unit_test(zeroing_locks_on),
        cmocka_unit_test(the_arm_is_the_references),
        cmocka_unit_test(the_curvature_pass_costs_two_per_cent),
    };
    return cmocka_run_group_tests(tests, compute, rig_forget);
}
