// test/solver/test_event.c: the instants at which guards change sign.
#include "solver/problem.h"

// Polynomials and lines in t, so that an event's time is known: x0 is t itself.
static void clock_rate(const void *context, double t, const double *x, double *dx)
{
    (void)t;
    (void)x;
    count_call(context);
    dx[0] = 1;
    dx[1] = 0;
}

// A guard is a polynomial of the first state: c0 + c1 x + c2 x^2.
typedef struct Guards {
    int count;
    double c[3][3];
} Guards;

static void polynomial_guard(const void *context, double t, const double *x, double *g)
{
    const Guards *guards = context;
    (void)t;
    for (int i = 0; i < guards->count; i++) {
        const double *c = guards->c[i];
        g[i] = c[0] + x[0] * (c[1] + x[0] * c[2]);
    }
}

// One step of the clock from 0 to h, and the first event in it.
// `crossed`: bit i stands for guard i.
static ib_Event clock_event_of(const Guards *guards, double h, double *x, unsigned *crossed)
{
    ib_Arena arena = {0};
    Context context = {0};
    ib_Solver *solver = make_solver(IB_RK4, 1e-6, 2, &arena);
    ib_System system = {2, clock_rate, NULL, &context};
    ib_EventSystem events = {guards->count, polynomial_guard, guards,
                             ib_event_workspace_create(4, &arena)};
    double x0[2] = {0, 0}, x1[2];
    ib_Event event;

    ib_solver_step(solver, &system, h, x0, x1);
    ib_solver_locate(solver, &system, &events, h, x0, &event, x);
    *crossed = 0;
    for (int i = 0; event.crossed && i < guards->count; i++)
        *crossed |= (unsigned)event.crossed[i] << i;
    event.crossed = NULL;
    ib_arena_reset(&arena);
    return event;
}

static ib_Event clock_event(const Guards *guards, double h, double *x)
{
    unsigned crossed;
    return clock_event_of(guards, h, x, &crossed);
}

static void fall_rate(const void *context, double t, const double *x, double *dx)
{
    (void)context;
    (void)t;
    dx[0] = x[1];
    dx[1] = -9.80665;
}

static void first_state_guard(const void *context, double t, const double *x, double *g)
{
    (void)context;
    (void)t;
    g[0] = x[0];
}

// Goal: ten bounces of a ball, one long step after another. Method: dropped from 1 m, restitution
// 0.8. Bounce n comes at T (1 + 2 (0.8 + ... + 0.8^(n-1))), T = sqrt(2/g). RK4 and higher are exact
// on a parabola; 1e-12 s is rounding over ten bounces.
static void bouncing_ball_bounces_on_time(void **state)
{
    static const ib_SolverKind kinds[] = {IB_RK4, IB_DOPRI5, IB_ROSENBROCK, IB_STIFF};

    (void)state;
    for (int k = 0; k < 4; k++) {
        ib_Arena arena = {0};
        ib_Solver *solver = make_solver(kinds[k], 1e-6, 2, &arena);
        ib_System system = {2, fall_rate, NULL, NULL};
        ib_EventSystem events = {1, first_state_guard, NULL, ib_event_workspace_create(4, &arena)};
        double x[2] = {1, 0}, next[2], hit[2], t = 0, expected = sqrt(2 / 9.80665),
               flight = expected;
        int bounces = 0;

        for (int i = 0; i < 200 && bounces < 10; i++) {
            ib_Event event;
            assert_int_equal(ib_solver_step(solver, &system, 0.3, x, next), 0);
            ib_solver_locate(solver, &system, &events, 0.3, x, &event, hit);
            t += event.t;
            memcpy(x, event.index >= 0 ? hit : next, sizeof x);
            if (event.index < 0 || event.rising) continue; // rising: lifting off the floor
            assert_true(hit[0] <= 0 && hit[1] < 0);
            assert_near(t, expected, 1e-12);
            x[0] = 0;
            x[1] *= -0.8;
            flight *= 0.8;
            expected += 2 * flight;
            bounces++;
        }
        assert_int_equal(bounces, 10);
        ib_arena_reset(&arena);
    }
}

// Goal: zero crossings of an oscillator to 1e-12 s. Method: cos t = 0 at (n + 1/2) pi, ten of them,
// with every method's own step; rk4 at 1 ms has a phase error of h^4/120 t = 3e-13 at t = 31, the
// adaptive ones run at tolerance 1e-14.
static void oscillator_crosses_zero_on_time(void **state)
{
    static const ib_SolverKind kinds[] = {IB_RK4, IB_DOPRI5};

    (void)state;
    for (int k = 0; k < 2; k++) {
        ib_Arena arena = {0};
        Context context = {0};
        ib_Solver *solver = make_solver(kinds[k], 1e-14, 2, &arena);
        ib_System system = make_system(&OSCILLATOR, &context);
        ib_EventSystem events = {1, first_state_guard, NULL, ib_event_workspace_create(4, &arena)};
        ib_SolverCounts counts = {0};
        double x[2] = {1, 0}, next[2], hit[2], h_next = 0, taken, h_max = k ? 0.05 : 1e-3;
        int64_t now = 0; // [ns]: a sum of doubles would itself be off by 1e-12
        int found = 0;

        while (found < 10) {
            ib_Event event;
            assert_int_equal(ib_solver_step_controlled(solver, &system, h_max, &h_next, x, next,
                                                       &taken, &counts, NULL),
                             IB_OK);
            ib_solver_locate(solver, &system, &events, taken, x, &event, hit);
            if (event.index == 0) {
                assert_near((double)now * 1e-9 + event.t, (found + 0.5) * PI, 1e-12);
                assert_int_equal(event.rising, found & 1);
                found++;
            }
            // The events are only looked at: the run goes on over them.
            now += llround(taken * 1e9);
            memcpy(x, next, sizeof x);
        }
        ib_arena_reset(&arena);
    }
}

// Goal: two crossings inside one step are not missed, and the first one counts. Method:
// (x - 0.4)(x - 0.6) dips below zero for a fifth of the step; falling at 0.4.
static void double_crossing_in_a_long_step_is_found(void **state)
{
    Guards dip = {1, {{0.24, -1, 1}}};
    double x[2];
    ib_Event event = clock_event(&dip, 1, x);

    (void)state;
    assert_int_equal(event.index, 0);
    assert_int_equal(event.rising, 0);
    assert_near(event.t, 0.4, 1e-15);
    assert_near(x[0], event.t, 1e-16);
    assert_true(0.24 + x[0] * (-1 + x[0]) <= 0);
}

// Goal: of several guards the earliest counts, whatever its index. Method: roots at 0.7, 0.31, 0.5.
static void earliest_of_several_guards_counts(void **state)
{
    Guards three = {3, {{-0.7, 1, 0}, {0.31, -1, 0}, {-0.5, 1, 0}}};
    double x[2];
    unsigned crossed;
    ib_Event event = clock_event_of(&three, 1, x, &crossed);

    (void)state;
    assert_int_equal(event.index, 1);
    assert_int_equal(event.rising, 0);
    assert_int_equal(crossed, 2);
    assert_near(event.t, 0.31, 1e-15);
}

// Goal: the order is right even within one searched ninth of the step. Method: roots at 0.5000 and
// 0.5001, the later one steeper and first in the list.
static void earlier_guard_counts_within_one_piece(void **state)
{
    Guards two = {2, {{-50.01, 100, 0}, {-0.5, 1, 0}}};
    double x[2];
    unsigned crossed;
    ib_Event event = clock_event_of(&two, 1, x, &crossed);

    (void)state;
    assert_int_equal(event.index, 1);
    assert_int_equal(crossed, 2);
    assert_near(event.t, 0.5, 1e-15);
}

// Goal: guards that change at the same instant are all named. Method: the same line twice, and one
// that does not change; a robot that meets a wall with both wheels.
static void simultaneous_guards_are_all_named(void **state)
{
    Guards both = {3, {{-0.3, 1, 0}, {5, 1, 0}, {-0.3, 1, 0}}};
    double x[2];
    unsigned crossed;
    ib_Event event = clock_event_of(&both, 1, x, &crossed);

    (void)state;
    assert_int_equal(event.index, 0);
    assert_int_equal(crossed, 5);
}

enum { MANY = 300 };

// Guard i changes sign at (37 i mod MANY + 1)/(MANY + 1), so that each has a time of its own; the
// last one goes with number 137.
static void many_guards(const void *context, double t, const double *x, double *g)
{
    (void)context;
    (void)t;
    for (int i = 0; i < MANY; i++) g[i] = (37 * i % MANY + 1) / (MANY + 1.0) - x[0];
    g[MANY - 1] = g[137];
}

// Goal: a robot may have any number of guards. Method: 300 of them; in a step that begins behind
// all but those of number 137 (37 * 137 mod 300 = 269), which is cut there, both are named.
static void three_hundred_guards_are_told_apart(void **state)
{
    ib_Arena arena = {0};
    Context context = {0};
    ib_Solver *solver = make_solver(IB_RK4, 1e-6, 2, &arena);
    ib_System system = {2, clock_rate, NULL, &context};
    ib_EventSystem events = {MANY, many_guards, NULL, ib_event_workspace_create(MANY, &arena)};
    double start = 269.5 / (MANY + 1), x0[2] = {start, 0}, x1[2], x[2], h = 0.9 / (MANY + 1);
    int crossed = 0;
    ib_Event event;

    (void)state;
    ib_solver_step(solver, &system, h, x0, x1);
    ib_solver_locate(solver, &system, &events, h, x0, &event, x);
    assert_int_equal(event.index, 137);
    assert_near(event.t, 270.0 / (MANY + 1) - start, 1e-15);
    for (int i = 0; i < MANY; i++) crossed += event.crossed[i];
    assert_int_equal(crossed, 2);
    assert_true(event.crossed[MANY - 1]);
    ib_arena_reset(&arena);
}

// Goal: a guard that starts at zero counts by the sign it takes next. Method: x itself (leaves
// zero: no event) and x (0.5 - x), which leaves zero upwards and falls through it at 0.5.
static void zero_start_counts_by_the_next_sign(void **state)
{
    Guards leaving = {1, {{0, 1, 0}}}, returning = {1, {{0, 0.5, -1}}}, resting = {1, {{0, 0, 0}}};
    double x[2];

    (void)state;
    assert_int_equal(clock_event(&leaving, 1, x).index, -1);
    assert_int_equal(clock_event(&resting, 1, x).index, -1);
    ib_Event event = clock_event(&returning, 1, x);
    assert_int_equal(event.index, 0);
    assert_int_equal(event.rising, 0);
    assert_near(event.t, 0.5, 1e-15);
}

// Goal: a guard that reaches exactly zero at the end of a step is not lost between two steps, nor
// counted twice. Method: 1 - x over steps of 0.5: an event at the end of the second, none after.
static void zero_at_the_end_counts_once(void **state)
{
    ib_Arena arena = {0};
    Context context = {0};
    ib_Solver *solver = make_solver(IB_RK4, 1e-6, 2, &arena);
    ib_System system = {2, clock_rate, NULL, &context};
    Guards guards = {1, {{1, -1, 0}}};
    ib_EventSystem events = {1, polynomial_guard, &guards, ib_event_workspace_create(4, &arena)};
    double x[2] = {0, 0}, next[2], hit[2];
    int index[4];

    (void)state;
    for (int i = 0; i < 4; i++) {
        ib_Event event;
        ib_solver_step(solver, &system, 0.5, x, next);
        ib_solver_locate(solver, &system, &events, 0.5, x, &event, hit);
        index[i] = event.index;
        if (i == 1) assert_true(fabs(event.t - 0.5) < 1e-15 && hit[0] == 1);
        memcpy(x, next, sizeof x);
    }
    assert_int_equal(index[0], -1);
    assert_int_equal(index[1], 0);
    assert_int_equal(index[2], -1);
    assert_int_equal(index[3], -1);
    ib_arena_reset(&arena);
}

typedef struct Level {
    double value;
} Level;

static void level_guard(const void *context, double t, const double *x, double *g)
{
    (void)t;
    g[0] = x[0] - ((const Level *)context)->value;
}

// Goal: what only the dense output sees is no event, and leaves the step as it was. Method: one
// step of dopri5 over an oscillator's crest, 1.8 long; the level lies between the crest of the
// dense output and that of the method's own shorter step to the same point.
// A level below both is an event.
static void unconfirmed_graze_is_no_event(void **state)
{
    ib_Arena arena = {0};
    Context context = {0};
    ib_Solver *solver = make_solver(IB_DOPRI5, 1e-6, 2, &arena);
    ib_System system = make_system(&OSCILLATOR, &context);
    double x0[2] = {cos(-1), -sin(-1)}, h = 1.8, x1[2], dense[2], own[2], crest = -2, at = 0;
    double before[2], after[2];
    ib_Event event;

    (void)state;
    ib_solver_step(solver, &system, h, x0, x1);
    for (int j = 1; j < 9; j++) {
        ib_solver_dense(solver, j / 9.0, dense);
        if (dense[0] > crest) crest = dense[0], at = j / 9.0;
    }
    ib_solver_step(solver, &system, at * h, x0, own);
    printf("  crest: dense output %.6f, method %.6f\n", crest, own[0]);
    assert_true(crest > own[0]);

    Level level = {0.5 * (crest + own[0])};
    ib_EventSystem events = {1, level_guard, &level, ib_event_workspace_create(4, &arena)};
    ib_solver_step(solver, &system, h, x0, x1);
    ib_solver_dense(solver, 0.3, before);
    ib_solver_locate(solver, &system, &events, h, x0, &event, own);
    ib_solver_dense(solver, 0.3, after);
    assert_int_equal(event.index, -1);
    assert_memory_equal(before, after, sizeof before);

    level.value = 0.8;
    ib_solver_locate(solver, &system, &events, h, x0, &event, own);
    assert_int_equal(event.index, 0);
    assert_int_equal(event.rising, 1);
    ib_arena_reset(&arena);
}

// Goal: an event that the dense output sees a piece too late is found where the method has it.
// Method: an oscillator's rising flank, one step of 1.8 with RK4; the level lies between the dense
// output (below) and the method's own shorter step (above) at 2/9 of the step.
static void event_seen_late_is_found_where_it_is(void **state)
{
    ib_Arena arena = {0};
    Context context = {0};
    ib_Solver *solver = make_solver(IB_RK4, 1e-6, 2, &arena);
    ib_System system = make_system(&OSCILLATOR, &context);
    double x0[2] = {cos(-0.9), -sin(-0.9)}, h = 1.8, x1[2], dense[2], later[2], own[2], x[2];
    ib_Event event;

    (void)state;
    ib_solver_step(solver, &system, h * 2 / 9, x0, own);
    ib_solver_step(solver, &system, h, x0, x1);
    ib_solver_dense(solver, 2.0 / 9, dense);
    ib_solver_dense(solver, 3.0 / 9, later);
    Level level = {0.5 * (dense[0] + own[0])};
    assert_true(dense[0] < level.value && level.value < own[0] && level.value < later[0]);

    ib_EventSystem events = {1, level_guard, &level, ib_event_workspace_create(4, &arena)};
    ib_solver_locate(solver, &system, &events, h, x0, &event, x);
    assert_int_equal(event.index, 0);
    assert_true(event.t < h * 2 / 9);
    ib_solver_step(solver, &system, event.t - h * 0x1p-52, x0, own);
    assert_true(own[0] <= level.value && x[0] >= level.value);
    ib_arena_reset(&arena);
}

// Goal: a guard that starts at zero does not disturb another one's event in the same ninth of the
// step. Method: x (x - 0.001), whose dip is too short to be searched, beside an event at 0.0005.
static void zero_start_does_not_hide_another_event(void **state)
{
    Guards two = {2, {{0, -0.001, 1}, {-0.0005, 1, 0}}};
    double x[2];
    unsigned crossed;
    ib_Event event = clock_event_of(&two, 1, x, &crossed);

    (void)state;
    assert_int_equal(event.index, 1);
    assert_int_equal(crossed, 2);
    assert_near(event.t, 0.0005, 1e-15);
}

// Goal: the event is located to the last bit, by a bounded number of steps, and the dense output
// then belongs to the shortened step. Method: an oscillator and a level, with every method: at t
// the guard has its new sign, 2^-52 h earlier it has not; 30 steps, where bisection would take 53.
static void event_is_located_to_the_last_bit(void **state)
{
    (void)state;
    for (int kind = IB_EULER; kind < IB_SOLVER_COUNT; kind++) {
        ib_Arena arena = {0};
        int64_t calls = 0;
        Context context = {.calls = &calls};
        ib_Solver *solver = make_solver((ib_SolverKind)kind, 1e-6, 2, &arena);
        ib_System system = make_system(&OSCILLATOR, &context);
        Level level = {0.754321};
        ib_EventSystem events = {1, level_guard, &level, ib_event_workspace_create(4, &arena)};
        double x0[2] = {1, -0.3}, x1[2], x[2], y[2], h = 1;
        ib_Event event;

        ib_solver_step(solver, &system, h, x0, x1);
        int64_t one = calls;
        calls = 0;
        ib_solver_locate(solver, &system, &events, h, x0, &event, x);
        printf("  %-10s located by %d steps\n", ib_solver_names[kind], (int)(calls / one));
        assert_true(calls / one <= 30);
        assert_int_equal(event.index, 0);
        assert_true(x[0] <= level.value);
        ib_solver_dense(solver, 1, y);
        assert_memory_equal(x, y, sizeof x);
        ib_solver_step(solver, &system, event.t - h * 0x1p-52, x0, y);
        assert_true(y[0] >= level.value);
        ib_arena_reset(&arena);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bouncing_ball_bounces_on_time),
        cmocka_unit_test(oscillator_crosses_zero_on_time),
        cmocka_unit_test(double_crossing_in_a_long_step_is_found),
        cmocka_unit_test(earliest_of_several_guards_counts),
        cmocka_unit_test(earlier_guard_counts_within_one_piece),
        cmocka_unit_test(simultaneous_guards_are_all_named),
        cmocka_unit_test(three_hundred_guards_are_told_apart),
        cmocka_unit_test(zero_start_counts_by_the_next_sign),
        cmocka_unit_test(zero_at_the_end_counts_once),
        cmocka_unit_test(unconfirmed_graze_is_no_event),
        cmocka_unit_test(event_seen_late_is_found_where_it_is),
        cmocka_unit_test(zero_start_does_not_hide_another_event),
        cmocka_unit_test(event_is_located_to_the_last_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
