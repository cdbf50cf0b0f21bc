// test/robot/passive_rig.h: bodies without a drive in a simulation, for the tests of box, disc and
// ball. A test fills the configs between rig_default and rig_run.
#ifndef IB_TEST_PASSIVE_RIG_H
#define IB_TEST_PASSIVE_RIG_H

#include "cmocka_all.h"
#include "robot/ball.h"
#include "robot/box.h"
#include "robot/disc.h"
#include "sim/sim.h"

#include <stdlib.h>
#include <string.h>

static const double g = 9.80665;

enum { RIG_BODIES = 3, RIG_SIGNALS = 128 };

typedef union RigBody {
    ib_BoxConfig box;
    ib_DiscConfig disc;
    ib_BallConfig ball;
} RigBody;

typedef struct Rig {
    RigBody body[RIG_BODIES];
    ib_RobotConfig robots[RIG_BODIES];
    ib_Disturbance push;
    ib_SimConfig config;
    ib_Arena arena;
    ib_Model *model;
    ib_Sim *sim;
    double signals[RIG_SIGNALS];
} Rig;

// One more body of this kind, with the defaults of its tables.
static inline RigBody *rig_add(Rig *rig, const ib_RobotKind *kind, const char *name)
{
    ib_Error error;
    if (rig->config.robot_count >= RIG_BODIES) abort();
    int i = rig->config.robot_count++;
    if (ib_schema_default(&kind->params, &rig->body[i], &error) != IB_OK ||
        ib_schema_default(&kind->start, &rig->body[i], &error) != IB_OK)
        abort();
    rig->robots[i] = (ib_RobotConfig){.name = name, .kind = kind, .config = &rig->body[i]};
    return &rig->body[i];
}

// One body, called nothing, for so long [s] in steps of 1 ms.
static inline RigBody *rig_default(Rig *rig, const ib_RobotKind *kind, double duration)
{
    memset(rig, 0, sizeof *rig);
    rig->config = (ib_SimConfig){.title = kind->name,
                                 .robots = rig->robots,
                                 .disturbances = &rig->push,
                                 .gravity = g,
                                 .solver = {IB_RK4, 1e-9, 1e-9},
                                 .step = IB_SECOND / 1000,
                                 .duration = ib_time_from_seconds(duration)};
    return rig_add(rig, kind, "");
}

// The first body of a rig as a robot without a simulation, at rest; its states are found by what
// shows them.
typedef struct Made {
    ib_Robot robot;
    const ib_PlanarModel *at;
    double state[16], rate[16], input[IB_ENVIRONMENT_COUNT];
} Made;

static inline Made rig_make(Rig *rig)
{
    Made made = {.input = {[IB_GRAVITY] = g}};
    ib_Error error;
    const ib_RobotConfig *config = &rig->robots[0];
    assert_int_equal(ib_robot_init(config->kind, config->config, &rig->arena, &made.robot, &error),
                     IB_OK);
    assert_true(made.robot.ports.state_count <= 16);
    made.at = made.robot.ports.planar;
    return made;
}

static inline int rig_state(const Made *made, const char *signal)
{
    for (int i = 0; i < made->robot.ports.state_count; i++)
        if (made->robot.ports.states[i].signal &&
            strcmp(made->robot.ports.states[i].signal, signal) == 0)
            return i;
    fail_msg("no state is shown by %s", signal);
    return -1;
}

static inline void rig_rate(Made *made)
{
    made->robot.kind->rate(made->robot.model, made->state, made->input, made->rate);
}

static inline ib_Time rig_keep(void *self, ib_Time time, const double *signals)
{
    Rig *rig = self;
    (void)time;
    memcpy(rig->signals, signals, (size_t)rig->model->signals.count * sizeof *signals);
    return IB_TIME_NEVER;
}

// To the end; the last signals stay in the rig.
static inline void rig_run(Rig *rig)
{
    ib_Error error;
    ib_Probe probe = {
        .self = rig, .next = rig->config.duration, .sample = rig_keep, .at_end = true};
    assert_int_equal(ib_model_create(&rig->config, &rig->arena, &rig->model, &error), IB_OK);
    assert_true(rig->model->signals.count <= RIG_SIGNALS);
    assert_int_equal(ib_sim_create(rig->model, &rig->sim, &error), IB_OK);
    assert_int_equal(ib_sim_probe(rig->sim, probe, &error), IB_OK);
    assert_int_equal(ib_sim_advance(rig->sim, rig->config.duration, &error), IB_OK);
    ib_sim_finish(rig->sim);
}

// What a signal showed at the end.
static inline double seen(const Rig *rig, const char *name)
{
    int signal = ib_signals_find(&rig->model->signals, name);
    assert_true(signal >= 0);
    return rig->signals[signal];
}

static inline void rig_stop(Rig *rig)
{
    ib_sim_destroy(rig->sim);
    ib_arena_reset(&rig->arena);
}

// Pushes, sudden pushes and slopes are in the book: one of each, of these sizes, between 0.25 s and
// 0.5 s, beside the centre. The error may be `within` times what they gave.
enum { RIG_PUSHES = 3 };
static inline void rig_check_pushes(const ib_RobotKind *kind, const double sizes[RIG_PUSHES],
                                    double within)
{
    static const ib_DisturbanceType types[RIG_PUSHES] = {
        IB_DISTURBANCE_FORCE, IB_DISTURBANCE_IMPULSE, IB_DISTURBANCE_TILT};
    for (int i = 0; i < RIG_PUSHES; i++) {
        Rig rig;
        rig_default(&rig, kind, 1);
        rig.push = (ib_Disturbance){.type = types[i],
                                    .at = IB_SECOND / 4,
                                    .until = IB_SECOND / 2,
                                    .size = sizes[i],
                                    .direction = 0.3,
                                    .x = 0.2,
                                    .y = 0.1};
        rig.config.disturbance_count = 1;
        rig_run(&rig);
        assert_true(seen(&rig, "energy.push") > 0.1);
        assert_close(seen(&rig, "energy.error"), 0, within * seen(&rig, "energy.push"));
        rig_stop(&rig);
    }
}

// Every solver brings a body that `set` has started to the same place within 1.5 s. A fine RK4 is
// what the others are held against, Euler at its first order; headings over a radius of 0.1 m.
static inline void rig_check_solvers(const ib_RobotKind *kind, void (*set)(RigBody *body))
{
    static const struct {
        ib_SolverKind kind;
        int step_us;
        double within;
    } cases[] = {{IB_RK4, 100, 0},        {IB_RK4, 1000, 2e-5},
                 {IB_DOPRI5, 1000, 1e-6}, {IB_ROSENBROCK, 1000, 1e-6},
                 {IB_STIFF, 1000, 2e-5},  {IB_EULER, 100, 1e-3}};
    double x = NAN, heading = NAN;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Rig rig;
        set(rig_default(&rig, kind, 1.5));
        rig.config.solver.kind = cases[i].kind;
        rig.config.step = cases[i].step_us * (IB_SECOND / 1000000);
        rig_run(&rig);
        if (i == 0) {
            x = seen(&rig, "pose.x");
            heading = seen(&rig, "pose.heading");
            assert_true(x > 0.1 && heading > 0.1);
        }
        assert_close(seen(&rig, "pose.x"), x, cases[i].within);
        assert_close(seen(&rig, "pose.heading"), heading, 10 * cases[i].within);
        rig_stop(&rig);
    }
}

// A parameter that the kind has does not take this value.
static inline void rig_refuses(const ib_RobotKind *kind, const char *key, const char *text)
{
    RigBody body;
    ib_Error error;
    const ib_Param *param = ib_schema_find(&kind->params, key);
    assert_non_null(param);
    assert_int_equal(ib_schema_set(param, text, &body, &error), IB_BAD_INPUT);
}

#endif
