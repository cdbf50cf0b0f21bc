// ironbird/solver.h: everything public of src/solver.
#ifndef IRONBIRD_SOLVER_H
#define IRONBIRD_SOLVER_H

#include "solver/solver.h"

#endif
