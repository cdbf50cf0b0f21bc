// Claims about src/sim/watch/watch_filter.c and watch.c: few looks see what looks at all
// points see.
#include "cmocka_all.h"
#include "sim/dice.h"
#include "sim/sim_inside.h"

#include <math.h>
#include <string.h>

// ----------------------------------------------------------------------------------------- a plant
//
// A mass on a spring that is harder on one side, with a clock beside it:
//   t' = 1,   x' = v,   v' = force - w^2 x (1 or `harder`) - 2 damping w v
// and, where there is a wall, v -> -v as it comes there. Of the clock it shows kinks and dips.
enum { CLOCK, PLACE, SPEED, STATES };
enum { FORCE = IB_ENVIRONMENT_COUNT, INPUTS };
enum { X, V, SIZE, PLATEAU, PULL, TEETH, BELL, LINE, SIGNALS };

typedef struct Swing {
    double w, damping, harder, wall; ///< rad/s, 1, 1, m
    double period, width; ///< of its teeth and bells [s]; of a bell, where it is 1/e deep
} Swing;

static int64_t outputs; // calls

static ib_Status swing_init(const void *config, ib_Arena *arena, void *model, ib_RobotPorts *ports,
                            ib_Error *error)
{
    static const ib_SignalDef signals[] = {{"x", "m", "place", 1e9},
                                           {"v", "m/s", "speed", 1e9},
                                           {"size", "m", "|x|", 1e9},
                                           {"plateau", "m", "x, cut off", 1e9},
                                           {"pull", "m/s^2", "force", 1e9},
                                           {"teeth", "1", "|sawtooth|", 1e9},
                                           {"bell", "1", "1 but in dips", 1e9},
                                           {"line", "s", "the clock", 1e9}};
    static const ib_StateDef states[] = {{.signal = "line"}, {.signal = "x"}, {.signal = "v"}};
    static ib_InputDef inputs[INPUTS];
    (void)arena, (void)error;
    memcpy(inputs, ib_environment_inputs, sizeof ib_environment_inputs);
    inputs[FORCE] = (ib_InputDef){.name = "force",
                                  .unit = "m/s^2",
                                  .sentence = "",
                                  .role = IB_INPUT_COMMAND,
                                  .low = -1e6,
                                  .high = 1e6};
    *(Swing *)model = *(const Swing *)config;
    *ports = (ib_RobotPorts){.state_count = STATES,
                             .states = states,
                             .input_count = INPUTS,
                             .inputs = inputs,
                             .signal_count = SIGNALS,
                             .signals = signals,
                             .guard_count = 1};
    return IB_OK;
}

static void swing_reset(const void *config, const void *model, double *state)
{
    (void)config, (void)model;
    state[CLOCK] = state[SPEED] = 0;
    state[PLACE] = 1;
}

static double pull_of(const Swing *s, const double *state, const double *input)
{
    double x = state[PLACE], v = state[SPEED], w2 = s->w * s->w * (x > 0 ? s->harder : 1);
    return input[FORCE] - w2 * x - 2 * s->damping * s->w * v;
}

static void swing_rate(const void *model, const double *state, const double *input, double *rate)
{
    rate[CLOCK] = 1;
    rate[PLACE] = state[SPEED];
    rate[SPEED] = pull_of(model, state, input);
}

static void swing_output(const void *model, const double *state, const double *input, double *y)
{
    const Swing *s = model;
    double x = state[PLACE], t = state[CLOCK], tooth = t / s->period - floor(t / s->period) - 0.5;
    double bell = tooth * s->period / s->width;
    outputs++;
    y[X] = x;
    y[V] = state[SPEED];
    y[SIZE] = fabs(x);
    y[PLATEAU] = fmax(x, -0.2);
    y[PULL] = pull_of(s, state, input);
    y[TEETH] = fabs(tooth);
    y[BELL] = 1 - ib_exp(-fmin(700, bell * bell));
    y[LINE] = t;
}

static void swing_guard(const void *model, const double *state, const double *input, double *g)
{
    (void)input;
    g[0] = state[PLACE] - ((const Swing *)model)->wall;
}

static void swing_update(const void *model, int guard, bool rising, const double *input,
                         double *state)
{
    (void)guard, (void)input;
    (void)model;
    if (!rising && state[SPEED] < 0) state[SPEED] *= -1;
}

static const ib_RobotKind swing_kind = {.name = "swing",
                                        .sentence = "a mass on a spring",
                                        .docs = "",
                                        .config_size = sizeof(Swing),
                                        .model_size = sizeof(Swing),
                                        .init = swing_init,
                                        .reset = swing_reset,
                                        .rate = swing_rate,
                                        .output = swing_output,
                                        .guard = swing_guard,
                                        .update = swing_update};

// The same by steps of its own: semi-implicit Euler, and no wall.
static void *own_workspace(const void *model, ib_Arena *arena)
{
    (void)model;
    return ib_arena_alloc(arena, sizeof(double));
}

static bool own_compatible(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(Swing)) == 0;
}

static ib_Status own_advance(const void *model, void *workspace, const double *state,
                             const double *input, double h, double *next, ib_Error *error)
{
    (void)workspace, (void)error;
    double v = state[SPEED] + h * pull_of(model, state, input);
    next[CLOCK] = state[CLOCK] + h;
    next[PLACE] = state[PLACE] + h * v;
    next[SPEED] = v;
    return IB_OK;
}

static void own_output(const void *model, void *workspace, const double *state, const double *input,
                       double *y)
{
    (void)workspace;
    swing_output(model, state, input, y);
}

static ib_Status own_init(const void *config, ib_Arena *arena, void *model, ib_RobotPorts *ports,
                          ib_Error *error)
{
    ib_Status status = swing_init(config, arena, model, ports, error);
    ports->guard_count = 0;
    return status;
}

static const ib_ExternalIntegrator own_steps = {.workspace = own_workspace,
                                                .compatible = own_compatible,
                                                .advance = own_advance,
                                                .output = own_output};
static const ib_RobotKind own_kind = {.name = "swing",
                                      .sentence = "a mass on a spring",
                                      .docs = "",
                                      .config_size = sizeof(Swing),
                                      .model_size = sizeof(Swing),
                                      .integrator = &own_steps,
                                      .init = own_init,
                                      .reset = swing_reset};

// --------------------------------------------------------------------------------------- a watcher

enum { FOUND = 400 };

// Who wants to know where a signal crosses a level, and how far below it or above it came.
typedef struct Watcher {
    int signal;
    double level, sense; ///< margin: sense (y - level)
    int64_t asked;
    double from, until; ///< it sleeps outside [s]
    double least;       ///< margin that it was told of
    int count;
    double seconds[FOUND];
    bool rising[FOUND];
} Watcher;

static double margin(const void *self, const double *signals)
{
    const Watcher *w = self;
    ((Watcher *)(uintptr_t)self)->asked++;
    return w->sense * (signals[w->signal] - w->level);
}

static void crossed(void *self, double seconds, const double *signals, bool rising)
{
    Watcher *w = self;
    (void)signals;
    assert_true(w->count < FOUND);
    w->seconds[w->count] = seconds;
    w->rising[w->count++] = rising;
}

static void looked(void *self, double seconds, const double *signals)
{
    Watcher *w = self;
    (void)seconds;
    w->least = fmin(w->least, w->sense * (signals[w->signal] - w->level));
}

static bool wants(const void *self, double seconds, double g)
{
    (void)seconds;
    return g < ((const Watcher *)self)->least;
}

static bool sleeps(const void *self, double from, double to)
{
    const Watcher *w = self;
    return to < w->from || from > w->until;
}

// ------------------------------------------------------------------------------------------- a run

enum { WATCHERS = 3 * SIGNALS, SWITCHES = 6 };

typedef struct Run {
    Swing swing;
    bool own; ///< it has an external integrator
    ib_SolverConfig solver;
    ib_Time step, duration;
    ib_Time times[SWITCHES];
    double forces[SWITCHES];
    bool ramps;
    Watcher watchers[WATCHERS];
    int watcher_count;
    bool fully; ///< looks at everything
    // What came of it:
    uint64_t hash;
    int64_t steps, evaluations, outputs;
    double most_move[SIGNALS]; ///< from one step to the next
    double last[SIGNALS];
} Run;

static ib_Time see_step(void *self, ib_Time time, const double *signals)
{
    Run *run = self;
    for (int i = 0; time > 0 && i < SIGNALS; i++)
        run->most_move[i] = fmax(run->most_move[i], fabs(signals[i] - run->last[i]));
    memcpy(run->last, signals, sizeof run->last);
    return IB_TIME_NEVER;
}

static Run run_default(void)
{
    return (Run){.swing = {.w = 1, .harder = 1, .wall = -1e6, .period = 1, .width = 0.1},
                 .solver = {IB_RK4, 1e-9, 1e-9},
                 .step = IB_SECOND / 100,
                 .duration = IB_SECOND};
}

static void add_watcher(Run *run, int signal, double level, double sense)
{
    assert_true(run->watcher_count < WATCHERS);
    run->watchers[run->watcher_count++] = (Watcher){
        .signal = signal, .level = level, .sense = sense, .until = 1e9, .least = INFINITY};
}

static void run_it(Run *run)
{
    ib_Timeline inputs[INPUTS] = {{0}};
    inputs[FORCE] = (ib_Timeline){SWITCHES, run->times, run->forces, run->ramps};
    ib_RobotConfig robot = {.name = "",
                            .kind = run->own ? &own_kind : &swing_kind,
                            .config = &run->swing,
                            .inputs = inputs,
                            .input_count = INPUTS};
    ib_SimConfig config = {.robots = &robot,
                           .robot_count = 1,
                           .solver = run->solver,
                           .step = run->step,
                           .duration = run->duration};
    ib_Arena arena = {0};
    ib_Model *model;
    ib_Sim *sim;
    ib_Error error;
    if (ib_model_create(&config, &arena, &model, &error) != IB_OK) fail_msg("%s", error.text);
    assert_int_equal(ib_sim_create(model, &sim, &error), IB_OK);
    ib_Probe probe = {.self = run, .next = IB_TIME_NEVER, .each_step = true, .sample = see_step};
    assert_int_equal(ib_sim_probe(sim, probe, &error), IB_OK);
    for (int i = 0; i < run->watcher_count; i++) {
        ib_Watch watch = {&run->watchers[i], margin, crossed, -1, looked, wants, sleeps};
        assert_int_equal(ib_sim_watch(sim, watch, &error), IB_OK);
    }
    if (run->fully) ib__sim_watch_fully(sim);
    outputs = 0;
    if (ib_sim_advance(sim, run->duration, &error) != IB_OK) fail_msg("%s", error.text);
    run->hash = ib_sim_hash(sim);
    run->steps = ib_sim_steps(sim);
    run->evaluations = ib_sim_solver_counts(sim).evaluations;
    run->outputs = outputs;
    ib_sim_destroy(sim);
    ib_arena_reset(&arena);
}

static const double pi = 3.14159265358979323846;

// Anything from a slow swing to one of ten steps a period, with or without damping, a spring with a
// kink, a wall, forces that switch or ramp off the grid. Bells have half their depth for 0.35 of a
// step or longer (of an adaptive solver for an eighth of the longest), which is as far as
// docs/architecture.md goes; teeth are longer than that.
static void draw_run(Dice *dice, ib_SolverKind solver, bool own, Run *run)
{
    *run = run_default();
    double h = ib_time_to_seconds(run->step), w, top;
    // Euler's swings grow, the more the faster they are.
    run->swing.w = w = draw_size(dice, 1, solver == IB_EULER ? 10 : 2 * pi / (10 * h));
    run->own = own;
    run->swing.damping = chance(dice, 0.5) ? 0 : draw_size(dice, 0.01, 0.5);
    run->swing.harder = chance(dice, 0.5) ? 1 : draw_size(dice, 0.25, 4);
    if (chance(dice, 0.3)) run->swing.wall = draw(dice, -0.9, -0.1);
    run->solver.kind = solver;
    if (ib_solver_adaptive(solver)) {
        run->solver.tolerance = draw_size(dice, 1e-10, 1e-4);
        run->step = IB_SECOND / 10;
        h = 0.025;
    }
    run->swing.period = draw_size(dice, 5 * h, 0.5);
    run->swing.width = h * draw_size(dice, ib_solver_adaptive(solver) ? 0.3 : 0.21, 3);
    run->ramps = chance(dice, 0.5);
    for (int i = 0; i < SWITCHES; i++) {
        double at = draw(dice, i + 0.1, i + 0.9) / SWITCHES;
        run->times[i] = ib_time_from_seconds(at);
        run->forces[i] = w * w * draw(dice, -0.5, 0.5);
    }
    for (int i = 0; i < WATCHERS; i++) {
        int signal = i % SIGNALS;
        top = signal == V ? w : signal == PULL ? w * w : signal == TEETH ? 0.5 : 1;
        double level = top * draw(dice, -1.2, 1.2), sense = chance(dice, 0.5) ? 1 : -1;
        // Half of the levels are close to where it turns.
        if (chance(dice, 0.5)) level = top * (1 - draw_size(dice, 1e-5, 0.1));
        if (signal == BELL || signal == TEETH) level = top * draw_size(dice, 1e-3, 1);
        add_watcher(run, signal, level, sense);
    }
}

static void say_difference(const Run *run, int i, const Watcher *full, const Watcher *quick)
{
    print_message("solver %d w %g step %g width %g period %g signal %d level %.9g: %d, %d\n",
                  (int)run->solver.kind, run->swing.w, ib_time_to_seconds(run->step),
                  run->swing.width, run->swing.period, run->watchers[i].signal,
                  run->watchers[i].level, full->count, quick->count);
    for (int k = 0; k < FOUND && k < full->count; k++)
        print_message("  %.17g %.17g\n", full->seconds[k],
                      k < quick->count ? quick->seconds[k] : -1);
}

static void compare(const Run *all, const Run *few, int64_t *found)
{
    for (int i = 0; i < WATCHERS; i++) {
        const Watcher *a = &all->watchers[i], *b = &few->watchers[i];
        size_t size = (size_t)a->count * sizeof *a->seconds;
        bool equal = a->count == b->count && memcmp(a->seconds, b->seconds, size) == 0 &&
                     memcmp(a->rising, b->rising, sizeof a->rising) == 0;
        if (!equal) say_difference(all, i, a, b);
        assert_true(equal);
        *found += a->count;
        // Of a kink in the last sixth of a step, so much may be missing of what stands out.
        double most = all->most_move[a->signal] / 6;
        if (!(b->least <= a->least + most))
            fail_msg("solver %d signal %d: %.17g %.17g, %g", (int)all->solver.kind, a->signal,
                     a->least, b->least, most);
    }
}

// Goal: what is found by looking at every piece in all its points is found by looking at few, at
// the same instants to the bit, and nothing else; and the worst value is the same up to where a
// kink lies within a step. Method: random swings with kinks, jumps and switches, by each solver and
// by steps of their own, with 24 watchers each, of which half have a level close to where the
// signal turns.
static void few_looks_find_what_all_do(void **unused)
{
    (void)unused;
    static Run all, few;
    int64_t found = 0;
    for (int solver = IB_EULER; solver <= IB_SOLVER_COUNT; solver++)
        for (int seed = 0; seed < 80; seed++) {
            Dice dice = {.game = 2100, .seed = seed};
            bool own = solver == IB_SOLVER_COUNT;
            draw_run(&dice, own ? IB_RK4 : (ib_SolverKind)solver, own, &all);
            few = all;
            all.fully = true;
            run_it(&all);
            run_it(&few);
            assert_true(all.hash == few.hash);
            compare(&all, &few, &found);
        }
    assert_true(found > 4000);
}

// Goal: of a smooth signal far from its limit the worst value is not that of the steps' ends.
// Method: cos w t with w h = 0.3, of which the ends miss the largest value by up to 0.15^2/2 =
// 1e-2; a push of 0.1 w^2 from 0.3 s on makes the next swings larger, 0.1 + sqrt((x - 0.1)^2 +
// (v/w)^2). RK4 loses (w h)^6/144 = 5e-6 of the amplitude a step, 70 times; of the others `stiff`
// has the largest error, 1e-9 in each of some 1e4 steps.
static void worst_values_are_seen_inside_a_step(void **unused)
{
    (void)unused;
    const double w = 30, at = 0.3, push = 0.1, x = cos(w * at) - push, v = -sin(w * at);
    const double largest = push + sqrt(x * x + v * v);
    for (int solver = IB_RK4; solver < IB_SOLVER_COUNT; solver++) {
        Run run = run_default();
        run.swing.w = w;
        run.solver.kind = (ib_SolverKind)solver;
        if (ib_solver_adaptive(run.solver.kind)) run.step = IB_SECOND / 10;
        for (int i = 0; i < SWITCHES; i++) {
            run.times[i] = i == 0 ? 0 : IB_SECOND * 3 / 10 + i - 1;
            run.forces[i] = i == 0 ? 0 : push * w * w;
        }
        add_watcher(&run, X, 1000, -1);
        run_it(&run);
        double seen = 1000 - run.watchers[0].least;
        assert_true(fabs(seen - largest) < (solver == IB_RK4 ? 5e-4 : 1e-5));
    }
}

// Goal: a dip as long as half a step, in the middle between two ends, is seen out of the blue.
// Method: 1 - exp(-(t/s)^2) has half its depth for 2 s sqrt(ln 2); with s = 0.3 of a step that is
// half a step. Once every 21 steps, first behind 10.5; at a level of 0.01 it is crossed
// s sqrt(-ln 0.99) = 0.1 s before and behind.
static void short_dips_are_seen(void **unused)
{
    (void)unused;
    Run run = run_default();
    run.swing.period = 0.21;
    run.swing.width = 0.003;
    run.swing.w = 0.001;
    add_watcher(&run, BELL, 0.01, 1);
    run_it(&run);
    const Watcher *w = &run.watchers[0];
    assert_int_equal(w->count, 10);
    for (int i = 0; i < 10; i++) {
        double from = 0.21 * (i / 2) + 0.105, away = 0.003 * sqrt(-log(0.99));
        assert_true(w->rising[i] == (i % 2 == 1));
        assert_true(fabs(w->seconds[i] - (from + (i % 2 ? away : -away))) < 1e-12);
    }
}

// Goal: where no margin comes near its limit, watching costs no rates, and signals once a step; by
// an adaptive solver, four times. Method: both counted, of a swing without switches, whose probe
// asks for every step; watched, also for the last end.
static void quiet_runs_cost_the_signals_of_their_ends(void **unused)
{
    (void)unused;
    for (int solver = IB_EULER; solver < IB_SOLVER_COUNT; solver++) {
        Run alone = run_default(), watched;
        alone.solver.kind = (ib_SolverKind)solver;
        watched = alone;
        for (int i = 0; i < 5; i++) add_watcher(&watched, i % 2 ? LINE : V, 1000 + i, -1);
        run_it(&alone);
        run_it(&watched);
        bool adaptive = ib_solver_adaptive(alone.solver.kind);
        assert_true(watched.hash == alone.hash);
        assert_int_equal(alone.outputs, alone.steps);
        assert_int_equal(watched.evaluations, alone.evaluations);
        // The first step has no end before it, and one more in its middle.
        assert_int_equal(watched.outputs, adaptive ? 4 * alone.steps + 1 : alone.steps + 2);
    }
}

// Goal: who has nothing to look for yet, or any more, is asked nothing; awake he sees what he would
// have seen. Method: places of a swing, from 0.3 s on and until 0.5 s, off the grid.
static void sleepers_cost_nothing(void **unused)
{
    (void)unused;
    for (int solver = IB_RK4; solver < IB_SOLVER_COUNT; solver++) {
        Run run = run_default();
        run.solver.kind = (ib_SolverKind)solver;
        run.swing.w = 40;
        for (int i = 0; i < 4; i++) add_watcher(&run, X, 0.5, 1);
        run.watchers[1].from = 0.3003;
        run.watchers[2].until = 0.5004;
        run.watchers[3].from = 2;
        run_it(&run);
        const Watcher *all = &run.watchers[0];
        assert_true(all->count >= 12);
        assert_int_equal(run.watchers[3].asked, 0);
        assert_true(run.watchers[1].asked < all->asked && run.watchers[2].asked < all->asked);
        int late = 0, early = 0;
        for (int i = 0; i < all->count; i++) {
            const Watcher *after = &run.watchers[1], *before = &run.watchers[2];
            if (all->seconds[i] >= 0.3003) {
                while (late < after->count && after->seconds[late] < 0.3003) late++;
                assert_true(late < after->count && after->seconds[late++] == all->seconds[i]);
            }
            if (all->seconds[i] <= 0.5004)
                assert_true(early < before->count && before->seconds[early++] == all->seconds[i]);
        }
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        ib_plain_test(few_looks_find_what_all_do),
        cmocka_unit_test(worst_values_are_seen_inside_a_step),
        cmocka_unit_test(short_dips_are_seen),
        cmocka_unit_test(quiet_runs_cost_the_signals_of_their_ends),
        cmocka_unit_test(sleepers_cost_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
