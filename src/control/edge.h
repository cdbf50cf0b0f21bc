// control/edge.h: the largest value that is allowed, by halves, with few questions.
// docs/control/trajectory.md has what it is for.
//
// A planner asks the same at every row, and the answers lie on a smooth curve. So the end of the
// halves is guessed and proven: its two sides are asked, and nothing else if the guess was right.
// What comes out is what halving alone finds, bit by bit, where more than what is forbidden is
// forbidden too.
#ifndef IB_CONTROL_EDGE_H
#define IB_CONTROL_EDGE_H

#include <stdbool.h>

enum { IB_EDGE_HALVINGS = 16 };

// > 0: x is forbidden; the further beyond the limit, the more. Infinite: who knows how far.
typedef double ib_EdgeFunction(void *context, double x);

typedef struct ib_Edge {
    ib_EdgeFunction *excess; ///< is asked between what it allowed and what it forbade
    void *context;
    double low, high; ///< 0 <= low < high
    bool sure;        ///< low is allowed, and need not be asked
    bool by_ratio;    ///< high > 4 low: halved by ratios
    double guess;     ///< of what will be found; 0: none
    double *slope;    ///< of the excess there, for the next one; 0: not known
} ib_Edge;

// The largest allowed value between low and high: high itself, or a value that a step above is
// forbidden, which is the last that was asked and forbidden. < 0: not even low is allowed.
double ib_edge_find(const ib_Edge *edge);

#endif
