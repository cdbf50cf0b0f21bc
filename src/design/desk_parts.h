// design/desk_parts.h: what the files of the desk share. Internal to this folder.
#ifndef IB_DESIGN_DESK_PARTS_H
#define IB_DESIGN_DESK_PARTS_H

#include "base/matrix.h"
#include "design/complex.h"
#include "design/desk.h"

// Notes why a block was refused; the first reason counts.
void ib__desk_refuse(ib_DeskRefusals *refusals, ib_DeskPart part, const ib_Error *error);

// All inside the unit circle?
bool ib__desk_is_stable(int count, const ib_Complex *poles);

// Eigenvalues of A - B K.
ib_Status ib__desk_closed_poles(const ib_StateSpace *plant, const double *K, ib_Complex *poles,
                                ib_Error *error);

// The states that are fed back and then the integrals, as numbers of the augmented plant; returns
// how many.
int ib__desk_regulated(const ib_DeskConfig *config, int *states);

// The plant of the listed states alone. They must not feel the others: A[listed, others] = 0.
ib_Status ib__desk_part(const ib_StateSpace *plant, int count, const int *states,
                        ib_StateSpace *part, ib_Error *error);

// K, G, poles and whether the loop is stable, from weights or poles.
void ib__desk_regulate(const ib_DeskConfig *config, ib_Design *design, ib_DeskRefusals *refusals);

// Q over all states of the plant (states x states), zero where a state is not fed back.
void ib__desk_state_weights(const ib_DeskConfig *config, double *W);

// What is cut open for margins: a loop over some of the states as their plant with K (inputs x
// those states), and one whose filter has input errors as one plant from the inputs back to them.
ib_Status ib__desk_open_part(const ib_DeskConfig *config, const ib_Design *design,
                             ib_StateSpace *part, double *K, ib_Error *error);
ib_Status ib__desk_open_wide(const ib_Design *design, const ib_LoopGear *gear, ib_StateSpace *open,
                             ib_Error *error);

// What the loop can stand; left out where it cannot be computed.
void ib__desk_margins(const ib_DeskConfig *config, ib_Design *design);

#endif
