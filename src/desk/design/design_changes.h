// desk/design/design_changes.h: a design tried with changes: `ironbird design FILE --try …`.
// Its page is docs/design/design.md.
//
//   poles=0.9,0.8+0.1i,0.8-0.1i           other poles instead of weights or poles, in every gear
//   tolerance.x=0.05,tolerance.volts=8    other tolerances, in every gear
//   goal.x=1, start.x=0, duration=2 s     another trial, before and after
//   PATH=YAML                             anything else, as in an override
#ifndef IB_DESK_DESIGN_DESIGN_CHANGES_H
#define IB_DESK_DESIGN_DESIGN_CHANGES_H

#include "desk/design/design_file.h"

enum { IB_DESIGN_CHANGES = 32 };

typedef struct ib_DesignChanges {
    int count;
    struct {
        const char *key, *value;
    } change[IB_DESIGN_CHANGES];
} ib_DesignChanges;

// Takes "KEY=VALUE,KEY=VALUE…" apart; a part without '=' belongs to the value before it. Texts are
// copied into `arena`.
ib_Status ib_design_changes_add(ib_DesignChanges *changes, const char *text, ib_Arena *arena,
                                ib_Error *error);

// Reads the design twice: without the changes (`before`; NULL if only the trial changes) and with
// them (`after`). False: mistakes, all in `diagnostics`; nothing is left to destroy.
bool ib_design_changes_read(const ib_DesignChanges *changes, const char *file,
                            const ib_ScenarioOptions *options, ib_Diagnostics *diagnostics,
                            ib_DesignFile **before, ib_DesignFile **after);

#endif
