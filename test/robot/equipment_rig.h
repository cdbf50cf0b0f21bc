// test/robot/equipment_rig.h: a base with mechanisms on it, their script and what was seen of a
// run, in one struct.
#ifndef IB_TEST_EQUIPMENT_RIG_H
#define IB_TEST_EQUIPMENT_RIG_H

#include "robot/crossing.h"
#include "robot/rows.h"
#include "robot/script.h"

#include "robot/bench.h"
#include "setting.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RIG_INPUTS = 128, RIG_KNOTS = 64, RIG_SCRIPTS = 16 };

// One input over time.
typedef struct Script {
    const char *input;
    ib_Timeline line;
    ib_Time times[RIG_KNOTS];
    double values[RIG_KNOTS];
} Script;

typedef struct Rig {
    const ib_RobotKind *kind;
    void *config; // the kind's own, which begins with an ib_EquipmentConfig
    ib_SimConfig sim_config;
    ib_RobotConfig robot;
    Script scripts[RIG_SCRIPTS];
    int script_count;
    ib_Timeline inputs[RIG_INPUTS];

    Rows rows; // every 0: at every step

    ib_Arena arena;
    ib_Model *model;
    ib_Sim *sim;
    ib_Error error; // of the last call
} Rig;

static inline void rig_fail(const Rig *rig, const char *what, const char *which)
{
    fprintf(stderr, "%s %s: %s\n", what, which, rig->error.text);
    abort();
}

static inline void rig_write(Rig *rig, const ib_Schema *schema, const char *key, const char *text,
                             void *config)
{
    const ib_Param *param = ib_schema_find(schema, key);
    const Setting setting = {key, text};
    if (!param && put_both_joints(schema, &setting, config)) return;
    if (!param) snprintf(rig->error.text, sizeof rig->error.text, "unknown");
    if (!param || ib_schema_set(param, text, config, &rig->error) != IB_OK)
        rig_fail(rig, "rig_set", key);
}

// Writes one parameter of the base as a file would: rig_set(&rig, "battery.resistance", "9 mohm").
static inline void rig_set(Rig *rig, const char *key, const char *text)
{
    bool own = ib_schema_find(&rig->kind->params, key) != NULL;
    rig_write(rig, own ? &rig->kind->params : &rig->kind->start, key, text, rig->config);
}

// This base with nothing on it, a stiff battery of 12 V, RK4 at 1 ms. Edit it, then rig_run.
static inline void rig_default(Rig *rig, const ib_RobotKind *kind, double duration)
{
    memset(rig, 0, sizeof *rig);
    rig->kind = kind;
    rig->config = calloc(1, kind->config_size);
    if (!rig->config || ib_schema_default(&kind->params, rig->config, &rig->error) != IB_OK ||
        ib_schema_default(&kind->start, rig->config, &rig->error) != IB_OK)
        rig_fail(rig, "rig_default", kind->name);
    rig_set(rig, "battery.resistance", "0 ohm");
    rig_set(rig, "background_current", "0 A");
    rig->robot = (ib_RobotConfig){.name = "",
                                  .kind = kind,
                                  .config = rig->config,
                                  .inputs = rig->inputs,
                                  .input_count = RIG_INPUTS};
    rig->sim_config = script_run(&rig->robot, duration);
}

// A solver with its tolerance, if it has one, and its (longest) step [s].
typedef struct Method {
    ib_SolverKind solver;
    double tolerance, step;
} Method;

static inline void rig_solver(Rig *rig, ib_SolverKind solver, double tolerance, double step)
{
    rig->sim_config.solver = (ib_SolverConfig){solver, tolerance, 1e-9};
    rig->sim_config.step = ib_time_from_seconds(step);
}

// -------------------------------------------------------------------------------------- mechanisms

// The CIM of data/motors.yaml, by hand: a file of presets is not known here.
#define RIG_CIM                                                                                    \
    "motor.stall_torque: 2.42 N*m; motor.stall_current: 133 A; motor.free_speed: 5310 rpm; "       \
    "motor.free_current: 2.7 A; motor.rotor_inertia: 7.75e-5 kg*m^2; "

// One mechanism more; `settings`: "mass: 4 kg; travel: 0 m, 1 m; velocity: 2 m/s", parameters and
// start. Its motor is the CIM where they say nothing else.
static inline void rig_add(Rig *rig, const char *name, const char *kind, const char *settings)
{
    const ib_KindedDef *kinds = ib_equipment_mechanisms.kinds;
    ib_MechanismSet *set = &((ib_EquipmentConfig *)rig->config)->mechanisms;
    ib_MechanismSpec *spec = &set->items[set->count++];
    bool placed[IB_MECHANISM_JOINTS] = {false, false};
    char text[2000], *rest = text;
    memset(spec, 0, sizeof *spec);
    snprintf(spec->name, sizeof spec->name, "%s", name);
    if (!kinds->choose(kind, spec) ||
        ib_schema_default(&spec->kind->params, &spec->config, &rig->error) != IB_OK ||
        ib_schema_default(&spec->kind->start, &spec->config, &rig->error) != IB_OK)
        rig_fail(rig, "rig_add", kind);
    snprintf(text, sizeof text, RIG_CIM "%s", settings);
    for (char *item; (item = strsep(&rest, ";"));) {
        item += strspn(item, " ");
        char *value = strstr(item, ": ");
        if (!value) continue;
        *value = '\0';
        bool start = ib_schema_find(&spec->kind->start, item) != NULL;
        rig_write(rig, start ? &spec->kind->start : &spec->kind->params, item, value + 2,
                  &spec->config);
        kinds->given(spec, item);
        if (strstr(item, "position"))
            placed[!strncmp(item, "right", 5) || !strncmp(item, "load", 4)] = true;
        if (!strncmp(item, "theta", 5)) placed[item[5] == '2'] = true;
    }
    for (int i = 0; i < IB_MECHANISM_JOINTS; i++)
        if (!placed[i]) ib_mechanism_spec_start(spec, i, 0);
}

// ------------------------------------------------------------------------------------------ inputs

// An input by its name, held (or joined by straight lines) between knots.
static inline void rig_input(Rig *rig, const char *input, bool linear, const Knot *knots, int count)
{
    Script *script = &rig->scripts[rig->script_count++];
    if (count > RIG_KNOTS || rig->script_count > RIG_SCRIPTS) rig_fail(rig, "rig_input", input);
    *script = (Script){.input = input};
    script->line = script_line(knots, count, linear, script->times, script->values);
}

static inline void rig_hold(Rig *rig, const char *input, double value)
{
    rig_input(rig, input, false, &(Knot){0, value}, 1);
}

// Its names are known once the robot has been made.
static inline void rig_connect(Rig *rig)
{
    ib_Robot robot;
    if (ib_robot_init(rig->kind, rig->config, &rig->arena, &robot, &rig->error) != IB_OK)
        rig_fail(rig, "rig_start", rig->kind->name);
    for (int i = 0; i < rig->script_count; i++) {
        const Script *s = &rig->scripts[i];
        int at = 0;
        while (at < robot.ports.input_count && strcmp(robot.ports.inputs[at].name, s->input)) at++;
        if (at == robot.ports.input_count || at >= RIG_INPUTS) rig_fail(rig, "no input", s->input);
        rig->inputs[at] = s->line;
    }
}

// --------------------------------------------------------------------------------------------- run

static inline ib_Time rig_sample(void *self, ib_Time time, const double *signals)
{
    Rig *rig = self;
    rows_add(&rig->rows, rig->model, time, signals);
    return rig->rows.every > 0 ? time + ib_time_from_seconds(rig->rows.every) : IB_TIME_NEVER;
}

static inline void rig_start(Rig *rig, double every)
{
    ib_Probe probe = {.self = rig, .sample = rig_sample, .at_end = true, .each_step = every == 0};
    rig->rows.every = every;
    rig_connect(rig);
    if (ib_model_create(&rig->sim_config, &rig->arena, &rig->model, &rig->error) != IB_OK ||
        ib_sim_create(rig->model, &rig->sim, &rig->error) != IB_OK ||
        ib_sim_probe(rig->sim, probe, &rig->error) != IB_OK)
        rig_fail(rig, "rig_start", rig->kind->name);
}

static inline void rig_finish(Rig *rig)
{
    if (ib_sim_advance(rig->sim, rig->sim_config.duration, &rig->error) != IB_OK)
        rig_fail(rig, "rig_finish", rig->kind->name);
    ib_sim_finish(rig->sim);
}

// To the end, looking every so many seconds; 0: at every step.
static inline void rig_run(Rig *rig, double every)
{
    rig_start(rig, every);
    rig_finish(rig);
}

static inline void rig_stop(Rig *rig)
{
    ib_sim_destroy(rig->sim);
    ib_arena_reset(&rig->arena);
    rows_free(&rig->rows);
    free(rig->config);
    memset(rig, 0, sizeof *rig);
}

// ------------------------------------------------------------------------------------------- looks

static inline int rig_signal(const Rig *rig, const char *name)
{
    return rows_signal(rig->model, name);
}

// A signal in one sample.
static inline double rig_row(const Rig *rig, int row, const char *name)
{
    return rows_value(&rig->rows, rig->model, row, name);
}

static inline double rig_end(const Rig *rig, const char *name)
{
    return rig_row(rig, rig->rows.count - 1, name);
}

// The largest size of a signal.
static inline double rig_size(const Rig *rig, const char *name)
{
    double most = 0;
    for (int i = 0; i < rig->rows.count; i++) most = fmax(most, fabs(rig_row(rig, i, name)));
    return most;
}

static inline double rig_least(const Rig *rig, const char *name)
{
    return -rows_most(&rig->rows, rig->model, name, -1);
}

// After rig_start.
static inline void rig_watch(Rig *rig, Crossing *crossing, const char *signal, double level)
{
    crossing_watch(crossing, rig->model, rig->sim, signal, level);
}

#endif
