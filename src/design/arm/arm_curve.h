// design/arm/arm_curve.h: a smooth way in joint space by a few control points: a cubic B-spline,
// whose th" has no jumps. It begins in the first control point and ends in the last.
//
//   q(u) = sum N_j(u) c_j,   0 <= u <= 1,   knots 0 0 0 0, equal steps, 1 1 1 1    [de Boor]
// The curve stays within the hull of every four neighbours. Limit: control points on a line make
// the line.
#ifndef IB_DESIGN_ARM_CURVE_H
#define IB_DESIGN_ARM_CURVE_H

#include "control/arm/arm_path.h"

#include <stdbool.h>

enum {
    IB_ARM_CONTROLS = 16,       ///< control points at most, the ends included; at least 4
    IB_ARM_CURVE_POINTS = 1024, ///< points of a table at most
};

typedef struct ib_ArmCurveShape {
    int controls;
    double c[IB_ARM_CONTROLS][2]; ///< [rad]
} ib_ArmCurveShape;

// Position and two derivatives to u, for ib_arm_path_sampled: `context` is an ib_ArmCurveShape.
ib_ArmCurvePoint ib_arm_curve_at(const void *context, double u);

// The weights of four control points at some u, and in the two derivatives.
typedef struct ib_ArmWeights {
    int first;
    double weight[3][4];
} ib_ArmWeights;
ib_ArmWeights ib_arm_curve_weights(int controls, double u);

// Weights at equal steps of u and half-way between them, for many curves of as many points.
typedef struct ib_ArmCurveTable {
    int controls, count;
    ib_ArmWeights at[2 * IB_ARM_CURVE_POINTS];
} ib_ArmCurveTable;
void ib_arm_curve_table(int controls, int count, ib_ArmCurveTable *table);

// `count` points of a curve, at equal steps of u; lengths by Simpson's rule. False: its derivative
// vanishes somewhere.
bool ib_arm_curve_points(const ib_ArmCurveTable *table, const ib_ArmCurveShape *shape,
                         ib_ArmPoint *points);

#endif
