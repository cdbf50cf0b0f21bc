// sim/advice.h: keys under `run:` for robots that the solver cannot follow. All advice is valid in
// a file. See docs/solver/solver.md, "What is advised"
#ifndef IB_SIM_ADVICE_H
#define IB_SIM_ADVICE_H

#include "sim/model.h"

typedef struct ib_Advice {
    double step;       ///< for the same fixed-step solver [s]; 0: none would do
    double tolerance;  ///< for the same adaptive solver; 0: none would do
    double rosenbrock; ///< tolerance for rosenbrock in its place; 0: it would not do
} ib_Advice;

enum { IB_ADVICE_TEXT = 240 };

// True if it has any advice.
bool ib_advice_helps(const ib_Advice *advice);

// "try run.step: 0.05 ms, or run.solver: rosenbrock". If none of these helps, it says so, and names
// another remedy. `config` is that of the run.
void ib_advice_format(const ib_Advice *advice, const ib_SimConfig *config,
                      char text[IB_ADVICE_TEXT]);

// Advice for a complete run that is not exact enough: a tenth of its actual steps, which may be
// parts of those in the file, or a hundredth of its tolerance, within the limits of a file. All 0:
// it cannot be more exact.
ib_Advice ib_advice_finer(const ib_Model *model);

// The next shorter step of the row 1, 2, 5 [s], itself included; 0: no file may say one so short.
double ib_advice_step(const ib_SimConfig *config, double step);

#endif
