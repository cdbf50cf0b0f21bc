// test/control/test_routine_tell.c: how a routine counts its steps, names them, and tells of them.
#include "cmocka_all.h"

#include "control/routine/routine_tell.h"

#include <string.h>

#define PERIOD 0.02

// wait; repeat 2: [wait, timeout 0.1 s: [until]]; drive
static const ib_RoutineStep steps[] = {
    {.kind = IB_STEP_SEQUENCE, .child = 1, .next = -1, .timeout = INFINITY},
    {.kind = IB_STEP_WAIT,
     .child = -1,
     .next = 2,
     .label = "wait 40 ms",
     .line = 3,
     .timeout = INFINITY,
     .time = 0.04},
    {.kind = IB_STEP_REPEAT,
     .child = 3,
     .next = 7,
     .label = "repeat",
     .line = 4,
     .timeout = INFINITY,
     .times = 2},
    {.kind = IB_STEP_SEQUENCE, .child = 4, .next = -1, .label = "steps", .timeout = INFINITY},
    {.kind = IB_STEP_WAIT, .child = -1, .next = 5, .label = "wait 0 s", .timeout = INFINITY},
    {.kind = IB_STEP_SEQUENCE, .child = 6, .next = -1, .label = "timeout", .timeout = 0.1},
    {.kind = IB_STEP_UNTIL,
     .child = -1,
     .next = -1,
     .label = "until x >= 1",
     .line = 8,
     .timeout = INFINITY,
     .value = 1},
    {.kind = IB_STEP_MOVE,
     .child = -1,
     .next = -1,
     .label = "drive to",
     .line = 9,
     .timeout = INFINITY,
     .move = {.kind = IB_MOVE_TO,
              .x = 1,
              .speed = 1,
              .acceleration = 2,
              .turn_speed = 3,
              .turn_quickness = 8,
              .near = 0.01,
              .near_angle = 0.02}},
};
enum { COUNT = sizeof steps / sizeof steps[0] };

typedef struct Desk {
    ib_Arena arena;
    ib_RoutineTale tale;
    ib_RoutineConfig config;
    ib_Locomotion base;
    ib_BasePose pose;
    double state[400];
} Desk;

static void open_desk(Desk *desk)
{
    static const ib_AxisDrive axes[] = {
        {"ahead", 1, 1.5, 0.06}, {"right", -1, 1.5, 0.06}, {"turn", -1, 6, 0.06}};
    ib_Error error;
    *desk =
        (Desk){.config = {.period = PERIOD, .count = COUNT, .steps = steps, .reading_count = 1}};
    ib_locomotion_of_axes(axes, &desk->base);
    assert_int_equal(ib_routine_check(&desk->config, &error), IB_OK);
    assert_in_range(ib_routine_state_count(&desk->config), 1, 400);
    ib_routine_reset(&desk->config, desk->state);
    assert_int_equal(ib_routine_tale_init(steps, COUNT, &desk->arena, &desk->tale, &error), IB_OK);
}

static void tick(Desk *desk, int times)
{
    ib_AxisMotion motion;
    for (int i = 0; i < times; i++)
        ib_routine_tick(&desk->config, &desk->base, &desk->pose, &(double){0}, desk->state,
                        &motion);
}

static ib_ControlStep told(const Desk *desk, int number)
{
    ib_ControlStep step;
    ib_routine_tell(&desk->tale, &desk->config, &desk->base, &desk->pose, desk->state, number - 1,
                    &step);
    return step;
}

// Goal: steps are counted as a person sees them: neither the whole nor the list inside a repeat is
// one, and each knows how deep it stands. Method: by hand.
static void steps_are_counted_as_in_the_file(void **state)
{
    (void)state;
    static const struct {
        const char *label;
        int depth;
    } known[] = {{"wait 40 ms", 0}, {"repeat", 0},       {"wait 0 s", 1},
                 {"timeout", 1},    {"until x >= 1", 2}, {"drive to", 0}};
    static const int numbers[COUNT] = {0, 1, 2, 2, 3, 4, 5, 6};
    Desk desk;
    open_desk(&desk);
    assert_int_equal(desk.tale.count, 6);
    for (int i = 0; i < COUNT; i++) assert_int_equal(desk.tale.number[i], numbers[i]);
    for (int i = 1; i <= 6; i++) {
        ib_ControlStep step = told(&desk, i);
        assert_int_equal(step.number, i);
        assert_int_equal(step.depth, known[i - 1].depth);
        assert_string_equal(step.label, known[i - 1].label);
        assert_int_equal(step.outcome, IB_STEP_IDLE);
    }
    assert_int_equal(ib_mode_count(&desk.tale.current), 7);
    assert_string_equal(ib_mode_meaning(&desk.tale.current, 6).text, "step 6: drive to");
    assert_string_equal(ib_mode_meaning(&desk.tale.late, 4).text,
                        "step 4: timeout has no more time");
    assert_int_equal(ib_mode_meaning(&desk.tale.late, 4).level, IB_MODE_WARNING);
    ib_arena_reset(&desk.arena);
}

// Goal: a row tells what the step does and did, of the last round until the next begins; late is
// the one whose time was out, and what it stopped is stopped. Method: by periods: the wait of two
// ends in tick 3, in which the first round begins; its 0.1 s are out 5 periods later, in tick 8 by
// the half period of rounding; the second round begins in tick 9.
static void rows_tell_what_happened(void **state)
{
    (void)state;
    Desk desk;
    open_desk(&desk);
    tick(&desk, 1);
    assert_int_equal(told(&desk, 1).outcome, IB_STEP_RUNS);
    tick(&desk, 2);
    assert_int_equal(told(&desk, 1).outcome, IB_STEP_DONE);
    assert_int_equal(told(&desk, 2).outcome, IB_STEP_RUNS);
    assert_int_equal(told(&desk, 3).outcome, IB_STEP_DONE);
    assert_int_equal(told(&desk, 5).outcome, IB_STEP_RUNS);
    assert_close(told(&desk, 5).began, 2 * PERIOD, 1e-12);
    assert_int_equal(ib_routine_timed_out(&desk.config, desk.state), -1);
    tick(&desk, 5);
    assert_int_equal(told(&desk, 4).outcome, IB_STEP_LATE);
    assert_int_equal(told(&desk, 5).outcome, IB_STEP_STOPPED);
    assert_int_equal(desk.tale.number[ib_routine_timed_out(&desk.config, desk.state)], 4);
    tick(&desk, 1);
    assert_int_equal(told(&desk, 4).outcome, IB_STEP_RUNS);
    assert_close(told(&desk, 4).began, 8 * PERIOD, 1e-12);
    assert_int_equal(ib_routine_timed_out(&desk.config, desk.state), -1);
    ib_arena_reset(&desk.arena);
}

// Goal: a move tells where it shall end, where it should be now and how long it promised. Method:
// the second round ends in tick 14, in which the move of 1 m begins: 1 m/s and 2 m/s^2 promise
// 1.5 s; 25 periods later its reference is at v^2/2a = 0.25 m, the robot still at 0.
static void a_move_tells_its_plan(void **state)
{
    (void)state;
    Desk desk;
    open_desk(&desk);
    tick(&desk, 14 + 25);
    ib_ControlStep step = told(&desk, 6);
    assert_true(step.moves && step.outcome == IB_STEP_RUNS);
    assert_close(step.began, 13 * PERIOD, 1e-12);
    assert_close(step.promise, 1.5, 1e-9);
    assert_close(step.goal[0], 1, 1e-12);
    assert_close(step.plan[0], 0.25, 1e-9);
    assert_close(step.plan[1], 0, 1e-12);
    desk.pose.x = 0.995;
    tick(&desk, 60);
    step = told(&desk, 6);
    assert_int_equal(step.outcome, IB_STEP_DONE);
    assert_close(step.missed[0], 0.005, 1e-12);
    assert_close(step.at[0], 0.995, 1e-12);
    assert_close(step.plan[0], 1, 1e-12);
    ib_arena_reset(&desk.arena);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_counted_as_in_the_file),
        cmocka_unit_test(rows_tell_what_happened),
        cmocka_unit_test(a_move_tells_its_plan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
