// study/sweep/sweep_desk.h: a sweep of a design or a plan: its measures are numbers of the file by
// name (desk/numbers.h), its expectations what the design's `check:` says. Internal to this folder.
#ifndef IB_STUDY_SWEEP_SWEEP_DESK_H
#define IB_STUDY_SWEEP_SWEEP_DESK_H

#include "desk/numbers.h"
#include "study/sweep/sweep.h"

typedef struct ib__SweepDesk {
    ib_DeskKind kind;
    const ib_DeskNumbers *first, *now; ///< the first point and the last read one
    ib_Arena arena;                    ///< of `now`
} ib__SweepDesk;

bool ib__sweep_desk_create(ib_Sweep *sweep, ib_DeskKind kind, ib_Diagnostics *diagnostics);
void ib__sweep_desk_destroy(ib__SweepDesk *desk);

// Reads a point, into `now` and, if it is the first, `first`.
bool ib__sweep_desk_read(ib_Sweep *sweep, const char *const *values, ib_Diagnostics *diagnostics);

// Makes the columns of the rows, from the plan's names or the headlines.
bool ib__sweep_desk_columns(ib_Sweep *sweep, ib_Diagnostics *diagnostics);

// The numbers of a point, in an arena of its own; NULL with the mistakes named.
const ib_DeskNumbers *ib__sweep_desk_make(const ib_Sweep *sweep, const char *const *values,
                                          ib_Arena *arena, ib_Diagnostics *diagnostics);

// Puts them into the columns of a row, and returns their hash.
uint64_t ib__sweep_desk_take(const ib_Sweep *sweep, const ib_DeskNumbers *numbers, double *row,
                             bool *passed);

#endif
