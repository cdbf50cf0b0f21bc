// base/signal.h: the table of everything worth seeing.
//
// A quantity has one name, one unit and one sentence, declared once, next to the physics that makes
// it. A part's names are relative (`current`); the robot that owns the part gives the prefix
// (`drive.left`). Logs, plots, expectations and the JSON summary read this table; none of them
// knows a robot.
#ifndef IB_BASE_SIGNAL_H
#define IB_BASE_SIGNAL_H

#include "base/arena.h"

typedef struct ib_SignalDef {
    const char *name;     ///< dotted, lower case, relative to its owner: "pose.x"
    const char *unit;     ///< SI unit, angles in rad: "m/s"; "1" for a pure number
    const char *sentence; ///< what it is, for a person
    double limit;         ///< |value| beyond this is implausible and stops the run; 0: no limit
} ib_SignalDef;

typedef struct ib_SignalTable {
    ib_Arena *arena;
    ib_SignalDef *items; ///< names are complete here
    int count, capacity;
} ib_SignalTable;

// Appends `count` signals as "prefix.name" (prefix "" for none). Returns the index of the first, or
// -1 without memory.
int ib_signals_add(ib_SignalTable *table, const char *prefix, const ib_SignalDef *signals,
                   int count);

// The index of a complete name, or -1.
int ib_signals_find(const ib_SignalTable *table, const char *name);

// Does `name` match `pattern`, in which each * stands for any run of characters?
int ib_signals_match(const char *pattern, const char *name);

#endif
