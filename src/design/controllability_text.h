// design/controllability_text.h: uncontrollable and unobservable modes in words.
#ifndef IB_DESIGN_CONTROLLABILITY_TEXT_H
#define IB_DESIGN_CONTROLLABILITY_TEXT_H

#include "design/controllability.h"
#include "linear/complex.h"

typedef struct ib_ControllabilityTexts {
    const char (*names)[IB_STATE_NAME + 1]; ///< of the states
    bool seen;                              ///< outputs, not inputs
} ib_ControllabilityTexts;

// Fills side->text. `rest` (k x k) is the remaining part of the balanced plant, the last k columns
// of Q (n x n) its basis, `scale` undoes the balancing: x = scale xs (for outputs the other way
// round), `norm` its size.
void ib_controllability_describe(int n, int k, const double *rest, const double *Q,
                                 const double *scale, double norm, ib_ControllabilityTexts texts,
                                 ib_ControllabilitySide *side);

#endif
