// linear/state_space.h: a linear plant with names: x' = A x + B u, y = C x + D
// u. docs/design/design.md The plant is continuous or discrete. With names every message can say
// "v" instead of "state 2".
#ifndef IB_LINEAR_STATE_SPACE_H
#define IB_LINEAR_STATE_SPACE_H

#include "base/status.h"

#include <stdbool.h>

enum {
    IB_STATES_MAX = 16, ///< with what a design adds: integrators, input errors
    IB_INPUTS_MAX = 8,
    IB_OUTPUTS_MAX = 8,
    IB_STATE_NAME = 32, ///< characters
};

// Matrices are row-major and dense: A is states x states, B states x inputs, C outputs x states,
// D outputs x inputs, each packed at the front of its array.
typedef struct ib_StateSpace {
    int states, inputs, outputs;
    double A[IB_STATES_MAX * IB_STATES_MAX];
    double B[IB_STATES_MAX * IB_INPUTS_MAX];
    double C[IB_OUTPUTS_MAX * IB_STATES_MAX];
    double D[IB_OUTPUTS_MAX * IB_INPUTS_MAX];
    double period; ///< [s], > 0: discrete; 0: continuous
    char state[IB_STATES_MAX][IB_STATE_NAME + 1];
    char input[IB_INPUTS_MAX][IB_STATE_NAME + 1];
    char output[IB_OUTPUTS_MAX][IB_STATE_NAME + 1];
} ib_StateSpace;

// All zero, with names x1.. u1.. y1..; continuous.
ib_StateSpace ib_state_space_default(int states, int inputs, int outputs);

// Sizes within bounds, all finite, names different from each other.
ib_Status ib_state_space_check(const ib_StateSpace *plant, ib_Error *error);

#endif
