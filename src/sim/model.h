// sim/model.h: what is derived from a config, once: robots wired together, one signal table, one
// state.
//
// Immutable after creation and shared by threads. The flat state of a run is
//   [ robot 0 | robot 1 | … | sensors | step length the adaptive solver would like next ]
#ifndef IB_SIM_MODEL_H
#define IB_SIM_MODEL_H

#include "sim/config.h"

typedef struct ib_RobotModel {
    const char *name;
    const ib_RobotKind *kind;
    const void *config, *model;
    ib_RobotPorts ports;
    int state, input, signal, guard; ///< where its share of each array begins
    const ib_Timeline *timelines;    ///< one per input: the script's or the plan's
    int impulse;                     ///< input: sum of the impulses so far, x; y follows
    const ib_PathConfig *path;       ///< NULL: none
    ib_PathPoint path_start;
    ib_Plan plan;                           ///< facts of the plan, where `path` is set
    int path_signal;                        ///< path.deviation, -1: no path
    int x_signal, y_signal, heading_signal; ///< pose.*, -1: none
    int disturbance_signal;                 ///< first of disturbance.*, -1: none
    int scaled_count;
    const int *scaled; ///< inputs that a disturbance scales; their signals follow disturbance.*
} ib_RobotModel;

typedef struct ib_SensorModel {
    const ib_SensorConfig *config;
    int robot;
    int state;  ///< of its first state
    int truth;  ///< signal it measures
    int signal; ///< its own signal
    int gain;   ///< index of its factor in the input array
    uint64_t stream;
} ib_SensorModel;

typedef struct ib_Model {
    const ib_SimConfig *config;
    ib_SignalTable signals;
    ib_RobotModel *robots;
    int robot_count;
    ib_SensorModel *sensors;
    int sensor_count;
    int state_count, input_count, guard_count;
    int robot_state_count;     ///< states that are integrated: the robots', at the front
    int step_state;            ///< where the adaptive step length is kept
    const int *state_signal;   ///< for each integrated state the signal that shows it, -1: none
    const double *state_limit; ///< for each integrated state the largest plausible size
    const ib_InputDef *inputs; ///< all inputs: robot after robot, impulses, one gain per sensor
    int command_count;
    const int *commands; ///< indices of the inputs that are clamped
    int unplanned;       ///< the robot whose path could not be planned; -1: none
} ib_Model;

// Derives a model, with plans for the robots that have a path. `config` must outlive it. The error
// is of status IB_BAD_INPUT when the config is at fault. Where only a path could not be planned,
// `model` is there all the same, with its signals, but must not be run.
ib_Status ib_model_create(const ib_SimConfig *config, ib_Arena *arena, ib_Model **model,
                          ib_Error *error);

#endif
