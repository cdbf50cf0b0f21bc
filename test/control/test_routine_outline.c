// test/control/test_routine_outline.c: the way of a routine by dead reckoning.
#include "cmocka_all.h"

#include "control/routine/routine_outline.h"

#include <string.h>

#define PI 3.14159265358979323846

// A whole with one repeat, and two moves in its list: ahead, and a turn.
static ib_RoutineStep steps[] = {
    {.kind = IB_STEP_SEQUENCE, .child = 1, .next = -1},
    {.kind = IB_STEP_REPEAT, .child = 2, .next = -1, .times = 4},
    {.kind = IB_STEP_SEQUENCE, .child = 3, .next = -1},
    {.kind = IB_STEP_MOVE, .child = -1, .next = 4, .move = {.kind = IB_MOVE_AHEAD, .x = 1}},
    {.kind = IB_STEP_WAIT, .child = -1, .next = 5},
    {.kind = IB_STEP_MOVE,
     .child = -1,
     .next = -1,
     .move = {.kind = IB_MOVE_AHEAD, .end = IB_MOVE_TURNS, .heading = PI / 2}},
};
static ib_WayPoint points[IB_OUTLINE_MOST];

static ib_Locomotion any_way(void)
{
    static const ib_AxisDrive axes[] = {
        {"ahead", 1, 1.5, 0.06}, {"right", -1, 1.5, 0.06}, {"turn", -1, 6, 0.06}};
    ib_Locomotion base;
    ib_locomotion_of_axes(axes, &base);
    return base;
}

// Goal: four times a metre and a quarter turn is a square that closes, with one whole turn more.
// Method: by hand: a start and 8 ends; the corners are those of the square.
static void a_square_closes(void **state)
{
    (void)state;
    ib_Locomotion base = any_way();
    ib_BasePose start = {.x = 2, .y = 3, .heading = PI / 6};
    steps[1].times = 4;
    int count = ib_routine_outline(steps, &base, &start, points, IB_OUTLINE_MOST);
    assert_int_equal(count, 9);
    assert_int_equal(points[0].step, -1);
    double x = 0, y = 0;
    for (int i = 1; i < count; i++) {
        assert_true(points[i].end);
        assert_int_equal(points[i].step, i % 2 ? 3 : 5);
        if (i % 2 == 0) x += points[i].x, y += points[i].y;
    }
    assert_close(points[8].x, 2, 1e-12);
    assert_close(points[8].y, 3, 1e-12);
    assert_close(points[8].heading, PI / 6 + 2 * PI, 1e-12);
    // The centre of the corners: half a metre ahead and to the left.
    double c = 0.8660254037844386, s = 0.5;
    assert_close(x / 4, 2 + 0.5 * c - 0.5 * s, 1e-12);
    assert_close(y / 4, 3 + 0.5 * s + 0.5 * c, 1e-12);
}

// Goal: rounds without an end, also inside each other and of turns on the spot, come to one; and a
// small room is not overrun. Method: a million rounds: so many moves as are followed; room for 5.
static void endless_rounds_end(void **state)
{
    (void)state;
    ib_Locomotion base = any_way();
    ib_BasePose start = {0};
    steps[1].times = 1000000;
    int count = ib_routine_outline(steps, &base, &start, points, IB_OUTLINE_MOST);
    assert_int_equal(count, IB_OUTLINE_MOVES + 1);
    assert_int_equal(ib_routine_outline(steps, &base, &start, points, 5), 5);
    ib_RoutineStep waits[3] = {steps[0], steps[1], steps[4]};
    waits[1].child = 2;
    waits[2].next = -1;
    assert_int_equal(ib_routine_outline(waits, &base, &start, points, IB_OUTLINE_MOST), 1);
}

// Goal: a planned path is followed point by point, and what comes behind it begins at its end.
// Method: a metre along x in 1 s, from (5, 1), then 1 m ahead with the heading that it ends with.
static void a_planned_path_is_part_of_the_way(void **state)
{
    (void)state;
    ib_PlannedSample samples[] = {{0, 5, 1, 0, 1, 0, 0}, {1, 6, 1, PI / 2, 1, 0, 0}};
    ib_PlannedPath path;
    ib_Error error;
    ib_Locomotion base = any_way();
    ib_BasePose start = {.x = 5, .y = 1};
    assert_int_equal(ib_planned_init(IB_PLANNED_ANY_DIRECTION, samples, 2, &path, &error), IB_OK);
    ib_RoutineStep list[] = {
        {.kind = IB_STEP_SEQUENCE, .child = 1, .next = -1},
        {.kind = IB_STEP_MOVE,
         .child = -1,
         .next = 2,
         .move = {.kind = IB_MOVE_PATH, .end = IB_MOVE_PLANNED, .path = &path}},
        {.kind = IB_STEP_MOVE, .child = -1, .next = -1, .move = {.kind = IB_MOVE_AHEAD, .x = 1}},
    };
    int count = ib_routine_outline(list, &base, &start, points, IB_OUTLINE_MOST);
    assert_true(count >= 20);
    for (int i = 1; i < count - 1; i++) {
        assert_true(points[i].x >= points[i - 1].x);
        assert_close(points[i].y, 1, 1e-12);
        assert_int_equal(points[i].end, i == count - 2);
    }
    assert_close(points[count - 2].x, 6, 1e-12);
    assert_close(points[count - 1].x, 6, 1e-9);
    assert_close(points[count - 1].y, 2, 1e-9);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_square_closes),
        cmocka_unit_test(endless_rounds_end),
        cmocka_unit_test(a_planned_path_is_part_of_the_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
