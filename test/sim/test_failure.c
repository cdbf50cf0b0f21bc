// Loops that fail: whatever their kind, they are told, neutral, and seen.
#include "sim/cart.h"

// Gives 1 at every tick, counts the ticks, and is spoilt at tick number SPOILT.
enum { COUNT, MEMORY, STATES };
enum { SPOILT = 5 };

typedef enum Spoil { MEMORY_NAN, MEMORY_LARGE, SHOWN_NAN, SHOWN_LARGE, OUTPUT_NAN, SAID } Spoil;

static ib_ControlStatus step(const void *self, const ib_ControlTick *tick, double *state,
                             double *output)
{
    Spoil spoil = *(const Spoil *)self;
    (void)tick;
    output[0] = 1;
    if (state[COUNT]++ != SPOILT) return IB_CONTROL_OK;
    if (spoil == MEMORY_NAN) state[MEMORY] = NAN;
    if (spoil == MEMORY_LARGE) state[MEMORY] = -1e200;
    if (spoil == SHOWN_NAN) state[COUNT] = -1;
    if (spoil == SHOWN_LARGE) state[COUNT] = 1e5;
    if (spoil == OUTPUT_NAN) output[0] = NAN;
    return spoil == SAID ? IB_CONTROL_FAILED : IB_CONTROL_OK;
}

static void show(const void *self, const double *command, const double *state, double *signals)
{
    (void)self, (void)command;
    signals[0] = state[COUNT] < 0 ? (double)NAN : state[COUNT];
}

static const ib_ControllerKind counter_kind = {.name = "counter", .step = step, .show = show};
static const char *const force[] = {"force"};
static const ib_SignalDef counted[] = {{"ticks", "1", "so far", 1000}};

static ib_Controller make_counter(const Spoil *spoil, ib_Time latency)
{
    return (ib_Controller){.name = "counter",
                           .label = "the counter",
                           .kind = &counter_kind,
                           .model = spoil,
                           .period = IB_SECOND / 10,
                           .latency = latency,
                           .ports = {.state_count = STATES,
                                     .output_count = 1,
                                     .outputs = force,
                                     .signal_count = 1,
                                     .signals = counted}};
}

static void open_counter(CartRig *rig, const Spoil *spoil, ib_Time latency)
{
    cart_default(rig, make_counter(spoil, latency));
    rig->robots[0].input_count = CART_INPUTS;
    cart_start(rig);
}

// Goal: a loop whose memory or signals are no numbers, or none that can be believed, is lost: it is
// not asked any more, its output is neutral from that tick on, it shows what it showed last,
// and it is told. One that only fails to answer goes on. Method: ticks of 0.1 s, spoilt at 0.5 s;
// looked at just before and behind, and at 0.85 s.
static void a_spoilt_loop_is_neutral_and_told(void **unused)
{
    (void)unused;
    for (Spoil spoil = MEMORY_NAN; spoil <= SAID; spoil++) {
        CartRig rig;
        bool lost = spoil < OUTPUT_NAN;
        int count;
        open_counter(&rig, &spoil, 0);
        const ib_LoopTrouble *trouble = ib_sim_troubles(rig.sim, &count);
        cart_go(&rig, IB_SECOND * 45 / 100);
        assert_close(cart_see(&rig, "force"), 1, 0);
        assert_close(cart_see(&rig, "control.counter.failed"), 0, 0);
        cart_go(&rig, IB_SECOND * 55 / 100);
        assert_close(cart_see(&rig, "force"), 0, 0);
        assert_close(cart_see(&rig, "control.counter.failed"), 1, 0);
        assert_close(cart_see(&rig, "control.counter.ticks"), lost ? 5 : 6, 0);
        cart_go(&rig, IB_SECOND * 85 / 100);
        assert_close(cart_see(&rig, "force"), lost ? 0 : 1, 0);
        assert_close(cart_see(&rig, "control.counter.failed"), lost, 0);
        assert_close(cart_see(&rig, "control.counter.ticks"), lost ? 5 : 9, 0);
        assert_int_equal(trouble->lost, lost);
        assert_int_equal(trouble->count[IB_CONTROL_FAILED], lost ? 4 : spoil == SAID);
        if (lost || spoil == SAID) assert_true(trouble->first[IB_CONTROL_FAILED] == IB_SECOND / 2);
        int ticks = ib_signals_find(&rig.model->signals, "control.counter.ticks");
        if (lost) assert_int_equal(trouble->signal, spoil < SHOWN_NAN ? -1 : ticks);
        cart_stop(&rig);
    }
}

// Goal: what a lost loop had on its way still acts, and nothing after it. Method: a latency of
// 0.15 s: the answer of 0.4 s acts until 0.65 s, then neutral.
static void answers_on_their_way_act_before_a_failure(void **unused)
{
    (void)unused;
    Spoil spoil = MEMORY_NAN;
    CartRig rig;
    open_counter(&rig, &spoil, IB_SECOND * 15 / 100);
    cart_go(&rig, IB_SECOND * 64 / 100);
    assert_close(cart_see(&rig, "force"), 1, 0);
    cart_go(&rig, IB_SECOND * 66 / 100);
    assert_close(cart_see(&rig, "force"), 0, 0);
    cart_stop(&rig);
}

// Goal: that a loop has failed is part of the state: a restored run goes on with the same bits and
// stays failed. Method: restored from 0.62 s into a simulation that has done nothing.
static void a_failure_is_restored(void **unused)
{
    (void)unused;
    Spoil spoil = MEMORY_LARGE;
    CartRig rig, again;
    open_counter(&rig, &spoil, 0);
    open_counter(&again, &spoil, 0);
    cart_go(&rig, IB_SECOND * 62 / 100);
    ib_sim_restore(again.sim, ib_sim_time(rig.sim), ib_sim_steps(rig.sim), ib_sim_state(rig.sim));
    assert_true(ib_sim_hash(again.sim) == ib_sim_hash(rig.sim));
    cart_go(&rig, IB_SECOND);
    cart_go(&again, IB_SECOND);
    assert_close(cart_see(&again, "control.counter.failed"), 1, 0);
    assert_close(cart_see(&again, "force"), 0, 0);
    assert_true(ib_sim_hash(again.sim) == ib_sim_hash(rig.sim));
    cart_stop(&rig);
    cart_stop(&again);
}

// -------------------------------------------------------------------------------------------- laws

// Gives 1, and remembers its integral; from x = 0.1 on its rate (or what it gives) is no number.
static void law(const void *self, const ib_ControlInstant *now, const double *state, double *output,
                double *rate)
{
    bool spoilt = now->measurement[0] >= 0.1, gives = *(const bool *)self;
    (void)state;
    output[0] = spoilt && gives ? (double)NAN : 1;
    rate[0] = spoilt && !gives ? (double)NAN : 1;
}

static void law_show(const void *self, const ib_ControlInstant *now, const double *state,
                     double *signals)
{
    bool spoilt = now->measurement[0] >= 0.1;
    (void)self;
    signals[0] = spoilt ? (double)NAN : state[0];
    signals[1] = now->measurement[0];
}

static const ib_SignalDef law_signals[] = {{"ticks", "1", "so far", 1000},
                                           {"x", "m", "that it measures", 1000}};

static void open_law(CartRig *rig, ib_Controller loop, ib_SolverKind solver)
{
    cart_default(rig, loop);
    rig->robots[0].input_count = CART_INPUTS;
    rig->config.solver.kind = solver;
    cart_start(rig);
}

// Goal: the same of a loop that acts at every instant, with every solver. Method: x = t^2/2 reaches
// 0.1 at t = sqrt(0.2) s with the speed v = sqrt(0.2) m/s; from that step on, of at most 20 ms,
// the force is 0: the cart rolls on with v, the loop's integral stays at t, within one step. What
// it shows stays as at its last sound step: neither what is no number by then nor what the cart has
// moved since, v times 0.55 s. A run that is restored behind it shows the same.
static void a_spoilt_law_is_neutral_and_told(void **unused)
{
    (void)unused;
    static const ib_ControllerKind kind = {
        .name = "law", .step = step, .show = show, .law = law, .law_show = law_show};
    static const char *const reads[] = {"x"};
    for (int i = 0; i < 2 * IB_SOLVER_COUNT; i++) {
        bool gives = i % 2;
        double t = sqrt(0.2);
        int count;
        CartRig rig, again;
        const ib_Controller loop = {.name = "law",
                                    .label = "the law",
                                    .kind = &kind,
                                    .model = &gives,
                                    .continuous = true,
                                    .ports = {.rate_count = 1,
                                              .measurement_count = 1,
                                              .measurements = reads,
                                              .output_count = 1,
                                              .outputs = force,
                                              .signal_count = 2,
                                              .signals = law_signals}};
        open_law(&rig, loop, (ib_SolverKind)(i / 2));
        open_law(&again, loop, (ib_SolverKind)(i / 2));
        cart_go(&rig, IB_SECOND);
        ib_sim_restore(again.sim, ib_sim_time(rig.sim), ib_sim_steps(rig.sim),
                       ib_sim_state(rig.sim));
        assert_close(cart_see(&rig, "control.law.failed"), 1, 0);
        assert_close(cart_see(&rig, "force"), 0, 0);
        assert_close(cart_see(&rig, "v"), t, 0.02);
        assert_close(cart_see(&rig, "control.law.ticks"), t, 0.02);
        assert_close(cart_see(&rig, "control.law.x"), 0.1, 0.02);
        assert_close(cart_see(&again, "control.law.x"), cart_see(&rig, "control.law.x"), 0);
        const ib_LoopTrouble *trouble = ib_sim_troubles(rig.sim, &count);
        double when = ib_time_to_seconds(trouble->first[IB_CONTROL_FAILED]);
        assert_true(trouble->lost && when >= t && when <= t + 0.02);
        cart_stop(&rig);
        cart_stop(&again);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spoilt_loop_is_neutral_and_told),
        cmocka_unit_test(answers_on_their_way_act_before_a_failure),
        cmocka_unit_test(a_failure_is_restored),
        cmocka_unit_test(a_spoilt_law_is_neutral_and_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
