// bench/cylinder/t10.h: the open-loop test T10, as exactly as asked for, here and by CVODE of
// SUNDIALS, where it is installed, on the same rates with the same events.
#ifndef IB_BENCH_CYLINDER_T10_H
#define IB_BENCH_CYLINDER_T10_H

#include "setup.h"

enum { LOOKS = 4, HITS = 3 };
static const double look_t[LOOKS] = {5.1, 5.15, 5.2, 5.3}; // when the rod is looked at [s]

typedef struct Answer {
    double seconds;
    double x[LOOKS], hit[HITS]; // [m], [s]
    int looks, hits;
    long steps, rates;
} Answer;

static const Pair published[] = {{"equations", "published"}, {NULL, NULL}};

// Prints the best of so many rounds, of all who take part.
void t10_measure(int rounds);

// By CVODE, with the rig's own Jacobian or by differences.
void t10_cvode(double tolerance, bool own_jacobian, Answer *answer);

#endif
