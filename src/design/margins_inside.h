// design/margins_inside.h: a loop that can be cut open, and what comes back at the cut.
#ifndef IB_DESIGN_MARGINS_INSIDE_H
#define IB_DESIGN_MARGINS_INSIDE_H

#include "design/complex.h"
#include "design/margins.h"

enum { IB_MARGINS_POLES = 6 * IB_STATES_MAX }; ///< most poles of the parts of a loop

// What is cut: the plant alone as L (K and gear NULL), with state feedback K, or with all of a
// loop in one gear (K is the gear's).
typedef struct ib__Cut {
    const ib_StateSpace *plant;
    const double *K; ///< inputs x states
    const ib_Loop *loop;
    const ib_LoopGear *gear;
} ib__Cut;

// L at z, inputs x inputs. Returns 1 when z is a pole of it.
int ib__cut_matrix(const ib__Cut *cut, ib_Complex z, ib_Complex *L);

// What comes back at `input` with all others closed. *back is large where it has no value.
void ib__cut_back(const ib__Cut *cut, ib_Complex z, int input, ib_Complex *back);

// The poles of the parts of the loop, open and closed: where its frequency response is lively.
// *stable: the closed loop, as far as the inputs reach.
ib_Status ib__cut_poles(const ib__Cut *cut, ib_Complex *poles, int *count, bool *stable,
                        ib_Error *error);

#endif
