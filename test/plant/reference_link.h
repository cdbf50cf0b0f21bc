// test/plant/reference_link.h: the arm of reference D1 and what it does there: FRC 971's of 2018,
// without rotors, its motors as K3 V - K4 w.
#ifndef IB_TEST_REFERENCE_LINK_H
#define IB_TEST_REFERENCE_LINK_H

#include "plant/two_link.h"

static const double REFERENCE_K3[2] = {15.627500, 20.092500};
static const double REFERENCE_K4[2] = {42.9296476739, 35.4826679753};
#define REFERENCE_GRAVITY 9.81

// alpha, beta and gamma as printed.
static inline ib_TwoLink reference_link(void)
{
    const double inch = 0.0254, m1 = 9.34 / 2.2, m2 = 9.77 / 2.2, l1 = 46.25 * inch;
    return (ib_TwoLink){.alpha = 8.278433733129,
                        .beta = 3.538036545614,
                        .gamma = 2.870855050067,
                        .first = 21.64 * inch * m1 + l1 * m2,
                        .second = 26.70 * inch * m2,
                        .length = {l1, 41.80 * inch}};
}

// Three accelerations that voltages give, to its ten digits.
static const struct {
    double th[2], w[2], V[2], a[2];
} reference_motions[] = {
    {{0.5, -0.8}, {0, 0}, {0, 0}, {5.3346690786, -9.1412549845}},
    {{0.5, -0.8}, {1.0, -2.0}, {6, -4}, {10.2522360869, -12.8508281477}},
    {{1.2, 0.3}, {-0.5, 2.0}, {12, 12}, {19.6224505420, 47.5166681963}},
};

#endif
