// design/margins/open_loop.h: a loop opened at the plant's inputs, and cut at one of them.
// It is one linear system. Internal to src/design.
//
// Symbols: w the plant's input, v the controller's output with reversed sign: the loop closes with
// w = -v.
#ifndef IB_DESIGN_OPEN_LOOP_H
#define IB_DESIGN_OPEN_LOOP_H

#include "design/delay.h"
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

// The parts of a sampled loop. X is the whole plant, x = pick X its controllable part; the observer
// has all of its own states, represented by its error x~ = X - x^:
//   correct   x~c = x~ - M (C~ x~ + D (w_old + v[1 ago]))
//   output    v = K x - K~ x~c + G z
//   predict   x+  = A x + pick (B_new w_new + B_old w_old)
//             x~+ = A~ x~c + B~ v + B_new w_new + B_old w_old
//             z+  = z + T (Z x - Z~ x~c)
// w_new and w_old are the input that arrives within the period and the one before it, a period
// older. States of the plant that are not fed back are therefore not needed, nor are their poles z
// = 1.
typedef struct ib__LoopParts {
    int inputs, integrals;
    double period;
    const ib_StateSpace *plant;                 ///< of X: continuous, or discrete with this period
    double latency;                             ///< of all inputs [s]
    int states;                                 ///< of x
    double pick[IB_STATES_MAX * IB_STATES_MAX]; ///< states x those of the plant
    double A[IB_STATES_MAX * IB_STATES_MAX];
    double K[IB_INPUTS_MAX * IB_STATES_MAX];
    double Z[IB_INTEGRALS_MAX * IB_STATES_MAX];
    double G[IB_INPUTS_MAX * IB_INTEGRALS_MAX];

    const ib_StateSpace *observer;                ///< A~, B~, C~ and D; NULL: the states are known
    const double *M;                              ///< observer states x outputs
    double wide_K[IB_INPUTS_MAX * IB_STATES_MAX]; ///< K~
    double wide_Z[IB_INTEGRALS_MAX * IB_STATES_MAX]; ///< Z~
} ib__LoopParts;

// The parts as one system, with both inputs:
//   s+ = A s + B_new w_new + B_old w_old,   v = C s + D_old w_old
typedef struct ib__SplitLoop {
    int states, inputs;
    double A[IB_OPEN_MAX * IB_OPEN_MAX];
    double B_new[IB_OPEN_MAX * IB_INPUTS_MAX], B_old[IB_OPEN_MAX * IB_INPUTS_MAX];
    double C[IB_INPUTS_MAX * IB_OPEN_MAX];
    double D_old[IB_INPUTS_MAX * IB_INPUTS_MAX];
} ib__SplitLoop;

// `late`: B_new and B_old of the whole plant. IB_BAD_INPUT: too many states.
ib_Status ib__split_parts(const ib__LoopParts *parts, const ib_DelayedInputs *late,
                          ib__SplitLoop *split, ib_Error *error);

// The delays of the inputs: each pending input adds states, for its own number of whole periods. An
// input with `free` does not: its w_new stays the input, and B_old and D_old belong to its w_old.
typedef struct ib__Queue {
    int whole[IB_INPUTS_MAX]; ///< periods until an input takes effect
    bool part[IB_INPUTS_MAX]; ///< plus a part of one: w_old is needed
    bool free[IB_INPUTS_MAX];
} ib__Queue;

ib_Status ib__split_queue(const ib__SplitLoop *split, const ib__Queue *queue, double period,
                          ib__OpenLoop *open, double *B_old, double *D_old, ib_Error *error);

// The loop with its latency. IB_BAD_INPUT: too many states.
ib_Status ib__open_parts(const ib__LoopParts *parts, ib__OpenLoop *open, ib_Error *error);

// A plant taken as the open loop itself.
void ib__open_plant(const ib_StateSpace *plant, ib__OpenLoop *open);

// The parts of state feedback, or of a loop in one of its gears: the controllable part only. An
// estimated input error is no part of the loop.
void ib__parts_of_feedback(const ib_StateSpace *plant, const double *K, ib__LoopParts *parts);
void ib__parts_of_gear(const ib_Loop *loop, const ib_LoopGear *gear, ib__LoopParts *parts);

// The poles of the closed loop, as many as it has states, largest first; *stable: all of them
// decay, beyond rounding errors.
ib_Status ib__open_poles(const ib__OpenLoop *open, ib_Complex *poles, bool *stable,
                         ib_Error *error);

// Upper Hessenberg form of an n x n matrix, by reflections from both sides, H <- Q' H Q; the rows
// of `along` (n x columns) turn with them: Q' along.
void ib__hessenberg(int n, double *H, int columns, double *along);

// (z I - H) x = b, x being b before; n x columns. False: z is a pole.
bool ib__hessenberg_solve(int n, const double *H, ib_Complex z, int columns, ib_Complex *x);

// A loop cut at one input with all others closed: L(z) = d + c (z I - H)^-1 b, H upper Hessenberg.
typedef struct ib__Cut {
    int states;
    double period;
    double H[IB_OPEN_MAX * IB_OPEN_MAX], b[IB_OPEN_MAX], c[IB_OPEN_MAX], d;
} ib__Cut;

ib_Status ib__cut_make(const ib__OpenLoop *open, int input, ib__Cut *cut, ib_Error *error);

// L at z; large at a pole.
ib_Complex ib__cut_back(const ib__Cut *cut, ib_Complex z);

// Frequencies for the margins of a loop with these poles, at most IB__FREQUENCIES, rising; the last
// one of a sampled loop is half the sampling rate.
enum {
    IB__SPACED = 600, ///< frequencies at equal ratios
    IB__AROUND = 17,  ///< more of them about each resonance
    IB__FREQUENCIES = IB__SPACED + IB__AROUND * IB_MARGINS_POLES,
};
int ib__margins_frequencies(double period, const ib_Complex *poles, int count, double *w);

// The margins of an opened loop at each of its inputs. `parts`: its parts, for the delays of held
// inputs; NULL: only L is known.
ib_Status ib__margins_find(const ib__OpenLoop *open, const ib__LoopParts *parts,
                           ib_Margins *margins, ib_Error *error);

#endif
