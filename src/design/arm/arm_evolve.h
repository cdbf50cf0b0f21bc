// design/arm/arm_evolve.h: the minimum of a function of a few numbers with kinks, many local minima
// and constraints.
//
// CMA-ES: a generation of children is drawn about a mean with a covariance; the better half moves
// the mean, and its steps shape the covariance of the next.
//   x = m + sigma L z,   L L' = C,   z normal                      [Hansen, arXiv 1604.00772]
// Children are only ranked. Infeasible ones rank behind all feasible ones, by the size of their
// breach, so that the search finds the feasible region, and follows its border. The same seed gives
// the same search, bit for bit.
#ifndef IB_DESIGN_ARM_EVOLVE_H
#define IB_DESIGN_ARM_EVOLVE_H

#include <stdbool.h>
#include <stdint.h>

enum {
    IB_EVOLVE_MOST = 32,   ///< numbers at most
    IB_EVOLVE_LITTER = 16, ///< children of a generation
};

// The value of a point: less is better; `breach` > 0: infeasible, by so much.
typedef struct ib_Worth {
    double value, breach;
} ib_Worth;
typedef ib_Worth ib_WorthFunction(void *context, const double *x);

bool ib_worth_better(ib_Worth one, ib_Worth other);

typedef struct ib_Evolve {
    int n;
    uint64_t seed, draw;
    int generation;
    double best[IB_EVOLVE_MOST]; ///< of all children so far
    ib_Worth worth;              ///< its
    double mean[IB_EVOLVE_MOST], sigma;
    double first; ///< sigma at the start
    double C[IB_EVOLVE_MOST][IB_EVOLVE_MOST], L[IB_EVOLVE_MOST][IB_EVOLVE_MOST];
    double way[IB_EVOLVE_MOST];    ///< of the mean, fading: p_c
    double stride[IB_EVOLVE_MOST]; ///< the same as if C were 1: p_sigma
} ib_Evolve;

void ib_evolve_init(ib_Evolve *evolve, int n, const double *x, double sigma, uint64_t seed,
                    ib_WorthFunction *worth, void *context);

// Runs generations with `count` children in all or a few less. When steps have fallen to 1e-4 of
// the first it restarts about the best, with half the first steps.
void ib_evolve_run(ib_Evolve *evolve, int count, ib_WorthFunction *worth, void *context);

#endif
