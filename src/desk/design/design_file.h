// desk/design/design_file.h: reads a design file and designs its loop, with every mistake named at
// its place. The file has plant, period, weights, noise and the like: docs/design/design.md
//
// Reading a file includes the design: an uncontrollable plant is a mistake of the file like a
// matrix of the wrong size, and is shown at the plant.
#ifndef IB_DESK_DESIGN_DESIGN_FILE_H
#define IB_DESK_DESIGN_DESIGN_FILE_H

#include "control/feedback/polytope.h"
#include "design/analysis/analysis.h"
#include "file/diagnostics.h"
#include "plant/actuator/actuator.h"
#include "robot/bench.h"
#include "scenario/scenario.h"

// A wanted point projected into a region, onto a line if possible: src/control/feedback/polytope.h
typedef struct ib_DesignPolytope {
    bool given;
    int axes, sides, lines;                         ///< of a point; of the region; rows of K
    double H[IB_POLYTOPE_SIDES * IB_POLYTOPE_AXES]; ///< the region H q <= k, sides x axes
    double k[IB_POLYTOPE_SIDES];                    ///< one for each side
    double K[IB_POLYTOPE_AXES * IB_POLYTOPE_AXES];  ///< the line K q = w, lines x axes
    double w[IB_POLYTOPE_AXES];                     ///< one for each row of K
    double dot[IB_POLYTOPE_AXES];                   ///< the wanted point
    double answer[IB_POLYTOPE_AXES];                ///< the projected point
    bool on_line;                                   ///< the answer is on the line
} ib_DesignPolytope;

// One gear: its entries in the file, and its design.
typedef struct ib_DesignGear {
    ib_AnalysisConfig config;
    ib_Design design;
    bool poles_alone;                      ///< poles stand under `poles`, not within `lqr`
    bool mechanical;                       ///< the plant is a mechanism:
    ib_Mechanism mechanism;                ///< with its non-linear physics,
    ib_MechanismSpec spec;                 ///< as on a robot; kind NULL: impossible
    ib_Scenario *home;                     ///< the robot that has it; NULL: a bench of its own
    const char *note;                      ///< remark on the linearisation of a robot; NULL: none
    const char *state_unit[IB_STATES_MAX]; ///< SI; NULL: not known
    const char *input_unit[IB_INPUTS_MAX];
    const char *output_unit[IB_OUTPUTS_MAX];
    ib_DesignPolytope polytope;
} ib_DesignGear;

// The limits of `check:`, each with the value of the worst gear.
typedef enum ib_DesignLimit {
    IB_DESIGN_STABLE,       ///< 1: yes
    IB_DESIGN_CONTROLLABLE, ///< 1: yes
    IB_DESIGN_OBSERVABLE,   ///< 1: yes
    IB_DESIGN_DAMPING,      ///< of every closed-loop pole as the loop runs, at least
    IB_DESIGN_SETTLING,     ///< to 2 % of a start [s], at most
    IB_DESIGN_GAIN_MARGIN,  ///< factor, at least
    IB_DESIGN_PHASE_MARGIN, ///< [rad], at least
    IB_DESIGN_DELAY_MARGIN, ///< [s], at least
    IB_DESIGN_RESIDUAL,     ///< of the Riccati equation, relative, at most
    IB_DESIGN_OPINION,      ///< gains by another method differ, relative, at most
    // Of the undisturbed trial on the full mechanism:
    IB_DESIGN_TRIAL_SETTLING,  ///< to 2 % of the step, of every state that moves [s], at most
    IB_DESIGN_TRIAL_OVERSHOOT, ///< share of the step, at most
    IB_DESIGN_TRIAL_CURRENT,   ///< of a motor [A], at most
    IB_DESIGN_LIMITS,
} ib_DesignLimit;

typedef struct ib_DesignCheck {
    ib_DesignLimit what;
    double limit, found; ///< found NAN: the design has no such value, which fails:
    const char *why;     ///< reason in words; NULL: it has one
    const char *gear;    ///< the worst gear; "": the only one
    ib_Place place;      ///< of its key in the file
    bool passed;
} ib_DesignCheck;

extern const char *const ib_design_limit_names[IB_DESIGN_LIMITS]; ///< as in the file
extern const char *const ib_design_limit_units[IB_DESIGN_LIMITS];

// By how much it is kept, in the limit's unit; negative: missed. Of yes and no 0 or -1.
double ib_design_check_margin(const ib_DesignCheck *check);

// "0.43 in low, expected at least 0.5"
void ib_design_check_describe(const ib_DesignCheck *check, char *text, size_t size);

// The trial run of `try:`: from a start to a goal.
typedef struct ib_TrialConfig {
    bool given;
    double start[IB_STATES_MAX], goal[IB_STATES_MAX]; ///< SI
    double duration;                                  ///< [s]
    const ib_BenchConfig *bench; ///< the supply of a mechanism alone; nothing on it
    ib_Scenario *home; ///< the robot for the trial of a linearised robot's loop; NULL: its
                       ///< linear plant
} ib_TrialConfig;

typedef struct ib_DesignFile {
    ib_YamlFile yaml;     ///< its file, title and warnings; owns everything below
    int gear_count;       ///< >= 1
    ib_DesignGear *gears; ///< of `schedule`, in its order, or the only one
    bool scheduled;
    int check_count;
    ib_DesignCheck checks[IB_DESIGN_LIMITS];
    ib_TrialConfig trial;
    const char *name; ///< of the loop and of the exported files, a C identifier
    bool single;      ///< export in float, not double
    ib_Loop *loop;    ///< ready to run; NULL: no feedback
} ib_DesignFile;

// Reads a file (or, for tests and fuzzing, `length` bytes of text with `file` as its name) and
// designs its loop. On mistakes returns NULL with all of them in `diagnostics`, whose arena the
// caller provides. Of `options` only the overrides and the data files are used.
ib_DesignFile *ib_design_file_read(const char *file, const ib_ScenarioOptions *options,
                                   ib_Diagnostics *diagnostics);
ib_DesignFile *ib_design_file_read_text(const char *file, const char *text, size_t length,
                                        const ib_ScenarioOptions *options,
                                        ib_Diagnostics *diagnostics);

// The same to run the loop alone: without margins, and without the verdicts of `check:`.
ib_DesignFile *ib_design_file_read_loop(const char *file, const ib_ScenarioOptions *options,
                                        ib_Diagnostics *diagnostics);

void ib_design_file_destroy(ib_DesignFile *design);

#endif
