// base/signal.h: the table of all signals of a model.
//
// A quantity has one name, one unit, one sentence and one meaning, declared once, next to the
// physics that makes it. A part's names are relative (`current`); the robot that owns the part
// gives the prefix (`drive.left`). Logs, plots, expectations and the JSON summary read this table;
// none of them knows a robot: they find a signal by its role.
#ifndef IB_BASE_SIGNAL_H
#define IB_BASE_SIGNAL_H

#include "base/arena.h"
#include "base/mode.h"

// The role of a signal, for programs that know no robot. A robot has each role once, except entries
// of energy balances, loads, motors of several parts, and steps of several loops.
typedef enum ib_SignalRole {
    IB_ROLE_NONE,
    // Entries of an energy balance [J]:  all given = all stored + all lost + balance. Entries of
    // one balance share their names up to the last dot: `energy.*`, `lift.energy.*`.
    IB_ROLE_GIVEN,    ///< received from elsewhere so far
    IB_ROLE_SUPPLIED, ///< given by the robot's supply
    IB_ROLE_STORED,   ///< present and recoverable
    IB_ROLE_LOST,     ///< dissipated so far, or given to another balance
    IB_ROLE_BALANCE,  ///< residual of the balance
    // The supply and its loads:  current = sum of all loads.
    IB_ROLE_SUPPLY_VOLTAGE, ///< [V]
    IB_ROLE_SUPPLY_CURRENT, ///< total current out of it [A]; negative: it is charged
    IB_ROLE_SUPPLY_USED,    ///< charge drawn so far [A s]
    IB_ROLE_SUPPLY_LEFT,    ///< state of charge, 1: full
    IB_ROLE_LOAD,           ///< one load's share of the supply's current [A]
    // A robot on the floor, field frame.
    IB_ROLE_POSE_X,
    IB_ROLE_POSE_Y,
    IB_ROLE_POSE_HEADING,
    IB_ROLE_VELOCITY_X,
    IB_ROLE_VELOCITY_Y,
    IB_ROLE_YAW_RATE,
    // Further ones of a robot that moves in space: attitude; rate of its turn and specific force,
    // in its own frame.
    IB_ROLE_POSE_PITCH,
    IB_ROLE_POSE_ROLL,
    IB_ROLE_RATE_X,
    IB_ROLE_RATE_Y,
    IB_ROLE_RATE_Z,
    IB_ROLE_ACCELERATION_X,
    IB_ROLE_ACCELERATION_Y,
    IB_ROLE_ACCELERATION_Z,
    IB_ROLE_CENTRE_X, ///< its centre of mass, perhaps off its middle; robot frame [m]
    IB_ROLE_CENTRE_Y,
    // Loads on the robot: sums of forces and torque; gravity along a tilted floor.
    IB_ROLE_PUSH_X,
    IB_ROLE_PUSH_Y,
    IB_ROLE_PUSH_TORQUE,
    IB_ROLE_SLOPE_X,
    IB_ROLE_SLOPE_Y,
    IB_ROLE_CONTACT_FORCE, ///< magnitude of the sum of its resting contact forces [N]
    IB_ROLE_CONTACT_X,     ///< sum of its resting contact forces [N]
    IB_ROLE_CONTACT_Y,
    IB_ROLE_CONTACT_TORQUE, ///< of these forces about its origin [N m]
    // A motor and its load: signals of one `part` belong together.
    IB_ROLE_MOTOR_VOLTAGE, ///< at its terminals [V]
    IB_ROLE_MOTOR_MOTION,  ///< speed of its load, in proportion to its own
    IB_ROLE_MOTOR_SLIP,    ///< slip speed of the load over the floor [m/s]
    // A loop with a sequence of steps: the present step, a mode with a meaning for each; the
    // reference position of the present move, field frame.
    IB_ROLE_STEP,
    IB_ROLE_LATE_STEP, ///< the last step that ran out of time
    IB_ROLE_PLAN_X,
    IB_ROLE_PLAN_Y,
    IB_ROLE_PLAN_HEADING,
    IB_SIGNAL_ROLES,
} ib_SignalRole;

// The place of a quantity among the states of a robot.
typedef enum ib_SignalForm {
    IB_SHOWN, ///< no state: computed anew at every instant
    IB_STATE, ///< a state
    IB_SUM,   ///< a state on which no rate depends: a place on the floor, an energy so far
} ib_SignalForm;

// The meaning of a signal; a field left out means none.
typedef struct ib_SignalMeaning {
    ib_SignalRole role;
    ib_SignalForm form;  ///< of rows that are declared (plant/declare.h)
    int headline;        ///< rank among the headlines: 1 first, then 2, 3; 0: no headline
    const char *shown;   ///< unit for people: "deg", "psig", "rpm"; NULL: its own
    const ib_Mode *mode; ///< meanings of its values; NULL: not a mode
    bool binary;         ///< 0 or 1 only: no or yes
    bool warns;          ///< a run with a value above 0 gives a warning, with its sentence; a mode:
                         ///< a run whose largest value means a warning, with that meaning
    const char *part;    ///< which of several of its kind: "left", "arm"; NULL: the only one
    const char *robot;   ///< filled in by the model if robots have names; NULL: the only one
} ib_SignalMeaning;

// The last column of a row: IB_MEANS(.role = IB_ROLE_LOAD, .headline = 3).
#define IB_MEANS(...)                                                                              \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

typedef struct ib_SignalDef {
    const char *name;       ///< dotted, lower case, relative to its owner: "pose.x"
    const char *unit;       ///< SI unit, angles in rad: "m/s"; "1" for a pure number
    const char *sentence;   ///< what it is, for a person
    double limit;           ///< |value| beyond this is implausible and stops the run; 0: no limit
    ib_SignalMeaning means; ///< what it is, for a program
} ib_SignalDef;

// Some rows of a part or a robot.
typedef struct ib_SignalRows {
    const ib_SignalDef *items;
    int count;
} ib_SignalRows;

typedef struct ib_SignalTable {
    ib_Arena *arena;
    ib_SignalDef *items; ///< names are complete here
    int count, capacity;
} ib_SignalTable;

// Appends `count` signals as "prefix.name" (prefix "" for none). Returns the index of the first, or
// -1 without memory.
int ib_signals_add(ib_SignalTable *table, const char *prefix, const ib_SignalDef *signals,
                   int count);

// The same for one of several parts of a kind, which is called `part`; the text must stay.
int ib_signals_add_part(ib_SignalTable *table, const char *prefix, const char *part,
                        const ib_SignalDef *signals, int count);

// The index of a complete name, or -1.
int ib_signals_find(const ib_SignalTable *table, const char *name);

// The index of the first signal of a robot ("": of the only one) with this role, or -1.
int ib_signals_role(const ib_SignalTable *table, const char *robot, ib_SignalRole role);

// True if `name` matches `pattern`, in which each * stands for any run of characters.
int ib_signals_match(const char *pattern, const char *name);

// True if the signal belongs to this robot. NULL and "" are the only robot.
bool ib_meaning_is_of(const ib_SignalMeaning *means, const char *robot);

// True if two signals belong to the same part of the same robot.
bool ib_meaning_same_part(const ib_SignalMeaning *a, const ib_SignalMeaning *b);

// True if the role is given or supplied energy; true if it is any entry of an energy balance.
bool ib_role_gives(ib_SignalRole role);
bool ib_role_books(ib_SignalRole role);

// "pose_x", "load" … for files, "" for none; and back, IB_ROLE_NONE for any other word.
const char *ib_role_name(ib_SignalRole role);
ib_SignalRole ib_role_find(const char *name);

// The length of a name up to its last dot: 6 of "energy.copper", 0 without a dot.
size_t ib_signal_stem(const char *name);

#endif
