// desk/design/design_json.h: a finished design as JSON, and the loop in it read back, so that
// `control: {design: x.json}` runs it without a new design. docs/design/design.md
//
// Keys: A B C D (discrete) K poles Qd Rd kalman_gain predictor_gain kalman_poles controllable
// observable stable margins riccati_residual riccati_method polytope, and more beside them. With a
// schedule these are of its first gear, and `gears` has them for each. Matrices are arrays of rows,
// poles {re, im}, u = -K x; parts not requested are null. `loop` is the executable loop.
#ifndef IB_DESK_DESIGN_DESIGN_JSON_H
#define IB_DESK_DESIGN_DESIGN_JSON_H

#include "base/json.h"
#include "desk/design/design_file.h"

enum { IB_DESIGN_JSON_MAX = 1 << 20 }; ///< bytes of a file

// Writes everything, one object on one line.
void ib_design_json_write(const ib_DesignFile *design, FILE *file);

// The same with more keys at the end, which `more` writes.
void ib_design_json_write_with(const ib_DesignFile *design, FILE *file,
                               void (*more)(ib_Json *json, const void *self), const void *self);

// Reads the loop of such a file (or of `length` bytes of its text). IB_BAD_INPUT gives fault and
// place; `loop` is then undefined.
ib_Status ib_design_json_read(const char *path, ib_Loop *loop, ib_Error *error);
ib_Status ib_design_json_read_text(const char *text, size_t length, ib_Loop *loop, ib_Error *error);

#endif
