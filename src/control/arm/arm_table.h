// control/arm/arm_table.h: a timed way of an arm as a follower reads it: places, speeds and gains
// at equal times. The same table runs in the simulation and, exported, on a board. Its derivation
// is in docs/control/arm_follow.md.
//
// Between two rows th is the cubic that has the th and w of both, so that th and w never jump and
// half-way between them a = (w1 - w0)/spacing, which a held voltage can follow over a period. Gains
// are linear between rows.
#ifndef IB_CONTROL_ARM_TABLE_H
#define IB_CONTROL_ARM_TABLE_H

#include "control/arm/arm_linear.h"

// Weights: errors and volts of the same cost (Bryson's rule), at each period.
typedef struct ib_ArmWorth {
    double position[2]; ///< [rad], > 0
    double velocity[2]; ///< [rad/s], > 0
    double volts[2];    ///< [V], > 0
} ib_ArmWorth;

// All doubles, so that rows may lie in a state.
typedef struct ib_ArmTableRow {
    double th[2], w[2];
    double K[2][IB_ARM_FED]; ///< volts per th1, w1, th2, w2
} ib_ArmTableRow;
enum { IB_ARM_TABLE_ROW = 4 + 2 * IB_ARM_FED }; ///< doubles of a row

typedef struct ib_ArmTable {
    int count;      ///< >= 1; 1: it stands
    double spacing; ///< [s], > 0
    const ib_ArmTableRow *rows;
} ib_ArmTable;

// Number of rows of a way of this duration, `most` >= 2 at most: one a period if they suffice.
int ib_arm_table_count(double duration, double period, int most);

// Fills `count` rows of a timed way, from 0 to its end.
//
// Gains by Riccati's recursion from the end backwards, a step for each period:
//   S <- Q + A' S A - A' S B K,   K = (R + B' S B)^-1 B' S A
// A, B of the arm about the way at that time, over one period; at the end S is that of rest for
// ever. With rows more than a period apart, several steps are taken with the A and B of a row.
void ib_arm_table_make(const ib_ArmPlant *arm, const ib_ArmPath *path, const ib_ArmTiming *timing,
                       const ib_ArmWorth *weights, double period, int count, ib_ArmTableRow *rows,
                       ib_ArmTable *table);

// One row: it stands at `th`.
void ib_arm_table_stand(const ib_ArmPlant *arm, const double th[2], const ib_ArmWorth *weights,
                        double period, ib_ArmTableRow *rows, ib_ArmTable *table);

// When it ends [s].
static inline double ib_arm_table_end(const ib_ArmTable *table)
{
    return (table->count - 1) * table->spacing;
}

// The reference at a time; at rest before 0 and beyond the end.
typedef struct ib_ArmReference {
    double th[2], w[2], a[2];
    double K[2][IB_ARM_FED];
} ib_ArmReference;
void ib_arm_table_at(const ib_ArmTable *table, double t, ib_ArmReference *reference);

#endif
