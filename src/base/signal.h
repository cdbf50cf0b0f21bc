// base/signal.h: the table of everything worth seeing.
//
// A quantity has one name, one unit, one sentence and one meaning, declared once, next to the
// physics that makes it. A part's names are relative (`current`); the robot that owns the part
// gives the prefix (`drive.left`). Logs, plots, expectations and the JSON summary read this table;
// none of them knows a robot: what they look for they find by its role.
#ifndef IB_BASE_SIGNAL_H
#define IB_BASE_SIGNAL_H

#include "base/arena.h"
#include "base/mode.h"

// What a signal is to those who know no robot. A robot has each role once, but for the entries of
// books, loads, motors of several parts, and steps of several loops.
typedef enum ib_SignalRole {
    IB_ROLE_NONE,
    // Entries of a book of energy [J]:  all given = all stored + all lost + balance.
    // Those of one book share their names up to the last dot: `energy.*`, `lift.energy.*`.
    IB_ROLE_GIVEN,    ///< came in from elsewhere so far
    IB_ROLE_SUPPLIED, ///< given, too: by the robot's supply
    IB_ROLE_STORED,   ///< is there and can come back
    IB_ROLE_LOST,     ///< has gone so far, or was handed on to another book
    IB_ROLE_BALANCE,  ///< what the book is off by
    // The supply, and who draws from it:  current = sum of all loads.
    IB_ROLE_SUPPLY_VOLTAGE, ///< [V]
    IB_ROLE_SUPPLY_CURRENT, ///< all that leaves it [A]; negative: it is charged
    IB_ROLE_SUPPLY_USED,    ///< charge that has left it so far [A s]
    IB_ROLE_SUPPLY_LEFT,    ///< share of its charge that is left, 1: full
    IB_ROLE_LOAD,           ///< one's share of the supply's current [A]
    // A robot on the floor, field frame.
    IB_ROLE_POSE_X,
    IB_ROLE_POSE_Y,
    IB_ROLE_POSE_HEADING,
    IB_ROLE_VELOCITY_X,
    IB_ROLE_VELOCITY_Y,
    IB_ROLE_YAW_RATE,
    IB_ROLE_CENTRE_X, ///< its centre of mass, which may be off its middle; robot frame [m]
    IB_ROLE_CENTRE_Y,
    // What pushes it: sums of forces and torque; gravity along a tilted floor.
    IB_ROLE_PUSH_X,
    IB_ROLE_PUSH_Y,
    IB_ROLE_PUSH_TORQUE,
    IB_ROLE_SLOPE_X,
    IB_ROLE_SLOPE_Y,
    IB_ROLE_CONTACT_FORCE, ///< size of the sum of forces of what it rests on [N]
    IB_ROLE_CONTACT_X,     ///< sum of the forces where it rests on something [N]
    IB_ROLE_CONTACT_Y,
    IB_ROLE_CONTACT_TORQUE, ///< of these forces about its origin [N m]
    // A motor and what it moves: those of one `part` belong together.
    IB_ROLE_MOTOR_VOLTAGE, ///< at its terminals [V]
    IB_ROLE_MOTOR_MOTION,  ///< speed of what it moves, in proportion to its own
    IB_ROLE_MOTOR_SLIP,    ///< how fast that slips over the floor [m/s]
    // A loop that does one step after the other: which one, a mode with a meaning for each; where
    // the move that runs should be by now, field frame.
    IB_ROLE_STEP,
    IB_ROLE_LATE_STEP, ///< the same for the one whose time was out last
    IB_ROLE_PLAN_X,
    IB_ROLE_PLAN_Y,
    IB_ROLE_PLAN_HEADING,
    IB_SIGNAL_ROLES,
} ib_SignalRole;

// What a quantity is among the states of a robot.
typedef enum ib_SignalForm {
    IB_SHOWN, ///< no state: found anew at every instant
    IB_STATE, ///< a state
    IB_SUM,   ///< a state on which no rate depends: a place on the floor, an energy so far
} ib_SignalForm;

// What is left out means none.
typedef struct ib_SignalMeaning {
    ib_SignalRole role;
    ib_SignalForm form;  ///< of rows that are declared (plant/declare.h)
    int headline;        ///< 1: what people look at first, 2, 3: then this; 0: no headline
    const char *shown;   ///< unit for people: "deg", "psig", "rpm"; NULL: its own
    const ib_Mode *mode; ///< what its values mean; NULL: it shows no mode
    bool binary;         ///< it is 0 or 1 and nothing else: no or yes
    bool warns;          ///< a run in which it was above 0 is warned of, with its sentence; of a
                         ///< mode: in which its largest value was a warning, with what that means
    const char *part;    ///< which of several of its kind: "left", "arm"; NULL: there is one
    const char *robot;   ///< filled in by the model where robots have names; NULL: there is one
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

// Does `name` match `pattern`, in which each * stands for any run of characters?
int ib_signals_match(const char *pattern, const char *name);

// Is it a signal of this robot? NULL and "" are the only one.
bool ib_meaning_is_of(const ib_SignalMeaning *means, const char *robot);

// Do two signals belong to the same part of the same robot?
bool ib_meaning_same_part(const ib_SignalMeaning *a, const ib_SignalMeaning *b);

// Of a book of energy: is it given (supplied), is it any entry?
bool ib_role_gives(ib_SignalRole role);
bool ib_role_books(ib_SignalRole role);

// "pose_x", "load" … for files, "" for none; and back, IB_ROLE_NONE for any other word.
const char *ib_role_name(ib_SignalRole role);
ib_SignalRole ib_role_find(const char *name);

// The length of a name up to its last dot: 6 of "energy.copper", 0 without a dot.
size_t ib_signal_stem(const char *name);

#endif
