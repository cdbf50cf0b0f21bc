// Tables of gaits: who swings, where the body shifts.
#include "cmocka_all.h"
#include "control/leg/gait.h"

#include <math.h>

// Goal: a crawl has at most one foot in the air, each once a cycle, rl, fl, rr, fr, each for the
// same time. Method: a cycle in a thousand phases, for three duties.
static void one_foot_at_most_is_in_the_air_with(double duty)
{
    static const int order[] = {IB_LEG_RL, IB_LEG_FL, IB_LEG_RR, IB_LEG_FR};
    int in_air[IB_LEG_LEGS] = {0}, at = -1;
    ib_Gait crawl;
    ib_gait_crawl(duty, &crawl);
    for (int i = 0; i < 1000; i++) {
        double phase = (i + 0.5) / 1000;
        int count = 0;
        for (int leg = 0; leg < IB_LEG_LEGS; leg++) {
            double u = ib_gait_swing(&crawl, leg, phase);
            if (u < 0) continue;
            assert_true(u < 1);
            if (in_air[leg]++ == 0) assert_int_equal(order[++at], leg);
            count++;
        }
        assert_true(count <= 1);
    }
    assert_int_equal(at, 3);
    for (int leg = 0; leg < IB_LEG_LEGS; leg++) assert_close(in_air[leg], 1000 * (1 - duty), 1.5);
}

static void one_foot_at_most_is_in_the_air(void **state)
{
    (void)state;
    one_foot_at_most_is_in_the_air_with(IB_CRAWL_DUTY);
    one_foot_at_most_is_in_the_air_with(0.854);
    one_foot_at_most_is_in_the_air_with(0.95);
}

// Goal: the body is beside the middle, away from the foot that swings, through the whole swing.
// Method: the crawl begun in the middle; at both ends of each swing, by the leg's own side.
static void the_body_shifts_away_from_the_foot_that_swings(void **state)
{
    (void)state;
    ib_Gait crawl;
    ib_gait_crawl(0.854, &crawl);
    for (int leg = 0; leg < IB_LEG_LEGS; leg++) {
        const ib_GaitSwing *swing = &crawl.swing[leg];
        double shift[3], away = leg == IB_LEG_FL || leg == IB_LEG_RL ? -1 : 1;
        for (int end = 0; end < 2; end++) {
            ib_gait_shift(&crawl, end ? swing->end : swing->start, 0, shift);
            assert_close(shift[0], away, 1e-12);
            assert_close(shift[1], 0, 1e-9);
        }
    }
}

// Goal: speed and acceleration of the shift are the derivatives of its place. Method: central
// differences of 1e-5 in the middle of both shifts; their error is of the order of 1e-10 times the
// next but one derivative, some 1e4.
static void the_shift_has_its_derivatives(void **state)
{
    (void)state;
    ib_Gait crawl;
    ib_gait_crawl(0.854, &crawl);
    for (int i = 0; i < crawl.shifts; i++) {
        const ib_GaitShift *part = &crawl.shift[i];
        double phase = part->start + 0.3 * (part->end - part->start), h = 1e-5;
        double before[3], now[3], after[3];
        ib_gait_shift(&crawl, phase - h, 0.2, before);
        ib_gait_shift(&crawl, phase, 0.2, now);
        ib_gait_shift(&crawl, phase + h, 0.2, after);
        assert_close(now[1], (after[0] - before[0]) / (2 * h), 1e-5);
        assert_close(now[2], (after[1] - before[1]) / (2 * h), 1e-3);
    }
}

// Goal: the time until a leg swings falls to 0 at its start. Method: points before, at and behind
// the swing of rl, which is the first one.
static void swings_are_foreseen(void **state)
{
    (void)state;
    ib_Gait crawl;
    ib_gait_crawl(0.854, &crawl);
    double start = crawl.swing[IB_LEG_RL].start;
    assert_close(ib_gait_until_swing(&crawl, IB_LEG_RL, start - 0.1), 0.1, 1e-12);
    assert_close(ib_gait_until_swing(&crawl, IB_LEG_RL, start), 0, 0);
    assert_close(ib_gait_until_swing(&crawl, IB_LEG_RL, start + 0.5), 0.5, 1e-12);
}

// Goal: a trot has one diagonal pair in the air or none, each pair once a cycle for the part that
// the duty leaves, and all feet stand as a cycle begins and in its middle.
// Method: a cycle in a thousand phases, for two duties.
static void a_trot_lifts_diagonal_pairs(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        int in_air[2] = {0};
        double duty = k ? 0.7 : IB_TROT_DUTY;
        ib_Gait trot, back;
        ib_gait_make(IB_GAIT_TROT, duty, &trot);
        ib_gait_turn_round(&trot, &back);
        for (int i = 0; i < 1000; i++) {
            double phase = (i + 0.5) / 1000;
            bool up[IB_LEG_LEGS];
            for (int leg = 0; leg < IB_LEG_LEGS; leg++)
                up[leg] = ib_gait_swing(&trot, leg, phase) >= 0;
            assert_int_equal(up[IB_LEG_FL], up[IB_LEG_RR]);
            assert_int_equal(up[IB_LEG_FR], up[IB_LEG_RL]);
            assert_false(up[IB_LEG_FL] && up[IB_LEG_FR]);
            assert_int_equal(ib_gait_swing(&back, IB_LEG_RL, phase) >= 0, up[IB_LEG_FL]);
            in_air[0] += up[IB_LEG_FL];
            in_air[1] += up[IB_LEG_FR];
        }
        for (int leg = 0; leg < IB_LEG_LEGS; leg++) {
            assert_true(ib_gait_swing(&trot, leg, 0) < 0);
            assert_true(ib_gait_swing(&trot, leg, 0.5) < 0);
        }
        for (int i = 0; i < 2; i++) assert_close(in_air[i], 1000 * (1 - duty), 1.5);
    }
}

// Goal: a leg that is moved lifts in its phase for as long as before, the others when they did.
// Method: a foot of a trot to 0.25.
static void a_leg_is_moved_to_another_phase(void **state)
{
    (void)state;
    ib_Gait trot, moved;
    ib_gait_make(IB_GAIT_TROT, 0.75, &trot);
    moved = trot;
    ib_gait_move(&moved, IB_LEG_FR, 0.25);
    assert_close(moved.swing[IB_LEG_FR].start, 0.25, 0);
    assert_close(moved.swing[IB_LEG_FR].end, 0.5, 1e-12);
    assert_close(moved.swing[IB_LEG_RL].start, trot.swing[IB_LEG_RL].start, 0);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_foot_at_most_is_in_the_air),
        cmocka_unit_test(the_body_shifts_away_from_the_foot_that_swings),
        cmocka_unit_test(the_shift_has_its_derivatives),
        cmocka_unit_test(swings_are_foreseen),
        cmocka_unit_test(a_trot_lifts_diagonal_pairs),
        cmocka_unit_test(a_leg_is_moved_to_another_phase),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
