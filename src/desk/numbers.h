// desk/numbers.h: a design or a plan as numbers with names, for a sweep: each is called by its path
// in the command's JSON, elements of a list by their name: "margins.volts.phase".
#ifndef IB_DESK_NUMBERS_H
#define IB_DESK_NUMBERS_H

#include "scenario/scenario.h"

typedef enum ib_DeskKind { IB_DESK_NONE, IB_DESK_DESIGN, IB_DESK_PLAN } ib_DeskKind;

// The kind of a file by its keys; none: a scenario, or no file of ours.
ib_DeskKind ib_desk_kind(const ib_Node *root);

typedef struct ib_DeskNumber {
    const char *name, *unit; ///< unit "": a pure number, or not known
    double value;            ///< SI; NAN: none
    bool headline;           ///< shown where nothing is asked for
} ib_DeskNumber;

// A limit of `check:`.
typedef struct ib_DeskCheck {
    const char *text, *unit; ///< "check.settling"
    double margin;           ///< negative: by how much it is missed
    bool passed;
} ib_DeskCheck;

typedef struct ib_DeskNumbers {
    const char *title;
    ib_DeskNumber *numbers;
    int count;
    const ib_DeskCheck *checks;
    int check_count;
    const char *warnings; ///< a line each; NULL: none
    const char *const *files;
} ib_DeskNumbers;

// Reads the file and makes the design, or plan. NULL with the mistakes in `diagnostics`. The
// result lives in `arena`.
const ib_DeskNumbers *ib_desk_numbers(ib_DeskKind kind, const char *file,
                                      const ib_ScenarioOptions *options, ib_Arena *arena,
                                      ib_Diagnostics *diagnostics);

#endif
