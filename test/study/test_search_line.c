// test/study/test_search_line.c: the search along one axis.
#include "search_rig.h"

enum { TASKS = IB_ROUNDS(100, 5), BUDGET = 40, SCAN = 200 };

static Share share_of(Task (*make)(Draw *at))
{
    return task_share(make, TASKS, SCAN, BUDGET);
}

static void assert_all_met(Task (*make)(Draw *at))
{
    assert_true(share_of(make).met == 1);
}

// Tasks all met, by a mean of at most so many points.
static void assert_met_early(Task (*make)(Draw *at), double points)
{
    Share share = share_of(make);
    assert_true(share.met == 1);
    assert_true(share.points <= points);
}

static Task smooth(Draw *at)
{
    return task_random(1, at);
}

static Task at_an_end(Draw *at)
{
    Task task = task_random(1, at);
    task.middle[0] = draw(at, -0.6, 0.6);
    task.middle[0] += task.middle[0] > 0 ? 0.7 : -0.1;
    task.middle[0] = ib_max(-0.2, ib_min(task.middle[0], 1.2));
    return task;
}

static Task kinked(Draw *at)
{
    Task task = task_random(1, at);
    task.shape = KINKED;
    task.lean = draw(at, 0.2, 5);
    return task;
}

static Task with_steps(Draw *at)
{
    Task task = draw_one_of(at, 2) ? smooth(at) : kinked(at);
    task.steps = 3 + draw_one_of(at, 40);
    return task;
}

static Task shallow(Draw *at)
{
    Task task = smooth(at);
    task.offset = 100 * task.size;
    return task;
}

static Task steep(Draw *at)
{
    Task task = smooth(at);
    task.shape = WALL;
    task.weight[0] = draw(at, 0, 2);
    return task;
}

static Task with_noise(Draw *at)
{
    Task task = draw_one_of(at, 2) ? smooth(at) : kinked(at);
    task.noise = 1e-3;
    return task;
}

static Task two_valleys(Draw *at)
{
    Task task = smooth(at);
    task.shape = TWO;
    task.middle[0] = draw(at, 0, 1);
    task.second[0] = task.middle[0] + (task.middle[0] < 0.5 ? 1 : -1) * draw(at, 0.3, 0.5);
    task.width[0] = draw(at, 0.1, 0.3);
    task.width[1] = draw(at, 0.1, 0.3);
    task.depth = draw(at, 0.7, 1.3);
    return task;
}

// The least value lies near the border of what is allowed, on either side.
static Task cut(Draw *at)
{
    Task task = draw_one_of(at, 2) ? smooth(at) : kinked(at);
    double barred = draw(at, 0.1, 0.9);
    task.border = STRAIGHT;
    task.known = (Known)draw_one_of(at, 4);
    task.normal[0] = draw_one_of(at, 2) ? 1 : -1;
    task.place = task.normal[0] > 0 ? 1 - barred : -barred;
    task.middle[0] = task.normal[0] * (task.place + draw(at, -0.05, 0.5));
    return task;
}

// A tenth or more is allowed, between two borders.
static Task window(Draw *at)
{
    Task task = cut(at);
    task.border = INSIDE;
    task.radius = draw(at, 0.05, 0.3);
    task.ball[0] = draw(at, task.radius, 1 - task.radius);
    task.middle[0] = draw(at, 0, 1);
    return task;
}

static Task constant(Draw *at)
{
    Task task = smooth(at);
    task.shape = FLAT;
    return task;
}

// Goal: single valleys are always found, in at most 40 points. Method: families of random tasks of
// sizes from 1e-6 to 1e6, against a scan of 200 points.
static void single_valleys_are_found(void **state)
{
    (void)state;
    assert_all_met(kinked);
    assert_all_met(with_noise);
}

// Goal: of smooth valleys the search knows when it is done. Method: mean number of points.
static void smooth_valleys_end_early(void **state)
{
    (void)state;
    assert_met_early(smooth, 36);
    assert_met_early(at_an_end, 36);
    assert_met_early(shallow, 36);
    assert_met_early(steep, 36);
    assert_met_early(constant, 20);
}

// Goal: the best point at a border is found whatever is known of what lies behind it.
static void borders_are_found(void **state)
{
    (void)state;
    assert_all_met(cut);
    assert_all_met(window);
}

// Goal: the deeper one of two valleys and the lowest stair are found, but for few: a valley or
// a stair narrower than the first points' distance of a tenth may lie between them.
static void what_is_not_narrow_is_found(void **state)
{
    (void)state;
    assert_true(share_of(two_valleys).met >= 0.98);
    assert_true(share_of(with_steps).met >= 0.98);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(single_valleys_are_found, chance_fix, chance_free),
        cmocka_unit_test_setup_teardown(smooth_valleys_end_early, chance_fix, chance_free),
        cmocka_unit_test_setup_teardown(borders_are_found, chance_fix, chance_free),
        cmocka_unit_test_setup_teardown(what_is_not_narrow_is_found, chance_fix, chance_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
