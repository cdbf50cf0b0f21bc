// control/controller.h: the interface of a controller: ports, and a step a period. The step
// computes outputs from measurements. It reads sensors, never the plant. Its state is in the
// caller's doubles, so that a run can be hashed, recorded and restored; its model never changes.
// Rows left out of a table mean none.
//
// A kind of controller is one file that ends in one const ib_ControllerKind, and two lines in
// control/kinds.c. How to: CONTRIBUTING.md
//
// A kind with a `law` may also act at every instant (`period: continuous`): it is then no program
// on a robot but a part of the equations, as in textbooks. Meaning and
// exclusions: docs/control/loops.md
#ifndef IB_CONTROL_CONTROLLER_H
#define IB_CONTROL_CONTROLLER_H

#include "base/arena.h"
#include "base/clock.h"
#include "base/geometry.h"
#include "base/schema.h"
#include "base/signal.h"
#include "control/routine/routine_outline.h"
#include "control/site.h"
#include "plant/drive_axis.h"

// A command of a driver or a script to the controller: a key in `inputs:`.
typedef struct ib_ControlCommand {
    const char *name, *unit, *sentence;
    double neutral, low, high; ///< in `unit`, SI; low <= neutral <= high
    bool required;
    bool kept;                ///< a goal: keeps its value when the driver lets go
    const char *limit;        ///< the source of low and high, for a warning; NULL: they are
                              ///< its range
    const char *also[2];      ///< other names for it; NULL: none
    const char *const *words; ///< NULL-terminated names of the values 0, 1, 2 …; NULL: a number
    bool button;              ///< one with words: neutral again when released
    ib_DriveAxis axis;        ///< the driver's control for it
} ib_ControlCommand;

// A number worth printing before a run.
typedef struct ib_ControlFact {
    const char *name, *unit;
    double value; ///< in `unit`, SI
    const char *sentence;
} ib_ControlFact;

// Status of one step of a loop that does steps in sequence.
typedef struct ib_ControlStep {
    int number;        ///< as its signal of the role IB_ROLE_STEP counts them, from 1
    int depth;         ///< 0: a step of the whole; 1: inside one of these …
    const char *label; ///< as a person wrote it
    int line;          ///< of the file, 0: none
    bool holds;        ///< it has steps inside
    bool moves;        ///< itself: members below `began` count
    bool faces;        ///< of a move: the heading of its goal counts
    ib_StepOutcome outcome;
    double began;     ///< by the loop's own clock [s]: another one each time it runs
    double at[3];     ///< where it ended, by the loop's odometry: x, y, heading
    double goal[3];   ///< where it shall end
    double plan[3];   ///< where it should be now, while it runs
    double missed[2]; ///< a way and an angle that were left as it ended [m, rad]
    double promise;   ///< its planned duration [s]
} ib_ControlStep;

// The arrays around a model: sizes and definitions of its inputs and outputs.
typedef struct ib_ControlPorts {
    int state_count;
    int rate_count; ///< of a continuous loop: its states, all of which are integrated
    double period;  ///< that it takes itself [s]; 0: as the file or the design says
    int command_count;
    const ib_ControlCommand *commands;
    int measurement_count;
    const char *const *measurements; ///< sensors by name ("sensor.gyro"), other commands of the
                                     ///< robot ("gear"), or signals, which are sampled ideally
    const ib_Gather *gathers;        ///< integration of each measurement; NULL: none
    int output_count;
    const char *const *outputs; ///< commands of the robot ("left"), then closed to others
    int signal_count;
    const ib_SignalDef *signals; ///< its signals, such as goal.left of control.goal.left
    bool odometry; ///< the first three signals are where it takes the robot to be: x, y, heading
    int heading;   ///< the signal that is a heading [rad], counted from 1; 0: none
    const ib_PathConfig *path; ///< that it follows; NULL: none
    ib_PathPoint path_start;
    int way_count; ///< of points where it means to drive, as far as that is known before the run
    const ib_WayPoint *way; ///< joined by straight lines
    const ib_Geometry
        *geometry;             ///< solids and traces that it adds to the robot's, on frames of that
                               ///< one; moved by its own signals. NULL: none
    const ib_Locomotion *base; ///< it moves the robot by its commands, as a base does; NULL: no
    const ib_ControlRims *rims; ///< of that base
    int fact_count;
    const ib_ControlFact *facts;
    int step_count;   ///< with reports; 0: none
    double lasts;     ///< duration of its task [s]; 0: for ever
    const char *note; ///< a note for the user before the run; NULL: none
} ib_ControlPorts;

// The inputs of a step.
typedef struct ib_ControlTick {
    ib_Time time;
    const double *command, *measurement; ///< as the ports list them, SI
    const double *slope;                 ///< of each command, where it ramps [1/s]; NULL: none does
    // The integral since the last tick of each measurement with a gather in the ports. The
    // measurement is then the mean over that time, or the newest sample of a sensor slower than the
    // loop; NaN: not integrated. NULL: none.
    const double *sum;
} ib_ControlTick;

// The integral of a measurement since the last tick; NaN: none is made.
static inline double ib_tick_sum(const ib_ControlTick *tick, int measurement)
{
    return tick->sum ? tick->sum[measurement] : NAN;
}

// The inputs of a law: the same, at any instant.
typedef struct ib_ControlInstant {
    const double *command, *slope, *measurement;
} ib_ControlInstant;

enum { IB_LAW_MEASUREMENTS = 8, IB_LAW_RATES = 8, IB_LAW_OUTPUTS = 4 }; ///< most of a law

typedef enum ib_ControlStatus {
    IB_CONTROL_OK,
    IB_CONTROL_LATE,   ///< no output in time: the last one is held for another period
    IB_CONTROL_FAILED, ///< no answer at all: its outputs are neutral for this period
    IB_CONTROL_STATUSES,
} ib_ControlStatus;

typedef struct ib_ControllerKind {
    const char *name;     ///< as in `kind:`
    const char *sentence; ///< a description for the user
    const char *docs;     ///< page with the derivation
    ib_Schema params;     ///< keys beside `kind:` and `design:`, fields of its config, which begins
                          ///< with an ib_WiringConfig. A unit may contain Y and U, those of
                          ///< measurement and output: "U*s/Y"
    size_t config_size, model_size;
    bool designed; ///< takes `design:`, a loop
    bool planned;  ///< takes `plan:`, of an arm
    bool wayless;  ///< takes all of it but its ways, which need not be worked out
    bool follows;  ///< takes `path:`
    bool routines; ///< takes `routine:`

    // Derives model and ports; may allocate from `arena`. An error begins with the key at fault:
    // "gears: the design has no gear 'high'".
    ib_Status (*init)(const void *config, const ib_ControlSite *site, ib_Arena *arena, void *model,
                      ib_ControlPorts *ports, ib_Error *error);
    // The state at t = 0, which is all zero before. NULL: it stays so.
    void (*reset)(const void *model, double *state);
    // The same where a run begins and its commands at t = 0 are known. NULL: `reset`.
    void (*begin)(const void *model, const double *command, double *state);
    // One period: the outputs are applied from now to the next call, each within its range; NANs
    // are replaced by neutral, with a warning.
    ib_ControlStatus (*step)(const void *model, const ib_ControlTick *tick, double *state,
                             double *output);
    // The signals, as the last step left them and for the commands of now. NULL: there are none.
    void (*show)(const void *model, const double *command, const double *state, double *signals);
    bool shows_slowly; ///< so that signals are kept while neither commands nor state change
    // Step number `index`, 0 .. ports.step_count - 1, in the order of the file, as the last period
    // left it. NULL: it has none.
    void (*tell)(const void *model, const double *state, int index, ib_ControlStep *step);

    // The same as a law, for `period: continuous`; NULL: sampled only. Pure: the outputs at this
    // instant, each then kept within its range, and the rates of its states.
    void (*law)(const void *model, const ib_ControlInstant *now, const double *state,
                double *output, double *rate);
    // Its states at t = 0, with known measurements; all zero before. NULL: they stay zero.
    void (*start)(const void *model, const ib_ControlInstant *now, double *state);
    // Its signals at this instant. NULL: there are none.
    void (*law_show)(const void *model, const ib_ControlInstant *now, const double *state,
                     double *signals);
} ib_ControllerKind;

// Rows of a kind's table: its table `params` and the sizes of its structs; functions that have the
// names of their entries.
#define IB_CONTROLLER_TABLES(config, model)                                                        \
    .params = IB_SCHEMA(params), .config_size = sizeof(config), .model_size = sizeof(model)
#define IB_CONTROLLER_FUNCTIONS .init = init, .reset = reset, .step = step, .show = show
#define IB_CONTROLLER_LAW       .law = law, .start = start, .law_show = law_show

// A loop of a robot as it runs.
typedef struct ib_Controller {
    const char *name;  ///< of the loop: "lift"; "": the only one of its robot
    const char *label; ///< for messages: "the loop 'lift'"
    const ib_ControllerKind *kind;
    const void *model;
    bool continuous; ///< it acts at every instant
    ib_Time period;  ///< > 0; of a continuous one 0
    ib_Time latency; ///< from a tick until its outputs act, >= 0
    int output_bits; ///< of the converter of each output, over its range; 0: no steps
    ib_ControlPorts ports;
} ib_Controller;

enum { IB_LATENCY_PERIODS = 100 }; ///< the longest latency

// All kinds, NULL-terminated, and the one with this name (or NULL).
extern const ib_ControllerKind *const ib_controller_kinds[];
const ib_ControllerKind *ib_controller_kind_find(const char *name);

// The keys of a kind that measures in `measured` and sets in `output`, SI units such as "rad" and
// "V": its units and defaults with these in place of Y and U. False without memory.
bool ib_controller_params(const ib_ControllerKind *kind, const char *measured, const char *output,
                          ib_Arena *arena, ib_Schema *params);

// The text with the units in place of Y and U: "0 U/Y" becomes "0 V/rad". NULL without memory.
const char *ib_control_units(const char *text, const char *measured, const char *output,
                             ib_Arena *arena);

// Makes the loop that stands at `site`, with a config that has been read. Everything is in `arena`.
ib_Status ib_controller_init(const ib_ControllerKind *kind, const void *config,
                             const ib_ControlSite *site, ib_Arena *arena, ib_Controller *controller,
                             ib_Error *error);

// The state at t = 0: ports.state_count doubles.
void ib_controller_reset(const ib_Controller *controller, double *state);

// Keeps the goal of a part's position within its travel; other goals do not change.
void ib_command_limit(const ib_ControlPin *pin, ib_ControlCommand *command);

// Sets the latency [s], at most IB_LATENCY_PERIODS.
ib_Status ib_controller_delay(ib_Controller *controller, double latency, ib_Error *error);

// Puts a D/A converter of so many bits behind each output except those with words; 0: none. Its
// outputs must have a range then.
ib_Status ib_controller_convert(ib_Controller *controller, int bits, const ib_ControlSite *site,
                                ib_Error *error);

#endif
