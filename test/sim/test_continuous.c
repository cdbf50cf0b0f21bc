// Loops that act at every instant: laws inside the rates, seen alike by solvers, guards, samples
// and restored runs.
#include "sim/cart.h"

// u = kp (r - x) + kr r' - kv v + z,  z' = ki (r - x)
typedef struct Gains {
    double kp, kv, ki, kr;
} Gains;

static double act(const Gains *k, const ib_ControlInstant *now, const double *state)
{
    return k->kp * (now->command[0] - now->measurement[0]) + k->kr * now->slope[0] -
           k->kv * now->measurement[1] + state[0];
}

static void law(const void *self, const ib_ControlInstant *now, const double *state, double *output,
                double *rate)
{
    const Gains *k = self;
    output[0] = act(k, now, state);
    rate[0] = k->ki * (now->command[0] - now->measurement[0]);
}

static void law_show(const void *self, const ib_ControlInstant *now, const double *state,
                     double *signals)
{
    signals[0] = act(self, now, state);
}

// The same as a sampled loop without a memory.
static ib_ControlStatus step(const void *self, const ib_ControlTick *tick, double *state,
                             double *output)
{
    ib_ControlInstant now = {tick->command, tick->slope, tick->measurement};
    const double none = 0;
    (void)state;
    output[0] = act(self, &now, &none);
    return IB_CONTROL_OK;
}

static void show(const void *self, const double *command, const double *state, double *signals)
{
    (void)self, (void)command, (void)state;
    signals[0] = 0;
}

static const ib_ControllerKind spring_kind = {
    .name = "spring", .step = step, .show = show, .law = law, .law_show = law_show};

static const ib_ControlCommand goal[] = {
    {.name = "goal", .unit = "1", .sentence = "", .low = -10, .high = 10}};
static const ib_ControlCommand second_goal[] = {
    {.name = "second.goal", .unit = "1", .sentence = "", .low = -10, .high = 10}};
static const char *const both[] = {"x", "v"}, *const sensed[] = {"sensor.x", "v"},
                         *const pushed[] = {"x", "a"};
static const char *const force[] = {"force"}, *const other[] = {"other"};
static const ib_SignalDef shown[] = {{"output", "N", "", 0}};

static ib_Controller make_spring(const Gains *gains)
{
    return (ib_Controller){.name = "",
                           .label = "the spring",
                           .kind = &spring_kind,
                           .model = gains,
                           .continuous = true,
                           .ports = {.rate_count = 1,
                                     .command_count = 1,
                                     .commands = goal,
                                     .measurement_count = 2,
                                     .measurements = both,
                                     .output_count = 1,
                                     .outputs = force,
                                     .signal_count = 1,
                                     .signals = shown}};
}

static const ib_Time at_ends[] = {0, IB_SECOND};
static const double ramp[] = {0, 0.5};
static const Gains critical = {.kp = 2, .kv = 3}, whole = {.kp = 2, .kv = 3, .ki = 0.75};

static void spring_default(CartRig *rig, const Gains *gains)
{
    cart_default(rig, make_spring(gains));
    rig->cart.apart = true;
    rig->config.solver.tolerance = 1e-12;
    rig->config.step = IB_SECOND / 200;
}

// ------------------------------------------------------------------------------------------ claims

// Goal: the law acts at every instant, with every solver, and whoever looks sees what it sets then.
// Method: kp = 2, kv = 3: poles at -1 and -2, x = (1 - z)^2, u = 4 z^2 - 2 z with z = e^(-t). The
// error of RK4 and stiff, both of order 4, at 5 ms is below 1e-9, of the adaptive ones some times
// their tolerance of 1e-12.
static void a_law_acts_at_every_instant(void **unused)
{
    (void)unused;
    for (int solver = IB_RK4; solver < IB_SOLVER_COUNT; solver++) {
        CartRig rig;
        spring_default(&rig, &critical);
        rig.config.solver.kind = (ib_SolverKind)solver;
        cart_start(&rig);
        for (int k = 1; k <= 10; k++) {
            cart_go(&rig, k * (IB_SECOND / 10));
            double t = ib_time_to_seconds(ib_sim_time(rig.sim)), z = exp(-t);
            assert_close(ib_sim_state(rig.sim)[CART_X], (1 - z) * (1 - z), 1e-9);
            assert_close(cart_see(&rig, "force"), 4 * z * z - 2 * z, 1e-8);
            assert_close(cart_see(&rig, "control.output"), 4 * z * z - 2 * z, 1e-8);
        }
        cart_stop(&rig);
    }
}

// Goal: a guard sees the command of the instant: the jump is where u crosses 1/2. Method:
// 4 z^2 - 2 z = 1/2 at z = (1 + sqrt 3)/4, there x = (1 - z)^2; located far better than a step of
// 20 ms, to the error of the solver.
static void guards_see_the_command_of_the_instant(void **unused)
{
    (void)unused;
    double z = (1 + sqrt(3)) / 4;
    for (int solver = IB_RK4; solver < IB_SOLVER_COUNT; solver++) {
        CartRig rig;
        spring_default(&rig, &critical);
        rig.config.solver.kind = (ib_SolverKind)solver;
        rig.config.step = IB_SECOND / 50;
        cart_start(&rig);
        cart_go(&rig, IB_SECOND);
        assert_close(ib_sim_state(rig.sim)[CART_NOTED], (1 - z) * (1 - z),
                     ib_solver_adaptive((ib_SolverKind)solver) ? 1e-9 : 1e-7);
        cart_stop(&rig);
    }
}

// Goal: what the law sets is kept within the range of the input, and what is no number is neutral.
// Method: gains that ask for far more than 2 N: x = t^2; a NaN: it stands.
static void outputs_are_kept_within_their_range(void **unused)
{
    (void)unused;
    const Gains large = {.kp = 1e6}, none = {.kp = NAN};
    CartRig rig;
    spring_default(&rig, &large);
    cart_start(&rig);
    cart_go(&rig, IB_SECOND / 2);
    assert_close(ib_sim_state(rig.sim)[CART_X], 0.25, 1e-12);
    cart_stop(&rig);
    spring_default(&rig, &none);
    cart_start(&rig);
    cart_go(&rig, IB_SECOND / 2);
    assert_close(ib_sim_state(rig.sim)[CART_X], 0, 0);
    cart_stop(&rig);
}

// Goal: a goal that ramps has a slope inside the law. Method: r = t/2 and kr = kv: the error
// e = r - x has e" + 3 e' + 2 e = 0 with e(0) = 0, e'(0) = 1/2: e = (e^(-t) - e^(-2t))/2. The force
// stays below 3/2 N.
static void ramps_have_a_slope(void **unused)
{
    (void)unused;
    const Gains follow = {.kp = 2, .kv = 3, .kr = 3};
    CartRig rig;
    spring_default(&rig, &follow);
    rig.inputs[CART_INPUTS] = (ib_Timeline){2, at_ends, ramp, true};
    cart_start(&rig);
    for (int k = 1; k <= 10; k++) {
        cart_go(&rig, k * (IB_SECOND / 10));
        double t = ib_time_to_seconds(ib_sim_time(rig.sim));
        double e = (exp(-t) - exp(-2 * t)) / 2;
        assert_close(ib_sim_state(rig.sim)[CART_X], t / 2 - e, 1e-9);
    }
    cart_stop(&rig);
}

static ib_Time sample_often(void *self, ib_Time time, const double *signals)
{
    (void)signals;
    *(int *)self += 1;
    return time + 1234567;
}

// Goal: looking changes nothing: the hash is the same with samples every 1.234567 ms and without.
// Method: both, with every solver, an integral and a jump on the way.
static void looking_changes_nothing(void **unused)
{
    (void)unused;
    for (int solver = IB_RK4; solver < IB_SOLVER_COUNT; solver++) {
        uint64_t hash[2];
        for (int looked = 0; looked < 2; looked++) {
            CartRig rig;
            int count = 0;
            spring_default(&rig, &whole);
            rig.config.solver.kind = (ib_SolverKind)solver;
            cart_start(&rig);
            if (looked)
                assert_int_equal(ib_sim_probe(rig.sim,
                                              (ib_Probe){.self = &count, .sample = sample_often},
                                              &rig.error),
                                 IB_OK);
            cart_go(&rig, IB_SECOND);
            assert_true(!looked || count > 800);
            hash[looked] = ib_sim_hash(rig.sim);
            cart_stop(&rig);
        }
        assert_true(hash[0] == hash[1]);
    }
}

// Goal: a run that is restored in the middle goes on with the same bits. Method: saved after each
// of twenty parts of the run, restored, on to the end; every solver.
static void restored_runs_end_with_the_same_hash(void **unused)
{
    (void)unused;
    for (int solver = IB_RK4; solver < IB_SOLVER_COUNT; solver++) {
        CartRig rig;
        spring_default(&rig, &whole);
        rig.config.solver.kind = (ib_SolverKind)solver;
        cart_start(&rig);
        double saved[20][16];
        ib_Time time[20];
        int64_t steps[20];
        assert_true(rig.model->state_count <= 16);
        for (int k = 0; k < 20; k++) {
            cart_go(&rig, k * (IB_SECOND / 20) + 7654321);
            memcpy(saved[k], ib_sim_state(rig.sim), (size_t)rig.model->state_count * 8);
            time[k] = ib_sim_time(rig.sim);
            steps[k] = ib_sim_steps(rig.sim);
        }
        cart_go(&rig, IB_SECOND);
        uint64_t hash = ib_sim_hash(rig.sim);
        for (int k = 0; k < 20; k++) {
            ib_sim_restore(rig.sim, time[k], steps[k], saved[k]);
            cart_go(&rig, IB_SECOND);
            assert_true(ib_sim_hash(rig.sim) == hash);
        }
        cart_stop(&rig);
    }
}

// x" = u + h, u continuous with an integral, h held for 0.1 s, by RK4 in long double.
static void move(long double s[3], double h)
{
    for (int n = 0; n < 1000; n++) {
        long double k[4][3], at[3], T = 1e-4L;
        for (int i = 0; i < 4; i++) {
            long double part = i == 0 ? 0 : i == 3 ? T : T / 2;
            for (int j = 0; j < 3; j++) at[j] = s[j] + (i ? part * k[i - 1][j] : 0);
            k[i][0] = at[1];
            k[i][1] = 2 * (1 - at[0]) - 3 * at[1] + at[2] + (long double)h;
            k[i][2] = 0.75L * (1 - at[0]);
        }
        for (int j = 0; j < 3; j++) s[j] += T / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
    }
}

// Goal: a sampled loop beside a continuous one holds what it sets, and both act. Method: the second
// one pulls back with h = 0.5 (0.4 - x) at ticks of 0.1 s; RK4 of the test in long double.
static void sampled_loops_stand_beside_continuous_ones(void **unused)
{
    (void)unused;
    const Gains soft = {.kp = 0.5};
    CartRig rig;
    spring_default(&rig, &whole);
    rig.second = make_spring(&soft);
    rig.second.name = "second";
    rig.second.continuous = false;
    rig.second.period = IB_SECOND / 10;
    rig.second.ports.rate_count = 0;
    rig.second.ports.commands = second_goal;
    rig.second.ports.outputs = other;
    const double less[] = {0.4};
    rig.inputs[CART_INPUTS + 1] = (ib_Timeline){1, at_start, less, false};
    rig.robots[0].controller_count = 2;
    rig.robots[0].input_count = CART_INPUTS + 2;
    cart_start(&rig);
    assert_int_equal(rig.model->robot_state_count, CART_STATES + 1);
    long double s[3] = {0, 0, 0};
    for (int k = 0; k < 10; k++) {
        move(s, 0.5 * (0.4 - (double)s[0]));
        cart_go(&rig, (k + 1) * (IB_SECOND / 10));
        const double *state = ib_sim_state(rig.sim);
        assert_close(state[CART_X], (double)s[0], 1e-9);
        assert_close(state[CART_V], (double)s[1], 1e-9);
        assert_close(state[CART_STATES], (double)s[2], 1e-9); // behind the robot's own
    }
    cart_stop(&rig);
}

// Goal: of several robots each has its own loops behind it, and none disturbs another. Method:
// three carts, the first and the last with a loop: with RK4 to the bit what each does alone, with
// adaptive solvers, which step for all at once, and with stiff, which takes them for blocks, 1e-9.
static void each_robot_has_its_loops_behind_it(void **unused)
{
    (void)unused;
    for (int solver = IB_RK4; solver < IB_SOLVER_COUNT; solver++) {
        CartRig alone, rig;
        spring_default(&alone, &whole);
        alone.config.solver.kind = (ib_SolverKind)solver;
        cart_start(&alone);
        cart_go(&alone, IB_SECOND);
        spring_default(&rig, &whole);
        static const char *const names[] = {"red", "blue", "green"};
        for (int i = 0; i < CARTS; i++) {
            rig.robots[i] = rig.robots[0];
            rig.robots[i].name = names[i];
        }
        rig.robots[1].controller_count = 0;
        rig.robots[1].input_count = CART_INPUTS;
        rig.config.robot_count = CARTS;
        rig.config.solver.kind = (ib_SolverKind)solver;
        cart_start(&rig);
        cart_go(&rig, IB_SECOND);
        const double *state = ib_sim_state(rig.sim), *own = ib_sim_state(alone.sim);
        assert_int_equal(rig.model->robots[2].state, 2 * CART_STATES + 1);
        for (int i = 0; i < CARTS; i += 2)
            for (int k = 0; k < CART_STATES + 1; k++)
                assert_close(state[rig.model->robots[i].state + k], own[k],
                             solver == IB_RK4 ? 0 : 1e-9);
        assert_close(state[rig.model->robots[1].state + CART_X], 0, 0);
        cart_stop(&alone);
        cart_stop(&rig);
    }
}

// Goal: what has ticks, and what follows the loop's own output at once, is refused by name. Method:
// a sensor; the acceleration of a cart that is pushed by it.
static void impossible_measurements_are_refused(void **unused)
{
    (void)unused;
    CartRig rig;
    spring_default(&rig, &critical);
    rig.loop.ports.measurements = sensed;
    assert_int_equal(ib_model_create(&rig.config, &rig.arena, &rig.model, &rig.error),
                     IB_BAD_INPUT);
    assert_non_null(strstr(rig.error.text, "reads 'sensor.x', which changes at ticks"));
    ib_arena_reset(&rig.arena);
    rig.loop.ports.measurements = pushed;
    assert_int_equal(ib_model_create(&rig.config, &rig.arena, &rig.model, &rig.error),
                     IB_BAD_INPUT);
    assert_non_null(strstr(rig.error.text, "'a', which it reads, follows 'force' at once"));
    ib_arena_reset(&rig.arena);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_law_acts_at_every_instant),
        cmocka_unit_test(guards_see_the_command_of_the_instant),
        cmocka_unit_test(outputs_are_kept_within_their_range),
        cmocka_unit_test(ramps_have_a_slope),
        cmocka_unit_test(looking_changes_nothing),
        cmocka_unit_test(restored_runs_end_with_the_same_hash),
        cmocka_unit_test(sampled_loops_stand_beside_continuous_ones),
        cmocka_unit_test(each_robot_has_its_loops_behind_it),
        cmocka_unit_test(impossible_measurements_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
