// plant/declare.h: declarations of a robot's parts, made once: quantities, inputs, guards, bridges.
//
// A part declares its rows when a robot is made. The order of calls is the order of the robot's
// signals. States get their places at the end (ib_declare_finish), since those on which no rate
// depends stand after all others, in one range; until then `at` must not be read.
//
// Without memory `failed` becomes true and later calls do nothing: one check at the end suffices.
#ifndef IB_PLANT_DECLARE_H
#define IB_PLANT_DECLARE_H

#include "base/arena.h"
#include "base/signal.h"
#include "plant/input.h"

// A run of adjacent states, and the variable that receives their place.
typedef struct ib_DeclaredStates {
    int count, first;   ///< `first`: known when all are declared
    ib_SignalForm form; ///< IB_STATE or IB_SUM
} ib_DeclaredStates;

typedef struct ib_DeclaredPlace {
    int *at;
    int run, offset; ///< among the runs, within the run
} ib_DeclaredPlace;

typedef struct ib_DeclaredCopy {
    int signal;
    int run, offset;
    bool stands; ///< the signal only stands for the state
} ib_DeclaredCopy;

typedef struct ib_Declarations {
    ib_Arena *arena;
    bool failed;
    ib_SignalTable signals;
    ib_InputDef *inputs;
    ib_DeclaredStates *runs;
    ib_DeclaredPlace *places;
    ib_DeclaredCopy *copies;
    int input_count, run_count, place_count, copy_count;
    int input_room, run_room, place_room, copy_room;
    int guard_count, bridge_count;
    // Known when all are declared.
    int state_count, sum_from; ///< sums are from `sum_from` to the end
    int *shown, *stands;       ///< the signal that shows a state, that stands for it; -1: none does
} ib_Declarations;

// `count` rows as "prefix.name" of one of several parts of a kind ("", NULL: of the robot itself).
// at[i]: of a state its place among the states, of all others that among the signals. NULL: nobody
// wants to know.
void ib_declare(ib_Declarations *d, const char *prefix, const char *part, const ib_SignalDef *rows,
                int count, int *at);

// Finds a row that was declared before, by its whole name: for additions to another part's entry of
// a book. -1 in `at`: there is none, and nothing may be added.
void ib_declare_find(ib_Declarations *d, const char *name, int *at);

// The same for a required one: the robot's kind has to list it.
void ib_declare_entry(ib_Declarations *d, const char *name, int *at);

// `count` states side by side that no row declares, the first at `at`: 0 until places are handed
// out, -1 where there are none.
void ib_declare_states(ib_Declarations *d, int count, ib_SignalForm form, int *at);
// The state `offset` behind that one is shown by this signal.
void ib_declare_shown(ib_Declarations *d, const int *at, int offset, int signal);
// Makes this signal the coordinate of a state in a linear plant (ib_StateDef.coordinate).
void ib_declare_stands_for(ib_Declarations *d, const int *at, int offset, int signal);

// The place `offset` behind one that was declared.
void ib_declare_also(ib_Declarations *d, const int *at, int offset, int *also);

// Adjacent rows that are states, for any form in their definitions.
void ib_declare_block(ib_Declarations *d, const char *prefix, const char *part,
                      const ib_SignalDef *rows, int count, int *at);

// Inputs, guards, bridges at the end; `at`: the first.
void ib_declare_input(ib_Declarations *d, ib_InputDef input, int *at);
void ib_declare_guards(ib_Declarations *d, int count, int *at);
void ib_declare_bridges(ib_Declarations *d, int count, int *at);

// "prefix.name", for names that are made; "" without memory.
const char *ib_declare_name(ib_Declarations *d, const char *prefix, const char *name);

// Hands out the places of states. False without memory.
bool ib_declare_finish(ib_Declarations *d);

#endif
