// design/placement/placement.h: pole placement: a gain u = -K x with the wanted closed-loop poles.
// Its page is docs/design/placement.md.
//
//   eigenvalues of A - B K = the given ones (a plant that is controllable has such a K)
// One input: K is unique; found by splitting off one real pole or one pair at a time with
// orthogonal transformations. [Miminis, Paige 1982]
// Several inputs: of the many K one with the most independent eigenvectors, in the units given, so
// that the poles move little with errors of the model. [Kautsky, Nichols, Van Dooren 1985, method
// 0; pairs as one, after Tits, Yang 1996]
#ifndef IB_DESIGN_PLACEMENT_H
#define IB_DESIGN_PLACEMENT_H

#include "linear/eigen.h"
#include "linear/state_space.h"

typedef struct ib_Placement {
    double K[IB_INPUTS_MAX * IB_STATES_MAX]; ///< inputs x states, packed
    ib_Complex poles[IB_STATES_MAX];         ///< achieved: eigenvalues of A - B K
    double accuracy;    ///< largest distance of a wanted pole from its achieved one
    const char *method; ///< "deflation" or "robust"
    int sweeps;         ///< of the robust method; 0 otherwise
} ib_Placement;

typedef struct ib_ObserverPlacement {
    double L[IB_STATES_MAX * IB_OUTPUTS_MAX]; ///< predictor: poles of A - L C, states x outputs
    double M[IB_STATES_MAX * IB_OUTPUTS_MAX]; ///< filter: A M = L; zero without `filter`
    bool filter;                              ///< false: A is singular and has no such M
    ib_Complex poles[IB_STATES_MAX];          ///< achieved
    double accuracy;                          ///< as above
} ib_ObserverPlacement;

// `poles`: as many as states, in the plane of the plant (discrete: z, continuous: s), in any order,
// complex ones with their conjugate. IB_BAD_INPUT: a pole without its conjugate, a pole repeated
// more often than the rank of B (several inputs only), an uncontrollable mode, poles so sensitive
// that rounding alone moves them by more than 1e-5 (an r-fold one: the r-th root of that).
ib_Status ib_placement_solve(const ib_StateSpace *plant, const ib_Complex *poles,
                             ib_Placement *placement, ib_Error *error);

// The observer by duality: the poles of A' - C' L'.
ib_Status ib_placement_observer(const ib_StateSpace *plant, const ib_Complex *poles,
                                ib_ObserverPlacement *placement, ib_Error *error);

// The pole of a sampled loop for a pole s [1/s] of continuous time: z = e^(s T).
ib_Complex ib_placement_pole(ib_Complex s, double period);

#endif
