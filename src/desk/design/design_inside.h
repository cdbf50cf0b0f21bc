// desk/design/design_inside.h: functions shared by the readers of a design file's parts. Internal
// to desk/. As in scenario/scenario_inside.h every function reports a mistake at its place
// and continues.
#ifndef IB_DESK_DESIGN_DESIGN_INSIDE_H
#define IB_DESK_DESIGN_DESIGN_INSIDE_H

#include "desk/design/design_file.h"
#include "file/reader.h"

// The reader of one gear.
typedef struct ib__DesignReader {
    ib_Reader *reader;
    ib_Node *root;       ///< the file, the gear's own entries laid over it
    ib_DesignGear *gear; ///< to be filled
    bool plant;          ///< the plant was read: sizes and names are known
    bool regulated;      ///< the states that are fed back and the integrals are known
    const ib_Node *blame[IB_ANALYSIS_PARTS]; ///< place of each block, NULL: not given
} ib__DesignReader;

// ---------------------------------------------------------------------------------------- matrices

// A plain number without a unit, as in a matrix.
bool ib__read_plain_number(ib_Reader *reader, const ib_Node *node, double *value);

// [[…], […]] of rows x columns, packed into `a`; -1: any number of these up to `most_rows` and
// `most_columns`, and the number found is written back. Sizes are explained by `because`, such as
// "one for each state".
typedef struct ib__Shape {
    int rows, columns; ///< -1: any
    int most_rows, most_columns;
    const char *because_rows, *because_columns; ///< NULL: none
} ib__Shape;
bool ib__read_matrix(ib_Reader *reader, const ib_Node *node, ib__Shape *shape, double *a);

// A symmetric matrix of n rows, or a plain list of n numbers, its diagonal; -1: any n,
// only checked.
bool ib__read_symmetric(ib_Reader *reader, const ib_Node *node, int n, const char *because,
                        double *a);

// [a, b, …] of `count` numbers (-1: any, 1 to `most`); returns their number, 0: wrong.
int ib__read_vector(ib_Reader *reader, const ib_Node *node, int count, int most,
                    const char *because, double *values);

// [0.9, {re: 0.8, im: 0.1}, 0.8+0.1i (or j) …], pairs conjugate; returns their number, 0: wrong.
int ib__read_poles(ib_Reader *reader, const ib_Node *node, int most, ib_Complex *poles);

// A list of names known in `names` (with `count` of them) as their rising indices; returns their
// number, 0: wrong. `what` is "a state".
int ib__read_known_names(ib_Reader *reader, const ib_Node *node, int count,
                         char (*names)[IB_STATE_NAME + 1], const char *what, int *numbers);

// "drive_low" for "designs/drive-low.yaml": the default name, without one in the file.
const char *ib__default_name(ib_Reader *reader);

// A letter or '_', then letters, digits and '_', at most IB_STATE_NAME: also a name in C.
bool ib__is_identifier(const char *text);

// The index of `name` in `names`, or -1.
int ib__find_name(const char *name, int count, char (*names)[IB_STATE_NAME + 1]);

// ------------------------------------------------------------------------------------------ blocks

// A number of this unit, written with it, or, if the unit is unknown (NULL), a plain number.
bool ib__read_in_unit(ib_Reader *reader, const ib_Node *node, const char *unit, double *value);

// The unit of the time integral of a quantity in `unit`, written to `made`; NULL: unknown.
enum { IB__INTEGRAL_UNIT = 64 };
const char *ib__integral_unit(const char *unit, char made[IB__INTEGRAL_UNIT]);

// Reads true or false; false also for a wrong value.
bool ib__read_flag(ib_Reader *reader, const ib_Node *node);

// Names of the mechanism's signals become those of its plant, in a map or a list.
void ib__use_names(ib_Reader *reader, const ib_Node *node, const ib_DesignGear *gear);
void ib__use_all_names(ib_Reader *reader, const ib_Node *root, const ib_DesignGear *gear);

void ib__read_design_plant(ib__DesignReader *design); ///< plant:, at:, and the default limits
void ib__read_design_hold(ib__DesignReader *design);  ///< hold:, prewarp:
bool ib__read_design_robot(ib__DesignReader *design, const ib_Node *map);  ///< plant: {robot: …}
ib_Scenario *ib__read_design_home(ib_Reader *reader, const ib_Node *name); ///< a robot's file
// The robot's mechanism of this name; NULL, with a mistake: none.
const ib_MechanismSpec *ib__find_mechanism(ib_Reader *reader, const ib_Node *name,
                                           const ib_RobotConfig *robot);
// Reports a refusal; one that begins with a key ("mass: …") at that key, if it is in the file.
void ib__refuse_mechanism(ib_Reader *reader, const ib_Node *map, const char *text);

bool ib__take_mechanism(ib__DesignReader *design, const ib_Node *map, bool clean); ///< and at:
void ib__read_design_feedback(ib__DesignReader *design); ///< lqr:, poles:, integral:
void ib__read_design_noise(ib__DesignReader *design);    ///< kalman:, input_error:
void ib__read_design_rest(ib__DesignReader *design);     ///< feedforward:, latency:, limits:
void ib__read_design_polytope(ib__DesignReader *design); ///< polytope:

// For the whole file, after the design of its gears.
void ib__read_design_checks(ib_Reader *reader, const ib_Node *node, ib_DesignFile *file);
void ib__read_design_export(ib_Reader *reader, const ib_Node *node, ib_DesignFile *file);
void ib__read_trial(ib_Reader *reader, const ib_Node *node, ib_DesignFile *file);
void ib__judge_design(ib_DesignFile *file); ///< fills the values and verdicts of `check:`

#endif
