// sim/model.h: the model derived from a config, once: robots, signals, the layout of the state.
//
// A model never changes after its creation and is shared by threads. The flat state of a run is
//   robot 0, robot 1, …   states of the solver; with mechanisms: base, power, each mechanism;
//                         behind each robot the states of its continuous loops
//   sensors               last sample of each
//   loops                 outputs, states and delayed outputs of each
//   contacts              for each body its hits; for each two with a drive theirs; the hits of
//                         this step; the pairs that rest
//   riders                of each carried body: carried or not, and bodies that it passes through
//   failures              of each loop whether it has failed
//   step length           next step proposed by an adaptive solver
// Modes (a breaker that is open, a gear) are doubles among the states of their part.
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
    int body;                        ///< its number among the bodies of the world, -1: none
    int contact_signal;              ///< first of contact.*, -1: none
    int partner;                     ///< its number among the bodies with a drive, -1: none
    int partner_signal;              ///< first of contact.with.*, if there are any
    int zone_signal;                 ///< first of in_*, one for each zone of the field, -1: none
    int ridge_signal;                ///< first of ridge.*, -1: none
    int rider;                       ///< its number among carried bodies, -1: not carried
    int legs_signal;                 ///< first of contact.legs.*, -1: none
    int member;                      ///< its number in the shared world, -1: it shares none
    int impulse;                     ///< input: sum of the impulses so far, x; y follows
    const ib_PathConfig *path;       ///< that it drives, by a plan or a loop; NULL: none
    ib_PathPoint path_start;
    const ib_PathPiece *path_pieces;        ///< of `path` from there
    ib_Plan plan;                           ///< facts of the plan, where `path` is set
    int path_signal;                        ///< path.deviation, -1: no path
    int x_signal, y_signal, heading_signal; ///< pose.*, -1: none
    int disturbance_signal;                 ///< first of disturbance.*, -1: none
    int scaled_count;
    const int *scaled; ///< inputs that a disturbance scales or pushes; their
                       ///< signals follow disturbance.*
} ib_RobotModel;

typedef struct ib_SensorModel {
    const ib_SensorConfig *config;
    int robot;
    int state;  ///< of the value that it shows: of channel 0, its first state
    int truth;  ///< signal it measures
    int signal; ///< its own signal
    int gain;   ///< index of its factor in the input array
    uint64_t stream;
} ib_SensorModel;

// Source of a controller's measurement: the one that is not -1.
typedef struct ib_Reading {
    int sensor;
    int input;  ///< a command of the robot
    int signal; ///< sampled ideally
} ib_Reading;

// A sensor whose samples a loop integrates from tick to tick (sim/loop/gather.h).
typedef struct ib_GatherModel {
    int sensor, state;
    ib_Gather rule;
} ib_GatherModel;

typedef struct ib_ControlModel {
    const ib_Controller *controller;
    int robot;
    int last;           ///< state: signals of a continuous loop at its last sound step
    int state;          ///< the outputs that are held, the controller's own states, then; of a
                        ///< continuous loop its states alone, behind those of the robot
    int sent;           ///< state: outputs on their way, `lag` + 1 times, the oldest first; -1:
                        ///< they act at once
    int gather;         ///< state: the first of its integrals of sensors
    int lag;            ///< whole periods until they act,
    ib_Time part;       ///< and this part of one
    int command;        ///< input: the first of its commands
    int signal;         ///< first of its signals
    int failed;         ///< signal: whether it has failed
    int converted;      ///< signals: outputs of its converters, one for each output; -1: none
    const int *outputs; ///< inputs that it sets
    const ib_Reading *measurements;
    bool ideal;         ///< some measurement is a signal
    int odometry_error; ///< signal: distance of its odometry from the truth, then heading; -1: none
    int heading_error;  ///< signal: its heading less the true one; -1: none
} ib_ControlModel;

// States of each body: hits so far; of the last one, its place [m], its impulse on the body [N s],
// its loss of the body's kinetic energy [J], and its time [s].
enum {
    IB_HIT_COUNT,
    IB_HIT_X,
    IB_HIT_Y,
    IB_HIT_IMPULSE_X,
    IB_HIT_IMPULSE_Y,
    IB_HIT_TAKEN,
    IB_HIT_TIME,
    IB_HIT_STATES,
};

// States of the step, or of the last steps of an adaptive solver, which end at hits: start of the
// count [ns], hits since then, those of them after which a pair went on closing, steps with resting
// contacts; and the time until which islands of several bodies stay awake [ns].
enum {
    IB_TALLY_SINCE,
    IB_TALLY_COUNT,
    IB_TALLY_FRUITLESS,
    IB_TALLY_STEPS,
    IB_TALLY_LOOSE,
    IB_TALLY_STATES,
};

// States of each resting pair, in their order: ib_Rest. Before the first: their number.
enum {
    IB_REST_PAIR,
    IB_REST_SLIDE,
    IB_REST_POINTS,
    IB_REST_CROWDED,
    IB_REST_FRESH,
    IB_REST_CLOSED,
    IB_REST_STRAIN,
    IB_REST_PUSH, ///< of two points
    IB_REST_FRICTION = IB_REST_PUSH + 2,
    IB_REST_STATES,
};

enum { IB_PARTNERS = 8 }; ///< bodies with a drive, of which each two are counted

typedef struct ib_Model {
    const ib_SimConfig *config;
    ib_SignalTable signals;
    ib_RobotModel *robots;
    int robot_count;
    int external_count;                 ///< robots that have an external integrator
    const struct ib_RigidGroup *shared; ///< the world of those that share one; NULL: each its own
    int shared_count;
    int *shared_robots;        ///< their numbers, in its order
    struct ib__Guests *guests; ///< bodies that they meet there (sim/guests.h); NULL: none
    ib_Block *blocks;          ///< the states of each robot, on their own while it rests on nothing
    ib_SensorModel *sensors;
    int sensor_count;
    ib_ControlModel *controls;
    int control_count;
    int most_measurements, most_outputs, most_memory, most_shown; ///< of one loop
    int gather_count;
    ib_GatherModel *gathers; ///< of all loops
    int continuous_count;
    const int *continuous;              ///< numbers of the loops that act at every instant
    struct ib__Relief *relief;          ///< the ridges of the floor; NULL: a flat floor
    struct ib__Riders *riders;          ///< bodies that are carried; NULL: none is
    ib_World *world;                    ///< the bodies that can touch; NULL: none
    int *body_robots;                   ///< the robot of each body of the world
    int hit_state;                      ///< IB_HIT_STATES for each body
    int partner_count;                  ///< bodies with a drive that count each other
    int partner_state;                  ///< number of touches of each two of them
    int tally_state;                    ///< IB_TALLY_STATES
    int rest_state;                     ///< number of resting pairs, then IB_REST_STATES for each
    int mover_input;                    ///< offsets x, y, heading of each mover of the field
    int mover_signal;                   ///< its place: x, y, heading of each
    const ib_Timeline *mover_timelines; ///< one for each of these inputs
    int zone_count;
    const ib_Zone *zones;     ///< of the field, in its order
    const ib_Shape *outlines; ///< of each robot, where there are zones; no corners: it has none
    int state_count, input_count, guard_count;
    int robot_state_count;     ///< states that are integrated: the robots' and their continuous
                               ///< loops', at the front
    int failure_state;         ///< of each loop whether it has failed (sim/loop/failure.h)
    int step_state;            ///< where the adaptive step length is kept
    const int *state_signal;   ///< for each integrated state the signal that shows it, -1: none
    const double *state_limit; ///< for each integrated state the largest plausible size
    const ib_InputDef *inputs; ///< all inputs: robot after robot, impulses, one gain per sensor
    int command_count;
    const int *commands; ///< indices of the inputs that are clamped
    ib_Time step;        ///< grid of a fixed-step solver: the config's, divided where a robot's
                         ///< resolution asks for shorter steps
    bool sudden;         ///< a robot may need shorter steps from one moment to the next
    bool known;          ///< every robot knows its Jacobian, and nothing else adds to it
    bool judged;         ///< a robot says whether it accepts a fixed step
    bool coarse;         ///< it would have to be divided into more parts than is possible
    int unplanned;       ///< the robot whose path could not be planned; -1: none
} ib_Model;

// Signals of a robot with a path, and of one in a scenario with disturbances.
enum { IB_PATH_SIGNALS = 1, IB_DISTURBANCE_SIGNALS = 7 };
extern const ib_SignalDef ib_path_signals[IB_PATH_SIGNALS];
extern const ib_SignalDef ib_disturbance_signals[IB_DISTURBANCE_SIGNALS];

// Derives a model in two stages: each robot is made by itself, by its kind and with the commands of
// its loops among its inputs; then all of them are wired together, and those with a path get their
// plan. `config` must outlive the model. The error is of status IB_BAD_INPUT if the config is at
// fault. If only a path could not be planned, `model` is set all the same, with its signals, but
// must not be run.
ib_Status ib_model_create(const ib_SimConfig *config, ib_Arena *arena, ib_Model **model,
                          ib_Error *error);

// The second stage alone, for a caller that has made the robots already, because it needs their
// inputs and signals before the whole config (a reader of files): robots[i] is the result of
// ib_robot_init for config->robots[i], extended by each of its loops in their order
// (ib_control_extend). Their referents must outlive the model.
ib_Status ib_model_wire(const ib_SimConfig *config, const ib_Robot *robots, ib_Arena *arena,
                        ib_Model **model, ib_Error *error);

// Derives a model of another config of the same robots, with the plans of
// `from` (sim/linearise/variant.h).
ib_Status ib__model_vary(const ib_Model *from, const ib_SimConfig *config, ib_Arena *arena,
                         ib_Model **model, ib_Error *error);

// Checks a body on a carrier, which carries `others` [kg] besides; the text begins with the key at
// fault, if there is one.
ib_Status ib_carried_check(const ib_RobotPorts *body, const ib_RobotPorts *carrier,
                           bool carrier_rides, double others, ib_Error *error);

// The robot that stands inside a wall, an obstacle or another robot at the start, with the reason;
// -1: none.
int ib_model_overlap(const ib_Model *model, ib_Error *error);

// The MJCF text of a robot that MuJoCo moves, in its start position; of one that shares a world all
// of that. NULL without memory.
const char *ib_model_mjcf(const ib_Model *model, int robot, ib_Arena *arena);

// True if the outline of a robot has room at this place of a field, with moving elements at rest.
bool ib_model_has_room(const ib_FieldConfig *field, const ib_RobotPorts *ports, double x, double y,
                       double heading, ib_Arena *arena);

#endif
