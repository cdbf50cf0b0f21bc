// Verdicts at the edges: at the start, at the end, at switches of an input, at the times that a
// sentence names, and where a signal is not a number (src/scenario/expectation.c, and
// src/sim/watch/watch_filter.c looks).
#include "cmocka_all.h"

#include "scenario/expectation.h"

#include <math.h>
#include <string.h>

// ----------------------------------------------------------------------------------------- a plant
//
// A clock, t' = 1, beside an input that a script sets: what it shows can be told without a run.
enum { LEVEL = IB_ENVIRONMENT_COUNT, INPUTS };
enum { LINE, HEIGHT, SUM, GAP, HOLE, NOTCH, SIGNALS };

static const double GONE = 100; ///< a larger level is not a number for `gap`

static ib_Status watch_init(const void *config, ib_Arena *arena, void *model, ib_RobotPorts *ports,
                            ib_Error *error)
{
    static const ib_SignalDef signals[] = {{"line", "s", "the clock", 1e9},
                                           {"level", "1", "the input", 1e9},
                                           {"sum", "1", "of both", 1e9},
                                           {"gap", "1", "the input, if below 100", 1e9},
                                           {"hole", "1", "the clock, but for a while", 1e9},
                                           {"notch", "1", "a kink at 0.3471 s", 1e9}};
    static const ib_StateDef states[] = {{.signal = "line"}};
    static ib_InputDef inputs[INPUTS];
    (void)config, (void)arena, (void)model, (void)error;
    memcpy(inputs, ib_environment_inputs, sizeof ib_environment_inputs);
    inputs[LEVEL] = (ib_InputDef){.name = "level",
                                  .unit = "1",
                                  .sentence = "",
                                  .role = IB_INPUT_COMMAND,
                                  .low = -1e6,
                                  .high = 1e6};
    *ports = (ib_RobotPorts){.state_count = 1,
                             .states = states,
                             .input_count = INPUTS,
                             .inputs = inputs,
                             .signal_count = SIGNALS,
                             .signals = signals};
    return IB_OK;
}

static void watch_reset(const void *config, const void *model, double *state)
{
    (void)config, (void)model;
    state[0] = 0;
}

static void watch_rate(const void *model, const double *state, const double *input, double *rate)
{
    (void)model, (void)state, (void)input;
    rate[0] = 1;
}

static void watch_output(const void *model, const double *state, const double *input, double *y)
{
    (void)model;
    double t = state[0], level = input[LEVEL];
    y[LINE] = t;
    y[HEIGHT] = level;
    y[SUM] = t + level;
    y[GAP] = level > GONE ? (double)NAN : level;
    y[HOLE] = t > 0.3405 && t < 0.5505 ? (double)NAN : t;
    y[NOTCH] = 1000 * fabs(t - 0.3471);
}

static const ib_RobotKind watch_kind = {.name = "watch",
                                        .sentence = "a clock",
                                        .docs = "",
                                        .config_size = 1,
                                        .model_size = 1,
                                        .init = watch_init,
                                        .reset = watch_reset,
                                        .rate = watch_rate,
                                        .output = watch_output};

// ------------------------------------------------------------------------------------------- cases

enum { KNOTS = 3 };

typedef struct Script {
    ib_Time times[KNOTS];
    double values[KNOTS];
} Script;

#define MS (IB_SECOND / 1000)

// Each lasts for 1 s. 0.3 s is no sum of 0.2 s and 0.1 s in doubles.
enum { FALLS, RISES_LAST, FALLS_LAST, PEAK, SINKS, COMES, BREAK, ENDS, NEVER, SCRIPTS };
static const Script scripts[SCRIPTS] = {
    [FALLS] = {{0, 300 * MS, 900 * MS}, {5, 1, 1}},
    [RISES_LAST] = {{0, 500 * MS, 1000 * MS}, {1, 1, 5}},
    [FALLS_LAST] = {{0, 500 * MS, 1000 * MS}, {5, 5, 1}},
    [PEAK] = {{0, 370 * MS, 380 * MS}, {1, 5, 1}},
    [SINKS] = {{0, 300 * MS, 900 * MS}, {0, -1, -1}},
    [COMES] = {{0, 300 * MS, 900 * MS}, {200, 1, 1}},
    [BREAK] = {{0, 300 * MS, 600 * MS}, {1, 200, 5}},
    [ENDS] = {{0, 500 * MS, 1000 * MS}, {1, 1, 200}},
    [NEVER] = {{0, 500 * MS, 900 * MS}, {200, 200, 200}},
};

#define ANY ((double)NAN) ///< nothing is said about it

// Of `worst`, for `before` the best, the first that is so. `late`: the looks that the steps allow
// have the last word, and it may be seen as much as a step later.
typedef struct Case {
    int script;
    const char *sentence;
    bool passed;
    double seen_at, worst, worst_at;
    bool late;
} Case;

static const Case cases[] = {
    // from the start on
    {FALLS, "always: level <= 3", false, 0, 5, 0},
    {FALLS, "never: level > 3", false, 0, 5, 0},
    {FALLS, "before 0.5 s: level > 3", true, 0, 5, 0},
    {FALLS, "before 0 s: level > 3", true, 0, 5, 0},
    {FALLS, "before 0 s: level > 7", false, 0, 5, 0},
    {FALLS, "after 0 s: level <= 3", false, 0, 5, 0},
    {FALLS, "at 0 s: level <= 3", false, 0, 5, 0},
    {FALLS, "always: level = 1 +- 0.5", false, 0, 5, 0},
    {FALLS, "never: level = 5 +- 0.5", false, 0, 5, 0},
    // only before a switch: what follows `after` begins with the new value
    {FALLS, "after 0.3 s: level <= 3", true, 0.3, 1, 0.3},
    {FALLS, "after 0.299 s: level <= 3", false, 0.299, 5, 0.299},
    {FALLS, "before 0.3 s: level < 3", true, 0.3, 1, 0.3},
    {FALLS, "before 0.299 s: level < 3", false, 0, 5, 0},
    // at the very end
    {RISES_LAST, "always: level <= 3", false, 1, 5, 1},
    {RISES_LAST, "never: level > 3", false, 1, 5, 1},
    {RISES_LAST, "before 1 s: level > 3", true, 1, 5, 1},
    {RISES_LAST, "before 0.999 s: level > 3", false, 0, 1, 0},
    {RISES_LAST, "before 1 s: level > 7", false, 1, 5, 1},
    {RISES_LAST, "after 1 s: level <= 3", false, 1, 5, 1},
    {RISES_LAST, "after 0.995 s: level <= 3", false, 1, 5, 1},
    {RISES_LAST, "after 0 s: level <= 3", false, 1, 5, 1},
    {RISES_LAST, "at 1 s: level <= 3", false, 1, 5, 1},
    {RISES_LAST, "at end: level <= 3", false, 1, 5, 1},
    {FALLS_LAST, "after 1 s: level <= 3", true, 1, 1, 1},
    {FALLS_LAST, "after 0.995 s: level <= 3", false, 0.995, 5, 0.995},
    {FALLS_LAST, "at end: level <= 3", true, 1, 1, 1},
    // for 10 ms, from one switch to the next
    {PEAK, "always: level <= 3", false, 0.37, 5, 0.37},
    {PEAK, "never: level > 3", false, 0.37, 5, 0.37},
    {PEAK, "before 1 s: level > 3", true, 0.37, 5, 0.37},
    {PEAK, "before 0.37 s: level > 3", true, 0.37, 5, 0.37},
    {PEAK, "before 0.369 s: level > 3", false, 0, 1, 0},
    {PEAK, "after 0.37 s: level <= 3", false, 0.37, 5, 0.37},
    {PEAK, "after 0.379 s: level <= 3", false, 0.379, 5, 0.379},
    {PEAK, "after 0.38 s: level <= 3", true, 0.38, 1, 0.38},
    {PEAK, "at 0.37 s: level > 3", true, 0.37, 5, 0.37},
    {PEAK, "at 0.379 s: level > 3", true, 0.379, 5, 0.379},
    {PEAK, "at 0.38 s: level > 3", false, 0.38, 1, 0.38},
    {PEAK, "always: sum < 5.375", false, 0.375, 5.38, 0.38},
    {PEAK, "before 1 s: sum > 5.375", true, 0.375, ANY, ANY},
    {PEAK, "before 0.38 s: sum > 7", false, 0.38, 5.38, 0.38},
    {PEAK, "never: level = 3 +- 1", true, 0, 1, 0}, // it is never there
    // the best lies just before the switch, at the time that is named
    {SINKS, "before 0.3 s: sum > 7", false, 0.3, 0.3, 0.3},
    {SINKS, "always: sum < 7", true, 0.3, 0.3, 0.3},
    {SINKS, "after 0.3 s: sum < 7", true, 1, 0, 1},
    // no number at first
    {COMES, "always: gap <= 3", false, 0, 1, 0.3},
    {COMES, "never: gap > 3", true, 0.3, 1, 0.3},
    {COMES, "never: gap > 0", false, 0.3, 1, 0.3},
    {COMES, "before 1 s: gap > 0", true, 0.3, 1, 0.3},
    {COMES, "before 0.299 s: gap > 0", false, ANY, ANY, ANY},
    {COMES, "after 0.3 s: gap <= 3", true, 0.3, 1, 0.3},
    {COMES, "after 0.299 s: gap <= 3", false, 0.299, 1, 0.3},
    {COMES, "at 0 s: gap <= 3", false, 0, ANY, 0},
    // no number for a while
    {BREAK, "always: gap <= 3", false, 0.3, 5, 0.6},
    {BREAK, "never: gap > 3", false, 0.6, 5, 0.6},
    {BREAK, "never: gap > 7", true, 0.6, 5, 0.6},
    {BREAK, "before 1 s: gap > 3", true, 0.6, 5, 0.6},
    {BREAK, "before 0.5 s: gap > 3", false, 0, 1, 0},
    {BREAK, "after 0.4 s: gap <= 7", false, 0.4, 5, 0.6},
    {BREAK, "after 0.6 s: gap <= 7", true, 0.6, 5, 0.6},
    {BREAK, "after 0.6 s: gap <= 3", false, 0.6, 5, 0.6},
    {BREAK, "at 0.5 s: gap <= 3", false, 0.5, ANY, 0.5},
    // no number at the end
    {ENDS, "always: gap <= 3", false, 1, 1, 0},
    {ENDS, "never: gap > 3", true, 0, 1, 0},
    {ENDS, "after 0.5 s: gap <= 3", false, 1, 1, 0.5},
    {ENDS, "at end: gap <= 3", false, 1, ANY, 1},
    // never one: nothing that has to last has been seen
    {NEVER, "always: gap <= 3", false, 0, ANY, ANY},
    {NEVER, "never: gap > 3", false, ANY, ANY, ANY},
    {NEVER, "before 1 s: gap > 3", false, ANY, ANY, ANY},
    {NEVER, "after 0.5 s: gap > 3", false, 0.5, ANY, ANY},
    // no number from within a step to within another
    {FALLS, "always: hole < 7", false, 0.3405, 1, 1, true},
    {FALLS, "never: hole > 0.5", false, 0.5505, 1, 1, true},
    {FALLS, "never: hole > 0.99", false, 0.99, 1, 1},
    {FALLS, "before 1 s: hole > 0.5", true, 0.5505, ANY, ANY, true},
    {FALLS, "before 0.551 s: hole > 0.552", false, 0.551, 0.551, 0.551},
    {FALLS, "after 0.6 s: hole < 7", true, 1, 1, 1},
    // times that are named within a step, at its start, at the start and at the end of the run
    {FALLS, "before 0.345 s: line >= 0.3449 s", true, 0.3449, ANY, ANY},
    {FALLS, "before 0.345 s: line >= 0.3451 s", false, 0.345, 0.345, 0.345},
    {FALLS, "before 0.3 s: line > 0.305 s", false, 0.3, 0.3, 0.3},
    {FALLS, "before 0 s: line > 0 s", false, 0, 0, 0},
    {FALLS, "before 0 s: line >= 0 s", true, 0, 0, 0},
    {FALLS, "before 1 s: line > 2 s", false, 1, 1, 1},
    {FALLS, "after 0.345 s: line >= 0.3451 s", false, 0.345, 0.345, 0.345},
    {FALLS, "after 0.345 s: line <= 0.3451 s", false, 0.3451, 1, 1},
    {FALLS, "after 0.3 s: line >= 0.305 s", false, 0.3, 0.3, 0.3},
    {FALLS, "after 0 s: line > 0 s", false, 0, 0, 0},
    {FALLS, "after 0 s: line >= 0 s", true, 0, 0, 0},
    {FALLS, "after 1 s: line < 0.5 s", false, 1, 1, 1},
    // wrong, right for a moment at the time that is named, and wrong again, all within a step
    {FALLS, "after 0.3471 s: notch < 0.5", false, 0.3476, 652.9, 1, true},
};

enum { CASES = sizeof cases / sizeof cases[0] };

// -------------------------------------------------------------------------------------------- runs

typedef struct Way {
    ib_SolverKind solver;
    ib_Time step;
    bool singly; ///< ib_sim_step by ib_sim_step
} Way;

// Judges the cases that are `taken` of a script in one run.
static void judge(const Script *script, Way way, const Case *const *taken, int count,
                  ib_Expectation *verdicts)
{
    ib_Timeline inputs[INPUTS] = {{0}};
    inputs[LEVEL] = (ib_Timeline){KNOTS, script->times, script->values, false};
    ib_RobotConfig robot = {
        .name = "", .kind = &watch_kind, .config = "", .inputs = inputs, .input_count = INPUTS};
    ib_SimConfig config = {.robots = &robot,
                           .robot_count = 1,
                           .solver = {way.solver, 1e-9, 1e-9},
                           .step = way.step,
                           .duration = IB_SECOND};
    ib_Arena arena = {0};
    ib_Model *model;
    ib_Sim *sim;
    ib_Error error;
    if (ib_model_create(&config, &arena, &model, &error) != IB_OK) fail_msg("%s", error.text);
    assert_int_equal(ib_sim_create(model, &sim, &error), IB_OK);
    for (int i = 0; i < count; i++) {
        if (ib_expectation_read(taken[i]->sentence, &model->signals, &arena, &verdicts[i],
                                &error) != IB_OK)
            fail_msg("%s: %s", taken[i]->sentence, error.text);
        assert_int_equal(ib_expectation_attach(&verdicts[i], sim, &error), IB_OK);
    }
    while (way.singly && !ib_sim_done(sim)) assert_int_equal(ib_sim_step(sim, &error), IB_OK);
    assert_int_equal(ib_sim_advance(sim, IB_SECOND, &error), IB_OK);
    ib_sim_finish(sim);
    for (int i = 0; i < count; i++) {
        ib_expectation_finish(&verdicts[i], true);
        verdicts[i].text = NULL; // it goes with the arena
    }
    ib_sim_destroy(sim);
    ib_arena_reset(&arena);
}

// 1e-9: ten thousand times what the clock's sums round to.
static bool is_near(double got, double expected, double late)
{
    return isnan(expected) || (got >= expected - 1e-9 && got <= expected + 1e-9 + late);
}

static bool is_right(const Case *c, Way way, const ib_Expectation *e)
{
    double late = c->late ? ib_time_to_seconds(way.step) : 0;
    return e->decided && e->passed == c->passed && is_near(e->seen_at, c->seen_at, late) &&
           is_near(e->worst, c->worst, 0) && is_near(e->worst_at, c->worst_at, 0);
}

static int count_wrong(const Case *const *taken, int count, Way way, const ib_Expectation *verdicts)
{
    int wrong = 0;
    for (int i = 0; i < count; i++) {
        const ib_Expectation *e = &verdicts[i];
        if (is_right(taken[i], way, e)) continue;
        wrong++;
        print_error("script %d, %s (solver %d, step %g s%s%s): %s %d, %.12g at %.12g, worst %.12g "
                    "at %.12g\n",
                    taken[i]->script, taken[i]->sentence, (int)way.solver,
                    ib_time_to_seconds(way.step), way.singly ? ", singly" : "",
                    count > 1 ? ", with others" : "", e->decided ? "passed" : "not decided",
                    e->passed, e->seen, e->seen_at, e->worst, e->worst_at);
    }
    return wrong;
}

static const Way ways[] = {{IB_RK4, 10 * MS, false},   {IB_RK4, 10 * MS, true},
                           {IB_RK4, 100 * MS, false},  {IB_RK4, 100 * MS, true},
                           {IB_EULER, 30 * MS, false}, {IB_DOPRI5, 100 * MS, false}};

enum { WAYS = sizeof ways / sizeof ways[0] };

// Goal: verdict, the instant of it and the worst value are those that follow from script and
// sentence, alone and beside others that look or sleep at other times. Method: each case by itself,
// then all of a script in one run, on fixed grids of which some have the times of the cases and
// some have not, and by an adaptive solver.
static void edges_are_judged_as_they_are_written(void **state)
{
    (void)state;
    int wrong = 0;
    for (int w = 0; w < WAYS; w++) {
        for (int s = 0; s < SCRIPTS; s++) {
            const Case *all[CASES];
            ib_Expectation alone, verdicts[CASES];
            int count = 0;
            for (int i = 0; i < CASES; i++)
                if (cases[i].script == s) all[count++] = &cases[i];
            for (int i = 0; i < count; i++) {
                judge(&scripts[s], ways[w], &all[i], 1, &alone);
                wrong += count_wrong(&all[i], 1, ways[w], &alone);
            }
            judge(&scripts[s], ways[w], all, count, verdicts);
            wrong += count_wrong(all, count, ways[w], verdicts);
        }
    }
    assert_int_equal(wrong, 0);
}

// Goal: strides judge as single steps do, to the bit. Method: each case on both grids, both ways.
static void strides_judge_as_steps_do(void **state)
{
    (void)state;
    for (int w = 0; w + 1 < 4; w += 2) {
        for (int i = 0; i < CASES; i++) {
            const Case *one = &cases[i];
            ib_Expectation verdicts[2];
            for (int k = 0; k < 2; k++)
                judge(&scripts[one->script], ways[w + k], &one, 1, &verdicts[k]);
            if (memcmp(&verdicts[0], &verdicts[1], sizeof verdicts[0]) != 0)
                fail_msg("%s: in strides %.17g at %.17g, singly %.17g at %.17g", one->sentence,
                         verdicts[0].worst, verdicts[0].seen_at, verdicts[1].worst,
                         verdicts[1].seen_at);
        }
    }
}

// Goal: who is told that a sentence was broken is told by what. Method: a signal that was within
// its limits where it was a number, one that was too high before that, and one at its limit.
static void what_is_not_a_number_is_said_so(void **state)
{
    (void)state;
    static const struct {
        Case made;
        const char *words;
    } said[] = {
        {{.script = BREAK, .sentence = "always: gap <= 7"}, "gap was not a number at 0.3 s"},
        {{.script = ENDS, .sentence = "at end: gap <= 3"}, "gap was not a number at 1 s"},
        {{.script = BREAK, .sentence = "always: gap < 0.5"},
         "gap was 5 at 0.6 s, 4.5 too high; broken first at 0 s"},
        {{.script = FALLS, .sentence = "always: gap < 5"}, "gap was 5 at 0 s, exactly the limit"},
        {{.script = FALLS, .sentence = "before 1 s: gap > 5"},
         "gap was 5 at 0 s at best, exactly the limit"}};
    static const ib_SignalDef defs[SIGNALS] = {[GAP] = {"gap", "1", "", 1e9}};
    const ib_SignalTable table = {.items = (ib_SignalDef *)(uintptr_t)defs, .count = SIGNALS};
    for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
        const Case *one = &said[i].made;
        ib_Expectation verdict;
        char text[200];
        judge(&scripts[one->script], ways[0], &one, 1, &verdict);
        ib_expectation_explain(&verdict, &table, text, sizeof text);
        assert_string_equal(text, said[i].words);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_are_judged_as_they_are_written),
        cmocka_unit_test(strides_judge_as_steps_do),
        cmocka_unit_test(what_is_not_a_number_is_said_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
