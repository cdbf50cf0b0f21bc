// desk/design_knobs.h: what a person may turn in a design file while looking at the response.
// There are tolerances, weights or poles, latency, period, noise, goal and push. docs/viewer.md
//
// A knob is a number with a place in the file. Turned ones become overrides of the file, which is
// then read and designed as always: there is no second way from numbers to a design.
#ifndef IB_DESK_DESIGN_KNOBS_H
#define IB_DESK_DESIGN_KNOBS_H

#include "desk/design_file.h"
#include "desk/trial.h"

enum { IB_KNOBS_MAX = 512 }; ///< of one file; further ones are left out

typedef enum ib_KnobForm {
    IB_KNOB_LOG,    ///< > 0, turned over powers of ten
    IB_KNOB_LINEAR, ///< turned evenly
    IB_KNOB_RE,     ///< of a wanted pole; its imaginary part is the next knob
    IB_KNOB_IM,
} ib_KnobForm;

// What turning it does.
typedef enum ib_KnobRole {
    IB_KNOB_VALUE,  ///< the number at `path`
    IB_KNOB_POLE,   ///< number `index` of the list at `path`
    IB_KNOB_WEIGHT, ///< diagonal element `index` of the matrix at `path`
    IB_KNOB_SCALE,  ///< factor of the whole matrix, or vector, at `path`
    IB_KNOB_PUSH,   ///< of the trial: on input `index`, from half of the time on
    IB_KNOB_NOISE,  ///< of the trial: times what the filter expects
} ib_KnobRole;

typedef struct ib_Knob {
    const char *path;     ///< in the file: "lqr.tolerance.x", "schedule.low.poles"
    const char *group;    ///< heading: "Tolerances"
    const char *name;     ///< "x"
    const char *unit;     ///< SI; "": none, or not known
    const char *sentence; ///< what it does, for a person
    ib_KnobForm form;
    ib_KnobRole role;
    int gear;             ///< -1: all of them
    int index;            ///< as the role has it
    bool always;          ///< the file does not say it: said whenever something is designed
    double value;         ///< as the file has it
    double low, high;     ///< how far it is turned; another value may still be good
    int rows, columns;    ///< of `matrix`
    const double *matrix; ///< IB_KNOB_WEIGHT, IB_KNOB_SCALE: as the file has it
} ib_Knob;

typedef struct ib_DesignKnobs {
    const char *file, *text; ///< the file as it was when it was read first
    size_t length;
    ib_ScenarioOptions options; ///< the caller's; must outlive the knobs
    ib_DesignFile *first;       ///< the design as the file has it
    int count;
    ib_Knob *knobs;
    ib_Arena arena; ///< owns everything above
} ib_DesignKnobs;

// Is this file a design, and not a scenario: has it a `plant`? False also where it cannot be read.
bool ib_design_file_is(const char *file);

// Reads a design file. On mistakes NULL, with all of them in `diagnostics`.
ib_DesignKnobs *ib_design_knobs_create(const char *file, const ib_ScenarioOptions *options,
                                       ib_Diagnostics *diagnostics);
void ib_design_knobs_destroy(ib_DesignKnobs *knobs); ///< NULL is fine

// Designs with the knobs at `values` (`count` of them, finite). Changes nothing in `knobs`.
ib_DesignFile *ib_design_knobs_turn(const ib_DesignKnobs *knobs, const double *values,
                                    ib_Diagnostics *diagnostics);

// The trial that the values ask for in one gear of such a design, which has a loop.
ib_Trial ib_design_knobs_trial(const ib_DesignKnobs *knobs, const double *values,
                               const ib_DesignFile *design, int gear);

// The blocks of the file in which a knob was turned, as YAML to be put in their place; "" where
// none was, NULL without memory.
char *ib_design_knobs_yaml(const ib_DesignKnobs *knobs, const double *values, ib_Arena *arena);

#endif
