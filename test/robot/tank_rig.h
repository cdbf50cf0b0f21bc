// test/robot/tank_rig.h: a tank robot, its script, what disturbs it and what was seen of a run,
// in one struct.
#ifndef IB_TEST_TANK_RIG_H
#define IB_TEST_TANK_RIG_H

#include "plant/default_cylinder.h"
#include "robot/crossing.h"
#include "robot/rows.h"
#include "robot/script.h"

#include "robot/tank/tank.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    RIG_INPUTS = IB_TANK_SOLENOIDS + IB_MAX_CYLINDERS,
    RIG_KNOTS = 16,
    RIG_DISTURBANCES = 8,
};

typedef struct Rig {
    ib_TankConfig tank;
    ib_SimConfig sim_config;
    ib_RobotConfig robot;
    ib_Timeline inputs[RIG_INPUTS];
    ib_Time times[RIG_INPUTS][RIG_KNOTS];
    double values[RIG_INPUTS][RIG_KNOTS];
    ib_Disturbance disturbances[RIG_DISTURBANCES];

    Rows rows; // every 0: nobody looks

    ib_Arena arena;
    ib_Model *model;
    ib_Sim *sim;
    ib_Error error; // of the last call
} Rig;

// Writes one parameter as a file would: rig_set(&rig, "drive.efficiency", "0.9").
static inline void rig_set(Rig *rig, const char *key, const char *text)
{
    const ib_Param *param = ib_schema_find(&ib_tank_kind.params, key);
    if (!param || ib_schema_set(param, text, &rig->tank, &rig->error) != IB_OK) {
        fprintf(stderr, "rig_set %s: %s\n", key, param ? rig->error.text : "unknown");
        abort();
    }
}

// A voltage or another command over time, held (or joined by straight lines) between knots.
static inline void rig_input(Rig *rig, int input, bool linear, const Knot *knots, int count)
{
    if (count > RIG_KNOTS) abort();
    rig->inputs[input] = script_line(knots, count, linear, rig->times[input], rig->values[input]);
}

static inline void rig_hold(Rig *rig, int input, double value)
{
    rig_input(rig, input, false, &(Knot){0, value}, 1);
}

static inline void rig_drive(Rig *rig, double left, double right)
{
    rig_hold(rig, IB_TANK_LEFT, left);
    rig_hold(rig, IB_TANK_RIGHT, right);
}

// The robot of reference B7 with RK4 at 1 ms, standing; edit it, then rig_start.
static inline void rig_default(Rig *rig, double duration)
{
    memset(rig, 0, sizeof *rig);
    if (ib_schema_default(&ib_tank_kind.params, &rig->tank, &rig->error) != IB_OK ||
        ib_schema_default(&ib_tank_kind.start, &rig->tank, &rig->error) != IB_OK)
        abort();
    rig->tank.bumper = ib_bumper_foam;
    rig_set(rig, "drive.motor.voltage", "12 V");
    rig_set(rig, "drive.motor.free_speed", "5310 rpm");
    rig_set(rig, "drive.motor.free_current", "2.7 A");
    rig_set(rig, "drive.motor.stall_torque", "2.429 N*m");
    rig_set(rig, "drive.motor.stall_current", "131.227 A");
    rig_set(rig, "drive.loss", "none");
    rig_set(rig, "wheels.model", "viscous");
    rig->robot = (ib_RobotConfig){.name = "",
                                  .kind = &ib_tank_kind,
                                  .config = &rig->tank,
                                  .inputs = rig->inputs,
                                  .input_count = RIG_INPUTS};
    rig->sim_config = script_run(&rig->robot, duration);
    rig->sim_config.disturbances = rig->disturbances;
}

// An adaptive solver with this tolerance, its steps at most `longest` [s].
static inline void rig_adaptive(Rig *rig, double tolerance, double longest)
{
    rig->sim_config.solver = (ib_SolverConfig){IB_DOPRI5, tolerance, 1e-9};
    rig->sim_config.step = ib_time_from_seconds(longest);
}

static inline void rig_disturb(Rig *rig, ib_Disturbance disturbance)
{
    if (rig->sim_config.disturbance_count == RIG_DISTURBANCES) abort();
    rig->disturbances[rig->sim_config.disturbance_count++] = disturbance;
}

// Air as in reference B6: two tanks of 0.574 L from empty, RoboSim's table of the compressor.
static inline void rig_air(Rig *rig)
{
    rig->tank.equipment.air.on = 1;
    rig_set(rig, "air.compressor.low.points",
            "0 psig 0.88 cfm 7 A, 10 psig 0.71 cfm 8 A, 20 psig 0.67 cfm 8 A, "
            "30 psig 0.64 cfm 9 A, 40 psig 0.6 cfm 9 A, 50 psig 0.57 cfm 9 A, "
            "60 psig 0.53 cfm 10 A, 70 psig 0.48 cfm 10 A, 80 psig 0.45 cfm 10 A, "
            "90 psig 0.43 cfm 10 A, 100 psig 0.39 cfm 9 A, 110 psig 0.36 cfm 9 A, "
            "120 psig 0.34 cfm 9 A, 150 psig 0 cfm 9 A");
}

// One more cylinder: 3/4 in bore, 6 in stroke, 1 kg; it obeys input IB_TANK_SOLENOIDS + its number.
static inline ib_AirCylinderConfig *rig_cylinder(Rig *rig, const char *name)
{
    ib_AirCylinderConfig *cylinder =
        &rig->tank.equipment.air.cylinders[rig->tank.equipment.air.cylinder_count++];
    *cylinder = default_cylinder();
    snprintf(cylinder->name, sizeof cylinder->name, "%s", name);
    return cylinder;
}

// ----------------------------------------------------------------------------------- without a run

// A tank by itself, for its rates at one instant.
typedef struct Tank {
    ib_Arena arena;
    ib_Robot robot;
    const ib_TankModel *own;
} Tank;

static inline void tank_make(const ib_TankConfig *config, Tank *tank)
{
    ib_Error error;
    *tank = (Tank){0};
    if (ib_robot_init(&ib_tank_kind, config, &tank->arena, &tank->robot, &error) != IB_OK) {
        fprintf(stderr, "tank_make: %s\n", error.text);
        abort();
    }
    tank->own = ib_parts_own(tank->robot.model);
}

static inline void tank_rate(const Tank *tank, const double *state, const double *input,
                             double *rate)
{
    tank->robot.kind->rate(tank->robot.model, state, input, rate);
}

// The state that this signal shows.
static inline int tank_state(const Tank *tank, const char *signal)
{
    for (int i = 0; i < tank->robot.ports.state_count; i++) {
        const char *name = tank->robot.ports.states[i].signal;
        if (name && strcmp(name, signal) == 0) return i;
    }
    fprintf(stderr, "tank_state: no state %s\n", signal);
    abort();
}

static inline void tank_free(Tank *tank)
{
    ib_arena_reset(&tank->arena);
}

// The tank of a run that has begun.
static inline const ib_TankModel *rig_tank(const Rig *rig)
{
    return ib_parts_own(rig->model->robots[0].model);
}

// --------------------------------------------------------------------------------------------- run

static inline ib_Time rig_sample(void *self, ib_Time time, const double *signals)
{
    Rig *rig = self;
    rows_add(&rig->rows, rig->model, time, signals);
    return time + ib_time_from_seconds(rig->rows.every);
}

static inline void rig_start(Rig *rig)
{
    bool good = ib_model_create(&rig->sim_config, &rig->arena, &rig->model, &rig->error) == IB_OK &&
                ib_sim_create(rig->model, &rig->sim, &rig->error) == IB_OK;
    ib_Probe probe = {.self = rig, .sample = rig_sample, .at_end = true};
    if (good && rig->rows.every > 0) good = ib_sim_probe(rig->sim, probe, &rig->error) == IB_OK;
    if (!good) {
        fprintf(stderr, "rig_start: %s\n", rig->error.text);
        abort();
    }
}

static inline void rig_stop(Rig *rig)
{
    ib_sim_destroy(rig->sim);
    ib_arena_reset(&rig->arena);
    rows_free(&rig->rows);
}

// To the end of the run, with its last sample.
static inline ib_Status rig_finish(Rig *rig)
{
    ib_Status status = ib_sim_advance(rig->sim, rig->sim_config.duration, &rig->error);
    if (status == IB_OK) ib_sim_finish(rig->sim);
    return status;
}

// Starts and runs to the end, looking `every` seconds; a run that fails is said so and ends all.
static inline void rig_run(Rig *rig, double every)
{
    rig->rows.every = every;
    rig_start(rig);
    if (rig_finish(rig) == IB_OK) return;
    fprintf(stderr, "rig_run: %s\n", rig->error.text);
    abort();
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

// A signal at a time [s] that was sampled.
static inline double rig_at(const Rig *rig, double t, const char *name)
{
    for (int i = 0; i < rig->rows.count; i++)
        if (fabs(rig->rows.t[i] - t) < 1e-10) return rig_row(rig, i, name);
    fprintf(stderr, "no sample at %g s\n", t);
    abort();
}

static inline double rig_end(const Rig *rig, const char *name)
{
    return rig_row(rig, rig->rows.count - 1, name);
}

static inline double rig_most(const Rig *rig, const char *name)
{
    return rows_most(&rig->rows, rig->model, name, 1);
}

static inline double rig_least(const Rig *rig, const char *name)
{
    return -rows_most(&rig->rows, rig->model, name, -1);
}

// After rig_start.
static inline void rig_watch(Rig *rig, Crossing *crossing, const char *signal, double level,
                             const char *shown)
{
    crossing_watch(crossing, rig->model, rig->sim, signal, level);
    crossing->shown = rig_signal(rig, shown);
}

// Two robots in one run: the rig's own is `red`, the other `blue`.
static inline void rig_pair(Rig *rig, ib_RobotConfig robots[2], ib_RobotConfig other)
{
    rig->robot.name = "red";
    other.name = "blue";
    robots[0] = rig->robot;
    robots[1] = other;
    rig->sim_config.robots = robots;
    rig->sim_config.robot_count = 2;
}

#endif
