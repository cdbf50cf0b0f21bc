// desk/design/design_knobs.h: the numbers of a design file that a person may turn while looking at
// the response: tolerances, weights or poles, latency, period, noise, goal and
// push. docs/view/viewer.md
//
// A knob is a number with a place in the file. Turned ones become overrides of the file, which is
// then read and designed as usual: only one path leads from numbers to a design.
#ifndef IB_DESK_DESIGN_DESIGN_KNOBS_H
#define IB_DESK_DESIGN_DESIGN_KNOBS_H

#include "desk/design/design_file.h"
#include "desk/trial/trial.h"

enum { IB_KNOBS_MAX = 512 }; ///< of one file; further ones are left out

typedef enum ib_KnobForm {
    IB_KNOB_LOG,    ///< > 0, logarithmic
    IB_KNOB_LINEAR, ///< linear
    IB_KNOB_RE,     ///< of a wanted pole; its imaginary part is the next knob
    IB_KNOB_IM,
} ib_KnobForm;

// The effect of a knob.
typedef enum ib_KnobRole {
    IB_KNOB_VALUE,  ///< the number at `path`
    IB_KNOB_POLE,   ///< number `index` of the list at `path`
    IB_KNOB_WEIGHT, ///< diagonal element `index` of the matrix at `path`
    IB_KNOB_SCALE,  ///< factor of the whole matrix, or vector, at `path`
    IB_KNOB_PUSH,   ///< of the trial: on input `index`, from half of the time on
    IB_KNOB_NOISE,  ///< of the trial: factor on the filter's noise
} ib_KnobRole;

typedef struct ib_Knob {
    const char *path;     ///< in the file: "lqr.tolerance.x", "schedule.low.poles"
    const char *group;    ///< heading: "Tolerances"
    const char *name;     ///< "x"
    const char *unit;     ///< SI; "": none, or not known
    const char *sentence; ///< description for people
    ib_KnobForm form;
    ib_KnobRole role;
    int gear;             ///< -1: all of them
    int index;            ///< depends on the role
    bool always;          ///< not in the file: added to every design
    double value;         ///< value in the file
    double low, high;     ///< range of the knob; other values may be valid, too
    int rows, columns;    ///< of `matrix`
    const double *matrix; ///< IB_KNOB_WEIGHT, IB_KNOB_SCALE: that in the file
} ib_Knob;

typedef struct ib_DesignKnobs {
    const char *file, *text; ///< name and text of the file at its first reading
    size_t length;
    ib_ScenarioOptions options; ///< the caller's; must outlive the knobs
    ib_DesignFile *first;       ///< the design of the unchanged file
    int count;
    ib_Knob *knobs;
    ib_Arena arena; ///< owns everything above
} ib_DesignKnobs;

// True if this file is a design, not a scenario: it has a `plant`. False also if it cannot be read.
bool ib_design_file_is(const char *file);

// Reads a design file. On mistakes NULL, with all of them in `diagnostics`.
ib_DesignKnobs *ib_design_knobs_create(const char *file, const ib_ScenarioOptions *options,
                                       ib_Diagnostics *diagnostics);
void ib_design_knobs_destroy(ib_DesignKnobs *knobs); ///< may be NULL

// Designs with the knobs at `values` (`count` of them, finite). Changes nothing in `knobs`.
ib_DesignFile *ib_design_knobs_turn(const ib_DesignKnobs *knobs, const double *values,
                                    ib_Diagnostics *diagnostics);

// The trial for these values in one gear of such a design, which has a loop.
ib_Trial ib_design_knobs_trial(const ib_DesignKnobs *knobs, const double *values,
                               const ib_DesignFile *design, int gear);

// The blocks of the file with turned knobs, as YAML to replace them; "" without any, NULL
// without memory.
char *ib_design_knobs_yaml(const ib_DesignKnobs *knobs, const double *values, ib_Arena *arena);

#endif
