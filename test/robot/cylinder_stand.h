// test/robot/cylinder_stand.h: a cylinder rig, its script and what was seen of a run.
#ifndef IB_TEST_CYLINDER_STAND_H
#define IB_TEST_CYLINDER_STAND_H

#include "cmocka_all.h"
#include "robot/crossing.h"
#include "robot/script.h"
#include "setting.h"

#include "robot/cylinder_rig/cylinder_rig.h"
#include "sim/sim.h"

#include <math.h>
#include <string.h>

enum { STAND_KNOTS = 16, STAND_ROWS = 64, STAND_SIGNALS = 64 };

typedef struct Stand {
    ib_RigRobotConfig whole;
    ib_SimConfig sim_config;
    ib_RobotConfig robot;
    ib_Timeline inputs[IB_RIG_INPUTS];
    ib_Time times[2][STAND_KNOTS];
    double values[2][STAND_KNOTS];

    const double *at; // times to look at that are left, then -1; NULL: none but the end
    int row_count;    // looks so far
    double rows[STAND_ROWS][STAND_SIGNALS], row_t[STAND_ROWS];

    ib_Arena arena;
    ib_Model *model;
    ib_Sim *sim;
    ib_Error error; // of the last call
} Stand;

// The thesis's rig, which `preset: thesis-50psig` is too: all defaults but gravity, 9.81 m/s^2.
static inline void stand_default(Stand *stand, double duration)
{
    memset(stand, 0, sizeof *stand);
    ib_Error *error = &stand->error;
    const ib_RobotKind *kind = &ib_cylinder_rig_kind;
    assert_int_equal(ib_schema_default(&kind->params, &stand->whole, error), IB_OK);
    assert_int_equal(ib_schema_default(&kind->start, &stand->whole, error), IB_OK);
    stand->whole.rig.gravity = 9.81;
    stand->robot = (ib_RobotConfig){.name = "",
                                    .kind = kind,
                                    .config = &stand->whole,
                                    .inputs = stand->inputs,
                                    .input_count = IB_RIG_INPUTS};
    stand->sim_config = script_run(&stand->robot, duration);
    stand->sim_config.solver.kind = IB_ROSENBROCK;
    stand->sim_config.step = IB_SECOND / 10;
}

// As a file writes them: stand_set(&stand, "valve.law", "spool"), a start's key as it is there.
static inline void stand_set(Stand *stand, const char *key, const char *text)
{
    const ib_RobotKind *kind = &ib_cylinder_rig_kind;
    bool own = ib_schema_find(&kind->params, key) != NULL;
    Setting settings[] = {{key, text}, {NULL, NULL}};
    put_settings(own ? &kind->params : &kind->start, settings, &stand->whole);
}

static inline void stand_solver(Stand *stand, ib_SolverKind solver, double tolerance, double step)
{
    stand->sim_config.solver = (ib_SolverConfig){solver, tolerance, 1e-9};
    stand->sim_config.step = ib_time_from_seconds(step);
}

// IB_RIG_VALVE or IB_RIG_LOAD, held or joined by straight lines.
static inline void stand_input(Stand *stand, int input, bool linear, const Knot *knots, int count)
{
    int slot = input == IB_RIG_LOAD;
    assert_true(count <= STAND_KNOTS);
    stand->inputs[input] =
        script_line(knots, count, linear, stand->times[slot], stand->values[slot]);
}

static inline void stand_hold(Stand *stand, double volts)
{
    stand_input(stand, IB_RIG_VALVE, false, &(Knot){0, volts}, 1);
}

// 5 s of opposite saturation, then this many volts from 5 V [thesis 4.2.3].
static inline void stand_step(Stand *stand, double volts)
{
    stand_input(stand, IB_RIG_VALVE, false, (Knot[]){{0, volts > 0 ? 0 : 10}, {5, 5 + volts}}, 2);
}

// The reference sheet's A4: equations as printed, a step.
static inline void stand_published(Stand *stand, double volts, double duration)
{
    stand_default(stand, duration);
    stand_set(stand, "equations", "published");
    stand_step(stand, volts);
}

static inline ib_Time stand_next(const Stand *stand)
{
    return !stand->at || *stand->at < 0 ? IB_TIME_NEVER : ib_time_from_seconds(*stand->at);
}

static inline ib_Time stand_sample(void *self, ib_Time time, const double *signals)
{
    Stand *stand = self;
    assert_true(stand->row_count < STAND_ROWS);
    assert_true(stand->model->signals.count <= STAND_SIGNALS);
    memcpy(stand->rows[stand->row_count], signals,
           (size_t)stand->model->signals.count * sizeof *signals);
    stand->row_t[stand->row_count++] = ib_time_to_seconds(time);
    if (stand->at && *stand->at >= 0) stand->at++;
    return stand_next(stand);
}

static inline void stand_start(Stand *stand)
{
    if (ib_model_create(&stand->sim_config, &stand->arena, &stand->model, &stand->error) != IB_OK ||
        ib_sim_create(stand->model, &stand->sim, &stand->error) != IB_OK)
        fail_msg("%s", stand->error.text);
    ib_Probe probe = {
        .self = stand, .sample = stand_sample, .at_end = true, .next = stand_next(stand)};
    if (ib_sim_probe(stand->sim, probe, &stand->error) != IB_OK) fail_msg("%s", stand->error.text);
}

static inline ib_Status stand_finish(Stand *stand)
{
    ib_Status status = ib_sim_advance(stand->sim, stand->sim_config.duration, &stand->error);
    if (status == IB_OK) ib_sim_finish(stand->sim);
    return status;
}

static inline void stand_run(Stand *stand)
{
    stand_start(stand);
    if (stand_finish(stand) != IB_OK) fail_msg("%s", stand->error.text);
}

static inline void stand_stop(Stand *stand)
{
    ib_sim_destroy(stand->sim);
    ib_arena_reset(&stand->arena);
}

static inline int stand_signal(const Stand *stand, const char *name)
{
    int signal = ib_signals_find(&stand->model->signals, name);
    if (signal < 0) fail_msg("there is no signal %s", name);
    return signal;
}

static inline double stand_row(const Stand *stand, int row, const char *name)
{
    return stand->rows[row][stand_signal(stand, name)];
}

static inline double stand_end(const Stand *stand, const char *name)
{
    return stand_row(stand, stand->row_count - 1, name);
}

// After stand_start.
static inline void stand_watch(Stand *stand, Crossing *crossing, const char *signal, double level)
{
    crossing_watch(crossing, stand->model, stand->sim, signal, level);
}

#endif
