// test/control/test_routine.c: steps one after the other, side by side, again, and out of time.
#include "cmocka_all.h"

#include "control/routine/routine.h"

#include <math.h>
#include <string.h>

#define PERIOD 0.02

enum { MOST = 16 };

// A tree that is being written, and what runs it.
typedef struct Desk {
    ib_RoutineStep steps[MOST];
    ib_RoutineConfig config;
    ib_Locomotion base;
    ib_BasePose pose;
    double reading[2], state[4000];
    ib_AxisMotion motion;
} Desk;

static const double outputs[2] = {0, 7};

static void open_desk(Desk *desk)
{
    static const ib_AxisDrive axes[] = {
        {"ahead", 1, 1.5, 0.06}, {"right", -1, 1.5, 0.06}, {"turn", -1, 6, 0.06}};
    memset(desk, 0, sizeof *desk);
    desk->config = (ib_RoutineConfig){
        .period = PERIOD, .steps = desk->steps, .reading_count = 2, .output_count = 2};
    desk->config.outputs = outputs;
    ib_locomotion_of_axes(axes, &desk->base);
}

// One more step, inside `parent` (-1: the whole), behind all others there.
static int add(Desk *desk, int parent, ib_RoutineStep step)
{
    int number = desk->config.count++;
    assert_true(number < MOST);
    step.child = step.next = -1;
    if (!(step.timeout > 0)) step.timeout = INFINITY;
    desk->steps[number] = step;
    if (parent < 0) return number;
    int *link = &desk->steps[parent].child;
    while (*link >= 0) link = &desk->steps[*link].next;
    *link = number;
    return number;
}

static ib_RoutineStep hold(ib_StepKind kind)
{
    return (ib_RoutineStep){.kind = kind, .times = 1};
}

static ib_RoutineStep wait_for(double time)
{
    return (ib_RoutineStep){.kind = IB_STEP_WAIT, .time = time};
}

static ib_RoutineStep set(int output, double value)
{
    return (ib_RoutineStep){.kind = IB_STEP_SET, .output = output, .value = value};
}

static ib_RoutineStep move_to(double x, double y)
{
    return (ib_RoutineStep){.kind = IB_STEP_MOVE,
                            .move = {.kind = IB_MOVE_TO,
                                     .x = x,
                                     .y = y,
                                     .speed = 1,
                                     .acceleration = 2,
                                     .turn_speed = 3,
                                     .turn_quickness = 8,
                                     .near = 0.01,
                                     .near_angle = 0.02}};
}

static void start(Desk *desk)
{
    ib_Error error;
    if (ib_routine_check(&desk->config, &error) != IB_OK) fail_msg("%s", error.text);
    assert_true(ib_routine_state_count(&desk->config) <= 4000);
    ib_routine_reset(&desk->config, desk->state);
}

static bool tick(Desk *desk)
{
    return ib_routine_tick(&desk->config, &desk->base, &desk->pose, desk->reading, desk->state,
                           &desk->motion);
}

static double output(const Desk *desk, int i)
{
    return desk->state[IB_ROUTINE_HELD + i];
}

static double of(const Desk *desk, int step, int what)
{
    return ib_routine_step_state(&desk->config, desk->state, step)[what];
}

// Ticks until it is over; how many that were.
static int finish(Desk *desk)
{
    for (int i = 1; i <= 10000; i++)
        if (tick(desk)) return i;
    fail_msg("it never ends");
    return 0;
}

// Goal: steps follow each other without loss of time, and outputs keep what they were set to.
// Method: set, wait 0.1 s (5 periods), set: the first tick sets, the sixth ends the wait and sets.
static void steps_follow_each_other(void **state)
{
    (void)state;
    Desk desk;
    open_desk(&desk);
    int all = add(&desk, -1, hold(IB_STEP_SEQUENCE)), pause;
    add(&desk, all, set(0, 3));
    pause = add(&desk, all, wait_for(0.1));
    add(&desk, all, set(1, -2));
    start(&desk);
    assert_true(output(&desk, 0) == 0 && output(&desk, 1) == 7);
    for (int i = 0; i < 5; i++) {
        assert_false(tick(&desk));
        assert_true(output(&desk, 0) == 3 && output(&desk, 1) == 7);
        assert_int_equal(ib_routine_current(&desk.config, desk.state), pause);
    }
    assert_true(tick(&desk));
    assert_true(output(&desk, 0) == 3 && output(&desk, 1) == -2);
    assert_close(of(&desk, pause, IB_STEP_ENDED) - of(&desk, pause, IB_STEP_BEGAN), 0.1, 1e-12);
    assert_int_equal(ib_routine_current(&desk.config, desk.state), -1);
    assert_true(tick(&desk)); // over is over
}

// Goal: side by side ends with the last one. Method: 0.1 s beside 0.06 s and a set.
static void side_by_side_ends_with_the_last(void **state)
{
    (void)state;
    Desk desk;
    open_desk(&desk);
    int all = add(&desk, -1, hold(IB_STEP_PARALLEL)), slow, quick;
    slow = add(&desk, all, wait_for(0.1));
    quick = add(&desk, all, wait_for(0.06));
    add(&desk, all, set(0, 1));
    start(&desk);
    assert_int_equal(finish(&desk), 6);
    assert_close(of(&desk, quick, IB_STEP_ENDED), 0.06, 1e-12);
    assert_close(of(&desk, slow, IB_STEP_ENDED), 0.1, 1e-12);
    assert_true(output(&desk, 0) == 1);
}

// Goal: rounds begin anew, leave what is beside them alone, and take a tick at least. Method: three
// rounds of 0.04 s beside a wait of 1 s; 1000 rounds of nothing are 1000 ticks.
static void rounds_begin_anew(void **state)
{
    (void)state;
    Desk desk;
    open_desk(&desk);
    int all = add(&desk, -1, hold(IB_STEP_PARALLEL)), again, inside, beside;
    again = add(&desk, all, hold(IB_STEP_REPEAT));
    desk.steps[again].times = 3;
    inside = add(&desk, again, wait_for(0.04));
    beside = add(&desk, all, wait_for(1));
    start(&desk);
    assert_int_equal(finish(&desk), 51);
    assert_true(of(&desk, again, IB_STEP_ROUND) == 3);
    assert_close(of(&desk, again, IB_STEP_ENDED), 8 * PERIOD, 1e-12); // 0, 3 and 6 begin one
    assert_close(of(&desk, inside, IB_STEP_BEGAN), 6 * PERIOD, 1e-12);
    assert_close(of(&desk, beside, IB_STEP_ENDED), 1, 1e-12);
    open_desk(&desk);
    again = add(&desk, -1, hold(IB_STEP_REPEAT));
    desk.steps[again].times = 1000;
    add(&desk, again, set(0, 1));
    start(&desk);
    assert_int_equal(finish(&desk), 1000);
}

// Goal: what takes too long is stopped, with all inside, is told, and the routine goes on. Method:
// a sequence with 0.1 s, in which a reading never comes; then a set.
static void what_takes_too_long_is_stopped(void **state)
{
    (void)state;
    Desk desk;
    open_desk(&desk);
    int all = add(&desk, -1, hold(IB_STEP_SEQUENCE)), tried, hung;
    tried = add(&desk, all, hold(IB_STEP_SEQUENCE));
    desk.steps[tried].timeout = 0.1;
    hung = add(&desk, tried, (ib_RoutineStep){.kind = IB_STEP_UNTIL, .reading = 1, .value = 5});
    int never = add(&desk, tried, set(0, 9));
    add(&desk, all, set(1, 1));
    start(&desk);
    assert_int_equal(finish(&desk), 6);
    assert_true(of(&desk, tried, IB_STEP_OUTCOME) == IB_STEP_LATE);
    assert_true(of(&desk, hung, IB_STEP_OUTCOME) == IB_STEP_STOPPED);
    assert_true(of(&desk, never, IB_STEP_OUTCOME) == IB_STEP_IDLE);
    assert_true(output(&desk, 0) == 0 && output(&desk, 1) == 1);
    assert_string_equal(ib_step_outcomes[IB_STEP_LATE], "timed out");
}

// Goal: a condition ends when it is met, each of its kinds. Method: a reading that rises by 1 a
// tick from 0: >= 5 at 5, 3 +- 0.5 at 3, <= 0 at once.
static void conditions_end_when_they_are_met(void **state)
{
    (void)state;
    static const struct {
        ib_StepRelation relation;
        double value, tolerance;
        int ticks;
    } rows[] = {{IB_STEP_ABOVE, 5, 0, 6}, {IB_STEP_WITHIN, 3, 0.5, 4}, {IB_STEP_BELOW, 0, 0, 1}};
    for (int i = 0; i < 3; i++) {
        Desk desk;
        open_desk(&desk);
        add(&desk, -1,
            (ib_RoutineStep){.kind = IB_STEP_UNTIL,
                             .reading = 0,
                             .relation = rows[i].relation,
                             .value = rows[i].value,
                             .tolerance = rows[i].tolerance});
        start(&desk);
        int ticks = 1;
        while (!tick(&desk)) desk.reading[0] = ticks++;
        assert_int_equal(ticks, rows[i].ticks);
    }
}

// Goal: the time since the routine began can be waited for, whatever came before. Method: 0.1 s of
// waiting, then until 0.3 s: it ends at the tick of 0.3 s, the 16th.
static void its_own_time_can_be_waited_for(void **state)
{
    (void)state;
    Desk desk;
    open_desk(&desk);
    int all = add(&desk, -1, hold(IB_STEP_SEQUENCE));
    add(&desk, all, wait_for(0.1));
    int clock = add(
        &desk, all,
        (ib_RoutineStep){.kind = IB_STEP_UNTIL, .reading = IB_ROUTINE_CLOCK, .value = 0.3 - 1e-9});
    start(&desk);
    assert_int_equal(finish(&desk), 16);
    assert_close(of(&desk, clock, IB_STEP_ENDED), 0.3, 1e-12);
}

// Goal: a move asks for velocities, and is told with what it missed. Method: a base that does at
// once what it is told: it arrives at 1 m in the promised time, s/v + v/a = 1.5 s; one that never
// moves is 1 m off when its 2 s are out, and then nothing is asked for.
static void a_move_is_told_with_what_it_missed(void **state)
{
    (void)state;
    for (int stuck = 0; stuck < 2; stuck++) {
        Desk desk;
        open_desk(&desk);
        int all = add(&desk, -1, hold(IB_STEP_SEQUENCE)), move = add(&desk, all, move_to(1, 0));
        desk.steps[move].timeout = 2;
        start(&desk);
        while (!tick(&desk)) {
            desk.pose.forward = stuck ? 0 : desk.motion.velocity[0];
            desk.pose.x += PERIOD * desk.pose.forward;
        }
        assert_close(of(&desk, move, IB_STEP_PROMISE), 1.5, 1e-9);
        assert_close(of(&desk, move, IB_STEP_MISSED), stuck ? 1 : 0, 0.011);
        assert_true(of(&desk, move, IB_STEP_OUTCOME) == (stuck ? IB_STEP_LATE : IB_STEP_DONE));
        assert_close(of(&desk, move, IB_STEP_ENDED), stuck ? 2 : 1.5, stuck ? 0.021 : 0.3);
        assert_close(of(&desk, move, IB_STEP_AT), stuck ? 0 : 1, 0.011);
        for (int i = 0; stuck && i < 3; i++) assert_true(desk.motion.velocity[i] == 0);
    }
}

static void refuse(const Desk *desk, const char *words)
{
    ib_Error error;
    assert_int_equal(ib_routine_check(&desk->config, &error), IB_BAD_INPUT);
    if (!strstr(error.text, words)) fail_msg("'%s' does not say '%s'", error.text, words);
}

// Goal: trees that cannot be run are refused with the step's number. Method: one at a time.
static void impossible_trees_are_refused(void **state)
{
    (void)state;
    Desk desk;
    open_desk(&desk);
    refuse(&desk, "0: expected 1 to 256 steps, got 0");
    int all = add(&desk, -1, hold(IB_STEP_PARALLEL)), more;
    add(&desk, all, move_to(1, 1));
    more = add(&desk, all, hold(IB_STEP_SEQUENCE));
    add(&desk, more, move_to(2, 1));
    refuse(&desk, "2: two steps side by side move the robot");
    desk.steps[0].kind = IB_STEP_SEQUENCE;
    start(&desk);
    desk.steps[1].timeout = 0;
    refuse(&desk, "1: timeout: expected more than 0 s");
    desk.steps[1] = wait_for(-1);
    desk.steps[1].timeout = 1;
    refuse(&desk, "1: expected a time of 0 s or more");
    desk.steps[1].time = 1;
    desk.steps[1].child = -1;
    desk.steps[1].next = 0;
    refuse(&desk, "1: expected steps in order");
    desk.config.period = 0;
    refuse(&desk, "period");
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_follow_each_other),
        cmocka_unit_test(side_by_side_ends_with_the_last),
        cmocka_unit_test(rounds_begin_anew),
        cmocka_unit_test(what_takes_too_long_is_stopped),
        cmocka_unit_test(conditions_end_when_they_are_met),
        cmocka_unit_test(its_own_time_can_be_waited_for),
        cmocka_unit_test(a_move_is_told_with_what_it_missed),
        cmocka_unit_test(impossible_trees_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
