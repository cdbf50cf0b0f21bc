// test/study/test_search_region.c: the search over several axes.
#include "search_rig.h"

enum { TASKS = IB_ROUNDS(60, 3), BUDGET = 120, SIDE = 40 };

// ------------------------------------------------------------------------------------------- tasks

static Task bowl_of(int n, Draw *at)
{
    Task task = task_random(n, at);
    task.shape = BOWL;
    return task;
}

static Task kinked_of(int n, Draw *at)
{
    Task task = task_random(n, at);
    task.shape = draw_one_of(at, 2) ? KINKED : EDGED;
    for (int i = 0; i < n; i++) task.weight[i] = draw(at, 1, 16);
    return task;
}

// The function falls towards the corner, or to a place beyond it.
static Task cornered_of(int n, Draw *at)
{
    Task task = bowl_of(n, at);
    if (draw_one_of(at, 2)) task.shape = SLOPE;
    for (int i = 0; i < n; i++) {
        task.weight[i] = draw(at, 0.05, 1);
        task.middle[i] = draw_one_of(at, 2) ? draw(at, -0.5, 0) : draw(at, 1, 1.5);
    }
    return task;
}

// The least value of the whole box lies behind the border: that of what is allowed is on it.
static Task behind_plane_of(int n, Draw *at)
{
    Task task = task_random(n, at);
    double square = 0, centre[MOST_AXES];
    task.border = STRAIGHT;
    task.known = (Known)draw_one_of(at, 3);
    for (int i = 0; i < n; i++) {
        centre[i] = draw(at, 0.2, 0.8);
        task.normal[i] = draw(at, -1, 1);
        square += task.normal[i] * task.normal[i];
    }
    for (int i = 0; i < n; i++) {
        task.normal[i] /= sqrt(square);
        task.place += task.normal[i] * centre[i];
        task.middle[i] = centre[i] + task.normal[i] * draw(at, 0, 0.4) + draw(at, -0.1, 0.1);
    }
    return task;
}

static Task behind_ball_of(int n, Draw *at)
{
    Task task = task_random(n, at);
    task.border = INSIDE;
    task.known = (Known)draw_one_of(at, 3);
    task.radius = draw(at, 0.2, 0.45);
    for (int i = 0; i < n; i++) task.ball[i] = draw(at, 0.2, 0.8);
    return task;
}

// The whole box but a ball is allowed; the function falls into it.
static Task round_ball_of(int n, Draw *at)
{
    Task task = behind_ball_of(n, at);
    task.border = OUTSIDE;
    for (int i = 0; i < n; i++) task.middle[i] = task.ball[i] + draw(at, -0.15, 0.15);
    return task;
}

static Task broken_off_of(int n, Draw *at)
{
    Task task = behind_plane_of(n, at);
    task.known = NOTHING;
    return task;
}

static Task two_valleys_of(int n, Draw *at)
{
    Task task = task_random(n, at);
    task.shape = TWO;
    task.width[0] = draw(at, 0.25, 0.4);
    task.width[1] = draw(at, 0.25, 0.4);
    task.depth = draw(at, 0.7, 1.3);
    for (int i = 0; i < n; i++)
        task.second[i] = task.middle[i] + (task.middle[i] < 0.5 ? 1 : -1) * draw(at, 0.3, 0.5);
    return task;
}

static Task smooth_2(Draw *at)
{
    return task_random(2, at);
}
static Task bowl_2(Draw *at)
{
    return bowl_of(2, at);
}
static Task kinked_2(Draw *at)
{
    return kinked_of(2, at);
}
static Task cornered_2(Draw *at)
{
    return cornered_of(2, at);
}
static Task behind_plane_2(Draw *at)
{
    return behind_plane_of(2, at);
}
static Task behind_ball_2(Draw *at)
{
    return behind_ball_of(2, at);
}
static Task round_ball_2(Draw *at)
{
    return round_ball_of(2, at);
}
static Task broken_off_2(Draw *at)
{
    return broken_off_of(2, at);
}
static Task two_valleys_2(Draw *at)
{
    return two_valleys_of(2, at);
}
static Task bowl_3(Draw *at)
{
    return bowl_of(3, at);
}
static Task behind_plane_3(Draw *at)
{
    return behind_plane_of(3, at);
}
static Task bowl_4(Draw *at)
{
    return bowl_of(4, at);
}
static Task behind_plane_4(Draw *at)
{
    return behind_plane_of(4, at);
}

// ------------------------------------------------------------------------------------------- tests

// A few sanitized tasks make no share.
static void assert_share(Share share, double least)
{
    (void)least;
    assert_true(share.met >= IB_ROUNDS(least, 0));
}

static Share share_of(Task (*make)(Draw *at))
{
    return task_share(make, TASKS, SIDE, BUDGET);
}

// Goal: two axes need at most 120 points. Method: families of random tasks, turned, of condition 1
// to 100 and sizes from 1e-6 to 1e6, against a grid of 40 x 40.
static void two_axes_are_searched(void **state)
{
    (void)state;
    assert_share(share_of(smooth_2), 0.99);
    assert_share(share_of(kinked_2), 0.99);
    assert_share(share_of(cornered_2), 0.99);
}

// Goal: the best point on a straight or round border is found. Method: as above.
static void borders_of_two_axes_are_followed(void **state)
{
    (void)state;
    assert_share(share_of(behind_plane_2), 0.99);
    assert_share(share_of(behind_ball_2), 0.99);
}

// Goal: most of what has two valleys or a border without a measure is found, too.
static void hard_tasks_are_mostly_met(void **state)
{
    (void)state;
    assert_share(task_share(round_ball_2, TASKS / 2, SIDE, BUDGET), 0.9);
    assert_share(task_share(broken_off_2, TASKS / 2, SIDE, BUDGET), 0.9);
    assert_share(task_share(two_valleys_2, TASKS / 2, SIDE, BUDGET), 0.9);
}

// Goal: a bowl ends the search early: its model is exact. Method: mean number of points.
static void bowls_end_early(void **state)
{
    (void)state;
    Share share = task_share(bowl_2, TASKS, SIDE, BUDGET);
    assert_true(share.met == 1 && share.points < 60);
}

// Goal: three and four axes need 60 points each. Method: grids that are coarser, as 20^3 and 10^4
// points are what a test can afford: their least is up to 1 % of the spread above the true one.
static void more_axes_are_searched(void **state)
{
    (void)state;
    assert_share(task_share(bowl_3, TASKS / 4 + 1, 20, 180), 1);
    assert_share(task_share(behind_plane_3, TASKS / 4 + 1, 20, 180), 0.9);
    assert_share(task_share(bowl_4, TASKS / 4 + 1, 10, 240), 1);
    assert_share(task_share(behind_plane_4, TASKS / 4 + 1, 10, 240), 0.9);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(two_axes_are_searched, chance_fix, chance_free),
        cmocka_unit_test_setup_teardown(borders_of_two_axes_are_followed, chance_fix, chance_free),
        cmocka_unit_test_setup_teardown(hard_tasks_are_mostly_met, chance_fix, chance_free),
        cmocka_unit_test_setup_teardown(bowls_end_early, chance_fix, chance_free),
        cmocka_unit_test_setup_teardown(more_axes_are_searched, chance_fix, chance_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
