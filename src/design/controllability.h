// design/controllability.h: controllability and observability of a plant. Missing modes are
// described with the plant's own names. docs/design/controllability.md
//
// The plant is turned step by step (staircase of orthogonal transformations, in balanced units):
//   Q' A Q = [A_m A_12; 0 A_u],   Q' B = [B_m; 0]      the modes of A_u cannot be moved by any u
// and the same of A', C' for unobservable modes.                            [Paige 1981] Limits: B
// square and regular -> all moved; B = 0 -> every mode of A is named.
#ifndef IB_DESIGN_CONTROLLABILITY_H
#define IB_DESIGN_CONTROLLABILITY_H

#include "linear/eigen.h"
#include "linear/state_space.h"

enum { IB_CONTROLLABILITY_TEXT = 512 }; ///< characters

// One side: the inputs, or the outputs.
typedef struct ib_ControllabilitySide {
    bool full;                      ///< every mode: controllable (observable)
    bool enough;                    ///< all modes that do not decay: stabilisable (detectable)
    int missing;                    ///< number of uncontrollable (unobservable) modes
    ib_Complex mode[IB_STATES_MAX]; ///< `missing` of them
    double distance;  ///< relative change of the plant after which a mode is lost, 0..1: min over
                      ///< the modes l of sigma_min [A - l I, B], balanced; below 1e-6: barely
    double condition; ///< of the Gramian, in the units given, >= 1; INFINITY: singular or
                      ///< unstable plant
    char text[IB_CONTROLLABILITY_TEXT]; ///< "the mode at 1.2 (v - 0.5 x) cannot be moved by any
                                        ///< input; …"; ""
} ib_ControllabilitySide;

typedef struct ib_Controllability {
    ib_ControllabilitySide input;  ///< controllable, stabilisable
    ib_ControllabilitySide output; ///< observable, detectable
    bool stable;                   ///< the plant alone
} ib_Controllability;

// Continuous (period 0) or discrete. A plant without inputs (outputs) has no controllable
// (observable) mode.
ib_Status ib_controllability_find(const ib_StateSpace *plant, ib_Controllability *controllability,
                                  ib_Error *error);

// The staircase alone, in the units given (balance them before): Q (n x n, orthogonal) whose first
// columns, as many as are returned, span what B can move; A (n x n) and B (n x m) become Q' A Q
// and Q' B.
int ib_controllability_split(int n, int m, double *A, double *B, double *Q);

// True if the mode is inside the unit circle (left half plane), by more than the rounding error of
// an eigenvalue of a matrix of size `norm`.
bool ib_controllability_dies_out(ib_Complex mode, bool discrete, double norm);

#endif
