// claims/control/control_reference.h: the independent solutions of the reference sheet, D2 to D4.
// The claims are compared with them, and so are the tests of the code that solves the
// same problems.
#ifndef IB_CLAIMS_CONTROL_REFERENCE_H
#define IB_CLAIMS_CONTROL_REFERENCE_H

#include <stdbool.h>

enum { IB__DRIVE_STATES = 4, IB__STEP_TIMES = 8, IB__FILTER_ROWS = 7, IB__GOAL_CASES = 8 };

// D2: the drivetrain, its LQR and the step to 1 m with 12 V.
extern const double ib__drive_Ac[4], ib__drive_Bc[2];   ///< second rows
extern const double ib__drive_A[16], ib__drive_B[8];    ///< at 5 ms
extern const double ib__drive_K[8], ib__drive_poles[4]; ///< magnitudes, falling
extern const double ib__drive_step[IB__STEP_TIMES][3];  ///< t, x, v of the left side

// D3: its Kalman filter, steady, and seven rows of a run with uneven dt.
extern const double ib__filter_Qd[16], ib__filter_M[8], ib__filter_L[8];
extern const double ib__filter_poles[4];                 ///< magnitudes, falling
extern const double ib__filter_rows[IB__FILTER_ROWS][9]; ///< dt, u, y, x^

// D4: goals brought into a region.
typedef struct ib__GoalCase {
    double H[8], k[4]; ///< the region H q <= k
    double K[2], w;    ///< the line K q = w
    double dot[2];
    double answer[2]; ///< by the text's rule
    bool on_line;
    double code[2]; ///< the public code's answer
} ib__GoalCase;
extern const ib__GoalCase ib__goal_cases[IB__GOAL_CASES];

#endif
