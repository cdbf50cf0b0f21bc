// design/margins/late_loop.h: a loop with increasing delay of some inputs. Internal to src/design.
// The derivation is in docs/design/margins.md.
//
// An input that is late by k periods and the part f of one returns as
//   z^-k G(z, f),   G = R (B_new(f) + B_old(f) / z) + D_old / z,   R = C (z I - A)^-1
// A pole of the closed loop is at z where z^-k g = -1, g an eigenvalue of G (a locus).
#ifndef IB_DESIGN_LATE_LOOP_H
#define IB_DESIGN_LATE_LOOP_H

#include "design/margins/open_loop.h"

// The late inputs, with all others closed at their own latency. R in Hessenberg form, from the
// right: R' = (z I - H)^-1 c in the coordinates of `turn`, which B_new and B_old go through.
typedef struct ib__LateLoop {
    const ib__LoopParts *parts;
    int input;         ///< the late one; -1: all of them
    int states, count; ///< count: of late inputs
    double H[IB_OPEN_MAX * IB_OPEN_MAX], turn[IB_OPEN_MAX * IB_OPEN_MAX];
    double c[IB_OPEN_MAX * IB_INPUTS_MAX]; ///< states x count
} ib__LateLoop;

// Matrices that depend on the part of a period; states x count, in the coordinates of the loop.
typedef struct ib__LatePart {
    double part; ///< f, 0 <= f <= 1
    double B_new[IB_OPEN_MAX * IB_INPUTS_MAX], B_old[IB_OPEN_MAX * IB_INPUTS_MAX];
    double D_old[IB_INPUTS_MAX * IB_INPUTS_MAX];
} ib__LatePart;

// `own`: the poles of the loop without the late inputs, as many as late->states.
ib_Status ib__late_make(const ib__LoopParts *parts, int input, ib__LateLoop *late, ib_Complex *own,
                        ib_Error *error);

// For a plant that is unknown between its samples (a pole at z <= 0), the input is split in
// proportion: whole periods are then exact, and parts of them an interpolation.
ib_Status ib__late_part(const ib__LateLoop *late, double part, ib__LatePart *at, ib_Error *error);

// R', states x count, at z. False: z is a pole.
bool ib__late_solve(const ib__LateLoop *late, ib_Complex z, ib_Complex *x);

// The loci from R' and a part, as many as late inputs, the largest first.
void ib__late_loci(const ib__LateLoop *late, const ib__LatePart *at, ib_Complex z,
                   const ib_Complex *x, ib_Complex *loci);

// Finds if the closed loop is stable with the late inputs delayed by whole periods. IB_BAD_INPUT:
// too many pending inputs.
ib_Status ib__late_is_stable(const ib__LateLoop *late, int periods, bool *stable, ib_Error *error);

// True if late inputs reach the outputs directly. The measurement then jumps when a delay passes a
// whole number of periods: the newer input has not arrived yet.
bool ib__late_is_direct(const ib__LateLoop *late, const ib__LatePart *at);

// The delay margin of the inputs beyond the present latency [s]: of one of them, or of all together
// (-1). INFINITY: no limit. `poles`: of the closed loop, `count` of them, with room for
// IB_OPEN_MAX more.
ib_Status ib__late_margin(const ib__LoopParts *parts, int input, ib_Complex *poles, int count,
                          double *delay, double *frequency, ib_Error *error);

#endif
