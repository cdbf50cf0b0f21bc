// Claims about src/sim/external_integrator.c: robots that have an external integrator.
#include "cmocka_all.h"
#include "sim/cart.h"
#include "sim/linearise/variant.h"
#include "sim/sim.h"

#include <math.h>
#include <string.h>

// A mass on a spring of 100 1/s^2 under a force, by semi-implicit Euler. Its workspace is one
// double, in which each call leaves rubbish: nothing may be carried over in it.
enum { SPRING_X, SPRING_V, SPRING_STATES };
enum { SPRING_FORCE = IB_ENVIRONMENT_COUNT, SPRING_INPUTS };

typedef struct Spring {
    double breaks; ///< it refuses to go beyond [m]; 0: never
    int marks;     ///< to tell models apart
} Spring;

static ib_Status spring_init(const void *config, ib_Arena *arena, void *model, ib_RobotPorts *ports,
                             ib_Error *error)
{
    static const ib_SignalDef signals[] = {{"x", "m", "place", 1e6}, {"v", "m/s", "speed", 1e6}};
    static const ib_StateDef states[] = {{.signal = "x"}, {.signal = "v"}};
    static ib_InputDef inputs[SPRING_INPUTS];
    (void)arena, (void)error;
    memcpy(inputs, ib_environment_inputs, sizeof ib_environment_inputs);
    inputs[SPRING_FORCE] = (ib_InputDef){.name = "force",
                                         .unit = "N",
                                         .sentence = "",
                                         .role = IB_INPUT_COMMAND,
                                         .low = -100,
                                         .high = 100};
    *(Spring *)model = *(const Spring *)config;
    *ports = (ib_RobotPorts){.state_count = SPRING_STATES,
                             .states = states,
                             .input_count = SPRING_INPUTS,
                             .inputs = inputs,
                             .signal_count = 2,
                             .signals = signals};
    return IB_OK;
}

static void spring_reset(const void *config, const void *model, double *state)
{
    (void)config, (void)model;
    state[SPRING_X] = 0.1;
    state[SPRING_V] = 0;
}

static void *spring_workspace(const void *model, ib_Arena *arena)
{
    (void)model;
    return ib_arena_alloc(arena, sizeof(double));
}

static bool spring_compatible(const void *a, const void *b)
{
    return ((const Spring *)a)->marks == ((const Spring *)b)->marks;
}

static void euler(double force, double h, double *x, double *v)
{
    *v += h * (force - 100 * *x);
    *x += h * *v;
}

// What MuJoCo does: forces are found for a state, unless they are there already, until it moves on.
static int solved_count;
static double solved_state[SPRING_STATES];

static void solve(const double *state)
{
    if (memcmp(solved_state, state, sizeof solved_state) == 0) return;
    memcpy(solved_state, state, sizeof solved_state);
    solved_count++;
}

static ib_Status spring_advance(const void *model, void *workspace, const double *state,
                                const double *input, double h, double *next, ib_Error *error)
{
    const Spring *spring = model;
    double x = state[SPRING_X], v = state[SPRING_V];
    solve(state);
    solved_state[0] = NAN;
    euler(input[SPRING_FORCE], h, &x, &v);
    *(double *)workspace = NAN;
    if (spring->breaks > 0 && x > spring->breaks)
        return ib_error_set(error, IB_FAILED, "the spring breaks");
    next[SPRING_X] = x;
    next[SPRING_V] = v;
    return IB_OK;
}

static void spring_output(const void *model, void *workspace, const double *state,
                          const double *input, double *signals)
{
    (void)model, (void)input;
    solve(state);
    *(double *)workspace = INFINITY;
    signals[0] = state[SPRING_X];
    signals[1] = state[SPRING_V];
}

static const ib_ExternalIntegrator spring_steps = {.workspace = spring_workspace,
                                                   .compatible = spring_compatible,
                                                   .advance = spring_advance,
                                                   .output = spring_output};
static const ib_RobotKind spring_kind = {.name = "spring",
                                         .sentence = "a mass on a spring",
                                         .docs = "",
                                         .config_size = sizeof(Spring),
                                         .model_size = sizeof(Spring),
                                         .integrator = &spring_steps,
                                         .init = spring_init,
                                         .reset = spring_reset};

// A spring, alone or behind a cart that is pushed with 1 N, at 10 ms for a second.
typedef struct Rig {
    Spring spring;
    Cart cart;
    ib_RobotConfig robots[2];
    ib_Timeline pushes[CART_INPUTS], forces[SPRING_INPUTS];
    ib_SimConfig config;
    ib_Arena arena;
    ib_Model *model;
    ib_Sim *sim;
    ib_Error error;
} Rig;

static void rig_default(Rig *rig, bool beside)
{
    *rig = (Rig){.spring = {0}};
    int count = 0;
    rig->pushes[CART_FORCE] = (ib_Timeline){1, at_start, one, false};
    if (beside)
        rig->robots[count++] = (ib_RobotConfig){.name = "cart",
                                                .kind = &cart_kind,
                                                .config = &rig->cart,
                                                .inputs = rig->pushes,
                                                .input_count = CART_INPUTS};
    rig->robots[count++] = (ib_RobotConfig){.name = beside ? "spring" : "",
                                            .kind = &spring_kind,
                                            .config = &rig->spring,
                                            .inputs = rig->forces,
                                            .input_count = SPRING_INPUTS};
    rig->config = (ib_SimConfig){.robots = rig->robots,
                                 .robot_count = count,
                                 .solver = ib_solver_default(),
                                 .step = IB_SECOND / 100,
                                 .gravity = 9.80665,
                                 .duration = IB_SECOND};
}

static void rig_start(Rig *rig)
{
    assert_int_equal(ib_model_create(&rig->config, &rig->arena, &rig->model, &rig->error), IB_OK);
    assert_int_equal(ib_sim_create(rig->model, &rig->sim, &rig->error), IB_OK);
}

static void rig_end(Rig *rig)
{
    ib_sim_destroy(rig->sim);
    ib_arena_reset(&rig->arena);
}

// Goal: the run is the robot's own steps and nothing else, alone and beside one that the solver
// moves. Method: the same recursion here, to the bit; the cart beside it gets x = t^2/2.
static void a_run_is_its_own_steps(void **unused)
{
    (void)unused;
    for (int beside = 0; beside < 2; beside++) {
        Rig rig;
        double x = 0.1, v = 0;
        rig_default(&rig, beside);
        rig_start(&rig);
        assert_int_equal(ib_sim_advance(rig.sim, IB_SECOND, &rig.error), IB_OK);
        for (int i = 0; i < 100; i++) euler(0, 0.01, &x, &v);
        const double *own = ib_sim_state(rig.sim) + rig.model->robots[beside].state;
        assert_true(own[SPRING_X] == x && own[SPRING_V] == v);
        assert_int_equal(ib_sim_steps(rig.sim), 100);
        if (beside) assert_true(fabs(ib_sim_state(rig.sim)[CART_X] - 0.5) < 1e-14);
        rig_end(&rig);
    }
}

// Goal: a step is cut where an input switches, and the grid goes on unmoved; an input that ramps
// acts with its middle value. Method: a force from 15 ms on: the recursion here with steps of 10,
// 5, 5, 10 ms; a ramp of 100 N/s: steps with 0.5, 1.5, 2.5 N.
static void inputs_cut_steps_and_ramp(void **unused)
{
    (void)unused;
    static const ib_Time times[] = {15 * (IB_SECOND / 1000)}, ends[] = {0, IB_SECOND};
    static const double force[] = {3}, climb[] = {0, 100};
    Rig rig;
    double x = 0.1, v = 0;
    rig_default(&rig, false);
    rig.forces[SPRING_FORCE] = (ib_Timeline){1, times, force, false};
    rig_start(&rig);
    assert_int_equal(ib_sim_advance(rig.sim, 30 * (IB_SECOND / 1000), &rig.error), IB_OK);
    euler(0, 0.01, &x, &v);
    euler(0, 0.005, &x, &v);
    euler(3, 0.005, &x, &v);
    euler(3, 0.01, &x, &v);
    assert_true(ib_sim_state(rig.sim)[SPRING_X] == x);
    rig_end(&rig);

    rig_default(&rig, false);
    rig.forces[SPRING_FORCE] = (ib_Timeline){2, ends, climb, true};
    rig_start(&rig);
    assert_int_equal(ib_sim_advance(rig.sim, 30 * (IB_SECOND / 1000), &rig.error), IB_OK);
    x = 0.1, v = 0;
    for (int i = 0; i < 3; i++) euler(0.5 + i, 0.01, &x, &v);
    assert_true(fabs(ib_sim_state(rig.sim)[SPRING_X] - x) < 1e-16); // ramps are sums of products
    rig_end(&rig);
}

typedef struct Seen {
    int count;
    double x[400];
} Seen;

static ib_Time see(void *self, ib_Time time, const double *signals)
{
    Seen *seen = self;
    seen->x[seen->count++] = signals[0];
    return time + 3 * (IB_SECOND / 1000);
}

// Goal: whoever looks between two steps sees a shorter step from the last one, and the run does not
// notice. Method: samples every 3 ms of steps of 10 ms; the hash with and without them.
static void looking_changes_nothing(void **unused)
{
    (void)unused;
    Rig rig;
    Seen seen = {0};
    rig_default(&rig, false);
    rig_start(&rig);
    assert_int_equal(ib_sim_advance(rig.sim, IB_SECOND, &rig.error), IB_OK);
    uint64_t unseen = ib_sim_hash(rig.sim);
    rig_end(&rig);

    rig_default(&rig, false);
    rig_start(&rig);
    ib_Probe probe = {.self = &seen, .sample = see, .next = 0};
    assert_int_equal(ib_sim_probe(rig.sim, probe, &rig.error), IB_OK);
    assert_int_equal(ib_sim_advance(rig.sim, IB_SECOND, &rig.error), IB_OK);
    assert_true(ib_sim_hash(rig.sim) == unseen);
    double x = 0.1, v = 0;
    for (int i = 0; i < seen.count; i++) { // sample i at 3 i ms
        double within = (3 * i % 10) * 1e-3, at = x, speed = v;
        if (within > 0) euler(0, within, &at, &speed);
        assert_true(fabs(seen.x[i] - at) < 1e-16);
        if ((3 * i) / 10 != (3 * i + 3) / 10) euler(0, 0.01, &x, &v);
    }
    assert_int_equal(seen.count, 334);
    rig_end(&rig);
}

static ib_Time see_step(void *self, ib_Time time, const double *signals)
{
    ++*(int *)self;
    (void)time, (void)signals;
    return IB_TIME_NEVER;
}

static double far_away(const void *self, const double *signals)
{
    (void)self;
    return signals[0] + 1000;
}

static void not_there(void *self, double seconds, const double *signals, bool rising)
{
    (void)self, (void)seconds, (void)signals, (void)rising;
    fail();
}

// Goal: whoever looks at every step has its forces found once, not once more for the look. Method:
// they are counted, with a probe of every step, and with one and a watch: of that, one at the end,
// and three for the middle of the first step, of which nothing is known before.
static void looking_at_steps_solves_nothing_twice(void **unused)
{
    (void)unused;
    for (int watched = 0; watched < 2; watched++) {
        Rig rig;
        int seen = 0;
        rig_default(&rig, false);
        rig_start(&rig);
        ib_Probe probe = {
            .self = &seen, .sample = see_step, .next = IB_TIME_NEVER, .each_step = true};
        ib_Watch watch = {.margin = far_away, .crossed = not_there};
        assert_int_equal(ib_sim_probe(rig.sim, probe, &rig.error), IB_OK);
        if (watched) assert_int_equal(ib_sim_watch(rig.sim, watch, &rig.error), IB_OK);
        solved_state[0] = NAN;
        solved_count = 0;
        assert_int_equal(ib_sim_advance(rig.sim, IB_SECOND, &rig.error), IB_OK);
        assert_int_equal(seen, 100);
        assert_int_equal(solved_count, watched ? 104 : 100);
        rig_end(&rig);
    }
}

// Goal: a run goes on from any saved state with the same bits. Method: saved at the middle,
// restored into a simulation that has gone elsewhere.
static void a_run_goes_on_from_a_saved_state(void **unused)
{
    (void)unused;
    Rig rig;
    double saved[64];
    rig_default(&rig, true);
    rig_start(&rig);
    assert_int_equal(ib_sim_advance(rig.sim, IB_SECOND / 2, &rig.error), IB_OK);
    ib_Time time = ib_sim_time(rig.sim);
    int64_t steps = ib_sim_steps(rig.sim);
    assert_true(rig.model->state_count <= 64);
    memcpy(saved, ib_sim_state(rig.sim), (size_t)rig.model->state_count * sizeof *saved);
    assert_int_equal(ib_sim_advance(rig.sim, IB_SECOND, &rig.error), IB_OK);
    uint64_t hash = ib_sim_hash(rig.sim);
    ib_sim_restore(rig.sim, time, steps, saved);
    assert_int_equal(ib_sim_advance(rig.sim, IB_SECOND, &rig.error), IB_OK);
    assert_true(ib_sim_hash(rig.sim) == hash);
    rig_end(&rig);
}

// Goal: a step that fails ends the run, with the time and the sentence, and the state stays at the
// last good one. Method: a spring that breaks where it swings back to, x > 0.09 behind 0.5 s.
static void a_step_that_fails_ends_the_run(void **unused)
{
    (void)unused;
    Rig rig;
    rig_default(&rig, true);
    rig.spring.breaks = 0.09;
    static const ib_Time kick[] = {IB_SECOND / 10};
    static const double force[] = {30};
    rig.forces[SPRING_FORCE] = (ib_Timeline){1, kick, force, false};
    rig_start(&rig);
    double x = 0.1, v = 0;
    int good = 0;
    for (double nx = x, nv = v;; good++, x = nx, v = nv) {
        euler(good < 10 ? 0 : 30, 0.01, &nx, &nv);
        if (nx > 0.09) break;
    }
    assert_int_equal(ib_sim_advance(rig.sim, IB_SECOND, &rig.error), IB_FAILED);
    char expected[64];
    snprintf(expected, sizeof expected, "at %.9g s: spring: the spring breaks", good * 0.01);
    assert_string_equal(rig.error.text, expected);
    assert_true(ib_sim_state(rig.sim)[rig.model->robots[1].state] == x);
    rig_end(&rig);
}

// Goal: solvers that would need its rates are refused by name.
static void solvers_that_need_rates_are_refused(void **unused)
{
    (void)unused;
    static const ib_SolverKind kinds[] = {IB_DOPRI5, IB_ROSENBROCK, IB_STIFF};
    for (int i = 0; i < 3; i++) {
        Rig rig;
        rig_default(&rig, true);
        rig.config.solver = (ib_SolverConfig){.kind = kinds[i], .tolerance = 1e-6, .quantum = 1e-9};
        assert_int_equal(ib_model_create(&rig.config, &rig.arena, &rig.model, &rig.error),
                         IB_BAD_INPUT);
        assert_non_null(strstr(rig.error.text, "run.solver: a spring moves by steps of its own"));
        ib_arena_reset(&rig.arena);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_is_its_own_steps),
        cmocka_unit_test(inputs_cut_steps_and_ramp),
        cmocka_unit_test(looking_changes_nothing),
        cmocka_unit_test(looking_at_steps_solves_nothing_twice),
        cmocka_unit_test(a_run_goes_on_from_a_saved_state),
        cmocka_unit_test(a_step_that_fails_ends_the_run),
        cmocka_unit_test(solvers_that_need_rates_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
