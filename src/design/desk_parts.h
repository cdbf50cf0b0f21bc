// design/desk_parts.h: what the files of the desk share. Internal to this folder.
#ifndef IB_DESIGN_DESK_PARTS_H
#define IB_DESIGN_DESK_PARTS_H

#include "base/matrix.h"
#include "design/desk.h"
#include "design/margins_inside.h"
#include "linear/complex.h"

// Notes why a block was refused; the first reason counts.
void ib__desk_refuse(ib_DeskRefusals *refusals, ib_DeskPart part, const ib_Error *error);

// All inside the unit circle?
bool ib__desk_is_stable(int count, const ib_Complex *poles);

// The states that are fed back and then the integrals, as numbers of the augmented plant;
// returns how many.
int ib__desk_regulated(const ib_DeskConfig *config, int *states);

// The plant of the listed states alone. They must not feel the others: A[listed, others] = 0.
ib_Status ib__desk_part(const ib_StateSpace *plant, int count, const int *states,
                        ib_StateSpace *part, ib_Error *error);

// K, G, poles and whether the loop is stable, from weights or poles.
void ib__desk_regulate(const ib_DeskConfig *config, ib_Design *design, ib_DeskRefusals *refusals);

// Q over all states of the plant (states x states), zero where a state is not fed back.
void ib__desk_state_weights(const ib_DeskConfig *config, double *W);

// The designed loop as it runs, opened at the plant's inputs: the plant as far as it is fed back,
// its latency, its filter, its integrals.
ib_Status ib__desk_open(const ib_DeskConfig *config, const ib_Design *design, ib__OpenLoop *open,
                        ib_Error *error);

// Are the states that are not fed back held by themselves, or do they at least not run away? Says
// which are not, in `left_out`.
bool ib__desk_leave_out(const ib_DeskConfig *config, ib_Design *design);

// Poles of the loop as it runs, whether it is stable, what it can stand.
void ib__desk_judge(const ib_DeskConfig *config, ib_Design *design, ib_DeskRefusals *refusals);

#endif
