// sim/linearise/linearise.h: a robot of this project as a linear plant about one point of its run.
// docs/design/mechanism.md, "A robot of this project"
//
//   A = d rate/d state,  B = d rate/d input,  C = d signal/d state,  D = d signal/d input
// for the requested states, inputs and signals, in differences from the point. All other states and
// inputs are held at their values there, states with a coordinate (below) at that of the
// coordinate: air keeps its temperature, not its mass. A held state that acts on the requested ones
// is named in `held`, so that a reader can judge (a battery's charge may be held, the current of an
// inductive winding may not).
//
// A state may be requested by a signal that is a function of it and of others (ib_StateDef:
// `coordinate`; the pressure of a chamber, whose state is the energy of its air). With z = g(x) of
// all requested states and G = dg/dx, which must be invertible,
//   z' = G x',   A = (dz'/dx) G^-1,   B = dz'/du,   C = (d signal/dx) G^-1
// which, away from a balance, is the linear plant of z, with other eigenvalues than that of x.
//
// With `balance`, the point is moved to an equilibrium: the named states and inputs are the free
// ones (Newton's method, damped if necessary). A rate that none of them moves stays: the place of a
// piston at a given speed continues to change.
//
// Derivatives are central differences with a falling step, extrapolated to step 0: [Ridders 1982]
//   D(h) = (f(x + h) - f(x - h)) / 2h = f' + c1 h + c2 h^2 + …
// A smooth function has even powers only; v |v|, which is every drag at rest, has c1. Each element
// takes the entry of its table whose neighbours differ least, and that difference is its error
// estimate. If that is bad, because the function bends within the steps (a flow that is laminar
// only close to a balance), a finer table is tried. Contact forces are not included: a robot that
// leans on a wall is taken as free.
#ifndef IB_SIM_LINEARISE_LINEARISE_H
#define IB_SIM_LINEARISE_LINEARISE_H

#include "linear/state_space.h"
#include "sim/model.h"

enum { IB_HELD_MAX = 16 };

// The query. Names are relative to the robot, as in its file: without "red.".
typedef struct ib_LineariseQuery {
    int robot;                  ///< index in ib_SimConfig.robots
    ib_Time at;                 ///< time of the point; 0: the start of the run
    const char *const *states;  ///< signals that show a state, or stand for it: "velocity.forward"
    int state_count;            ///< 1 .. IB_STATES_MAX
    const double *x0;           ///< their values, SI; NULL: as the run has them
    const char *const *inputs;  ///< commands: "left"
    int input_count;            ///< 1 .. IB_INPUTS_MAX
    const double *u0;           ///< their values, SI; NULL: as the run has them
    const char *const *outputs; ///< signals of the robot; NULL: the states
    int output_count;           ///< 0 where `outputs` is NULL; at most IB_OUTPUTS_MAX
    const char *const *balance; ///< free ones of `states` and `inputs`; NULL: no balance
    int balance_count;
    bool point_alone; ///< only the point, its names and ranges: the matrices stay 0
} ib_LineariseQuery;

typedef struct ib_Linearisation {
    ib_StateSpace plant;         ///< continuous, with the names asked for
    double x0[IB_STATES_MAX];    ///< the point: states,
    double u0[IB_INPUTS_MAX];    ///< inputs,
    double y0[IB_OUTPUTS_MAX];   ///< outputs,
    double rate0[IB_STATES_MAX]; ///< rates of the states there; all 0: equilibrium
    double low[IB_INPUTS_MAX];   ///< range of the inputs, SI,
    double high[IB_INPUTS_MAX];  ///< and its upper end
    double error;                ///< largest error estimate, relative to its row's largest element
    const char *held[IB_HELD_MAX]; ///< states that were held although they act on those asked for
    int held_count;                ///< may exceed IB_HELD_MAX: then only the first are named
    // States and inputs at which the slopes to the two sides differ (dry friction at rest, a
    // command at its limit): their mean is taken.
    const char *kinks[IB_STATES_MAX + IB_INPUTS_MAX];
    int kink_count;
} ib_Linearisation;

// `model` must be one that can be run. IB_BAD_INPUT: a name is unknown (the known ones are listed),
// is not a state or occurs twice; the point is not finite, or no balance was found; the coordinates
// do not determine the states. IB_FAILED: the run up to `at` failed, or there is no memory. Names
// in the result live as long as the model.
ib_Status ib_linearise(const ib_Model *model, const ib_LineariseQuery *query,
                       ib_Linearisation *result, ib_Error *error);

// Moves the robot to the query's states, in `state`, a state of the whole run: its signals then
// have the values x0. Uses `robot`, `states` and `x0` of the query. As above.
ib_Status ib_linearise_place(const ib_Model *model, const ib_LineariseQuery *query, double *state,
                             ib_Error *error);

#endif
