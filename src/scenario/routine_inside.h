// scenario/routine_inside.h: declarations shared by the files that read a routine's steps. Internal
// to them.
//
// Each file has some words of the language; scenario/routine.c has the table of all of them.
#ifndef IB_SCENARIO_ROUTINE_INSIDE_H
#define IB_SCENARIO_ROUTINE_INSIDE_H

#include "scenario/control.h"
#include "scenario/schemas.h"

// A routine on its way from the file.
struct ib__Routine {
    ib_Reader *reader;
    const ib_ControlSite *site;
    ib_RoutineDraft *draft;
    ib_SignalTable seen;   ///< names for conditions
    int first_own;         ///< from here on signals of loops, which are no truth
    const ib_Node **nodes; ///< where each step stands
};

// A step during its reading: its value, the step it is inside, and its time-out [s] or infinity.
struct ib__StepNode {
    const ib_RoutineWord *word;
    const ib_Node *node;
    int parent;
    double timeout;
};

// One more step, behind all others of its parent, with the timeout of `at`, unless it has its own;
// -1: there is no more room. (scenario/routine_draft.c)
int ib__routine_add(ib__Routine *routine, const ib__StepNode *at, ib_RoutineStep step);

// A time, 0 s to 1000000 s.
bool ib__routine_time(ib__Routine *routine, const ib_Node *node, double *time);

// The same of a time-out, which cannot be 0 s: nothing would ever be begun.
bool ib__routine_timeout(ib__Routine *routine, const ib_Node *node, double *time);

// The step as the user wrote it, without the brackets, after `word`: "drive to 1 m, 2 m, heading
// 90 deg".
const char *ib__routine_label(ib__Routine *routine, const char *word, const ib_Node *node);

// The keys of a word that are in no schema, for ib_read_schema; NULL-terminated.
const char *const *ib__routine_others(ib__Routine *routine, const ib_RoutineWord *word);

// The words (scenario/routine_moves.c, routine_follow.c, routine_signals.c).
void ib__read_drive(ib__Routine *routine, const ib__StepNode *at);
void ib__read_turn(ib__Routine *routine, const ib__StepNode *at);
void ib__read_hold(ib__Routine *routine, const ib__StepNode *at);
void ib__read_follow(ib__Routine *routine, const ib__StepNode *at);
void ib__read_until(ib__Routine *routine, const ib__StepNode *at);
void ib__read_set(ib__Routine *routine, const ib__StepNode *at);

extern const ib_Schema ib__drive_schema, ib__turn_schema, ib__hold_schema, ib__follow_schema;

// The limits that every move takes, as fields of the struct that a schema fills.
typedef struct ib__MoveLimits {
    double speed, acceleration, turn_speed, turn_acceleration, near, near_angle;
} ib__MoveLimits;

#define IB__MOVE_LIMIT(key, unit, high, config, field, sentence)                                   \
    IB_PARAM_ROW(key, IB_PARAM_NUMBER, unit, "0 " unit, 0, high, NULL, config, limits.field,       \
                 false, sentence "; 0: as the routine")
#define IB__MOVE_LIMITS(config)                                                                    \
    IB__MOVE_LIMIT("speed", "m/s", 100, config, speed, "how fast"),                                \
        IB__MOVE_LIMIT("acceleration", "m/s^2", 1000, config, acceleration,                        \
                       "how fast it speeds up"),                                                   \
        IB__MOVE_LIMIT("turn_speed", "rad/s", 100, config, turn_speed, "how fast it turns"),       \
        IB__MOVE_LIMIT("turn_acceleration", "rad/s^2", 1000, config, turn_acceleration,            \
                       "how fast turning speeds up"),                                              \
        IB__MOVE_LIMIT("near", "m", 10, config, near, "what is near enough to a place"),           \
        IB__MOVE_LIMIT("near_angle", "rad", 3, config, near_angle, "the same of a heading")

ib_MoveConfig ib__move_of(const ib__MoveLimits *limits);

#endif
