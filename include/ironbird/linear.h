// ironbird/linear.h: everything public of src/linear.
#ifndef IRONBIRD_LINEAR_H
#define IRONBIRD_LINEAR_H

#include "linear/balance.h"
#include "linear/complex.h"
#include "linear/discretise.h"
#include "linear/eigen.h"
#include "linear/exponential.h"
#include "linear/logarithm.h"
#include "linear/singular.h"
#include "linear/state_space.h"

#endif
