// sim/linearise/linearise_inside.h: declarations shared by the files of a linear plant: a robot at
// one point.
#ifndef IB_SIM_LINEARISE_LINEARISE_INSIDE_H
#define IB_SIM_LINEARISE_LINEARISE_INSIDE_H

#include "sim/linearise/linearise.h"
#include "sim/sim_inside.h"

enum {
    IB__BENCH_ROWS = 2 * IB_STATES_MAX + IB_OUTPUTS_MAX, ///< rates, outputs, coordinates
    IB__BENCH_ROUNDS = 200,                              ///< of Newton's method
};

// A robot at one point, and which of its numbers were asked for.
typedef struct ib__Bench {
    const ib_RobotModel *robot;
    double *state, *input;                     ///< the point; one of them is moved at a time
    double *rate, *signals, *aside;            ///< scratch
    int states[IB_STATES_MAX], state_count;    ///< indices of states,
    int coordinate[IB_STATES_MAX];             ///< signals that stand for them; -1: themselves,
    bool plain;                                ///< none does
    int inputs[IB_INPUTS_MAX], input_count;    ///< of inputs,
    int outputs[IB_OUTPUTS_MAX], output_count; ///< of signals
} ib__Bench;

// Derivatives of all rows (rates asked for, then outputs) along one state or input.
typedef struct ib__Column {
    double slope[IB__BENCH_ROWS], error[IB__BENCH_ROWS];
    bool finite, kink;
} ib__Column;

// G = dz/dx of the states asked for, factored.
typedef struct ib__Frame {
    double G[IB_STATES_MAX * IB_STATES_MAX];
    int pivot[IB_STATES_MAX];
} ib__Frame;

// All rows at the point as it stands now.
void ib__bench_evaluate(const ib__Bench *b, double *rows);
// The slopes along *at, which is a state or an input of the point (linearise_slopes.c).
ib__Column ib__bench_differentiate(const ib__Bench *b, double *at);

// The signal that stands for a state, where nothing shows it; -1: none.
int ib__bench_coordinate(const ib_RobotPorts *ports, int state);
// The same point with all states that have a coordinate, requested or not, the requested ones
// first. Others keep their coordinate, not their state: air with a given pressure keeps its
// temperature, not its mass.
ib__Bench ib__bench_widen(const ib__Bench *b);
ib_Status ib__bench_frame(const ib__Bench *b, ib__Frame *frame, ib_Error *error);
// Sets the query's values, and finds the balance (linearise_point.c).
ib_Status ib__bench_set(ib__Bench *b, const ib_LineariseQuery *query, ib_Error *error);

#endif
