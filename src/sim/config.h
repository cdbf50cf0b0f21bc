// sim/config.h: everything a run depends on, as the user wrote it, in SI. A scenario file fills it.
#ifndef IB_SIM_CONFIG_H
#define IB_SIM_CONFIG_H

#include "control/controller.h"
#include "robot/kind.h"
#include "sensor/sensor.h"
#include "solver/solver.h"
#include "world/world.h"
#include "world/zone.h"

// A body that rides on a robot until that lets it go (sim/contact/rider.h).
typedef struct ib_CarriedConfig {
    const char *by;   ///< the name of its carrier
    double x, y;      ///< its place in the carrier's frame [m]
    double heading;   ///< there [rad]
    int signal;       ///< it is released when this signal of the model is within
    double low, high; ///< these; -1: never
} ib_CarriedConfig;

typedef struct ib_RobotConfig {
    const char *name; ///< prefix of its signals; "" if it is the only one
    const ib_RobotKind *kind;
    void *config;              ///< the kind's own config struct
    const ib_Timeline *inputs; ///< one per input of its ports; count 0: not set
    int input_count;           ///< length of `inputs`; 0: none is set
    const ib_SensorConfig *sensors;
    int sensor_count;
    const ib_PathConfig *path;               ///< the path it shall drive, NULL: none
    const ib_Controller *const *controllers; ///< its loops; none: inputs go straight to the robot
    int controller_count;
    const ib_CarriedConfig *carried; ///< NULL: it stands on the floor
    bool viewer; ///< commands without a timeline are set in the viewer, while it runs
} ib_RobotConfig;

typedef enum ib_DisturbanceType {
    IB_DISTURBANCE_FORCE,   ///< a force for a while
    IB_DISTURBANCE_IMPULSE, ///< a sudden push
    IB_DISTURBANCE_TILT,    ///< the floor is tilted for a while
    IB_DISTURBANCE_SCALE,   ///< a signal is multiplied for a while
    IB_DISTURBANCE_PART,    ///< a force or torque on a part, for a while
} ib_DisturbanceType;

typedef struct ib_Disturbance {
    ib_DisturbanceType type;
    int robot;          ///< index into ib_SimConfig.robots; -1: every one
    ib_Time at, until;  ///< acts in [at, until); an impulse acts at `at`
    double size;        ///< force [N], impulse [N s], tilt [rad], factor [1]; on a part [N], [N m]
                        ///< Tilts at one time add up along the floor, to less than gravity.
    double direction;   ///< of the force or downhill, field frame [rad]
    double x, y;        ///< where it acts, robot frame [m]
    const char *signal; ///< the scaled quantity, relative to its robot: a signal with a gain, or
                        ///< sensor.<name>; or the pushed part
} ib_Disturbance;

#define IB_LEAST_STEP 1e-9 ///< of all that a file may say [s]
#define IB_MOST_STEPS 1e10 ///< of a run, at its longest step

typedef struct ib_SimConfig {
    const char *title;
    const ib_RobotConfig *robots;
    int robot_count; ///< >= 1
    const ib_Disturbance *disturbances;
    int disturbance_count;
    double gravity;              ///< [m/s^2]
    bool ghosts;                 ///< bodies pass through the field and through each other
    const ib_FieldConfig *field; ///< walls and obstacles; NULL: an endless flat floor
    ib_SolverConfig solver;
    ib_Time step;     ///< grid of a fixed-step solver, longest step of an adaptive one; > 0
    ib_Time duration; ///< > 0
    uint64_t seed;
} ib_SimConfig;

#endif
