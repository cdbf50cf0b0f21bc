// design/response.h: step response figures: rise time, overshoot, settling time, steady-state
// error. Its page is docs/design/design.md.
//
//   s = (x - start) / (goal - start):   0 at the start, 1 at the goal
// Limits: s = 1 - e^(-t/T): rise T ln 9, no overshoot, settled after T ln 50; a pair of poles with
// the damping d and the frequency w: overshoot e^(-pi d / sqrt(1 - d^2))
// at t = pi / (w sqrt(1 - d^2)).
#ifndef IB_DESIGN_RESPONSE_H
#define IB_DESIGN_RESPONSE_H

typedef struct ib_Response {
    double rise;      ///< from s = 0.1 to 0.9, for the first time each [s]; NAN: not reached
    double overshoot; ///< largest s - 1 after reaching the goal, >= 0; NAN: not reached
    double settling;  ///< time after which it stays within 2 % of the step [s]; INFINITY:
                      ///< not settled
    double error;     ///< goal - x, the mean of the last tenth of the time; its own unit
    double peak;      ///< largest |goal - x| of all; its own unit
} ib_Response;

// The response in `count` >= 2 samples x at rising times t, with straight lines between them; x[0]
// is the start. Without a step (goal = start) rise, overshoot and settling are NAN.
ib_Response ib_response_find(int count, const double *t, const double *x, double goal);

// The share of the time in which u was held at a limit, 0 to 1; limits may be infinite.
double ib_response_saturated(int count, const double *u, double low, double high);

#endif
