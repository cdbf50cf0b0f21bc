// control/loop.h: a designed loop: everything a controller needs to run, and an exporter to write.
//
//   at every period, in this order
//     correct   e = y - C x^ - D u - zero     x^ <- x^ + M e
//     output    d = r - x^
//               w = hold + K d + F (r+ - A r) - G z + carry
//               u = w, but not below `low` and not above `high`
//     predict   z <- z - (Z d) T              x^ <- A x^ + B u + drift      carry <- fade carry
//   r wanted state now, r+ one period later; u before `correct` is the one of the last period, 0 at
//   the start: nothing was applied yet. Without an observer `correct` takes the measured state
//   itself: x^ <- y.
// Every sum runs in index order and starts from its first term; products of matrices are summed
// first and then joined from left to right. The bits are therefore the same in every place that
// runs it. Terms that the loop does not have (hold, zero, drift, F, G z, carry) are left out, not
// added as zero.
//
// All of y, r, x^ and u are absolute, also where A to D are of differences from a point x0, u0, y0,
// at which the plant moves by `shift` in one period (0 in balance). The differences are gone into
//   drift = x0 - A x0 + shift - B u0,   zero = y0 - C x0 - D u0,
//   hold = u0 - F (x0 - A x0 + shift)
// so that r = r+ = x^ = x0 gives u0 in balance. `start` is x0, the initial x^.
//
// An integral is held in a period where it would push an input further that the plant did not get,
// by more than a rounding (control/feedback/saturation.h, which knows its size from limits
// or `largest`):
//   excess_j > 0 and G_ji (Z d)_i > 0,   or   excess_j < 0 and G_ji (Z d)_i < 0,   for any j
// With an observer an integral brings the estimate to its goal: the estimate's error by a constant
// push stays. Such a loop runs, but the desk makes none.
//
// A change of gear takes effect in `output`, which then sets the carry so that u does not jump:
//   carry <- u - w,   w of the new gear without carry;   0 where u is at a limit and w beyond it
//   w <- u, to the bit, where the carry is not 0
// and the carry fades by the factor `fade` each period. x^, z and u go on as they are.
#ifndef IB_CONTROL_LOOP_H
#define IB_CONTROL_LOOP_H

#include "linear/state_space.h"

enum {
    IB_GEARS_MAX = 8,     ///< entries of a schedule
    IB_INTEGRALS_MAX = 4, ///< integrated combinations of states
    IB_UNIT_NAME = 15,    ///< characters
};

// The gains of one gear. Matrices packed row-major as in ib_StateSpace.
typedef struct ib_LoopGear {
    char name[IB_STATE_NAME + 1];               ///< "": the only one
    ib_StateSpace plant;                        ///< discrete: A, B, C, D
    double K[IB_INPUTS_MAX * IB_STATES_MAX];    ///< feedback, inputs x states: u = K (r - x^)
    double F[IB_INPUTS_MAX * IB_STATES_MAX];    ///< feed-forward, inputs x states; zero: none
    double G[IB_INPUTS_MAX * IB_INTEGRALS_MAX]; ///< of the integrals, inputs x integrals
    double M[IB_STATES_MAX * IB_OUTPUTS_MAX];   ///< observer, filter form, states x outputs
    double hold[IB_INPUTS_MAX];                 ///< inputs that hold the plant at its point
    double drift[IB_STATES_MAX];                ///< where x = 0, u = 0 goes in one period
    double zero[IB_OUTPUTS_MAX];                ///< measurements at x = 0, u = 0
} ib_LoopGear;

typedef struct ib_Loop {
    char name[IB_STATE_NAME + 1]; ///< a C identifier
    int states, inputs, outputs;  ///< without an observer `correct` takes the states, not outputs
    int integrals;
    bool observer;
    bool feedforward;                                 ///< F is not zero
    bool offset;                                      ///< false: hold, drift, zero, start are 0
    double period;                                    ///< [s]
    double Z[IB_INTEGRALS_MAX * IB_STATES_MAX];       ///< rows of integration, integrals x states
    double low[IB_INPUTS_MAX], high[IB_INPUTS_MAX];   ///< of u; may be infinite
    double largest[IB_INPUTS_MAX];                    ///< meant to be used of u; 0: not known
    double start[IB_STATES_MAX];                      ///< of x^, unless another one is given
    char state_unit[IB_STATES_MAX][IB_UNIT_NAME + 1]; ///< SI; "": not known
    char input_unit[IB_INPUTS_MAX][IB_UNIT_NAME + 1];
    double fade; ///< of the carry, each period, 0 <= fade < 1
    int gears;   ///< >= 1
    ib_LoopGear gear[IB_GEARS_MAX];
} ib_Loop;

// Number of measurements that `correct` takes.
static inline int ib_loop_measured(const ib_Loop *loop)
{
    return loop->observer ? loop->outputs : loop->states;
}

// The point about which A to D of a gear are: fills hold, drift and zero (and, for the first gear,
// start) from its F and its plant, which are there already. x0: states, u0: inputs, y0: outputs,
// shift: states. Sets `offset` where any of them is not zero.
void ib_loop_place(ib_Loop *loop, int gear, const double *x0, const double *u0, const double *y0,
                   const double *shift);

// Sizes within bounds and the same in every gear, all finite (but the limits), names usable in C.
ib_Status ib_loop_check(const ib_Loop *loop, ib_Error *error);

#endif
