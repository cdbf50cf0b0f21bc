// control/routine/routine.h: an autonomous routine: steps, one after the other, side by side,
// again. The language and its keys are in docs/control/routine.md.
//
// A routine is a tree of steps in one array. Each step ends by itself or at its time-out, and keeps
// its results: times, estimated poses, and errors. The state is in the caller's doubles; this file
// knows no robot: readings and outputs are numbers that the caller wires, moves are
// velocities (control/routine/move.h).
#ifndef IB_CONTROL_ROUTINE_ROUTINE_H
#define IB_CONTROL_ROUTINE_ROUTINE_H

#include "control/path/drawn_plan.h"
#include "control/routine/move.h"

typedef enum ib_StepKind {
    IB_STEP_SEQUENCE, ///< its steps, one after the other
    IB_STEP_PARALLEL, ///< its steps side by side, until all have ended
    IB_STEP_REPEAT,   ///< its one step, `times` times
    IB_STEP_WAIT,     ///< for a time
    IB_STEP_UNTIL,    ///< a reading is as asked for
    IB_STEP_SET,      ///< an output gets a value and keeps it
    IB_STEP_MOVE,     ///< a move
    IB_STEP_KINDS,
} ib_StepKind;

typedef enum ib_StepRelation { IB_STEP_ABOVE, IB_STEP_BELOW, IB_STEP_WITHIN } ib_StepRelation;

// State of a step.
typedef enum ib_StepOutcome {
    IB_STEP_IDLE,    ///< not begun
    IB_STEP_RUNS,    ///< begun
    IB_STEP_DONE,    ///< ended as it should
    IB_STEP_LATE,    ///< timed out; the next steps go on
    IB_STEP_STOPPED, ///< one around it had no more time
} ib_StepOutcome;

extern const char *const ib_step_outcomes[]; ///< NULL-terminated, in the order of the enum

typedef struct ib_RoutineStep {
    ib_StepKind kind;
    int child, next;   ///< first step inside, next one beside; -1: none
    const char *label; ///< as in the file: "drive to 1 m, 2 m"
    int line;          ///< of the file, 0: none
    double timeout;    ///< from its beginning [s], > 0; may be infinite
    double time;       ///< of IB_STEP_WAIT [s], >= 0
    int times;         ///< of IB_STEP_REPEAT, > 0
    int reading;       ///< of IB_STEP_UNTIL: its number, or IB_ROUTINE_CLOCK
    ib_StepRelation relation;
    double value, tolerance;   ///< of IB_STEP_UNTIL, and the value of IB_STEP_SET; SI
    int output;                ///< of IB_STEP_SET: its number
    ib_MoveConfig move;        ///< of IB_STEP_MOVE
    const ib_DrawnPath *drawn; ///< of a move in a draft whose path is still to be planned, or NULL
} ib_RoutineStep;

enum { IB_ROUTINE_CLOCK = -1 }; ///< the reading that is the time since the routine began

enum { IB_ROUTINE_STEPS = 256, IB_ROUTINE_OUTPUTS = 32, IB_ROUTINE_READINGS = 32 };

typedef struct ib_RoutineConfig {
    double period;               ///< between two ticks [s], > 0
    int count;                   ///< of steps, 1 .. IB_ROUTINE_STEPS; the first is the whole
    const ib_RoutineStep *steps; ///< parents before their children
    int reading_count, output_count;
    const double *outputs; ///< values of the outputs before a step sets them
} ib_RoutineConfig;

// Results of a step.
enum {
    IB_STEP_OUTCOME,                 ///< ib_StepOutcome
    IB_STEP_BEGAN,                   ///< [s]
    IB_STEP_ENDED,                   ///< [s]
    IB_STEP_ROUND,                   ///< of IB_STEP_REPEAT: how many are over
    IB_STEP_AT,                      ///< x, y, heading where it ended
    IB_STEP_MISSED = IB_STEP_AT + 3, ///< of a move: the way and the angle that were left [m, rad]
    IB_STEP_PROMISE = IB_STEP_MISSED + 2, ///< of a move: how long it should take [s]
    IB_STEP_MOTION,                       ///< an ib_leg's
    IB_STEP_STATES = IB_STEP_MOTION + IB_MOVE_STATES,
};

// The state: time [s], then the outputs, then each step.
enum { IB_ROUTINE_TIME, IB_ROUTINE_HELD };
int ib_routine_state_count(const ib_RoutineConfig *config);
void ib_routine_reset(const ib_RoutineConfig *config, double *state);
const double *ib_routine_step_state(const ib_RoutineConfig *config, const double *state, int step);

// True if a step moves the base, itself or by one inside.
bool ib_routine_moves(const ib_RoutineStep *steps, int step);

// Checks a tree: numbers out of range, a step without an end, two moves side by side. The error
// begins with the number of the step: "3: …".
ib_Status ib_routine_check(const ib_RoutineConfig *config, ib_Error *error);

// One period. `reading`: as `reading` of the steps counts them; `motion`: present motion of the
// base, or its hold. The outputs are state + IB_ROUTINE_HELD. True: the routine has ended.
bool ib_routine_tick(const ib_RoutineConfig *config, const ib_Locomotion *base,
                     const ib_BasePose *pose, const double *reading, double *state,
                     ib_AxisMotion *motion);

// The innermost step that runs, a move before others; -1: none.
int ib_routine_current(const ib_RoutineConfig *config, const double *state);

// The step that ran out of its time last, of those that are remembered; -1: none.
int ib_routine_timed_out(const ib_RoutineConfig *config, const double *state);

// When all of it had ended, by its own clock [s]; 0: it has not.
double ib_routine_ended(const ib_RoutineConfig *config, const double *state);

// A routine of a file, before it is wired to a robot. Speeds of 0 are those of the whole routine.
typedef struct ib_RoutineDraft {
    int count;
    ib_RoutineStep steps[IB_ROUTINE_STEPS];
    int reading_count, output_count;
    const char *readings[IB_ROUTINE_READINGS]; ///< as a controller's ports name them
    const char *outputs[IB_ROUTINE_OUTPUTS];   ///< commands of the robot, none of which moves it
    double neutral[IB_ROUTINE_OUTPUTS];        ///< their values before a step sets them
} ib_RoutineDraft;

#endif
