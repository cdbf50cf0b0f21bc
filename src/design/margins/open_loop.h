// design/margins/open_loop.h: a loop opened at the plant's inputs, and cut at one of them.
// It is one linear system. Internal to src/design.
//
// Symbols: w what goes into the plant, v what the controller sends back with its sign turned: the
// loop closes with w = -v.
#ifndef IB_DESIGN_OPEN_LOOP_H
#define IB_DESIGN_OPEN_LOOP_H

#include "design/margins/margins.h"
#include "linear/complex.h"

enum {
    IB_OPEN_MAX = IB_EIGEN_MAX,         ///< states of an opened loop
    IB_MARGINS_POLES = 2 * IB_OPEN_MAX, ///< of a loop cut at one input, and closed
};

// s+ = A s + B w (or s' where period is 0),  v = C s + D w. Packed row-major.
typedef struct ib__OpenLoop {
    int states, inputs;
    double period;
    double A[IB_OPEN_MAX * IB_OPEN_MAX];
    double B[IB_OPEN_MAX * IB_INPUTS_MAX];
    double C[IB_INPUTS_MAX * IB_OPEN_MAX];
    double D[IB_INPUTS_MAX * IB_INPUTS_MAX];
} ib__OpenLoop;

// What a sampled loop is made of. The plant x has only states that the feedback can hold; the
// observer has all of its own, and is carried as its error x~ = x - x^:
//   correct   x~c = x~ - M (C~ x~ + D (w[whole + 1 ago] + v[1 ago]))
//   output    v = K x - K~ x~c + G z
//   predict   x+  = A x + B_new w[whole ago] + B_old w[whole + 1 ago]
//             x~+ = A~ x~c + B~ v + B~_new w[whole ago] + B~_old w[whole + 1 ago]
//             z+  = z + T (Z x - Z~ x~c)
// so that states of the plant which are not fed back need not be there, nor are z = 1.
typedef struct ib__LoopParts {
    int inputs, integrals;
    double period;
    int states; ///< of x
    double A[IB_STATES_MAX * IB_STATES_MAX];
    double B_new[IB_STATES_MAX * IB_INPUTS_MAX], B_old[IB_STATES_MAX * IB_INPUTS_MAX];
    double K[IB_INPUTS_MAX * IB_STATES_MAX];
    double Z[IB_INTEGRALS_MAX * IB_STATES_MAX];
    double G[IB_INPUTS_MAX * IB_INTEGRALS_MAX];
    int whole; ///< periods until an input takes effect
    bool part; ///< and a part of one: B_old is not zero

    const ib_StateSpace *observer;                ///< A~, B~, C~ and D; NULL: the states are known
    const double *M;                              ///< observer states x outputs
    double wide_K[IB_INPUTS_MAX * IB_STATES_MAX]; ///< K~
    double wide_Z[IB_INTEGRALS_MAX * IB_STATES_MAX]; ///< Z~
    double wide_new[IB_STATES_MAX * IB_INPUTS_MAX], wide_old[IB_STATES_MAX * IB_INPUTS_MAX];
} ib__LoopParts;

// IB_BAD_INPUT: too many states.
ib_Status ib__open_parts(const ib__LoopParts *parts, ib__OpenLoop *open, ib_Error *error);

// A plant taken as the open loop itself; state feedback; a loop in one of its gears. Of the latter
// two only what the inputs can move: an estimated input error is no part of the loop.
void ib__open_plant(const ib_StateSpace *plant, ib__OpenLoop *open);
ib_Status ib__open_feedback(const ib_StateSpace *plant, const double *K, ib__OpenLoop *open,
                            ib_Error *error);
ib_Status ib__open_gear(const ib_Loop *loop, const ib_LoopGear *gear, ib__OpenLoop *open,
                        ib_Error *error);

// The poles of the closed loop, as many as it has states, largest first; *stable: all of them die
// out, beyond doubt by rounding.
ib_Status ib__open_poles(const ib__OpenLoop *open, ib_Complex *poles, bool *stable,
                         ib_Error *error);

// Cut at one input with all others closed: L(z) = d + c (z I - H)^-1 b, H upper Hessenberg.
typedef struct ib__Cut {
    int states;
    double period;
    double H[IB_OPEN_MAX * IB_OPEN_MAX], b[IB_OPEN_MAX], c[IB_OPEN_MAX], d;
} ib__Cut;

ib_Status ib__cut_make(const ib__OpenLoop *open, int input, ib__Cut *cut, ib_Error *error);

// L at z; large where it has no value.
ib_Complex ib__cut_back(const ib__Cut *cut, ib_Complex z);

// What an opened loop stands at each of its inputs.
ib_Status ib__margins_find(const ib__OpenLoop *open, ib_Margins *margins, ib_Error *error);

#endif
