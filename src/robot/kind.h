// robot/kind.h: the interface of a robot: a table of declarations and functions. Rows left out of a
// table mean none.
//
// A config holds the user's values; a model is derived from it by `init` and never changes; state
// is a flat array of doubles. `rate`, `output`, `guard` and `update` are pure functions of (model,
// state, input). A new robot is one file that ends in one const ib_RobotKind, and one line in
// robot/kinds.c. How to: CONTRIBUTING.md
#ifndef IB_ROBOT_KIND_H
#define IB_ROBOT_KIND_H

#include "base/arena.h"
#include "base/balance.h"
#include "base/clock.h"
#include "base/geometry.h"
#include "base/schema.h"
#include "base/signal.h"
#include "base/status.h"
#include "control/driving/locomotion.h"
#include "control/site.h"
#include "plant/actuator/actuator.h"
#include "plant/environment.h"
#include "plant/input.h"
#include "plant/payload.h"
#include "robot/errata.h"
#include "solver/solver.h"

// One arrow of a free-body diagram: a force on the robot, at a point and along a direction
// of its frame, or in two parts: along it and to the left of it.
typedef struct ib_ForceDef {
    const char *label;
    const char *signal;      ///< its size [N]
    double x, y;             ///< where it acts, robot frame [m]
    double along_x, along_y; ///< unit vector of a positive force, robot frame
    const char *side;        ///< its part to the left of `along` [N]; NULL: none
    bool in_field;           ///< `along` is in the field's frame instead
} ib_ForceDef;

typedef struct ib_StateDef {
    const char *signal; ///< name of the signal that shows it; NULL: none does
    // A signal that may stand for it in a linear plant, being a function of it and of other states
    // (a pressure for the energy of the air); NULL: `signal` alone does.
    const char *coordinate;
} ib_StateDef;

typedef struct ib_PlanarModel ib_PlanarModel;
typedef struct ib_Build ib_Build;

// A point that a robot stands on.
typedef struct ib_FootDef {
    double x, y;  ///< robot frame [m]
    double share; ///< of its weight at rest; those of a robot sum up to 1
} ib_FootDef;

// The arrays around a model: number and definition of its states, inputs and signals. Made by
// `build`, so that they may depend on the config.
typedef struct ib_RobotPorts {
    int state_count;
    const ib_StateDef *states; ///< one row a state; NULL: all are its own business
    int sum_from, sum_to;      ///< states sum_from <= i < sum_to: no rate depends on them, only
                               ///< contact and `output` may look at them; equal: there are none
    int input_count;
    const ib_InputDef *inputs; ///< NULL: those of the environment
    int signal_count;
    const ib_SignalDef *signals;
    ib_Balances balances; ///< of its books; ib_robot_init finds them
    int guard_count;
    int force_count;
    const ib_ForceDef *forces;
    int part_count;
    const ib_ControlPart *parts; ///< names for loops: its mechanisms
    const ib_ControlRims *rims;  ///< turns of its wheels by its motion; NULL: unknown
    const ib_Locomotion *base;   ///< that a loop makes of it (ib_ControlPorts); NULL: none does
    const ib_ControlLegs *legs;  ///< its legs, for a loop that moves all of them; NULL: it has none
    double length, width;        ///< outline of the robot [m], bumpers included; 0: it has none
    bool round;                  ///< a disc, not a rectangle
    const ib_Geometry *geometry; ///< its geometry, names relative to it; NULL: as its outline
    int foot_count;              ///< 0: it stands on the corners of its outline, or on the middle
    const ib_FootDef *feet;      ///< of one that is round or has none

    const ib_PlanarModel *planar; ///< its body on the floor, a part of the model; NULL: it has
                                  ///< none, and no push or contact moves it
    bool pushed; ///< without such a body, but forces and slopes move it all the same; no impulse
    double restitution, yield_speed; ///< of the outline; docs/world/world.md says how two meet
    double friction;
    bool upright; ///< the outline never turns and a hit never turns it [RoboSim 12]

    double resolution;       ///< longest step that euler and rk4 may take [s]; longer steps are
                             ///< divided into equal parts; 0: any step will do
    double resolution_stiff; ///< the same of `stiff`, for which no step is unstable
    size_t memory;           ///< of one simulation of it, where that is much [bytes]
    double step;             ///< that it is made for [s]: of a run without its own; 0: any
    const char *warning;     ///< one more sentence of its kind's `warn`; NULL: none
} ib_RobotPorts;

// One input over time: its value at each knot, held (step) or joined by straight lines (linear).
typedef struct ib_Timeline {
    int count; ///< 0: this input is not set
    const ib_Time *times;
    const double *values; ///< of each knot, SI
    bool linear;
    const struct ib_Wave *wave; ///< (sim/input/wave.h) in its place, from its one knot on; NULL
} ib_Timeline;

// Findings of `plan` of its locomotion: a line of the report each.
typedef struct ib_PlanFact {
    const char *name, *unit;
    double value; ///< in `unit`, SI
    const char *sentence;
} ib_PlanFact;

struct ib_Plan {
    int input_count;              ///< of its first inputs
    const ib_Timeline *timelines; ///< of each, filled for the commands that it uses
    ib_Time end;                  ///< when the path is done
    int fact_count;
    const ib_PlanFact *facts;
};

// An integrator that moves a world by fixed steps of its own instead of by rates (MuJoCo), in the
// place of `rate` and `output`. Its workspace is memory of one simulation, and carries nothing from
// call to call beyond the state.
typedef struct ib_ExternalIntegrator {
    // Memory for one simulation, given back with `arena`; NULL: there is none left.
    void *(*workspace)(const void *model, ib_Arena *arena);
    // True if a workspace of one suits the other.
    bool (*compatible)(const void *a, const void *b);
    // Advances `state` by `h` seconds to `next`, under constant inputs. Any h > 0 up to the step of
    // the grid: up to the switch of an input, or a sample between two steps.
    ib_Status (*advance)(const void *model, void *workspace, const double *state,
                         const double *input, double h, double *next, ib_Error *error);
    // All signals at one instant.
    void (*output)(const void *model, void *workspace, const double *state, const double *input,
                   double *signals);
} ib_ExternalIntegrator;

typedef struct ib_RobotKind {
    const char *name;             ///< as in `kind:`
    const char *sentence;         ///< a description for the user
    const char *docs;             ///< page with the derivation
    ib_Schema params;             ///< keys under `robot:`
    ib_Schema start;              ///< keys under `start:`, into the same config struct
    const ib_SignalRows *signals; ///< signals that each one has itself; NULL: none
    size_t config_size, model_size;
    bool carries_equipment; ///< its config begins with an ib_EquipmentConfig, for mechanisms
    const ib_ExternalIntegrator *integrator; ///< NULL: the solver moves it; else its `rate` and
                                             ///< `output` are NULL
    bool shares; ///< its MuJoCo world is also that of others which share, and of the field's
                 ///< objects (robot/rigid/rigid_group.h)
    // The same body in the world of legs, on the same config, for a scenario in which something
    // shares its world. May be NULL: none.
    const struct ib_RobotKind *rigid;

    // Checks of a config beyond ranges. May be NULL.
    ib_Status (*check)(const void *config, ib_Error *error);
    // Warnings of possible but unlikely values: sentence `index`, which begins with its key, like a
    // refusal; "": no doubt. False: no more sentences. May be NULL.
    bool (*warn)(const void *config, int index, char *text, size_t size);
    // Derives the model: its body, declarations and parts (robot/parts.h). The functions below are
    // then those of all robots, robot/parts.c.
    ib_Status (*build)(const void *config, ib_Build *build, void *model, ib_Error *error);
    // Replaces `build` for plants that are no robots (desk/trial/trial_plant.c): derives the model
    // and its ports; may allocate from `arena`.
    ib_Status (*init)(const void *config, ib_Arena *arena, void *model, ib_RobotPorts *ports,
                      ib_Error *error);
    // The state at t = 0.
    void (*reset)(const void *config, const void *model, double *state);
    void (*rate)(const void *model, const double *state, const double *input, double *rate);
    void (*output)(const void *model, const double *state, const double *input, double *signals);
    // The change of velocity by an impulse at the origin (N s, N s, N m s), both in the robot
    // frame; linear. Its other effects (on an arm, and its work) are added to `change`, an array
    // like the state, unless that is NULL: the state itself for an impulse, another array of rates
    // for a force. NULL: a free body (robot/planar.h).
    ib_Twist (*response)(const void *model, const double *state, double jx, double jy, double turn,
                         double *change);
    // Jumps of the physics: guards whose sign changes are located, and their effects. May be NULL.
    void (*guard)(const void *model, const double *state, const double *input, double *guards);
    // `rate` and `guard` at one instant, to the bits of both, for less. May be NULL.
    void (*rate_and_guards)(const void *model, const double *state, const double *input,
                            double *rate, double *guards);
    void (*update)(const void *model, int guard, bool rising, const double *input, double *state);
    // Brings modes in line with a state and inputs that have jumped: called after inputs have
    // changed and after every jump, until it returns false: nothing left to change. May be NULL.
    bool (*settle)(const void *model, const double *input, double *state);
    // The longest step of euler and rk4 from this state [s], if a hit or a push can shorten it
    // below `resolution`. May be NULL: none can.
    double (*longest)(const void *model, const double *state);
    // True if the fixed step from `before` to `after` is acceptable; else (a chamber emptied in one
    // step) it is repeated in halves. `error`: the solver's estimate of the errors of `after`;
    // NULL: none, or halved often enough. May be NULL: always acceptable.
    bool (*accept_step)(const void *model, const double *before, const double *after,
                        const double *error);
    // Its own df/dx, of the rates of state i to state j at jacobian[i * stride + j], already zeros.
    // False: unknown at present. May be NULL: always unknown; finite differences then.
    bool (*jacobian)(const void *model, const double *state, const double *input, double *jacobian,
                     int stride);
    // The solver that suits it, for a run that names none; unchanged: any. May be NULL.
    void (*solver)(const void *config, ib_SolverConfig *solver);
    // Its motion on a flat floor under `gravity` [m/s^2], loaded and charged as in `state`; the
    // result refers to the model. May be NULL: no routine or path can move it.
    ib_Status (*locomotion)(const void *model, const double *state, double gravity,
                            ib_Locomotion *base, ib_Error *error);

    // Its bodies as the text of an MJCF file, in its start position; in `arena`, NULL without
    // memory. May be NULL: MuJoCo does not move it.
    const char *(*mjcf)(const void *config, const void *model, ib_Arena *arena);

    const ib_Erratum *errata; ///< of its source document; NULL: none
} ib_RobotKind;

// Rows of a kind's table: its tables `params` and `start` and the sizes of its structs.
#define IB_ROBOT_TABLES(config, model)                                                             \
    .params = IB_SCHEMA(params), .start = IB_SCHEMA(start), .config_size = sizeof(config),         \
    .model_size = sizeof(model)

// The name of an entry in a robot's energy balance.
#define IB_NAME_ENERGY(what) "energy." what

// All kinds, NULL-terminated, and the one with this name (or NULL).
extern const ib_RobotKind *const ib_robot_kinds[];
const ib_RobotKind *ib_robot_kind_find(const char *name);

// A robot in a run: its kind's functions, their model, their signals. With mechanisms the functions
// are those common to all; name, parameters and errata are the base's.
typedef struct ib_Robot {
    const ib_RobotKind *kind; ///< its own: the table that it was made from may lack functions
    void *model;
    ib_RobotPorts ports;
} ib_Robot;

// Checks the config and derives model and ports of a robot: the one way to `check` and `build`.
ib_Status ib_robot_init(const ib_RobotKind *kind, const void *config, ib_Arena *arena,
                        ib_Robot *robot, ib_Error *error);

// All signals of a robot, whichever way it moves, balances included. `workspace`: of one that has
// an external integrator.
void ib_robot_output(const ib_RobotKind *kind, const void *model, const ib_RobotPorts *ports,
                     void *workspace, const double *state, const double *input, double *signals);

// Replaces the solver of a run that names none by this robot's choice, if that is for stiffer
// robots: rosenbrock before stiff before dopri5 before rk4. Among equals the first one stays.
void ib_robot_ask_solver(const ib_RobotKind *kind, const void *config, ib_SolverConfig *solver);

// The signal that shows a state: its index, or -1.
int ib_robot_shown(const ib_RobotPorts *ports, int state);

// True if an input or a loop can move something on it; loose bodies have neither.
bool ib_robot_driven(const ib_RobotPorts *ports);

#endif
