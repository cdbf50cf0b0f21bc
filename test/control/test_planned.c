// test/control/test_planned.c: a planner's samples, looked up by time.
#include "cmocka_all.h"

#include "base/maths.h"
#include "control/path/planned.h"

#include <string.h>

#define PI 3.14159265358979323846

static ib_PlannedPath path_of(ib_PlannedSample *samples, int count)
{
    ib_PlannedPath path;
    ib_Error error = {0};
    if (ib_planned_init(IB_PLANNED_ANY_DIRECTION, samples, count, &path, &error))
        fail_msg("%s", error.text);
    return path;
}

// Goal: samples on a line with a constant acceleration give that motion at every time, and its
// length. Method: x = 1 + a t^2/2, y = 2 from three samples at uneven times; a = 2 m/s^2, 3 s.
static void samples_on_a_line_give_the_line(void **state)
{
    (void)state;
    ib_PlannedSample samples[] = {
        {.t = 0, .x = 1, .y = 2, .vx = 0},
        {.t = 0.5, .x = 1.25, .y = 2, .vx = 1},
        {.t = 3, .x = 10, .y = 2, .vx = 6},
    };
    ib_PlannedPath path = path_of(samples, 3);
    assert_close(path.duration, 3, 0);
    assert_close(path.length, 9, 1e-14);
    for (double t = 0; t <= 3; t += 0.07) {
        ib_PlannedSample s = ib_planned_at(&path, t);
        assert_close(s.x, 1 + t * t, 1e-14);
        assert_close(s.vx, 2 * t, 1e-14);
        assert_close(s.y, 2, 0);
        assert_close(ib_planned_way(&path, t), t * t, 1e-14);
    }
}

// Goal: between samples of a circle the robot is on the circle, to fourth order in their distance.
// Method: radius 2 m in 2 pi s; the miss with twice the samples must fall 16-fold, +-10 %.
static void samples_on_a_circle_give_the_circle(void **state)
{
    (void)state;
    double worst[2] = {0};
    for (int k = 0; k < 2; k++) {
        ib_PlannedSample samples[41];
        int count = 20 * (k + 1);
        for (int i = 0; i <= count; i++) {
            double t = 2 * PI * i / count, c = ib_cos(t), s = ib_sin(t);
            samples[i] = (ib_PlannedSample){t, 2 * c, 2 * s, t, -2 * s, 2 * c, 1};
        }
        ib_PlannedPath path = path_of(samples, count + 1);
        assert_close(path.length, 4 * PI, 1e-3);
        for (double t = 0; t < 2 * PI; t += 0.01) {
            ib_PlannedSample at = ib_planned_at(&path, t);
            worst[k] = fmax(worst[k], fabs(sqrt(at.x * at.x + at.y * at.y) - 2));
        }
    }
    assert_close(worst[0] / worst[1], 16, 1.6);
}

// Goal: a heading that jumps by a whole turn in the file is continuous. Method: four turns at
// 3 rad/s, written between -pi and pi every 0.8 s, so that more than half a turn lies between two.
static void headings_are_continuous(void **state)
{
    (void)state;
    ib_PlannedSample samples[11];
    for (int i = 0; i < 11; i++) {
        double heading = 2.4 * i, t = 0.8 * i;
        double wrapped = heading - 2 * PI * floor(heading / (2 * PI) + 0.5);
        samples[i] = (ib_PlannedSample){.t = t, .heading = wrapped, .yaw_rate = 3};
    }
    ib_PlannedPath path = path_of(samples, 11);
    for (double t = 0; t <= 8; t += 0.01) {
        assert_close(ib_planned_at(&path, t).heading, 3 * t, 1e-12);
        assert_close(ib_planned_at(&path, t).yaw_rate, 3, 1e-12);
    }
}

// Goal: before the start and behind the end the robot stands there. Method: a path that begins and
// ends with a speed.
static void outside_its_time_it_stands(void **state)
{
    (void)state;
    ib_PlannedSample samples[] = {{.t = 0, .x = 1, .vx = 2}, {.t = 1, .x = 3, .vx = 2}};
    ib_PlannedPath path = path_of(samples, 2);
    ib_PlannedSample early = ib_planned_at(&path, -0.1), late = ib_planned_at(&path, 1.1);
    assert_close(early.x, 1, 0);
    assert_close(early.vx, 0, 0);
    assert_close(late.x, 3, 0);
    assert_close(late.vx, 0, 0);
    assert_close(ib_planned_at(&path, 1).vx, 2, 1e-15);
    assert_close(ib_planned_at(&path, NAN).x, 1, 0);
    assert_close(ib_planned_way(&path, 5), 2, 1e-15);
    assert_close(ib_planned_way(&path, -5), 0, 0);
}

static void assert_refused(ib_PlannedSample a, ib_PlannedSample b, int count, const char *words)
{
    ib_PlannedSample samples[] = {a, b};
    ib_PlannedPath path;
    ib_Error error = {0};
    assert_int_equal(ib_planned_init(IB_PLANNED_SIDES, samples, count, &path, &error),
                     IB_BAD_INPUT);
    if (!strstr(error.text, words)) fail_msg("'%s' does not say '%s'", error.text, words);
}

// Goal: what is no motion is refused with its sample. Method: one table for each rule.
static void what_is_no_motion_is_refused(void **state)
{
    (void)state;
    ib_PlannedSample start = {0}, end = {.t = 1};
    assert_refused(start, end, 1, "expected 2 to 20000 samples, got 1");
    assert_refused(start, (ib_PlannedSample){0}, 2, "sample 1: 0 s: expected times that rise");
    assert_refused((ib_PlannedSample){.t = 0.1}, end, 2, "sample 0: 0.1 s: expected times");
    assert_refused(start, (ib_PlannedSample){.t = 1, .y = NAN}, 2, "sample 1: expected finite");
    assert_refused(start, (ib_PlannedSample){.t = 4000}, 2, "expected at most 3600 s");
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_on_a_line_give_the_line),
        cmocka_unit_test(samples_on_a_circle_give_the_circle),
        cmocka_unit_test(headings_are_continuous),
        cmocka_unit_test(outside_its_time_it_stands),
        cmocka_unit_test(what_is_no_motion_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
