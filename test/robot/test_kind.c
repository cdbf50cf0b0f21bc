// What a robot kind leaves out means none: nothing is written where it should not be.
#include "cmocka_all.h"
#include "robot/box.h"
#include "robot/planar.h"
#include "sim/geometry.h"
#include "sim/sim.h"

#include <stdlib.h>
#include <string.h>

// The least planar robot there is: a puck of 2 kg on ice. Its first state and its last are none of
// anybody's business, and say so if somebody touches them.
enum { FIRST, HEADING, X, Y, VX, VY, W, LAST, PUCK_STATES };
#define UNTOUCHED 42.0

typedef struct Puck {
    double width; // of its outline [m], 0: none
    bool body;    // it has one
    ib_PlanarModel planar;
} Puck;

static ib_Status puck_init(const void *config, ib_Arena *arena, void *model, ib_RobotPorts *ports,
                           ib_Error *error)
{
    Puck *puck = model;
    (void)arena;
    (void)error;
    *puck = *(const Puck *)config;
    puck->planar = (ib_PlanarModel){.per_mass = 1.0 / 2,
                                    .per_inertia = 1 / 0.1,
                                    .x = X,
                                    .y = Y,
                                    .heading = HEADING,
                                    .velocity = {VX, VY},
                                    .yaw_rate = W,
                                    .contact_energy = -1,
                                    .push_energy = -1};
    ports->state_count = PUCK_STATES;
    if (puck->body) ports->planar = &puck->planar;
    ports->length = ports->width = puck->width;
    return IB_OK;
}

static void puck_reset(const void *config, const void *model, double *state)
{
    (void)config;
    ib_planar_reset(&((const Puck *)model)->planar, &(ib_PlanarConfig){0}, state);
    state[FIRST] = state[LAST] = UNTOUCHED;
}

static void puck_rate(const void *model, const double *state, const double *input, double *rate)
{
    (void)model;
    assert_true(input[IB_GRAVITY] == 9.80665);
    memset(rate, 0, PUCK_STATES * sizeof *rate);
    rate[X] = state[VX];
    rate[Y] = state[VY];
    rate[HEADING] = state[W];
}

static void puck_output(const void *model, const double *state, const double *input, double *y)
{
    (void)model;
    (void)state;
    (void)input;
    (void)y;
}

static const ib_RobotKind puck_kind = {.name = "puck",
                                       .config_size = sizeof(Puck),
                                       .model_size = sizeof(Puck),
                                       .init = puck_init,
                                       .reset = puck_reset,
                                       .rate = puck_rate,
                                       .output = puck_output};

// A puck at the origin and a crate that slides towards it; both are pushed suddenly after 0.1 s.
typedef struct Rig {
    Puck puck;
    ib_BoxConfig crate;
    ib_RobotConfig robots[2];
    ib_Disturbance kick;
    ib_SimConfig config;
    ib_Arena arena;
    ib_Model *model;
    ib_Sim *sim;
    int samples;
} Rig;

static ib_Time sample(void *self, ib_Time time, const double *signals)
{
    Rig *rig = self;
    rig->samples++;
    for (int i = 0; i < rig->model->signals.count; i++) assert_true(isfinite(signals[i]));
    return time + IB_SECOND / 100;
}

static const double *run(Rig *rig, double width, bool body)
{
    ib_Error error = {0};
    memset(rig, 0, sizeof *rig);
    rig->puck = (Puck){.width = width, .body = body};
    if (ib_schema_default(&ib_box_kind.params, &rig->crate, &error) != IB_OK) abort();
    rig->crate.mu = 0;
    rig->crate.planar.x = 1;
    rig->crate.planar.velocity_x = -2;
    rig->robots[0] = (ib_RobotConfig){.name = "puck", .kind = &puck_kind, .config = &rig->puck};
    rig->robots[1] = (ib_RobotConfig){.name = "crate", .kind = &ib_box_kind, .config = &rig->crate};
    rig->kick = (ib_Disturbance){
        .type = IB_DISTURBANCE_IMPULSE, .at = IB_SECOND / 10, .robot = -1, .size = 0.4, .y = 0.05};
    rig->config = (ib_SimConfig){.title = "least",
                                 .robots = rig->robots,
                                 .robot_count = 2,
                                 .disturbances = &rig->kick,
                                 .disturbance_count = 1,
                                 .gravity = 9.80665,
                                 .solver = {IB_RK4, 1e-9, 1e-9},
                                 .step = IB_SECOND / 1000,
                                 .duration = IB_SECOND};
    ib_Probe probe = {.self = rig, .sample = sample};
    assert_int_equal(ib_model_create(&rig->config, &rig->arena, &rig->model, &error), IB_OK);
    assert_non_null(ib_model_geometry(rig->model, &rig->arena));
    assert_int_equal(ib_sim_create(rig->model, &rig->sim, &error), IB_OK);
    assert_int_equal(ib_sim_probe(rig->sim, probe, &error), IB_OK);
    assert_int_equal(ib_sim_advance(rig->sim, IB_SECOND, &error), IB_OK);
    ib_sim_finish(rig->sim);
    assert_true(rig->samples > 100);
    return ib_sim_state(rig->sim);
}

static void stop(Rig *rig)
{
    ib_sim_destroy(rig->sim);
    ib_arena_reset(&rig->arena);
}

// Goal: a robot without accounts, signals, inputs, guards and look is pushed, hit and read, and
// only its velocity changes. Method: the kick gives it 0.4/2 m/s and turns it by -0.05 0.4/0.1
// rad/s; the crate of 5 kg then gives it what it loses itself.
static void least_robot_is_pushed_and_hit(void **unused)
{
    (void)unused;
    Rig rig;
    const double *state = run(&rig, 0.3, true), *crate = state + rig.model->robots[1].state;
    const ib_PlanarModel *at = rig.model->robots[1].ports.planar;
    assert_true(state[FIRST] == UNTOUCHED && state[LAST] == UNTOUCHED);
    assert_true(rig.model->robots[0].body == 0 && rig.model->robots[1].body == 1);
    assert_true(crate[at->velocity[0]] > -1.9); // it was hit
    assert_close(2 * state[VX] + 5 * crate[at->velocity[0]], 2 * 0.4 - 5 * 2, 1e-12);
    assert_close(2 * state[VY] + 5 * crate[at->velocity[1]], 0, 1e-12);
    stop(&rig);
}

// Goal: a body without an outline is pushed and touches nothing. Method: the crate goes through it.
static void robot_without_an_outline_touches_nothing(void **unused)
{
    (void)unused;
    Rig rig;
    const double *state = run(&rig, 0, true), *crate = state + rig.model->robots[1].state;
    const ib_PlanarModel *at = rig.model->robots[1].ports.planar;
    assert_true(state[FIRST] == UNTOUCHED && state[LAST] == UNTOUCHED);
    assert_int_equal(rig.model->robots[0].body, -1);
    assert_close(state[VX], 0.4 / 2, 1e-15);
    assert_close(state[W], -0.05 * 0.4 / 0.1, 1e-15);
    assert_close(crate[at->velocity[0]], -2 + 0.4 / 5, 1e-12);
    assert_close(crate[at->x], 1 - 2 * 0.1 - (2 - 0.4 / 5) * 0.9, 1e-12);
    stop(&rig);
}

// Goal: no push moves a robot without a body. Method: the same, and nothing of its state changes.
static void robot_without_a_body_stays_as_it_is(void **unused)
{
    (void)unused;
    Rig rig;
    const double *state = run(&rig, 0.3, false),
                 start[PUCK_STATES] = {[FIRST] = UNTOUCHED, [LAST] = UNTOUCHED};
    assert_memory_equal(state, start, sizeof start);
    stop(&rig);
}

// Goal: a state that no row names is shown by no signal, and a named one by its own. Method: a
// table with one row of three.
static void states_are_shown_by_name(void **unused)
{
    (void)unused;
    static const ib_SignalDef signals[] = {{"a", "1", "", 1}, {"b", "1", "", 1}};
    static const ib_StateDef states[3] = {[1] = {.signal = "b"}};
    ib_RobotPorts ports = {
        .state_count = 3, .states = states, .signal_count = 2, .signals = signals};
    assert_int_equal(ib_robot_shown(&ports, 0), -1);
    assert_int_equal(ib_robot_shown(&ports, 1), 1);
    assert_int_equal(ib_robot_shown(&ports, 2), -1);
    ports.states = NULL;
    assert_int_equal(ib_robot_shown(&ports, 1), -1);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(least_robot_is_pushed_and_hit),
        cmocka_unit_test(robot_without_an_outline_touches_nothing),
        cmocka_unit_test(robot_without_a_body_stays_as_it_is),
        cmocka_unit_test(states_are_shown_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
