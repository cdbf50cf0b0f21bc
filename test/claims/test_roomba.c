// Claims about src/claims/roomba/roomba*.c: the figures of the Roomba document's claims against
// closed forms, numbers worked out by hand, and reference A1 to A3, which another program solved.
#include "claims_rig.h"

static const double m = 2.7, kd = 3.4, F = 2.7;

static int compute(void **state)
{
    (void)state;
    return rig_compute(&ib_roomba_claims);
}

// Goal: the sentences about the straight line. Method: v = vt tanh(t/tau), vt = sqrt(F/kd),
// tau = m vt/(2 F); 1e-8 is what event location and dopri5 at 1e-12 keep with room to spare.
static void straight_line_follows_its_closed_form(void **state)
{
    (void)state;
    double vt = sqrt(F / kd), tau = m * vt / (2 * F), v = vt * tanh(2 / tau);
    assert_claim("", "the arrows get larger quickly", tau * atanh(0.95), 1e-8, HOLDS);
    assert_claim("", "not slowed at all", 2 * (F - kd * v * v) / m, 1e-8, HOLDS);
    assert_claim("", "it must overcome friction at first: drag", 0, 0, FALSE);
    assert_close(rig_claim("", "it must overcome friction at first: drag").published,
                 kd * v * v / F, 1e-8);
    double little = sqrt(1e-3 / kd);
    assert_claim("", "it must overcome friction at first: 1 mN",
                 little * tanh(2 * 1e-3 / (m * little)), 1e-9, FALSE);
}

// Goal: the sentences about the tight circle. Method: reference A2, ten digits; the largest x of
// 10 ms samples may miss the true one by x''/2 (5 ms)^2, x'' < 1.4 m/s^2.
static void tight_circle_is_the_references(void **state)
{
    (void)state;
    assert_claim("", "that is the largest x", 0.096772175637, 1.8e-5, HOLDS);
    assert_claim("", "turning right", -6.0369827751, 1e-8, HOLDS);
    assert_claim("", "it can only move forward", 0.037721131035, 1e-9, FALSE);
    // At 2.07 s; the reference has 0.31998 m/s at 2 s and 0.32209 m/s at 3 s, slowly rising.
    ib_Judgement share = rig_claim("", "the speed grows");
    assert_true(share.computed > hypot(0.29900913559, 0.11394066969) / 0.32278869034);
    assert_true(share.computed < hypot(0.31500985279, 0.067164101743) / 0.32278869034);
}

// Goal: the circle of the schedule does not close and what follows is not 2 m. Method: the rows
// of reference A3 at 2.4, 10.6665, 11.84589 and 18 s.
static void the_schedules_circle_does_not_close(void **state)
{
    (void)state;
    double back = hypot(1.9098024401 - 1.8635068118, 0.025064882622);
    assert_close(back, 0.053, 5e-4); // 53 mm
    assert_claim("", "returns to where it started", back, 1e-8, FALSE);
    double rest = hypot(3.9985540644 - 1.9098024401, -0.031352124698 - 0.025064882622);
    assert_claim("", "'2 additional meters'", rest, 1e-8, NEARLY);
    assert_claim("", "height of the circle", 2.0133686112, 1e-8, HOLDS);
    assert_claim("", "counter-clockwise", 0.76154458992, 1e-8, HOLDS);
    double course = atan2(-0.11201758801, 0.75294750043) - (6.1722421392 - 2 * acos(-1));
    assert_claim("", "arrows tangent", course * 180 / acos(-1), 1e-6, NEARLY);
    double last = hypot(0.060148249908, 0.0012038179764);
    assert_claim("", "arrows get smaller", last / hypot(0.89023551756, 0.016601962549), 1e-8,
                 HOLDS);
    // Coasting on: s = m/(2 kd) ln(1 + 2 kd v t/m), along a heading 0.0168 rad off x.
    double way = (4 - 3.9985540644) / cos(0.0167927870);
    double t = (exp(2 * kd * way / m) - 1) * m / (2 * kd * last);
    assert_claim("", "complete in 'approximately 18", 18 + t, 1e-5, HOLDS);
}

// Goal: equations (1), (2), (4)-(10), (12), (13) are right. Method: the state of the claims worked
// out apart, in the robot's frame with complex numbers, to 15 digits; both sides of each claim.
static void the_other_equations_are_right(void **state)
{
    (void)state;
    static const struct {
        const char *where, *begin;
        double value;
    } expected[] = {
        {"(1)", "x''", -113.66747160386579},       {"(2)", "y''", 134.08644897552583},
        {"(4)", "velocity", -0.48713973108042297}, {"(5)", "speed", -0.08532843125751191},
        {"(6)", "speed", 0.31067156874248814},     {"(7)", "moment", 0.03675375},
        {"(8)", "force", 237.3051175971068},       {"(9)", "drag", -0.328157200324723},
        {"(10)", "drag", 0.024755200014950983},    {"(12)", "x''", -113.66747160386579},
        {"(13)", "y''", 134.08644897552583},       {"Appendix", "x''", -113.66747160386579},
        {"Appendix", "y''", 134.08644897552583},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        ib_Judgement judgement = rig_claim(expected[i].where, expected[i].begin);
        double allowed = 1e-13 * fmax(1, fabs(expected[i].value));
        assert_close(judgement.computed, expected[i].value, allowed);
        assert_close(judgement.published, expected[i].value, allowed);
        assert_int_equal(judgement.verdict, IB_VERDICT_HOLDS);
    }
    // Of the six powers the least is lost by the left wheel, kd |vl|^3.
    assert_claim("", "the bars let", -kd * pow(0.08532843125751191, 3), 1e-13, HOLDS);
    assert_claim("", "F_n is the same", 1, 1e-12, HOLDS);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(straight_line_follows_its_closed_form),
        cmocka_unit_test(tight_circle_is_the_references),
        cmocka_unit_test(the_schedules_circle_does_not_close),
        cmocka_unit_test(the_other_equations_are_right),
    };
    return cmocka_run_group_tests(tests, compute, rig_forget);
}
